"""The benchmarks compare like with like: product and baseline give the same answers."""

import numpy as np
import pytest
import shapely

from engine.geometry.coverage import coverage_fractions
from engine.geometry.movement import Stand, Stride, reach
from engine.geometry.stride import FacingRules
from engine.grid.footprint import footprint_named
from engine.grid.grid import Box
from engine.model.space import Cell, GridKind
from tests.bench import baselines_movement as baselines
from tests.bench.bench_movement import boards, circle


def test_the_heap_finds_the_same_reach():
    field, ground = boards(GridKind.SQUARE, 24)
    found = reach(field, Stride(footprint_named(GridKind.SQUARE, "1")), Stand(Cell(12, 12)), 9)
    assert baselines.reach_by_heap(ground, Cell(12, 12), 9) == found.cells()


def test_the_heap_turns_as_often():
    field, ground = boards(GridKind.HEX_POINTY, 24)
    stride = Stride(footprint_named(GridKind.HEX_POINTY, "1"), facing=FacingRules())
    found = reach(field, stride, Stand(Cell(6, 12)), 9)
    left = field.layout.left
    heap = baselines.turning_by_heap(ground, Cell(6 - left, 12), 9)
    assert {Cell(x + left, y): cost for (x, y), cost in heap.items()} == found.cells()


@pytest.mark.parametrize("radius", [3, 12])
def test_shapely_finds_the_same_coverage(radius: int):
    ring = circle(radius)
    expected = baselines.coverage_by_shapely(shapely.Polygon(ring))
    left, top, _, _ = np.round(shapely.Polygon(ring).bounds) - 1
    rows, columns = expected.shape
    found = coverage_fractions([ring], Box(left, top, left + columns, top + rows))
    assert found == pytest.approx(expected, abs=1e-12)
