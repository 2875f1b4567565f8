"""Straight lines at any angle: reach and paths under the circular rule (Drase 6.1 and 14.2).

A path is a chain of straight lines from cell centre to cell centre; each line takes the king's
steps over the cells that it crosses, and all of them must be allowed. It costs its length, and on
top of it what difficult ground, zones and climbs add. Lengths are floats, compared within 1e-9.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import ceil, hypot, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bitboard import Frame, Window
from engine.geometry.flood import ROOT
from engine.geometry.measure import SLACK, ruler
from engine.geometry.path import Path, Step
from engine.geometry.reasons import facing_after, priced
from engine.geometry.shape import Shape, shape_of
from engine.geometry.stepfield import StepField
from engine.geometry.steps import Steps
from engine.geometry.stride import Cost, Diagonal, Stand, Stride
from engine.grid.grid import Direction, Grid
from engine.model.space import Cell

MAX_LINE = 40
"""The longest single line that is tried, in cells, and the longest way when no budget is given."""


def is_circular(field: StepField, stride: Stride) -> bool:
    """Tell whether a figure moves by lengths instead of steps; on hexes nobody does."""
    return stride.diagonal is Diagonal.CIRCULAR and not field.grid.kind.is_hex


@lru_cache(maxsize=65536)
def line_steps(dx: int, dy: int) -> tuple[int, ...]:
    """Return the numbers of the king's steps along the line from one cell to another.

    They follow the cells that the line crosses; through a corner it steps diagonally.
    """
    wide, high = abs(dx), abs(dy)
    east, south = 0 if dx > 0 else 4, 2 if dy > 0 else 6
    both = {(0, 2): 1, (4, 2): 3, (4, 6): 5, (0, 6): 7}[east, south]
    steps = []
    column = row = 0
    while column < wide or row < high:
        # The next borders are met at (2 column + 1) / (2 wide) and (2 row + 1) / (2 high).
        order = (2 * column + 1) * high - (2 * row + 1) * wide
        steps.append(both if order == 0 else east if order < 0 else south)
        column += order <= 0
        row += order >= 0
    return tuple(steps)


@dataclass(frozen=True, eq=False)
class _Fan:
    """All lines from one cell up to a radius, the shortest first, flat for a square window.

    Line i leads `dx[i]`, `dy[i]` on and takes the steps `first[i]` to `first[i + 1]`; `step` is
    each step's place in flat (direction, row, column) arrays.
    """

    dx: NDArray[np.int64]
    dy: NDArray[np.int64]
    length: NDArray[np.float64]
    first: NDArray[np.int64]
    step: NDArray[np.int64]


@lru_cache(maxsize=4)
def _fan(radius: int, side: int, directions: tuple[Direction, ...]) -> _Fan:
    around = range(-radius, radius + 1)
    ends = [(x, y) for y in around for x in around if 0 < x * x + y * y < (radius + 1) ** 2]
    ends.sort(key=lambda end: (hypot(*end), end))
    first, step = [0], []
    for dx, dy in ends:
        x = y = 0
        for number in line_steps(dx, dy):
            step.append(number * side * side + y * side + x)
            x, y = x + directions[number].dx, y + directions[number].dy
        first.append(len(step))
    offsets = np.array(ends, dtype=np.int64).reshape(-1, 2)
    length = np.hypot(offsets[:, 0], offsets[:, 1])
    return _Fan(offsets[:, 0], offsets[:, 1], length, np.array(first), np.array(step))


@dataclass(frozen=True, eq=False)
class _Search:
    """A finished search: flat over a square window around the start.

    `live` are the lengths of the ways on which the figure may go on, `best` of all ways; `origin`
    and `live_origin` hold the cell at which their last lines begin.
    """

    frame: Frame
    best: NDArray[np.float64]
    origin: NDArray[np.int64]
    live_origin: NDArray[np.int64]


def _searched(field: StepField, stride: Stride, start: Stand, budget: Cost) -> _Search:
    grid = field.grid
    x, y = start.cell
    radius = min(int(budget + SLACK), max(x, y, grid.columns - 1 - x, grid.rows - 1 - y))
    longest = min(int(budget + SLACK), MAX_LINE, grid.columns + grid.rows)
    side = 2 * radius + 1
    shape = shape_of(grid, stride, start.facing)
    margin = 1 + max(abs(part) for cell in shape.cells for part in cell)
    frame = Frame(Window(x - radius, y - radius, side, side), margin)
    fan = _fan(longest, side, grid.directions)
    middle = radius * side + radius
    best = np.full(side * side, inf)
    origin = np.full(side * side, -1)
    live, live_origin = best.copy(), origin.copy()
    best[middle] = live[middle] = 0.0
    across = np.arange(-radius, radius + 1)
    bound = np.hypot(across[np.newaxis, :], across[:, np.newaxis]).ravel()
    close = bound <= budget + SLACK
    lines = _Lines(Steps(field, stride, frame), shape, grid, fan)
    queue = [(0.0, middle)]
    while queue:
        length, place = heappop(queue)
        if length > live[place]:
            continue
        open_ = np.flatnonzero(close & (best > bound + SLACK))
        if not _may_improve(place, length, open_, best, side):
            continue
        ends, lengths, halted = lines.from_place(place, length, budget)
        better = lengths < best[ends] - SLACK
        best[ends[better]] = lengths[better]
        origin[ends[better]] = place
        on = ~halted & (lengths < live[ends] - SLACK)
        live[ends[on]] = lengths[on]
        live_origin[ends[on]] = place
        for pair in zip(lengths[on].tolist(), ends[on].tolist(), strict=True):
            heappush(queue, pair)
    return _Search(frame, best, origin, live_origin)


def _may_improve(
    place: int, length: float, open_: NDArray[np.int64], best: NDArray[np.float64], side: int
) -> bool:
    """Tell whether a bend here could shorten any way that is longer than the straight line."""
    row, column = divmod(place, side)
    rows, columns = np.divmod(open_, side)
    return bool((np.hypot(rows - row, columns - column) + length < best[open_] - SLACK).any())


class _Lines:
    """The lines that a figure may take from a place."""

    def __init__(self, ground: Steps, shape: Shape, grid: Grid, fan: _Fan) -> None:
        self._fan = fan
        frame = ground.frame
        self._side = frame.window.width
        parts = [(d.number, part) for d in grid.directions for part in ground.parts(shape, d)]
        boards = frame.unpack([part.anchors for _, part in parts])
        size = (len(grid.directions), *boards.shape[1:])
        allowed, halts = np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
        extra = np.zeros(size, dtype=np.int64)
        for (number, part), board in zip(parts, boards, strict=True):
            allowed[number] |= board != 0
            extra[number] += board * (part.rough - 1 + part.extra)
            if part.halts:
                halts[number] |= board != 0
        self._allowed = allowed.ravel()
        self._extra = extra.ravel() if extra.any() else None
        self._halts = halts.ravel() if halts.any() else None

    def from_place(
        self, place: int, length: float, budget: Cost
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
        """Return the places that lines lead to, the whole lengths of the ways, and who halts."""
        fan, side = self._fan, self._side
        row, column = divmod(place, side)
        count = int(np.searchsorted(fan.length, budget - length + SLACK, side="right"))
        if count == 0:
            return np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.bool_)
        first = fan.first[:count]
        rows, columns = fan.dy[:count] + row, fan.dx[:count] + column
        inside = (rows >= 0) & (rows < side) & (columns >= 0) & (columns < side)
        steps = fan.step[: fan.first[count]] + place
        good = inside & np.logical_and.reduceat(self._allowed.take(steps, mode="clip"), first)
        lengths = fan.length[:count] + length
        if self._extra is not None:
            lengths = lengths + np.add.reduceat(self._extra.take(steps, mode="clip"), first)
            good &= lengths <= budget + SLACK
        halted = np.zeros(count, dtype=np.bool_)
        if self._halts is not None:
            stops = self._halts.take(steps, mode="clip")
            halted = stops[fan.first[1 : count + 1] - 1]
            good &= np.add.reduceat(stops, first, dtype=np.int64) <= halted
        ends = rows * side + columns
        return ends[good], lengths[good], halted[good]


def reach_in_circle(
    field: StepField, stride: Stride, start: Stand, budget: Cost
) -> tuple[Frame, NDArray[Any]]:
    """Return a frame and the length of the shortest way to each cell of its window, -1 for none."""
    found = _searched(field, stride, start, budget)
    costs = np.where(np.isfinite(found.best), found.best, -1.0)
    window = found.frame.window
    return found.frame, costs.reshape(window.height, window.width)


def circular_path(
    field: StepField, stride: Stride, start: Stand, stops: Sequence[Cell], limit: float
) -> Path | None:
    """Return the shortest way over stops; without a budget no detour beyond `MAX_LINE` a leg."""
    steps: list[Step] = []
    total = 0.0
    parity, halted = start.parity, False
    here = start
    for stop in stops[1:]:
        leg = None if halted else _leg(field, stride, here, stop, limit - total)
        if leg is None:
            return None
        steps += leg.steps
        total += leg.cost
        parity, halted = leg.parity, leg.halted
        here = Stand(stop, start.facing, parity)
    covered = stride.footprint.cells_at(field.grid, stops[-1], start.facing)
    if steps and not all(field.at(field.may_end, cell) is not False for cell in covered):
        return None
    return Path(start, tuple(steps), total, parity, halted)


def _leg(field: StepField, stride: Stride, start: Stand, target: Cell, limit: float) -> Path | None:
    """Return the shortest way to one stop, looked for in growing circles."""
    direct = hypot(target.x - start.cell.x, target.y - start.cell.y)
    furthest = limit if limit < inf else max(MAX_LINE, direct + 2)
    radius: Cost = min(furthest, ceil(direct) + 2)
    while direct <= radius + SLACK:
        found = _searched(field, stride, start, radius)
        window = found.frame.window
        place = (target.y - window.top) * window.width + target.x - window.left
        if np.isfinite(found.best[place]):
            return _unfolded(field, stride, start, found, place)
        if radius >= furthest:
            return None
        radius = min(furthest, 2 * radius)
    return None


def _unfolded(field: StepField, stride: Stride, start: Stand, found: _Search, place: int) -> Path:
    """Lay a way out in steps, from its last bend to its first."""
    window = found.frame.window
    bends = [place]
    origin = found.origin
    while (before := int(origin[bends[-1]])) >= 0:
        bends.append(before)
        origin = found.live_origin
    cells = [Cell(window.left + b % window.width, window.top + b // window.width) for b in bends]
    return line_path(field, stride, start, cells[::-1])


def line_path(
    field: StepField,
    stride: Stride,
    start: Stand,
    bends: Sequence[Cell],
    *,
    rule: Diagonal = Diagonal.CIRCULAR,
) -> Path:
    """Price a chain of straight lines whose steps are known to be allowed.

    A line costs its distance by `rule`, spread over its steps, and what the ground adds to them.
    """
    grid, parity = field.grid, start.parity
    shape = shape_of(grid, stride, start.facing)
    steps: list[Step] = []
    total: Cost = 0
    halted = False
    for begin, end in pairwise(bends):
        measured = ruler(grid, (begin, end), rule, parity)
        numbers = line_steps(end.x - begin.x, end.y - begin.y)
        cell = begin
        for order, number in enumerate(numbers):
            direction = grid.directions[number]
            price = priced(field, stride, shape, cell, direction, parity=0)
            extra = price.cost - (ROOT if direction.diagonal else 1)
            cell = grid.translate(cell, number)
            halted = price.halts
            total += extra
            along = (f"straight {measured.total:.3g}",) if order == 0 else ()
            looks = facing_after(grid, stride, start, direction)
            share = _share(measured.total, order, len(numbers))
            steps.append(Step(cell, looks, share + extra, (*along, *price.reasons)))
        parity = measured.parity
        total += measured.total
    return Path(start, tuple(steps), total, parity, halted)


def _share(length: Cost, order: int, steps: int) -> Cost:
    """Return what one of the steps of a line contributes: whole numbers of a whole length."""
    if isinstance(length, int):
        return length * (order + 1) // steps - length * order // steps
    return length / steps
