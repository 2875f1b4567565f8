"""Where drawn points go: to corners and middles of cells unless snapping is suspended."""

from collections.abc import Iterable
from math import dist

from engine.grid.grid import Grid
from engine.model.space import Point


def snap(grid: Grid, point: Point, *, free: bool = False) -> Point:
    """Return the nearest corner, middle of an edge, or centre of the cell; `free` keeps it."""
    if free:
        return (round(point[0], 3), round(point[1], 3))
    cell = grid.cell_at(point)
    corners = grid.polygon(cell)
    edges = [
        ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
    ]
    return nearest((*corners, *edges, grid.center(cell)), point)


def snap_corner(grid: Grid, point: Point, *, free: bool = False) -> Point:
    """Return the nearest corner of the cell; `free` keeps the point."""
    if free:
        return (round(point[0], 3), round(point[1], 3))
    return nearest(grid.polygon(grid.cell_at(point)), point)


def nearest(candidates: Iterable[Point], point: Point) -> Point:
    """Return the candidate closest to a point."""
    return min(candidates, key=lambda each: dist(each, point))
