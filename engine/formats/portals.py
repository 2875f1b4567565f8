"""Fit doors and windows into the walls of an imported map.

Other tools write portals beside the walls: an end a little off the wall's end, a wall that runs
through the door, a door drawn across the middle of a cell. Here they are made to meet exactly.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.formats.polylines import SAME, Polyline
from engine.model.space import Point

Segments = NDArray[np.float64]
"""Rows of (x1, y1, x2, y2)."""

SNAP = 0.03
"""Ends of portals this close to the end of a wall (cells) are meant to meet it."""

_ALONG = 0.1
_MIDDLE = 0.02


class Portal(NamedTuple):
    """A portal from `a` to `b`; `number` is its place in the file, from 1."""

    number: int
    a: Point
    b: Point
    closed: bool

    @property
    def width(self) -> float:
        """Return its length in cells."""
        return float(np.hypot(self.b[0] - self.a[0], self.b[1] - self.a[1]))


def segments_of(walls: list[Polyline]) -> Segments:
    """Return all segments of the walls, polyline by polyline."""
    rows = [(*line[i], *line[i + 1]) for line in walls for i in range(len(line) - 1)]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def snapped(portals: list[Portal], walls: list[Polyline]) -> list[Portal]:
    """Return the portals with ends moved onto the nearest wall end within SNAP."""
    if not walls or not portals:
        return portals
    ends = np.array([end for line in walls for end in (line[0], line[-1])])

    def snap(point: Point) -> Point:
        away = np.hypot(ends[:, 0] - point[0], ends[:, 1] - point[1])
        nearest = int(np.argmin(away))
        if away[nearest] > SNAP:
            return point
        return float(ends[nearest, 0]), float(ends[nearest, 1])

    moved = []
    for portal in portals:
        a, b = snap(portal.a), snap(portal.b)
        moved.append(portal if a == b else portal._replace(a=a, b=b))
    return moved


def cut(walls: list[Polyline], portals: list[Portal]) -> tuple[list[Polyline], int]:
    """Return the walls with a gap wherever one runs through a portal, and how many were cut.

    Only walls that lie along the portal count, within SNAP; one that crosses it stays.
    """
    segments = segments_of(walls)
    gaps: dict[int, list[tuple[float, float]]] = {}
    for portal in portals:
        for index, start, end in _overlaps(segments, portal):
            gaps.setdefault(index, []).append((start, end))
    if not gaps:
        return walls, 0
    result: list[Polyline] = []
    number = touched = 0
    for line in walls:
        here = {i: gaps[number + i] for i in range(len(line) - 1) if number + i in gaps}
        number += len(line) - 1
        touched += bool(here)
        result += _with_gaps(line, here) if here else [line]
    return result, touched


def moved_to_edge(portal: Portal, segments: Segments) -> Portal | None:
    """Return a door that crosses the middle of a cell, moved onto one of the cell's edges.

    On a grid a door between two cells can be closed; one inside a cell leaves somebody standing
    in it. It moves only if the way between two walls stays shut: at its new place, and all the way
    there, both ends must lie on a wall. Of two such edges the one whose ends join more walls is
    taken, else the left or upper one. None: it does not apply.
    """
    for axis in (0, 1):
        middle = portal.a[axis]
        ends = sorted((portal.a[1 - axis], portal.b[1 - axis]))
        if (
            abs(portal.b[axis] - middle) <= SAME
            and abs(middle % 1 - 0.5) <= _MIDDLE
            and abs(ends[1] - ends[0] - 1) <= 2 * _ALONG
            and all(abs(end - round(end)) <= _ALONG for end in ends)
        ):
            return _moved(portal, axis, segments)
    return None


def _moved(portal: Portal, axis: int, segments: Segments) -> Portal | None:
    best: tuple[int, Portal] | None = None
    for edge in (float(np.floor(portal.a[axis])), float(np.ceil(portal.a[axis]))):
        ends = [_with(end, axis, edge) for end in (portal.a, portal.b)]
        half = (portal.a[axis] + edge) / 2
        on_the_way = [_with(end, axis, half) for end in (portal.a, portal.b)]
        feet = [_feet(segments, point) for point in (*ends, *on_the_way)]
        joins = len(feet[0]) + len(feet[1])
        if all(feet) and (best is None or joins > best[0]):
            best = joins, portal._replace(a=feet[0][0], b=feet[1][0])
    return best[1] if best else None


def _with(point: Point, axis: int, value: float) -> Point:
    return (value, point[1]) if axis == 0 else (point[0], value)


def _feet(segments: Segments, point: Point) -> list[Point]:
    """Return the nearest points of all segments that pass within SNAP of a point, nearest first."""
    near = segments[_reaching(segments, point, point)]
    start, along = near[:, :2], near[:, 2:] - near[:, :2]
    length2 = np.maximum((along**2).sum(axis=1), SAME**2)
    share = np.clip(((np.array(point) - start) * along).sum(axis=1) / length2, 0, 1)
    feet = start + share[:, None] * along
    away = np.hypot(feet[:, 0] - point[0], feet[:, 1] - point[1])
    order = [index for index in np.argsort(away, kind="stable") if away[index] <= SNAP]
    return [(float(feet[index, 0]), float(feet[index, 1])) for index in order]


def _reaching(segments: Segments, a: Point, b: Point) -> NDArray[np.intp]:
    """Return which segments' bounding boxes come within SNAP of the box of a and b."""
    low_x, high_x = min(a[0], b[0]) - SNAP, max(a[0], b[0]) + SNAP
    low_y, high_y = min(a[1], b[1]) - SNAP, max(a[1], b[1]) + SNAP
    x1, y1, x2, y2 = segments.T
    return np.flatnonzero(
        (np.maximum(x1, x2) >= low_x)
        & (np.minimum(x1, x2) <= high_x)
        & (np.maximum(y1, y2) >= low_y)
        & (np.minimum(y1, y2) <= high_y)
    )


