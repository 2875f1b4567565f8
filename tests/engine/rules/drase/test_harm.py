"""Damage, its types, criticals, the downed, objects; statuses and what they do each round."""

from typing import Any

import pytest

from engine.model.refusal import Rejected
from engine.model.region import Region, Surface
from engine.model.value import FrozenMap
from engine.model.wall import Durability, Wall
from engine.rules.drase.damage import healed, mitigation
from engine.rules.drase.effects import condition, dots, speed, ticked, with_effect
from engine.rules.drase.plans import EffectPlan, HarmPlan, HealPlan
from engine.rules.drase.sheet import AttackProfile, DamageType, DraseSheet, Effect
from engine.rules.drase.state import Phase
from tests.helpers.drase import Fight, book, creature, encounter, foe, plan, square, token

CRITICAL_EFFECTS = {
    "cut": "bleeding",
    "pierce": "skewered",
    "blunt": "staggered",
    "fire": "burning",
    "force": "guard_break",
    "cold": "slowed",
    "shock": "staggered",
    "necrotic": "rot",
    "radiant": "illuminated",
    "poison": "poisoned",
    "acid": "guard_break",
    "psychic": "confused",
}
LETHALITY = {
    "cut": "highly lethal",
    "pierce": "lethal",
    "blunt": "somewhat lethal",
    "fire": "somewhat lethal",
    "force": "less lethal",
    "cold": "somewhat lethal",
    "shock": "somewhat less lethal",
    "necrotic": "less lethal",
    "radiant": "somewhat lethal",
    "poison": "somewhat lethal",
    "acid": "lethal",
    "psychic": "non-lethal",
}


def struck(kind: str, *, natural: int = 20, damage: str = "4", **fields: Any) -> Fight:
    """Return a fight in which Arn has just struck the Orc with this type of damage."""
    weapon = AttackProfile(name="Rod", damage=damage, damage_type=kind)
    made = encounter(token("Arn", 5, 5, attacks=[weapon]), foe("Orc", 6, 5, **fields))
    return Fight(made).action("arn", "attack", "orc").end().end().roll(natural)


@pytest.mark.parametrize("kind", list(DamageType))
def test_a_critical_hit_brings_the_effect_of_its_type(kind: DamageType):
    found = struck(kind).sheet("orc").effects
    assert [(each.id, each.duration_rounds) for each in found] == [(CRITICAL_EFFECTS[kind], 1)]


@pytest.mark.parametrize("kind", list(DamageType))
def test_a_plain_hit_brings_none(kind: DamageType):
    assert struck(kind, natural=19).sheet("orc").effects == ()


@pytest.mark.parametrize("kind", list(DamageType))
def test_the_downed_show_how_deadly_it_was(kind: DamageType):
    fight = struck(kind, natural=19, damage="30")
    downed = fight.sheet("orc").downed
    assert downed is not None
    assert (downed.damage_type, downed.lethality) == (kind, LETHALITY[kind])
    card = fight.ruleset.card(fight.sheet("orc"))
    assert card.down
    assert card.badges[0].meaning.startswith(f"Incapacitated, {LETHALITY[kind]}: ")
    assert "Orc is incapacitated." in fight.logged()


def test_the_points_of_a_foe_are_the_gms_to_know():
    fight = struck("cut", natural=19)
    told = {entry.text: entry.secret for entry in fight.now.log}
    assert told["Orc takes 4 Cut damage (4)."] is False
    assert told["Orc: 20 to 16 hit points."] is True
    fight.act(HarmPlan(token_id="arn", damage="4"))
    assert fight.now.log[-1].text == "GM: Arn takes 4 Blunt damage (4): 20 to 16 hit points."


def test_temporary_points_go_first_and_do_not_stack():
    fight = struck("cut", natural=19, temp_hp=3)
    assert (fight.sheet("orc").temp_hp, fight.sheet("orc").hp) == (0, 19)
    fight.act(HealPlan(token_id="orc", points=5, temporary=True))
    fight.act(HealPlan(token_id="orc", points=4, temporary=True))
    assert fight.sheet("orc").temp_hp == 5


def test_immunity_comes_before_vulnerability():
    sheet = DraseSheet(immune=(DamageType.FIRE,), vuln=FrozenMap({DamageType.FIRE: 3}))
    assert mitigation(book(), sheet, DamageType.FIRE).applied(50) == 0


def test_a_pc_is_not_killed_without_consent():
    weapon = AttackProfile(name="Axe", damage="60")
    made = encounter(foe("Orc", 6, 5, attacks=[weapon]), token("Arn", 5, 5, pc=True))
    fight = Fight(made).until(Phase.G3).action("orc", "attack", "arn").end().end().roll(19)
    assert "does not die without the player's consent" in fight.logged()


