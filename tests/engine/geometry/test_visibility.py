from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.geometry.arrays import Bools
from engine.geometry.segments import WallInput, build_walls
from engine.geometry.visibility import Eyes, visibility_polygon, visibility_polygons
from engine.grid.grid import Box
from engine.model.space import Point
from tests.helpers import degenerate, sight_oracle
from tests.helpers.degenerate import FAMILIES, Family, crossing, eyes_for

BOX = Box(*degenerate.BOX)


def walls_of(segs: Any, **flags: Any):
    return build_walls(
        [WallInput(str(i), (tuple(a), tuple(b)), **flags) for i, (a, b) in enumerate(segs)]
    )


def see(segs: Any, eye: Point, **options: Any):
    return visibility_polygon(walls_of(segs), eye, bounds=BOX, **options)


@pytest.mark.parametrize("family", FAMILIES)
def test_degenerate_maps_are_exact_and_never_leak(family: Family):
    rng = np.random.default_rng(FAMILIES.index(family))
    for _ in range(100):
        segs = family(rng, int(rng.integers(2, 14)))
        walls = walls_of(segs)
        eyes = eyes_for(rng, segs)
        for eye, seen in zip(eyes, visibility_polygons(walls, eyes, bounds=BOX), strict=True):
            alone = visibility_polygon(walls, eye, bounds=BOX)
            expected = sight_oracle.seen_area(segs, eye, BOX)
            assert seen.area == pytest.approx(expected, rel=1e-9), (segs.tolist(), eye)
            assert alone.area == pytest.approx(expected, rel=1e-9), (segs.tolist(), eye)
            points = rng.uniform(0, 12, (40, 2))
            shut, sure = sight_oracle.blocked(sight_oracle.opaque(segs, np.array(eye)), eye, points)
            assert (seen.contains(points) == ~shut)[sure].all(), (segs.tolist(), eye)


def test_ring_turns_counter_clockwise_and_is_valid():
    rng = np.random.default_rng(5)
    for _ in range(40):
        seen = see(crossing(rng, 12), (6.0, 6.0))
        shape = seen.to_shapely()
        assert shape.is_valid
        assert shape.area == pytest.approx(seen.area, rel=1e-9)
        assert shape.exterior.is_ccw


def test_an_empty_board_is_seen_whole():
    seen = visibility_polygon(build_walls([]), (3, 4), bounds=BOX)
    assert seen.area == pytest.approx(144)
    assert seen.warning is None


def test_a_room_of_two_polylines_holds_sight_in():
    room = build_walls(
        [WallInput("n", ((4, 4), (8, 4))), WallInput("u", ((4, 4), (4, 8), (8, 8), (8, 4)))]
    )
    seen = visibility_polygon(room, (6, 6), bounds=BOX)
    assert sorted(map(tuple, seen.ring.tolist())) == [(4, 4), (4, 8), (8, 4), (8, 8)]


