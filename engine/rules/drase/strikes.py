"""Attacks as they are resolved: the sum, the roll, the damage that follows.

The sum is `combat.attack_sum`'s, the same that the forecast shows; it is kept in the frame while
the dice are out, so the log repeats exactly what was announced.
"""

from collections.abc import Mapping, Sequence
from math import floor
from typing import NamedTuple

from engine.geometry.memo import Kept, Memo, changes
from engine.geometry.terrain import terrain_of
from engine.model.pending import Answer
from engine.model.refusal import Rejection
from engine.model.space import Cell
from engine.model.token import Token
from engine.model.told import Told, told
from engine.model.value import FrozenMap
from engine.rules.drase.combat import (
    CRITICAL,
    HIT,
    MISS,
    AttackSum,
    Exchange,
    attack_sum,
    can_crit,
    extras_of,
    judge,
)
from engine.rules.drase.damage import damage_roll
from engine.rules.drase.desk import choose_profile
from engine.rules.drase.events import Happened, TurnNoted
from engine.rules.drase.harm import reveal
from engine.rules.drase.sheet import AttackProfile
from engine.rules.drase.situation import (
    HAIR,
    Place,
    Situation,
    base_of,
    cells_of,
    distance,
    places,
    tiles_to_wall,
    within,
)
from engine.rules.drase.state import AttackFrame, DamageFrame, Happening, at_war, camp_of, sheet_of
from engine.rules.drase.work import Work, rolled, with_reason

BANDS = {MISS: "miss", HIT: "hit", CRITICAL: "critical hit"}


def run_attack(work: Work, frame: AttackFrame) -> None:
    """Begin an attack: what stands against it now, then its roll."""
    profile = sheet_profile(work, frame)
    if profile is None or not _exists(work, frame.target):
        work.log(f"The attack of {work.name(frame.attacker)} finds no target.", frame.attacker)
        return
    total = sum_of(work, frame, profile)
    against = still_against(work, frame.waived, total.refusals)
    if against is not None:
        text = told("{} cannot attack {}", *_two(work, frame))
        work.log(with_reason(text, against.sentence), *_about(work, frame))
        return
    _use_aim(work, frame)
    if profile.unavoidable:
        text = told("{} strikes {} with {}: unavoidable.", *_two(work, frame), profile.name)
        work.log(text, *_about(work, frame))
        work.push(_damage(work, frame, profile, critical=False))
        return
    happened(work, frame, profile)
    question = told(
        "{} attacks {} with {}: {} {}",
        *_two(work, frame),
        profile.name,
        total.number_name,
        total.number,
    )
    asked = frame.changed(
        lines=total.lines,
        roll=total.text,
        number=total.number,
        number_name=total.number_name,
    )
    work.ask_roll(
        asked,
        frame.attacker,
        question,
        asked.roll,
        lines=total.lines,
        about=_about(work, frame),
    )


def answer_attack(work: Work, frame: AttackFrame, answer: Answer) -> None:
    """Judge an attack roll; the GM may rule "hit", "miss" or "critical", or a total."""
    profile = sheet_profile(work, frame)
    if profile is None or not _exists(work, frame.target):
        return
    if answer.outcome in BANDS:
        band, shown = str(answer.outcome), "ruled"
    else:
        result = rolled(frame.roll, answer)
        margin = result.total - frame.number
        band = judge(work.book.options, result.natural, margin, can_crit=can_crit(profile))
        shown = result.shown
    text = told(
        "{}{} attacks {} with {}: {} against {} {}: {}.",
        "Reaction: " if frame.reaction else "",
        *_two(work, frame),
        profile.name,
        shown,
        frame.number_name,
        frame.number,
        BANDS[band],
    )
    work.log(text, *_about(work, frame), lines=frame.lines)
    if band == MISS:
        return
    hit = _happening(work, "hit", frame.attacker, frame.target, "hit")
    record(work, [hit] if frame.target in work.encounter.tokens else [])
    work.push(_damage(work, frame, profile, critical=band == CRITICAL))


