"""What the map says about two creatures: distance, height, cover, obscuration.

The only module that asks geometry on behalf of an attack. `look` returns plain numbers with the
evidence to draw; whoever tests rules hands in a `Situation` typed by hand instead.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, hypot
from typing import NamedTuple

from engine.geometry.centerlines import Pair
from engine.geometry.measure import HeightMetric, distance_between
from engine.geometry.memo import Kept, Memo, changes
from engine.geometry.stride import Diagonal
from engine.geometry.terrain import Terrain, terrain_of
from engine.geometry.vision import light_at
from engine.grid.footprint import footprint_named, token_cells
from engine.grid.grid import board_grid
from engine.model.board import GridSpec
from engine.model.encounter import Encounter
from engine.model.evidence import Evidence
from engine.model.light import Ambient
from engine.model.region import Obscuration, Surface
from engine.model.space import Cell, Point
from engine.model.token import Token
from engine.model.told import Told, told
from engine.model.value import FrozenMap
from engine.model.wall import Wall
from engine.rules.drase.cover import Cover, covers_between
from engine.rules.drase.data import Book
from engine.rules.drase.state import camp_of, sheet_of

Distance = int | float
"""Tiles; a float only in circular measure, to be compared within `HAIR`."""

HAIR = 1e-9


@dataclass(frozen=True, slots=True)
class Haze:
    """How hard it is to see at a place: its level, in words, and what causes it."""

    level: Obscuration = Obscuration.NONE
    words: Told = told("")
    sources: frozenset[str] = frozenset()
    evidence: Evidence | None = None


CLEAR = Haze()


@dataclass(frozen=True, slots=True)
class Situation:
    """How one creature stands to another whom it attacks.

    `drop` is by how many full tiles the target's base lies lower, negative if higher. `covers`
    are those that count after the exemptions of section 6.4. `here`, `there` and `between` are
    the obscuration at the attacker, at the target and on the way. `perceived` is off for a target
    that hides from the attacker.
    """

    distance: Distance = 1
    drop: int = 0
    covers: tuple[Cover, ...] = ()
    here: Haze = CLEAR
    there: Haze = CLEAR
    between: Haze = CLEAR
    perceived: bool = True


Look = Callable[[Encounter, Book, Token, Token, bool], Situation]
"""(encounter, book, attacker, target, ranged) -> Situation."""


def within(distance: Distance, limit: Distance) -> bool:
    """Tell whether a distance is no more than a limit."""
    return distance <= limit + (HAIR if isinstance(distance, float) else 0)


def cells_of(encounter: Encounter, token: Token) -> tuple[Cell, ...]:
    """Return the tiles that a token covers."""
    return _stand(encounter, token).cells


class _Stand(NamedTuple):
    """Where a token stands: its tiles, its base in full tiles, the obscuration there."""

    cells: tuple[Cell, ...]
    base: int
    level: Obscuration


def _stand(encounter: Encounter, token: Token) -> _Stand:
    board = encounter.board
    return _STANDS(terrain_of(board), board.grid, token)


def _stand_on(_: Kept[_Stand] | None, terrain: Terrain, spec: GridSpec, token: Token) -> _Stand:
    cells = token_cells(board_grid(spec), token)
    base = floor(terrain.height_at(cells) + token.elevation + HAIR)
    return _Stand(cells, base, terrain.obscuration_at(cells))


_STANDS: Memo[_Stand] = Memo(_stand_on, size=2048)


class Place(NamedTuple):
    """A token and the tiles that it covers."""

    token: Token
    cells: tuple[Cell, ...]


def places(encounter: Encounter) -> FrozenMap[str, Place]:
    """Return all tokens with their tiles by their ids; only who changed is looked at again."""
    return _PLACES(encounter.tokens, encounter.board.grid)


def _places(
    latest: Kept[FrozenMap[str, Place]] | None, tokens: FrozenMap[str, Token], spec: GridSpec
) -> FrozenMap[str, Place]:
    grid = board_grid(spec)
    old: FrozenMap[str, Token] = FrozenMap()
    known: FrozenMap[str, Place] = FrozenMap()
    if latest is not None and latest.sources[1] == spec:
        old, known = latest.sources[0], latest.result
    changed = changes(old, tokens)
    here = [token for each in changed if (token := tokens.get(each)) is not None]
    gone = [each for each in changed if each not in tokens]
    fresh = {token.id: Place(token, token_cells(grid, token)) for token in here}
    return known.without(*gone).put_all(fresh)


_PLACES: Memo[FrozenMap[str, Place]] = Memo(_places)


def center_of(encounter: Encounter, token: Token) -> Point:
    """Return the middle of a token's footprint."""
    grid = board_grid(encounter.board.grid)
    return footprint_named(grid.kind, token.footprint).center_at(grid, token.cell, token.facing)


