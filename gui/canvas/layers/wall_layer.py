"""Walls, windows and doors.

Walls are collected into one path per kind and square of the board, so that a large map costs few
calls and only its exposed part. Doors are drawn one by one, each state with a shape of its own:
closed is a bar, open a leaf that stands at right angles in its frame, locked a bar with a bolt.
The players see walls only where no picture shows them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import hypot

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from engine.model.space import Point
from engine.model.wall import DoorState, OneSided, Wall, WallKind
from gui.canvas.layers.exposure import Exposure, dashed, pen
from gui.canvas.layers.region_layer import changed_keys
from gui.canvas.space import SCENE_PER_CELL, bounds_of, lines_path, world_to_scene
from gui.theme import Theme, color

_BUCKET_CELLS = 16.0
_MARGIN_CELLS = 1.1
_DOOR_CELLS = 0.16
_WALL_CELLS = 0.1

_BucketKey = tuple[int, int]


@dataclass(slots=True)
class _Bucket:
    """The walls whose middle lies in one square of the board."""

    walls: dict[str, Wall] = field(default_factory=dict)
    paths: dict[WallKind, QPainterPath] | None = None
    bounds: QRectF = field(default_factory=QRectF)


class WallLayer:
    """Paints walls and doors."""

    def __init__(self) -> None:
        self._walls: Mapping[str, Wall] = {}
        self._buckets: dict[_BucketKey, _Bucket] = {}
        self._doors: dict[str, tuple[Wall, QRectF]] = {}

    def sync(self, walls: Mapping[str, Wall]) -> list[QRectF]:
        """Take over the walls that are there now; return the rectangles that look different."""
        if walls is self._walls:
            return []
        dirty: list[QRectF] = []
        for key in changed_keys(self._walls, walls):
            old, new = self._walls.get(key), walls.get(key)
            if old is not None:
                self._take_out(old)
                dirty.append(wall_rect(old))
            if new is not None:
                self._put_in(new)
                dirty.append(wall_rect(new))
        self._walls = walls
        return dirty

    def wall(self, wall_id: str) -> Wall | None:
        """Return the wall of that id."""
        return self._walls.get(wall_id)

    def near(self, rect: QRectF) -> Iterable[Wall]:
        """Yield the walls and doors that may touch a scene rectangle."""
        for bucket in self._buckets.values():
            if self._bounds(bucket).intersects(rect):
                yield from bucket.walls.values()
        for door, bounds in self._doors.values():
            if bounds.intersects(rect):
                yield door

    def paint_walls(self, painter: QPainter, exposure: Exposure, *, on_picture: bool) -> None:
        """Draw the exposed walls, thin over a picture that shows them anyway."""
        if exposure.players and on_picture:
            return
        painter.save()
        painter.setClipRect(exposure.rect)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        smooth = exposure.px_per_cell >= 24 and not exposure.moving
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        exposed = [b for b in self._buckets.values() if self._bounds(b).intersects(exposure.rect)]
        for kind in WallKind:
            paths = [b.paths[kind] for b in exposed if b.paths and kind in b.paths]
            for each in _pens(exposure, kind, on_picture=on_picture) if paths else ():
                painter.setPen(each)
                for path in paths:
                    painter.drawPath(path)
        if not exposure.players:
            _paint_sides(painter, exposure, exposed)
        painter.restore()

    def paint_doors(self, painter: QPainter, exposure: Exposure) -> None:
        """Draw the exposed doors."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for door, bounds in self._doors.values():
            if bounds.intersects(exposure.rect):
                _paint_door(painter, exposure, door)
        painter.restore()

    def _put_in(self, wall: Wall) -> None:
        if wall.is_door:
            self._doors[wall.id] = (wall, wall_rect(wall))
            return
        bucket = self._buckets.setdefault(_bucket_key(wall), _Bucket())
        bucket.walls[wall.id] = wall
        bucket.paths = None

    def _take_out(self, wall: Wall) -> None:
        if wall.is_door:
            self._doors.pop(wall.id, None)
            return
        bucket = self._buckets[_bucket_key(wall)]
        del bucket.walls[wall.id]
        bucket.paths = None
        if not bucket.walls:
            del self._buckets[_bucket_key(wall)]

    def _bounds(self, bucket: _Bucket) -> QRectF:
        """Return where a bucket's walls lie, after making their paths if they changed."""
        if bucket.paths is None:
            by_kind: dict[WallKind, list[tuple[Point, Point]]] = {}
            for wall in bucket.walls.values():
                sides = zip(wall.points, wall.points[1:], strict=False)
                by_kind.setdefault(wall.kind, []).extend(sides)
            bucket.paths = {kind: lines_path(lines) for kind, lines in by_kind.items()}
            bucket.bounds = QRectF()
            for wall in bucket.walls.values():
                bucket.bounds = bucket.bounds.united(wall_rect(wall))
        return bucket.bounds


def wall_rect(wall: Wall) -> QRectF:
    """Return the scene rectangle that a wall may be drawn in; an open leaf needs its length."""
    margin = _MARGIN_CELLS if not wall.is_door else _MARGIN_CELLS + _longest(wall.points)
    return bounds_of(wall.points, margin)


