"""Status effects: what they change, how they come and go, what they do each round (section 8).

Pure functions on sheets; durations count in rounds and each stack has its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.rules.drase.damage import mitigation
from engine.rules.drase.data import Book, StatusRow
from engine.rules.drase.sheet import DamageType, DraseSheet, Effect

STACKS = (
    "attack_bonus",
    "attack_malus",
    "melee_malus",
    "defence_bonus",
    "defence_malus",
    "save_malus",
    "target_bonus",
    "melee_target_bonus",
    "ranged_target_malus",
)


class Part(NamedTuple):
    """One status or feat that adds stacks to a roll."""

    label: str
    stacks: int
    proposal: bool


@dataclass(frozen=True, slots=True)
class Condition:
    """Everything that statuses and feats change on one creature."""

    parts: dict[str, tuple[Part, ...]]
    speed: Fraction = Fraction(1)
    step_cost: int = 1
    halves: int = 2
    reactions: int = 1
    no_hiding: bool = False
    no_moving: bool = False
    perception: int = 0
    stealth: int = 0

    def of(self, name: str) -> tuple[Part, ...]:
        """Return what adds to one kind of stacks, such as "attack_malus"."""
        return self.parts.get(name, ())

    def total(self, name: str) -> int:
        """Return the sum of one kind of stacks."""
        return sum(part.stacks for part in self.of(name))


def condition(book: Book, sheet: DraseSheet) -> Condition:
    """Return what a creature's statuses and feats change."""
    return _condition(book, sheet.effects, sheet.feats)


@lru_cache(maxsize=512)
def _condition(book: Book, effects: tuple[Effect, ...], feats: tuple[str, ...]) -> Condition:
    held = [(row, count) for row, count in stacks_of(book, effects)]
    owned = [book.feats[feat] for feat in feats if feat in book.feats]
    parts: dict[str, tuple[Part, ...]] = {}
    for name in STACKS:
        found = tuple(
            Part(row.label, getattr(row, name) * count, row.proposal)
            for row, count in held
            if getattr(row, name)
        )
        found += tuple(
            Part(feat.label, getattr(feat, name), feat.proposal)
            for feat in owned
            if getattr(feat, name, 0)
        )
        if found:
            parts[name] = found
    rows = [row for row, _ in held]
    deaf = any(row.no_reactions for row in rows)
    return Condition(
        parts=parts,
        speed=min((row.speed for row in rows), default=Fraction(1)),
        step_cost=max((row.step_cost for row in rows), default=1),
        halves=min((row.halves for row in rows), default=2),
        reactions=0 if deaf else 1 + sum(feat.reactions for feat in owned),
        no_hiding=any(row.no_hiding for row in rows),
        no_moving=any(row.no_moving for row in rows),
        perception=sum(feat.perception for feat in owned),
        stealth=sum(feat.stealth for feat in owned),
    )


def stacks_of(book: Book, effects: tuple[Effect, ...]) -> Iterator[tuple[StatusRow, int]]:
    """Yield each status on a creature once, with its stacks up to the most that it allows."""
    counts: dict[str, int] = {}
    for effect in effects:
        counts[effect.id] = counts.get(effect.id, 0) + effect.stacks
    for status, count in counts.items():
        row = book.statuses.get(status)
        if row is not None:
            yield row, min(count, row.max_stacks)


def has(sheet: DraseSheet, status: str) -> bool:
    """Tell whether a creature has a status."""
    return any(effect.id == status for effect in sheet.effects)


def speed(book: Book, sheet: DraseSheet, *, flying: bool = False) -> int:
    """Return the speed of the round: a status may halve it (rounded down) or hold the creature."""
    state = condition(book, sheet)
    if state.no_moving:
        return 0
    base = sheet.fly_speed if flying and sheet.fly_speed is not None else sheet.speed
    return base * state.speed.numerator // state.speed.denominator


