"""What every importer returns: a plain value that one command takes in, and a report of it.

Nothing here reads a file. A report line is one sentence that begins with its locator
("keep.dd2vtt: portal 3 has no bounds, skipped.").
"""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from engine.model.board import MAX_SIDE, Board
from engine.model.refusal import FileProblem
from engine.model.space import GridKind, Point
from engine.model.value import FrozenMap, Value

Side = Annotated[int, Field(ge=1, le=MAX_SIDE)]


class NoGrid(FileProblem):
    """A picture tells no grid and nobody else did; with one it could be imported."""


class ObjectOutlines(StrEnum):
    """What becomes of outlines of pillars, rocks and furniture that the map marks as seen over."""

    TERRAIN = "terrain"
    """They are seen, and stop sight past them; nobody is stopped from walking."""
    SIGHT = "sight"
    """They stop sight at once; nobody is stopped from walking."""
    IGNORE = "ignore"


class ImportOptions(Value):
    """What the GM may decide about an import.

    `cell_px`, `offset` (the pixel of the first cell's corner; fractional and negative ones too)
    and `grid` are for pictures, which know no grid. `size` (columns, rows) overrides or supplies
    the size of any map. `simplify` is a tolerance in cells for walls of more than 50 points.
    """

    cell_px: float | None = Field(default=None, ge=4, le=4096)
    offset: Point = (0.0, 0.0)
    size: tuple[Side, Side] | None = None
    grid: GridKind = GridKind.SQUARE
    open_portals_as_doors: bool = False
    narrow_portals_as_windows: bool = False
    objects: ObjectOutlines = ObjectOutlines.TERRAIN
    simplify: float = Field(default=0.0, ge=0, le=0.5)
    ambient_from_map: bool = False
    without_picture: bool = False


NO_OPTIONS = ImportOptions()


class Switch(Value):
    """An option that would matter to this map: its field in ImportOptions, a value, and why."""

    option: str
    value: bool | float | str
    sentence: str


class ImportCounts(Value):
    """How much of each kind came in; `segments` counts those of all walls but doors, windows."""

    walls: int = 0
    segments: int = 0
    doors: int = 0
    windows: int = 0
    objects: int = 0
    lights: int = 0
    pictures: int = 0


class ImportReport(Value):
    """What came in, what did not and why, and what the GM may want otherwise."""

    source: str
    counts: ImportCounts = ImportCounts()
    skipped: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    switches: tuple[Switch, ...] = ()


class ImportedMap(Value):
    """A map as a board, with the original picture files, as they came, by their sha256."""

    title: str
    board: Board
    images: FrozenMap[str, bytes] = FrozenMap()
    report: ImportReport
