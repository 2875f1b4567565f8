"""The ground as movement sees it: plain arrays over the cells of a board.

A field says what each cell and each step costs or forbids for one mover; who built it from walls,
regions and other figures is not its business, nor is the mover's shape (`steptable.py`).

Layout: array element [y - top, x - left] belongs to cell (x, y), axial on hexes. Squares fill the
array; the board of a hex grid is a slanted part of it, and what lies outside is impassable.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.grid.grid import Grid
from engine.model.space import Cell

Bools = NDArray[np.bool_]
Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

PerCell = NDArray[Any] | Mapping[Cell, Any] | Callable[[Cell], Any] | None
"""What a caller may say about cells: an array in the layout, a sparse map, a function, nothing."""


class Layout(NamedTuple):
    """Where the arrays lie: the cell of element [0, 0], the shape, and which cells exist."""

    left: int
    top: int
    width: int
    height: int
    on_board: Bools

    def element(self, cell: Cell) -> tuple[int, int] | None:
        """Return the element (row, column) of a cell, None outside the arrays."""
        row, column = cell.y - self.top, cell.x - self.left
        if 0 <= row < self.height and 0 <= column < self.width:
            return row, column
        return None


@lru_cache(maxsize=16)
def layout_of(grid: Grid) -> Layout:
    """Return the layout of a board's arrays."""
    rim = [
        grid.from_offset(column, row)
        for column in (0, grid.columns - 1)
        for row in (0, grid.rows - 1)
    ]
    left, top = min(cell.x for cell in rim), min(cell.y for cell in rim)
    width, height = max(cell.x for cell in rim) - left + 1, max(cell.y for cell in rim) - top + 1
    on_board = np.zeros((height, width), dtype=bool)
    cells = grid.cells_in(grid.bounds)
    on_board[cells[:, 1] - top, cells[:, 0] - left] = True
    on_board.setflags(write=False)
    return Layout(left, top, width, height, on_board)


@dataclass(frozen=True, eq=False)
class StepField:
    """What movement meets on a board; make one with `step_field`, never write into the arrays.

    * `passable`: the cell may be entered. Never true outside the board.
    * `blocked[d]`: the step from the cell in direction number d is walled.
    * `rough`: what an orthogonal step into the cell costs instead of 1 (difficult ground), >= 1.
    * `surcharge`: paid on top of everything on entering (a zone that slows), >= 0.
    * `halts`: whoever enters the cell must stop there.
    * `ground`: height of the ground in cells, or None where the board is flat.
    * `may_end`: a move may end on the cell (false: pass through only, a friend stands there).
    * `names`, `zones`: what reasons call the difficult ground and the zone of a cell.
    """

    grid: Grid
    layout: Layout
    passable: Bools
    blocked: Bools
    rough: Ints
    surcharge: Ints
    halts: Bools
    ground: Floats | None
    may_end: Bools
    names: Mapping[Cell, str] = field(default_factory=dict)
    zones: Mapping[Cell, str] = field(default_factory=dict)

    def at(self, array: NDArray[Any] | None, cell: Cell) -> Any:
        """Return the element of one of the arrays for a cell, None outside the arrays."""
        index = self.layout.element(cell)
        return None if index is None or array is None else array[index].item()

    def is_passable(self, cell: Cell) -> bool:
        """Tell whether a cell exists and may be entered."""
        return bool(self.at(self.passable, cell))

    def is_blocked(self, cell: Cell, direction: int) -> bool:
        """Tell whether the step from a cell in a direction is walled."""
        return bool(self.at(self.blocked[direction], cell))


def step_field(
    grid: Grid,
    *,
    passable: PerCell = None,
    blocked: NDArray[np.bool_] | Callable[[Cell, int], bool] | None = None,
    rough: PerCell = None,
    surcharge: PerCell = None,
    halts: PerCell = None,
    ground: PerCell = None,
    may_end: PerCell = None,
    names: Mapping[Cell, str] | None = None,
    zones: Mapping[Cell, str] | None = None,
) -> StepField:
    """Make the field of a board; whatever is not said is open, flat, free ground.

    A sparse map speaks for its cells only. `blocked` is an array (directions, height, width) in
    the layout, or a function of a cell and a direction number. Raise ValueError for arrays of
    another shape, a rough cost below 1 or a negative surcharge.
    """
    layout = layout_of(grid)
    made = StepField(
        grid=grid,
        layout=layout,
        passable=_filled(grid, layout, passable, True) & layout.on_board,
        blocked=_walls(grid, layout, blocked),
        rough=_filled(grid, layout, rough, 1),
        surcharge=_filled(grid, layout, surcharge, 0),
        halts=_filled(grid, layout, halts, False),
        ground=None if ground is None else _filled(grid, layout, ground, 0.0),
        may_end=_filled(grid, layout, may_end, True),
        names=dict(names or {}),
        zones=dict(zones or {}),
    )
    if (made.rough < 1).any() or (made.surcharge < 0).any():
        raise ValueError("Difficult ground costs at least 1, and no zone makes a step cheaper.")
    return made


def _filled(grid: Grid, layout: Layout, said: PerCell, default: Any) -> NDArray[Any]:
    """Lay out what was said about cells, in the type of the default."""
    kind: Any = {bool: np.bool_, int: np.int32, float: np.float64}[type(default)]
    shape = (layout.height, layout.width)
    array: NDArray[Any] = np.full(shape, default, dtype=kind)
    if isinstance(said, np.ndarray):
        if said.shape != shape:
            raise ValueError(f"A field of this board has the shape {shape}, not {said.shape}.")
        array = _own(said, kind)
    elif said is not None:
        pairs = ((c, said(c)) for c in grid.cells()) if callable(said) else said.items()
        for cell, value in pairs:
            index = layout.element(cell)
            if index is not None:
                array[index] = value
    array.setflags(write=False)
    return array


def _own(array: NDArray[Any], kind: Any) -> NDArray[Any]:
    """Return an array that nobody else writes into: itself if it is read-only, else a copy."""
    return array if array.dtype == kind and not array.flags.writeable else array.astype(kind)


def _walls(
    grid: Grid, layout: Layout, said: NDArray[np.bool_] | Callable[[Cell, int], bool] | None
) -> Bools:
    shape = (len(grid.directions), layout.height, layout.width)
    if isinstance(said, np.ndarray):
        if said.shape != shape:
            raise ValueError(f"The walls of this board have the shape {shape}, not {said.shape}.")
        array = _own(said, np.bool_)
    else:
        array = np.zeros(shape, dtype=np.bool_)
    if callable(said):
        for cell in grid.cells():
            row, column = cell.y - layout.top, cell.x - layout.left
            for direction in grid.directions:
                array[direction.number, row, column] = said(cell, direction.number)
    array.setflags(write=False)
    return array
