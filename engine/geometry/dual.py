"""The projective dual around an eye, in which "nearest wall" is an upper envelope.

Each of the four quadrants around the axes is turned so that x >= |y|; a point becomes t = y / x
and w = 1 / x. Straight walls stay straight, and 1 / w is the Chebyshev distance from the eye, so
a square box of half-size R is exactly w >= 1 / R. The pseudo-angle s = t + 2 * quadrant grows with
the true angle (from x towards y) and needs no trigonometry; it runs over [-1, 7). Several eyes
share one pass: eye e takes [8 e - 1, 8 e + 7).

A wall on the line n . p = 1 has w(s) = n . u(s), where u(s) is the direction of s with Chebyshev
length 1. That holds in every quadrant, so the pair (nx, ny) is all that is kept of a wall.
"""

from typing import NamedTuple

import numpy as np

from engine.geometry.arrays import Bools, Floats, Ints, expand

SEAM = -1.0
"""Where the pseudo-angle starts: the direction (1, -1)."""

TURN = 8.0
"""The pseudo-angle of a full turn."""

MERGE = 1e-13
"""Events closer than this are one."""

EDGE_ON = 1e-9
"""Walls whose line passes the eye within this many cells are seen edge-on and hide nothing."""

_BORDERS = np.arange(SEAM, TURN, 2.0)
_UX = np.array([1.0, 0.0, -1.0, 0.0])
_UX_T = np.array([0.0, -1.0, 0.0, 1.0])
_UY = np.array([0.0, 1.0, 0.0, -1.0])
_UY_T = np.array([1.0, 0.0, -1.0, 0.0])


class Stretches(NamedTuple):
    """Walls in the dual, one row per stretch of pseudo-angles: from, to, line, segment."""

    start: Floats
    end: Floats
    nx: Floats
    ny: Floats
    row: Ints

    def at(self, index: Ints | Bools) -> "Stretches":
        """Return some of the stretches."""
        return Stretches(
            self.start[index], self.end[index], self.nx[index], self.ny[index], self.row[index]
        )


class Envelope(NamedTuple):
    """The nearest stretch of each interval between consecutive events, -1 for none.

    (ux, uy) is the direction of each event. `passed` holds the stretches that sight crosses
    before the nearest, if it may pass some.
    """

    events: Floats
    ux: Floats
    uy: Floats
    nearest: Ints
    passed: Ints | None = None


def pseudo_angle(x: Floats, y: Floats) -> Floats:
    """Return s in [-1, 7) of the directions (x, y), which must have a length."""
    flat = np.abs(x) >= np.abs(y)
    long = np.where(flat, x, y)
    s = np.where(flat, y, -x) / long
    s += np.where(flat, 0.0, 2.0)
    s += np.where(long < 0, 4.0, 0.0)
    # Rounding can reach the seam from behind; it would then belong to the next eye.
    s[s >= SEAM + TURN - MERGE] = SEAM
    return s


def direction(s: Floats) -> tuple[Floats, Floats]:
    """Return the directions of pseudo-angles, of Chebyshev length 1."""
    turn = np.floor((s + 1.0) * 0.5)
    t = s - 2.0 * turn
    quadrant = turn.astype(np.int64) & 3
    return _UX[quadrant] + _UX_T[quadrant] * t, _UY[quadrant] + _UY_T[quadrant] * t


def borders(eyes: int) -> Floats:
    """Return the pseudo-angles at which the quadrants of the eyes begin, and the last end."""
    return _BORDERS if eyes == 1 else np.arange(-1.0, TURN * eyes, 2.0)


def tolerance(eyes: int) -> float:
    """Return the distance at which events merge; s has fewer bits left behind 8 * eye."""
    return MERGE if eyes == 1 else max(16, eyes) * MERGE


def to_dual(
    ends: Floats, row: Ints, side: Ints | None = None, eye: Ints | None = None
) -> Stretches:
    """Return the stretches of segments, given as rows x0, y0, x1, y1 relative to their eye.

    Segments seen edge-on vanish, as do one-sided ones (side -1 or 1) seen from the free side.
    Those across the seam come as two stretches.
    """
    x, y = ends[::2], ends[1::2]
    dx, dy = x[1] - x[0], y[1] - y[0]
    area = x[0] * dy - y[0] * dx
    keep = area * area > EDGE_ON**2 * (dx * dx + dy * dy)
    if side is not None:
        keep &= (side == 0) | (side * area > 0)
    if not keep.all():
        x, y, dx, dy, area, row = x[:, keep], y[:, keep], dx[keep], dy[keep], area[keep], row[keep]
        eye = eye if eye is None else eye[keep]
    s = pseudo_angle(x, y)
    forward = area > 0
    start, end = np.where(forward, s[0], s[1]), np.where(forward, s[1], s[0])
    found = Stretches(start, end, dy / area, -dx / area, row)
    across = end < start
    if across.any():
        found, eye = _split_at_seam(found, across, eye)
    if eye is not None:
        shift = TURN * eye
        found = found._replace(start=found.start + shift, end=found.end + shift)
    return found


