"""The grid: only exposed cells, in cosmetic lines, fading out where cells become small."""

from collections import OrderedDict
from math import ceil, floor, sqrt

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter, QPainterPath

from engine.grid.grid import Box, Grid
from engine.model.space import GridKind
from gui.canvas.layers.exposure import Exposure, pen
from gui.canvas.space import SCENE_PER_CELL, lines_path, path_of, scene_to_box

_HIDDEN_BELOW_PX = {False: 6.0, True: 10.0}
_FULL_ABOVE_PX = {False: 22.0, True: 26.0}
_CHUNK = 25
_CHUNKS_KEPT = 400
_ROW = sqrt(3) / 2


class GridLayer:
    """Paints the cell borders of one grid."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._chunks: OrderedDict[tuple[int, int], QPainterPath] = OrderedDict()
        self.outline = path_of((grid.outline,))

    def paint(self, painter: QPainter, exposure: Exposure) -> None:
        """Draw what is exposed; nothing where cells are too small to read."""
        is_hex = self._grid.kind.is_hex
        hidden, full = _HIDDEN_BELOW_PX[is_hex], _FULL_ABOVE_PX[is_hex]
        if exposure.px_per_cell < hidden:
            return
        share = min(1.0, (exposure.px_per_cell - hidden + 1) / (full - hidden + 1))
        theme = exposure.theme
        painter.save()
        # With a rectangular clip Qt takes its fast path for thin lines, eight times faster.
        painter.setClipRect(exposure.rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(pen(theme.grid, 1, alpha=int(theme.grid_alpha * share)))
        if is_hex:
            smooth = exposure.px_per_cell >= 30 and not exposure.moving
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
            for path in self._hex_paths(scene_to_box(exposure.rect)):
                painter.drawPath(path)
        else:
            painter.drawLines(self._square_lines(exposure.rect))
        painter.restore()

    def _square_lines(self, rect: QRectF) -> list[QLineF]:
        box = scene_to_box(rect)
        first_x, last_x = max(0, floor(box.left)), min(self._grid.columns, ceil(box.right))
        first_y, last_y = max(0, floor(box.top)), min(self._grid.rows, ceil(box.bottom))
        if first_x > last_x or first_y > last_y:
            return []
        left, right = first_x * SCENE_PER_CELL, last_x * SCENE_PER_CELL
        top, bottom = first_y * SCENE_PER_CELL, last_y * SCENE_PER_CELL
        upright = [
            QLineF(x * SCENE_PER_CELL, top, x * SCENE_PER_CELL, bottom)
            for x in range(first_x, last_x + 1)
        ]
        level = [
            QLineF(left, y * SCENE_PER_CELL, right, y * SCENE_PER_CELL)
            for y in range(first_y, last_y + 1)
        ]
        return upright + level

    def _hex_paths(self, box: Box) -> list[QPainterPath]:
        """Return the paths of the chunks that the box touches."""
        across = box if self._grid.kind is GridKind.HEX_POINTY else Box(*_swapped(box))
        limits = (self._grid.columns, self._grid.rows)
        along_limit, across_limit = limits if across is box else limits[::-1]
        first_a, last_a = _chunk_range(across.left - 1.5, across.right + 0.5, along_limit)
        first_c, last_c = _chunk_range(
            (across.top - 1.2) / _ROW, (across.bottom + 0.2) / _ROW, across_limit
        )
        return [
            self._chunk(a, c)
            for c in range(first_c, last_c + 1)
            for a in range(first_a, last_a + 1)
        ]

    def _chunk(self, along: int, across: int) -> QPainterPath:
        key = (along, across)
        found = self._chunks.get(key)
        if found is None:
            found = self._chunks[key] = lines_path(self._chunk_lines(along, across))
            if len(self._chunks) > _CHUNKS_KEPT:
                self._chunks.popitem(last=False)
        self._chunks.move_to_end(key)
        return found

    def _chunk_lines(self, along: int, across: int) -> NDArray[np.float64]:
        """Return the sides 0 to 2 of each hex as single lines; its neighbours bring the rest.

        Lines of two points: Qt draws those many times faster than the same as polylines.
        """
        grid = self._grid
        pointy = grid.kind is GridKind.HEX_POINTY
        column, row = (along, across) if pointy else (across, along)
        cells = [
            grid.from_offset(c, r)
            for r in range(row * _CHUNK, min((row + 1) * _CHUNK, grid.rows))
            for c in range(column * _CHUNK, min((column + 1) * _CHUNK, grid.columns))
        ]
        home = grid.from_offset(0, 0)
        corners = np.asarray(grid.polygon(home)) - np.asarray(grid.center(home))
        # Vertex i stands at index i: side i lies between the vertices i - 1 and i.
        sides = corners[[[5, 0], [0, 1], [1, 2]]]
        lines: NDArray[np.float64] = grid.centers(cells)[:, None, None, :] + sides[None, :, :, :]
        return lines.reshape(-1, 2, 2)


def _swapped(box: Box) -> tuple[float, float, float, float]:
    return box.top, box.left, box.bottom, box.right


def _chunk_range(first: float, last: float, limit: int) -> tuple[int, int]:
    """Return the chunks that hold the indices `first` to `last`, on the board."""
    low, high = max(0, floor(first)), min(limit - 1, ceil(last))
    return (low // _CHUNK, high // _CHUNK) if low <= high else (0, -1)
