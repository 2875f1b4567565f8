"""The spaces of Battlemat: cells, world points, facings.

World coordinates are measured in cells and run x right, y down. A square cell (x, y) covers
[x, x+1) x [y, y+1), so its centre is (x + 0.5, y + 0.5). The centre of the hex (0, 0) is the world
point (0.5, 0.5); neighbouring hex centres are exactly 1 apart. Hexes are axial (q, r) throughout;
offset layouts exist only in importers and printed labels.

Conversions between spaces belong to `engine.grid`; nothing here computes.
"""

from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

LIMIT = 1_000_000_000
"""No coordinate, height or length is larger, in cells: sums and squares of them stay finite."""

Coordinate = Annotated[float, Field(ge=-LIMIT, le=LIMIT)]
"""A place along an axis, or a height, in cells."""

Length = Annotated[float, Field(ge=0, le=LIMIT)]
"""A radius or another length in cells."""

Point = tuple[Coordinate, Coordinate]
"""A world point (x, y) in cells."""

Facing = Annotated[int, Field(ge=0, lt=12)]
"""A direction, counted clockwise from East: 12 steps of 30 degrees on hexes (DragonQuest 14.5),
8 steps of 45 degrees on squares. The grid knows how many there are."""


class Cell(NamedTuple):
    """A cell of the board: column and row of a square, axial q and r of a hex."""

    x: Annotated[int, Field(ge=-LIMIT, le=LIMIT)]
    y: Annotated[int, Field(ge=-LIMIT, le=LIMIT)]


class GridKind(StrEnum):
    """The shape and orientation of the cells."""

    SQUARE = "square"
    HEX_POINTY = "hex-pointy"
    HEX_FLAT = "hex-flat"

    @property
    def is_hex(self) -> bool:
        """Tell whether cells have six neighbours."""
        return self is not GridKind.SQUARE
