"""Reach and paths with their costs and reasons: what the table asks before a figure moves.

Everything here is a pure function of a `StepField` (the ground), a `Stride` (the mover's shape
and rules) and a `Stand` (where it is). Budgets, turns and reactions belong to the rulesets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.geometry.flood import Flood, cost_array, flood, worth
from engine.geometry.network import TURN, Network, network, parity_after
from engine.geometry.path import Path, Step
from engine.geometry.reasons import priced
from engine.geometry.stepfield import Bools, StepField
from engine.geometry.steptable import Ground, Window, window_around
from engine.geometry.stride import Cost, Stand, Stride
from engine.geometry.trace import Move, State, trace
from engine.grid.footprint import Turning
from engine.grid.grid import Direction
from engine.model.board import MAX_SIDE
from engine.model.refusal import impossible
from engine.model.space import Cell, Facing

__all__ = ["Path", "Reach", "Step", "best_path", "reach"]


@dataclass(frozen=True, eq=False)
class Reach:
    """The anchors that a figure can get to, each with its least cost.

    `costs[y - top, x - left]` is -1 where the figure cannot get to; whole numbers, or floats
    under the rules with square roots. A move may end only where `may_end` says so.
    """

    start: Stand
    budget: Cost
    window: Window
    costs: NDArray[Any]
    may_end: Bools

    def cost_to(self, cell: Cell) -> Cost | None:
        """Return the least cost of bringing the anchor to a cell, None if that is out of reach."""
        if not self.window.holds(cell):
            return None
        cost: Cost = self.costs[cell.y - self.window.top, cell.x - self.window.left].item()
        return None if cost < 0 else cost

    def cells(self) -> dict[Cell, Cost]:
        """Return the cost of every anchor on which the move may end, row by row."""
        rows, columns = np.nonzero((self.costs >= 0) & self.may_end)
        found = self.costs[rows, columns].tolist()
        left, top = self.window.left, self.window.top
        places = zip(columns.tolist(), rows.tolist(), found, strict=True)
        return {Cell(left + x, top + y): cost for x, y, cost in places}


def reach(field: StepField, stride: Stride, start: Stand, budget: Cost) -> Reach:
    """Return where a figure gets to with a budget; nowhere but here when that is 0 or less.

    Raise Rejected when the figure's anchor lies outside the board.
    """
    _check_start(field, start)
    budget = max(budget, 0)
    window = window_around(field.layout, [start.cell], budget)
    net = network(field, stride, start.facing, window, budget)
    begin = (0, net.layer_of(start), 1 << net.bit(start.cell))
    found = flood(net.links, net.layers, [begin], budget)
    costs = cost_array(found, window.height, window.width)
    return Reach(start, budget, window, costs, _may_end(field, stride, start, window, costs))


def _may_end(
    field: StepField, stride: Stride, start: Stand, window: Window, costs: NDArray[Any]
) -> Bools:
    """Tell where the figure may end; at its start it may always."""
    if field.may_end.all():
        return np.ones(costs.shape, dtype=np.bool_)
    shapes = {
        stride.footprint.cells_at(field.grid, Cell(0, 0), facing)
        for facing in ([start.facing] if stride.facing is None else range(field.grid.facings))
    }
    found = np.zeros(costs.shape, dtype=np.bool_)
    for cells in shapes:
        margin = max(abs(part) for cell in cells for part in cell)
        found |= Ground(field, window, margin).may_end(cells)
    found[start.cell.y - window.top, start.cell.x - window.left] = True
    return found


def _check_start(field: StepField, start: Stand) -> None:
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
    _check_start(field, start)
    stops = [start.cell, *via, target]
    if not all(field.grid.contains(stop) for stop in stops):
        return None
    limit = inf if budget is None else budget
    for margin in (8, 32, 128, MAX_SIDE):
        window = window_around(field.layout, stops, margin)
        found = _search(field, stride, start, stops, window, limit=limit)
        if found is not None and found.cost <= _least_outside(stops, margin):
            return found
        if (window.width, window.height) == (field.layout.width, field.layout.height):
            return found
    return None


def _least_outside(stops: Sequence[Cell], margin: int) -> int:
    """Return the least cost of a way that leaves the box around its stops by more than a margin.

    On one of its legs it goes out and comes back along one axis; a step gains one cell at most.
    """
    out = 2 * (margin + 1)
    legs = [(abs(b.x - a.x), abs(b.y - a.y)) for a, b in pairwise(stops)]
    direct = sum(max(leg) for leg in legs)
    return min(direct - max(dx, dy) + min(max(dx, out + dy), max(dy, out + dx)) for dx, dy in legs)


class _Leg(NamedTuple):
    """A finished search from one stop to the next."""

    found: Flood
    starts: frozenset[tuple[int, int, int]]
    arrivals: tuple[State, ...]


def _search(
    field: StepField,
    stride: Stride,
    start: Stand,
    stops: Sequence[Cell],
    window: Window,
    *,
    limit: float,
) -> Path | None:
    """Return the cheapest path within a window, None if there is none."""
    net = network(field, stride, start.facing, window, limit)
    starts = frozenset({(0, net.layer_of(start), net.bit(start.cell))})
    legs: list[_Leg] = []
    for number, stop in enumerate(stops[1:], start=1):
        last = number == len(stops) - 1
        fussy = not last or not field.may_end.all()
        begin = [(cost, layer, 1 << bit) for cost, layer, bit in starts]
        goal = 1 << net.bit(stop)
        found = flood(net.links, net.layers, begin, limit, goal=goal, whole_goal=fussy)
        arrivals = tuple(_arrivals(net, found, net.bit(stop)))
        if last:
            arrivals = tuple(a for a in arrivals if _ends_well(field, stride, net, start, a))
        else:
            arrivals = tuple(arrival for arrival in arrivals if not arrival.ended)
        if not arrivals:
            return None
        legs.append(_Leg(found, starts, arrivals))
        starts = frozenset((each.cost, each.layer, each.bit) for each in arrivals)
    return _assembled(field, stride, start, net, legs)


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
    cell = net.cell(arrival.bit)
    if arrival.cost == 0 and cell == start.cell:
        return True
    covered = stride.footprint.cells_at(field.grid, cell, net.facing_on(arrival.layer))
    return all(field.at(field.may_end, each) is not False for each in covered)


def _assembled(
    field: StepField, stride: Stride, start: Stand, net: Network, legs: Sequence[_Leg]
) -> Path:
    """Trace the legs back from the last arrival and price their steps."""
    state = legs[-1].arrivals[0]
    cost = worth(state.cost)
    moves: list[Move] = []
    for leg in reversed(legs):
        state, taken = trace(net, leg.found, state, leg.starts)
        moves = [*taken, *moves]
    steps: list[Step] = []
    parity, halted = start.parity, False
    for link, after in moves:
        cell, before = net.cell(after.bit), net.cell(after.bit - link.shift)
        if link.direction == TURN:
            facing = net.facing_on(link.target)
            steps.append(Step(cell, facing, worth(link.cost), ("turn",)))
            continue
        direction = field.grid.directions[link.direction]
        price = priced(field, net.table_on(link.source), before, direction, parity)
        looks = net.facing_on(link.target) if net.turns else None
        facing = _facing_after(field, stride, start, direction) if looks is None else looks
        steps.append(Step(cell, facing, worth(price.cost), price.reasons))
        parity, halted = parity_after(stride, direction, parity), price.halts
    return Path(start, tuple(steps), cost, parity, halted)


def _facing_after(field: StepField, stride: Stride, start: Stand, direction: Direction) -> Facing:
    """Return where a figure looks that turns freely: the way it goes, if its cells allow that."""
    if stride.footprint.turning is Turning.FIXED:
        return stride.footprint.aligned(field.grid, direction.facing)
    return start.facing
