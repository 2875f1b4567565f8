"""Every reason against declaring something, each found in one place.

Offers show them, forecasts list them, and `declare.py` passes them to the ruling.
"""

from collections.abc import Iterator

from engine.grid.grid import board_grid
from engine.model.refusal import Rejection, impossible
from engine.model.region import AreaShape
from engine.model.wall import DoorState
from engine.rules.drase.combat import attack_refusals, reach_of, tiles
from engine.rules.drase.data import ActionRow
from engine.rules.drase.desk import (
    STRIKES,
    Desk,
    action_row,
    choose_profile,
    cost_of,
    exchange_with,
    how_far,
    open_happenings,
    profile_of,
)
from engine.rules.drase.effects import has
from engine.rules.drase.plans import ActionPlan
from engine.rules.drase.rounds import Does, camp_at_hand, current, declares
from engine.rules.drase.sheet import ActionCost
from engine.rules.drase.situation import cells_of, distance, tiles_to_wall, within
from engine.rules.drase.state import camp_of, state_of


def refusals(desk: Desk, plan: ActionPlan) -> Iterator[Rejection]:
    """Yield every rule that stands against declaring an action now, its target left aside."""
    row = action_row(desk.book, plan)
    cost = cost_of(desk, plan)
    yield from standing_refusals(desk, reaction=cost is ActionCost.REACTION, cost=cost)
    if not row.offered:
        yield refusal(desk, "not_offered", f"{row.label} is not played at this table.")
    if row.feat and row.feat not in desk.sheet.feats:
        yield refusal(desk, "feat_missing", f"{row.label} needs the feat {row.feat}.")
    yield from _budget_refusals(desk, row, cost)
    if cost is ActionCost.REACTION:
        yield from _reaction_refusals(desk, plan, row)
    yield from _sense_refusals(desk, plan, row)


def standing_refusals(
    desk: Desk, *, reaction: bool = False, cost: ActionCost | None = None
) -> Iterator[Rejection]:
    """Yield why a creature may not declare anything now."""
    name = desk.token.name
    state = state_of(desk.encounter)
    if not desk.encounter.fighting:
        yield refusal(desk, "no_fight", "There is no fight; begin it first.")
    elif not declares(desk.encounter, desk.token):
        yield _out_of_phase(desk, cost)
    elif desk.turn.frozen:
        yield refusal(desk, "declaration_frozen", f"The first die of {name} has fallen.")
    if desk.sheet.is_object:
        yield refusal(desk, "is_object", f"{name} is an object and does not act.")
    elif desk.sheet.hp <= 0:
        yield refusal(desk, "incapacitated", f"{name} is incapacitated.")
    surprised = desk.sheet.surprised and state.round <= 1
    if surprised and not (reaction and desk.book.options.surprised_can_react):
        yield refusal(desk, "surprised", f"{name} is surprised and cannot act in round 1.")


def _out_of_phase(desk: Desk, cost: ActionCost | None) -> Rejection:
    state = state_of(desk.encounter)
    own = camp_at_hand(state) == camp_of(desk.token.side)
    if cost is ActionCost.FREE:
        text = "A free action is possible only in its own declaration step, never out of turn."
        return refusal(desk, "out_of_turn", text)
    if own and current(state).does is Does.RESOLVE:
        text = f"The declaration of {desk.token.name} is closed."
        return refusal(desk, "declaration_closed", text)
    return refusal(desk, "not_your_phase", f"It is not the phase of {desk.token.name}.")


def _budget_refusals(desk: Desk, row: ActionRow, cost: ActionCost) -> Iterator[Rejection]:
    name, needs, has_left = desk.token.name, cost.halves, desk.halves_left
    if needs > has_left:
        if cost is ActionCost.FULL:
            yield refusal(
                desk, "no_full_left", f"{row.label} takes both half actions; {name} has {has_left}."
            )
        else:
            yield refusal(desk, "no_halves_left", f"{name} has no half action left.")
    most = desk.condition.reactions
    if cost is ActionCost.REACTION and desk.reactions_used >= most:
        text = f"{name} cannot react." if most == 0 else f"{name} has used its reaction."
        yield refusal(desk, "reaction_used", text)


def _reaction_refusals(desk: Desk, plan: ActionPlan, row: ActionRow) -> Iterator[Rejection]:
    found = open_happenings(desk, row)
    if plan.happening is not None:
        found = tuple(each for each in found if each.serial == plan.happening)
    if plan.target_id is not None:
        found = tuple(each for each in found if each.actor == plan.target_id)
    if not found:
        text = "Nothing in the previous phase gives a reason to react."
        yield refusal(desk, "no_trigger", text)


