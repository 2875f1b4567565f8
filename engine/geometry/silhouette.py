"""Token volumes as an eye sees them: near faces and far faces in the dual.

A volume is a footprint polygon from a base to a top height. Its vertical extent stands at the
near face of the footprint.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.geometry import dual
from engine.geometry.arrays import TOUCH, Bools, Floats, Ints, cross, expand, successors
from engine.geometry.dual import Stretches
from engine.model.space import Point

LEAST_HEIGHT = 1e-6
"""Cells. What is flat counts as so high, lest it vanish."""

_LEAST_SIZE = 0.02


class Volume(NamedTuple):
    """A footprint polygon, in either sense, from `base` to `top` (cells above the board)."""

    id: str
    outline: tuple[Point, ...]
    base: float
    top: float


@dataclass(frozen=True, eq=False)
class Silhouettes:
    """Volumes in arrays: edges (m, 2, 2) in positive sense, the volume of each, heights (t,)."""

    ids: tuple[str, ...]
    edges: Floats
    owner: Ints
    base: Floats
    top: Floats
    convex: bool

    def __len__(self) -> int:
        return len(self.ids)


def silhouettes(volumes: Iterable[Volume]) -> Silhouettes:
    """Lay out volumes; a footprint without area becomes a small square around its middle."""
    volumes = tuple(volumes)
    rings = [_sound_ring(volume.outline) for volume in volumes]
    edges = [np.stack((ring, successors(ring)), axis=1) for ring in rings]
    base = np.array([volume.base for volume in volumes], dtype=np.float64)
    top = np.array([volume.top for volume in volumes], dtype=np.float64)
    return Silhouettes(
        ids=tuple(volume.id for volume in volumes),
        edges=np.concatenate((np.zeros((0, 2, 2)), *edges)),
        owner=np.repeat(
            np.arange(len(volumes)), np.array([len(ring) for ring in rings], dtype=np.int64)
        ),
        base=base,
        top=np.maximum(top, base + LEAST_HEIGHT),
        convex=all(_is_convex(ring) for ring in rings),
    )


def _sound_ring(outline: Sequence[Point]) -> Floats:
    ring = np.array(outline, dtype=np.float64).reshape(-1, 2)
    area = float(cross(ring, successors(ring)).sum())
    if abs(area) <= TOUCH:
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (_LEAST_SIZE / 2)
        small: Floats = ring.mean(axis=0) + corners
        return small
    return ring if area > 0 else ring[::-1]


def _is_convex(ring: Floats) -> bool:
    along = successors(ring) - ring
    return bool((cross(along, successors(along)) >= -TOUCH).all())


def faces(edges: Floats, eyes: Floats, *, near: bool) -> Stretches:
    """Return the near or the far faces of footprints for eyes (e, 2); `row` is the edge.

    An eye inside a footprint sees far faces only.
    """
    ends = edges.reshape(1, -1, 2, 2) - eyes[:, None, None]
    flat = np.ascontiguousarray(ends.reshape(-1, 4).T)
    row = np.tile(np.arange(len(edges)), len(eyes))
    eye = np.repeat(np.arange(len(eyes)), len(edges))
    return dual.to_dual(flat, row, np.full(len(row), -1 if near else 1), eye)


def near_faces(targets: Silhouettes, eyes: Floats) -> tuple[Stretches, Ints]:
    """Return stretches that do not overlap, one target's nearest faces, and their targets."""
    found = faces(targets.edges, eyes, near=True)
    target = targets.owner[found.row]
    if targets.convex or not len(found.row):
        return found, target
    # Faces of one target may hide one another: take its envelope, each target and eye by itself.
    eye = eye_of(found.start)
    pair = eye * len(targets) + target
    shift = dual.TURN * (pair - eye)
    apart = found._replace(start=found.start + shift, end=found.end + shift)
    spans, face = _nearest(apart, len(eyes) * len(targets))
    back = shift[face]
    return spans._replace(start=spans.start - back, end=spans.end - back), target[face]


