"""Every table rule, every value: what it changes is seen in a fight or in a number."""

from collections.abc import Callable
from typing import Any, get_args

import pytest

from engine.model.region import Obscuration, Region, Surface
from engine.model.space import Cell
from engine.model.token import Token
from engine.model.told import told
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel, OneSided, Wall, WallKind
from engine.rules.drase import falls, npc
from engine.rules.drase.combat import (
    Exchange,
    Fighter,
    attack_sum,
    counted_covers,
    cover_line,
    judge,
    stacked_roll,
)
from engine.rules.drase.cover import Cover
from engine.rules.drase.damage import mitigation
from engine.rules.drase.data import book_of
from engine.rules.drase.effects import dots
from engine.rules.drase.movement import plan_walk
from engine.rules.drase.options import DraseOptions
from engine.rules.drase.perception import perceive_sum
from engine.rules.drase.plans import EffectPlan, FallPlan
from engine.rules.drase.sheet import DamageType, DraseSheet, Effect, Size
from engine.rules.drase.situation import Haze, Situation, look
from engine.rules.drase.state import Phase, Turn
from engine.rules.ruleset import MovePlan
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

FOG = Haze(Obscuration.LIGHT, "Fog", frozenset({"fog"}))
RAIN = Haze(Obscuration.HEAVY, "Rain", frozenset({"rain"}))
NIGHT = Haze(Obscuration.TOTAL, "Darkness", frozenset({"dark"}))


def duel(**options: Any) -> Fight:
    """Return a fight of two in reach of each other."""
    return Fight(encounter(token("Arn", 5, 5, pc=True), foe("Orc", 6, 5), **options))


def total(situation: Situation | None = None, profile: Any = SWORD, **options: Any) -> Any:
    ours, theirs = Fighter("arn", told("Arn"), creature()), Fighter("orc", told("Orc"), creature())
    attack = Exchange(ours, profile, theirs, situation or Situation())
    return attack_sum(book(**options), attack)


def seen(*others: Token, ranged: bool = True, scene: Any = None, **options: Any) -> Situation:
    """Return how an archer at (5, 5) stands to a mark at (9, 5)."""
    archer, mark = token("Arn", 5, 5), foe("Orc", 9, 5)
    made = encounter(archer, mark, *others, **(scene or {}), **options)
    return look(made, book_of(made), archer, mark, ranged)


def price(*cells: tuple[int, int], scene: Any = None, **options: Any) -> int | float:
    start = token("Arn", *cells[0], speed=40)
    made = encounter(start, **(scene or {}), **options)
    return plan_walk(made, start, Turn(), [Cell(*cell) for cell in cells[1:]]).tiles


def grades(situation: Situation) -> list[CoverLabel]:
    return [each.grade for each in situation.covers]


# Each function is the test of one rule: it takes a value and asserts what that value does.


def tile_label(value: str) -> None:
    made = encounter(token("Arn", 0, 0), tile_label=value)
    measured = Fight(made, begin=False).ruleset.measure(made, [Cell(0, 0), Cell(3, 0)])
    assert measured.label == {"2 m": "3 tiles (6 m)", "5 ft": "3 tiles (15 ft)"}[value]


def meet_beats(value: bool) -> None:
    fight = duel(meet_beats=value).action("arn", "attack", "orc").end().end()
    fight.roll(12 - 5)
    assert ("AC 12: hit" in fight.logged()) is value


def bonus_die(value: str) -> None:
    expected = {"d6k1": ("2d6k1", "3d6k1"), "flat(3,+1)": ("4", "5"), "flat(1)": ("2", "3")}
    options = book(bonus_die=value).options
    found = tuple(str(stacked_roll(options, count, 0)[0]) for count in (2, 3))
    assert found == expected[value]


def bonus_cancel(value: str) -> None:
    options = book(bonus_cancel=value).options
    roll = str(stacked_roll(options, 3, 1)[0])
    assert roll == {"cancel": "2d6k1", "roll_both": "3d6k1-1d6k1"}[value]


def natural(value: str) -> None:
    options = book(natural=value).options
    found = [judge(options, face, margin, can_crit=True) for face, margin in ((20, -9), (1, 9))]
    assert found == {"crit_if_hit": ["miss", "hit"], "auto": ["critical", "miss"]}[value]


