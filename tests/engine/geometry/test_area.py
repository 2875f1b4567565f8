"""Areas of effect: golden pictures, coverage at its borders, walls, and bad sizes."""

from itertools import pairwise
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon

from engine.geometry.area import Coverage, area_cells, area_outline, cone_apex
from engine.grid.footprint import footprint_named
from engine.grid.grid import Grid, grid_of
from engine.model.region import AreaShape, ShapeKind
from engine.model.space import Cell, GridKind

SQUARE = grid_of(GridKind.SQUARE, 13, 13)
HEXES = [grid_of(kind, 13, 13) for kind in (GridKind.HEX_POINTY, GridKind.HEX_FLAT)]
POINTY, FLAT = HEXES
GRIDS = [SQUARE, *HEXES]

MIDDLE = (6.5, 6.5)
CROSSING = (6.0, 6.0)


def shape(kind: str, origin: tuple[float, float] = MIDDLE, **fields: object) -> AreaShape:
    return AreaShape.model_validate({"shape": kind, "origin": origin, **fields})


def picture(grid: Grid, cells: tuple[Cell, ...]) -> list[str]:
    """Draw the rows that hold anything; odd rows of pointy hexes begin half a hex later."""
    rows = []
    for row in range(grid.rows):
        marks = ["#" if grid.from_offset(c, row) in cells else "." for c in range(grid.columns)]
        if "#" in marks:
            shift = " " if grid.kind is GridKind.HEX_POINTY and row % 2 else ""
            rows.append(shift + " ".join(marks))
    return rows


def widths(cells: tuple[Cell, ...]) -> list[int]:
    rows = sorted({cell.y for cell in cells})
    return [sum(cell.y == row for cell in cells) for row in rows]


@pytest.mark.parametrize(
    ("radius", "about_a_cell", "about_a_crossing"),
    [
        (1, [1, 3, 1], [2, 2]),
        (2, [1, 3, 5, 3, 1], [2, 4, 4, 2]),
        (3, [1, 5, 5, 7, 5, 5, 1], [4, 6, 6, 6, 6, 4]),
        (4, [1, 5, 7, 7, 9, 7, 7, 5, 1], [4, 6, 8, 8, 8, 8, 6, 4]),
        (5, [1, 7, 9, 9, 9, 11, 9, 9, 9, 7, 1], [4, 8, 8, 10, 10, 10, 10, 8, 8, 4]),
        (
            6,
            [1, 7, 9, 11, 11, 11, 13, 11, 11, 11, 9, 7, 1],
            [4, 8, 10, 10, 12, 12, 12, 12, 10, 10, 8, 4],
        ),
    ],
)
def test_c182_circles_by_the_centre_of_a_tile(
    radius: int, about_a_cell: list[int], about_a_crossing: list[int]
):
    found = area_cells(SQUARE, shape("circle", size=radius), Coverage.CENTER)
    assert widths(found) == about_a_cell
    found = area_cells(SQUARE, shape("circle", CROSSING, size=radius), Coverage.CENTER)
    assert widths(found) == about_a_crossing


def test_c181_the_policies_differ_at_the_rim():
    rims = [widths(area_cells(SQUARE, shape("circle", CROSSING, size=4), c)) for c in Coverage]
    assert rims == [[4, 6, 8, 8, 8, 8, 6, 4], [6, 8, 8, 8, 8, 8, 8, 6], [4, 6, 8, 8, 8, 8, 6, 4]]


@pytest.mark.parametrize(("nudge", "touched"), [(0, False), (1e-12, False), (1e-4, True)])
def test_c181_touching_a_cell_is_no_overlap(nudge: float, touched: bool):
    # The circle touches the left border of the column x = 9 at one point.
    cells = area_cells(SQUARE, shape("circle", size=2.5 + nudge), Coverage.ANY)
    assert (Cell(9, 6) in cells) == touched


@pytest.mark.parametrize(("nudge", "taken"), [(1e-12, True), (-1e-12, True), (1e-6, False)])
def test_exactly_half_is_enough(nudge: float, taken: bool):
    # A band from x = 2 to the middle of the column x = 4.
    band = shape("line", (2 + nudge, 3.5), end=(4.5 - nudge, 3.5), width=1)
    cells = area_cells(SQUARE, band, Coverage.HALF)
    assert (Cell(4, 3) in cells) == taken
    assert Cell(3, 3) in cells


@pytest.mark.parametrize(("nudge", "taken"), [(0, True), (-1e-12, True), (-1e-6, False)])
def test_a_centre_on_the_border_is_inside(nudge: float, taken: bool):
    cells = area_cells(SQUARE, shape("circle", size=3 + nudge), Coverage.CENTER)
    assert (Cell(9, 6) in cells) == taken


def test_a_cone_of_ninety_degrees_on_squares():
    assert picture(SQUARE, area_cells(SQUARE, shape("cone", size=5), Coverage.CENTER)) == [
        ". . . . . . . . . # # . .",
        ". . . . . . . . # # # . .",
        ". . . . . . . # # # # . .",
        ". . . . . . . # # # # # .",
        ". . . . . . . # # # # . .",
        ". . . . . . . . # # # . .",
        ". . . . . . . . . # # . .",
    ]


