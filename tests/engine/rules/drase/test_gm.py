"""What the GM does by hand: everything is offered, shown before, done, and told."""

from fractions import Fraction
from typing import Any

import pytest

from engine.commands.turn import BeginFight
from engine.grid.grid import board_grid
from engine.model.region import Region, Surface
from engine.model.space import Cell, GridKind
from engine.rules.drase.areas import straight_way
from engine.rules.drase.plans import (
    DisplacePlan,
    EffectPlan,
    HarmPlan,
    HealPlan,
    LedgerPlan,
    SetupPlan,
)
from engine.rules.drase.sheet import DamageType
from engine.rules.ruleset import Forecast, Plan, TargetKind
from tests.helpers.drase import Fight, encounter, foe, plan, square, token

CLIFF = Region(id="cliff", rings=square(0, 0, 10, 30), ground=6)
POND = Region(id="pond", rings=square(10, 0, 4, 30), surface=Surface.WATER)


def fight(*, begin: bool = True, **fields: Any) -> Fight:
    made = encounter(token("Arn", 8, 5, **fields), foe("Orc", 3, 3), regions=(CLIFF, POND))
    return Fight(made, begin=begin)


def shown(wanted: Plan, **fields: Any) -> Forecast:
    made = fight(**fields)
    return made.ruleset.forecast(made.now, wanted)


def lines(forecast: Forecast) -> dict[str, str]:
    return {line.label: line.text for line in forecast.lines}


@pytest.mark.parametrize("offer_id", ["harm", "heal", "status", "displace", "ledger"])
def test_everything_by_hand_is_offered_with_its_fields_open(offer_id: str):
    offer = fight().offers("arn")[offer_id]
    assert offer.enabled
    assert offer.opens
    assert offer.at_once


def test_a_status_is_chosen_from_the_tables_of_the_group():
    offer = fight().offers("arn")["status"]
    assert "burning" in offer.choices["status"]


def test_damage_is_shown_exactly_after_resistance_and_then_rolled():
    harm = HarmPlan(token_id="arn", damage="1d6", damage_type=DamageType.FIRE)
    forecast = shown(harm, resist={"fire": 1}, hp=3)
    assert forecast.rows[0].mean == Fraction(3, 2)  # 0, 1, 1, 2, 2, 3
    assert forecast.rows[0].bands[0].chance == Fraction(1, 6)
    assert lines(forecast) == {"Fire damage": "1d6", "Arn against Fire": "resistant, x0.5"}
    assert forecast.roll == "1d6"
    assert shown(harm.changed(damage="4")).roll is None
    assert shown(harm.changed(damage="much")).refusals[0].code == "bad_dice"


def test_healing_stops_at_the_maximum():
    forecast = shown(HealPlan(token_id="arn", points=9), hp=15)
    assert lines(forecast) == {"Hit points": "15 to 20"}
    forecast = shown(HealPlan(token_id="arn", points=3, temporary=True), temp_hp=5)
    assert lines(forecast) == {"Temporary hit points": "5 to 5"}


def test_a_status_is_shown_with_its_duration():
    assert lines(shown(EffectPlan(token_id="arn", status="burning", rounds=2))) == {
        "Burning": "2 r"
    }
    assert lines(shown(EffectPlan(token_id="arn", status="burning", ends=True))) == {
        "Burning": "ends"
    }
    assert shown(EffectPlan(token_id="arn", status="hiccups")).refusals[0].code == "unknown_status"


def test_movement_is_corrected_before_the_eyes():
    assert lines(shown(LedgerPlan(token_id="arn", tiles=-2))) == {
        "Movement left": "6 tiles to 4 tiles"
    }
    assert "ledger" not in fight(begin=False).offers("arn")


