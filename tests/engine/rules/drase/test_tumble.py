"""Falls in a fight: off an edge, broken, into water, onto legs; pushes and which of them counts."""

from typing import Any

import pytest

from engine.model.refusal import Rejected
from engine.model.region import Region, Surface
from engine.model.space import Cell
from engine.model.wall import Wall
from engine.rules.drase.plans import DisplacePlan, FallPlan
from engine.rules.drase.sheet import Effect, Limb
from engine.rules.drase.tumble import CAP, HOLD, NO
from tests.helpers.drase import Fight, encounter, foe, plan, square, token


def falling(tiles: int, *, breakable: bool = False, surface: Any = None, **fields: Any) -> Fight:
    fight = Fight(encounter(token("Arn", 5, 5, **fields), foe("Orc", 9, 9)))
    return fight.act(FallPlan(token_id="arn", tiles=tiles, breakable=breakable, surface=surface))


def wounds(fight: Fight) -> list[int]:
    return [limb.wounds for limb in fight.sheet("arn").limbs]


def test_one_tile_only_throws_down():
    fight = falling(1)
    assert (fight.prompt, fight.sheet("arn").hp) == (None, 20)
    assert [each.id for each in fight.sheet("arn").effects] == ["prone"]


@pytest.mark.parametrize(
    ("total", "fields", "expected"),
    [
        (9, {}, [0, 0, 0, 0]),
        (10, {}, [1, 1, 0, 0]),
        (20, {}, [2, 2, 0, 0]),
        (12, {"temp_hp": 5}, [0, 0, 0, 0]),
        (12, {"resist": {"blunt": 1}}, [0, 0, 0, 0]),
        (12, {"hp": 0}, [0, 0, 0, 0]),
    ],
)
def test_legs_are_wounded_by_what_left_the_hit_points(total: int, fields: Any, expected: Any):
    assert wounds(falling(20, **fields).rule(total)) == expected


def test_everything_it_stands_on_is_a_leg():
    limbs = [Limb(name=str(number)) for number in range(4)]
    assert wounds(falling(20, limbs=limbs).rule(20)) == [2, 2, 2, 2]


@pytest.mark.parametrize("attribute", ["power", "finesse"])
def test_a_fall_is_broken_at_ten(attribute: str):
    fight = falling(40, breakable=True, **{attribute: 14}).choose(attribute)
    assert fight.prompt is not None
    assert fight.prompt.roll == "1d20+2"
    assert fight.roll(8).choose(CAP).prompt.roll == "10d6"


def test_a_failed_check_falls_all_the_way():
    fight = falling(40, breakable=True).choose("power").roll(9)
    assert fight.prompt is not None
    assert fight.prompt.roll == "20d6"


def test_a_ledge_is_held_and_nothing_hurts():
    fight = falling(40, breakable=True).choose("finesse").roll(10).choose(HOLD)
    assert (fight.prompt, fight.sheet("arn").hp, fight.sheet("arn").effects) == (None, 20, ())


def test_nobody_must_break_a_fall():
    fight = falling(6, breakable=True).choose(NO)
    assert fight.prompt is not None
    assert fight.prompt.roll == "3d6"


def test_who_is_incapacitated_breaks_nothing():
    fight = falling(6, breakable=True, hp=0)
    assert fight.prompt is not None
    assert fight.prompt.roll == "3d6"


def test_a_soft_landing_hurts_nobody():
    fight = falling(8, surface=Surface.SOFT)
    assert (fight.prompt, fight.sheet("arn").hp) == (None, 20)
    assert "falls 8 tiles into soft unhurt" in fight.logged()


CLIFF = Region(id="cliff", rings=square(0, 0, 7, 30), ground=6)


def on_a_cliff(*regions: Region, **fields: Any) -> Fight:
    made = encounter(
        token("Arn", 5, 5, power=20), foe("Orc", 6, 5, **fields), regions=[CLIFF, *regions]
    )
    return Fight(made)


def test_a_push_off_an_edge_works_out_the_fall():
    fight = on_a_cliff().action("arn", "shove", "orc").end().end().roll(20)
    assert fight.cell("orc") == (7, 5)
    assert fight.prompt is not None
    assert fight.prompt.question == "Orc falls 6 tiles"
    fight.choose(NO).total(10)
    assert (fight.sheet("orc").hp, fight.now.token("orc").elevation) == (10, 0)


