"""Centre lines: what stands on the straight line from one cell to another, in order.

Labelled walls, labelled regions and figures; what hides how well is graded by the rulesets.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import NamedTuple

import numpy as np

from engine.geometry.arrays import Bools, Floats, Ints
from engine.geometry.memo import Kept, Memo, changes
from engine.geometry.terrain import Terrain, terrain_of
from engine.grid.footprint import token_cells
from engine.grid.grid import Grid, board_grid
from engine.model.board import GridSpec
from engine.model.encounter import Encounter
from engine.model.region import Region
from engine.model.space import Cell, Point
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel, Wall


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something on the line: a labelled wall or region, or a figure (`token_id`).

    `beside_viewer` tells that it stands in a cell adjacent to the viewer, or on an edge of the
    viewer's own cells.
    """

    label: CoverLabel
    wall_id: str | None = None
    region_id: str | None = None
    token_id: str | None = None
    cell: Cell | None = None
    beside_viewer: bool = False


Crossing = tuple[tuple[Obstacle, ...], ...]
"""What a line meets at one point: the cells there, each with its obstacles."""


@dataclass(frozen=True, slots=True)
class Line:
    """The centre line between one cell of the viewer and one of the target.

    `crossings` holds what it meets in order, strictly between the two. Each is a tuple of the
    cells crossed at that point, each with its obstacles: one cell, or the two at a corner or a
    border, where the lesser of the two counts.
    """

    start: Cell
    end: Cell
    crossings: tuple[Crossing, ...] = ()


Pair = tuple[Token, Token]
"""A viewer and its target."""

_CHUNK = 1 << 20
_AT_ONCE = 1024


def lines_between(encounter: Encounter, pairs: Sequence[Pair]) -> tuple[tuple[Line, ...], ...]:
    """Return for each viewer and target the centre lines between all their cells."""
    held = _HELD(
        _FIGURES(encounter.tokens, encounter.board.grid),
        terrain_of(encounter.board),
        encounter.board.regions,
    )
    labelled = _LABELLED(encounter.board.walls)
    scenes = [_Scene(encounter, held, viewer, target) for viewer, target in pairs]
    ways = [(scene, a, b) for scene in scenes for a in scene.own for b in scene.theirs]
    grid = board_grid(encounter.board.grid)
    met = _met(grid, held.keys, ways)
    crossed = _crossed_walls(grid, labelled, ways)
    lines = iter(
        [
            scene.line(a, b, met[number], crossed.get(number, ()))
            for number, (scene, a, b) in enumerate(ways)
        ]
    )
    return tuple(
        tuple(next(lines) for _ in range(len(scene.own) * len(scene.theirs))) for scene in scenes
    )


class _Held(NamedTuple):
    """Who and what stands in cells: figures, labelled regions, and the keys of all such cells."""

    figures: Mapping[Cell, tuple[str, ...]]
    regions: Mapping[Cell, tuple[Region, ...]]
    keys: Ints


class _Labelled(NamedTuple):
    """Labelled walls that are not open: their stretches (n, 2, 2), and the wall of each."""

    walls: tuple[Wall, ...]
    ends: Floats
    owner: Ints


_Way = tuple["_Scene", Cell, Cell]


