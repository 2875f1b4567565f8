"""Falls as they are resolved: break the fall or not, the dice, prone, the legs (section 10)."""

from engine.events.tokens import TokensPut
from engine.model.pending import Answer
from engine.model.told import told
from engine.rules import dice
from engine.rules.drase.falls import Fall, fall, leg_wounds, with_leg_wounds
from engine.rules.drase.harm import deal, put_status, quench_in_water
from engine.rules.drase.sheet import Attribute, DamageType
from engine.rules.drase.situation import cells_of
from engine.rules.drase.state import DamageFrame, FallFrame
from engine.rules.drase.work import Work, choice, rolled

HOLD, CAP, NO = "hold", "cap", "none"


def run_fall(work: Work, frame: FallFrame) -> None:
    """Go on with a fall: ask whether it is broken, or ask for its dice."""
    hurts = fall(work.book, work.sheet(frame.token_id), frame.tiles, frame.surface).dice > 0
    if frame.stage == "ask" and frame.breakable and hurts and work.sheet(frame.token_id).able:
        choices = [
            choice(Attribute.POWER.value, "Break the fall with Power"),
            choice(Attribute.FINESSE.value, "Break the fall with Finesse"),
            choice(NO, "Fall"),
        ]
        question = told("{} falls {} tiles", work.called(frame.token_id), frame.tiles)
        work.ask_choice(frame, frame.token_id, question, choices)
        return
    _land(work, frame)


def answer_fall(work: Work, frame: FallFrame, answer: Answer) -> None:
    """Take the answer of whichever stage the fall is in."""
    {"ask": _chosen, "check": _checked, "grip": _gripped, "dice": _rolled}[frame.stage](
        work, frame, answer
    )


def _chosen(work: Work, frame: FallFrame, answer: Answer) -> None:
    chosen = str(answer.outcome if answer.outcome is not None else answer.choice)
    if chosen not in (Attribute.POWER.value, Attribute.FINESSE.value):
        _land(work, frame)
        return
    attribute = Attribute(chosen)
    roll = dice.dice(1, 20) + work.sheet(frame.token_id).modifier(attribute)
    asked = frame.changed(stage="check", attribute=attribute, roll=str(roll))
    number = work.book.number("break_fall_number")
    question = told("{} breaks the fall: {} or more", work.called(frame.token_id), number)
    work.ask_roll(asked, frame.token_id, question, asked.roll)


def _checked(work: Work, frame: FallFrame, answer: Answer) -> None:
    """Judge the break-fall check: a ledge to hold, or a fall that is capped."""
    result = rolled(frame.roll, answer)
    number = work.book.number("break_fall_number")
    kept = result.total >= number
    name = work.name(frame.token_id)
    outcome = "succeeds" if kept else "fails"
    work.log(f"{name} breaks the fall: {result.shown} against {number}: {outcome}.", frame.token_id)
    if not kept:
        _land(work, frame)
        return
    most = work.book.number("break_fall_dice")
    choices = [
        choice(HOLD, "Hold on to a ledge"),
        choice(CAP, f"Fall on, at most {most} dice"),
    ]
    question = told("{} finds a hold", work.called(frame.token_id))
    work.ask_choice(frame.changed(stage="grip"), frame.token_id, question, choices)


def _gripped(work: Work, frame: FallFrame, answer: Answer) -> None:
    chosen = answer.outcome if answer.outcome is not None else answer.choice
    if chosen == HOLD:
        work.log(f"{work.name(frame.token_id)} holds on to a ledge.", frame.token_id)
        return
    _land(work, frame.changed(broken=True))


def _land(work: Work, frame: FallFrame) -> None:
    """Come down: on the ground, then the dice, if there are any."""
    token = work.token(frame.token_id)
    if token.elevation:
        work.emit(TokensPut(tokens=(token.changed(elevation=0.0),)))
    found = _fall(work, frame)
    if found.dice == 0:
        soft = frame.surface.value != "hard" and frame.tiles > 1
        where = f" into {frame.surface.value}" if soft else ""
        work.log(f"{token.name} falls {_tiles(frame.tiles)}{where} unhurt.", token.id)
        _lie(work, frame, found)
        return
    roll = found.roll(work.book)
    asked = frame.changed(stage="dice", roll=roll)
    work.ask_roll(asked, token.id, told("{} falls {}", token, _tiles(frame.tiles)), roll)


def _rolled(work: Work, frame: FallFrame, answer: Answer) -> None:
    """Deal the damage of the fall and wound the legs by what left the hit points."""
    result = rolled(frame.roll, answer)
    before = work.sheet(frame.token_id)
    hit = DamageFrame(
        target=frame.token_id,
        damage=frame.roll,
        damage_type=DamageType.BLUNT,
        source=f"Fall of {_tiles(frame.tiles)}",
        attack=False,
    )
    deal(work, hit, result.total, result.shown)
    after = work.sheet(frame.token_id)
    wounds = leg_wounds(work.book, before, after)
    if wounds:
        work.put_sheet(frame.token_id, with_leg_wounds(after, wounds))
        noun = "wound" if wounds == 1 else "wounds"
        work.log(f"{work.name(frame.token_id)}: {wounds} {noun} on each leg.", frame.token_id)
    _lie(work, frame, _fall(work, frame))


def _fall(work: Work, frame: FallFrame) -> Fall:
    sheet = work.sheet(frame.token_id)
    return fall(work.book, sheet, frame.tiles, frame.surface, broken=frame.broken)


def _lie(work: Work, frame: FallFrame, found: Fall) -> None:
    if found.prone:
        put_status(work, frame.token_id, "prone", rounds=None)
    token = work.token(frame.token_id)
    quench_in_water(work, token.id, cells_of(work.encounter, token))


def _tiles(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"
