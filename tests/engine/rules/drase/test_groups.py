"""NPC Average Hit: a group's attack on one target or another group, told with the row used."""

from typing import Any

import pytest

from engine.model.refusal import Rejected
from engine.model.region import Region
from engine.model.space import Cell
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel
from engine.rules.drase.plans import GroupAttackPlan
from engine.rules.drase.sheet import DamageType
from engine.rules.drase.situation import Situation
from engine.rules.drase.state import Phase
from tests.helpers.drase import BOW, CLUB, Fight, encounter, foe, plan, square, token

BOWS = [BOW.changed(name="Bow", static_damage=3)]


def horde(count: int = 10, *, target: Any = None, scene: Any = None, **fields: Any) -> Fight:
    """Return a fight in G3 with a group of archers in a row against Arn."""
    own = {"attacks": BOWS, "to_hit": 0, "group": "orcs", **fields}
    orcs = [foe(f"Orc{number}", number, 20, **own) for number in range(count)]
    arn = token("Arn", 5, 5, **{"pc": True, "hp": 99, "hp_max": 99, **(target or {})})
    return Fight(encounter(arn, *orcs, **(scene or {})), situation=Situation()).until(Phase.G3)


ATTACK = GroupAttackPlan(token_id="orc0", target_id="arn", attack="Bow")


@pytest.mark.parametrize(
    ("ac", "hits", "row"), [(15, 3, "15"), (10, 8, "9-10"), (1, 15, "1-3"), (0, 20, "0-")]
)
def test_hits_and_damage_by_the_chart(ac: int, hits: int, row: str):
    fight = horde(target={"ac": ac}).act(ATTACK)
    forecast = fight.ruleset.forecast(fight.now, ATTACK)
    assert f"by row {row} " in forecast.lines[0].label
    assert forecast.rows[0].mean == 3 * hits
    fight.end().end()
    assert fight.sheet("arn").hp == 99 - 3 * hits
    told = next(each for each in fight.now.log if "by the chart" in each.text)
    assert told.lines == forecast.lines
    assert f"10 attack Arn with Bow: {hits} hits" in told.text


def test_no_dice_are_asked_for_and_no_critical_happens():
    fight = horde(100, target={"ac": 0}).act(ATTACK).end().end()
    assert fight.prompt is None
    assert fight.sheet("arn").effects == ()


def test_resistance_counts_for_each_hit():
    pierced = {"ac": 15, "resist": FrozenMap({DamageType.PIERCE: 1})}
    assert horde(target=pierced).act(ATTACK).end().end().sheet("arn").hp == 99 - 3 * 1


def test_a_pcs_rolled_defence_counts_an_npcs_stacks_by_the_average():
    fight = horde(target={"ac": 12, "defence_bonuses": 1}, scene={"bonus_die": "flat(3,+1)"})
    assert fight.sheet("arn").round_def == 3
    assert "Difference 15:" in fight.ruleset.forecast(fight.now, ATTACK).lines[0].label
    npc = horde(target={"ac": 12, "defence_bonuses": 2, "pc": False, "round_def": 0})
    npc.now = npc.now.with_token(
        npc.now.token("arn").changed(sheet=npc.sheet("arn").changed(round_def=6))
    )
    assert "Difference 16:" in npc.ruleset.forecast(npc.now, ATTACK).lines[0].label


def test_sparing_is_a_malus_for_each_of_them():
    gentle = ATTACK.changed(non_lethal=True)
    fight = horde(target={"ac": 15})
    assert "Difference 18:" in fight.ruleset.forecast(fight.now, gentle).lines[0].label


def test_cover_and_height_change_the_difference_of_those_they_concern():
    hill = Region(id="hill", rings=square(0, 20, 4, 1), ground=2)
    crate = Region(id="crate", rings=square(9, 19), cover=CoverLabel.HALF)
    orcs = [
        foe(f"Orc{x}", x, 20, attacks=BOWS, to_hit=0, group="orcs", size="small") for x in (0, 3, 9)
    ]
    arn = token("Arn", 9, 10, ac=12)
    fight = Fight(encounter(arn, *orcs, regions=[hill, crate])).until(Phase.G3)
    lines = [line.label for line in fight.ruleset.forecast(fight.now, ATTACK).lines]
    assert [line.split(" by ")[0] for line in lines] == ["Difference 12: 1", "Difference 9: 2"]


