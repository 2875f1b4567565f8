"""The names on the tokens: drawn by the view at the size of the screen, never too small to read.

Pictures of tokens are baked for a range of zooms; letters in them would shrink with it.
"""

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPixmap, QTransform

from gui.canvas.layers.exposure import Exposure
from gui.canvas.scene import BoardScene
from gui.canvas.space import world_to_scene
from gui.theme import Theme, color, ui_font

SMALLEST_PX = 12
"""Letters smaller than this are left out: the turn list, the sheet and a click tell the name."""
LARGEST_PX = 72
INSIDE = 1.5
"""The width that a label has inside the ring, in radii of the disc."""
ACROSS = 2.16
"""The width that it has across the ring, on a plate of its own."""
_HEIGHT = 0.78
_FAINT = 0.6
_KEPT = 600


@dataclass(frozen=True, slots=True)
class Fit:
    """How a label stands on a disc: its letters' size, and whether it needs a plate."""

    px: int
    plate: bool


@lru_cache(_KEPT)
def fit(text: str, radius: int) -> Fit | None:
    """Return how a label fits onto a disc of that radius in pixels; None if it cannot be read."""
    want = max(SMALLEST_PX, min(LARGEST_PX, round(radius * _HEIGHT)))
    width = _width(text, want)
    inside = radius * INSIDE
    if width <= inside:
        return Fit(want, plate=False)
    smaller = int(want * inside / width)
    if smaller >= SMALLEST_PX:
        return Fit(smaller, plate=False)
    return Fit(SMALLEST_PX, plate=True) if _width(text, SMALLEST_PX) <= radius * ACROSS else None


def paint_labels(painter: QPainter, exposure: Exposure, board: BoardScene) -> None:
    """Write the names of the exposed tokens that show no portrait, upright at any rotation."""
    to_viewport = painter.worldTransform()
    painter.save()
    painter.setWorldTransform(QTransform())
    for item in board.token_items.values():
        look = item.look
        if look is None or item.pictured or not look.label:
            continue
        found = fit(look.label, round(look.disc_radius * exposure.px_per_cell))
        if found is None or not item.sceneBoundingRect().intersects(exposure.rect):
            continue
        middle = to_viewport.map(item.pos() + world_to_scene(look.disc_at))
        pixmap = _letters(look.label, found, exposure.dpr, exposure.theme)
        size = pixmap.deviceIndependentSize()
        painter.setOpacity(_FAINT if look.hidden else 1.0)
        # On whole device pixels, or the letters blur.
        left = round((middle.x() - size.width() / 2) * exposure.dpr) / exposure.dpr
        top = round((middle.y() - size.height() / 2) * exposure.dpr) / exposure.dpr
        painter.drawPixmap(QPointF(left, top), pixmap)
    painter.restore()


@lru_cache(_KEPT)
def _letters(text: str, found: Fit, dpr: float, theme: Theme) -> QPixmap:
    """Return a label as a picture: a crowd of tokens is written as fast as it is drawn."""
    font = _font(found.px)
    metrics = QFontMetricsF(font)
    width, height = metrics.horizontalAdvance(text) + 4, metrics.height()
    pixmap = QPixmap(round(width * dpr), round(height * dpr))
    pixmap.setDevicePixelRatio(dpr)
    pixmap.fill(Qt.GlobalColor.transparent)
    box = QRectF(0, 0, width, height)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if found.plate:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(theme.disc, 225))
        painter.drawRoundedRect(box.adjusted(0, 1, 0, -1), 4, 4)
    painter.setFont(font)
    painter.setPen(color(theme.disc_text))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.end()
    return pixmap


def _width(text: str, px: int) -> float:
    return QFontMetricsF(_font(px)).horizontalAdvance(text)


def _font(px: int) -> QFont:
    return ui_font(px, bold=True)
