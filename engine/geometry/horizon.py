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

_GROWTH = 4.0


@dataclass(frozen=True, eq=False)
class Horizon:
    """Intervals between events with the line (nx, ny) of their nearest wall, zero for none.

    (ux, uy) is the direction of each event. `nearest` is the wall's index into `stretches`, or
    -1; `passed` the terrain edge that sight crosses before it, if there are any.
    """

    events: Floats
    ux: Floats
    uy: Floats
    nx: Floats
    ny: Floats
    nearest: Ints
    stretches: Stretches
    passed: Ints | None

    def depth(self) -> Floats:
        """Return for each interval the least w in it: how near even its far end stands."""
        start = self.nx * self.ux[:-1] + self.ny * self.uy[:-1]
        least: Floats = np.minimum(start, self.nx * self.ux[1:] + self.ny * self.uy[1:])
        return least

    def used(self) -> Stretches:
        """Return the stretches that are nearest, or passed, anywhere."""
        flags = np.zeros(len(self.stretches.row) + 1, dtype=np.bool_)
        flags[self.nearest] = True
        if self.passed is not None:
            flags[self.passed] = True
        return self.stretches.at(np.flatnonzero(flags[:-1]))


def horizon(
    segs: SightSegs,
    eyes: Floats,
    reach: Floats,
    active: Bools | None = None,
    extra: SightSegs | None = None,
) -> Horizon:
    """Return the horizon of eyes (e, 2), each out to a Chebyshev distance (e,).

    `active` tells which segments count, all of them by default. `extra` segments count as well;
    in the stretches their rows follow those of `segs`.
    """
    once = _once(segs, extra)
    inner, outer = np.full(len(eyes), -np.inf), _first_box(segs, eyes, reach)
    found, _ = _between(segs, eyes, active, inner, outer)
    if extra is not None:
        more = wall_stretches(extra, eyes)
        found = dual.join(found, more._replace(row=more.row + len(segs)))
    while True:
        seen = horizon_of(found, len(eyes), None if once is None else once[found.row])
        unfinished = outer < reach
        if not unfinished.any():
            return seen
        depth = seen.depth()
        unfinished &= _open(seen, depth, outer)
        if not unfinished.any():
            return seen
        inner = np.where(unfinished, outer, np.inf)
        outer = np.minimum(outer * _GROWTH, reach)
        fresh, distance = _between(segs, eyes, active, inner, outer)
        found = dual.join(seen.used(), _not_behind(seen, depth, fresh, distance))


def horizon_of(found: Stretches, eyes: int, once: Bools | None = None) -> Horizon:
    """Return the horizon that stretches make, each for its own eye.

    `once` tells which of them are terrain edges, of which sight passes the first.
    """
    events, ux, uy, nearest, passed = dual.envelope(found, eyes, once)
    if not len(found.row):
        nothing = np.zeros(len(nearest))
        return Horizon(events, ux, uy, nothing, nothing, nearest, found, passed)
    nx, ny = found.nx[nearest], found.ny[nearest]
    none = nearest < 0
    if none.any():
        nx[none] = ny[none] = 0.0
    return Horizon(events, ux, uy, nx, ny, nearest, found, passed)


def wall_stretches(segs: SightSegs, eyes: Floats) -> Stretches:
    """Return the stretches of all segments for all eyes (e, 2)."""
    count = len(segs)
    ends = segs.ends[:, None] - np.tile(eyes, 2).T[:, :, None]
    return dual.to_dual(
        ends.reshape(4, -1),
        np.tile(np.arange(count), len(eyes)),
        np.tile(segs.side, len(eyes)) if segs.any_side else None,
        np.repeat(np.arange(len(eyes)), count),
    )


def _once(segs: SightSegs, extra: SightSegs | None) -> Bools | None:
    if not segs.any_once:
        return None
    return segs.once if extra is None else np.concatenate((segs.once, extra.once))


def _first_box(segs: SightSegs, eyes: Floats, reach: Floats) -> Floats:
    return np.minimum([segs.index.radius_for_enough(x, y) for x, y in eyes.tolist()], reach)


def _near(segs: SightSegs, eyes: Floats, outer: Floats) -> tuple[Ints, Ints]:
    """Return pairs (eye, segment) of all segments in a box around each eye, and some more."""
    rows = [
        segs.index.around(x, y, radius)
        for (x, y), radius in zip(eyes.tolist(), outer.tolist(), strict=True)
    ]
    if len(rows) == 1:
        return np.zeros(len(rows[0]), dtype=np.int64), rows[0]
    return np.repeat(np.arange(len(rows)), [len(row) for row in rows]), np.concatenate(rows)


def _between(
    segs: SightSegs, eyes: Floats, active: Bools | None, inner: Floats, outer: Floats
) -> tuple[Stretches, Floats]:
    """Return the stretches of the segments between two boxes around each eye.

    Also return how far, Chebyshev, the box of each stretch's segment is.
    """
    eye, row = _near(segs, eyes, np.where(inner < outer, outer, 0.0))
    x, y = eyes.T if len(eyes) == 1 else eyes[eye].T
    left, top, right, bottom = segs.boxes.take(row, axis=1)
    across = np.maximum(left - x, x - right)
    distance = np.maximum(across, np.maximum(top - y, y - bottom))
    if len(eyes) == 1:
        inside = (distance > inner) & (distance <= outer)
    else:
        inside = (distance > inner[eye]) & (distance <= outer[eye])
    if active is not None:
        inside &= active[row]
    row, distance = row[inside], distance[inside]
    ends = segs.ends.take(row, axis=1)
    if len(eyes) > 1:
        x, y, eye = x[inside], y[inside], eye[inside]
    ends[::2] -= x
    ends[1::2] -= y
    side = segs.side[row] if segs.any_side else None
    found = dual.to_dual(ends, np.arange(len(row)), side, eye if len(eyes) > 1 else None)
    return found._replace(row=row[found.row]), distance[found.row]


def _open(seen: Horizon, depth: Floats, outer: Floats) -> Bools:
    """Tell which eyes see past their box anywhere."""
    seams = dual.SEAM + dual.TURN * np.arange(len(outer))
    first = seen.events.searchsorted(seams, side="right") - 1
    return np.asarray(np.minimum.reduceat(depth, first) * outer < 1.0)


def _not_behind(seen: Horizon, depth: Floats, fresh: Stretches, distance: Floats) -> Stretches:
    """Drop the stretches that lie wholly behind what is seen."""
    first = seen.events.searchsorted(fresh.start, side="right") - 1
    last = np.maximum(seen.events.searchsorted(fresh.end, side="left") - 1, first)
    return fresh.at(1.0 / distance > dual.RangeMinimum(depth).between(first, last))
