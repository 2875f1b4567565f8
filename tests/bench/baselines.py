"""What the geometry is measured against: the ways one would write it first.

Written once, plainly and honestly, and not touched when the product is tuned.
"""

from bisect import bisect_left
from math import atan2, cos, hypot, inf, pi, sin
from typing import NamedTuple

import numpy as np
import shapely

from engine.geometry.arrays import Floats
from engine.grid.grid import Box
from engine.model.space import Point

RAYS = 48
"""Rays per target: the fewest for an error of about 1 % where a wall cuts a target in two."""


def shadow_polygon(
    segs: Floats, eye: Point, box: Box, radius: float | None = None
) -> shapely.Geometry:
    """Return the visible area as shapely sees it: the board less the shadows of all walls."""
    centre = np.array(eye)
    if radius is not None:
        low, high = segs.min(axis=1), segs.max(axis=1)
        segs = segs[((low <= centre + radius) & (high >= centre - radius)).all(axis=1)]
    far = 1000 * hypot(box.right - box.left, box.bottom - box.top)
    way = segs - centre
    ahead = segs + way * (far / np.hypot(way[..., 0], way[..., 1]))[..., None]
    corners = np.stack((segs[:, 0], segs[:, 1], ahead[:, 1], ahead[:, 0]), axis=1)
    turn = way[:, 0, 0] * way[:, 1, 1] - way[:, 0, 1] * way[:, 1, 0]
    shadows = shapely.polygons(corners[np.abs(turn) > 1e-9])
    room = shapely.box(*box)
    if radius is not None:
        room = room.intersection(shapely.Point(eye).buffer(radius, quad_segs=16))
    return room.difference(shapely.union_all(shadows))


class _Wall(NamedTuple):
    """A wall relative to the eye, its ends in the order of their angles."""

    begin: float
    end: float
    x0: float
    y0: float
    x1: float
    y1: float

    def distance(self, angle: float) -> float:
        """Return how far a ray goes to the wall's line."""
        dx, dy = self.x1 - self.x0, self.y1 - self.y0
        across = cos(angle) * dy - sin(angle) * dx
        return (self.x0 * dy - self.y0 * dx) / across if across else inf


def swept_polygon(segs: list[tuple[Point, Point]], eye: Point, box: Box) -> list[Point]:
    """Return the ring of the visible area by an angular sweep in plain Python.

    The walls must not cross. A list keeps those that the ray meets, nearest first.
    """
    left, top, right, bottom = box
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    edges = list(zip(corners, corners[1:] + corners[:1], strict=True))
    walls = [wall for a, b in segs + edges for wall in _turned(a, b, eye)]
    events = sorted(
        [(wall.begin, 1, wall) for wall in walls] + [(wall.end, 0, wall) for wall in walls],
        key=lambda event: event[:2],
    )
    met: list[_Wall] = []
    ring: list[Point] = []
    for angle, begins, wall in events:
        nearest = met[0] if met else None
        if begins:
            # Two walls that begin together are told apart a little later.
            later = angle + min(1e-9, (wall.end - wall.begin) / 2)
            place = bisect_left(met, wall.distance(later), key=lambda w: w.distance(later))
            met.insert(place, wall)
        else:
            met.remove(wall)
        if met and nearest is not met[0]:
            if nearest is not None:
                ring.append(_at(eye, angle, nearest.distance(angle)))
            ring.append(_at(eye, angle, met[0].distance(angle)))
        elif nearest is not None and not met:
            ring.append(_at(eye, angle, nearest.distance(angle)))
    return ring


def _turned(a: Point, b: Point, eye: Point) -> list[_Wall]:
    """Return a wall with its angles rising, in two parts if it crosses the seam at half a turn."""
    x0, y0, x1, y1 = a[0] - eye[0], a[1] - eye[1], b[0] - eye[0], b[1] - eye[1]
    turn = x0 * y1 - y0 * x1
    if abs(turn) <= 1e-9 * hypot(x1 - x0, y1 - y0):
        return []
    if turn < 0:
        x0, y0, x1, y1 = x1, y1, x0, y0
    begin, end = atan2(y0, x0), atan2(y1, x1)
    if begin <= end:
        return [_Wall(begin, end, x0, y0, x1, y1)]
    return [_Wall(begin, pi, x0, y0, x1, y1), _Wall(-pi, end, x0, y0, x1, y1)]


def _at(eye: Point, angle: float, distance: float) -> Point:
    return eye[0] + distance * cos(angle), eye[1] + distance * sin(angle)


class Sighted(NamedTuple):
    """Walls and targets for lines of sight: ends (n, 2, 2), heights, outlines (t, k, 2)."""

    segs: Floats
    base: Floats
    top: Floats
    outlines: Floats
    low: float
    high: float


