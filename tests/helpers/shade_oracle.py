"""How much of a target is seen, by many single rays: slow, plain, and unlike the product."""

from collections.abc import Sequence

import numpy as np

from tests.helpers.sight_oracle import Floats, cross

Ring = Sequence[tuple[float, float]]
Wall = tuple[tuple[float, float], tuple[float, float], float, float]


def _edges(ring: Ring) -> Floats:
    points = np.asarray(ring, float)
    return np.stack((points, np.roll(points, -1, axis=0)), axis=1)


def _hits(eye: Floats, heading: Floats, segs: Floats) -> Floats:
    """Return how far a ray goes to each segment, infinity where it misses."""
    a, along = segs[:, 0] - eye, segs[:, 1] - segs[:, 0]
    with np.errstate(all="ignore"):
        far = cross(a, along) / cross(heading, along)
        place = cross(a, heading) / cross(heading, along)
    return np.where((far > 0) & (place >= 0) & (place <= 1), far, np.inf)


def _inside(point: Floats, ring: Ring) -> bool:
    a, b = np.moveaxis(_edges(ring), 1, 0)
    above = (a[:, 1] > point[1]) != (b[:, 1] > point[1])
    with np.errstate(all="ignore"):
        x = a[:, 0] + (point[1] - a[:, 1]) / (b[:, 1] - a[:, 1]) * (b[:, 0] - a[:, 0])
    return bool((above & (point[0] < x)).sum() % 2)


def seen_share(
    eye: tuple[float, float, float],
    target: tuple[Ring, float, float],
    walls: Sequence[Wall],
    *,
    own: Ring | None = None,
    obstacles: Sequence[tuple[Ring, float, float]] = (),
    rays: int = 1500,
) -> float:
    """Return the visible share of a target (outline, base, top), convex outlines only."""
    origin, eye_z = np.array(eye[:2]), eye[2]
    outline, low, high = target
    offset = np.asarray(outline) - origin
    middle = np.arctan2(*(offset.mean(axis=0)[::-1]))
    spread = (np.arctan2(offset[:, 1], offset[:, 0]) - middle + np.pi) % (2 * np.pi) - np.pi
    step = (spread.max() - spread.min()) / rays
    segs = np.array([wall[:2] for wall in walls], float).reshape(-1, 2, 2)
    total = 0.0
    for angle in middle + spread.min() + step * (np.arange(rays) + 0.5):
        heading = np.array((np.cos(angle), np.sin(angle)))
        face = _hits(origin, heading, _edges(outline)).min()
        if not np.isfinite(face):
            continue
        shadows = []
        for far, wall in zip(_hits(origin, heading, segs), walls, strict=True):
            if far <= face * (1 + 1e-9) and not (own and _inside(origin + far * heading, own)):
                shadows.append([eye_z + (h - eye_z) * face / far for h in wall[2:]])
        for ring, base, top in obstacles:
            ways = np.sort(_hits(origin, heading, _edges(ring)))
            entry, way_out = ways[0], ways[1]
            if entry < face * (1 - 1e-9) and np.isfinite(way_out):
                lot = [entry, min(way_out, face)]
                ends = [eye_z + (h - eye_z) * face / far for far in lot for h in (base, top)]
                shadows.append([min(ends), max(ends)])
        total += 1 - _union(shadows, low, high) / (high - low)
    return total / rays


def _union(spans: list[list[float]], low: float, high: float) -> float:
    covered, reach = 0.0, low
    for start, end in sorted(spans):
        covered += max(0.0, min(end, high) - max(start, reach))
        reach = max(reach, min(end, high))
    return covered