def _bucket_key(wall: Wall) -> _BucketKey:
    xs, ys = [x for x, _ in wall.points], [y for _, y in wall.points]
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return int(middle[0] // _BUCKET_CELLS), int(middle[1] // _BUCKET_CELLS)


def _pens(exposure: Exposure, kind: WallKind, *, on_picture: bool) -> tuple[QPen, ...]:
    """Return the pens of a kind of wall, the dark edge first."""
    theme = exposure.theme
    thick = _WALL_CELLS * exposure.px_per_cell
    width = max(1.5, min(2.5, thick * 0.35)) if on_picture else max(1.5, min(14.0, thick))
    halo = pen(theme.halo, width + 2, alpha=150)
    line: dict[WallKind, QPen] = {
        WallKind.WINDOW: pen(theme.window, width),
        WallKind.SECRET_DOOR: dashed(theme.door, width, 6, 4),
        WallKind.LOW_WALL: dashed(theme.wall, width, 3, 3),
        WallKind.EMBRASURE: dashed(theme.wall, width, 10, 3),
        WallKind.TERRAIN: dashed(theme.high, width, 8, 3, 2, 3),
    }
    pens = halo, line.get(kind, pen(theme.wall, width))
    for each in pens:
        # Lines of two points with square ends: Qt draws a thousand in 1.3 ms. With round ends,
        # or joined into polylines, it takes 20 to 90.
        if each.style() == Qt.PenStyle.SolidLine:
            each.setCapStyle(Qt.PenCapStyle.SquareCap)
        each.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pens


def _paint_sides(painter: QPainter, exposure: Exposure, buckets: Iterable[_Bucket]) -> None:
    """Mark the blocking side of one-sided walls with short teeth."""
    if exposure.px_per_cell < 24:
        return
    painter.setPen(pen(exposure.theme.wall, 1.5))
    for bucket in buckets:
        for wall in bucket.walls.values():
            if wall.one_sided is not None:
                side = 1.0 if wall.one_sided is OneSided.RIGHT else -1.0
                for a, b in zip(wall.points, wall.points[1:], strict=False):
                    _teeth(painter, a, b, side)


def _teeth(painter: QPainter, a: Point, b: Point, side: float) -> None:
    length = hypot(b[0] - a[0], b[1] - a[1])
    if length < 1e-9:
        return
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    count = max(1, int(length * 3))
    for i in range(count):
        at = (i + 0.5) / count
        x, y = a[0] + (b[0] - a[0]) * at, a[1] + (b[1] - a[1]) * at
        # Right of the way from a to b, with y down, is (-uy, ux).
        tip = (x - uy * side * 0.12, y + ux * side * 0.12)
        painter.drawLine(world_to_scene((x, y)), world_to_scene(tip))


def _paint_door(painter: QPainter, exposure: Exposure, door: Wall) -> None:
    theme = exposure.theme
    code = theme.door_locked if door.door is DoorState.LOCKED else theme.door
    thick = max(4.0, min(18.0, _DOOR_CELLS * exposure.px_per_cell)) * exposure.px
    for a, b in zip(door.points, door.points[1:], strict=False):
        start, end = world_to_scene(a), world_to_scene(b)
        if door.is_open:
            _paint_open_leaf(painter, theme, start, end, thick)
        else:
            _paint_bar(painter, theme, code, (start, end), thick)
            if door.door is DoorState.LOCKED:
                _paint_bolt(painter, theme, (start + end) / 2, thick)
        if door.kind is WallKind.SECRET_DOOR and not exposure.players:
            _paint_secret(painter, theme, (start + end) / 2, thick)


def _paint_bar(
    painter: QPainter, theme: Theme, code: str, ends: tuple[QPointF, QPointF], thick: float
) -> None:
    bar = _bar(*ends, thick)
    painter.setPen(pen(theme.halo, 1.5, alpha=230))
    painter.setBrush(color(code))
    painter.drawPath(bar)
    painter.setPen(pen(theme.mark, 1, alpha=150))
    painter.drawLine(*ends)


def _paint_open_leaf(
    painter: QPainter, theme: Theme, start: QPointF, end: QPointF, thick: float
) -> None:
    """Draw the empty frame and the leaf, turned a quarter about the first post."""
    way = end - start
    leaf_end = QPointF(start.x() - way.y(), start.y() + way.x())
    for line in (pen(theme.halo, 4, alpha=170), dashed(theme.door, 2, 4, 4)):
        painter.setPen(line)
        painter.drawLine(start, end)
    swing = QPainterPath(end)
    corner = end + (leaf_end - start)
    swing.quadTo(corner * 0.55 + (end + leaf_end) * 0.225, leaf_end)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(dashed(theme.mark, 1.25, 3, 4, alpha=210))
    painter.drawPath(swing)
    painter.setPen(pen(theme.halo, 1.5, alpha=230))
    painter.setBrush(color(theme.door, 235))
    painter.drawPath(_bar(start, leaf_end, thick * 0.8))
    for post in (start, end):
        painter.drawEllipse(post, thick * 0.6, thick * 0.6)


def _paint_bolt(painter: QPainter, theme: Theme, middle: QPointF, thick: float) -> None:
    painter.setPen(pen(theme.halo, 1.5))
    painter.setBrush(color(theme.mark))
    painter.drawEllipse(middle, thick * 0.8, thick * 0.8)
    painter.setBrush(color(theme.halo))
    painter.drawEllipse(middle, thick * 0.28, thick * 0.28)


def _paint_secret(painter: QPainter, theme: Theme, middle: QPointF, thick: float) -> None:
    painter.setPen(dashed(theme.mark, 1.5, 3, 3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(middle, thick * 1.6, thick * 1.6)


def _bar(start: QPointF, end: QPointF, thick: float) -> QPainterPath:
    """Return the outline of a bar of that thickness from post to post."""
    dx, dy = end.x() - start.x(), end.y() - start.y()
    length = hypot(dx, dy) or SCENE_PER_CELL
    across = QPointF(-dy / length * thick / 2, dx / length * thick / 2)
    path = QPainterPath(start + across)
    for corner in (end + across, end - across, start - across):
        path.lineTo(corner)
    path.closeSubpath()
    return path


def _longest(points: tuple[Point, ...]) -> float:
    pairs = zip(points, points[1:], strict=False)
    return max(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairs)
