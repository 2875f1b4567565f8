"""How a figure moves: its footprint and the table rules of movement. Values only."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from engine.grid.footprint import Footprint
from engine.model.space import Cell, Facing

Cost = int | float
"""What movement costs: whole numbers, except under `EUCLID` and `CIRCULAR`, where a cost is a
float that is a + b * sqrt(2), or a sum of straight lengths, compared within 1e-9."""


class Diagonal(StrEnum):
    """What a diagonal step costs on squares; hexes have none, and every rule counts hexes there.

    `ALTERNATING`: 1, 2, 1, 2, ... over the whole turn. `ALWAYS_DOUBLE`: 2. `CHEBYSHEV`: 1.
    `EUCLID`: the square root of 2. `CIRCULAR`: a path is a chain of straight lines from centre to
    centre and costs its length, plus 1 per difficult cell entered (Drase 6.1 and 14.2).
    """

    ALTERNATING = "alternating"
    ALWAYS_DOUBLE = "always_double"
    CHEBYSHEV = "chebyshev"
    EUCLID = "euclid"
    CIRCULAR = "circular"


class CornerCut(StrEnum):
    """Which of the two cells beside a diagonal step must be open."""

    ONE_OPEN = "one_open"
    BOTH_OPEN = "both_open"
    FREE = "free"


class Combine(StrEnum):
    """How difficult ground and a diagonal join: add its excess, multiply, or take the larger."""

    ADD = "add"
    MULTIPLY = "multiply"
    MAX = "max"


class Charge(StrEnum):
    """Whether difficult ground is paid for on entering it or on leaving it."""

    ENTERING = "entering"
    LEAVING = "leaving"


class Share(StrEnum):
    """How many of the newly entered cells must be difficult before a large figure pays."""

    ANY = "any"
    MAJORITY = "majority"
    ALL = "all"


class Ahead(StrEnum):
    """Which directions a figure with a facing may step in."""

    STRAIGHT = "straight"
    FRONT = "front"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class FacingRules:
    """The price of facing on hexes.

    A step goes in a direction `ahead` allows; straight from a vertex are the two sides beside it.
    Turning by one hexside costs `turn_cost`, None where nobody turns on the spot; after each step
    `free_turns` of them are free.
    """

    ahead: Ahead = Ahead.FRONT
    turn_cost: int | None = 1
    free_turns: int = 0


@dataclass(frozen=True, slots=True)
class Stride:
    """A figure's footprint and every rule that its steps follow.

    `reset_on_orthogonal` starts the alternation again after each orthogonal step. `climb` gives
    the cost of a change of ground height in cells (up is positive), None where it is impossible.
    `facing` is for hexes; without it a figure turns freely and keeps the cells of its facing.
    """

    footprint: Footprint
    diagonal: Diagonal = Diagonal.ALTERNATING
    corner_cut: CornerCut = CornerCut.ONE_OPEN
    combine: Combine = Combine.ADD
    charge: Charge = Charge.ENTERING
    share: Share = Share.ANY
    reset_on_orthogonal: bool = False
    climb: Callable[[float], int | None] | None = None
    facing: FacingRules | None = None

    @property
    def joins(self) -> Combine:
        """Tell how difficult ground joins a step; on lengths it can only be added."""
        return Combine.ADD if self.diagonal is Diagonal.CIRCULAR else self.combine


class Stand(NamedTuple):
    """Where a figure is: anchor cell, facing, and how many diagonals it has taken, modulo 2."""

    cell: Cell
    facing: Facing = 0
    parity: int = 0
