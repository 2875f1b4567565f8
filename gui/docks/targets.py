"""The list of what a plan could be aimed at, possible or not, with *Overrule* beside the latter.

It is the list twin of the marks on the map; it decides nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)
from typing_extensions import override

from engine.rules.ruleset import TargetOffer
from gui.docks.histogram import percent
from gui.docks.rings import draw_ring
from gui.theme import Theme

ROW = Qt.ItemDataRole.UserRole
OVERRULE = "Overrule"
LINE = 28
"""How high the first line of a row is."""
LEFT, RIGHT, GAP = 34, 8, 10
RADIUS = 9

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class TargetRow:
    """One line: what could be aimed at, its side if it is a token, and the chance against it."""

    offer: TargetOffer
    side: str = ""
    chance: Fraction | None = None

    @property
    def reason(self) -> str:
        """Return why not, without the name that stands above it."""
        return self.offer.reason.removeprefix(f"{self.offer.label} ")

    @property
    def facts(self) -> str:
        """Return what tells it from others, and the chance."""
        whole = self.chance is None or (100 * self.chance).denominator == 1
        chance = "" if self.chance is None else percent(self.chance, fine=not whole)
        return " · ".join(each for each in (self.offer.detail, chance) if each)

    @property
    def spoken(self) -> str:
        """Return the line for those who hear it."""
        against = f"not possible: {self.offer.reason}" if self.offer.reason else ""
        said = (self.offer.label, self.side, self.facts, against)
        return ", ".join(each for each in said if each)


class TargetDelegate(QStyledItemDelegate):
    """Draws a row: ring, name, facts; below it, whole, the reason against it."""

    def __init__(self, theme: Theme, parent: "TargetList") -> None:
        super().__init__(parent)
        self.theme = theme
        self._list = parent

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._list.viewport().width()
        return QSize(width, LINE + self._reason_height(index.data(ROW), width))

    def overrule_place(self, row: QRect) -> QRect:
        """Return where in a row's rectangle *Overrule* stands."""
        width = QFontMetrics(self._small()).horizontalAdvance(OVERRULE) + 2 * RIGHT
        return QRect(row.right() - width, row.top(), width, LINE)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: TargetRow = index.data(ROW)
        place: QRect = option.rect
        state: QStyle.StateFlag = option.state
        theme, possible = self.theme, row.offer.enabled
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.raised))
            painter.drawRoundedRect(place.adjusted(0, 1, 0, -1), 6, 6)
        if row.side:
            painter.setOpacity(1.0 if possible else 0.6)
            middle = QPointF(place.left() + 16, place.top() + LINE / 2)
            draw_ring(painter, middle, RADIUS, row.side, theme)
            painter.setOpacity(1.0)
        line = QRect(place.left() + LEFT, place.top(), place.width() - LEFT - RIGHT, LINE)
        right, middle_line = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter
        small = self._small()
        painter.setFont(small)
        painter.setPen(QColor(theme.muted))
        facts = row.facts if possible else OVERRULE
        painter.drawText(line, right | middle_line, facts)
        room = line.width() - QFontMetrics(small).horizontalAdvance(facts) - GAP
        painter.setFont(self._list.font())
        painter.setPen(QColor(theme.text if self._list.takes(row) else theme.muted))
        dots = Qt.TextElideMode.ElideRight
        name = self._list.fontMetrics().elidedText(row.offer.label, dots, room)
        painter.drawText(line, middle_line, name)
        if row.reason:
            painter.setFont(small)
            painter.setPen(QColor(theme.muted))
            painter.drawText(self._below(place), Qt.TextFlag.TextWordWrap, row.reason)
        painter.restore()

    def _below(self, place: QRect) -> QRect:
        return place.adjusted(LEFT, LINE - 4, -RIGHT, 0)

    def _reason_height(self, row: TargetRow, width: int) -> int:
        if not row.reason:
            return 0
        room = QRect(0, 0, width - LEFT - RIGHT, 1000)
        flags = Qt.TextFlag.TextWordWrap
        return QFontMetrics(self._small()).boundingRect(room, flags, row.reason).height() + 4

    def _small(self) -> QFont:
        small = QFont(self._list.font())
        small.setPixelSize(12)
        return small


