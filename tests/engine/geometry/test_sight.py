from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.geometry.segments import WallInput, WallSet, build_walls
from engine.geometry.sight import (
    Eye,
    best_corner,
    center_line,
    sight_evidence,
    visible_fraction,
    visible_fractions,
)
from engine.geometry.silhouette import Volume, silhouettes
from engine.model.space import Point
from tests.helpers.shade_oracle import seen_share

Ring = tuple[Point, ...]
OPEN = build_walls([])


def square(x: float, y: float, side: float = 1) -> Ring:
    return (x, y), (x + side, y), (x + side, y + side), (x, y + side)


def token(x: float, y: float, height: float = 1, *, base: float = 0, name: str = "t") -> Volume:
    return Volume(name, square(x, y), base, base + height)


def seen(walls: WallSet, eye: Eye, target: Volume, **options: object) -> float:
    return float(visible_fraction(walls, eye, silhouettes([target]), **options)[0])  # type: ignore[arg-type]


def upright(x: float, y0: float, y1: float, **heights: float) -> WallSet:
    return build_walls([WallInput("w", ((x, y0), (x, y1)), **heights)])


def test_nothing_between_is_seen_whole():
    assert seen(OPEN, (0.5, 0.5, 0.9), token(5, 0)) == 1


def test_a_high_wall_hides_the_angle_it_covers():
    # The near face spans y from 0 to 1 at x = 5; at x = 2.5 the wall covers its lower half.
    eye = (0.0, 0.5, 0.9)
    assert seen(upright(2.5, 0.5, 3), eye, token(5, 0)) == pytest.approx(0.5)
    # All of the edge seen under atan(0.1): covered from y = 0.5 + 0.25 at half way.
    hidden = (np.arctan(0.1) - np.arctan(0.05)) / (2 * np.arctan(0.1))
    part = seen(upright(2.5, 0.625, 3), eye, token(5, 0))
    assert part == pytest.approx(1 - hidden, abs=1e-12)


@pytest.mark.parametrize(("x", "expected"), [(5, 0), (6, 1), (5.5, 1), (5 + 1e-6, 1)])
def test_walls_on_the_near_face_count_and_those_past_it_never(x: float, expected: float):
    assert seen(upright(x, -5, 5), (0.5, 0.5, 0.9), token(5, 0)) == expected


def test_c172_walls_inside_the_viewers_own_footprint_are_ignored():
    viewer = token(0, 0, name="v")
    through = upright(0.8, -5, 5)
    assert seen(through, (0.5, 0.5, 0.9), token(5, 0)) == 0
    # What sticks out above and below the footprint is not in the way either.
    assert seen(through, (0.5, 0.5, 0.9), token(5, 0), viewer=viewer) == 1
    assert seen(upright(1, -5, 5), (0.5, 0.5, 0.9), token(5, 0), viewer=viewer) == 0


def test_c172_a_target_standing_across_a_wall_gets_no_cover_from_it():
    assert seen(upright(5.3, -5, 5), (0.5, 0.5, 0.9), token(5, 0)) == 1
    along = build_walls([WallInput("w", ((5.2, 0.4), (9, 0.4)))])
    assert seen(along, (0.5, 0.5, 0.9), token(5, 0)) == 1


# Eye at x = 0, wall at x = wall, near face of the target at x = 10. A shadow's edge on the near
# face lies at eye + (edge - eye) * 10 / wall.
C173 = {
    "no wall between": (0.9, None, (0, 1), 1),
    "wall of any height": (0.9, (5, -inf, inf), (0, 1), 0),
    "1 m wall, 2 m figures (1 cell = 2 m), half way": (0.9, (5, 0, 0.5), (0, 1), 0.9),
    "the same wall close to the target": (0.9, (9, 0, 0.5), (0, 1), 1 - (0.9 - 0.4 / 0.9)),
    "the same wall touching the target": (0.9, (10, 0, 0.5), (0, 1), 0.5),
    "the same wall close to the viewer": (0.9, (1, 0, 0.5), (0, 1), 1),
    "wall at eye height": (0.9, (5, 0, 0.9), (0, 1), 0.1),
    "wall above the eye hides more behind it": (0.9, (5, 0, 0.95), (0, 1), 0),
    "shooter on a tower over a high wall": (5.0, (5, 0, 2.5), (0, 1), 1),
    "shooter on a tower, wall near the target": (5.0, (8, 0, 1.2), (0, 1), 0.75),
    "figure on a higher floor over the wall": (0.9, (5, 0, 2), (3, 4), 0.9),
    "floor above: arch with its base over the eye": (0.9, (5, 2, 3), (0, 1), 1),
}


