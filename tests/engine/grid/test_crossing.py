"""Lines between cell centres: what they cross, and what they run along (exact reading 6)."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Polygon

from engine.grid.grid import Grid, grid_of
from engine.model.space import Cell, GridKind

GRIDS = [grid_of(kind, 5, 5) for kind in GridKind]
HEXES = GRIDS[1:]
grids = st.sampled_from(GRIDS)
cells = st.builds(Cell, st.integers(-9, 9), st.integers(-9, 9))


@given(grids, cells, cells)
def test_a_line_crosses_every_cell_whose_border_it_meets(grid: Grid, a: Cell, b: Cell):
    found = grid.line(a, b)
    segment = LineString([grid.center(a), grid.center(b)])
    around = {near.cell for cell in found for near in grid.neighbours(cell)} | set(found)
    met = {c for c in around if Polygon(grid.polygon(c)).distance(segment) < 1e-9}
    assert set(found) == met


@given(grids, cells, cells)
def test_the_way_back_crosses_the_same_in_reverse(grid: Grid, a: Cell, b: Cell):
    assert set(grid.crossed(a, b)) == set(grid.crossed(b, a))


@given(grids, st.lists(st.tuples(cells, cells), min_size=1, max_size=9))
def test_many_lines_at_once_cross_what_each_does(grid: Grid, lines: list[tuple[Cell, Cell]]):
    starts, ends = (np.array(column) for column in zip(*lines, strict=True))
    entries: dict[tuple[int, int], list[Cell]] = {}
    for line, entry, cell in zip(
        *map(np.ndarray.tolist, grid.crossed_by(starts, ends)), strict=True
    ):
        entries.setdefault((line, entry), []).append(Cell(*cell))
    for number, ends_of_one in enumerate(lines):
        found = tuple(tuple(each) for (line, _), each in entries.items() if line == number)
        assert found == grid.crossed(*ends_of_one)


@given(grids, cells, cells)
def test_entries_follow_the_line(grid: Grid, a: Cell, b: Cell):
    entries = grid.crossed(a, b)
    assert entries[0] == (a,)
    assert entries[-1] == (b,)
    for one, two in pairwise(entries):
        assert min(grid.distance(c, d) for c in one for d in two) <= 1


@given(grids, cells, cells)
def test_shared_entries_are_met_on_the_border_alone(grid: Grid, a: Cell, b: Cell):
    segment = LineString([grid.center(a), grid.center(b)])
    for entry in grid.crossed(a, b):
        if len(entry) == 1:
            inside = Polygon(grid.polygon(entry[0])).buffer(-1e-6)
            assert inside.intersects(segment)
        else:
            assert min(Polygon(grid.polygon(c)).boundary.distance(segment) for c in entry) < 1e-9


def test_a_diagonal_of_squares_touches_both_cells_at_each_corner():
    assert GRIDS[0].crossed(Cell(0, 0), Cell(-2, 2)) == (
        (Cell(0, 0),),
        (Cell(-1, 0), Cell(0, 1)),
        (Cell(-1, 1),),
        (Cell(-2, 1), Cell(-1, 2)),
        (Cell(-2, 2),),
    )


def test_a_line_toward_a_vertex_runs_between_two_hexes():
    for grid in HEXES:
        assert grid.crossed(Cell(0, 0), Cell(1, 1)) == (
            (Cell(0, 0),),
            (Cell(0, 1), Cell(1, 0)),
            (Cell(1, 1),),
        )


def test_a_touched_hex_corner_blocks_only_together_with_the_hex_that_is_entered():
    for grid in HEXES:
        entries = grid.crossed(Cell(0, 0), Cell(4, 1))
        alone = {entry[0] for entry in entries if len(entry) == 1}
        for entry in entries:
            assert len(entry) == 1 or len(set(entry) - alone) in (1, 2)


def test_a_line_to_the_own_cell_crosses_it_alone():
    for grid in GRIDS:
        assert grid.crossed(Cell(-2, 3), Cell(-2, 3)) == ((Cell(-2, 3),),)
