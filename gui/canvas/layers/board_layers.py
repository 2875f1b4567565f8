"""All layers below the tokens, in their order, kept in step with a View."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from engine.grid.grid import Grid
from engine.model.board import GridSpec, Picture
from engine.view import View
from gui.canvas.layers.exposure import Exposure, pen
from gui.canvas.layers.grid_layer import GridLayer
from gui.canvas.layers.light_layer import LightLayer
from gui.canvas.layers.picture_layer import PictureLayer
from gui.canvas.layers.region_layer import RegionLayer
from gui.canvas.layers.wall_layer import WallLayer
from gui.canvas.space import box_to_scene
from gui.pictures import Pictures
from gui.theme import color

_KNOWN = 0.6
"""How strongly walls and doors are drawn over darkness: less than those in full sight."""


class BoardLayers:
    """The board of one View: ground, picture, regions, grid, lights, walls, doors, notes."""

    def __init__(self, grid: Grid, pictures: Pictures) -> None:
        self._pictures = pictures
        self._grid = GridLayer(grid)
        self._regions = RegionLayer(grid)
        self._lights = LightLayer()
        self._picture: PictureLayer | None = None
        self._picture_spec: Picture | None = None
        self._looks: tuple[GridSpec, str, bool] | None = None
        self._background = ""
        self._grid_visible = True
        self.walls = WallLayer()
        self.rect = box_to_scene(grid.bounds)

    def sync(self, view: View) -> list[QRectF]:
        """Take over a View's board; return the scene rectangles that look different."""
        dirty = self._regions.sync(view.regions, view.areas, view.notes)
        dirty += self.walls.sync(view.walls)
        dirty += self._lights.sync(view.lights)
        if self._picture_spec is not view.picture and self._picture_spec != view.picture:
            self._picture = PictureLayer(view.picture, self._pictures) if view.picture else None
            dirty.append(self.everything)
        self._picture_spec = view.picture
        looks = (view.grid, view.background, view.grid_visible)
        if looks != self._looks:
            dirty.append(self.everything)
        self._looks, self._background = looks, view.background
        self._grid_visible = view.grid.visible and view.grid_visible
        return dirty

    @property
    def everything(self) -> QRectF:
        """Return the rectangle that board and picture cover together."""
        margin = 8.0
        both = self.rect.united(self._picture.rect) if self._picture else self.rect
        return both.adjusted(-margin, -margin, margin, margin)

    def paint(self, painter: QPainter, exposure: Exposure) -> None:
        """Draw what is exposed."""
        painter.fillPath(self._grid.outline, color(self._background))
        if self._picture is not None:
            self._picture.paint(painter, exposure)
        self._regions.paint(painter, exposure)
        if self._grid_visible:
            self._grid.paint(painter, exposure)
        self._paint_lights(painter, exposure)
        self._paint_border(painter, exposure)
        self.walls.paint_walls(painter, exposure, on_picture=self._picture is not None)
        self.walls.paint_doors(painter, exposure)
        self._regions.paint_notes(painter, exposure)

    def paint_known(self, painter: QPainter, exposure: Exposure) -> None:
        """Draw the walls and doors that the players know once more, over their darkness.

        Sight ends in the middle of a wall, and its soft edge would swallow the near half as well.
        """
        painter.save()
        painter.setOpacity(_KNOWN)
        self.walls.paint_walls(painter, exposure, on_picture=self._picture is not None)
        self.walls.paint_doors(painter, exposure)
        painter.restore()

    @property
    def outline(self) -> QPainterPath:
        """Return the border of the board."""
        return self._grid.outline

    def _paint_lights(self, painter: QPainter, exposure: Exposure) -> None:
        """Draw the lamps' reach, on the board alone."""
        painter.save()
        painter.setClipPath(self._grid.outline, Qt.ClipOperation.IntersectClip)
        self._lights.paint(painter, exposure)
        painter.restore()

    def _paint_border(self, painter: QPainter, exposure: Exposure) -> None:
        painter.save()
        painter.setPen(pen(exposure.theme.halo, 1, alpha=160))
        painter.drawPath(self._grid.outline)
        painter.restore()