def crit(value: str) -> None:
    fight = duel(crit=value).action("arn", "attack", "orc").end().end().roll(20).total(1)
    assert bool(fight.sheet("orc").effects) is (value == "natural20")


def reactor_must_be_able(value: bool) -> None:
    fight = duel(reactor_must_be_able=value).until(Phase.G3).move("orc", (9, 5)).end()
    fight.until(Phase.P1, 2).action("arn", "opportunity_attack", "orc").end()
    arn = fight.now.token("arn")
    fight.now = fight.now.with_token(arn.changed(sheet=fight.sheet("arn").changed(hp=0)))
    fight.end()
    assert (fight.prompt is None) is value


def dot_on_application_round(value: str) -> None:
    fight = duel(dot_on_application_round=value)
    fight.action("arn", "use_item").end()
    fight.act(EffectPlan(token_id="orc", status="burning"))
    fight.until(Phase.P1, 2)
    assert fight.sheet("orc").hp == {"literal": 17, "skip": 20}[value]
    fight.until(Phase.P1, 4)
    assert fight.sheet("orc").hp == {"literal": 14, "skip": 17}[value]


def surprised_can_react(value: bool) -> None:
    cat = token("Cat", 7, 5, side="cats")
    arn = token("Arn", 5, 5, surprised=True)
    made = encounter(arn, foe("Orc", 6, 5), cat, surprised_can_react=value)
    fight = Fight(made, begin=False)
    offers = Fight(made).offers("arn")
    reason = offers["opportunity_attack"].reason
    assert ("surprised" in reason) is not value
    assert fight.sheet("arn").surprised


def diagonal(value: str) -> None:
    expected = {"alternating": 3, "always_double": 4, "circular": 8**0.5, "chebyshev": 2}
    assert price((0, 0), (1, 1), (2, 2), diagonal=value) == pytest.approx(expected[value])


def diag_counter_reset(value: str) -> None:
    fight = Fight(encounter(token("Arn", 5, 5), diag_counter_reset=value))
    fight.move("arn", (6, 6)).action("arn", "use_item").move("arn", (7, 6)).move("arn", (8, 7))
    spent = sum(step.tiles for step in fight.state.turn("arn").declared)
    assert spent == {"never": 4, "on_orthogonal": 3, "on_segment": 3}[value]


def circle_needs_path(value: bool) -> None:
    wall = Wall(id="w", points=((7, 0), (7, 30)))
    start = token("Arn", 5, 5)
    made = encounter(start, walls=[wall], diagonal="circular", circle_needs_path=value)
    walk = plan_walk(made, start, Turn(), [Cell(9, 5)])
    assert bool(walk.refusals) is value


def difficult_combine(value: str) -> None:
    mud = Region(id="mud", rings=square(0, 0, 9, 9), step_cost=2)
    found = price((0, 0), (1, 1), (2, 2), scene={"regions": [mud]}, difficult_combine=value)
    assert found == {"add": 5, "multiply": 6, "max": 4}[value]


def difficult_cost(value: int) -> None:
    mud = Region(id="mud", rings=square(0, 0, 9, 9), step_cost=2)
    assert price((0, 0), (2, 0), scene={"regions": [mud]}, difficult_cost=value) == 2 * value


def corner_cut(value: str) -> None:
    one = Region(id="one", rings=square(6, 5), impassable=True)
    both = Region(id="both", rings=square(5, 6), impassable=True)
    found = [
        price((5, 5), (6, 6), scene={"regions": regions}, corner_cut=value)
        for regions in ([], [one], [one, both])
    ]
    assert [each == 1 for each in found] == {
        "one_open": [True, True, False],
        "both_open": [True, False, False],
        "free": [True, True, True],
    }[value]


def height_metric(value: str) -> None:
    archer, bat = token("Arn", 5, 5), foe("Bat", 9, 5, elevation=3)
    made = encounter(archer, bat, height_metric=value)
    distance = look(made, book_of(made), archer, bat, True).distance
    assert distance == {"axis": 5, "max": 4, "sum": 7}[value]


def height_bonus(value: str) -> None:
    found = total(Situation(drop=1), height_bonus=value)
    assert str(found.roll) == {"1 bonus": "1d20+1d6k1+5", "flat +1": "1d20+6"}[value]


