"""Outlining ground: what the terrain, height and mist tools share."""

from typing_extensions import override

from engine.commands.board import PutRegions, RemoveRegions
from engine.model.encounter import fresh_id
from engine.model.region import Region
from engine.model.space import Point
from gui.canvas.pointer import PointerEvent
from gui.tools.lines import LinesTool
from gui.tools.tool import Host


class OutlineTool(LinesTool):
    """Drawing a region; a drag is a rectangle."""

    closed = True
    fewest = 3
    stem = "region"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self._under: Point | None = None

    def region(self, region_id: str, rings: tuple[tuple[Point, ...], ...]) -> Region:
        """Return the region that the settings describe."""
        raise NotImplementedError

    @override
    def dragged(self, start: Point, end: Point) -> tuple[Point, ...]:
        return (start, (end[0], start[1]), end, (start[0], end[1]))

    @override
    def hover(self, event: PointerEvent) -> None:
        self._under = event.world
        super().hover(event)

    @override
    def finish(self, points: tuple[Point, ...]) -> None:
        region_id = fresh_id(self.host.encounter.board.regions, self.stem)
        self.host.execute(PutRegions(regions=(self.region(region_id, (points,)),)))

    @override
    def delete(self) -> bool:
        if self._under is None:
            return False
        regions = self.host.encounter.board.regions.values()
        found = [each.id for each in regions if inside(each.rings, self._under)]
        return bool(found) and self.host.execute(RemoveRegions(region_ids=(found[-1],)))


def inside(rings: tuple[tuple[Point, ...], ...], point: Point) -> bool:
    """Tell whether a point lies in rings, by the even-odd rule."""
    x, y = point
    crossings = 0
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                crossings += 1
    return crossings % 2 == 1