def base_of(encounter: Encounter, token: Token) -> int:
    """Return the elevation of a token's base in full tiles: ground and its own height above it."""
    return _stand(encounter, token).base


def tiles_to_wall(encounter: Encounter, token: Token, wall: Wall) -> int:
    """Return how many tiles a wall is away, as near as it comes; on an own border it is 1."""
    grid = board_grid(encounter.board.grid)
    gap = min(
        _gap(grid.center(cell), a, b)
        for cell in cells_of(encounter, token)
        for a, b in pairwise(wall.points)
    )
    return floor(gap + 0.5 + HAIR)


def _gap(point: Point, a: Point, b: Point) -> float:
    """Return the distance from a point to a stretch of wall."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    share = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / length if length else 0.0
    share = min(1.0, max(0.0, share))
    return hypot(point[0] - a[0] - share * dx, point[1] - a[1] - share * dy)


def depth_below(encounter: Encounter, token: Token) -> int:
    """Return how deep a creature would fall where it is: its height above the ground."""
    grounded = token.changed(elevation=0.0)
    return max(0, base_of(encounter, token) - base_of(encounter, grounded))


def surface_at(encounter: Encounter, token: Token) -> Surface:
    """Return what a creature lands on: soft wherever any of its tiles is."""
    surfaces = terrain_of(encounter.board).surfaces
    found = [surfaces.get(cell, Surface.HARD) for cell in cells_of(encounter, token)]
    return next((each for each in found if each is not Surface.HARD), Surface.HARD)


def distance(
    encounter: Encounter, book: Book, ours: Sequence[Cell], theirs: Sequence[Cell], dz: int = 0
) -> Distance:
    """Return the least distance over all pairs of tiles (6.1, 6.2, clarifications 1 and 2)."""
    return distance_between(
        board_grid(encounter.board.grid),
        ours,
        theirs,
        Diagonal(book.options.diagonal),
        rise=abs(dz),
        height=HeightMetric(book.options.height_metric),
    )


def look(
    encounter: Encounter, book: Book, attacker: Token, target: Token, ranged: bool
) -> Situation:
    """Return how an attacker stands to a target on the map."""
    (found,) = looks(encounter, book, ((attacker, target),), ranged)
    return found


def looks(
    encounter: Encounter, book: Book, pairs: Sequence[Pair], ranged: bool
) -> tuple[Situation, ...]:
    """Return how each attacker stands to its target, for little more than one look costs."""
    known = _KNOWN(encounter.board, encounter.tokens, book)
    keys = [(id(attacker), id(target), ranged) for attacker, target in pairs]
    fresh = {
        key: two
        for key, two in zip(keys, pairs, strict=True)
        if key not in known and two[0].id != two[1].id
    }
    covers = covers_between(encounter, book, tuple(fresh.values()), ranged) if fresh else ()
    for (key, two), found in zip(fresh.items(), covers, strict=True):
        known[key] = (two, _situation(encounter, book, two, found, ranged=ranged))
    return tuple(known[key][1] if key in known else Situation(distance=0) for key in keys)


_Known = dict[tuple[int, int, bool], tuple[Pair, Situation]]
"""Situations by the identity of attacker and target, which are kept beside for that."""


def _known(_: Kept[_Known] | None, *__: object) -> _Known:
    return {}


_KNOWN: Memo[_Known] = Memo(_known, size=4)
"""What was looked at on a map: pointing, declaring and resolving ask for the same again."""


def gap_between(
    encounter: Encounter, book: Book, attacker: Token, target: Token, ranged: bool
) -> tuple[Distance, int]:
    """Return the distance that an attack has to cover, and by how many tiles the target is lower.

    A ranged attack at a lower target does not count the height (6.2).
    """
    return _gap_between(
        encounter, book, _stand(encounter, attacker), _stand(encounter, target), ranged
    )


def _gap_between(
    encounter: Encounter, book: Book, ours: _Stand, theirs: _Stand, ranged: bool
) -> tuple[Distance, int]:
    drop = ours.base - theirs.base
    counted = 0 if ranged and drop > 0 else drop
    return distance(encounter, book, ours.cells, theirs.cells, counted), drop


def _situation(
    encounter: Encounter,
    book: Book,
    two: Pair,
    covers: tuple[Cover, ...],
    *,
    ranged: bool,
) -> Situation:
    attacker, target = two
    ours, theirs = _stand(encounter, attacker), _stand(encounter, target)
    far, drop = _gap_between(encounter, book, ours, theirs, ranged)
    return Situation(
        distance=far,
        drop=drop,
        covers=covers,
        here=_haze(encounter, attacker, attacker, ours),
        there=_haze(encounter, attacker, target, theirs),
        between=_between(encounter, book, ours.cells, theirs.cells),
        perceived=not hides_from(target, attacker),
    )


def hides_from(hider: Token, seeker: Token) -> bool:
    """Tell whether a creature hides from another: from all who are not of its own side."""
    if camp_of(hider.side) == camp_of(seeker.side):
        return False
    return sheet_of(hider).hidden_number is not None


def _haze(encounter: Encounter, viewer: Token, token: Token, stand: _Stand) -> Haze:
    """Return the obscuration where a token stands, as a viewer meets it: region or darkness."""
    ground = _ground_haze(encounter, stand.cells, stand.level)
    dark = _darkness(encounter, viewer, token)
    if ground is CLEAR or dark is CLEAR:
        return ground if dark is CLEAR else dark
    if ground.level.rank == dark.level.rank:
        words = told("{}, {}", ground.words, dark.words)
        return Haze(ground.level, words, ground.sources | dark.sources, ground.evidence)
    return max(ground, dark, key=lambda haze: haze.level.rank)


def _ground_haze(encounter: Encounter, cells: Sequence[Cell], level: Obscuration) -> Haze:
    if level is Obscuration.NONE:
        return CLEAR
    board, terrain = encounter.board, terrain_of(encounter.board)
    held = [board.regions.get(each) or board.areas.get(each) for each in terrain.regions_at(cells)]
    thick = [each for each in held if each is not None and each.obscuration is level]
    named = ", ".join(each.name for each in thick if each.name)
    plain = f"{level} obscuration"
    words = Told(f"{named}: {plain}" if named else plain.capitalize(), plain.capitalize())
    ids = frozenset(each.id for each in thick)
    evidence = Evidence(regions=tuple(sorted(ids)), cells=tuple(cells))
    return Haze(level, words, ids, evidence)


def _darkness(encounter: Encounter, viewer: Token, token: Token) -> Haze:
    """Return what the light makes of a place: dim is light obscuration, darkness total (6.5)."""
    if encounter.board.ambient is Ambient.BRIGHT:
        return CLEAR
    at, eye = center_of(encounter, token), center_of(encounter, viewer)
    own = viewer.vision.darkvision
    if own > 0 and hypot(at[0] - eye[0], at[1] - eye[1]) <= own + HAIR:
        return CLEAR
    light = light_at(encounter, at)
    if light is Ambient.BRIGHT:
        return CLEAR
    cells = Evidence(cells=cells_of(encounter, token))
    if light is Ambient.DIM:
        return Haze(Obscuration.LIGHT, told("Dim light"), frozenset({"dim light"}), cells)
    return Haze(Obscuration.TOTAL, told("Darkness"), frozenset({"darkness"}), cells)


def _between(
    encounter: Encounter, book: Book, ours: Sequence[Cell], theirs: Sequence[Cell]
) -> Haze:
    """Return the thickest haze on the line between two creatures, if the table rule asks for it."""
    if book.options.obscuration_between == "ignore":
        return CLEAR
    ends = {*ours, *theirs}
    crossed = board_grid(encounter.board.grid).line(ours[0], theirs[0])
    cells = [cell for cell in crossed if cell not in ends]
    return _ground_haze(encounter, cells, terrain_of(encounter.board).obscuration_at(cells))
