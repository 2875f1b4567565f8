"""Pictures as maps: PNG, JPEG, WebP, AVIF, GIF, SVG.

A picture knows no grid. It comes from the GM (cell size and offset, or the number of cells), or
from the file's name ("cave 30x22.webp", "keep 200dpi.png") where the pixels agree with it; else
the import stops and asks. The picture itself is not changed: one affine map lays it under the grid.
"""

import hashlib
import math
import re

from engine.formats.imported import ImportCounts, ImportedMap, ImportOptions, NoGrid
from engine.formats.pixels import check
from engine.formats.reporting import Notebook
from engine.formats.sniffing import FileKind
from engine.formats.svg import read_svg
from engine.model.board import MAX_SIDE, Board, GridSpec, Picture
from engine.model.refusal import FileProblem
from engine.model.space import GridKind
from engine.model.value import FrozenMap

Pair = tuple[float, float]

SLIVER = 0.02
"""A last column that shows less than this share of its cells is no column."""

_SIZE = re.compile(r"(?<![\d.])(\d{1,3})\s*[x\u00d7]\s*(\d{1,3})(?![\d.])", re.IGNORECASE)
_DPI = re.compile(r"(?<!\d)(\d{2,3})\s*[dp]pi", re.IGNORECASE)
_LEAST_CELL_PX = 20
_AGREE = 0.01
_ROW = math.sqrt(3) / 2
_TALL = 2 / math.sqrt(3)
"""A hex is 1 wide across its sides, this across its corners; its rows are _ROW apart."""


def read(data: bytes, kind: FileKind, name: str, title: str, options: ImportOptions) -> ImportedMap:
    """Return a board with the picture under its grid; raise FileProblem if either is missing."""
    notes = Notebook(name)
    width, height = _picture_size(data, kind, notes)
    cell, size = _grid(width, height, title, notes, options)
    offset = options.offset if size else _within_a_cell(options.offset, cell)
    columns, rows = size or _cells(options.grid, width, height, cell, offset)
    if max(columns, rows) > MAX_SIDE:
        raise FileProblem(
            f"{name}: {columns:,} x {rows:,} cells; a board has at most {MAX_SIDE:,} a side."
        )
    digest = hashlib.sha256(data).hexdigest()
    board = Board(
        grid=GridSpec(kind=options.grid, columns=columns, rows=rows),
        picture=Picture(
            sha256=digest,
            width_px=width,
            height_px=height,
            to_world=to_world(options.grid, cell, offset),
        ),
    )
    return ImportedMap(
        title=title,
        board=board,
        images=FrozenMap({digest: data}),
        report=notes.report(ImportCounts(pictures=1)),
    )


def to_world(
    grid: GridKind, cell: Pair, offset: Pair
) -> tuple[float, float, float, float, float, float]:
    """Return the map from pixels to world points.

    `cell` is the width and height in px that one unit of the world has, `offset` the pixel on
    which the left upper corner of the first cell (of its bounding box, for a hex) lies.
    """
    left, top = corner(grid)
    across, down = 1 / cell[0], 1 / cell[1]
    return across, 0.0, left - offset[0] * across, 0.0, down, top - offset[1] * down


def corner(grid: GridKind) -> Pair:
    """Return the left upper corner of the first cell's bounding box, in the world."""
    if grid is GridKind.HEX_POINTY:
        return 0.0, (1 - _TALL) / 2
    if grid is GridKind.HEX_FLAT:
        return (1 - _TALL) / 2, 0.0
    return 0.0, 0.0


def extent(grid: GridKind, columns: int, rows: int) -> Pair:
    """Return the width and height of a board's bounding box, in the world."""
    if grid is GridKind.HEX_POINTY:
        return columns + (0.5 if rows > 1 else 0.0), (rows - 1) * _ROW + _TALL
    if grid is GridKind.HEX_FLAT:
        height, width = extent(GridKind.HEX_POINTY, rows, columns)
        return width, height
    return float(columns), float(rows)


