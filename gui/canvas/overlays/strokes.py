"""What previews are drawn with: lines with a dark edge, dots, arrow heads, words on plates."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPolygonF

from engine.grid.grid import Grid
from engine.model.space import Point
from engine.view import View
from gui.canvas.layers.exposure import Exposure, dashed, label_font, pen, write_upright
from gui.canvas.overlays.overlay import Tone
from gui.canvas.scene import BoardScene
from gui.canvas.space import SCENE_PER_CELL, world_to_scene
from gui.theme import Theme, color


@dataclass(frozen=True, slots=True)
class Canvas:
    """What a preview is drawn on."""

    painter: QPainter
    exposure: Exposure
    scene: BoardScene

    @property
    def theme(self) -> Theme:
        """Return the theme."""
        return self.exposure.theme

    @property
    def grid(self) -> Grid:
        """Return the board's grid; previews are only drawn where there is a board."""
        assert self.scene.grid is not None
        return self.scene.grid

    @property
    def view(self) -> View:
        """Return what the scene shows."""
        assert self.scene.view is not None
        return self.scene.view


def tone_color(theme: Theme, tone: Tone) -> str:
    """Return the colour of a tone."""
    return {
        Tone.NOW: theme.amber,
        Tone.GOOD: theme.ok,
        Tone.BAD: theme.foe,
        Tone.PARTY: theme.party,
        Tone.FOE: theme.foe,
        Tone.QUIET: theme.muted,
    }[tone]


def polyline(points: Sequence[Point], *, closed: bool = False) -> QPainterPath:
    """Return world points as a scene path."""
    path = QPainterPath(world_to_scene(points[0]))
    for point in points[1:]:
        path.lineTo(world_to_scene(point))
    if closed:
        path.closeSubpath()
    return path


def stroke(canvas: Canvas, path: QPainterPath, code: str, width_px: float) -> None:
    """Draw a line with a dark edge, so that it reads on any picture."""
    canvas.painter.setBrush(Qt.BrushStyle.NoBrush)
    canvas.painter.setPen(pen(canvas.theme.halo, width_px + 2.5, alpha=150))
    canvas.painter.drawPath(path)
    canvas.painter.setPen(pen(code, width_px))
    canvas.painter.drawPath(path)


def stroke_dashed(canvas: Canvas, path: QPainterPath, code: str, width_px: float) -> None:
    """Draw a dashed line with a dark edge."""
    canvas.painter.setBrush(Qt.BrushStyle.NoBrush)
    canvas.painter.setPen(pen(canvas.theme.halo, width_px + 2.5, alpha=110))
    canvas.painter.drawPath(path)
    canvas.painter.setPen(dashed(code, width_px, 7, 5))
    canvas.painter.drawPath(path)


def dot(canvas: Canvas, at: Point, code: str, radius_px: float) -> None:
    """Mark a world point."""
    canvas.painter.setPen(pen(canvas.theme.halo, 1.5, alpha=200))
    canvas.painter.setBrush(color(code))
    side = radius_px * canvas.exposure.px
    canvas.painter.drawEllipse(world_to_scene(at), side, side)


def words_width_px(canvas: Canvas, text: str) -> float:
    """Return how wide a text would be on the screen."""
    return QFontMetricsF(label_font(canvas.exposure)).horizontalAdvance(text)


def words(canvas: Canvas, at: Point, text: str, *, code: str = "", dy_px: float = 0.0) -> None:
    """Write a text on a plate at a world point."""
    theme = canvas.theme
    write_upright(
        canvas.painter,
        world_to_scene(at),
        text,
        font=label_font(canvas.exposure),
        ink=color(code or theme.text),
        plate=color(theme.ground, 225),
        dy_px=dy_px,
    )


def arrow_head(canvas: Canvas, before: Point, tip: Point, code: str) -> None:
    """End a line with an arrow."""
    dx, dy = tip[0] - before[0], tip[1] - before[1]
    length = hypot(dx, dy)
    if length < 1e-9:
        return
    back = 11 * canvas.exposure.px / SCENE_PER_CELL
    ux, uy = dx / length * back, dy / length * back
    corners = (
        tip,
        (tip[0] - ux - uy * 0.5, tip[1] - uy + ux * 0.5),
        (tip[0] - ux + uy * 0.5, tip[1] - uy - ux * 0.5),
    )
    canvas.painter.setPen(pen(canvas.theme.halo, 1, alpha=180))
    canvas.painter.setBrush(color(code))
    canvas.painter.drawPolygon(QPolygonF([world_to_scene(corner) for corner in corners]))
