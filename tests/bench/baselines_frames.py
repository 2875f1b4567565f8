"""How the map would be drawn without care: written once, plainly, and left alone.

Every token an item that paints itself, all borders of all cells as lines, the fog one path with
holes; each frame draws all of it.
"""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsScene,
    QGraphicsView,
    QStyleOptionGraphicsItem,
    QWidget,
)

from engine.grid.grid import Grid, Ring
from engine.view import TokenView
from gui.canvas.space import SCENE_PER_CELL


class PaintedToken(QGraphicsItem):
    """A token that paints ring, label and bar each time."""

    def __init__(self, token: TokenView) -> None:
        super().__init__()
        self._token = token
        x, y = token.center
        self.setPos(x * SCENE_PER_CELL, y * SCENE_PER_CELL)

    def boundingRect(self) -> QRectF:
        return QRectF(-34, -34, 68, 74)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor("#e0654f"), 5))
        painter.setBrush(QColor("#15171b"))
        painter.drawEllipse(QPointF(0, 0), 25, 25)
        painter.setPen(QColor("#ece8df"))
        font = QFont()
        font.setPixelSize(18)
        painter.setFont(font)
        painter.drawText(QRectF(-25, -25, 50, 50), Qt.AlignmentFlag.AlignCenter, self._token.label)
        painter.fillRect(QRectF(-18, 28, 36, 5), QColor("#0b0c0e"))
        painter.fillRect(QRectF(-18, 28, 25, 5), QColor("#5cb88a"))


class NaiveBoard(QGraphicsView):
    """Tokens as painting items, all lines of the grid, all fog as one path."""

    def __init__(self, grid: Grid, tokens: Sequence[TokenView], eyes: Sequence[Ring]) -> None:
        self._naive_scene = QGraphicsScene()
        super().__init__(self._naive_scene)
        for token in tokens:
            self._naive_scene.addItem(PaintedToken(token))
        self._lines = [
            QLineF(QPointF(*a) * SCENE_PER_CELL, QPointF(*b) * SCENE_PER_CELL)
            for cell in grid.cells()
            for a, b in pairwise((*grid.polygon(cell), grid.polygon(cell)[0]))
        ]
        self._fog = QPainterPath()
        self._fog.setFillRule(Qt.FillRule.WindingFill)
        for eye in eyes:
            path = QPainterPath(QPointF(*eye[0]) * SCENE_PER_CELL)
            for point in eye[1:]:
                path.lineTo(QPointF(*point) * SCENE_PER_CELL)
            path.closeSubpath()
            self._fog.addPath(path)

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        painter.fillRect(rect, QColor("#000000"))
        painter.fillPath(self._fog, QColor("#3a4a3a"))
        pen = QPen(QColor(0, 0, 0, 90), 1)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawLines(self._lines)
