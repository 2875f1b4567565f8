"""Reach and best path against plain Dijkstra on random small boards, cost for cost."""

import os
import random

import numpy as np
import pytest

from engine.geometry.movement import best_path, reach, step_field, walk
from engine.geometry.stepfield import layout_of
from engine.geometry.stride import (
    Ahead,
    Charge,
    Combine,
    CornerCut,
    Diagonal,
    FacingRules,
    Share,
    Stand,
    Stride,
)
from engine.grid.footprint import catalogue
from engine.grid.grid import grid_of
from engine.model.space import GridKind
from tests.helpers.movement_oracle import Oracle, climb, random_case

BOARDS = 400
"""Per run; BATTLEMAT_BOARDS sets another number; 10,000 take a minute."""

STEPPED = [Diagonal.ALTERNATING] * 3 + [
    Diagonal.ALWAYS_DOUBLE,
    Diagonal.CHEBYSHEV,
    Diagonal.EUCLID,
]


def random_stride(rng: random.Random, kind: GridKind) -> Stride:
    figures = [figure for figure in catalogue(kind).values() if figure.size <= 9]
    facing = None
    if kind.is_hex and rng.random() < 0.5:
        ahead, price = rng.choice(list(Ahead)), rng.choice([None, 0, 1, 2])
        facing = FacingRules(ahead, price, rng.randint(0, 2))
    return Stride(
        footprint=rng.choice([*figures, *[catalogue(kind)["1"]] * 4]),
        diagonal=rng.choice(STEPPED),
        corner_cut=rng.choice(list(CornerCut)),
        combine=rng.choice(list(Combine)),
        charge=rng.choice(list(Charge)),
        share=rng.choice(list(Share)),
        reset_on_orthogonal=rng.random() < 0.2,
        climb=climb if rng.random() < 0.5 else None,
        facing=facing,
    )


def check_board(seed: int) -> None:
    rng = random.Random(seed)
    kind = rng.choice(list(GridKind))
    case, stride = random_case(rng, kind), random_stride(rng, kind)
    cells = list(case.grid.cells())
    start = Stand(rng.choice(cells), rng.randrange(case.grid.facings), rng.randint(0, 1))
    budget = rng.choice([0, 1, 2, 3, 4, 6, 9, 30])
    expected = Oracle(case, stride).costs(*start, budget)
    field = case.field()
    found = reach(field, stride, start, budget).cells()
    assert found == pytest.approx(expected), f"board {seed}"
    target = rng.choice(list(expected))
    path = best_path(field, stride, start, target, budget=budget)
    assert path is not None, f"board {seed}"
    assert path.cost == pytest.approx(expected[target]), f"board {seed}"
    assert sum(step.cost for step in path.steps) == pytest.approx(path.cost), f"board {seed}"
    assert path.end.cell == target
    again = walk(field, stride, start, path.cells[1:])
    assert again.cost == pytest.approx(path.cost), f"board {seed}"
    assert (again.parity, again.halted) == (path.parity, path.halted), f"board {seed}"


@pytest.mark.parametrize("tenth", range(10))
def test_reach_and_path_agree_with_the_oracle(tenth: int):
    boards = int(os.environ.get("BATTLEMAT_BOARDS", BOARDS)) // 10
    for seed in range(tenth * boards, (tenth + 1) * boards):
        check_board(seed)


@pytest.mark.parametrize("seed", range(24))
def test_growing_windows_lose_no_cheaper_way(seed: int):
    rng, noise = random.Random(seed), np.random.default_rng(seed)
    grid = grid_of(rng.choice(list(GridKind)), 60, 60)
    shape = layout_of(grid).on_board.shape
    open_ = noise.random(shape) > rng.choice([0.05, 0.2, 0.3])
    for _ in range(6):
        row, column = rng.randrange(shape[0]), rng.randrange(shape[1])
        open_[row, column : column + rng.randrange(5, 50)] = False
    field = step_field(grid, passable=open_, rough=np.where(noise.random(shape) < 0.3, 3, 1))
    stride = random_stride(rng, grid.kind)
    cells = [cell for cell in grid.cells() if field.is_passable(cell)]
    start, target = Stand(rng.choice(cells), 0, rng.randint(0, 1)), rng.choice(cells)
    path = best_path(field, stride, start, target)
    expected = reach(field, stride, start, 2000).cost_to(target)
    assert (path is None) == (expected is None)
    assert path is None or path.cost == pytest.approx(expected)
