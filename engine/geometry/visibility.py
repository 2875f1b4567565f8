"""Visibility polygons: what an eye sees among walls, on the board and within a radius.

The polygon is the horizon of the eye (`horizon`), cut at the board's edge and at a circle of 64
chords. It is exact, star-shaped around the eye, and never leaks through shared end points.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.geometry import dual
from engine.geometry.arrays import TOUCH, Bools, Floats, Ints, cross, successors
from engine.geometry.dual import Stretches
from engine.geometry.horizon import Horizon, horizon
from engine.geometry.segments import NUDGE, SightSegs, WallSet, off_walls
from engine.grid.grid import Box
from engine.model.space import Point

if TYPE_CHECKING:
    from shapely import MultiPolygon, Polygon

CHORDS = 64
"""A limited radius is drawn with so many chords, their ends on the circle."""

_NARROW = 0.25
_ROUNDING = 1e-9
_BOX, _CIRCLE = -2, -3
_BATCH = 16  # eyes in one pass; with more the arrays outgrow the processor's cache


@dataclass(frozen=True, eq=False)
class Visibility:
    """What one eye sees.

    `ring` (n, 2) runs around the eye with positive signed area (from x towards y), without points
    nearer than 1e-9 to the one before; it is empty if nothing is seen. Between two of the
    `events`, which are pseudo-angles (`dual`), sight ends on the line nx * x + ny * y = 1 relative
    to the eye, or, if `on_circle`, at the radius.
    """

    eye: Point
    ring: Floats
    events: Floats
    nx: Floats
    ny: Floats
    on_circle: Bools
    radius: float | None = None
    problem: str | None = None

    @cached_property
    def area(self) -> float:
        """The area seen, in square cells."""
        ring = self.ring - np.array(self.eye)
        return float(cross(ring, successors(ring)).sum() / 2)

    @property
    def warning(self) -> str | None:
        """Why nothing, or hardly anything, is seen: a sentence for the GM, or None."""
        if self.problem is None and self.area < _NARROW:
            return "The eye is shut in: it sees less than a quarter of a cell."
        return self.problem

    def contains(self, points: Floats) -> Bools:
        """Tell which points (k, 2) are seen; the border counts, with a relative 1e-9."""
        offset = np.asarray(points, dtype=np.float64).reshape(-1, 2) - np.array(self.eye)
        if not len(self.ring):
            return np.zeros(len(offset), dtype=np.bool_)
        x, y = offset.T
        seen = np.asarray(np.hypot(x, y) <= TOUCH)
        s = dual.pseudo_angle(np.where(seen, 1.0, x), y)
        # A point straight behind a corner is seen if either side of it is.
        for side in (-dual.tolerance(2), dual.tolerance(2)):
            seen |= self._within(x, y, s + side)
        return seen

    def _within(self, x: Floats, y: Floats, s: Floats) -> Bools:
        interval = (self.events.searchsorted(s, side="right") - 1) % len(self.nx)
        across, along = self.nx[interval] * x, self.ny[interval] * y
        # Right beside a wall its line has huge coefficients, and their rounding shows.
        slack = _ROUNDING + 1e-15 * (np.abs(across) + np.abs(along))
        seen = across + along <= 1 + slack
        if self.radius is None:
            return np.asarray(seen)
        near = x * x + y * y <= (self.radius * (1 + _ROUNDING)) ** 2
        return np.where(self.on_circle[interval], near, seen)

    def to_shapely(self) -> "Polygon | MultiPolygon":
        """Return the area as valid shapely polygons, empty if nothing is seen."""
        import shapely  # noqa: PLC0415  (costs a headless command a tenth of a second)

        if len(self.ring) < 3:
            return shapely.Polygon()
        polygon = shapely.Polygon(self.ring)
        if polygon.is_valid:
            return polygon
        polygon = shapely.Polygon(np.round(self.ring, 9))
        valid = shapely.make_valid(polygon, method="structure", keep_collapsed=False)
        parts = [p for p in shapely.get_parts(valid) if p.geom_type == "Polygon"]
        return parts[0] if len(parts) == 1 else shapely.MultiPolygon(parts)


class Eyes:
    """Several visibilities that are asked together: what any of them sees.

    One by one they would give the same answers; but then most of the time goes into calls, not
    into work.
    """

    def __init__(self, seen: Sequence[Visibility]) -> None:
        self._seen = [each for each in seen if len(each.ring)]
        if not self._seen:
            return
        self._at = np.array([each.eye for each in self._seen])
        self._low = np.array([each.ring.min(axis=0) for each in self._seen]) - TOUCH
        self._high = np.array([each.ring.max(axis=0) for each in self._seen]) + TOUCH
        self._nx = np.concatenate([each.nx for each in self._seen])
        self._ny = np.concatenate([each.ny for each in self._seen])
        self._on_circle = np.concatenate([each.on_circle for each in self._seen])
        lengths = np.array([len(each.nx) for each in self._seen], dtype=np.int64)
        self._first = np.cumsum(lengths) - lengths
        self._radius = np.array(
            [np.inf if each.radius is None else each.radius for each in self._seen]
        )

    def see(self, points: Floats) -> Bools:
        """Tell which points (k, 2) lie in any of the polygons, as `Visibility.contains` does."""
        found = np.zeros(len(points), dtype=np.bool_)
        if not self._seen or not len(points):
            return found
        inside = (points >= self._low[:, None]) & (points <= self._high[:, None])
        eye, point = np.nonzero(inside.all(axis=2))
        x, y = (points[point] - self._at[eye]).T
        seen = np.asarray(np.hypot(x, y) <= TOUCH)
        s = dual.pseudo_angle(np.where(seen, 1.0, x), y)
        ends = eye.searchsorted(np.arange(len(self._seen) + 1))
        for side in (-dual.tolerance(2), dual.tolerance(2)):
            seen |= self._within(eye, x, y, self._intervals(ends, s + side))
        found[point[seen]] = True
        return found

    def _intervals(self, ends: Ints, s: Floats) -> Ints:
        """Return between which of all events each point lies; `ends` parts them by their eyes."""
        interval = np.empty(len(s), dtype=np.int64)
        for number, each in enumerate(self._seen):
            own = slice(ends[number], ends[number + 1])
            before = each.events.searchsorted(s[own], side="right") - 1
            interval[own] = self._first[number] + before % len(each.nx)
        return interval

    def _within(self, eye: Ints, x: Floats, y: Floats, interval: Ints) -> Bools:
        across, along = self._nx[interval] * x, self._ny[interval] * y
        slack = _ROUNDING + 1e-15 * (np.abs(across) + np.abs(along))
        near = x * x + y * y <= (self._radius[eye] * (1 + _ROUNDING)) ** 2
        return np.where(self._on_circle[interval], near, across + along <= 1 + slack)


class _Outline(NamedTuple):
    """Lines between events with their directions; `tag` is a stretch, or _BOX or _CIRCLE."""

    events: Floats
    ux: Floats
    uy: Floats
    nx: Floats
    ny: Floats
    tag: Ints


def visibility_polygon(
    walls: WallSet,
    eye: Point,
    *,
    bounds: Box,
    radius: float | None = None,
    height: float | None = None,
    toward: Point | None = None,
) -> Visibility:
    """Return what an eye sees on the board `bounds`, out to `radius` cells.

    With a `height` in cells, walls that end below it or begin above it hide nothing. An eye on a
    wall sees both sides, unless `toward` names a point on the side it belongs to.
    """
    return visibility_polygons(
        walls, [eye], bounds=bounds, radii=[radius], heights=[height], toward=[toward]
    )[0]


def visibility_polygons(
    walls: WallSet,
    eyes: Sequence[Point],
    *,
    bounds: Box,
    radii: Sequence[float | None] | None = None,
    heights: Sequence[float | None] | None = None,
    toward: Sequence[Point | None] | None = None,
) -> list[Visibility]:
    """Return what each of several eyes sees, several of them in one pass.

    The further arguments are those of `visibility_polygon`, one per eye.
    """
    radii = [None] * len(eyes) if radii is None else radii
    heights = [None] * len(eyes) if heights is None else heights
    if toward is not None:
        eyes = [
            eye if side is None else off_walls(walls, eye, side)
            for eye, side in zip(eyes, toward, strict=True)
        ]
    seen = {
        number: _nothing(eye, problem)
        for number, (eye, radius) in enumerate(zip(eyes, radii, strict=True))
        if (problem := _problem(eye, bounds, radius))
    }
    segs = walls.board_segs(bounds)
    framed = segs is not None
    segs = segs or walls.sight_segs
    for height in dict.fromkeys(heights):
        active = _active(walls, segs, height)
        todo = [i for i, other in enumerate(heights) if other == height and i not in seen]
        for batch in (todo[at : at + _BATCH] for at in range(0, len(todo), _BATCH)):
            points = np.array([eyes[i] for i in batch], dtype=np.float64)
            limits = np.array([np.inf if (r := radii[i]) is None else r for i in batch])
            found = _see(segs, points, _Room(bounds, framed, limits), active)
            seen.update(zip(batch, found, strict=True))
    return [seen[number] for number in range(len(eyes))]


def _active(walls: WallSet, segs: SightSegs, height: float | None) -> Bools | None:
    """Tell which segments stop sight at a height, doors considered; None if all of them do."""
    active = None
    if walls.open.any():
        # The sides of the board have no owner; they take the closed place at the end.
        active = ~np.append(walls.open, False)[segs.owner]
    if height is not None and segs.any_bounded:
        tall = (segs.base <= height) & (height < segs.top)
        active = tall if active is None else active & tall
    return active


def _problem(eye: Point, bounds: Box, radius: float | None) -> str | None:
    if not np.isfinite(eye).all():
        return "The eye has no place on the board."
    inside = bounds.left <= eye[0] <= bounds.right and bounds.top <= eye[1] <= bounds.bottom
    if not inside:
        return "The eye is off the board."
    if radius is not None and not radius > 0:
        return "The radius of sight is zero."
    return None


def _nothing(eye: Point, problem: str) -> Visibility:
    none = np.zeros(0)
    return Visibility(
        eye, np.zeros((0, 2)), none, none, none, np.zeros(0, dtype=np.bool_), None, problem
    )


class _Room(NamedTuple):
    """How far sight may go: the board, whether its sides are among the segments, radii (e,)."""

    bounds: Box
    framed: bool
    radii: Floats


def _see(segs: SightSegs, eyes: Floats, room: _Room, active: Bools | None) -> list[Visibility]:
    """Return what eyes (e, 2) see, in one pass."""
    # The sides of the board relative to each eye, never quite through it.
    low = np.minimum(room.bounds[:2] - eyes, -TOUCH)
    high = np.maximum(room.bounds[2:] - eyes, TOUCH)
    far = np.maximum(-low, high).max(axis=1)
    seen = horizon(segs, eyes, np.minimum(far, room.radii), active)
    outline = _Outline(seen.events, seen.ux, seen.uy, seen.nx, seen.ny, seen.nearest)
    outline = _runs(outline, len(eyes))
    near = np.minimum(-low, high).min(axis=1)
    if (near < room.radii).any() and not (room.framed and (near > NUDGE).all()):
        outline = _runs(_cap(outline, _board_edge(low, high), len(eyes)), len(eyes))
    if np.isfinite(room.radii).any():
        outline = _runs(_cap(outline, _circles(room.radii), len(eyes)), len(eyes))
    return _polygons(segs, eyes, room.radii, seen, outline)


def _board_edge(low: Floats, high: Floats) -> _Outline:
    """Return the edge of the board around eyes, given its extent (e, 2) relative to them."""
    eyes = len(low)
    x = np.column_stack((high[:, 0], high[:, 0], low[:, 0], low[:, 0]))
    y = np.column_stack((low[:, 1], high[:, 1], high[:, 1], low[:, 1]))
    corners = dual.pseudo_angle(x, y) + dual.TURN * np.arange(eyes)[:, None]
    events, _ = dual.ranked(eyes, corners.ravel())
    eye = ((_middles(events) - dual.SEAM) // dual.TURN).astype(np.int64)
    ux, uy = dual.direction(events)
    x, y = _middles(ux), _middles(uy)
    upright = np.where(x > 0, 1 / high[eye, 0], 1 / low[eye, 0])
    level = np.where(y > 0, 1 / high[eye, 1], 1 / low[eye, 1])
    first = upright * x > level * y
    return _Outline(
        events,
        ux,
        uy,
        np.where(first, upright, 0.0),
        np.where(first, 0.0, level),
        np.full(len(eye), _BOX),
    )


def _unit_circle() -> tuple[Floats, Floats, Floats]:
    """Return the pseudo-angles of the chords' ends, and the chords' lines, for radius 1."""
    step = 2 * np.pi / CHORDS
    angle = -np.pi / 4 + step * np.arange(CHORDS + 1)
    s = dual.pseudo_angle(np.cos(angle), np.sin(angle))
    s[:: CHORDS // 4] = dual.borders(1)
    middle = angle[:-1] + step / 2
    apothem = np.cos(step / 2)
    return s, np.cos(middle) / apothem, np.sin(middle) / apothem


_CIRCLE_S, _CIRCLE_NX, _CIRCLE_NY = _unit_circle()


def _circles(radii: Floats) -> _Outline:
    eyes = len(radii)
    events = (_CIRCLE_S[:-1] + dual.TURN * np.arange(eyes)[:, None]).ravel()
    events = np.append(events, dual.SEAM + dual.TURN * eyes)
    return _Outline(
        events,
        *dual.direction(events),
        (_CIRCLE_NX / radii[:, None]).ravel(),
        (_CIRCLE_NY / radii[:, None]).ravel(),
        np.full(eyes * CHORDS, _CIRCLE),
    )


def _middles(ends: Floats) -> Floats:
    return (ends[1:] + ends[:-1]) * 0.5


def _cap(a: _Outline, b: _Outline, eyes: int) -> _Outline:
    """Return whichever outline is nearer in each direction, cut where they cross."""
    events, _ = dual.ranked(eyes, a.events, b.events)
    i, j = _places(a, events), _places(b, events)
    ux, uy = dual.direction(events)
    nx, ny = a.nx[i] - b.nx[j], a.ny[i] - b.ny[j]
    before, after = nx * ux[:-1] + ny * uy[:-1], nx * ux[1:] + ny * uy[1:]
    crossed = before * after < 0
    if crossed.any():
        before, after = before[crossed], after[crossed]
        start, end = events[:-1][crossed], events[1:][crossed]
        cuts = start + (end - start) * before / (before - after)
        events, _ = dual.ranked(eyes, events, cuts)
        i, j = _places(a, events), _places(b, events)
        ux, uy = dual.direction(events)
        nx, ny = a.nx[i] - b.nx[j], a.ny[i] - b.ny[j]
    first = nx * _middles(ux) + ny * _middles(uy) >= 0
    return _Outline(
        events,
        ux,
        uy,
        np.where(first, a.nx[i], b.nx[j]),
        np.where(first, a.ny[i], b.ny[j]),
        np.where(first, a.tag[i], b.tag[j]),
    )


def _places(outline: _Outline, events: Floats) -> Ints:
    """Return the interval of the outline around each interval of finer events."""
    place = outline.events.searchsorted(_middles(events)) - 1
    return np.minimum(np.maximum(place, 0), len(outline.nx) - 1)


def _runs(outline: _Outline, eyes: int) -> _Outline:
    """Join consecutive intervals on the same line, but not across the seam between eyes."""
    events, ux, uy, nx, ny, tag = outline
    new = np.ones(len(nx), dtype=np.bool_)
    new[1:] = (tag[1:] != tag[:-1]) | (nx[1:] != nx[:-1]) | (ny[1:] != ny[:-1])
    seams = dual.SEAM + dual.TURN * np.arange(eyes)
    new[events.searchsorted(seams, side="right") - 1] = True
    start = np.flatnonzero(new)
    end = np.append(start, len(nx))
    return _Outline(events[end], ux[end], uy[end], nx[start], ny[start], tag[start])


def _polygons(
    segs: SightSegs, eyes: Floats, radii: Floats, seen: Horizon, outline: _Outline
) -> list[Visibility]:
    """Return one Visibility per eye from the outline of all."""
    events, ux, uy, nx, ny, tag = outline
    eye = ((_middles(events) - dual.SEAM) // dual.TURN).astype(np.int64)
    corners = np.empty((len(nx), 2, 2))
    for end, at in ((0, slice(None, -1)), (1, slice(1, None))):
        w = nx * ux[at] + ny * uy[at]
        np.divide(ux[at], w, out=corners[:, end, 0])
        np.divide(uy[at], w, out=corners[:, end, 1])
    corners += eyes[eye, None]
    _snap(corners, segs, eyes[eye], seen.stretches, outline)
    points = np.round(corners.reshape(-1, 2), 12) + 0.0  # no minus zero
    cuts = eye.searchsorted(np.arange(len(eyes) + 1))
    before = np.arange(-1, len(points) - 1)
    before[2 * cuts[:-1]] = 2 * cuts[1:] - 1
    fresh = np.abs(points - points[before]).max(axis=1) > _ROUNDING
    ends = np.concatenate(([0], np.cumsum(fresh)))[2 * cuts]
    points, on_circle = points[fresh], tag == _CIRCLE
    return [
        Visibility(
            eye=(float(eyes[number, 0]), float(eyes[number, 1])),
            ring=points[ends[number] : ends[number + 1]],
            events=events[start : end + 1] - dual.TURN * number,
            nx=nx[start:end],
            ny=ny[start:end],
            on_circle=on_circle[start:end],
            radius=float(radii[number]) if np.isfinite(radii[number]) else None,
        )
        for number, (start, end) in enumerate(
            zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
        )
    ]


def _snap(
    corners: Floats, segs: SightSegs, eyes: Floats, stretches: Stretches, outline: _Outline
) -> None:
    """Put corners (m, 2, 2) on the end points of walls where sight meets those.

    The line of a wall that is all but edge-on has huge coefficients: a hair beyond the wall's end
    it is anywhere. `eyes` (m, 2) holds the eye of each interval of the outline.
    """
    walls = np.flatnonzero(outline.tag >= 0)
    found = stretches.at(outline.tag[walls])
    x0, y0, x1, y1 = segs.ends.take(found.row, axis=1)
    x, y = eyes[walls].T
    forward = (x0 - x) * (y1 - y) > (y0 - y) * (x1 - x)
    for end, events, exact, first in (
        (0, outline.events[walls], found.start, forward),
        (1, outline.events[walls + 1], found.end, ~forward),
    ):
        here = np.abs(events - exact) <= dual.tolerance(_BATCH)
        here &= (exact - dual.SEAM) % dual.TURN != 0  # there a stretch is cut, not ended
        place = walls[here]
        corners[place, end, 0] = np.where(first, x0, x1)[here]
        corners[place, end, 1] = np.where(first, y0, y1)[here]
