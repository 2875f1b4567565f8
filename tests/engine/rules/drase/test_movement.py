"""Movement on the map: the pool of the whole turn, modes, ground, other creatures, triggers."""

from typing import Any

import pytest

from engine.commands.tokens import MoveToken, PlaceToken
from engine.model.region import Region, Surface
from engine.model.space import Cell
from engine.model.wall import Wall
from engine.rules.drase.movement import default_mode, plan_walk
from engine.rules.drase.plans import GroupMovePlan, LedgerPlan, Mode, ResolvePlan, TravelPlan
from engine.rules.drase.sheet import Effect
from engine.rules.drase.state import Phase, Turn
from engine.rules.ruleset import MovePlan
from tests.helpers.drase import BOW, Fight, book, encounter, foe, square, token


def alone(*, scene: Any = None, options: Any = None, **fields: Any) -> Fight:
    return Fight(encounter(token("Arn", 5, 5, **fields), **(scene or {}), **(options or {})))


def spent(fight: Fight) -> int | float:
    return sum(step.tiles for step in fight.state.turn("arn").declared)


def test_the_alternation_lasts_over_way_points_and_actions():
    fight = alone(speed=20).move("arn", (6, 6)).action("arn", "use_item").move("arn", (7, 7))
    assert spent(fight) == 3
    assert spent(fight.move("arn", (8, 8), (9, 9))) == 6


def test_the_alternation_begins_anew_each_round():
    fight = alone().move("arn", (6, 6)).until(Phase.P1, 2).move("arn", (7, 7))
    assert spent(fight) == 1


def test_circular_moves_add_up():
    fight = alone(options={"diagonal": "circular"}).move("arn", (8, 9))
    assert spent(fight) == pytest.approx(5)
    assert "1 tile left" in fight.offers("arn")["move:walk"].cost
    assert fight.move("arn", (8, 10)).state.turn("arn").declared[1].tiles == pytest.approx(1)


def test_circular_pays_one_for_each_difficult_tile():
    mud = Region(id="m", rings=square(6, 5), step_cost=2)
    fight = alone(scene={"regions": [mud]}, options={"diagonal": "circular", "corner_cut": "free"})
    walls = [Wall(id="n", points=((5, 5), (8, 5))), Wall(id="s", points=((5, 6), (8, 6)))]
    board = fight.now.board
    walled = board.walls.put_all({wall.id: wall for wall in walls})
    fight.now = fight.now.changed(board=board.changed(walls=walled))
    assert spent(fight.move("arn", (7, 5))) == pytest.approx(3)


@pytest.mark.parametrize(
    ("mode", "fields", "expected"),
    [
        (Mode.WALK, {}, 2),
        (Mode.CRAWL, {}, 4),
        (Mode.CLIMB, {}, 4),
        (Mode.CLIMB, {"climbs": True}, 2),
        (Mode.SWIM, {}, 4),
        (Mode.SWIM, {"swims": True}, 2),
        (Mode.FLY, {"fly_speed": 8}, 2),
        (Mode.JUMP, {}, 2),
    ],
)
def test_each_mode_has_its_price(mode: Mode, fields: Any, expected: int):
    fight = alone(**fields)
    fight.act(TravelPlan(token_id="arn", path=(Cell(7, 5),), mode=mode))
    assert spent(fight) == expected


def test_flying_has_its_own_speed_and_ends_at_a_height():
    fight = alone(fly_speed=8)
    fight.act(TravelPlan(token_id="arn", path=(Cell(12, 5),), mode=Mode.FLY, elevation=3))
    fight.end().end()
    assert fight.now.token("arn").elevation == 3


@pytest.mark.parametrize(
    ("metric", "expected"), [("axis", [3, 5, 5]), ("max", [3, 4, 4]), ("sum", [3, 7, 7])]
)
def test_a_flight_pays_for_its_height_as_distances_do(metric: str, expected: list[int]):
    fight = alone(fly_speed=20, options={"height_metric": metric})
    for path, height in (((), 3), ((Cell(9, 5),), 6), ((Cell(13, 5),), 3)):
        fight.act(TravelPlan(token_id="arn", path=path, mode=Mode.FLY, elevation=height))
    assert [step.tiles for step in fight.state.turn("arn").declared] == expected
    fight.end().end()
    assert (fight.cell("arn"), fight.now.token("arn").elevation) == ((13, 5), 3)


