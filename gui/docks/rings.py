"""The rings that tell sides apart by colour and by shape, small enough for a list."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gui.theme import RingStyle, Theme, side_style

WIDTH = 3.0
ARCS = {RingStyle.NOTCHED: (3, 24), RingStyle.DASHED: (8, 18)}
"""How many pieces a ring has and how many degrees lie between them."""


def draw_ring(painter: QPainter, middle: QPointF, radius: float, side: str, theme: Theme) -> None:
    """Draw a side's ring around the dark face of a token."""
    style = side_style(theme, side)
    place = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.disc))
    painter.drawEllipse(place)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    double = style.ring is RingStyle.DOUBLE
    pen = QPen(QColor(style.color), WIDTH / 2 if double else WIDTH)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    inner = place.adjusted(1.5, 1.5, -1.5, -1.5)
    if style.ring not in ARCS:
        painter.drawEllipse(inner)
        if double:
            painter.drawEllipse(inner.adjusted(WIDTH, WIDTH, -WIDTH, -WIDTH))
        return
    pieces, gap = ARCS[style.ring]
    for number in range(pieces):
        start = 90 + number * 360 / pieces + gap / 2
        # Qt counts arcs in sixteenths of a degree.
        painter.drawArc(inner, int(start * 16), int((360 / pieces - gap) * 16))
