"""The base of all commands: frozen requests that decide and may refuse.

`decide` is pure: it reads the case and returns events. Committing, drawing dice and telling the
windows belong to the session.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BeforeValidator, SerializeAsAny

from engine.events.event import Event
from engine.events.turn import Logged, PendingChanged, logged
from engine.model.encounter import Encounter
from engine.model.evidence import Modifier
from engine.model.refusal import Ruling
from engine.model.told import Told
from engine.model.value import Value, by_kind
from engine.rules.ruleset import Advance, Ruleset


@dataclass(frozen=True, slots=True)
class Case:
    """What a command decides upon: the encounter, its ruleset, and how strict the rules are."""

    encounter: Encounter
    ruleset: Ruleset
    ruling: Ruling = field(default_factory=Ruling)


class Command(Value):
    """A request."""

    kind: str

    def decide(self, case: Case) -> tuple[Event, ...]:
        """Return what happens; raise Rejected if it may not."""
        raise NotImplementedError

    def label(self, encounter: Encounter) -> str:
        """Return the words for the history list; `encounter` is the one before the command."""
        return self.kind.replace("_", " ").capitalize()

    def rolled(self) -> tuple[int, ...]:
        """Return the dice that the command brings."""
        return ()


AnyCommand = Annotated[SerializeAsAny[Command], BeforeValidator(by_kind(Command))]


def tell(
    text: str | Told, *about: str, lines: tuple[Modifier, ...] = (), secret: bool = False
) -> Logged:
    """Return the event of a line in the log."""
    return logged(text, *about, lines=lines, secret=secret)


def as_events(advance: Advance, before: Encounter) -> tuple[Event, ...]:
    """Return the events of a piece of resolution, the change of what is pending included."""
    same = (advance.pending, advance.prompt) == (before.pending, before.prompt)
    if same:
        return advance.events
    pending = PendingChanged(pending=advance.pending, prompt=advance.prompt)
    return (*advance.events, pending)


def several(names: Sequence[str]) -> str:
    """Return names for a label: the first three, and how many more there are."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(names[:3])}{more}"


def named(encounter: Encounter, token_id: str) -> str:
    """Return a token's name, or its id if it is gone."""
    token = encounter.tokens.get(token_id)
    return token.name if token is not None else token_id
