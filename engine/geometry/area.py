"""Areas of effect: which cells a circle, cone, line, square or wall takes in.

A shape is laid over the cells as geometry, in world units, so that the size of a cell on the
screen never matters. What somebody in the area suffers belongs to the rulesets.

On hexes lengths are cube distances: a circle or burst about the middle of a hex takes all hexes
within that many steps; a cone is 60 degrees wide and looks in one of twelve directions.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import cos, dist, hypot, pi, radians, sin

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.arrays import Bools, Floats
from engine.geometry.coverage import Convex, covered_fractions
from engine.grid.grid import Box, Grid, Ring
from engine.model.region import AreaShape, ShapeKind
from engine.model.space import Cell, Point

SLACK = 1e-9
"""Borders count as inside; what differs by less is equal."""

CHORDS = 1024
"""The sides of a circle where only a polygon will do: its area is then 6e-6 too small."""

Rings = Sequence[Sequence[Point]]


class Coverage(StrEnum):
    """When a cell belongs to an area.

    `CENTER`: its centre does. `ANY`: some of it does; touching is not enough. `HALF`: at least
    half of it does.
    """

    CENTER = "center"
    ANY = "any"
    HALF = "half"


@dataclass(frozen=True, eq=False)
class _Laid:
    """A shape laid on a grid: what it covers, how far it reaches, and the box around it.

    `convex` is None where the reach in steps says it all; `steps` is None where lengths are
    Euclidean. `axis` is the middle line of a line one cell wide.
    """

    convex: Convex | None
    steps: float | None
    box: Box
    axis: tuple[Point, Point] | None = None


def area_cells(
    grid: Grid, shape: AreaShape, coverage: Coverage, *, seen: Rings | None = None
) -> tuple[Cell, ...]:
    """Return the cells of the board that a shape takes in, sorted.

    A cone leaves out the cell of its apex. A line or wall one cell wide takes, under `CENTER`,
    the cells that its axis crosses or touches (exact reading 6). `seen` is a valid polygon, an
    outer ring and its holes: nothing outside of it is affected, for walls block the way.
    """
    laid = _laid(grid, shape)
    cells = grid.cells_in(laid.box)
    centers = grid.centers(cells)
    kept = np.ones(len(cells), dtype=np.bool_)
    origin = grid.cell_at(shape.origin)
    if laid.steps is not None:
        kept = _steps_from(grid, origin, cells) <= laid.steps + SLACK
    if shape.shape is ShapeKind.CONE:
        kept &= (cells[:, 0] != origin.x) | (cells[:, 1] != origin.y)
    cells, centers = cells[kept], centers[kept]
    taken = _taken(grid, laid, coverage, centers)
    cells, centers = cells[taken], centers[taken]
    if seen is not None and len(cells):
        cells = cells[_in_sight(grid, shape, coverage, centers, seen)]
    columns, rows = cells[np.lexsort((cells[:, 1], cells[:, 0]))].T.tolist()
    return tuple(map(Cell, columns, rows))


def cone_apex(grid: Grid, caster: Collection[Cell], toward: Point) -> Cell:
    """Return the cell of a caster in which its cone begins: the nearest to where it aims."""
    return min(caster, key=lambda cell: (round(dist(grid.center(cell), toward), 9), cell))


def area_outline(grid: Grid, shape: AreaShape, chords: int = 64) -> Ring:
    """Return the border of a shape as one ring, arcs in pieces of 1 / `chords` of a circle.

    Where the shape is counted in steps on hexes, it is the border of its cells on the board;
    empty if there are none.
    """
    laid = _laid(grid, shape)
    if laid.steps is not None:
        rings = grid.rings(area_cells(grid, shape, Coverage.CENTER))
        return rings[0] if rings else ()
    return _ring(grid, shape, chords)


def _ring(grid: Grid, shape: AreaShape, chords: int) -> Ring:
    """Return the geometry of a shape; what is counted in steps is cut off farther out."""
    x, y = shape.origin
    match shape.shape:
        case ShapeKind.CONE if grid.kind.is_hex:
            middle, half = radians(_twelfth(shape.direction_deg)), pi / 6
            apex = grid.center(grid.cell_at(shape.origin))
            return (apex, *_arc(apex, 2 * shape.size + 2, middle - half, middle + half, 6))
        case ShapeKind.CONE:
            middle, half = radians(shape.direction_deg), pi / 4
            arc = _arc(shape.origin, shape.size, middle - half, middle + half, chords)
            return (shape.origin, *arc)
        case ShapeKind.LINE | ShapeKind.WALL:
            return _strip(*_ends(shape), shape.width)
        case ShapeKind.BURST if not grid.kind.is_hex:
            h = _half_side(grid, shape)
            return ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))
        case _:
            return _arc(shape.origin, shape.size, 0.0, 2 * pi, chords)[:-1]


def _laid(grid: Grid, shape: AreaShape) -> _Laid:
    x, y = shape.origin
    size = shape.size
    around = Box(x - size, y - size, x + size, y + size)
    match shape.shape:
        case ShapeKind.CONE:
            return _laid_cone(grid, shape, around)
        case ShapeKind.LINE | ShapeKind.WALL:
            return _laid_line(grid, shape)
        case _ if grid.kind.is_hex and _is_center(grid, shape.origin):
            return _Laid(None, size, around)
        case ShapeKind.BURST if not grid.kind.is_hex:
            half = _half_side(grid, shape)
            sides = [(1, 0, x - half), (-1, 0, -x - half), (0, 1, y - half), (0, -1, -y - half)]
            box = Box(x - half, y - half, x + half, y + half)
            return _Laid(Convex(np.array(sides, dtype=np.float64)), None, box)
        case _:
            return _Laid(Convex(np.zeros((0, 3)), (x, y, size)), None, around)


def _laid_cone(grid: Grid, shape: AreaShape, around: Box) -> _Laid:
    if not grid.kind.is_hex:
        wedge = _wedge(shape.origin, shape.direction_deg, 45.0)
        return _Laid(Convex(wedge, (*shape.origin, shape.size)), None, around)
    apex = grid.center(grid.cell_at(shape.origin))
    wedge = _wedge(apex, _twelfth(shape.direction_deg), 30.0)
    return _Laid(Convex(wedge), shape.size, around)


def _laid_line(grid: Grid, shape: AreaShape) -> _Laid:
    start, end = _ends(shape)
    length = dist(start, end)
    # A line without length has no direction; any will do.
    ux, uy = ((end[0] - start[0]) / length, (end[1] - start[1]) / length) if length else (1.0, 0.0)
    half = shape.width / 2
    along, across = ux * start[0] + uy * start[1], uy * start[0] - ux * start[1]
    sides = [
        (ux, uy, along),
        (-ux, -uy, -along - length),
        (uy, -ux, across - half),
        (-uy, ux, -across - half),
    ]
    box = Box(
        min(start[0], end[0]) - half,
        min(start[1], end[1]) - half,
        max(start[0], end[0]) + half,
        max(start[1], end[1]) + half,
    )
    # On hexes a given length counts steps.
    steps = shape.size if grid.kind.is_hex and shape.end is None else None
    axis = (start, end) if abs(shape.width - 1) <= SLACK else None
    return _Laid(Convex(np.array(sides)), steps, box, axis)


def _ends(shape: AreaShape) -> tuple[Point, Point]:
    if shape.end is not None:
        return shape.origin, shape.end
    angle = radians(shape.direction_deg)
    x, y = shape.origin
    return shape.origin, (x + shape.size * cos(angle), y + shape.size * sin(angle))


def _wedge(apex: Point, direction_deg: float, half_deg: float) -> Floats:
    """Return the two sides of an angle of twice `half_deg` about a direction."""
    sides = []
    for turn in (-half_deg, half_deg):
        angle = radians(direction_deg + turn)
        ux, uy = cos(angle), sin(angle)
        # The inside lies clockwise of the first side and counterclockwise of the second.
        normal = (-uy, ux) if turn < 0 else (uy, -ux)
        sides.append((*normal, normal[0] * apex[0] + normal[1] * apex[1]))
    return np.array(sides)


def _twelfth(direction_deg: float) -> float:
    """Return the nearest of the twelve directions of a hex cone."""
    return round(direction_deg / 30.0) * 30.0


def _half_side(grid: Grid, shape: AreaShape) -> float:
    """Return half the side of a burst: about the middle of a cell it counts whole cells."""
    return shape.size + (0.5 if _is_center(grid, shape.origin) else 0.0)


def _is_center(grid: Grid, point: Point) -> bool:
    return dist(grid.center(grid.cell_at(point)), point) <= SLACK


def _steps_from(grid: Grid, origin: Cell, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    dq, dr = cells[:, 0] - origin.x, cells[:, 1] - origin.y
    steps: NDArray[np.int64] = np.maximum(np.maximum(abs(dq), abs(dr)), abs(dq + dr))
    return steps


def _taken(grid: Grid, laid: _Laid, coverage: Coverage, centers: Floats) -> Bools:
    """Tell which cells, by their centres, the shape takes, walls aside."""
    if laid.convex is None:
        return np.ones(len(centers), dtype=np.bool_)
    if coverage is Coverage.CENTER:
        if laid.axis is not None:
            return _crossed(grid, laid.axis, centers)
        return laid.convex.depth(centers) >= -SLACK
    return _enough(laid.convex.fractions(grid, centers), coverage)


def _enough(fractions: Floats, coverage: Coverage) -> Bools:
    if coverage is Coverage.ANY:
        return fractions > SLACK
    return fractions >= 0.5 - SLACK


def _crossed(grid: Grid, axis: tuple[Point, Point], centers: Floats) -> Bools:
    """Tell which cells, by their centres, a straight line crosses or touches."""
    corners = np.asarray(grid.polygon(Cell(0, 0))) - 0.5
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    apothem = np.hypot(middles[:, 0], middles[:, 1])
    normals = middles / apothem[:, np.newaxis]
    start = (np.array(axis[0]) - centers) @ normals.T - apothem
    end = (np.array(axis[1]) - centers) @ normals.T - apothem
    # Positive is outside of a side: enter where it falls, leave where it rises.
    rise = end - start
    flat = abs(rise) <= 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        meets = (SLACK - start) / rise
    enters = np.where(~flat & (rise < 0), meets, 0.0).max(axis=1)
    leaves = np.where(~flat & (rise > 0), meets, 1.0).min(axis=1)
    missed = (flat & (start > SLACK)).any(axis=1)
    hit: Bools = ~missed & (np.maximum(enters, 0.0) <= np.minimum(leaves, 1.0))
    return hit


def _in_sight(
    grid: Grid, shape: AreaShape, coverage: Coverage, centers: Floats, seen: Rings
) -> Bools:
    """Tell which cells the shape still takes when only what is seen is affected."""
    polygon = shapely.make_valid(shapely.Polygon(seen[0], seen[1:]))
    if coverage is Coverage.CENTER:
        points = shapely.points(centers)
        near: Bools = shapely.dwithin(points, polygon, SLACK)
        return near
    if _laid(grid, shape).convex is not None:
        polygon = polygon.intersection(shapely.Polygon(_ring(grid, shape, CHORDS)))
    return _enough(covered_fractions(grid, polygon, centers), coverage)


def _arc(center: Point, radius: float, start: float, end: float, chords: int) -> Ring:
    pieces = max(1, round(chords * (end - start) / (2 * pi)))
    angles = [start + (end - start) * i / pieces for i in range(pieces + 1)]
    return tuple((center[0] + radius * cos(a), center[1] + radius * sin(a)) for a in angles)


def _strip(start: Point, end: Point, width: float) -> Ring:
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    x, y = (end[1] - start[1]) / length * width / 2, (start[0] - end[0]) / length * width / 2
    return (
        (start[0] + x, start[1] + y),
        (end[0] + x, end[1] + y),
        (end[0] - x, end[1] - y),
        (start[0] - x, start[1] - y),
    )
