"""Paths and their steps: plain results."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.geometry.stride import Cost, Stand
from engine.model.space import Cell, Facing


class Step(NamedTuple):
    """One step of a path: where the anchor is after it, what it costs, and why."""

    cell: Cell
    facing: Facing
    cost: Cost
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """A way from a stand to a cell; a path without steps stays where it is.

    `parity` is that of the diagonals after it, to be handed to the next path of the same turn.
    `halted` tells that a zone ends the move. `avoids` names what an alternative goes around.
    """

    start: Stand
    steps: tuple[Step, ...]
    cost: Cost
    parity: int
    halted: bool = False
    avoids: str = ""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Return the anchors along the way, the start first; turns on the spot add none."""
        cells = [self.start.cell]
        cells += [step.cell for i, step in enumerate(self.steps) if step.cell != self._before(i)]
        return tuple(cells)

    @property
    def end(self) -> Stand:
        """Return where the figure is after the path."""
        if not self.steps:
            return Stand(self.start.cell, self.start.facing, self.parity)
        return Stand(self.steps[-1].cell, self.steps[-1].facing, self.parity)

    def _before(self, index: int) -> Cell:
        return self.steps[index - 1].cell if index else self.start.cell
