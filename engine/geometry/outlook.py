"""Lines of sight of a board, remembered: what one point sees, as long as nothing in it changes.

A place that has been looked from keeps its `Outlook` while the walls it depends on stay as they
are, the same object also when a door opens out of sight. Light and tokens are not considered
here; see `vision`.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.geometry.arrays import (
    TOUCH,
    Bools,
    Floats,
    bounding_boxes,
    cross,
    predecessors,
    successors,
)
from engine.geometry.boards import wall_set
from engine.geometry.memo import Kept, Memo
from engine.geometry.segments import NUDGE, WallSet, build_walls
from engine.geometry.visibility import Visibility, visibility_polygons
from engine.grid.base import Ring
from engine.grid.grid import Box, board_grid
from engine.model.board import Board, GridSpec
from engine.model.space import Point

if TYPE_CHECKING:
    from shapely import Geometry, Polygon

DIGITS = 6
"""Decimals of outlines that leave the engine: a wall that joins another one from behind must not
show as a trembling last digit."""

_SAME = 1e-7
_STRAIGHT = 1e-8
_PLACES_KEPT = 512
_FEW_LINES = 256


@lru_cache(maxsize=1)
def _no_walls() -> WallSet:
    return build_walls(())


class Lookout(NamedTuple):
    """A point to look from, how high it is (None: no wall is lower) and how far it sees."""

    point: Point
    height: float | None = None
    radius: float | None = None


@dataclass(frozen=True, eq=False)
class Outlook:
    """What one point sees."""

    seen: Visibility

    @cached_property
    def outline(self) -> Floats:
        """The border (n, 2), rounded, without points that lie straight between others."""
        return plain_outline(self.seen.ring)

    @cached_property
    def ring(self) -> Ring:
        """The border as world points."""
        return as_ring(self.outline)

    @cached_property
    def box(self) -> Box | None:
        """The box around everything seen; None if nothing is."""
        ring = self.seen.ring
        if not len(ring):
            return None
        return Box(*ring.min(axis=0).tolist(), *ring.max(axis=0).tolist())

    @cached_property
    def shape(self) -> "Geometry":
        """The border as a valid shapely polygon."""
        return valid_shape(self.outline)

    def contains(self, points: Floats) -> Bools:
        """Tell which points (k, 2) are seen."""
        if self.box is None:
            return np.zeros(len(points), dtype=np.bool_)
        near = within(self.box, points)
        if near.all():
            return self.seen.contains(points)
        index = np.flatnonzero(near)
        near[index] = self.seen.contains(points[index])
        return near

    def same_as(self, other: "Outlook") -> bool:
        """Tell whether both see the same."""
        return self.seen.eye == other.seen.eye and np.array_equal(self.outline, other.outline)


def outlooks(
    board: Board, places: Sequence[Lookout], *, shadows: bool = True
) -> tuple[Outlook, ...]:
    """Return what each place sees of a board; without `shadows` no wall stands in the way."""
    if shadows:
        return _AMONG_WALLS(wall_set(board), board.grid).of(places)
    return _IN_THE_OPEN(_no_walls(), board.grid).of(places)


def standing_point(board: Board, point: Point) -> Point:
    """Return the point that stands for one on a closed wall: a hair's breadth to one side.

    It is always the same side of the same wall, as it is for steps (`routes`), so nobody who
    walks along sees through it.
    """
    return _AMONG_WALLS(wall_set(board), board.grid).standing(point)


class _Closed:
    """The closed walls, and which points lie on one of them."""

    def __init__(self, walls: WallSet) -> None:
        stands = (walls.sight | walls.moves) & ~walls.open[walls.owner]
        self._segs = walls.segs[stands]
        self._boxes = bounding_boxes(self._segs)

    def beside(self, point: Point) -> Point:
        """Return a point, or the one that stands for it if it lies on a closed wall."""
        for shift in (None, (-0.6, -0.8), (0.8, -0.6)):
            moved = point
            if shift is not None:
                moved = point[0] + shift[0] * NUDGE, point[1] + shift[1] * NUDGE
            if not self._holds(moved):
                return moved
        return moved

    def _holds(self, point: Point) -> bool:
        (x, y), (left, top, right, bottom) = point, self._boxes
        near = (left <= x + TOUCH) & (right >= x - TOUCH) & (top <= y + TOUCH)
        segs = self._segs[near & (bottom >= y - TOUCH)]
        if not len(segs):
            return False
        start = segs[:, 0]
        along = segs[:, 1] - start
        offset = np.array(point) - start
        fraction = np.clip((along * offset).sum(axis=1) / (along**2).sum(axis=1), 0, 1)
        gap = np.abs(offset - fraction[:, None] * along).max(axis=1)
        return bool((gap <= TOUCH).any())


def plain_outline(ring: Floats) -> Floats:
    """Return a ring rounded, without repeated points and those straight between neighbours."""
    ring = ring[np.abs(ring - predecessors(ring)).max(axis=1, initial=0) > _SAME]
    if len(ring) < 3:
        return ring[:0]
    before, after = predecessors(ring), successors(ring)
    chord = after - before
    length = np.maximum(np.hypot(chord[:, 0], chord[:, 1]), TOUCH)
    bent = np.abs(cross(chord, ring - before)) / length > _STRAIGHT
    rounded = np.round(ring[bent], DIGITS) + 0.0  # no minus zero
    fresh = (rounded != predecessors(rounded)).any(axis=1)
    return rounded[fresh] if fresh.sum() >= 3 else rounded[:0]


def as_ring(outline: Floats) -> Ring:
    """Return an outline (n, 2) as world points."""
    return tuple(map(tuple, outline.tolist()))


def valid_shape(outline: Floats) -> "Geometry":
    """Return an outline as a valid shapely geometry of polygons, empty without area."""
    import shapely  # noqa: PLC0415  (costs a headless command a tenth of a second)

    if len(outline) < 3:
        return shapely.Polygon()
    polygon = shapely.Polygon(outline)
    if polygon.is_valid:
        return polygon
    return shapely.make_valid(polygon, method="structure", keep_collapsed=False)


def polygons_in(shape: "Geometry") -> "list[Polygon]":
    """Return the polygons that a shapely geometry consists of; lines and points are dropped."""
    if shape.geom_type == "Polygon":
        return [] if shape.is_empty else [shape]
    return [part for each in getattr(shape, "geoms", ()) for part in polygons_in(each)]


def within(box: Box, points: Floats) -> Bools:
    """Tell which points (k, 2) lie in a box, its border included."""
    x, y = points[:, 0], points[:, 1]
    return np.asarray(
        (x >= box.left - TOUCH)
        & (x <= box.right + TOUCH)
        & (y >= box.top - TOUCH)
        & (y <= box.bottom + TOUCH)
    )


class _Outlooks:
    """The outlooks among one set of walls; those of the set before are kept where they hold."""

    def __init__(self, walls: WallSet, bounds: Box, before: "_Outlooks | None") -> None:
        self._walls = walls
        self._bounds = bounds
        self._known: OrderedDict[Lookout, Outlook] = OrderedDict()
        self._standing: dict[Point, Point] = {}
        self._stood = before._standing if before is not None else {}
        self._before = before._known if before is not None else OrderedDict()
        self._toggled = _toggled(walls, before._walls) if before is not None else None

    def of(self, places: Sequence[Lookout]) -> tuple[Outlook, ...]:
        found = {place: self._recall(place) for place in dict.fromkeys(places)}
        fresh = [place for place, outlook in found.items() if outlook is None]
        if fresh:
            found.update(zip(fresh, self._look(fresh), strict=True))
        for place, outlook in found.items():
            assert outlook is not None
            self._known[place] = outlook
            self._known.move_to_end(place)
        while len(self._known) > max(_PLACES_KEPT, len(found)):
            self._known.popitem(last=False)
        return tuple(self._known[place] for place in places)

    def standing(self, point: Point) -> Point:
        found = self._standing.get(point)
        if found is None:
            found = self._stood.get(point)
            around = Box(*point, *point)
            if found is None or self._toggled is None or _meets(around, self._toggled):
                found = self._closed.beside(point)
            self._standing[point] = found
        return found

    @cached_property
    def _closed(self) -> _Closed:
        return _Closed(self._walls)

    def _recall(self, place: Lookout) -> Outlook | None:
        known = self._known.get(place)
        if known is not None or self._toggled is None:
            return known
        before = self._before.get(place)
        if before is None or (before.box is not None and _meets(before.box, self._toggled)):
            return None
        return before

    def _look(self, places: Sequence[Lookout]) -> list[Outlook]:
        seen = visibility_polygons(
            self._walls,
            [place.point for place in places],
            bounds=self._bounds,
            radii=[place.radius for place in places],
            heights=[place.height for place in places],
        )
        made = []
        for place, each in zip(places, seen, strict=True):
            outlook, before = Outlook(each), self._before.get(place)
            made.append(before if before is not None and outlook.same_as(before) else outlook)
        return made


def _toggled(walls: WallSet, before: WallSet) -> Floats | None:
    """Return the boxes (4, n) of what opened, closed, came or went; None if that is much."""
    lines = walls.changed_since(before, "sight")
    return None if len(lines) > _FEW_LINES else bounding_boxes(lines)


def _meets(box: Box, boxes: Floats) -> bool:
    left, top, right, bottom = boxes
    apart = (
        (left > box.right + TOUCH)
        | (right < box.left - TOUCH)
        | (top > box.bottom + TOUCH)
        | (bottom < box.top - TOUCH)
    )
    return not bool(apart.all())


def _build(latest: Kept[_Outlooks] | None, walls: WallSet, spec: GridSpec) -> _Outlooks:
    same_board = latest is not None and latest.sources[1] == spec
    before = latest.result if latest is not None and same_board else None
    return _Outlooks(walls, board_grid(spec).bounds, before)


_AMONG_WALLS: Memo[_Outlooks] = Memo(_build)
_IN_THE_OPEN: Memo[_Outlooks] = Memo(_build)
