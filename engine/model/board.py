"""The board: grid, scale, picture, and what stands and lies on it."""

from pydantic import Field

from engine.model.light import Ambient, Light
from engine.model.region import Area, Note, Region
from engine.model.space import Coordinate, GridKind
from engine.model.value import Color, FrozenMap, Value
from engine.model.wall import Wall

MAX_SIDE = 2000
"""The longest side of a board in cells; real maps end at 128."""

Affine = tuple[Coordinate, Coordinate, Coordinate, Coordinate, Coordinate, Coordinate]
"""(a, b, c, d, e, f): x' = a x + b y + c, y' = d x + e y + f."""


class GridSpec(Value):
    """The cells of a board: their kind and how many columns and rows."""

    kind: GridKind = GridKind.SQUARE
    columns: int = Field(ge=1, le=MAX_SIDE)
    rows: int = Field(ge=1, le=MAX_SIDE)
    cell_label: str = "1 cell"
    visible: bool = True


class Picture(Value):
    """The picture under the grid, by its digest; `to_world` maps its pixels to world points."""

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    width_px: int = Field(ge=1)
    height_px: int = Field(ge=1)
    to_world: Affine

    @property
    def is_flat(self) -> bool:
        """Tell whether `to_world` squeezes the picture to a line or a point."""
        a, b, _, d, e, _ = self.to_world
        return a * e == b * d


class Board(Value):
    """Everything that a map brings."""

    grid: GridSpec
    picture: Picture | None = None
    ambient: Ambient = Ambient.BRIGHT
    background: Color = "#2a2d33"
    walls: FrozenMap[str, Wall] = FrozenMap()
    regions: FrozenMap[str, Region] = FrozenMap()
    lights: FrozenMap[str, Light] = FrozenMap()
    areas: FrozenMap[str, Area] = FrozenMap()
    notes: FrozenMap[str, Note] = FrozenMap()