def _split_at_seam(
    found: Stretches, across: Bools, eye: Ints | None
) -> tuple[Stretches, Ints | None]:
    # A true crossing leaves at least half a turn; less is rounding of something edge-on.
    head = np.flatnonzero(across & (found.start - found.end >= TURN / 2 - EDGE_ON))
    count = len(across)
    order = np.concatenate((np.arange(count), head))
    ends = found.end[head]
    found = found.at(order)
    found.end[head], found.start[count:], found.end[count:] = SEAM + TURN, SEAM, ends
    return found, eye if eye is None else eye[order]


def join(*parts: Stretches) -> Stretches:
    """Return all stretches of several lots."""
    return Stretches(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def envelope(found: Stretches, eyes: int, once: Bools | None = None) -> Envelope:
    """Return the nearest stretch in every direction.

    The stretches must not cross one another between their ends. Where `once` is true sight
    passes the first stretch and stops at the second.
    """
    count = len(found.start)
    events, rank = ranked(eyes, found.start, found.end)
    first, last = rank[:count], rank[count : 2 * count]
    stretch, interval = expand(np.maximum(last - first, 0), first)
    ux, uy = direction(events)
    # Within a quadrant directions are linear in s, so half-way is the mean of both ends.
    middle_x, middle_y = (ux[1:] + ux[:-1]) * 0.5, (uy[1:] + uy[:-1]) * 0.5
    w = found.nx[stretch] * middle_x[interval] + found.ny[stretch] * middle_y[interval]
    if once is None:
        nearest, _ = _winners(len(events) - 1, interval, stretch, w)
        return Envelope(events, ux, uy, nearest)
    nearest, passed = _past_the_first(len(events) - 1, interval, stretch, w, once[stretch])
    return Envelope(events, ux, uy, nearest, passed)


def ranked(eyes: int, *parts: Floats) -> tuple[Floats, Ints]:
    """Return the distinct events among all values and the quadrant borders, and each one's event.

    A border that is merged with others keeps its place: there one eye ends and the next begins.
    """
    border = borders(eyes)
    values = np.concatenate((*parts, border))
    order = np.argsort(values)
    events = values[order]
    new = np.ones(len(events), dtype=np.bool_)
    np.greater(events[1:] - events[:-1], tolerance(eyes), out=new[1:])
    rank = np.empty(len(events), dtype=np.int64)
    rank[order] = np.cumsum(new) - 1
    events = events[new]
    events[rank[-len(border) :]] = border
    return events, rank


def _winners(count: int, interval: Ints, stretch: Ints, w: Floats) -> tuple[Ints, Floats]:
    """Return the stretch with the largest w in each interval, and that w."""
    best = np.zeros(count)
    np.maximum.at(best, interval, w)
    won = w == best[interval]
    nearest = np.full(count, -1)
    nearest[interval[won]] = stretch[won]
    return nearest, best


def _past_the_first(
    count: int, interval: Ints, stretch: Ints, w: Floats, once: Bools
) -> tuple[Ints, Ints]:
    """Return what stops sight, a solid stretch or the second that lets it pass, and the first."""
    solid, solid_w = _winners(count, interval[~once], stretch[~once], w[~once])
    interval, stretch, w = interval[once], stretch[once], w[once]
    passed, _ = _winners(count, interval, stretch, w)
    rest = stretch != passed[interval]
    second, second_w = _winners(count, interval[rest], stretch[rest], w[rest])
    return np.where(second_w > solid_w, second, solid), passed


class RangeMinimum:
    """The least of any run of consecutive values, in constant time after n log n."""

    def __init__(self, values: Floats) -> None:
        self._levels = np.empty((max(len(values).bit_length(), 1), len(values)))
        self._levels[:] = values
        for level in range(1, len(self._levels)):
            half, below = 1 << (level - 1), self._levels[level - 1]
            np.minimum(below[:-half], below[half:], out=self._levels[level, : len(values) - half])

    def between(self, first: Ints, last: Ints) -> Floats:
        """Return the least value from `first` to `last`, both included."""
        level = np.frexp(last - first + 1.0)[1] - 1
        right: Floats = self._levels[level, last + 1 - (1 << level)]
        least: Floats = np.minimum(self._levels[level, first], right)
        return least
