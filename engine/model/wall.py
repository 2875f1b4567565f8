"""Walls, windows, doors and whatever else stands as a line on the board."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from engine.model.space import Coordinate, Point
from engine.model.value import Value


class WallKind(StrEnum):
    """What a wall is; the flags beside it say what it does."""

    WALL = "wall"
    WINDOW = "window"
    DOOR = "door"
    SECRET_DOOR = "secret_door"
    LOW_WALL = "low_wall"
    EMBRASURE = "embrasure"
    TERRAIN = "terrain"


class DoorState(StrEnum):
    """The state of a door."""

    CLOSED = "closed"
    OPEN = "open"
    LOCKED = "locked"


class CoverLabel(StrEnum):
    """The cover that a labelled obstacle gives to whoever stands behind it."""

    NONE = "none"
    HALF = "half"
    THREE_QUARTER = "three_quarter"
    FULL = "full"
    EMBRASURE = "embrasure"


class OneSided(StrEnum):
    """The side from which a one-sided wall blocks.

    Left or right of somebody who stands at the first point and looks to the second, y down.
    """

    LEFT = "left"
    RIGHT = "right"


class Durability(Value):
    """What it takes to break an object."""

    hp: int
    hp_max: int = Field(ge=1)
    ac: int = 10


class Wall(Value):
    """A polyline that may stop sight, movement or both.

    `base` and `top` are heights in cells above the board; None reaches for ever. A terrain wall
    lets sight pass once: the second one crossed blocks. `cover` is a label for the rules and
    does not by itself block anything.
    """

    id: str
    points: Annotated[tuple[Point, ...], Field(min_length=2)]
    kind: WallKind = WallKind.WALL
    blocks_sight: bool = True
    blocks_movement: bool = True
    one_sided: OneSided | None = None
    base: Coordinate | None = None
    top: Coordinate | None = None
    door: DoorState | None = None
    cover: CoverLabel = CoverLabel.NONE
    durability: Durability | None = None
    name: str = ""

    @property
    def is_open(self) -> bool:
        """Tell whether it is an open door or a broken one, which blocks nothing."""
        broken = self.durability is not None and self.durability.hp <= 0
        return self.door is DoorState.OPEN or broken

    @property
    def is_door(self) -> bool:
        """Tell whether it can be opened."""
        return self.door is not None
