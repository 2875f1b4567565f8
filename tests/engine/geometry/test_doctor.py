"""The wall doctor finds what is loose and mends it without moving what is joined."""

from random import Random

import pytest

from engine.geometry.doctor import find_gaps, welded
from engine.model.wall import Wall


def walls(*lines: tuple[tuple[float, float], ...]) -> dict[str, Wall]:
    return {f"w{i}": Wall(id=f"w{i}", points=line) for i, line in enumerate(lines)}


def mended(before: dict[str, Wall], below: float) -> dict[str, Wall]:
    return {**before, **{wall.id: wall for wall in welded(before, below)}}


def test_two_ends_that_miss_each_other_are_one_gap() -> None:
    (gap,) = find_gaps(walls(((0, 0), (1, 0)), ((1.05, 0), (1.05, 1))), 0.1)
    assert gap.width == pytest.approx(0.05)
    assert {gap.wall_id, gap.other_id} == {"w0", "w1"}


def test_an_end_that_misses_the_middle_of_a_wall_is_a_gap() -> None:
    (gap,) = find_gaps(walls(((0, 0), (4, 0)), ((2, 0.03), (2, 3))), 0.1)
    assert gap.wall_id == "w1"
    assert gap.nearest == (2, 0)


@pytest.mark.parametrize(
    "lines",
    [
        (((0, 0), (1, 0)), ((1, 0), (1, 1))),
        (((0, 0), (4, 0)), ((2, 0), (2, 3))),
        (((0, 0), (1, 0), (1, 1), (0, 0)),),
        (((0, 0), (1, 0)), ((1.5, 0), (2, 0))),
    ],
)
def test_what_meets_or_stands_apart_is_no_gap(
    lines: tuple[tuple[tuple[float, float], ...], ...],
) -> None:
    assert find_gaps(walls(*lines), 0.1) == ()


def test_a_room_that_does_not_quite_close_is_a_gap() -> None:
    room = walls(((0, 0), (4, 0), (4, 4), (0, 4), (0, 0.02)))
    (gap,) = find_gaps(room, 0.1)
    assert gap.wall_id == gap.other_id == "w0"
    assert find_gaps(mended(room, 0.1), 0.1) == ()


def test_c73_a_hundred_and_fifty_two_gaps_become_none() -> None:
    rng = Random(73)
    lines = []
    for i in range(152):
        x, y = 3 * (i % 13), 3 * (i // 13)
        miss = rng.uniform(0.01, 0.05)
        lines += [((x, y), (x + 1, y)), ((x + 1 + miss, y), (x + 1 + miss, y + 1))]
    before = walls(*lines)
    assert len(find_gaps(before, 0.06)) == 152
    after = mended(before, 0.06)
    assert find_gaps(after, 0.06) == ()
    assert after.keys() == before.keys()


def test_a_short_wall_is_not_welded_into_a_point() -> None:
    before = walls(((0, 0), (0.05, 0)), ((0.08, 0), (4, 0)))
    for wall in mended(before, 0.1).values():
        assert len(set(wall.points)) > 1
