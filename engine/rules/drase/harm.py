"""Harm and what follows from it: damage dealt, creatures downed, statuses that come and go.

Everything that changes hit points or statuses in a fight goes through here, so the log always
names who, what, how much and why.
"""

from engine.events.board import WallsChanged
from engine.events.tokens import TokensPut
from engine.geometry.terrain import terrain_of
from engine.model.pending import Answer
from engine.model.region import Surface
from engine.model.space import Cell
from engine.model.told import told
from engine.rules.drase.damage import NO_MITIGATION, Dealt, dealt, mitigation
from engine.rules.drase.effects import has, ticked, with_effect, without_effect, without_spell
from engine.rules.drase.events import EffectsChanged, Harmed
from engine.rules.drase.objects import durability_after
from engine.rules.drase.sheet import DamageType, DraseSheet, Effect
from engine.rules.drase.situation import cells_of, depth_below, surface_at
from engine.rules.drase.state import DamageFrame, FallFrame
from engine.rules.drase.work import Work, is_certain, rolled


def run_damage(work: Work, frame: DamageFrame) -> None:
    """Ask for the damage roll, or deal at once what needs no dice."""
    tokens = work.encounter.tokens
    if frame.target not in tokens and frame.target not in work.encounter.board.walls:
        return
    about = _about(work, frame)
    if is_certain(frame.damage) or not about:
        deal(work, frame, rolled(frame.damage, Answer()).total, frame.damage)
        return
    label = work.book.damage_types[frame.damage_type].label
    question = told("{} damage to {}", label, work.called(frame.target))
    work.ask_roll(frame, about[0], question, frame.damage, about=about)


def answer_damage(work: Work, frame: DamageFrame, answer: Answer) -> None:
    """Deal the damage that was rolled."""
    result = rolled(frame.damage, answer)
    deal(work, frame, result.total, result.shown)


def deal(work: Work, frame: DamageFrame, amount: int, shown: str, hits: int = 1) -> None:
    """Deal damage by the pipeline and tell it; then the effects that come with it.

    Several equal hits are mitigated one by one and dealt together.
    """
    amount = max(0, amount)
    victim = work.victim(frame.target)
    taken = mitigation(work.book, victim, frame.damage_type)
    if frame.unavoidable:
        taken = NO_MITIGATION
    result = dealt(
        work.book,
        victim,
        taken.applied(amount) * hits,
        frame.damage_type,
        non_lethal=frame.non_lethal,
    )
    _put(work, frame, amount, result)
    details = [each for each in (shown, taken.words) if each]
    _tell(work, frame, details, victim.hp, result)
    if result.downed:
        _down(work, frame, result.sheet)
    if frame.target in work.encounter.tokens:
        _consequences(work, frame, result)


def _put(work: Work, frame: DamageFrame, amount: int, result: Dealt) -> None:
    if frame.target in work.encounter.tokens:
        work.emit(
            Harmed(
                token_id=frame.target,
                damage_type=frame.damage_type,
                rolled=amount,
                amount=result.amount,
                absorbed=result.absorbed,
                hp=result.sheet.hp,
                temp_hp=result.sheet.temp_hp,
                downed=result.sheet.downed,
            )
        )
        return
    wall = work.encounter.board.walls[frame.target]
    work.emit(WallsChanged(put=(durability_after(wall, result.sheet.hp),)))


def _tell(work: Work, frame: DamageFrame, details: list[str], before: int, result: Dealt) -> None:
    """Tell what somebody takes; how many points a foe has left is the GM's to know."""
    label = work.book.damage_types[frame.damage_type].label
    if frame.unavoidable:
        details.append("unavoidable")
    cause = f"{frame.source}: " if frame.source else ""
    taken = told(
        "{}{} takes {} {} damage ({})",
        cause,
        work.called(frame.target),
        result.amount,
        label,
        "; ".join(details),
    )
    points = f"{before} to {result.sheet.hp} hit points"
    if result.absorbed:
        points = f"{result.absorbed} off temporary hit points, {points}"
    work.log_points(taken, points, *_about(work, frame))


def _about(work: Work, frame: DamageFrame) -> tuple[str, ...]:
    named = (frame.by, frame.target)
    return tuple(each for each in named if each is not None and each in work.encounter.tokens)


def _down(work: Work, frame: DamageFrame, after: DraseSheet) -> None:
    name = work.name(frame.target)
    about = (frame.target,) if frame.target in work.encounter.tokens else ()
    if after.is_object:
        work.log(told("{} is destroyed.", work.called(frame.target)), *about)
        return
    row = work.book.damage_types[frame.damage_type]
    meaning = work.book.lethality[row.lethality].meaning
    spared = after.downed is not None and after.downed.non_lethal
    ending = "spared: much more likely to live with prompt care" if spared else meaning
    work.log(f"{name} is incapacitated. {row.wound} ({row.lethality}: {ending}.)", *about)
    if after.pc:
        work.log(f"{name} does not die without the player's consent.", *about)
    if after.concentration:
        end_concentration(work, frame.target)
    token = work.token(frame.target)
    if token.elevation >= 1:
        deep = depth_below(work.encounter, token)
        surface = surface_at(work.encounter, token)
        work.push(FallFrame(token_id=token.id, tiles=deep, surface=surface))


