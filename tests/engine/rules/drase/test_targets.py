"""Whom a plan could be aimed at: everybody is offered, those against the rules with the reason."""

import pytest

from engine.model.region import Obscuration, Region
from engine.model.wall import DoorState, Durability, Wall, WallKind
from engine.rules.drase.desk import desk_for
from engine.rules.drase.plans import GroupAttackPlan, Mode, TravelPlan
from engine.rules.drase.sheet import AttackArea, AttackProfile
from engine.rules.drase.situation import look
from engine.rules.drase.state import Phase
from engine.rules.drase.targets import attackers_of, judged_by
from engine.rules.ruleset import Plan, TargetOffer
from tests.helpers.drase import (
    BOW,
    Fight,
    encounter,
    foe,
    plan,
    square,
    token,
)

SAND = Region(id="sand", rings=square(8, 0, 4, 4), name="Sandstorm", obscuration=Obscuration.TOTAL)
WALL = Wall(id="wall", name="Keep", points=((0.0, 6.0), (30.0, 6.0)))


def listed(fight: Fight, aimed: Plan) -> dict[str, TargetOffer]:
    return {each.target_id: each for each in fight.ruleset.targets(fight.now, aimed)}


def code(fight: Fight, aimed: Plan, target: str) -> str:
    refusal = listed(fight, aimed)[target].refusal
    return "" if refusal is None else refusal.code


def in_the_open() -> Fight:
    return Fight(
        encounter(
            token("Arn", 4, 4),
            token("Mate", 5, 5),
            foe("Near", 3, 4),
            foe("Far", 20, 4),
            foe("Sandman", 9, 1),
            foe("Walled", 4, 9),
            foe("Hider", 4, 3, hidden_number=17),
            regions=(SAND,),
            walls=(WALL,),
        )
    )


@pytest.mark.parametrize(
    ("attack", "target", "expected"),
    [
        ("Sword", "near", ""),
        ("Sword", "mate", ""),
        ("Sword", "far", "out_of_reach"),
        ("Bow", "far", ""),
        ("Bow", "sandman", "totally_obscured"),
        ("Bow", "walled", "full_cover"),
        ("Bow", "hider", "not_perceived"),
        ("Sword", "hider", "not_perceived"),
    ],
)
def test_each_target_is_offered_or_refused_with_the_code(attack: str, target: str, expected: str):
    assert code(in_the_open(), plan("arn", "attack", attack=attack), target) == expected


def test_every_refused_target_is_refused_by_the_command_with_the_same_sentence():
    fight = in_the_open()
    for attack in ("Sword", "Bow"):
        for offer in fight.ruleset.targets(fight.now, plan("arn", "attack", attack=attack)):
            aimed = plan("arn", "attack", offer.target_id, attack=attack)
            refusals = fight.ruleset.forecast(fight.now, aimed).refusals
            assert offer.refusal == (refusals[0] if refusals else None)
            if offer.refusal is not None:
                assert fight.refused(aimed) == offer.refusal.code


def test_those_allowed_come_first_of_these_the_foes_and_the_nearest_before_others():
    found = in_the_open().ruleset.targets(in_the_open().now, plan("arn", "attack", attack="Bow"))
    assert [each.enabled for each in found] == sorted(
        (each.enabled for each in found), reverse=True
    )
    assert [each.label for each in found if each.enabled] == ["Near", "Far", "Mate"]


def test_nobody_aims_a_weapon_at_themselves_but_a_spell():
    spell = AttackProfile(name="Ward", range_tiles=6, spell=True)
    fight = Fight(encounter(token("Arn", 4, 4, attacks=(BOW, spell), mana=9), foe("Orc", 6, 4)))
    assert "arn" not in listed(fight, plan("arn", "attack", attack="Bow"))
    assert listed(fight, plan("arn", "cast_half", attack="Ward"))["arn"].enabled


def test_a_refusal_names_the_place():
    refusal = listed(in_the_open(), plan("arn", "attack"))["far"].refusal
    assert refusal is not None
    assert refusal.token_id == "far"
    assert refusal.overrulable


def test_a_hidden_creature_is_offered_once_it_is_perceived():
    fight = in_the_open()
    fight.action("arn", "perceive", cost="free", target="hider").until(Phase.P1, 2)
    before = code(fight, plan("arn", "attack", attack="Bow"), "hider")
    sheet = fight.sheet("hider").changed(hidden_number=None)
    fight.now = fight.now.with_token(fight.now.token("hider").changed(sheet=sheet))
    assert before == "not_perceived"
    assert code(fight, plan("arn", "attack", attack="Bow"), "hider") == ""


