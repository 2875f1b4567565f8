"""Laws of the grids, over all three kinds and negative cells alike."""

from itertools import pairwise
from math import dist, hypot

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point as ShapelyPoint
from shapely import Polygon, union_all

from engine.grid.grid import Grid, Ring, grid_of
from engine.model.refusal import Rejected
from engine.model.space import Cell, GridKind, Point

GRIDS = [grid_of(kind, 7, 5) for kind in GridKind]
HEXES = [grid for grid in GRIDS if grid.kind.is_hex]

grids = st.sampled_from(GRIDS)
hexes = st.sampled_from(HEXES)
cells = st.builds(Cell, st.integers(-60, 60), st.integers(-60, 60))
coordinates = st.floats(-60, 60, allow_nan=False)
points = st.tuples(coordinates, coordinates)


def test_the_origin_and_spacing_of_each_grid():
    for grid in GRIDS:
        assert grid.center(Cell(0, 0)) == (0.5, 0.5)
        for cell, direction in grid.neighbours(Cell(-3, 2)):
            length = dist(grid.center(Cell(-3, 2)), grid.center(cell))
            assert length == pytest.approx(2**0.5 if direction.diagonal else 1)


def test_directions_look_where_their_facing_says():
    for grid in GRIDS:
        for cell, direction in grid.neighbours(Cell(0, 0)):
            x, y = grid.center(cell)
            degrees = np.degrees(np.arctan2(y - 0.5, x - 0.5)) % 360
            assert degrees == pytest.approx(direction.facing * 360 / grid.facings)


@given(grids, cells)
def test_a_cell_contains_its_centre(grid: Grid, cell: Cell):
    assert grid.cell_at(grid.center(cell)) == cell


@given(grids, points)
def test_c7_cell_at_point_and_drawn_border_agree(grid: Grid, point: Point):
    polygon = Polygon(grid.polygon(grid.cell_at(point)))
    assert polygon.distance(ShapelyPoint(point)) < 1e-9


@given(grids, points)
def test_the_cell_at_a_point_has_the_nearest_centre_of_all_hexes(grid: Grid, point: Point):
    cell = grid.cell_at(point)
    own = dist(grid.center(cell), point)
    near = [n.cell for n in grid.neighbours(cell) if not n.direction.diagonal]
    assert own <= min(dist(grid.center(other), point) for other in near) + 1e-9


@given(grids, st.lists(points, min_size=1, max_size=20))
def test_arrays_agree_with_single_points(grid: Grid, many: list[Point]):
    found = [Cell(*map(int, row)) for row in grid.cells_at(many)]
    assert found == [grid.cell_at(point) for point in many]
    assert grid.centers(found).tolist() == [list(grid.center(cell)) for cell in found]


@given(grids, cells)
def test_c20_neighbours_are_symmetric_for_negative_cells(grid: Grid, cell: Cell):
    for near, direction in grid.neighbours(cell):
        back = grid.step_between(near, cell)
        assert back is not None
        assert (back.dx, back.dy) == (-direction.dx, -direction.dy)
        assert grid.distance(cell, near) == 1


@pytest.mark.parametrize("kind", GridKind)
def test_c20_negative_cells_lie_beside_the_others(kind: GridKind):
    grid = grid_of(kind, 3, 3)
    for cell in (Cell(-1, -1), Cell(-3, 2)):
        assert grid.from_offset(*grid.offset(cell)) == cell
        assert all(dist(grid.center(cell), p) < 0.75 for p in grid.polygon(cell))
        assert not grid.contains(cell)


@given(grids, cells, cells, cells)
def test_distance_is_a_metric(grid: Grid, a: Cell, b: Cell, c: Cell):
    assert grid.distance(a, b) == grid.distance(b, a)
    assert (grid.distance(a, b) == 0) == (a == b)
    assert grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c)


@given(grids, cells, cells)
def test_c47_a_path_has_the_length_of_the_distance_and_no_gap(grid: Grid, a: Cell, b: Cell):
    path = grid.path(a, b)
    assert (path[0], path[-1]) == (a, b)
    assert len(path) == grid.distance(a, b) + 1
    assert all(grid.step_between(one, two) for one, two in pairwise(path))


@given(hexes, cells, cells)
def test_c47_a_hex_path_keeps_to_the_straight_line(grid: Grid, a: Cell, b: Cell):
    (ax, ay), (bx, by) = grid.center(a), grid.center(b)
    length = hypot(bx - ax, by - ay) or 1
    for cell in grid.path(a, b):
        x, y = grid.center(cell)
        off = abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length
        assert off <= 3**-0.5 + 1e-9


@given(grids, cells, st.integers(-9, 9), cells)
def test_rotation_is_a_turn(grid: Grid, cell: Cell, steps: int, about: Cell):
    turned = grid.rotate(cell, steps, about)
    assert grid.rotate(turned, -steps, about) == cell
    assert grid.rotate(cell, grid.turns, about) == cell
    assert grid.distance(about, turned) == grid.distance(about, cell)


