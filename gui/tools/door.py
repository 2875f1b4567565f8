"""The door tool: click opens and closes, Shift locks and unlocks, drag draws a new door."""

from math import dist

from typing_extensions import override

from engine.commands.board import CloseDoor, LockDoor, OpenDoor, PutWalls, RemoveWalls
from engine.commands.command import Command
from engine.model.encounter import fresh_id
from engine.model.space import Point
from engine.model.value import Value
from engine.model.wall import DoorState, Wall, WallKind
from gui.canvas.overlays.overlay import LinesPreview
from gui.canvas.pointer import PointerEvent
from gui.tools.snapping import snap_corner
from gui.tools.tool import Host, Tool


class DoorSettings(Value):
    """What a new door is."""

    kind: str = "door"
    secret: bool = False
    state: DoorState = DoorState.CLOSED


def toggled(wall: Wall, *, locks: bool = False) -> Command:
    """Return the command that a click on a door means."""
    if locks:
        make = CloseDoor if wall.door is DoorState.LOCKED else LockDoor
        return make(wall_id=wall.id)
    return CloseDoor(wall_id=wall.id) if wall.door is DoorState.OPEN else OpenDoor(wall_id=wall.id)


class DoorTool(Tool):
    """Working doors."""

    id = "door"
    hint = "Click opens and closes, Shift-click locks, drag draws a door, Delete removes one"
    shows = ("lines",)

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.settings: Value = DoorSettings()
        self._start: Point | None = None
        self._pressed: PointerEvent | None = None
        self._under: str | None = None

    @property
    @override
    def busy(self) -> bool:
        return self._start is not None

    @override
    def press(self, event: PointerEvent) -> None:
        self.reset()
        self._pressed = event

    @override
    def move(self, event: PointerEvent) -> None:
        pressed = self._pressed
        if pressed is None:
            return
        if self._start is None and dist(pressed.world, event.world) < self.host.drag_distance:
            return
        self._start = snap_corner(self.host.grid, pressed.world, free=event.alt)
        end = snap_corner(self.host.grid, event.world, free=event.alt)
        self.host.show("lines", LinesPreview(((self._start, end),)))

    @override
    def release(self, event: PointerEvent) -> None:
        start, pressed = self._start, self._pressed
        self.reset()
        if start is not None:
            self._draw(start, snap_corner(self.host.grid, event.world, free=event.alt))
        elif pressed is not None:
            wall = self.host.encounter.board.walls.get(pressed.wall_id or "")
            if wall is None or not wall.is_door:
                self.host.say("There is no door here; drag to draw one")
            else:
                self.host.execute(toggled(wall, locks=pressed.shift))

    @override
    def double(self, event: PointerEvent) -> None:
        """Ignore the second press of a quick double click: the first has done it."""

    @override
    def hover(self, event: PointerEvent) -> None:
        self._under = event.wall_id

    @override
    def delete(self) -> bool:
        wall = self.host.encounter.board.walls.get(self._under or "")
        if wall is None or not wall.is_door:
            return False
        return self.host.execute(RemoveWalls(wall_ids=(wall.id,)))

    @override
    def reset(self) -> None:
        self._start = self._pressed = None
        super().reset()

    def _draw(self, start: Point, end: Point) -> None:
        settings = self.settings
        if start == end or not isinstance(settings, DoorSettings):
            return
        wall = Wall(
            id=fresh_id(self.host.encounter.board.walls, "door"),
            points=(start, end),
            kind=WallKind.SECRET_DOOR if settings.secret else WallKind.DOOR,
            door=settings.state,
        )
        self.host.execute(PutWalls(walls=(wall,)))