class _Scene:
    """What is said of the things on the lines between one viewer and one target."""

    def __init__(self, encounter: Encounter, held: _Held, viewer: Token, target: Token) -> None:
        self._grid = board_grid(encounter.board.grid)
        self._held = held
        self._two = (viewer.id, target.id)
        self.own = token_cells(self._grid, viewer)
        self.theirs = token_cells(self._grid, target)

    def line(
        self,
        start: Cell,
        end: Cell,
        met: Sequence[tuple[Cell, ...]],
        walls: Sequence[tuple[Wall, float]],
    ) -> Line:
        """Return the line between two cells, which meets entries of cells, and walls."""
        if not met and not walls:
            return Line(start, end)
        between = []
        for there in met:
            if not any(cell in self.own or cell in self.theirs for cell in there):
                between.append((self._along(start, there), tuple(self._in(c) for c in there)))
        between += [self._wall(wall, share, start, end) for wall, share in walls]
        found = [each for _, each in sorted(between, key=lambda pair: pair[0]) if any(each)]
        return Line(start, end, tuple(found))

    def _along(self, start: Cell, cells: Sequence[Cell]) -> float:
        x, y = self._grid.center(start)
        return min(hypot(cx - x, cy - y) for cx, cy in map(self._grid.center, cells))

    def _in(self, cell: Cell) -> tuple[Obstacle, ...]:
        regions = self._held.regions.get(cell, ())
        figures = [each for each in self._held.figures.get(cell, ()) if each not in self._two]
        if not regions and not figures:
            return ()
        beside = cell in _around(self._grid, self.own)
        labelled = [
            Obstacle(region.cover, region_id=region.id, cell=cell, beside_viewer=beside)
            for region in regions
        ]
        standing = [
            Obstacle(CoverLabel.NONE, token_id=each, cell=cell, beside_viewer=beside)
            for each in figures
        ]
        return (*labelled, *standing)

    def _wall(self, wall: Wall, share: float, start: Cell, end: Cell) -> tuple[float, Crossing]:
        """Return how far off a labelled wall crosses the line, and the wall as an obstacle."""
        (ax, ay), (bx, by) = self._grid.center(start), self._grid.center(end)
        beside = self._near((ax + share * (bx - ax), ay + share * (by - ay)))
        obstacle = Obstacle(wall.cover, wall_id=wall.id, beside_viewer=beside)
        return share * hypot(bx - ax, by - ay), ((obstacle,),)

    def _near(self, point: Point) -> bool:
        """Tell whether a point on an edge is on the border of the viewer's own cells."""
        around = [(point[0] + dx, point[1] + dy) for dx in (-1e-6, 1e-6) for dy in (-1e-6, 1e-6)]
        return any(self._grid.cell_at(each) in self.own for each in around)


def _met(grid: Grid, held: Ints, ways: Sequence[_Way]) -> list[list[tuple[Cell, ...]]]:
    """Return for each line the entries of `Grid.crossed` in which something stands, in order.

    Those with one of the end cells are left out.
    """
    found: list[list[tuple[Cell, ...]]] = [[] for _ in ways]
    if not len(held):
        return found
    for first in range(0, len(ways), _AT_ONCE):
        some = ways[first : first + _AT_ONCE]
        starts, ends = (np.array([way[which] for way in some]) for which in (1, 2))
        line, entry, cells = grid.crossed_by(starts, ends)
        keys = _keys(cells)
        counts = held[np.minimum(held.searchsorted(keys), len(held) - 1)] == keys
        at_end = (cells == starts[line]).all(axis=1) | (cells == ends[line]).all(axis=1)
        begins = np.flatnonzero(np.diff(entry, prepend=-1))
        stands = np.logical_or.reduceat(counts, begins) & ~np.logical_or.reduceat(at_end, begins)
        finish = np.append(begins[1:], len(entry))
        for low, high in zip(begins[stands].tolist(), finish[stands].tolist(), strict=True):
            there = tuple(Cell(x, y) for x, y in cells[low:high].tolist())
            found[first + int(line[low])].append(there)
    return found


