"""Carrying out what was declared: one function for each effect of the table of actions."""

from collections.abc import Callable

from engine.events.board import DoorMoved
from engine.events.tokens import TokenMoved
from engine.geometry.reasons import why_not
from engine.geometry.routes import field_of
from engine.geometry.stepfield import StepField
from engine.geometry.stride import Stride
from engine.grid.footprint import Turning, footprint_named
from engine.grid.grid import board_grid
from engine.model.space import Cell, Facing
from engine.model.token import Token
from engine.model.told import Told, told
from engine.model.wall import DoorState
from engine.rules.drase.areas import carry_areas, shape_of, tokens_in
from engine.rules.drase.combat import mana_cost
from engine.rules.drase.contests import begin_contest
from engine.rules.drase.data import ActionRow
from engine.rules.drase.desk import choose_profile
from engine.rules.drase.effects import has
from engine.rules.drase.events import StepResolved, TurnNoted
from engine.rules.drase.groups import group_attack
from engine.rules.drase.harm import end_concentration, end_status, put_status, quench_in_water
from engine.rules.drase.movement import movement_rules, plan_walk
from engine.rules.drase.perception import begin_check
from engine.rules.drase.plans import ActionPlan, GroupAttackPlan, Mode, TravelPlan
from engine.rules.drase.sheet import ActionCost, AttackProfile
from engine.rules.drase.situation import cells_of
from engine.rules.drase.state import AttackFrame, Declared, PlanFrame, StepFrame, Turn
from engine.rules.drase.strikes import left_reach
from engine.rules.drase.work import Work, with_reason
from engine.rules.ruleset import MovePlan, Plan

BARRED = frozenset({"walled", "closed_ground", "no_way", "occupied"})
"""Refusals of a way by what stands in it; once overruled, it is gone without looking."""

IN_THE_WAY = "somebody stands in the way."


def run_step(work: Work, frame: StepFrame) -> None:
    """Carry out a declared step, or tell why it is lost."""
    turn = work.state.turn(frame.token_id)
    step = next((each for each in turn.declared if each.number == frame.number), None)
    if step is None or step.resolved:
        return
    work.emit(StepResolved(token_id=frame.token_id, number=frame.number))
    if not _still_able(work, frame.token_id, step):
        lost = Told(f"{step.label} is lost", "what was declared is lost")
        text = told("{} is incapacitated: {}.", work.called(frame.token_id), lost)
        work.log(text, frame.token_id)
        return
    perform(work, step.plan, step.waived, step)


def _still_able(work: Work, token_id: str, step: Declared) -> bool:
    if work.sheet(token_id).hp > 0 or "incapacitated" in step.waived or work.ruling.overrule:
        return True
    return step.cost is ActionCost.REACTION and not work.book.options.reactor_must_be_able


def run_plan(work: Work, frame: PlanFrame) -> None:
    """Carry out a plan that was not declared."""
    perform(work, frame.plan, frame.waived, None)


def perform(work: Work, plan: Plan, waived: tuple[str, ...], step: Declared | None) -> None:
    """Carry out a plan."""
    if isinstance(plan, MovePlan | TravelPlan):
        _walk(work, plan, waived, step)
    elif isinstance(plan, GroupAttackPlan):
        group_attack(work, plan, waived)
    elif isinstance(plan, ActionPlan):
        row = work.book.actions[plan.action]
        ACTIONS.get(row.effect, _note)(work, plan, row, waived)


def _attack(work: Work, plan: ActionPlan, row: ActionRow, waived: tuple[str, ...]) -> None:
    profile = choose_profile(work.sheet(plan.token_id), row, plan.attack)
    if profile is None:
        work.log(f"{work.name(plan.token_id)} has nothing to attack with.", plan.token_id)
        return
    work.push(*_attack_frames(work, plan, row, profile, waived))


def _attack_frames(
    work: Work, plan: ActionPlan, row: ActionRow, profile: AttackProfile, waived: tuple[str, ...]
) -> list[AttackFrame]:
    """Return one attack on the target, or one on everybody in the area of the attack."""
    targets = [plan.target_id] if plan.target_id is not None else []
    if plan.shape is not None and profile.area is not None:
        caught = tokens_in(work.encounter, shape_of(profile, plan.shape))
        targets = [token.id for token in caught]
        if not targets:
            work.log(f"{profile.name} catches nobody.", plan.token_id)
    return [
        AttackFrame(
            attacker=plan.token_id,
            target=target,
            attack=profile.name,
            reaction=row.cost == "reaction",
            non_lethal=plan.non_lethal,
            area=plan.shape is not None,
            waived=waived,
        )
        for target in targets
    ]


