"""Reach and areas, against heaps and prepared shapely."""

from functools import cache, partial

import numpy as np
import shapely

from engine.geometry.coverage import coverage_fractions
from engine.geometry.movement import Stand, StepField, Stride, reach, step_field
from engine.geometry.stepfield import layout_of
from engine.geometry.stride import FacingRules
from engine.grid.footprint import footprint_named
from engine.grid.grid import Box, grid_of
from engine.model.space import Cell, GridKind, Point
from tests.bench import baselines_movement as baselines
from tests.bench.baselines_movement import Ground
from tests.bench.rows import BenchRow

SIDE = 200
START = Cell(100, 100)
HEX_START = Cell(60, 100)


@cache
def boards(kind: GridKind, side: int = SIDE) -> tuple[StepField, Ground]:
    """Return a board, one cell in eight closed and one in four difficult, in both dresses."""
    grid = grid_of(kind, side, side)
    layout = layout_of(grid)
    rng = np.random.default_rng(7)
    open_ = (rng.random(layout.on_board.shape) > 0.12) & layout.on_board
    rough = np.where(rng.random(open_.shape) < 0.25, 2, 1)
    field = step_field(grid, passable=open_, rough=rough)
    return field, Ground(open_.tolist(), rough.tolist())


def circle(radius: float) -> list[Point]:
    """Return a circle of 64 chords, off the grid's own points."""
    angles = np.arange(64) * (np.pi / 32)
    x, y = 100.2 + radius * np.cos(angles), 100.3 + radius * np.sin(angles)
    return list(zip(x.tolist(), y.tolist(), strict=True))


def rows() -> list[BenchRow]:
    """Give the rows of this module."""
    return [
        _reach_row(30, 1.2),
        _reach_row(12, 0.4),
        _turning_row(),
        _coverage_row(12, 0.5),
        _coverage_row(60, 1.0),
    ]


def _reach_row(budget: int, target_ms: float) -> BenchRow:
    field, ground = boards(GridKind.SQUARE)
    stride = Stride(footprint_named(GridKind.SQUARE, "1"))
    return BenchRow(
        job=f"reach, budget {budget}, 200 x 200, parity + difficult",
        run=partial(reach, field, stride, Stand(START), budget),
        baseline=partial(baselines.reach_by_heap, ground, START, budget),
        ratio_target=5,
        target_ms=target_ms,
        note="with distances; baseline: heapq on lists",
    )


def _turning_row() -> BenchRow:
    field, ground = boards(GridKind.HEX_POINTY)
    stride = Stride(footprint_named(GridKind.HEX_POINTY, "1"), facing=FacingRules())
    # The lists of the baseline begin at the layout's corner.
    begin = Cell(HEX_START.x - field.layout.left, HEX_START.y - field.layout.top)
    return BenchRow(
        job="hex + 6 facings, budget 30",
        run=partial(reach, field, stride, Stand(HEX_START), 30),
        baseline=partial(baselines.turning_by_heap, ground, begin, 30),
        ratio_target=15,
        target_ms=1.0,
        note="turning costs 1; baseline: heapq on lists",
    )


def _coverage_row(radius: int, target_ms: float) -> BenchRow:
    ring = circle(radius)
    box = Box(99 - radius, 99 - radius, 102 + radius, 102 + radius)
    return BenchRow(
        job=f"area coverage: r = {radius}",
        run=partial(coverage_fractions, [ring], box),
        baseline=partial(baselines.coverage_by_shapely, shapely.Polygon(ring)),
        ratio_target=8,
        target_ms=target_ms,
        note="exact fractions of all squares; baseline: prepared shapely",
    )