def test_a_diagonal_cone_takes_both_axes_and_leaves_its_apex():
    cells = area_cells(SQUARE, shape("cone", size=3, direction_deg=45), Coverage.CENTER)
    assert picture(SQUARE, cells) == [
        ". . . . . . . # # # . . .",
        ". . . . . . # # # . . . .",
        ". . . . . . # # # . . . .",
        ". . . . . . # . . . . . .",
    ]


@pytest.mark.parametrize("pixels", [50, 64, 70, 75, 83.3])
@pytest.mark.parametrize("direction", [0, 30, 45, 90, 135, 200.5])
def test_c16_a_cone_is_the_same_for_every_size_of_cell(pixels: float, direction: float):
    origin = (6.5 * pixels / pixels, (6.5 * pixels) / pixels)
    length = (5 * pixels) / pixels
    cone = shape("cone", origin, size=length, direction_deg=direction)
    expected = area_cells(SQUARE, shape("cone", size=5, direction_deg=direction), Coverage.CENTER)
    assert area_cells(SQUARE, cone, Coverage.CENTER) == expected


def test_c179_a_hex_cone_toward_a_side():
    middle = POINTY.center(POINTY.from_offset(6, 6))
    cells = area_cells(POINTY, shape("cone", middle, size=5), Coverage.CENTER)
    assert picture(POINTY, cells) == [
        ". . . . . . . . . # # . .",
        " . . . . . . . # # # # . .",
        ". . . . . . . # # # # # .",
        " . . . . . . . # # # # . .",
        ". . . . . . . . . # # . .",
    ]


def test_c179_a_hex_cone_toward_a_vertex():
    middle = POINTY.center(POINTY.from_offset(6, 6))
    cells = area_cells(POINTY, shape("cone", middle, size=5, direction_deg=30), Coverage.CENTER)
    assert picture(POINTY, cells) == [
        ". . . . . . . # # # # # .",
        " . . . . . . # # # # # . .",
        ". . . . . . . # # # # . .",
        " . . . . . . . # # # . . .",
        ". . . . . . . . # # . . .",
        " . . . . . . . . # . . . .",
    ]


