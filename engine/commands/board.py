"""Commands that change the board: maps, walls, doors, regions, lights, areas, notes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal, Protocol

from pydantic import Field
from typing_extensions import override

from engine.commands.command import Case, Command, tell
from engine.commands.places import resettled
from engine.commands.turn import must_not_wait
from engine.events.board import (
    AreasChanged,
    BoardFitted,
    BoardReplaced,
    DoorMoved,
    LightsChanged,
    NotesChanged,
    RegionsChanged,
    WallsChanged,
)
from engine.events.event import Event
from engine.events.fog import FogReset
from engine.events.tokens import TokensPut
from engine.events.turn import SettingsChanged
from engine.geometry.doctor import welded
from engine.grid.grid import board_grid
from engine.model.board import Board, GridSpec, Picture
from engine.model.encounter import Encounter, fresh_id
from engine.model.light import Ambient, Light
from engine.model.refusal import impossible
from engine.model.region import Area, Note, Region
from engine.model.told import told, wall_named
from engine.model.value import Color, FrozenMap
from engine.model.wall import DoorState, Wall
from engine.model.words import counted

TOLD = 8
"""How many moved tokens the log names."""

LONGEST = 30
"""So many letters of a name stand in the history."""

_LIGHTS = {Ambient.BRIGHT: "Daylight", Ambient.DIM: "Twilight", Ambient.DARK: "Night"}
"""What it is that falls on the map."""


class ImportMap(Command):
    """Put a map in place of the board.

    Tokens keep their cells, or go to the nearest free ones where the map has none there, and the
    lights that they carry.
    """

    kind: Literal["import_map"] = "import_map"
    title: str = ""
    board: Board

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        encounter = case.encounter
        must_not_wait(encounter)
        _must_be_played(case, self.board.grid)
        board = self.board.changed(lights=_with_carried(self.board, encounter))
        events: list[Event] = [BoardReplaced(board=board), FogReset()]
        events += _settle(case, self.board.grid)
        if self.title and not encounter.title:
            events.append(SettingsChanged(title=self.title, real_dice=encounter.real_dice))
        return tuple(events)

    @override
    def label(self, encounter: Encounter) -> str:
        return f"Import {self.title or 'a map'}"


class FitGrid(Command):
    """Lay the grid anew over the picture; tokens keep their cells as far as there are such."""

    kind: Literal["fit_grid"] = "fit_grid"
    grid: GridSpec
    picture: Picture | None = None
    ambient: Ambient | None = None
    background: Color | None = None

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        board = case.encounter.board
        _must_be_played(case, self.grid)
        fitted = BoardFitted(
            grid=self.grid,
            picture=self.picture or board.picture,
            ambient=self.ambient or board.ambient,
            background=self.background or board.background,
        )
        if board_grid(self.grid) == board_grid(board.grid):
            return (fitted,)
        must_not_wait(case.encounter)
        return fitted, *_settle(case, self.grid)

    @override
    def label(self, encounter: Encounter) -> str:
        board = encounter.board
        if (self.grid, self.picture or board.picture) != (board.grid, board.picture):
            return "Lay the grid"
        if self.ambient is not None and self.ambient is not board.ambient:
            return _LIGHTS[self.ambient]
        return "Lay the grid" if self.background is None else "Background of the map"


class PutWalls(Command):
    """Draw walls, or alter those that have the same ids."""

    kind: Literal["put_walls"] = "put_walls"
    walls: tuple[Wall, ...]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        _once([wall.id for wall in self.walls], "wall")
        return (WallsChanged(put=self.walls),)

    @override
    def label(self, encounter: Encounter) -> str:
        return _put(encounter.board.walls, self.walls, "wall", "Draw")


class RemoveWalls(Command):
    """Take walls away."""

    kind: Literal["remove_walls"] = "remove_walls"
    wall_ids: tuple[str, ...]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        for wall_id in self.wall_ids:
            _wall(case.encounter, wall_id)
        return (WallsChanged(removed=self.wall_ids),)

    @override
    def label(self, encounter: Encounter) -> str:
        return _taken(encounter.board.walls, self.wall_ids, "wall")


class WeldWalls(Command):
    """Close every gap between walls that is narrower than `below` cells."""

    kind: Literal["weld_walls"] = "weld_walls"
    below: float = Field(default=0.1, gt=0, le=1)

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        mended = welded(case.encounter.board.walls, self.below)
        if not mended:
            raise impossible("no_gaps", f"No gap is narrower than {self.below:g} cells.")
        return (WallsChanged(put=mended),)

    @override
    def label(self, encounter: Encounter) -> str:
        return "Close the gaps between walls"


class _DoorCommand(Command):
    """Bring a door into a state."""

    wall_id: str
    token_id: str | None = None
    into: ClassVar[DoorState]
    verb: ClassVar[str]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        wall = _wall(case.encounter, self.wall_id)
        if wall.door is None:
            raise impossible("no_door", f"{_wall_name(wall)} is not a door.", wall_id=wall.id)
        if wall.door is self.into:
            case.ruling.refuse(
                "door_already", f"{_wall_name(wall)} is already {self.into}.", wall_id=wall.id
            )
        self._allow(case, wall)
        who = case.encounter.token(self.token_id) if self.token_id else "The GM"
        about = (self.token_id,) if self.token_id else ()
        moved = DoorMoved(wall_id=wall.id, state=self.into)
        text = told("{} {} {}.", who, self.verb, wall_named(wall, _wall_name(wall)))
        return moved, tell(text, *about, secret=not about)

    @override
    def label(self, encounter: Encounter) -> str:
        wall = encounter.board.walls.get(self.wall_id)
        name = "a door" if wall is None else _wall_name(wall)
        return f"{type(self).__name__.removesuffix('Door')} {name}"

    def _allow(self, case: Case, wall: Wall) -> None:
        """Refuse what the state of the door forbids."""


class OpenDoor(_DoorCommand):
    """Open a door; a locked one must be unlocked first."""

    kind: Literal["open_door"] = "open_door"
    into = DoorState.OPEN
    verb = "opens"

    @override
    def _allow(self, case: Case, wall: Wall) -> None:
        if wall.door is DoorState.LOCKED:
            case.ruling.refuse("door_locked", f"{_wall_name(wall)} is locked.", wall_id=wall.id)


class CloseDoor(_DoorCommand):
    """Close a door."""

    kind: Literal["close_door"] = "close_door"
    into = DoorState.CLOSED
    verb = "closes"


class LockDoor(_DoorCommand):
    """Lock a door, closing it."""

    kind: Literal["lock_door"] = "lock_door"
    into = DoorState.LOCKED
    verb = "locks"


class PutRegions(Command):
    """Draw regions, or alter those that have the same ids."""

    kind: Literal["put_regions"] = "put_regions"
    regions: tuple[Region, ...]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        _once([region.id for region in self.regions], "region")
        for region in self.regions:
            if any(len(ring) < 3 for ring in region.rings) or not region.rings:
                raise impossible(
                    "region_too_small", f"Region {region.id!r} needs at least three corners."
                )
        return (RegionsChanged(put=self.regions),)

    @override
    def label(self, encounter: Encounter) -> str:
        return _put(encounter.board.regions, self.regions, "region", "Draw")


class RemoveRegions(Command):
    """Take regions away."""

    kind: Literal["remove_regions"] = "remove_regions"
    region_ids: tuple[str, ...]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        _known(case.encounter.board.regions, self.region_ids, "region")
        return (RegionsChanged(removed=self.region_ids),)

    @override
    def label(self, encounter: Encounter) -> str:
        return _taken(encounter.board.regions, self.region_ids, "region")


class PutLights(Command):
    """Set lights, or alter those that have the same ids."""

    kind: Literal["put_lights"] = "put_lights"
    lights: tuple[Light, ...]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        _once([light.id for light in self.lights], "light")
        for light in self.lights:
            if light.carrier is not None:
                case.encounter.token(light.carrier)
        return (LightsChanged(put=self.lights),)

    @override
    def label(self, encounter: Encounter) -> str:
        return _put(encounter.board.lights, self.lights, "light", "Set")


class RemoveLights(Command):
    """Take lights away."""

    kind: Literal["remove_lights"] = "remove_lights"
    light_ids: tuple[str, ...]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        _known(case.encounter.board.lights, self.light_ids, "light")
        return (LightsChanged(removed=self.light_ids),)

    @override
    def label(self, encounter: Encounter) -> str:
        return _taken(encounter.board.lights, self.light_ids, "light")


class PutAreas(Command):
    """Lay lasting areas, or alter those that have the same ids."""

    kind: Literal["put_areas"] = "put_areas"
    areas: tuple[Area, ...]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        _once([area.id for area in self.areas], "area")
        for area in self.areas:
            if area.follows is not None:
                case.encounter.token(area.follows)
        return (AreasChanged(put=self.areas),)

    @override
    def label(self, encounter: Encounter) -> str:
        return _put(encounter.board.areas, self.areas, "area", "Lay")


class RemoveAreas(Command):
    """End lasting areas."""

    kind: Literal["remove_areas"] = "remove_areas"
    area_ids: tuple[str, ...]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        _known(case.encounter.board.areas, self.area_ids, "area")
        return (AreasChanged(removed=self.area_ids),)

    @override
    def label(self, encounter: Encounter) -> str:
        return _taken(encounter.board.areas, self.area_ids, "area")


class PutNotes(Command):
    """Pin notes, or alter those that have the same ids."""

    kind: Literal["put_notes"] = "put_notes"
    notes: tuple[Note, ...]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        _once([note.id for note in self.notes], "note")
        return (NotesChanged(put=self.notes),)

    @override
    def label(self, encounter: Encounter) -> str:
        return _put(encounter.board.notes, self.notes, "note", "Pin")


class RemoveNotes(Command):
    """Take notes away."""

    kind: Literal["remove_notes"] = "remove_notes"
    note_ids: tuple[str, ...]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        _known(case.encounter.board.notes, self.note_ids, "note")
        return (NotesChanged(removed=self.note_ids),)

    @override
    def label(self, encounter: Encounter) -> str:
        return _taken(encounter.board.notes, self.note_ids, "note")


class _Thing(Protocol):
    """Something on the board."""

    @property
    def id(self) -> str:
        """Return its id."""


def _put(known: Mapping[str, object], things: Sequence[_Thing], noun: str, verb: str) -> str:
    """Return the label of drawing or altering things: "Draw region Mud", "Change 3 walls"."""
    if things and all(each.id in known for each in things):
        verb = "Change"
    return f"{verb} {_counted(things, noun)}"


def _taken(known: Mapping[str, object], ids: Sequence[str], noun: str) -> str:
    """Return the label of taking things away."""
    return f"Remove {_counted([known.get(each) for each in ids], noun)}"


def _counted(things: Sequence[object], noun: str) -> str:
    """Return one thing by its name if it has one, several by their number."""
    name = _called(things[0]) if len(things) == 1 else ""
    return f"{noun} {name}" if name else counted(len(things), noun)


def _called(thing: object) -> str:
    """Return the name of a thing, or how a note begins."""
    text = str(getattr(thing, "name", "") or getattr(thing, "text", ""))
    first = text.strip().split("\n")[0]
    return first if len(first) <= LONGEST else f"{first[:LONGEST].rstrip()}…"


def _must_be_played(case: Case, grid: GridSpec) -> None:
    if grid.kind not in case.ruleset.grids:
        raise impossible(
            "grid_not_played", f"{case.ruleset.name} is not played on a {grid.kind} grid."
        )


def _with_carried(board: Board, encounter: Encounter) -> FrozenMap[str, Light]:
    """Return the lights of a new board and those that tokens carry onto it."""
    lights = board.lights
    for light in encounter.board.lights.values():
        if light.carrier is not None:
            light_id = fresh_id(lights, "light") if light.id in lights else light.id
            lights = lights.put(light_id, light.changed(id=light_id))
    return lights


def _settle(case: Case, spec: GridSpec) -> Iterator[Event]:
    """Bring the tokens to places that another grid has, and tell who was moved."""
    encounter = case.encounter
    altered = resettled(encounter, case.ruleset, spec)
    if altered:
        yield TokensPut(tokens=altered)
    moved = [token for token in altered if token.cell != encounter.tokens[token.id].cell]
    if moved:
        grid = board_grid(spec)
        named = [f"{token.name} to {grid.label(token.cell)}" for token in moved[:TOLD]]
        more = f" and {len(moved) - TOLD} more" if len(moved) > TOLD else ""
        text = f"Moved onto the new board: {', '.join(named)}{more}."
        yield tell(text, *(token.id for token in moved), secret=True)


def _once(ids: Sequence[str], noun: str) -> None:
    """Raise Rejected if something is listed twice: one of the two would be lost."""
    seen = set()
    for each in ids:
        if each in seen:
            raise impossible("listed_twice", f"The {noun} {each!r} is listed twice.")
        seen.add(each)


def _wall(encounter: Encounter, wall_id: str) -> Wall:
    found = encounter.board.walls.get(wall_id)
    if found is None:
        raise impossible("unknown_wall", f"There is no wall {wall_id!r}.", wall_id=wall_id)
    return found


def _wall_name(wall: Wall) -> str:
    """Return its name, or its id in words: door-3 is "door 3"."""
    kind = wall.kind.replace("_", " ")
    words = wall.id.replace("-", " ").replace("_", " ")
    return wall.name or (words if words.startswith(kind) else f"{kind} {words}")


def _known(table: object, ids: tuple[str, ...], noun: str) -> None:
    for each in ids:
        if each not in table:  # type: ignore[operator]
            raise impossible(f"unknown_{noun}", f"There is no {noun} {each!r}.")
