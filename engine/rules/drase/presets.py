"""Ready-made sheets: the NPCs of the threat table and some ordinary fighters of ours."""

from collections.abc import Mapping
from functools import lru_cache

from engine.model.sheet import Sheet
from engine.rules.drase.data import FighterRow, ThreatRow, shipped
from engine.rules.drase.sheet import AttackProfile, DamageType, DraseSheet


@lru_cache(maxsize=1)
def presets() -> Mapping[str, Sheet]:
    """Return the ready-made sheets by name."""
    threats = {row.label: _threat(row) for row in shipped("threats", ThreatRow)}
    return {**{row.label: _fighter(row) for row in shipped("fighters", FighterRow)}, **threats}


def _threat(row: ThreatRow) -> DraseSheet:
    """Make an NPC of the threat table; its dice are ours, their mean is the table's damage."""
    strike = AttackProfile(
        name="Strike",
        damage=row.dice,
        static_damage=row.damage,
        damage_type=DamageType.BLUNT,
    )
    return DraseSheet(
        hp=row.hp,
        hp_max=row.hp,
        ac=row.ac,
        to_hit=row.to_hit,
        attack_bonuses=row.bonuses,
        attacks=(strike,),
    )


def _fighter(row: FighterRow) -> DraseSheet:
    weapon = AttackProfile(
        name=row.weapon,
        reach_tiles=row.reach,
        range_tiles=row.range,
        damage=row.dice,
        damage_type=row.damage_type,
    )
    dagger = AttackProfile(name="Dagger", damage="1d4", damage_type=DamageType.PIERCE)
    return DraseSheet(
        pc=row.pc,
        hp=row.hp,
        hp_max=row.hp,
        ac=row.ac,
        speed=row.speed,
        power=row.power,
        finesse=row.finesse,
        endurance=row.endurance,
        intelligence=row.intelligence,
        will=row.will,
        to_hit=row.to_hit,
        size=row.size,
        attacks=(weapon,) if row.range is None else (weapon, dagger),
    )
