"""Reach, and the door to paths: what the table asks before a figure moves.

Everything here is a pure function of a `StepField` (the ground), a `Stride` (the mover's shape
and rules) and a `Stand` (where it is). Budgets, turns and reactions belong to the rulesets.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.geometry.anyangle import is_circular, reach_in_circle
from engine.geometry.bitboard import Window, window_around
from engine.geometry.flood import cost_array, flood
from engine.geometry.network import network
from engine.geometry.path import Path, Step
from engine.geometry.stepfield import StepField, step_field
from engine.geometry.steps import Steps
from engine.geometry.stride import Cost, Stand, Stride
from engine.geometry.wayfinding import alternatives, best_path, check_start, straight_path, walk
from engine.grid.base import ORIGIN
from engine.model.space import Cell, Facing

__all__ = [
    "Path",
    "Reach",
    "Stand",
    "Step",
    "StepField",
    "Stride",
    "alternatives",
    "best_path",
    "reach",
    "step_field",
    "straight_path",
    "walk",
]


@dataclass(frozen=True, eq=False)
class Reach:
    """The anchors that a figure can get to, each with its least cost.

    `costs[y - top, x - left]` is what it takes to pass a cell of the window, `end_costs` what it
    takes to end there; -1 where the figure cannot. Whole numbers, or floats under the rules with
    square roots.
    """

    start: Stand
    budget: Cost
    window: Window
    costs: NDArray[Any]
    end_costs: NDArray[Any]

    def cost_to(self, cell: Cell) -> Cost | None:
        """Return the least cost of ending on a cell, None if that cannot be."""
        return self._at(self.end_costs, cell)

    def cost_through(self, cell: Cell) -> Cost | None:
        """Return the least cost of getting to a cell, be it only to pass it."""
        return self._at(self.costs, cell)

    def cells(self) -> dict[Cell, Cost]:
        """Return the cost of every anchor on which the move may end, row by row."""
        rows, columns = np.nonzero(self.end_costs >= 0)
        found = self.end_costs[rows, columns].tolist()
        left, top = self.window.left, self.window.top
        places = zip(columns.tolist(), rows.tolist(), found, strict=True)
        return {Cell(left + x, top + y): cost for x, y, cost in places}

    def _at(self, costs: NDArray[Any], cell: Cell) -> Cost | None:
        if not self.window.holds(cell):
            return None
        cost: Cost = costs[cell.y - self.window.top, cell.x - self.window.left].item()
        return None if cost < 0 else cost


def reach(field: StepField, stride: Stride, start: Stand, budget: Cost) -> Reach:
    """Return where a figure gets to with a budget; nowhere but here when that is 0 or less.

    Raise Rejected when the figure's anchor lies outside the board.
    """
    check_start(field, start)
    budget = max(budget, 0)
    if is_circular(field, stride):
        frame, costs = reach_in_circle(field, stride, start, budget)
    else:
        window = window_around(field.layout, [start.cell], budget)
        net = network(field, stride, start.facing, window, budget)
        frame = net.frame
        begin = (0, net.layer_of(start), 1 << frame.bit(start.cell))
        found = flood(net.groups, net.layers, [begin], budget)
        costs = cost_array(found, frame)
    ends = costs
    if not field.may_end.all():
        ground = Steps(field, stride, frame)
        if is_circular(field, stride):
            board = ground.may_end(_cells(field, stride, start.facing))
            ends = np.where(frame.unpack([board])[0], costs, -1.0)
        else:
            looks = [net.facing_on(layer) for layer in range(net.layers)]
            boards = [ground.may_end(_cells(field, stride, facing)) for facing in looks]
            ends = cost_array(found, frame, boards)
        ends[start.cell.y - frame.window.top, start.cell.x - frame.window.left] = 0
    return Reach(start, budget, frame.window, costs, ends)


def _cells(field: StepField, stride: Stride, facing: Facing) -> tuple[Cell, ...]:
    """Return the cells around the anchor that a figure covers."""
    return stride.footprint.cells_at(field.grid, ORIGIN, facing)
