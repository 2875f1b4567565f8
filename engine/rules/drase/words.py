"""Plans in words, for the history and for undo; the name of whoever acts stands before them."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.space import Cell
from engine.rules.drase.combat import tiles
from engine.rules.drase.data import book_of
from engine.rules.drase.desk import choose_profile
from engine.rules.drase.objects import wall_name
from engine.rules.drase.plans import (
    ActionPlan,
    DisplacePlan,
    EffectPlan,
    FallPlan,
    GroupAttackPlan,
    GroupMovePlan,
    HarmPlan,
    HealPlan,
    LedgerPlan,
    Mode,
    ResolvePlan,
    RestPlan,
    SetupPlan,
    ThirdPartyPlan,
    TravelPlan,
    WithdrawPlan,
)
from engine.rules.drase.state import sheet_of, state_of
from engine.rules.ruleset import MovePlan, Plan


def plan_words(encounter: Encounter, plan: Plan) -> str:
    """Return what a plan is in words: "Attack Orc 1 (Bow)"."""
    namer = _NAMERS.get(type(plan))
    return plan.kind.replace("_", " ").capitalize() if namer is None else namer(encounter, plan)


def _action(encounter: Encounter, plan: ActionPlan) -> str:
    row = book_of(encounter).actions.get(plan.action)
    if row is None or (row.id == "ruling" and plan.note):
        return plan.note or plan.action.replace("_", " ").capitalize()
    whom = _target(encounter, plan)
    words = f"{row.label} {whom}" if whom else row.label
    if row.effect not in ("attack", "cast"):
        return words
    return words + _weapon(encounter, plan)


def _weapon(encounter: Encounter, plan: ActionPlan | GroupAttackPlan) -> str:
    """Return the weapon of an attack in brackets, empty without one."""
    token = encounter.tokens.get(plan.token_id)
    if token is None:
        return ""
    row = book_of(encounter).actions.get(plan.action) if isinstance(plan, ActionPlan) else None
    profile = choose_profile(sheet_of(token), row, plan.attack)
    return "" if profile is None else f" ({profile.name})"


def _target(encounter: Encounter, plan: Plan) -> str:
    target = plan.target_id or ""
    if target in encounter.tokens:
        return encounter.tokens[target].name
    wall = encounter.board.walls.get(target)
    return "" if wall is None else f"({wall_name(wall)})"


def _group_attack(encounter: Encounter, plan: GroupAttackPlan) -> str:
    return f"Group attack on {_target(encounter, plan)}{_weapon(encounter, plan)}"


def _to(encounter: Encounter, path: tuple[Cell, ...]) -> str:
    return f" to {board_grid(encounter.board.grid).label(path[-1])}" if path else ""


def _move(encounter: Encounter, plan: MovePlan | TravelPlan) -> str:
    label, height = "Move", ""
    if isinstance(plan, TravelPlan):
        row = book_of(encounter).modes.get(plan.mode)
        label = label if plan.mode is Mode.WALK or row is None else row.label
        height = "" if plan.elevation is None else f" at height {plan.elevation}"
    return f"{label}{_to(encounter, plan.path)}{height}"


def _group_move(encounter: Encounter, plan: GroupMovePlan) -> str:
    return f"Move the group{_to(encounter, plan.path)}"


def _withdraw(encounter: Encounter, plan: WithdrawPlan) -> str:
    steps = state_of(encounter).turn(plan.token_id).declared
    step = next((each for each in steps if each.number == plan.number), None)
    return "Take everything back" if step is None else f"Take back: {step.label}"


def _ledger(_: Encounter, plan: LedgerPlan) -> str:
    verb = "Give" if plan.tiles >= 0 else "Take"
    return f"{verb} {tiles(abs(plan.tiles))} of movement"


def _setup(encounter: Encounter, plan: SetupPlan) -> str:
    if plan.had_minute is not None:
        return f"Had {'a' if plan.had_minute else 'no'} minute to prepare"
    words = "surprised" if plan.surprised else "not surprised"
    token = encounter.tokens.get(plan.token_id)
    if plan.whole_side and token is not None:
        return f"All of {token.side} {words}"
    return words.capitalize()


def _third_party(_: Encounter, plan: ThirdPartyPlan) -> str:
    return f"Phase {plan.place} in the round"


def _harm(_: Encounter, plan: HarmPlan) -> str:
    return f"Take {plan.damage} {plan.damage_type} damage"


def _heal(_: Encounter, plan: HealPlan) -> str:
    return f"{plan.points} temporary hit points" if plan.temporary else f"Heal {plan.points}"


def _effect(encounter: Encounter, plan: EffectPlan) -> str:
    row = book_of(encounter).statuses.get(plan.status)
    label = plan.status.replace("_", " ").capitalize() if row is None else row.label
    return f"End {label}" if plan.ends else f"Status {label}"


def _displace(encounter: Encounter, plan: DisplacePlan) -> str:
    return f"Push or pull{_to(encounter, plan.path)}"


def _fall(_: Encounter, plan: FallPlan) -> str:
    return "Fall" if plan.tiles is None else f"Fall {tiles(plan.tiles)}"


def _rest(_: Encounter, plan: RestPlan) -> str:
    many = f" with {len(plan.others)} more" if plan.others else ""
    return f"{'Long' if plan.long else 'Short'} rest{many}"


def _resolve(_: Encounter, plan: ResolvePlan) -> str:
    return "Resolve"


_NAMERS: Mapping[type[Plan], Callable[[Encounter, Any], str]] = {
    MovePlan: _move,
    TravelPlan: _move,
    GroupMovePlan: _group_move,
    ActionPlan: _action,
    GroupAttackPlan: _group_attack,
    WithdrawPlan: _withdraw,
    ResolvePlan: _resolve,
    LedgerPlan: _ledger,
    SetupPlan: _setup,
    ThirdPartyPlan: _third_party,
    HarmPlan: _harm,
    HealPlan: _heal,
    EffectPlan: _effect,
    DisplacePlan: _displace,
    FallPlan: _fall,
    RestPlan: _rest,
}
