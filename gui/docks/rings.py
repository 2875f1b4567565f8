"""The rings that tell sides apart by colour and by shape, small enough for a list."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from engine.model.token import FOES, PARTY
from gui.theme import Theme


def draw_ring(painter: QPainter, middle: QPointF, radius: float, side: str, theme: Theme) -> None:
    """Draw a side's ring: solid for the party, notched for foes, dashed for the others."""
    place = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
    color = QColor({PARTY: theme.party, FOES: theme.foe}.get(side, theme.muted))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.token_face))
    painter.drawEllipse(place)
    pen = QPen(color, 3)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inner = place.adjusted(1.5, 1.5, -1.5, -1.5)
    if side == PARTY:
        painter.setPen(pen)
        painter.drawEllipse(inner)
        return
    # Arcs count in sixteenths of a degree: three notches for foes, eight dashes for the others.
    pieces, gap = (3, 24) if side == FOES else (8, 18)
    painter.setPen(pen)
    for number in range(pieces):
        start = 90 + number * 360 / pieces + gap / 2
        painter.drawArc(inner, int(start * 16), int((360 / pieces - gap) * 16))