def seen_ray_by_ray(scene: Sighted, eye: tuple[float, float, float]) -> list[float]:
    """Return the visible share of each target: each ray against all walls, one after another."""
    a, along = scene.segs[:, 0] - eye[:2], scene.segs[:, 1] - scene.segs[:, 0]
    shares = []
    for start, ends in zip(*_fans(scene, eye), strict=True):
        seen = 0.0
        for end in ends:
            way = end - start
            across = way[0] * along[:, 1] - way[1] * along[:, 0]
            at = (a[:, 0] * along[:, 1] - a[:, 1] * along[:, 0]) / across
            place = (a[:, 0] * way[1] - a[:, 1] * way[0]) / across
            hit = (at > 0) & (at <= 1 + 1e-9) & (place >= 0) & (place <= 1)
            shadows = [
                (eye[2] + (low - eye[2]) / far, eye[2] + (high - eye[2]) / far)
                for low, high, far in zip(scene.base[hit], scene.top[hit], at[hit], strict=True)
            ]
            seen += _left_over(shadows, scene.low, scene.high)
        shares.append(seen / RAYS)
    return shares


def seen_by_tree(
    scene: Sighted, tree: shapely.STRtree, eye: tuple[float, float, float]
) -> list[float]:
    """Return the visible share of each target: all rays at once through a tree of the walls."""
    starts, ends = _fans(scene, eye)
    targets = ends.reshape(-1, 2)
    rays = np.stack((np.repeat(starts, RAYS, axis=0), targets), axis=1)
    ray, wall = tree.query(shapely.linestrings(rays), predicate="intersects")
    a, along = scene.segs[wall, 0] - eye[:2], scene.segs[wall, 1] - scene.segs[wall, 0]
    way = (targets - eye[:2])[ray]
    with np.errstate(divide="ignore", invalid="ignore"):
        at = (a[:, 0] * along[:, 1] - a[:, 1] * along[:, 0]) / (
            way[:, 0] * along[:, 1] - way[:, 1] * along[:, 0]
        )
    hit = (at > 0) & (at <= 1 + 1e-9)
    ray, wall, at = ray[hit], wall[hit], at[hit]
    height = scene.high - scene.low
    low = np.clip((eye[2] + (scene.base[wall] - eye[2]) / at - scene.low) / height, 0, 1)
    high = np.clip((eye[2] + (scene.top[wall] - eye[2]) / at - scene.low) / height, 0, 1)
    order = np.lexsort((low, ray))
    ray, low, high = ray[order], low[order], high[order]
    reach = np.maximum.accumulate(np.concatenate(([-1.0], high + 2 * ray)))[:-1]
    gain = np.maximum(high + 2 * ray - np.maximum(low + 2 * ray, reach), 0)
    hidden = np.bincount(ray, gain, len(rays)).reshape(-1, RAYS)
    shares: list[float] = (1 - hidden.mean(axis=1)).tolist()
    return shares


def _fans(scene: Sighted, eye: tuple[float, float, float]) -> tuple[Floats, Floats]:
    """Return where rays start (t, 2) and where they meet the targets' near faces (t, RAYS, 2)."""
    origin = np.array(eye[:2])
    offset = scene.outlines - origin
    angle = np.arctan2(offset[..., 1], offset[..., 0])
    middle = np.arctan2(offset[..., 1].mean(axis=1), offset[..., 0].mean(axis=1))
    spread = (angle - middle[:, None] + np.pi) % (2 * np.pi) - np.pi
    first, last = spread.min(axis=1), spread.max(axis=1)
    place = (np.arange(RAYS) + 0.5) / RAYS
    bearing = middle[:, None] + first[:, None] + (last - first)[:, None] * place
    heading = np.stack((np.cos(bearing), np.sin(bearing)), axis=2)[:, :, None]
    a = offset[:, None]
    along = np.roll(a, -1, axis=2) - a
    with np.errstate(divide="ignore", invalid="ignore"):
        across = heading[..., 0] * along[..., 1] - heading[..., 1] * along[..., 0]
        far = (a[..., 0] * along[..., 1] - a[..., 1] * along[..., 0]) / across
        at = (a[..., 0] * heading[..., 1] - a[..., 1] * heading[..., 0]) / across
    far = np.where((far > 0) & (at >= 0) & (at <= 1), far, np.inf).min(axis=2)
    ends = origin + heading[:, :, 0] * far[..., None]
    return np.broadcast_to(origin, (len(offset), 2)), ends


def _left_over(shadows: list[tuple[float, float]], low: float, high: float) -> float:
    """Return the share of the height from low to high that no shadow covers."""
    covered, reach = 0.0, low
    for start, end in sorted(shadows):
        covered += max(0.0, min(end, high) - max(start, reach))
        reach = max(reach, min(end, high))
    return 1 - covered / (high - low)
