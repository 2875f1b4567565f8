"""Hints at the lamps for the GM: where they stand and how far they reach."""

from collections.abc import Mapping
from math import cos, pi, sin

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QRadialGradient

from engine.model.light import Light
from gui.canvas.layers.exposure import Exposure, dashed, pen
from gui.canvas.layers.region_layer import changed_keys
from gui.canvas.space import SCENE_PER_CELL, world_to_scene
from gui.theme import color

_LAMP_CELLS = 0.34
_LAMP_PX = (15, 30)
"""A lamp is this large at least and at most, in pixels."""
_RAYS = 8


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
    # A lamp keeps its size on the screen, so that far away it covers some cells.
    at, reach = world_to_scene(light.position), (max(light.dim, light.bright, 4) + 0.2)
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
    """Draw a small sun; one that is out is hollow and struck through."""
    theme = exposure.theme
    least, most = (each * exposure.px for each in _LAMP_PX)
    radius = max(least, min(most, _LAMP_CELLS * SCENE_PER_CELL)) / 2
    rays = QPainterPath()
    for number in range(_RAYS):
        way = QPointF(cos(number * 2 * pi / _RAYS), sin(number * 2 * pi / _RAYS)) * radius
        rays.moveTo(at + way * 0.68)
        rays.lineTo(at + way)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for line in (pen(theme.halo, 4, alpha=200), pen(theme.light, 1.75)):
        painter.setPen(line)
        painter.drawPath(rays)
    painter.setPen(pen(theme.halo, 1.5, alpha=220) if lit else pen(theme.light, 1.5))
    painter.setBrush(color(theme.light if lit else theme.halo))
    painter.drawEllipse(at, radius * 0.5, radius * 0.5)
    if not lit:
        reach = QPointF(radius, -radius) * 0.8
        painter.drawLine(at - reach, at + reach)
