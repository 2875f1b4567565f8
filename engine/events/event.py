"""The base of all events and the record that keeps them.

An event is a fact: applying it never fails. Whoever may refuse is a command.
"""

from collections.abc import Iterable
from typing import Annotated

from pydantic import BeforeValidator, SerializeAsAny

from engine.model.encounter import Encounter
from engine.model.value import Value, by_kind


class Event(Value):
    """A recorded fact."""

    kind: str

    def apply(self, encounter: Encounter) -> Encounter:
        """Return the encounter after this fact."""
        raise NotImplementedError


AnyEvent = Annotated[SerializeAsAny[Event], BeforeValidator(by_kind(Event))]


class Record(Value):
    """One stored step: what was asked, what happened, and where it hangs in the tree.

    `command` is the command's JSON; `group` is the id of the first record of the gesture.
    `parent` 0 is the encounter as it was created. `dice` are the faces that were used.
    """

    id: int
    parent: int
    group: int
    label: str
    at: str
    command: str
    events: tuple[AnyEvent, ...]
    dice: tuple[int, ...] = ()

    def apply(self, encounter: Encounter) -> Encounter:
        """Fold the record's events into the encounter before it."""
        return folded(encounter, self.events)


def folded(encounter: Encounter, events: Iterable[Event]) -> Encounter:
    """Return the encounter after events."""
    for event in events:
        encounter = event.apply(encounter)
    return encounter
