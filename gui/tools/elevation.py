"""The height tool: ground that is higher or lower than the board."""

from typing_extensions import override

from engine.model.region import Region
from engine.model.space import Point
from engine.model.value import Value
from gui.tools.outline import OutlineTool
from gui.tools.tool import Host


class ElevationSettings(Value):
    """How high the new ground lies, in cells."""

    kind: str = "height"
    name: str = ""
    height: int = 1


class ElevationTool(OutlineTool):
    """Outlining high ground."""

    id = "height"
    hint = "Click corner by corner, or drag a rectangle; Delete removes the one below"
    stem = "height"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.settings: Value = ElevationSettings()

    @override
    def region(self, region_id: str, rings: tuple[tuple[Point, ...], ...]) -> Region:
        settings = self.settings
        assert isinstance(settings, ElevationSettings)
        return Region(id=region_id, name=settings.name, rings=rings, ground=float(settings.height))
