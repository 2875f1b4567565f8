"""Groups of NPCs: many like attacks on one target by the NPC Average Hit chart."""

from dataclasses import dataclass

from engine.model.encounter import Encounter
from engine.model.evidence import Modifier
from engine.model.refusal import Rejection
from engine.model.token import Token
from engine.model.told import told
from engine.rules.drase.combat import (
    AttackSum,
    Exchange,
    attack_sum,
    extras_of,
    fighter_of,
    sum_line,
    too_far,
)
from engine.rules.drase.damage import mitigation, static_damage
from engine.rules.drase.data import Book, book_of
from engine.rules.drase.desk import choose_profile, group_of
from engine.rules.drase.effects import condition
from engine.rules.drase.harm import deal
from engine.rules.drase.npc import Average, average, difference
from engine.rules.drase.plans import GroupAttackPlan
from engine.rules.drase.sheet import AttackProfile, DraseSheet
from engine.rules.drase.situation import Look, Situation, gap_between, look
from engine.rules.drase.state import DamageFrame, sheet_of
from engine.rules.drase.work import Work, with_reason

EVERYTHING = (
    "out_of_reach",
    "out_of_range",
    "full_cover",
    "embrasure",
    "totally_obscured",
    "hidden_between",
    "not_perceived",
    "blind",
)
"""The refusals of an attack that a ruling on the whole phase waives for a group."""


@dataclass(frozen=True, slots=True)
class GroupSum:
    """A group's attack: who takes part, who cannot and why, the chart's answer, the damage."""

    profile: AttackProfile | None
    attackers: tuple[str, ...]
    refusals: tuple[Rejection, ...]
    average: Average
    damage: int
    lines: tuple[Modifier, ...]


def group_sum(
    encounter: Encounter,
    asked: Look,
    plan: GroupAttackPlan,
    target: Token,
    waived: tuple[str, ...] = (),
) -> GroupSum:
    """Return what the chart gives for all attackers that can reach the target now.

    Attackers who stand higher or see worse have another difference; each is looked up.
    """
    book = book_of(encounter)
    leader = encounter.token(plan.token_id)
    members = plan.attackers or tuple(each.id for each in group_of(encounter, leader))
    gaps: dict[int, int] = {}
    taking_part, refusals = [], []
    chosen: AttackProfile | None = None
    victim = fighter_of(target)
    for member in members:
        token = encounter.tokens.get(member)
        profile = choose_profile(sheet_of(token), None, plan.attack) if token is not None else None
        if token is None or profile is None or sheet_of(token).hp <= 0:
            continue
        chosen = chosen or profile
        situation = situation_of(encounter, book, asked, (token, target), profile)
        ours = fighter_of(token)
        extras = extras_of(0, plan.non_lethal, False, False)
        total = attack_sum(book, Exchange(ours, profile, victim, situation, extras))
        against = next((each for each in total.refusals if each.code not in waived), None)
        if against is not None:
            refusals.append(against)
            continue
        taking_part.append(member)
        gap = gap_of(book, total, profile, victim.sheet)
        gaps[gap] = gaps.get(gap, 0) + 1
    found = average(book, gaps)
    damage = static_damage(chosen) if chosen is not None else 0
    return GroupSum(chosen, tuple(taking_part), tuple(refusals), found, damage, _lines(book, found))


def situation_of(
    encounter: Encounter,
    book: Book,
    asked: Look,
    two: tuple[Token, Token],
    profile: AttackProfile,
) -> Situation:
    """Return how one of many attackers stands to the target; too far off, the distance says all."""
    attacker, target = two
    if asked is look:
        far, _ = gap_between(encounter, book, attacker, target, profile.ranged)
        if too_far(profile, sheet_of(attacker), far):
            return Situation(distance=far)
    return asked(encounter, book, attacker, target, profile.ranged)


def gap_of(book: Book, total: AttackSum, profile: AttackProfile, victim: DraseSheet) -> int:
    """Return D for one attacker: cover raises it, height and obscuration are stacks (14.4).

    A player's character has rolled its defence, which stands in its number. An NPC's defence
    stacks count by the chart's average instead of what it rolled.
    """
    number, defender = total.number, 0
    if not victim.pc:
        number -= victim.round_def
        state = condition(book, victim)
        defender = victim.defence_bonuses + state.total("defence_bonus")
        defender -= victim.defence_maluses + state.total("defence_malus")
    return difference(book, total.flat, number, total.bonuses - total.maluses, defender)


def _lines(book: Book, found: Average) -> tuple[Modifier, ...]:
    return tuple(
        sum_line(
            f"Difference {gap}: {count} by row {row.id} ({row.meaning})", None, f"{count} x {rate}"
        )
        for gap, count, row, rate in found.rows
    )


def group_attack(work: Work, plan: GroupAttackPlan, waived: tuple[str, ...]) -> None:
    """Carry out a group's attack: hits by the chart, static damage, no dice, no criticals."""
    target = work.encounter.tokens.get(plan.target_id or "")
    if target is None:
        work.log(f"The group of {work.name(plan.token_id)} finds no target.", plan.token_id)
        return
    if work.ruling.overrule:
        waived = (*waived, *EVERYTHING)
    found = group_sum(work.encounter, work.look, plan, target, waived)
    if found.profile is None or not found.attackers:
        text = told("Nobody of the group can attack {}", target)
        if found.refusals:
            text = with_reason(text, found.refusals[0].sentence)
        else:
            text = told("{}.", text)
        work.log(text, plan.token_id, target.id)
        return
    hits = found.average.hits
    words = "hit" if hits == 1 else "hits"
    work.log(
        f"{len(found.attackers)} attack {target.name} with {found.profile.name}: {hits} {words} "
        f"({found.average.total} by the chart), {found.damage} damage each.",
        *found.attackers[:3],
        target.id,
        lines=found.lines,
    )
    for victim, share in _shares(work, target, found, hits):
        frame = DamageFrame(
            target=victim,
            damage=str(found.damage),
            damage_type=found.profile.damage_type,
            by=found.attackers[0],
            non_lethal=plan.non_lethal or found.profile.non_lethal,
            unavoidable=found.profile.unavoidable,
        )
        deal(work, frame, found.damage, f"{share} x {found.damage}", share)


def _shares(work: Work, target: Token, found: GroupSum, hits: int) -> list[tuple[str, int]]:
    """Return who takes how many hits: a group of NPCs passes on what its fallen do not need."""
    group = [target]
    if not sheet_of(target).pc:
        others = group_of(work.encounter, target)
        group += [each for each in others if each.id != target.id and sheet_of(each).hp > 0]
    shares = []
    for number, token in enumerate(group):
        last = number == len(group) - 1
        needed = hits if last else min(hits, _hits_to_down(work, token, found))
        if needed:
            shares.append((token.id, needed))
        hits -= needed
        if not hits:
            break
    return shares


def _hits_to_down(work: Work, token: Token, found: GroupSum) -> int:
    sheet = sheet_of(token)
    if found.profile is None:
        return 0
    each = found.damage
    if not found.profile.unavoidable:
        each = mitigation(work.book, sheet, found.profile.damage_type).applied(each)
    if each <= 0:
        return 0
    return -(-(max(0, sheet.hp) + sheet.temp_hp) // each)
