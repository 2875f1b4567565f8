"""What lights and notes share: they sit on a point; pressing one takes it up, a click sets one."""

from collections.abc import Mapping
from math import dist

from typing_extensions import override

from engine.model.light import Light
from engine.model.region import Note
from engine.model.space import Point
from gui.canvas.overlays.overlay import LinesPreview
from gui.canvas.pointer import PointerEvent
from gui.tools.snapping import snap
from gui.tools.tool import Host, Tool

GRAB = 0.4
"""How near, in cells, the mouse must be to take something up."""


class PinTool(Tool):
    """Setting, moving and removing what sits on a point."""

    shows = ("lines",)

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self._taken: str | None = None
        self._pressed: PointerEvent | None = None
        self._under: str | None = None

    @property
    @override
    def busy(self) -> bool:
        return self._pressed is not None

    def pins(self) -> Mapping[str, Light] | Mapping[str, Note]:
        """Return what is there already."""
        raise NotImplementedError

    def put(self, point: Point, event: PointerEvent) -> None:
        """Set a new one."""
        raise NotImplementedError

    def shift(self, pin_id: str, point: Point) -> None:
        """Move one."""
        raise NotImplementedError

    def remove(self, pin_id: str) -> bool:
        """Take one away."""
        raise NotImplementedError

    @override
    def press(self, event: PointerEvent) -> None:
        self._pressed = event
        self._taken = self._near(event.world)

    @override
    def move(self, event: PointerEvent) -> None:
        pressed = self._pressed
        if pressed is not None and dist(pressed.world, event.world) >= self.host.drag_distance:
            end = snap(self.host.grid, event.world, free=event.alt)
            self.host.show("lines", LinesPreview(((pressed.world, end),)))

    @override
    def release(self, event: PointerEvent) -> None:
        pressed, taken = self._pressed, self._taken
        self.reset()
        if pressed is None:
            return
        point = snap(self.host.grid, event.world, free=event.alt)
        moved = dist(pressed.world, event.world) >= self.host.drag_distance
        if taken is None:
            self.put(snap(self.host.grid, pressed.world, free=event.alt), event)
        elif moved:
            self.shift(taken, point)
        else:
            self.edit(taken)

    def edit(self, pin_id: str) -> None:
        """Answer a click on one."""

    @override
    def double(self, event: PointerEvent) -> None:
        """Ignore the second press of a quick double click: the first has done it."""

    @override
    def hover(self, event: PointerEvent) -> None:
        self._under = self._near(event.world)

    @override
    def delete(self) -> bool:
        return self._under in self.pins() and self._under is not None and self.remove(self._under)

    @override
    def reset(self) -> None:
        self._pressed = self._taken = None
        super().reset()

    @override
    def refresh(self) -> None:
        if self._taken is not None and self._taken not in self.pins():
            self.cancel()

    def _near(self, point: Point) -> str | None:
        near = ((dist(pin.position, point), pin.id) for pin in self.pins().values())
        distance, pin_id = min(near, default=(GRAB + 1, ""))
        return pin_id if distance <= GRAB else None
