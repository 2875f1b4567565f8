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
from engine.geometry.casters import (
    AT_FACE,
    BUCKETS,
    Casters,
    Pieces,
    casters_of,
    hidden_angles,
    hidden_by_each,
)
from engine.geometry.dual import Stretches
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
from engine.model.evidence import Evidence, Ray
from engine.model.space import Point

Eye = tuple[float, float, float]
"""x, y and height above the board, in cells."""

_RAYS = 9
_NONE = np.zeros(0, dtype=np.int64)


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
    faces = near_faces(targets, places[:, :2])
    if not len(faces[1]):
        return np.ones((len(places), len(targets)))
    full, partial, clipped = _sorted_walls(walls, places[:, 2], targets, viewer)
    casters = _casters(partial, _others(obstacles, viewer), places[:, :2], targets, viewer)
    reach = _reach(targets, places[:, :2])
    seen = horizon(walls.sight_segs, places[:, :2], reach, full, clipped)
    face, eye, whole, clear = seen_angles(seen, casters, faces, targets, places)
    pair = eye * len(targets) + faces[1][face]
    pairs = len(places) * len(targets)
    return shares(pair, whole, clear, pairs).reshape(len(places), len(targets))


def seen_angles(
    seen: Horizon,
    casters: Casters | None,
    faces: tuple[Stretches, Ints],
    targets: Silhouettes,
    places: Floats,
) -> tuple[Ints, Ints, Floats, Floats]:
    """Cut near faces where what hides them changes, and return how much is seen of each piece.

    `faces` are near faces and the target of each, `places` (e, 3) the eyes. Returned are for each
    piece its face, its eye, its angle and the angle times the share of the height seen.
    """
    spans, target = faces
    step = 2.0 if casters is None else 1 / BUCKETS
    face, start, end = _cut(spans, _changes(seen), len(places), step)
    eye, whole = eye_of(start), bearing(end) - bearing(start)
    start, end = _before(seen, spans, face, start, end)
    clear = bearing(end) - bearing(start)
    if casters is not None:
        some = np.flatnonzero(end - start > TOUCH)
        cut = face[some], start[some], end[some]
        clear[some] -= hidden_angles(casters, _pieces(spans, target, targets, places, cut))
    return face, eye, whole, clear


def shares(of: Ints, whole: Floats, clear: Floats, count: int) -> Floats:
    """Return the fraction, 0 to 1, that is clear of each of `count` things; 1 of nothing."""
    total = np.bincount(of, whole, count)
    visible = np.bincount(of, clear, count)
    share = np.where(total > 0, visible / np.where(total > 0, total, 1.0), 1.0)
    return np.clip(share, 0.0, 1.0)


def sight_evidence(
    walls: WallSet,
    eye: Eye,
    target: Volume,
    *,
    viewer: Volume | None = None,
    obstacles: Iterable[Volume] = (),
) -> Evidence:
    """Return rays from an eye to the near face of a target, and what hides some of it.

    A ray is clear if at least half of the target's height is seen along it. Walls and tokens
    come in the order of how much each would hide alone.
    """
    places, targets = np.array([eye], dtype=np.float64), silhouettes([target])
    spans, owner = near_faces(targets, places[:, :2])
    if not len(owner):
        return Evidence()
    _, solid, _ = _sorted_walls(walls, places[:, 2], targets, viewer, apart=False)
    others = _others(obstacles, viewer)
    casters = _casters(solid, others, places[:, :2], targets, viewer)
    width = float((spans.end - spans.start).sum())
    step = 2.0 ** np.floor(np.log2(min(width / (4 * _RAYS), 1 / BUCKETS)))
    pieces = _pieces(spans, owner, targets, places, _cut(spans, np.zeros(0), 1, step))
    if casters is None:
        return Evidence(rays=_rays(eye, pieces, np.ones(len(pieces.start), dtype=np.bool_)))
    half = (bearing(pieces.end) - bearing(pieces.start)) / 2
    hidden = hidden_by_each(casters, pieces)
    order = np.argsort(-hidden, kind="stable")[: np.count_nonzero(hidden > 0)]
    numbers = casters.wall[order], casters.group[order]
    return Evidence(
        rays=_rays(eye, pieces, np.asarray(hidden_angles(casters, pieces) <= half)),
        walls=tuple(dict.fromkeys(walls.ids[n] for n in numbers[0] if n >= 0)),
        tokens=tuple(dict.fromkeys(others[n].id for n in numbers[1] if n >= 0)),
    )


def center_line(walls: WallSet, a: Eye, b: Eye) -> tuple[str, ...]:
    """Return the ids of the walls that stop the straight line from a to b, in order from a.

    Heights count, as do one-sided walls; the first terrain edge crossed lets the line pass.
    Ends that touch a wall count as crossing it; the start does not.
    """
    segs = walls.sight_segs
    origin, way = np.array(a[:2]), np.array(b[:2]) - np.array(a[:2])
    x0, y0, x1, y1 = segs.ends - np.tile(origin, 2)[:, None]
    dx, dy = x1 - x0, y1 - y0
    turn = x0 * dy - y0 * dx
    with np.errstate(divide="ignore", invalid="ignore"):
        at = turn / (way[0] * dy - way[1] * dx)
        place = (x0 * way[1] - y0 * way[0]) / (way[0] * dy - way[1] * dx)
    length = max(float(np.hypot(*way)), TOUCH)
    slack = TOUCH / np.maximum(np.hypot(dx, dy), TOUCH)
    height = a[2] + (b[2] - a[2]) * np.where(np.isfinite(at), at, 0.0)
    hit = (at > TOUCH / length) & (at <= 1 + TOUCH / length)
    hit &= (place >= -slack) & (place <= 1 + slack)
    hit &= (segs.base <= height) & (height < segs.top) & ~walls.open[segs.owner]
    hit &= (segs.side == 0) | (segs.side * turn > 0)
    crossed = np.flatnonzero(hit)
    crossed = crossed[np.argsort(at[crossed], kind="stable")]
    passed = crossed[segs.once[crossed]][:1]
    return tuple(dict.fromkeys(walls.ids[segs.owner[row]] for row in crossed if row not in passed))


