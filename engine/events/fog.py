"""Facts about what the players know."""

from typing import Literal, TypeVar

from typing_extensions import override

from engine.events.event import Event
from engine.model.encounter import Encounter
from engine.model.fog import Fog, Parts, TileKey, Tiles
from engine.model.region import Region
from engine.model.value import FrozenMap
from engine.model.wall import Wall

V = TypeVar("V")


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
                explored=_laid(fog.explored, self.explored),
                revealed=_laid(fog.revealed, self.revealed),
                veiled=_laid(fog.veiled, self.veiled),
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
        fog = Fog(enabled=encounter.fog.enabled, names=encounter.fog.names)
        return encounter.changed(fog=fog)


class PlayersLearned(Event):
    """The players saw walls, doors and regions as they are now, and gave names to tokens.

    `parts` counts from the start of each wall; what is `gone` was seen not to stand there any more.
    """

    kind: Literal["players_learned"] = "players_learned"
    walls: FrozenMap[str, Wall] = FrozenMap()
    parts: FrozenMap[str, Parts] = FrozenMap()
    regions: FrozenMap[str, Region] = FrozenMap()
    names: FrozenMap[str, str] = FrozenMap()
    gone_walls: tuple[str, ...] = ()
    gone_regions: tuple[str, ...] = ()

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        fog = encounter.fog
        return encounter.changed(
            fog=fog.changed(
                walls=_without(fog.walls, self.gone_walls).put_all(self.walls),
                parts=_without(fog.parts, self.gone_walls).put_all(self.parts),
                regions=_without(fog.regions, self.gone_regions).put_all(self.regions),
                names=fog.names.put_all(self.names),
            )
        )


def _without(things: FrozenMap[str, V], gone: tuple[str, ...]) -> FrozenMap[str, V]:
    return things.without(*gone) if gone else things


def _laid(
    tiles: FrozenMap[TileKey, bytes], fresh: FrozenMap[TileKey, bytes]
) -> FrozenMap[TileKey, bytes]:
    """Return the tiles with fresh ones laid over; those that became empty are dropped."""
    laid = tiles.put_all(fresh)
    empty = [key for key, bits in fresh.items() if not any(bits)]
    return laid.without(*empty) if empty else laid
