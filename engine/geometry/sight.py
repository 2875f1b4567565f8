"""Lines of sight with heights: how much of a target an eye sees past walls and other tokens.

Over the lateral bearings that span a target's silhouette, walls cast shadows on its vertical
extent, which stands at the near face of its footprint; the visible fraction is what is left,
averaged over the angle. Walls too high to see over are solved exactly by the horizon; low and
raised walls, and tokens, by `casters`.

Crossings inside the viewer's own footprint do not count, nor do any past the target's near face.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from engine.geometry import dual
from engine.geometry.arrays import TOUCH, Bools, Floats, Ints, bounding_boxes, expand
from engine.geometry.casters import AT_FACE, BUCKETS, Casters, Pieces, casters_of, hidden_angles
from engine.geometry.horizon import Horizon, horizon
from engine.geometry.segments import NUDGE, SightSegs, WallSet
from engine.geometry.silhouette import (
    Silhouettes,
    Volume,
    bearing,
    eye_of,
    near_faces,
    outside,
    silhouettes,
)

Eye = tuple[float, float, float]
"""x, y and height above the board, in cells."""


def visible_fraction(
    walls: WallSet,
    eye: Eye,
    targets: Silhouettes,
    *,
    viewer: Volume | None = None,
    obstacles: Iterable[Volume] = (),
) -> Floats:
    """Return for each target (t,) the fraction, 0 to 1, that an eye sees of it.

    Without heights that matter it is the plain fraction of the angle; it is exact to 1 %.
    Obstacles cast shadows as walls do, except on themselves; the viewer is none. A target
    whose footprint holds the eye is seen whole.
    """
    seen: Floats = visible_fractions(walls, [eye], targets, viewer=viewer, obstacles=obstacles)[0]
    return seen


def best_corner(
    walls: WallSet,
    viewer: Volume,
    height: float,
    targets: Silhouettes,
    *,
    obstacles: Iterable[Volume] = (),
) -> tuple[Floats, Ints]:
    """Return for each target the fraction seen from the viewer's best corner, and that corner.

    Corners are those of the viewer's outline, the eyes at `height` cells above the board.
    """
    eyes = corner_eyes(viewer, height)
    seen = visible_fractions(walls, eyes, targets, viewer=viewer, obstacles=obstacles)
    best = seen.argmax(axis=0)
    return seen[best, np.arange(len(targets))], best


def corner_eyes(viewer: Volume, height: float) -> list[Eye]:
    """Return eyes at the corners of a footprint, just inside: on its own side of any wall."""
    ring = np.array(viewer.outline, dtype=np.float64)
    inward = ring.mean(axis=0) - ring
    length = np.maximum(np.hypot(*inward.T), TOUCH)[:, None]
    return [(float(x), float(y), height) for x, y in ring + inward * (NUDGE / length)]


def visible_fractions(
    walls: WallSet,
    eyes: Sequence[Eye],
    targets: Silhouettes,
    *,
    viewer: Volume | None = None,
    obstacles: Iterable[Volume] = (),
) -> Floats:
    """Return (e, t): the fractions that several eyes of one viewer see of each target."""
    places = np.array(eyes, dtype=np.float64).reshape(-1, 3)
    spans, target = near_faces(targets, places[:, :2])
    if not len(target):
        return np.ones((len(places), len(targets)))
    full, partial, clipped = _walls_between(walls, places[:, 2], targets, viewer)
    reach = _reach(targets, places[:, :2])
    seen = horizon(walls.sight_segs, places[:, :2], reach, full, clipped)
    casters = _casters(partial, list(obstacles), places[:, :2], targets, viewer)
    face, start, end, open_start, open_end = _pieces(seen, spans, len(places), casters is not None)
    eye = eye_of((start + end) / 2)
    pair = eye * len(targets) + target[face]
    total = np.bincount(pair, bearing(end) - bearing(start), len(places) * len(targets))
    clear = bearing(open_end) - bearing(open_start)
    if casters is not None:
        some = np.flatnonzero(open_end - open_start > TOUCH)
        shaded = Pieces(
            start=open_start[some],
            end=open_end[some],
            nx=spans.nx[face[some]],
            ny=spans.ny[face[some]],
            target=target[face[some]],
            low=targets.base[target[face[some]]],
            high=targets.top[target[face[some]]],
            eye=places[eye[some], 2],
        )
        clear[some] -= hidden_angles(casters, shaded)
    visible = np.bincount(pair, clear, len(total))
    share = np.where(total > 0, visible / np.where(total > 0, total, 1.0), 1.0)
    return np.clip(share, 0.0, 1.0).reshape(len(places), len(targets))


def _reach(targets: Silhouettes, eyes: Floats) -> Floats:
    """Return the Chebyshev distance (e,) of each eye's farthest target."""
    corners = targets.edges[:, 0]
    farthest: Floats = np.abs(corners[None] - eyes[:, None]).max(axis=(1, 2)) + TOUCH
    return farthest


