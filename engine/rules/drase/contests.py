"""Grapple and shove: d20 + Power against the target's Power or Finesse Save ([proposal])."""

from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.evidence import Modifier
from engine.model.pending import Answer
from engine.model.space import Cell
from engine.model.token import Token
from engine.model.told import told
from engine.rules import dice
from engine.rules.drase.areas import displace
from engine.rules.drase.combat import stacked_roll, sum_line
from engine.rules.drase.data import ActionRow, Book
from engine.rules.drase.effects import condition
from engine.rules.drase.harm import put_status
from engine.rules.drase.plans import ActionPlan
from engine.rules.drase.sheet import Attribute, DraseSheet
from engine.rules.drase.state import ContestFrame
from engine.rules.drase.work import Work, rolled

WORDS = {False: "grapples", True: "shoves"}


def begin_contest(work: Work, plan: ActionPlan, row: ActionRow, waived: tuple[str, ...]) -> None:
    """Ask for the roll of a grapple or a shove."""
    target = plan.target_id or ""
    if target not in work.encounter.tokens:
        work.log(f"{work.name(plan.token_id)} finds nobody to seize.", plan.token_id)
        return
    actor, victim = work.token(plan.token_id), work.token(target)
    near = work.look(work.encounter, work.book, actor, victim, False).distance
    if near > 1 and "out_of_reach" not in waived and not work.ruling.overrule:
        work.log(f"{victim.name} is not within reach of {actor.name}.", actor.id, victim.id)
        return
    attribute = plan.attribute or better_save(work.sheet(target))
    lines, roll, number = contest_sum(
        work.book, work.sheet(plan.token_id), work.sheet(target), attribute
    )
    frame = ContestFrame(
        actor=plan.token_id,
        target=target,
        shove=row.effect == "shove",
        prone=plan.prone,
        save=attribute,
        lines=lines,
        roll=roll,
        number=number,
    )
    question = told("{} {} {}: {} or more", actor, WORDS[frame.shove], victim, number)
    about = (actor.id, victim.id)
    work.ask_roll(frame, actor.id, question, roll, lines=lines, about=about)


def better_save(sheet: DraseSheet) -> Attribute:
    """Return the Save that the target will choose: the better one of Power and Finesse."""
    power, finesse = sheet.save(Attribute.POWER), sheet.save(Attribute.FINESSE)
    return Attribute.POWER if power >= finesse else Attribute.FINESSE


def contest_sum(
    book: Book, actor: DraseSheet, target: DraseSheet, attribute: Attribute
) -> tuple[tuple[Modifier, ...], str, int]:
    """Return the lines, the roll and the number of a grapple or shove."""
    power = actor.modifier(Attribute.POWER)
    number = target.save(attribute) + target.round_def
    weak = condition(book, target).of("save_malus")
    stacked, _ = stacked_roll(book.options, sum(part.stacks for part in weak), 0)
    lines = (
        sum_line("Power", power, f"{power:+d}", proposal=True),
        *(
            sum_line(f"{part.label} target", None, f"{part.stacks} bonus", proposal=True)
            for part in weak
        ),
        sum_line(f"{attribute.capitalize()} Save", None, str(number), proposal=True),
    )
    return lines, str(dice.dice(1, 20) + power + stacked), number


def answer_contest(work: Work, frame: ContestFrame, answer: Answer) -> None:
    """Judge a grapple or a shove, and let its effect follow."""
    if frame.target not in work.encounter.tokens:
        return
    result = rolled(frame.roll, answer)
    margin = result.total - frame.number
    wins = margin >= 0 if work.book.options.meet_beats else margin > 0
    outcome = "succeeds" if wins else "fails"
    work.log(
        f"{work.name(frame.actor)} {WORDS[frame.shove]} {work.name(frame.target)}: "
        f"{result.shown} against {frame.save.capitalize()} Save {frame.number}: {outcome}.",
        frame.actor,
        frame.target,
        lines=frame.lines,
    )
    if not wins:
        return
    if not frame.shove:
        put_status(work, frame.target, "grappled", by=frame.actor)
    elif frame.prone:
        put_status(work, frame.target, "prone", rounds=None, by=frame.actor)
    else:
        away = away_from(work.encounter, work.token(frame.actor), work.token(frame.target))
        displace(work, frame.target, (away,), result.total, "is pushed")


def away_from(encounter: Encounter, actor: Token, target: Token) -> Cell:
    """Return the tile behind the target, seen from the actor."""
    grid = board_grid(encounter.board.grid)
    from_x, from_y = grid.center(actor.cell)
    options = [
        (near.cell, grid.center(near.cell))
        for near in grid.neighbours(target.cell)
        if grid.contains(near.cell)
    ]
    at_x, at_y = grid.center(target.cell)
    dx, dy = at_x - from_x, at_y - from_y
    best = max(options, key=lambda each: _along(each[1], (at_x, at_y), (dx, dy)))
    return best[0]


def _along(point: tuple[float, float], at: tuple[float, float], way: tuple[float, float]) -> float:
    """Return the cosine between a step and the way, so that the straightest step wins."""
    x, y = point[0] - at[0], point[1] - at[1]
    return (x * way[0] + y * way[1]) / ((x * x + y * y) ** 0.5 or 1.0)
