"""Picking walls and doors under the pointer, without any window."""

from math import hypot

from hypothesis import given
from hypothesis import strategies as st

from gui.canvas.pointer import distance_to, nearest_wall
from tests.helpers.views import a_door, a_wall

COORDINATE = st.floats(-50, 50)
POINT = st.tuples(COORDINATE, COORDINATE)


def test_a_door_wins_over_a_nearer_wall():
    wall, door = a_wall("wall", (0, 0), (4, 0)), a_door("door", (1, 0.1), (2, 0.1))
    assert nearest_wall([wall, door], (1.5, 0.01), 0.2) == "door"


def test_the_nearest_wall_is_picked_and_none_beyond_the_tolerance():
    walls = [a_wall("far", (0, 1), (4, 1)), a_wall("near", (0, 0.2), (4, 0.2))]
    assert nearest_wall(walls, (2, 0), 0.5) == "near"
    assert nearest_wall(walls, (2, -3), 0.5) is None


def test_a_wall_without_length_has_the_distance_of_its_point():
    assert distance_to(((1, 1), (1, 1)), (4, 5)) == 5


@given(POINT, POINT, POINT, st.floats(0, 1))
def test_no_point_of_a_segment_is_nearer_than_its_distance(
    a: tuple[float, float], b: tuple[float, float], p: tuple[float, float], share: float
):
    x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
    assert distance_to((a, b), p) <= hypot(p[0] - x, p[1] - y) + 1e-9
