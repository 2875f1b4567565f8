"""Declaring: the budget, every illegal declaration with its reason, and its overruling."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.model.refusal import Rejected
from engine.model.region import Obscuration, Region
from engine.model.space import Cell
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel, DoorState, Wall
from engine.rules.drase.plans import (
    ActionPlan,
    GroupAttackPlan,
    GroupMovePlan,
    LedgerPlan,
    Mode,
    ResolvePlan,
    TravelPlan,
    WithdrawPlan,
)
from engine.rules.drase.sheet import ActionCost, AttackProfile, DamageType
from engine.rules.drase.state import Phase
from engine.rules.ruleset import MovePlan, Plan
from tests.helpers.drase import (
    BOW,
    CLUB,
    SWORD,
    Fight,
    creature,
    encounter,
    foe,
    plan,
    square,
    token,
    with_effect,
)

BOLT = AttackProfile(name="Bolt", spell=True, level=2, range_tiles=10, damage="2d6")


def duel(*others: Token, scene: Any = None, **fields: Any) -> Fight:
    """Return a fight in P1 of round 1: Arn at (5, 5), an Orc beside, the fields are Arn's."""
    arn = token("Arn", 5, 5, **fields)
    return Fight(encounter(arn, foe("Orc", 6, 5), *others, **(scene or {})))


def afflicted(status: str) -> Fight:
    arn = token("Arn", 5, 5)
    arn = arn.changed(sheet=with_effect(arn.sheet, status, duration_rounds=5))
    return Fight(encounter(arn, foe("Orc", 6, 5)))


def twice(action: str, times: int = 2) -> Fight:
    fight = duel()
    for _ in range(times):
        fight.action("arn", action)
    return fight


def reacted() -> Fight:
    """Return a fight in P1 of round 2 in which Arn has declared its one reaction."""
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 6, 5), foe("Rat", 5, 6)))
    fight.until(Phase.G3).move("orc", (7, 5)).move("rat", (5, 7)).end().until(Phase.P1, 2)
    return fight.action("arn", "opportunity_attack", "orc")


def fogged() -> Fight:
    storm = Region(id="s", name="Storm", rings=square(8, 5), obscuration=Obscuration.TOTAL)
    made = encounter(token("Arn", 5, 5), foe("Orc", 8, 5), regions=[storm])
    return Fight(made)


def barred(**fields: Any) -> Fight:
    wall = Wall(id="w", name="the wall", points=((6, 0), (6, 30)), **fields)
    return Fight(encounter(token("Arn", 5, 5), foe("Orc", 8, 5), walls=[wall]))


def gone_by() -> Fight:
    return duel().end()


def _staggered() -> Fight:
    return afflicted("staggered").action("arn", "aim")


def far() -> Fight:
    return Fight(encounter(token("Arn", 0, 0), foe("Orc", 39, 0), size=40))


def walled_in() -> Fight:
    ring = Wall(id="w", points=((5, 5), (6, 5), (6, 6), (5, 6), (5, 5)))
    return Fight(encounter(token("Arn", 5, 5), foe("Orc", 8, 5), walls=[ring]))


def corrected(key: str, value: str) -> Fight:
    made = encounter(token("Arn", 5, 5), foe("Orc", 6, 5))
    return Fight(made.changed(corrections=FrozenMap({key: value})))


def unplayed() -> Fight:
    return corrected("actions/aim/offered", "no")


def feat_needed() -> Fight:
    return corrected("actions/aim/feat", "keen_senses")


def door(state: DoorState, x: int = 6) -> Fight:
    wall = Wall(id="d", points=((x, 5), (x, 6)), door=state)
    return Fight(encounter(token("Arn", 5, 5), foe("Orc", 5, 6), walls=[wall]))


