"""Declaring: a plan becomes a step of a creature's declaration, or is carried out at once."""

from collections.abc import Iterator

from engine.grid.grid import board_grid
from engine.model.refusal import Rejected, impossible
from engine.model.space import Cell
from engine.model.told import Told, told
from engine.rules.drase.data import ActionRow
from engine.rules.drase.desk import (
    OUTSIDE,
    STRIKES,
    Desk,
    action_row,
    choose_profile,
    cost_of,
    desk_for,
    desk_of,
    group_of,
    open_happenings,
    profile_of,
    rise_of,
)
from engine.rules.drase.effects import speed
from engine.rules.drase.events import PlanDeclared, PlansWithdrawn
from engine.rules.drase.legality import (
    must_point_at,
    refusal,
    refusals,
    standing_refusals,
    target_refusals,
)
from engine.rules.drase.movement import plan_walk
from engine.rules.drase.plans import (
    ActionPlan,
    GroupAttackPlan,
    GroupMovePlan,
    Mode,
    TravelPlan,
    WithdrawPlan,
)
from engine.rules.drase.rounds import declares
from engine.rules.drase.sheet import ActionCost
from engine.rules.drase.situation import cells_of
from engine.rules.drase.state import Declared, PlanFrame, Turn, camp_of, sheet_of
from engine.rules.drase.targets import group_refusal
from engine.rules.drase.work import Work, with_reason
from engine.rules.ruleset import MovePlan, Plan


def declare(work: Work, plan: Plan) -> None:
    """Declare an action or a move; raise Rejected for what stands against it.

    What is overruled outside the creature's own declaration is carried out at once.
    """
    if isinstance(plan, GroupMovePlan):
        _declare_group_move(work, plan)
        return
    token = work.token(plan.token_id)
    desk = desk_for(work.encounter, plan, work.look)
    before = len(work.ruling.waived)
    step = _step(work, desk, plan)
    waived = tuple(each.code for each in work.ruling.waived[before:])
    if step is None:
        return
    if declares(work.encounter, token):
        work.emit(PlanDeclared(token_id=token.id, step=step.changed(waived=waived)))
    else:
        work.push(PlanFrame(plan=step.plan, waived=waived))


def _step(work: Work, desk: Desk, plan: Plan) -> Declared | None:
    if isinstance(plan, MovePlan | TravelPlan):
        return _move_step(work, desk, plan)
    if isinstance(plan, GroupAttackPlan):
        return _group_attack_step(work, desk, plan)
    if isinstance(plan, ActionPlan):
        return _action_step(work, desk, plan)
    raise impossible("unknown_plan", f"Drase knows no plan {plan.kind!r}.")


def _move_step(work: Work, desk: Desk, plan: MovePlan | TravelPlan) -> Declared | None:
    for found in standing_refusals(desk):
        work.ruling.pass_on(found)
    rise = rise_of(desk.token, plan)
    if not plan.path and not rise:
        raise impossible("no_way", f"Where does {desk.token.name} go?", token_id=desk.token.id)
    for cell in plan.path:
        _must_be_on_board(desk, cell)
    mode = plan.mode if isinstance(plan, TravelPlan) else None
    walk = plan_walk(desk.encounter, desk.token, desk.turn, plan.path, mode, rise=rise)
    for found in walk.refusals:
        work.ruling.pass_on(found)
    verb = "Move" if walk.mode is Mode.WALK else desk.book.modes[walk.mode].label
    return Declared(
        number=next_number(desk.turn),
        plan=plan,
        label=verb,
        players=verb,
        route=walk.cells,
        facing=walk.facing,
        tiles=walk.tiles,
        parity=walk.parity,
        mode=walk.mode,
    )


def _must_be_on_board(desk: Desk, cell: Cell) -> None:
    grid = board_grid(desk.encounter.board.grid)
    there = cells_of(desk.encounter, desk.token.changed(cell=cell))
    if not all(grid.contains(each) for each in there):
        raise impossible(
            "off_board",
            f"{desk.token.name} cannot go to {grid.label(cell)}: that is outside the board.",
            cell=cell,
            token_id=desk.token.id,
        )


def _declare_group_move(work: Work, plan: GroupMovePlan) -> None:
    """Declare the same way for every able member of a group; who cannot go stays and is told."""
    leader = work.token(plan.token_id)
    if not plan.path:
        raise impossible("no_way", f"Where does {leader.name} go?", token_id=leader.id)
    declare(work, MovePlan(token_id=leader.id, path=plan.path))
    for token in group_of(work.encounter, leader):
        if token.id == leader.id or sheet_of(token).hp <= 0:
            continue
        dx, dy = token.cell.x - leader.cell.x, token.cell.y - leader.cell.y
        path = tuple(Cell(cell.x + dx, cell.y + dy) for cell in plan.path)
        try_declare(work, MovePlan(token_id=token.id, path=path))


def try_declare(work: Work, plan: MovePlan) -> None:
    """Declare a move; if the rules refuse it, tell why in the log instead."""
    try:
        declare(work, plan)
    except Rejected as error:
        text = told("{} stays behind", work.token(plan.token_id))
        work.log(with_reason(text, str(error)), plan.token_id)


