"""Hexes in axial coordinates, pointy or flat, one code for both.

The centre of hex (0, 0) is the world point (0.5, 0.5) and neighbouring centres are 1 apart.
Pointy hexes stand in rows: x = 0.5 + q + r/2, y = 0.5 + r * sqrt(3)/2. Flat hexes stand in
columns: x = 0.5 + q * sqrt(3)/2, y = 0.5 + r + q/2; that is the pointy grid mirrored in its
diagonal with q and r exchanged, and that is how it is computed.

Side i (0 to 5) counts clockwise from axial (1, 0); vertex i lies between the sides i and i + 1.
On pointy hexes side i is facing 2i and vertex i facing 2i + 1; on flat hexes both are one more
(DragonQuest 14.5). One rotation step is 60 degrees.

The board has `rows` rows of `columns` hexes in odd-offset order: odd rows (pointy) or odd columns
(flat) stand half a hex further on. Offset order is used for the board and printed labels alone.
"""

from dataclasses import dataclass
from math import floor, sqrt
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.grid.base import ORIGIN, Box, Corner, Direction, Grid
from engine.model.space import Cell, GridKind, Point

_STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_DIRECTIONS = {
    GridKind.HEX_POINTY: tuple(Direction(i, 2 * i, *s, False) for i, s in enumerate(_STEPS)),
    GridKind.HEX_FLAT: tuple(Direction(i, 2 * i + 1, *s, False) for i, s in enumerate(_STEPS)),
}
# Corners relative to a centre on the corner lattice, as (along, across) the rows: the unit is half
# a hex along, and a third of the row distance across. Vertex i stands at index i.
_POINTY_CORNERS = ((1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1))
_FLAT_CORNERS = ((1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2))
_ACROSS = sqrt(3) / 6
_ROW = sqrt(3) / 2