@pytest.mark.parametrize("grid", HEXES, ids=lambda grid: grid.kind)
@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_c179_twelve_cones_cover_a_burst_and_keep_its_count(grid: Grid, size: int):
    board = grid_of(grid.kind, 30, 30)
    apex = board.from_offset(15, 15)
    by_direction = [
        area_cells(
            board,
            shape("cone", board.center(apex), size=size, direction_deg=30 * n),
            Coverage.CENTER,
        )
        for n in range(12)
    ]
    burst = area_cells(board, shape("burst", board.center(apex), size=size), Coverage.HALF)
    assert set(burst) == {apex}.union(*by_direction)
    assert all(board.distance(apex, cell) <= size for cell in burst)
    assert len(burst) == 1 + 3 * size * (size + 1)
    # A cone toward a vertex is a whole sixth with both its edges.
    vertices = [cells for cells in by_direction if len(cells) == size * (size + 3) // 2]
    assert len(vertices) >= 6


@pytest.mark.parametrize("grid", HEXES, ids=lambda grid: grid.kind)
@given(turn=st.floats(-14.9, 14.9), step=st.integers(0, 11))
def test_c179_a_hex_cone_snaps_to_the_nearest_of_twelve_directions(
    grid: Grid, turn: float, step: int
):
    middle = grid.center(grid.from_offset(6, 6))
    exact = shape("cone", middle, size=4, direction_deg=30 * step)
    turned = shape("cone", middle, size=4, direction_deg=30 * step + turn)
    assert area_cells(grid, turned, Coverage.CENTER) == area_cells(grid, exact, Coverage.CENTER)


@given(st.sampled_from(GRIDS), st.integers(0, 12), st.integers(0, 12), st.integers(0, 168))
def test_a_line_one_cell_wide_takes_what_its_axis_crosses(
    grid: Grid, column: int, row: int, index: int
):
    start = grid.from_offset(column, row)
    end = list(grid.cells())[index]
    line = shape("line", grid.center(start), end=grid.center(end))
    crossed = {cell for cell in grid.line(start, end) if grid.contains(cell)}
    assert set(area_cells(grid, line, Coverage.CENTER)) == crossed


def test_a_diagonal_line_takes_both_cells_at_each_corner():
    cells = area_cells(SQUARE, shape("line", (1.5, 1.5), end=(3.5, 3.5)), Coverage.CENTER)
    assert set(cells) == {(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)}


@pytest.mark.parametrize("grid", HEXES, ids=lambda grid: grid.kind)
def test_a_hex_line_of_a_given_length_counts_steps(grid: Grid):
    start = grid.from_offset(3, 6)
    for degrees in range(0, 360, 30):
        ray = shape("line", grid.center(start), size=3, direction_deg=degrees)
        reached = area_cells(grid, ray, Coverage.CENTER)
        assert max(grid.distance(start, cell) for cell in reached) == 3


def test_a_burst_about_a_cell_counts_whole_cells():
    assert widths(area_cells(SQUARE, shape("burst", size=1), Coverage.HALF)) == [3, 3, 3]
    assert widths(area_cells(SQUARE, shape("burst", CROSSING, size=1), Coverage.ANY)) == [2, 2]


def test_a_wall_of_fire_two_cells_wide():
    wall = shape("wall", (2, 5), end=(8, 5), width=2)
    for coverage in Coverage:
        assert set(area_cells(SQUARE, wall, coverage)) == {
            Cell(x, y) for x in range(2, 8) for y in (4, 5)
        }


@pytest.mark.parametrize("coverage", Coverage)
def test_walls_block_an_area_on_demand(coverage: Coverage):
    circle = shape("circle", size=4)
    seen = [[(0, 0), (8, 0), (8, 13), (0, 13)], [(5, 5), (6, 5), (6, 6), (5, 6)]]
    everything = area_cells(SQUARE, circle, coverage)
    blocked = area_cells(SQUARE, circle, coverage, seen=seen)
    assert set(blocked) == {c for c in everything if c.x < 8 and c != (5, 5)}


@pytest.mark.parametrize("grid", HEXES, ids=lambda grid: grid.kind)
def test_walls_block_a_burst_of_hexes(grid: Grid):
    middle = grid.from_offset(6, 6)
    burst = shape("burst", grid.center(middle), size=2)
    x = grid.center(middle)[0]
    seen = [[(0, -1), (x, -1), (x, 20), (0, 20)]]
    half = area_cells(grid, burst, Coverage.HALF, seen=seen)
    centre = area_cells(grid, burst, Coverage.CENTER, seen=seen)
    assert set(half) == set(centre)
    assert set(centre) == {
        cell
        for cell in area_cells(grid, burst, Coverage.CENTER)
        if grid.center(cell)[0] <= x + 1e-9
    }


def test_a_crossed_outline_of_sight_is_repaired():
    bow = [[(0, 0), (13, 13), (13, 0), (0, 13)]]
    cells = area_cells(SQUARE, shape("circle", size=3), Coverage.HALF, seen=bow)
    assert Cell(4, 6) in cells
    assert Cell(6, 4) not in cells


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: grid.kind)
@pytest.mark.parametrize("coverage", Coverage)
def test_huge_areas_take_the_board_and_tiny_ones_their_cell(grid: Grid, coverage: Coverage):
    middle = grid.from_offset(6, 6)
    for kind in (ShapeKind.CIRCLE, ShapeKind.BURST):
        huge = area_cells(grid, shape(kind, grid.center(middle), size=1e9), coverage)
        assert set(huge) == set(grid.cells())
    tiny = area_cells(grid, shape("circle", grid.center(middle), size=1e-3), coverage)
    assert tiny == (() if grid is SQUARE and coverage is Coverage.HALF else (middle,))
    assert area_cells(grid, shape("circle", (-50, -50), size=3), coverage) == ()


def test_a_line_without_length_takes_the_cell_it_lies_in():
    point = shape("line", MIDDLE, end=MIDDLE)
    assert area_cells(SQUARE, point, Coverage.CENTER) == (Cell(6, 6),)
    assert area_cells(SQUARE, point, Coverage.ANY) == ()


def test_a_large_caster_breathes_from_its_nearest_cell():
    covered = footprint_named(GridKind.SQUARE, "3").cells_at(SQUARE, Cell(4, 4), 0)
    assert cone_apex(SQUARE, covered, (12, 5.5)) == Cell(6, 5)
    assert cone_apex(SQUARE, covered, (0, 0)) == Cell(4, 4)


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: grid.kind)
@pytest.mark.parametrize("kind", ShapeKind)
def test_the_outline_is_a_valid_ring_about_the_cells(grid: Grid, kind: ShapeKind):
    drawn = shape(kind, grid.center(grid.from_offset(5, 6)), size=3, direction_deg=60)
    outline = Polygon(area_outline(grid, drawn))
    assert outline.is_valid
    assert outline.area > 0
    for cell in area_cells(grid, drawn, Coverage.HALF):
        assert Polygon(grid.polygon(cell)).intersection(outline).area > 0.4


@given(st.floats(0.1, 6), st.floats(0, 12), st.floats(0, 12))
def test_a_larger_circle_takes_more(size: float, x: float, y: float):
    for coverage in Coverage:
        grown = [
            set(area_cells(SQUARE, shape("circle", (x, y), size=size + more), coverage))
            for more in (0, 0.3, 1)
        ]
        assert all(small <= large for small, large in pairwise(grown))


@given(st.floats(0.1, 6), st.floats(0, 12), st.floats(0, 12))
def test_circles_by_centre_are_distances(size: float, x: float, y: float):
    found = area_cells(SQUARE, shape("circle", (x, y), size=size), Coverage.CENTER)
    near = {c for c in SQUARE.cells() if hypot(c.x + 0.5 - x, c.y + 0.5 - y) <= size + 1e-9}
    assert set(found) == near
