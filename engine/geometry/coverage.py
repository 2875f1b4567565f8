"""How much of each cell lies inside something: exact areas, no sampling.

Two ways, both exact to rounding. Any polygon over squares: signed-area accumulation, as font
rasterisers do it (`coverage_fractions`). A convex shape over any cells: clip the cells by the
shape's straight sides and take the area inside its circle (`Convex.fractions`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.arrays import Floats
from engine.grid.base import ORIGIN
from engine.grid.grid import Box, Grid
from engine.model.space import Point


def coverage_fractions(rings: Sequence[Sequence[Point]], bounds: Box) -> Floats:
    """Return the covered fraction, 0 to 1, of each unit square of a box, (rows, columns).

    `rings` are an outer ring and its holes, each unclosed, in any direction, as a valid polygon
    has them; parts outside the box do not matter. The box has whole-number sides.
    """
    columns, rows = round(bounds.width), round(bounds.height)
    edges = np.concatenate([_edges(ring, hole=i > 0) for i, ring in enumerate(rings)])
    edges = edges - np.array([bounds.left, bounds.top])
    start, end = edges[:, 0], edges[:, 1]
    x, y, dy = _pieces(_held(start, end, rows), _held(end, start, rows), columns, rows)
    row = np.clip(np.floor(y), 0, rows - 1).astype(np.int64)
    # What lies left of the box still covers all of it; what lies right of it covers nothing.
    x = np.clip(x, 0.0, columns)
    column = np.minimum(np.floor(x), columns - 1).astype(np.int64)
    place = row * (columns + 1) + column
    part = x - column
    size = rows * (columns + 1)
    covered = np.bincount(place, dy * (1 - part), minlength=size).astype(np.float64)
    covered += np.bincount(place + 1, dy * part, minlength=size)[:size]
    fractions: Floats = np.cumsum(covered.reshape(rows, columns + 1), axis=1)[:, :columns]
    return np.clip(fractions, 0.0, 1.0)


def _edges(ring: Sequence[Point], *, hole: bool) -> Floats:
    """Return the edges (n, 2, 2) of a ring, turned so that its inside counts as wanted."""
    points = np.asarray(ring, dtype=np.float64).reshape(-1, 2)
    after = np.roll(points, -1, axis=0)
    area = float((points[:, 0] * after[:, 1] - after[:, 0] * points[:, 1]).sum())
    # Downward edges count positive for what lies right of them, and y runs down.
    forward = (area < 0) != hole
    return np.stack((points, after) if forward else (after, points), axis=1)


def _held(point: Floats, other: Floats, rows: int) -> Floats:
    """Return where edges enter the rows of a box: far-off ends would cost digits."""
    y = np.clip(point[:, 1], 0.0, rows)
    rise = other[:, 1] - point[:, 1]
    along = np.divide(y - point[:, 1], rise, out=np.zeros(len(y)), where=rise != 0)
    return np.column_stack((point[:, 0] + along * (other[:, 0] - point[:, 0]), y))


def _pieces(start: Floats, end: Floats, columns: int, rows: int) -> tuple[Floats, Floats, Floats]:
    """Cut edges at the lines between squares; return each piece's middle and its signed height."""
    step = end - start
    cuts = [np.zeros(len(start)), np.ones(len(start))]
    owners = [np.arange(len(start))] * 2
    for axis, last in ((0, columns), (1, rows)):
        low = np.minimum(start[:, axis], end[:, axis])
        high = np.maximum(start[:, axis], end[:, axis])
        first = np.clip(np.ceil(low), 0, last + 1).astype(np.int64)
        count = np.clip(np.floor(high), -1, last).astype(np.int64) - first + 1
        count = np.where(step[:, axis] == 0, 0, np.maximum(count, 0))
        owner = np.repeat(np.arange(len(start)), count)
        line = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count - first, count)
        cuts.append((line - start[owner, axis]) / step[owner, axis])
        owners.append(owner)
    owner, cut = np.concatenate(owners), np.concatenate(cuts)
    order = np.lexsort((cut, owner))
    owner, cut = owner[order], cut[order]
    same = owner[1:] == owner[:-1]
    owner, before, after = owner[1:][same], cut[:-1][same], cut[1:][same]
    middle = start[owner] + ((before + after) / 2)[:, np.newaxis] * step[owner]
    inside = after > before
    height = (after - before) * step[owner, 1]
    return middle[inside, 0], middle[inside, 1], height[inside]


def covered_fractions(grid: Grid, region: shapely.Geometry, centers: Floats) -> Floats:
    """Return the fraction, 0 to 1, that any region covers of the cells with these centres."""
    if grid.kind.is_hex:
        corners = np.asarray(grid.polygon(ORIGIN)) - 0.5
        hexes = shapely.polygons(centers[:, np.newaxis] + corners)
        shapely.prepare(region)
        areas: Floats = shapely.area(shapely.intersection(hexes, region))
        shares: Floats = areas / (_doubled_area(corners) / 2)
        return shares
    low, high = np.floor(centers.min(axis=0)), np.floor(centers.max(axis=0)) + 1
    box = Box(low[0], low[1], high[0], high[1])
    total = np.zeros((round(box.height), round(box.width)))
    for part in shapely.get_parts(region):
        if part.geom_type == "Polygon" and not part.is_empty:
            rings = [part.exterior, *part.interiors]
            total += coverage_fractions([list(ring.coords)[:-1] for ring in rings], box)
    places = np.floor(centers - low).astype(np.int64)
    found: Floats = total[places[:, 1], places[:, 0]]
    return found


