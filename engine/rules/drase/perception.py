"""Stealth and perception: hiding sets a number, perceiving must reach it.

Perceive: d20 + Intelligence modifier + perception bonus, and in combat the level bonus, else the
career bonus. Hide: d20 + Finesse modifier + stealth bonus (clarification 13, a proposal).
"""

from collections.abc import Iterator

from engine.events.tokens import TokensPut
from engine.model.encounter import Encounter
from engine.model.evidence import Modifier
from engine.model.pending import Answer
from engine.model.region import Obscuration
from engine.model.token import PARTY, Token
from engine.model.told import told
from engine.model.wall import CoverLabel
from engine.rules import dice
from engine.rules.drase.combat import obscuration, stacked_roll, sum_line
from engine.rules.drase.data import Book
from engine.rules.drase.effects import condition
from engine.rules.drase.npc import worth
from engine.rules.drase.plans import ActionPlan
from engine.rules.drase.sheet import Attribute, DraseSheet
from engine.rules.drase.situation import Situation, hides_from
from engine.rules.drase.state import CheckFrame, sheet_of
from engine.rules.drase.work import Work, rolled


def perceive_sum(
    book: Book, sheet: DraseSheet, situation: Situation | None, *, fighting: bool, career: str = ""
) -> tuple[tuple[Modifier, ...], str]:
    """Return the lines and the roll of a perception check; a situation brings its maluses."""
    flats = [
        ("Intelligence", sheet.modifier(Attribute.INTELLIGENCE)),
        ("Perception bonus", sheet.perception_bonus),
        ("Feats", condition(book, sheet).perception),
    ]
    if fighting and book.options.perception_level_bonus == "in_combat":
        flats.append(("Level bonus", sheet.level_bonus))
    if not fighting:
        flats.append((f"Career bonus {career}".strip(), sheet.career_bonus.get(career, 0)))
    lines = [_flat(label, value) for label, value in flats if value]
    maluses = 0
    for words, count, proposal, evidence in obscuration(book, situation or Situation()):
        maluses += count
        stacks = f"{count} malus" + ("es" if count > 1 else "")
        lines.append(sum_line(words, None, stacks, proposal).changed(evidence=evidence))
    stacked, _ = stacked_roll(book.options, 0, maluses)
    roll = dice.dice(1, 20) + sum(value for _, value in flats) + stacked
    return tuple(lines), str(roll)


def trap_sum(sheet: DraseSheet, career: str) -> tuple[tuple[Modifier, ...], str]:
    """Return the lines and the roll of finding or disarming a trap.

    [X: combat supplementary] d20 + Intelligence modifier, or the bonus of a career, + level bonus.
    """
    flats = [("Level bonus", sheet.level_bonus)]
    if career:
        flats.insert(0, (f"Career bonus {career}", sheet.career_bonus.get(career, 0)))
    else:
        flats.insert(0, ("Intelligence", sheet.modifier(Attribute.INTELLIGENCE)))
    lines = tuple(_flat(label, value) for label, value in flats if value)
    return lines, str(dice.dice(1, 20) + sum(value for _, value in flats))


def hide_sum(book: Book, sheet: DraseSheet) -> tuple[tuple[Modifier, ...], str]:
    """Return the lines and the roll of hiding."""
    flats = [
        ("Finesse", sheet.modifier(Attribute.FINESSE)),
        ("Stealth bonus", sheet.stealth_bonus),
        ("Feats", condition(book, sheet).stealth),
    ]
    lines = [_flat(label, value, proposal=True) for label, value in flats if value]
    maluses = book.number("impede_maluses") if sheet.impeded else 0
    if maluses:
        lines.append(sum_line("Impeding armour", None, f"{maluses} malus"))
    stacked, _ = stacked_roll(book.options, 0, maluses)
    return tuple(lines), str(dice.dice(1, 20) + sum(value for _, value in flats) + stacked)


def begin_check(work: Work, plan: ActionPlan, effect: str) -> None:
    """Begin hiding, or perceiving one creature, everybody who hides, or something by a number."""
    if effect == "hide":
        _begin_hide(work, plan)
        return
    if effect == "trap":
        own = plan.career
        work.push(CheckFrame(actor=plan.token_id, trap=True, career=own, number=plan.number))
        return
    target = plan.target_id if plan.target_id in work.encounter.tokens else None
    frame = CheckFrame(actor=plan.token_id, target=target, career=plan.career, number=plan.number)
    work.push(frame)


def _begin_hide(work: Work, plan: ActionPlan) -> None:
    if work.book.options.hide_number == "gm_sets" and plan.number is not None:
        _hidden(work, plan.token_id, plan.number, "the GM's number")
        return
    work.push(CheckFrame(actor=plan.token_id, hide=True))


