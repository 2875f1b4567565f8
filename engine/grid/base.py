"""What every grid can do, whatever the shape of its cells.

A grid maps cells to world points and back, knows its board (a rectangle of `columns` x `rows`
cells in offset order) and answers for cells outside that board too: negative cells are legal
everywhere. Origin, orientation and spacing stand in `square.py` and `hex.py`. Rules of distance
and movement do not belong here.

A base class, not a protocol: outlines, lines and labels are the same code for all three kinds.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.grid.crossing import Crossed, Ints, all_crossings, crossings
from engine.model.refusal import impossible
from engine.model.space import Cell, Facing, GridKind, Point

Corner = tuple[int, int]
"""A corner of a cell on the grid's own integer corner lattice; cells that meet share it exactly."""

Ring = tuple[Point, ...]
"""A closed polygon without a repeated last point, clockwise on the screen."""

ORIGIN = Cell(0, 0)
_LABEL = re.compile(r"\s*(-?)([A-Za-z]{1,7})(-?[0-9]{1,9})\s*")


class Direction(NamedTuple):
    """One step to a neighbour: `number` counts clockwise, `facing` is where the step looks."""

    number: int
    facing: Facing
    dx: int
    dy: int
    diagonal: bool


class Neighbour(NamedTuple):
    """A cell beside another one, and the direction that leads to it."""

    cell: Cell
    direction: Direction


class Box(NamedTuple):
    """A rectangle in world units."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Give the horizontal extent."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Give the vertical extent."""
        return self.bottom - self.top


