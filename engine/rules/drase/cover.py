"""Cover between two creatures (section 6.4): which grade, from what, and what is exempt.

Geometry says what stands where: the hidden part of the target, and labelled obstacles and figures
on the lines. Grades and exemptions are Drase's and stand here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from engine.geometry import cover as geometry
from engine.geometry.centerlines import Line, Obstacle, Pair
from engine.geometry.cover import CoverMode, Hidden, volume_of
from engine.geometry.memo import Kept, Memo
from engine.geometry.sightlines import Sightline
from engine.grid.grid import Grid, board_grid
from engine.model.encounter import Encounter
from engine.model.evidence import Evidence
from engine.model.space import Cell
from engine.model.token import FOES, PARTY, Token
from engine.model.told import Told, named, told, wall_named
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel, OneSided, Wall, WallKind
from engine.rules.drase.data import Book
from engine.rules.drase.state import hostile, sheet_of

Walls = FrozenMap[str, Wall]

PARTIAL = (CoverLabel.HALF, CoverLabel.THREE_QUARTER)
"""The grades that a ranged attacker ignores beside itself."""


@dataclass(frozen=True, slots=True)
class Cover:
    """A cover between the two: its grade, in words, and what shows where it stands."""

    grade: CoverLabel
    words: Told
    shown: Evidence | Hidden | None = None

    @property
    def evidence(self) -> Evidence | None:
        """What draws it on the map."""
        return self.shown.evidence if isinstance(self.shown, Hidden) else self.shown


def covers_between(
    encounter: Encounter, book: Book, pairs: Sequence[Pair], ranged: bool
) -> tuple[tuple[Cover, ...], ...]:
    """Return every cover that counts for an attack on each target: the tile pair with the least.

    A pair is an attacker and its target. Geometry is asked for all of them at once.
    """
    board = encounter.board
    walls = _PLAIN(board.walls)
    if walls is not board.walls:
        encounter = encounter.changed(board=board.changed(walls=walls))
    mode = CoverMode(book.options.cover_trace)
    shown = geometry.covers_between(encounter, pairs, mode)
    judges = [
        _Judge(encounter, book, attacker, each.by_walls.along, ranged)
        for (attacker, _), each in zip(pairs, shown, strict=True)
    ]
    hidden = [judge.hidden(each.by_walls) for judge, each in zip(judges, shown, strict=True)]
    # Partial cover is graded again without what stands beside the archer; full cover counts.
    partly = [number for number, found in enumerate(hidden) if found.grade in PARTIAL]
    if ranged and partly:
        some = [(pairs[number][0], shown[number].by_walls) for number in partly]
        again = geometry.without_border(encounter, some, mode)
        for number, each in zip(partly, again, strict=True):
            hidden[number] = judges[number].hidden(each)
    return tuple(
        (*(() if plain.grade is CoverLabel.NONE else (plain,)), *judge.best_line(each.lines))
        for judge, each, plain in zip(judges, shown, hidden, strict=True)
    )


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
        self, encounter: Encounter, book: Book, attacker: Token, along: Sightline, ranged: bool
    ) -> None:
        self._encounter = encounter
        self._book = book
        self._attacker = attacker
        self._eye = along.eye
        self._aim_height = (along.target.base + along.target.top) / 2
        self._ranged = ranged

    def best_line(self, lines: tuple[Line, ...]) -> tuple[Cover, ...]:
        """Return the covers of the line with the least of them."""
        found = [self.line(line) for line in lines]
        return min(found, key=self._weight) if len(found) > 1 else found[0]

    def hidden(self, shown: Hidden) -> Cover:
        """Grade what plain walls hide of the target."""
        found = grade(self._book, shown.fraction)
        if found is CoverLabel.NONE:
            return Cover(found, told(""))
        known = self._encounter.board.walls
        names = [known[each].name for each in shown.walls]
        walls = Told(", ".join(name for name in names if name) or "a wall", "a wall")
        share = f"{float(100 * shown.fraction):.0f} % hidden"
        words = walls if found is CoverLabel.FULL else told("{}, {}", walls, share)
        return Cover(found, words, shown)

    def line(self, line: Line) -> tuple[Cover, ...]:
        """Grade what stands on a centre line; where two cells share a point, the lesser counts."""
        found: list[Cover] = []
        for crossing in line.crossings:
            cells = [tuple(self._graded(line, obstacles)) for obstacles in crossing]
            least = min(cells, key=self._weight) if len(cells) > 1 else cells[0]
            found += least
        return tuple(found)

    def _graded(self, line: Line, obstacles: tuple[Obstacle, ...]) -> Iterator[Cover]:
        """Yield what covers at all."""
        for obstacle in obstacles:
            found = self._of(line, obstacle)
            exempt = self._ranged and obstacle.beside_viewer and found.grade in PARTIAL
            if not exempt and found.grade is not CoverLabel.NONE:
                yield found

    def _weight(self, covers: tuple[Cover, ...]) -> tuple[bool, int]:
        return weight(self._book, covers)

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
        evidence = _shown_by(other.id)
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
        share = _share_along(board_grid(self._encounter.board.grid), line, obstacle.cell)
        height = self._eye[2] + share * (self._aim_height - self._eye[2])
        return volume.base <= height <= volume.top

    def _passes(self, wall: Wall) -> bool:
        """Tell whether the line passes over or under a labelled wall."""
        low, high = sorted((self._eye[2], self._aim_height))
        over = wall.top is not None and low >= wall.top
        under = wall.base is not None and high <= wall.base
        return over or under


@lru_cache(maxsize=1024)
def _shown_by(token_id: str) -> Evidence:
    return Evidence(tokens=(token_id,))


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
