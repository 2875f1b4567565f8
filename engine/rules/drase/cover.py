"""Cover between two creatures (section 6.4): which grade, from what, and what is exempt.

Geometry says what stands where: the hidden part of the target, and labelled obstacles and figures
on the lines. Grades and exemptions are Drase's and stand here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress, pairwise

import numpy as np

from engine.geometry import cover as geometry
from engine.geometry.arrays import Floats, Ints
from engine.geometry.cover import CoverMode, Line, Obstacle, eye_of, volume_of
from engine.geometry.memo import Kept, Memo
from engine.geometry.sight import Eye
from engine.grid.footprint import token_cells
from engine.grid.grid import Grid, board_grid
from engine.model.board import GridSpec
from engine.model.encounter import Encounter
from engine.model.evidence import Evidence
from engine.model.space import Cell, Point
from engine.model.token import FOES, PARTY, Token
from engine.model.told import Told, named, told, wall_named
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel, Durability, OneSided, Wall, WallKind
from engine.rules.drase.data import Book
from engine.rules.drase.state import hostile, sheet_of

Walls = FrozenMap[str, Wall]

HAIR = 1e-6
"""Cells: what lies so near a border lies on it."""

BROKEN = Durability(hp=0, hp_max=1)

PARTIAL = (CoverLabel.HALF, CoverLabel.THREE_QUARTER)
"""The grades that a ranged attacker ignores beside itself."""


@dataclass(frozen=True, slots=True)
class Cover:
    """A cover between the two: its grade, in words, and where it stands."""

    grade: CoverLabel
    words: Told
    evidence: Evidence | None = None


def covers_from(
    encounter: Encounter, book: Book, attacker: Token, targets: Sequence[Token], ranged: bool
) -> tuple[tuple[Cover, ...], ...]:
    """Return every cover of each target that counts for an attack: the tile pair with the least.

    Geometry is asked for all targets at once.
    """
    board = encounter.board
    walls = _PLAIN(board.walls)
    if walls is not board.walls:
        encounter = encounter.changed(board=board.changed(walls=walls))
    judges = [_Judge(encounter, book, attacker, target, ranged) for target in targets]
    shown = _shown(encounter, book, attacker, targets)
    hidden = [judge.hidden_by(each) for judge, each in zip(judges, shown, strict=True)]
    if ranged:
        _exempt_beside(encounter, book, attacker, judges, hidden)
    return tuple(
        (*(() if plain.grade is CoverLabel.NONE else (plain,)), *judge.best_line(each.lines))
        for judge, each, plain in zip(judges, shown, hidden, strict=True)
    )


def _shown(
    encounter: Encounter, book: Book, attacker: Token, targets: Sequence[Token]
) -> tuple[geometry.Cover, ...]:
    """Ask geometry what stands between an attacker and each target."""
    mode = CoverMode(book.options.cover_trace)
    return geometry.covers(encounter, attacker, targets, mode)


def _exempt_beside(
    encounter: Encounter, book: Book, attacker: Token, judges: "list[_Judge]", hidden: list[Cover]
) -> None:
    """Grade partial cover again without what stands beside the archer; full cover always counts."""
    partly = [number for number, found in enumerate(hidden) if found.grade in PARTIAL]
    if not partly:
        return
    rest = _REST(encounter.board.walls, encounter.board.grid, attacker)
    if rest is encounter.board.walls:
        return
    encounter = encounter.changed(board=encounter.board.changed(walls=rest))
    again = _shown(encounter, book, attacker, [judges[number].target for number in partly])
    for number, shown in zip(partly, again, strict=True):
        hidden[number] = judges[number].hidden_by(shown)


def weight(book: Book, covers: tuple[Cover, ...]) -> tuple[bool, int]:
    """Return how heavy some covers are together: does any block, and the penalty that counts."""
    rows = [book.covers[each.grade] for each in covers]
    penalties = [row.penalty for row in rows]
    total = sum(penalties) if book.options.cover_stack == "sum" else max(penalties, default=0)
    return any(row.blocks for row in rows), total


def grade(book: Book, hidden: Fraction) -> CoverLabel:
    """Grade the hidden part of a target ([proposal] of the geometry definitions)."""
    percent = 100 * hidden
    if percent < book.number("cover_none_percent"):
        return CoverLabel.NONE
    if percent <= book.number("cover_half_percent"):
        return CoverLabel.HALF
    if percent < book.number("cover_full_percent"):
        return CoverLabel.THREE_QUARTER
    return CoverLabel.FULL


class _Judge:
    """Grades what geometry found for one attack."""

    def __init__(
        self, encounter: Encounter, book: Book, attacker: Token, target: Token, ranged: bool
    ) -> None:
        self._grid: Grid = board_grid(encounter.board.grid)
        self._encounter = encounter
        self._book = book
        self._attacker = attacker
        self.target = target
        self._ranged = ranged

    @cached_property
    def _eye(self) -> Eye:
        return eye_of(self._encounter, self._attacker)

    @cached_property
    def _aim_height(self) -> float:
        aim = volume_of(self._encounter, self.target)
        return (aim.base + aim.top) / 2

    def best_line(self, lines: tuple[Line, ...]) -> tuple[Cover, ...]:
        """Return the covers of the line with the least of them."""
        found = [self.line(line) for line in lines]
        return min(found, key=lambda covers: weight(self._book, covers), default=())

    def hidden_by(self, shown: geometry.Cover) -> Cover:
        """Grade what plain walls hide of the target."""
        found = grade(self._book, shown.hidden)
        if found is CoverLabel.NONE:
            return Cover(found, told(""))
        known = self._encounter.board.walls
        names = [known[each].name for each in shown.evidence.walls if each in known]
        walls = Told(", ".join(name for name in names if name) or "a wall", "a wall")
        share = f"{float(100 * shown.hidden):.0f} % hidden"
        words = walls if found is CoverLabel.FULL else told("{}, {}", walls, share)
        return Cover(found, words, shown.evidence)

    def line(self, line: Line) -> tuple[Cover, ...]:
        """Grade what stands on a centre line; where two cells share a point, the lesser counts."""
        found = []
        for crossing in line.crossings:
            sides = [tuple(self._graded(line, obstacle)) for obstacle in crossing]
            cells = [tuple(each for covers in side for each in covers) for side in sides]
            least = min(cells, key=lambda covers: weight(self._book, covers), default=())
            found += [each for each in least if each.grade is not CoverLabel.NONE]
        return tuple(found)

    def _graded(self, line: Line, obstacles: tuple[Obstacle, ...]) -> Iterator[tuple[Cover, ...]]:
        for obstacle in obstacles:
            found = self._of(line, obstacle)
            exempt = self._ranged and obstacle.beside_viewer and found.grade in PARTIAL
            yield () if exempt else (found,)

    def _of(self, line: Line, obstacle: Obstacle) -> Cover:
        if obstacle.token_id is not None:
            return self._creature(line, self._encounter.tokens[obstacle.token_id], obstacle)
        if obstacle.wall_id is not None:
            wall = self._encounter.board.walls[obstacle.wall_id]
            evidence = Evidence(walls=(wall.id,))
            words = wall_named(wall, wall.name or wall.kind.value.replace("_", " "))
            if self._passes(wall):
                return Cover(CoverLabel.NONE, words, evidence)
            return self._labelled(obstacle, words, evidence)
        region = self._encounter.board.regions[obstacle.region_id or ""]
        something = "an obstacle"
        cells = (obstacle.cell,) if obstacle.cell is not None else ()
        evidence = Evidence(regions=(region.id,), cells=cells)
        return self._labelled(obstacle, Told(region.name or something, something), evidence)

    def _labelled(self, obstacle: Obstacle, words: Told, evidence: Evidence) -> Cover:
        """Take a label; an archer right behind an embrasure shoots through it."""
        label = obstacle.label
        behind_it = self._ranged and obstacle.beside_viewer
        if label is CoverLabel.EMBRASURE and behind_it and self._inside(obstacle):
            label = CoverLabel.NONE
        return Cover(label, words, evidence)

    def _inside(self, obstacle: Obstacle) -> bool:
        """Tell whether the attacker stands on the side from which an embrasure is shot through.

        A one-sided wall names the side from which it blocks; its other side is the inside.
        """
        if self._book.options.embrasure_side == "either" or obstacle.wall_id is None:
            return True
        wall = self._encounter.board.walls[obstacle.wall_id]
        if wall.one_sided is None:
            return True
        (ax, ay), (bx, by) = wall.points[0], wall.points[-1]
        x, y = self._eye[:2]
        left = (bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0
        return left is not (wall.one_sided is OneSided.LEFT)

    def _creature(self, line: Line, other: Token, obstacle: Obstacle) -> Cover:
        """Grade a creature on the line: enemies cover fully, all others by their size."""
        sheet = sheet_of(other)
        evidence = Evidence(tokens=(other.id,))
        melee_free = self._book.options.creature_cover_applies == "ranged_only" and not self._ranged
        if melee_free or (sheet.hp <= 0 and other.sheet is not None):
            return Cover(CoverLabel.NONE, named(other), evidence)
        if not self._in_height(line, other, obstacle):
            return Cover(CoverLabel.NONE, named(other), evidence)
        if other.side in (PARTY, FOES) and hostile(self._attacker, other) and not sheet.is_object:
            return Cover(CoverLabel.FULL, told("{}, an enemy", other), evidence)
        smaller = sheet.size.rank < sheet_of(self._attacker).size.rank
        label = CoverLabel.HALF if smaller else CoverLabel.THREE_QUARTER
        return Cover(label, named(other), evidence)

    def _in_height(self, line: Line, other: Token, obstacle: Obstacle) -> bool:
        """Tell whether the line from eye to target passes through a creature's height."""
        if obstacle.cell is None:
            return True
        volume = volume_of(self._encounter, other)
        share = _share_along(self._grid, line, obstacle.cell)
        height = self._eye[2] + share * (self._aim_height - self._eye[2])
        return volume.base <= height <= volume.top

    def _passes(self, wall: Wall) -> bool:
        """Tell whether the line passes over or under a labelled wall."""
        low, high = sorted((self._eye[2], self._aim_height))
        over = wall.top is not None and low >= wall.top
        under = wall.base is not None and high <= wall.base
        return over or under


