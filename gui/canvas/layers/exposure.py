"""What a layer must know to paint: which part is exposed, how large cells are, for whom."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QTransform

from gui.canvas.space import SCENE_PER_CELL
from gui.theme import Theme, color, ui_font


@dataclass(frozen=True, slots=True)
class Exposure:
    """One paint: `rect` is the exposed part of the scene.

    `px_per_cell` counts logical pixels, `dpr` device pixels in a logical one. `players` tells
    whose window it is. While the camera is `moving`, speed counts more than smooth lines.
    """

    rect: QRectF
    px_per_cell: float
    dpr: float
    rotation_deg: int
    players: bool
    theme: Theme
    moving: bool = False

    @property
    def px(self) -> float:
        """Return the scene units that one logical pixel covers."""
        return SCENE_PER_CELL / self.px_per_cell

    @property
    def device_px_per_cell(self) -> float:
        """Return the device pixels that one cell is wide."""
        return self.px_per_cell * self.dpr


def pen(
    code: str,
    width_px: float,
    *,
    alpha: int = 255,
    style: Qt.PenStyle = Qt.PenStyle.SolidLine,
    cosmetic: bool = True,
) -> QPen:
    """Return a round pen; a cosmetic one is measured in pixels at any zoom."""
    made = QPen(color(code, alpha), width_px, style)
    made.setCosmetic(cosmetic)
    made.setCapStyle(Qt.PenCapStyle.RoundCap)
    made.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return made


def dashed(code: str, width_px: float, *dashes: float, alpha: int = 255) -> QPen:
    """Return a cosmetic pen with dashes and gaps in pixels."""
    made = pen(code, width_px, alpha=alpha)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    made.setDashPattern([dash / width_px for dash in dashes])
    return made


def write_upright(
    painter: QPainter,
    at: QPointF,
    text: str,
    *,
    font: QFont,
    ink: QColor,
    plate: QColor | None = None,
    dy_px: float = 0.0,
) -> QRectF:
    """Write a text centred on a scene point, upright whatever the rotation, on an own plate.

    Returns the plate's rectangle in device-independent pixels of the viewport.
    """
    middle = painter.worldTransform().map(at)
    metrics = QFontMetricsF(font)
    width, height = metrics.horizontalAdvance(text), metrics.height()
    box = QRectF(middle.x() - width / 2, middle.y() - height / 2 + dy_px, width, height)
    painter.save()
    painter.setWorldTransform(QTransform())
    painter.setFont(font)
    if plate is not None:
        box = box.adjusted(-6, -2, 6, 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(plate))
        painter.drawRoundedRect(box, 5, 5)
    painter.setPen(ink)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
    return box


def label_font(exposure: Exposure, cells: float = 0.24) -> QFont:
    """Return a bold font that grows a little with the map, between 12 and 22 px."""
    return ui_font(int(max(12, min(22, exposure.px_per_cell * cells))), bold=True)