def _sense_refusals(desk: Desk, plan: ActionPlan, row: ActionRow) -> Iterator[Rejection]:
    """Yield why an action would be senseless: standing up while standing, and the like."""
    name = desk.token.name
    prone = has(desk.sheet, "prone")
    if row.effect == "stand_up" and not prone:
        yield refusal(desk, "not_prone", f"{name} does not lie prone.")
    if row.effect == "drop_prone" and prone:
        yield refusal(desk, "already_prone", f"{name} lies prone already.")
    if row.effect == "end_concentration" and not desk.sheet.concentration:
        yield refusal(desk, "no_concentration", f"{name} keeps up no spell.")
    if row.effect == "hide" and desk.condition.no_hiding:
        yield refusal(desk, "cannot_hide", f"{name} is lit up and cannot hide.")
    if row.effect in (STRIKES, "cast"):
        profile = choose_profile(desk.sheet, row, plan.attack)
        if profile is None:
            what = "spell of that cost" if row.effect == "cast" else "weapon"
            yield refusal(desk, "no_weapon", f"{name} has no {what}.")


def target_refusals(desk: Desk, plan: ActionPlan) -> Iterator[Rejection]:
    """Yield what stands against the target of a planned action."""
    row = action_row(desk.book, plan)
    if row.effect == "open_door":
        yield from _door_refusals(desk, plan)
        return
    if plan.shape is not None:
        yield from _area_refusals(desk, plan, plan.shape)
        return
    if row.effect in (STRIKES, "cast"):
        attack = exchange_with(desk, plan, profile_of(desk, plan), plan.target_id)
        if attack is not None:
            yield from attack_refusals(desk.book, attack)
        return
    target = desk.encounter.tokens.get(plan.target_id or "")
    seizes = row.effect in ("grapple", "shove")
    if target is not None and seizes and how_far(desk, target, ranged=False) > 1:
        text = f"{target.name} is not within arm's reach."
        yield Rejection(code="out_of_reach", sentence=text, token_id=target.id)


def _area_refusals(desk: Desk, plan: ActionPlan, shape: AreaShape) -> Iterator[Rejection]:
    """Yield why a template cannot be laid there: its origin must lie within the range."""
    profile = profile_of(desk, plan)
    limit, penalty = reach_of(profile, desk.sheet)
    origin = board_grid(desk.encounter.board.grid).cell_at(shape.origin)
    own = cells_of(desk.encounter, desk.token)
    far = distance(desk.encounter, desk.book, own, (origin,))
    if profile.ranged and penalty is None and not within(far, limit):
        text = f"The template begins {tiles(far)} away; the range of {profile.name} is {limit}."
        yield refusal(desk, "out_of_range", text)


def _door_refusals(desk: Desk, plan: ActionPlan) -> Iterator[Rejection]:
    wall = desk.encounter.board.walls.get(plan.target_id or "")
    if wall is None or wall.door is None:
        yield refusal(desk, "no_door", "That is no door.")
    elif tiles_to_wall(desk.encounter, desk.token, wall) > 1:
        text = f"{desk.token.name} does not stand at the door."
        yield Rejection(code="out_of_reach", sentence=text, wall_id=wall.id)
    elif wall.door is DoorState.LOCKED:
        yield Rejection(code="locked", sentence="The door is locked.", wall_id=wall.id)
    elif wall.door is DoorState.OPEN:
        yield Rejection(code="already_open", sentence="The door is open already.", wall_id=wall.id)


def refusal(desk: Desk, code: str, sentence: str) -> Rejection:
    """Return a refusal about the creature that declares."""
    return Rejection(code=code, sentence=sentence, token_id=desk.token.id)


def must_point_at(desk: Desk, plan: ActionPlan) -> None:
    """Raise Rejected unless the plan has the target that its action needs."""
    row = action_row(desk.book, plan)
    _must_be_known(desk, plan)
    if row.target == "token" and not _has_target(desk, plan):
        raise impossible("no_target", f"{row.label}: whom?", token_id=desk.token.id)
    if row.effect == "hide" and desk.book.options.hide_number == "gm_sets" and plan.number is None:
        raise impossible(
            "no_number", "The GM sets the number for hiding; name it.", token_id=desk.token.id
        )
    if row.target == "wall" and plan.target_id not in desk.encounter.board.walls:
        raise impossible("no_target", f"{row.label}: which door?", token_id=desk.token.id)


def _must_be_known(desk: Desk, plan: ActionPlan) -> None:
    """Raise Rejected for a target that is nowhere on the map."""
    target = plan.target_id
    known = desk.encounter
    if target is not None and target not in known.tokens and target not in known.board.walls:
        raise impossible(
            "unknown_target", f"There is no token and no wall {target!r}.", token_id=desk.token.id
        )


def _has_target(desk: Desk, plan: ActionPlan) -> bool:
    if plan.shape is not None and profile_of(desk, plan).area is not None:
        return True
    walls = desk.encounter.board.walls
    if plan.target_id in desk.encounter.tokens:
        return True
    wall = walls.get(plan.target_id or "")
    return wall is not None and wall.durability is not None
