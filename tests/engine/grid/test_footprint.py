"""Footprints: the DragonQuest figures, blocks, drawn ones; turning, snapping, outlines."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon, union_all

from engine.grid.facing import arcs, bordering
from engine.grid.footprint import (
    Alignment,
    Footprint,
    Turning,
    block,
    catalogue,
    custom,
    footprint_named,
)
from engine.grid.grid import Grid, grid_of
from engine.model.refusal import Rejected
from engine.model.space import Cell, GridKind

GRIDS = [grid_of(kind, 9, 9) for kind in GridKind]
HEXES = GRIDS[1:]
FIGURES = [(grid, figure) for grid in GRIDS for figure in catalogue(grid.kind).values()]

Choice = tuple[Grid, Footprint]
figures = st.sampled_from(FIGURES)
cells = st.builds(Cell, st.integers(-20, 20), st.integers(-20, 20))
facings = st.integers(0, 11)


@pytest.mark.parametrize("grid", HEXES, ids=lambda grid: grid.kind)
@pytest.mark.parametrize(
    ("name", "ring", "zones"),
    [
        ("1", 6, {(3, 0, 3)}),
        ("2", 8, {(3, 2, 3)}),
        ("3", 9, {(4, 2, 3), (3, 2, 4)}),
        ("3-alt", 9, {(4, 2, 3), (3, 2, 4)}),
        ("4", 10, {(4, 2, 4)}),
        ("7L", 14, {(6, 2, 6)}),
        ("7R", 12, {(5, 2, 5)}),
        ("14", 18, {(6, 6, 6)}),
    ],
)
def test_dragonquest_1_3_computed_check(grid: Grid, name: str, ring: int, zones: set):
    figure = footprint_named(grid.kind, name)
    found = set()
    for facing in figure.facings(grid):
        covered = figure.cells_at(grid, Cell(-3, 5), facing)
        assert len(bordering(grid, covered)) == ring
        count = Counter(arcs(grid, covered, facing).values())
        found.add((count["front"], count["flank"], count["rear"]))
    assert found == zones


def test_dragonquest_1_3_zones_of_size_2_facing_east():
    grid = HEXES[0]
    covered = footprint_named(grid.kind, "2").cells_at(grid, Cell(0, 0), 0)
    zones = arcs(grid, covered, 0)
    named = {arc: {tuple(cell) for cell in zones if zones[cell] == arc} for arc in zones.values()}
    assert named == {
        "front": {(1, 0), (1, -1), (0, 1)},
        "flank": {(0, -1), (-1, 1)},
        "rear": {(-2, 0), (-1, -1), (-2, 1)},
    }


def test_vertex_figures_look_north_as_the_book_draws_them():
    grid = HEXES[0]
    drawn = ((0, 0), (-1, 1), (0, 1), (-1, 2))
    assert footprint_named(grid.kind, "4").cells_at(grid, Cell(0, 0), 9) == drawn


def test_dragonquest_1_4_size_3_keeps_its_cells_and_flips_its_form():
    for grid in HEXES:
        figure = footprint_named(grid.kind, "3")
        forms = []
        for facing in figure.facings(grid):
            covered = figure.cells_at(grid, Cell(2, 2), facing)
            assert set(covered) == set(figure.cells_at(grid, Cell(2, 2), figure.facings(grid)[0]))
            zones = arcs(grid, covered, facing).values()
            forms.append(Counter(zones)["front"])
        assert sorted(forms[::2]) == [forms[0]] * 3
        assert {forms[0], forms[1]} == {3, 4}


def test_c26_figures_are_the_same_cells_on_both_layouts():
    pointy, flat = HEXES
    for name, figure in catalogue(pointy.kind).items():
        for facing in range(12):
            one = figure.cells_at(pointy, Cell(1, -2), facing)
            assert one == footprint_named(flat.kind, name).cells_at(flat, Cell(1, -2), facing + 1)


@given(figures, cells, facings)
def test_turning_keeps_the_anchor_and_the_shape(choice: Choice, anchor: Cell, facing: int):
    grid, figure = choice
    covered = figure.cells_at(grid, anchor, facing)
    assert covered[0] == anchor
    assert len(set(covered)) == figure.size
    home = figure.cells_at(grid, Cell(0, 0), 0)
    turned = {Counter(grid.distance(a, b) for a in f for b in f)[1] for f in (covered, home)}
    assert len(turned) == 1


@given(figures, cells, facings)
def test_the_outline_is_the_border_of_the_cells(choice: Choice, anchor: Cell, facing: int):
    grid, figure = choice
    covered = figure.cells_at(grid, anchor, facing)
    outline = Polygon(figure.outline_at(grid, anchor, facing))
    union = union_all([Polygon(grid.polygon(cell)) for cell in covered])
    assert outline.is_valid
    assert outline.symmetric_difference(union).area < 1e-9


@given(figures, st.floats(-15, 15), st.floats(-15, 15), facings)
def test_c23_dropped_figures_cover_whole_cells_close_to_the_drop(
    choice: Choice, x: float, y: float, facing: int
):
    grid, figure = choice
    anchor = figure.anchor_under(grid, (x, y), facing)
    covered = figure.cells_at(grid, anchor, facing)
    home = figure.cells_at(grid, Cell(0, 0), facing)
    assert covered == tuple(Cell(c.x + anchor.x, c.y + anchor.y) for c in home)
    at_x, at_y = figure.center_at(grid, anchor, facing)
    assert abs(at_x - x) <= 0.6
    assert abs(at_y - y) <= 0.6


@given(figures, cells, facings, cells, st.integers(0, 13))
def test_c25_the_grabbed_cell_lands_on_the_target(
    choice: Choice, anchor: Cell, facing: int, target: Cell, which: int
):
    grid, figure = choice
    covered = figure.cells_at(grid, anchor, facing)
    grabbed = covered[which % figure.size]
    moved = figure.cells_at(grid, figure.anchor_dragged(anchor, grabbed, target), facing)
    assert moved[which % figure.size] == target


@given(st.sampled_from(HEXES), st.integers(2, 12), st.data())
def test_c28_drawn_footprints_turn_and_come_back_from_their_name(
    grid: Grid, size: int, data: st.DataObject
):
    drawn = [Cell(4, -1)]
    while len(drawn) < size:
        near = bordering(grid, drawn)
        drawn.append(near[data.draw(st.integers(0, len(near) - 1))])
    alignment = data.draw(st.sampled_from(Alignment))
    figure = custom(grid.kind, drawn, alignment)
    assert footprint_named(grid.kind, figure.name) == figure
    shapes = {frozenset(figure.cells_at(grid, Cell(0, 0), f)) for f in figure.facings(grid)}
    assert all(Cell(0, 0) in shape for shape in shapes)
    assert figure.cells_at(grid, Cell(0, 0), figure.facings(grid)[0] + 12) in (
        figure.cells_at(grid, Cell(0, 0), figure.facings(grid)[0]),
    )


@pytest.mark.parametrize("kind", GridKind)
@pytest.mark.parametrize(
    ("drawn", "reason"),
    [
        ([Cell(0, 0)], "2 to 12 cells"),
        ([Cell(x, 0) for x in range(13)], "2 to 12 cells"),
        ([Cell(0, 0), Cell(0, 0)], "twice"),
        ([Cell(0, 0), Cell(2, 0)], "hang together"),
    ],
)
def test_a_wrong_drawing_is_refused(kind: GridKind, drawn: list[Cell], reason: str):
    with pytest.raises(Rejected, match=reason):
        custom(kind, drawn)


def test_squares_have_no_vertex_to_face():
    with pytest.raises(Rejected, match="never a vertex"):
        custom(GridKind.SQUARE, [Cell(0, 0), Cell(1, 0)], Alignment.VERTEX)


@pytest.mark.parametrize(
    "name", ["8", "", "side/anchor:", "side/anchor:0,0", "side/anchor:0,0 5,5"]
)
def test_an_unknown_footprint_is_refused(name: str):
    with pytest.raises(Rejected):
        footprint_named(GridKind.SQUARE, name)


def test_blocks_of_squares_hang_from_their_top_left():
    grid = GRIDS[0]
    covered = block(grid.kind, 3).cells_at(grid, Cell(-2, 4), 5)
    assert covered == tuple(Cell(x, y) for y in (4, 5, 6) for x in (-2, -1, 0))
    assert block(grid.kind, 2).center_at(grid, Cell(0, 0), 0) == (1, 1)


def test_round_figures_on_hexes():
    for kind in (GridKind.HEX_POINTY, GridKind.HEX_FLAT):
        assert [block(kind, across).size for across in range(1, 8)] == [1, 3, 7, 12, 19, 27, 37]


def test_a_drawn_figure_on_squares_turns_by_quarters():
    grid = GRIDS[0]
    horse = custom(grid.kind, [Cell(0, 0), Cell(-1, 0)], turning=Turning.ANCHOR)
    tails = [horse.cells_at(grid, Cell(0, 0), facing)[1] for facing in range(8)]
    assert tails == [(-1, 0), (-1, 0), (0, -1), (0, -1), (1, 0), (1, 0), (0, 1), (0, 1)]


def test_a_figure_takes_the_next_facing_that_suits_it():
    grid = HEXES[0]
    assert footprint_named(grid.kind, "2").aligned(grid, 3) == 4
    assert footprint_named(grid.kind, "7L").aligned(grid, 11) == 11
    assert footprint_named(grid.kind, "7L").aligned(grid, 10) == 11
    assert footprint_named(grid.kind, "1").aligned(grid, 3) == 3


def test_a_footprint_is_anchored_at_its_first_cell():
    with pytest.raises(ValueError, match="anchor"):
        Footprint("x", (Cell(1, 0),))
    with pytest.raises(ValueError, match="twice"):
        Footprint("x", (Cell(0, 0), Cell(0, 0)))