def with_effect(
    book: Book, sheet: DraseSheet, effect: Effect, *, recast: bool = False
) -> DraseSheet:
    """Put a status on a creature.

    Statuses do not stack unless their row says so: the application that lasts longer stays. Of
    too many stacks the soonest to end goes. A spell cast again adds its duration to the old one.
    """
    again = [each for each in sheet.effects if (each.id, each.spell) == (effect.id, effect.spell)]
    if recast and again:
        longest = max(again, key=_remaining)
        rest = tuple(each for each in sheet.effects if each is not longest)
        return sheet.changed(effects=(*rest, _added(longest, effect)))
    same = [each for each in sheet.effects if each.id == effect.id]
    others = tuple(each for each in sheet.effects if each.id != effect.id)
    row = book.statuses.get(effect.id)
    most = row.max_stacks if row is not None else 1
    kept = sorted((*same, effect), key=_remaining, reverse=True)
    room, held = most, []
    for each in kept:
        if room > 0:
            held.append(each.changed(stacks=min(each.stacks, room)))
            room -= each.stacks
    return sheet.changed(effects=(*others, *held))


def without_effect(sheet: DraseSheet, status: str) -> DraseSheet:
    """End a status."""
    return sheet.changed(effects=tuple(each for each in sheet.effects if each.id != status))


def without_spell(sheet: DraseSheet, spell: str, caster: str) -> DraseSheet:
    """End what one caster's spell put on a creature."""
    kept = tuple(each for each in sheet.effects if (each.spell, each.applied_by) != (spell, caster))
    return sheet.changed(effects=kept) if len(kept) < len(sheet.effects) else sheet


def ticked(sheet: DraseSheet, number: int) -> tuple[DraseSheet, tuple[str, ...]]:
    """Count a round off what was applied before round `number`; return also what ended."""
    if not sheet.effects:
        return sheet, ()  # most of a crowd
    kept, ended = [], []
    for effect in sheet.effects:
        if effect.duration_rounds is None or effect.applied_round >= number:
            kept.append(effect)
        elif effect.duration_rounds > 1:
            kept.append(effect.changed(duration_rounds=effect.duration_rounds - 1))
        else:
            ended.append(effect.id)
    if tuple(kept) == sheet.effects:
        return sheet, ()
    return sheet.changed(effects=tuple(kept)), tuple(ended)


class Dot(NamedTuple):
    """Damage over time that fires: `amount` before mitigation, `taken` after it."""

    status: str
    label: str
    amount: int
    damage_type: DamageType
    taken: int


def dots(book: Book, sheet: DraseSheet, number: int) -> tuple[Dot, ...]:
    """Return the damage over time that fires in round `number`.

    Of several only the most damaging applies, unless the table rule `dot_stack` says otherwise
    (clarification 7); with `dot_on_application_round = skip` none fires in the round in which it
    was applied (clarification 6).
    """
    found = [dot for dot in _all_dots(book, sheet, number) if dot.amount]
    rule = book.options.dot_stack
    if rule == "all" or not found:
        return tuple(found)
    if rule == "worst_overall":
        return (max(found, key=_harm),)
    worst: dict[DamageType, Dot] = {}
    for dot in found:
        if dot.damage_type not in worst or _harm(dot) > _harm(worst[dot.damage_type]):
            worst[dot.damage_type] = dot
    return tuple(worst.values())


def _all_dots(book: Book, sheet: DraseSheet, number: int) -> Iterator[Dot]:
    skips = book.options.dot_on_application_round == "skip"
    totals: dict[tuple[str, DamageType], int] = {}
    for effect in sheet.effects:
        if skips and effect.applied_round >= number:
            continue
        row = book.statuses.get(effect.id)
        damage = effect.damage_per_tick
        if damage is None:
            damage = row.damage if row is not None else 0
        damage_type = effect.damage_type or (row.damage_type if row is not None else None)
        if damage and damage_type is not None:
            key = effect.id, damage_type
            totals[key] = totals.get(key, 0) + damage * effect.stacks
    for (status, damage_type), amount in totals.items():
        row = book.statuses.get(status)
        label = row.label if row is not None else status
        taken = mitigation(book, sheet, damage_type).applied(amount)
        yield Dot(status, label, amount, damage_type, taken)


def _harm(dot: Dot) -> tuple[int, int]:
    return dot.taken, dot.amount


def _remaining(effect: Effect) -> tuple[float, int]:
    """Order by what is left; of equals the one applied later ends later."""
    left = float("inf") if effect.duration_rounds is None else effect.duration_rounds
    return left, effect.applied_round


def _added(old: Effect, new: Effect) -> Effect:
    if old.duration_rounds is None or new.duration_rounds is None:
        return old.changed(duration_rounds=None)
    return old.changed(duration_rounds=old.duration_rounds + new.duration_rounds)
