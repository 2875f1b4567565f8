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
_DROPPED_PX = 7
"""Letters that a zoom makes smaller than this are no letters any more."""
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
    """A label as a picture, half its size, and how large its letters are."""

    pixmap: QPixmap
    across: float
    down: float
    px: int


class Labels:
    """The names on one view's tokens.

    While a crowd zooms they grow and shrink with the map, as the tokens do, and are written anew
    when it rests: a thousand names in letters of another size would be the whole frame.
    """

    def __init__(self) -> None:
        self._px_per_cell = 0.0
        self._dpr = 0.0
        self._theme: Theme | None = None
        self._written: dict[tuple[str, float], _Letters | None] = {}

    def paint(self, painter: QPainter, exposure: Exposure, board: BoardScene) -> None:
        """Write the names of the exposed tokens that show no portrait, upright at any rotation."""
        self._keep_for(exposure, zooming=board.rough)
        share = exposure.px_per_cell / self._px_per_cell
        reach = max(SCENE_PER_CELL, LARGEST_PX * exposure.px)
        items, at = board.tokens_in(exposure.rect.adjusted(-reach, -reach, reach, reach))
        dpr, to = exposure.dpr, painter.worldTransform()
        xs = (to.m11() * at[:, 0] + to.m21() * at[:, 1] + to.dx()) / share
        ys = (to.m12() * at[:, 0] + to.m22() * at[:, 1] + to.dy()) / share
        written = self._written
        painter.save()
        painter.setWorldTransform(QTransform.fromScale(share, share))
        # A thousand names are written per frame: plain numbers, for Qt's points cost more than ink.
        for item, x, y in zip(items, xs.tolist(), ys.tolist(), strict=True):
            look = item.look
            if look is None or item.pictured:
                continue
            key = look.label, look.disc_radius
            letters = written[key] if key in written else self._write(*key)
            if letters is None or letters.px * share < _DROPPED_PX:
                continue
            left, top = x - letters.across, y - letters.down
            if share == 1:
                # On whole device pixels, or the letters blur.
                left, top = round(left * dpr) / dpr, round(top * dpr) / dpr
            if look.hidden:
                painter.setOpacity(_FAINT)
            painter.drawPixmap(QPointF(left, top), letters.pixmap)
            if look.hidden:
                painter.setOpacity(1.0)
        painter.restore()

    def _keep_for(self, exposure: Exposure, *, zooming: bool) -> None:
        """Forget the letters of another size, unless they are to be scaled, or another look."""
        px_per_cell, dpr, theme = exposure.px_per_cell, exposure.dpr, exposure.theme
        same = self._theme is theme and self._dpr == dpr
        if same and (zooming or self._px_per_cell == px_per_cell):
            return
        self._px_per_cell, self._dpr, self._theme = px_per_cell, dpr, theme
        self._written = {}

    def _write(self, label: str, disc_radius: float) -> _Letters | None:
        """Return a label in letters that fit; None if it cannot be read."""
        assert self._theme is not None
        found = fit(label, round(disc_radius * self._px_per_cell))
        made = _letters(label, found, self._dpr, self._theme) if found is not None else None
        self._written[label, disc_radius] = made
        return made


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
    return _Letters(pixmap, size.width() / 2, size.height() / 2, found.px)


def _width(text: str, px: int) -> float:
    """Return how wide a text is at a size; a zoom asks for a thousand of them in each frame."""
    return _measured(text) * px / _MEASURED_PX


@lru_cache(_KEPT)
def _measured(text: str) -> float:
    # Letters of some sizes are hinted to be a little wider than in proportion.
    return 1.04 * QFontMetricsF(_font(_MEASURED_PX)).horizontalAdvance(text)


def _font(px: int) -> QFont:
    return ui_font(px, bold=True)
