"""Cover: how much of a target walls hide, what labelled obstacles and figures stand on the line.

Geometry only describes; what hides how well is graded by the rulesets. Three ways to take the
hidden fraction: the silhouette (the share of the target that cannot be seen), the centre line
(all or nothing), the viewer's best corner.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from engine.geometry.arrays import Bools, Floats
from engine.geometry.boards import wall_set
from engine.geometry.centerlines import Line, Pair, lines_between
from engine.geometry.memo import Kept, Memo
from engine.geometry.outlook import standing_point
from engine.geometry.segments import WallSet
from engine.geometry.sight import Eye, best_corner, corner_eyes, visible_fraction
from engine.geometry.sightlines import Sightline, Sightlines
from engine.geometry.silhouette import Volume, silhouettes
from engine.geometry.terrain import Terrain, terrain_of
from engine.geometry.vision import eye_height
from engine.grid.footprint import footprint_named, token_cells
from engine.grid.grid import Grid, Ring, board_grid
from engine.model.board import GridSpec
from engine.model.encounter import Encounter
from engine.model.evidence import Evidence, Ray
from engine.model.space import Cell, Facing
from engine.model.token import Token

STEPS = 10_000
"""A hidden fraction is kept in ten-thousandths; geometry is exact to a hundredth."""

_TIE = 1e-5
"""Of a step: what lies half-way is rounded up, whatever the last bit of an angle is."""

_MANY = 16
"""From so many targets of one viewer on it is quicker to look around once."""


class CoverMode(StrEnum):
    """How the hidden fraction is taken."""

    SILHOUETTE = "silhouette"
    CENTER_LINE = "center_line"
    BEST_CORNER = "best_corner"


class _Drawing:
    """What draws lines of sight on the map; all are tried as soon as somebody asks for one."""

    def __init__(self, together: Sightlines, lines: Sequence[Sightline]) -> None:
        self._together = together
        self.lines = lines

    @cached_property
    def tried(self) -> tuple[list[Bools], list[tuple[str, ...]]]:
        """Which rays of each line are clear, and the walls that stop any."""
        return self._together.rays(self._ends)

    def of(self, number: int) -> Evidence:
        """Return rays to the middle and to just inside the corners of a target."""
        eye, ends = self.lines[number].eye, self._ends[number].tolist()
        clear, names = self.tried
        rays = tuple(
            Ray(start=(eye[0], eye[1]), end=(x, y), clear=free)
            for (x, y, _), free in zip(ends, clear[number].tolist(), strict=True)
        )
        return Evidence(rays=rays, walls=names[number])

    @cached_property
    def _ends(self) -> list[Floats]:
        targets = {id(line.target): line.target for line in self.lines}
        points = {key: _points(target) for key, target in targets.items()}
        return [points[id(line.target)] for line in self.lines]


@dataclass(frozen=True, eq=False)
class Hidden:
    """The fraction of a target that walls hide from a viewer."""

    fraction: Fraction
    _drawing: _Drawing = field(repr=False)
    _number: int = field(repr=False)

    @property
    def along(self) -> Sightline:
        """The line of sight from the viewer's eye to the target."""
        return self._drawing.lines[self._number]

    @property
    def walls(self) -> tuple[str, ...]:
        """The walls that stand in the way, in the order of their ids."""
        return self._drawing.tried[1][self._number]

    @cached_property
    def evidence(self) -> Evidence:
        """What draws it on the map; made when somebody asks."""
        return self._drawing.of(self._number)


@dataclass(frozen=True, eq=False)
class Cover:
    """What stands between a viewer and a target: what walls hide, and the centre lines.

    There is one line for each pair of their cells.
    """

    by_walls: Hidden
    lines: tuple[Line, ...]

    @property
    def hidden(self) -> Fraction:
        """The fraction of the target that walls hide."""
        return self.by_walls.fraction

    @property
    def evidence(self) -> Evidence:
        """What draws that on the map."""
        return self.by_walls.evidence


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
    return covers_between(encounter, [(viewer, target) for target in targets], mode)


