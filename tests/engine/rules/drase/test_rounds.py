"""The phase machine: order, what stops it, surprise, preparation, freezing, third parties, ends."""

import pytest

from engine.commands.turn import BeginFight
from engine.model.refusal import Rejected, Ruling
from engine.model.region import Area, AreaShape, ShapeKind
from engine.model.space import Cell
from engine.model.token import NEUTRAL
from engine.model.value import FrozenMap
from engine.rules.drase.plans import (
    EffectPlan,
    FallPlan,
    ResolvePlan,
    SetupPlan,
    ThirdPartyPlan,
    ThirdPlace,
    WithdrawPlan,
)
from engine.rules.drase.rounds import PHASES, sequence
from engine.rules.drase.sheet import AttackProfile
from engine.rules.drase.state import Phase
from tests.helpers.drase import Fight, encounter, foe, plan, token, with_effect


def duel(**fields: object) -> Fight:
    return Fight(encounter(token("Arn", 5, 5, **fields), foe("Orc", 6, 5)))


def phases_of(fight: Fight, rounds: int = 1) -> list[str]:
    """Return the phases that are entered from here on, each by its name."""
    found = []
    while fight.state.round <= rounds:
        before = fight.now
        events = fight.ruleset.end_phase(before, Ruling()).events
        found += [each.phase.value for each in events if each.kind == "drase_phase_entered"]
        fight.end().lowest()
    return found


def test_a_round_goes_through_all_phases_in_order():
    assert phases_of(duel()) == ["p2", "p3", "g1", "g2", "g3", "g4", "g5", "end", "p1"]


def test_every_phase_has_a_row():
    assert set(PHASES) == set(Phase)


def test_it_stops_only_where_somebody_decides():
    fight = duel()
    stops = []
    for _ in range(6):
        stops.append((fight.state.round, fight.phase))
        if fight.phase in (Phase.P1, Phase.G3):
            fight.action("arn" if fight.phase is Phase.P1 else "orc", "use_item")
        fight.end()
    assert stops == [
        (1, Phase.P1),
        (1, Phase.G1),
        (1, Phase.G3),
        (1, Phase.G4),
        (2, Phase.P1),
        (2, Phase.G1),
    ]


def test_resolve_phases_without_anything_declared_run_on():
    assert duel().end().phase is Phase.G3


@pytest.mark.parametrize(
    ("place", "index"),
    [(ThirdPlace.FIRST, 0), (ThirdPlace.BETWEEN, 5), (ThirdPlace.LAST, 8)],
)
def test_a_third_party_acts_where_the_gm_says(place: ThirdPlace, index: int):
    cat = token("Cat", 9, 9, side="cats")
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 6, 5), cat), begin=False)
    fight.do(BeginFight()).act(ThirdPartyPlan(token_id="cat", place=place))
    slots = sequence(fight.now)
    assert [slots.index(slot) for slot in slots if slot[1] == "cats"][0] == index
    assert slots[index : index + 5] == tuple(
        (phase, "cats")
        for phase in (
            Phase.THIRD_DECLARE,
            Phase.THIRD_DEFENCE,
            Phase.THIRD_DOT,
            Phase.THIRD_RESOLVE,
            Phase.THIRD_TICK,
        )
    )


def test_two_third_parties_have_a_phase_each():
    cat, dog = token("Cat", 9, 9, side="cats"), token("Dog", 8, 9, side="dogs")
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 6, 5), cat, dog))
    fight.until(Phase.THIRD_DECLARE)
    assert fight.state.third == "cats"
    fight.action("cat", "attack", "dog").end().end().lowest()
    assert (fight.phase, fight.state.third) == (Phase.THIRD_DECLARE, "dogs")
    assert "Cat attacks Dog" in fight.logged()