def sheet_profile(work: Work, frame: AttackFrame) -> AttackProfile | None:
    """Return the weapon of an attack, None if the attacker has it no more."""
    return choose_profile(work.sheet(frame.attacker), None, frame.attack)


def sum_of(work: Work, frame: AttackFrame, profile: AttackProfile) -> AttackSum:
    """Return the sum of an attack as things stand."""
    attacker = work.token(frame.attacker)
    aim = work.state.turn(attacker.id).aim
    extras = extras_of(aim, frame.non_lethal, frame.reaction, frame.area)
    attack = Exchange(
        work.fighter(frame.attacker),
        profile,
        work.fighter(frame.target),
        situation_of(work, attacker, frame.target, profile),
        extras,
    )
    return attack_sum(work.book, attack)


def situation_of(work: Work, attacker: Token, target_id: str, profile: AttackProfile) -> Situation:
    """Return how the attacker stands to a token, or to a wall as near as it comes."""
    target = work.encounter.tokens.get(target_id)
    if target is not None:
        return work.look(work.encounter, work.book, attacker, target, profile.ranged)
    wall = work.encounter.board.walls[target_id]
    return Situation(distance=tiles_to_wall(work.encounter, attacker, wall))


def still_against(
    work: Work, waived: tuple[str, ...], refusals: tuple[Rejection, ...]
) -> Rejection | None:
    """Return the first refusal that nobody has overruled; one overruled now is noted."""
    for each in refusals:
        if each.code in waived:
            continue
        if not work.ruling.overrule:
            return each
        work.ruling.pass_on(each)
    return None


def happened(work: Work, frame: AttackFrame, profile: AttackProfile) -> None:
    """Note an attack for the reactions of the next phase; who attacks hides no longer."""
    attacker = work.token(frame.attacker)
    reveal(work, attacker.id)
    found = []
    if frame.target in work.encounter.tokens:
        found.append(_happening(work, "attacked", attacker.id, frame.target, "attacked"))
    if profile.ranged or profile.spell:
        trigger = "cast_in_reach" if profile.spell else "ranged_in_reach"
        words = "cast a spell" if profile.spell else "shot"
        found += [
            _happening(work, trigger, attacker.id, watcher, f"{words} in reach")
            for watcher in watchers(work, attacker, [cells_of(work.encounter, attacker)])
        ]
    record(work, found)


class Threat(NamedTuple):
    """An enemy with a melee weapon: who it is, its tiles, and how far it reaches."""

    token: Token
    cells: tuple[Cell, ...]
    reach: int


def threats_to(work: Work, mover: Token) -> list[Threat]:
    """Return the enemies of a creature that threaten anything at all."""
    armed = _ARMED(places(work.encounter))
    sides = [threats for side, threats in armed.items() if at_war(mover.side, side)]
    found = [each for threats in sides for each in threats.values()]
    return found if len(sides) < 2 else sorted(found, key=lambda each: each.token.id)


_Armed = Mapping[str, FrozenMap[str, Threat]]
"""Who threatens anything, by side and id."""


def _armed(latest: Kept[_Armed] | None, now: FrozenMap[str, Place]) -> _Armed:
    old: FrozenMap[str, Place] = FrozenMap()
    found: dict[str, FrozenMap[str, Threat]] = {}
    if latest is not None:
        old, found = latest.sources[0], dict(latest.result)
    changed = changes(old, now)
    found = {side: threats.without(*changed) for side, threats in found.items()}
    fresh: dict[str, dict[str, Threat]] = {}
    for other, cells in (now[each] for each in changed if each in now):
        reach = melee_reach(other)
        if reach and sheet_of(other).able:
            fresh.setdefault(other.side, {})[other.id] = Threat(other, cells, reach)
    for side, threats in fresh.items():
        found[side] = found.get(side, FrozenMap()).put_all(threats)
    return {side: threats for side, threats in found.items() if threats}


_ARMED: Memo[_Armed] = Memo(_armed)