def _walls_between(
    walls: WallSet, heights: Floats, targets: Silhouettes, viewer: Volume | None
) -> tuple[Bools | None, SightSegs, SightSegs | None]:
    """Sort the closed walls: those no sight passes over or under, and those some may pass.

    Return which of all segments are of the first kind (None: all), those of the second, and what
    is to be added to the first where walls enter the viewer's footprint.
    """
    segs = walls.sight_segs
    low = min(float(heights.min()), float(targets.base.min()))
    high = max(float(heights.max()), float(targets.top.max()))
    stands = ~walls.open[segs.owner]
    full = stands & (segs.base <= low) & (segs.top >= high)
    partial = stands & ~full & (segs.top > low) & (segs.base < high)
    if (segs.once & partial).any():  # whether one counts depends on all before it
        partial |= segs.once & full
        full &= ~segs.once
    if viewer is None:
        return (None if full.all() else full), segs.at(np.flatnonzero(partial)), None
    inside, origin, pieces = _clip(segs, viewer)
    of_full, of_partial = full[origin], partial[origin]
    full[inside] = partial[inside] = False
    return (
        None if full.all() else full,
        _with_pieces(segs, np.flatnonzero(partial), origin[of_partial], pieces[of_partial]),
        _with_pieces(segs, _NONE, origin[of_full], pieces[of_full]) if of_full.any() else None,
    )


_NONE = np.zeros(0, dtype=np.int64)


def _clip(segs: SightSegs, viewer: Volume) -> tuple[Ints, Ints, Floats]:
    """Return the segments that may enter a footprint, and their pieces (source, ends) outside."""
    ring = np.array(viewer.outline, dtype=np.float64)
    left, top, right, bottom = segs.boxes
    low, high = ring.min(axis=0) + TOUCH, ring.max(axis=0) - TOUCH
    near = (left < high[0]) & (right > low[0]) & (top < high[1]) & (bottom > low[1])
    index = np.flatnonzero(near)
    pieces, source = outside(segs.ends[:, index].T.reshape(-1, 2, 2), ring)
    return index, index[source], pieces


def _with_pieces(segs: SightSegs, index: Ints, origin: Ints, pieces: Floats) -> SightSegs:
    """Return some segments, and pieces (n, 2, 2) of others."""
    chosen = segs.at(np.concatenate((index, origin)))
    chosen.ends[:, len(index) :] = pieces.reshape(-1, 4).T
    chosen.boxes[:, len(index) :] = bounding_boxes(pieces)
    return chosen


def _casters(
    partial: SightSegs,
    obstacles: list[Volume],
    eyes: Floats,
    targets: Silhouettes,
    viewer: Volume | None,
) -> Casters | None:
    """Return what casts shadows with a height, or None if nothing does."""
    if viewer is not None:
        obstacles = [obstacle for obstacle in obstacles if obstacle.id != viewer.id]
    if not len(partial.row) and not obstacles:
        return None
    solids = silhouettes(obstacles)
    edges = solids.edges, solids.owner
    if viewer is not None and obstacles:
        pieces, source = outside(solids.edges, np.array(viewer.outline, dtype=np.float64))
        edges = pieces, solids.owner[source]
    number = {volume: index for index, volume in enumerate(targets.ids)}
    spared = np.array([number.get(volume, -2) for volume in solids.ids], dtype=np.int64)
    return casters_of(partial, solids, edges, eyes, spared)


def _pieces(
    seen: Horizon, spans: dual.Stretches, eyes: int, fine: bool
) -> tuple[Ints, Floats, Floats, Floats, Floats]:
    """Cut near faces where the horizon changes.

    Return the face of each piece, its start and end, and the start and end of the part of it
    that stands before the horizon. `fine` cuts at the borders of buckets, else of quadrants.
    """
    new = np.ones(len(seen.nx), dtype=np.bool_)
    new[1:] = (np.diff(seen.nx) != 0) | (np.diff(seen.ny) != 0)
    step = 1 / BUCKETS if fine else 2.0
    events = np.concatenate(
        (
            seen.events[:-1][new],
            np.arange(dual.SEAM, dual.SEAM + dual.TURN * eyes + step / 2, step),
        )
    )
    events.sort()
    first = events.searchsorted(spans.start, side="right") - 1
    last = np.maximum(events.searchsorted(spans.end, side="left") - 1, first)
    face, place = expand(last - first + 1)
    interval = first[face] + place
    start = np.maximum(spans.start[face], events[interval])
    end = np.minimum(spans.end[face], events[interval + 1])
    behind = np.clip(
        seen.events.searchsorted((start + end) / 2, side="right") - 1, 0, len(seen.nx) - 1
    )
    dx = seen.nx[behind] - AT_FACE * spans.nx[face]
    dy = seen.ny[behind] - AT_FACE * spans.ny[face]
    before, after = _along(dx, dy, start), _along(dx, dy, end)
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.clip(start + (end - start) * (before / (before - after)), start, end)
    open_start = np.where(before >= 0, np.where(after < 0, crossing, end), start)
    open_end = np.where((before < 0) & (after >= 0), crossing, end)
    return face, start, end, open_start, open_end


def _along(nx: Floats, ny: Floats, s: Floats) -> Floats:
    ux, uy = dual.direction(s)
    return nx * ux + ny * uy
