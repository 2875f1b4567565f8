"""Facings: angles, directions and the front, flank and rear of any footprint.

A facing counts clockwise from East in the grid's own steps: 8 of 45 degrees on squares, 12 of 30
degrees on hexes. On hexes six facings look at a hexside and six at a vertex; which are which
depends on the orientation (DragonQuest 14.5).
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from math import atan2, cos, degrees, radians, sin
from types import MappingProxyType

from engine.grid.base import Grid
from engine.model.space import Cell, Facing, Point

_TOLERANCE_DEG = 0.01
"""Sizes 3, 7L and 7R have hexes exactly on 60 and 120 degrees (DragonQuest 1.3)."""


class Arc(StrEnum):
    """Where a bordering cell lies, seen from a figure."""

    FRONT = "front"
    FLANK = "flank"
    REAR = "rear"


def angle_deg(grid: Grid, facing: Facing) -> float:
    """Return the angle of a facing in degrees clockwise from East, 0 to below 360."""
    return (facing % grid.facings) * (360.0 / grid.facings)


def unit_vector(grid: Grid, facing: Facing) -> Point:
    """Return the world vector of length 1 along a facing."""
    angle = radians(angle_deg(grid, facing))
    return cos(angle), sin(angle)


def facing_toward(grid: Grid, start: Point, end: Point) -> Facing | None:
    """Return the facing nearest to the way from one world point to another, None if they are one.

    Half-way between two facings the clockwise one wins.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    if dx == 0 and dy == 0:
        return None
    steps = degrees(atan2(dy, dx)) / (360.0 / grid.facings)
    return int((steps + 0.5 + 1e-9) // 1) % grid.facings


def looks_at_side(grid: Grid, facing: Facing) -> bool:
    """Tell whether a facing looks straight at a neighbour; always so on squares."""
    return grid.facings == 8 or (facing - grid.directions[0].facing) % 2 == 0


def direction_ahead(grid: Grid, facing: Facing) -> int | None:
    """Return the number of the direction straight ahead, None when a vertex is."""
    if not looks_at_side(grid, facing):
        return None
    per_step = grid.facings // len(grid.directions)
    return (facing - grid.directions[0].facing) % grid.facings // per_step


def front_directions(grid: Grid, facing: Facing) -> tuple[int, ...]:
    """Return the numbers of the directions within 60 degrees of a facing, clockwise.

    Three from a side, two from a vertex of a hex; on squares the way ahead and its neighbours.
    """
    reach = 60.0 / (360.0 / grid.facings)
    found = []
    for offset in range(-grid.facings // 2, grid.facings // 2):
        ahead = direction_ahead(grid, facing + offset) if abs(offset) <= reach else None
        if ahead is not None:
            found.append(ahead)
    return tuple(found)


def turn_between(grid: Grid, a: Facing, b: Facing) -> int:
    """Return the least turn from one facing to another in facing steps, clockwise positive."""
    half = grid.facings // 2
    turn = (b - a) % grid.facings
    return turn - grid.facings if turn > half else turn


def bordering(grid: Grid, cells: Collection[Cell]) -> tuple[Cell, ...]:
    """Return the cells around a figure, corners of squares included, sorted."""
    covered = set(cells)
    around = {near.cell for cell in covered for near in grid.neighbours(cell)}
    return tuple(sorted(around - covered))


def centroid(grid: Grid, cells: Collection[Cell]) -> Point:
    """Return the mean of the cells' centres."""
    points = [grid.center(cell) for cell in cells]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def off_facing_deg(grid: Grid, cells: Collection[Cell], facing: Facing, point: Point) -> float:
    """Return the angle, 0 to 180 degrees, between a figure's facing and the way to a point.

    Measured from the centroid of its cells; 0 at the centroid itself.
    """
    x, y = centroid(grid, cells)
    dx, dy = point[0] - x, point[1] - y
    if dx == 0 and dy == 0:
        return 0.0
    turn = degrees(atan2(dy, dx)) - angle_deg(grid, facing)
    return abs((turn + 180.0) % 360.0 - 180.0)


def arc_to(grid: Grid, cells: Collection[Cell], facing: Facing, point: Point) -> Arc:
    """Return the arc of a figure in which a world point lies (DragonQuest 1.3).

    Up to 60 degrees from the facing is the front and from 120 on the rear; what lies between is
    the flank, except that a figure of one hex has none: there it is the rear.
    """
    angle = off_facing_deg(grid, cells, facing, point)
    if angle <= 60.0 + _TOLERANCE_DEG:
        return Arc.FRONT
    one_hex = grid.facings == 12 and len(cells) == 1
    return Arc.REAR if one_hex or angle >= 120.0 - _TOLERANCE_DEG else Arc.FLANK


def arcs(grid: Grid, cells: Collection[Cell], facing: Facing) -> Mapping[Cell, Arc]:
    """Return the arc of every bordering cell of a figure, in sorted order."""
    found = {c: arc_to(grid, cells, facing, grid.center(c)) for c in bordering(grid, cells)}
    return MappingProxyType(found)
