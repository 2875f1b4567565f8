"""Routes of a token over a board: what lies between its way-points, and what stands in the way."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.geometry.boards import wall_set
from engine.grid.facing import facing_toward
from engine.grid.footprint import footprint_named
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.refusal import Rejection
from engine.model.space import Cell, Facing
from engine.model.token import Token


@dataclass(frozen=True, slots=True)
class Route:
    """A walk: the cells from the first to the last, the facing at its end, and the obstacles."""

    cells: tuple[Cell, ...]
    facing: Facing
    refusals: tuple[Rejection, ...] = ()


def free_route(encounter: Encounter, token: Token, waypoints: Sequence[Cell]) -> Route:
    """Return the straight walk over the way-points, with a refusal for the first walled step."""
    grid = board_grid(encounter.board.grid)
    cells = [token.cell]
    for target in waypoints:
        cells.extend(grid.path(cells[-1], target)[1:])
    footprint = footprint_named(grid.kind, token.footprint)
    starts = [footprint.cells_at(grid, cell, token.facing) for cell in cells[:-1]]
    ends = [footprint.cells_at(grid, cell, token.facing) for cell in cells[1:]]
    refusals: tuple[Rejection, ...] = ()
    if starts:
        walls = wall_set(encounter.board)
        a = grid.centers([cell for group in starts for cell in group])
        b = grid.centers([cell for group in ends for cell in group])
        blocked = walls.crosses_movement(a, b).reshape(len(starts), -1).any(axis=1)
        if blocked.any():
            step = int(np.argmax(blocked))
            refusals = (
                Rejection(
                    code="walled",
                    sentence=f"A wall stands between {grid.label(cells[step])} and "
                    f"{grid.label(cells[step + 1])}.",
                    cell=cells[step + 1],
                    token_id=token.id,
                ),
            )
    facing = token.facing
    if len(cells) > 1:
        toward = facing_toward(grid, grid.center(cells[-2]), grid.center(cells[-1]))
        facing = token.facing if toward is None else toward
    return Route(tuple(cells), facing, refusals)