def whole_cells(length: float) -> int:
    """Return how many cells a length in cells shows, the last one perhaps in part."""
    return math.ceil(length - SLIVER)


def _picture_size(data: bytes, kind: FileKind, notes: Notebook) -> tuple[int, int]:
    if kind is FileKind.SVG:
        return read_svg(data, notes.source)
    header = check(data, f"{notes.source}: the picture")
    if header.animated:
        notes.warn("the picture moves; only its first frame is shown.")
    return header.width_px, header.height_px


def _grid(
    width: int, height: int, title: str, notes: Notebook, options: ImportOptions
) -> tuple[Pair, tuple[int, int] | None]:
    """Return what a unit of the world measures in px, and columns and rows if they are given."""
    if options.cell_px is not None:
        return (options.cell_px, options.cell_px), options.size
    shown = width - options.offset[0], height - options.offset[1]
    if options.size is not None:
        wide, tall = extent(options.grid, *options.size)
        cell = shown[0] / wide, shown[1] / tall
        if min(cell) < 1:
            raise FileProblem(f"{notes.source}: too few pixels for {_by(*options.size)} cells.")
        if abs(cell[0] / cell[1] - 1) > _AGREE:
            notes.warn(f"its cells are not regular, {cell[0]:.2f} x {cell[1]:.2f} pixels each.")
        return cell, options.size
    hint = _hint(shown, title) if options.grid is GridKind.SQUARE else None
    if hint is None:
        raise NoGrid(
            f"{notes.source}: a picture of {_by(width, height)} pixels tells no grid; "
            "give the size of a cell in pixels, or the number of columns and rows."
        )
    cell, size = hint
    notes.warn(f"its name gives {_by(*size)} squares of {cell[0]:.2f} pixels.")
    return cell, size


def _hint(shown: Pair, title: str) -> tuple[Pair, tuple[int, int]] | None:
    """Return the grid that the file's name gives, if the pixels agree with it."""
    for found in _SIZE.finditer(title):
        columns, rows = int(found[1]), int(found[2])
        if columns and rows:
            cell = shown[0] / columns, shown[1] / rows
            if min(cell) >= _LEAST_CELL_PX and abs(cell[0] / cell[1] - 1) <= _AGREE:
                return cell, (columns, rows)
    for found in _DPI.finditer(title):
        dpi = max(int(found[1]), _LEAST_CELL_PX)
        columns, rows = (max(1, round(length / dpi)) for length in shown)
        cell = shown[0] / columns, shown[1] / rows
        if all(abs(side / dpi - 1) <= _AGREE for side in cell):
            return cell, (columns, rows)
    return None


def _within_a_cell(offset: Pair, cell: Pair) -> Pair:
    """Return the offset without whole cells; a negative one stays negative."""
    return math.fmod(offset[0], cell[0]), math.fmod(offset[1], cell[1])


def _cells(grid: GridKind, width: int, height: int, cell: Pair, offset: Pair) -> tuple[int, int]:
    """Return how many columns and rows the picture shows, if only in part."""
    wide, tall = _shown(width, cell[0], offset[0]), _shown(height, cell[1], offset[1])
    if grid is GridKind.HEX_FLAT:
        rows, columns = _hexes(tall, wide)
    elif grid is GridKind.HEX_POINTY:
        columns, rows = _hexes(wide, tall)
    else:
        columns, rows = whole_cells(wide), whole_cells(tall)
    return max(1, columns), max(1, rows)


def _shown(length: int, cell: float, offset: float) -> float:
    """Return how many cells a side shows; a border of the same width on both sides is no cell."""
    cells = (length - offset) / cell
    if offset > 0 and abs((cells - math.floor(cells)) * cell - offset) <= 1:
        return float(math.floor(cells))
    return cells


def _hexes(along: float, across: float) -> tuple[int, int]:
    """Return hexes along a row and the number of rows."""
    return whole_cells(along - 0.5), whole_cells((across - _TALL) / _ROW) + 1


def _by(a: int, b: int) -> str:
    return f"{a:,} x {b:,}"
