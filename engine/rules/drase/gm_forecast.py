"""What the GM's own hand would bring: damage, healing, a status, a push, a corrected movement."""

from fractions import Fraction

from engine.grid.grid import board_grid
from engine.model.evidence import Evidence, Modifier
from engine.model.refusal import impossible
from engine.model.space import Cell
from engine.model.token import Token
from engine.rules import dice
from engine.rules.drase.areas import straight_way
from engine.rules.drase.combat import tiles
from engine.rules.drase.damage import NO_MITIGATION, damage_odds, healed, mitigation
from engine.rules.drase.desk import Desk
from engine.rules.drase.falls import fall
from engine.rules.drase.movement import left
from engine.rules.drase.plans import DisplacePlan, EffectPlan, HarmPlan, HealPlan, LedgerPlan
from engine.rules.drase.situation import base_of, surface_at
from engine.rules.drase.state import sheet_of, state_of
from engine.rules.ruleset import Band, Forecast, ForecastRow


def harm_forecast(desk: Desk, plan: HarmPlan) -> Forecast:
    """Return what damage from nobody in particular would do, after resistances."""
    sheet = desk.sheet
    try:
        roll = dice.Roll.parse(plan.damage)
    except dice.DiceError as error:
        raise impossible("bad_dice", str(error), token_id=desk.token.id) from error
    taken = NO_MITIGATION if plan.unavoidable else mitigation(desk.book, sheet, plan.damage_type)
    harm = damage_odds(plan.damage, taken)
    left_over = max(0, sheet.hp) + sheet.temp_hp
    downs = harm.at_least(left_over) if left_over else Fraction(0)
    row = ForecastRow(
        chance=Fraction(1),
        bands=(Band(label="downs", chance=downs),),
        damage=tuple((amount, Fraction(weight, harm.total)) for amount, weight in harm.items),
        mean=harm.mean(),
    )
    kind = plan.damage_type.value.capitalize()
    lines = [Modifier(label=f"{kind} damage", text=plan.damage)]
    if taken.words:
        lines.append(Modifier(label=f"{desk.token.name} against {kind}", text=taken.words))
    return Forecast(
        title=f"Damage to {desk.token.name}",
        lines=tuple(lines),
        roll=plan.damage if roll.plus or roll.minus else None,
        rows=(row,),
    )


def heal_forecast(desk: Desk, plan: HealPlan) -> Forecast:
    """Return the hit points before and after."""
    sheet = desk.sheet
    if plan.temporary:
        label, before, after = (
            "Temporary hit points",
            sheet.temp_hp,
            max(sheet.temp_hp, plan.points),
        )
    else:
        label, before = "Hit points", sheet.hp
        after = healed(desk.book, sheet, plan.points).hp
    line = Modifier(label=label, text=f"{before} to {after}")
    return Forecast(title=f"Healing for {desk.token.name}", lines=(line,))


def effect_forecast(desk: Desk, plan: EffectPlan) -> Forecast:
    """Return what a status would be, or that it ends."""
    row = desk.book.statuses.get(plan.status)
    if row is None:
        known = ", ".join(desk.book.statuses)
        raise impossible("unknown_status", f"There is no status {plan.status!r}: {known}.")
    lasts = "until it is ended" if plan.rounds is None else f"{plan.rounds} r"
    text = "ends" if plan.ends else lasts
    line = Modifier(label=row.label, text=text, proposal=row.proposal)
    return Forecast(title=f"{row.label}: {desk.token.name}", lines=(line,))


def ledger_forecast(desk: Desk, plan: LedgerPlan) -> Forecast:
    """Return the movement left before and after a correction."""
    remains = left(desk.book, desk.token, desk.turn)
    after = max(0, remains + plan.tiles)
    line = Modifier(label="Movement left", text=f"{tiles(remains)} to {tiles(after)}")
    return Forecast(title=f"Movement of {desk.token.name}", lines=(line,))


def displace_forecast(desk: Desk, plan: DisplacePlan) -> Forecast:
    """Return how far a push would go, and the fall if it leads over an edge."""
    title = f"Displace {desk.token.name}"
    if not plan.path:
        return Forecast(title=title)
    way = straight_way(desk.encounter, desk.token.cell, plan.path)
    lines = [Modifier(label="Displaced by", text=tiles(len(way)), evidence=Evidence(cells=way))]
    kept = state_of(desk.encounter).displaced.get(desk.token.id)
    if kept is not None and (len(way), plan.roll) < (kept.degree, kept.roll):
        lines.append(Modifier(label="A stronger displacement counts", text=tiles(kept.degree)))
    return Forecast(title=title, lines=(*lines, *push_lines(desk, desk.token, way)))


def push_lines(desk: Desk, pushed: Token, way: tuple[Cell, ...]) -> tuple[Modifier, ...]:
    """Return the line of the fall that a push over an edge brings, none where there is no edge."""
    if pushed.elevation >= 1:
        return ()
    encounter, before = desk.encounter, base_of(desk.encounter, pushed)
    for cell in way:
        grounded = pushed.changed(cell=cell, elevation=0.0)
        drop = before - base_of(encounter, grounded)
        if drop >= 1:
            found = fall(desk.book, sheet_of(pushed), drop, surface_at(encounter, grounded))
            label = f"Falls {tiles(drop)} at {board_grid(encounter.board.grid).label(cell)}"
            return (Modifier(label=label, text=found.roll(desk.book)),)
    return ()