def _without_beside(_: Kept[Walls] | None, walls: Walls, spec: GridSpec, attacker: Token) -> Walls:
    """Return walls without their stretches on the border of an attacker's tiles.

    A wall all of which lies there stays, but broken: geometry then has nothing to build anew.
    """
    grid = board_grid(spec)
    outlines = [grid.polygon(cell) for cell in token_cells(grid, attacker)]
    changed: dict[str, Wall] = {}
    gone: list[str] = []
    for wall in _near_to(walls, outlines):
        kept = [
            each for each in pairwise(wall.points) if not any(_meets(o, *each) for o in outlines)
        ]
        if not kept:
            changed[wall.id] = wall.changed(durability=BROKEN)
        elif len(kept) < len(wall.points) - 1:
            gone.append(wall.id)
            pieces = {f"{wall.id} {i}": ends for i, ends in enumerate(kept)}
            changed |= {key: wall.changed(id=key, points=ends) for key, ends in pieces.items()}
    return walls.without(*gone).put_all(changed) if changed else walls


def _near_to(walls: Walls, outlines: Sequence[tuple[Point, ...]]) -> list[Wall]:
    """Return the walls whose boxes come near to some tiles."""
    corners = np.array([point for outline in outlines for point in outline])
    low, high = _BOXES(walls)
    near = (low <= corners.max(axis=0) + HAIR).all(axis=1)
    near &= (high >= corners.min(axis=0) - HAIR).all(axis=1)
    return list(compress(walls.values(), near.tolist()))


