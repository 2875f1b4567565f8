"""Groups of NPCs: many like attacks on one target by the NPC Average Hit chart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.model.encounter import Encounter
from engine.model.evidence import Modifier
from engine.model.refusal import Rejection
from engine.model.token import Token
from engine.model.told import told
from engine.rules.drase.combat import (
    Exchange,
    Fighter,
    Tally,
    attack_tally,
    extras_of,
    fighter_of,
    has_limit,
    sum_line,
    target_number,
    too_far,
)
from engine.rules.drase.damage import mitigation, static_damage
from engine.rules.drase.data import Book, book_of
from engine.rules.drase.desk import choose_profile, group_of
from engine.rules.drase.effects import condition
from engine.rules.drase.harm import deal
from engine.rules.drase.npc import Average, average, difference
from engine.rules.drase.plans import GroupAttackPlan
from engine.rules.drase.sheet import AttackProfile
from engine.rules.drase.situation import Look, Situation, gap_between, look, looks
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


class Attack(NamedTuple):
    """One attack of a group: who, whom, with which weapon."""

    token: Token
    target: Token
    profile: AttackProfile


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
    attacks = list(_attacks(encounter, plan, target))
    gaps: dict[int, int] = {}
    taking_part, refusals = [], []
    victim = fighter_of(target)
    extras = extras_of(0, plan.non_lethal, False, False)
    situations = situations_of(encounter, book, asked, attacks)
    for (token, _, profile), situation in zip(attacks, situations, strict=True):
        ours = fighter_of(token)
        total = attack_tally(book, Exchange(ours, profile, victim, situation, extras))
        against = next((each for each in total.refusals if each.code not in waived), None)
        if against is not None:
            refusals.append(against)
            continue
        taking_part.append(token.id)
        gap = gap_of(book, total, profile, victim)
        gaps[gap] = gaps.get(gap, 0) + 1
    chosen = attacks[0].profile if attacks else None
    found = average(book, gaps)
    damage = static_damage(chosen) if chosen is not None else 0
    return GroupSum(chosen, tuple(taking_part), tuple(refusals), found, damage, _lines(book, found))


def _attacks(encounter: Encounter, plan: GroupAttackPlan, target: Token) -> Iterator[Attack]:
    """Yield the attacks of all in a group who stand and have the weapon."""
    leader = encounter.token(plan.token_id)
    members = plan.attackers or tuple(each.id for each in group_of(encounter, leader))
    for token in (encounter.tokens[each] for each in members if each in encounter.tokens):
        profile = choose_profile(sheet_of(token), None, plan.attack)
        if profile is not None and sheet_of(token).hp > 0:
            yield Attack(token, target, profile)


def situations_of(
    encounter: Encounter, book: Book, asked: Look, attacks: Sequence[Attack]
) -> list[Situation]:
    """Return how each attacker stands to its target; too far off, the distance says all."""
    if asked is not look:
        return [asked(encounter, book, a.token, a.target, a.profile.ranged) for a in attacks]
    found: dict[int, Situation] = {}
    near: dict[bool, list[int]] = {False: [], True: []}
    for number, (token, target, profile) in enumerate(attacks):
        if has_limit(profile, sheet_of(token)):
            far, _ = gap_between(encounter, book, token, target, profile.ranged)
            if too_far(profile, sheet_of(token), far):
                found[number] = Situation(distance=far)
                continue
        near[profile.ranged].append(number)
    for ranged, some in near.items():
        pairs = [(attacks[number].token, attacks[number].target) for number in some]
        found.update(zip(some, looks(encounter, book, pairs, ranged), strict=True))
    return [found[number] for number in range(len(attacks))]


def gap_of(book: Book, total: Tally, profile: AttackProfile, victim: Fighter) -> int:
    """Return D for one attacker: cover raises it, height and obscuration are stacks (14.4).

    A player's character has rolled its defence, which stands in its number. An NPC's defence
    stacks count by the chart's average instead of what it rolled.
    """
    (number, _, _), defender, sheet = target_number(profile, victim), 0, victim.sheet
    if not sheet.pc:
        number -= sheet.round_def
        state = condition(book, sheet)
        defender = sheet.defence_bonuses + state.total("defence_bonus")
        defender -= sheet.defence_maluses + state.total("defence_malus")
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