def _crossed_walls(
    grid: Grid, labelled: _Labelled, ways: Sequence[_Way]
) -> dict[int, list[tuple[Wall, float]]]:
    """Return the labelled walls that lines cross, and how far along, by the lines' numbers."""
    found: dict[int, list[tuple[Wall, float]]] = {}
    if not len(labelled.owner):
        return found
    rows = max(_CHUNK // len(labelled.owner), 1)
    for first in range(0, len(ways), rows):
        some = ways[first : first + rows]
        start = np.array([grid.center(a) for _, a, _ in some])
        way = np.array([grid.center(b) for _, _, b in some]) - start
        line, stretch, share = _shares(start, way, labelled.ends)
        for number, owner, at in sorted(
            zip(line.tolist(), labelled.owner[stretch].tolist(), share.tolist(), strict=True)
        ):
            walls = found.setdefault(first + number, [])
            if not walls or walls[-1][0] is not labelled.walls[owner]:
                walls.append((labelled.walls[owner], at))
    return found


def _shares(start: Floats, way: Floats, ends: Floats) -> tuple[Ints, Ints, Floats]:
    """Return which lines cross which stretches, and how far along, strictly between their ends."""
    dx, dy = way.T[:, :, None]
    wx, wy = (ends[:, 1] - ends[:, 0]).T
    gap_x, gap_y = ends[:, 0, 0] - start[:, :1], ends[:, 0, 1] - start[:, 1:]
    turn = dx * wy - dy * wx
    with np.errstate(divide="ignore", invalid="ignore"):
        t, u = (gap_x * wy - gap_y * wx) / turn, (gap_x * dy - gap_y * dx) / turn
    met: Bools = (np.abs(turn) >= 1e-12) & (t > 0) & (t < 1) & (u >= 0) & (u <= 1)
    line, stretch = np.nonzero(met)
    return line, stretch, t[line, stretch]


@lru_cache(maxsize=1024)
def _around(grid: Grid, cells: tuple[Cell, ...]) -> frozenset[Cell]:
    """Return the cells adjacent to any of some cells."""
    return frozenset(near.cell for cell in cells for near in grid.neighbours(cell))


def _keys(cells: Sequence[Cell] | Ints) -> Ints:
    """Return one number for each cell."""
    x, y = np.asarray(cells, dtype=np.int64).reshape(-1, 2).T
    return np.asarray((x << 32) + y)


def _held(
    _: Kept[_Held] | None,
    figures: Mapping[Cell, tuple[str, ...]],
    terrain: Terrain,
    regions: Mapping[str, Region],
) -> _Held:
    labelled = _LABELLED_CELLS(terrain, regions)
    return _Held(figures, labelled, np.sort(_keys([*figures, *labelled])))


def _labelled_cells(
    _: Kept[Mapping[Cell, tuple[Region, ...]]] | None,
    terrain: Terrain,
    regions: Mapping[str, Region],
) -> Mapping[Cell, tuple[Region, ...]]:
    """Return the regions with a cover label over each cell."""
    labels = {key: each for key, each in regions.items() if each.cover is not CoverLabel.NONE}
    if not labels:
        return {}
    found = {
        cell: tuple(labels[each] for each in ids if each in labels)
        for cell, ids in terrain.regions.items()
    }
    return {cell: each for cell, each in found.items() if each}


def _figures(
    latest: Kept[Mapping[Cell, tuple[str, ...]]] | None,
    tokens: FrozenMap[str, Token],
    spec: GridSpec,
) -> Mapping[Cell, tuple[str, ...]]:
    """Return who stands in each cell, by their ids in order."""
    grid = board_grid(spec)
    old: FrozenMap[str, Token] = FrozenMap()
    found: dict[Cell, tuple[str, ...]] = {}
    if latest is not None and latest.sources[1] == spec:
        old, found = latest.sources[0], dict(latest.result)
    changed = sorted(changes(old, tokens))
    for token in (old[each] for each in changed if each in old):
        for cell in token_cells(grid, token):
            rest = tuple(each for each in found[cell] if each != token.id)
            found[cell] = rest
            if not rest:
                del found[cell]
    for token in (tokens[each] for each in changed if each in tokens):
        for cell in token_cells(grid, token):
            found[cell] = tuple(sorted((*found.get(cell, ()), token.id)))
    return found


def _labelled(_: Kept[_Labelled] | None, walls: Mapping[str, Wall]) -> _Labelled:
    chosen = tuple(
        wall for wall in walls.values() if wall.cover is not CoverLabel.NONE and not wall.is_open
    )
    ends = [ends for wall in chosen for ends in zip(wall.points, wall.points[1:], strict=False)]
    owner = [number for number, wall in enumerate(chosen) for _ in wall.points[1:]]
    return _Labelled(chosen, np.array(ends).reshape(-1, 2, 2), np.array(owner, dtype=np.int64))


_FIGURES: Memo[Mapping[Cell, tuple[str, ...]]] = Memo(_figures)
_HELD: Memo[_Held] = Memo(_held)
_LABELLED: Memo[_Labelled] = Memo(_labelled)
_LABELLED_CELLS: Memo[Mapping[Cell, tuple[Region, ...]]] = Memo(_labelled_cells)
