"""Footprints: the cells that a figure covers, where they lie at a facing, and their outline.

A footprint is drawn once, relative to its anchor, looking at side 0 or vertex 0 of the grid (East
on squares and on pointy hexes); axial cells are the same for pointy and flat hexes, so a figure
never depends on the layout. Whether a figure may stand somewhere is not decided here.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType

from engine.grid.base import ORIGIN, Grid, Ring
from engine.grid.facing import centroid, looks_at_side
from engine.grid.grid import grid_of
from engine.model.refusal import Rejected, impossible
from engine.model.space import Cell, Facing, GridKind, Point
from engine.model.token import Token

MAX_CUSTOM_CELLS = 12
"""The largest figure of the footprint editor."""
MAX_ACROSS = 7
"""The widest ready-made block."""

_PAIR = r"-?[0-9]{1,3},-?[0-9]{1,3}"
_DRAWN = re.compile(rf"(side|vertex)/(anchor|fixed):({_PAIR}(?: {_PAIR})*)")


class Alignment(StrEnum):
    """What the front centre of a figure points at (DragonQuest 1.3); squares have sides only."""

    SIDE = "side"
    VERTEX = "vertex"


class Turning(StrEnum):
    """What a turn does to the cells: they swing about the anchor, or only the facing moves."""

    ANCHOR = "anchor"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Footprint:
    """The shape of a figure.

    `cells` are relative to the anchor, which is the first of them, (0, 0). A shape that is the
    same after every turn (a block of squares, a round figure) is fixed. So is DragonQuest's size
    3: its facing moves by one vertex and its form flips between 1-2 and 2-1 (1.4).
    """

    name: str
    cells: tuple[Cell, ...]
    alignment: Alignment = Alignment.SIDE
    turning: Turning = Turning.FIXED

    def __post_init__(self) -> None:
        """Refuse a footprint without cells, with repeated ones or with a shifted anchor."""
        if not self.cells or self.cells[0] != ORIGIN:
            raise ValueError("The first cell of a footprint is its anchor and must be (0, 0).")
        if len(set(self.cells)) != len(self.cells):
            raise ValueError(f"The footprint “{self.name}” lists a cell twice.")

    @property
    def size(self) -> int:
        """Give the number of cells."""
        return len(self.cells)

    def aligned(self, grid: Grid, facing: Facing) -> Facing:
        """Return the facing itself, or the next clockwise one that this figure can take."""
        facing %= grid.facings
        if self.size == 1 or self._may_face(grid, facing):
            return facing
        return (facing + 1) % grid.facings

    def facings(self, grid: Grid) -> tuple[Facing, ...]:
        """Return the facings that this figure can take, in order."""
        return tuple(f for f in range(grid.facings) if self._may_face(grid, f))

    def cells_at(self, grid: Grid, anchor: Cell, facing: Facing) -> tuple[Cell, ...]:
        """Return the covered cells, the anchor first."""
        x, y = anchor
        turned = _turned(self, grid.kind, self.aligned(grid, facing))
        return tuple(Cell(x + dx, y + dy) for dx, dy in turned)

    def center_at(self, grid: Grid, anchor: Cell, facing: Facing) -> Point:
        """Return the world point in the middle of the figure: the mean of its cells' centres."""
        return centroid(grid, self.cells_at(grid, anchor, facing))

    def outline_at(self, grid: Grid, anchor: Cell, facing: Facing) -> Ring:
        """Return the figure's border as one ring; a hole inside is not cut out."""
        return grid.rings(self.cells_at(grid, anchor, facing))[0]

    def anchor_under(self, grid: Grid, center: Point, facing: Facing) -> Cell:
        """Return the anchor that brings the figure's middle closest to a world point."""
        x, y = self.center_at(grid, ORIGIN, facing)
        home = grid.center(ORIGIN)
        return grid.cell_at((center[0] - x + home[0], center[1] - y + home[1]))

    def anchor_dragged(self, anchor: Cell, grabbed: Cell, target: Cell) -> Cell:
        """Return the anchor after the grabbed cell of the figure was dropped on the target cell."""
        return Cell(anchor.x + target.x - grabbed.x, anchor.y + target.y - grabbed.y)

    def _may_face(self, grid: Grid, facing: Facing) -> bool:
        return looks_at_side(grid, facing) == (self.alignment is Alignment.SIDE)


