import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import outlook as outlook_module
from engine.geometry.outlook import Lookout, outlooks, plain_outline
from engine.geometry.vision import Vision, glows_of, light_at, visions
from engine.model.encounter import Encounter
from engine.model.light import Ambient
from engine.model.region import Region
from engine.model.token import Vision as Eyes
from tests.helpers.scenes import door, hero, lamp, moved, scene, toggled, token, two_rooms, wall


def seen_from(encounter: Encounter, name: str) -> Vision:
    return visions(encounter, [encounter.token(name)])[0]


def sees(encounter: Encounter, name: str, x: float, y: float) -> bool:
    return bool(seen_from(encounter, name).contains(np.array([(x, y)]))[0])


def test_a_closed_door_ends_sight_and_an_open_one_does_not() -> None:
    rooms = two_rooms()
    assert not sees(rooms, "ann", 7.5, 2.5)
    assert sees(toggled(rooms, "door"), "ann", 7.5, 2.5)


def test_a_token_sees_as_far_as_its_radius() -> None:
    field = scene(hero("ann", 2, 2, vision=Eyes(radius=3)))
    assert sees(field, "ann", 5.4, 2.5)
    assert not sees(field, "ann", 5.6, 2.5)


def test_a_blind_token_sees_nothing() -> None:
    assert seen_from(scene(hero("ann", 2, 2, vision=Eyes(radius=0))), "ann").rings == ()


def test_in_the_dark_a_token_sees_only_what_is_lit() -> None:
    dark = scene(hero("ann", 2, 2), lamp("lamp", 8, 2, 1, 2), ambient=Ambient.DARK)
    assert not sees(dark, "ann", 3, 2.5)
    assert sees(dark, "ann", 7, 2.5)
    assert len(seen_from(dark, "ann").rings) == 1


def test_darkvision_needs_no_light_but_no_wall_either() -> None:
    dark = two_rooms(hero("bea", 4, 4, vision=Eyes(darkvision=3)), ambient=Ambient.DARK)
    assert sees(dark, "bea", 2, 4.5)
    assert not sees(dark, "bea", 1, 4.5)
    assert not sees(dark, "bea", 6, 4.5)


def test_dim_light_is_enough_to_see_by() -> None:
    assert sees(scene(hero("ann", 2, 2), ambient=Ambient.DIM), "ann", 8, 2)


def test_a_lamp_behind_a_wall_lights_nothing_before_it() -> None:
    dark = two_rooms(lamp("lamp", 6, 2.5, 1, 4), ambient=Ambient.DARK)
    assert not sees(dark, "ann", 4, 2.5)
    assert sees(toggled(dark, "door"), "ann", 4, 2.5)


def test_a_lamp_without_shadows_shines_through_walls() -> None:
    dark = two_rooms(lamp("lamp", 6, 2.5, 1, 4, casts_shadows=False), ambient=Ambient.DARK)
    assert sees(dark, "ann", 4, 2.5)


def test_a_carried_lamp_moves_with_its_carrier() -> None:
    dark = two_rooms(lamp("torch", 0, 0, 1, 2, carrier="ann"), ambient=Ambient.DARK)
    assert sees(dark, "ann", 3.5, 2.5)
    assert not sees(dark, "ann", 1.5, 5)
    assert sees(moved(dark, "ann", 2, 4), "ann", 1.5, 5)


def test_a_lamp_that_is_out_lights_nothing() -> None:
    assert not sees(
        scene(hero("ann", 2, 2), lamp("lamp", 3, 2, lit=False), ambient=Ambient.DARK), "ann", 3, 2
    )


def test_the_torch_of_a_hidden_token_does_not_give_it_away() -> None:
    torch = lamp("torch", 0, 0, 2, 3, carrier="spy")
    dark = scene(hero("ann", 2, 2), token("spy", 5, 2, hidden=True), torch, ambient=Ambient.DARK)
    assert seen_from(dark, "ann").rings == ()
    assert light_at(dark, (5, 3)) is Ambient.BRIGHT  # the rules know of it


def test_the_light_of_a_place_is_the_best_that_reaches_it() -> None:
    dark = two_rooms(lamp("lamp", 2, 2, 1, 2), lamp("far", 7, 2, 1, 4), ambient=Ambient.DARK)
    levels = [light_at(dark, (x, 2)) for x in (2.5, 3.5, 4.5)]
    assert levels == [Ambient.BRIGHT, Ambient.DIM, Ambient.DARK]
    assert light_at(scene(ambient=Ambient.DIM), (1, 1)) is Ambient.DIM


