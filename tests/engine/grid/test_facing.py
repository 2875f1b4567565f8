"""Facings on squares and both kinds of hexes."""

from math import cos, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.grid.facing import (
    Arc,
    angle_deg,
    arc_to,
    arcs,
    direction_ahead,
    facing_toward,
    front_directions,
    looks_at_side,
    turn_between,
    unit_vector,
)
from engine.grid.grid import Grid, grid_of
from engine.model.space import Cell, GridKind

GRIDS = [grid_of(kind, 5, 5) for kind in GridKind]
SQUARE, POINTY, FLAT = GRIDS
grids = st.sampled_from(GRIDS)


def test_dragonquest_14_5_even_facings_are_sides_on_pointy_and_vertices_on_flat_hexes():
    assert [looks_at_side(POINTY, f) for f in range(12)] == [True, False] * 6
    assert [looks_at_side(FLAT, f) for f in range(12)] == [False, True] * 6
    assert all(looks_at_side(SQUARE, f) for f in range(8))


@given(grids, st.integers(0, 5))
def test_c35_a_step_sets_the_facing_that_looks_along_it(grid: Grid, number: int):
    direction = grid.directions[number]
    assert direction_ahead(grid, direction.facing) == number
    start, end = Cell(-2, 3), grid.translate(Cell(-2, 3), number)
    assert facing_toward(grid, grid.center(start), grid.center(end)) == direction.facing


def test_fronts_are_three_directions_from_a_side_and_two_from_a_vertex():
    assert front_directions(SQUARE, 0) == (7, 0, 1)
    assert front_directions(POINTY, 0) == (5, 0, 1)
    assert front_directions(POINTY, 9) == (4, 5)
    assert front_directions(FLAT, 3) == (0, 1, 2)
    assert front_directions(FLAT, 0) == (5, 0)


@given(grids, st.integers(0, 11), st.integers(0, 11))
def test_a_turn_leads_to_the_facing(grid: Grid, a: int, b: int):
    turn = turn_between(grid, a, b)
    assert (a + turn - b) % grid.facings == 0
    assert abs(turn) <= grid.facings // 2
    assert turn_between(grid, a, a) == 0


@given(grids, st.integers(-20, 20))
def test_facing_and_vector_agree(grid: Grid, facing: int):
    dx, dy = unit_vector(grid, facing)
    assert facing_toward(grid, (3.0, -1.0), (3.0 + dx, -1.0 + dy)) == facing % grid.facings


def test_there_is_no_facing_toward_the_own_place():
    assert facing_toward(SQUARE, (1.0, 2.0), (1.0, 2.0)) is None


def test_half_way_the_clockwise_facing_wins():
    assert angle_deg(POINTY, 1) == 30
    for grid in GRIDS:
        half = 180.0 / grid.facings
        assert facing_toward(grid, (0, 0), (cos(radians(half)), sin(radians(half)))) == 1


def test_c38_flank_and_rear_of_one_two_and_three_hexes():
    table = [
        ((Cell(0, 0),), 0, Cell(1, -1), Arc.FRONT),
        ((Cell(0, 0),), 0, Cell(0, -1), Arc.REAR),
        ((Cell(0, 0), Cell(-1, 0)), 0, Cell(0, -1), Arc.FLANK),
        ((Cell(0, 0), Cell(-1, 0)), 0, Cell(-2, 0), Arc.REAR),
        ((Cell(0, 0), Cell(-1, 1), Cell(0, 1)), 9, Cell(1, 0), Arc.FRONT),
        ((Cell(0, 0), Cell(-1, 1), Cell(0, 1)), 9, Cell(1, 1), Arc.FLANK),
        ((Cell(0, 0), Cell(-1, 1), Cell(0, 1)), 9, Cell(-1, 2), Arc.REAR),
    ]
    for covered, facing, cell, arc in table:
        assert arcs(POINTY, covered, facing)[cell] == arc


def test_squares_have_three_front_two_flank_and_three_rear_cells():
    zones = arcs(SQUARE, [Cell(0, 0)], 6)
    assert {c for c in zones if zones[c] == Arc.FRONT} == {(-1, -1), (0, -1), (1, -1)}
    assert {c for c in zones if zones[c] == Arc.FLANK} == {(-1, 0), (1, 0)}
    assert {c for c in zones if zones[c] == Arc.REAR} == {(-1, 1), (0, 1), (1, 1)}


@given(grids, st.integers(0, 11), st.builds(Cell, st.integers(-4, 4), st.integers(-4, 4)))
def test_arcs_turn_with_the_figure(grid: Grid, facing: int, cell: Cell):
    covered = (Cell(0, 0), Cell(1, 0))
    per_step = grid.facings // grid.turns
    turned = [grid.rotate(c, 1) for c in covered]
    here = arc_to(grid, covered, facing, grid.center(cell))
    there = arc_to(grid, turned, facing + per_step, grid.center(grid.rotate(cell, 1)))
    assert here == there


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: grid.kind)
def test_a_figures_own_middle_lies_in_front(grid: Grid):
    assert arc_to(grid, [Cell(0, 0)], 3, grid.center(Cell(0, 0))) == Arc.FRONT
