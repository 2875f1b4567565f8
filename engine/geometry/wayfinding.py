"""Ways over a board: the cheapest, the alternatives to it, the straight one, and any given one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from engine.geometry.anyangle import circular_path, is_circular, line_path, line_steps
from engine.geometry.bitboard import Window, window_around
from engine.geometry.flood import Flood, Group, flood, worth
from engine.geometry.network import TURN, Network, network, parity_after
from engine.geometry.path import Path, Step
from engine.geometry.reasons import facing_after, priced, why_not
from engine.geometry.shape import shape_of
from engine.geometry.stepfield import Bools, StepField
from engine.geometry.stride import Cost, Diagonal, Stand, Stride
from engine.geometry.trace import State, Taken, trace
from engine.grid.base import ORIGIN
from engine.grid.grid import Direction, Grid
from engine.model.board import MAX_SIDE
from engine.model.refusal import Rejected, Rejection, impossible
from engine.model.space import Cell

_SHUNNED = 1_000_000
"""The surcharge of cells that an alternative goes around: more than any way costs."""

_MARGINS = (8, 40, MAX_SIDE)
"""How far around its stops a way is looked for at first, and then."""


def check_start(field: StepField, start: Stand) -> None:
    """Raise Rejected when a figure's anchor lies outside the board."""
    if not field.grid.contains(start.cell):
        label = field.grid.label(start.cell)
        raise impossible("off_board", f"{label} lies outside the board; nobody moves from there.")


def best_path(
    field: StepField,
    stride: Stride,
    start: Stand,
    target: Cell,
    *,
    via: Sequence[Cell] = (),
    budget: Cost | None = None,
) -> Path | None:
    """Return the cheapest way to bring the anchor to a cell, through waypoints in order.

    The parity of diagonals lasts over the waypoints, and the whole way is the cheapest, not each
    leg. None if there is no way, or none within the budget. Among equally cheap ways the one
    nearest to the straight line is taken. Raise Rejected for a start outside the board.
    """
    check_start(field, start)
    stops = [start.cell, *via, target]
    limit = inf if budget is None else budget
    if not all(field.grid.contains(stop) for stop in stops) or limit < 0:
        return None
    if is_circular(field, stride):
        return circular_path(field, stride, start, stops, limit)
    found = _search_in_growing_windows(field, stride, start, stops, limit)
    return None if found is None else _assembled(field, stride, start, found)


def _search_in_growing_windows(
    field: StepField, stride: Stride, start: Stand, stops: Sequence[Cell], limit: float
) -> "_Route | None":
    """Return the cheapest route; a window is wide enough once no way out of it is cheaper."""
    if limit <= _MARGINS[1]:
        window = window_around(field.layout, [start.cell], limit)
        inside = all(window.holds(stop) for stop in stops)
        return _search(field, stride, start, stops, window, limit=limit) if inside else None
    for margin in _MARGINS:
        window = window_around(field.layout, stops, margin)
        found = _search(field, stride, start, stops, window, limit=limit)
        if (
            found is not None
            and found.cost <= _least_outside(field.grid, stride, stops, margin) + 1e-9
        ):
            return found
        if (window.width, window.height) == (field.layout.width, field.layout.height):
            return found
    return None


def _least_outside(grid: Grid, stride: Stride, stops: Sequence[Cell], margin: int) -> float:
    """Return the least cost of a way that leaves the box around its stops by more than a margin.

    On one of its legs it goes out and comes back along one axis.
    """
    out = 2 * (margin + 1)
    legs = [(abs(b.x - a.x), abs(b.y - a.y)) for a, b in pairwise(stops)]
    direct = [_least(grid, stride, dx, dy) for dx, dy in legs]
    return min(
        sum(direct)
        - least
        + min(_least(grid, stride, dx + out, dy), _least(grid, stride, dx, dy + out))
        for (dx, dy), least in zip(legs, direct, strict=True)
    )


