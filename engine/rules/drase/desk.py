"""The desk of a creature that declares: what it has left, what it could use, what it would cost.

Nothing here refuses; `legality.py` does.
"""

from dataclasses import dataclass, field

from engine.geometry.memo import Kept, Memo
from engine.model.encounter import Encounter
from engine.model.refusal import Rejection, impossible
from engine.model.token import Token
from engine.rules.drase.ahead import Earlier, is_declared, is_reaction, own_steps, projected
from engine.rules.drase.combat import Exchange, Extras, Fighter, extras_of, fighter_of
from engine.rules.drase.data import ActionRow, Book, book_of
from engine.rules.drase.effects import Condition, condition
from engine.rules.drase.objects import object_of, wall_called
from engine.rules.drase.plans import ActionPlan, GroupAttackPlan, Mode, TravelPlan
from engine.rules.drase.sheet import ActionCost, AttackProfile, DraseSheet
from engine.rules.drase.situation import (
    Distance,
    Look,
    Situation,
    gap_between,
    look,
    tiles_to_wall,
)
from engine.rules.drase.state import Happening, Turn, camp_of, sheet_of, state_of
from engine.rules.ruleset import MovePlan, Plan

STRIKES = "attack"
"""The effect of actions that strike with a weapon."""

OUTSIDE = frozenset({"perceive", "hide", "trap", "open_door"})
"""The effects that are possible outside a fight as well, carried out at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """Everything that a declaration is judged by; `known` keeps what was judged already."""

    book: Book
    encounter: Encounter
    token: Token
    turn: Turn
    look: Look
    known: dict[tuple[object, ...], tuple[Rejection, ...]] = field(default_factory=dict)

    @property
    def sheet(self) -> DraseSheet:
        """Return the sheet of the creature that declares."""
        return sheet_of(self.token)

    @property
    def condition(self) -> Condition:
        """Return what statuses and feats change on it."""
        return condition(self.book, self.sheet)

    @property
    def halves_left(self) -> int:
        """Return the half actions still unused."""
        used = sum(step.cost.halves for step in self.turn.declared)
        return max(0, self.condition.halves - used - self._lent())

    def _lent(self) -> int:
        """Return the half actions that it gives to an attack of its group."""
        state = state_of(self.encounter)
        mates = group_of(self.encounter, self.token) if self.token.group is not None else ()
        return sum(
            step.cost.halves
            for mate in mates
            if mate.id != self.token.id
            for step in state.turn(mate.id).declared
            if isinstance(step.plan, GroupAttackPlan) and self.token.id in step.plan.attackers
        )

    @property
    def reactions_used(self) -> int:
        """Return the reactions declared in this reaction phase."""
        return sum(step.cost is ActionCost.REACTION for step in self.turn.declared)


def desk_of(encounter: Encounter, token: Token, look: Look) -> Desk:
    """Return the desk of a creature: the map as it will be when what it declared is done."""
    return _DESKS(encounter, token, look)


def desk_for(encounter: Encounter, plan: Plan, look: Look) -> Desk:
    """Return the desk at which a plan is declared.

    Reactions come before everything else, and what is not declared is carried out at once: both
    find the map as it is.
    """
    token = encounter.token(plan.token_id)
    if is_reaction(book_of(encounter), plan) or not is_declared(encounter, token, plan):
        return _DESKS_NOW(encounter, token, look)
    return desk_of(encounter, token, look)


def desk_then(desk: Desk, others: tuple[Earlier, ...]) -> Desk:
    """Return a desk on the map as others leave it; the same one if that changes nothing."""
    return _DESKS_THEN(desk, others)


def _desk_then(_: Kept[Desk] | None, desk: Desk, others: tuple[Earlier, ...]) -> Desk:
    planned = projected(desk.book, desk.encounter, others)
    if planned is desk.encounter:
        return desk
    return Desk(desk.book, planned, planned.token(desk.token.id), desk.turn, desk.look)


def _desk(_: Kept[Desk] | None, encounter: Encounter, token: Token, look: Look) -> Desk:
    book = book_of(encounter)
    turn = state_of(encounter).turn(token.id)
    planned = projected(book, encounter, own_steps(encounter, token))
    return Desk(book, planned, planned.token(token.id), turn, look)


def _desk_now(_: Kept[Desk] | None, encounter: Encounter, token: Token, look: Look) -> Desk:
    return Desk(book_of(encounter), encounter, token, state_of(encounter).turn(token.id), look)


_DESKS: Memo[Desk] = Memo(_desk)
_DESKS_NOW: Memo[Desk] = Memo(_desk_now)
_DESKS_THEN: Memo[Desk] = Memo(_desk_then)


def action_row(book: Book, plan: ActionPlan) -> ActionRow:
    """Return the row of a planned action; raise Rejected if the table has none."""
    row = book.actions.get(plan.action)
    if row is None:
        known = ", ".join(book.actions)
        raise impossible("unknown_action", f"There is no action {plan.action!r}: {known}.")
    return row


def profile_of(desk: Desk, plan: ActionPlan | GroupAttackPlan) -> AttackProfile:
    """Return the weapon of a plan; raise Rejected if the creature has none of that name."""
    row = desk.book.actions.get(plan.action) if isinstance(plan, ActionPlan) else None
    found = choose_profile(desk.sheet, row, plan.attack)
    if found is None:
        what = f"no weapon or spell {plan.attack!r}" if plan.attack else "nothing to attack with"
        raise impossible("no_weapon", f"{desk.token.name} has {what}.", token_id=desk.token.id)
    return found


def choose_profile(sheet: DraseSheet, row: ActionRow | None, name: str) -> AttackProfile | None:
    """Return the weapon of a name; without a name the first that suits the action."""
    if name:
        return next((each for each in sheet.attacks if each.name == name), None)
    casts = row is not None and row.effect == "cast"
    fitting = [each for each in sheet.attacks if each.spell == casts]
    if casts and row is not None:
        fitting = [each for each in fitting if each.cost == row.cost]
    return fitting[0] if fitting else None


def continues(desk: Desk, plan: ActionPlan, row: ActionRow) -> bool:
    """Tell whether a plan is a further strike of a full action that is declared already."""
    if row.strikes < 2:
        return False
    made = sum(getattr(step.plan, "action", "") == plan.action for step in desk.turn.declared)
    return bool(made % row.strikes)


def cost_of(desk: Desk, plan: ActionPlan) -> ActionCost:
    """Return what an action costs: by the table, by the weapon, or by the GM's choice."""
    row = action_row(desk.book, plan)
    if row.cost == "gm":
        return plan.cost or ActionCost.HALF
    if continues(desk, plan, row):
        return ActionCost.FREE
    if row.effect == STRIKES and row.strikes == 1 and row.cost == "half":
        profile = choose_profile(desk.sheet, row, plan.attack)
        if profile is not None and not profile.spell:
            return ActionCost(profile.cost)
    return ActionCost(row.cost)