@pytest.mark.parametrize(
    ("declared", "gentle", "fields", "spared"),
    [
        (True, False, {}, True),
        (False, True, {}, True),
        (False, False, {}, False),
        (True, False, {"pc": True}, False),
        (True, False, {"hp": 0}, False),
        (True, False, {"hp": 19}, False),
    ],
)
def test_only_the_non_lethal_hit_that_downs_an_npc_spares_it(
    declared: bool, gentle: bool, fields: Any, spared: bool
):
    weapon = AttackProfile(name="Rod", damage="15", non_lethal=gentle)
    orc = foe("Orc", 6, 5, **{"hp": 10, **fields})
    fight = Fight(encounter(token("Arn", 5, 5, attacks=[weapon]), orc))
    fight.act(plan("arn", "attack", "orc", non_lethal=declared)).end().end().rule("hit")
    downed = fight.sheet("orc").downed
    assert (downed is not None and downed.non_lethal) is spared


def test_healing_ends_being_downed_and_stops_at_the_maximum():
    fight = struck("cut", natural=19, damage="30").act(HealPlan(token_id="orc", points=99))
    assert (fight.sheet("orc").hp, fight.sheet("orc").downed) == (20, None)


def test_rot_halves_healing():
    sheet = DraseSheet(hp=1, hp_max=20, effects=(Effect(id="rot"),))
    assert healed(book(), sheet, 7).hp == 4


def test_objects_are_immune_to_psychic_and_poison_and_are_destroyed():
    crate = foe("Crate", 6, 5, is_object=True, hp=4, hp_max=4)
    fight = Fight(encounter(token("Arn", 5, 5), crate))
    for kind in (DamageType.PSYCHIC, DamageType.POISON):
        fight.act(HarmPlan(token_id="crate", damage="9", damage_type=kind))
    assert fight.sheet("crate").hp == 4
    fight.act(HarmPlan(token_id="crate", damage="9"))
    assert "Crate is destroyed." in fight.logged()


def test_a_door_is_attacked_by_its_ac_and_hit_points():
    door = Wall(
        id="d",
        name="Oak door",
        points=((6, 5), (6, 6)),
        durability=Durability(hp=5, hp_max=5, ac=11),
    )
    weapon = AttackProfile(name="Axe", damage="5", damage_type=DamageType.CUT)
    fight = Fight(encounter(token("Arn", 5, 5, attacks=[weapon]), walls=[door]))
    forecast = fight.ruleset.forecast(fight.now, plan("arn", "attack", "d"))
    assert "AC of Oak door" in [line.label for line in forecast.lines]
    fight.action("arn", "attack", "d").end().end().roll(6)
    assert fight.now.board.walls["d"].is_open
    assert "Oak door is destroyed." in fight.logged()


@pytest.mark.parametrize(("x", "code"), [(5, None), (6, None), (3, "out_of_reach")])
def test_a_long_gate_is_struck_where_it_is_nearest(x: int, code: str | None):
    held = Durability(hp=5, hp_max=5)
    gate = Wall(id="g", points=((6, 0), (6, 30)), durability=held)
    fight = Fight(encounter(token("Arn", x, 15), walls=[gate]))
    if code is None:
        assert fight.action("arn", "attack", "g").state.turn("arn").declared
    else:
        assert fight.refused(plan("arn", "attack", "g")) == code


def test_fire_ignites_what_burns_and_nobody_wears():
    crate = foe("Crate", 6, 5, is_object=True, flammable=True)
    fight = Fight(encounter(token("Arn", 5, 5), crate))
    fight.act(HarmPlan(token_id="crate", damage="2", damage_type=DamageType.FIRE))
    assert [each.id for each in fight.sheet("crate").effects] == ["burning"]
    assert fight.until(Phase.P1, 2).sheet("crate").hp == 15


def test_cold_puts_fire_out():
    fight = struck("cold", natural=19, effects=(Effect(id="burning"),))
    assert fight.sheet("orc").effects == ()


def pool(**fields: Any) -> Fight:
    water = Region(id="w", rings=square(6, 5, 2), surface=Surface.WATER)
    return Fight(encounter(token("Arn", 5, 5, **fields), foe("Orc", 6, 5), regions=[water]))


def test_water_puts_fire_out_on_the_way():
    fight = pool(effects=(Effect(id="burning", duration_rounds=9),))
    fight.now = fight.now.changed(tokens=fight.now.tokens.without("orc"))
    fight.move("arn", (8, 5)).end().end()
    assert fight.sheet("arn").effects == ()
    assert "the water puts it out" in fight.logged()


def test_who_stands_in_water_does_not_burn():
    fight = pool().act(EffectPlan(token_id="orc", status="burning"))
    assert fight.sheet("orc").effects == ()


