"""Distances by table rule: rulers, ranges and zones of reach. The ground does not count here.

Whoever wants to know what a move costs asks `movement.py`; these are ranges through the air.
"""

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from engine.geometry.stride import Cost, Diagonal
from engine.grid.grid import Grid
from engine.model.space import Cell

SLACK = 1e-9
"""Lengths that differ by less are equal."""


class HeightMetric(StrEnum):
    """How height joins a distance (Drase 6.2).

    `AXIS`: as one more axis of the rule at hand. `MAX`: the larger of height and distance.
    `SUM`: both together.
    """

    AXIS = "axis"
    MAX = "max"
    SUM = "sum"


def distance(
    grid: Grid,
    a: Cell,
    b: Cell,
    rule: Diagonal,
    *,
    rise: Cost = 0,
    height: HeightMetric = HeightMetric.AXIS,
) -> Cost:
    """Return the straight distance between two cells, `rise` cells apart in height.

    Whole numbers for whole rises, floats under `EUCLID` and `CIRCULAR`. On hexes it is the cube
    distance under every rule.
    """
    up = abs(rise)
    if grid.kind.is_hex:
        axes: tuple[Cost, Cost] = (grid.distance(a, b), 0)
        flat = axes[0]
    else:
        axes = (abs(b.x - a.x), abs(b.y - a.y))
        flat = _by_rule(axes, rule)
    match height:
        case HeightMetric.SUM:
            return flat + up
        case HeightMetric.MAX:
            return max(flat, up)
        case HeightMetric.AXIS:
            return flat if up == 0 else _with_height(axes, flat, up, rule)


def _by_rule(axes: Iterable[Cost], rule: Diagonal) -> Cost:
    longest, second = sorted(axes, reverse=True)[:2]
    match rule:
        case Diagonal.ALTERNATING:
            return longest + second // 2
        case Diagonal.ALWAYS_DOUBLE:
            return longest + second
        case Diagonal.CHEBYSHEV:
            return longest
        case Diagonal.EUCLID | Diagonal.CIRCULAR:
            return hypot(longest, second)


def _with_height(axes: tuple[Cost, Cost], flat: Cost, up: Cost, rule: Diagonal) -> Cost:
    if rule is Diagonal.CIRCULAR:
        return max(flat, up)
    return hypot(flat, up) if rule is Diagonal.EUCLID else _by_rule((*axes, up), rule)


def distance_between(
    grid: Grid,
    one: Iterable[Cell],
    other: Collection[Cell],
    rule: Diagonal,
    *,
    rise: Cost = 0,
    height: HeightMetric = HeightMetric.AXIS,
) -> Cost:
    """Return the distance between two figures: the least over all pairs of their cells."""
    return min(distance(grid, a, b, rule, rise=rise, height=height) for a in one for b in other)


class Measure(NamedTuple):
    """A ruler over stops: the whole, each leg, and the parity of the diagonals after it."""

    total: Cost
    legs: tuple[Cost, ...]
    parity: int


def ruler(grid: Grid, stops: Sequence[Cell], rule: Diagonal, parity: int = 0) -> Measure:
    """Measure straight legs from stop to stop; the alternation of diagonals runs on over them."""
    legs: list[Cost] = []
    for a, b in pairwise(stops):
        length = distance(grid, a, b, rule)
        if rule is Diagonal.ALTERNATING and not grid.kind.is_hex:
            diagonals = min(abs(b.x - a.x), abs(b.y - a.y))
            length += (diagonals + parity) // 2 - diagonals // 2
            parity = (parity + diagonals) % 2
        legs.append(length)
    return Measure(sum(legs), tuple(legs), parity)


def within(grid: Grid, figure: Collection[Cell], reach: Cost, rule: Diagonal) -> frozenset[Cell]:
    """Return the cells no farther than `reach` from a figure, its own included."""
    around = range(-int(reach), int(reach) + 1)
    near = {Cell(c.x + dx, c.y + dy) for c in figure for dx in around for dy in around}
    limit = reach + SLACK
    return frozenset(
        cell for cell in near if distance_between(grid, (cell,), figure, rule) <= limit
    )


class ZoneChange(StrEnum):
    """What a step does with a zone: a figure is in it while any of its cells is."""

    ENTERS = "enters"
    LEAVES = "leaves"
    STAYS = "stays"
    OUTSIDE = "outside"


def zone_change(
    zone: Collection[Cell], before: Iterable[Cell], after: Iterable[Cell]
) -> ZoneChange:
    """Tell what moving from some cells to others does with a zone."""
    was, now = any(c in zone for c in before), any(c in zone for c in after)
    if was == now:
        return ZoneChange.STAYS if now else ZoneChange.OUTSIDE
    return ZoneChange.ENTERS if now else ZoneChange.LEAVES
