"""Many viewers, each looking at its own target, in one pass: a volley, a group that attacks.

A line of sight ends at its target, so only the walls near to it matter: those that meet the wedge
between the eye and the target. They are found for all lines at once; from there on each line is an
eye of its own in the dual, and all is as in `sight`. One eye that looks at many targets had better
ask there.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.geometry import dual
from engine.geometry.arrays import TOUCH, Bools, Floats, Ints, cross, distinct, expand
from engine.geometry.casters import Casters, wall_casters
from engine.geometry.dual import Stretches
from engine.geometry.horizon import horizon_of
from engine.geometry.segments import WallSet
from engine.geometry.sight import Eye, seen_angles, shares
from engine.geometry.silhouette import Silhouettes, Volume, outside, own_faces, silhouettes
from engine.grid.base import Ring

BORDER = 1e-6
"""Cells: a wall so near to the border of a cell stands on it."""

_STEEP = 1e3
_BATCH = 256
"""Lines in one pass: the more there are, the fewer bits are left for the pseudo-angle."""


class Sightline(NamedTuple):
    """An eye, the footprint that it looks out of, and what it looks at.

    Stretches of wall that touch one of the cells `beside` do not count.
    """

    eye: Eye
    viewer: Volume
    target: Volume
    beside: tuple[Ring, ...] = ()


class Sightlines:
    """Lines of sight that are asked together."""

    def __init__(self, walls: WallSet, lines: Sequence[Sightline]) -> None:
        self._walls = walls
        self._parts = [
            _Lines(walls, lines[at : at + _BATCH]) for at in range(0, len(lines), _BATCH)
        ]

    def seen(self) -> Floats:
        """Return for each line the fraction, 0 to 1, that its eye sees of its target.

        As `visible_fraction` would, asked for each by itself.
        """
        return np.concatenate((np.zeros(0), *(part.seen() for part in self._parts)))

    def rays(self, ends: Sequence[Floats]) -> tuple[list[Bools], list[tuple[str, ...]]]:
        """Tell which rays of each line, to points (k, 3), are clear, and name what stops any.

        The points lie within the target or on its border. Unlike for the seen fraction, walls
        within the viewer's footprint count as well.
        """
        clear: list[Bools] = []
        names: list[tuple[str, ...]] = []
        ids = self._walls.ids
        for number, part in enumerate(self._parts):
            for free, owners in part.rays(ends[number * _BATCH : (number + 1) * _BATCH]):
                clear.append(free)
                names.append(tuple(sorted({ids[owner] for owner in owners.tolist()})))
        return clear, names


class _Near(NamedTuple):
    """The segments near to lines: the line and the segment of each pair, and its ends (n, 2, 2)."""

    line: Ints
    row: Ints
    ends: Floats

    def at(self, index: Ints | Bools) -> "_Near":
        return _Near(self.line[index], self.row[index], self.ends[index])


class _Lines:
    """Some lines of sight among walls, laid out in arrays."""

    def __init__(self, walls: WallSet, lines: Sequence[Sightline]) -> None:
        self._segs = walls.sight_segs
        self._walls = walls
        self._lines = lines
        self._eyes = np.array([line.eye for line in lines], dtype=np.float64)
        number = {id(line.target): line.target for line in lines}
        place = {key: index for index, key in enumerate(number)}
        self._targets: Silhouettes = silhouettes(number.values())
        self._target = np.array([place[id(line.target)] for line in lines])

    def seen(self) -> Floats:
        """Return the fraction that each line sees of its target."""
        share = np.ones(len(self._lines))
        some = distinct(self._near.line)
        if not len(some):
            return share
        # Who has no wall near sees all: the others are numbered anew.
        places, target = self._eyes[some], self._target[some]
        low = np.minimum(places[:, 2], self._targets.base[target])
        high = np.maximum(places[:, 2], self._targets.top[target])
        near = self._outside_viewers(self._near)
        line = some.searchsorted(near.line)
        segs = self._segs
        partial = (segs.top[near.row] > low[line]) & (segs.base[near.row] < high[line])
        full = partial & (segs.base[near.row] <= low[line]) & (segs.top[near.row] >= high[line])
        once = segs.once[near.row] & partial
        if (once & ~full).any():
            # Whether a terrain edge counts depends on all before it.
            full &= ~(once & np.isin(line, line[once & ~full]))
        near = near._replace(line=line)
        found, row = self._stretches(near.at(full), places)
        seen = horizon_of(found, len(some), segs.once[row][found.row] if segs.any_once else None)
        spans = own_faces(self._targets, places[:, :2], target)
        casters = self._casters(near.at(partial & ~full), places)
        faces = spans, self._targets.owner[spans.row]
        _, eye, whole, clear = seen_angles(seen, casters, faces, self._targets, places)
        share[some] = shares(eye, whole, clear, len(some))
        return share

    def rays(self, ends: Sequence[Floats]) -> Iterator[tuple[Bools, Ints]]:
        """Yield for each line which rays to its points (k, 3) are clear, and whose walls stop any.

        A wall on the eye or on the point itself does not stop a ray.
        """
        segs, near = self._segs, self._near
        lengths = np.array([len(points) for points in ends])
        first = np.cumsum(lengths) - lengths
        pair, ray = expand(lengths[near.line], first[near.line])
        row, line = near.row[pair], near.line[pair]
        x, y, z = np.concatenate(ends)[ray].T
        eye_x, eye_y, eye_z = self._eyes[line].T
        (ax, ay), (bx, by) = near.ends[pair, 0].T, near.ends[pair, 1].T
        dx, dy, wx, wy = x - eye_x, y - eye_y, bx - ax, by - ay
        turn = dx * wy - dy * wx
        with np.errstate(divide="ignore", invalid="ignore"):
            t = ((ax - eye_x) * wy - (ay - eye_y) * wx) / turn
            u = ((ax - eye_x) * dy - (ay - eye_y) * dx) / turn
            height = eye_z + t * (z - eye_z)
        met = (t > 0) & (t < 1) & (u >= 0) & (u <= 1)
        met &= (height > segs.base[row]) & (height < segs.top[row])
        met &= (segs.side[row] == 0) | (np.sign(turn) * segs.side[row] > 0)
        total = int(lengths.sum())
        passes = met & segs.once[row]
        met &= ~passes | (np.bincount(ray[passes], minlength=total)[ray] > 1)
        clear = np.bincount(ray[met], minlength=total) == 0
        bounds = line[met].searchsorted(np.arange(len(lengths) + 1))
        owners = segs.owner[row[met]]
        for number, (at, length) in enumerate(zip(first.tolist(), lengths.tolist(), strict=True)):
            yield clear[at : at + length], owners[bounds[number] : bounds[number + 1]]

    @cached_property
    def _near(self) -> _Near:
        """The closed segments that meet the wedge from an eye to its target, in order of lines."""
        eyes, targets = self._eyes[:, :2], self._targets
        points = targets.edges[:, 0]
        begins = targets.owner.searchsorted(np.arange(len(targets)))
        low, high = np.minimum.reduceat(points, begins), np.maximum.reduceat(points, begins)
        low, high = low[self._target], high[self._target]
        middle = (low + high) / 2
        low, high = np.minimum(low, eyes) - TOUCH, np.maximum(high, eyes) + TOUCH
        left, top, right, bottom = self._segs.boxes
        (x0, y0), (x1, y1) = low.min(axis=0), high.max(axis=0)
        rows = np.flatnonzero(
            (left <= x1)
            & (right >= x0)
            & (top <= y1)
            & (bottom >= y0)
            & ~self._walls.open[self._segs.owner]
        )
        left, top, right, bottom = self._segs.boxes[:, rows]
        line, place = np.nonzero(
            (left <= high[:, :1])
            & (right >= low[:, :1])
            & (top <= high[:, 1:])
            & (bottom >= low[:, 1:])
        )
        row = rows[place]
        near = _Near(line, row, self._segs.ends[:, row].T.reshape(-1, 2, 2))
        near = near.at(self._in_wedge(near, middle))
        return near.at(~self._beside(near))

    def _in_wedge(self, near: _Near, middle: Floats) -> Bools:
        """Tell which segments may meet the hull of their eye and its target.

        Seen along the way to the target's middle, the hull lies between two lines through the
        eye, before the eye and not past the target.
        """
        eyes, targets = self._eyes[:, :2], self._targets
        way = middle - eyes
        way /= np.maximum(np.hypot(*way.T), TOUCH)[:, None]
        first = targets.owner.searchsorted(self._target)
        count = targets.owner.searchsorted(self._target, side="right") - first
        line, edge = expand(count, first)
        x, y = _turned(targets.edges[edge, 0] - eyes[line], way[line])
        slope = y / np.where(x > TOUCH, x, TOUCH)
        begins = np.cumsum(count) - count
        least, most = np.minimum.reduceat(slope, begins), np.maximum.reduceat(slope, begins)
        far = np.maximum.reduceat(x, begins)
        # An eye within the target's reach to both sides has no wedge.
        wide = (np.minimum.reduceat(x, begins) <= TOUCH) | (np.maximum(-least, most) > _STEEP)
        x, y = _turned(near.ends - eyes[near.line, None], way[near.line, None])
        slack = 1e3 * TOUCH
        one, other = (each[near.line, None] for each in (least, most))
        apart = (y < one * x - slack).all(axis=1) | (y > other * x + slack).all(axis=1)
        apart |= (x < -slack).all(axis=1) | (x > far[near.line, None] + slack).all(axis=1)
        return np.asarray(~apart | wide[near.line])

    def _beside(self, near: _Near) -> Bools:
        """Tell which segments are part of a stretch that touches a cell that stands beside."""
        touched = np.zeros(len(near.line), dtype=np.bool_)
        cells = [line.beside for line in self._lines]
        rings = [ring for each in cells for ring in each]
        if not rings or not len(near.line):
            return touched
        lengths = np.array([len(each) for each in cells])
        pair, ring = expand(lengths[near.line], (np.cumsum(lengths) - lengths)[near.line])
        drawn = self._walls.drawn[np.flatnonzero(self._walls.sight)[near.row[pair]]]
        touched[pair[_touches(drawn, np.array(rings)[ring])]] = True
        return touched

    def _outside_viewers(self, near: _Near) -> _Near:
        """Cut away what lies within the footprints that the eyes look out of."""
        rings = [line.viewer.outline for line in self._lines]
        corners = np.array([len(ring) for ring in rings])
        points = np.array([point for ring in rings for point in ring], dtype=np.float64)
        begins = np.cumsum(corners) - corners
        low = np.minimum.reduceat(points, begins)[near.line] + TOUCH
        high = np.maximum.reduceat(points, begins)[near.line] - TOUCH
        left, top, right, bottom = self._segs.boxes[:, near.row]
        enters = (left < high[:, 0]) & (right > low[:, 0])
        enters &= (top < high[:, 1]) & (bottom > low[:, 1])
        if not enters.any():
            return near
        parts = [near.at(~enters)]
        for count in set(corners[near.line[enters]].tolist()):
            some = near.at(enters & (corners[near.line] == count))
            own = np.array([rings[line] for line in some.line.tolist()], dtype=np.float64)
            pieces, source = outside(some.ends, own)
            parts.append(some.at(source)._replace(ends=pieces))
        return _Near(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _stretches(self, near: _Near, places: Floats) -> tuple[Stretches, Ints]:
        """Return segments in the dual, each for its own eye, and the row of each."""
        ends = near.ends - places[near.line, None, :2]
        flat = np.ascontiguousarray(ends.reshape(-1, 4).T)
        side = self._segs.side[near.row] if self._segs.any_side else None
        return dual.to_dual(flat, np.arange(len(flat[0])), side, near.line), near.row

    def _casters(self, near: _Near, places: Floats) -> Casters | None:
        """Return the walls that cast shadows with a height, None if there are none."""
        if not len(near.line):
            return None
        found, row = self._stretches(near, places)
        return wall_casters(self._segs.at(row), found)


def _turned(points: Floats, way: Floats) -> tuple[Floats, Floats]:
    """Return how far points (..., 2) lie along a way of length 1, and how far beside it."""
    return np.asarray((points * way).sum(axis=-1)), cross(way, points)


def _touches(segs: Floats, rings: Floats) -> Bools:
    """Tell which segments (n, 2, 2) touch their convex ring (n, k, 2), within a hair."""
    start, end = rings, np.roll(rings, -1, axis=1)
    sides = [cross(end - start, segs[:, None, which] - start) for which in (0, 1)]
    within = [(side >= -BORDER).all(axis=1) for side in sides]
    way = (segs[:, 1] - segs[:, 0])[:, None]
    one, other = cross(way, start - segs[:, :1]), cross(way, end - segs[:, :1])
    across = (np.minimum(*sides) <= BORDER) & (np.maximum(*sides) >= -BORDER)
    across &= (np.minimum(one, other) <= BORDER) & (np.maximum(one, other) >= -BORDER)
    across &= sides[0] != sides[1]
    return np.asarray(within[0] | within[1] | across.any(axis=1))
