"""Find the boxes around a point without looking at all of them.

Boxes are sorted by the bucket of their centre, row by row, so the boxes near a point are one run
per row of buckets. Boxes larger than a bucket are few and are always looked at.
"""

import numpy as np

from engine.geometry.arrays import Floats, Ints, expand

_MOST_BUCKETS = 128
_PER_BUCKET = 4
_STEPS = 24


class BoxIndex:
    """An index of boxes (4, n): rows left, top, right, bottom."""

    def __init__(self, boxes: Floats) -> None:
        left, top, right, bottom = boxes
        side = int(np.clip((boxes.shape[1] / _PER_BUCKET) ** 0.5, 1, _MOST_BUCKETS))
        self._origin = np.array((left.min(initial=0), top.min(initial=0)))
        whole = max(
            float(right.max(initial=1) - self._origin[0]),
            float(bottom.max(initial=1) - self._origin[1]),
        )
        self._size, self._side = whole / side, side
        small = np.maximum(right - left, bottom - top) <= self._size
        self._large = np.flatnonzero(~small)
        index = np.flatnonzero(small)
        centre = np.column_stack((left + right, top + bottom))[index] / 2
        column, row = self._bucket(centre).T
        key = row * side + column
        self._order = index[np.argsort(key, kind="stable")]
        counts = np.bincount(key, minlength=side * side)
        self._begins = np.concatenate(([0], np.cumsum(counts)))
        # Number of boxes in all buckets left of and above one.
        self._sums = np.zeros((side + 1, side + 1), dtype=np.int64)
        self._sums[1:, 1:] = counts.reshape(side, side).cumsum(axis=0).cumsum(axis=1)
        self._ladder = self._size * 2.0 ** (np.arange(_STEPS) / 2 - 2)

    def around(self, points: Floats, radius: Floats) -> tuple[Ints, Ints]:
        """Return pairs (point, box): all boxes within a Chebyshev radius (p,), and some more.

        The pairs are in the order of the points (p, 2).
        """
        reach = (radius + self._size / 2)[:, None]
        first, last = self._bucket(points - reach), self._bucket(points + reach)
        point, place = expand(last[:, 1] - first[:, 1] + 1)
        start = (first[point, 1] + place) * self._side
        begin = self._begins[start + first[point, 0]]
        run, place = expand(self._begins[start + last[point, 0] + 1] - begin)
        found, box = point[run], self._order[begin[run] + place]
        if not len(self._large):
            return found, box
        found = np.concatenate((found, np.repeat(np.arange(len(points)), len(self._large))))
        return found, np.concatenate((box, np.tile(self._large, len(points))))

    def radius_for(self, points: Floats, count: int) -> Floats:
        """Return Chebyshev radii (p,) within which each point has roughly so many boxes."""
        reach = self._ladder[:, None, None]
        first, last = self._bucket(points - reach), self._bucket(points + reach) + 1
        inside = (
            self._sums[last[..., 1], last[..., 0]]
            - self._sums[first[..., 1], last[..., 0]]
            - self._sums[last[..., 1], first[..., 0]]
            + self._sums[first[..., 1], first[..., 0]]
        )
        enough = inside + len(self._large) >= count
        return np.where(enough.any(axis=0), self._ladder[enough.argmax(axis=0)], np.inf)

    def _bucket(self, points: Floats) -> Ints:
        place = np.floor((points - self._origin) / self._size)
        bucket: Ints = np.clip(place, 0, self._side - 1).astype(np.int64)
        return bucket
