"""What will be done before a plan: the open steps that are resolved first (phases G1 and G4).

All reactions of a camp come first, then its creatures one by one in the order of their ids, each
with its steps in turn. What is sure of them is put on the map: where a declared way ends, a door
that is opened, who lies down or stands up. What dice decide is told in words and not counted. The
GM may resolve in another order: so a plan is refused only for what the creature itself declared.
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine.events.board import DoorMoved
from engine.geometry.memo import Kept, Memo
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.evidence import Evidence, Modifier
from engine.model.token import Token
from engine.model.wall import DoorState
from engine.rules.drase.data import Book, book_of
from engine.rules.drase.effects import with_effect, without_effect
from engine.rules.drase.plans import ActionPlan, GroupAttackPlan, TravelPlan
from engine.rules.drase.rounds import declares, unresolved
from engine.rules.drase.sheet import ActionCost, Effect
from engine.rules.drase.state import Declared, camp_of, sheet_of, state_of
from engine.rules.ruleset import MovePlan, Plan

DECLARED = (MovePlan, TravelPlan, ActionPlan, GroupAttackPlan)
"""The plans that are declared where somebody declares; others are carried out at once."""

TOLD = 3
"""So many who come first are named; of the others their number is told."""


class Earlier(NamedTuple):
    """A declared step and whose it is."""

    token_id: str
    step: Declared


def is_reaction(book: Book, plan: Plan) -> bool:
    """Tell whether a plan is a reaction: those are resolved before everything else."""
    row = book.actions.get(plan.action) if isinstance(plan, ActionPlan) else None
    return row is not None and row.cost == "reaction"


def own_steps(encounter: Encounter, token: Token) -> tuple[Earlier, ...]:
    """Return the open steps of a creature that declares, in order."""
    if not declares(encounter, token):
        return ()
    declared = state_of(encounter).turn(token.id).declared
    return tuple(Earlier(token.id, step) for step in declared if not step.resolved)


def is_declared(encounter: Encounter, token: Token, plan: Plan) -> bool:
    """Tell whether a plan would be declared; any other is carried out at once."""
    return isinstance(plan, DECLARED) and declares(encounter, token)


def others_before(encounter: Encounter, plan: Plan) -> tuple[Earlier, ...]:
    """Return what others do before a plan is resolved, in order; nothing before a reaction."""
    others = _OTHERS(encounter, encounter.token(plan.token_id))
    if others and isinstance(plan, DECLARED) and not is_reaction(book_of(encounter), plan):
        return others
    return ()


def _others(
    _: Kept[tuple[Earlier, ...]] | None, encounter: Encounter, token: Token
) -> tuple[Earlier, ...]:
    if not declares(encounter, token):
        return ()
    return tuple(
        Earlier(other.id, step)
        for other, step in unresolved(encounter, camp_of(token.side))
        if other.id < token.id or (step.cost is ActionCost.REACTION and other.id != token.id)
        if sheet_of(other).hp > 0 or "incapacitated" in step.waived
    )


_OTHERS: Memo[tuple[Earlier, ...]] = Memo(_others)


def projected(book: Book, encounter: Encounter, steps: tuple[Earlier, ...]) -> Encounter:
    """Return the encounter after these steps, as far as they are sure."""
    moved: dict[str, Token] = {}
    for token_id, step in steps:
        token = moved.get(token_id) or encounter.token(token_id)
        plan = step.plan
        if step.route:
            height = token.elevation
            if isinstance(plan, TravelPlan) and plan.elevation is not None:
                height = float(plan.elevation)
            moved[token_id] = token.changed(cell=step.route[-1], elevation=height)
        elif isinstance(plan, ActionPlan):
            effect = effect_of(book, plan)
            if effect in POSTURES:
                moved[token_id] = _in_posture(book, token, effect)
            elif effect == "open_door" and plan.target_id in encounter.board.walls:
                opened = DoorMoved(wall_id=plan.target_id, state=DoorState.OPEN)
                encounter = opened.apply(encounter)
    return encounter.changed(tokens=encounter.tokens.put_all(moved)) if moved else encounter


POSTURES = frozenset({"drop_prone", "stand_up"})
"""The effects that only change how a creature stands."""


def effect_of(book: Book, plan: ActionPlan) -> str:
    """Return the effect of a planned action, empty if the table has no such action."""
    row = book.actions.get(plan.action)
    return "" if row is None else row.effect


def _in_posture(book: Book, token: Token, effect: str) -> Token:
    sheet = sheet_of(token)
    if effect == "stand_up":
        return token.changed(sheet=without_effect(sheet, "prone"))
    prone = Effect(id="prone", duration_rounds=None)
    return token.changed(sheet=with_effect(book, sheet, prone))


def notes(
    book: Book, encounter: Encounter, plan: Plan, others: tuple[Earlier, ...]
) -> Iterator[Modifier]:
    """Yield the lines that tell what others do before a plan, and what of it is left open."""
    yield from _moved(encounter, others)
    concerned = {plan.token_id, plan.target_id} - {None}
    unsure = [each for each in others if _is_unsure(book, each.step, concerned)]
    for token_id, step in unsure[:TOLD]:
        label = f"{encounter.token(token_id).name} comes first: {step.label}"
        yield Modifier(label=label, text="not counted", evidence=Evidence(tokens=(token_id,)))
    if len(unsure) > TOLD:
        yield Modifier(label=f"{len(unsure) - TOLD} more come first", text="not counted")


def _moved(encounter: Encounter, steps: tuple[Earlier, ...]) -> Iterator[Modifier]:
    """Yield the line of those who will have moved by then."""
    ends = {token_id: step.route[-1] for token_id, step in steps if step.route}
    if not ends:
        return
    grid = board_grid(encounter.board.grid)
    named = [
        f"{encounter.token(token_id).name} {'stands ' if not number else ''}on {grid.label(cell)}"
        for number, (token_id, cell) in enumerate(list(ends.items())[:TOLD])
    ]
    if len(ends) > TOLD:
        named.append(f"{len(ends) - TOLD} more have moved")
    *head, last = named
    label = f"By then {', '.join(head)} and {last}" if head else f"By then {last}"
    evidence = Evidence(tokens=tuple(ends), cells=tuple(ends.values()))
    yield Modifier(label=label, evidence=evidence)


def _is_unsure(book: Book, step: Declared, concerned: set[str | None]) -> bool:
    """Tell whether dice decide what a step brings to those concerned."""
    plan = step.plan
    if step.route or (isinstance(plan, ActionPlan) and effect_of(book, plan) in SURE):
        return False
    return plan.shape is not None or plan.target_id in concerned


SURE = POSTURES | {"open_door", "perceive"}
"""The effects that are put on the map beforehand, or that change nothing for others."""
