"""Hints at the lamps for the GM: where they stand and how far they reach."""

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QRadialGradient

from engine.model.light import Light
from gui.canvas.layers.exposure import Exposure, dashed, pen
from gui.canvas.layers.region_layer import changed_keys
from gui.canvas.space import SCENE_PER_CELL, world_to_scene
from gui.theme import color

_LAMP_CELLS = 0.16


class LightLayer:
    """Paints lamps and their reach."""

    def __init__(self) -> None:
        self._lights: Mapping[str, Light] = {}

    def sync(self, lights: Mapping[str, Light]) -> list[QRectF]:
        """Take over the lamps that are there now; return the rectangles that look different."""
        if lights is self._lights:
            return []
        keys = changed_keys(self._lights, lights)
        dirty = [_rect(each[key]) for key in keys for each in (self._lights, lights) if key in each]
        self._lights = lights
        return dirty

    def paint(self, painter: QPainter, exposure: Exposure) -> None:
        """Draw the exposed lamps; the players see what is lit, not the hints."""
        if exposure.players:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for light in self._lights.values():
            if _rect(light).intersects(exposure.rect):
                _paint_light(painter, exposure, light)
        painter.restore()


def _rect(light: Light) -> QRectF:
    at, reach = world_to_scene(light.position), (max(light.dim, light.bright, 1) + 0.2)
    side = reach * SCENE_PER_CELL
    return QRectF(at.x() - side, at.y() - side, 2 * side, 2 * side)


def _paint_light(painter: QPainter, exposure: Exposure, light: Light) -> None:
    theme = exposure.theme
    at = world_to_scene(light.position)
    if light.lit:
        reach = max(light.dim, light.bright) * SCENE_PER_CELL
        if reach > 0:
            glow = QRadialGradient(at, reach)
            glow.setColorAt(0, color(theme.light, 34))
            glow.setColorAt(1, color(theme.light, 0))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(glow)
            painter.drawEllipse(at, reach, reach)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for radius, alpha in ((light.bright, 110), (light.dim, 70)):
            if radius > 0:
                painter.setPen(dashed(theme.light, 1, 4, 5, alpha=alpha))
                painter.drawEllipse(at, radius * SCENE_PER_CELL, radius * SCENE_PER_CELL)
    _paint_lamp(painter, exposure, at, lit=light.lit)


def _paint_lamp(painter: QPainter, exposure: Exposure, at: QPointF, *, lit: bool) -> None:
    theme = exposure.theme
    side = max(4.0 * exposure.px, _LAMP_CELLS * SCENE_PER_CELL)
    painter.setPen(pen(theme.halo, 1.5, alpha=220))
    painter.setBrush(color(theme.light if lit else theme.halo))
    painter.drawEllipse(at, side / 2, side / 2)
    if not lit:
        painter.setPen(pen(theme.light, 1.5))
        painter.drawLine(at - QPointF(side / 2, side / 2), at + QPointF(side / 2, side / 2))
