"""The worked examples of the rule file's section 11, each a test of its id."""

from collections.abc import Iterable
from typing import Any

import pytest

from engine.geometry.routes import field_of
from engine.geometry.stride import Stand
from engine.geometry.wayfinding import walk
from engine.model.light import Ambient, Light
from engine.model.region import Obscuration, Region, Surface
from engine.model.space import Cell
from engine.model.token import Token
from engine.model.told import told
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel, Wall, WallKind
from engine.rules.drase import falls, npc, rests
from engine.rules.drase.combat import Exchange, Fighter, attack_sum
from engine.rules.drase.cover import Cover
from engine.rules.drase.damage import mitigation
from engine.rules.drase.data import Book, book_of
from engine.rules.drase.movement import movement_rules, plan_walk
from engine.rules.drase.plans import EffectPlan
from engine.rules.drase.sheet import AttackProfile, DamageType, DraseSheet, Size
from engine.rules.drase.situation import Haze, Situation, look
from engine.rules.drase.state import Phase, Turn
from tests.helpers.drase import (
    BOW,
    SWORD,
    Fight,
    book,
    creature,
    encounter,
    foe,
    plan,
    square,
    token,
)


def cost(path: list[tuple[int, int]], **options: Any) -> int | float:
    """Return what a way over these cells costs, from the first of them."""
    start = token("Arn", *path[0], speed=90)
    scene = encounter(start, **options)
    waypoints = [Cell(*cell) for cell in path[1:]]
    return plan_walk(scene, start, Turn(), waypoints).tiles


def diagonals(count: int) -> list[tuple[int, int]]:
    return [(i, i) for i in range(count + 1)]


def can_reach(offset: tuple[int, int], *, speed: int, diagonal: str) -> bool:
    start = token("Arn", 10, 10, speed=speed)
    scene = encounter(start, diagonal=diagonal)
    target = Cell(10 + offset[0], 10 + offset[1])
    return not plan_walk(scene, start, Turn(), [target]).refusals


def test_D1():
    assert [cost(diagonals(n)) for n in range(1, 7)] == [1, 3, 4, 6, 7, 9]


def test_D2():
    found = [cost(diagonals(n), diagonal="always_double") for n in range(1, 7)]
    assert found == [2, 4, 6, 8, 10, 12]


D_O_D = [(0, 0), (1, 1), (2, 1), (3, 2)]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 4),
        ({"diag_counter_reset": "on_orthogonal"}, 3),
        ({"diagonal": "always_double"}, 5),
    ],
)
def test_D3(options: Any, expected: Any):
    assert cost(D_O_D, **options) == expected


@pytest.mark.parametrize(("combine", "expected"), [("add", 5), ("multiply", 6), ("max", 4)])
def test_D5(combine: str, expected: Any):
    mud = Region(id="mud", name="Mud", rings=square(1, 1, 2, 2), step_cost=2)
    start = token("Arn", 0, 0)
    scene = encounter(start, regions=[mud], difficult_combine=combine)
    rules = movement_rules(book_of(scene), scene, start, Turn())
    way = [Cell(*cell) for cell in diagonals(2)]
    path = walk(field_of(scene, rules), rules.stride, Stand(way[0]), way[1:])
    assert path.cost == expected


@pytest.mark.parametrize(
    ("offset", "alternating", "circle"),
    [((4, 4), True, True), ((5, 3), True, True), ((5, 4), False, False), ((6, 0), True, True)],
)
def test_D6(offset: tuple[int, int], alternating: bool, circle: bool):
    assert can_reach(offset, speed=6, diagonal="alternating") is alternating
    assert can_reach(offset, speed=6, diagonal="circular") is circle


def test_D7():
    assert can_reach((5, 5), speed=7, diagonal="alternating")
    assert not can_reach((5, 5), speed=7, diagonal="circular")


def stand(height: int, offset: int, *, ranged: bool, attacker_up: bool = False, **options: Any):
    """Return the situation of an attacker and a target `offset` tiles away, one of them raised."""
    up, down = (height, 0) if attacker_up else (0, height)
    ours = token("Arn", 10, 10, elevation=up)
    theirs = foe("Bat", 10 + offset, 10, elevation=down)
    scene = encounter(ours, theirs, **options)
    return look(scene, book(**options), ours, theirs, ranged)


