"""Every step of one figure over a window of the board, compiled into arrays.

A figure is moved by its anchor: the footprint is folded into the arrays here, so that the search
knows single cells only. A large figure tests every cell that it enters and pays for no cell that
it already covers; a wall may neither stand in the way of any of its cells nor cut through it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.geometry.stepfield import Bools, Ints, Layout, StepField
from engine.geometry.stride import Charge, Combine, CornerCut, Diagonal, Share, Stride
from engine.grid.base import ORIGIN
from engine.grid.footprint import Turning
from engine.grid.grid import Direction, Grid
from engine.model.space import Cell, Facing

Edge = tuple[Cell, int]
"""The step from a cell in the direction with that number."""


class Window(NamedTuple):
    """The anchors at hand: cells left <= x < left + width, top <= y < top + height."""

    left: int
    top: int
    width: int
    height: int

    def holds(self, cell: Cell) -> bool:
        """Tell whether a cell lies in the window."""
        x, y = cell.x - self.left, cell.y - self.top
        return 0 <= x < self.width and 0 <= y < self.height


def window_around(layout: Layout, cells: Sequence[Cell], radius: float) -> Window:
    """Return the part of a board's arrays within `radius` cells of the box around some cells."""
    reach = int(min(radius, layout.width + layout.height))
    left = max(min(cell.x for cell in cells) - reach, layout.left)
    top = max(min(cell.y for cell in cells) - reach, layout.top)
    right = min(max(cell.x for cell in cells) + reach, layout.left + layout.width - 1)
    bottom = min(max(cell.y for cell in cells) + reach, layout.top + layout.height - 1)
    return Window(left, top, max(right - left + 1, 0), max(bottom - top + 1, 0))


class Shape(NamedTuple):
    """A footprint at one facing, and what each direction adds, gives up and leads with."""

    cells: tuple[Cell, ...]
    entered: tuple[tuple[Cell, ...], ...]
    left: tuple[tuple[Cell, ...], ...]
    leading: tuple[tuple[Cell, ...], ...]
    inner: tuple[tuple[Edge, ...], ...]
    """Edges inside the figure that a step newly lays over the ground."""


def shape_of(grid: Grid, stride: Stride, facing: Facing) -> Shape:
    """Return the shape of a figure at a facing."""
    return _shape(grid, stride.footprint.cells_at(grid, ORIGIN, facing))


@lru_cache(maxsize=256)
def _shape(grid: Grid, cells: tuple[Cell, ...]) -> Shape:
    moved = [tuple(Cell(x + d.dx, y + d.dy) for x, y in cells) for d in grid.directions]
    entered = [tuple(cell for cell in new if cell not in cells) for new in moved]
    left = [tuple(cell for cell in cells if cell not in new) for new in moved]
    leading = []
    for direction in grid.directions:
        ahead = [direction.dx * x + direction.dy * y for x, y in cells]
        leading.append(tuple(c for c, a in zip(cells, ahead, strict=True) if a == max(ahead)))
    inner = [inner_edges(grid, new, fresh) for new, fresh in zip(moved, entered, strict=True)]
    return Shape(cells, tuple(entered), tuple(left), tuple(leading), tuple(inner))


def inner_edges(grid: Grid, cells: Sequence[Cell], fresh: Sequence[Cell]) -> tuple[Edge, ...]:
    """Return the steps, both ways, between fresh cells of a figure and its other cells."""
    straight = [d for d in grid.directions if not d.diagonal]
    found: dict[Edge, None] = {}
    for cell in fresh:
        for direction in straight:
            other = grid.translate(cell, direction.number)
            if other in cells:
                back = grid.step_between(other, cell)
                found[cell, direction.number] = None
                found[other, back.number if back else 0] = None
    return tuple(found)


