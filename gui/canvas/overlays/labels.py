"""The names on the tokens: drawn by the view at the size of the screen, never too small to read.

Pictures of tokens are baked for a range of zooms; letters in them would shrink with it.
"""

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPixmap, QTransform

from gui.canvas.layers.exposure import Exposure
from gui.canvas.scene import BoardScene
from gui.canvas.space import SCENE_PER_CELL
from gui.theme import Theme, color, ui_font

SMALLEST_PX = 12
"""Letters smaller than this are left out: the turn list, the sheet and a click tell the name."""
LARGEST_PX = 72
INSIDE = 1.5
"""The width that a label has inside the ring, in radii of the disc."""
ACROSS = 2.36
"""The width that it has across the ring, on a plate of its own."""
_HEIGHT = 0.78
_FAINT = 0.6
_KEPT = 4096
"""More letters than a full map has tokens: a store that is too small by one keeps none of them."""
_MEASURED_PX = 48


@dataclass(frozen=True, slots=True)
class Fit:
    """How a label stands on a disc: its letters' size, and whether it needs a plate."""

    px: int
    plate: bool


@lru_cache(4 * _KEPT)
def fit(text: str, radius: int) -> Fit | None:
    """Return how a label fits onto a disc of that radius in pixels; None if it cannot be read."""
    if not text:
        return None
    want = max(SMALLEST_PX, min(LARGEST_PX, round(radius * _HEIGHT)))
    width = _width(text, want)
    inside = radius * INSIDE
    if width <= inside:
        return Fit(want, plate=False)
    smaller = int(want * inside / width)
    if smaller >= SMALLEST_PX:
        return Fit(smaller, plate=False)
    return Fit(SMALLEST_PX, plate=True) if _width(text, SMALLEST_PX) <= radius * ACROSS else None


@dataclass(frozen=True, slots=True)
class _Letters:
    """A label as a picture, and half its size."""

    pixmap: QPixmap
    across: float
    down: float


def paint_labels(painter: QPainter, exposure: Exposure, board: BoardScene) -> None:
    """Write the names of the exposed tokens that show no portrait, upright at any rotation.

    While a crowd zooms it goes without: its names come back when it rests.
    """
    if board.rough:
        return
    to = painter.worldTransform()
    m11, m12, m21, m22, dx, dy = to.m11(), to.m12(), to.m21(), to.m22(), to.dx(), to.dy()
    left, top, right, bottom = _room(exposure)
    dpr, theme = exposure.dpr, exposure.theme
    known: dict[tuple[str, float], _Letters | None] = {}
    painter.save()
    painter.setWorldTransform(QTransform())
    # A thousand tokens are written per frame: plain numbers, for Qt's points cost more than ink.
    for item in board.token_items.values():
        x, y = item.disc_at
        if not (left < x < right and top < y < bottom):
            continue
        look = item.look
        if look is None or item.pictured:
            continue
        key = look.label, look.disc_radius
        if key not in known:
            found = fit(look.label, round(look.disc_radius * exposure.px_per_cell))
            known[key] = _letters(look.label, found, dpr, theme) if found is not None else None
        letters = known[key]
        if letters is None:
            continue
        # On whole device pixels, or the letters blur.
        place = QPointF(
            round((m11 * x + m21 * y + dx - letters.across) * dpr) / dpr,
            round((m12 * x + m22 * y + dy - letters.down) * dpr) / dpr,
        )
        if look.hidden:
            painter.setOpacity(_FAINT)
        painter.drawPixmap(place, letters.pixmap)
        if look.hidden:
            painter.setOpacity(1.0)
    painter.restore()


def _room(exposure: Exposure) -> tuple[float, float, float, float]:
    """Return between which scene coordinates a label's middle may reach into what is exposed."""
    reach = max(SCENE_PER_CELL, LARGEST_PX * exposure.px)
    rect = exposure.rect.adjusted(-reach, -reach, reach, reach)
    return rect.left(), rect.top(), rect.right(), rect.bottom()


@lru_cache(_KEPT)
def _letters(text: str, found: Fit, dpr: float, theme: Theme) -> _Letters:
    """Return a label ready to be drawn."""
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
    size = pixmap.deviceIndependentSize()
    return _Letters(pixmap, size.width() / 2, size.height() / 2)


def _width(text: str, px: int) -> float:
    """Return how wide a text is at a size; a zoom asks for a thousand of them in each frame."""
    return _measured(text) * px / _MEASURED_PX


@lru_cache(_KEPT)
def _measured(text: str) -> float:
    # Letters of some sizes are hinted to be a little wider than in proportion.
    return 1.04 * QFontMetricsF(_font(_MEASURED_PX)).horizontalAdvance(text)


def _font(px: int) -> QFont:
    return ui_font(px, bold=True)