ATTACK = plan("arn", "attack", "orc")
SHOT = plan("arn", "attack", "orc", attack="Bow")
ILLEGAL: dict[str, tuple[Callable[[], Fight], Plan, str]] = {
    "three halves": (lambda: twice("aim"), ATTACK, "no_halves_left"),
    "a full action after a half": (lambda: twice("aim", 1), plan("arn", "sprint"), "no_full_left"),
    "a half action after a full one": (lambda: twice("sprint", 1), ATTACK, "no_halves_left"),
    "a second half while staggered": (_staggered, ATTACK, "no_halves_left"),
    "two reactions": (reacted, plan("arn", "opportunity_attack", "rat"), "reaction_used"),
    "a reaction to nothing": (duel, plan("arn", "opportunity_attack", "orc"), "no_trigger"),
    "a reaction while confused": (
        lambda: afflicted("confused"),
        plan("arn", "opportunity_attack", "orc"),
        "reaction_used",
    ),
    "a free action out of turn": (gone_by, plan("arn", "speak"), "out_of_turn"),
    "an action in another's phase": (duel, plan("orc", "attack", "arn"), "not_your_phase"),
    "an action while incapacitated": (lambda: duel(hp=0), ATTACK, "incapacitated"),
    "an action of an object": (lambda: duel(is_object=True), ATTACK, "is_object"),
    "an attack on who is totally obscured": (fogged, SHOT, "totally_obscured"),
    "an attack out of reach": (barred, ATTACK, "out_of_reach"),
    "a shot out of range": (far, SHOT, "out_of_range"),
    "an attack through full cover": (barred, SHOT, "full_cover"),
    "an attack on full cover by label": (
        lambda: barred(cover=CoverLabel.FULL, blocks_sight=False),
        SHOT,
        "full_cover",
    ),
    "a spell without mana": (
        lambda: duel(attacks=[BOLT], mana=7, mana_max=7),
        plan("arn", "cast_half", "orc"),
        "no_mana",
    ),
    "a spell without a free hand": (
        lambda: duel(attacks=[BOLT], mana=8, mana_max=8, free_hand=False),
        plan("arn", "cast_half", "orc"),
        "no_free_hand",
    ),
    "a spell without a voice": (
        lambda: duel(attacks=[BOLT], mana=8, mana_max=8, can_speak=False),
        plan("arn", "cast_half", "orc"),
        "cannot_speak",
    ),
    "sparing with a spell": (
        lambda: duel(attacks=[BOLT.changed(damage_type=DamageType.FIRE)], mana=8, mana_max=8),
        plan("arn", "cast_half", "orc", non_lethal=True),
        "not_physical",
    ),
    "standing up while standing": (duel, plan("arn", "stand_up"), "not_prone"),
    "dropping while prone": (
        lambda: afflicted("prone"),
        plan("arn", "drop_prone"),
        "already_prone",
    ),
    "letting go of no spell": (duel, plan("arn", "end_concentration"), "no_concentration"),
    "hiding while lit up": (lambda: afflicted("illuminated"), plan("arn", "hide"), "cannot_hide"),
    "a grapple from afar": (barred, plan("arn", "grapple", "orc"), "out_of_reach"),
    "a move too far": (duel, MovePlan(token_id="arn", path=(Cell(5, 13),)), "too_far"),
    "a move through a wall all around": (
        walled_in,
        MovePlan(token_id="arn", path=(Cell(9, 5),)),
        "walled",
    ),
    "a move while held": (
        lambda: afflicted("grappled"),
        MovePlan(token_id="arn", path=(Cell(5, 6),)),
        "held",
    ),
    "walking while prone": (
        lambda: afflicted("prone"),
        TravelPlan(token_id="arn", path=(Cell(5, 6),), mode=Mode.WALK),
        "prone",
    ),
    "flying without wings": (
        duel,
        TravelPlan(token_id="arn", path=(Cell(5, 6),), mode=Mode.FLY),
        "cannot_fly",
    ),
    "a jump beyond half the speed": (
        duel,
        TravelPlan(token_id="arn", path=(Cell(5, 9),), mode=Mode.JUMP),
        "too_far",
    ),
    "a jump around a corner": (
        duel,
        TravelPlan(token_id="arn", path=(Cell(5, 6), Cell(4, 6)), mode=Mode.JUMP),
        "not_straight",
    ),
    "an action that the table does not play": (
        unplayed,
        plan("arn", "aim"),
        "not_offered",
    ),
    "an action for a feat": (feat_needed, plan("arn", "aim"), "feat_missing"),
    "opening a locked door": (
        lambda: door(DoorState.LOCKED),
        plan("arn", "open_door", "d"),
        "locked",
    ),
    "opening a door far away": (
        lambda: door(DoorState.CLOSED, x=9),
        plan("arn", "open_door", "d"),
        "out_of_reach",
    ),
    "opening an open door": (
        lambda: door(DoorState.OPEN),
        plan("arn", "open_door", "d"),
        "already_open",
    ),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_it_is_refused_with_its_reason(case: str):
    make, wanted, code = ILLEGAL[case]
    fight = make()
    assert fight.refused(wanted) == code
    forecast = fight.ruleset.forecast(fight.now, wanted)
    assert code in [each.code for each in forecast.refusals]


@pytest.mark.parametrize("case", ILLEGAL)
def test_the_gm_may_overrule_it(case: str):
    make, wanted, code = ILLEGAL[case]
    fight = make()
    fight.overrule(wanted)
    declared = fight.state.turn(wanted.token_id).declared
    mine = [each for each in declared if code in each.waived]
    carried_out = fight.prompt is not None or not mine
    assert mine or carried_out
    assert "Overruled by the GM:" in fight.logged()
    fight.lowest().until(Phase.P1, fight.state.round + 1)


@pytest.mark.parametrize(
    "case",
    [
        "an attack on who is totally obscured",
        "an attack out of reach",
        "a shot out of range",
        "an attack through full cover",
        "an attack on full cover by label",
    ],
)
def test_an_overruled_attack_is_rolled_when_it_is_resolved(case: str):
    make, wanted, _ = ILLEGAL[case]
    fight = make().overrule(wanted).end().end()
    assert fight.prompt is not None
    assert fight.prompt.question.startswith("Arn attacks Orc")


TOLD_IN_OFFERS = {
    "three halves": "attack:Sword",
    "a full action after a half": "sprint",
    "a reaction to nothing": "opportunity_attack",
    "a free action out of turn": "speak",
    "an action while incapacitated": "attack:Sword",
    "a second half while staggered": "attack:Sword",
    "standing up while standing": "stand_up",
    "flying without wings": "move:fly",
    "walking while prone": "move:walk",
    "a move while held": "move:walk",
}


@pytest.mark.parametrize("case", TOLD_IN_OFFERS)
def test_it_stays_in_the_offers_with_its_reason(case: str):
    make, wanted, _ = ILLEGAL[case]
    offer = make().offers(wanted.token_id)[TOLD_IN_OFFERS[case]]
    assert not offer.enabled
    assert offer.reason.endswith(".")


def test_a_second_reaction_is_offered_with_its_reason():
    offers = reacted().offers("arn")
    reactions = [each for key, each in offers.items() if key.startswith("opportunity_attack")]
    assert [each.reason for each in reactions] == ["Arn has used its reaction."]


# What is legal


def test_two_halves_or_one_full():
    fight = duel().action("arn", "aim").action("arn", "attack", "orc")
    assert fight.refused(plan("arn", "draw")) == "no_halves_left"
    assert duel().action("arn", "sprint").refused(plan("arn", "draw")) == "no_halves_left"


def test_free_actions_cost_nothing():
    fight = duel().action("arn", "sprint")
    for _ in range(3):
        fight.action("arn", "speak", note="Stand back")
    assert len(fight.state.turn("arn").declared) == 4


def test_movement_lies_before_between_during_and_after_actions():
    fight = duel(foe("Rat", 8, 5))
    fight.move("arn", (5, 4)).action("arn", "full_attack", "orc")
    fight.move("arn", (7, 4)).action("arn", "full_attack", "rat").move("arn", (8, 4))
    costs = [each.cost for each in fight.state.turn("arn").declared]
    assert costs.count(ActionCost.FULL) == 1
    assert fight.refused(plan("arn", "full_attack", "rat")) == "no_full_left"
    fight.end().end().lowest()
    told = fight.logged()
    order = [
        told.index(words) for words in ("to F5", "attacks Orc", "to H5", "attacks Rat", "to I5")
    ]
    assert order == sorted(order)


def test_declared_moves_add_up_to_the_speed():
    fight = duel().move("arn", (5, 8)).move("arn", (5, 11))
    assert fight.refused(MovePlan(token_id="arn", path=(Cell(5, 12),))) == "too_far"


def test_sprint_and_dash_add_movement():
    assert "12 tiles left" in duel().action("arn", "sprint").offers("arn")["move:walk"].cost
    assert "9 tiles left" in duel().action("arn", "dash").offers("arn")["move:walk"].cost


def test_the_gm_gives_and_takes_movement_with_a_reason():
    fight = duel().act(LedgerPlan(token_id="arn", tiles=-2, note="climbing down"))
    assert "4 tiles left" in fight.offers("arn")["move:walk"].cost
    assert "Arn: -2 tiles of movement: climbing down." in fight.logged()


def test_an_attack_is_judged_from_where_the_declared_moves_end():
    made = encounter(token("Arn", 2, 5), foe("Orc", 6, 5))
    fight = Fight(made)
    assert fight.refused(ATTACK) == "out_of_reach"
    assert fight.move("arn", (5, 5)).action("arn", "attack", "orc").state.turn("arn").declared


def test_a_door_that_will_be_opened_lets_later_moves_pass():
    fight = door(DoorState.CLOSED)
    walls = [Wall(id="n", points=((6, 0), (6, 5))), Wall(id="s", points=((6, 6), (6, 30)))]
    board = fight.now.board
    board = board.changed(walls=board.walls.put_all({wall.id: wall for wall in walls}))
    fight.now = fight.now.changed(board=board)
    through = MovePlan(token_id="arn", path=(Cell(8, 5),))
    assert fight.refused(through) == "walled"
    fight.action("arn", "open_door", "d").act(through).end().end()
    assert fight.cell("arn") == (8, 5)
    assert fight.now.board.walls["d"].door is DoorState.OPEN


def test_who_will_stand_up_may_walk():
    fight = afflicted("prone").action("arn", "stand_up").move("arn", (5, 10)).end().end()
    assert fight.cell("arn") == (5, 10)
    assert fight.sheet("arn").effects == ()


def test_a_full_weapon_makes_its_attack_full():
    ballista = AttackProfile(name="Ballista", range_tiles=60, cost="full")
    fight = duel(attacks=[ballista]).action("arn", "attack", "orc")
    assert fight.state.turn("arn").declared[0].cost is ActionCost.FULL


def test_a_ruling_costs_what_the_gm_picks():
    fight = duel().action("arn", "ruling", cost=ActionCost.FULL, note="Swings from the lamp")
    step = fight.state.turn("arn").declared[0]
    assert (step.cost, step.label) == (ActionCost.FULL, "Swings from the lamp")
    assert "Arn: Swings from the lamp." in fight.end().end().logged()


def test_plans_are_taken_back_one_by_one_or_all():
    fight = duel().action("arn", "aim").action("arn", "attack", "orc")
    fight.act(WithdrawPlan(token_id="arn", number=1))
    assert [each.number for each in fight.state.turn("arn").declared] == [2]
    fight.act(WithdrawPlan(token_id="arn"))
    assert fight.state.turn("arn").declared == ()
    with pytest.raises(Rejected, match="has declared nothing"):
        fight.act(WithdrawPlan(token_id="arn"))


def test_moves_that_rest_on_a_withdrawn_one_go_with_it():
    fight = duel().move("arn", (5, 6)).action("arn", "aim").move("arn", (5, 7))
    fight.act(WithdrawPlan(token_id="arn", number=1))
    assert [each.label for each in fight.state.turn("arn").declared] == ["Aim"]


def test_further_strikes_go_with_their_full_action():
    fight = duel().action("arn", "full_attack", "orc").action("arn", "full_attack", "orc")
    fight.act(WithdrawPlan(token_id="arn", number=1))
    assert fight.state.turn("arn").declared == ()


def test_declared_plans_stand_on_the_map_until_resolved():
    fight = duel().move("arn", (5, 4)).action("arn", "attack", "orc", attack="Bow")
    plans = fight.ruleset.step(fight.now).plans
    assert [(each.label, each.targets) for each in plans] == [
        ("Move", ()),
        ("Attack: Orc (Bow)", ("orc",)),
    ]
    assert plans[0].path[-1] == Cell(5, 4)
    fight.end().end().lowest()
    assert fight.ruleset.step(fight.now).plans == ()


def test_a_declared_attack_that_became_impossible_is_lost():
    fight = Fight(encounter(token("Arn", 5, 5), token("Bo", 6, 6), foe("Orc", 6, 5)))
    fight.action("bo", "shove", "orc").action("arn", "attack", "orc").end()
    fight.act(ResolvePlan(token_id="bo")).roll(20)
    assert fight.cell("orc") == (6, 4)
    fight.now = fight.now.with_token(fight.now.token("orc").changed(cell=Cell(9, 9)))
    fight.end()
    assert "Arn cannot attack Orc: Orc is" in fight.logged()
    assert fight.phase is Phase.G3


def test_ending_the_phase_by_ruling_resolves_even_that():
    fight = duel().action("arn", "attack", "orc").end()
    fight.now = fight.now.with_token(fight.now.token("orc").changed(cell=Cell(9, 9)))
    fight.end(overrule=True)
    assert fight.prompt is not None


@pytest.mark.parametrize(
    "wanted",
    [
        plan("arn", "attack"),
        plan("arn", "attack", "nobody"),
        plan("arn", "open_door", "nothing"),
        plan("arn", "fly_away"),
        plan("arn", "attack", "orc", attack="Spoon"),
        MovePlan(token_id="arn"),
        MovePlan(token_id="arn", path=(Cell(99, 0),)),
        Plan(kind="other", token_id="arn"),
        GroupMovePlan(token_id="arn"),
        GroupAttackPlan(token_id="arn"),
    ],
)
def test_what_makes_no_sense_cannot_be_overruled(wanted: Plan):
    fight = duel()
    with pytest.raises(Rejected) as refused:
        fight.overrule(wanted)
    assert not refused.value.rejection.overrulable
    fight.ruleset.forecast(fight.now, wanted)


def test_the_action_table_can_be_renamed_and_repriced():
    fight = corrected("actions/use_item/cost", "free")
    fight.action("arn", "use_item").action("arn", "sprint")
    assert corrected("actions/aim/label", "Take aim").offers("arn")["aim"].label == "Take aim"


def test_a_weapon_is_chosen_by_name_or_the_first_that_fits():
    sheet = creature(attacks=[BOLT, CLUB, SWORD, BOW], mana=9, mana_max=9)
    fight = Fight(encounter(token("Arn", 5, 5, sheet=sheet), foe("Orc", 6, 5)))
    fight.action("arn", "attack", "orc")
    assert fight.state.turn("arn").declared[0].label == "Attack: Orc (Club)"
    assert isinstance(fight.state.turn("arn").declared[0].plan, ActionPlan)


def test_an_offer_says_which_fields_mean_something():
    wants = {offer_id: offer.wants for offer_id, offer in duel().offers("arn").items()}
    assert next(each for name, each in wants.items() if name.startswith("attack:")) == (
        "non_lethal",
    )
    assert wants["shove"] == ("attribute", "prone")
    assert wants["perceive"] == ("cost", "number", "career")
    assert wants["move:walk"] == wants["sprint"] == ()


def test_what_is_declared_is_offered_first():
    fight = duel().action("arn", "attack", "orc")
    assert next(iter(fight.offers("arn"))).startswith("withdraw")
