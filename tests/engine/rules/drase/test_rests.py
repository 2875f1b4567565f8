"""Rests: what comes back, the mana limit, and that nobody rests in a fight."""

import pytest

from engine.rules.drase.plans import RestPlan
from engine.rules.drase.rests import long_rest, short_rest
from engine.rules.drase.sheet import DamageType, Downed, DraseSheet
from tests.helpers.drase import Fight, book, encounter, foe, token

MAGE = DraseSheet(mana=0, mana_max=10, focus=1, focus_max=4, hp=5, hp_max=40)


def test_a_short_rest_refills_focus_and_mana_but_no_hit_points():
    sheet = short_rest(book(), MAGE)
    assert (sheet.focus, sheet.mana, sheet.mana_regen_used, sheet.hp) == (4, 10, 10, 5)


def test_mana_comes_back_only_within_the_limit():
    sheet = MAGE
    for expected in (10, 10, 0):
        sheet = short_rest(book(), sheet.changed(mana=0))
        assert sheet.mana == expected
    assert sheet.mana_regen_used == 20


def test_a_long_rest_lifts_the_limit_again():
    sheet = long_rest(book(), MAGE.changed(mana_regen_used=20), rested=True)
    assert (sheet.mana, sheet.mana_regen_used, sheet.hp) == (10, 0, 15)


@pytest.mark.parametrize(("hp", "expected"), [(15, 19), (18, 20), (20, 20), (33, 33)])
def test_poor_rest_ends_at_half(hp: int, expected: int):
    assert long_rest(book(), MAGE.changed(hp=hp), rested=False).hp == expected


def test_nobody_rests_beyond_the_maximum():
    assert long_rest(book(), MAGE.changed(hp=38), rested=True).hp == 40


def test_a_long_rest_ends_being_downed():
    downed = Downed(damage_type=DamageType.CUT, lethality="lethal")
    sheet = MAGE.changed(hp=-2, downed=downed)
    assert long_rest(book(), sheet, rested=True).downed is None


def test_a_rest_outside_a_fight_is_told():
    fight = Fight(encounter(token("Arn", 5, 5, hp=5, focus_max=2)), begin=False)
    fight.act(RestPlan(token_id="arn", long=True))
    assert "Arn takes a long rest: hit points 5 to 10, focus 0 to 2." in fight.logged()


def test_nobody_rests_in_a_fight():
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 6, 5)))
    assert fight.refused(RestPlan(token_id="arn")) == "fighting"
    assert not fight.offers("arn")["short_rest"].enabled
    fight.overrule(RestPlan(token_id="arn"))
