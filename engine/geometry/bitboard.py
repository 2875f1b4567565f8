"""Sets of cells as Python integers: a window of a board with a margin, one bit per cell.

Bit y * pitch + x stands for the cell (left + x, top + y) of a frame. What holds for the cell at
an offset from each anchor is one shift away; the margin keeps shifts from wrapping around.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.geometry.stepfield import Bools, Layout
from engine.model.space import Cell

Board = int
"""A set of cells."""


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


@dataclass(frozen=True)
class Frame:
    """A window and the margin around it, laid out in bits."""

    window: Window
    margin: int

    @cached_property
    def pitch(self) -> int:
        """Return how many bits a row takes: whole bytes, so that arrays pack into integers."""
        return (self.window.width + 2 * self.margin + 7) // 8 * 8

    @cached_property
    def rows(self) -> int:
        """Return how many rows there are, those of the margin included."""
        return self.window.height + 2 * self.margin

    @cached_property
    def inner(self) -> Board:
        """Return the window without its margin."""
        row = (1 << self.window.width) - 1 << self.margin
        rows = (row << y * self.pitch for y in range(self.margin, self.rows - self.margin))
        return reduce(or_, rows, 0)

    def bit(self, cell: Cell) -> int:
        """Return the number of a cell's bit."""
        x, y = cell.x - self.window.left + self.margin, cell.y - self.window.top + self.margin
        return y * self.pitch + x

    def cell(self, bit: int) -> Cell:
        """Return the cell of a bit."""
        y, x = divmod(bit, self.pitch)
        return Cell(self.window.left + x - self.margin, self.window.top + y - self.margin)

    def shift(self, dx: int, dy: int) -> int:
        """Return how many bits on the cell at an offset is."""
        return dy * self.pitch + dx

    def at(self, board: Board, cell: Cell) -> Board:
        """Return the anchors whose cell at an offset is in a board; trim to `inner` at last."""
        shift = cell[1] * self.pitch + cell[0]
        return board >> shift if shift >= 0 else board << -shift

    def every(self, board: Board, cells: Iterable[Cell]) -> Board:
        """Return the anchors all of whose cells at these offsets are in a board."""
        found = -1
        for cell in cells:
            found &= self.at(board, cell)
        return found

    def some(self, board: Board, cells: Iterable[Cell]) -> Board:
        """Return the anchors some of whose cells at these offsets are in a board."""
        found = 0
        for cell in cells:
            found |= self.at(board, cell)
        return found

    def at_least(self, count: int, board: Board, cells: Iterable[Cell]) -> Board:
        """Return the anchors that have `count` of their cells at these offsets in a board."""
        reached = [-1] + [0] * count
        for cell in cells:
            here = self.at(board, cell)
            for number in range(count, 0, -1):
                reached[number] |= reached[number - 1] & here
        return reached[count]

    def cut(self, array: NDArray[Any], layout: Layout, fill: Any) -> NDArray[Any]:
        """Copy the frame out of a board's array; beyond the board stands the filling."""
        left = self.window.left - self.margin - layout.left
        top = self.window.top - self.margin - layout.top
        width = self.window.width + 2 * self.margin
        inside = array[max(top, 0) : max(top + self.rows, 0), max(left, 0) : max(left + width, 0)]
        if inside.shape == (self.rows, width):
            return inside
        made = np.full((self.rows, width), fill, dtype=array.dtype)
        row, column = max(-top, 0), max(-left, 0)
        made[row : row + inside.shape[0], column : column + inside.shape[1]] = inside
        return made

    def pack(self, arrays: Sequence[Bools]) -> list[Board]:
        """Turn arrays of the frame's size into boards."""
        wide = np.zeros((len(arrays), self.rows, self.pitch), dtype=np.bool_)
        for number, array in enumerate(arrays):
            wide[number, :, : array.shape[1]] = array
        raw = np.packbits(wide, axis=2, bitorder="little").tobytes()
        size = self.rows * self.pitch // 8
        return [
            int.from_bytes(raw[i * size : (i + 1) * size], "little") for i in range(len(arrays))
        ]

    def unpack(self, boards: Sequence[Board]) -> NDArray[np.uint8]:
        """Turn boards into arrays of 0 and 1 over the window, (boards, height, width)."""
        size = self.rows * self.pitch // 8
        raw = b"".join(board.to_bytes(size, "little") for board in boards)
        bits = np.unpackbits(np.frombuffer(raw, dtype=np.uint8), bitorder="little")
        shaped = bits.reshape(len(boards), self.rows, self.pitch)
        m, (_, _, width, height) = self.margin, self.window
        return shaped[:, m : m + height, m : m + width]


def moved(board: Board, shift: int) -> Board:
    """Shift a board to higher bits, or to lower ones for a negative shift."""
    return board << shift if shift >= 0 else board >> -shift