def test_a_flight_too_high_is_too_far():
    plan = TravelPlan(token_id="arn", path=(Cell(9, 5),), mode=Mode.FLY, elevation=6)
    assert alone(fly_speed=7).refused(plan) == "too_far"
    assert alone(fly_speed=8).act(plan)


def test_who_flies_high_above_bars_nobody():
    fight = Fight(encounter(token("Arn", 5, 5), foe("Bat", 6, 5, elevation=4)))
    assert spent(fight.move("arn", (6, 5))) == 1


def test_the_prone_crawl_and_swimmers_swim_if_nothing_is_said():
    pool = Region(id="p", rings=square(5, 5), surface=Surface.WATER)
    arn = token("Arn", 5, 5)
    assert default_mode(book(), encounter(arn, regions=[pool]), arn) is Mode.SWIM
    prone = token("Arn", 5, 5, effects=(Effect(id="prone"),))
    assert default_mode(book(), encounter(prone), prone) is Mode.CRAWL


def test_a_jump_crosses_what_cannot_be_entered():
    pit = Region(id="pit", rings=square(6, 0, 1, 30), impassable=True)
    fight = alone(scene={"regions": [pit]})
    fight.act(TravelPlan(token_id="arn", path=(Cell(7, 5),), mode=Mode.JUMP)).end().end()
    assert fight.cell("arn") == (7, 5)


def jump(*path: tuple[int, int]) -> TravelPlan:
    return TravelPlan(token_id="arn", path=tuple(Cell(*each) for each in path), mode=Mode.JUMP)


def test_a_jump_counts_diagonals_like_any_way():
    assert spent(alone().act(jump((7, 7)))) == 3
    assert alone().refused(jump((8, 8))) == "too_far"


@pytest.mark.parametrize(
    ("others", "scene", "code"),
    [
        ([], {"walls": [Wall(id="w", points=((7, 0), (7, 30)))]}, "walled"),
        ([], {"regions": [Region(id="pit", rings=square(7, 5), impassable=True)]}, "closed_ground"),
        ([foe("Orc", 7, 5)], {}, "occupied"),
        ([foe("Orc", 6, 5)], {}, None),
    ],
)
def test_walls_and_the_landing_matter_to_a_jump(others: Any, scene: Any, code: str | None):
    fight = Fight(encounter(token("Arn", 5, 5), *others, **scene))
    if code is None:
        assert fight.act(jump((7, 5))).end().end().cell("arn") == (7, 5)
    else:
        assert fight.refused(jump((7, 5))) == code


def test_climbing_pays_each_tile_of_height_once():
    hill = Region(id="h", rings=square(6, 0, 1, 30), ground=2)
    fight = alone(scene={"regions": [hill]}, speed=20)
    fight.act(TravelPlan(token_id="arn", path=(Cell(6, 5),), mode=Mode.CLIMB))
    assert spent(fight) == 2 + 2 * 2


def test_each_tile_of_height_is_climbed_up_and_down():
    hill = Region(id="h", rings=square(6, 0, 1, 30), ground=2)
    arn = token("Arn", 5, 5, speed=20)
    scene = encounter(arn, regions=[hill])
    assert plan_walk(scene, arn, Turn(), [Cell(6, 5)]).tiles == 5
    assert plan_walk(scene, arn, Turn(), [Cell(7, 5)]).tiles == 10


def test_a_large_creature_pays_only_for_what_it_newly_enters():
    mud = Region(id="m", rings=square(5, 5, 2, 2), step_cost=2)
    arn = token("Arn", 5, 5, footprint="2")
    scene = encounter(arn, regions=[mud])
    assert plan_walk(scene, arn, Turn(), [Cell(6, 5)]).tiles == 1


def test_enemies_bar_the_way_friends_may_be_passed_but_not_stood_upon():
    walls = [Wall(id="n", points=((5, 5), (9, 5))), Wall(id="s", points=((5, 6), (9, 6)))]
    arn = token("Arn", 5, 5)
    friend = encounter(arn, token("Bo", 6, 5), walls=walls)
    enemy = encounter(arn, foe("Orc", 6, 5), walls=walls)
    fallen = encounter(arn, foe("Orc", 6, 5, hp=0), walls=walls)
    assert not plan_walk(friend, arn, Turn(), [Cell(7, 5)]).refusals
    assert plan_walk(friend, arn, Turn(), [Cell(6, 5)]).refusals
    # around the end of the walls it is too far
    assert plan_walk(enemy, arn, Turn(), [Cell(7, 5)]).refusals
    assert not plan_walk(fallen, arn, Turn(), [Cell(6, 5)]).refusals


