"""The wall tool: walls, windows, low walls, embrasures and terrain edges."""

from typing_extensions import override

from engine.commands.board import PutWalls, RemoveWalls
from engine.model.encounter import fresh_id
from engine.model.space import Point
from engine.model.value import Value
from engine.model.wall import CoverLabel, Wall, WallKind
from gui.canvas.pointer import PointerEvent
from gui.tools.lines import LinesTool
from gui.tools.tool import Host

_SEEN_THROUGH = frozenset({WallKind.WINDOW, WallKind.LOW_WALL})
LOW_TOP = 0.5


class WallSettings(Value):
    """What a new wall is."""

    kind: str = "wall"
    wall: WallKind = WallKind.WALL
    cover: CoverLabel = CoverLabel.NONE


class WallTool(LinesTool):
    """Drawing walls."""

    id = "wall"
    hint = "Click corner by corner or drag; Alt leaves the grid; Delete removes the one below"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.settings: Value = WallSettings()
        self._under: str | None = None

    @override
    def hover(self, event: PointerEvent) -> None:
        self._under = event.wall_id
        super().hover(event)

    @override
    def finish(self, points: tuple[Point, ...]) -> None:
        settings = self.settings
        if not isinstance(settings, WallSettings):
            return
        wall = Wall(
            id=fresh_id(self.host.encounter.board.walls, "wall"),
            points=points,
            kind=settings.wall,
            blocks_sight=settings.wall not in _SEEN_THROUGH,
            blocks_movement=settings.wall is not WallKind.TERRAIN,
            top=LOW_TOP if settings.wall is WallKind.LOW_WALL else None,
            cover=settings.cover,
        )
        self.host.execute(PutWalls(walls=(wall,)))

    @override
    def delete(self) -> bool:
        if self._under not in self.host.encounter.board.walls or self._under is None:
            return False
        return self.host.execute(RemoveWalls(wall_ids=(self._under,)))
