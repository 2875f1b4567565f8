"""What the GM does by hand: corrections, harm, healing, statuses, pushes, falls, rests, setup."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.model.refusal import impossible
from engine.model.told import Told, told
from engine.rules import dice
from engine.rules.drase.areas import displace, straight_way
from engine.rules.drase.damage import healed
from engine.rules.drase.declare import withdraw
from engine.rules.drase.events import MovementCorrected, ThirdPartyPlaced
from engine.rules.drase.harm import end_status, environment_damage, put_status
from engine.rules.drase.plans import (
    DisplacePlan,
    EffectPlan,
    FallPlan,
    HarmPlan,
    HealPlan,
    LedgerPlan,
    ResolvePlan,
    RestPlan,
    SetupPlan,
    ThirdPartyPlan,
    WithdrawPlan,
)
from engine.rules.drase.rests import long_rest, short_rest
from engine.rules.drase.rounds import Does, camp_at_hand, current, members, unresolved
from engine.rules.drase.sheet import ActionCost
from engine.rules.drase.situation import depth_below, surface_at
from engine.rules.drase.state import Correction, FallFrame, StepFrame, camp_of
from engine.rules.drase.work import Work
from engine.rules.ruleset import Plan


def _ledger(work: Work, plan: LedgerPlan) -> None:
    correction = Correction(tiles=plan.tiles, reason=plan.note)
    work.emit(MovementCorrected(token_id=plan.token_id, correction=correction))
    why = Told(f": {plan.note}" if plan.note else "", "")
    who, tiles = work.called(plan.token_id), f"{plan.tiles:+d}"
    work.log(told("{}: {} tiles of movement{}.", who, tiles, why), plan.token_id)


def _setup(work: Work, plan: SetupPlan) -> None:
    """Mark surprise and preparation; once the first round runs, only by ruling."""
    if work.encounter.fighting and current(work.state).does is not Does.SETUP:
        work.ruling.refuse(
            "setup_over", "Surprise is decided before the first round.", token_id=plan.token_id
        )
    for token_id in _meant(work, plan):
        sheet = work.sheet(token_id)
        changed = sheet.changed(
            surprised=sheet.surprised if plan.surprised is None else plan.surprised,
            had_minute=sheet.had_minute if plan.had_minute is None else plan.had_minute,
        )
        if changed == sheet:
            continue
        work.put_sheet(token_id, changed)
        if plan.surprised is not None:
            word = "is surprised" if plan.surprised else "is not surprised"
            work.log(f"{work.name(token_id)} {word}.", token_id)


def _meant(work: Work, plan: SetupPlan) -> tuple[str, ...]:
    if not plan.whole_side:
        return (plan.token_id,)
    side = work.token(plan.token_id).side
    camp = tuple(members(work.encounter, camp_of(side)))
    return tuple(token.id for token in camp if token.side == side)


def _third_party(work: Work, plan: ThirdPartyPlan) -> None:
    side = work.token(plan.token_id).side
    if camp_of(side) != side:
        raise impossible("no_third_party", f"The side {side} is no third party.")
    work.emit(ThirdPartyPlaced(side=side, place=plan.place))
    about = (token.id for token in work.encounter.tokens.values() if token.side == side)
    work.log(f"The phase of {side} comes {plan.place.value} in the round.", *about)


def _harm(work: Work, plan: HarmPlan) -> None:
    try:
        dice.Roll.parse(plan.damage)
    except dice.DiceError as error:
        raise impossible("bad_dice", str(error)) from error
    environment_damage(
        work,
        plan.token_id,
        plan.damage,
        plan.damage_type,
        plan.note or "GM",
        unavoidable=plan.unavoidable,
        non_lethal=plan.non_lethal,
    )


def _heal(work: Work, plan: HealPlan) -> None:
    """Heal, or give temporary hit points, which do not stack: the larger stays."""
    sheet = work.sheet(plan.token_id)
    who = work.called(plan.token_id)
    if plan.temporary:
        after = sheet.changed(temp_hp=max(sheet.temp_hp, plan.points))
        work.put_sheet(plan.token_id, after)
        points = f"{after.temp_hp} temporary hit points"
        work.log_points(told("{} is strengthened", who), points, plan.token_id)
        return
    after = healed(work.book, sheet, plan.points)
    work.put_sheet(plan.token_id, after)
    gained = after.hp - sheet.hp
    points = f"{sheet.hp} to {after.hp} hit points"
    work.log_points(told("{} regains {} hit points", who, gained), points, plan.token_id)


def _effect(work: Work, plan: EffectPlan) -> None:
    if plan.status not in work.book.statuses:
        known = ", ".join(work.book.statuses)
        raise impossible("unknown_status", f"There is no status {plan.status!r}: {known}.")
    if plan.ends:
        end_status(work, plan.token_id, plan.status, plan.note)
        return
    by = plan.target_id
    put_status(work, plan.token_id, plan.status, rounds=plan.rounds, stacks=plan.stacks, by=by)


def _displace(work: Work, plan: DisplacePlan) -> None:
    if not plan.path:
        raise impossible("no_way", f"Where is {work.name(plan.token_id)} displaced to?")
    way = straight_way(work.encounter, work.token(plan.token_id).cell, plan.path)
    displace(work, plan.token_id, way, plan.roll, plan.note or "is displaced")


def _fall(work: Work, plan: FallPlan) -> None:
    token = work.token(plan.token_id)
    deep = depth_below(work.encounter, token) if plan.tiles is None else plan.tiles
    if deep == 0:
        raise impossible("no_fall", f"{token.name} stands on the ground.", token_id=token.id)
    surface = plan.surface or surface_at(work.encounter, token)
    work.push(FallFrame(token_id=token.id, tiles=deep, surface=surface, breakable=plan.breakable))


def _rest(work: Work, plan: RestPlan) -> None:
    if work.encounter.fighting:
        work.ruling.refuse("fighting", "Nobody rests in a fight.", token_id=plan.token_id)
    for token_id in (plan.token_id, *plan.others):
        _rest_one(work, plan, token_id)


def _rest_one(work: Work, plan: RestPlan, token_id: str) -> None:
    sheet = work.sheet(token_id)
    after = short_rest(work.book, sheet)
    if plan.long:
        after = long_rest(work.book, sheet, rested=plan.rested)
    work.put_sheet(token_id, after)
    kind = "long" if plan.long else "short"
    parts = [
        f"{name} {old} to {new}"
        for name, old, new in (
            ("hit points", sheet.hp, after.hp),
            ("focus", sheet.focus, after.focus),
            ("mana", sheet.mana, after.mana),
        )
        if old != new
    ]
    gains = ", ".join(parts) or "nothing changes"
    work.log(f"{work.name(token_id)} takes a {kind} rest: {gains}.", token_id)


def _resolve(work: Work, plan: ResolvePlan) -> None:
    """Resolve one creature's declaration before the others'; reactions come first."""
    token = work.token(plan.token_id)
    state = work.state
    mine = current(state).does is Does.RESOLVE and camp_at_hand(state) == camp_of(token.side)
    if not mine:
        raise impossible(
            "nothing_to_resolve",
            f"Nothing of {token.name} is to be resolved now.",
            token_id=token.id,
        )
    waiting = unresolved(work.encounter, camp_at_hand(state))
    own = [step for each, step in waiting if each.id == token.id]
    if not own:
        raise impossible("nothing_declared", f"{token.name} has nothing left to resolve.")
    reactions = [each for each, step in waiting if step.cost is ActionCost.REACTION]
    acts_first = own[0].cost is not ActionCost.REACTION
    if acts_first and reactions:
        work.ruling.refuse(
            "reactions_first",
            f"The reaction of {reactions[0].name} is resolved before all actions.",
            token_id=token.id,
        )
    work.push(*(StepFrame(token_id=token.id, number=step.number) for step in own))


def _withdraw(work: Work, plan: WithdrawPlan) -> None:
    withdraw(work, plan)


BY_HAND: Mapping[type[Plan], Callable[[Work, Any], None]] = {
    LedgerPlan: _ledger,
    SetupPlan: _setup,
    ThirdPartyPlan: _third_party,
    HarmPlan: _harm,
    HealPlan: _heal,
    EffectPlan: _effect,
    DisplacePlan: _displace,
    FallPlan: _fall,
    RestPlan: _rest,
    ResolvePlan: _resolve,
    WithdrawPlan: _withdraw,
}
"""Plans that are carried out at once, whoever's phase it is."""
