"""How one line of the turn list is drawn: ring, name, detail, badge, bar."""

from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from gui.docks.rings import draw_ring
from gui.theme import Theme

HEIGHT = 40
APART = 12
"""What stands between a name and what is said of it, or they take two lines."""
ROW = Qt.ItemDataRole.UserRole
BAR_WIDTH, BAR_HEIGHT = 30, 6
BADGE_HEIGHT = 18


def bar_color(theme: Theme, value: int, maximum: int) -> QColor:
    """Return green, amber or red by what is left."""
    if value * 2 > maximum:
        return QColor(theme.ok)
    return QColor(theme.amber if value * 4 > maximum else theme.foe)


def draw_bar(painter: QPainter, place: QRectF, value: int, maximum: int, theme: Theme) -> None:
    """Draw a bar that is as full as the value."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.ground))
    radius = place.height() / 2
    painter.drawRoundedRect(place, radius, radius)
    part = max(0.0, min(1.0, value / maximum)) if maximum > 0 else 0.0
    if part:
        full = QRectF(
            place.left(), place.top(), max(place.height(), place.width() * part), place.height()
        )
        painter.setBrush(bar_color(theme, value, maximum))
        painter.drawRoundedRect(full, radius, radius)


class TurnDelegate(QStyledItemDelegate):
    """Draws a `Row`; everything it shows can also be read from the item's accessible text."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = theme

    @override
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(200, max(HEIGHT, QFontMetrics(_font(option)).height() + 18))

    @override
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        theme = self.theme
        row = index.data(ROW)
        place = QRectF(_rect(option)).adjusted(1, 2, -1, -2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._back(painter, place, option, row, theme)
        painter.setOpacity(0.55 if row.done or row.hidden else 1.0)
        middle = place.center().y()
        draw_ring(painter, QPointF(place.left() + 19, middle), 12, row.side, theme)
        right = place.right() - 8
        if row.bar is not None:
            right -= BAR_WIDTH
            bar = QRectF(right, middle - BAR_HEIGHT / 2, BAR_WIDTH, BAR_HEIGHT)
            draw_bar(painter, bar, row.bar.value, row.bar.maximum, theme)
            right -= 8
        font = _font(option)
        if row.badge:
            right = self._badge(painter, row.badge, QPointF(right, middle), font, theme)
        left = place.left() + 40
        self._words(
            painter, row, QRectF(left, place.top(), right - left, place.height()), font, theme
        )
        painter.restore()

    def _back(
        self, painter: QPainter, place: QRectF, option: QStyleOptionViewItem, row: Any, theme: Theme
    ) -> None:
        state = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.setPen(
            QPen(QColor(theme.amber), 1) if row.may_act and selected else Qt.PenStyle.NoPen
        )
        painter.setBrush(QColor(theme.raised if selected or hovered else theme.panel))
        painter.drawRoundedRect(place, 8, 8)
        if row.may_act and not selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.amber))
            painter.drawRoundedRect(
                QRectF(place.left(), place.top() + 8, 3, place.height() - 16), 1.5, 1.5
            )

    def _badge(
        self, painter: QPainter, text: str, end: QPointF, font: QFont, theme: Theme
    ) -> float:
        """Draw a pill that ends at a point; return where it begins."""
        small = QFont(font)
        small.setPixelSize(12)
        width = QFontMetrics(small).horizontalAdvance(text) + 16
        place = QRectF(end.x() - width, end.y() - BADGE_HEIGHT / 2, width, BADGE_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.line))
        painter.drawRoundedRect(place, BADGE_HEIGHT / 2, BADGE_HEIGHT / 2)
        painter.setPen(QColor(theme.text))
        painter.setFont(small)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        return end.x() - width - 8

    def _words(self, painter: QPainter, row: Any, place: QRectF, font: QFont, theme: Theme) -> None:
        bold = QFont(font)
        bold.setBold(row.may_act)
        small = QFont(font)
        small.setPixelSize(12)
        wanted = QFontMetrics(small).horizontalAdvance(row.detail)
        own = QFontMetrics(bold).horizontalAdvance(row.name)
        beside, below = place, place
        if row.detail and own + wanted + APART > place.width():
            half = place.height() / 2
            beside, below = place.adjusted(0, 2, 0, -half + 2), place.adjusted(0, half - 2, 0, -2)
        align = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(bold)
        painter.setPen(QColor(theme.text))
        _write(painter, beside, row.name, align | Qt.AlignmentFlag.AlignLeft)
        side = Qt.AlignmentFlag.AlignRight if below is place else Qt.AlignmentFlag.AlignLeft
        painter.setFont(small)
        painter.setPen(QColor(theme.muted))
        _write(painter, below, row.detail, align | side)


def _write(painter: QPainter, place: QRectF, text: str, align: Qt.AlignmentFlag) -> None:
    room, dots = int(place.width()) + 1, Qt.TextElideMode.ElideRight
    painter.drawText(place, align, painter.fontMetrics().elidedText(text, dots, room))


def _font(option: QStyleOptionViewItem) -> QFont:
    return option.font


def _rect(option: QStyleOptionViewItem) -> Any:
    return option.rect