def own_faces(targets: Silhouettes, eyes: Floats, target: Ints) -> Stretches:
    """Return the nearest faces of one target for each eye (e, 2): that of the number in `target`.

    They do not overlap; `row` is the edge.
    """
    first = targets.owner.searchsorted(target)
    eye, row = expand(targets.owner.searchsorted(target, side="right") - first, first)
    ends = targets.edges[row] - eyes[eye, None]
    flat = np.ascontiguousarray(ends.reshape(-1, 4).T)
    found = dual.to_dual(flat, row, np.full(len(row), -1), eye)
    if targets.convex or not len(found.row):
        return found
    return _nearest(found, len(eyes))[0]


def _nearest(found: Stretches, turns: int) -> tuple[Stretches, Ints]:
    """Return the parts of stretches that no other one hides, and which one each is a part of."""
    events, _, _, nearest, _ = dual.envelope(found, turns)
    used = np.flatnonzero(nearest >= 0)
    face = nearest[used]
    return found.at(face)._replace(start=events[:-1][used], end=events[1:][used]), face


def eye_of(s: Floats) -> Ints:
    """Return the eye that pseudo-angles belong to."""
    return ((s - dual.SEAM) // dual.TURN).astype(np.int64)


def bearing(s: Floats) -> Floats:
    """Return true angles of pseudo-angles, in radians from the first axis, growing with s."""
    turn = np.floor((s + 1.0) * 0.5)
    angle: Floats = turn * (np.pi / 2) + np.arctan(s - 2.0 * turn)
    return angle


def outside(segs: Floats, outline: Floats) -> tuple[Floats, Ints]:
    """Return the pieces of segments (n, 2, 2) that are not inside a polygon, and their sources.

    The polygon is one for all, (k, 2), or each segment's own, (n, k, 2). What lies on the border
    is not inside.
    """
    rings = np.broadcast_to(outline, (len(segs), *outline.shape[-2:]))
    edges = np.stack((rings, np.roll(rings, -1, axis=1)), axis=2)
    along, side = segs[:, None, 1] - segs[:, None, 0], edges[:, :, 1] - edges[:, :, 0]
    gap = edges[:, :, 0] - segs[:, None, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        at = cross(gap, side) / cross(along, side)
        place = cross(gap, along) / cross(along, side)
    meets = (at > 0) & (at < 1) & (place >= -TOUCH) & (place <= 1 + TOUCH)
    cuts = np.sort(np.where(meets, at, 1.0), axis=1)
    stops = np.concatenate((np.zeros((len(segs), 1)), cuts, np.ones((len(segs), 1))), axis=1)
    long = np.diff(stops, axis=1) > TOUCH
    source, first = np.nonzero(long)
    vector = segs[source, 1] - segs[source, 0]
    start = segs[source, 0] + stops[source, first, None] * vector
    end = segs[source, 0] + stops[source, first + 1, None] * vector
    keep = ~_strictly_inside((start + end) / 2, edges[source])
    return np.stack((start, end), axis=1)[keep], source[keep]


def _strictly_inside(points: Floats, edges: Floats) -> Bools:
    """Tell which points (n, 2) lie inside their polygons with edges (n, k, 2, 2)."""
    a, along = edges[:, :, 0], edges[:, :, 1] - edges[:, :, 0]
    offset = points[:, None] - a
    fraction = np.clip((offset * along).sum(axis=2) / (along**2).sum(axis=2), 0, 1)
    clear = (np.hypot(*np.moveaxis(offset - fraction[..., None] * along, 2, 0)) > TOUCH).all(axis=1)
    above = (edges[:, :, 0, 1] > points[:, None, 1]) != (edges[:, :, 1, 1] > points[:, None, 1])
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = a[..., 0] + offset[..., 1] / along[..., 1] * along[..., 0]
    odd = (above & (points[:, None, 0] < crossing)).sum(axis=1) % 2 == 1
    return np.asarray(odd & clear)
