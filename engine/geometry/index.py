"""Find the boxes around a point without looking at all of them.

Boxes are sorted by the bucket of their centre, row by row, so the boxes near a point are one run
per row of buckets. Boxes larger than a bucket are few and are always looked at.
"""

import numpy as np

from engine.geometry.arrays import Floats, Ints, expand

_MOST_BUCKETS = 96
_PER_BUCKET = 4
_SMALL = 0.98


class BoxIndex:
    """An index of boxes (4, n): rows left, top, right, bottom.

    It also knows, for each bucket, the radius of a square that holds about `enough` boxes.
    """

    def __init__(self, boxes: Floats, enough: int) -> None:
        left, top, right, bottom = boxes
        extent = np.maximum(right - left, bottom - top)
        self._origin = np.array((left.min(initial=np.inf), top.min(initial=np.inf)))
        corner = np.array((right.max(initial=-np.inf), bottom.max(initial=-np.inf)))
        whole = float((corner - self._origin).max()) if len(left) else 1.0
        usual = float(np.quantile(extent, _SMALL)) if len(left) else 1.0
        most = (len(left) / _PER_BUCKET) ** 0.5
        side = int(np.clip(min(most, whole / max(usual, 1e-9)), 1, _MOST_BUCKETS))
        self._last = side - 1
        self._size = max(whole / side, 1e-9)
        small = extent <= self._size
        self._large = np.flatnonzero(~small)
        index = np.flatnonzero(small)
        column, row = self._bucket(np.column_stack((left + right, top + bottom))[index] / 2).T
        key = row * side + column
        self._order = index[np.argsort(key, kind="stable")]
        counts = np.bincount(key, minlength=side * side)
        self._begins = np.concatenate(([0], np.cumsum(counts)))
        self._radius = self._radii(counts.reshape(side, side), enough)

    def around(self, points: Floats, radius: Floats) -> tuple[Ints, Ints]:
        """Return pairs (point, box): all boxes within a Chebyshev radius (p,), and some more."""
        centre = points - self._origin
        reach = (radius + self._size / 2)[:, None]
        first, last = self._bucket_at(centre - reach), self._bucket_at(centre + reach)
        point, row = expand(last[:, 1] - first[:, 1] + 1, first[:, 1])
        start = row * (self._last + 1)
        begin = self._begins[start + first[point, 0]]
        run, place = expand(self._begins[start + last[point, 0] + 1] - begin, begin)
        found, box = point[run], self._order[place]
        if not len(self._large):
            return found, box
        every = np.repeat(np.arange(len(points)), len(self._large))
        large = self._large if len(points) == 1 else np.tile(self._large, len(points))
        return np.concatenate((found, every)), np.concatenate((box, large))

    def radius_for_enough(self, points: Floats) -> Floats:
        """Return Chebyshev radii (p,) within which each point has roughly enough boxes."""
        column, row = self._bucket(points).T
        radius: Floats = self._radius[row, column]
        return radius

    def _bucket(self, points: Floats) -> Ints:
        return self._bucket_at(points - self._origin)

    def _bucket_at(self, offset: Floats) -> Ints:
        place = np.minimum(np.maximum(offset / self._size, 0), self._last)
        return place.astype(np.int64)

    def _radii(self, counts: Ints, enough: int) -> Floats:
        """Return for each bucket the radius around its middle, in steps of half a bucket."""
        side = self._last + 1
        sums = np.zeros((side + 1, side + 1), dtype=np.int64)
        sums[1:, 1:] = counts.cumsum(axis=0).cumsum(axis=1)
        here = np.arange(side)
        radius, before = np.full((side, side), np.inf), np.zeros((side, side))
        for reach in range(side):
            low = np.maximum(here - reach, 0)
            high = np.minimum(here + reach, self._last) + 1
            inside = (
                sums[np.ix_(high, high)]
                - sums[np.ix_(low, high)]
                - sums[np.ix_(high, low)]
                + sums[np.ix_(low, low)]
            )
            full = (inside >= enough) & np.isinf(radius)
            part = (enough - before[full]) / np.maximum(inside[full] - before[full], 1)
            radius[full] = (reach - 0.5 + part) * self._size
            before = inside
            if not np.isinf(radius).any():
                break
        least: Floats = np.maximum(radius, self._size / 4)
        return least