def _consequences(work: Work, frame: DamageFrame, result: Dealt) -> None:
    """Put on the victim what a critical hit, the attack, and the type of damage bring."""
    row = work.book.damage_types[frame.damage_type]
    victim = result.sheet
    if frame.attack and victim.concentration and not result.downed:
        work.note_hit(frame.target)
    if frame.critical and row.critical and not victim.is_object:
        put_status(work, frame.target, row.critical, by=frame.by)
    for given in frame.effects:
        put_status(
            work,
            frame.target,
            given.status,
            rounds=given.rounds,
            stacks=given.stacks,
            by=frame.by,
            spell=frame.spell,
        )
    if row.ignites and victim.is_object and victim.flammable and result.amount:
        put_status(work, frame.target, "burning", rounds=None, by=frame.by)
    if row.quenches and has(work.sheet(frame.target), "burning"):
        end_status(work, frame.target, "burning", "the cold puts it out")


def put_status(
    work: Work,
    token_id: str,
    status: str,
    *,
    rounds: int | None = 0,
    stacks: int = 1,
    by: str | None = None,
    spell: str = "",
) -> None:
    """Put a status on a creature and tell it; `rounds` 0 stands for the usual duration."""
    name = work.name(token_id)
    row = work.book.statuses.get(status)
    label = row.label if row is not None else status
    if status == "burning" and in_water(work, cells_of(work.encounter, work.token(token_id))):
        work.log(f"{name} stands in water and does not burn.", token_id)
        return
    sheet = work.sheet(token_id)
    duration = work.book.number("effect_rounds") if rounds == 0 else rounds
    effect = Effect(
        id=status,
        stacks=stacks,
        duration_rounds=duration,
        applied_round=work.state.round,
        applied_by=by,
        spell=spell,
    )
    after = with_effect(work.book, sheet, effect, recast=bool(spell))
    if after.effects == sheet.effects:
        return
    work.emit(EffectsChanged(token_id=token_id, effects=after.effects, came=(status,)))
    lasts = "until it is ended" if duration is None else f"{duration} round"
    lasts += "s" if duration is not None and duration > 1 else ""
    work.log(f"{name}: {label} ({lasts}).", token_id)
    if row is not None and row.no_hiding:
        reveal(work, token_id)


def reveal(work: Work, token_id: str) -> None:
    """End the hiding of a creature that cannot hide any more."""
    token = work.token(token_id)
    sheet = work.sheet(token_id)
    if sheet.hidden_number is not None:
        seen = token.changed(sheet=sheet.changed(hidden_number=None), hidden=False)
        work.emit(TokensPut(tokens=(seen,)))
        work.log(f"{token.name} no longer hides.", token_id)


def end_status(work: Work, token_id: str, status: str, why: str = "") -> None:
    """End a status on a creature and tell it."""
    sheet = work.sheet(token_id)
    after = without_effect(sheet, status)
    if after.effects == sheet.effects:
        return
    work.emit(EffectsChanged(token_id=token_id, effects=after.effects, ended=(status,)))
    row = work.book.statuses.get(status)
    label = row.label if row is not None else status
    reason = f": {why}" if why else ""
    work.log(f"{work.name(token_id)}: {label} ends{reason}.", token_id)


def end_concentration(work: Work, token_id: str) -> None:
    """Let a spell go: it ends on everybody whom its caster put it on."""
    sheet = work.sheet(token_id)
    spell = sheet.concentration
    if not spell:
        return
    work.log(f"{work.name(token_id)} no longer keeps up {spell}.", token_id)
    work.put_sheet(token_id, sheet.changed(concentration=""))
    for other in tuple(work.encounter.tokens.values()):
        held = other.sheet
        if isinstance(held, DraseSheet):
            after = without_spell(held, spell, token_id)
            if after is not held:
                ended = tuple(each.id for each in held.effects if each not in after.effects)
                work.emit(EffectsChanged(token_id=other.id, effects=after.effects, ended=ended))


def tick(work: Work, token_id: str) -> None:
    """Count a round off the statuses of a creature."""
    sheet = work.sheet(token_id)
    after, ended = ticked(sheet, work.state.round)
    if after is sheet:
        return
    work.emit(EffectsChanged(token_id=token_id, effects=after.effects, ended=ended))
    for status in ended:
        row = work.book.statuses.get(status)
        label = row.label if row is not None else status
        work.log(f"{work.name(token_id)}: {label} ends.", token_id)


def in_water(work: Work, cells: tuple[Cell, ...]) -> bool:
    """Tell whether any of these tiles is water deep enough to put fire out."""
    surfaces = terrain_of(work.encounter.board).surfaces
    return any(surfaces.get(cell) is Surface.WATER for cell in cells)


def quench_in_water(work: Work, token_id: str, cells: tuple[Cell, ...]) -> None:
    """Put out whoever has gone through waist-deep water."""
    if has(work.sheet(token_id), "burning") and in_water(work, cells):
        end_status(work, token_id, "burning", "the water puts it out")


def environment_damage(
    work: Work,
    target: str,
    damage: str,
    damage_type: DamageType,
    source: str,
    *,
    unavoidable: bool = False,
    non_lethal: bool = False,
    by: str | None = None,
) -> None:
    """Push damage that comes from no attack."""
    work.push(
        DamageFrame(
            target=target,
            damage=damage,
            damage_type=damage_type,
            source=source,
            by=by,
            unavoidable=unavoidable,
            non_lethal=non_lethal,
            attack=False,
        )
    )
