"""A small ruleset that stops in every way a real one does.

It is not meant to be played: it proves that the protocol carries a defence chosen after the
attack roll, a repulse in mid-path, an interrupt before a declared action, and a reaction in the
next phase, each of which must survive undo, a restart and typed dice.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from pydantic import Field
from typing_extensions import override

from engine.events.event import Event
from engine.events.tokens import SheetChanged, TokenMoved
from engine.events.turn import RulesChanged, logged
from engine.geometry.cover import covers
from engine.geometry.routes import MovementRules, free_rules
from engine.grid.footprint import block_name
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.evidence import Modifier
from engine.model.pending import Answer, Choice, Frame, Prompt, PromptKind
from engine.model.refusal import Ruling, impossible
from engine.model.sheet import RulesState, Sheet, TableRules
from engine.model.space import Cell, GridKind
from engine.model.token import FOES, PARTY
from engine.model.told import Told, told
from engine.model.value import Kinds, Value
from engine.rules import dice
from engine.rules.ruleset import (
    Advance,
    Bar,
    Card,
    Forecast,
    ForecastRow,
    Issue,
    Leg,
    Measured,
    MovePlan,
    Offer,
    Plan,
    Step,
    Table,
    TargetKind,
    TargetOffer,
    TurnEntry,
)


class ToySheet(Sheet):
    """Hit points, and which of the four interruptions the figure is good for."""

    kind: Literal["toy_sheet"] = "toy_sheet"
    hp: int = Field(default=10, title="Hit points")
    skill: int = 5
    repulses: bool = False
    interrupts: bool = False
    reacts: bool = False


class ToyOptions(TableRules):
    """One option."""

    kind: Literal["toy_options"] = "toy_options"
    deadly: bool = False


class Owed(Value):
    """A reaction that may be made in the next phase."""

    token_id: str
    target_id: str


class ToyState(RulesState):
    """Whose phase it is, and what reactions are owed."""

    kind: Literal["toy_state"] = "toy_state"
    round: int = 1
    side: str = PARTY
    owed: tuple[Owed, ...] = ()


class StrikePlan(Plan):
    """Strike somebody."""

    kind: Literal["toy_strike"] = "toy_strike"


class ReactPlan(Plan):
    """Answer what happened in the phase before."""

    kind: Literal["toy_react"] = "toy_react"


class StrikeFrame(Frame):
    """A strike: rolled, then defended."""

    kind: Literal["toy_strike_frame"] = "toy_strike_frame"
    attacker: str
    defender: str
    total: int | None = None


class WalkFrame(Frame):
    """A walk with the path still left, while somebody tries to repulse the walker."""

    kind: Literal["toy_walk_frame"] = "toy_walk_frame"
    token_id: str
    left: tuple[Cell, ...]
    holder: str


class InterruptFrame(Frame):
    """A declared strike that somebody may interrupt."""

    kind: Literal["toy_interrupt_frame"] = "toy_interrupt_frame"
    plan: StrikePlan
    interrupter: str


class ToyRuleset:
    """The toy itself."""

    id = "toy"
    name = "Toy"
    grids = frozenset(GridKind)
    sheet_type = ToySheet
    options_type = ToyOptions
    codec = Kinds(
        ToySheet,
        ToyOptions,
        ToyState,
        StrikePlan,
        ReactPlan,
        StrikeFrame,
        WalkFrame,
        InterruptFrame,
    )

    def presets(self) -> Mapping[str, Sheet]:
        return {"fighter": ToySheet(), "ogre": ToySheet(skill=9)}

    def tables(self) -> tuple[Table, ...]:
        return (Table(id="toys", title="Toys", columns=("row", "size"), rows=(("ball", "1"),)),)

    def footprint(self, encounter: Encounter, sheet: Sheet) -> str | None:
        return block_name(encounter.board.grid.kind, 2) if _toy(sheet).skill > 8 else None

    def card(self, sheet: Sheet) -> Card:
        toy = _toy(sheet)
        bar = Bar(label="Hit points", value=toy.hp, maximum=10)
        return Card(bars=(bar,), down=toy.hp <= 0)

    def step(self, encounter: Encounter) -> Step:
        state = _state(encounter)
        entries = tuple(
            TurnEntry(token_id=token.id, may_act=token.side == state.side)
            for token in encounter.tokens.values()
        )
        title = f"Round {state.round}"
        return Step(
            title=title,
            players=title,
            round=state.round,
            side=state.side,
            entries=entries,
            end_label="Next",
        )

    def offers(
        self, encounter: Encounter, token_id: str, selected: tuple[str, ...] = ()
    ) -> tuple[Offer, ...]:
        token = encounter.token(token_id)
        mine = encounter.fighting and _state(encounter).side == token.side
        reason = "" if mine else "It is not this side's phase."
        return (
            Offer(
                id="strike",
                label="Strike",
                target=TargetKind.TOKEN,
                plan=StrikePlan(token_id=token_id),
                reason=reason,
            ),
            Offer(id="react", label="React", plan=ReactPlan(token_id=token_id), reason=reason),
        )

    def targets(self, encounter: Encounter, plan: Plan) -> tuple[TargetOffer, ...]:
        if not isinstance(plan, StrikePlan):
            return ()
        others = [each for each in encounter.tokens.values() if each.id != plan.token_id]
        return tuple(TargetOffer(target_id=each.id, label=each.name) for each in others)

    def forecast(self, encounter: Encounter, plan: Plan) -> Forecast:
        skill = _toy(encounter.token(plan.token_id).sheet).skill
        roll = dice.dice(1, 10) + skill
        rows = (ForecastRow(answer="none", chance=roll.odds().at_least(10)),)
        lines = (Modifier(label="Skill", value=skill, text=f"+{skill}", players="Skill"),)
        return Forecast(title="Strike", lines=lines, roll=str(roll), rows=rows)

    def words(self, encounter: Encounter, plan: Plan) -> str:
        return plan.kind.removeprefix("toy_").capitalize()

    def planned(self, encounter: Encounter, token_id: str) -> Encounter:
        return encounter

    def movement(
        self, encounter: Encounter, token_id: str, plan: Plan | None = None
    ) -> MovementRules:
        return free_rules(encounter, encounter.token(token_id))

    def measure(self, encounter: Encounter, cells: Sequence[Cell]) -> Measured:
        grid = board_grid(encounter.board.grid)
        legs = tuple(Leg(start=a, end=b, length=grid.distance(a, b)) for a, b in pairwise(cells))
        total = sum(leg.length for leg in legs)
        return Measured(legs=legs, total=total, label=f"{total:g} cells")

    def cover(self, encounter: Encounter, viewer_id: str, target_id: str) -> tuple[Modifier, ...]:
        (found,) = covers(encounter, encounter.token(viewer_id), [encounter.token(target_id)])
        if not found.hidden:
            return ()
        return (Modifier(label="hidden", text=str(found.hidden), evidence=found.evidence),)

    def begin(self, encounter: Encounter, ruling: Ruling) -> Advance:
        return Advance(events=(RulesChanged(rules=ToyState()),))

    def start(self, encounter: Encounter, plan: Plan, ruling: Ruling) -> Advance:
        token = encounter.token(plan.token_id)
        if token.side != _state(encounter).side:
            ruling.refuse("not_your_phase", f"{token.name} waits.", token_id=token.id)
        if isinstance(plan, MovePlan):
            return _walk(encounter, token.id, plan.path, ())
        if isinstance(plan, ReactPlan):
            owed = next((o for o in _state(encounter).owed if o.token_id == token.id), None)
            if owed is None or owed.target_id not in encounter.tokens:
                raise impossible("nothing_owed", f"{token.name} has nothing to react to.")
            state = _state(encounter)
            kept = tuple(each for each in state.owed if each != owed)
            spent = RulesChanged(rules=state.changed(owed=kept))
            return _roll(encounter, owed.token_id, owed.target_id, (spent,))
        if not isinstance(plan, StrikePlan) or plan.target_id is None:
            raise impossible("no_target", "Strike whom?")
        target = encounter.token(plan.target_id)
        if _toy(target.sheet).interrupts:
            return Advance(
                pending=(InterruptFrame(plan=plan, interrupter=target.id),),
                prompt=_choice(
                    encounter, target.id, told("Interrupt {}?", token), "interrupt", "let"
                ),
            )
        return _roll(encounter, token.id, target.id, ())

    def advance(self, encounter: Encounter, answer: Answer, ruling: Ruling) -> Advance:
        frame = encounter.pending[-1]
        if isinstance(frame, InterruptFrame):
            return _interrupted(encounter, frame, answer)
        if isinstance(frame, WalkFrame):
            return _repulsed(encounter, frame, answer)
        if isinstance(frame, StrikeFrame):
            return _struck(encounter, frame, answer)
        raise TypeError(frame)

    def end_phase(self, encounter: Encounter, ruling: Ruling) -> Advance:
        state = _state(encounter)
        last = state.side == FOES
        after = state.changed(
            side=PARTY if last else FOES, round=state.round + 1 if last else state.round
        )
        return Advance(events=(RulesChanged(rules=after),))

    def end(self, encounter: Encounter, ruling: Ruling) -> Advance:
        return Advance(events=(RulesChanged(rules=ToyState()),))

    def check(self, encounter: Encounter) -> tuple[Issue, ...]:
        return ()


TOY = ToyRuleset()


def _toy(sheet: Sheet | None) -> ToySheet:
    return sheet if isinstance(sheet, ToySheet) else ToySheet()


def _state(encounter: Encounter) -> ToyState:
    return encounter.rules if isinstance(encounter.rules, ToyState) else ToyState()


def _choice(encounter: Encounter, token_id: str, question: Told, *values: str) -> Prompt:
    return Prompt(
        prompt=PromptKind.CHOICE,
        side=encounter.token(token_id).side,
        question=question.gm,
        players=question.players,
        token_id=token_id,
        choices=tuple(Choice(value=value, label=value, players=value) for value in values),
        about=(token_id,),
    )


def _roll(encounter: Encounter, attacker: str, defender: str, events: tuple[Event, ...]) -> Advance:
    token = encounter.token(attacker)
    roll = dice.dice(1, 10) + _toy(token.sheet).skill
    question = told("{} strikes {}", token, encounter.token(defender))
    prompt = Prompt(
        prompt=PromptKind.ROLL,
        side=token.side,
        question=question.gm,
        players=question.players,
        token_id=attacker,
        roll=str(roll),
        about=(attacker, defender),
    )
    frame = StrikeFrame(attacker=attacker, defender=defender)
    return Advance(events=events, pending=(frame,), prompt=prompt)


def _interrupted(encounter: Encounter, frame: InterruptFrame, answer: Answer) -> Advance:
    plan = frame.plan
    assert plan.target_id is not None
    if answer.choice == "interrupt":
        return _roll(encounter, frame.interrupter, plan.token_id, ())
    return _roll(encounter, plan.token_id, plan.target_id, ())


def _walk(
    encounter: Encounter, token_id: str, left: tuple[Cell, ...], ignored: tuple[str, ...]
) -> Advance:
    """Walk on until the path ends or a holder beside it may repulse the walker."""
    token = encounter.token(token_id)
    grid = board_grid(encounter.board.grid)
    path = [token.cell]
    for index, cell in enumerate(left):
        path.append(cell)
        for other in encounter.tokens.values():
            near = grid.distance(cell, other.cell) == 1 and other.side != token.side
            if near and _toy(other.sheet).repulses and other.id not in ignored:
                moved = TokenMoved(
                    token_id=token_id, path=tuple(path), facing=token.facing, elevation=0
                )
                question = told("{} repulses {}", other, token)
                prompt = Prompt(
                    prompt=PromptKind.ROLL,
                    side=other.side,
                    question=question.gm,
                    players=question.players,
                    token_id=other.id,
                    roll="1d10",
                    about=(other.id, token_id),
                )
                rest = left[index + 1 :]
                frame = WalkFrame(token_id=token_id, left=rest, holder=other.id)
                return Advance(events=(moved,), pending=(frame,), prompt=prompt)
    moved = TokenMoved(token_id=token_id, path=tuple(path), facing=token.facing, elevation=0)
    return Advance(events=(moved,) if left else ())


def _repulsed(encounter: Encounter, frame: WalkFrame, answer: Answer) -> Advance:
    holder, walker = encounter.token(frame.holder), encounter.token(frame.token_id)
    if _result(dice.Roll.parse("1d10"), answer) <= _toy(holder.sheet).skill:
        return Advance(
            events=(logged(told("{} repulses {}.", holder, walker), holder.id, walker.id),)
        )
    return _walk(encounter, frame.token_id, frame.left, (frame.holder,))


def _result(roll: dice.Roll, answer: Answer) -> int:
    """Return what was rolled, or the number that the GM rules instead."""
    if answer.outcome is None:
        return roll.evaluate(answer.faces, answer.total).total
    if not isinstance(answer.outcome, int):
        raise impossible("bad_outcome", f"A roll comes to a number, not {answer.outcome!r}.")
    return answer.outcome


def _struck(encounter: Encounter, frame: StrikeFrame, answer: Answer) -> Advance:
    attacker = encounter.token(frame.attacker)
    defender = encounter.token(frame.defender)
    if frame.total is None:
        roll = dice.dice(1, 10) + _toy(attacker.sheet).skill
        rolled = _result(roll, answer)
        question = told("Defend against {}?", attacker)
        return Advance(
            events=(logged(told("{} rolls {}.", attacker, rolled), attacker.id),),
            pending=(frame.changed(total=rolled),),
            prompt=_choice(encounter, defender.id, question, "dodge", "none"),
        )
    needed = 14 if answer.choice == "dodge" else 10
    events: list[Event] = []
    both = (attacker.id, defender.id)
    if frame.total >= needed:
        sheet = _toy(defender.sheet)
        events.append(SheetChanged(token_id=defender.id, sheet=sheet.changed(hp=sheet.hp - 4)))
        events.append(logged(told("{} hits {}.", attacker, defender), *both))
    else:
        events.append(logged(told("{} misses {}.", attacker, defender), *both))
    if _toy(defender.sheet).reacts:
        state = _state(encounter)
        owed = Owed(token_id=defender.id, target_id=attacker.id)
        events.append(RulesChanged(rules=state.changed(owed=(*state.owed, owed))))
    return Advance(events=tuple(events))


__all__ = ["TOY", "Fraction", "ReactPlan", "StrikePlan", "ToyRuleset", "ToySheet", "override"]
