"""Facts about the board."""

from typing import Literal

from typing_extensions import override

from engine.events.event import Event
from engine.model.board import Board, GridSpec, Picture
from engine.model.encounter import Encounter
from engine.model.light import Ambient, Light
from engine.model.region import Area, Note, Region
from engine.model.wall import DoorState, Wall


class BoardReplaced(Event):
    """The whole board came from a map."""

    kind: Literal["board_replaced"] = "board_replaced"
    board: Board

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        return encounter.changed(board=self.board)


class BoardFitted(Event):
    """The grid was laid anew over the picture, or the surroundings changed."""

    kind: Literal["board_fitted"] = "board_fitted"
    grid: GridSpec
    picture: Picture | None
    ambient: Ambient
    background: str

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        board = encounter.board.changed(
            grid=self.grid, picture=self.picture, ambient=self.ambient, background=self.background
        )
        return encounter.changed(board=board)


class WallsChanged(Event):
    """Walls were drawn, altered or taken away."""

    kind: Literal["walls_changed"] = "walls_changed"
    put: tuple[Wall, ...] = ()
    removed: tuple[str, ...] = ()

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        walls = encounter.board.walls.without(*self.removed)
        walls = walls.put_all({wall.id: wall for wall in self.put})
        return encounter.changed(board=encounter.board.changed(walls=walls))


class DoorMoved(Event):
    """A door was opened, closed, locked or unlocked."""

    kind: Literal["door_moved"] = "door_moved"
    wall_id: str
    state: DoorState

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        walls = encounter.board.walls
        wall = walls[self.wall_id].changed(door=self.state)
        return encounter.changed(board=encounter.board.changed(walls=walls.put(wall.id, wall)))


class RegionsChanged(Event):
    """Regions were drawn, altered or taken away."""

    kind: Literal["regions_changed"] = "regions_changed"
    put: tuple[Region, ...] = ()
    removed: tuple[str, ...] = ()

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        regions = encounter.board.regions.without(*self.removed)
        regions = regions.put_all({region.id: region for region in self.put})
        return encounter.changed(board=encounter.board.changed(regions=regions))


class LightsChanged(Event):
    """Lights were set, altered or taken away."""

    kind: Literal["lights_changed"] = "lights_changed"
    put: tuple[Light, ...] = ()
    removed: tuple[str, ...] = ()

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        lights = encounter.board.lights.without(*self.removed)
        lights = lights.put_all({light.id: light for light in self.put})
        return encounter.changed(board=encounter.board.changed(lights=lights))


class AreasChanged(Event):
    """Lasting areas came, changed or ended."""

    kind: Literal["areas_changed"] = "areas_changed"
    put: tuple[Area, ...] = ()
    removed: tuple[str, ...] = ()

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        areas = encounter.board.areas.without(*self.removed)
        areas = areas.put_all({area.id: area for area in self.put})
        return encounter.changed(board=encounter.board.changed(areas=areas))


class NotesChanged(Event):
    """Notes were pinned, altered or taken away."""

    kind: Literal["notes_changed"] = "notes_changed"
    put: tuple[Note, ...] = ()
    removed: tuple[str, ...] = ()

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        notes = encounter.board.notes.without(*self.removed)
        notes = notes.put_all({note.id: note for note in self.put})
        return encounter.changed(board=encounter.board.changed(notes=notes))