@dataclass(frozen=True, eq=False)
class Convex:
    """A convex shape: everything inside all of its sides and, if there is one, its circle.

    `sides` is (m, 3): a point is inside where a x + b y >= c, with (a, b) of length 1. `circle` is
    (x, y, radius).
    """

    sides: Floats
    circle: tuple[float, float, float] | None = None

    def depth(self, points: Floats) -> Floats:
        """Return how deep points (n, 2) lie inside the border; negative outside.

        Beyond a corner it is the distance from the worst side, not from the corner.
        """
        depths = [points @ side[:2] - side[2] for side in self.sides]
        if self.circle is not None:
            x, y, radius = self.circle
            depths.append(radius - np.hypot(points[:, 0] - x, points[:, 1] - y))
        deepest: Floats = np.minimum.reduce(depths)
        return deepest

    def fractions(self, grid: Grid, centers: Floats) -> Floats:
        """Return the covered fraction, 0 to 1, of the cells with these centres (n, 2)."""
        corners = np.asarray(grid.polygon(ORIGIN)) - 0.5
        area = _doubled_area(corners) / 2
        depth = self.depth(centers)
        around = float(np.hypot(corners[:, 0], corners[:, 1]).max())
        fractions = (depth >= around).astype(np.float64)
        edge = np.abs(depth) < around
        if edge.any():
            fractions[edge] = self._areas(centers[edge], corners) / area
        return fractions

    def _areas(self, centers: Floats, corners: Floats) -> Floats:
        """Return the area inside the shape of copies of one convex polygon."""
        starts = centers[:, np.newaxis] + corners
        ends = np.roll(starts, -1, axis=1)
        for side in self.sides:
            starts, ends = _clipped(starts, ends, side)
        if self.circle is None:
            doubled: Floats = _cross(starts, ends).sum(axis=1)
            return np.maximum(doubled / 2, 0.0)
        x, y, radius = self.circle
        middle = np.array([x, y])
        return np.maximum(_inside_circle(starts - middle, ends - middle, radius), 0.0)


def _clipped(starts: Floats, ends: Floats, side: Floats) -> tuple[Floats, Floats]:
    """Cut convex polygons, given as bags of edges (n, k, 2), by one side.

    Edges outside shrink to nothing; one edge along the side closes the polygon again.
    """
    first = starts @ side[:2] - side[2]
    last = ends @ side[:2] - side[2]
    with np.errstate(divide="ignore", invalid="ignore"):
        along = np.where(first == last, 0.0, first / (first - last))
    meet = starts + np.clip(along, 0.0, 1.0)[..., np.newaxis] * (ends - starts)
    entering, leaving = (first < 0) & (last >= 0), (first >= 0) & (last < 0)
    outside = (first < 0) & (last < 0)
    starts = np.where((entering | outside)[..., np.newaxis], meet, starts)
    ends = np.where((leaving | outside)[..., np.newaxis], meet, ends)
    exits = (meet * leaving[..., np.newaxis]).sum(axis=1, keepdims=True)
    entries = (meet * entering[..., np.newaxis]).sum(axis=1, keepdims=True)
    return np.concatenate((starts, exits), axis=1), np.concatenate((ends, entries), axis=1)


def _inside_circle(starts: Floats, ends: Floats, radius: float) -> Floats:
    """Return the area inside a circle about the origin of polygons given as bags of edges.

    Each edge and the origin span a triangle; where the edge leaves the circle, a sector.
    """
    step = ends - starts
    square = (step**2).sum(axis=-1)
    half = (starts * step).sum(axis=-1)
    rest = (starts**2).sum(axis=-1) - radius**2
    root = half**2 - square * rest
    with np.errstate(divide="ignore", invalid="ignore"):
        wide = np.sqrt(np.maximum(root, 0.0))
        enters = np.where(root > 0, np.clip((-half - wide) / square, 0.0, 1.0), 0.0)
        leaves = np.where(root > 0, np.clip((-half + wide) / square, 0.0, 1.0), 0.0)
    near = _along(starts, ends, np.nan_to_num(enters))
    far = _along(starts, ends, np.nan_to_num(leaves))
    triangles = _cross(near, far)
    sectors = radius**2 * (_angle(starts, near) + _angle(far, ends))
    doubled: Floats = (triangles + sectors).sum(axis=1)
    return doubled / 2


def _along(starts: Floats, ends: Floats, share: Floats) -> Floats:
    """Return points along edges; an end is itself to the bit, for rounding has no angle."""
    part = share[..., np.newaxis]
    return np.where(part <= 0, starts, np.where(part >= 1, ends, starts + part * (ends - starts)))


def _angle(a: Floats, b: Floats) -> Floats:
    angle: Floats = np.arctan2(_cross(a, b), (a * b).sum(axis=-1))
    return angle


def _cross(a: Floats, b: Floats) -> Floats:
    product: Floats = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product


def _doubled_area(corners: NDArray[Any]) -> float:
    return float(_cross(corners, np.roll(corners, -1, axis=0)).sum())