def _least(grid: Grid, stride: Stride, dx: int, dy: int) -> float:
    """Return the least cost of a way that goes so far along each axis, to and fro.

    A step gains one cell on each axis at most, and at best both by a diagonal.
    """
    far, near = max(dx, dy), min(dx, dy)
    if grid.kind.is_hex or stride.reset_on_orthogonal:
        return far
    match stride.diagonal:
        case Diagonal.ALTERNATING:
            return far + near // 2
        case Diagonal.ALWAYS_DOUBLE:
            return far + near
        case Diagonal.EUCLID:
            return far + near * (sqrt(2) - 1)
        case _:
            return far


class _Leg(NamedTuple):
    """A finished search from one stop to the next."""

    found: Flood
    starts: frozenset[tuple[int, int, int]]
    arrivals: tuple[State, ...]


class _Route(NamedTuple):
    """The searches from the start over all stops, the cheapest arrival of the last one first."""

    net: Network
    legs: tuple[_Leg, ...]

    @property
    def cost(self) -> Cost:
        """Return what the whole way costs."""
        return worth(self.legs[-1].arrivals[0].cost)


def _search(
    field: StepField,
    stride: Stride,
    start: Stand,
    stops: Sequence[Cell],
    window: Window,
    *,
    limit: float,
    strict: bool = False,
) -> _Route | None:
    """Return the cheapest route within a window, None if there is none.

    A strict one goes from stop to neighbouring stop and nowhere else.
    """
    net = network(field, stride, start.facing, window, limit)
    starts = frozenset({(0, net.layer_of(start), net.frame.bit(start.cell))})
    legs: list[_Leg] = []
    for number, stop in enumerate(stops[1:], start=1):
        last = number == len(stops) - 1
        fussy = not last or not field.may_end.all()
        begin = [(cost, layer, 1 << bit) for cost, layer, bit in starts]
        goal = 1 << net.frame.bit(stop)
        if stop != net.frame.cell(min(starts)[2]) and not _is_entered(net, net.frame.bit(stop)):
            return None
        groups = _between(net, stops[number - 1], stop) if strict else net.groups
        found = flood(groups, net.layers, begin, limit, goal=goal, whole_goal=fussy)
        arrivals = tuple(_arrivals(net, found, net.frame.bit(stop)))
        if last:
            arrivals = tuple(a for a in arrivals if _ends_well(field, stride, net, start, a))
        else:
            arrivals = tuple(arrival for arrival in arrivals if not arrival.ended)
        if not arrivals:
            return None
        legs.append(_Leg(found, starts, arrivals))
        starts = frozenset((each.cost, each.layer, each.bit) for each in arrivals)
    return _Route(net, tuple(legs))


def _between(net: Network, before: Cell, after: Cell) -> list[Group]:
    """Return the steps that turn a figure where it stands or take it from there to a neighbour."""
    here = net.frame.bit(before)
    ways = {0, net.frame.bit(after) - here}
    kept = []
    for group in net.groups:
        moves = [m._replace(mask=m.mask & (1 << here)) for m in group.moves if m.shift in ways]
        if moves:
            kept.append(group._replace(moves=tuple(moves)))
    return kept


def _is_entered(net: Network, bit: int) -> bool:
    """Tell whether any step leads to an anchor: the quick answer for a target inside a wall."""
    return any(
        move.shift and move.shift <= bit and move.mask >> (bit - move.shift) & 1
        for group in net.groups
        for move in group.moves
    )


def _arrivals(net: Network, found: Flood, bit: int) -> Iterator[State]:
    """Yield the states at an anchor, the cheapest first, one per layer and kind of ending."""
    for cost, level in found.levels.items():
        for layer in range(net.layers):
            if level.live[layer] >> bit & 1:
                yield State(cost, layer, bit, ended=False)
            if level.ended[layer] >> bit & 1:
                yield State(cost, layer, bit, ended=True)


def _ends_well(
    field: StepField, stride: Stride, net: Network, start: Stand, arrival: State
) -> bool:
    cell = net.frame.cell(arrival.bit)
    if arrival.cost == 0 and cell == start.cell:
        return True
    covered = stride.footprint.cells_at(field.grid, cell, net.facing_on(arrival.layer))
    return all(field.at(field.may_end, each) is not False for each in covered)


