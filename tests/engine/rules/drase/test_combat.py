"""The sum of an attack: stacks, flat numbers, judging, and odds against an enumeration."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.refusal import Rejected
from engine.model.region import Obscuration
from engine.model.told import told
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel
from engine.rules.dice import Roll
from engine.rules.drase.combat import (
    CRITICAL,
    HIT,
    MISS,
    Exchange,
    Extras,
    Fighter,
    attack_sum,
    judge,
    odds,
    reach_of,
)
from engine.rules.drase.cover import Cover
from engine.rules.drase.sheet import AttackProfile, DamageType, DraseSheet
from engine.rules.drase.situation import Haze, Situation
from tests.helpers.drase import (
    BOW,
    SWORD,
    Fight,
    book,
    creature,
    encounter,
    foe,
    plan,
    token,
    with_effect,
)

OPEN = Situation()


def summed(
    ours: DraseSheet | None = None,
    theirs: DraseSheet | None = None,
    *,
    profile: AttackProfile = SWORD,
    situation: Situation = OPEN,
    extras: Extras | None = None,
    **options: Any,
) -> Any:
    attack = Exchange(
        Fighter("arn", told("Arn"), ours or creature()),
        profile,
        Fighter("orc", told("Orc"), theirs or creature()),
        situation,
        extras or Extras(),
    )
    return attack_sum(book(**options), attack)


def stacks(found: Any) -> tuple[int, int]:
    return found.bonuses, found.maluses


@pytest.mark.parametrize(
    ("ours", "theirs", "profile", "expected"),
    [
        ({"attack_bonuses": 2}, {}, SWORD, (2, 0)),
        ({"attack_maluses": 1}, {}, SWORD, (0, 1)),
        ({}, {}, SWORD.changed(bonuses=1), (1, 0)),
        ("poisoned", {}, SWORD, (0, 1)),
        ("confused", {}, SWORD, (0, 2)),
        ("skewered", {}, SWORD, (0, 1)),
        ({}, "illuminated", BOW, (1, 0)),
        ({}, "prone", SWORD, (1, 0)),
        ({}, "prone", BOW, (0, 1)),
        ("immersed", {}, SWORD, (0, 1)),
        ("immersed", {}, BOW, (0, 0)),
        ({}, "skewered", SWORD.changed(against="power"), (1, 0)),
        ({"impeded": True}, {}, SWORD.changed(spell=True), (0, 1)),
        ({"impeded": True}, {}, SWORD, (0, 0)),
    ],
)
def test_everything_that_stacks(ours: Any, theirs: Any, profile: AttackProfile, expected: Any):
    assert stacks(summed(_sheet(ours), _sheet(theirs), profile=profile)) == expected


def _sheet(said: Any) -> DraseSheet:
    sheet = creature(mana=99, mana_max=99)
    return with_effect(sheet, said) if isinstance(said, str) else sheet.changed(**said)


def test_who_swims_as_it_walks_fights_unhindered_under_water():
    assert stacks(summed(with_effect(creature(swims=True), "immersed"))) == (0, 0)


def test_normal_range_is_halved_under_water_and_nothing_flies_beyond():
    sheet = with_effect(creature(), "immersed")
    bow = BOW.changed(beyond_range_penalty=4)
    assert reach_of(bow, creature()) == (30, 4)
    assert reach_of(bow, sheet) == (15, None)
    assert reach_of(bow.changed(thrown=True), sheet) == (30, None)


def test_height_is_one_bonus_also_in_melee_and_never_against_a_higher_target():
    assert stacks(summed(situation=Situation(drop=1))) == (1, 0)
    assert stacks(summed(situation=Situation(drop=-1))) == (0, 0)


def test_a_non_lethal_attack_takes_a_malus_unless_the_weapon_is_made_for_it():
    assert stacks(summed(extras=Extras(non_lethal=True))) == (0, 1)
    gentle = SWORD.changed(non_lethal=True)
    assert stacks(summed(profile=gentle, extras=Extras(non_lethal=True))) == (0, 0)


def test_bonuses_and_maluses_cancel_one_by_one():
    found = summed(creature(attack_bonuses=3, attack_maluses=1))
    assert str(found.roll) == "1d20+2d6k1+5"
    assert [line.text for line in found.lines][1:4] == ["3 bonuses", "1 malus", "+2d6k1"]


def test_a_save_is_ten_and_the_modifier_and_moves_with_the_defence():
    weapon = SWORD.changed(against="finesse", spell=True)
    found = summed(theirs=creature(finesse=15, round_def=3), profile=weapon)
    assert (found.number, found.number_name) == (15, "Finesse Save")


def test_a_reaction_ignores_cover_reach_and_range_penalty_but_not_the_dark():
    covered = Situation(
        distance=99,
        covers=(Cover(CoverLabel.FULL, "a wall"), Cover(CoverLabel.HALF, "a crate")),
        there=Haze(Obscuration.TOTAL, "Darkness"),
    )
    found = summed(situation=covered, extras=Extras(reaction=True))
    assert [each.code for each in found.refusals] == ["totally_obscured"]
    assert found.flat == 5


def test_beyond_the_range_the_weapons_own_penalty_counts():
    bow = BOW.changed(beyond_range_penalty=4)
    found = summed(profile=bow, situation=Situation(distance=31))
    assert (found.flat, found.refusals) == (1, ())


@pytest.mark.parametrize(
    ("natural", "margin", "expected"),
    [(20, 0, CRITICAL), (20, -1, MISS), (1, 5, HIT), (10, 0, HIT), (10, -1, MISS)],
)
def test_a_natural_twenty_is_critical_only_if_it_hits(natural: int, margin: int, expected: str):
    assert judge(book().options, natural, margin, can_crit=True) == expected


def test_a_spell_aimed_at_a_save_never_crits():
    spell = SWORD.changed(against="will", spell=True)
    found = summed(profile=spell)
    assert odds(book(), found, spell).critical == 0
    assert odds(book(), summed(), SWORD).critical == Fraction(1, 20)


def throws(roll: Roll) -> Iterator[tuple[int, ...]]:
    yield from product(*(range(1, sides + 1) for sides in roll.dice_sides()))


@given(
    bonuses=st.integers(0, 2),
    maluses=st.integers(0, 2),
    to_hit=st.integers(-3, 12),
    ac=st.integers(5, 25),
    natural=st.sampled_from(["crit_if_hit", "auto"]),
    meet_beats=st.booleans(),
    bonus_cancel=st.sampled_from(["cancel", "roll_both"]),
)
def test_the_odds_are_those_of_all_throws(
    *,
    bonuses: int,
    maluses: int,
    to_hit: int,
    ac: int,
    natural: str,
    meet_beats: bool,
    bonus_cancel: str,
):
    rules = {"natural": natural, "meet_beats": meet_beats, "bonus_cancel": bonus_cancel}
    ours = creature(to_hit=to_hit, attack_bonuses=bonuses, attack_maluses=maluses)
    found = summed(ours, creature(ac=ac), **rules)
    options = book(**rules).options
    counts = {MISS: 0, HIT: 0, CRITICAL: 0}
    for faces in throws(found.roll):
        result = found.roll.evaluate(faces)
        counts[judge(options, result.natural, result.total - ac, can_crit=True)] += 1
    chances = odds(book(**rules), found, SWORD)
    whole = sum(counts.values())
    assert chances.miss == Fraction(counts[MISS], whole)
    assert chances.hit == Fraction(counts[HIT], whole)
    assert chances.critical == Fraction(counts[CRITICAL], whole)


def attacked(**fields: Any) -> Fight:
    """Return a fight whose attack on the Orc has just been asked for."""
    made = encounter(token("Arn", 5, 5, pc=True), foe("Orc", 6, 5, **fields))
    return Fight(made).action("arn", "attack", "orc").end().end()


def test_forecast_prompt_and_log_have_the_same_lines():
    made = encounter(
        token("Arn", 5, 5, attack_bonuses=2, elevation=1), foe("Orc", 6, 5, round_def=1)
    )
    fight = Fight(made).action("arn", "attack", "orc").end()
    forecast = fight.ruleset.forecast(fight.now, plan("arn", "attack", "orc"))
    fight.end()
    assert fight.prompt is not None
    assert (fight.prompt.lines, fight.prompt.roll) == (forecast.lines, forecast.roll)
    fight.roll(5, 1, 1, 1)
    told = next(each for each in fight.now.log if "attacks" in each.text)
    assert told.lines == forecast.lines


def test_the_log_keeps_what_was_announced_though_the_sheet_is_edited_meanwhile():
    fight = attacked()
    fight.now = fight.now.with_token(
        fight.now.token("orc").changed(sheet=fight.sheet("orc").changed(ac=30))
    )
    fight.roll(10)
    assert "against AC 12: hit" in fight.logged()


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        ("hit", "hit."),
        ("miss", "miss."),
        ("critical", "critical hit."),
        (12, "hit."),
        (11, "miss."),
    ],
)
def test_the_gm_rules_the_result_of_an_attack(outcome: Any, told: str):
    fight = attacked().rule(outcome)
    assert f"against AC 12: {told}" in fight.logged()


def test_the_gm_rules_the_damage():
    fight = attacked().rule("hit").rule(13)
    assert fight.sheet("orc").hp == 7


def test_nonsense_is_no_result():
    with pytest.raises(Rejected, match="is a number"):
        attacked().rule("perhaps")


def test_an_aim_counts_for_the_next_attack_alone():
    made = encounter(token("Arn", 5, 5), foe("Orc", 6, 5))
    fight = Fight(made).action("arn", "aim").action("arn", "attack", "orc")
    forecast = fight.ruleset.forecast(fight.now, plan("arn", "attack", "orc"))
    assert forecast.roll == "1d20+5"
    fight.end().end()
    assert fight.prompt is not None
    assert fight.prompt.roll == "1d20+1d6k1+5"
    assert fight.roll(1, 1).state.turn("arn").aim == 0


def test_an_unavoidable_attack_needs_no_roll_and_meets_no_resistance():
    doom = AttackProfile(name="Doom", unavoidable=True, damage="6", damage_type=DamageType.FIRE)
    ours = token("Arn", 5, 5, attacks=[doom])
    theirs = foe("Orc", 6, 5, resist=FrozenMap({DamageType.FIRE: 1}))
    fight = Fight(encounter(ours, theirs)).action("arn", "attack", "orc")
    forecast = fight.ruleset.forecast(fight.now, plan("arn", "attack", "orc"))
    assert (forecast.roll, forecast.rows[0].chance, forecast.rows[0].mean) == (None, 1, 6)
    fight.end().end()
    assert fight.sheet("orc").hp == 14
    assert fight.state.happenings == ()


def test_the_damage_of_a_forecast_is_a_distribution():
    made = encounter(token("Arn", 5, 5), foe("Orc", 6, 5, hp=5))
    fight = Fight(made)
    row = fight.ruleset.forecast(fight.now, plan("arn", "attack", "orc")).rows[0]
    assert sum(chance for _, chance in row.damage) == 1
    assert sum(amount * chance for amount, chance in row.damage) == row.mean
    bands = {band.label: band.chance for band in row.bands}
    assert bands["hit"] + bands["critical hit"] + bands["miss"] == 1
    assert bands["downs"] == row.chance * Fraction(6, 8)
