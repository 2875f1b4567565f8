"""Regions and lasting areas: ground that costs, rises, hides or burns."""

from enum import StrEnum

from pydantic import Field

from engine.model.space import LIMIT, Cell, Coordinate, Point
from engine.model.value import Value
from engine.model.wall import CoverLabel

MAX_STEP_COST = 1000
"""What costs more to step into is impassable."""


class Obscuration(StrEnum):
    """How hard it is to see into a place."""

    NONE = "none"
    LIGHT = "light"
    HEAVY = "heavy"
    TOTAL = "total"

    @property
    def rank(self) -> int:
        """Return 0 for none up to 3 for total."""
        return list(Obscuration).index(self)


class Surface(StrEnum):
    """What somebody lands on who falls."""

    HARD = "hard"
    WATER = "water"
    SOFT = "soft"


class Region(Value):
    """A polygon with an effect.

    `rings` holds the outer ring and then the holes, each unclosed. `step_cost` is what an
    orthogonal step into it costs instead of 1. `ground` is the height of the ground in cells.
    """

    id: str
    name: str = ""
    rings: tuple[tuple[Point, ...], ...]
    step_cost: int | None = Field(default=None, ge=1, le=MAX_STEP_COST)
    impassable: bool = False
    ground: Coordinate | None = None
    obscuration: Obscuration = Obscuration.NONE
    surface: Surface | None = None
    cover: CoverLabel = CoverLabel.NONE
    gm_only: bool = False


class ShapeKind(StrEnum):
    """The shapes that a template may have."""

    CIRCLE = "circle"
    CONE = "cone"
    LINE = "line"
    BURST = "burst"
    WALL = "wall"


class AreaShape(Value):
    """A template before it is laid over cells.

    `size` is the radius or the length in cells; `direction_deg` counts clockwise from East; a
    line or a wall runs from `origin` to `end`.
    """

    shape: ShapeKind
    origin: Point
    size: float = Field(default=1, gt=0, le=LIMIT)
    direction_deg: Coordinate = 0
    width: float = Field(default=1, gt=0, le=LIMIT)
    end: Point | None = None


class Area(Value):
    """A lasting area: it ends after `rounds_left` rounds, and may follow a token or burn."""

    id: str
    name: str = ""
    shape: AreaShape
    cells: tuple[Cell, ...]
    rounds_left: int | None = Field(default=None, ge=0)
    follows: str | None = None
    obscuration: Obscuration = Obscuration.NONE
    step_cost: int | None = Field(default=None, ge=1, le=MAX_STEP_COST)
    damage: str = ""
    damage_type: str = ""
    source_token: str | None = None
    gm_only: bool = False


class Note(Value):
    """A pinned text; what the GM alone reads unless `gm_only` is off."""

    id: str
    position: Point
    text: str
    gm_only: bool = True