@pytest.mark.parametrize(("metric", "expected"), [("axis", 24), ("max", 24), ("sum", 25)])
def test_H1(metric: str, expected: Any):
    assert stand(24, 1, ranged=False, height_metric=metric).distance == expected


def test_H2():
    situation = stand(24, 1, ranged=True, attacker_up=True)
    assert (situation.distance, situation.drop) == (1, 24)
    total = sum_of(situation=situation, profile=BOW)
    assert (total.bonuses, str(total.roll)) == (1, "1d20+1d6k1+5")


@pytest.mark.parametrize(("metric", "expected"), [("axis", 5), ("max", 4), ("sum", 7)])
def test_H3(metric: str, expected: Any):
    assert stand(3, 4, ranged=True, height_metric=metric).distance == expected


def sum_of(
    *,
    situation: Situation | None = None,
    profile: AttackProfile = SWORD,
    ac: int = 18,
    rules: Book | None = None,
):
    ours = Fighter("arn", told("Arn"), creature(to_hit=5))
    theirs = Fighter("orc", told("Orc"), creature(ac=ac))
    return attack_sum(rules or book(), Exchange(ours, profile, theirs, situation or Situation()))


@pytest.mark.parametrize(
    ("grade", "total", "hits"),
    [(None, 19, True), (CoverLabel.HALF, 17, False), (CoverLabel.THREE_QUARTER, 14, False)],
)
def test_C1(grade: CoverLabel | None, total: int, hits: bool):
    covers = (Cover(grade, "a crate"),) if grade else ()
    fight = Fight(
        encounter(token("Arn", 5, 5), foe("Orc", 6, 5, ac=18)),
        situation=Situation(covers=covers),
    )
    fight.action("arn", "attack", "orc").end().end().roll(14)
    assert f"= {total} against AC 18: {'hit' if hits else 'miss'}" in fight.logged()


def line_of_fire(
    *others: Token,
    regions: Iterable[Region] = (),
    walls: Iterable[Wall] = (),
    x: int = 5,
    target: tuple[int, int] = (15, 5),
    **options: Any,
):
    """Return the situation of a Medium archer at (5, 5) who shoots east."""
    archer, mark = token("Arn", x, 5), foe("Orc", *target)
    scene = encounter(archer, mark, *others, regions=regions, walls=walls, **options)
    return look(scene, book(**options), archer, mark, True)


def test_C2():
    small = token("Pip", 6, 5, size=Size.SMALL)
    assert line_of_fire(small).covers == ()


def test_C2_counts_when_it_is_not_adjacent():
    small = token("Pip", 8, 5, size=Size.SMALL)
    assert [each.grade for each in line_of_fire(small).covers] == [CoverLabel.HALF]


def test_C3():
    situation = line_of_fire(token("Bo", 8, 5))
    total = sum_of(situation=situation, profile=BOW)
    assert [(line.label, line.value) for line in total.lines if line.value == -5] == [
        ("Three-quarter cover: Bo", -5)
    ]


@pytest.mark.parametrize("kind", ["edge", "tile"])
def test_C5(kind: str):
    slit = Wall(id="slit", points=((6, 0), (6, 30)), kind=WallKind.EMBRASURE)
    tile = Region(id="slit", rings=square(6, 5), cover=CoverLabel.EMBRASURE)
    scene = {"walls": [slit]} if kind == "edge" else {"regions": [tile]}
    beside, behind = line_of_fire(**scene), line_of_fire(x=3, **scene)
    assert sum_of(situation=beside, profile=BOW).refusals == ()
    assert [line.value for line in sum_of(situation=beside, profile=BOW).lines if line.value] == [5]
    assert [each.code for each in sum_of(situation=behind, profile=BOW).refusals] == ["embrasure"]


def test_O1():
    fog = Haze(Obscuration.LIGHT, "Fog", frozenset({"fog"}))
    rain = Haze(Obscuration.HEAVY, "Heavy rain", frozenset({"rain"}))
    total = sum_of(situation=Situation(here=fog, there=rain))
    assert total.maluses == 2
    assert str(total.roll) == "1d20-2d6k1+5"
    assert total.roll.evaluate((14, 2, 5)).total == 14 + 5 - 5