def watchers(work: Work, mover: Token, stands: Sequence[tuple[Cell, ...]]) -> list[str]:
    """Return who has a creature on any of these tiles within the reach of a melee weapon."""
    around = _worth_measuring(threats_to(work, mover), stands) if stands else []
    found: dict[str, None] = {}
    for cells in stands if around else ():
        ground = terrain_of(work.encounter.board).height_at(cells)
        base = floor(ground + mover.elevation + HAIR)
        for each in _worth_measuring(around, (cells,)):
            dz = base - base_of(work.encounter, each.token)
            if within(distance(work.encounter, work.book, each.cells, cells, dz), each.reach):
                found[each.token.id] = None
    return list(found)


def _worth_measuring(threats: Sequence[Threat], stands: Sequence[tuple[Cell, ...]]) -> list[Threat]:
    """Return who may be near enough: no diagonal rule makes less of a way than its steps."""
    columns = [cells[0].x for cells in stands]
    rows = [cells[0].y for cells in stands]
    left, right, top, bottom = min(columns), max(columns), min(rows), max(rows)
    size = max(map(len, stands))
    return [
        each
        for each in threats
        if left <= each.cells[0].x + (room := each.reach + len(each.cells) + size)
        and each.cells[0].x - room <= right
        and top <= each.cells[0].y + room
        and each.cells[0].y - room <= bottom
    ]


def melee_reach(token: Token) -> int:
    """Return how far a creature reaches in melee, 0 if it has no melee weapon."""
    melee = [each for each in sheet_of(token).attacks if not each.ranged and not each.spell]
    return max((each.reach_tiles for each in melee), default=0)


def record(work: Work, happenings: list[Happening]) -> None:
    """Keep happenings, each under its own serial."""
    serial = work.state.serial
    numbered = []
    for each in happenings:
        if camp_of(work.token(each.witness).side) != camp_of(work.token(each.actor).side):
            serial += 1
            numbered.append(each.changed(serial=serial))
    if numbered and work.encounter.fighting:
        work.emit(Happened(happenings=tuple(numbered), serial=serial))


def _happening(work: Work, trigger: str, actor: str, witness: str, words: str) -> Happening:
    text = f"{work.name(actor)} {words}"
    return Happening(serial=0, trigger=trigger, actor=actor, witness=witness, words=text)


def left_reach(work: Work, mover: Token, steps: Sequence[tuple[Cell, ...]]) -> None:
    """Note every enemy in whose reach the mover left a tile; `steps` are the tiles it left."""
    record(
        work,
        [
            _happening(work, "left_tile", mover.id, watcher, "left a tile in reach")
            for watcher in watchers(work, mover, steps)
        ],
    )


def _damage(
    work: Work, frame: AttackFrame, profile: AttackProfile, *, critical: bool
) -> DamageFrame:
    attacker = work.token(frame.attacker)
    static = work.book.options.npc_damage == "static" and not sheet_of(attacker).pc
    return DamageFrame(
        target=frame.target,
        damage=str(damage_roll(profile, static)),
        damage_type=profile.damage_type,
        by=frame.attacker,
        critical=critical,
        non_lethal=frame.non_lethal or profile.non_lethal,
        unavoidable=profile.unavoidable,
        effects=profile.effects,
        spell=profile.name if profile.spell else "",
    )


def _use_aim(work: Work, frame: AttackFrame) -> None:
    turn = work.state.turn(frame.attacker)
    if turn.aim:
        work.emit(TurnNoted(token_id=frame.attacker, aim=0, disengaged=turn.disengaged))


def _exists(work: Work, target_id: str) -> bool:
    return target_id in work.encounter.tokens or target_id in work.encounter.board.walls


def _two(work: Work, frame: AttackFrame) -> tuple[Told, Told]:
    """Return how attacker and target are called."""
    return work.called(frame.attacker), work.called(frame.target)


def _about(work: Work, frame: AttackFrame) -> tuple[str, ...]:
    return tuple(each for each in (frame.attacker, frame.target) if each in work.encounter.tokens)
