"""Bakes a token into one pixmap: footprint, ring, face, bars, badges, facing; not its name.

Baked once per look and size bucket; Qt then only copies pixels, which is what makes a thousand
tokens pan and zoom. Nothing is painted here per frame.
"""

from collections import OrderedDict
from math import cos, pi, radians, sin
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetricsF,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
)

from gui.canvas.items.token_look import TokenLook
from gui.theme import RingStyle, Theme, color, side_style, ui_font

BUCKETS = (16, 32, 64, 128, 256)
"""Pixels per cell in which tokens are baked."""
MAX_SIDE_PX = 2048
KEPT_BYTES = 96 * 1024 * 1024

_MARGIN = 0.34
_RING = 0.085
_DETAILED_FROM_PX = 24


class Baked(NamedTuple):
    """A token's pixmap, and where in it (in its pixels) the token's middle is."""

    pixmap: QPixmap
    middle: QPointF
    px_per_cell: float


class TokenBaker:
    """Bakes looks and keeps what it has baked."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._baked: OrderedDict[tuple[TokenLook, int, int], Baked] = OrderedDict()
        self._held = 0

    def bake(self, look: TokenLook, bucket: int, portrait: QImage | None) -> Baked:
        """Return the picture of a look at `bucket` pixels per cell."""
        key = (look, bucket, portrait.cacheKey() if portrait is not None else 0)
        found = self._baked.get(key)
        if found is not None:
            self._baked.move_to_end(key)
            return found
        made = _Bake(look, bucket, self._theme, portrait).picture()
        self._baked[key] = made
        self._held += _bytes(made)
        while self._held > KEPT_BYTES and len(self._baked) > 1:
            _, gone = self._baked.popitem(last=False)
            self._held -= _bytes(gone)
        return made


def bucket_for(device_px_per_cell: float) -> int:
    """Return the smallest bucket that needs no enlarging."""
    return next((each for each in BUCKETS if each >= device_px_per_cell - 0.5), BUCKETS[-1])


def ring_pen(theme: Theme, side: str, width: float, radius: float) -> QPen:
    """Return the pen of a side's ring: solid, or dashed so that the dashes close evenly."""
    style = side_style(theme, side)
    made = QPen(color(style.color), width)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    if style.ring is RingStyle.DASHED and width > 0:
        unit = 2 * pi * radius / 12 / width
        made.setDashPattern([unit * 0.62, unit * 0.38])
    return made


