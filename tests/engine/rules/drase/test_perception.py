"""Hiding and perceiving on the map, in a fight and outside."""

from fractions import Fraction
from typing import Any

import pytest

from engine.model.region import Obscuration, Region
from engine.model.wall import Wall
from engine.rules.drase.perception import hide_sum, perceive_sum
from engine.rules.drase.plans import EffectPlan
from engine.rules.drase.sheet import ActionCost, DraseSheet
from engine.rules.drase.situation import Haze, Situation
from engine.rules.drase.state import Phase
from tests.helpers.drase import Fight, book, encounter, foe, plan, square, token

SCOUT = DraseSheet(
    intelligence=14,
    perception_bonus=3,
    level_bonus=4,
    career_bonus={"hunter": 5},
    feats=("keen_senses",),
)


@pytest.mark.parametrize(
    ("fighting", "career", "expected"),
    [(True, "hunter", "1d20+11"), (False, "hunter", "1d20+12"), (False, "", "1d20+7")],
)
def test_the_level_bonus_counts_in_combat_else_the_career(
    fighting: bool, career: str, expected: str
):
    assert perceive_sum(book(), SCOUT, None, fighting=fighting, career=career)[1] == expected


def test_obscuration_is_a_malus_to_perceive():
    rain = Situation(there=Haze(Obscuration.HEAVY, "Rain", frozenset({"r"})))
    assert perceive_sum(book(), DraseSheet(), rain, fighting=True)[1] == "1d20-2d6k1"


def test_hiding_is_finesse_and_stealth():
    sheet = DraseSheet(finesse=16, stealth_bonus=2, feats=("light_footed",))
    assert hide_sum(book(), sheet)[1] == "1d20+7"
    assert hide_sum(book(), sheet.changed(impeded=True))[1] == "1d20-1d6k1+7"


@pytest.mark.parametrize(("career", "expected"), [("", "1d20+6"), ("hunter", "1d20+9")])
def test_traps_are_found_by_wit_or_career_and_the_level(career: str, expected: str):
    fight = Fight(encounter(token("Arn", 5, 5, sheet=SCOUT)), begin=False)
    look = plan("arn", "trap", career=career, number=20)
    assert fight.ruleset.forecast(fight.now, look).roll == expected
    fight.act(look).roll(14)
    assert "reaches 20" in fight.logged()


def hiding(number: int = 12, *, scene: Any = None) -> Fight:
    """Return a fight in P1 of round 2 in which the Orc has hidden at a number."""
    made = encounter(token("Arn", 5, 5), foe("Orc", 9, 5), foe("Rat", 9, 9), **(scene or {}))
    fight = Fight(made).until(Phase.G3).action("orc", "hide", cost=ActionCost.HALF)
    return fight.end().end().rule(number).until(Phase.P1, 2)


def test_who_hides_is_hidden_from_the_players():
    fight = hiding()
    assert (fight.sheet("orc").hidden_number, fight.now.token("orc").hidden) == (12, True)
    assert [each.secret for each in fight.now.log if "hides at" in each.text] == [True]


def test_who_is_lit_up_no_longer_hides():
    fight = hiding().act(EffectPlan(token_id="orc", status="illuminated"))
    assert (fight.sheet("orc").hidden_number, fight.now.token("orc").hidden) == (None, False)


def test_a_hero_who_hides_stays_on_the_players_map():
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 9, 5)))
    fight.action("arn", "hide").end().end().roll(15)
    assert (fight.sheet("arn").hidden_number, fight.now.token("arn").hidden) == (15, False)


@pytest.mark.parametrize(("face", "found"), [(12, True), (11, False)])
def test_looking_around_finds_who_is_reached(face: int, found: bool):
    fight = hiding().action("arn", "perceive").end().end().roll(face)
    assert (fight.sheet("orc").hidden_number is None) is found
    assert fight.now.token("orc").hidden is not found
    assert ("Arn perceives Orc (12)." in fight.logged()) is found


def test_one_roll_for_all_and_obscuration_by_its_average():
    fog = Region(id="f", name="Fog", rings=square(9, 5), obscuration=Obscuration.LIGHT)
    fight = hiding(scene={"regions": [fog]}).action("arn", "perceive").end().end()
    assert fight.prompt is not None
    assert fight.prompt.roll == "1d20"
    assert fight.roll(14).sheet("orc").hidden_number == 12
    fight.until(Phase.P1, 3).action("arn", "perceive").end().end().roll(15)
    assert fight.sheet("orc").hidden_number is None


def test_looking_for_one_rolls_its_obscuration():
    fog = Region(id="f", name="Fog", rings=square(9, 5), obscuration=Obscuration.LIGHT)
    fight = hiding(scene={"regions": [fog]})
    look = plan("arn", "perceive", "orc")
    assert fight.ruleset.forecast(fight.now, look).roll == "1d20-1d6k1"
    fight.act(look).end().end().roll(13, 1)
    assert fight.sheet("orc").hidden_number is None


def test_nobody_sees_through_a_wall():
    wall = Wall(id="w", points=((7, 0), (7, 30)))
    fight = hiding(scene={"walls": [wall]}).action("arn", "perceive").end().end().roll(20)
    assert fight.sheet("orc").hidden_number == 12


def test_objects_are_found_by_a_number_outside_a_fight():
    fight = Fight(encounter(token("Arn", 5, 5)), begin=False)
    check = plan("arn", "perceive", number=11)
    assert fight.ruleset.forecast(fight.now, check).rows[0].chance == 0.5
    fight.act(check).roll(11)
    assert "reaches 11" in fight.logged()


@pytest.mark.parametrize("cost", [ActionCost.FREE, ActionCost.HALF, ActionCost.FULL])
def test_the_gm_says_what_perceiving_costs(cost: ActionCost):
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 9, 5)))
    fight.action("arn", "perceive", cost=cost)
    assert fight.state.turn("arn").declared[0].cost is cost


def test_looking_around_shows_the_chance_against_each_hider():
    fog = Region(id="fog", rings=square(8, 4, 3, 3), obscuration=Obscuration.LIGHT)
    wall = Wall(id="wall", points=((0.0, 12.0), (30.0, 12.0)))
    fight = Fight(
        encounter(
            token("Arn", 5, 5),
            foe("Near", 5, 8, hidden_number=11),
            foe("Fogged", 9, 5, hidden_number=11),
            foe("Walled", 5, 15, hidden_number=2),
            foe("Open", 6, 5),
            regions=(fog,),
            walls=(wall,),
        )
    )
    rows = fight.ruleset.forecast(fight.now, plan("arn", "perceive", cost="free")).rows
    assert {row.answer: row.chance for row in rows} == {
        "Near": Fraction(1, 2),
        "Fogged": Fraction(7, 20),
        "Walled": Fraction(0),
    }


def test_who_attacks_from_hiding_is_seen_and_may_then_be_attacked():
    fight = Fight(encounter(token("Arn", 5, 5, hidden_number=15), foe("Orc", 6, 5)))
    fight.action("arn", "attack", "orc").until(Phase.G3)
    assert fight.sheet("arn").hidden_number is None
    assert "Arn no longer hides." in fight.logged()
    fight.action("orc", "attack", "arn")
