"""Movement: the pool of a round, ways and their prices, and what the GM adds by hand.

Ways are geometry's; here stand the table rules, the modes, and the count over the whole turn.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import floor
from typing import NamedTuple

import numpy as np

from engine.geometry.boards import wall_set
from engine.geometry.measure import ruler
from engine.geometry.memo import Kept, Memo, changes
from engine.geometry.path import Path
from engine.geometry.routes import MovementRules, Route, occupied_by, route
from engine.geometry.stride import Combine, CornerCut, Diagonal, Stride
from engine.geometry.terrain import terrain_of
from engine.grid.footprint import footprint_named, token_cells
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.refusal import Rejection
from engine.model.region import Surface
from engine.model.space import Cell
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.rules.drase.combat import tiles
from engine.rules.drase.data import Book, book_of
from engine.rules.drase.effects import condition, speed
from engine.rules.drase.plans import Mode
from engine.rules.drase.situation import HAIR, Place, cells_of, places
from engine.rules.drase.state import Cost, Turn, at_war, sheet_of

STANDARD_COST = 2
"""What the article's difficult tile costs; the table rule `difficult_cost` replaces it."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A way as a declaration keeps it, and the reasons why steps of it cost more than 1."""

    cells: tuple[Cell, ...]
    facing: int
    tiles: Cost
    parity: int
    mode: Mode
    refusals: tuple[Rejection, ...] = ()
    reasons: tuple[tuple[str, tuple[Cell, ...]], ...] = ()


def pool(book: Book, token: Token, turn: Turn, mode: Mode = Mode.WALK) -> int:
    """Return the tiles that a creature has this round: speed, dashes, and the GM's corrections."""
    own = speed(book, sheet_of(token), flying=mode is Mode.FLY)
    extra = sum(step.extra_tiles for step in turn.declared)
    by_hand = sum(each.tiles for each in turn.corrections)
    return max(0, own + extra + by_hand)


def spent(turn: Turn) -> Cost:
    """Return the tiles that are declared or gone."""
    return sum(step.tiles for step in turn.declared)


def left(book: Book, token: Token, turn: Turn, mode: Mode = Mode.WALK) -> Cost:
    """Return the tiles that a creature still has."""
    return max(0, pool(book, token, turn, mode) - spent(turn))


def parity(book: Book, turn: Turn) -> int:
    """Return the diagonals before the next step, modulo 2: of the round, or of this segment.

    A segment is one Move between two actions (clarification 11).
    """
    segment = book.options.diag_counter_reset == "on_segment"
    for step in reversed(turn.declared):
        if step.route:
            return step.parity
        if segment:
            break
    return 0


def default_mode(book: Book, encounter: Encounter, token: Token) -> Mode:
    """Return how a creature goes if nothing is said: crawling while prone, swimming in water."""
    sheet = sheet_of(token)
    if condition(book, sheet).step_cost > 1:
        return Mode.CRAWL
    surfaces = terrain_of(encounter.board).surfaces
    if any(surfaces.get(cell) is Surface.WATER for cell in cells_of(encounter, token)):
        return Mode.SWIM
    return Mode.WALK


def price_per_tile(book: Book, token: Token, mode: Mode) -> int:
    """Return what each tile costs in a mode; swimmers and climbers go as they walk."""
    sheet = sheet_of(token)
    native = (mode is Mode.SWIM and sheet.swims) or (mode is Mode.CLIMB and sheet.climbs)
    cost = 1 if native else book.modes[mode].cost_per_tile
    prone = condition(book, sheet).step_cost if mode is not Mode.FLY else 1
    return max(cost, prone)


