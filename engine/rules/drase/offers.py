"""Everything that a creature could do, possible now or not, each with its cost and its reason."""

from collections.abc import Iterator

from engine.model.encounter import Encounter
from engine.model.region import AreaShape, ShapeKind
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.rules.drase.combat import tiles
from engine.rules.drase.data import ActionRow, ModeRow
from engine.rules.drase.desk import (
    OUTSIDE,
    STRIKES,
    Desk,
    choose_profile,
    cost_of,
    desk_of,
    group_of,
    open_happenings,
)
from engine.rules.drase.legality import refusals, standing_refusals
from engine.rules.drase.movement import left, mode_refusals
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
    ThirdPlace,
    TravelPlan,
    WithdrawPlan,
)
from engine.rules.drase.rounds import Does, camp_at_hand, current, unresolved
from engine.rules.drase.sheet import ActionCost, AttackProfile, DraseSheet
from engine.rules.drase.situation import Look, center_of, depth_below
from engine.rules.drase.state import camp_of, state_of
from engine.rules.ruleset import Offer, Plan, TargetKind

GROUPS = {
    "full": "Full actions",
    "half": "Half actions",
    "gm": "As the GM says",
    "free": "Free actions",
    "reaction": "Reactions",
}
WANTS = {
    "grapple": ("attribute",),
    "shove": ("attribute", "prone"),
    "perceive": ("number", "career"),
    "trap": ("number", "career"),
    "hide": ("number",),
}
"""The fields of a plan that mean something for what an action does."""
REACTIONS = GROUPS["reaction"]
MOVEMENT, GM, SETUP, REST = "Movement", "GM", "Setup", "Rest"


def offers(
    encounter: Encounter, token_id: str, look: Look, selected: tuple[str, ...] = ()
) -> tuple[Offer, ...]:
    """Return everything that a creature could do now, with the reason why not where it cannot.

    Reactions that something calls for come first: they are lost with the phase. Several
    `selected` ones may attack as a group, whether or not they are one (clarification 19).
    """
    token = encounter.token(token_id)
    if not isinstance(token.sheet, DraseSheet):
        return ()
    desk = desk_of(encounter, token, look)
    found = (
        *_declared(desk),
        *_setup(desk),
        *_movement(desk),
        *_actions(desk),
        *_group(desk, encounter, token),
        *_group_attacks(desk, encounter, token, selected),
        *_by_hand(desk, selected),
    )
    return tuple(sorted(found, key=lambda each: not (each.group == REACTIONS and each.enabled)))


def _setup(desk: Desk) -> Iterator[Offer]:
    token_id = desk.token.id
    state = state_of(desk.encounter)
    if not desk.encounter.fighting or current(state).does is not Does.SETUP:
        return
    surprised = desk.sheet.surprised
    word = "not surprised" if surprised else "surprised"
    for offer_id, label, whole in (
        ("surprised", word.capitalize(), False),
        ("side_surprised", f"All {desk.token.side} {word}", True),
    ):
        yield Offer(
            id=offer_id,
            label=label,
            group=SETUP,
            plan=SetupPlan(token_id=token_id, surprised=not surprised, whole_side=whole),
            hint="A surprised creature cannot act in round 1.",
            source="Surprise Attack",
            at_once=True,
        )
    if desk.sheet.prepared:
        had = desk.sheet.had_minute
        yield Offer(
            id="had_minute",
            label="Had no minute to prepare" if had else "Had a minute to prepare",
            group=SETUP,
            plan=SetupPlan(token_id=token_id, had_minute=not had),
            source="Prepared Spells",
            at_once=True,
        )
    if camp_of(desk.token.side) == desk.token.side:
        for place in ThirdPlace:
            yield Offer(
                id=f"third:{place}",
                label=f"Phase {place} in the round",
                group=SETUP,
                plan=ThirdPartyPlan(token_id=token_id, place=place),
                source="Additional Rules",
                at_once=True,
            )


def _movement(desk: Desk) -> Iterator[Offer]:
    if not desk.encounter.fighting:
        return
    against = next(standing_refusals(desk), None)
    for row in desk.book.modes.values():
        mode = Mode(row.id)
        reason = against.sentence if against is not None else _no_way(desk, mode)
        remains = left(desk.book, desk.token, desk.turn, mode)
        yield Offer(
            id=f"move:{row.id}",
            label=row.label,
            cost=f"{tiles(remains)} left",
            group=MOVEMENT,
            target=TargetKind.PATH,
            plan=TravelPlan(token_id=desk.token.id, mode=mode),
            wants=("elevation",) if mode is Mode.FLY else (),
            reason=reason,
            hint=_price(row),
            source=row.source,
            proposal=row.proposal,
        )


def _no_way(desk: Desk, mode: Mode) -> str:
    found = mode_refusals(desk.book, desk.token, mode, ())
    if found:
        return found[0].sentence
    if left(desk.book, desk.token, desk.turn, mode) <= 0:
        return f"{desk.token.name} has no movement left."
    return ""