class Ground:
    """Views of a field's arrays, shifted by a cell offset, over the anchors of a window."""

    def __init__(self, field: StepField, window: Window, margin: int) -> None:
        self._field = field
        self._window = window
        self._margin = margin

    @cached_property
    def _passable(self) -> Bools:
        return self._cut(self._field.passable, fill=False)

    @cached_property
    def _blocked(self) -> Bools:
        return self._cut(self._field.blocked, fill=False)

    @cached_property
    def _rough(self) -> Ints:
        return self._cut(self._field.rough, fill=1)

    @cached_property
    def _surcharge(self) -> Ints:
        return self._cut(self._field.surcharge, fill=0)

    @cached_property
    def _halts(self) -> Bools:
        return self._cut(self._field.halts, fill=False)

    @cached_property
    def _may_end(self) -> Bools:
        return self._cut(self._field.may_end, fill=True)

    @cached_property
    def _height(self) -> NDArray[Any]:
        ground = self._field.ground
        return self._cut(np.zeros((1, 1)) if ground is None else ground, fill=0.0)

    def passable(self, cells: Sequence[Cell]) -> Bools:
        """Tell where all of these offsets are passable."""
        return self._all(self._passable, cells)

    def may_end(self, cells: Sequence[Cell]) -> Bools:
        """Tell where a move may end on all of these offsets."""
        return self._all(self._may_end, cells)

    @cached_property
    def _has_walls(self) -> bool:
        return bool(self._blocked.any())

    def walled(self, edges: Sequence[Edge]) -> Bools | None:
        """Tell where any of these steps is walled, None for nowhere."""
        if not self._has_walls:
            return None
        found = np.zeros((self._window.height, self._window.width), dtype=np.bool_)
        for cell, direction in edges:
            found |= self._shift(self._blocked[direction], cell)
        return found

    def halts(self, cells: Sequence[Cell]) -> Bools:
        """Tell where any of these offsets stops whoever enters it."""
        return ~self._all(~self._halts, cells)

    def rough(self, cells: Sequence[Cell], share: Share) -> Ints:
        """Return what ground counts as when these offsets are entered or left together."""
        costs = [self._shift(self._rough, cell) for cell in cells]
        if len(costs) == 1:
            return costs[0]
        rank = {Share.ALL: 0, Share.MAJORITY: (len(costs) - 1) // 2, Share.ANY: -1}[share]
        ordered: Ints = np.sort(np.stack(costs), axis=0)[rank]
        return ordered

    def surcharge(self, cells: Sequence[Cell]) -> Ints:
        """Return the highest surcharge among these offsets."""
        return self._highest(self._surcharge, cells)

    def height(self, cells: Sequence[Cell]) -> NDArray[Any]:
        """Return the ground under a figure: the highest that these offsets stand on."""
        return self._highest(self._height, cells)

    def uniform(self) -> tuple[bool, bool, bool]:
        """Tell whether the window is free of difficult ground, of surcharges and of halts."""
        flat = int(self._rough.max(initial=1)) == 1
        return flat, not self._surcharge.any(), not self._halts.any()

    def _all(self, array: Bools, cells: Sequence[Cell]) -> Bools:
        views = [self._shift(array, cell) for cell in cells]
        return views[0] if len(views) == 1 else np.logical_and.reduce(views)

    def _highest(self, array: NDArray[Any], cells: Sequence[Cell]) -> NDArray[Any]:
        views = [self._shift(array, cell) for cell in cells]
        return views[0] if len(views) == 1 else np.maximum.reduce(views)

    def _shift(self, array: NDArray[Any], cell: Cell) -> NDArray[Any]:
        row, column = self._margin + cell.y, self._margin + cell.x
        view: NDArray[Any] = array[
            row : row + self._window.height, column : column + self._window.width
        ]
        return view

    def _cut(self, array: NDArray[Any], fill: float) -> NDArray[Any]:
        """Copy the window and a margin around it; beyond the arrays stands the filling."""
        layout, window, margin = self._field.layout, self._window, self._margin
        top, left = window.top - layout.top - margin, window.left - layout.left - margin
        height, width = window.height + 2 * margin, window.width + 2 * margin
        inside = array[..., max(top, 0) : max(top + height, 0), max(left, 0) : max(left + width, 0)]
        if inside.shape[-2:] == (height, width):
            return inside
        made = np.full((*array.shape[:-2], height, width), fill, dtype=array.dtype)
        row, column = max(-top, 0), max(-left, 0)
        made[..., row : row + inside.shape[-2], column : column + inside.shape[-1]] = inside
        return made


@dataclass(frozen=True, eq=False)
class StepTable:
    """What each step costs from each anchor of a window; arrays are (directions, height, width).

    `climb` and `surcharge` are paid beside the ground's own price; None stands for nothing.
    """

    grid: Grid
    stride: Stride
    shape: Shape
    window: Window
    allowed: Bools
    rough: Ints | None
    surcharge: Ints | None
    climb: Ints | None
    halts: Bools | None

    def prices(self, directions: Sequence[int], bases: Sequence[int]) -> NDArray[Any]:
        """Return the cost of steps in these directions when the step itself costs these bases.

        The shape is (kinds, height, width); sizes of 1 stand for the same everywhere.
        """
        chosen = list(directions)
        wide: Any = np.int64 if self.stride.diagonal is Diagonal.EUCLID else np.int32
        base: NDArray[Any] = np.asarray(bases, dtype=wide).reshape(-1, 1, 1)
        total = base if self.rough is None else combined(self.stride, base, self.rough[chosen])
        if self.surcharge is not None:
            total = total + self.surcharge[chosen]
        if self.climb is not None:
            total = total + self.climb[chosen]
        return total


def combined(stride: Stride, base: Any, rough: Any) -> Any:
    """Join the price of a step and of the ground (Drase 6.1), both as the flood counts."""
    if stride.joins is Combine.ADD:
        return base + (rough - 1)
    if stride.joins is Combine.MULTIPLY:
        return base * rough
    if stride.diagonal is Diagonal.EUCLID:
        return np.where(rough > 1, rough, base)
    return np.maximum(base, rough)


def step_table(field: StepField, stride: Stride, facing: Facing, window: Window) -> StepTable:
    """Compile the steps of a figure at a facing for the anchors of a window."""
    grid = field.grid
    shape = shape_of(grid, stride, facing)
    ground = Ground(field, window, 1 + max(abs(part) for cell in shape.cells for part in cell))
    allowed = np.stack([_allowed(grid, stride, shape, ground, d) for d in grid.directions])
    _keep_inside(grid, allowed)
    flat, free, going = ground.uniform()
    paid = shape.entered if stride.charge is Charge.ENTERING else shape.left
    climb = _climbs(field, stride, shape, ground, allowed)
    return StepTable(
        grid=grid,
        stride=stride,
        shape=shape,
        window=window,
        allowed=allowed,
        rough=None if flat else np.stack([ground.rough(c, stride.share) for c in paid]),
        surcharge=None if free else np.stack([ground.surcharge(c) for c in shape.entered]),
        climb=climb,
        halts=None if going else np.stack([ground.halts(c) for c in shape.entered]),
    )


def _allowed(
    grid: Grid, stride: Stride, shape: Shape, ground: Ground, direction: Direction
) -> Bools:
    number = direction.number
    walls = [(cell, number) for cell in shape.cells] + list(shape.inner[number])
    open_ = _unless(ground.passable(shape.entered[number]), ground.walled(walls))
    if not direction.diagonal or stride.corner_cut is CornerCut.FREE:
        return open_
    for cell in shape.leading[number]:
        one, other = corner_sides(grid, cell, direction)
        sides = [
            _unless(ground.passable([side]), ground.walled(edges)) for side, edges in (one, other)
        ]
        both = stride.corner_cut is CornerCut.BOTH_OPEN
        open_ = open_ & ((sides[0] & sides[1]) if both else (sides[0] | sides[1]))
    return open_


def _unless(passable: Bools, walled: Bools | None) -> Bools:
    return passable if walled is None else passable & ~walled


@lru_cache(maxsize=256)
def corner_sides(
    grid: Grid, cell: Cell, direction: Direction
) -> tuple[tuple[Cell, tuple[Edge, ...]], ...]:
    """Return the two cells beside a diagonal step and the steps that lead around over each."""
    before, after = (direction.number - 1) % 8, (direction.number + 1) % 8
    one, other = grid.translate(cell, before), grid.translate(cell, after)
    return (one, ((cell, before), (one, after))), (other, ((cell, after), (other, before)))


def _keep_inside(grid: Grid, allowed: Bools) -> None:
    """Forbid the steps that lead out of the window."""
    for direction in grid.directions:
        if direction.dx:
            allowed[direction.number, :, -1 if direction.dx > 0 else 0] = False
        if direction.dy:
            allowed[direction.number, -1 if direction.dy > 0 else 0, :] = False


def _climbs(
    field: StepField, stride: Stride, shape: Shape, ground: Ground, allowed: Bools
) -> Ints | None:
    """Return the cost of each change of height, and forbid those that nobody can climb."""
    if field.ground is None or stride.climb is None:
        return None
    here = ground.height(shape.cells)
    costs = np.zeros(allowed.shape, dtype=np.int32)
    for direction in field.grid.directions:
        moved = [Cell(x + direction.dx, y + direction.dy) for x, y in shape.cells]
        table, where = np.unique(np.round(ground.height(moved) - here, 9), return_inverse=True)
        price = [0 if rise == 0 else stride.climb(float(rise)) for rise in table]
        possible = np.array([cost is not None for cost in price])
        paid = np.array([0 if cost is None else cost for cost in price])
        allowed[direction.number] &= possible[where].reshape(here.shape)
        costs[direction.number] = paid[where].reshape(here.shape)
    return costs if costs.any() else None


def turn_table(
    field: StepField, stride: Stride, window: Window, before: Facing, after: Facing
) -> Bools | None:
    """Tell at which anchors a figure may swing from one facing to another; None for everywhere.

    Each cell moves along the straight path of cells to its new place; all of those must be
    passable and unwalled unless the figure already covers them, and no wall may end up in it.
    """
    if stride.footprint.turning is Turning.FIXED:
        return None
    grid = field.grid
    old = stride.footprint.cells_at(grid, ORIGIN, before)
    new = stride.footprint.cells_at(grid, ORIGIN, after)
    entered: dict[Cell, None] = {}
    edges: dict[Edge, None] = {}
    for start, end in zip(old, new, strict=True):
        path = grid.path(start, end)
        entered.update(dict.fromkeys(cell for cell in path if cell not in old))
        for one, two in zip(path, path[1:], strict=False):
            direction = grid.step_between(one, two)
            edges[one, direction.number if direction else 0] = None
    fresh = [cell for cell in new if cell not in old]
    edges.update(dict.fromkeys(inner_edges(grid, new, fresh)))
    margin = 1 + max(abs(part) for cell in (*old, *new, *entered) for part in cell)
    ground = Ground(field, window, margin)
    return _unless(ground.passable(tuple(entered)), ground.walled(tuple(edges)))