@pytest.mark.parametrize("case", C173)
def test_c173_cover_knows_the_heights_of_walls_and_tokens(case: str):
    eye, wall, (low, high), expected = C173[case]
    walls = upright(wall[0], -50, 50, base=wall[1], top=wall[2]) if wall else OPEN
    target = Volume("t", square(10, 0), low, high)
    assert seen(walls, (0.0, 0.5, eye), target) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("distance", [8, 15, 20, 26, 40])
def test_c175_a_high_observer_sees_over_a_floor_wall(distance: float):
    # Observer at 46, wall from 0 to 39 at distance 4; the shadow falls to 46 - 7 d / 4.
    top = 46 - 7 * distance / 4
    target = Volume("t", square(distance, 0), 0, 6)
    expected = 1 - min(max(top, 0), 6) / 6
    walls = upright(4, -500, 500, base=0, top=39)
    assert seen(walls, (0.0, 0.5, 46), target) == pytest.approx(expected, abs=0.01)


def test_c176_a_figure_on_a_platform_is_seen_over_its_edge():
    platform = build_walls([WallInput("p", (*square(8, -2, 5), (8, -2)), base=0, top=3)])
    on_top = Volume("t", square(10, 0), 3, 4)
    # The edge at x = 8 throws its shadow up to 0.9 + 2.1 * 10 / 8 = 3.525 at x = 10.
    assert seen(platform, (0.0, 0.5, 0.9), on_top) == pytest.approx(0.475, abs=0.01)
    at_the_edge = Volume("t", square(8, 0), 3, 4)
    assert seen(platform, (0.0, 0.5, 0.9), at_the_edge) == pytest.approx(1, abs=0.01)


def test_a_creature_between_hides_what_is_behind_it():
    eye, target = (0.0, 0.5, 0.9), token(10, 0)
    ogre = Volume("ogre", square(5, -2, 5), 0, 2)
    cat = Volume("cat", square(5, -2, 5), 0, 0.3)
    assert seen(OPEN, eye, target, obstacles=[ogre]) == 0
    # The cat's far side at x = 10 is where the target begins: its top hides 0.3 there, and its
    # near side at x = 5 nothing, for 0.9 - 0.6 * 2 < 0.
    assert seen(OPEN, eye, target, obstacles=[cat]) == pytest.approx(0.7, abs=0.01)
    assert seen(OPEN, eye, target, obstacles=[target]) == 1
    assert seen(OPEN, eye, target, obstacles=[token(10, 0, 5, name="rider")]) == 1
    assert seen(OPEN, eye, target, obstacles=[ogre], viewer=ogre) == 1


def test_a_flying_creature_hides_only_its_own_height():
    bird = Volume("bird", square(5, -2, 5), 0.9, 5)
    assert seen(OPEN, (0.0, 0.5, 0.9), token(10, 0), obstacles=[bird]) == pytest.approx(
        0.9, abs=1e-3
    )


def test_shadows_that_overlap_count_once():
    walls = build_walls(
        [WallInput(str(x), ((x, -50), (x, 50)), base=0, top=0.5) for x in (5, 6, 8, 9)]
    )
    only = upright(9, -50, 50, base=0, top=0.5)
    eye, target = (0.0, 0.5, 0.9), token(10, 0)
    assert seen(walls, eye, target) == pytest.approx(seen(only, eye, target), abs=1e-9)


def test_terrain_is_seen_into_once_with_and_without_height():
    for top, expected in ((inf, 0.0), (0.5, 0.9)):
        hedges = [WallInput(str(x), ((x, -50), (x, 50)), once=True, top=top) for x in (4, 5)]
        eye, target = (0.0, 0.5, 0.9), token(10, 0)
        assert seen(build_walls(hedges[:1]), eye, target) == 1
        assert seen(build_walls(hedges), eye, target) == pytest.approx(expected, abs=0.01)
    mixed = [WallInput("a", ((4, -50), (4, 50)), once=True, top=0.5), hedges[1]._replace(top=inf)]
    assert seen(build_walls(mixed), eye, target) == 0


def test_one_sided_walls_and_open_doors_let_sight_pass():
    eye, target = (0.0, 0.5, 0.9), token(10, 0)
    wall = WallInput("w", ((5, 50), (5, -50)), one_sided="right")
    assert seen(build_walls([wall]), eye, target) == 1
    assert seen(build_walls([wall._replace(one_sided="left")]), eye, target) == 0
    low = build_walls([wall._replace(top=0.5)])
    assert seen(low, eye, target) == 1
    door = build_walls([WallInput("d", ((5, 50), (5, -50)))])
    assert seen(door.with_open(["d"]), eye, target) == 1