def _overlaps(segments: Segments, portal: Portal) -> list[tuple[int, float, float]]:
    """Return (segment, from, to) for each segment that lies along the portal.

    `from` and `to` are shares of the segment's length.
    """
    width = portal.width
    if not len(segments) or width <= SAME:
        return []
    ux, uy = (portal.b[0] - portal.a[0]) / width, (portal.b[1] - portal.a[1]) / width
    found = []
    for index in _reaching(segments, portal.a, portal.b).tolist():
        x1, y1, x2, y2 = (float(value) for value in segments[index])
        along = [(x - portal.a[0]) * ux + (y - portal.a[1]) * uy for x, y in ((x1, y1), (x2, y2))]
        aside = [(y - portal.a[1]) * ux - (x - portal.a[0]) * uy for x, y in ((x1, y1), (x2, y2))]
        run = along[1] - along[0]
        if abs(run) <= SNAP:
            continue
        start, end = sorted(((0 - along[0]) / run, (width - along[0]) / run))
        start, end = max(0.0, start), min(1.0, end)
        off = [aside[0] + share * (aside[1] - aside[0]) for share in (start, end)]
        if (end - start) * abs(run) > SNAP and max(map(abs, off)) <= SNAP:
            found.append((index, start, end))
    return found


def _with_gaps(line: Polyline, gaps: dict[int, list[tuple[float, float]]]) -> list[Polyline]:
    """Return the parts of a polyline that remain outside the gaps of its segments."""
    parts: list[Polyline] = [[line[0]]]
    for index in range(len(line) - 1):
        a, b = line[index], line[index + 1]
        for start, end in _merged(gaps.get(index, [])):
            parts[-1].append(_between(a, b, start))
            parts.append([_between(a, b, end)])
        parts[-1].append(b)
    clean = ([p for i, p in enumerate(part) if i == 0 or p != part[i - 1]] for part in parts)
    return [part for part in clean if len(part) > 1]


def _merged(gaps: list[tuple[float, float]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for start, end in sorted(gaps):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _between(a: Point, b: Point, share: float) -> Point:
    if share <= 0:
        return a
    if share >= 1:
        return b
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
