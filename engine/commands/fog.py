"""Commands on what the players know."""

from typing import Literal

from typing_extensions import override

from engine.commands.command import Case, Command
from engine.events.event import Event
from engine.events.fog import FogReset, FogSwitched
from engine.model.encounter import Encounter


class SwitchFog(Command):
    """Switch the fog on or off; off, the players see the whole board."""

    kind: Literal["switch_fog"] = "switch_fog"
    enabled: bool

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        return (FogSwitched(enabled=self.enabled),)

    @override
    def label(self, encounter: Encounter) -> str:
        return "Fog on" if self.enabled else "Fog off"


class ResetFog(Command):
    """Make the players forget what they explored."""

    kind: Literal["reset_fog"] = "reset_fog"

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        return (FogReset(),)
