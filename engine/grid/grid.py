"""The door to the grids: `grid_of` gives the one that a board names."""

from functools import lru_cache

from engine.grid.base import Box, Corner, Direction, Grid, Neighbour, Ring
from engine.grid.hex import HexGrid
from engine.grid.square import SquareGrid
from engine.model.board import GridSpec
from engine.model.space import GridKind

__all__ = ["Box", "Corner", "Direction", "Grid", "Neighbour", "Ring", "board_grid", "grid_of"]


@lru_cache(maxsize=64)
def grid_of(kind: GridKind, columns: int, rows: int) -> Grid:
    """Return the grid of a board; raise ValueError unless it has at least one cell."""
    make = HexGrid if kind.is_hex else SquareGrid
    return make(kind, columns, rows)


def board_grid(spec: GridSpec) -> Grid:
    """Return the grid that a board's specification describes."""
    return grid_of(spec.kind, spec.columns, spec.rows)
