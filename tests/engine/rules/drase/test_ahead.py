"""A forecast is made on the map as it will stand when the plan is resolved."""

from engine.model.space import Cell
from engine.model.wall import DoorState, Wall
from engine.rules.drase.plans import ActionPlan
from engine.rules.drase.state import Phase
from engine.rules.ruleset import Forecast, MovePlan
from tests.helpers.drase import Fight, encounter, foe, token


def shot(fight: Fight, shooter: str = "ila", **fields: object) -> Forecast:
    plan = ActionPlan(token_id=shooter, action="attack", attack="Bow", target_id="orc", **fields)
    return fight.ruleset.forecast(fight.now, plan)


def words(found: Forecast) -> str:
    return "\n".join(f"{line.label} {line.text}" for line in found.lines)


def bowmen() -> Fight:
    """Return a fight in P1: Ila aims along row 6 at an orc, Arn and Zed stand beside the line."""
    return Fight(
        encounter(token("Arn", 5, 8), token("Ila", 2, 5), token("Zed", 7, 8), foe("Orc", 10, 5))
    )


def test_a_friend_who_moves_first_gives_the_cover_that_it_will_give():
    fight = bowmen()
    before = shot(fight)
    fight.move("arn", (5, 5))
    found = shot(fight)
    assert "By then Arn stands on F6" in words(found)
    assert "cover: Arn" in words(found)
    assert found.rows[0].chance < before.rows[0].chance
    fight.action("ila", "attack", "orc", attack="Bow").end().end()
    assert fight.prompt is not None
    assert fight.prompt.roll == found.roll


def test_a_friend_who_moves_later_changes_nothing():
    fight = bowmen()
    before = shot(fight)
    assert shot(fight.move("zed", (7, 5))) == before


def test_what_dice_decide_is_told_and_not_counted():
    fight = bowmen()
    before = shot(fight)
    fight.action("arn", "attack", "orc", attack="Bow")
    found = shot(fight)
    assert found.rows == before.rows
    assert "Arn comes first: Attack: Orc (Bow) not counted" in words(found)


def test_many_who_move_first_are_told_in_one_line():
    friends = [token(name, 2, number) for number, name in enumerate("ABCDE", start=8)]
    fight = Fight(encounter(*friends, token("Ila", 2, 5), foe("Orc", 10, 5)))
    for friend in friends:
        fight.move(friend.id, (friend.cell.x + 1, friend.cell.y))
    assert "By then A stands on D9, B on D10, C on D11 and 2 more have moved" in words(shot(fight))


def test_a_door_that_is_opened_first_is_open():
    door = Wall(id="d", points=((6, 5), (6, 6)), door=DoorState.CLOSED)
    fight = Fight(
        encounter(token("Arn", 5, 5), token("Ila", 4, 5), foe("Orc", 10, 5), walls=[door])
    )
    against = {each.code for each in shot(fight).refusals}
    fight.action("arn", "open_door", "d")
    found = shot(fight)
    # refused it stays, because another order of resolution may be chosen
    assert against == {each.code for each in found.refusals} != set()
    assert "Full cover" not in words(found)


def test_a_way_that_will_be_taken_is_told():
    fight = bowmen().move("arn", (5, 5))
    plan = MovePlan(token_id="ila", path=(Cell(5, 5),))
    found = fight.ruleset.forecast(fight.now, plan)
    assert not found.refusals
    assert "by then" in words(found)


def test_a_reaction_finds_the_map_as_it_is():
    fight = Fight(encounter(token("Arn", 5, 5), token("Bo", 5, 7), foe("Orc", 6, 5)))
    fight.until(Phase.G3).move("orc", (6, 9)).until(Phase.P1, 2).move("arn", (1, 5))
    plan = ActionPlan(token_id="bo", action="opportunity_attack", target_id="orc")
    assert "By then" not in words(fight.ruleset.forecast(fight.now, plan))
