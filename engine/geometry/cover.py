"""Cover: how much of a target walls hide, what labelled obstacles and figures stand on the line.

Geometry only describes; what hides how well is graded by the rulesets. Three ways to take the
hidden fraction: the silhouette (the share of the target that cannot be seen), the centre line
(all or nothing), the viewer's best corner.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import pairwise
from math import hypot

import numpy as np

from engine.geometry.arrays import Bools, Floats
from engine.geometry.boards import wall_set
from engine.geometry.memo import Kept, Memo, changes
from engine.geometry.outlook import standing_point
from engine.geometry.segments import WallSet
from engine.geometry.sight import Eye, best_corner, visible_fraction
from engine.geometry.silhouette import Silhouettes, Volume, silhouettes
from engine.geometry.terrain import Terrain, terrain_of
from engine.geometry.vision import eye_height
from engine.grid.footprint import footprint_named, token_cells
from engine.grid.grid import Grid, Ring, board_grid
from engine.model.board import GridSpec
from engine.model.encounter import Encounter
from engine.model.evidence import Evidence, Ray
from engine.model.space import Cell, Facing, Point
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel, Wall

STEPS = 10_000
"""A hidden fraction is kept in ten-thousandths; geometry is exact to a hundredth."""


class CoverMode(StrEnum):
    """How the hidden fraction is taken."""

    SILHOUETTE = "silhouette"
    CENTER_LINE = "center_line"
    BEST_CORNER = "best_corner"


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


@dataclass(frozen=True, eq=False)
class Cover:
    """What stands between a viewer and a target.

    `hidden` is the fraction of the target that walls hide; `lines` one centre line for each pair
    of cells.
    """

    hidden: Fraction
    lines: tuple[Line, ...]
    _draw: Callable[[], Evidence] = field(repr=False)

    @cached_property
    def evidence(self) -> Evidence:
        """What draws it on the map; made when somebody asks."""
        return self._draw()


def volume_of(encounter: Encounter, token: Token) -> Volume:
    """Return a token's volume: its footprint from its feet to its crown."""
    return _VOLUMES(terrain_of(encounter.board), encounter.board.grid, token)


def _volume(_: Kept[Volume] | None, terrain: Terrain, spec: GridSpec, token: Token) -> Volume:
    grid = board_grid(spec)
    base = terrain.height_at(token_cells(grid, token)) + token.elevation
    outline = _outline(grid, token.footprint, token.cell, token.facing)
    return Volume(token.id, outline, base, base + token.height)


def eye_of(encounter: Encounter, token: Token) -> Eye:
    """Return a token's eye: over the middle of its footprint, off any wall that runs through."""
    grid = board_grid(encounter.board.grid)
    footprint = footprint_named(grid.kind, token.footprint)
    middle = footprint.center_at(grid, token.cell, token.facing)
    return (*standing_point(encounter.board, middle), eye_height(encounter.board, token))


def covers(
    encounter: Encounter,
    viewer: Token,
    targets: Sequence[Token],
    mode: CoverMode = CoverMode.SILHOUETTE,
) -> tuple[Cover, ...]:
    """Return the cover of each target from a viewer; whom walls hide wholly has `hidden` 1."""
    walls = wall_set(encounter.board)
    eye = eye_of(encounter, viewer)
    volumes = [volume_of(encounter, target) for target in targets]
    hidden = _hidden(walls, eye, volume_of(encounter, viewer), volumes, mode)
    return tuple(
        Cover(share, _lines(encounter, viewer, target), partial(_evidence, walls, eye, volume))
        for target, volume, share in zip(targets, volumes, hidden, strict=True)
    )