def _others(obstacles: Iterable[Volume], viewer: Volume | None) -> list[Volume]:
    return [o for o in obstacles if viewer is None or o.id != viewer.id]


def _reach(targets: Silhouettes, eyes: Floats) -> Floats:
    """Return the Chebyshev distance (e,) of each eye's farthest target."""
    corners = targets.edges[:, 0]
    farthest: Floats = np.abs(corners[None] - eyes[:, None]).max(axis=(1, 2)) + TOUCH
    return farthest


def _sorted_walls(
    walls: WallSet,
    heights: Floats,
    targets: Silhouettes,
    viewer: Volume | None,
    *,
    apart: bool = True,
) -> tuple[Bools | None, SightSegs, SightSegs | None]:
    """Sort the closed walls: those no sight passes over or under, and those some may pass.

    Return which of all segments are of the first kind (None: all), those of the second, and what
    is to be added to the first where walls enter the viewer's footprint. All are of the second
    kind if they are not wanted `apart`.
    """
    segs = walls.sight_segs
    low = min(float(heights.min()), float(targets.base.min()))
    high = max(float(heights.max()), float(targets.top.max()))
    partial = (segs.top > low) & (segs.base < high) & ~walls.open[segs.owner]
    full = partial & (segs.base <= low) & (segs.top >= high) & apart
    if (segs.once & partial & ~full).any():
        full &= ~segs.once  # whether a terrain edge counts depends on all before it
    partial &= ~full
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
    if not len(partial) and not obstacles:
        return None
    solids = silhouettes(obstacles)
    edges = solids.edges, solids.owner
    if viewer is not None and obstacles:
        pieces, source = outside(solids.edges, np.array(viewer.outline, dtype=np.float64))
        edges = pieces, solids.owner[source]
    number = {volume: index for index, volume in enumerate(targets.ids)}
    spared = np.array([number.get(volume, -1) for volume in solids.ids], dtype=np.int64)
    return casters_of(partial, solids, edges, eyes, spared)


def _changes(seen: Horizon) -> Floats:
    """Return the events at which another wall becomes the nearest."""
    new = np.ones(len(seen.nx), dtype=np.bool_)
    new[1:] = (seen.nx[1:] != seen.nx[:-1]) | (seen.ny[1:] != seen.ny[:-1])
    return seen.events[:-1][new]


def _cut(spans: Stretches, events: Floats, eyes: int, step: float) -> tuple[Ints, Floats, Floats]:
    """Cut near faces at events and at multiples of a step, which must divide a quadrant.

    Return the face of each piece, its start and its end.
    """
    count = round(dual.TURN * eyes / step)
    events = np.concatenate((events, dual.SEAM + step * np.arange(count + 1)))
    events.sort()
    first = events.searchsorted(spans.start, side="right") - 1
    last = np.maximum(events.searchsorted(spans.end, side="left") - 1, first)
    face, interval = expand(last - first + 1, first)
    start = np.maximum(spans.start[face], events[interval])
    end = np.minimum(spans.end[face], events[interval + 1])
    real = end > start
    return face[real], start[real], end[real]


def _before(
    seen: Horizon, spans: Stretches, face: Ints, start: Floats, end: Floats
) -> tuple[Floats, Floats]:
    """Return the parts of pieces that stand before the horizon; empty ones start at their end."""
    behind = seen.events.searchsorted((start + end) / 2, side="right") - 1
    behind = np.clip(behind, 0, len(seen.nx) - 1)
    nx = seen.nx[behind] - AT_FACE * spans.nx[face]
    ny = seen.ny[behind] - AT_FACE * spans.ny[face]
    (ux0, uy0), (ux1, uy1) = dual.direction(start), dual.direction(end)
    before, after = nx * ux0 + ny * uy0, nx * ux1 + ny * uy1
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.clip(start + (end - start) * (before / (before - after)), start, end)
    return (
        np.where(before >= 0, np.where(after < 0, crossing, end), start),
        np.where((before < 0) & (after >= 0), crossing, end),
    )


def _pieces(
    spans: Stretches,
    target: Ints,
    targets: Silhouettes,
    places: Floats,
    cut: tuple[Ints, Floats, Floats],
) -> Pieces:
    """Return pieces of near faces with the heights of their targets and eyes."""
    face, start, end = cut
    return Pieces(
        start=start,
        end=end,
        nx=spans.nx[face],
        ny=spans.ny[face],
        target=target[face],
        low=targets.base[target[face]],
        high=targets.top[target[face]],
        eye=places[eye_of(start), 2],
    )


def _rays(eye: Eye, pieces: Pieces, clear: Bools) -> tuple[Ray, ...]:
    """Return a few rays to the middle of pieces, evenly chosen."""
    middle = (pieces.start + pieces.end) / 2
    ux, uy = dual.direction(middle)
    depth = pieces.nx * ux + pieces.ny * uy
    start: Point = eye[0], eye[1]
    chosen = np.linspace(0, len(middle) - 1, min(_RAYS, len(middle))).round().astype(np.int64)
    return tuple(
        Ray(
            start=start,
            end=(float(eye[0] + ux[i] / depth[i]), float(eye[1] + uy[i] / depth[i])),
            clear=bool(clear[i]),
        )
        for i in chosen
    )