def test_a_third_party_that_acted_first_can_be_answered_in_round_one():
    cat = token("Cat", 6, 5, side="cats")
    fight = Fight(encounter(token("Arn", 5, 5), cat), begin=False)
    fight.do(BeginFight()).act(ThirdPartyPlan(token_id="cat", place=ThirdPlace.FIRST)).end()
    fight.move("cat", (8, 5)).end().end()
    assert (fight.phase, fight.state.round) == (Phase.P1, 1)
    assert fight.action("arn", "opportunity_attack", "cat").state.turn("arn").declared


def test_who_is_taken_off_the_map_does_not_hold_the_dice_up():
    fight = duel().action("arn", "attack", "orc").end().end()
    fight.now = fight.now.changed(tokens=fight.now.tokens.without("arn"))
    assert fight.roll(15).prompt is None
    assert fight.phase is Phase.G3


def test_only_side_that_is_neither_party_foes_nor_neutral_is_a_third_party():
    fight = Fight(encounter(token("Arn", 5, 5), token("Cow", 6, 5, side=NEUTRAL)))
    with pytest.raises(Rejected, match="third party"):
        fight.act(ThirdPartyPlan(token_id="cow", place=ThirdPlace.FIRST))
    assert fight.until(Phase.G3).move("cow", (7, 5)).state.turn("cow").declared


def test_a_third_party_that_is_gone_does_not_hold_the_round_up():
    cat = token("Cat", 9, 9, side="cats")
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 6, 5), cat)).until(Phase.THIRD_DECLARE)
    fight.now = fight.now.changed(tokens=fight.now.tokens.without("cat"))
    assert fight.end().phase is Phase.P1


def test_the_surprised_lose_round_one_and_act_in_round_two():
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 6, 5)), begin=False)
    fight.do(BeginFight()).act(SetupPlan(token_id="orc", surprised=True)).end()
    fight.until(Phase.G3)
    assert fight.refused(plan("orc", "attack", "arn")) == "surprised"
    assert "surprised" in fight.offers("orc")["attack:Sword"].reason
    fight.until(Phase.G3, 2)
    assert not fight.sheet("orc").surprised
    assert fight.offers("orc")["attack:Sword"].enabled


def test_the_surprised_keep_their_defence_roll():
    made = encounter(token("Arn", 5, 5, surprised=True, defence_bonuses=2))
    fight = Fight(made).end()
    assert fight.prompt is not None
    assert fight.prompt.roll == "2d6k1"
    assert fight.roll(2, 6).sheet("arn").round_def == 6


def test_surprise_is_no_matter_once_round_one_runs():
    assert duel().refused(SetupPlan(token_id="orc", surprised=True)) == "setup_over"


@pytest.mark.parametrize(
    ("surprised", "had_minute", "works"),
    [(False, True, True), (True, True, False), (False, False, False)],
)
def test_prepared_spells_work_from_the_start(surprised: bool, had_minute: bool, works: bool):
    ward = [{"status": "illuminated", "rounds": 2}]
    fight = duel(prepared=ward, surprised=surprised, had_minute=had_minute)
    effects = fight.sheet("arn").effects
    assert bool(effects) is works
    if works:
        assert effects[0].applied_round == 0
        assert fight.until(Phase.G3, 1).sheet("arn").effects[0].duration_rounds == 1
        assert not fight.until(Phase.G3, 2).sheet("arn").effects


def test_unused_halves_are_lost():
    fight = duel().action("arn", "attack", "orc").end().end().lowest().until(Phase.P1, 2)
    assert "2 half actions" in fight.ruleset.step(fight.now).entries[0].detail


def test_declarations_close_with_the_phase():
    fight = duel().action("arn", "attack", "orc").end()
    assert fight.refused(plan("arn", "attack", "orc")) == "declaration_closed"
    assert fight.refused(WithdrawPlan(token_id="arn", number=1)) == "declaration_closed"


def test_the_first_die_freezes_a_declaration():
    fight = duel().action("arn", "attack", "orc")
    fight.now = fight.now.with_token(fight.now.token("arn").changed(elevation=4))
    fight.act(FallPlan(token_id="arn")).roll(1, 1)
    assert fight.phase is Phase.P1
    assert fight.refused(plan("arn", "attack", "orc")) == "declaration_frozen"
    assert fight.refused(WithdrawPlan(token_id="arn")) == "declaration_frozen"


