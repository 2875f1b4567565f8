"""Declaring: what a creature may still plan this round, and every reason against it.

A refusal is found here once; offers show it as a reason, `declare` passes it to the ruling.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.events.board import DoorMoved
from engine.geometry.memo import Kept, Memo
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.refusal import Rejected, Rejection, impossible
from engine.model.region import AreaShape
from engine.model.space import Cell
from engine.model.token import Token
from engine.model.wall import DoorState
from engine.rules.drase.combat import Exchange, Fighter, attack_refusals, extras_of, reach_of, tiles
from engine.rules.drase.data import ActionRow, Book, book_of
from engine.rules.drase.effects import (
    Condition,
    condition,
    has,
    speed,
    with_effect,
    without_effect,
)
from engine.rules.drase.events import PlanDeclared, PlansWithdrawn
from engine.rules.drase.movement import plan_walk
from engine.rules.drase.plans import (
    ActionPlan,
    GroupAttackPlan,
    GroupMovePlan,
    Mode,
    TravelPlan,
    WithdrawPlan,
)
from engine.rules.drase.rounds import Does, camp_at_hand, current, declares
from engine.rules.drase.sheet import ActionCost, AttackProfile, DraseSheet, Effect
from engine.rules.drase.situation import Look, cells_of, distance, within
from engine.rules.drase.state import (
    Declared,
    Happening,
    PlanFrame,
    Turn,
    camp_of,
    sheet_of,
    state_of,
)
from engine.rules.drase.work import Work
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


def _desk(_: Kept[Desk] | None, encounter: Encounter, token: Token, look: Look) -> Desk:
    book = book_of(encounter)
    turn = state_of(encounter).turn(token.id)
    planned = projected(book, encounter, token, turn)
    return Desk(book, planned, planned.token(token.id), turn, look)


_DESKS: Memo[Desk] = Memo(_desk)


def projected(book: Book, encounter: Encounter, token: Token, turn: Turn) -> Encounter:
    """Return the encounter after a creature's own declared steps, everybody else as they are."""
    for step in turn.declared:
        if step.resolved:
            continue
        token = encounter.token(token.id)
        if step.route:
            encounter = encounter.with_token(token.changed(cell=step.route[-1]))
        plan = step.plan
        if isinstance(plan, ActionPlan):
            encounter = _projected_action(book, encounter, token, plan)
    return encounter


def _projected_action(
    book: Book, encounter: Encounter, token: Token, plan: ActionPlan
) -> Encounter:
    row = book.actions.get(plan.action)
    effect = row.effect if row is not None else ""
    sheet = sheet_of(token)
    if effect == "drop_prone":
        prone = Effect(id="prone", duration_rounds=None)
        return encounter.with_token(token.changed(sheet=with_effect(book, sheet, prone)))
    if effect == "stand_up":
        return encounter.with_token(token.changed(sheet=without_effect(sheet, "prone")))
    if effect == "open_door" and plan.target_id in encounter.board.walls:
        return DoorMoved(wall_id=plan.target_id, state=DoorState.OPEN).apply(encounter)
    return encounter


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
    target = desk.encounter.tokens.get(plan.target_id or "")
    if target is None or row.target != "token":
        return
    ours = Fighter(desk.token.id, desk.token.name, desk.sheet)
    theirs = Fighter(target.id, target.name, sheet_of(target))
    if row.effect in (STRIKES, "cast"):
        profile = profile_of(desk, plan)
        extras = extras_of(desk.turn.aim, plan.non_lethal, row.cost == "reaction", False)
        situation = desk.look(desk.encounter, desk.book, desk.token, target, profile.ranged)
        attack = Exchange(ours, profile, theirs, situation, extras)
        yield from attack_refusals(desk.book, attack)
    elif row.effect in ("grapple", "shove"):
        situation = desk.look(desk.encounter, desk.book, desk.token, target, False)
        if situation.distance > 1:
            yield refusal(desk, "out_of_reach", f"{target.name} is not within arm's reach.")


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
    elif wall.door is DoorState.LOCKED:
        yield refusal(desk, "locked", "The door is locked.")
    elif wall.door is DoorState.OPEN:
        yield refusal(desk, "already_open", "The door is open already.")


def refusal(desk: Desk, code: str, sentence: str) -> Rejection:
    """Return a refusal about the creature that declares."""
    return Rejection(code=code, sentence=sentence, token_id=desk.token.id)


def must_point_at(desk: Desk, plan: ActionPlan) -> None:
    """Raise Rejected unless the plan has the target that its action needs."""
    row = action_row(desk.book, plan)
    if row.target == "token" and not _has_target(desk, plan):
        raise impossible("no_target", f"{row.label}: whom?", token_id=desk.token.id)
    if row.effect == "hide" and desk.book.options.hide_number == "gm_sets" and plan.number is None:
        raise impossible(
            "no_number", "The GM sets the number for hiding; name it.", token_id=desk.token.id
        )
    if row.target == "wall" and plan.target_id not in desk.encounter.board.walls:
        raise impossible("no_target", f"{row.label}: which door?", token_id=desk.token.id)


def _has_target(desk: Desk, plan: ActionPlan) -> bool:
    if plan.shape is not None and profile_of(desk, plan).area is not None:
        return True
    walls = desk.encounter.board.walls
    if plan.target_id in desk.encounter.tokens:
        return True
    wall = walls.get(plan.target_id or "")
    return wall is not None and wall.durability is not None


def declare(work: Work, plan: Plan) -> None:
    """Declare an action or a move; raise Rejected for what stands against it.

    What is overruled outside the creature's own declaration is carried out at once.
    """
    if isinstance(plan, GroupMovePlan):
        _declare_group_move(work, plan)
        return
    token = work.token(plan.token_id)
    desk = desk_of(work.encounter, token, work.look)
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
    if not plan.path:
        raise impossible("no_way", f"Where does {desk.token.name} go?", token_id=desk.token.id)
    for cell in plan.path:
        _must_be_on_board(desk, cell)
    mode = plan.mode if isinstance(plan, TravelPlan) else None
    walk = plan_walk(desk.encounter, desk.token, desk.turn, plan.path, mode)
    for found in walk.refusals:
        work.ruling.pass_on(found)
    verb = "Move" if walk.mode is Mode.WALK else desk.book.modes[walk.mode].label
    return Declared(
        number=next_number(desk.turn),
        plan=plan,
        label=verb,
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
        name = work.token(plan.token_id).name
        work.log(f"{name} stays behind: {error}", plan.token_id)


def group_of(encounter: Encounter, token: Token) -> tuple[Token, ...]:
    """Return the tokens of a token's group; alone without one."""
    if token.group is None:
        return (token,)
    return tuple(each for each in encounter.tokens.values() if each.group == token.group)


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
    return Declared(
        number=next_number(desk.turn),
        plan=plan,
        label=label_of(desk, plan, row),
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
    target = work.token(plan.target_id or "").name
    label = f"{len(members)} attack {target} with {profile.name}"
    return Declared(number=next_number(desk.turn), plan=plan, label=label, cost=cost)


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


def label_of(desk: Desk, plan: ActionPlan, row: ActionRow) -> str:
    """Return the words of a declared action: what, whom, with what."""
    label = plan.note if row.id == "ruling" and plan.note else row.label
    target = desk.encounter.tokens.get(plan.target_id or "")
    if target is not None:
        label = f"{label}: {target.name}"
    if row.effect in (STRIKES, "cast"):
        profile = choose_profile(desk.sheet, row, plan.attack)
        if profile is not None:
            label = f"{label} ({profile.name})"
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