def _price(row: ModeRow) -> str:
    price = f"{row.cost_per_tile} per tile."
    return f"{price} {row.help}" if row.help else price


def _actions(desk: Desk) -> Iterator[Offer]:
    for row in desk.book.actions.values():
        if not row.offered or (row.feat and row.feat not in desk.sheet.feats):
            continue
        if row.cost == "reaction":
            yield from _reactions(desk, row)
        elif row.effect in ("attack", "cast"):
            yield from _with_weapons(desk, row)
        else:
            yield _offer(desk, row, ActionPlan(token_id=desk.token.id, action=row.id), row.label)


def _reactions(desk: Desk, row: ActionRow) -> Iterator[Offer]:
    found = open_happenings(desk, row)
    for each in found:
        plan = ActionPlan(
            token_id=desk.token.id, action=row.id, happening=each.serial, target_id=each.actor
        )
        yield _offer(desk, row, plan, f"{row.label}: {each.words}", suffix=f":{each.serial}")
    if not found:
        yield _offer(desk, row, ActionPlan(token_id=desk.token.id, action=row.id), row.label)


def _with_weapons(desk: Desk, row: ActionRow) -> Iterator[Offer]:
    casts = row.effect == "cast"
    weapons = [each for each in desk.sheet.attacks if each.spell == casts]
    if casts:
        weapons = [each for each in weapons if each.cost == row.cost]
    for each in weapons:
        plan = ActionPlan(
            token_id=desk.token.id,
            action=row.id,
            attack=each.name,
            shape=_template(desk, each),
        )
        label = f"{row.label}: {each.name}"
        target = TargetKind.AREA if each.area is not None else None
        yield _offer(desk, row, plan, label, suffix=f":{each.name}", target=target)
    if not weapons:
        yield _offer(desk, row, ActionPlan(token_id=desk.token.id, action=row.id), row.label)


def _template(desk: Desk, profile: AttackProfile) -> AreaShape | None:
    """Return the template of an attack on an area, not yet laid: it lies on the attacker."""
    if profile.area is None:
        return None
    origin = center_of(desk.encounter, desk.token)
    return AreaShape(shape=ShapeKind(profile.area.shape), origin=origin, size=profile.area.size)


def _offer(
    desk: Desk,
    row: ActionRow,
    plan: ActionPlan,
    label: str,
    *,
    suffix: str = "",
    target: TargetKind | None = None,
) -> Offer:
    against = None
    if desk.encounter.fighting or row.effect not in OUTSIDE:
        against = next(refusals(desk, plan), None)
    cost = cost_of(desk, plan)
    open_cost = row.cost == "gm"
    if target is None:
        target = TargetKind.NONE if plan.target_id is not None else TargetKind(row.target)
    return Offer(
        id=f"{row.id}{suffix}",
        label=label,
        cost="free, half or full" if open_cost else cost.value,
        group=GROUPS[row.cost],
        target=TargetKind.TEXT if row.id == "ruling" else target,
        plan=plan,
        reason="" if against is None else against.sentence,
        hint=row.help,
        source=row.source,
        proposal=row.proposal,
        wants=_wants(desk, row, plan),
    )


def _wants(desk: Desk, row: ActionRow, plan: ActionPlan) -> tuple[str, ...]:
    """Return the fields of the plan that mean something for this action."""
    wanted = ("cost",) if row.cost == "gm" else ()
    if row.effect in (STRIKES, "cast"):
        profile = choose_profile(desk.sheet, row, plan.attack)
        return wanted if profile is None or not profile.physical else (*wanted, "non_lethal")
    if row.effect == "hide" and desk.book.options.hide_number != "gm_sets":
        return wanted
    return (*wanted, *WANTS.get(row.effect, ()))


def _group(desk: Desk, encounter: Encounter, token: Token) -> Iterator[Offer]:
    members = group_of(encounter, token)
    if len(members) < 2 or not encounter.fighting:
        return
    yield Offer(
        id="group_move",
        label=f"Move the group ({len(members)})",
        group=MOVEMENT,
        target=TargetKind.PATH,
        plan=GroupMovePlan(token_id=token.id),
        reason=_against_group(desk),
        source="NPC Average Hit",
    )


def _group_attacks(
    desk: Desk, encounter: Encounter, token: Token, selected: tuple[str, ...]
) -> Iterator[Offer]:
    """Offer the attack of the selected ones together, or of the token's group."""
    chosen = _together(encounter, token, selected)
    count = len(chosen or group_of(encounter, token))
    if count < 2 or not encounter.fighting:
        return
    reason = _against_group(desk)
    for each in desk.sheet.attacks:
        yield Offer(
            id=f"group_attack:{each.name}",
            label=f"Group attack: {each.name} ({count})",
            cost=each.cost,
            group="Full actions" if each.cost == "full" else "Half actions",
            target=TargetKind.TOKEN,
            plan=GroupAttackPlan(token_id=token.id, attack=each.name, attackers=chosen),
            wants=("non_lethal",) if each.physical else (),
            reason=reason or _no_halves(desk, ActionCost(each.cost)),
            hint="Hits by the NPC Average Hit chart, without dice.",
            source="NPC Average Hit",
        )