def test_an_eye_inside_the_target_sees_it_whole():
    assert seen(upright(5.5, -5, 5), (5.2, 0.5, 0.9), token(5, 0)) == 1
    assert seen(OPEN, (5.2, 0.5, 0.9), token(5, 0), obstacles=[token(5, 0, name="o")]) == 1


def test_flat_and_pointlike_targets_have_an_answer():
    eye = (0.0, 0.5, 0.9)
    assert seen(OPEN, eye, Volume("t", square(5, 0), 0, 0)) == 1
    assert seen(upright(3, -5, 5), eye, Volume("t", ((5, 0.5),), 0, 1)) == 0
    assert seen(OPEN, eye, Volume("t", ((5, 0.5), (5, 0.5), (5, 0.5)), 0, 1)) == 1


def test_no_targets_no_answers():
    assert visible_fraction(OPEN, (0, 0, 0), silhouettes([])).shape == (0,)


def test_a_target_larger_than_the_board_is_seen_past_everything_small():
    huge = Volume("t", square(5, -500, 1000), 0, 1)
    hidden = np.arctan(0.5 / 3) / np.arctan(500 / 5)
    assert seen(upright(3, 0, 1), (0.0, 0.5, 0.9), huge) == pytest.approx(1 - hidden, abs=1e-3)


def test_a_figure_of_several_hexes_shows_only_its_nearest_faces():
    # An L of three squares; the eye looks into the notch, a wall stands between both arms.
    shape = ((5, 0), (6, 0), (6, 2), (4, 2), (4, 1), (5, 1))
    eye = (0.0, 0.5, 0.9)
    assert seen(OPEN, eye, Volume("t", shape, 0, 1)) == 1
    part = seen(upright(4.5, -1, 1), eye, Volume("t", shape, 0, 1))
    to_corner = np.arctan2(1 - 0.5, 4.5)
    total = np.arctan2(1.5, 4) - np.arctan2(-0.5, 5)
    assert part == pytest.approx(1 - (to_corner + np.arctan2(0.5, 5)) / total, abs=1e-9)


place = st.floats(0, 10).map(lambda value: round(value, 3))
wall_heights = st.sampled_from([(-inf, inf), (0, 0.7), (-inf, 1.5), (1, inf), (0.5, 2.0)])
rough_wall = st.tuples(place, place, place, place, wall_heights)
cell = st.tuples(st.integers(0, 9), st.integers(0, 9))


def apart(ring: Ring, eye: Eye) -> bool:
    return max(abs(ring[0][0] + 0.5 - eye[0]), abs(ring[0][1] + 0.5 - eye[1])) > 0.55


@settings(max_examples=50, deadline=None)
@given(
    st.lists(rough_wall, max_size=7),
    st.tuples(place, place, st.sampled_from([0.9, 1.8, 3.0])),
    st.lists(st.tuples(cell, st.sampled_from([0.0, 1.0]), st.sampled_from([0.5, 2.0])), max_size=2),
    st.lists(st.tuples(cell, st.sampled_from([0.6, 1.0, 2.5])), max_size=2),
)
def test_the_fraction_agrees_with_many_single_rays(
    rough: list[tuple[float, float, float, float, tuple[float, float]]],
    eye: Eye,
    figures: list[tuple[tuple[int, int], float, float]],
    creatures: list[tuple[tuple[int, int], float]],
):
    walls = [((a, b), (c, d), *heights) for a, b, c, d, heights in rough]
    built = build_walls(
        [WallInput(str(i), w[:2], base=w[2], top=w[3]) for i, w in enumerate(walls)]
    )
    targets = [(square(*at), base, base + h) for at, base, h in figures]
    targets = [target for target in targets if apart(target[0], eye)]
    obstacles = [(square(*at), 0.0, h) for at, h in creatures if apart(square(*at), eye)]
    answers = visible_fraction(
        built,
        eye,
        silhouettes([Volume(f"t{i}", *t) for i, t in enumerate(targets)]),
        obstacles=[Volume(f"o{i}", *o) for i, o in enumerate(obstacles)],
    )
    edge_on = [
        abs((c - a) * (eye[1] - b) - (d - b) * (eye[0] - a)) < 1e-6 for (a, b), (c, d), *_ in walls
    ]
    solid = [wall for wall, skip in zip(walls, edge_on, strict=True) if not skip]
    for target, answer in zip(targets, answers, strict=True):
        expected = seen_share(eye, target, solid, obstacles=obstacles, rays=150)
        assert answer == pytest.approx(expected, abs=0.01)


