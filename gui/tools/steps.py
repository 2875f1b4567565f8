"""One step by the keyboard: which neighbour an arrow or a digit of the number pad means."""

from collections.abc import Iterable
from math import atan2, cos, radians, sin

from engine.commands.command import Command
from engine.commands.tokens import MoveToken
from engine.grid.facing import angle_deg
from engine.grid.grid import Grid
from engine.model.encounter import Encounter
from engine.model.space import Cell

ARROWS = {
    "right": (1, 0),
    "down": (0, 1),
    "left": (-1, 0),
    "up": (0, -1),
    "up-left": (-1, -1),
    "up-right": (1, -1),
    "down-left": (-1, 1),
    "down-right": (1, 1),
}
"""Names of the arrows, diagonals of the number pad included, as (x, y) on the screen."""


def neighbour_toward(grid: Grid, cell: Cell, arrow: str) -> Cell:
    """Return the neighbour that lies nearest to an arrow's direction.

    Where two lie equally near (up on hexes that stand on a corner) the clockwise one is taken.
    """
    x, y = ARROWS[arrow]
    wanted = atan2(y, x)

    def off(number: int) -> tuple[float, int]:
        angle = radians(angle_deg(grid, grid.directions[number].facing))
        # The cosine falls with the angle between the two; rounding makes equal angles equal.
        nearness = cos(angle) * cos(wanted) + sin(angle) * sin(wanted)
        after = sin(angle - wanted)
        return (-round(nearness, 6), 0 if after >= 0 else 1)

    best = min((d.number for d in grid.directions), key=off)
    return grid.translate(cell, best)


def step_commands(
    encounter: Encounter, grid: Grid, ids: Iterable[str], arrow: str
) -> tuple[Command, ...]:
    """Return the moves of one cell for tokens."""
    return tuple(
        MoveToken(token_id=each, path=(neighbour_toward(grid, encounter.token(each).cell, arrow),))
        for each in ids
    )


def turn_commands(
    encounter: Encounter, grid: Grid, ids: Iterable[str], by: int
) -> tuple[Command, ...]:
    """Return the turns of tokens by `by` facings, clockwise positive."""
    return tuple(
        MoveToken(token_id=each, facing=(encounter.token(each).facing + by) % grid.facings)
        for each in ids
    )
