"""Put other tools' polylines in order: clip, clean, join, simplify.

Polylines are lists of world points. What needs no change keeps its coordinates bit by bit.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from engine.model.space import Point

Polyline = list[Point]
Box = tuple[float, float, float, float]
"""(left, top, right, bottom)."""

SAME = 1e-6
"""Two points closer than this are one."""

DENSE = 50
"""Only polylines of more points than this are worth simplifying."""


def segment_count(lines: Iterable[Polyline]) -> int:
    """Return how many segments the polylines have."""
    return sum(max(0, len(line) - 1) for line in lines)


def clip(line: Polyline, box: Box) -> list[Polyline]:
    """Return the parts of a polyline inside a box, in order."""
    left, top, right, bottom = box
    if all(left <= x <= right and top <= y <= bottom for x, y in line):
        return [line]
    parts: list[Polyline] = []
    for a, b in pairwise(line):
        inside = _clip_segment(a, b, box)
        if inside is None:
            continue
        if parts and parts[-1][-1] == inside[0] == a:
            parts[-1].append(inside[1])
        else:
            parts.append([*inside])
    return parts


def without_repeats(line: Polyline) -> Polyline:
    """Return a polyline without segments of no length; it may end with one point or none."""
    kept: Polyline = line[:1]
    for point in line[1:]:
        if abs(point[0] - kept[-1][0]) > SAME or abs(point[1] - kept[-1][1]) > SAME:
            kept.append(point)
    return kept


def without_doubles(lines: Iterable[Polyline]) -> list[Polyline]:
    """Return the polylines without those that repeat another one, forwards or backwards."""
    seen: set[tuple[Point, ...]] = set()
    kept = []
    for line in lines:
        key = min(tuple(line), tuple(reversed(line)))
        if key not in seen:
            seen.add(key)
            kept.append(line)
    return kept


def joined(lines: list[Polyline]) -> list[Polyline]:
    """Return the polylines with chains of two-point lines made one polyline each.

    DungeonFog writes every segment by itself. Only where exactly two lines meet is anything
    joined, so branches stay as they are.
    """
    meeting = Counter(end for line in lines for end in (line[0], line[-1]))
    at: dict[Point, list[int]] = {}
    for index, line in enumerate(lines):
        if len(line) == 2:
            for end in line:
                if meeting[end] == 2:
                    at.setdefault(end, []).append(index)
    used: set[int] = set()
    result = []
    for index, line in enumerate(lines):
        if index in used:
            continue
        used.add(index)
        if len(line) == 2:
            forwards = _follow(lines, at, used, line[1])
            backwards = _follow(lines, at, used, line[0])
            line = [*reversed(backwards), *line, *forwards]  # noqa: PLW2901  the chain it begins
        result.append(line)
    return result


def simplified(line: Polyline, tolerance: float) -> Polyline:
    """Return a dense polyline with fewer points, none further off than `tolerance` (cells)."""
    if tolerance <= 0 or len(line) <= DENSE:
        return line
    from shapely import LineString  # noqa: PLC0415  loaded only when asked for

    made = LineString(line).simplify(tolerance, preserve_topology=False)
    return [(x, y) for x, y in made.coords]


def _clip_segment(a: Point, b: Point, box: Box) -> tuple[Point, Point] | None:
    """Return the part of a segment inside a box (Liang and Barsky), None if it has no length."""
    left, top, right, bottom = box
    dx, dy = b[0] - a[0], b[1] - a[1]
    enter, leave = 0.0, 1.0
    for step, low, high in ((dx, left - a[0], right - a[0]), (dy, top - a[1], bottom - a[1])):
        if step == 0:
            if low > 0 or high < 0:
                return None
            continue
        first, last = sorted((low / step, high / step))
        enter, leave = max(enter, first), min(leave, last)
    if enter >= leave:
        return None
    start = a if enter == 0 else (a[0] + enter * dx, a[1] + enter * dy)
    end = b if leave == 1 else (a[0] + leave * dx, a[1] + leave * dy)
    return start, end


def _follow(
    lines: list[Polyline], at: dict[Point, list[int]], used: set[int], end: Point
) -> Polyline:
    """Return the points of the unused two-point lines that go on from `end`."""
    chain: Polyline = []
    while following := [index for index in at.get(end, ()) if index not in used]:
        used.add(following[0])
        a, b = lines[following[0]]
        end = b if a == end else a
        chain.append(end)
    return chain