def exchange_with(
    desk: Desk, plan: ActionPlan, profile: AttackProfile, target_id: str | None
) -> Exchange | None:
    """Return a planned attack on a token or on a wall that can be broken, None without either."""
    extras = extras_for(desk, plan)
    ours = fighter_of(desk.token)
    token = desk.encounter.tokens.get(target_id or "")
    if token is not None:
        situation = desk.look(desk.encounter, desk.book, desk.token, token, profile.ranged)
        theirs = fighter_of(token)
        return Exchange(ours, profile, theirs, situation, extras)
    wall = desk.encounter.board.walls.get(target_id or "")
    if wall is None or wall.durability is None:
        return None
    situation = Situation(distance=tiles_to_wall(desk.encounter, desk.token, wall))
    theirs = Fighter(wall.id, wall_called(wall), object_of(wall))
    return Exchange(ours, profile, theirs, situation, extras)


def extras_for(desk: Desk, plan: ActionPlan) -> Extras:
    """Return what the moment adds to a planned attack."""
    reaction = action_row(desk.book, plan).cost == "reaction"
    aim = max(desk.turn.aim, _aims(desk))
    return extras_of(aim, plan.non_lethal, reaction, plan.shape is not None)


def how_far(desk: Desk, token: Token, *, ranged: bool) -> Distance:
    """Return the distance that an attack on a token has to cover, and ask for nothing else."""
    if desk.look is not look:
        return desk.look(desk.encounter, desk.book, desk.token, token, ranged).distance
    far, _ = gap_between(desk.encounter, desk.book, desk.token, token, ranged)
    return far


def _aims(desk: Desk) -> int:
    """Return 1 if aiming is declared and no attack after it uses it up."""
    aimed = 0
    for step in desk.turn.declared:
        row = desk.book.actions.get(getattr(step.plan, "action", ""))
        if step.resolved or row is None:
            continue
        if row.effect == "aim":
            aimed = 1
        elif row.effect in (STRIKES, "cast"):
            aimed = 0
    return aimed


def rise_of(token: Token, plan: MovePlan | TravelPlan) -> int:
    """Return by how many tiles a planned flight rises or sinks."""
    if not isinstance(plan, TravelPlan) or plan.elevation is None or plan.mode is not Mode.FLY:
        return 0
    return round(plan.elevation - token.elevation)


def open_happenings(desk: Desk, row: ActionRow) -> tuple[Happening, ...]:
    """Return what a reaction of this creature may answer: the previous phase alone."""
    state = state_of(desk.encounter)
    past = state.marks.get(camp_of(desk.token.side), 0)
    answered = {
        step.plan.happening
        for step in desk.turn.declared
        if isinstance(step.plan, ActionPlan) and step.cost is ActionCost.REACTION
    }
    return tuple(
        each
        for each in state.happenings
        if each.witness == desk.token.id
        and each.serial > past
        and each.serial not in answered
        and each.trigger in row.triggers
        and each.actor in desk.encounter.tokens
    )


def group_of(encounter: Encounter, token: Token) -> tuple[Token, ...]:
    """Return the tokens of a token's group; alone without one."""
    if token.group is None:
        return (token,)
    return tuple(each for each in encounter.tokens.values() if each.group == token.group)