gap = st.floats(0, 0.03)
spot = st.tuples(st.integers(1, 11), st.integers(1, 11))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(spot, spot, gap), min_size=1, max_size=14), spot, st.randoms())
def test_c67_small_gaps_keep_sight_valid_and_fewer_walls_never_show_less(
    walls: list[Any], eye: Point, random: Random
):
    segs = [((a[0] + g, a[1]), (b[0], b[1] - g)) for a, b, g in walls]
    eye = (eye[0] + 0.25, eye[1] + 0.125)
    less = random.sample(segs, len(segs) // 2)
    seen, wider = see(segs, eye), see(less, eye)
    assert seen.to_shapely().is_valid
    assert wider.to_shapely().is_valid
    assert wider.area >= seen.area * (1 - 1e-9)
    points = np.random.default_rng(1).uniform(0, 12, (50, 2))
    assert not (seen.contains(points) & ~wider.contains(points)).any()


@pytest.mark.parametrize("distance", [0, 0.25 / 70, 0.5 / 70, 1 / 70])
def test_c64_backing_away_from_a_touched_wall_never_shows_what_is_behind(distance: float):
    wall = build_walls([WallInput("w", ((6, 0), (6, 12)))])
    for step in np.linspace(0, 0.5, 12):
        eye = (6 - distance - step, 5.0)
        seen = visibility_polygon(wall, eye, bounds=BOX, toward=(5.5, 5.0))
        assert seen.ring[:, 0].max() <= 6
        assert seen.area == pytest.approx(72)
        assert not seen.contains(np.array([(6.1, 5.0)])).any()


def test_an_eye_on_a_wall_sees_both_sides_unless_told_where_it_belongs():
    segs = [((6, 0), (6, 12))]
    assert see(segs, (6, 5)).area == pytest.approx(144)
    assert see(segs, (6, 5), toward=(7, 5)).ring[:, 0].min() == 6


@pytest.mark.parametrize(
    ("side", "x", "blocks"),
    [("left", 8, False), ("left", 4, True), ("right", 8, True), ("right", 4, False)],
)
def test_one_sided_walls_block_from_the_named_side(side: str, x: float, blocks: bool):
    # From (6, 12) one looks up to (6, 0): left is smaller x.
    wall = build_walls([WallInput("w", ((6, 12), (6, 0)), one_sided=side)])
    seen = visibility_polygon(wall, (x, 6), bounds=BOX)
    assert seen.area == pytest.approx(72 if blocks else 144)


def test_one_sided_crowds_agree_with_rays():
    rng = np.random.default_rng(8)
    for _ in range(60):
        segs, eye = crossing(rng, 8), rng.uniform(1, 11, 2)
        sides = rng.choice(["left", "right", None], 8)
        walls = build_walls(
            [
                WallInput(str(i), (tuple(a), tuple(b)), one_sided=side)
                for i, ((a, b), side) in enumerate(zip(segs, sides, strict=True))
            ]
        )
        signs = np.array([{"left": -1, "right": 1, None: 0}[side] for side in sides])
        expected = sight_oracle.seen_area(segs, eye, BOX, side=signs)
        seen = visibility_polygon(walls, tuple(eye), bounds=BOX)
        assert seen.area == pytest.approx(expected, rel=1e-9)


def test_windows_and_open_doors_let_sight_pass():
    walls = build_walls(
        [
            WallInput("window", ((6, 0), (6, 6)), blocks_sight=False),
            WallInput("door", ((6, 6), (6, 12))),
        ]
    )
    assert visibility_polygon(walls, (3, 9), bounds=BOX).area < 144
    assert visibility_polygon(walls.with_open(["door"]), (3, 9), bounds=BOX).area == pytest.approx(
        144
    )
    assert visibility_polygon(walls, (3, 9), bounds=BOX).area < 144


def terrain_agrees(segs: Any, eye: Point, once: Bools):
    walls = build_walls(
        [
            WallInput(str(i), (tuple(a), tuple(b)), once=bool(o))
            for i, ((a, b), o) in enumerate(zip(segs, once, strict=True))
        ]
    )
    points = np.random.default_rng(3).uniform(0, 12, (400, 2))
    shut, sure = sight_oracle.blocked(segs, eye, points, once=once)
    seen = visibility_polygon(walls, eye, bounds=BOX)
    assert seen.to_shapely().is_valid
    return (seen.contains(points) == ~shut)[sure].all() and sure.sum() > 200


def test_c68_a_column_of_six_touching_terrain_edges_is_seen_into_once():
    segs = np.array([((5, y), (5 + y % 2, y + 1)) for y in range(3, 9)], float)
    beyond = np.array([((8, y), (8, y + 1)) for y in range(3, 9)], float)
    both = np.concatenate((segs, beyond))
    for eye in ((2.3, 5.1), (5.5, 6.2), (10.0, 1.0)):
        assert terrain_agrees(both, eye, np.ones(12, bool))


def test_c71_a_hill_in_the_hole_of_another_blocks():
    rings = []
    for size in (5, 3.5, 2, 1):
        square = [
            (6 - size, 6 - size),
            (6 + size, 6 - size),
            (6 + size, 6 + size),
            (6 - size, 6 + size),
        ]
        rings += list(zip(square, square[1:] + square[:1], strict=True))
    segs = np.array(rings, float)
    for eye in ((0.5, 5.0), (2.0, 6.3), (3.3, 6.1), (4.6, 6.2), (6.1, 6.4)):
        assert terrain_agrees(segs, eye, np.ones(16, bool))


def test_terrain_among_walls_agrees_with_rays_also_when_the_box_grows():
    rng = np.random.default_rng(2)
    for count in (6, 20, 400):
        start = rng.uniform(0.2, 11.8, (count, 2))
        segs = np.stack(
            (start, start + rng.uniform(-1, 1, (count, 2)) * (40 / count) ** 0.5), axis=1
        )
        assert terrain_agrees(segs, (6.02, 6.03), rng.random(count) < 0.6)


def test_c70_sight_shut_in_is_small_and_warned_about_but_never_fails():
    pillar = build_walls([WallInput("p", ((5, 5), (5.3, 5), (5.3, 5.3), (5, 5.3), (5, 5)))])
    seen = visibility_polygon(pillar, (5.1, 5.1), bounds=BOX)
    assert seen.area == pytest.approx(0.09)
    assert "shut in" in seen.warning


@pytest.mark.parametrize(
    ("eye", "radius"),
    [((-3, 4), None), ((float("nan"), 1), None), ((4, 4), 0), ((4, 4), -1), ((4, 4), float("nan"))],
)
def test_nothing_seen_says_why(eye: Point, radius: float | None):
    seen = visibility_polygon(build_walls([]), eye, bounds=BOX, radius=radius)
    assert seen.warning
    assert seen.area == 0
    assert seen.to_shapely().is_empty
    assert not seen.contains(np.array([(4, 4)])).any()


@pytest.mark.parametrize("eye", [(0, 0), (12, 5), (0, 12)])
def test_an_eye_on_the_edge_of_the_board_sees_it_all(eye: Point):
    assert visibility_polygon(build_walls([]), eye, bounds=BOX).area == pytest.approx(144, rel=1e-8)


def test_a_radius_is_a_circle_of_64_chords():
    seen = visibility_polygon(build_walls([]), (6, 6), bounds=BOX, radius=5)
    assert seen.area == pytest.approx(32 * 25 * np.sin(np.pi / 32))
    # 3-4-5: on the circle, though beyond the chord; a little further is out.
    assert seen.contains(np.array([(9, 10), (10, 9), (11, 6), (6, 1)])).all()
    assert not seen.contains(np.array([(9.001, 10), (11.001, 6)])).any()


def test_radius_board_and_walls_cut_together():
    rng = np.random.default_rng(4)
    for _ in range(30):
        segs, eye, radius = crossing(rng, 10), tuple(rng.uniform(0, 12, 2)), rng.uniform(0.5, 9)
        angle = np.arange(64) * np.pi / 32
        corners = eye + radius * np.stack((np.cos(angle), np.sin(angle)), axis=1)
        circle = np.stack((corners, np.roll(corners, -1, axis=0)), axis=1)
        expected = sight_oracle.seen_area(np.concatenate((segs, circle)), eye, BOX)
        assert see(segs, eye, radius=radius).area == pytest.approx(expected, rel=1e-9)


def test_a_huge_radius_is_no_radius():
    segs = crossing(np.random.default_rng(6), 10)
    assert see(segs, (6, 6), radius=1e9).area == pytest.approx(see(segs, (6, 6)).area, rel=1e-12)


def test_low_walls_hide_nothing_from_higher_eyes():
    walls = build_walls(
        [WallInput("low", ((6, 0), (6, 12)), top=1), WallInput("arch", ((9, 0), (9, 12)), base=3)]
    )
    areas = [visibility_polygon(walls, (3, 6), bounds=BOX, height=h).area for h in (0.5, 1, 2, 3)]
    assert areas == pytest.approx([72, 144, 144, 108])


def test_a_point_hugging_a_wall_is_seen_from_its_side_only():
    seen = see([((6, 0), (6, 12))], (2.123456789, 5.1))
    assert seen.contains(np.array([(6, y) for y in np.linspace(0.1, 11.9, 50)])).all()
    assert not seen.contains(np.array([(6 + 1e-6, y) for y in np.linspace(0.1, 11.9, 50)])).any()


def test_growing_boxes_change_nothing():
    rng = np.random.default_rng(7)
    start = rng.uniform(0, 60, (900, 2))
    segs = np.stack((start, start + rng.uniform(-0.4, 0.4, (900, 2))), axis=1)
    box, walls = Box(0, 0, 60, 60), walls_of(segs)
    eyes = [(30.1, 29.7), (0.5, 0.5), (59.0, 31.0), (12.0, 48.0)]
    for eye, seen in zip(eyes, visibility_polygons(walls, eyes, bounds=box), strict=True):
        near = np.abs(segs - eye).max(axis=2).min(axis=1) < 60
        assert seen.area == pytest.approx(sight_oracle.seen_area(segs[near], eye, box), rel=1e-9)


@pytest.mark.parametrize("noise", [1e-16, 1e-11, 3e-10, 3e-9, 1e-6])
def test_noise_around_joints_and_eyes_opens_no_slit_and_stays_valid(noise: float):
    rng = np.random.default_rng(11)
    for case in range(60):
        segs = FAMILIES[case % 6](rng, int(rng.integers(2, 25)))
        segs = segs + noise * rng.normal(0, 1, segs.shape)
        radii = [None, 3.0, None, 1e9, 0.5]
        eyes = eyes_for(rng, segs)
        for seen in visibility_polygons(walls_of(segs), eyes, bounds=BOX, radii=radii):
            assert seen.to_shapely().is_valid
            assert seen.to_shapely().area == pytest.approx(seen.area, rel=1e-7, abs=1e-7)
            assert seen.ring.min() >= -1e-12
            assert seen.ring.max() <= 12 + 1e-12


@pytest.mark.parametrize("value", [1e-300, 1e5, 1e7, -5.0, float("inf"), float("nan"), 3 + 1e-9])
def test_wild_coordinates_never_fail(value: float):
    rng = np.random.default_rng(2)
    for _ in range(20):
        segs = rng.choice([0, 3, 6, 1 / 3, value, value], (8, 2, 2))
        eyes = [(3.0, 3.0), (6.0, 1 / 3), (5.5, 5.5)]
        for seen in visibility_polygons(walls_of(segs), eyes, bounds=BOX, radii=[None, 1e-9, 2]):
            assert seen.to_shapely().is_valid
            assert len(seen.ring) or seen.warning


@pytest.mark.parametrize("case", range(12))
def test_several_eyes_together_see_what_any_of_them_sees(case: int) -> None:
    rng = np.random.default_rng(case)
    segs = FAMILIES[case % 6](rng, int(rng.integers(2, 25)))
    walls = build_walls(
        [WallInput(str(i), ((a[0], a[1]), (b[0], b[1]))) for i, (a, b) in enumerate(segs)]
    )
    eyes = eyes_for(rng, segs)
    radii = [None if n % 2 else float(rng.uniform(0, 9)) for n in range(len(eyes))]
    seen = visibility_polygons(walls, eyes, bounds=Box(*degenerate.BOX), radii=radii)
    corners = np.concatenate([segs.reshape(-1, 2), *(each.ring for each in seen), np.array(eyes)])
    points = np.concatenate((corners, rng.uniform(-2, 14, (200, 2))))
    expected = np.any([each.contains(points) for each in seen], axis=0)
    assert np.array_equal(Eyes(seen).see(points), expected)
    assert not Eyes([]).see(points).any()
