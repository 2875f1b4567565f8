"""Shadows on targets cast by walls with a base and a top, and by other tokens.

Within one piece of a target's silhouette a wall's distance and the target's distance are linear
in the dual, so a shadow's edge on the target is a ratio of two linear functions. Pieces are cut
into cells wherever a shadow begins, ends, or passes the target's foot or head; in a cell the
union of the shadows is smooth up to where two cross, and a few bearings per cell are enough.
"""

from typing import NamedTuple

import numpy as np

from engine.geometry import dual
from engine.geometry.arrays import Bools, Floats, Ints, expand
from engine.geometry.dual import Stretches
from engine.geometry.horizon import wall_stretches
from engine.geometry.segments import SightSegs
from engine.geometry.silhouette import Silhouettes, faces

AT_FACE = 1 - 1e-9
"""A wall on the near face counts; it may stand so much farther, relatively."""

BUCKETS = 8
"""Buckets per unit of pseudo-angle; no piece of a silhouette may cross a bucket's border."""

_BEARINGS = 4


class Casters(NamedTuple):
    """What may cast a shadow: stretches whose `row` leads into the other columns.

    `wall` is the number of a wall, or -1 for an obstacle; `group` the obstacle that a face belongs
    to, or -1 for a wall; `far` marks far faces; `spared` is the target that is the obstacle
    itself, or -1.
    """

    found: Stretches
    base: Floats
    top: Floats
    once: Bools
    wall: Ints
    group: Ints
    far: Bools
    spared: Ints


class Pieces(NamedTuple):
    """Pieces of silhouettes: from, to, near face; heights of target's foot, head and the eye."""

    start: Floats
    end: Floats
    nx: Floats
    ny: Floats
    target: Ints
    low: Floats
    high: Floats
    eye: Floats


class _Meetings(NamedTuple):
    """Pieces met by casters, in the order of pieces; `rank` counts the pieces that are met.

    Within a piece a fraction runs from 0 to 1. The caster spans `first` to `last`; `w0`, `w1` are
    the dual depths of its line at both ends of the piece, `t0`, `t1` those of the target.
    """

    piece: Ints
    row: Ints
    rank: Ints
    first: Floats
    last: Floats
    w0: Floats
    w1: Floats
    t0: Floats
    t1: Floats

    def at(self, index: Ints | Bools) -> "_Meetings":
        return _Meetings(
            self.piece[index],
            self.row[index],
            self.rank[index],
            self.first[index],
            self.last[index],
            self.w0[index],
            self.w1[index],
            self.t0[index],
            self.t1[index],
        )


def casters_of(
    segs: SightSegs, obstacles: Silhouettes, edges: tuple[Floats, Ints], eyes: Floats, spared: Ints
) -> Casters:
    """Return the casters that walls and obstacles are for eyes (e, 2).

    `edges` are the border pieces of the obstacles that count, and their obstacles; `spared` (one
    per obstacle) is the target that is the same thing, or -1.
    """
    pieces, owner = edges
    count = len(segs)
    near, far = faces(pieces, eyes, near=True), faces(pieces, eyes, near=False)
    near = near._replace(row=near.row + count)
    far = far._replace(row=far.row + count + len(pieces))
    none = np.full(count, -1)
    return Casters(
        found=dual.join(wall_stretches(segs, eyes), near, far),
        base=np.concatenate((segs.base, obstacles.base[owner], obstacles.base[owner])),
        top=np.concatenate((segs.top, obstacles.top[owner], obstacles.top[owner])),
        once=np.concatenate((segs.once, np.zeros(2 * len(pieces), dtype=np.bool_))),
        wall=np.concatenate((segs.owner, np.full(2 * len(pieces), -1))),
        group=np.concatenate((none, owner, owner)),
        far=np.arange(count + 2 * len(pieces)) >= count + len(pieces),
        spared=np.concatenate((none, spared[owner], spared[owner])),
    )


def wall_casters(segs: SightSegs, found: Stretches) -> Casters:
    """Return the casters that walls alone are, one segment for each line of sight it may stop."""
    none = np.full(len(segs), -1)
    return Casters(
        found=found,
        base=segs.base,
        top=segs.top,
        once=segs.once,
        wall=segs.owner,
        group=none,
        far=np.zeros(len(segs), dtype=np.bool_),
        spared=none,
    )


def hidden_angles(casters: Casters, pieces: Pieces) -> Floats:
    """Return for each piece the angle, in radians, times the share of the height, in shadow."""
    hidden = np.zeros(len(pieces.start))
    cast = _cast(casters, pieces)
    if cast is not None:
        cell, low, high = _whole_obstacles(casters.group[cast.row], cast.cell, cast.low, cast.high)
        covered = _covered(cell, low, high, len(cast.piece))
        np.add.at(hidden, cast.piece, (covered * cast.angle).sum(axis=1))
    return hidden


