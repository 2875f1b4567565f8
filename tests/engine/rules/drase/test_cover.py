"""Cover, light and obscuration from the map: grades, exemptions, the least of many tile pairs."""

from typing import Any

import pytest

from engine.model.light import Ambient, Light
from engine.model.region import Obscuration, Region
from engine.model.space import Cell
from engine.model.token import FOES, NEUTRAL, Token, Vision
from engine.model.told import Told
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel, DoorState, Wall, WallKind
from engine.rules.drase.data import book_of
from engine.rules.drase.sheet import Size
from engine.rules.drase.situation import Situation, look, within
from tests.helpers.drase import encounter, foe, square, token

NONE, HALF, THREE, FULL = (
    CoverLabel.NONE,
    CoverLabel.HALF,
    CoverLabel.THREE_QUARTER,
    CoverLabel.FULL,
)


def seen(
    *others: Token,
    archer: Token | None = None,
    mark: Token | None = None,
    ranged: bool = True,
    scene: Any = None,
    **options: Any,
) -> Situation:
    """Return how an archer at (5, 5) stands to a mark at (12, 5)."""
    ours, theirs = archer or token("Arn", 5, 5), mark or foe("Orc", 12, 5)
    made = encounter(ours, theirs, *others, **(scene or {}), **options)
    return look(made, book_of(made), ours, theirs, ranged)


def grades(situation: Situation) -> list[CoverLabel]:
    return [each.grade for each in situation.covers]


def crate(x: int, label: CoverLabel) -> dict[str, Any]:
    return {"regions": [Region(id="c", name="Crate", rings=square(x, 5), cover=label)]}


def test_open_ground_gives_none():
    assert grades(seen()) == []


@pytest.mark.parametrize("label", [HALF, THREE, FULL])
def test_a_labelled_tile_between_gives_its_grade(label: CoverLabel):
    found = seen(scene=crate(8, label)).covers[0]
    assert found.grade is label
    assert found.evidence is not None
    assert found.evidence.regions == ("c",)


@pytest.mark.parametrize(("label", "expected"), [(HALF, []), (THREE, []), (FULL, [FULL])])
def test_an_archer_ignores_partial_cover_beside_itself(label: CoverLabel, expected: Any):
    assert grades(seen(scene=crate(6, label))) == expected
    near = foe("Orc", 7, 5)
    assert grades(seen(mark=near, ranged=False, scene=crate(6, label))) == [label]


def test_the_tiles_of_the_two_themselves_do_not_count():
    covered = [Region(id=str(x), rings=square(x, 5), cover=FULL) for x in (5, 12)]
    assert grades(seen(scene={"regions": covered})) == []


def test_a_corner_counts_only_if_both_tiles_block():
    def diagonal(*cells: tuple[int, int]) -> list[CoverLabel]:
        regions = [Region(id=str(c), rings=square(*c), cover=THREE) for c in cells]
        mark = foe("Orc", 9, 9)
        return grades(seen(mark=mark, scene={"regions": regions}))

    assert diagonal((7, 8)) == []
    assert diagonal((7, 8), (8, 7)) == [THREE]


@pytest.mark.parametrize(
    ("name", "fields", "expected"),
    [
        ("an ally", {}, [THREE]),
        ("a smaller ally", {"size": Size.SMALL}, [HALF]),
        ("a bigger ally", {"size": Size.HUGE}, [THREE]),
        ("an enemy", {"side": FOES}, [FULL]),
        ("a small enemy", {"side": FOES, "size": Size.TINY}, [FULL]),
        ("a neutral one", {"side": NEUTRAL}, [THREE]),
        ("a third party", {"side": "cats", "size": Size.SMALL}, [HALF]),
        ("who is incapacitated", {"side": FOES, "hp": 0}, []),
        ("an object", {"side": FOES, "is_object": True}, [THREE]),
        ("who flies far above", {"side": FOES, "elevation": 9}, []),
    ],
)
def test_creatures_on_the_line(name: str, fields: Any, expected: Any):
    assert grades(seen(token("Bo", 8, 5, **fields))) == expected, name


def test_an_adjacent_enemy_still_blocks_an_adjacent_ally_does_not():
    assert grades(seen(token("Bo", 6, 5))) == []
    assert grades(seen(foe("Rat", 6, 5))) == [FULL]


def test_the_worst_single_cover_is_on_the_best_pair_of_tiles():
    ogre = foe("Ogre", 12, 5, footprint="2")
    assert grades(seen(mark=ogre, scene=crate(11, HALF))) == []
    blocked = {"regions": [Region(id="c", rings=square(8, 4, 1, 4), cover=HALF)]}
    assert grades(seen(mark=ogre, scene=blocked)) == [HALF]


def wall(start: float, end: float = 9, x: float = 9, **fields: Any) -> dict[str, Any]:
    return {"walls": [Wall(id="w", name="Barn", points=((x, start), (x, end)), **fields)]}


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        (wall(0), [FULL]),
        (wall(9, 12), []),
        (wall(0, door=DoorState.OPEN), []),
        (wall(0, door=DoorState.CLOSED), [FULL]),
        (wall(0, kind=WallKind.WINDOW, blocks_sight=False), []),
        (wall(0, blocks_sight=False, cover=HALF), [HALF]),
        (wall(0, cover=THREE), [THREE]),
    ],
)
def test_walls_by_what_they_hide(scene: Any, expected: Any):
    assert grades(seen(scene=scene)) == expected