@dataclass(frozen=True)
class Grid(ABC):
    """A board of `columns` x `rows` cells; equal grids compare and hash equal."""

    kind: GridKind
    columns: int
    rows: int

    facings: ClassVar[int]
    """How many facings there are: 8 on squares, 12 on hexes."""
    turns: ClassVar[int]
    """How many rotation steps make a full turn: 4 on squares, 6 on hexes."""

    def __post_init__(self) -> None:
        """Refuse boards without cells."""
        if self.columns < 1 or self.rows < 1:
            raise ValueError(f"A board needs at least one cell, not {self.columns} x {self.rows}.")

    @property
    @abstractmethod
    def directions(self) -> tuple[Direction, ...]:
        """The steps to all neighbours, clockwise; `directions[i].number == i`."""

    @abstractmethod
    def center(self, cell: Cell) -> Point:
        """Return the world point in the middle of a cell."""

    @abstractmethod
    def cell_at(self, point: Point) -> Cell:
        """Return the cell that contains a world point; a border belongs to one of its cells."""

    @abstractmethod
    def centers(self, cells: ArrayLike) -> NDArray[np.float64]:
        """Return the centres of an (n, 2) array of cells as an (n, 2) array of world points."""

    @abstractmethod
    def cells_at(self, points: ArrayLike) -> NDArray[np.int64]:
        """Return the cells of an (n, 2) array of world points as an (n, 2) array."""

    @abstractmethod
    def corners(self, cell: Cell) -> tuple[Corner, ...]:
        """Return a cell's corners on the integer corner lattice, clockwise."""

    @abstractmethod
    def corner_point(self, corner: Corner) -> Point:
        """Return the world point of a corner; the same bits for every cell that shares it."""

    @abstractmethod
    def offset(self, cell: Cell) -> tuple[int, int]:
        """Return (column, row) of a cell in printed order, both from 0."""

    @abstractmethod
    def from_offset(self, column: int, row: int) -> Cell:
        """Return the cell at a printed column and row, both from 0."""

    @abstractmethod
    def distance(self, a: Cell, b: Cell) -> int:
        """Return the least number of steps between two cells (Chebyshev, or cube distance)."""

    @abstractmethod
    def rotate(self, cell: Cell, steps: int, about: Cell = ORIGIN) -> Cell:
        """Turn a cell clockwise about another by `steps` of 360 / `turns` degrees."""

    @abstractmethod
    def path(self, a: Cell, b: Cell) -> tuple[Cell, ...]:
        """Return a straight walk of `distance(a, b)` steps over adjacent cells, both ends in."""

    @abstractmethod
    def _strips(self, cell: Cell) -> tuple[int, ...]:
        """Return integer coordinates in which the closed cell is everything within 1."""

    def translate(self, cell: Cell, direction: int, count: int = 1) -> Cell:
        """Move a cell `count` steps in the direction with that number."""
        step = self.directions[direction]
        return Cell(cell.x + count * step.dx, cell.y + count * step.dy)

    def neighbours(self, cell: Cell) -> tuple[Neighbour, ...]:
        """Return all cells around a cell, clockwise from East, on the board or not."""
        x, y = cell
        return tuple(Neighbour(Cell(x + d.dx, y + d.dy), d) for d in self.directions)

    def step_between(self, a: Cell, b: Cell) -> Direction | None:
        """Return the direction that leads from a cell to a neighbour, or None if not adjacent."""
        offset = (b.x - a.x, b.y - a.y)
        return next((d for d in self.directions if (d.dx, d.dy) == offset), None)

    def crossed(self, a: Cell, b: Cell) -> tuple[tuple[Cell, ...], ...]:
        """Return what the line from centre to centre crosses, in order, both ends included.

        Each entry is one cell, or the cells that share the border or corner on which the line
        runs: such an entry blocks only if all its cells block (exact reading 6).
        """
        around = tuple((d.dx, d.dy) for d in self.directions)
        return crossings(a, b, self._strips, around)

    def crossed_by(self, starts: Ints, ends: Ints) -> Crossed:
        """Return what the lines between cells (n, 2) cross, all at once."""
        strips = np.array([self._strips(Cell(1, 0)), self._strips(Cell(0, 1))]).T
        return all_crossings(starts, ends, strips)

    def line(self, a: Cell, b: Cell) -> tuple[Cell, ...]:
        """Return every cell that the line from centre to centre crosses or touches, in order."""
        return tuple(dict.fromkeys(cell for entry in self.crossed(a, b) for cell in entry))

    def contains(self, cell: Cell) -> bool:
        """Tell whether a cell lies on the board."""
        column, row = self.offset(cell)
        return 0 <= column < self.columns and 0 <= row < self.rows

    def cells_in(self, box: Box) -> NDArray[np.int64]:
        """Return the cells of the board that may meet a box, (n, 2), row by row.

        All that do are among them, and few others.
        """
        columns, rows = self._offsets_in(box)
        row, column = np.meshgrid(
            np.arange(max(rows[0], 0), min(rows[1], self.rows - 1) + 1),
            np.arange(max(columns[0], 0), min(columns[1], self.columns - 1) + 1),
            indexing="ij",
        )
        return self._from_offsets(column.ravel(), row.ravel())

    @abstractmethod
    def _offsets_in(self, box: Box) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the first and last column and row that may meet a box."""

    @abstractmethod
    def _from_offsets(
        self, columns: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the cells (n, 2) at printed columns and rows."""

    def cells(self) -> Iterator[Cell]:
        """Yield the cells of the board, row by row."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield self.from_offset(column, row)

    @cached_property
    def bounds(self) -> Box:
        """The smallest box in world units that holds the board."""
        columns = sorted({0, min(1, self.columns - 1), self.columns - 1})
        rows = sorted({0, min(1, self.rows - 1), self.rows - 1})
        extremes = [self.polygon(self.from_offset(c, r)) for c in columns for r in rows]
        points = [point for polygon in extremes for point in polygon]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return Box(min(xs), min(ys), max(xs), max(ys))

    @cached_property
    def outline(self) -> Ring:
        """The border of the board as one ring."""
        last_column, last_row = self.columns - 1, self.rows - 1
        rim = [self.from_offset(c, r) for c in range(self.columns) for r in {0, last_row}]
        rim += [self.from_offset(c, r) for r in range(1, last_row) for c in {0, last_column}]
        return self.rings(rim)[0]

    def polygon(self, cell: Cell) -> Ring:
        """Return the corner points of a cell, clockwise."""
        return tuple(self.corner_point(corner) for corner in self.corners(cell))

    def rings(self, cells: Iterable[Cell]) -> tuple[Ring, ...]:
        """Return the borders of a set of cells, the largest ring first, holes counterclockwise.

        Collinear corners are dropped. Cells that touch at a corner alone share one ring.
        """
        edges: dict[Corner, dict[Corner, None]] = {}
        for cell in dict.fromkeys(cells):
            corners = self.corners(cell)
            for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
                if start in edges.get(end, ()):
                    del edges[end][start]
                else:
                    edges.setdefault(start, {})[end] = None
        found = []
        # A ring that began where two cells touch would not know which gap it follows.
        for start in sorted(edges, key=lambda corner: len(edges[corner])):
            while edges[start]:
                ring = _straighten(_chain(edges, start))
                found.append(tuple(self.corner_point(corner) for corner in ring))
        return tuple(sorted(found, key=_area, reverse=True))

    def label(self, cell: Cell) -> str:
        """Return the printed name of a cell: column letters and row number, "C4".

        Beyond the left edge the letters count outwards behind a minus sign ("-A" touches "A");
        rows above the first are 0, -1, ...
        """
        column, row = self.offset(cell)
        letters = _letters(column) if column >= 0 else "-" + _letters(-1 - column)
        return f"{letters}{row + 1}"

    def parse_label(self, text: str) -> Cell:
        """Return the cell with a printed name; raise Rejected otherwise."""
        match = _LABEL.fullmatch(text)
        if match is None:
            sentence = f"“{text}” names no cell; write a column and a row, such as C4."
            raise impossible("bad_cell", sentence)
        minus, letters, number = match.groups()
        column = _number(letters.upper())
        return self.from_offset(-1 - column if minus else column, int(number) - 1)


def _letters(number: int) -> str:
    """Spell 0, 1, ... as A, B, ... Z, AA, AB, ..."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("A") + digit) + text
    return text


def _number(letters: str) -> int:
    value = 0
    for letter in letters:
        value = value * 26 + ord(letter) - ord("A") + 1
    return value - 1


def _chain(edges: dict[Corner, dict[Corner, None]], start: Corner) -> list[Corner]:
    """Take one closed ring out of directed edges.

    Where two cells touch at a corner, follow the gap between them: then the outer border of
    connected cells touches itself nowhere.
    """
    ring = [start]
    before, here = start, next(iter(edges[start]))
    del edges[before][here]
    while here != start:
        ring.append(here)
        following = max(edges[here], key=lambda corner: _left_turn(before, here, corner))
        del edges[here][following]
        before, here = here, following
    return ring


def _left_turn(a: Corner, b: Corner, c: Corner) -> int:
    """Return more than 0 for a left turn at b, seen on the screen."""
    return (b[1] - a[1]) * (c[0] - b[0]) - (b[0] - a[0]) * (c[1] - b[1])


def _straighten(ring: list[Corner]) -> list[Corner]:
    around = zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True)
    return [b for a, b, c in around if _left_turn(a, b, c)]


def _area(ring: Ring) -> float:
    pairs = zip(ring, ring[1:] + ring[:1], strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)
