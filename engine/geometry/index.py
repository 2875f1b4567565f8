"""Find the boxes around a point without looking at all of them.

Boxes are sorted by the bucket of their centre, row by row, so the boxes near a point are one run
per row of buckets. Boxes larger than a bucket are few and are always looked at.
"""

import numpy as np

from engine.geometry.arrays import Floats, Ints

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
        if not len(extent):
            left = right = top = bottom = extent = np.zeros(1)
        self._origin = float(left.min()), float(top.min())
        whole = float(max(right.max() - left.min(), bottom.max() - top.min()))
        rank = int(_SMALL * (len(extent) - 1))
        usual = float(np.partition(extent, rank)[rank])
        most = (len(left) / _PER_BUCKET) ** 0.5
        side = int(np.clip(min(most, whole / max(usual, 1e-9)), 1, _MOST_BUCKETS))
        self._last = side - 1
        self._size = max(whole / side, 1e-9)
        small = extent[: boxes.shape[1]] <= self._size
        self._large = np.flatnonzero(~small)
        index = np.flatnonzero(small)
        column = ((left + right) / 2 - self._origin[0]) / self._size
        row = ((top + bottom) / 2 - self._origin[1]) / self._size
        place = np.clip(np.stack((column, row))[:, index], 0, self._last).astype(np.int64)
        key = place[1] * side + place[0]
        self._order = index[np.argsort(key, kind="stable")]
        counts = np.bincount(key, minlength=side * side)
        self._begins: list[int] = np.concatenate(([0], np.cumsum(counts))).tolist()
        self._radius: list[float] = self._radii(counts.reshape(side, side), enough).ravel().tolist()

    def around(self, x: float, y: float, radius: float) -> Ints:
        """Return all boxes within a Chebyshev radius of a point, and some more."""
        reach = radius + self._size / 2
        left, right = self._place(x - reach, 0), self._place(x + reach, 0)
        top, bottom = self._place(y - reach, 1), self._place(y + reach, 1)
        side, begins = self._last + 1, self._begins
        # One slice per row of buckets: for one point this is several times faster than arrays.
        return np.concatenate(
            [
                self._order[begins[row + left] : begins[row + right + 1]]
                for row in range(top * side, bottom * side + 1, side)
            ]
            + [self._large]
        )

    def radius_for_enough(self, x: float, y: float) -> float:
        """Return a Chebyshev radius within which a point has roughly enough boxes."""
        return self._radius[self._place(y, 1) * (self._last + 1) + self._place(x, 0)]

    def _place(self, value: float, axis: int) -> int:
        return min(max(int((value - self._origin[axis]) / self._size), 0), self._last)

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
