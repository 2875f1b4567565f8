import math

import numpy as np
import pytest
import shapely

from engine.geometry.segments import CROWDED, NUDGE, WallInput, build_walls, off_walls
from engine.model.space import Point


def pieces(*walls: WallInput) -> list[tuple[str, Point, Point]]:
    built = build_walls(walls)
    return sorted(
        (built.ids[owner], (a[0], a[1]), (b[0], b[1]))
        for owner, (a, b) in zip(built.owner.tolist(), built.segs.tolist(), strict=True)
    )


def blocked(wall: WallInput, start: Point, end: Point) -> bool:
    return bool(build_walls([wall]).crosses_movement(np.array([start]), np.array([end]))[0])


def test_a_crossing_is_cut_into_four():
    level, upright = WallInput("a", ((0, 1), (2, 1))), WallInput("b", ((1, 0), (1, 2)))
    assert pieces(level, upright) == [
        ("a", (0, 1), (1, 1)),
        ("a", (1, 1), (2, 1)),
        ("b", (1, 0), (1, 1)),
        ("b", (1, 1), (1, 2)),
    ]


def test_a_joint_is_cut_where_the_other_ends():
    foot = WallInput("b", ((1, 1 + 4e-10), (1, 2)))
    cut = pieces(WallInput("a", ((0, 1), (2, 1))), foot)
    assert [piece[1:] for piece in cut if piece[0] == "a"] == [
        ((0, 1), (1, 1 + 4e-10)),
        ((1, 1 + 4e-10), (2, 1)),
    ]


def test_overlapping_walls_share_their_pieces():
    cut = pieces(WallInput("a", ((0, 0), (3, 0))), WallInput("b", ((1, 0), (4, 0))))
    assert cut == [
        ("a", (0, 0), (1, 0)),
        ("a", (1, 0), (3, 0)),
        ("b", (1, 0), (3, 0)),
        ("b", (3, 0), (4, 0)),
    ]


def test_noded_walls_meet_at_their_ends_only():
    rng = np.random.default_rng(3)
    for _ in range(20):
        start = rng.integers(0, 10, (40, 2)) + rng.choice([0, 0.1, 1 / 3], (40, 2))
        ends = start + rng.integers(-5, 6, (40, 2)) * rng.choice([1, 0.7], (40, 1))
        built = build_walls(
            [WallInput(str(i), (tuple(start[i]), tuple(ends[i]))) for i in range(40)]
        )
        lines = shapely.linestrings(built.segs)
        i, j = shapely.STRtree(lines).query(lines)
        met = shapely.intersection(lines[i], lines[j])
        proper = shapely.get_dimensions(met[i < j]) == 0
        ends_of = {tuple(point) for point in built.segs.reshape(-1, 2)}
        for point in shapely.get_coordinates(met[i < j][proper]):
            assert min(np.hypot(*(np.array(end) - point)) for end in ends_of) < 3e-9
        raw = shapely.union_all(shapely.linestrings(np.stack((start, ends), axis=1)))
        assert shapely.union_all(lines).length == pytest.approx(raw.length, rel=1e-9)


CROWDS = {
    "upon one another": lambda i: ((1, 1), (9, 7)),
    "across one another": lambda i: ((i / 3000, 0), (1 - i / 3000, 9)),
    "through one small place": lambda i: (
        (5 + 4 * math.cos(i), 5 + 4 * math.sin(i)),
        (5 - 4 * math.cos(i) + i * 1e-8, 5 - 4 * math.sin(i)),
    ),
}


@pytest.mark.parametrize("crowd", CROWDS)
def test_of_too_many_walls_in_one_place_the_last_are_left_out_and_named(crowd: str):
    built = build_walls([WallInput(str(i), CROWDS[crowd](i)) for i in range(3000)])
    named = {issue.wall for issue in built.issues if issue.problem == CROWDED}
    kept = {built.ids[owner] for owner in built.owner.tolist()}
    assert kept
    assert kept.isdisjoint(named)
    assert kept | named == set(built.ids)
    assert len(built) < 1_000_000


