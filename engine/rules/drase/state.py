"""Where a fight stands in Drase: round, phase, declarations; and the frames of resolution.

Only values stand here. The order of the phases is `rounds.py`'s, what a frame does is written
beside the rule that it belongs to.
"""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from engine.model.encounter import Encounter
from engine.model.evidence import Modifier
from engine.model.pending import Frame
from engine.model.region import Surface
from engine.model.sheet import RulesState
from engine.model.space import Cell, Facing
from engine.model.token import FOES, NEUTRAL, PARTY, Token
from engine.model.value import FrozenMap, Value
from engine.rules.drase.plans import Mode, ThirdPlace
from engine.rules.drase.sheet import ActionCost, Attribute, DamageType, DraseSheet, GivenEffect
from engine.rules.ruleset import AnyPlan

Cost = int | float
"""Movement in tiles: whole, except in circular movement, where geometry measures lengths."""


class Phase(StrEnum):
    """The phases of a round; a third party's five are gone through once for each third party."""

    SETUP = "setup"
    P1 = "p1"
    P2 = "p2"
    P3 = "p3"
    G1 = "g1"
    G2 = "g2"
    G3 = "g3"
    G4 = "g4"
    G5 = "g5"
    THIRD_DECLARE = "third_declare"
    THIRD_DEFENCE = "third_defence"
    THIRD_DOT = "third_dot"
    THIRD_RESOLVE = "third_resolve"
    THIRD_TICK = "third_tick"
    END = "end"


class Declared(Value):
    """One declared step: the plan, what it costs, and for a move its way and price.

    `players` is the template of what the players read as its label.

    `waived` names the refusals that the GM has overruled: they do not stop its resolution.
    """

    number: int
    plan: AnyPlan
    label: str
    cost: ActionCost = ActionCost.FREE
    route: tuple[Cell, ...] = ()
    facing: Facing = 0
    tiles: Cost = 0
    parity: int = 0
    mode: Mode | None = None
    extra_tiles: int = 0
    waived: tuple[str, ...] = ()
    resolved: bool = False
    players: str | None = None


class Correction(Value):
    """Movement that the GM gave or took by hand."""

    tiles: int
    reason: str


class Turn(Value):
    """What a creature does in its phase of this round.

    `frozen` is set by its first die; `aim` is a bonus for its next attack.
    """

    declared: tuple[Declared, ...] = ()
    frozen: bool = False
    corrections: tuple[Correction, ...] = ()
    aim: int = 0
    disengaged: bool = False

    def has(self, action: str) -> bool:
        """Tell whether this action is declared."""
        return any(getattr(each.plan, "action", None) == action for each in self.declared)


NO_TURN = Turn()


class Happening(Value):
    """Something that a reaction may answer: what `actor` did, and in whose reach."""

    serial: int
    trigger: str
    actor: str
    witness: str
    words: str


class Displacement(Value):
    """The displacement of a creature that counts this round: the strongest one."""

    degree: int
    roll: int
    start: Cell
    elevation: float


class DraseState(RulesState):
    """Where the fight stands.

    `third` is the third party whose phase it is. `happenings` can still be answered by somebody;
    `marks` holds for each camp the serial up to which it has had its chance. `hit` names who was
    hit this round while concentrating.
    """

    kind: Literal["drase_state"] = "drase_state"
    round: int = 0
    phase: Phase = Phase.SETUP
    third: str | None = None
    turns: FrozenMap[str, Turn] = FrozenMap()
    places: FrozenMap[str, ThirdPlace] = FrozenMap()
    happenings: tuple[Happening, ...] = ()
    serial: int = 0
    marks: FrozenMap[str, int] = FrozenMap()
    hit: tuple[str, ...] = ()
    displaced: FrozenMap[str, Displacement] = FrozenMap()

    def turn(self, token_id: str) -> Turn:
        """Return the turn of a creature, an empty one if it has none yet."""
        return self.turns.get(token_id, NO_TURN)


class Camp(StrEnum):
    """Whose phase a creature acts in: the players', the GM's, or its own third party's."""

    PLAYER = "player"
    GM = "gm"


def camp_of(side: str) -> str:
    """Return the camp of a side: party, foes and neutral ones; others stand for themselves."""
    if side == PARTY:
        return Camp.PLAYER
    return Camp.GM if side in (FOES, NEUTRAL) else side


def hostile(a: Token, b: Token) -> bool:
    """Tell whether two creatures are enemies."""
    return at_war(a.side, b.side)


def at_war(a: str, b: str) -> bool:
    """Tell whether two sides are enemies; neutral ones are nobody's."""
    return camp_of(a) != camp_of(b) and NEUTRAL not in (a, b)