def rays_clear(walls: WallSet, eye: Eye, ends: Floats) -> tuple[Bools, tuple[frozenset[str], ...]]:
    """Tell which rays from an eye to points (k, 3) are clear, and name the walls that stop them."""
    segs = walls.sight_segs
    live = np.flatnonzero(~walls.open[segs.owner])
    ax, ay, bx, by = segs.ends[:, live]
    dx, dy = ends[:, :1] - eye[0], ends[:, 1:2] - eye[1]
    wx, wy = bx - ax, by - ay
    cross = dx * wy - dy * wx
    with np.errstate(divide="ignore", invalid="ignore"):
        t = ((ax - eye[0]) * wy - (ay - eye[1]) * wx) / cross
        u = ((ax - eye[0]) * dy - (ay - eye[1]) * dx) / cross
    z = eye[2] + t * (ends[:, 2:] - eye[2])
    met = (t > 0) & (t < 1) & (u >= 0) & (u <= 1)
    met &= (z > segs.base[live]) & (z < segs.top[live])
    side = segs.side[live]
    met &= (side == 0) | (np.sign(cross) * side > 0)
    once = segs.once[live]
    stopped = met & ~once
    stopped |= met & once & ((met & once).sum(axis=1, keepdims=True) > 1)
    owners = segs.owner[live]
    names = tuple(frozenset(walls.ids[int(i)] for i in owners[row]) for row in stopped)
    return ~stopped.any(axis=1), names


def _hidden(
    walls: WallSet, eye: Eye, viewer: Volume, volumes: Sequence[Volume], mode: CoverMode
) -> list[Fraction]:
    if not any(_walls_near(walls, viewer, volume) for volume in volumes):
        return [Fraction(0)] * len(volumes)
    if mode is CoverMode.CENTER_LINE:
        middles = np.array([(*np.mean(v.outline, axis=0), (v.base + v.top) / 2) for v in volumes])
        clear, _ = rays_clear(walls, eye, middles)
        return [Fraction(0 if each else 1) for each in clear]
    shapes: Silhouettes = silhouettes(volumes)
    if mode is CoverMode.BEST_CORNER:
        seen, _ = best_corner(walls, viewer, eye[2], shapes)
    else:
        seen = visible_fraction(walls, eye, shapes, viewer=viewer)
    return [Fraction(round((1 - float(each)) * STEPS), STEPS) for each in seen]


def _walls_near(walls: WallSet, viewer: Volume, target: Volume) -> bool:
    """Tell whether any wall that stops sight comes near the lines between two volumes."""
    left, top, right, bottom = walls.sight_segs.boxes
    xs, ys = zip(*viewer.outline, *target.outline, strict=True)
    near = (left <= max(xs)) & (right >= min(xs)) & (top <= max(ys)) & (bottom >= min(ys))
    return bool(near.any())


def _evidence(walls: WallSet, eye: Eye, target: Volume) -> Evidence:
    """Return rays to the middle and to just inside the corners of the target."""
    ring = np.array(target.outline, dtype=np.float64)
    middle = ring.mean(axis=0)
    points = np.vstack((middle, middle + (ring - middle) * 0.98))
    height = (target.base + target.top) / 2
    ends = np.column_stack((points, np.full(len(points), height)))
    clear, names = rays_clear(walls, eye, ends)
    rays = tuple(
        Ray(start=(eye[0], eye[1]), end=(float(x), float(y)), clear=bool(free))
        for (x, y), free in zip(points, clear, strict=True)
    )
    return Evidence(rays=rays, walls=tuple(sorted(set().union(*names))))


def _lines(encounter: Encounter, viewer: Token, target: Token) -> tuple[Line, ...]:
    grid = board_grid(encounter.board.grid)
    scene = _Scene(encounter, grid, viewer, target)
    return tuple(scene.line(a, b) for a in scene.own for b in scene.theirs)