def test_who_has_declared_nothing_is_not_frozen_by_a_die():
    fight = Fight(encounter(token("Arn", 5, 5, elevation=4), foe("Orc", 6, 5)))
    fight.act(FallPlan(token_id="arn")).roll(1, 1)
    assert fight.action("arn", "attack", "orc").state.turn("arn").declared


def test_defence_counts_for_ac_and_saves_until_rolled_again():
    fight = duel(defence_maluses=1).end().roll(4)
    assert fight.sheet("arn").round_def == -4
    fight.until(Phase.G3).action("orc", "attack", "arn").end().end()
    assert fight.prompt is not None
    assert "AC 8" in fight.prompt.question
    fight.lowest().until(Phase.P1, 2)
    assert fight.sheet("arn").round_def == -4
    assert fight.end().roll(1).sheet("arn").round_def == -1


def test_a_flat_defence_needs_no_dice():
    made = encounter(token("Arn", 5, 5, defence_bonuses=2), bonus_die="flat(3,+1)")
    assert Fight(made).end().sheet("arn").round_def == 4


def test_the_gm_creatures_roll_defence_when_they_have_declared():
    made = encounter(token("Arn", 5, 5), foe("Orc", 6, 5, defence_bonuses=1))
    fight = Fight(made).until(Phase.G3).end()
    assert fight.prompt is not None
    assert fight.prompt.side == "foes"


def test_total_defence_is_one_bonus_this_round():
    fight = duel().action("arn", "total_defence").end()
    assert fight.prompt is not None
    assert fight.prompt.roll == "1d6k1"


def test_reactions_are_resolved_before_all_actions():
    fight = Fight(encounter(token("Arn", 5, 5), token("Bo", 5, 6), foe("Orc", 6, 5)))
    fight.until(Phase.G3).move("orc", (7, 5)).end().until(Phase.P1, 2)
    fight.action("arn", "use_item").action("bo", "opportunity_attack", "orc").end()
    assert fight.refused(ResolvePlan(token_id="arn")) == "reactions_first"
    assert fight.offers("arn")["resolve"].reason
    fight.end()
    assert fight.prompt is not None
    assert fight.prompt.token_id == "bo"


def test_the_gm_may_resolve_one_creature_before_the_others():
    fight = Fight(encounter(token("Arn", 5, 5), token("Bo", 5, 6), foe("Orc", 6, 5)))
    fight.action("arn", "use_item", note="rope").action("bo", "use_item", note="torch").end()
    fight.act(ResolvePlan(token_id="bo"))
    assert "torch" in fight.logged()
    assert "rope" not in fight.logged()
    assert fight.end().logged().count("torch") == 1


def test_nothing_is_resolved_in_a_phase_of_declaring():
    fight = duel().action("arn", "use_item")
    with pytest.raises(Rejected, match="to be resolved now"):
        fight.act(ResolvePlan(token_id="arn"))


def test_incapacitated_creatures_lose_what_they_declared():
    fight = duel().action("arn", "attack", "orc").end()
    fight.now = fight.now.with_token(
        fight.now.token("arn").changed(sheet=fight.sheet("arn").changed(hp=-1))
    )
    fight.end()
    assert "Arn is incapacitated: Attack: Orc (Sword) is lost." in fight.logged()


# The asymmetry of section 3


def test_an_effect_on_an_npc_covers_two_gm_phases():
    fight = duel().action("arn", "use_item").end()
    fight.act(EffectPlan(token_id="orc", status="burning"))
    fight.until(Phase.P1, 2)
    assert (fight.sheet("orc").hp, len(fight.sheet("orc").effects)) == (17, 1)
    fight.until(Phase.P1, 3)
    assert (fight.sheet("orc").hp, len(fight.sheet("orc").effects)) == (14, 0)


def test_the_same_effect_on_a_pc_covers_one_player_phase():
    fight = duel().until(Phase.G3).action("orc", "use_item").end()
    fight.act(EffectPlan(token_id="arn", status="burning"))
    assert fight.until(Phase.P1, 4).sheet("arn").hp == 17