def test_a_push_into_water_counts_the_water():
    moat = Region(id="moat", rings=square(7, 0, 3, 30), ground=2, surface=Surface.WATER)
    fight = on_a_cliff(moat).action("arn", "shove", "orc").end().end().roll(20)
    assert fight.prompt is None
    assert "falls 4 tiles into water unhurt" in fight.logged()


def test_a_push_ends_at_a_wall_or_somebody():
    for blocker in ({"walls": [Wall(id="w", points=((7, 0), (7, 30)))]}, {}):
        bystander = [] if blocker else [foe("Rat", 7, 5)]
        made = encounter(token("Arn", 5, 5), foe("Orc", 6, 5), *bystander, **blocker)
        fight = Fight(made).act(DisplacePlan(token_id="orc", path=(Cell(7, 5), Cell(8, 5))))
        assert fight.cell("orc") == (6, 5)
        assert "stopped there" in fight.logged()


def test_a_shove_may_throw_down_instead():
    fight = on_a_cliff().act(plan("arn", "shove", "orc", prone=True)).end().end().roll(20)
    assert fight.cell("orc") == (6, 5)
    assert [each.id for each in fight.sheet("orc").effects] == ["prone"]


def test_a_grapple_holds():
    fight = on_a_cliff().action("arn", "grapple", "orc").end().end().roll(20)
    assert [each.id for each in fight.sheet("orc").effects] == ["grappled"]


def test_a_skewered_target_saves_with_a_malus():
    fight = on_a_cliff(effects=(Effect(id="skewered"),))
    found = fight.ruleset.forecast(fight.now, plan("arn", "shove", "orc"))
    assert found.roll == "1d20+1d6k1+5"


def test_the_target_chooses_its_better_save():
    fight = on_a_cliff(finesse=18, save_power=9).action("arn", "shove", "orc")
    forecast = fight.ruleset.forecast(fight.now, plan("arn", "shove", "orc"))
    assert "Finesse Save" in [line.label for line in forecast.lines]
    assert fight.end().end().roll(8).cell("orc") == (6, 5)


# Displacement Stacking


def displaced(*pushes: tuple[int, int]) -> Fight:
    """Push the Orc east by so many tiles, each push with its roll."""
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 10, 5)))
    for tiles, roll in pushes:
        x, y = fight.now.token("orc").cell
        path = tuple(Cell(x + step, y) for step in range(1, tiles + 1))
        fight.act(DisplacePlan(token_id="orc", path=path, roll=roll))
    return fight


@pytest.mark.parametrize(
    ("pushes", "x"),
    [
        ([(2, 5)], 12),
        ([(2, 5), (1, 20)], 12),
        ([(1, 20), (3, 1)], 13),
        ([(2, 5), (2, 9)], 12),
        ([(2, 9), (2, 5)], 12),
    ],
)
def test_only_the_strongest_displacement_of_a_round_counts(pushes: Any, x: int):
    assert displaced(*pushes).cell("orc") == (x, 5)


def test_of_equals_the_higher_roll_then_the_last_counts():
    fight = displaced((2, 5))
    fight.act(DisplacePlan(token_id="orc", path=(Cell(12, 6), Cell(12, 7)), roll=5))
    assert fight.cell("orc") == (10, 7)
    fight.act(DisplacePlan(token_id="orc", path=(Cell(10, 6), Cell(10, 5)), roll=4))
    assert fight.cell("orc") == (10, 7)


def test_the_next_round_begins_anew():
    from engine.rules.drase.state import Phase

    fight = displaced((3, 5)).until(Phase.P1, 2)
    fight.act(DisplacePlan(token_id="orc", path=(Cell(14, 5),)))
    assert fight.cell("orc") == (14, 5)


def test_who_stands_on_the_ground_does_not_fall():
    fight = Fight(encounter(token("Arn", 5, 5)))
    with pytest.raises(Rejected, match="stands on the ground"):
        fight.act(FallPlan(token_id="arn"))


def test_the_forecast_of_a_fall():
    fight = Fight(encounter(token("Arn", 5, 5, elevation=5)))
    found = fight.ruleset.forecast(fight.now, FallPlan(token_id="arn"))
    assert (found.roll, found.rows[0].mean) == ("2d6", 7)
