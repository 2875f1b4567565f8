"""The area tool: a template over the map, to see whom it takes in; Return leaves it there.

Press where it begins, drag where it goes. Nothing is stored before Return.
"""

from math import atan2, degrees, dist

from pydantic import Field
from typing_extensions import override

from engine.commands.board import PutAreas, RemoveAreas
from engine.geometry.area import Coverage, area_cells, area_outline
from engine.grid.grid import Grid
from engine.model.encounter import fresh_id
from engine.model.region import Area, AreaShape, Obscuration, ShapeKind
from engine.model.space import Cell, Point
from engine.model.value import Value
from gui.canvas.overlays.overlay import CellsPreview, Tone
from gui.canvas.pointer import PointerEvent
from gui.tools.snapping import snap
from gui.tools.tool import Host, Tool

LEAST = 0.5


class AreaSettings(Value):
    """What the template is, and what is left of it as a lasting area."""

    kind: str = "area"
    shape: ShapeKind = ShapeKind.CIRCLE
    size: int = Field(default=0, ge=0, le=200, description="In cells; 0 takes it from the drag.")
    covers: Coverage = Coverage.CENTER
    mist: Obscuration = Obscuration.NONE
    rounds: int = Field(default=0, ge=0, le=1000, description="0 stays until it is removed.")


def cover_preview(
    grid: Grid, shape: AreaShape, coverage: Coverage = Coverage.CENTER
) -> CellsPreview:
    """Return the cells that a template takes in, with its exact border."""
    cells = frozenset(area_cells(grid, shape, coverage))
    return CellsPreview(cells, Tone.NOW, outline=(area_outline(grid, shape),))


class AreaTool(Tool):
    """Laying templates."""

    id = "area"
    hint = "Drag lays a template; Return leaves it there, Delete removes the one below"
    shows = ("area",)

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.settings: Value = AreaSettings()
        self._start: Point | None = None
        self._shape: AreaShape | None = None
        self._pressed = False
        self._under: Cell | None = None

    @property
    @override
    def busy(self) -> bool:
        return self._start is not None

    @property
    def _set(self) -> AreaSettings:
        assert isinstance(self.settings, AreaSettings)
        return self.settings

    @override
    def press(self, event: PointerEvent) -> None:
        self.reset()
        self._pressed = True
        self._start = snap(self.host.grid, event.world, free=event.alt)
        self._lay(event.world)

    @override
    def move(self, event: PointerEvent) -> None:
        if self._pressed:
            self._lay(event.world)

    @override
    def release(self, event: PointerEvent) -> None:
        self._pressed = False

    @override
    def double(self, event: PointerEvent) -> None:
        if not self._leave_there():
            self.press(event)

    @override
    def hover(self, event: PointerEvent) -> None:
        self._under = event.cell

    @override
    def key(self, name: str) -> bool:
        return name == "return" and self._leave_there()

    @override
    def delete(self) -> bool:
        areas = self.host.encounter.board.areas.values()
        found = [area.id for area in areas if self._under in area.cells]
        return bool(found) and self.host.execute(RemoveAreas(area_ids=(found[-1],)))

    @override
    def reset(self) -> None:
        self._start = self._shape = None
        self._pressed = False
        super().reset()

    def _lay(self, end: Point) -> None:
        start = self._start
        if start is None:
            return
        pulled = max(LEAST, round(dist(start, end) * 2) / 2)
        size = float(self._set.size) or pulled
        angle = float(round(degrees(atan2(end[1] - start[1], end[0] - start[0]))) % 360)
        reaches = self._set.shape in {ShapeKind.LINE, ShapeKind.WALL}
        share = size / dist(start, end) if dist(start, end) > 0 else 0
        tip = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
        self._shape = AreaShape(
            shape=self._set.shape,
            origin=start,
            size=size,
            direction_deg=angle,
            end=(tip if tip != start else (start[0] + size, start[1])) if reaches else None,
        )
        preview = cover_preview(self.host.grid, self._shape, self._set.covers)
        self.host.show("area", preview)
        tokens = self.host.view.tokens.values()
        struck = [each.name for each in tokens if preview.cells.intersection(each.cells)]
        names = f": {', '.join(struck)}" if struck else ""
        self.host.say(f"{size:g} cells, takes in {len(preview.cells)} cells{names}")

    def _leave_there(self) -> bool:
        shape = self._shape
        if shape is None:
            return False
        cells = area_cells(self.host.grid, shape, self._set.covers)
        area = Area(
            id=fresh_id(self.host.encounter.board.areas, "area"),
            shape=shape,
            cells=cells,
            rounds_left=self._set.rounds or None,
            obscuration=self._set.mist,
        )
        self.reset()
        return self.host.execute(PutAreas(areas=(area,)))
