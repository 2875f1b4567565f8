"""The damage pipeline: immunity, resistance and vulnerability, temporary hit points, hit points.

Pure numbers on sheets. What is logged and which frames follow is `strikes.py`'s.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from engine.geometry.memo import Kept, Memo
from engine.rules import dice
from engine.rules.dice import Distribution, Roll, Rounding
from engine.rules.drase.data import Book
from engine.rules.drase.sheet import AttackProfile, DamageType, Downed, DraseSheet

HALF = Fraction(1, 2)
MORE = Fraction(3, 2)


@dataclass(frozen=True, slots=True)
class Mitigation:
    """What a victim makes of one type of damage: `net` is vulnerabilities minus resistances."""

    immune: bool = False
    net: int = 0
    rounding: Rounding = Rounding.DOWN

    @property
    def words(self) -> str:
        """Return what it does, empty if nothing."""
        if self.immune:
            return "immune"
        if self.net < 0:
            return "resistant, x0.5"
        return "vulnerable, x1.5" if self.net > 0 else ""

    def applied(self, amount: int) -> int:
        """Return what is left of an amount of damage."""
        if self.immune:
            return 0
        if self.net < 0:
            return dice.rounded(amount * HALF, self.rounding)
        if self.net > 0:
            return dice.rounded(amount * MORE, Rounding.HALF_UP)
        return amount


NO_MITIGATION = Mitigation()


def mitigation(book: Book, victim: DraseSheet, damage_type: DamageType) -> Mitigation:
    """Return how a victim takes a type of damage (section 7, steps 2 and 3).

    Stacks cancel one to one and never compound. Objects are always immune to what the table of
    damage types says. Fire resistance under water cancels vulnerability.
    """
    return _MITIGATIONS(book, victim, damage_type)


def _mitigation(
    _: Kept[Mitigation] | None, book: Book, victim: DraseSheet, damage_type: DamageType
) -> Mitigation:
    row = book.damage_types[damage_type]
    immune = damage_type in victim.immune or (victim.is_object and row.object_immune)
    vuln = victim.vuln.get(damage_type, 0)
    resist = victim.resist.get(damage_type, 0)
    statuses = (book.statuses.get(effect.id) for effect in victim.effects)
    wet = any(status is not None and status.resists == damage_type for status in statuses)
    if wet:
        # [X: combat supplementary] resistance, or it cancels vulnerability
        resist += max(1, vuln) if vuln else 1
    return Mitigation(immune, vuln - resist, Rounding(book.options.resist_round))


_MITIGATIONS: Memo[Mitigation] = Memo(_mitigation, size=2048)


@dataclass(frozen=True, slots=True)
class Dealt:
    """What damage did to a sheet: `amount` after mitigation, `lost` hit points."""

    sheet: DraseSheet
    amount: int
    absorbed: int
    lost: int
    downed: bool


def dealt(
    book: Book,
    victim: DraseSheet,
    amount: int,
    damage_type: DamageType,
    *,
    non_lethal: bool = False,
) -> Dealt:
    """Take damage, already mitigated, off temporary and then off real hit points.

    The non-lethal flag is kept only if this very hit incapacitates an NPC (clarification 17).
    """
    absorbed = min(victim.temp_hp, amount)
    lost = amount - absorbed
    hp = victim.hp - lost
    downed = victim.hp > 0 >= hp
    how = victim.downed
    if downed:
        lethality = book.damage_types[damage_type].lethality
        spared = non_lethal and not victim.pc and not victim.is_object
        how = Downed(damage_type=damage_type, lethality=lethality, non_lethal=spared)
    sheet = victim.changed(hp=hp, temp_hp=victim.temp_hp - absorbed, downed=how)
    return Dealt(sheet, amount, absorbed, lost, downed)


def healed(book: Book, sheet: DraseSheet, points: int) -> DraseSheet:
    """Give hit points back, at most to the maximum; a status may cut what is received."""
    share = Fraction(1)
    for effect in sheet.effects:
        status = book.statuses.get(effect.id)
        if status is not None:
            share = min(share, status.healing)
    hp = min(sheet.hp_max, sheet.hp + dice.rounded(points * share, Rounding.DOWN))
    hp = max(hp, sheet.hp)
    return sheet.changed(hp=hp, downed=None if hp > 0 else sheet.downed)


def damage_roll(profile: AttackProfile, victim_of_npc: bool) -> Roll:
    """Return the damage of a weapon; static for an NPC that rolls none."""
    roll = Roll.parse(profile.damage)
    return Roll(constant=static_damage(profile)) if victim_of_npc else roll


def static_damage(profile: AttackProfile) -> int:
    """Return the static damage of a weapon: as given, or the mean rounded down."""
    if profile.static_damage is not None:
        return profile.static_damage
    return dice.rounded(_odds(profile.damage).mean(), Rounding.DOWN)


@lru_cache(maxsize=512)
def damage_odds(text: str, taken: Mitigation) -> Distribution[int]:
    """Return the odds of what a victim takes of a damage roll."""
    return _odds(text).clamp(low=0).map(taken.applied)


@lru_cache(maxsize=512)
def _odds(text: str) -> Distribution[int]:
    return Roll.parse(text).odds()