def test_third_parties_tick_at_the_end_of_their_own_phase():
    cat = token("Cat", 9, 9, side="cats")
    fight = Fight(encounter(token("Arn", 5, 5), cat)).until(Phase.G3)
    fight.act(EffectPlan(token_id="cat", status="burning"))
    fight.until(Phase.THIRD_DECLARE).end()
    assert (fight.sheet("cat").hp, len(fight.sheet("cat").effects)) == (17, 1)
    fight.until(Phase.P1, 3)
    assert (fight.sheet("cat").hp, fight.sheet("cat").effects) == (14, ())


def test_damage_over_time_fires_once_a_round():
    arn = token("Arn", 5, 5)
    arn = arn.changed(sheet=with_effect(arn.sheet, "burning", duration_rounds=9))
    fight = Fight(encounter(arn, foe("Orc", 6, 5)))
    assert fight.until(Phase.P1, 4).sheet("arn").hp == 20 - 3 * 3


# Concentration


LIGHT = AttackProfile(
    name="Glow",
    spell=True,
    concentration=True,
    unavoidable=True,
    damage="0",
    effects=[{"status": "illuminated", "rounds": 9}],
)


def kept_up() -> Fight:
    """Return a fight in which a mage that keeps up Glow on the Orc has been hit in round 1."""
    mage = token("Mage", 5, 5, attacks=[LIGHT], mana=9, mana_max=9, will=14)
    fight = Fight(encounter(mage, foe("Orc", 6, 5)))
    fight.action("mage", "cast_half", "orc").end().end()
    fight.action("orc", "attack", "mage").end().end().roll(19).total(1)
    assert fight.prompt is not None
    assert fight.prompt.roll == "1d20+2"
    return fight


def test_concentration_holds_at_ten():
    fight = kept_up().roll(8)
    assert fight.sheet("mage").concentration == "Glow"
    assert fight.sheet("orc").effects


def test_concentration_breaks_below_ten_and_the_spell_ends():
    fight = kept_up().roll(7)
    assert fight.sheet("mage").concentration == ""
    assert fight.sheet("orc").effects == ()


def test_a_concentration_die_does_not_freeze_the_new_round():
    fight = kept_up().roll(15)
    assert fight.action("mage", "use_item").state.turn("mage").declared


# The end


def test_a_fight_ends_clean():
    fight = duel(defence_bonuses=1).end().roll(3)
    assert fight.sheet("arn").round_def == 3
    fight.action("orc", "attack", "arn").end().end()
    fight.end_fight()
    assert (fight.prompt, fight.now.pending, fight.sheet("arn").round_def) == (None, (), 0)
    assert not fight.now.fighting


def area(**fields: object) -> Area:
    shape = AreaShape(shape=ShapeKind.CIRCLE, origin=(5.5, 5.5), size=1)
    return Area(id="fire", name="Fire", shape=shape, cells=(Cell(5, 5),), **fields)


def test_lasting_areas_harm_in_the_own_step_and_run_out():
    fire = area(rounds_left=2, damage="2", damage_type="fire")
    made = encounter(
        token("Arn", 5, 5), foe("Orc", 9, 9), board={"areas": FrozenMap({"fire": fire})}
    )
    fight = Fight(made)
    assert fight.until(Phase.P1, 2).sheet("arn").hp == 18
    assert fight.now.board.areas["fire"].rounds_left == 1
    assert fight.until(Phase.P1, 3).sheet("arn").hp == 16
    assert not fight.now.board.areas


def test_an_area_follows_whom_it_belongs_to():
    fog = area(follows="arn")
    made = encounter(token("Arn", 5, 5), board={"areas": FrozenMap({"fire": fog})})
    fight = Fight(made).move("arn", (7, 6)).end().end()
    moved = fight.now.board.areas["fire"]
    assert moved.cells == (Cell(7, 6),)
    assert moved.shape.origin == (7.5, 6.5)