def test_a_move_stops_where_somebody_has_stepped_into_the_way():
    walls = [Wall(id="n", points=((5, 5), (12, 5))), Wall(id="s", points=((5, 6), (12, 6)))]
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 20, 20), walls=walls))
    fight.move("arn", (9, 5)).end()
    fight.now = fight.now.with_token(fight.now.token("orc").changed(cell=Cell(8, 5)))
    fight.end()
    assert fight.cell("arn") == (7, 5)
    assert "Arn stops at H6:" in fight.logged()


def test_two_friends_do_not_end_on_one_tile():
    fight = Fight(encounter(token("Arn", 5, 5), token("Bo", 9, 5)))
    fight.move("arn", (7, 5)).move("bo", (7, 5)).end().end()
    assert (fight.cell("arn"), fight.cell("bo")) == ((7, 5), (8, 5))


def test_who_was_pushed_before_its_move_seeks_a_new_way():
    fight = Fight(encounter(token("Arn", 5, 5), token("Bo", 4, 5), foe("Orc", 20, 20)))
    fight.move("arn", (5, 9)).action("bo", "shove", "arn").end()
    fight.act(ResolvePlan(token_id="bo")).roll(20)
    assert fight.cell("arn") == (6, 5)
    assert fight.end().cell("arn") == (5, 9)


def test_the_facing_follows_the_last_step():
    fight = alone().move("arn", (5, 8)).end().end()
    assert fight.now.token("arn").facing == 2


def test_the_command_of_the_map_declares_in_a_fight():
    fight = alone()
    fight.do(MoveToken(token_id="arn", path=(Cell(7, 5),)))
    assert fight.cell("arn") == (5, 5)
    assert spent(fight) == 2


def test_reach_on_the_map_starts_with_what_is_left():
    fight = alone().move("arn", (6, 6))
    rules = fight.ruleset.movement(fight.now, "arn")
    assert (rules.budget, rules.parity) == (5, 1)


def test_a_group_moves_together():
    orcs = [foe(name, x, 5, group="orcs") for name, x in (("Orc", 5), ("Ork", 6), ("Og", 7))]
    dead = foe("Dead", 8, 5, group="orcs", hp=0)
    fight = Fight(encounter(token("Arn", 20, 20), *orcs, dead)).until(Phase.G3)
    fight.act(GroupMovePlan(token_id="orc", path=(Cell(5, 8),))).end().end()
    assert [fight.cell(name) for name in ("orc", "ork", "og", "dead")] == [
        (5, 8),
        (6, 8),
        (7, 8),
        (8, 5),
    ]


def test_who_cannot_follow_the_group_stays_behind_and_it_is_told():
    ring = Wall(id="w", points=((6, 5), (7, 5), (7, 6), (6, 6), (6, 5)))
    orcs = [foe("Orc", 5, 5, group="orcs"), foe("Ork", 6, 5, group="orcs")]
    fight = Fight(encounter(token("Arn", 20, 20), *orcs, walls=[ring])).until(Phase.G3)
    fight.act(GroupMovePlan(token_id="orc", path=(Cell(5, 8),)))
    assert "Ork stays behind: There is no way for Ork" in fight.logged()
    assert not fight.state.turn("ork").declared


def test_corrections_are_kept_with_their_reasons():
    fight = alone().act(LedgerPlan(token_id="arn", tiles=2, note="slide"))
    fight.act(LedgerPlan(token_id="arn", tiles=-1, note="grapple"))
    corrections = fight.state.turn("arn").corrections
    assert [(each.tiles, each.reason) for each in corrections] == [(2, "slide"), (-1, "grapple")]
    assert "7 tiles left" in fight.offers("arn")["move:walk"].cost


# What reactions may answer


def triggers(fight: Fight) -> list[tuple[str, str]]:
    return [(each.trigger, each.witness) for each in fight.state.happenings]


def test_leaving_a_tile_in_reach_is_a_trigger_for_each_enemy_once():
    made = encounter(token("Arn", 5, 5), foe("Orc", 6, 5), foe("Rat", 4, 5), token("Bo", 5, 4))
    fight = Fight(made).move("arn", (5, 8)).end().end()
    assert triggers(fight) == [("left_tile", "orc"), ("left_tile", "rat")]


