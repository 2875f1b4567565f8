"""Commands that act by the rules: plans, answers, rolls, and the GM's overruling."""

from typing import Literal

from typing_extensions import override

from engine.commands.command import (
    AnyCommand,
    Case,
    Command,
    as_events,
    named,
    tell,
)
from engine.commands.places import require_cells, require_facing
from engine.commands.turn import must_not_wait
from engine.events.event import Event
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.pending import Answer, PromptKind
from engine.model.refusal import Ruling, impossible
from engine.model.told import Told, told
from engine.rules import dice
from engine.rules.registry import ruleset_of
from engine.rules.ruleset import AnyPlan


class Act(Command):
    """Carry out or declare a plan, as the phase has it."""

    kind: Literal["act"] = "act"
    plan: AnyPlan

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        must_not_wait(case.encounter)
        token = case.encounter.token(self.plan.token_id)
        grid = board_grid(case.encounter.board.grid)
        require_facing(grid, self.plan.facing, token.id)
        require_cells(grid, self.plan.path, token.id)
        return as_events(case.ruleset.start(case.encounter, self.plan, case.ruling), case.encounter)

    @override
    def label(self, encounter: Encounter) -> str:
        words = ruleset_of(encounter.ruleset).words(encounter, self.plan)
        return f"{named(encounter, self.plan.token_id)}: {words}"


class AnswerPrompt(Command):
    """Answer the open choice."""

    kind: Literal["answer_prompt"] = "answer_prompt"
    choice: str

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        prompt = case.encounter.prompt
        if prompt is None or prompt.prompt is not PromptKind.CHOICE:
            raise impossible("no_choice_open", "No choice is waiting for an answer.")
        found = next((each for each in prompt.choices if each.value == self.choice), None)
        if found is None:
            offered = ", ".join(each.value for each in prompt.choices)
            raise impossible("no_such_choice", f"{self.choice!r} is not offered: {offered}.")
        if not found.enabled:
            case.ruling.refuse("choice_refused", found.reason, token_id=prompt.token_id)
        answer = Answer(choice=self.choice)
        return as_events(case.ruleset.advance(case.encounter, answer, case.ruling), case.encounter)

    @override
    def label(self, encounter: Encounter) -> str:
        choices = () if encounter.prompt is None else encounter.prompt.choices
        label = next((each.label for each in choices if each.value == self.choice), self.choice)
        return f"Answer: {label}"


class RollDice(Command):
    """Answer the open roll with faces, or with a total where that suffices.

    Left without either, the session draws fresh dice before it decides.
    """

    kind: Literal["roll"] = "roll"
    faces: tuple[int, ...] = ()
    total: int | None = None

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        prompt = case.encounter.prompt
        if prompt is None or prompt.prompt is not PromptKind.ROLL or prompt.roll is None:
            raise impossible("no_roll_open", "No roll is waiting.")
        try:
            dice.Roll.parse(prompt.roll).evaluate(self.faces, self.total)
        except dice.DiceError as error:
            raise impossible("bad_dice", str(error)) from error
        answer = Answer(faces=self.faces, total=self.total)
        return as_events(case.ruleset.advance(case.encounter, answer, case.ruling), case.encounter)

    @override
    def label(self, encounter: Encounter) -> str:
        return "Roll" if encounter.prompt is None else f"Roll: {encounter.prompt.question}"

    @override
    def rolled(self) -> tuple[int, ...]:
        return self.faces


class OverruleResult(Command):
    """Replace the result that the open prompt would bring."""

    kind: Literal["overrule_result"] = "overrule_result"
    outcome: int | str

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        prompt = case.encounter.prompt
        if prompt is None:
            raise impossible("no_prompt_open", "Nothing waits for a result.")
        ruling = Ruling(overrule=True)
        answer = Answer(outcome=self.outcome)
        words = Told(prompt.question, prompt.players or "")
        text = told("The GM rules: {} {}.", words, self.outcome)
        entry = tell(text, *prompt.about, secret=prompt.players is None)
        advance = case.ruleset.advance(case.encounter, answer, ruling)
        return (entry, *as_events(advance, case.encounter))

    @override
    def label(self, encounter: Encounter) -> str:
        return f"Ruling: {self.outcome}"


class Overrule(Command):
    """Do what the rules refuse; the log tells what was waived."""

    kind: Literal["overrule"] = "overrule"
    command: AnyCommand

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        if isinstance(self.command, Overrule):
            raise impossible("overrule_twice", "An overruling cannot be overruled.")
        ruling = Ruling(overrule=True)
        events = self.command.decide(
            Case(encounter=case.encounter, ruleset=case.ruleset, ruling=ruling)
        )
        waived = tuple(
            tell(
                f"Overruled by the GM: {each.sentence}",
                *((each.token_id,) if each.token_id in case.encounter.tokens else ()),
                secret=True,
            )
            for each in ruling.waived
        )
        # A ruleset may look at the ruling without refusing anything: no overruling goes untold.
        plain = tell(f"Overruled by the GM: {self.command.label(case.encounter)}.", secret=True)
        return (*(waived or (plain,)), *events)

    @override
    def label(self, encounter: Encounter) -> str:
        return f"Overrule: {self.command.label(encounter)}"

    @override
    def rolled(self) -> tuple[int, ...]:
        return self.command.rolled()


def answers_roll(command: Command) -> bool:
    """Tell whether a command answers an open roll, so that nobody else needs to roll."""
    if isinstance(command, Overrule):
        return answers_roll(command.command)
    return isinstance(command, RollDice | OverruleResult)