def _cast(work: Work, plan: ActionPlan, row: ActionRow, waived: tuple[str, ...]) -> None:
    """Spend the mana, keep the spell up if it is of that kind, then attack with it."""
    token_id = plan.token_id
    profile = choose_profile(work.sheet(token_id), row, plan.attack)
    if profile is None:
        work.log(f"{work.name(token_id)} has no spell to cast.", token_id)
        return
    sheet = work.sheet(token_id)
    cost = mana_cost(work.book, profile)
    if sheet.mana < cost and "no_mana" not in waived and not work.ruling.overrule:
        work.log(f"{work.name(token_id)} lacks the mana for {profile.name}.", token_id)
        return
    if profile.concentration and sheet.concentration not in ("", profile.name):
        end_concentration(work, token_id)
    sheet = work.sheet(token_id)
    work.put_sheet(
        token_id,
        sheet.changed(
            mana=max(0, sheet.mana - cost),
            concentration=profile.name if profile.concentration else sheet.concentration,
        ),
    )
    work.log(f"{work.name(token_id)} casts {profile.name} ({cost} mana).", token_id)
    # the mana is spent by now
    work.push(*_attack_frames(work, plan, row, profile, (*waived, "no_mana")))


def _note(work: Work, plan: ActionPlan, row: ActionRow, waived: tuple[str, ...]) -> None:
    """Only tell: what the action does is up to the GM."""
    text = plan.note or row.label
    if row.id not in ("ruling", "speak") and plan.note:
        text = f"{row.label}: {plan.note}"
    # What is said all hear; any other note is the GM's, and may name anybody.
    heard = text if row.id == "speak" else row.label
    work.log(told("{}: {}.", work.called(plan.token_id), Told(text, heard)), plan.token_id)


def _aim(work: Work, plan: ActionPlan, row: ActionRow, waived: tuple[str, ...]) -> None:
    turn = work.state.turn(plan.token_id)
    work.emit(TurnNoted(token_id=plan.token_id, aim=1, disengaged=turn.disengaged))
    work.log(f"{work.name(plan.token_id)} aims: 1 bonus on the next attack.", plan.token_id)


def _disengage(work: Work, plan: ActionPlan, row: ActionRow, waived: tuple[str, ...]) -> None:
    turn = work.state.turn(plan.token_id)
    work.emit(TurnNoted(token_id=plan.token_id, aim=turn.aim, disengaged=True))
    work.log(f"{work.name(plan.token_id)} disengages.", plan.token_id)


def _stand_up(work: Work, plan: ActionPlan, row: ActionRow, waived: tuple[str, ...]) -> None:
    end_status(work, plan.token_id, "prone", "stands up")


def _drop_prone(work: Work, plan: ActionPlan, row: ActionRow, waived: tuple[str, ...]) -> None:
    if not has(work.sheet(plan.token_id), "prone"):
        put_status(work, plan.token_id, "prone", rounds=None)


def _end_concentration(
    work: Work, plan: ActionPlan, row: ActionRow, waived: tuple[str, ...]
) -> None:
    end_concentration(work, plan.token_id)


def _open_door(work: Work, plan: ActionPlan, row: ActionRow, waived: tuple[str, ...]) -> None:
    wall = work.encounter.board.walls.get(plan.target_id or "")
    name = work.name(plan.token_id)
    locked = wall is not None and wall.door is DoorState.LOCKED and "locked" not in waived
    if wall is None or wall.door is None or locked:
        work.log(f"{name} finds no door to open.", plan.token_id)
        return
    work.emit(DoorMoved(wall_id=wall.id, state=DoorState.OPEN))
    work.log(f"{name} opens a door.", plan.token_id)


def _contest(work: Work, plan: ActionPlan, row: ActionRow, waived: tuple[str, ...]) -> None:
    begin_contest(work, plan, row, waived)


def _check(work: Work, plan: ActionPlan, row: ActionRow, waived: tuple[str, ...]) -> None:
    begin_check(work, plan, row.effect)


Doer = Callable[[Work, ActionPlan, ActionRow, tuple[str, ...]], None]

ACTIONS: dict[str, Doer] = {
    "attack": _attack,
    "cast": _cast,
    "aim": _aim,
    "disengage": _disengage,
    "stand_up": _stand_up,
    "drop_prone": _drop_prone,
    "end_concentration": _end_concentration,
    "open_door": _open_door,
    "grapple": _contest,
    "shove": _contest,
    "perceive": _check,
    "hide": _check,
    "trap": _check,
}
"""What the effects do; dash, sprint and total defence count from their declaration on."""