def _action_step(work: Work, desk: Desk, plan: ActionPlan) -> Declared:
    row = action_row(desk.book, plan)
    plan = _answering(desk, plan, row)
    must_point_at(desk, plan)
    cost = cost_of(desk, plan)
    if desk.encounter.fighting or row.effect not in OUTSIDE:
        for found in refusals(desk, plan):
            work.ruling.pass_on(found)
    for found in target_refusals(desk, plan):
        work.ruling.pass_on(found)
    label = label_of(desk, plan, row)
    return Declared(
        number=next_number(desk.turn),
        plan=plan,
        label=label.gm,
        players=label.players,
        cost=cost,
        extra_tiles=_extra_tiles(desk, row),
    )


def _answering(desk: Desk, plan: ActionPlan, row: ActionRow) -> ActionPlan:
    """Complete a reaction: what it answers names its target, or the other way round."""
    if row.cost != "reaction":
        return plan
    for each in open_happenings(desk, row):
        serial_fits = plan.happening in (None, each.serial)
        if serial_fits and plan.target_id in (None, each.actor):
            return plan.changed(happening=each.serial, target_id=each.actor)
    return plan


def _group_attack_step(work: Work, desk: Desk, plan: GroupAttackPlan) -> Declared:
    """Declare a group's attack: the leader's declaration speaks for all, at a half action each."""
    profile = profile_of(desk, plan)
    cost = ActionCost(profile.cost)
    for found in standing_refusals(desk, cost=cost):
        work.ruling.pass_on(found)
    if plan.target_id not in work.encounter.tokens:
        raise impossible("no_target", "The group attacks whom?", token_id=desk.token.id)
    if cost.halves > desk.halves_left:
        work.ruling.pass_on(
            refusal(desk, "no_halves_left", f"{desk.token.name} has no half action left.")
        )
    members = tuple(_joining(work, desk, plan, cost))
    plan = plan.changed(attackers=members, attack=profile.name)
    target = work.token(plan.target_id or "")
    against = group_refusal(desk, plan, target)
    if against is not None:
        work.ruling.pass_on(against)
    label = told("{} attack {} with {}", len(members), target, profile.name)
    return Declared(
        number=next_number(desk.turn), plan=plan, label=label.gm, players=label.players, cost=cost
    )


def _joining(work: Work, desk: Desk, plan: GroupAttackPlan, cost: ActionCost) -> Iterator[str]:
    """Yield who takes part in a group's attack: those who have the action left for it."""
    chosen = plan.attackers or tuple(each.id for each in group_of(work.encounter, desk.token))
    for member in chosen:
        token = work.token(member)
        if camp_of(token.side) != camp_of(desk.token.side):
            raise impossible("other_side", f"{token.name} is on another side.", token_id=member)
        own = desk_of(work.encounter, token, work.look)
        if token.id == desk.token.id or own.halves_left >= cost.halves:
            yield member


def _extra_tiles(desk: Desk, row: ActionRow) -> int:
    own = speed(desk.book, desk.sheet)
    if row.effect == "sprint":
        return own
    return own // desk.book.number("dash_divisor") if row.effect == "dash" else 0


def label_of(desk: Desk, plan: ActionPlan, row: ActionRow) -> Told:
    """Return the words of a declared action: what, whom, with what.

    A note is the GM's own words, which may name anybody.
    """
    noted = row.id == "ruling" and plan.note
    label = Told(plan.note if noted else row.label, row.label)
    target = desk.encounter.tokens.get(plan.target_id or "")
    if target is not None:
        label = told("{}: {}", label, target)
    if row.effect in (STRIKES, "cast"):
        profile = choose_profile(desk.sheet, row, plan.attack)
        if profile is not None:
            label = told("{} ({})", label, profile.name)
    return label


def next_number(turn: Turn) -> int:
    """Return the number of the next declared step."""
    return 1 + max((step.number for step in turn.declared), default=0)


def withdraw(work: Work, plan: WithdrawPlan) -> None:
    """Take declared steps back, one or all; moves after a withdrawn one go with it."""
    token = work.token(plan.token_id)
    turn = work.state.turn(token.id)
    open_steps = [step for step in turn.declared if not step.resolved]
    numbers = [step.number for step in open_steps]
    if plan.number is not None:
        if plan.number not in numbers:
            raise impossible(
                "unknown_step",
                f"{token.name} has declared no step {plan.number}.",
                token_id=token.id,
            )
        numbers = _with_dependents(open_steps, plan.number)
    if not numbers:
        raise impossible("nothing_declared", f"{token.name} has declared nothing.")
    if turn.frozen:
        work.ruling.refuse(
            "declaration_frozen", f"The first die of {token.name} has fallen.", token_id=token.id
        )
    elif not declares(work.encounter, token):
        work.ruling.refuse(
            "declaration_closed", f"The declaration of {token.name} is closed.", token_id=token.id
        )
    work.emit(PlansWithdrawn(token_id=token.id, numbers=tuple(numbers)))


def _with_dependents(steps: list[Declared], number: int) -> list[int]:
    """Return a step and those that rest on it: later moves start elsewhere without it."""
    chosen = next(step for step in steps if step.number == number)
    basis = bool(chosen.route) or chosen.extra_tiles > 0
    action = getattr(chosen.plan, "action", "")
    later = [step for step in steps if step.number > number]
    resting = [step for step in later if (basis and step.route) or _continued(step, action)]
    return [number, *(step.number for step in resting)]


def _continued(step: Declared, action: str) -> bool:
    """Tell whether a step is a further strike of a full action, which costs nothing itself."""
    same = bool(action) and getattr(step.plan, "action", "") == action
    return same and step.cost is ActionCost.FREE
