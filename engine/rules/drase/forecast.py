"""What a plan would bring: the lines of its sum, the roll, exact odds, and what stands against it.

The sums are those of the resolution (`combat`, `groups`, `contests`, `perception`, `falls`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from engine.model.encounter import Encounter
from engine.model.evidence import Evidence, Modifier
from engine.model.refusal import Rejected, Rejection, impossible
from engine.rules.dice import Roll
from engine.rules.drase.ahead import notes, others_before
from engine.rules.drase.areas import shape_of, tokens_in
from engine.rules.drase.combat import (
    Fighter,
    Odds,
    attack_sum,
    odds,
    tiles,
)
from engine.rules.drase.contests import away_from, better_save, contest_sum
from engine.rules.drase.damage import (
    NO_MITIGATION,
    Mitigation,
    damage_odds,
    mitigation,
    static_damage,
)
from engine.rules.drase.desk import (
    OUTSIDE,
    Desk,
    action_row,
    desk_for,
    desk_then,
    exchange_with,
    profile_of,
    rise_of,
)
from engine.rules.drase.falls import fall
from engine.rules.drase.gm_forecast import (
    displace_forecast,
    effect_forecast,
    harm_forecast,
    heal_forecast,
    ledger_forecast,
    push_lines,
)
from engine.rules.drase.groups import group_sum
from engine.rules.drase.legality import refusals, standing_refusals, target_refusals
from engine.rules.drase.movement import Walk, left, plan_walk, price_per_tile
from engine.rules.drase.perception import (
    hide_sum,
    hiders,
    number_against,
    perceive_sum,
    trap_sum,
)
from engine.rules.drase.plans import (
    ActionPlan,
    DisplacePlan,
    EffectPlan,
    FallPlan,
    GroupAttackPlan,
    HarmPlan,
    HealPlan,
    LedgerPlan,
    TravelPlan,
)
from engine.rules.drase.sheet import AttackProfile, DamageType
from engine.rules.drase.situation import Look, depth_below, surface_at
from engine.rules.drase.state import sheet_of
from engine.rules.drase.words import plan_words
from engine.rules.ruleset import Band, Forecast, ForecastRow, MovePlan, Plan

Maker = Callable[[Desk, Any], Forecast]


def forecast(encounter: Encounter, plan: Plan, look: Look) -> Forecast:
    """Return what a plan would bring; plans without odds have a title and their refusals."""
    maker = _MAKERS.get(type(plan))
    if maker is None:
        return Forecast(title=plan_words(encounter, plan))
    desk = desk_for(encounter, plan, look)
    now = _made(maker, desk, plan)
    others = others_before(encounter, plan)
    if not others:
        return now
    later = desk_then(desk, others)
    then = now if later is desk else _made(maker, later, plan)
    found = _by_then(now, then, fixed=isinstance(plan, MovePlan | TravelPlan))
    return found.changed(lines=(*found.lines, *notes(desk.book, encounter, plan, others)))


def _made(maker: Maker, desk: Desk, plan: Plan) -> Forecast:
    try:
        return maker(desk, plan)
    except Rejected as error:
        title = plan_words(desk.encounter, plan)
        return Forecast(title=title, refusals=(error.rejection,))


def _by_then(now: Forecast, then: Forecast, *, fixed: bool) -> Forecast:
    """Return what a plan brings when its turn has come; its refusals are those of now.

    A way is `fixed` when it is declared. What will stand against the plan by then is told in words.
    """
    codes = {each.code for each in now.refusals}
    lost = tuple(
        Modifier(label=each.sentence, text="by then")
        for each in then.refusals
        if each.code not in codes
    )
    shown = now if fixed else then
    return shown.changed(lines=(*shown.lines, *lost), refusals=now.refusals)


def _action(desk: Desk, plan: ActionPlan) -> Forecast:
    row = action_row(desk.book, plan)
    if row.effect in ("attack", "cast"):
        return _attack(desk, plan)
    against = _against(desk, plan)
    if row.effect in ("grapple", "shove"):
        return _contest(desk, plan, against)
    if row.effect in ("perceive", "hide", "trap"):
        return _check(desk, plan, against)
    return Forecast(title=row.label, refusals=(*against, *target_refusals(desk, plan)))


def _against(desk: Desk, plan: ActionPlan) -> tuple[Rejection, ...]:
    """Return what stands against an action besides its target."""
    row = action_row(desk.book, plan)
    if not desk.encounter.fighting and row.effect in OUTSIDE:
        return ()
    reaction = plan.target_id if row.cost == "reaction" else None
    key = (plan.action, plan.attack, plan.cost, plan.happening, reaction)
    if key not in desk.known:
        desk.known[key] = tuple(refusals(desk, plan))
    return desk.known[key]


def _attack(desk: Desk, plan: ActionPlan) -> Forecast:
    profile = profile_of(desk, plan)
    against = _against(desk, plan)
    if plan.shape is not None and profile.area is not None:
        return _area_attack(desk, plan, profile, against)
    attack = exchange_with(desk, plan, profile, plan.target_id)
    if attack is None:
        return Forecast(title=profile.name, refusals=against)
    total = attack_sum(desk.book, attack)
    row = _row(desk, profile, attack.target, odds(desk.book, total, profile))
    return Forecast(
        title=f"{desk.token.name} attacks {attack.target.name} with {profile.name}",
        lines=total.lines,
        roll=None if profile.unavoidable else total.text,
        rows=(row,),
        refusals=(*against, *total.refusals),
    )


CERTAIN = Odds(Fraction(0), Fraction(1), Fraction(0))
"""The odds of what needs no roll."""


def _row(desk: Desk, profile: AttackProfile, target: Fighter, chances: Odds) -> ForecastRow:
    static = desk.book.options.npc_damage == "static" and not desk.sheet.pc
    taken = mitigation(desk.book, target.sheet, profile.damage_type)
    if profile.unavoidable:
        taken = NO_MITIGATION
        chances = CERTAIN
    left_over = max(0, target.sheet.hp) + target.sheet.temp_hp
    text = str(static_damage(profile)) if static else profile.damage
    return _row_of(chances, text, taken, left_over)


@lru_cache(maxsize=2048)
def _row_of(chances: Odds, text: str, taken: Mitigation, left_over: int) -> ForecastRow:
    """Return the row of an attack; like odds on like targets share one."""
    hit, critical = chances.hit, chances.critical
    chance = hit + critical
    harm = damage_odds(text, taken)
    downs = chance * harm.at_least(left_over) if left_over else Fraction(0)
    amounts = {0: 1 - chance} if chance < 1 else {}
    for amount, weight in harm.items:
        share = chance * Fraction(weight, harm.total)
        amounts[amount] = amounts.get(amount, Fraction(0)) + share
    listed = tuple((amount, share) for amount, share in sorted(amounts.items()) if share)
    return ForecastRow(
        chance=chance,
        bands=(
            Band(label="critical hit", chance=critical),
            Band(label="hit", chance=hit),
            Band(label="miss", chance=1 - chance),
            Band(label="downs", chance=downs),
        ),
        damage=listed,
        mean=chance * harm.mean(),
    )


def _area_attack(
    desk: Desk, plan: ActionPlan, profile: AttackProfile, against: tuple[Rejection, ...]
) -> Forecast:
    """Return one row for each creature in the template."""
    rows = []
    if plan.shape is not None:
        for token in tokens_in(desk.encounter, shape_of(profile, plan.shape)):
            attack = exchange_with(desk, plan, profile, token.id)
            if attack is not None:
                total = attack_sum(desk.book, attack)
                row = _row(desk, profile, attack.target, odds(desk.book, total, profile))
                rows.append(row.changed(answer=token.name))
    title = f"{desk.token.name}: {profile.name} on {len(rows)}"
    refused = (*against, *target_refusals(desk, plan))
    return Forecast(title=title, rows=tuple(rows), refusals=refused)


def _contest(desk: Desk, plan: ActionPlan, against: tuple[Rejection, ...]) -> Forecast:
    row = action_row(desk.book, plan)
    target = desk.encounter.tokens.get(plan.target_id or "")
    if target is None:
        return Forecast(title=row.label, refusals=against)
    attribute = plan.attribute or better_save(sheet_of(target))
    lines, roll, number = contest_sum(desk.book, desk.sheet, sheet_of(target), attribute)
    needed = number if desk.book.options.meet_beats else number + 1
    chance = Roll.parse(roll).odds().at_least(needed)
    if row.effect == "shove" and not plan.prone:
        away = away_from(desk.encounter, desk.token, target)
        lines = (*lines, *push_lines(desk, target, (away,)))
    return Forecast(
        title=f"{row.label}: {target.name}",
        lines=lines,
        roll=roll,
        rows=(ForecastRow(chance=chance),),
        refusals=(*against, *target_refusals(desk, plan)),
    )


def _check(desk: Desk, plan: ActionPlan, against: tuple[Rejection, ...]) -> Forecast:
    row = action_row(desk.book, plan)
    if row.effect == "hide":
        lines, roll = hide_sum(desk.book, desk.sheet)
        return Forecast(title=row.label, lines=lines, roll=roll, refusals=against)
    if row.effect == "trap":
        lines, roll = trap_sum(desk.sheet, plan.career)
        return Forecast(
            title=row.label,
            lines=lines,
            roll=roll,
            rows=_against_number(roll, plan.number),
            refusals=against,
        )
    target = desk.encounter.tokens.get(plan.target_id or "")
    situation, number = None, plan.number
    if target is not None:
        situation = desk.look(desk.encounter, desk.book, desk.token, target, True)
        hidden = sheet_of(target).hidden_number
        number = hidden if number is None else number
    lines, roll = perceive_sum(
        desk.book,
        desk.sheet,
        situation,
        fighting=desk.encounter.fighting,
        career=plan.career,
    )
    rows = _against_number(roll, number)
    if target is None and number is None:
        rows = _against_hiders(desk, roll)
    return Forecast(title=row.label, lines=lines, roll=roll, rows=rows, refusals=against)


def _against_hiders(desk: Desk, roll: str) -> tuple[ForecastRow, ...]:
    """Return the chance to perceive each one who hides; none where geometry rules it out."""
    odds_of = Roll.parse(roll).odds()
    rows = []
    for hider in hiders(desk.encounter, desk.token):
        situation = desk.look(desk.encounter, desk.book, desk.token, hider, True)
        number = number_against(desk.book, hider, situation, alone=False)
        chance = Fraction(0) if number is None else odds_of.at_least(number)
        label = "out of sight" if number is None else f"{number} or more"
        bands = (Band(label=label, chance=chance),)
        rows.append(ForecastRow(answer=hider.name, chance=chance, bands=bands))
    return tuple(rows)


def _against_number(roll: str, number: int | None) -> tuple[ForecastRow, ...]:
    """Return the chance of a check, if the number to reach is known."""
    if number is None:
        return ()
    return (ForecastRow(chance=Roll.parse(roll).odds().at_least(number)),)


def _group_attack(desk: Desk, plan: GroupAttackPlan) -> Forecast:
    target = desk.encounter.tokens.get(plan.target_id or "")
    against = tuple(standing_refusals(desk))
    if target is None:
        return Forecast(title="Group attack", refusals=against)
    found = group_sum(desk.encounter, desk.look, plan, target)
    if found.profile is None or not found.attackers:
        return Forecast(title="Group attack", refusals=(*against, *found.refusals[:1]))
    taken = mitigation(desk.book, sheet_of(target), found.profile.damage_type)
    taken = NO_MITIGATION if found.profile.unavoidable else taken
    harm = taken.applied(found.damage) * found.average.hits
    hits = found.average.hits
    left_out = tuple(
        Modifier(label=sentence, text=f"{count} cannot")
        for sentence, count in Counter(each.sentence for each in found.refusals).items()
    )
    return Forecast(
        title=f"{len(found.attackers)} attack {target.name}",
        lines=(*found.lines, *left_out),
        rows=(
            ForecastRow(
                chance=Fraction(1),
                bands=(Band(label="1 hit" if hits == 1 else f"{hits} hits", chance=Fraction(1)),),
                damage=((harm, Fraction(1)),),
                mean=Fraction(harm),
            ),
        ),
        refusals=against,
    )


def _move(desk: Desk, plan: MovePlan | TravelPlan) -> Forecast:
    against = list(standing_refusals(desk))
    rise = rise_of(desk.token, plan)
    if not plan.path and not rise:
        return Forecast(title="Move", refusals=tuple(against))
    mode = plan.mode if isinstance(plan, TravelPlan) else None
    walk = plan_walk(desk.encounter, desk.token, desk.turn, plan.path, mode, rise=rise)
    remains = left(desk.book, desk.token, desk.turn, walk.mode)
    lines = (
        Modifier(label="This way", text=tiles(walk.tiles)),
        *_reasons(desk, walk),
        Modifier(label="Movement left before it", text=tiles(remains)),
    )
    label = desk.book.modes[walk.mode].label
    return Forecast(title=label, lines=lines, refusals=(*against, *walk.refusals))


def _reasons(desk: Desk, walk: Walk) -> Iterator[Modifier]:
    """Yield why a way costs more than its tiles: "climb +2", "Mud +1 (3 times)"."""
    per_tile = price_per_tile(desk.book, desk.token, walk.mode)
    if per_tile > 1:
        yield Modifier(label=desk.book.modes[walk.mode].label, text=f"{per_tile} per tile")
    for reason, cells in walk.reasons:
        times = f" ({len(cells)} times)" if len(cells) > 1 else ""
        yield Modifier(label=f"{reason}{times}", evidence=Evidence(cells=cells))


def _fall(desk: Desk, plan: FallPlan) -> Forecast:
    deep = plan.tiles
    if deep is None:
        deep = depth_below(desk.encounter, desk.token)
    if deep <= 0:
        text = f"{desk.token.name} stands on the ground; say how deep it falls."
        raise impossible("no_fall", text, token_id=desk.token.id)
    surface = plan.surface or surface_at(desk.encounter, desk.token)
    found = fall(desk.book, desk.sheet, max(0, deep), surface)
    text = found.roll(desk.book)
    taken = mitigation(desk.book, desk.sheet, DamageType.BLUNT)
    harm = damage_odds(text, taken)
    row = ForecastRow(
        chance=Fraction(int(found.dice > 0)),
        damage=tuple((amount, Fraction(weight, harm.total)) for amount, weight in harm.items),
        mean=harm.mean(),
    )
    lines = (
        Modifier(label=f"Falls {tiles(deep)}", text=text),
        Modifier(label="Prone" if found.prone else "Not prone", text=""),
    )
    return Forecast(title="Fall", lines=lines, roll=text if found.dice else None, rows=(row,))


_MAKERS: Mapping[type[Plan], Maker] = {
    ActionPlan: _action,
    GroupAttackPlan: _group_attack,
    MovePlan: _move,
    TravelPlan: _move,
    FallPlan: _fall,
    HarmPlan: harm_forecast,
    HealPlan: heal_forecast,
    EffectPlan: effect_forecast,
    LedgerPlan: ledger_forecast,
    DisplacePlan: displace_forecast,
}