def hidden_by_each(casters: Casters, pieces: Pieces) -> Floats:
    """Return for each caster the angle times the share of the height that it alone hides."""
    cast = _cast(casters, pieces)
    if cast is None:
        return np.zeros(len(casters.base))
    amount = ((cast.high - cast.low) * cast.angle[cast.cell]).sum(axis=1)
    hidden: Floats = np.bincount(cast.row, amount, len(casters.base)).astype(np.float64)
    return hidden


class _Cast(NamedTuple):
    """Shadows: for each cell its piece and the angle (c, bearings) that each bearing stands for.

    Each shadow has its cell and caster, and its extent (n, bearings) in shares of the height.
    """

    piece: Ints
    angle: Floats
    cell: Ints
    row: Ints
    low: Floats
    high: Floats


def _cast(casters: Casters, pieces: Pieces) -> _Cast | None:
    """Return all shadows on pieces, or None if there are none."""
    met = _meetings(casters, pieces)
    if not len(met.piece):
        return None
    rank, left, width = _cells(casters, pieces, met)
    piece = met.piece[np.flatnonzero(np.diff(met.rank, prepend=-1))][rank]
    x = left[:, None] + width[:, None] * ((np.arange(_BEARINGS) + 0.5) / _BEARINGS)
    span = (pieces.end - pieces.start)[piece]
    s = pieces.start[piece, None] + span[:, None] * x
    t = s - 2.0 * np.floor((s + 1.0) * 0.5)
    cell, entry = _shaded(casters, met, rank, left + width / 2)
    low, high = _extents(casters, pieces, met.at(entry), x[cell])
    return _Cast(
        piece=piece,
        angle=(span * width / _BEARINGS)[:, None] / (1 + t * t),
        cell=cell,
        row=met.row[entry],
        low=low,
        high=high,
    )


def _meetings(casters: Casters, pieces: Pieces) -> _Meetings:
    """Return which casters stand before which pieces, by way of the buckets they share."""
    found = casters.found
    first = np.floor((found.start - dual.SEAM) * BUCKETS).astype(np.int64)
    last = np.floor((found.end - dual.SEAM) * BUCKETS).astype(np.int64)
    stretch, bucket = expand(last - first + 1, first)
    stretch = stretch[np.argsort(bucket, kind="stable")]
    middle = (pieces.start + pieces.end) / 2
    home = np.floor((middle - dual.SEAM) * BUCKETS).astype(np.int64)
    counts = np.bincount(bucket, minlength=int(home.max(initial=0)) + 1)
    begins = np.cumsum(counts) - counts
    piece, place = expand(counts[home], begins[home])
    stretch = stretch[place]
    overlap = (found.start[stretch] < pieces.end[piece]) & (
        found.end[stretch] > pieces.start[piece]
    )
    overlap &= casters.spared[found.row[stretch]] != pieces.target[piece]
    piece, stretch = piece[overlap], stretch[overlap]
    met = _measure(found, pieces, piece, stretch)
    gap0, gap1 = met.w0 - AT_FACE * met.t0, met.w1 - AT_FACE * met.t1
    before = np.maximum(gap0 + (gap1 - gap0) * met.first, gap0 + (gap1 - gap0) * met.last) > 0
    met = met.at(before | casters.far[met.row])
    return met._replace(rank=np.cumsum(np.diff(met.piece, prepend=-1) != 0) - 1)


def _measure(found: Stretches, pieces: Pieces, piece: Ints, stretch: Ints) -> _Meetings:
    start, span = pieces.start[piece], (pieces.end - pieces.start)[piece]
    ux0, uy0 = dual.direction(pieces.start)
    # The end of a piece may be the first direction of the next quadrant: it is the same one.
    ux1, uy1 = dual.direction(pieces.end)
    nx, ny = found.nx[stretch], found.ny[stretch]
    return _Meetings(
        piece=piece,
        row=found.row[stretch],
        rank=piece,
        first=np.clip((found.start[stretch] - start) / span, 0, 1),
        last=np.clip((found.end[stretch] - start) / span, 0, 1),
        w0=nx * ux0[piece] + ny * uy0[piece],
        w1=nx * ux1[piece] + ny * uy1[piece],
        t0=(pieces.nx * ux0 + pieces.ny * uy0)[piece],
        t1=(pieces.nx * ux1 + pieces.ny * uy1)[piece],
    )


def _cells(casters: Casters, pieces: Pieces, met: _Meetings) -> tuple[Ints, Floats, Floats]:
    """Return rank, start and width of the cells between all cuts of each piece."""
    eye = pieces.eye[met.piece]
    foot, head = pieces.low[met.piece] - eye, pieces.high[met.piece] - eye
    base, top = casters.base[met.row] - eye, casters.top[met.row] - eye
    cuts = [met.first, met.last, _zero(met.w0 - AT_FACE * met.t0, met.w1 - AT_FACE * met.t1)]
    with np.errstate(invalid="ignore"):
        cuts += [
            _zero(height * met.w0 - level * met.t0, height * met.w1 - level * met.t1)
            for height in (base, top)
            for level in (foot, head)
        ]
    at = np.array(cuts)
    inside = (at >= met.first) & (at <= met.last)
    ranks = np.arange(met.rank[-1] + 1)
    keys = np.concatenate(((2.0 * met.rank + at)[inside], 2.0 * ranks, 2.0 * ranks + 1))
    keys.sort()
    rank = np.floor(keys[:-1] / 2)
    width = np.diff(keys)
    cell = (width > 1e-9) & (keys[1:] <= 2 * rank + 1)
    return rank[cell].astype(np.int64), (keys[:-1] - 2 * rank)[cell], width[cell]