def cover_trace(value: str) -> None:
    # the wall ends on the line between the centres: half of the target shows beside it
    wall = Wall(id="w", points=((8, 5.4), (8, 9)))
    found = grades(seen(scene={"walls": [wall]}, cover_trace=value))
    assert (
        found
        == {
            "silhouette": [CoverLabel.THREE_QUARTER],
            "center_line": [CoverLabel.FULL],
            "best_corner": [CoverLabel.HALF],
        }[value]
    )


def cover_stack(value: str) -> None:
    covers = (Cover(CoverLabel.HALF, "a"), Cover(CoverLabel.THREE_QUARTER, "b"))
    rules = book(cover_stack=value)
    lines = [cover_line(rules, each) for each in counted_covers(rules, Situation(covers=covers))]
    assert sum(line.value or 0 for line in lines) == {"worst": -5, "sum": -7}[value]


def embrasure_side(value: str) -> None:
    # one-sided: it blocks whoever is on its left, which for a wall drawn downward is the east
    slit = Wall(id="s", points=((6, 0), (6, 30)), kind=WallKind.EMBRASURE, one_sided=OneSided.RIGHT)
    found = grades(seen(scene={"walls": [slit]}, embrasure_side=value))
    assert (CoverLabel.EMBRASURE in found) is (value == "inside_only")


def creature_cover_applies(value: str) -> None:
    found = grades(seen(token("Bo", 7, 5), ranged=False, creature_cover_applies=value))
    assert bool(found) is (value == "all_attacks")


def obscuration_between(value: str) -> None:
    fog = Region(id="fog", rings=square(7, 5), obscuration=Obscuration.LIGHT)
    situation = seen(scene={"regions": [fog]}, obscuration_between=value)
    assert total(situation, BOW, obscuration_between=value).maluses == (value == "include")


def obscuration_combine(value: str) -> None:
    apart = total(Situation(here=FOG, there=RAIN), obscuration_combine=value)
    shared = total(Situation(here=RAIN, there=RAIN), obscuration_combine=value)
    assert (apart.maluses, shared.maluses) == {"worst": (2, 2), "sum": (3, 2)}[value]


def blind_inside_total(value: str) -> None:
    found = total(Situation(here=NIGHT), blind_inside_total=value)
    assert found.maluses == 2
    assert [each.code for each in found.refusals] == {"heavy": [], "no_targeting": ["blind"]}[value]


def resist_round(value: str) -> None:
    victim = DraseSheet(resist=FrozenMap({DamageType.FIRE: 1}))
    taken = mitigation(book(resist_round=value), victim, DamageType.FIRE)
    assert taken.applied(7) == {"down": 3, "half_up": 4}[value]


def dot_stack(value: str) -> None:
    effects = (Effect(id="burning"), Effect(id="poisoned"), Effect(id="bleeding", stacks=2))
    sheet = DraseSheet(effects=(*effects, Effect(id="x", damage_per_tick=1, damage_type="fire")))
    found = [dot.taken for dot in dots(book(dot_stack=value), sheet, 5)]
    assert found == {"worst_overall": [6], "worst_per_type": [3, 3, 6], "all": [3, 3, 6, 1]}[value]


def wound_check(value: str) -> None:
    fight = Fight(encounter(token("Arn", 5, 5, hp=9), wound_check=value))
    fight.end().end()
    assert ("a wound die" in fight.logged()) is (value == "note")
    assert (fight.prompt is not None) is (value == "ask")
    if value == "ask":
        fight.choose("left leg")
        assert fight.sheet("arn").limbs[0].wounds == 1


def npc_damage(value: str) -> None:
    fight = duel(npc_damage=value).until(Phase.G3).action("orc", "attack", "arn").end().end()
    fight.roll(19)
    assert (fight.prompt is None) is (value == "static")
    if value == "static":
        assert fight.sheet("arn").hp == 20 - 6


def fall_size(value: str) -> None:
    sheet = DraseSheet(size=Size.GIANT)
    found = falls.fall(book(fall_size=value), sheet, 4).dice
    assert found == {"ignore": 2, "multiply_by_size_rank": 14}[value]


def fall_round(value: str) -> None:
    assert falls.fall(book(fall_round=value), DraseSheet(), 5).dice == {"down": 2, "up": 3}[value]


