"""The work of the phases in which nobody decides.

Preparation, defence rolls, damage over time, ticks, concentration, the wounds of a round's end.
"""

from engine.model.pending import Answer
from engine.model.told import told
from engine.rules import dice
from engine.rules.drase.areas import harm_in_areas
from engine.rules.drase.combat import stacked_roll
from engine.rules.drase.effects import condition, dots
from engine.rules.drase.events import ConcentrationTested, DefenceRolled
from engine.rules.drase.harm import end_concentration, environment_damage, put_status, tick
from engine.rules.drase.rounds import members
from engine.rules.drase.sheet import Attribute, DamageType
from engine.rules.drase.state import (
    ConcentrationFrame,
    DefenceFrame,
    DotFrame,
    PrepareFrame,
    TickFrame,
    WoundFrame,
)
from engine.rules.drase.work import Work, choice, is_certain, rolled


def run_prepare(work: Work, frame: PrepareFrame) -> None:
    """Let prepared spells and potions work when combat starts.

    Only for who was not surprised and had a minute; they count as applied in round 0
    (clarification 6).
    """
    sheet = work.sheet(frame.token_id)
    if not sheet.prepared or sheet.surprised or not sheet.had_minute:
        if sheet.prepared:
            minutes = work.book.number("preparation_minutes")
            why = "surprised" if sheet.surprised else f"less than {minutes} min to prepare"
            work.log(f"{work.name(frame.token_id)} has nothing prepared: {why}.", frame.token_id)
        return
    for given in sheet.prepared:
        put_status(
            work,
            frame.token_id,
            given.status,
            rounds=given.rounds,
            stacks=given.stacks,
            by=frame.token_id,
        )
    work.put_sheet(frame.token_id, work.sheet(frame.token_id).changed(prepared=()))


def run_defence(work: Work, frame: DefenceFrame) -> None:
    """Roll a creature's net defence bonus or malus of the round; without one it is 0."""
    sheet = work.sheet(frame.token_id)
    if sheet.hp <= 0:
        _keep_defence(work, frame.token_id, 0)
        return
    state = condition(work.book, sheet)
    total_defence = work.state.turn(frame.token_id).has("total_defence")
    bonuses = sheet.defence_bonuses + state.total("defence_bonus") + total_defence
    maluses = sheet.defence_maluses + state.total("defence_malus")
    roll, words = stacked_roll(work.book.options, bonuses, maluses)
    if is_certain(str(roll)):
        _keep_defence(work, frame.token_id, roll.constant)
        return
    asked = frame.changed(roll=str(roll))
    question = told("Defence of {} this round ({})", work.called(frame.token_id), words.lower())
    work.ask_roll(asked, frame.token_id, question, asked.roll)


def answer_defence(work: Work, frame: DefenceFrame, answer: Answer) -> None:
    """Keep the defence of the round, for AC and Saves."""
    result = rolled(frame.roll, answer)
    name = work.name(frame.token_id)
    work.log(f"{name}, defence this round: {result.shown}.", frame.token_id)
    _keep_defence(work, frame.token_id, result.total)


def _keep_defence(work: Work, token_id: str, value: int) -> None:
    if work.sheet(token_id).round_def != value:
        work.emit(DefenceRolled(token_id=token_id, value=value))


def run_dot(work: Work, frame: DotFrame) -> None:
    """Let damage over time fire on a creature, once a round in its own side's step."""
    harm_in_areas(work, frame.token_id)
    drown(work, frame.token_id)
    for dot in dots(work.book, work.sheet(frame.token_id), work.state.round):
        environment_damage(work, frame.token_id, str(dot.amount), dot.damage_type, dot.label)


def drown(work: Work, token_id: str) -> None:
    """Let somebody under water drown once the breath is out: Endurance modifier in rounds.

    [X: combat supplementary] After that 2d6 a round; nothing mitigates it.
    """
    sheet = work.sheet(token_id)
    under = [each for each in sheet.effects if each.id == "immersed"]
    if not under or not sheet.able or sheet.breathes_water:
        return
    rounds = work.state.round - min(each.applied_round for each in under)
    if rounds > max(0, sheet.modifier(Attribute.ENDURANCE)):
        count, sides = work.book.number("drowning_dice"), work.book.number("drowning_die")
        environment_damage(
            work, token_id, f"{count}d{sides}", DamageType.BLUNT, "Drowning", unavoidable=True
        )


def run_tick(work: Work, frame: TickFrame) -> None:
    """Count a round off the statuses of a camp's creatures."""
    for token in tuple(members(work.encounter, frame.camp, objects=True)):
        tick(work, token.id)


def run_concentration(work: Work, frame: ConcentrationFrame) -> None:
    """Test whether a creature that was hit by an attack keeps its spell up."""
    sheet = work.sheet(frame.token_id)
    if not sheet.concentration or sheet.hp <= 0:
        return
    roll = dice.dice(1, 20) + sheet.modifier(Attribute.WILL)
    number = work.book.number("concentration_number")
    asked = frame.changed(roll=str(roll))
    who = work.called(frame.token_id)
    question = told("{} keeps up {}: {} or more", who, sheet.concentration, number)
    work.ask_roll(asked, frame.token_id, question, asked.roll)


def answer_concentration(work: Work, frame: ConcentrationFrame, answer: Answer) -> None:
    """Keep the spell up, or let it end."""
    result = rolled(frame.roll, answer)
    number = work.book.number("concentration_number")
    kept = result.total >= number
    outcome = "keeps it up" if kept else "loses it"
    work.log(
        f"{work.name(frame.token_id)}, concentration: {result.shown} against {number}: {outcome}.",
        frame.token_id,
    )
    hit = tuple(each for each in work.state.hit if each != frame.token_id)
    work.emit(ConcentrationTested(hit=hit))
    if not kept:
        end_concentration(work, frame.token_id)


def run_wound(work: Work, frame: WoundFrame) -> None:
    """Note or ask for the wound of a creature below half its hit points.

    [X: characteristics] A wound die is rolled; its table is not public, so the GM decides.
    """
    if work.book.options.wound_check == "off":
        return
    name = work.name(frame.token_id)
    if work.book.options.wound_check == "note":
        percent = work.book.number("wound_percent")
        work.log(f"{name} is below {percent} % of its hit points: a wound die.", frame.token_id)
        return
    limbs = work.sheet(frame.token_id).limbs
    choices = [choice("none", "No wound")]
    choices += [choice(limb.name, f"A wound on the {limb.name}") for limb in limbs]
    question = told("Wound die of {}", work.called(frame.token_id))
    work.ask_choice(frame, frame.token_id, question, choices)


def answer_wound(work: Work, frame: WoundFrame, answer: Answer) -> None:
    """Count the wound on the limb that was chosen."""
    chosen = str(answer.outcome if answer.outcome is not None else answer.choice)
    sheet = work.sheet(frame.token_id)
    limbs = tuple(
        limb.changed(wounds=limb.wounds + 1) if limb.name == chosen else limb
        for limb in sheet.limbs
    )
    if limbs != sheet.limbs:
        work.put_sheet(frame.token_id, sheet.changed(limbs=limbs))
        work.log(f"{work.name(frame.token_id)}: a wound on the {chosen}.", frame.token_id)