def test_who_is_downed_aloft_falls():
    weapon = AttackProfile(name="Bow", range_tiles=9, damage="30")
    made = encounter(token("Arn", 5, 5, attacks=[weapon]), foe("Bat", 6, 5, elevation=5))
    fight = Fight(made).action("arn", "attack", "bat").end().end().roll(19)
    assert fight.prompt is not None
    assert fight.prompt.roll == "2d6"
    assert fight.total(7).now.token("bat").elevation == 0


def test_drowning_begins_when_the_breath_is_out():
    under = (Effect(id="immersed", duration_rounds=None),)
    fight = Fight(encounter(token("Arn", 5, 5, endurance=12, effects=under), foe("Orc", 9, 9)))
    fight.end()
    assert fight.prompt is None
    fight.until(Phase.P1, 2).end()
    assert fight.prompt is not None
    assert fight.prompt.roll == "2d6"


# Statuses


def effect(status: str, **fields: Any) -> Effect:
    return Effect(id=status, **fields)


def test_a_status_does_not_stack_the_longer_stays():
    sheet = with_effect(book(), DraseSheet(), effect("burning", duration_rounds=3))
    sheet = with_effect(book(), sheet, effect("burning", duration_rounds=1))
    assert [each.duration_rounds for each in sheet.effects] == [3]


def test_bleeding_stacks_to_three_each_with_its_own_duration():
    sheet = DraseSheet()
    for rounds in (1, 4, 2, 3):
        sheet = with_effect(book(), sheet, effect("bleeding", duration_rounds=rounds))
    assert [each.duration_rounds for each in sheet.effects] == [4, 3, 2]
    assert dots(book(), sheet, 5)[0].taken == 9
    sheet, ended = ticked(sheet, 5)
    assert (ended, [each.duration_rounds for each in sheet.effects]) == ((), [3, 2, 1])
    sheet, ended = ticked(sheet, 6)
    assert (ended, [each.duration_rounds for each in sheet.effects]) == (("bleeding",), [2, 1])


def test_a_spell_cast_again_adds_its_duration():
    sheet = with_effect(book(), DraseSheet(), effect("slowed", duration_rounds=2, spell="Mire"))
    again = effect("slowed", duration_rounds=3, spell="Mire")
    assert with_effect(book(), sheet, again, recast=True).effects[0].duration_rounds == 5


def test_what_was_applied_this_round_is_not_ticked():
    sheet = DraseSheet(effects=(effect("prone", applied_round=3),))
    assert ticked(sheet, 3)[0] is sheet
    assert ticked(sheet, 4)[1] == ("prone",)


def test_the_most_damaging_counts_after_resistance():
    sheet = DraseSheet(
        effects=(effect("bleeding", stacks=2), effect("burning")),
        resist=FrozenMap({DamageType.CUT: 1}),
    )
    found = dots(book(), sheet, 5)
    assert [(each.status, each.taken) for each in found] == [("bleeding", 3)]
    tougher = sheet.changed(immune=(DamageType.CUT,))
    assert [each.status for each in dots(book(), tougher, 5)] == ["burning"]


@pytest.mark.parametrize(
    ("status", "field", "value"),
    [
        ("staggered", "halves", 1),
        ("confused", "reactions", 0),
        ("prone", "step_cost", 2),
        ("illuminated", "no_hiding", True),
        ("grappled", "no_moving", True),
    ],
)
def test_what_a_status_changes(status: str, field: str, value: Any):
    found = condition(book(), DraseSheet(effects=(effect(status),)))
    assert getattr(found, field) == value


def test_slowed_halves_the_speed_rounded_down_and_never_twice():
    sheet = DraseSheet(speed=7, effects=(effect("slowed"), effect("slowed")))
    assert speed(book(), sheet) == 3


def test_guard_break_is_a_malus_of_the_next_defence_roll():
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 6, 5)))
    fight.act(EffectPlan(token_id="arn", status="guard_break", rounds=2)).end()
    assert fight.prompt is not None
    assert fight.prompt.roll == "-1d6k1"


def test_an_unknown_status_is_refused():
    fight = Fight(encounter(token("Arn", 5, 5)))
    with pytest.raises(Rejected, match="There is no status 'happy'"):
        fight.act(EffectPlan(token_id="arn", status="happy"))


def test_feats_give_their_modifiers():
    found = condition(book(), DraseSheet(feats=("keen_senses", "quick_to_answer")))
    assert (found.perception, found.reactions) == (2, 2)


def test_under_water_fire_is_resisted_and_vulnerability_cancelled():
    wet = creature(effects=(effect("immersed"),))
    assert mitigation(book(), wet, DamageType.FIRE).applied(10) == 5
    weak = wet.changed(vuln=FrozenMap({DamageType.FIRE: 2}))
    assert mitigation(book(), weak, DamageType.FIRE).applied(10) == 10