@lru_cache(maxsize=1024)
def _turned(footprint: Footprint, kind: GridKind, facing: Facing) -> tuple[Cell, ...]:
    if footprint.turning is Turning.FIXED:
        return footprint.cells
    grid = grid_of(kind, 1, 1)
    first = grid.directions[0].facing + (footprint.alignment is Alignment.VERTEX)
    # Squares turn by quarters: a diagonal facing keeps the cells of the quarter before it.
    steps = (facing - first) % grid.facings * grid.turns // grid.facings
    return tuple(grid.rotate(cell, steps) for cell in footprint.cells)


def custom(
    kind: GridKind,
    cells: Iterable[Cell],
    alignment: Alignment = Alignment.SIDE,
    turning: Turning = Turning.ANCHOR,
) -> Footprint:
    """Make a footprint from 2 to 12 connected cells, the first of them being the anchor.

    Its name says it all, so that `footprint_named` makes it again: "side/anchor:0,0 -1,0".
    Raise Rejected for any other number of cells, repeated or scattered ones.
    """
    drawn = tuple(cells)
    if not 2 <= len(drawn) <= MAX_CUSTOM_CELLS:
        raise _bad(f"A drawn footprint has 2 to {MAX_CUSTOM_CELLS} cells, not {len(drawn)}.")
    if len(set(drawn)) != len(drawn):
        raise _bad("A drawn footprint lists a cell twice.")
    if alignment is Alignment.VERTEX and not kind.is_hex:
        raise _bad("On squares a figure faces a side or a corner, never a vertex.")
    if not _connected(kind, drawn):
        raise _bad("The cells of a drawn footprint do not hang together.")
    anchor = drawn[0]
    relative = tuple(Cell(cell.x - anchor.x, cell.y - anchor.y) for cell in drawn)
    listed = " ".join(f"{x},{y}" for x, y in relative)
    return Footprint(f"{alignment}/{turning}:{listed}", relative, alignment, turning)


def _bad(sentence: str) -> Rejected:
    return impossible("bad_footprint", sentence)


def _connected(kind: GridKind, cells: tuple[Cell, ...]) -> bool:
    grid = grid_of(kind, 1, 1)
    missing = set(cells[1:])
    waiting = [cells[0]]
    while waiting:
        for near in grid.neighbours(waiting.pop()):
            if near.cell in missing and not near.direction.diagonal:
                missing.remove(near.cell)
                waiting.append(near.cell)
    return not missing


def block(kind: GridKind, across: int) -> Footprint:
    """Return the figure that is `across` cells wide and looks the same from all sides.

    On squares that is across x across, the anchor at the top left. On hexes it is round: 1, 3, 7,
    12, 19, 27, 37 cells for 1 to 7; an even one stands about the vertex below its anchor.
    """
    if not 1 <= across <= MAX_ACROSS:
        raise _bad(f"A figure is 1 to {MAX_ACROSS} cells wide, not {across}.")
    if not kind.is_hex:
        cells = tuple(Cell(x, y) for y in range(across) for x in range(across))
        return Footprint(str(across), cells)
    grid = grid_of(kind, 1, 1)
    radius = (across - 1) // 2
    middles = (ORIGIN,) if across % 2 else (ORIGIN, Cell(-1, 1), Cell(0, 1))
    near = range(-across, across + 1)
    covered = (
        Cell(q, r)
        for q in near
        for r in near
        if min(grid.distance(Cell(q, r), middle) for middle in middles) <= radius
    )
    cells = (ORIGIN, *(cell for cell in covered if cell != ORIGIN))
    alignment = Alignment.SIDE if across % 2 else Alignment.VERTEX
    return Footprint(f"round-{across}", cells, alignment)


