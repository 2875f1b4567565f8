"""The terrain tool: ground that is hard to walk, or gives cover to who stands behind it."""

from pydantic import Field
from typing_extensions import override

from engine.model.region import Region, Surface
from engine.model.space import Point
from engine.model.value import Value
from engine.model.wall import CoverLabel
from gui.tools.outline import OutlineTool
from gui.tools.tool import Host


class TerrainSettings(Value):
    """What the new ground is like."""

    kind: str = "terrain"
    name: str = ""
    step_cost: int = Field(default=2, ge=1, le=20)
    impassable: bool = False
    surface: Surface = Surface.HARD
    cover: CoverLabel = CoverLabel.NONE


class TerrainTool(OutlineTool):
    """Outlining hard ground."""

    id = "terrain"
    hint = "Click corner by corner, or drag a rectangle; Delete removes the one below"
    stem = "terrain"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.settings: Value = TerrainSettings()

    @override
    def region(self, region_id: str, rings: tuple[tuple[Point, ...], ...]) -> Region:
        settings = self.settings
        assert isinstance(settings, TerrainSettings)
        return Region(
            id=region_id,
            name=settings.name,
            rings=rings,
            step_cost=settings.step_cost,
            impassable=settings.impassable,
            surface=settings.surface,
            cover=settings.cover,
        )