def test_many_walls_side_by_side_are_no_crowd():
    lines = [((i % 100, i // 100), (i % 100 + 1, i // 100)) for i in range(10_000)]
    assert not build_walls([WallInput(str(i), line) for i, line in enumerate(lines)]).issues


def test_joints_have_the_same_bits():
    third = 1 / 3
    cut = pieces(WallInput("a", ((0, 0), (3 * 0.1, third))), WallInput("b", ((0.3, third), (1, 1))))
    assert cut[0][2] == cut[1][1]


@pytest.mark.parametrize(
    ("points", "problem"),
    [
        (((0, 0), (float("nan"), 1)), "finite"),
        (((0, 0), (float("inf"), 1)), "finite"),
        (((0, 0), (1e300, 1)), "finite"),
        (((1, 1), (1, 1)), "no length"),
        (((1, 1),), "less than two"),
        ((), "less than two"),
    ],
)
def test_a_bad_wall_is_named_and_the_rest_stands(points: tuple[Point, ...], problem: str):
    built = build_walls([WallInput("bad", points), WallInput("good", ((0, 0), (1, 0)))])
    assert [issue.wall for issue in built.issues] == ["bad"]
    assert problem in built.issues[0].problem
    assert built.owner.tolist() == [1]


def test_one_bad_point_costs_its_two_segments_only():
    points = ((0, 0), (1, 0), (2, float("nan")), (3, 0), (4, 0))
    built = build_walls([WallInput("w", points)])
    assert built.segs.tolist() == [[[0, 0], [1, 0]], [[3, 0], [4, 0]]]


def test_a_wall_upside_down_is_left_out():
    built = build_walls([WallInput("w", ((0, 0), (1, 0)), base=2, top=1)])
    assert len(built) == 0
    assert "top" in built.issues[0].problem


def test_a_part_drawn_twice_is_kept_once_and_named():
    built = build_walls([WallInput("w", ((0, 0), (1, 0), (0, 0)))])
    assert len(built) == 1
    assert [issue.wall for issue in built.issues] == ["w"]


def test_a_door_on_a_wall_is_not_a_duplicate():
    built = build_walls([WallInput("w", ((0, 0), (1, 0))), WallInput("d", ((0, 0), (1, 0)))])
    assert built.owner.tolist() == [0, 1]
    assert not built.issues


def test_no_walls_at_all():
    built = build_walls([])
    assert len(built) == 0
    assert not built.crosses_movement(np.zeros((2, 2)), np.ones((2, 2))).any()


def test_opening_shares_the_arrays_and_leaves_the_old_set():
    built = build_walls([WallInput("d", ((1, 0), (1, 2)))])
    opened = built.with_open(["d"])
    assert opened.segs is built.segs
    assert opened.sight_segs is built.sight_segs
    step = np.array([(0.5, 1)]), np.array([(1.5, 1)])
    assert built.crosses_movement(*step).all()
    assert not opened.crosses_movement(*step).any()
    assert opened.with_open([]).crosses_movement(*step).all()
    assert opened.toggled("d").crosses_movement(*step).all()
    assert not opened.toggled("d").toggled("d").crosses_movement(*step).any()
    with pytest.raises(KeyError):
        built.with_open(["nobody"])


def test_arrays_are_read_only():
    built = build_walls([WallInput("d", ((1, 0), (1, 2)))])
    with pytest.raises(ValueError, match="read-only"):
        built.segs[0, 0, 0] = 5


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("wall", [((1, 0), (1, 9)), ((1, 9), (1, 0))])
def test_c62_a_wall_on_the_grid_line_blocks_in_both_senses(wall: tuple[Point, Point], way: int):
    for offset in (0.5, 0.0):
        step = [(1 - 0.5, 3 + offset), (1 + 0.5, 3 + offset)][::way]
        assert blocked(WallInput("w", wall), *step)
        assert not blocked(WallInput("w", wall, blocks_movement=False), *step)


@pytest.mark.parametrize("step", [((0.5, 0.2), (0.5, 1.2)), ((0.5, 1.2), (0.5, 0.2))])
def test_c61_a_closed_door_between_grid_lines_blocks_steps(step: tuple[Point, Point]):
    assert blocked(WallInput("d", ((0, 0.505), (1, 0.505))), *step)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ((0, 0), (1, 1), True),  # ends on the joint
        ((0, 2), (2, 0), True),  # through the joint
        ((0, 0.9), (2, 0.9), False),  # just misses it
        ((0, 1), (1 - 1e-8, 1), False),
        ((3, 1), (5, 1), True),  # along the wall
        ((1, 1), (1, 1), True),  # stands on it
        ((9, 9), (9, 9), False),
    ],
)
def test_steps_touching_a_wall_or_joint_are_blocked(start: Point, end: Point, expected: bool):
    wall = WallInput("w", ((1, 1), (4, 1)))
    assert blocked(wall, start, end) == expected
    jointed = build_walls([wall, WallInput("v", ((1, 1), (1, 4)))])
    assert jointed.crosses_movement(np.array([start]), np.array([end]))[0] == expected


@pytest.mark.parametrize(
    ("side", "start", "end", "expected"),
    [
        ("left", (2, 0), (2, 2), True),  # looking from (0, 1) to (4, 1), left is up
        ("left", (2, 2), (2, 0), False),
        ("right", (2, 0), (2, 2), False),
        ("right", (2, 2), (2, 0), True),
        ("left", (2, 1), (2, 2), True),  # from on the wall, away from the left
        ("left", (2, 1), (2, 0), False),
        ("left", (2, 2), (2, 1), False),
        ("left", (2, 0), (2, 1), True),
    ],
)
def test_one_sided_walls_block_steps_from_the_named_side(
    side: str, start: Point, end: Point, expected: bool
):
    assert blocked(WallInput("w", ((0, 1), (4, 1)), one_sided=side), start, end) == expected


def test_many_steps_agree_with_shapely():
    rng = np.random.default_rng(4)
    start = rng.uniform(0, 40, (300, 2))
    built = build_walls(
        [
            WallInput(str(i), (tuple(start[i]), tuple(start[i] + rng.normal(0, 2, 2))))
            for i in range(300)
        ]
    )
    steps = rng.uniform(0, 40, (20_000, 2))
    ends = steps + rng.choice([-1.0, 0.0, 1.0], (20_000, 2))
    tree = shapely.STRtree(shapely.linestrings(built.segs))
    crossing, _ = tree.query(shapely.linestrings(np.stack((steps, ends), axis=1)), "intersects")
    expected = np.isin(np.arange(20_000), crossing)
    assert (built.crosses_movement(steps, ends) == expected).all()


def test_blockers_are_named():
    built = build_walls([WallInput("a", ((1, 0), (1, 2))), WallInput("b", ((2, 0), (2, 2)))])
    assert built.movement_blockers((0, 1), (3, 1)) == ("a", "b")
    assert built.movement_blockers((0, 1), (0.5, 1)) == ()


def test_a_token_on_a_wall_stands_where_it_came_from():
    built = build_walls([WallInput("w", ((0, 1), (4, 1)))])
    assert off_walls(built, (2, 1), (2, 0)) == (2, 1 - NUDGE)
    assert off_walls(built, (2, 1), (2, 2)) == (2, 1 + NUDGE)
    assert off_walls(built, (2, 1.5), (2, 0)) == (2, 1.5)
    assert off_walls(built, (2, 1), (2, 1)) == (2, 1)
    assert off_walls(built.with_open(["w"]), (2, 1), (2, 0)) == (2, 1)
    # From there the wall blocks ahead and lets go back: nobody is walled in.
    point = off_walls(built, (2, 1), (2, 0))
    assert built.movement_blockers(point, (2, 2)) == ("w",)
    assert built.movement_blockers(point, (2, 0)) == ()