def block_name(kind: GridKind, across: int) -> str:
    """Return the name of the figure that is so many cells wide, at the most the widest."""
    across = min(max(1, across), MAX_ACROSS)
    return f"round-{across}" if kind.is_hex and across > 1 else str(across)


def _facing_north(name: str, turning: Turning, *cells: tuple[int, int]) -> Footprint:
    """Take a vertex-facing figure as DragonQuest 1.3 draws it: looking North, at vertex 4."""
    grid = grid_of(GridKind.HEX_POINTY, 1, 1)
    # Fixed cells do not turn with the facing: they stand as drawn.
    steps = 2 if turning is Turning.ANCHOR else 0
    turned = tuple(grid.rotate(Cell(*cell), steps) for cell in cells)
    return Footprint(name, turned, Alignment.VERTEX, turning)


_DRAGONQUEST = (
    Footprint("1", (ORIGIN,)),
    Footprint("2", (ORIGIN, Cell(-1, 0)), turning=Turning.ANCHOR),
    _facing_north("3", Turning.FIXED, (0, 0), (-1, 1), (0, 1)),
    _facing_north("3-alt", Turning.FIXED, (0, 0), (1, 0), (0, 1)),
    _facing_north("4", Turning.ANCHOR, (0, 0), (-1, 1), (0, 1), (-1, 2)),
    _facing_north(
        "7L", Turning.ANCHOR, (0, 0), (-1, 1), (0, 1), (-1, 2), (-2, 3), (-1, 3), (-2, 4)
    ),
    Footprint(
        "7R",
        tuple(Cell(*c) for c in ((0, 0), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))),
    ),
    _facing_north(
        "14",
        Turning.ANCHOR,
        *((0, 0), (-1, 1), (0, 1), (-2, 2), (-1, 2), (0, 2), (-2, 3)),
        *((-1, 3), (-3, 4), (-2, 4), (-1, 4), (-3, 5), (-2, 5), (-3, 6)),
    ),
)


@lru_cache(maxsize=8)
def catalogue(kind: GridKind) -> Mapping[str, Footprint]:
    """Return the ready-made footprints of a grid by name.

    Squares: "1" to "7". Hexes: DragonQuest's sizes "1", "2", "3", "3-alt", "4", "7L", "7R" and
    "14", and the round figures "round-2" to "round-7".
    """
    if not kind.is_hex:
        return MappingProxyType({str(across): block(kind, across) for across in range(1, 8)})
    rounds = (block(kind, across) for across in range(2, 8))
    return MappingProxyType({made.name: made for made in (*_DRAGONQUEST, *rounds)})


@lru_cache(maxsize=256)
def footprint_named(kind: GridKind, name: str) -> Footprint:
    """Return a ready-made footprint, or a drawn one from its name; raise Rejected for others."""
    known = catalogue(kind)
    if name in known:
        return known[name]
    match = _DRAWN.fullmatch(name)
    if match is None:
        raise _bad(f"There is no footprint “{name}”; choose one of {', '.join(known)}.")
    alignment, turning, listed = match.groups()
    pairs = (pair.split(",") for pair in listed.split(" "))
    cells = tuple(Cell(int(x), int(y)) for x, y in pairs)
    return custom(kind, cells, Alignment(alignment), Turning(turning))


def token_cells(grid: Grid, token: Token) -> tuple[Cell, ...]:
    """Return the cells that a token covers, its anchor first; raise Rejected as above."""
    return _cells(grid.kind, token.footprint, token.cell, token.facing)


@lru_cache(maxsize=8192)
def _cells(kind: GridKind, footprint: str, cell: Cell, facing: Facing) -> tuple[Cell, ...]:
    return footprint_named(kind, footprint).cells_at(grid_of(kind, 1, 1), cell, facing)