def test_who_cannot_attack_is_left_out():
    fight = horde(4)
    fight.now = fight.now.with_token(
        fight.now.token("orc1").changed(sheet=fight.sheet("orc1").changed(hp=0))
    )
    fight.act(ATTACK).end().end()
    assert "3 attack Arn" in fight.logged()


def test_attackers_may_be_picked():
    picked = ATTACK.changed(attackers=("orc0", "orc2"))
    assert "2 attack Arn" in horde().act(picked).end().end().logged()


def test_nobody_gives_the_group_an_action_it_has_spent():
    fight = horde(3).action("orc1", "aim").action("orc1", "draw").act(ATTACK)
    assert fight.state.turn("orc0").declared[0].plan.attackers == ("orc0", "orc2")
    assert "1 half action," in fight.ruleset.step(fight.now).entries[0].detail
    fight.action("orc2", "aim")
    assert fight.refused(plan("orc2", "draw")) == "no_halves_left"


def test_the_other_side_takes_no_part():
    with pytest.raises(Rejected, match="on another side"):
        horde().act(ATTACK.changed(attackers=("orc0", "arn")))


def slipped_away() -> Fight:
    """Return a fight in which three archers aim at somebody who is gone before they shoot."""
    made = encounter(
        token("Arn", 0, 20),
        *[foe(f"Orc{x}", x, 39, attacks=BOWS, group="o") for x in range(3)],
        size=40,
    )
    fight = Fight(made).until(Phase.G3).act(ATTACK)
    fight.now = fight.now.with_token(fight.now.token("arn").changed(cell=Cell(0, 0)))
    return fight.end()


def test_a_ruling_on_the_phase_lets_even_those_out_of_range_attack():
    assert "3 attack Arn" in slipped_away().end(overrule=True).logged()


def test_a_group_passes_on_the_hits_its_fallen_do_not_need():
    rats = [token(f"Rat{x}", x, 5, hp=5, hp_max=5, ac=15, group="rats") for x in range(3)]
    orcs = [foe(f"Orc{x}", x, 6, attacks=[CLUB], to_hit=0, group="orcs") for x in range(12)]
    fight = Fight(encounter(*rats, *orcs), situation=Situation()).until(Phase.G3)
    fight.act(GroupAttackPlan(token_id="orc0", target_id="rat1")).end().end()
    # 12 x 1/3 = 4 hits of 4: two for the first, two for the next
    assert [fight.sheet(f"rat{x}").hp for x in range(3)] == [-3, -3, 5]


def test_nobody_in_range_means_no_attack():
    fight = slipped_away().end()
    assert "Nobody of the group can attack Arn: Arn is 39 tiles away" in fight.logged()


def test_a_group_is_offered_as_one():
    offers = horde(3).offers("orc0")
    assert offers["group_move"].label == "Move the group (3)"
    assert offers["group_attack:Bow"].enabled
    alone = horde(1).offers("orc0")
    assert "group_move" not in alone


def test_the_forecast_tells_who_of_the_group_cannot_attack_and_why():
    orcs = [foe(f"Orc{x}", x, 4, attacks=[CLUB], group="orcs") for x in range(4)]
    fight = Fight(encounter(token("Arn", 3, 3), *orcs)).until(Phase.G3)
    aimed = GroupAttackPlan(token_id="orc0", attack="Club", target_id="arn")
    forecast = fight.ruleset.forecast(fight.now, aimed)
    assert forecast.title == "2 attack Arn"
    told = {line.label: line.text for line in forecast.lines}
    assert told["Arn is 2 tiles away; the reach of Club is 1."] == "1 cannot"
    assert told["Arn is 3 tiles away; the reach of Club is 1."] == "1 cannot"
