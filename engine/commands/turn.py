"""Commands on the course of the fight and on its settings."""

import re
from collections.abc import Container
from itertools import chain, count
from typing import Any, Literal
from unicodedata import normalize

from pydantic import ValidationError
from typing_extensions import override

from engine.commands.command import Case, Command, as_events, tell
from engine.commands.places import regrown
from engine.events.event import Event
from engine.events.tokens import TokensPut
from engine.events.turn import FightSwitched, SettingsChanged, TableRulesChanged
from engine.model.encounter import Encounter
from engine.model.refusal import complaint, impossible
from engine.model.sheet import TableRules
from engine.model.value import FrozenMap
from engine.model.words import field_words, in_words, value_words
from engine.rules.registry import ruleset_of

_LONGEST_ID = 40
_ROW_ID = re.compile(rf"[a-z][a-z0-9_]{{0,{_LONGEST_ID - 1}}}")
"""What the id of a row that a group adds may be."""


class BeginFight(Command):
    """Begin the fight; from now on the rules watch."""

    kind: Literal["begin_fight"] = "begin_fight"

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        if case.encounter.fighting:
            raise impossible("already_fighting", "The fight has already begun.")
        advance = case.ruleset.begin(case.encounter, case.ruling)
        return (FightSwitched(fighting=True), *as_events(advance, case.encounter))

    @override
    def label(self, encounter: Encounter) -> str:
        return "Begin the fight"


class EndFight(Command):
    """End the fight; whatever was pending is dropped."""

    kind: Literal["end_fight"] = "end_fight"

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        must_fight(case.encounter)
        advance = case.ruleset.end(case.encounter, case.ruling)
        return (*as_events(advance, case.encounter), FightSwitched(fighting=False))

    @override
    def label(self, encounter: Encounter) -> str:
        return "End the fight"


class EndPhase(Command):
    """End the phase."""

    kind: Literal["end_phase"] = "end_phase"

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        must_fight(case.encounter)
        must_not_wait(case.encounter)
        return as_events(case.ruleset.end_phase(case.encounter, case.ruling), case.encounter)

    @override
    def label(self, encounter: Encounter) -> str:
        return f"End of {ruleset_of(encounter.ruleset).step(encounter).title}"


class SetTableRule(Command):
    """Change an option of the ruleset."""

    kind: Literal["set_table_rule"] = "set_table_rule"
    rule: str
    value: Any

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        options = case.encounter.options
        if self.rule == "kind" or self.rule not in type(options).model_fields:
            raise impossible("unknown_rule", f"There is no table rule {self.rule!r}.")
        try:
            changed = type(options).model_validate({**options.model_dump(), self.rule: self.value})
        except ValidationError as error:
            raise impossible("bad_value", complaint(error)) from error
        told = tell(f"{self.label(case.encounter)}.")
        return (*_other_rules(case, changed, case.encounter.corrections), told)

    @override
    def label(self, encounter: Encounter) -> str:
        options = type(encounter.options)
        value = value_words(options, self.rule, self.value)
        return f"Table rule {field_words(options, self.rule)}: {value}"


class CorrectTable(Command):
    """Put the group's own value into a row of a table, or take it back with None.

    A row that an open table does not have yet is the group's own.
    """

    kind: Literal["correct_table"] = "correct_table"
    table: str
    row: str
    column: str
    value: int | str | None

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        tables = {table.id: table for table in case.ruleset.tables()}
        table = tables.get(self.table)
        if table is None:
            raise impossible("unknown_table", f"There is no table {self.table!r}.")
        known = {row[0] for row in table.rows}
        own = table.open and _ROW_ID.fullmatch(self.row) and self.column != table.columns[0]
        if self.column not in table.columns or (self.row not in known and not own):
            raise impossible(
                "unknown_row", f"Table {self.table} has no {self.column} in row {self.row!r}."
            )
        key = f"{self.table}/{self.row}/{self.column}"
        corrections = case.encounter.corrections
        changed = (
            corrections.without(key) if self.value is None else corrections.put(key, self.value)
        )
        if changed == corrections:
            raise impossible("nothing_changes", f"{self.label(case.encounter)}: it is so already.")
        return _other_rules(case, case.encounter.options, changed)

    @override
    def label(self, encounter: Encounter) -> str:
        tables = ruleset_of(encounter.ruleset).tables()
        table = next((each for each in tables if each.id == self.table), None)
        name, column = in_words(self.table), in_words(self.column)
        if table is not None:
            name, column = table.title, table.title_of(self.column)
        value = "as printed" if self.value is None else in_words(str(self.value))
        return f"{name}: {in_words(self.row)}, {column.lower()}: {value}"


class ChangeSettings(Command):
    """Rename the encounter, or say which sides roll their own dice."""

    kind: Literal["change_settings"] = "change_settings"
    title: str | None = None
    real_dice: tuple[str, ...] | None = None

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        encounter = case.encounter
        title = encounter.title if self.title is None else self.title
        real_dice = encounter.real_dice if self.real_dice is None else self.real_dice
        return (SettingsChanged(title=title, real_dice=real_dice),)

    @override
    def label(self, encounter: Encounter) -> str:
        if self.real_dice is None:
            return "Settings" if self.title is None else f"Rename to {self.title}"
        sides = " and ".join(self.real_dice)
        return f"Real dice: {sides}" if sides else "The program rolls for all"


def fresh_row_id(words: str, taken: Container[str]) -> str:
    """Return an id for a row that a group adds: like its words, fit for the rule, and free."""
    plain = normalize("NFKD", words.lower()).encode("ascii", "ignore").decode()
    stem = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    if not stem[:1].isalpha():
        stem = f"row_{stem}".rstrip("_")
    ends = chain(("",), (f"_{number}" for number in count(2)))
    made = (stem[: _LONGEST_ID - len(end)] + end for end in ends)
    return next(each for each in made if each not in taken)


def _other_rules(
    case: Case, options: TableRules, corrections: FrozenMap[str, int | str]
) -> tuple[Event, ...]:
    """Return the change of the rules, and of the footprints that follow them."""
    after = case.encounter.changed(options=options, corrections=corrections)
    other = regrown(case.encounter, after, case.ruleset)
    changed = TableRulesChanged(options=options, corrections=corrections)
    return (changed, TokensPut(tokens=other)) if other else (changed,)


def must_fight(encounter: Encounter) -> None:
    """Raise Rejected outside a fight."""
    if not encounter.fighting:
        raise impossible("no_fight", "There is no fight; begin it first.")


def must_not_wait(encounter: Encounter, why: str = "") -> None:
    """Raise Rejected while a prompt is open; `why` is a sentence to say first."""
    if encounter.prompt is not None:
        raise impossible("prompt_open", f"{why}First answer: {encounter.prompt.question}")
