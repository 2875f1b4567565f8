"""What movement and areas are measured against: the ways one would write them first.

Written once, plainly and honestly, and not touched when the product is tuned.
"""

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
import shapely

from engine.model.space import Cell

EIGHT = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
SIX = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


class Ground(NamedTuple):
    """A board in lists, [y][x]: which cells are open, and what an orthogonal step in costs."""

    open: list[list[bool]]
    rough: list[list[int]]


def reach_by_heap(ground: Ground, start: Cell, budget: int) -> dict[tuple[int, int], int]:
    """Return the least cost of each cell: 1, 2, 1, 2 diagonals, difficult ground adds, one side of
    a diagonal step must be open.
    """  # noqa: D205
    open_, rough = ground
    height, width = len(open_), len(open_[0])
    done: set[tuple[int, int, int]] = set()
    found: dict[tuple[int, int], int] = {}
    queue = [(0, start.x, start.y, 0)]
    while queue:
        cost, x, y, odd = heappop(queue)
        if (x, y, odd) in done:
            continue
        done.add((x, y, odd))
        found.setdefault((x, y), cost)
        for dx, dy in EIGHT:
            to_x, to_y = x + dx, y + dy
            if not (0 <= to_x < width and 0 <= to_y < height and open_[to_y][to_x]):
                continue
            price, after = rough[to_y][to_x], odd
            if dx and dy:
                if not (open_[y][to_x] or open_[to_y][x]):
                    continue
                price += odd
                after = 1 - odd
            if cost + price <= budget and (to_x, to_y, after) not in done:
                heappush(queue, (cost + price, to_x, to_y, after))
    return found


def turning_by_heap(ground: Ground, start: Cell, budget: int) -> dict[tuple[int, int], int]:
    """Return the least cost of each hex: a step into the three hexes ahead, a turn for 1."""
    open_, rough = ground
    height, width = len(open_), len(open_[0])
    done: set[tuple[int, int, int]] = set()
    found: dict[tuple[int, int], int] = {}
    queue = [(0, start.x, start.y, 0)]
    while queue:
        cost, x, y, side = heappop(queue)
        if (x, y, side) in done:
            continue
        done.add((x, y, side))
        found.setdefault((x, y), cost)
        for turn in (1, 5):
            after = (side + turn) % 6
            if cost < budget and (x, y, after) not in done:
                heappush(queue, (cost + 1, x, y, after))
        for turn in (5, 0, 1):
            dx, dy = SIX[(side + turn) % 6]
            to_x, to_y = x + dx, y + dy
            if 0 <= to_x < width and 0 <= to_y < height and open_[to_y][to_x]:
                price = rough[to_y][to_x]
                if cost + price <= budget and (to_x, to_y, side) not in done:
                    heappush(queue, (cost + price, to_x, to_y, side))
    return found


def coverage_by_shapely(polygon: shapely.Polygon) -> np.ndarray:
    """Return the covered fraction of each square around a polygon, asked square by square.

    The polygon is prepared, and only the squares on its border are cut with it.
    """
    left, top, right, bottom = np.round(polygon.bounds).astype(int)
    xs, ys = np.meshgrid(np.arange(left - 1, right + 1), np.arange(top - 1, bottom + 1))
    squares = shapely.box(xs, ys, xs + 1, ys + 1)
    shapely.prepare(polygon)
    fractions = shapely.contains_properly(polygon, squares).astype(float)
    border = shapely.intersects(polygon, squares) & (fractions == 0)
    fractions[border] = shapely.area(shapely.intersection(squares[border], polygon))
    return fractions