class _Bake:
    """One baking: the painter's units are pixels, the origin is the token's middle."""

    def __init__(self, look: TokenLook, bucket: int, theme: Theme, portrait: QImage | None) -> None:
        self._look = look
        self._theme = theme
        self._portrait = portrait
        turn = radians(look.rotation_deg)
        self._cos, self._sin = round(cos(turn)), round(sin(turn))
        points = [self._turned(p) for ring in look.rings for p in ring]
        disc = self._turned(look.disc_at)
        radius = look.disc_radius
        xs = [x for x, _ in points] + [disc[0] - radius, disc[0] + radius]
        ys = [y for _, y in points] + [disc[1] - radius, disc[1] + radius]
        extent = max(max(xs) - min(xs), max(ys) - min(ys)) + 2 * _MARGIN
        self._unit = min(float(bucket), MAX_SIDE_PX / extent)
        self._box = QRectF(
            (min(xs) - _MARGIN) * self._unit,
            (min(ys) - _MARGIN) * self._unit,
            (max(xs) - min(xs) + 2 * _MARGIN) * self._unit,
            (max(ys) - min(ys) + 2 * _MARGIN) * self._unit,
        ).toAlignedRect()
        self._disc = QPointF(disc[0] * self._unit, disc[1] * self._unit)
        self._radius = radius * self._unit
        self._side = side_style(theme, look.side)

    def picture(self) -> Baked:
        """Paint the whole token."""
        canvas = QImage(self._box.size(), QImage.Format.Format_ARGB32_Premultiplied)
        canvas.fill(Qt.GlobalColor.transparent)
        painter = QPainter(canvas)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.translate(-self._box.x(), -self._box.y())
        if self._look.hidden:
            painter.setOpacity(0.5)
        self._footprint(painter)
        self._face(painter)
        self._ring(painter)
        detailed = self._unit >= _DETAILED_FROM_PX
        if detailed:
            self._bars(painter)
        self._facing(painter)
        if detailed:
            self._badges(painter)
        painter.end()
        used = _used(canvas)
        middle = QPointF(-self._box.x() - used.x(), -self._box.y() - used.y())
        return Baked(QPixmap.fromImage(canvas.copy(used)), middle, self._unit)

    def _turned(self, point: tuple[float, float]) -> tuple[float, float]:
        x, y = point
        return x * self._cos - y * self._sin, x * self._sin + y * self._cos

    def _footprint(self, painter: QPainter) -> None:
        """Outline the covered cells of figures that cover several."""
        if not self._look.many_cells:
            return
        path = QPainterPath()
        for ring in self._look.rings:
            corners = [self._turned(point) for point in ring]
            path.addPolygon(QPolygonF([QPointF(x, y) * self._unit for x, y in corners]))
            path.closeSubpath()
        painter.setBrush(color(self._side.color, 96))
        painter.setPen(QPen(color(self._theme.halo, 150), self._unit * 0.075))
        painter.drawPath(path)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color(self._side.color), self._unit * 0.045))
        painter.drawPath(path)

    def _facing(self, painter: QPainter) -> None:
        """Put a tick on the outermost ring, pointing where the token looks."""
        angle = radians(self._look.facing_deg + self._look.rotation_deg)
        base = self._radius + self._unit * (0.075 if self._look.active else -0.015)
        tip = base + self._unit * 0.17
        half = self._unit * 0.1 / base
        corners = [
            self._disc + QPointF(cos(angle + side), sin(angle + side)) * base
            for side in (-half, half)
        ]
        point = self._disc + QPointF(cos(angle), sin(angle)) * tip
        painter.setPen(QPen(color(self._theme.halo, 200), max(1.0, self._unit * 0.02)))
        painter.setBrush(color(self._side.color))
        painter.drawPolygon(QPolygonF([point, *corners]))

    def _face(self, painter: QPainter) -> None:
        """Fill the disc, with the portrait if there is one."""
        painter.setPen(QPen(color(self._theme.halo, 170), max(1.0, self._unit * 0.025)))
        painter.setBrush(color(self._theme.disc))
        outer = self._radius + self._unit * 0.012
        painter.drawEllipse(self._disc, outer, outer)
        inner = self._radius - self._unit * _RING * 0.6
        if self._portrait is not None and not self._portrait.isNull():
            self._draw_portrait(painter, inner)
        if self._look.down:
            self._cross(painter, inner)

    def _draw_portrait(self, painter: QPainter, inner: float) -> None:
        assert self._portrait is not None
        clip = QPainterPath()
        clip.addEllipse(self._disc, inner, inner)
        side = min(self._portrait.width(), self._portrait.height())
        source = QRectF((self._portrait.width() - side) / 2, 0, side, side)
        target = QRectF(self._disc.x() - inner, self._disc.y() - inner, 2 * inner, 2 * inner)
        painter.save()
        painter.setClipPath(clip)
        painter.drawImage(target, self._portrait, source)
        painter.restore()

    def _cross(self, painter: QPainter, inner: float) -> None:
        """Strike out who is down."""
        reach = inner * 0.62
        for width, ink in (
            (0.13, color(self._theme.halo, 200)),
            (0.06, color(self._theme.foe, 215)),
        ):
            painter.setPen(
                QPen(ink, self._unit * width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            )
            for dx, dy in ((reach, reach), (reach, -reach)):
                painter.drawLine(self._disc - QPointF(dx, dy), self._disc + QPointF(dx, dy))

    def _ring(self, painter: QPainter) -> None:
        width = max(1.5, self._unit * _RING)
        radius = self._radius - width / 2
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(ring_pen(self._theme, self._look.side, width, radius))
        if self._side.ring is RingStyle.DOUBLE:
            painter.setPen(QPen(color(self._side.color), width * 0.4))
            painter.drawEllipse(self._disc, radius - width * 0.4, radius - width * 0.4)
            radius += width * 0.3
        painter.drawEllipse(self._disc, radius, radius)
        if self._side.ring is RingStyle.NOTCHED:
            self._notches(painter, radius, width)
        if self._look.active:
            halo = self._radius + self._unit * 0.065
            painter.setPen(QPen(color(self._theme.halo, 160), self._unit * 0.085))
            painter.drawEllipse(self._disc, halo, halo)
            painter.setPen(QPen(color(self._theme.amber), self._unit * 0.055))
            painter.drawEllipse(self._disc, halo, halo)

    def _notches(self, painter: QPainter, radius: float, width: float) -> None:
        """Cut eight notches into the ring."""
        painter.setPen(QPen(color(self._theme.disc), width * 0.72))
        for part in range(8):
            angle = (part + 0.5) * pi / 4
            way = QPointF(cos(angle), sin(angle))
            painter.drawLine(
                self._disc + way * (radius - width * 0.75),
                self._disc + way * (radius + width * 0.1),
            )

    def _bars(self, painter: QPainter) -> None:
        """Put the bars below the disc: green, amber below a half, red below a quarter."""
        width, height = self._radius * 1.36, max(3.0, self._unit * 0.075)
        top = self._disc.y() + self._radius + self._unit * 0.02
        for filled in self._look.bars:
            whole = QRectF(self._disc.x() - width / 2, top, width, height)
            painter.setPen(QPen(color(self._theme.halo, 220), max(1.0, self._unit * 0.02)))
            painter.setBrush(color(self._theme.halo, 200))
            painter.drawRoundedRect(whole, height / 2, height / 2)
            if filled > 0:
                part = QRectF(whole.topLeft(), whole.size())
                part.setWidth(max(height, width * filled))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._bar_color(filled))
                painter.drawRoundedRect(part, height / 2, height / 2)
            top += height * 1.35

    def _bar_color(self, filled: float) -> QColor:
        theme = self._theme
        code = theme.ok if filled > 0.5 else theme.amber if filled > 0.25 else theme.foe
        return color(code)

    def _badges(self, painter: QPainter) -> None:
        """Put badges around the upper right, the lift to the upper left."""
        size = max(7.0, self._unit * 0.125)
        marks = [(-40 - 42 * i, text) for i, text in enumerate(self._look.badges)]
        if self._look.lift:
            marks.append((-140, self._look.lift))
        for angle, text in marks:
            self._badge(painter, self._on_rim(angle), size, text)
        if self._look.hidden:
            self._hidden_mark(painter, self._on_rim(-180 if self._look.lift else -140), size)

    def _on_rim(self, angle_deg: float) -> QPointF:
        turn = radians(angle_deg)
        return self._disc + QPointF(cos(turn), sin(turn)) * (self._radius + self._unit * 0.03)

    def _hidden_mark(self, painter: QPainter, at: QPointF, size: float) -> None:
        """Draw an eye struck through."""
        painter.setOpacity(1.0)
        painter.setPen(QPen(color(self._theme.mark), max(1.0, self._unit * 0.018)))
        painter.setBrush(color(self._theme.halo, 235))
        painter.drawEllipse(at, size, size)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(at, size * 0.62, size * 0.36)
        painter.setBrush(color(self._theme.mark))
        painter.drawEllipse(at, size * 0.16, size * 0.16)
        reach = QPointF(size * 0.55, -size * 0.55)
        painter.drawLine(at - reach, at + reach)

    def _badge(self, painter: QPainter, at: QPointF, size: float, text: str) -> None:
        font = ui_font(12, bold=True)
        font.setPixelSize(max(6, round(size * 1.25)))
        width = QFontMetricsF(font).horizontalAdvance(text) + size * 0.7
        box = QRectF(0, 0, max(2 * size, width), 2 * size)
        box.moveCenter(at)
        painter.setPen(QPen(color(self._theme.mark), max(1.0, self._unit * 0.018)))
        painter.setBrush(QBrush(color(self._theme.halo, 235)))
        painter.drawRoundedRect(box, size, size)
        painter.setFont(font)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _used(image: QImage) -> QRect:
    """Return the part that is painted, with a pixel of air: each one less is drawn per frame."""
    height, width = image.height(), image.width()
    alpha = np.frombuffer(image.constBits(), np.uint8).reshape(height, width, 4)[:, :, 3]
    rows, columns = np.flatnonzero(alpha.any(axis=1)), np.flatnonzero(alpha.any(axis=0))
    if not len(rows):
        return image.rect()
    left, top = max(0, int(columns[0]) - 1), max(0, int(rows[0]) - 1)
    right, bottom = min(width, int(columns[-1]) + 2), min(height, int(rows[-1]) + 2)
    return QRect(left, top, right - left, bottom - top)


def _bytes(baked: Baked) -> int:
    return baked.pixmap.width() * baked.pixmap.height() * 4
