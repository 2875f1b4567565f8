import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import dual
from engine.geometry.index import BoxIndex

coordinate = st.floats(-50, 50).filter(lambda value: abs(value) > 1e-6)


@given(coordinate, coordinate)
def test_a_direction_keeps_its_bearing_and_has_chebyshev_length_one(x: float, y: float):
    ux, uy = dual.direction(dual.pseudo_angle(np.array([x]), np.array([y])))
    length = max(abs(x), abs(y))
    assert (ux[0], uy[0]) == (pytest.approx(x / length), pytest.approx(y / length))


def test_pseudo_angles_grow_with_the_true_angle_over_one_turn():
    angle = np.linspace(-np.pi / 4 + 1e-9, 7 * np.pi / 4 - 1e-9, 999)
    s = dual.pseudo_angle(np.cos(angle), np.sin(angle))
    assert (np.diff(s) > 0).all()
    assert s[0] == pytest.approx(-1)
    assert s[-1] == pytest.approx(7)


def test_rounding_never_reaches_the_end_of_the_turn():
    s = dual.pseudo_angle(np.array([1.0, 1 - 1e-16, 1 - 1e-15]), np.array([-1.0, -1.0, -1.0]))
    assert (s < 7 - 1e-14).all()


def test_a_wall_is_linear_in_the_dual():
    found = dual.to_dual(np.array([[3.0], [-1.0], [3.0], [2.0]]), np.array([0]))
    for s in (-0.3, 0.0, 0.5):
        ux, uy = dual.direction(np.array([s]))
        assert found.nx[0] * ux[0] + found.ny[0] * uy[0] == pytest.approx(1 / 3)


def test_a_wall_across_the_seam_comes_in_two():
    found = dual.to_dual(np.array([[1.0], [-3.0], [3.0], [-1.0]]), np.array([7]))
    assert found.row.tolist() == [7, 7]
    assert found.end[0] == 7
    assert found.start[1] == -1


def test_edge_on_walls_vanish():
    ends = np.array([[1.0, 1.0], [1.0, 1.0], [3.0, 3.0], [3.0, 3.0 + 1e-10]])
    assert len(dual.to_dual(ends, np.array([0, 1])).row) == 0


def test_a_border_that_merges_with_a_chain_of_events_keeps_its_place():
    chain = 7 - np.array([3.5e-12, 2.2e-12, 1e-12])
    events, rank = dual.ranked(2, chain)
    assert set(dual.borders(2)) <= set(events)
    assert rank[:3].tolist() == [4, 4, 4]
    assert events[4] == 7


def test_range_minimum_agrees_with_slices():
    values = np.random.default_rng(1).random(37)
    table = dual.RangeMinimum(values)
    first, last = np.triu_indices(37)
    expected = [values[a : b + 1].min() for a, b in zip(first, last, strict=True)]
    assert (table.between(first, last) == expected).all()


@pytest.mark.parametrize("count", [0, 1, 5, 400])
def test_the_index_misses_no_box(count: int):
    rng = np.random.default_rng(count)
    corner = rng.uniform(-20, 20, (2, count))
    boxes = np.concatenate((corner, corner + rng.exponential(1, (2, count)) ** 2))
    index = BoxIndex(boxes, 50)
    for x, y, radius in rng.uniform(-30, 30, (50, 3)):
        near = set(index.around(x, y, abs(radius)).tolist())
        gap = np.maximum(boxes[:2] - [[x], [y]], [[x], [y]] - boxes[2:]).max(axis=0, initial=-99)
        assert set(np.flatnonzero(gap <= abs(radius)).tolist()) <= near


def test_the_index_knows_how_far_fifty_boxes_reach():
    corner = np.random.default_rng(3).uniform(0, 100, (2, 5000))
    index = BoxIndex(np.concatenate((corner, corner)), 50)
    for x, y in ((50, 50), (20, 70), (99, 1)):
        radius = index.radius_for_enough(x, y)
        inside = (np.abs(corner - [[x], [y]]).max(axis=0) <= radius).sum()
        assert 20 <= inside <= 130
