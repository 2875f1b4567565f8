"""Array types and the spatial join that noding, movement and sight share.

Everything here is plain numpy on segments; no wall, token or rule is known.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

TOUCH = 1e-9
"""Cells. Points nearer than this are the same point: far below a pixel, far above rounding."""

_CHUNK = 1 << 20
_FEW = 1 << 17
_SWEPT = 1 << 21


def bounding_boxes(segs: Floats) -> Floats:
    """Return left, top, right, bottom of segments (n, 2, 2) as an array (4, n)."""
    low = np.minimum(segs[:, 0], segs[:, 1])
    high = np.maximum(segs[:, 0], segs[:, 1])
    return np.ascontiguousarray(np.concatenate((low, high), axis=1).T)


def cross(a: Floats, b: Floats) -> Floats:
    """Return the z component of the cross product of vectors (..., 2)."""
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], dtype=np.float64)


def distinct(values: Ints) -> Ints:
    """Return the values of a flat array sorted, each once.

    As `np.unique` does, which however loads `numpy.ma` and so costs a command 7 ms of its start.
    """
    if len(values) < 2:
        return values
    ordered = np.sort(values)
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))]


def successors(ring: Floats) -> Floats:
    """Return for each point of a ring (n, 2) the one after it; much quicker than `np.roll`."""
    return np.concatenate((ring[1:], ring[:1]))


def predecessors(ring: Floats) -> Floats:
    """Return for each point of a ring (n, 2) the one before it."""
    return np.concatenate((ring[-1:], ring[:-1]))


def expand(counts: Ints, first: Ints | int = 0) -> tuple[Ints, Ints]:
    """Return for runs of the given lengths the run of each element and its number.

    Numbers count up by one in each run, beginning with `first`.
    """
    if len(counts) == 1:
        number = np.arange(int(counts[0]))
        return np.zeros(len(number), dtype=np.int64), number + first
    run = np.repeat(np.arange(len(counts)), counts)
    return run, np.arange(len(run)) + np.repeat(first - (np.cumsum(counts) - counts), counts)


def near_pairs(a: Floats, b: Floats) -> Iterator[tuple[Ints, Ints]]:
    """Yield index pairs (i, j) of segments a (n, 2, 2) and b (m, 2, 2) whose boxes touch.

    Each pair comes once, in chunks of bounded size. Up to some thousand segments are swept along
    one axis. More are hashed into square buckets about as large as they are long, so the work
    follows the number of true neighbours; then pairs whose segments are far apart may be missing.
    """
    if not len(a) or not len(b):
        return
    boxes_a, boxes_b = bounding_boxes(a), bounding_boxes(b)
    frame = (*boxes_a[:2].min(axis=1), *boxes_a[2:].max(axis=1))
    close = np.flatnonzero(_overlap(np.array(frame)[:, None], boxes_b))
    if len(a) * len(close) <= _FEW:
        i, place = np.nonzero(_overlap(boxes_a[:, :, None], boxes_b[:, None, close]))
        yield i, close[place]
        return
    swept = _swept_pairs(boxes_a, boxes_b[:, close])
    for i, j in _bucket_pairs(a, b[close]) if swept is None else (swept,):
        # `take` is four times as quick here as indexing.
        touching = _overlap(boxes_a.take(i, axis=1), boxes_b.take(close[j], axis=1))
        code = distinct(i[touching] * len(b) + close[j[touching]])
        yield code // len(b), code % len(b)


def _overlap(a: Floats, b: Floats) -> Bools:
    """Tell which boxes (4, ...) touch, within TOUCH."""
    return np.asarray(
        (a[0] <= b[2] + TOUCH)
        & (b[0] <= a[2] + TOUCH)
        & (a[1] <= b[3] + TOUCH)
        & (b[1] <= a[3] + TOUCH)
    )


def _swept_pairs(a: Floats, b: Floats) -> tuple[Ints, Ints] | None:
    """Return the pairs of boxes (4, ...) that overlap along one axis; None if there are many.

    Of two such boxes the one that begins later does so before the other one ends.
    """
    along = [_later_starts(a[low], a[low + 2], b[low], b[low + 2]) for low in (0, 1)]
    sweep = min(along, key=lambda each: each.candidates)
    return sweep.pairs() if sweep.candidates <= _SWEPT else None


class _Sweep(NamedTuple):
    """Intervals of two kinds in the order of their starts; which ones begin within which others."""

    order_a: Ints
    order_b: Ints
    first_b: Ints
    in_a: Ints
    first_a: Ints
    in_b: Ints

    @property
    def candidates(self) -> int:
        return int(self.in_a.sum() + self.in_b.sum())

    def pairs(self) -> tuple[Ints, Ints]:
        a, within_a = expand(self.in_a, self.first_b)
        b, within_b = expand(self.in_b, self.first_a)
        return (
            np.concatenate((self.order_a[a], self.order_a[within_b])),
            np.concatenate((self.order_b[within_a], self.order_b[b])),
        )


def _later_starts(low_a: Floats, high_a: Floats, low_b: Floats, high_b: Floats) -> _Sweep:
    """Sort intervals of two kinds, and find for each which of the other kind begin within it."""
    order_a, order_b = np.argsort(low_a), np.argsort(low_b)
    starts_a, starts_b = low_a[order_a], low_b[order_b]
    first_b = np.searchsorted(starts_b, starts_a, side="left")
    last_b = np.searchsorted(starts_b, high_a[order_a] + TOUCH, side="right")
    # Of two that begin together only one way round counts.
    first_a = np.searchsorted(starts_a, starts_b, side="right")
    last_a = np.searchsorted(starts_a, high_b[order_b] + TOUCH, side="right")
    return _Sweep(order_a, order_b, first_b, last_b - first_b, first_a, last_a - first_a)


def _bucket_pairs(a: Floats, b: Floats) -> Iterator[tuple[Ints, Ints]]:
    """Yield pairs that share a bucket, all of one segment of `a` in the same chunk."""
    size = _bucket_size(a, b)
    owner_a, key_a = _buckets(a, size)
    owner_b, key_b = _buckets(b, size)
    order = np.argsort(key_b, kind="stable")
    owner_b, key_b = owner_b[order], key_b[order]
    first = np.searchsorted(key_b, key_a, side="left")
    counts = np.searchsorted(key_b, key_a, side="right") - first
    per_segment = np.bincount(owner_a, weights=counts, minlength=len(a))
    chunk_of = (np.cumsum(per_segment) // _CHUNK).astype(np.int64)[owner_a]
    cuts = np.flatnonzero(np.diff(chunk_of)) + 1
    for part in np.split(np.arange(len(owner_a)), cuts):
        run, place = expand(counts[part], first[part])
        yield owner_a[part][run], owner_b[place]


def _bucket_size(a: Floats, b: Floats) -> float:
    """Return the side of a bucket; no segment of either kind may need more than some thousand."""
    extent = np.abs(b[:, 1] - b[:, 0]).max(axis=1)
    whole = max(float(np.ptp(segs.reshape(-1, 2), axis=0).max()) for segs in (a, b))
    return max(float(np.median(extent)), whole / 1024, 1e-6)


def _buckets(segs: Floats, size: float) -> tuple[Ints, Ints]:
    """Return segment and bucket key for every bucket a segment may touch, in segment order."""
    delta = segs[:, 1] - segs[:, 0]
    pieces = np.minimum(np.abs(delta).max(axis=1) / size + 1, 1 << 14).astype(np.int64)
    run, place = expand(pieces)
    start = segs[run, 0] + delta[run] * (place / pieces[run])[:, None]
    end = segs[run, 0] + delta[run] * ((place + 1) / pieces[run])[:, None]
    low = np.floor((np.minimum(start, end) - 2 * TOUCH) / size).astype(np.int64)
    span = np.floor((np.maximum(start, end) + 2 * TOUCH) / size).astype(np.int64) - low + 1
    piece, cell = expand(span[:, 0] * span[:, 1])
    column = low[piece, 0] + cell % span[piece, 0]
    row = low[piece, 1] + cell // span[piece, 0]
    return run[piece], (column << 32) + row