class TargetList(QListWidget):
    """`picked` and `overruled` carry the id of a target, `pointed` that under the mouse or None."""

    picked = Signal(str)
    overruled = Signal(str)
    pointed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._shown: tuple[tuple[TargetRow, ...], bool] = ((), False)
        self._under: str | None = None
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(0)
        self._settled.timeout.connect(self._show_current)
        self.delegate = TargetDelegate(theme, self)
        self.setItemDelegate(self.delegate)
        self.setAccessibleName("Targets")
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.setAutoScroll(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemActivated.connect(lambda item: self.picked.emit(_id_of(item)))

    def set_theme(self, theme: Theme) -> None:
        """Take other colours."""
        self.delegate.theme = theme

    def put(self, rows: Sequence[TargetRow], chosen: str | None, *, armed: bool) -> None:
        """Show these targets; `armed` lets the impossible ones be picked."""
        shown = (tuple(rows), armed)
        if shown != self._shown:
            self._shown = shown
            self.clear()
            for row in rows:
                self.addItem(self._item(row))
            self.scrollToTop()
        ids = [row.offer.target_id for row in rows]
        self.setCurrentRow(ids.index(chosen) if chosen in ids else -1)
        self._settled.start()

    def takes(self, row: TargetRow) -> bool:
        """Tell whether a row may be picked now."""
        return row.offer.enabled or self._shown[1]

    def row_of(self, target_id: str) -> TargetRow:
        """Return the row of a target; raise KeyError if it is not listed."""
        row: TargetRow = self._item_of(target_id).data(ROW)
        return row

    def place_of(self, target_id: str) -> QRect:
        """Return where the row of a target stands, after scrolling to it."""
        item = self._item_of(target_id)
        self.scrollToItem(item)
        return self.visualItemRect(item)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the target in sight while the forecast takes its room."""
        super().resizeEvent(event)
        # Not at once: while the docks share their room, a list is very small for a moment.
        self._settled.start()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        item = self.itemAt(event.position().toPoint())
        self._point_at(_id_of(item) if item is not None else None)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at(None)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take a click; a disabled row has no signals of its own for its Overrule."""
        super().mouseReleaseEvent(event)
        at = event.position().toPoint()
        item = self.itemAt(at)
        if item is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        row: TargetRow = item.data(ROW)
        overrule = self.delegate.overrule_place(self.visualItemRect(item))
        if not row.offer.enabled and overrule.contains(at):
            self.overruled.emit(row.offer.target_id)
        elif self.takes(row):
            self.picked.emit(row.offer.target_id)

    def menu_at(self, place: QPoint) -> QMenu | None:
        """Return the menu of the target under a point, None where it needs none."""
        item = self.itemAt(place)
        row: TargetRow | None = item.data(ROW) if item is not None else None
        if row is None or row.offer.enabled:
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(row.offer.reason).setEnabled(False)
        act = menu.addAction(f"{OVERRULE}: {row.offer.label}")
        target_id = row.offer.target_id
        act.triggered.connect(lambda: self.overruled.emit(target_id))
        return menu

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.menu_at(event.pos())
        if menu is not None:
            menu.exec(event.globalPos())

    def _show_current(self) -> None:
        if self.currentItem() is not None:
            self.scrollToItem(self.currentItem())

    def _item_of(self, target_id: str) -> QListWidgetItem:
        for number in range(self.count()):
            item = self.item(number)
            if _id_of(item) == target_id:
                return item
        raise KeyError(target_id)

    def _item(self, row: TargetRow) -> QListWidgetItem:
        item = QListWidgetItem(row.offer.label)
        item.setData(ROW, row)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, row.spoken)
        item.setToolTip("\n".join(each for each in (row.facts, row.offer.reason) if each))
        if not self.takes(row):
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
        return item

    def _point_at(self, target_id: str | None) -> None:
        if target_id != self._under:
            self._under = target_id
            self.pointed.emit(target_id)


def _id_of(item: QListWidgetItem) -> str:
    row: TargetRow = item.data(ROW)
    return row.offer.target_id
