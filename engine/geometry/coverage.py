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
    parts = [_edges(ring, bounds, hole=number > 0) for number, ring in enumerate(rings)]
    edges = _held(parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1), rows)
    x, y, dy = _pieces(edges, columns, rows)
    # What lies left of the box still covers all of it; what lies right of it covers nothing.
    x = np.minimum(np.maximum(x, 0.0), columns)
    column = np.minimum(x.astype(np.int64), columns - 1)
    row = np.minimum(y.astype(np.int64), rows - 1)
    place = row * (columns + 1) + column
    right = dy * (x - column)
    size = rows * (columns + 1)
    covered = np.bincount(place, dy - right, minlength=size).astype(np.float64, copy=False)
    covered[1:] += np.bincount(place + 1, right, minlength=size)[1:size]
    fractions: Floats = covered.reshape(rows, columns + 1).cumsum(axis=1)[:, :columns]
    return np.minimum(np.maximum(fractions, 0.0), 1.0)


def _edges(ring: Sequence[Point], bounds: Box, *, hole: bool) -> Floats:
    """Return the edges of a ring as x0, y0, x1, y1 in a box, (4, n).

    They are turned so that the inside counts as wanted: downward edges count positive for what
    lies right of them.
    """
    points = np.array(ring, dtype=np.float64).reshape(-1, 2)
    points -= bounds[:2]
    x, y = points.T
    after = np.concatenate((points[1:], points[:1]))
    forward = (float(x @ after[:, 1] - after[:, 0] @ y) < 0) != hole
    return np.concatenate((points, after) if forward else (after, points), axis=1).T


def _held(edges: Floats, rows: int) -> Floats:
    """Cut edges off where they leave the rows of a box: far-off ends would cost digits."""
    x0, y0, x1, y1 = edges
    if min(y0.min(), y1.min()) >= 0 and max(y0.max(), y1.max()) <= rows:
        return edges
    rise = y1 - y0
    rise[rise == 0] = 1.0
    low, high = (np.minimum(np.maximum(y, 0.0), rows) for y in (y0, y1))
    slope = (x1 - x0) / rise
    return np.stack((x0 + (low - y0) * slope, low, x1 + (high - y1) * slope, high))


def _pieces(edges: Floats, columns: int, rows: int) -> tuple[Floats, Floats, Floats]:
    """Cut edges at the lines between squares; return each piece's middle and its signed height."""
    number = edges.shape[1]
    start, step = edges[:2], edges[2:] - edges[:2]
    # Both axes at once: first the cuts at columns, then those at rows.
    low, high = np.minimum(edges[:2], edges[2:]), np.maximum(edges[:2], edges[2:])
    last = np.array([[columns], [rows]])
    first = np.minimum(np.maximum(np.ceil(low), 0), last + 1).astype(np.int64).ravel()
    final = np.minimum(np.maximum(np.floor(high), -1), last).astype(np.int64).ravel()
    count = np.maximum(final - first + 1, 0)
    count[step.ravel() == 0] = 0
    source = np.repeat(np.arange(2 * number), count)
    line = np.arange(len(source)) - np.repeat(np.cumsum(count) - count - first, count)
    cut = (line - start.ravel()[source]) / step.ravel()[source]
    ends = np.arange(number)
    owner = np.concatenate((ends, ends, source % number))
    cut = np.concatenate((np.zeros(number), np.ones(number), cut))
    order = np.lexsort((cut, owner))
    owner, cut = owner[order], cut[order]
    kept = (owner[1:] == owner[:-1]) & (cut[1:] > cut[:-1])
    owner, before, after = owner[1:][kept], cut[:-1][kept], cut[1:][kept]
    x, y = start[:, owner] + (before + after) / 2 * step[:, owner]
    return x, y, (after - before) * step[1, owner]


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
