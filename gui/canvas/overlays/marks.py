"""Rings around selected tokens, and the GM's pointer: always on top, drawn by the view."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from engine.model.space import Point
from gui.canvas.layers.exposure import Exposure, pen
from gui.canvas.scene import BoardScene
from gui.canvas.space import SCENE_PER_CELL, path_of, world_to_scene
from gui.theme import color


def paint_rings(painter: QPainter, exposure: Exposure, board: BoardScene) -> None:
    """Ring the selected tokens and the one under the pointer."""
    marks = [(each, 255) for each in board.selected]
    if board.hovered is not None and board.hovered not in board.selected:
        marks.append((board.hovered, 120))
    for token_id, alpha in marks:
        item = board.token_items.get(token_id)
        if item is None or item.look is None:
            continue
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.translate(item.pos())
        reach = (item.look.disc_radius + 0.11) * SCENE_PER_CELL
        path = path_of(item.look.rings) if item.look.many_cells else None
        theme = exposure.theme
        for line in (pen(theme.halo, 5, alpha=alpha * 3 // 5), pen(theme.mark, 2, alpha=alpha)):
            painter.setPen(line)
            if path is not None:
                painter.drawPath(path)
            else:
                painter.drawEllipse(world_to_scene(item.look.disc_at), reach, reach)
        painter.restore()


def paint_pointer(painter: QPainter, exposure: Exposure, at: Point) -> None:
    """Show where the GM points."""
    theme, side = exposure.theme, 9 * exposure.px
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen(theme.halo, 4, alpha=180))
    painter.setBrush(color(theme.amber))
    painter.drawEllipse(world_to_scene(at), side, side)
    painter.restore()
