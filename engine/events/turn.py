"""Facts about the course of the fight and about its settings."""

from typing import Literal

from typing_extensions import override

from engine.events.event import Event
from engine.model.encounter import AnyFrame, AnyRulesState, AnyTableRules, Encounter
from engine.model.evidence import LogEntry, Modifier
from engine.model.pending import Prompt
from engine.model.told import Told
from engine.model.value import FrozenMap


class FightSwitched(Event):
    """The fight began or ended."""

    kind: Literal["fight_switched"] = "fight_switched"
    fighting: bool

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        return encounter.changed(fighting=self.fighting)


class RulesChanged(Event):
    """The ruleset's own state moved on."""

    kind: Literal["rules_changed"] = "rules_changed"
    rules: AnyRulesState

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        return encounter.changed(rules=self.rules)


class PendingChanged(Event):
    """Resolution was suspended, moved on or finished."""

    kind: Literal["pending_changed"] = "pending_changed"
    pending: tuple[AnyFrame, ...] = ()
    prompt: Prompt | None = None

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        return encounter.changed(pending=self.pending, prompt=self.prompt)


class Logged(Event):
    """Something is told."""

    kind: Literal["logged"] = "logged"
    entry: LogEntry

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        return encounter.changed(log=(*encounter.log, self.entry))


def logged(
    text: str | Told, *about: str, lines: tuple[Modifier, ...] = (), secret: bool = False
) -> Logged:
    """Return the event of a line in the log."""
    entry = LogEntry(text=str(text), about=about, lines=lines, secret=secret)
    if isinstance(text, Told):
        entry = entry.changed(players=entry.changed(text=text.players))
    return Logged(entry=entry)


class TableRulesChanged(Event):
    """The group changed a table rule or corrected rows of a table."""

    kind: Literal["table_rules_changed"] = "table_rules_changed"
    options: AnyTableRules
    corrections: FrozenMap[str, int | str]

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        return encounter.changed(options=self.options, corrections=self.corrections)


class SettingsChanged(Event):
    """The encounter was renamed, or sides took up their own dice."""

    kind: Literal["settings_changed"] = "settings_changed"
    title: str
    real_dice: tuple[str, ...]

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        return encounter.changed(title=self.title, real_dice=self.real_dice)