def _zero(start: Floats, end: Floats) -> Floats:
    """Return where linear functions from `start` at 0 to `end` at 1 vanish, NaN for nowhere."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return start / (start - end)


def _shaded(casters: Casters, met: _Meetings, cell_rank: Ints, x: Floats) -> tuple[Ints, Ints]:
    """Return pairs (cell, meeting): who stands before the target in which cell, at fraction x."""
    counts = np.bincount(met.rank)
    begins = np.cumsum(counts) - counts
    cell, entry = expand(counts[cell_rank], begins[cell_rank])
    at = x[cell]
    w = met.w0[entry] + (met.w1 - met.w0)[entry] * at
    t = met.t0[entry] + (met.t1 - met.t0)[entry] * at
    stands = (met.first[entry] <= at) & (at <= met.last[entry])
    # A wall on the near face counts; a creature does not that stands in the same place.
    limit = np.where(casters.group[met.row[entry]] < 0, AT_FACE, 2 - AT_FACE)
    before = stands & (w > limit * t)
    once = before & casters.once[met.row[entry]]
    if once.any():
        before[_nearest(cell, w, once)] = False
    far, group = casters.far[met.row[entry]], casters.group[met.row[entry]]
    if far.any():
        # The far face of an obstacle that reaches into the target, seen through its near face.
        key = cell * (group.max() + 1) + group
        before |= stands & far & np.isin(key, key[before & ~far & (group >= 0)])
    return cell[before], entry[before]


def _nearest(cell: Ints, w: Floats, among: Bools) -> Ints:
    """Return for each cell the index of the largest w of those marked."""
    index = np.flatnonzero(among)
    order = index[np.lexsort((-w[index], cell[index]))]
    nearest: Ints = order[np.diff(cell[order], prepend=-1) != 0]
    return nearest


def _extents(casters: Casters, pieces: Pieces, met: _Meetings, x: Floats) -> tuple[Floats, Floats]:
    """Return the shadows (n, bearings) in shares of the target's height, from 0 to 1."""
    w = met.w0[:, None] + (met.w1 - met.w0)[:, None] * x
    t = met.t0[:, None] + (met.t1 - met.t0)[:, None] * x
    ratio = np.maximum(w / t, 1.0)
    eye = pieces.eye[met.piece]
    foot = (pieces.low[met.piece] - eye)[:, None]
    height = (pieces.high - pieces.low)[met.piece, None]
    low = ((casters.base[met.row] - eye)[:, None] * ratio - foot) / height
    high = ((casters.top[met.row] - eye)[:, None] * ratio - foot) / height
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


def _whole_obstacles(
    group: Ints, cell: Ints, low: Floats, high: Floats
) -> tuple[Ints, Floats, Floats]:
    """Join the shadows of the faces of one obstacle: between near and far it is solid."""
    solid = group >= 0
    if not solid.any():
        return cell, low, high
    key = cell[solid] * (group.max() + 1) + group[solid]
    keys, inverse = np.unique(key, return_inverse=True)
    joined_low = np.full((len(keys), low.shape[1]), np.inf)
    joined_high = np.full((len(keys), low.shape[1]), -np.inf)
    np.minimum.at(joined_low, inverse, low[solid])
    np.maximum.at(joined_high, inverse, high[solid])
    return (
        np.concatenate((cell[~solid], keys // (group.max() + 1))),
        np.concatenate((low[~solid], joined_low)),
        np.concatenate((high[~solid], joined_high)),
    )


def _covered(cell: Ints, low: Floats, high: Floats, cells: int) -> Floats:
    """Return the length (cells, bearings) of the union of shadows in each cell and bearing."""
    bearings = low.shape[1]
    node = (cell[:, None] * bearings + np.arange(bearings)).ravel()
    start, end = low.ravel(), high.ravel()
    casts = end > start
    node, start, end = node[casts], start[casts], end[casts]
    order = np.argsort(2.0 * node + start)
    node = node[order]
    start, end = 2.0 * node + start[order], 2.0 * node + end[order]
    so_far = np.maximum.accumulate(np.concatenate(([-1.0], end)))[:-1]
    gain = np.maximum(end - np.maximum(start, so_far), 0)
    covered: Floats = np.bincount(node, gain, minlength=cells * bearings).astype(np.float64)
    return covered.reshape(cells, bearings)
