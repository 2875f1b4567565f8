"""Squares: cell (x, y) covers [x, x+1) x [y, y+1) of the world, its centre at +0.5.

Directions and facings are the same eight, clockwise from East: E SE S SW W NW N NE; the odd ones
are diagonal. One rotation step is 90 degrees.
"""

from dataclasses import dataclass
from math import floor
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.grid.base import ORIGIN, Box, Corner, Direction, Grid
from engine.model.space import Cell, Point

_STEPS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
_DIRECTIONS = tuple(Direction(i, i, dx, dy, i % 2 == 1) for i, (dx, dy) in enumerate(_STEPS))


@dataclass(frozen=True)
class SquareGrid(Grid):
    """Squares of side 1."""

    facings: ClassVar[int] = 8
    turns: ClassVar[int] = 4

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The eight steps, clockwise from East."""
        return _DIRECTIONS

    def center(self, cell: Cell) -> Point:
        """Return the world point in the middle of a square."""
        return cell.x + 0.5, cell.y + 0.5

    def cell_at(self, point: Point) -> Cell:
        """Return the square that contains a world point; left and top borders belong to it."""
        return Cell(floor(point[0]), floor(point[1]))

    def centers(self, cells: ArrayLike) -> NDArray[np.float64]:
        """Return the centres of an (n, 2) array of squares."""
        return np.asarray(cells, dtype=np.float64).reshape(-1, 2) + 0.5

    def cells_at(self, points: ArrayLike) -> NDArray[np.int64]:
        """Return the squares of an (n, 2) array of world points."""
        array = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        return np.floor(array).astype(np.int64)

    def corners(self, cell: Cell) -> tuple[Corner, ...]:
        """Return the corners, clockwise from the top left."""
        x, y = cell
        return (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)

    def corner_point(self, corner: Corner) -> Point:
        """Return the world point of a corner: the corner lattice is the world's whole numbers."""
        return float(corner[0]), float(corner[1])

    def offset(self, cell: Cell) -> tuple[int, int]:
        """Return (column, row)."""
        return cell.x, cell.y

    def from_offset(self, column: int, row: int) -> Cell:
        """Return the square at a column and row."""
        return Cell(column, row)

    def distance(self, a: Cell, b: Cell) -> int:
        """Return the Chebyshev distance: a diagonal is one step."""
        return max(abs(b.x - a.x), abs(b.y - a.y))

    def rotate(self, cell: Cell, steps: int, about: Cell = ORIGIN) -> Cell:
        """Turn a square clockwise about another by quarter turns."""
        dx, dy = cell.x - about.x, cell.y - about.y
        for _ in range(steps % 4):
            dx, dy = -dy, dx
        return Cell(about.x + dx, about.y + dy)

    def path(self, a: Cell, b: Cell) -> tuple[Cell, ...]:
        """Return a straight walk over adjacent squares; halves round towards `a`'s side."""
        steps = self.distance(a, b)
        dx, dy = b.x - a.x, b.y - a.y
        return tuple(
            Cell(a.x + _share(dx, i, steps), a.y + _share(dy, i, steps)) for i in range(steps + 1)
        )

    def _offsets_in(self, box: Box) -> tuple[tuple[int, int], tuple[int, int]]:
        return (floor(box.left), floor(box.right)), (floor(box.top), floor(box.bottom))

    def _from_offsets(
        self, columns: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        return np.stack((columns, rows), axis=1)

    def _strips(self, cell: Cell) -> tuple[int, ...]:
        return 2 * cell.x, 2 * cell.y


def _share(length: int, part: int, whole: int) -> int:
    """Return round(length * part / whole), halves toward 0, so that mirrored paths mirror."""
    if whole == 0:
        return 0
    size = (2 * abs(length) * part + whole - 1) // (2 * whole)
    return size if length >= 0 else -size