def _boxes(_: Kept[tuple[Floats, Floats]] | None, walls: Walls) -> tuple[Floats, Floats]:
    """Return the least and the greatest coordinates of each wall (n, 2)."""
    if not walls:
        return np.zeros((0, 2)), np.zeros((0, 2))
    lengths = np.array([len(wall.points) for wall in walls.values()], dtype=np.int64)
    points = np.array([point for wall in walls.values() for point in wall.points])
    first: Ints = np.cumsum(lengths) - lengths
    return np.minimum.reduceat(points, first), np.maximum.reduceat(points, first)


_BOXES: Memo[tuple[Floats, Floats]] = Memo(_boxes)


def _meets(outline: tuple[Point, ...], a: Point, b: Point) -> bool:
    """Tell whether a stretch of wall touches a convex outline."""
    sides = list(zip(outline, (*outline[1:], outline[0]), strict=True))
    if any(all(_turn(c, d, point) >= -HAIR for c, d in sides) for point in (a, b)):
        return True
    return any(_crosses(a, b, c, d) for c, d in sides)


def _crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    one, other = _turn(a, b, c), _turn(a, b, d)
    if max(one, other) < -HAIR or min(one, other) > HAIR:
        return False
    one, other = _turn(c, d, a), _turn(c, d, b)
    return min(one, other) <= HAIR and max(one, other) >= -HAIR and one != other


def _turn(a: Point, b: Point, c: Point) -> float:
    """Return more than 0 if c lies right of the way from a to b on the screen."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _share_along(grid: Grid, line: Line, cell: Cell) -> float:
    """Return how far along a line a cell lies, 0 at its start and 1 at its end."""
    (ax, ay), (bx, by), (x, y) = (grid.center(each) for each in (line.start, line.end, cell))
    length = (bx - ax) ** 2 + (by - ay) ** 2
    return ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length if length else 0.0


def _plain(_: Kept[Walls] | None, walls: Walls) -> Walls:
    """Return walls of which only the plain ones block sight: labels are graded by the line."""
    changed = {
        wall.id: wall.changed(
            blocks_sight=False,
            cover=CoverLabel.EMBRASURE if wall.kind is WallKind.EMBRASURE else wall.cover,
        )
        for wall in walls.values()
        if wall.cover is not CoverLabel.NONE or wall.kind is WallKind.EMBRASURE
    }
    return walls.put_all(changed)


_PLAIN: Memo[Walls] = Memo(_plain)
_REST: Memo[Walls] = Memo(_without_beside)