def _assembled(field: StepField, stride: Stride, start: Stand, route: _Route) -> Path:
    """Trace the legs back from the last arrival and price their steps."""
    net, legs = route
    state = legs[-1].arrivals[0]
    moves: list[Taken] = []
    for leg in reversed(legs):
        state, taken = trace(net, leg.found, state, leg.starts)
        moves = [*taken, *moves]
    steps: list[Step] = []
    parity, halted = start.parity, False
    for link, after in moves:
        cell, before = net.frame.cell(after.bit), net.frame.cell(after.bit - link.shift)
        if link.direction == TURN:
            facing = net.facing_on(link.target)
            steps.append(Step(cell, facing, worth(link.cost), ("turn",)))
            continue
        direction = field.grid.directions[link.direction]
        shape = shape_of(field.grid, stride, net.facing_on(link.source))
        price = priced(field, stride, shape, before, direction, parity=parity)
        looks = net.facing_on(link.target) if net.turns else None
        facing = facing_after(field.grid, stride, start, direction) if looks is None else looks
        steps.append(Step(cell, facing, worth(price.cost), price.reasons))
        parity, halted = parity_after(stride, direction, parity), price.halts
    return Path(start, tuple(steps), route.cost, parity, halted)


def alternatives(
    field: StepField, stride: Stride, start: Stand, target: Cell, *, budget: Cost | None = None
) -> tuple[Path, ...]:
    """Return the best path and the cheapest ones around what makes it dear or ends it.

    Each later path avoids one thing that the best one meets (difficult ground, zones that slow,
    zones that stop, climbs) and says so; the cheapest first. Empty if there is no way at all.
    """
    best = best_path(field, stride, start, target, budget=budget)
    if best is None:
        return ()
    found = [best]
    shape = stride.footprint.cells_at(field.grid, ORIGIN, start.facing)
    met = {Cell(c.x + dx, c.y + dy) for c in best.cells for dx, dy in shape}
    limit = _SHUNNED - 1 if budget is None else budget
    for thing, where in _hindrances(field, start).items():
        if not any(field.at(where, cell) for cell in met):
            continue
        around = replace(field, surcharge=np.where(where, _SHUNNED, field.surcharge))
        path = best_path(around, stride, start, target, budget=limit)
        if path is not None and all(path.cells != other.cells for other in found):
            found.append(replace(path, avoids=thing))
    return (best, *sorted(found[1:], key=lambda path: path.cost))


def _hindrances(field: StepField, start: Stand) -> dict[str, Bools]:
    """Return where the ground has something that one may wish to avoid."""
    found = {
        "difficult ground": field.rough > 1,
        "slowing zones": field.surcharge > 0,
        "stopping zones": field.halts,
    }
    if field.ground is not None:
        found["climbs"] = field.ground != field.at(field.ground, start.cell)
    return found


def walk(field: StepField, stride: Stride, start: Stand, cells: Sequence[Cell]) -> Path:
    """Return what a given way costs: the anchors after the start, one after the other.

    Each is a neighbour of the one before; under the circular rule it is the end of a straight
    line. Raise Rejected, with the cell and the reason, where a step is forbidden, where a zone
    ends the move early, or where no move may end.
    """
    check_start(field, start)
    if not cells:
        return Path(start, (), 0, start.parity)
    stops = [start.cell, *cells]
    if stride.facing is not None:
        return _walk_with_facing(field, stride, start, stops)
    _check_steps(field, stride, start, stops)
    if is_circular(field, stride):
        return line_path(field, stride, start, stops)
    return _priced_walk(field, stride, start, stops)


def _check_steps(field: StepField, stride: Stride, start: Stand, stops: Sequence[Cell]) -> None:
    """Raise Rejected at the first step of a way that is forbidden."""
    shape = shape_of(field.grid, stride, start.facing)
    halted = False
    for before, after in pairwise(stops):
        for cell, direction in _steps_between(field, stride, before, after):
            if halted:
                raise _refused("must_stop", "A zone stops the figure there.", cell)
            problem = why_not(field, stride, start.facing, cell, direction)
            if problem is not None:
                target = field.grid.translate(cell, direction.number)
                raise _refused("step_blocked", problem, target)
            halted = priced(field, stride, shape, cell, direction, parity=0).halts
    covered = stride.footprint.cells_at(field.grid, stops[-1], start.facing)
    if len(stops) > 1 and not all(field.at(field.may_end, cell) is not False for cell in covered):
        raise _refused("no_end", "No move may end there.", stops[-1])