@given(grids, cells)
def test_a_rotation_step_turns_the_world_clockwise(grid: Grid, cell: Cell):
    angle = 2 * np.pi / grid.turns
    x, y = (value - 0.5 for value in grid.center(cell))
    turned = x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)
    expected = [value + 0.5 for value in turned]
    assert grid.center(grid.rotate(cell, 1)) == pytest.approx(expected, abs=1e-9)


@given(grids, cells, st.integers(0, 5), st.integers(-5, 5))
def test_translation_there_and_back(grid: Grid, cell: Cell, direction: int, count: int):
    moved = grid.translate(cell, direction, count)
    assert grid.translate(moved, direction, -count) == cell
    assert grid.distance(cell, moved) == abs(count)


@given(grids, cells)
def test_labels_round_trip(grid: Grid, cell: Cell):
    assert grid.parse_label(grid.label(cell)) == cell
    assert grid.parse_label(f" {grid.label(cell).lower()} ") == cell


def test_labels_count_columns_and_rows_as_printed():
    for grid in GRIDS:
        assert grid.label(grid.from_offset(2, 3)) == "C4"
        assert grid.label(grid.from_offset(26, 0)) == "AA1"
        assert grid.label(grid.from_offset(-1, -1)) == "-A0"


@pytest.mark.parametrize("text", ["", "4C", "C", "C 4", "C4.5", "Ä1", "C٤", "A" * 9 + "1"])
def test_a_wrong_label_is_refused_in_one_sentence(text: str):
    with pytest.raises(Rejected, match="names no cell"):
        GRIDS[0].parse_label(text)


def test_c19_odd_rows_and_columns_stand_half_a_hex_further():
    pointy, flat = HEXES
    assert pointy.center(pointy.from_offset(2, 3)) == pytest.approx((3, 0.5 + 1.5 * 3**0.5))
    assert flat.center(flat.from_offset(3, 2)) == pytest.approx((0.5 + 1.5 * 3**0.5, 3))
    assert pointy.center(pointy.from_offset(2, 2))[0] == 2.5
    assert flat.center(flat.from_offset(2, 2))[1] == 2.5


@pytest.mark.parametrize("kind", GridKind)
@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (1, 4), (5, 1), (2, 2), (7, 5)])
def test_c17_cells_tile_the_board_without_gap_or_overlap(kind: GridKind, columns: int, rows: int):
    grid = grid_of(kind, columns, rows)
    board = list(grid.cells())
    polygons = [Polygon(grid.polygon(cell)) for cell in board]
    outline = Polygon(grid.outline)
    assert len(set(board)) == columns * rows
    assert all(grid.contains(cell) for cell in board)
    assert outline.is_valid
    assert outline.area == pytest.approx(sum(polygon.area for polygon in polygons))
    assert outline.symmetric_difference(union_all(polygons)).area < 1e-9
    assert tuple(grid.bounds) == outline.bounds


def test_neighbouring_polygons_share_their_corners_bit_for_bit():
    for grid in GRIDS:
        for near, direction in grid.neighbours(Cell(-7, 11)):
            shared = set(grid.polygon(Cell(-7, 11))) & set(grid.polygon(near))
            assert len(shared) == (1 if direction.diagonal else 2)


def test_polygons_run_clockwise_on_the_screen():
    for grid in GRIDS:
        assert ring_area(grid.polygon(Cell(2, -2))) > 0


@given(grids, st.sets(st.builds(Cell, st.integers(-3, 3), st.integers(-3, 3)), min_size=1))
def test_rings_enclose_exactly_the_cells(grid: Grid, chosen: set[Cell]):
    rings = grid.rings(chosen)
    signed = sum(ring_area(ring) for ring in rings)
    cell_area = 1 if not grid.kind.is_hex else 3**0.5 / 2
    assert signed == pytest.approx(len(chosen) * cell_area)


def ring_area(ring: Ring) -> float:
    around = zip(ring, (*ring[1:], ring[0]), strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in around) / 2


def test_the_border_of_connected_squares_never_touches_itself():
    # The gap in the middle meets the outside at a corner.
    around = [Cell(x, y) for x in range(3) for y in range(3) if (x, y) not in {(1, 1), (2, 2)}]
    outer, hole = GRIDS[0].rings([*around, Cell(1, 1)][:-1])
    assert Polygon(outer, [hole]).is_valid


def test_a_board_without_cells_is_refused():
    with pytest.raises(ValueError, match="at least one cell"):
        grid_of(GridKind.SQUARE, 0, 3)


def test_grids_are_values():
    assert grid_of(GridKind.SQUARE, 3, 2) is grid_of(GridKind.SQUARE, 3, 2)
    assert grid_of(GridKind.HEX_FLAT, 3, 2) != grid_of(GridKind.HEX_POINTY, 3, 2)
