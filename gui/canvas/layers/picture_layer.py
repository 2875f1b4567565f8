"""The picture under the grid: the tiles of the level that fits the zoom, coarser ones meanwhile."""

from math import ceil, floor, hypot, log2

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QTransform

from engine.model.board import Picture
from gui.canvas.layers.exposure import Exposure, write_upright
from gui.canvas.space import SCENE_PER_CELL
from gui.pictures import Pictures, Size, level_count
from gui.theme import color, ui_font
from gui.tile_cache import TILE_PX

COMING = "The picture is coming…"


class PictureLayer:
    """Paints one picture."""

    def __init__(self, picture: Picture, pictures: Pictures) -> None:
        self._sha256 = picture.sha256
        self._pictures = pictures
        self._size = Size(picture.width_px, picture.height_px)
        a, b, c, d, e, f = (part * SCENE_PER_CELL for part in picture.to_world)
        # Qt writes a point as a row before the matrix: x' = m11 x + m21 y + m31.
        self._to_scene = QTransform(a, d, b, e, c, f)
        self._px_per_cell = SCENE_PER_CELL / max(hypot(a, d), hypot(b, e), 1e-9)
        self.rect = self._to_scene.mapRect(QRectF(0, 0, *self._size))

    def paint(self, painter: QPainter, exposure: Exposure) -> None:
        """Draw the exposed tiles; where a tile has not come yet, the part of a coarser one."""
        to_picture, possible = self._to_scene.inverted()
        if not possible:
            return
        part = to_picture.mapRect(exposure.rect).intersected(QRectF(0, 0, *self._size))
        if part.isEmpty():
            return
        levels = level_count(self._size)
        wanted = log2(max(self._px_per_cell / exposure.device_px_per_cell, 1e-6))
        # A little enlarging looks better than a lot of shrinking, and costs a quarter.
        level = max(0, min(levels - 1, floor(wanted + 0.3)))
        painter.save()
        painter.setClipRect(exposure.rect)
        painter.setTransform(self._to_scene, True)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        side = TILE_PX << level
        for row in range(floor(part.top() / side), ceil(part.bottom() / side)):
            for column in range(floor(part.left() / side), ceil(part.right() / side)):
                self._paint_tile(painter, level, column, row)
        painter.restore()
        if self._pictures.is_coming(self._sha256):
            middle = self._to_scene.map(QRectF(0, 0, *self._size).center())
            plate, ink = color(exposure.theme.ground, 225), color(exposure.theme.text)
            write_upright(painter, middle, COMING, font=ui_font(14), ink=ink, plate=plate)

    def _paint_tile(self, painter: QPainter, level: int, column: int, row: int) -> None:
        """Draw a tile, or its part of the nearest coarser tile that is there."""
        side = TILE_PX << level
        target = QRectF(column * side, row * side, side, side)
        whole = QRectF(0, 0, *self._size)
        for coarser in range(level, level_count(self._size)):
            up = coarser - level
            tile = self._pictures.tile(self._sha256, self._size, coarser, column >> up, row >> up)
            if tile is None:
                continue
            scale = 1 << coarser
            tile_left, tile_top = (column >> up) * TILE_PX, (row >> up) * TILE_PX
            part = target.intersected(whole)
            source = QRectF(
                part.left() / scale - tile_left,
                part.top() / scale - tile_top,
                part.width() / scale,
                part.height() / scale,
            )
            painter.drawImage(part, tile, source)
            return