def straight_path(field: StepField, stride: Stride, start: Stand, target: Cell) -> Path:
    """Return the move along the straight line to a cell, at any angle.

    It takes the cells that the line crosses; where the line runs along a border of two hexes one
    of them must be open. It costs the straight distance and what the ground adds. Raise Rejected,
    with the cell and the reason, where it is blocked.
    """
    if field.grid.kind.is_hex:
        return walk(field, stride, start, _hexes_along(field, stride, start, target))
    check_start(field, start)
    lengths = replace(stride, diagonal=Diagonal.CIRCULAR)
    _check_steps(field, lengths, start, [start.cell, target])
    return line_path(field, lengths, start, [start.cell, target], rule=stride.diagonal)


def _hexes_along(field: StepField, stride: Stride, start: Stand, target: Cell) -> list[Cell]:
    """Return the hexes of a straight walk; on a border the one that can be walked through."""
    grid = field.grid
    entries = grid.crossed(start.cell, target)
    cells = [start.cell]
    for number, entry in enumerate(entries):
        before = cells[-1]
        if len(entry) == 1:
            if entry[0] != before:
                cells.append(entry[0])
            continue
        after = entries[number + 1][0]
        if grid.distance(before, after) == 1:
            continue
        cells.append(
            min(entry, key=lambda cell: _obstacles(field, stride, start, (before, cell, after)))
        )
    return cells[1:]


def _obstacles(
    field: StepField, stride: Stride, start: Stand, cells: Sequence[Cell]
) -> tuple[int, int]:
    """Rank a detour over a border hex: how many of its steps are forbidden, and its ground."""
    forbidden = 0
    for before, after in pairwise(cells):
        direction = field.grid.step_between(before, after)
        if direction is None or why_not(field, stride, start.facing, before, direction):
            forbidden += 1
    return forbidden, field.at(field.rough, cells[1]) or 1


def _steps_between(
    field: StepField, stride: Stride, before: Cell, after: Cell
) -> list[tuple[Cell, Direction]]:
    """Return the steps, each with the cell it starts from, that lead from one stop to the next."""
    grid = field.grid
    if not is_circular(field, stride):
        direction = grid.step_between(before, after)
        if direction is None:
            labels = f"{grid.label(before)} and {grid.label(after)}"
            raise _refused("no_step", f"{labels} are not neighbours.", after)
        return [(before, direction)]
    steps = []
    for number in line_steps(after.x - before.x, after.y - before.y):
        steps.append((before, grid.directions[number]))
        before = grid.translate(before, number)
    return steps


def _priced_walk(field: StepField, stride: Stride, start: Stand, stops: Sequence[Cell]) -> Path:
    shape = shape_of(field.grid, stride, start.facing)
    steps: list[Step] = []
    total, parity, halted = 0, start.parity, False
    for before, after in pairwise(stops):
        ((_, direction),) = _steps_between(field, stride, before, after)
        price = priced(field, stride, shape, before, direction, parity=parity)
        looks = facing_after(field.grid, stride, start, direction)
        steps.append(Step(after, looks, worth(price.cost), price.reasons))
        total += price.cost
        parity, halted = parity_after(stride, direction, parity), price.halts
    return Path(start, tuple(steps), worth(total), parity, halted)


def _walk_with_facing(
    field: StepField, stride: Stride, start: Stand, stops: Sequence[Cell]
) -> Path:
    """Turn where that is needed, as cheaply as can be, but leave the given cells nowhere."""
    for before, after in pairwise(stops):
        _steps_between(field, stride, before, after)
    window = window_around(field.layout, stops, 1)
    route = _search(field, stride, start, stops, window, limit=inf, strict=True)
    if route is None:
        raise _refused("step_blocked", "The figure cannot walk that way.", stops[-1])
    return _assembled(field, stride, start, route)


def _refused(code: str, sentence: str, cell: Cell) -> Rejected:
    return Rejected(Rejection(code=code, sentence=sentence, cell=cell))