def lamp_at(distance: int):
    """Return the situation of a target so far from a light of radius 4, without other light."""
    lamp = Light(id="lamp", position=(5.5, 5.5), bright=4, dim=8)
    lit = {"ambient": Ambient.DARK, "lights": FrozenMap({"lamp": lamp})}
    archer, mark = token("Arn", 5, 6), foe("Orc", 5 + distance, 5)
    scene = encounter(archer, mark, board=lit)
    return look(scene, book(), archer, mark, True)


@pytest.mark.parametrize(
    ("distance", "maluses", "refusals"),
    [(4, 0, []), (5, 1, []), (8, 1, []), (9, 2, ["totally_obscured"])],
)
def test_O2(distance: int, maluses: int, refusals: list[str]):
    total = sum_of(situation=lamp_at(distance), profile=BOW)
    assert [each.code for each in total.refusals] == refusals
    assert total.maluses == maluses


def hits(attackers: int, gap: int, **options: Any) -> int:
    return npc.average(book(**options), {gap: attackers}).hits


def test_N1():
    gaps = [25, 19, 18, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 4, 3, 2, 1, 0, -5]
    expected = [1, 1, 2, 2, 3, 5, 5, 6, 6, 8, 8, 10, 10, 12, 12, 15, 15, 15, 20, 20]
    assert [hits(10, gap) for gap in gaps] == expected


def test_N2():
    assert [hits(1, gap) for gap in (19, 7, 6, 3, 1, 0)] == [1, 1, 1, 1, 1, 2]


def test_N3():
    assert [hits(3, gap) for gap in (16, 12, 9, 6, 3, 0)] == [1, 2, 2, 3, 4, 6]


def test_N5():
    assert npc.row_for(book(), npc.difference(book(), 0, 20))[0].id == "19+"


@pytest.mark.parametrize(
    ("attacker", "defender", "expected"),
    [(0, 0, 15), (1, 0, 12), (2, 0, 11), (-1, 0, 18), (0, 2, 19)],
)
def test_N6(attacker: int, defender: int, expected: Any):
    assert npc.difference(book(), 5, 20, attacker, defender) == expected


def test_N7():
    assert (hits(10, 1), hits(10, 1, npc_D1="x2")) == (15, 20)


def fall_dice(
    tiles: int, surface: Surface = Surface.HARD, *, broken: bool = False, **options: Any
) -> int:
    return falls.fall(book(**options), DraseSheet(), tiles, surface, broken=broken).dice


def test_F2():
    assert [fall_dice(tiles) for tiles in (79, 80, 81, 200)] == [39, 40, 40, 40]


@pytest.mark.parametrize(
    ("mode", "expected"), [("threshold", [0, 2, 0, 4]), ("subtract", [0, 0, 0, 0])]
)
def test_F3(mode: str, expected: Any):
    landings = [(4, Surface.WATER), (5, Surface.WATER), (8, Surface.SOFT), (9, Surface.SOFT)]
    assert [fall_dice(*each, soft_mode=mode) for each in landings] == expected


def test_F4():
    assert (fall_dice(40), fall_dice(40, broken=True)) == (20, 10)


def taken(amount: int, *, resist: int = 0, vuln: int = 0, **options: Any) -> int:
    victim = DraseSheet(
        resist=FrozenMap({DamageType.FIRE: resist}), vuln=FrozenMap({DamageType.FIRE: vuln})
    )
    return mitigation(book(**options), victim, DamageType.FIRE).applied(amount)


def test_R1():
    stacks = [(1, 0), (0, 1), (2, 0), (0, 2), (1, 1), (2, 1), (1, 3)]
    assert [taken(7, resist=r, vuln=v) for r, v in stacks] == [3, 11, 3, 11, 7, 3, 11]


def test_R2():
    assert [taken(1, resist=1), taken(1, vuln=1), taken(5, vuln=1)] == [0, 2, 8]


