"""Drawing corner by corner: what the wall and the region tools share."""

from math import dist

from typing_extensions import override

from engine.model.space import Point
from gui.canvas.overlays.overlay import LinesPreview
from gui.canvas.pointer import PointerEvent
from gui.tools.snapping import snap
from gui.tools.tool import Host, Tool


class LinesTool(Tool):
    """Click sets corners, double click or Return ends, Backspace takes a corner back.

    A drag is a gesture of its own: `dragged` gets its two ends.
    """

    shows = ("lines",)
    closed = False
    fewest = 2

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self._points: list[Point] = []
        self._pressed: PointerEvent | None = None
        self._dragging = False

    @property
    @override
    def busy(self) -> bool:
        return bool(self._points) or self._dragging

    def finish(self, points: tuple[Point, ...]) -> None:
        """Make the thing of these corners."""
        raise NotImplementedError

    def dragged(self, start: Point, end: Point) -> tuple[Point, ...]:
        """Return the corners that a drag means."""
        return (start, end)

    @override
    def press(self, event: PointerEvent) -> None:
        self._pressed = event

    @override
    def move(self, event: PointerEvent) -> None:
        pressed = self._pressed
        if pressed is None or self._points:
            self.hover(event)
        elif self._dragging or dist(pressed.world, event.world) >= self.host.drag_distance:
            self._dragging = True
            ends = (self._snap(pressed), self._snap(event))
            self._show(self.dragged(*ends))

    @override
    def release(self, event: PointerEvent) -> None:
        pressed, dragging = self._pressed, self._dragging
        self._pressed, self._dragging = None, False
        if pressed is None:
            return
        if dragging:
            points = self.dragged(self._snap(pressed), self._snap(event))
            self._end(points)
            return
        point = self._snap(event)
        if self._points and point == self._points[0] and len(self._points) >= 3:
            self._end(tuple(self._points) if self.closed else (*self._points, point))
        elif not self._points or point != self._points[-1]:
            self._points.append(point)
            self._show((*self._points, point))
            self.host.say(f"{len(self._points)} corners; Return or a double click ends")

    @override
    def double(self, event: PointerEvent) -> None:
        self._end(tuple(self._points))

    @override
    def hover(self, event: PointerEvent) -> None:
        if self._points:
            self._show((*self._points, self._snap(event)))

    @override
    def key(self, name: str) -> bool:
        if name == "return" and self._points:
            self._end(tuple(self._points))
        elif name == "backspace" and self._points:
            self._points.pop()
            self._show(tuple(self._points))
        else:
            return False
        return True

    @override
    def reset(self) -> None:
        self._points, self._pressed, self._dragging = [], None, False
        super().reset()

    def _end(self, points: tuple[Point, ...]) -> None:
        self.reset()
        distinct = tuple(dict.fromkeys(points)) if self.closed else points
        if len(distinct) >= self.fewest and len(set(distinct)) >= self.fewest:
            self.finish(distinct)

    def _show(self, points: tuple[Point, ...]) -> None:
        preview = LinesPreview((points,), closed=self.closed) if len(points) > 1 else None
        self.host.show("lines", preview)

    def _snap(self, event: PointerEvent) -> Point:
        return snap(self.host.grid, event.world, free=event.alt)