@dataclass(frozen=True)
class HexGrid(Grid):
    """Hexes whose neighbouring centres are 1 apart."""

    facings: ClassVar[int] = 12
    turns: ClassVar[int] = 6

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The six steps, clockwise from axial (1, 0)."""
        return _DIRECTIONS[self.kind]

    @property
    def pointy(self) -> bool:
        """Tell whether a corner points up."""
        return self.kind is GridKind.HEX_POINTY

    def center(self, cell: Cell) -> Point:
        """Return the world point in the middle of a hex."""
        along, across = self._middle(cell)
        return self.corner_point((along, across))

    def cell_at(self, point: Point) -> Cell:
        """Return the hex whose centre is nearest to a world point."""
        x, y = point if self.pointy else point[::-1]
        r = (y - 0.5) / _ROW
        q = x - 0.5 - r / 2
        s = -q - r
        whole_q, whole_r, whole_s = floor(q + 0.5), floor(r + 0.5), floor(s + 0.5)
        off_q, off_r, off_s = abs(whole_q - q), abs(whole_r - r), abs(whole_s - s)
        if off_q > off_r and off_q > off_s:
            whole_q = -whole_r - whole_s
        elif off_r > off_s:
            whole_r = -whole_q - whole_s
        return Cell(whole_q, whole_r) if self.pointy else Cell(whole_r, whole_q)

    def centers(self, cells: ArrayLike) -> NDArray[np.float64]:
        """Return the centres of an (n, 2) array of hexes."""
        array = np.asarray(cells, dtype=np.int64).reshape(-1, 2)
        q, r = (array[:, 0], array[:, 1]) if self.pointy else (array[:, 1], array[:, 0])
        along, across = 0.5 + (2 * q + r) * 0.5, 0.5 + 3 * r * _ACROSS
        return np.stack((along, across) if self.pointy else (across, along), axis=1)

    def cells_at(self, points: ArrayLike) -> NDArray[np.int64]:
        """Return the hexes of an (n, 2) array of world points."""
        array = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        x, y = (array[:, 0], array[:, 1]) if self.pointy else (array[:, 1], array[:, 0])
        r = (y - 0.5) / _ROW
        q = x - 0.5 - r / 2
        s = -q - r
        whole_q, whole_r, whole_s = (np.floor(v + 0.5) for v in (q, r, s))
        off_q, off_r, off_s = abs(whole_q - q), abs(whole_r - r), abs(whole_s - s)
        fix_q = (off_q > off_r) & (off_q > off_s)
        fix_r = ~fix_q & (off_r > off_s)
        fixed_q = np.where(fix_q, -whole_r - whole_s, whole_q)
        fixed_r = np.where(fix_r, -whole_q - whole_s, whole_r)
        pair = (fixed_q, fixed_r) if self.pointy else (fixed_r, fixed_q)
        return np.stack(pair, axis=1).astype(np.int64)

    def corners(self, cell: Cell) -> tuple[Corner, ...]:
        """Return the corners clockwise: vertex 0 to vertex 5."""
        along, across = self._middle(cell)
        around = _POINTY_CORNERS if self.pointy else _FLAT_CORNERS
        return tuple((along + da, across + dc) for da, dc in around)

    def corner_point(self, corner: Corner) -> Point:
        """Return the world point of a corner."""
        along, across = 0.5 + corner[0] * 0.5, 0.5 + corner[1] * _ACROSS
        return (along, across) if self.pointy else (across, along)

    def offset(self, cell: Cell) -> tuple[int, int]:
        """Return (column, row) in odd-offset order."""
        q, r = cell
        return (q + r // 2, r) if self.pointy else (q, r + q // 2)

    def from_offset(self, column: int, row: int) -> Cell:
        """Return the hex at a column and row of the odd-offset order."""
        if self.pointy:
            return Cell(column - row // 2, row)
        return Cell(column, row - column // 2)

    def distance(self, a: Cell, b: Cell) -> int:
        """Return the cube distance."""
        dq, dr = b.x - a.x, b.y - a.y
        return max(abs(dq), abs(dr), abs(dq + dr))

    def rotate(self, cell: Cell, steps: int, about: Cell = ORIGIN) -> Cell:
        """Turn a hex clockwise about another by 60-degree steps."""
        q, r = cell.x - about.x, cell.y - about.y
        for _ in range(steps % 6):
            q, r = -r, q + r
        return Cell(about.x + q, about.y + r)

    def path(self, a: Cell, b: Cell) -> tuple[Cell, ...]:
        """Return a straight walk over adjacent hexes; on a border always on the same side."""
        steps = self.distance(a, b)
        if steps == 0:
            return (a,)
        # A nudge far below the distance of any two different points settles every tie.
        fine = 16 * steps
        cells = []
        for i in range(steps + 1):
            q = (a.x * (steps - i) + b.x * i) * fine + 1
            r = (a.y * (steps - i) + b.y * i) * fine + 2
            cells.append(_round_cube(q, r, steps * fine))
        return tuple(cells)

    def _offsets_in(self, box: Box) -> tuple[tuple[int, int], tuple[int, int]]:
        left, top, right, bottom = (
            box if self.pointy else (box.top, box.left, box.bottom, box.right)
        )
        # A hex reaches half a unit along its row, and a row begins half a unit late at most; it
        # reaches 0.58 across, which is less than a row distance.
        along = floor(left - 1), floor(right) + 1
        across = floor((top - 0.5) / _ROW), floor((bottom - 0.5) / _ROW) + 1
        return (along, across) if self.pointy else (across, along)

    def _from_offsets(
        self, columns: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        pair = (columns - rows // 2, rows) if self.pointy else (columns, rows - columns // 2)
        return np.stack(pair, axis=1)

    def _middle(self, cell: Cell) -> Corner:
        q, r = cell if self.pointy else cell[::-1]
        return 2 * q + r, 3 * r

    def _strips(self, cell: Cell) -> tuple[int, ...]:
        q, r = cell
        return 2 * q + r, r - q, -q - 2 * r


def _round_cube(q: int, r: int, whole: int) -> Cell:
    """Round the exact cube point (q / whole, r / whole) to its hex."""
    s = -q - r
    near = [(2 * v + whole) // (2 * whole) for v in (q, r, s)]
    off = [abs(n * whole - v) for n, v in zip(near, (q, r, s), strict=True)]
    worst = off.index(max(off))
    near[worst] = near[worst] - sum(near)
    return Cell(near[0], near[1])
