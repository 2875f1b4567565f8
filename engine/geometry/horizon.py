"""The nearest sight-blocking wall in every direction around one or several eyes.

The search starts in a box that holds some 250 walls and stops as soon as the walls found stand
nearer than the box all around: nothing outside can then matter. Otherwise it keeps the winners,
drops new walls that lie behind them, and grows the box. In dungeons the cost becomes independent
of the number of walls.
"""

from dataclasses import dataclass

import numpy as np

from engine.geometry import dual
from engine.geometry.arrays import Bools, Floats, Ints
from engine.geometry.dual import Stretches
from engine.geometry.segments import SightSegs

_FIRST_BOX = 250
_GROWTH = 4.0
_LEAST_BOX = 1e-3


@dataclass(frozen=True, eq=False)
class Horizon:
    """Intervals between events with the line (nx, ny) of their nearest wall, zero for none.

    `nearest` is its index into `stretches`, or -1; `passed` the terrain edge that sight crosses
    before it, if there are any.
    """

    events: Floats
    nx: Floats
    ny: Floats
    nearest: Ints
    stretches: Stretches
    passed: Ints | None

    def depth(self) -> Floats:
        """Return for each interval the least w in it: how near even its far end stands."""
        return np.minimum(*dual.ends_of_intervals(self.events, self.nx, self.ny))

    def used(self) -> Stretches:
        """Return the stretches that are nearest, or passed, anywhere."""
        flags = np.zeros(len(self.stretches.row) + 1, dtype=np.bool_)
        flags[self.nearest] = True
        if self.passed is not None:
            flags[self.passed] = True
        return self.stretches.at(np.flatnonzero(flags[:-1]))


def horizon(segs: SightSegs, eyes: Floats, reach: Floats, active: Bools | None = None) -> Horizon:
    """Return the horizon of eyes (e, 2), each out to a Chebyshev distance (e,).

    `active` tells which segments count, all of them by default.
    """
    distance = _distances(segs, eyes)
    if active is not None:
        distance[:, ~active] = np.inf
    inner, outer = np.full(len(eyes), -np.inf), _first_box(distance, reach)
    found = _between(segs, eyes, distance, inner, outer)
    while True:
        seen = _envelope(segs, found, len(eyes))
        depth = seen.depth()
        unfinished = _open(seen, depth, outer) & (outer < reach)
        if not unfinished.any():
            return seen
        inner = np.where(unfinished, outer, np.inf)
        outer = np.minimum(outer * _GROWTH, reach)
        fresh = _between(segs, eyes, distance, inner, outer)
        found = dual.join(seen.used(), _not_behind(seen, depth, fresh, distance))


def _distances(segs: SightSegs, eyes: Floats) -> Floats:
    """Return (e, n): how far the boxes of the segments are from the eyes, Chebyshev."""
    left, top, right, bottom = segs.boxes
    x, y = eyes[:, :1], eyes[:, 1:]
    across = np.maximum(left - x, x - right)
    distance: Floats = np.maximum(across, np.maximum(top - y, y - bottom))
    return distance


def _first_box(distance: Floats, reach: Floats) -> Floats:
    if distance.shape[1] <= _FIRST_BOX:
        return reach
    nearest: Floats = np.partition(distance, _FIRST_BOX, axis=1)[:, _FIRST_BOX]
    return np.minimum(np.maximum(nearest, _LEAST_BOX), reach)


def _between(
    segs: SightSegs, eyes: Floats, distance: Floats, inner: Floats, outer: Floats
) -> Stretches:
    """Return the stretches of the segments between two boxes around each eye."""
    inside = (distance > inner[:, None]) & (distance <= outer[:, None])
    if len(eyes) == 1:
        row, number = np.flatnonzero(inside[0]), None
        x, y = eyes[0]
    else:
        number, row = np.nonzero(inside)
        x, y = eyes[number].T
    ends = segs.ends.take(row, axis=1)
    ends[::2] -= x
    ends[1::2] -= y
    side = segs.side[row] if segs.any_side else None
    return dual.to_dual(ends, row, side, number)


def _envelope(segs: SightSegs, found: Stretches, eyes: int) -> Horizon:
    once = segs.once[found.row] if segs.any_once else None
    events, nearest, passed = dual.envelope(found, eyes, once)
    if not len(found.row):
        nothing = np.zeros(len(nearest))
        return Horizon(events, nothing, nothing, nearest, found, passed)
    seen = nearest >= 0
    nx = np.where(seen, found.nx[nearest], 0.0)
    ny = np.where(seen, found.ny[nearest], 0.0)
    return Horizon(events, nx, ny, nearest, found, passed)


def _open(seen: Horizon, depth: Floats, outer: Floats) -> Bools:
    """Tell which eyes see past their box anywhere."""
    seams = dual.SEAM + dual.TURN * np.arange(len(outer))
    first = seen.events.searchsorted(seams, side="right") - 1
    return np.asarray(np.minimum.reduceat(depth, first) * outer < 1.0)


def _not_behind(seen: Horizon, depth: Floats, fresh: Stretches, distance: Floats) -> Stretches:
    """Drop the stretches that lie wholly behind what is seen."""
    first = seen.events.searchsorted(fresh.start, side="right") - 1
    last = np.maximum(seen.events.searchsorted(fresh.end, side="left") - 1, first)
    eye = ((fresh.start - dual.SEAM) // dual.TURN).astype(np.int64)
    nearest = 1.0 / distance[eye, fresh.row]
    return fresh.at(nearest > dual.RangeMinimum(depth).between(first, last))