def test_who_stands_higher_looks_over_a_low_wall() -> None:
    low = wall("low", (5, 0), (5, 6), top=0.6)
    hill = Region(id="hill", rings=(((0, 0), (2, 0), (2, 6), (0, 6)),), ground=2.0)
    field = scene(hero("ann", 1, 2, height=0.5), low)
    assert not sees(field, "ann", 8, 2)
    raised = field.changed(board=field.board.changed(regions=field.board.regions.put("hill", hill)))
    assert sees(raised, "ann", 8, 2)


def test_only_what_changed_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    real = outlook_module.visibility_polygons

    def counted(walls: object, eyes: list[object], **how: object) -> object:
        asked.extend(eyes)
        return real(walls, eyes, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(outlook_module, "visibility_polygons", counted)
    party = [hero(f"h{n}", n % 4, n // 4, vision=Eyes(radius=3)) for n in range(12)]
    field = scene(door("far", (9, 4), (9, 5)), door("near", (5, 0), (5, 2)), *party)
    first = visions(field, party)
    assert len(asked) == 12
    visions(field, party)
    visions(moved(field, "h3", 3, 5), [*party[:3], hero("h3", 3, 5, vision=Eyes(radius=3))])
    assert len(asked) == 13
    assert visions(toggled(field, "far"), party) == first
    assert len(asked) == 13
    after = visions(toggled(field, "near"), party)
    assert 13 < len(asked) < 25
    assert any(a is b for a, b in zip(first, after, strict=True))


def test_a_door_that_opens_out_of_sight_leaves_the_vision_the_same_object() -> None:
    rooms = two_rooms(door("closet", (8, 4), (9, 4)))
    assert seen_from(rooms, "ann") is seen_from(toggled(rooms, "closet"), "ann")


@given(st.floats(0.1, 5.9), st.floats(5.2, 9))
def test_a_wall_that_joins_from_behind_does_not_change_the_outline(y: float, far: float) -> None:
    rooms = two_rooms()
    behind = rooms.board.walls.put("behind", wall("behind", (5, y), (far, y)))
    joined = rooms.changed(board=rooms.board.changed(walls=behind))
    assert seen_from(joined, "ann").rings == seen_from(rooms, "ann").rings


@pytest.mark.parametrize("cells", [(0.0, 0.25 / 70, 0.5 / 70, 1 / 70)])
def test_c64_walking_away_from_a_wall_reveals_nothing_behind_it(cells: tuple[float, ...]) -> None:
    """C64: a token touches the wall, by less than a pixel, and walks away from it."""
    for gap in cells:
        field = scene(wall("wall", (3.5 + gap, 0), (3.5 + gap, 6)), hero("ann", 3, 2))
        for x in (3, 2, 1, 0):
            seen = seen_from(moved(field, "ann", x, 2), "ann")
            reach = max(px for ring in seen.rings for px, _ in ring)
            assert reach <= 3.5 + gap + 1e-6


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 24)), min_size=1, max_size=8))
def test_c70_vision_is_never_empty_beside_walls(corners: list[tuple[int, int]]) -> None:
    """C70: whatever the walls, a token sees at least its own place, or the GM is warned."""
    points = [(x / 4, y / 4) for x, y in corners]
    walls = [wall(f"w{n}", a, b) for n, (a, b) in enumerate(zip(points, points[1:], strict=False))]
    vision = seen_from(scene(*walls, hero("ann", 3, 2)), "ann")
    assert vision.warning is not None or sum(len(ring) for ring in vision.rings) >= 3


def test_an_eye_shut_in_warns_the_gm() -> None:
    box = wall("box", (3.4, 2.4), (3.6, 2.4), (3.6, 2.6), (3.4, 2.6), (3.4, 2.4))
    assert "shut in" in str(seen_from(scene(box, hero("ann", 3, 2)), "ann").warning)


def test_straight_points_and_repeats_leave_an_outline() -> None:
    ring = np.array([(0, 0), (1, 0), (2, 0), (2, 1e-9), (2, 2), (0, 2)], dtype=float)
    assert plain_outline(ring).tolist() == [[0, 0], [2, 0], [2, 2], [0, 2]]


def test_the_lamps_are_the_same_objects_until_they_change() -> None:
    dark = two_rooms(lamp("lamp", 2, 2), lamp("torch", 0, 0, carrier="grub"), ambient=Ambient.DARK)
    first = glows_of(dark)
    assert glows_of(dark.changed(title="later")) is first
    after = glows_of(moved(dark, "grub", 8, 4))
    assert [a is b for a, b in zip(first, after, strict=True)] == [True, False]


def test_a_point_off_the_board_sees_nothing() -> None:
    assert outlooks(scene().board, [Lookout((-1.0, 2.0))])[0].box is None