def covers_between(
    encounter: Encounter, pairs: Sequence[Pair], mode: CoverMode = CoverMode.SILHOUETTE
) -> tuple[Cover, ...]:
    """Return the cover of each target from its viewer, for little more than one of them costs."""
    hidden = hidden_between(encounter, pairs, mode)
    lines = lines_between(encounter, pairs)
    return tuple(Cover(each, own) for each, own in zip(hidden, lines, strict=True))


def hidden_between(
    encounter: Encounter, pairs: Sequence[Pair], mode: CoverMode = CoverMode.SILHOUETTE
) -> tuple[Hidden, ...]:
    """Return how much of each target walls hide from its viewer."""
    eyes: dict[int, tuple[Eye, Volume]] = {}
    for viewer, _ in pairs:
        if id(viewer) not in eyes:
            eyes[id(viewer)] = eye_of(encounter, viewer), volume_of(encounter, viewer)
    lines = [Sightline(*eyes[id(a)], volume_of(encounter, b)) for a, b in pairs]
    return _hidden(wall_set(encounter.board), lines, mode)


def without_border(
    encounter: Encounter,
    looks: Sequence[tuple[Token, Hidden]],
    mode: CoverMode = CoverMode.SILHOUETTE,
) -> tuple[Hidden, ...]:
    """Return how much of each target other walls hide than those beside its viewer.

    Such are all stretches of wall that touch one of the viewer's own cells.
    """
    grid = board_grid(encounter.board.grid)
    lines = [
        hidden.along._replace(beside=tuple(map(grid.polygon, token_cells(grid, viewer))))
        for viewer, hidden in looks
    ]
    return _hidden(wall_set(encounter.board), lines, mode)


def _hidden(walls: WallSet, lines: Sequence[Sightline], mode: CoverMode) -> tuple[Hidden, ...]:
    together = Sightlines(walls, lines)
    drawing = _Drawing(together, lines)
    return tuple(
        Hidden(_share(round((1 - seen) * STEPS + _TIE)), drawing, number)
        for number, seen in enumerate(_seen(walls, together, lines, mode))
    )


@lru_cache(maxsize=STEPS + 1)
def _share(steps: int) -> Fraction:
    return Fraction(steps, STEPS)


def _seen(
    walls: WallSet, together: Sightlines, lines: Sequence[Sightline], mode: CoverMode
) -> list[float]:
    """Return the fraction, 0 to 1, that is seen along each line."""
    if not lines or not len(walls.sight_segs):
        return [1.0] * len(lines)
    if mode is CoverMode.CENTER_LINE:
        clear, _ = together.rays([_middle(line.target) for line in lines])
        return [float(each[0]) for each in clear]
    first, corners = lines[0], mode is CoverMode.BEST_CORNER
    if len(lines) >= _MANY and not first.beside and all(x.viewer is first.viewer for x in lines):
        shapes = silhouettes(line.target for line in lines)
        if corners:
            seen, _ = best_corner(walls, first.viewer, first.eye[2], shapes)
        else:
            seen = visible_fraction(walls, first.eye, shapes, viewer=first.viewer)
        return list(map(float, seen))
    if not corners:
        return list(map(float, together.seen()))
    eyes = [corner_eyes(each.viewer, each.eye[2]) for each in lines]
    many = [line._replace(eye=eye) for line, own in zip(lines, eyes, strict=True) for eye in own]
    begins = np.cumsum([0, *map(len, eyes[:-1])])
    seen = np.maximum.reduceat(Sightlines(walls, many).seen(), begins)
    return list(map(float, seen))


def _middle(target: Volume) -> Floats:
    """Return the middle of a volume (1, 3)."""
    x, y = np.mean(target.outline, axis=0)
    return np.array([(x, y, (target.base + target.top) / 2)])


def _points(target: Volume) -> Floats:
    """Return the middle of a volume and points just inside its corners, half-way up (k, 3)."""
    middle = _middle(target)
    corners = np.repeat(middle, len(target.outline), axis=0)
    corners[:, :2] += (np.array(target.outline) - middle[:, :2]) * 0.98
    return np.concatenate((middle, corners))


@lru_cache(maxsize=4096)
def _outline(grid: Grid, footprint: str, cell: Cell, facing: Facing) -> Ring:
    return footprint_named(grid.kind, footprint).outline_at(grid, cell, facing)


_VOLUMES: Memo[Volume] = Memo(_volume, size=1024)
