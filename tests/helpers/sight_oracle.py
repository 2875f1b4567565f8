"""What an eye sees, by true angles and one ray at a time: slow, plain, and unlike the product.

Nothing is shared with `engine.geometry`: raw segments, `arctan2`, all pairwise crossings.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

EDGE_ON = 1e-9


def seen_area(segs: Floats, eye: Sequence[float], box: Sequence[float], side: Floats | None = None):
    """Return the area an eye sees inside a box (left, top, right, bottom)."""
    eye = np.asarray(eye, float)
    left, top, right, bottom = box
    frame = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], float)
    edges = np.stack((frame, np.roll(frame, -1, axis=0)), axis=1)
    walls = np.concatenate((opaque(np.asarray(segs, float).reshape(-1, 2, 2), eye, side), edges))
    walls = walls - eye
    corners = np.concatenate((walls.reshape(-1, 2), crossings(walls)))
    angles = np.unique(np.arctan2(corners[:, 1], corners[:, 0]))
    angles = np.append(angles, angles[0] + 2 * np.pi)
    middle = (angles[1:] + angles[:-1]) / 2
    nearest = ray_lengths(walls, middle).argmin(axis=1)
    start = line_lengths(walls[nearest], angles[:-1])
    end = line_lengths(walls[nearest], angles[1:])
    # Rays a hair apart may pick a wall edge-on, whose lengths mean nothing; they hold no area.
    wide = np.diff(angles) > 1e-13
    return float((start * end * np.sin(np.diff(angles)) / 2)[wide].sum())


def opaque(segs: Floats, eye: Sequence[float], side: Floats | None = None):
    """Drop walls edge-on to the eye, and one-sided ones seen from the free side."""
    a, b = segs[:, 0], segs[:, 1]
    turn = cross(b - a, eye - a)
    keep = np.abs(turn) > EDGE_ON * np.hypot(*(b - a).T)
    if side is not None:
        keep &= (np.asarray(side) == 0) | (turn * side > 0)
    return segs[keep]


def cross(a: Floats, b: Floats):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def crossings(segs: Floats):
    """Return all points at which two of the segments meet, not counting parallel ones."""
    i, j = np.triu_indices(len(segs), 1)
    p, r = segs[i, 0], segs[i, 1] - segs[i, 0]
    q, t = segs[j, 0], segs[j, 1] - segs[j, 0]
    with np.errstate(all="ignore"):
        at_i = cross(q - p, t) / cross(r, t)
        at_j = cross(q - p, r) / cross(r, t)
    hit = (at_i >= -1e-12) & (at_i <= 1 + 1e-12) & (at_j >= -1e-12) & (at_j <= 1 + 1e-12)
    return p[hit] + at_i[hit, None] * r[hit]


def ray_lengths(segs: Floats, angles: Floats):
    """Return (rays, segments): how far rays from the origin go to each segment, or infinity."""
    heading = np.stack((np.cos(angles), np.sin(angles)), axis=1)[:, None]
    a, along = segs[None, :, 0], (segs[:, 1] - segs[:, 0])[None]
    with np.errstate(all="ignore"):
        length = cross(a, along) / cross(heading, along)
        place = cross(a, heading) / cross(heading, along)
    hit = (length > 0) & (place >= -1e-12) & (place <= 1 + 1e-12)
    return np.where(hit, length, np.inf)


def line_lengths(segs: Floats, angles: Floats):
    """Return how far each ray goes to the line through its own segment."""
    heading = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    along = segs[:, 1] - segs[:, 0]
    with np.errstate(all="ignore"):
        return cross(segs[:, 0], along) / cross(heading, along)


def blocked(
    segs: Floats,
    eye: Sequence[float],
    points: Floats,
    *,
    once: Bools | None = None,
    side: Floats | None = None,
    margin: float = 1e-7,
):
    """Tell for each point whether the way from the eye crosses a wall clearly before it.

    Where `once` is true the first crossing is free. Also return which answers are clear-cut: no
    crossing near an end of a wall or near the point.
    """
    eye = np.asarray(eye, float)
    segs = np.asarray(segs, float).reshape(-1, 2, 2)
    once = np.zeros(len(segs), bool) if once is None else np.asarray(once)
    way = (np.asarray(points, float) - eye)[:, None]
    a, along = segs[None, :, 0] - eye, (segs[:, 1] - segs[:, 0])[None]
    with np.errstate(all="ignore"):
        length = cross(a, along) / cross(way, along)
        place = cross(a, way) / cross(way, along)
    hit = (length > 0) & (length < 1) & (place > 0) & (place < 1)
    near = np.minimum(np.abs(length - 1), np.minimum(np.abs(place), np.abs(place - 1))) < margin
    reachable = (
        (length > -margin) & (length < 1 + margin) & (place > -margin) & (place < 1 + margin)
    )
    unclear = (near & reachable).any(axis=1)
    if side is not None:
        turn = cross(along[0], eye - segs[:, 0])
        hit &= (np.asarray(side) == 0) | (turn * side > 0)
    stopped = (hit & ~once).any(axis=1) | ((hit & once).sum(axis=1) >= 2)
    return stopped, ~unclear