def test_a_push_off_an_edge_is_shown_with_its_fall_and_works_it_out():
    made = fight()
    push = DisplacePlan(token_id="arn", path=(Cell(12, 5),), roll=12)
    forecast = made.ruleset.forecast(made.now, push)
    assert lines(forecast) == {"Displaced by": "4 tiles", "Falls 6 tiles at K6": "3d6"}
    made.act(push)
    assert "Arn is displaced to K6." in made.logged()
    assert made.prompt is not None
    made.choose("none").roll(1, 2, 3)
    assert made.cell("arn") == (10, 5)
    assert made.sheet("arn").hp == 14
    assert "Arn falls 6 tiles" in made.logged() or "Fall of 6 tiles" in made.logged()


def test_a_weaker_push_of_the_same_round_is_told_not_to_count():
    made = fight().act(DisplacePlan(token_id="arn", path=(Cell(5, 5),), roll=12))
    again = DisplacePlan(token_id="arn", path=(Cell(5, 6),), roll=3)
    forecast = made.ruleset.forecast(made.now, again)
    assert lines(forecast)["A stronger displacement counts"] == "3 tiles"
    made.act(again)
    assert made.cell("arn") == (5, 5)


@pytest.mark.parametrize("kind", list(GridKind))
@pytest.mark.parametrize("there", [(11, 5), (5, 9), (9, 9), (10, 7), (4, 3)])
def test_a_straight_way_is_made_of_single_steps(kind: GridKind, there: tuple[int, int]):

    scene = encounter(grid=kind)
    grid, here = board_grid(scene.board.grid), Cell(5, 5)
    way = straight_way(scene, here, (Cell(*there),))
    assert way[-1] == Cell(*there)
    for before, after in zip((here, *way), way, strict=False):
        assert grid.step_between(before, after) is not None


def test_a_whole_side_is_surprised_in_one_step():
    made = encounter(token("Arn", 5, 5), foe("Orc", 8, 5), foe("Imp", 9, 5))
    started = Fight(made, begin=False)

    started.do(BeginFight())
    offer = started.offers("orc")["side_surprised"]
    assert offer.label == "All foes surprised"
    assert isinstance(offer.plan, SetupPlan)
    started.act(offer.plan)
    assert [started.sheet(each).surprised for each in ("arn", "orc", "imp")] == [False, True, True]
    started.act(started.offers("imp")["side_surprised"].plan)
    assert not started.sheet("orc").surprised


def test_a_push_wants_a_tile():
    assert fight().offers("arn")["displace"].target is TargetKind.CELL
    assert lines(shown(DisplacePlan(token_id="arn"))) == {}


def test_a_shove_shows_the_fall_behind_the_target():
    made = Fight(
        encounter(token("Arn", 8, 5), foe("Orc", 9, 5), regions=(CLIFF,)),
    )
    forecast = made.ruleset.forecast(made.now, plan("arn", "shove", "orc"))
    assert lines(forecast)["Falls 6 tiles at K6"] == "3d6"
    forecast = made.ruleset.forecast(made.now, plan("arn", "shove", "orc", prone=True))
    assert "Falls 6 tiles at K6" not in lines(forecast)


def test_a_fall_from_the_ground_asks_how_deep():
    made = Fight(encounter(token("Arn", 15, 5)), begin=False)
    offer = made.offers("arn")["fall"]
    assert offer.enabled
    assert offer.opens
    refusals = made.ruleset.forecast(made.now, offer.plan).refusals
    assert [each.code for each in refusals] == ["no_fall"]
    deep = offer.plan.changed(tiles=10)
    assert made.ruleset.forecast(made.now, deep).roll == "5d6"


def test_the_selected_of_one_side_rest_together():
    made = Fight(
        encounter(token("Arn", 5, 5, hp=5), token("Bea", 6, 5, hp=5), foe("Orc", 9, 9, hp=5)),
        begin=False,
    )
    found = made.ruleset.offers(made.now, "arn", ("orc", "bea", "arn"))
    rest = next(each for each in found if each.id == "long_rest")
    assert rest.label == "Long rest (2)"
    made.act(rest.plan)
    assert [made.sheet(each).hp for each in ("arn", "bea", "orc")] == [7, 7, 5]