def hiders(encounter: Encounter, seeker: Token) -> Iterator[Token]:
    """Yield who hides from this creature."""
    for token in encounter.tokens.values():
        if hides_from(token, seeker):
            yield token


def run_check(work: Work, frame: CheckFrame) -> None:
    """Ask for the roll of a check; what cannot be perceived at all is told instead."""
    actor = work.token(frame.actor)
    if frame.hide:
        lines, roll = hide_sum(work.book, work.sheet(actor.id))
        asked = frame.changed(lines=lines, roll=roll)
        work.ask_roll(asked, actor.id, told("{} hides", actor), roll, lines=lines)
        return
    if frame.trap:
        lines, roll = trap_sum(work.sheet(actor.id), frame.career)
        asked = frame.changed(lines=lines, roll=roll)
        question = told("{} looks for traps", actor)
        work.ask_roll(asked, actor.id, question, roll, lines=lines)
        return
    situation = None
    if frame.target is not None:
        if frame.target not in work.encounter.tokens:
            return
        target = work.token(frame.target)
        situation = work.look(work.encounter, work.book, actor, target, True)
    lines, roll = perceive_sum(
        work.book,
        work.sheet(actor.id),
        situation,
        fighting=work.encounter.fighting,
        career=frame.career,
    )
    asked = frame.changed(lines=lines, roll=roll)
    work.ask_roll(asked, actor.id, told("{} perceives", actor), roll, lines=lines)


def out_of_sight(situation: Situation) -> bool:
    """Tell whether geometry rules perceiving out: full cover or total obscuration.

    An enemy in the way covers fully against attacks, not against being seen.
    """
    covered = any(
        cover.grade is CoverLabel.FULL and not (cover.evidence and cover.evidence.tokens)
        for cover in situation.covers
    )
    return covered or situation.there.level is Obscuration.TOTAL


def answer_check(work: Work, frame: CheckFrame, answer: Answer) -> None:
    """Judge a check: the hider's number stands, or the perceiver reaches it."""
    result = rolled(frame.roll, answer)
    name = work.name(frame.actor)
    if frame.hide:
        work.log(f"{name} hides: {result.shown}.", frame.actor, lines=frame.lines)
        _hidden(work, frame.actor, result.total, "its roll")
        return
    if frame.trap and frame.number is None:
        work.log(f"{name} looks for traps: {result.shown}.", frame.actor, lines=frame.lines)
        return
    if frame.number is not None:
        reached = "reaches" if result.total >= frame.number else "misses"
        verb = "looks for traps" if frame.trap else "perceives"
        text = f"{name} {verb}: {result.shown}, {reached} {frame.number}."
        work.log(text, frame.actor, lines=frame.lines)
        return
    work.log(f"{name} perceives: {result.shown}.", frame.actor, lines=frame.lines)
    seeker = work.token(frame.actor)
    for hider in tuple(hiders(work.encounter, seeker)):
        if frame.target not in (None, hider.id):
            continue
        situation = work.look(work.encounter, work.book, seeker, hider, True)
        number = number_against(work.book, hider, situation, alone=frame.target is not None)
        if number is not None and result.total >= number:
            work.log(f"{name} perceives {hider.name} ({number}).", frame.actor, hider.id)
            _found(work, hider.id, seeker)


def number_against(book: Book, hider: Token, situation: Situation, *, alone: bool) -> int | None:
    """Return what a seeker must reach to perceive a hider, None if geometry rules it out.

    Looking for one creature `alone` rolls the maluses of its obscuration. Looking around is one
    roll for all, so that the number of dice betrays nobody: there each hider's number rises by
    what its obscuration is worth on average (3, then 1).
    """
    number = sheet_of(hider).hidden_number
    if number is None or out_of_sight(situation):
        return None
    if alone:
        return number
    maluses = sum(count for _, count, _, _ in obscuration(book, situation))
    return number + worth(book, maluses)


def _hidden(work: Work, token_id: str, number: int, whose: str) -> None:
    sheet = work.sheet(token_id)
    token = work.token(token_id).changed(sheet=sheet.changed(hidden_number=number))
    if token.side != PARTY:
        token = token.changed(hidden=True)
    work.emit(TokensPut(tokens=(token,)))
    work.log(f"{token.name} hides at {number} ({whose}).", token_id, secret=token.side != PARTY)


def _found(work: Work, token_id: str, seeker: Token) -> None:
    token = work.token(token_id)
    sheet = sheet_of(token).changed(hidden_number=None)
    seen = token.changed(sheet=sheet, hidden=token.hidden and seeker.side != PARTY)
    work.emit(TokensPut(tokens=(seen,)))


def _flat(label: str, value: int, *, proposal: bool = False) -> Modifier:
    return sum_line(label, value, f"{value:+d}", proposal)