def movement_rules(
    book: Book, encounter: Encounter, token: Token, turn: Turn, mode: Mode | None = None
) -> MovementRules:
    """Return how a creature moves now, and what is left of its movement."""
    mode = mode or default_mode(book, encounter, token)
    remains = left(book, token, turn, mode)
    factor = price_per_tile(book, token, mode)
    budget = remains / factor if book.options.diagonal == "circular" else floor(remains) // factor
    if mode is Mode.JUMP:
        budget = min(budget, speed(book, sheet_of(token)) // book.number("jump_divisor"))
    closed, held = occupied(encounter, token)
    aloft = mode in (Mode.FLY, Mode.JUMP)
    return MovementRules(
        stride=stride(book, encounter, token, mode),
        budget=budget,
        parity=parity(book, turn),
        terrain=not aloft,
        closed=frozenset() if aloft else closed,
        held=held,
        rough={} if aloft else _difficult(book, encounter),
    )


def stride(book: Book, encounter: Encounter, token: Token, mode: Mode = Mode.WALK) -> Stride:
    """Return the shape and the table rules of a creature's steps."""
    options = book.options
    return Stride(
        footprint=footprint_named(encounter.board.grid.kind, token.footprint),
        diagonal=Diagonal(options.diagonal),
        corner_cut=CornerCut(options.corner_cut),
        combine=Combine(options.difficult_combine),
        reset_on_orthogonal=options.diag_counter_reset == "on_orthogonal",
        climb=None if mode in (Mode.FLY, Mode.JUMP) else _climb(_climbing(book, token, mode)),
    )


def _climbing(book: Book, token: Token, mode: Mode) -> int:
    """Return what a tile of height costs, in tiles of this mode."""
    cost = 1 if sheet_of(token).climbs else book.modes[Mode.CLIMB].cost_per_tile
    return max(1, cost // price_per_tile(book, token, mode))


@lru_cache(maxsize=16)
def _climb(cost_per_tile: int) -> Callable[[float], int | None]:
    """Return the price of a change of ground: each full tile up or down is climbed."""

    def price(rise: float) -> int:
        return cost_per_tile * floor(abs(rise) + HAIR)

    return price


def occupied(encounter: Encounter, token: Token) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Return the tiles that a creature cannot enter and those on which it cannot end.

    [proposal] Enemies that stand bar the way, all others may be passed but not stood upon; who is
    incapacitated, or flies high above, bars nobody.
    """
    closed: set[Cell] = set()
    held: set[Cell] = set()
    everybody = places(encounter)
    own = everybody.get(token.id)
    for crowd, counts in _CROWDS(everybody).items():
        if not crowd.touches(token):
            continue
        cells: AbstractSet[Cell] = counts.keys()
        if own is not None and _crowd_of(own.token) == crowd:
            cells = cells - {cell for cell in own.cells if counts[cell] == 1}
        held.update(cells)
        if at_war(token.side, crowd.side):
            closed.update(cells)
    return frozenset(closed), frozenset(held)


class _Crowd(NamedTuple):
    """Creatures that stand alike: whoever meets one of them meets all in the same way."""

    side: str
    elevation: float
    height: float

    def touches(self, token: Token) -> bool:
        """Tell whether one of them and a creature would touch on one tile."""
        below_our_crown = self.elevation < token.elevation + token.height
        return below_our_crown and token.elevation < self.elevation + self.height


def _crowd_of(token: Token) -> _Crowd | None:
    """Return with whom a creature stands, None for one that is down and bars nobody."""
    if token.sheet is not None and sheet_of(token).hp <= 0:
        return None
    return _Crowd(token.side, token.elevation, token.height)


_Crowds = Mapping[_Crowd, Mapping[Cell, int]]
"""How many of a crowd stand on each tile."""


def _crowds(latest: Kept[_Crowds] | None, now: FrozenMap[str, Place]) -> _Crowds:
    old: FrozenMap[str, Place] = FrozenMap()
    found: dict[_Crowd, dict[Cell, int]] = {}
    if latest is not None:
        old = latest.sources[0]
        found = {crowd: dict(counts) for crowd, counts in latest.result.items()}
    changed = changes(old, now)
    for place, more in (
        *((old[each], -1) for each in changed if each in old),
        *((now[each], 1) for each in changed if each in now),
    ):
        crowd = _crowd_of(place.token)
        if crowd is None:
            continue
        counts = found.setdefault(crowd, {})
        for cell in place.cells:
            counts[cell] = counts.get(cell, 0) + more
            if not counts[cell]:
                del counts[cell]
    return {crowd: counts for crowd, counts in found.items() if counts}


_CROWDS: Memo[_Crowds] = Memo(_crowds)


def _difficult(book: Book, encounter: Encounter) -> dict[Cell, int]:
    """Return the tiles whose standard cost the table rule `difficult_cost` replaces."""
    cost = book.options.difficult_cost
    if cost == STANDARD_COST:
        return {}
    terrain = terrain_of(encounter.board)
    rows, columns = np.nonzero(terrain.step_cost == STANDARD_COST)
    left_edge, top = terrain.layout.left, terrain.layout.top
    places = zip(columns.tolist(), rows.tolist(), strict=True)
    return {Cell(left_edge + x, top + y): cost for x, y in places}


def plan_walk(
    encounter: Encounter,
    token: Token,
    turn: Turn,
    waypoints: Sequence[Cell],
    mode: Mode | None = None,
    *,
    rise: int = 0,
) -> Walk:
    """Return the way over way-points with its price, and what the rules have against it.

    `rise` is by how many tiles a flight ends higher or lower than it began.
    """
    book = book_of(encounter)
    mode = mode or default_mode(book, encounter, token)
    rules = movement_rules(book, encounter, token, turn, mode)
    found = _way(encounter, token, waypoints, rules, mode)
    direct = ruler(
        board_grid(encounter.board.grid),
        (token.cell, *waypoints),
        rules.stride.diagonal,
        rules.parity,
    )
    priced = found.path
    length = risen(book, direct.total if priced is None else priced.cost, rise)
    price = price_per_tile(book, token, mode) * length
    has = tiles(left(book, token, turn, mode))
    how = "" if mode is Mode.WALK else f" ({book.modes[mode].label.lower()})"
    needs = f"{token.name} needs {tiles(price)}{how} and has {has} of movement left."
    refusals = mode_refusals(book, token, mode, found.cells)
    refusals += [each for each in found.refusals if each.code != "too_far"]
    if rules.budget is not None and length > rules.budget + HAIR:
        if mode is Mode.JUMP:
            needs = f"{token.name} cannot jump {tiles(length)} far."
        refusals.append(_refusal("too_far", needs, token).changed(cell=found.cells[-1]))
    return Walk(
        cells=found.cells,
        facing=found.facing,
        tiles=price,
        parity=direct.parity if priced is None else priced.parity,
        mode=mode,
        refusals=tuple(refusals),
        reasons=() if priced is None else _reasons(priced),
    )


def _reasons(path: Path) -> tuple[tuple[str, tuple[Cell, ...]], ...]:
    """Return each reason for a dearer step once, with the cells where it counts."""
    found: dict[str, list[Cell]] = {}
    for step in path.steps:
        for reason in step.reasons:
            found.setdefault(reason, []).append(step.cell)
    return tuple((reason, tuple(cells)) for reason, cells in found.items())


def _way(
    encounter: Encounter,
    token: Token,
    waypoints: Sequence[Cell],
    rules: MovementRules,
    mode: Mode,
) -> Route:
    """Return the way in a mode: the cheapest; straight over everything in a jump or a circle."""
    options = book_of(encounter).options
    direct = options.diagonal == "circular" and not options.circle_needs_path
    if not waypoints:
        return Route((token.cell,), token.facing, None)
    if mode is Mode.JUMP:
        return _jump(encounter, token, waypoints, rules)
    if direct:
        return Route((token.cell, *waypoints), token.facing, None)
    return route(encounter, token, waypoints, rules)


def _jump(
    encounter: Encounter, token: Token, waypoints: Sequence[Cell], rules: MovementRules
) -> Route:
    """Return the straight way of a jump: ground does not matter, walls and the landing do."""
    grid = board_grid(encounter.board.grid)
    cells = [token.cell]
    for target in waypoints:
        cells += grid.path(cells[-1], target)[1:]
    walls = wall_set(encounter.board)
    blockers = [
        wall
        for here, there in pairwise(cells)
        for wall in walls.movement_blockers(grid.center(here), grid.center(there))
    ]
    refusals = []
    if blockers:
        text = f"A wall stands in the way of the jump of {token.name}."
        refusals.append(_refusal("walled", text, token).changed(wall_id=blockers[0]))
    landing = token_cells(grid, token.changed(cell=cells[-1]))
    impassable = terrain_of(encounter.board).impassable
    layout = terrain_of(encounter.board).layout
    places_there = [layout.element(cell) for cell in landing]
    if any(place is not None and impassable[place] for place in places_there):
        text = f"{token.name} cannot land there."
        refusals.append(_refusal("closed_ground", text, token).changed(cell=cells[-1]))
    if not rules.held.isdisjoint(landing):
        refusals.append(occupied_by(encounter, token, cells[-1], rules.held))
    return Route(tuple(cells), token.facing, None, tuple(refusals))


def risen(book: Book, flat: Cost, rise: int) -> Cost:
    """Return what a flight costs that goes so far and so high: height counts as in distances."""
    high = abs(rise)
    options = book.options
    if not high or options.height_metric == "sum":
        return flat + high
    long, short = max(flat, high), min(flat, high)
    if options.height_metric == "max" or options.diagonal in ("circular", "chebyshev"):
        return long
    return long + (short if options.diagonal == "always_double" else short // 2)


def mode_refusals(book: Book, token: Token, mode: Mode, cells: tuple[Cell, ...]) -> list[Rejection]:
    """Return why a creature cannot go in a mode."""
    found = []
    sheet = sheet_of(token)
    if condition(book, sheet).no_moving:
        found.append(_refusal("held", f"{token.name} is held and cannot leave its tile.", token))
    if mode is Mode.FLY and sheet.fly_speed is None:
        found.append(_refusal("cannot_fly", f"{token.name} cannot fly.", token))
    if mode is Mode.JUMP and not _straight_line(cells):
        found.append(_refusal("not_straight", "A jump goes in a straight line.", token))
    prone = condition(book, sheet).step_cost > 1
    if prone and mode not in (Mode.CRAWL, Mode.FLY, Mode.SWIM):
        label = book.modes[mode].label.lower()
        found.append(_refusal("prone", f"{token.name} lies prone and cannot {label}.", token))
    return found


def _straight_line(cells: tuple[Cell, ...]) -> bool:
    """Tell whether all steps go the same way."""
    steps = {(b.x - a.x, b.y - a.y) for a, b in zip(cells, cells[1:], strict=False)}
    return len(steps) <= 1


def _refusal(code: str, sentence: str, token: Token) -> Rejection:
    return Rejection(code=code, sentence=sentence, token_id=token.id)
