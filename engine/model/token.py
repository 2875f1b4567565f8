"""Tokens: the pieces on the map."""

from typing import Annotated

from pydantic import BeforeValidator, Field, SerializeAsAny

from engine.model.sheet import Sheet
from engine.model.space import LIMIT, Cell, Coordinate, Facing, Length
from engine.model.value import Value, by_kind

PARTY = "party"
FOES = "foes"
NEUTRAL = "neutral"


class Vision(Value):
    """How far a token sees, in cells: None is as far as the light goes.

    `darkvision` is the radius within which it needs no light.
    """

    radius: Length | None = None
    darkvision: Length = 0


class Token(Value):
    """A piece: where it stands, what it covers, whose it is.

    `cell` anchors the footprint; `facing` counts in the grid's steps. `elevation` is the height
    above the ground and `height` the body's own, both in cells. `fitted` says that the footprint
    follows the size on the sheet.
    """

    id: str
    name: str
    label: str = ""
    side: str = FOES
    cell: Cell
    facing: Facing = 0
    elevation: Coordinate = 0
    height: float = Field(default=1, gt=0, le=LIMIT)
    footprint: str = "1"
    fitted: bool = False
    sheet: Annotated[SerializeAsAny[Sheet], BeforeValidator(by_kind(Sheet))] | None = None
    hidden: bool = False
    public_name: str | None = None
    gm_note: str = ""
    portrait: str | None = None
    group: str | None = None
    vision: Vision = Vision()

    @property
    def shown_name(self) -> str:
        """Return the name that the players read."""
        return self.name if self.public_name is None else self.public_name
