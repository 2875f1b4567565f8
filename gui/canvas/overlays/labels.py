"""The names on the tokens: drawn by the view at the size of the screen, never too small to read.

Pictures of tokens are baked for a range of zooms; letters in them would shrink with it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPixmap, QTransform

from gui.canvas.items.token_item import TokenItem
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
_DROPPED_PX = 8
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


class _Look(NamedTuple):
    """What letters and their places depend on beside the zoom."""

    dpr: float
    rotation_deg: int
    theme: Theme


class _Mark(NamedTuple):
    """A name for one token: where its middle is, and its upper left corner.

    Both in pixels of the size for which the letters were written, from the scene's origin.
    """

    x: float
    y: float
    letters: _Letters
    corner: QPointF
    faint: bool


class Labels:
    """The names on one view's tokens.

    While a crowd zooms they grow and shrink with the map, as the tokens do, and are written anew
    when it rests: a thousand names in letters of another size would be more than a frame.
    """

    def __init__(self) -> None:
        self._px_per_cell = 0.0
        self._look: _Look | None = None
        self._to_px = (1.0, 0.0, 0.0, 1.0)
        self._discs = -1
        self._written: dict[tuple[str, float], _Letters | None] = {}
        self._marks: dict[int, _Mark | None] = {}

    def paint(self, painter: QPainter, exposure: Exposure, board: BoardScene) -> None:
        """Write the names of the exposed tokens that show no portrait, upright at any rotation."""
        look = self._keep_for(painter.worldTransform(), exposure, board)
        reach = max(SCENE_PER_CELL, LARGEST_PX * exposure.px)
        discs, known = board.discs, self._marks
        numbers = discs.within(exposure.rect.adjusted(-reach, -reach, reach, reach))
        for each in numbers:
            if each not in known:
                known[each] = self._mark(discs.items[each], look)
        marks = [mark for each in numbers if (mark := known[each]) is not None]
        share = exposure.px_per_cell / self._px_per_cell
        painter.save()
        if share == 1:
            _write_sharply(painter, marks, look.dpr)
        else:
            _write_scaled(painter, marks, share)
        painter.restore()

    def _keep_for(self, to: QTransform, exposure: Exposure, board: BoardScene) -> _Look:
        """Forget letters of another size, unless they are to be scaled, and marks out of place."""
        look = _Look(exposure.dpr, exposure.rotation_deg, exposure.theme)
        scaled = board.rough or exposure.px_per_cell == self._px_per_cell
        if look != self._look or not scaled:
            self._look, self._px_per_cell = look, exposure.px_per_cell
            self._to_px = to.m11(), to.m12(), to.m21(), to.m22()
            self._written, self._marks = {}, {}
        discs = board.discs
        if discs.before == self._discs:
            for number in discs.changed:
                self._marks.pop(number, None)
        elif discs.serial != self._discs:
            self._marks = {}
        self._discs = discs.serial
        return look

    def _mark(self, item: TokenItem, look: _Look) -> _Mark | None:
        """Return a token's name; None where there is none to be read."""
        token = item.look
        if token is None or item.pictured:
            return None
        key = token.label, token.disc_radius
        if key not in self._written:
            found = fit(token.label, round(token.disc_radius * self._px_per_cell))
            self._written[key] = (
                _letters(token.label, found, look.dpr, look.theme) if found else None
            )
        letters = self._written[key]
        if letters is None:
            return None
        (x, y), (m11, m12, m21, m22) = item.disc_at, self._to_px
        x, y = m11 * x + m21 * y, m12 * x + m22 * y
        corner = QPointF(x - letters.across, y - letters.down)
        return _Mark(x, y, letters, corner, token.hidden)


def _write_sharply(painter: QPainter, marks: Iterable[_Mark], dpr: float) -> None:
    """Write each name on whole device pixels, or its letters blur."""
    to = painter.worldTransform()
    dx, dy = to.dx(), to.dy()
    painter.setWorldTransform(QTransform())
    for x, y, letters, _, faint in marks:
        left = round((x + dx - letters.across) * dpr) / dpr
        top = round((y + dy - letters.down) * dpr) / dpr
        if faint:
            painter.setOpacity(_FAINT)
        painter.drawPixmap(QPointF(left, top), letters.pixmap)
        if faint:
            painter.setOpacity(1.0)


def _write_scaled(painter: QPainter, marks: Iterable[_Mark], share: float) -> None:
    """Write all through one transform: where no point is computed, a thousand names take 1 ms."""
    to = painter.worldTransform()
    painter.setWorldTransform(QTransform(share, 0, 0, share, to.dx(), to.dy()))
    for _, _, letters, corner, faint in marks:
        if letters.px * share < _DROPPED_PX:
            continue
        if faint:
            painter.setOpacity(_FAINT)
        painter.drawPixmap(corner, letters.pixmap)
        if faint:
            painter.setOpacity(1.0)


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