def test_several_eyes_see_what_each_sees_alone():
    rng = np.random.default_rng(2)
    ends = rng.uniform(0, 20, (60, 2, 2))
    walls = build_walls(
        [
            WallInput(str(i), (tuple(a), tuple(a + (b - a) * 0.1)), top=(0.7, inf)[i % 2])
            for i, (a, b) in enumerate(ends)
        ]
    )
    targets = silhouettes(
        [token(*xy, name=str(i)) for i, xy in enumerate(rng.integers(0, 19, (30, 2)))]
    )
    eyes = [(*map(float, xy), 0.9) for xy in rng.uniform(0, 20, (5, 2))]
    together = visible_fractions(walls, eyes, targets)
    alone = [visible_fraction(walls, eye, targets) for eye in eyes]
    assert together == pytest.approx(np.array(alone), abs=1e-9)


def test_best_corner_leans_around_the_pillar():
    viewer, targets = token(0, 0, name="v"), silhouettes([token(6, 0)])
    wall = upright(2, -5, 0.8)
    middle = visible_fraction(wall, (0.5, 0.5, 0.9), targets, viewer=viewer)
    best, corner = best_corner(wall, viewer, 0.9, targets)
    assert middle[0] < best[0]
    assert viewer.outline[corner[0]][1] == 1


def test_a_corner_on_a_joint_sees_from_its_own_cell_only():
    cross = build_walls([WallInput("a", ((0, -9), (0, 9))), WallInput("b", ((-9, 0), (9, 0)))])
    best, _ = best_corner(
        cross, token(0, 0, name="v"), 0.9, silhouettes([token(-4, -4), token(4, 4)])
    )
    assert best.tolist() == [0, 1]


def test_evidence_names_what_hides_and_draws_rays():
    walls = build_walls(
        [
            WallInput("low", ((4, -50), (4, 50)), base=0, top=0.85),
            WallInput("post", ((5, 0.5), (5, 9))),
            WallInput("behind", ((12, -50), (12, 50))),
        ]
    )
    ogre = Volume("ogre", square(7, 0.7), 0, 2)
    evidence = sight_evidence(walls, (0.0, 0.5, 0.9), token(10, 0), obstacles=[ogre])
    assert set(evidence.walls) == {"low", "post"}
    assert evidence.walls[0] == "low"
    assert evidence.tokens == ("ogre",)
    assert [ray.clear for ray in evidence.rays].count(True) == 0
    without = sight_evidence(walls.with_open(["low"]), (0.0, 0.5, 0.9), token(10, 0))
    assert without.walls == ("post",)
    assert {ray.clear for ray in without.rays} == {True, False}
    for ray in without.rays:
        assert ray.start == (0, 0.5)
        assert ray.end[0] == pytest.approx(10)
        assert ray.clear == (ray.end[1] < 0.5)


def test_evidence_of_an_open_view_is_clear_rays():
    evidence = sight_evidence(OPEN, (0.0, 0.5, 0.9), token(10, 0))
    assert all(ray.clear for ray in evidence.rays)
    assert evidence.walls == ()
    assert sight_evidence(OPEN, (10.5, 0.5, 0.9), token(10, 0)).rays == ()


def test_the_center_line_names_the_walls_in_order():
    walls = build_walls(
        [
            WallInput("far", ((8, -5), (8, 5))),
            WallInput("near", ((2, -5), (2, 5))),
            WallInput("low", ((4, -5), (4, 5)), top=0.5),
            WallInput("glass", ((5, -5), (5, 5)), blocks_sight=False),
            WallInput("door", ((6, -5), (6, 5))),
            WallInput("off", ((3, 3), (3, 5))),
        ],
        open_ids=["door"],
    )
    line = (0.0, 0.5, 0.9), (10.0, 0.5, 0.9)
    assert center_line(walls, *line) == ("near", "far")
    assert center_line(walls, *line[::-1]) == ("far", "near")
    assert center_line(walls, (0.0, 0.5, 0.2), (10.0, 0.5, 0.2)) == ("near", "low", "far")


def test_the_center_line_counts_joints_one_sides_and_terrain():
    joint = build_walls([WallInput("a", ((5, 0), (5, 3))), WallInput("b", ((5, 0), (5, -3)))])
    assert set(center_line(joint, (0, 0, 1), (10, 0, 1))) == {"a", "b"}
    one = build_walls([WallInput("a", ((5, 3), (5, -3)), one_sided="left")])
    assert center_line(one, (0, 0, 1), (10, 0, 1)) == ("a",)
    assert center_line(one, (10, 0, 1), (0, 0, 1)) == ()
    hills = [WallInput(str(x), ((x, -3), (x, 3)), once=True) for x in (3, 5, 7)]
    assert center_line(build_walls(hills), (0, 0, 1), (10, 0, 1)) == ("5", "7")