class _Scene:
    """Who and what stands in which cell, for one viewer and one target."""

    def __init__(self, encounter: Encounter, grid: Grid, viewer: Token, target: Token) -> None:
        self._grid = grid
        self._board = encounter.board
        self._terrain = terrain_of(encounter.board)
        self._two = (viewer.id, target.id)
        self.own = token_cells(grid, viewer)
        self.theirs = token_cells(grid, target)
        self._ends = {*self.own, *self.theirs}
        self._figures = _FIGURES(encounter.tokens, encounter.board.grid)

    @cached_property
    def _beside(self) -> set[Cell]:
        return {near.cell for cell in self.own for near in self._grid.neighbours(cell)}

    def line(self, start: Cell, end: Cell) -> Line:
        """Return the line between two cells and what it crosses."""
        between = []
        for cells in _crossed(self._grid, end.x - start.x, end.y - start.y):
            there = tuple(Cell(start.x + x, start.y + y) for x, y in cells)
            if self._ends.isdisjoint(there) and any(self._holds(cell) for cell in there):
                held = tuple(self._in(cell) for cell in there)
                between.append((self._along(start, there), held))
        between += self._walls(self._grid.center(start), self._grid.center(end))
        found = [each for _, each in sorted(between, key=lambda pair: pair[0]) if any(each)]
        return Line(start, end, tuple(found))

    def _along(self, start: Cell, cells: Sequence[Cell]) -> float:
        x, y = self._grid.center(start)
        return min(hypot(cx - x, cy - y) for cx, cy in map(self._grid.center, cells))

    def _holds(self, cell: Cell) -> bool:
        return cell in self._figures or cell in self._terrain.regions

    def _in(self, cell: Cell) -> tuple[Obstacle, ...]:
        beside = cell in self._beside
        labelled = [
            Obstacle(region.cover, region_id=region.id, cell=cell, beside_viewer=beside)
            for region_id in self._terrain.regions.get(cell, ())
            if (region := self._board.regions.get(region_id)) is not None
            and region.cover is not CoverLabel.NONE
        ]
        figures = [
            Obstacle(CoverLabel.NONE, token_id=each, cell=cell, beside_viewer=beside)
            for each in self._figures.get(cell, ())
            if each not in self._two
        ]
        return (*labelled, *figures)

    def _walls(self, start: Point, end: Point) -> list[tuple[float, Crossing]]:
        """Return the labelled walls that the line crosses, with their distance from its start."""
        found: list[tuple[float, Crossing]] = []
        length = hypot(end[0] - start[0], end[1] - start[1])
        for wall in _LABELLED(self._board.walls):
            shares = [s for a, b in pairwise(wall.points) if (s := _share(start, end, a, b))]
            if shares:
                share = min(shares)
                point = (
                    start[0] + share * (end[0] - start[0]),
                    start[1] + share * (end[1] - start[1]),
                )
                beside = self._near(point)
                obstacle = Obstacle(wall.cover, wall_id=wall.id, beside_viewer=beside)
                found.append((share * length, ((obstacle,),)))
        return found

    def _near(self, point: Point) -> bool:
        """Tell whether a point on an edge is on the border of the viewer's own cells."""
        around = [(point[0] + dx, point[1] + dy) for dx in (-1e-6, 1e-6) for dy in (-1e-6, 1e-6)]
        return any(self._grid.cell_at(each) in self.own for each in around)


def _share(a: Point, b: Point, c: Point, d: Point) -> float:
    """Return how far along a-b it crosses c-d, strictly between a and b; 0 if it does not."""
    dx, dy, wx, wy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    cross = dx * wy - dy * wx
    if abs(cross) < 1e-12:
        return 0.0
    t = ((c[0] - a[0]) * wy - (c[1] - a[1]) * wx) / cross
    u = ((c[0] - a[0]) * dy - (c[1] - a[1]) * dx) / cross
    return t if 0 < t < 1 and 0 <= u <= 1 else 0.0


@lru_cache(maxsize=4096)
def _outline(grid: Grid, footprint: str, cell: Cell, facing: Facing) -> Ring:
    return footprint_named(grid.kind, footprint).outline_at(grid, cell, facing)


@lru_cache(maxsize=4096)
def _crossed(grid: Grid, dx: int, dy: int) -> tuple[tuple[Cell, ...], ...]:
    """Return what a line crosses as offsets from its start: it is the same everywhere."""
    return grid.crossed(Cell(0, 0), Cell(dx, dy))


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


def _labelled(_: Kept[list[Wall]] | None, walls: Mapping[str, Wall]) -> list[Wall]:
    return [
        wall for wall in walls.values() if wall.cover is not CoverLabel.NONE and not wall.is_open
    ]


_VOLUMES: Memo[Volume] = Memo(_volume, size=1024)
_FIGURES: Memo[Mapping[Cell, tuple[str, ...]]] = Memo(_figures)
_LABELLED: Memo[list[Wall]] = Memo(_labelled)
