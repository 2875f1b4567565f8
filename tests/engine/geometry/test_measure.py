"""Rulers and ranges: the diagonal rules, parity over way-points, height, zones of reach."""

from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.measure import (
    HeightMetric,
    ZoneChange,
    distance,
    distance_between,
    ruler,
    within,
    zone_change,
)
from engine.geometry.stride import Diagonal
from engine.grid.footprint import footprint_named
from engine.grid.grid import Grid, grid_of
from engine.model.space import Cell, GridKind

GRIDS = [grid_of(kind, 20, 20) for kind in GridKind]
SQUARE, *HEXES = GRIDS
ORIGIN = Cell(0, 0)
cells = st.builds(Cell, st.integers(-30, 30), st.integers(-30, 30))


@pytest.mark.parametrize(
    ("rule", "costs"),
    [
        (Diagonal.ALTERNATING, [1, 3, 4, 6, 7, 9]),
        (Diagonal.ALWAYS_DOUBLE, [2, 4, 6, 8, 10, 12]),
        (Diagonal.CHEBYSHEV, [1, 2, 3, 4, 5, 6]),
    ],
)
def test_d1_d2_one_to_six_diagonals(rule: Diagonal, costs: list[int]):
    assert [distance(SQUARE, ORIGIN, Cell(n, -n), rule) for n in range(1, 7)] == costs


@pytest.mark.parametrize(
    ("offset", "alternating", "circle"),
    [
        ((4, 4), 6, 5.657),
        ((5, 3), 6, 5.831),
        ((5, 4), 7, 6.403),
        ((6, 0), 6, 6),
        ((5, 5), 7, 7.071),
    ],
)
def test_d6_d7_alternating_and_circle_disagree(
    offset: tuple[int, int], alternating: int, circle: float
):
    assert distance(SQUARE, ORIGIN, Cell(*offset), Diagonal.ALTERNATING) == alternating
    measured = distance(SQUARE, ORIGIN, Cell(*offset), Diagonal.CIRCULAR)
    assert measured == pytest.approx(circle, abs=5e-4)


def test_c40_waypoints_do_not_restart_the_diagonals():
    stops = [Cell(0, 0), Cell(1, 1), Cell(2, 0), Cell(4, 2), Cell(3, 3), Cell(4, 4)]
    measured = ruler(SQUARE, stops, Diagonal.ALTERNATING)
    assert 1.5 * measured.total == 13.5
    assert measured.legs == (1, 2, 3, 1, 2)
    assert measured.parity == 0


@given(st.lists(cells, min_size=2, max_size=6), st.integers(0, 1))
def test_c40_measuring_in_two_parts_is_measuring_at_once(stops: list[Cell], parity: int):
    whole = ruler(SQUARE, stops, Diagonal.ALTERNATING, parity)
    first = ruler(SQUARE, stops[:2], Diagonal.ALTERNATING, parity)
    rest = ruler(SQUARE, stops[1:], Diagonal.ALTERNATING, first.parity)
    assert (first.total + rest.total, rest.parity) == (whole.total, whole.parity)


@pytest.mark.parametrize("length", range(1, 13))
@pytest.mark.parametrize("rule", Diagonal)
def test_c43_all_four_diagonals_cost_the_same(rule: Diagonal, length: int):
    ends = [Cell(x * length, y * length) for x in (-1, 1) for y in (-1, 1)]
    assert len({distance(SQUARE, ORIGIN, end, rule) for end in ends}) == 1


@given(st.sampled_from(GRIDS), cells, cells, st.sampled_from(Diagonal), st.integers(-9, 9))
def test_c44_every_rule_gives_a_finite_number_on_every_grid(
    grid: Grid, a: Cell, b: Cell, rule: Diagonal, rise: int
):
    for height in HeightMetric:
        measured = distance(grid, a, b, rule, rise=rise, height=height)
        assert isfinite(measured)
        assert measured >= 0
        assert measured == pytest.approx(distance(grid, b, a, rule, rise=-rise, height=height))


def test_c44_an_unknown_rule_is_an_error():
    with pytest.raises(ValueError, match="5/5/5"):
        Diagonal("5/5/5")


