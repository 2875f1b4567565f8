"""The mist tool: places that are hard to see into."""

from typing_extensions import override

from engine.model.region import Obscuration, Region
from engine.model.space import Point
from engine.model.value import Value
from gui.tools.outline import OutlineTool
from gui.tools.tool import Host


class ObscurationSettings(Value):
    """How thick the new mist is."""

    kind: str = "mist"
    name: str = ""
    thickness: Obscuration = Obscuration.LIGHT


class ObscurationTool(OutlineTool):
    """Outlining mist."""

    id = "mist"
    hint = "Click corner by corner, or drag a rectangle; Delete removes the one below"
    stem = "mist"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.settings: Value = ObscurationSettings()

    @override
    def region(self, region_id: str, rings: tuple[tuple[Point, ...], ...]) -> Region:
        settings = self.settings
        assert isinstance(settings, ObscurationSettings)
        return Region(id=region_id, name=settings.name, rings=rings, obscuration=settings.thickness)
