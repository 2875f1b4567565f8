"""What a footprint does in each step: the cells it enters and leaves, and the walls it meets."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.geometry.stride import Stride
from engine.grid.base import ORIGIN
from engine.grid.grid import Direction, Grid
from engine.model.space import Cell, Facing

Edge = tuple[Cell, int]
"""The step from a cell in the direction with that number."""


class Side(NamedTuple):
    """A cell beside a diagonal step, and the two steps that lead around over it."""

    cell: Cell
    edges: tuple[Edge, Edge]


class Shape(NamedTuple):
    """A footprint at one facing, relative to its anchor, and what a step in each direction does.

    `inner` are the edges inside the figure that a step newly lays over the ground: no wall may
    cut through a figure. `corners` are the sides of a diagonal step at the leading cells.
    """

    cells: tuple[Cell, ...]
    entered: tuple[tuple[Cell, ...], ...]
    left: tuple[tuple[Cell, ...], ...]
    inner: tuple[tuple[Edge, ...], ...]
    corners: tuple[tuple[tuple[Side, Side], ...], ...]

    def edges(self, direction: int) -> tuple[Edge, ...]:
        """Return the steps that all its cells take."""
        return tuple((cell, direction) for cell in self.cells)


class Swing(NamedTuple):
    """A turn about the anchor: the cells that the figure sweeps over, and the edges it meets."""

    entered: tuple[Cell, ...]
    edges: tuple[Edge, ...]


def shape_of(grid: Grid, stride: Stride, facing: Facing) -> Shape:
    """Return the shape of a figure at a facing."""
    return _shape(grid, stride.footprint.cells_at(grid, ORIGIN, facing))


@lru_cache(maxsize=256)
def _shape(grid: Grid, cells: tuple[Cell, ...]) -> Shape:
    moved = [tuple(Cell(x + d.dx, y + d.dy) for x, y in cells) for d in grid.directions]
    entered = [tuple(cell for cell in new if cell not in cells) for new in moved]
    left = [tuple(cell for cell in cells if cell not in new) for new in moved]
    inner = [_inner_edges(grid, new, fresh) for new, fresh in zip(moved, entered, strict=True)]
    corners = [_corners(grid, cells, direction) for direction in grid.directions]
    return Shape(cells, tuple(entered), tuple(left), tuple(inner), tuple(corners))


def _inner_edges(grid: Grid, cells: Sequence[Cell], fresh: Sequence[Cell]) -> tuple[Edge, ...]:
    """Return the steps, both ways, between fresh cells of a figure and its other cells."""
    found: dict[Edge, None] = {}
    for cell in fresh:
        for other, direction in grid.neighbours(cell):
            back = grid.step_between(other, cell)
            if other in cells and back is not None and not direction.diagonal:
                found[cell, direction.number] = None
                found[other, back.number] = None
    return tuple(found)


def _corners(
    grid: Grid, cells: Sequence[Cell], direction: Direction
) -> tuple[tuple[Side, Side], ...]:
    """Return the two sides of a diagonal step at each cell that leads."""
    if not direction.diagonal:
        return ()
    ahead = [direction.dx * x + direction.dy * y for x, y in cells]
    leading = [cell for cell, far in zip(cells, ahead, strict=True) if far == max(ahead)]
    before, after = (direction.number - 1) % 8, (direction.number + 1) % 8
    found = []
    for cell in leading:
        one, other = grid.translate(cell, before), grid.translate(cell, after)
        sides = (
            Side(one, ((cell, before), (one, after))),
            Side(other, ((cell, after), (other, before))),
        )
        found.append(sides)
    return tuple(found)


@lru_cache(maxsize=256)
def swing_of(grid: Grid, old: tuple[Cell, ...], new: tuple[Cell, ...]) -> Swing:
    """Return what a figure sweeps over when it turns from some cells to others.

    Each cell moves along the straight path of cells to its new place.
    """
    entered: dict[Cell, None] = {}
    edges: dict[Edge, None] = {}
    for start, end in zip(old, new, strict=True):
        path = grid.path(start, end)
        entered.update(dict.fromkeys(cell for cell in path if cell not in old))
        for one, two in zip(path, path[1:], strict=False):
            direction = grid.step_between(one, two)
            if direction is not None:
                edges[one, direction.number] = None
    fresh = [cell for cell in new if cell not in old]
    edges.update(dict.fromkeys(_inner_edges(grid, new, fresh)))
    return Swing(tuple(entered), tuple(edges))
