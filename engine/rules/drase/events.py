"""The facts of a Drase fight that tell more than a changed sheet.

Each holds the result, never a rule: applying it only puts values in their places.
"""

from typing import Literal

from typing_extensions import override

from engine.events.event import Event
from engine.model.encounter import Encounter
from engine.model.value import FrozenMap
from engine.rules.drase.plans import ThirdPlace
from engine.rules.drase.sheet import DamageType, Downed, Effect
from engine.rules.drase.state import (
    NO_TURN,
    Correction,
    Declared,
    Displacement,
    DraseState,
    Happening,
    Phase,
    Turn,
    sheet_of,
    state_of,
)


class PhaseEntered(Event):
    """A phase began; `fresh` names whose turns begin with it, `mark` who had a chance to react.

    `mark` is (camp, serial): happenings up to that serial are past for this camp.
    """

    kind: Literal["drase_phase_entered"] = "drase_phase_entered"
    phase: Phase
    round: int
    third: str | None = None
    fresh: tuple[str, ...] = ()
    mark: tuple[str, int] | None = None

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        state = state_of(encounter)
        changed = state.changed(
            phase=self.phase,
            round=self.round,
            third=self.third,
            turns=state.turns.put_all(dict.fromkeys(self.fresh, NO_TURN)),
        )
        if self.mark is not None:
            changed = changed.changed(marks=state.marks.put(*self.mark))
        if self.round != state.round:
            changed = changed.changed(displaced=FrozenMap(), hit=())
        return encounter.changed(rules=changed)


class PlanDeclared(Event):
    """A step was added to a creature's declaration."""

    kind: Literal["drase_plan_declared"] = "drase_plan_declared"
    token_id: str
    step: Declared

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        turn = state_of(encounter).turn(self.token_id)
        return _with_turn(
            encounter, self.token_id, turn.changed(declared=(*turn.declared, self.step))
        )


class PlansWithdrawn(Event):
    """Steps were taken back."""

    kind: Literal["drase_plans_withdrawn"] = "drase_plans_withdrawn"
    token_id: str
    numbers: tuple[int, ...]

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        turn = state_of(encounter).turn(self.token_id)
        kept = tuple(each for each in turn.declared if each.number not in self.numbers)
        return _with_turn(encounter, self.token_id, turn.changed(declared=kept))


class StepResolved(Event):
    """A declared step was carried out, or lost."""

    kind: Literal["drase_step_resolved"] = "drase_step_resolved"
    token_id: str
    number: int

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        turn = state_of(encounter).turn(self.token_id)
        declared = tuple(
            each.changed(resolved=True) if each.number == self.number else each
            for each in turn.declared
        )
        return _with_turn(encounter, self.token_id, turn.changed(declared=declared))


class DeclarationFrozen(Event):
    """A creature's first die fell: its declaration stands."""

    kind: Literal["drase_declaration_frozen"] = "drase_declaration_frozen"
    token_id: str

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        turn = state_of(encounter).turn(self.token_id)
        return _with_turn(encounter, self.token_id, turn.changed(frozen=True))


class TurnNoted(Event):
    """A creature aimed, used its aim up, or disengaged."""

    kind: Literal["drase_turn_noted"] = "drase_turn_noted"
    token_id: str
    aim: int
    disengaged: bool

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        turn = state_of(encounter).turn(self.token_id)
        return _with_turn(
            encounter, self.token_id, turn.changed(aim=self.aim, disengaged=self.disengaged)
        )


class MovementCorrected(Event):
    """The GM gave or took movement by hand."""

    kind: Literal["drase_movement_corrected"] = "drase_movement_corrected"
    token_id: str
    correction: Correction

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        turn = state_of(encounter).turn(self.token_id)
        corrections = (*turn.corrections, self.correction)
        return _with_turn(encounter, self.token_id, turn.changed(corrections=corrections))


class DefenceRolled(Event):
    """A creature's defence of the round."""

    kind: Literal["drase_defence_rolled"] = "drase_defence_rolled"
    token_id: str
    value: int

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        token = encounter.tokens[self.token_id]
        sheet = sheet_of(token).changed(round_def=self.value)
        return encounter.with_token(token.changed(sheet=sheet))


class Harmed(Event):
    """A creature took damage; `amount` after mitigation, of which temporary points took some."""

    kind: Literal["drase_harmed"] = "drase_harmed"
    token_id: str
    damage_type: DamageType
    rolled: int
    amount: int
    absorbed: int
    hp: int
    temp_hp: int
    downed: Downed | None = None

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        token = encounter.tokens[self.token_id]
        sheet = sheet_of(token).changed(hp=self.hp, temp_hp=self.temp_hp, downed=self.downed)
        return encounter.with_token(token.changed(sheet=sheet))


class EffectsChanged(Event):
    """Statuses came to a creature or left it; `effects` are those it has now."""

    kind: Literal["drase_effects_changed"] = "drase_effects_changed"
    token_id: str
    effects: tuple[Effect, ...]
    came: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        token = encounter.tokens[self.token_id]
        sheet = sheet_of(token).changed(effects=self.effects)
        return encounter.with_token(token.changed(sheet=sheet))


class Happened(Event):
    """Something happened that reactions may answer; what nobody can answer any more goes."""

    kind: Literal["drase_happened"] = "drase_happened"
    happenings: tuple[Happening, ...]
    serial: int

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        state = state_of(encounter)
        return encounter.changed(
            rules=state.changed(
                happenings=(*state.happenings, *self.happenings), serial=self.serial
            )
        )


class HappeningsPast(Event):
    """Happenings that nobody can answer any more were forgotten."""

    kind: Literal["drase_happenings_past"] = "drase_happenings_past"
    serials: tuple[int, ...]

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        state = state_of(encounter)
        kept = tuple(each for each in state.happenings if each.serial not in self.serials)
        return encounter.changed(rules=state.changed(happenings=kept))


class ConcentrationTested(Event):
    """A creature that keeps a spell up was hit, or its test is over."""

    kind: Literal["drase_concentration_tested"] = "drase_concentration_tested"
    hit: tuple[str, ...]

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        return encounter.changed(rules=state_of(encounter).changed(hit=self.hit))


class DisplacementKept(Event):
    """The displacement of a creature that counts this round."""

    kind: Literal["drase_displacement_kept"] = "drase_displacement_kept"
    token_id: str
    displacement: Displacement

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        state = state_of(encounter)
        displaced = state.displaced.put(self.token_id, self.displacement)
        return encounter.changed(rules=state.changed(displaced=displaced))


class ThirdPartyPlaced(Event):
    """A third party's place in the round was chosen."""

    kind: Literal["drase_third_party_placed"] = "drase_third_party_placed"
    side: str
    place: ThirdPlace

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        state = state_of(encounter)
        return encounter.changed(
            rules=state.changed(places=state.places.put(self.side, self.place))
        )


def _with_turn(encounter: Encounter, token_id: str, turn: Turn) -> Encounter:
    state: DraseState = state_of(encounter)
    return encounter.changed(rules=state.changed(turns=state.turns.put(token_id, turn)))


ALL_EVENTS = (
    PhaseEntered,
    PlanDeclared,
    PlansWithdrawn,
    StepResolved,
    DeclarationFrozen,
    TurnNoted,
    MovementCorrected,
    DefenceRolled,
    Harmed,
    EffectsChanged,
    Happened,
    HappeningsPast,
    ConcentrationTested,
    DisplacementKept,
    ThirdPartyPlaced,
)