def soft_mode(value: str) -> None:
    found = falls.fall(book(soft_mode=value), DraseSheet(), 10, Surface.WATER).dice
    assert found == {"threshold": 5, "subtract": 3}[value]


def soft_prone(value: bool) -> None:
    fight = Fight(encounter(token("Arn", 5, 5), soft_prone=value))
    fight.act(FallPlan(token_id="arn", tiles=4, surface=Surface.WATER))
    assert bool(fight.sheet("arn").effects) is value


def perception_level_bonus(value: str) -> None:
    rules = book(perception_level_bonus=value)
    _, roll = perceive_sum(rules, DraseSheet(level_bonus=3), None, fighting=True)
    assert roll == {"in_combat": "1d20+3", "never": "1d20"}[value]


def hide_number(value: str) -> None:
    fight = duel(hide_number=value)
    hide = plan("arn", "hide", number=17)
    fight.act(hide).end().end()
    if value == "roll":
        fight.roll(9)
    assert fight.sheet("arn").hidden_number == {"roll": 9, "gm_sets": 17}[value]


def npc_D1(value: str) -> None:
    found = npc.average(book(npc_D1=value), {1: 10}).hits
    assert found == {"x1.5": 15, "x2": 20}[value]


TESTS: dict[str, Callable[[Any], None]] = {
    name: globals()[name] for name in DraseOptions.model_fields if name != "kind"
}


def values(name: str) -> tuple[Any, ...]:
    """Return every value of a rule; of a number its default and another one."""
    kind = DraseOptions.model_fields[name].annotation
    if kind is bool:
        return (True, False)
    return (2, 3) if kind is int else get_args(kind)


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in TESTS for value in values(name)]
)
def test_rule(name: str, value: Any):
    TESTS[name](value)


@pytest.mark.parametrize("name", TESTS)
def test_every_rule_says_where_it_comes_from(name: str):
    field = DraseOptions.model_fields[name]
    extra = field.json_schema_extra
    assert isinstance(extra, dict)
    assert field.description
    assert extra["source"]
    assert extra["proposal"] in (True, False)


def test_the_defaults_are_those_of_the_rule_file():
    assert DraseOptions().model_dump() == {
        "kind": "drase_options",
        "tile_label": "2 m",
        "meet_beats": True,
        "bonus_die": "d6k1",
        "bonus_cancel": "cancel",
        "natural": "crit_if_hit",
        "crit": "natural20",
        "reactor_must_be_able": True,
        "dot_on_application_round": "literal",
        "surprised_can_react": False,
        "dot_stack": "worst_overall",
        "wound_check": "note",
        "npc_damage": "rolled",
        "diagonal": "alternating",
        "diag_counter_reset": "never",
        "circle_needs_path": True,
        "difficult_combine": "add",
        "difficult_cost": 2,
        "corner_cut": "one_open",
        "height_metric": "axis",
        "height_bonus": "1 bonus",
        "cover_trace": "silhouette",
        "cover_stack": "worst",
        "embrasure_side": "either",
        "creature_cover_applies": "all_attacks",
        "obscuration_between": "ignore",
        "obscuration_combine": "worst",
        "blind_inside_total": "heavy",
        "resist_round": "down",
        "fall_size": "ignore",
        "fall_round": "down",
        "soft_mode": "threshold",
        "soft_prone": True,
        "perception_level_bonus": "in_combat",
        "hide_number": "roll",
        "npc_D1": "x1.5",
    }


def test_a_number_must_be_set_where_the_gm_sets_it():
    fight = duel(hide_number="gm_sets")
    assert fight.refused(plan("arn", "hide")) == "no_number"
    assert MovePlan(token_id="arn").path == ()


@pytest.mark.parametrize("name", TESTS)
def test_every_rule_and_every_value_has_words(name: str):
    field = DraseOptions.model_fields[name]
    extra = field.json_schema_extra
    assert field.title
    assert isinstance(extra, dict)
    if field.annotation in (bool, int):
        return
    labels = extra["labels"]
    assert isinstance(labels, dict)
    assert set(labels) == set(get_args(field.annotation))
    assert not [label for label in (field.title, *labels.values()) if "_" in str(label)]