def state_of(encounter: Encounter) -> DraseState:
    """Return the state of the fight, an empty one outside."""
    return encounter.rules if isinstance(encounter.rules, DraseState) else DraseState()


def sheet_of(token: Token) -> DraseSheet:
    """Return a token's sheet; one without has a plain one."""
    return token.sheet if isinstance(token.sheet, DraseSheet) else PLAIN


PLAIN = DraseSheet()


class PhaseFrame(Frame):
    """A phase that is still to be entered."""

    kind: Literal["drase_phase_frame"] = "drase_phase_frame"
    phase: Phase
    third: str | None = None


class PrepareFrame(Frame):
    """The prepared spells and potions of a creature, when combat starts."""

    kind: Literal["drase_prepare_frame"] = "drase_prepare_frame"
    token_id: str


class DefenceFrame(Frame):
    """A creature's defence roll of the round."""

    kind: Literal["drase_defence_frame"] = "drase_defence_frame"
    token_id: str
    roll: str = ""


class DotFrame(Frame):
    """A creature's damage over time."""

    kind: Literal["drase_dot_frame"] = "drase_dot_frame"
    token_id: str


class TickFrame(Frame):
    """The end of the durations on the creatures of one camp."""

    kind: Literal["drase_tick_frame"] = "drase_tick_frame"
    camp: str


class ConcentrationFrame(Frame):
    """Whether a creature keeps its spell up."""

    kind: Literal["drase_concentration_frame"] = "drase_concentration_frame"
    token_id: str
    roll: str = ""


class WoundFrame(Frame):
    """The wound check of a creature below half its hit points."""

    kind: Literal["drase_wound_frame"] = "drase_wound_frame"
    token_id: str


class StepFrame(Frame):
    """A declared step that is to be resolved."""

    kind: Literal["drase_step_frame"] = "drase_step_frame"
    token_id: str
    number: int


class PlanFrame(Frame):
    """A plan that is resolved at once, without having been declared."""

    kind: Literal["drase_plan_frame"] = "drase_plan_frame"
    plan: AnyPlan
    waived: tuple[str, ...] = ()


class AttackFrame(Frame):
    """An attack; once its dice are asked for, the sum that was shown is kept."""

    kind: Literal["drase_attack_frame"] = "drase_attack_frame"
    attacker: str
    target: str
    attack: str = ""
    reaction: bool = False
    area: bool = False
    non_lethal: bool = False
    waived: tuple[str, ...] = ()
    lines: tuple[Modifier, ...] = ()
    roll: str = ""
    number: int = 0
    number_name: str = "AC"


class DamageFrame(Frame):
    """Damage that is rolled and dealt; `critical` brings the effect of its type."""

    kind: Literal["drase_damage_frame"] = "drase_damage_frame"
    target: str
    damage: str
    damage_type: DamageType
    source: str = ""
    by: str | None = None
    critical: bool = False
    non_lethal: bool = False
    unavoidable: bool = False
    attack: bool = True
    effects: tuple[GivenEffect, ...] = ()
    spell: str = ""


class ContestFrame(Frame):
    """A grapple or a shove: d20 + Power against a Save."""

    kind: Literal["drase_contest_frame"] = "drase_contest_frame"
    actor: str
    target: str
    shove: bool = False
    prone: bool = False
    save: Attribute = Attribute.POWER
    lines: tuple[Modifier, ...] = ()
    roll: str = ""
    number: int = 0


class CheckFrame(Frame):
    """A perception or stealth check."""

    kind: Literal["drase_check_frame"] = "drase_check_frame"
    actor: str
    target: str | None = None
    hide: bool = False
    trap: bool = False
    number: int | None = None
    career: str = ""
    lines: tuple[Modifier, ...] = ()
    roll: str = ""


class FallFrame(Frame):
    """A fall: perhaps broken, then its dice."""

    kind: Literal["drase_fall_frame"] = "drase_fall_frame"
    token_id: str
    tiles: int = Field(ge=0)
    surface: Surface = Surface.HARD
    breakable: bool = False
    stage: Literal["ask", "check", "grip", "dice"] = "ask"
    attribute: Attribute = Attribute.POWER
    broken: bool = False
    roll: str = ""


ALL_FRAMES = (
    PhaseFrame,
    PrepareFrame,
    DefenceFrame,
    DotFrame,
    TickFrame,
    ConcentrationFrame,
    WoundFrame,
    StepFrame,
    PlanFrame,
    AttackFrame,
    DamageFrame,
    ContestFrame,
    CheckFrame,
    FallFrame,
)