def _walk(
    work: Work, plan: MovePlan | TravelPlan, waived: tuple[str, ...], step: Declared | None
) -> None:
    """Go a way step by step, as far as it is still free."""
    token = work.token(plan.token_id)
    route, mode, barred = _way(work, token, plan, step)
    rules = movement_rules(work.book, work.encounter, token, Turn(), mode)
    ground = field_of(work.encounter, rules)
    blind = bool(BARRED & set(waived)) or work.ruling.overrule
    gone, reason = [token.cell], "" if blind else barred
    for here, there in zip(route, route[1:], strict=False) if not reason else ():
        if not blind and mode is not Mode.JUMP:
            reason = _in_the_way(rules.stride, token.facing, ground, here, there)
        if reason:
            break
        gone.append(there)
    if not blind:
        gone, taken = _back_to_free(work, token, gone, rules.held)
        reason = reason or taken
    _arrive(work, token, tuple(gone), plan, mode)
    if reason:
        label = board_grid(work.encounter.board.grid).label(gone[-1])
        text = with_reason(told("{} stops at {}", token, label), reason)
        if reason == IN_THE_WAY:
            text = told("{} stops at {}: {}", token, label, reason)
        work.log(text, token.id)


def _way(
    work: Work, token: Token, plan: MovePlan | TravelPlan, step: Declared | None
) -> tuple[tuple[Cell, ...], Mode, str]:
    """Return the declared way; one who no longer stands where it begins seeks a new one."""
    if step is not None and step.route and step.route[0] == token.cell:
        return step.route, step.mode or Mode.WALK, ""
    mode = plan.mode if isinstance(plan, TravelPlan) else None
    mode = mode or (step.mode if step is not None else None)
    turn = work.state.turn(token.id)
    if step is not None:
        others = tuple(each for each in turn.declared if each.number != step.number)
        turn = turn.changed(declared=others)
    walk = plan_walk(work.encounter, token, turn, plan.path, mode)
    against = next(iter(walk.refusals), None)
    reason = "" if against is None else against.sentence
    if against is not None and against.code == "occupied":
        reason = IN_THE_WAY  # the log is for the players too, and they may not see who it is
    return walk.cells, walk.mode, reason


def _in_the_way(stride: Stride, facing: Facing, ground: StepField, here: Cell, there: Cell) -> str:
    direction = ground.grid.step_between(here, there)
    if direction is None:
        return ""
    return why_not(ground, stride, facing, here, direction) or ""


def _back_to_free(
    work: Work, token: Token, gone: list[Cell], held: frozenset[Cell]
) -> tuple[list[Cell], str]:
    """Step back from tiles that somebody stands on; nobody ends a move there."""
    grid = board_grid(work.encounter.board.grid)
    shape = footprint_named(grid.kind, token.footprint)
    reason = ""
    while len(gone) > 1 and held & set(shape.cells_at(grid, gone[-1], token.facing)):
        reason = IN_THE_WAY
        gone = gone[:-1]
    return gone, reason


def _arrive(
    work: Work, token: Token, gone: tuple[Cell, ...], plan: MovePlan | TravelPlan, mode: Mode
) -> None:
    elevation = token.elevation
    if isinstance(plan, TravelPlan) and plan.elevation is not None and mode is Mode.FLY:
        elevation = float(plan.elevation)
    if len(gone) < 2 and elevation == token.elevation:
        return
    grid = board_grid(work.encounter.board.grid)
    shape = footprint_named(grid.kind, token.footprint)
    facing = token.facing
    if plan.facing is not None:
        facing = plan.facing
    elif len(gone) > 1 and shape.turning is Turning.FIXED:
        last = grid.step_between(gone[-2], gone[-1])
        facing = facing if last is None else shape.aligned(grid, last.facing)
    steps = [shape.cells_at(grid, cell, token.facing) for cell in gone[:-1]]
    if not work.state.turn(token.id).disengaged:
        left_reach(work, token, steps)
    work.emit(TokenMoved(token_id=token.id, path=gone, facing=facing, elevation=elevation))
    carry_areas(work, token.id, gone[0], gone[-1])
    label = grid.label(gone[-1])
    how = "goes" if mode is Mode.WALK else f"moves ({work.book.modes[mode].label.lower()})"
    height = f" at height {elevation:g}" if elevation != token.elevation else ""
    work.log(f"{token.name} {how} to {label}{height}.", token.id)
    covered = tuple(each for cell in gone for each in shape.cells_at(grid, cell, facing))
    if mode not in (Mode.FLY, Mode.JUMP):
        quench_in_water(work, token.id, covered)
    else:
        quench_in_water(work, token.id, cells_of(work.encounter, work.token(token.id)))