def test_targets_are_judged_from_where_the_declared_way_ends():
    fight = in_the_open()
    assert code(fight, plan("arn", "attack"), "sandman") == "out_of_reach"
    fight.move("arn", (8, 2))
    assert code(fight, plan("arn", "attack"), "sandman") == "totally_obscured"


def test_reactions_reach_whomever_they_answer():
    fight = Fight(encounter(token("Arn", 4, 4), foe("Orc", 5, 4), size=40)).until(Phase.G3)
    fight.act(TravelPlan(token_id="orc", path=((10, 4),), mode=Mode.WALK)).until(Phase.P1)
    assert code(fight, plan("arn", "opportunity_attack"), "orc") == ""
    assert code(fight, plan("arn", "attack"), "orc") == "out_of_reach"


def test_arms_reach_bounds_grapples():
    fight = in_the_open()
    assert code(fight, plan("arn", "grapple"), "near") == ""
    assert code(fight, plan("arn", "grapple"), "far") == "out_of_reach"


def test_doors_and_things_to_break_are_listed_as_walls():
    door = Wall(
        id="door", kind=WallKind.DOOR, points=((6.0, 4.0), (6.0, 5.0)), door=DoorState.CLOSED
    )
    crate = Wall(
        id="crate", points=((9.0, 9.0), (9.0, 10.0)), durability=Durability(hp=5, hp_max=5)
    )
    fight = Fight(encounter(token("Arn", 4, 4), walls=(door, crate)))
    opened = listed(fight, plan("arn", "open_door"))["door"]
    assert opened.refusal is not None
    assert (opened.refusal.code, opened.refusal.wall_id) == ("out_of_reach", "door")
    assert list(listed(fight, plan("arn", "attack", attack="Bow"))) == ["crate"]
    fight.move("arn", (5, 4))
    assert listed(fight, plan("arn", "open_door"))["door"].enabled


def test_plans_without_one_target_list_nobody():
    ball = AttackProfile(name="Ball", range_tiles=6, spell=True, area=AttackArea(size=2))
    fight = Fight(encounter(token("Arn", 4, 4, attacks=(ball,)), foe("Orc", 5, 4)))
    for each in (
        plan("arn", "dash"),
        plan("arn", "cast_half", attack="Ball"),
        plan("arn", "no such action"),
        plan("gone", "attack"),
        TravelPlan(token_id="arn"),
    ):
        assert fight.ruleset.targets(fight.now, each) == ()


def horde(**fields: object) -> Fight:
    orcs = [foe(f"Orc{n}", 1 + n, 8, group="orcs") for n in range(6)]
    return Fight(encounter(token("Arn", 8, 8), *orcs, **fields)).until(Phase.G3)


def test_a_group_may_attack_whom_one_of_it_can():
    aimed = GroupAttackPlan(token_id="orc0", attack="Sword")
    assert code(horde(), aimed, "arn") == "out_of_reach"
    fight = horde().move("orc5", (7, 8))
    assert listed(fight, aimed)["arn"].enabled
    assert set(listed(fight, aimed)) == {"arn"}


def test_a_group_judges_all_targets_as_it_judges_each():
    orcs = [foe(f"Orc{number}", 9 + number, 12, group="orcs") for number in range(3)]
    marks = [token(f"T{number}", 2 * number, 3 + number % 4) for number in range(12)]
    ends = [((n + 0.3, 6.0 + n % 5), (n + 2.9 + n % 3, 6.0 + n % 4)) for n in range(6)]
    walls = [Wall(id=str(number), points=points) for number, points in enumerate(ends)]
    fight = Fight(encounter(*orcs, *marks, walls=walls)).until(Phase.G3)
    aimed = GroupAttackPlan(token_id="orc0", attack="Bow")
    members = attackers_of(desk_for(fight.now, aimed, look), aimed)
    together = judged_by(members, aimed, marks)
    assert {offer.enabled for _, offer in together} == {True, False}
    assert together == [judged_by(members, aimed, [each])[0] for each in marks]


def test_a_group_that_nobody_of_can_attack_needs_an_overruling():
    aimed = GroupAttackPlan(token_id="orc0", attack="Sword", target_id="arn")
    fight = horde()
    assert fight.refused(aimed) == "out_of_reach"
    fight.overrule(aimed).until(Phase.P1)
    assert "attack Arn with Sword" in fight.logged()
    assert fight.sheet("arn").hp < 20


def test_an_overruled_target_is_attacked_and_the_log_tells_of_the_ruling():
    fight = in_the_open().overrule(plan("arn", "attack", "sandman", attack="Bow"))
    assert "Overruled by the GM: Sandman is totally obscured" in fight.logged()
    fight.until(Phase.G3)
    assert "Arn attacks Sandman with Bow" in fight.logged()