def test_T1():
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 20, 5))).until(Phase.G3, 3)
    fight.action("orc", "use_item").end()
    assert (fight.phase, fight.state.round) == (Phase.G4, 3)
    fight.act(EffectPlan(token_id="arn", status="burning"))
    before = fight.sheet("arn").hp
    fight.end()
    assert (fight.phase, fight.state.round, fight.sheet("arn").hp) == (Phase.P1, 4, before)
    fight.action("arn", "use_item").end()
    assert (fight.phase, fight.sheet("arn").hp) == (Phase.G1, before - 3)
    assert [each.id for each in fight.sheet("arn").effects] == ["burning"]
    fight.end()
    assert (fight.phase, fight.sheet("arn").effects) == (Phase.G3, ())
    assert fight.until(Phase.P1, 6).sheet("arn").hp == before - 3


def test_T3():
    shield = AttackProfile(
        name="Shield", spell=True, unavoidable=True, damage="0", effects=[{"status": "illuminated"}]
    )
    mage = token("Mage", 5, 5, attacks=(shield,), mana=9, mana_max=9)
    fight = Fight(encounter(mage, foe("Orc", 20, 5))).until(Phase.P1, 3)
    fight.action("mage", "cast_half", "mage").end().end()
    assert fight.phase is Phase.G3
    assert [each.duration_rounds for each in fight.sheet("mage").effects] == [1]
    fight.until(Phase.P1, 4)
    assert fight.sheet("mage").effects
    assert not fight.until(Phase.G3, 4).sheet("mage").effects


def rest(hp: int, *, mana: int, rested: bool) -> int:
    sheet = DraseSheet(hp=hp, hp_max=47, mana_max=mana)
    return rests.long_rest(book(), sheet, rested=rested).hp


def test_L1():
    assert rest(20, mana=3, rested=True) == 31


def test_L2():
    assert rest(20, mana=0, rested=True) == 23
    assert rest(20, mana=3, rested=False) == 23


def test_L2_gains_a_tenth_below_half():
    assert rest(10, mana=0, rested=True) == 14


def slipping_away():
    """Return a fight in G3 of round 2 whose PC has just left the Orc's reach, behind a wall."""
    wall = Wall(id="wall", points=((9, 0), (9, 11)))
    fight = Fight(encounter(token("Arn", 6, 10), foe("Orc", 5, 10), walls=[wall]))
    fight.until(Phase.P1, 2).move("arn", (11, 11)).end().end()
    assert (fight.phase, fight.state.round) == (Phase.G3, 2)
    return fight


def test_RX1():
    fight = slipping_away()
    reaction = plan("orc", "opportunity_attack", "arn", attack="Sword")
    assert [each.code for each in fight.ruleset.forecast(fight.now, reaction).refusals] == []
    fight.act(reaction)
    assert fight.refused(reaction) == "reaction_used"
    fight.end().end()
    assert fight.prompt is not None
    assert fight.prompt.roll == "1d20+5"


def test_RX2():
    fight = Fight(encounter(token("Arn", 6, 10), foe("Orc", 5, 10)))
    assert fight.refused(plan("arn", "opportunity_attack", "orc")) == "no_trigger"
    assert fight.offers("arn")["opportunity_attack"].reason


def passing_by():
    """Return a fight in P1 of round 3 after the Orc has moved past Arn in round 2."""
    fight = Fight(encounter(token("Arn", 6, 10), foe("Orc", 5, 10), foe("Rat", 7, 10)))
    fight.until(Phase.G3, 2).move("orc", (2, 10)).end().until(Phase.P1, 3)
    return fight


def test_RX3():
    fight = passing_by().action("arn", "opportunity_attack", "orc").end().end()
    assert (fight.phase, fight.state.round) == (Phase.G1, 3)
    assert fight.prompt is not None
    assert fight.prompt.about == ("arn", "orc")


def test_RX3_is_lost_if_incapacitated():
    fight = passing_by().action("arn", "opportunity_attack", "orc").end()
    fight.now = fight.now.with_token(
        fight.now.token("arn").changed(sheet=fight.sheet("arn").changed(hp=0))
    )
    fight.end()
    assert fight.prompt is None
    assert "Arn is incapacitated: Opportunity Attack: Orc (Sword) is lost." in fight.logged()
