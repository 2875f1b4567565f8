"""What the map says about two creatures: distance, height, cover, obscuration.

The only module that asks geometry on behalf of an attack. `look` returns plain numbers with the
evidence to draw; whoever tests rules hands in a `Situation` typed by hand instead.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import floor, hypot

from engine.geometry.terrain import terrain_of
from engine.grid.footprint import footprint_named
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.evidence import Evidence
from engine.model.region import Obscuration
from engine.model.space import Cell
from engine.model.token import Token
from engine.model.wall import CoverLabel
from engine.rules.drase.data import Book

Distance = int | float
"""Tiles; a float only in circular measure, to be compared within `HAIR`."""

HAIR = 1e-9


@dataclass(frozen=True, slots=True)
class Cover:
    """A cover between the two: its grade, in words, and where it stands."""

    grade: CoverLabel
    words: str
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Haze:
    """How hard it is to see at a place: its level, in words, and what causes it."""

    level: Obscuration = Obscuration.NONE
    words: str = ""
    sources: frozenset[str] = frozenset()
    evidence: Evidence | None = None


CLEAR = Haze()


@dataclass(frozen=True, slots=True)
class Situation:
    """How one creature stands to another whom it attacks.

    `drop` is by how many full tiles the target's base lies lower, negative if higher. `covers`
    are those that count after the exemptions of section 6.4. `here`, `there` and `between` are
    the obscuration at the attacker, at the target and on the way.
    """

    distance: Distance = 1
    drop: int = 0
    covers: tuple[Cover, ...] = ()
    here: Haze = CLEAR
    there: Haze = CLEAR
    between: Haze = CLEAR


Look = Callable[[Encounter, Book, Token, Token, bool], Situation]
"""(encounter, book, attacker, target, ranged) -> Situation."""


def within(distance: Distance, limit: Distance) -> bool:
    """Tell whether a distance is no more than a limit."""
    return distance <= limit + (HAIR if isinstance(distance, float) else 0)


def cells_of(encounter: Encounter, token: Token) -> tuple[Cell, ...]:
    """Return the tiles that a token covers."""
    grid = board_grid(encounter.board.grid)
    return footprint_named(grid.kind, token.footprint).cells_at(grid, token.cell, token.facing)


def base_of(encounter: Encounter, token: Token) -> int:
    """Return the elevation of a token's base in full tiles: ground and its own height above it."""
    ground = terrain_of(encounter.board).height_at(cells_of(encounter, token))
    return floor(ground + token.elevation + HAIR)


def straight(book: Book, dx: int, dy: int, dz: int = 0) -> Distance:
    """Return the distance of an offset in tiles (sections 6.1 and 6.2, clarifications 1 and 2)."""
    options = book.options
    a, b = sorted((abs(dx), abs(dy)), reverse=True)
    high = abs(dz)
    if options.diagonal == "circular":
        flat = hypot(a, b)
        return flat + high if options.height_metric == "sum" else max(flat, float(high))
    if options.height_metric == "axis":
        a, b, _ = sorted((a, b, high), reverse=True)
        return _flat(options.diagonal, a, b)
    flat_tiles = _flat(options.diagonal, a, b)
    return flat_tiles + high if options.height_metric == "sum" else max(flat_tiles, high)


def _flat(diagonal: str, a: int, b: int) -> int:
    if diagonal == "always_double":
        return a + b
    return a + b // 2 if diagonal == "alternating" else a


def distance(
    encounter: Encounter, book: Book, ours: Sequence[Cell], theirs: Sequence[Cell], dz: int = 0
) -> Distance:
    """Return the least distance over all pairs of tiles; on hexes steps and height alone count."""
    grid = board_grid(encounter.board.grid)
    if not grid.kind.is_hex:
        return min(straight(book, b.x - a.x, b.y - a.y, dz) for a in ours for b in theirs)
    steps = min(grid.distance(a, b) for a in ours for b in theirs)
    return straight(book, steps, 0, dz)


def light_level(distance_to: float, radius: float, dim_factor: int) -> Obscuration:
    """Return what a light of this radius makes of a place without other light (section 6.5)."""
    if distance_to <= radius + HAIR:
        return Obscuration.NONE
    if distance_to <= dim_factor * radius + HAIR:
        return Obscuration.LIGHT
    return Obscuration.TOTAL


def worst(levels: Iterable[Obscuration]) -> Obscuration:
    """Return the thickest of some levels."""
    return max(levels, key=lambda level: level.rank, default=Obscuration.NONE)
