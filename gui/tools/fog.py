"""The fog tool: a brush, a box or a whole room, to reveal ground to the players or to cover it.

Shift turns revealing into covering, Ctrl takes back what was done by hand. The wheel over a held
brush makes it larger or smaller. One stroke is one command.
"""

from enum import StrEnum
from math import dist

from pydantic import Field
from typing_extensions import override

from engine.commands.fog import ClearFog, FogShape, HideFog, Rectangle, RevealFog, Room, Stroke
from engine.model.space import Point
from engine.model.value import Value
from gui.canvas.overlays.overlay import BoxPreview, BrushPreview, LinesPreview, Tone
from gui.canvas.pointer import PointerEvent
from gui.tools.tool import Host, Tool

SPACING = 0.35
"""How far apart the points of a stroke are, in brush radii."""
WIDER = 1.2
SMALLEST, LARGEST = 0.25, 20.0


class FogShapeKind(StrEnum):
    """What the mouse draws."""

    BRUSH = "brush"
    BOX = "box"
    ROOM = "room"


class FogMode(StrEnum):
    """What becomes of the ground."""

    REVEAL = "reveal"
    COVER = "cover"
    CLEAR = "take back"


class FogSettings(Value):
    """How the fog tool paints."""

    kind: str = "fog"
    mode: FogMode = FogMode.REVEAL
    shape: FogShapeKind = FogShapeKind.BRUSH
    radius: float = Field(default=1.5, ge=SMALLEST, le=LARGEST)


class FogTool(Tool):
    """Painting what the players know."""

    id = "fog"
    hint = (
        "Dark is what the players have never seen, striped what is so by hand. "
        "Drag reveals, Shift covers, Ctrl takes back; the wheel while painting sets the brush"
    )
    shows = ("brush", "lines", "box")

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.settings: Value = FogSettings()
        self._points: list[Point] = []
        self._mode = FogMode.REVEAL

    @property
    @override
    def busy(self) -> bool:
        return bool(self._points)

    @property
    def _set(self) -> FogSettings:
        assert isinstance(self.settings, FogSettings)
        return self.settings

    @override
    def press(self, event: PointerEvent) -> None:
        self._points = [event.world]
        self._mode = self._mode_of(event)
        self._show(event)

    @override
    def move(self, event: PointerEvent) -> None:
        if not self._points:
            return
        if self._set.shape is not FogShapeKind.BRUSH:
            self._points = [self._points[0], event.world]
        elif dist(self._points[-1], event.world) >= SPACING * self._set.radius:
            self._points.append(event.world)
        self._show(event)

    @override
    def release(self, event: PointerEvent) -> None:
        if not self._points:
            return
        shape = self._shape(event)
        mode = self._mode
        self.reset()
        if shape is None:
            return
        make = {FogMode.REVEAL: RevealFog, FogMode.COVER: HideFog, FogMode.CLEAR: ClearFog}[mode]
        self.host.execute(make(area=shape))

    @override
    def hover(self, event: PointerEvent) -> None:
        self._mode = self._mode_of(event)
        self._show(event)

    @override
    def leave(self, event: PointerEvent) -> None:
        self.host.show("brush", None)

    @override
    def wheel(self, event: PointerEvent) -> bool:
        if self._set.shape is not FogShapeKind.BRUSH or not event.wheel_steps:
            return False
        radius = self._set.radius * WIDER**event.wheel_steps
        radius = round(max(SMALLEST, min(LARGEST, radius)), 2)
        self.settings = self._set.changed(radius=radius)
        self._show(event)
        self.host.say(f"Brush of {radius:g} cells")
        return True

    @override
    def reset(self) -> None:
        self._points = []
        super().reset()

    def _mode_of(self, event: PointerEvent) -> FogMode:
        if event.ctrl:
            return FogMode.CLEAR
        if event.shift:
            return FogMode.REVEAL if self._set.mode is FogMode.COVER else FogMode.COVER
        return self._set.mode

    def _shape(self, event: PointerEvent) -> FogShape | None:
        if self._set.shape is FogShapeKind.ROOM:
            return Room(point=event.world)
        if self._set.shape is FogShapeKind.BOX:
            far = dist(self._points[0], event.world) >= self.host.drag_distance
            return Rectangle(start=self._points[0], end=event.world) if far else None
        points = [*self._points]
        if points[-1] != event.world:
            points.append(event.world)
        return Stroke(points=tuple(points), radius=self._set.radius)

    def _show(self, event: PointerEvent) -> None:
        adds = self._mode is FogMode.REVEAL
        if self._set.shape is FogShapeKind.BRUSH:
            self.host.show("brush", BrushPreview(event.world, self._set.radius, adds=adds))
            if len(self._points) > 1:
                tone = Tone.GOOD if adds else Tone.BAD
                line = LinesPreview((tuple(self._points),), handles=False, tone=tone)
                self.host.show("lines", line)
        elif self._set.shape is FogShapeKind.BOX and len(self._points) > 1:
            self.host.show("box", BoxPreview(self._points[0], event.world))
