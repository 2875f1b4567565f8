"""Every invariant that is Drase's own."""

from collections.abc import Iterator

from pydantic import ValidationError

from engine.model.encounter import Encounter
from engine.rules.drase.data import unreadable_corrections
from engine.rules.drase.rounds import PHASES, THIRD
from engine.rules.drase.sheet import DraseSheet
from engine.rules.drase.state import DraseState, state_of
from engine.rules.ruleset import Issue


def issues(encounter: Encounter) -> tuple[Issue, ...]:
    """Return everything that is broken in sheets, state and corrections."""
    return (
        *unreadable_corrections(encounter.corrections),
        *_sheets(encounter),
        *_state(encounter),
    )


def _sheets(encounter: Encounter) -> Iterator[Issue]:
    """Validate again what was changed on trust."""
    for token in encounter.tokens.values():
        sheet = token.sheet
        if not isinstance(sheet, DraseSheet):
            continue
        where = f"token {token.id}"
        try:
            DraseSheet.model_validate(sheet.model_dump(warnings="none"))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            yield Issue(where=where, sentence=f"{place}: {first['msg']}.")
        if sheet.downed is not None and sheet.hp > 0:
            yield Issue(where=where, sentence="It is marked as downed and has hit points.")


def _state(encounter: Encounter) -> Iterator[Issue]:
    if encounter.fighting and not isinstance(encounter.rules, DraseState):
        yield Issue(where="rules", sentence="A fight goes on without a state of Drase.")
        return
    state = state_of(encounter)
    if (PHASES[state.phase].camp == THIRD) is (state.third is None):
        yield Issue(where="rules", sentence="The phase and the third party do not fit.")
    for token_id, turn in state.turns.items():
        if not turn.declared:
            continue
        numbers = [step.number for step in turn.declared]
        if len(numbers) != len(set(numbers)):
            yield Issue(where=f"turn {token_id}", sentence="Two declared steps have one number.")
    serials = [each.serial for each in state.happenings]
    if any(serial > state.serial for serial in serials) or len(serials) != len(set(serials)):
        yield Issue(where="rules", sentence="The happenings are not numbered in order.")