@given(st.sampled_from(HEXES), cells, cells, st.sampled_from(Diagonal))
def test_c46_on_hexes_every_rule_is_the_cube_distance(grid: Grid, a: Cell, b: Cell, rule: Diagonal):
    assert distance(grid, a, b, rule) == grid.distance(a, b)
    assert ruler(grid, [a, b, a], rule).total == 2 * grid.distance(a, b)


@pytest.mark.parametrize(
    ("offset", "rise", "axis", "largest", "both"), [((1, 0), 24, 24, 24, 25), ((4, 0), 3, 5, 4, 7)]
)
def test_h1_h3_height_is_one_more_axis(
    offset: tuple[int, int], rise: int, axis: int, largest: int, both: int
):
    found = [
        distance(SQUARE, ORIGIN, Cell(*offset), Diagonal.ALTERNATING, rise=rise, height=metric)
        for metric in HeightMetric
    ]
    assert found == [axis, largest, both]


def test_drase_14_1_always_double_adds_the_two_larger_axes():
    assert distance(SQUARE, ORIGIN, Cell(5, 3), Diagonal.ALWAYS_DOUBLE, rise=2) == 8


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: grid.kind)
def test_c178_a_range_in_space_is_a_3_4_5_triangle(grid: Grid):
    assert distance(grid, ORIGIN, Cell(4, 0), Diagonal.EUCLID, rise=3) == 5


def test_drase_6_2_the_circle_takes_the_larger_of_width_and_height():
    assert distance(SQUARE, ORIGIN, Cell(3, 4), Diagonal.CIRCULAR, rise=4) == 5
    assert distance(SQUARE, ORIGIN, Cell(3, 4), Diagonal.CIRCULAR, rise=7) == 7


def test_drase_6_3_reach_two_does_not_cover_the_second_diagonal():
    zone = within(SQUARE, [ORIGIN], 2, Diagonal.ALTERNATING)
    assert Cell(2, 2) not in zone
    assert Cell(2, 1) in zone
    assert len(zone) == 21


@pytest.mark.parametrize(
    ("rule", "reach", "corner", "count"),
    [
        (Diagonal.CHEBYSHEV, 1, True, 16),
        (Diagonal.CHEBYSHEV, 2, True, 36),
        (Diagonal.ALTERNATING, 1, True, 16),
        (Diagonal.ALTERNATING, 2, False, 32),
    ],
)
def test_c59_the_reach_of_a_2x2_figure_at_its_corners(
    rule: Diagonal, reach: int, corner: bool, count: int
):
    covered = footprint_named(GridKind.SQUARE, "2").cells_at(SQUARE, ORIGIN, 0)
    zone = within(SQUARE, covered, reach, rule)
    assert (Cell(1 + reach, 1 + reach) in zone) == corner
    assert len(zone) == count


def test_c59_the_reach_of_a_large_hex_figure_is_its_rings():
    for grid in HEXES:
        covered = footprint_named(grid.kind, "3").cells_at(grid, ORIGIN, 0)
        assert len(within(grid, covered, 1, Diagonal.CHEBYSHEV)) == 3 + 9
        assert len(within(grid, covered, 2, Diagonal.CHEBYSHEV)) == 3 + 9 + 15


def test_c59_leaving_and_entering_a_reach():
    zone = within(SQUARE, [Cell(0, 0)], 1, Diagonal.CHEBYSHEV)
    figure = footprint_named(GridKind.SQUARE, "2")

    def change(a: Cell, b: Cell) -> ZoneChange:
        before, after = (figure.cells_at(SQUARE, cell, 0) for cell in (a, b))
        return zone_change(zone, before, after)

    assert change(Cell(-4, 0), Cell(-3, 0)) == ZoneChange.OUTSIDE
    assert change(Cell(-3, 0), Cell(-2, 0)) == ZoneChange.ENTERS
    assert change(Cell(-2, 0), Cell(-2, 1)) == ZoneChange.STAYS
    assert change(Cell(1, 1), Cell(2, 2)) == ZoneChange.LEAVES


def test_figures_are_as_far_apart_as_their_closest_cells():
    one = footprint_named(GridKind.SQUARE, "3").cells_at(SQUARE, Cell(0, 0), 0)
    assert distance_between(SQUARE, one, [Cell(5, 1)], Diagonal.ALTERNATING) == 3
    assert distance_between(SQUARE, one, [Cell(5, 5)], Diagonal.ALTERNATING) == 4