def _against_group(desk: Desk) -> str:
    against = next(standing_refusals(desk, cost=ActionCost.HALF), None)
    return "" if against is None else against.sentence


def _together(encounter: Encounter, token: Token, selected: tuple[str, ...]) -> tuple[str, ...]:
    """Return the selected ones of the token's own side, itself first; nobody if it is alone."""
    known = (encounter.tokens[each] for each in selected if each in encounter.tokens)
    own = [
        each.id
        for each in known
        if each.id != token.id and camp_of(each.side) == camp_of(token.side)
    ]
    return (token.id, *own) if own and token.id in selected else ()


def _no_halves(desk: Desk, cost: ActionCost) -> str:
    enough = cost.halves <= desk.halves_left
    return "" if enough else f"{desk.token.name} has no half action left."


def _declared(desk: Desk) -> Iterator[Offer]:
    """Offer to take back what is declared, or to resolve it before the others'."""
    waiting = [step for step in desk.turn.declared if not step.resolved]
    if not waiting:
        return
    against = next(standing_refusals(desk), None)
    for step in waiting:
        yield Offer(
            id=f"withdraw:{step.number}",
            label=f"Take back: {step.label}",
            group="Declared",
            plan=WithdrawPlan(token_id=desk.token.id, number=step.number),
            reason="" if against is None else against.sentence,
            at_once=True,
        )
    state = state_of(desk.encounter)
    if current(state).does is Does.RESOLVE and camp_at_hand(state) == camp_of(desk.token.side):
        found = unresolved(desk.encounter, camp_at_hand(state))
        others = any(step.cost is ActionCost.REACTION for _, step in found)
        reaction = any(step.cost is ActionCost.REACTION for step in waiting)
        yield Offer(
            id="resolve",
            label="Resolve now",
            group="Declared",
            plan=ResolvePlan(token_id=desk.token.id),
            reason="Reactions are resolved before all actions." if others and not reaction else "",
        )


def _by_hand(desk: Desk, selected: tuple[str, ...]) -> Iterator[Offer]:
    yield from _corrections(desk)
    height = depth_below(desk.encounter, desk.token)
    yield Offer(
        id="fall",
        label=f"Fall ({tiles(height)})" if height else "Fall…",
        group=GM,
        plan=FallPlan(token_id=desk.token.id, breakable=True),
        hint="Off what it stands on, or as deep as you say.",
        source="Fall Damage",
        opens=not height,
        at_once=True,
    )
    fighting = "Nobody rests in a fight." if desk.encounter.fighting else ""
    others = _together(desk.encounter, desk.token, selected)[1:]
    many = f" ({len(others) + 1})" if others else ""
    for offer_id, label, hint, is_long, rested in (
        ("short_rest", "Short rest", "About 15 minutes.", False, True),
        ("long_rest", "Long rest", "About 8 hours with sleep, well rested.", True, True),
        ("poor_rest", "Long rest, not well rested", "About 8 hours.", True, False),
    ):
        yield Offer(
            id=offer_id,
            label=f"{label}{many}",
            group=REST,
            plan=RestPlan(token_id=desk.token.id, long=is_long, rested=rested, others=others),
            reason=fighting,
            hint=hint,
            source="Resting",
            at_once=True,
        )


def _corrections(desk: Desk) -> Iterator[Offer]:
    """Offer what the GM may do to a creature at any time."""
    own = {"token_id": desk.token.id}
    statuses = tuple(desk.book.statuses)
    found: list[tuple[str, str, str, str, Plan]] = [
        ("harm", "Damage…", "From a trap, the weather, anything.", "Damage", HarmPlan(**own)),
        ("heal", "Healing…", "Or temporary hit points.", "Damage", HealPlan(**own)),
        ("status", "Status…", "Put one on, or end one.", "Status Effects", EffectPlan(**own)),
        (
            "displace",
            "Push or pull…",
            "To a tile; over an edge it falls. The strongest of a round counts.",
            "Displacement Stacking",
            DisplacePlan(**own),
        ),
    ]
    if desk.encounter.fighting:
        hint = "Give or take tiles of this round."
        found.append(("ledger", "Movement…", hint, "Movement", LedgerPlan(**own)))
    for offer_id, label, hint, source, plan in found:
        yield Offer(
            id=offer_id,
            label=label,
            group=GM,
            target=TargetKind.CELL if offer_id == "displace" else TargetKind.NONE,
            plan=plan,
            hint=hint,
            source=source,
            opens=True,
            choices=FrozenMap({"status": statuses} if offer_id == "status" else {}),
            at_once=True,
        )
