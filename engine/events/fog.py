"""Facts about what the players know."""

from typing import Literal

from typing_extensions import override

from engine.events.event import Event
from engine.model.encounter import Encounter
from engine.model.fog import Tiles
from engine.model.value import FrozenMap
from engine.model.wall import DoorState


class FogChanged(Event):
    """Tiles of the fog were replaced; a tile of zeros is a tile that became empty."""

    kind: Literal["fog_changed"] = "fog_changed"
    explored: Tiles = FrozenMap()
    revealed: Tiles = FrozenMap()
    veiled: Tiles = FrozenMap()

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        fog = encounter.fog
        return encounter.changed(
            fog=fog.changed(
                explored=fog.explored.put_all(self.explored),
                revealed=fog.revealed.put_all(self.revealed),
                veiled=fog.veiled.put_all(self.veiled),
            )
        )


class FogSwitched(Event):
    """The fog was switched on or off."""

    kind: Literal["fog_switched"] = "fog_switched"
    enabled: bool

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        return encounter.changed(fog=encounter.fog.changed(enabled=self.enabled))


class FogReset(Event):
    """The players forgot what they had explored."""

    kind: Literal["fog_reset"] = "fog_reset"

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        fog = encounter.fog
        return encounter.changed(
            fog=fog.changed(
                explored=FrozenMap(),
                revealed=FrozenMap(),
                veiled=FrozenMap(),
                doors=FrozenMap(),
                known_walls=(),
            )
        )


class DoorsSeen(Event):
    """The players saw doors in these states, and walls for the first time."""

    kind: Literal["doors_seen"] = "doors_seen"
    doors: FrozenMap[str, DoorState] = FrozenMap()
    walls: tuple[str, ...] = ()

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        fog = encounter.fog
        known = tuple(sorted({*fog.known_walls, *self.walls}))
        return encounter.changed(
            fog=fog.changed(doors=fog.doors.put_all(self.doors), known_walls=known)
        )