def test_coming_near_is_no_trigger():
    made = encounter(token("Arn", 2, 5), foe("Orc", 6, 5))
    assert triggers(Fight(made).move("arn", (5, 5)).end().end()) == []


def test_disengaging_gives_no_opportunity():
    made = encounter(token("Arn", 5, 5), foe("Orc", 6, 5))
    fight = Fight(made).action("arn", "disengage").move("arn", (5, 9)).end().end()
    assert triggers(fight) == []


def test_who_has_no_melee_weapon_threatens_nothing():
    made = encounter(token("Arn", 5, 5), foe("Orc", 6, 5, attacks=[BOW]))
    assert triggers(Fight(made).move("arn", (5, 9)).end().end()) == []


def test_shooting_in_reach_is_a_trigger():
    made = encounter(token("Arn", 5, 5), foe("Orc", 6, 5))
    fight = Fight(made).action("arn", "attack", "orc", attack="Bow").end().end().lowest()
    assert ("ranged_in_reach", "orc") in triggers(fight)
    assert fight.offers("orc")["opportunity_attack:2"].enabled


def test_happenings_are_past_once_everybody_had_a_chance():
    made = encounter(token("Arn", 5, 5), foe("Orc", 6, 5))
    fight = Fight(made).move("arn", (5, 9)).until(Phase.P1, 2)
    assert triggers(fight) == []


def test_height_counts_for_the_reach_of_a_threat():
    made = encounter(token("Arn", 5, 5, elevation=3), foe("Orc", 6, 5))
    assert triggers(Fight(made).move("arn", (5, 9)).end().end()) == []


def test_what_follows_a_declared_way_moves_from_its_end():
    fight = Fight(encounter(token("Arn", 2, 2, fly_speed=9), foe("Orc", 20, 20)))
    assert fight.ruleset.planned(fight.now, "arn") is fight.now
    fight.move("arn", (4, 2))
    assert fight.ruleset.planned(fight.now, "arn").token("arn").cell == Cell(4, 2)
    assert fight.now.token("arn").cell == Cell(2, 2)
    assert fight.ruleset.movement(fight.now, "arn").budget == 4
    flight = TravelPlan(token_id="arn", mode=Mode.FLY)
    assert fight.ruleset.movement(fight.now, "arn", flight).budget == 7
    swim = TravelPlan(token_id="arn", mode=Mode.SWIM)
    assert fight.ruleset.movement(fight.now, "arn", swim).budget == 2


def refusal_of(fight: Fight, x: int, y: int) -> str:
    plan = MovePlan(token_id="arn", path=(Cell(x, y),))
    return fight.ruleset.forecast(fight.now, plan).refusals[0].sentence


def test_who_stands_where_a_way_ends_is_named_whatever_else_is_in_the_way():
    wall = Wall(id="w", points=((8, 0), (8, 30)))
    fight = Fight(encounter(token("Arn", 5, 5), token("Bo", 6, 5), foe("Orc", 9, 5), walls=[wall]))
    assert refusal_of(fight, 6, 5) == "Bo stands on G6."
    assert refusal_of(fight, 9, 5) == "Orc stands on J6."
    assert "a wall stands between H6 and I6" in refusal_of(fight, 10, 5)


def test_the_log_of_a_stopped_walk_names_nobody_whom_the_players_may_not_see():
    fight = Fight(encounter(token("Arn", 5, 5), foe("Spy", 20, 5, hidden=True)))
    fight.move("arn", (8, 5)).do(PlaceToken(token_id="arn", cell=Cell(5, 7)))
    fight.do(PlaceToken(token_id="spy", cell=Cell(8, 5))).end().end()
    assert "Arn stops at F8: somebody stands in the way." in fight.logged()


def test_the_forecast_of_a_way_tells_why_its_steps_are_dear():
    regions = [
        Region(id="hill", rings=square(6, 5), ground=1),
        Region(id="mud", name="Mud", rings=square(7, 5, 2, 1), step_cost=2),
    ]
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 20, 20), regions=regions))
    plan = MovePlan(token_id="arn", path=(Cell(6, 5), Cell(8, 5)))
    found = fight.ruleset.forecast(fight.now, plan)
    words = [f"{line.label} {line.text}".strip() for line in found.lines]
    assert words[1:4] == ["climb +2", "Mud +1 (2 times)", "descent +2"]
    crawl = TravelPlan(token_id="arn", path=(Cell(4, 5),), mode=Mode.CRAWL)
    assert fight.ruleset.forecast(fight.now, crawl).lines[1].text == "2 per tile"
