"""The wall doctor: ends that nearly meet another wall, through which sight and people slip.

A gap is a loose end of a wall nearer than a chosen distance to another wall (or to the wall's own
other end) without touching it. Welding moves the loose end, never anything that is joined.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.geometry.stepfield import Floats
from engine.model.space import Point
from engine.model.wall import Wall

JOINED = 1e-9
"""Cells. Ends closer than this meet already."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A loose end of a wall and the point of another wall that it misses by `width` cells."""

    wall_id: str
    end: int
    point: Point
    other_id: str
    nearest: Point
    width: float


def find_gaps(walls: Mapping[str, Wall], below: float) -> tuple[Gap, ...]:
    """Return the gaps narrower than `below` cells, widest last.

    Of two loose ends that miss each other only the first is listed: one weld mends both.
    """
    lines = _Lines(walls)
    gaps: list[Gap] = []
    met: set[tuple[str, int]] = set()
    for wall in walls.values():
        for end in (0, -1):
            found = lines.gap_at(wall, end, below)
            if found is None or (wall.id, end) in met:
                continue
            gaps.append(found)
            met.update(lines.ends_at(found.nearest))
    return tuple(sorted(gaps, key=lambda gap: (gap.width, gap.wall_id, gap.end)))


def welded(walls: Mapping[str, Wall], below: float) -> tuple[Wall, ...]:
    """Return the walls that change when all gaps narrower than `below` are closed."""
    mended = dict(walls)
    for _ in range(len(walls) * 2 + 1):
        gaps = find_gaps(mended, below)
        if not gaps:
            break
        for gap in gaps:
            wall = mended[gap.wall_id]
            points = list(wall.points)
            points[gap.end] = gap.nearest
            if len({*points}) > 1:
                mended[wall.id] = wall.changed(points=tuple(points))
    return tuple(wall for wall_id, wall in mended.items() if wall is not walls[wall_id])


class _Lines:
    """All segments in arrays, and who owns them."""

    def __init__(self, walls: Mapping[str, Wall]) -> None:
        self._owners = [wall.id for wall in walls.values() for _ in wall.points[1:]]
        self._owner = np.array(self._owners)
        pairs = [
            pair
            for wall in walls.values()
            for pair in zip(wall.points, wall.points[1:], strict=False)
        ]
        self._segs = np.array(pairs, dtype=np.float64).reshape(-1, 2, 2)
        first = [0, *np.cumsum([len(wall.points) - 1 for wall in walls.values()])]
        self._span = {wall.id: (first[i], first[i + 1]) for i, wall in enumerate(walls.values())}
        self._ends = [
            (wall.id, end, wall.points[end]) for wall in walls.values() for end in (0, -1)
        ]

    def gap_at(self, wall: Wall, end: int, below: float) -> Gap | None:
        """Return the gap at one end of a wall, if that end is loose and misses something."""
        point = np.array(wall.points[end])
        nearest = self._nearest_on_each(point)
        distance = np.hypot(*(nearest - point).T)
        low, high = self._span[wall.id]
        own = low if end == 0 else high - 1
        distance[own] = np.inf
        if high - low > 1:  # the neighbouring segment shares the joint before the end
            distance[low + 1 if end == 0 else high - 2] = np.inf
        if not len(distance) or distance.min() <= JOINED:
            return None
        best = int(np.argmin(distance))
        if distance[best] >= below:
            return None
        target = self._corner_within(best, point, below)
        if target is None:
            target = nearest[best]
        width = float(np.hypot(*(target - point)))
        return Gap(
            wall_id=wall.id,
            end=end,
            point=wall.points[end],
            other_id=self._owners[best],
            nearest=(float(target[0]), float(target[1])),
            width=width,
        )

    def ends_at(self, point: Point) -> list[tuple[str, int]]:
        """Return the ends of walls that lie at a point."""
        return [(wall_id, end) for wall_id, end, place in self._ends if place == point]

    def _corner_within(self, segment: int, point: Floats, below: float) -> Floats | None:
        """Return the nearer end of a segment if it is within reach: corners should meet corners."""
        corners = self._segs[segment]
        distance = np.hypot(*(corners - point).T)
        nearer = int(np.argmin(distance))
        return corners[nearer] if distance[nearer] < below else None

    def _nearest_on_each(self, point: Floats) -> Floats:
        """Return the point of every segment that is nearest to a point."""
        start = self._segs[:, 0]
        along = self._segs[:, 1] - start
        length = (along**2).sum(axis=1)
        share = ((point - start) * along).sum(axis=1) / np.where(length == 0, 1, length)
        nearest: Floats = start + np.clip(share, 0, 1)[:, None] * along
        return nearest