def test_a_wall_across_the_lower_half_hides_half():
    low = wall(0, kind=WallKind.LOW_WALL, top=0.5, x=11.99)
    assert grades(seen(scene=low)) == [HALF]


def test_an_archer_shoots_over_a_low_wall_on_its_own_border():
    low = {"kind": WallKind.LOW_WALL, "top": 0.85}
    assert grades(seen(scene=wall(0, x=9, **low))) != []
    beside = seen(scene=wall(0, x=6, **low))
    assert grades(beside) == []


def test_an_embrasure_is_shot_through_from_right_behind_it():
    slit = {"kind": WallKind.EMBRASURE}
    assert grades(seen(scene=wall(0, x=6, **slit))) == []
    assert grades(seen(scene=wall(0, x=7, **slit))) == [CoverLabel.EMBRASURE]
    near = foe("Orc", 6, 5)
    assert grades(seen(mark=near, ranged=False, scene=wall(0, x=6, **slit))) == [
        CoverLabel.EMBRASURE
    ]


def test_the_evidence_names_the_wall_and_draws_the_rays():
    found = seen(scene=wall(0)).covers[0]
    assert (str(found.words), found.grade) == ("Barn", FULL)
    assert found.evidence is not None
    assert found.evidence.walls == ("w",)
    assert any(not ray.clear for ray in found.evidence.rays)


# Obscuration


def hazy(level: Obscuration, x: int, name: str = "Fog") -> Region:
    return Region(id=f"{name}{x}", name=name, rings=square(x, 5), obscuration=level)


def test_both_ends_are_told_with_their_regions():
    fog, rain = hazy(Obscuration.LIGHT, 5), hazy(Obscuration.HEAVY, 12, "Rain")
    found = seen(scene={"regions": [fog, rain]})
    assert (found.here.level, found.there.level) == (Obscuration.LIGHT, Obscuration.HEAVY)
    assert found.there.words == Told("Rain: heavy obscuration", "Heavy obscuration")
    assert found.there.sources == {"Rain12"}


def test_it_is_gone_the_moment_the_creature_leaves():
    fog = {"regions": [hazy(Obscuration.LIGHT, 12)]}
    assert seen(mark=foe("Orc", 13, 5), scene=fog).there.level is Obscuration.NONE


def lit(x: float, ambient: Ambient = Ambient.DARK) -> dict[str, Any]:
    lamp = Light(id="l", position=(x, 5.5), bright=1, dim=2)
    return {"board": {"ambient": ambient, "lights": FrozenMap({"l": lamp})}}


@pytest.mark.parametrize(
    ("ambient", "lamp", "expected"),
    [
        (Ambient.BRIGHT, 0.5, Obscuration.NONE),
        (Ambient.DIM, 0.5, Obscuration.LIGHT),
        (Ambient.DARK, 0.5, Obscuration.TOTAL),
        (Ambient.DARK, 12.5, Obscuration.NONE),
        (Ambient.DARK, 14.5, Obscuration.LIGHT),
    ],
)
def test_light_where_the_target_stands(ambient: Ambient, lamp: float, expected: Obscuration):
    assert seen(scene=lit(lamp, ambient)).there.level is expected


def test_darkvision_needs_no_light_within_its_radius():
    owl = token("Owl", 5, 5, vision=Vision(darkvision=7))
    assert seen(archer=owl, scene=lit(0.5)).there.level is Obscuration.NONE
    assert seen(archer=owl, scene=lit(0.5)).here.level is Obscuration.NONE
    mole = token("Mole", 5, 5, vision=Vision(darkvision=6))
    assert seen(archer=mole, scene=lit(0.5)).there.level is Obscuration.TOTAL


# Distance


def test_a_ranged_attack_down_does_not_count_the_height_melee_does():
    up, down = token("Arn", 5, 5, elevation=4), foe("Orc", 6, 5)
    made = encounter(up, down)
    rules = book_of(made)
    assert look(made, rules, up, down, True).distance == 1
    assert look(made, rules, up, down, False).distance == 4
    assert look(made, rules, down, up, True).distance == 4


def test_the_ground_counts_as_height():
    hill = Region(id="h", rings=square(5, 5), ground=2.5)
    assert seen(scene={"regions": [hill]}).drop == 2


def test_reach_two_does_not_cover_two_diagonals():
    made = encounter(token("Arn", 5, 5), foe("Orc", 7, 7))
    found = look(made, book_of(made), made.token("arn"), made.token("orc"), False)
    assert found.distance == 3
    assert not within(found.distance, 2)


def test_the_nearest_pair_of_tiles_counts():
    ogre = foe("Ogre", 7, 5, footprint="3")
    assert seen(mark=ogre).distance == 2


def test_oneself_is_at_no_distance_and_behind_nothing():
    arn = token("Arn", 5, 5)
    made = encounter(arn)
    assert look(made, book_of(made), arn, arn, False) == Situation(distance=0)


def test_between_counts_the_haze_on_the_way():
    smoke = {"regions": [hazy(Obscuration.TOTAL, 8, "Smoke")]}
    found = seen(scene=smoke, obscuration_between="include")
    assert found.between.level is Obscuration.TOTAL
    assert seen(scene=smoke).between.level is Obscuration.NONE
    assert Cell(8, 5) in found.between.evidence.cells
