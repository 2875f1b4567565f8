"""The list of what a plan could be aimed at, possible or not, with *Overrule* beside the latter.

It is the list twin of the marks on the map; it decides nothing.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTreeWidget, QTreeWidgetItem
from typing_extensions import override

from engine.rules.ruleset import TargetOffer
from gui.theme import Theme

NAME, DETAIL, OVERRULE = range(3)
ID = Qt.ItemDataRole.UserRole


class TargetList(QTreeWidget):
    """`picked` and `overruled` carry the id of a target, `pointed` that under the mouse or None."""

    picked = Signal(str)
    overruled = Signal(str)
    pointed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self._shown: tuple[tuple[TargetOffer, ...], bool] = ((), False)
        self._under: str | None = None
        self.setAccessibleName("Targets")
        self.setColumnCount(3)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(20)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(DETAIL, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(OVERRULE, QHeaderView.ResizeMode.ResizeToContents)
        self.itemActivated.connect(lambda item: self.picked.emit(item.data(NAME, ID)))

    def put(self, targets: Sequence[TargetOffer], chosen: str | None, *, armed: bool) -> None:
        """Show these targets; `armed` lets the impossible ones be picked."""
        shown = (tuple(targets), armed)
        if shown != self._shown:
            self._shown = shown
            self.clear()
            self.addTopLevelItems([self._row(target, armed=armed) for target in targets])
        ids = [target.target_id for target in targets]
        row = ids.index(chosen) if chosen in ids else -1
        self.setCurrentIndex(self.model().index(row, NAME))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the target in sight while the forecast takes its room."""
        super().resizeEvent(event)
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def row_of(self, target_id: str) -> QTreeWidgetItem:
        """Return the row of a target; raise KeyError if it is not listed."""
        for number in range(self.topLevelItemCount()):
            item = self.topLevelItem(number)
            if item is not None and item.data(NAME, ID) == target_id:
                return item
        raise KeyError(target_id)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        item = self.itemAt(event.position().toPoint())
        self._point_at(item.data(NAME, ID) if item is not None else None)

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
        if item.text(OVERRULE) and self.columnAt(at.x()) == OVERRULE:
            self.overruled.emit(item.data(NAME, ID))
        elif not item.isDisabled():
            self.picked.emit(item.data(NAME, ID))

    def menu_at(self, place: QPoint) -> QMenu | None:
        """Return the menu of the target under a point, None where it needs none."""
        item = self.itemAt(place)
        if item is None or not item.text(OVERRULE):
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(item.text(DETAIL)).setEnabled(False)
        act = menu.addAction(f"Overrule: {item.text(NAME)}")
        target_id = item.data(NAME, ID)
        act.triggered.connect(lambda: self.overruled.emit(target_id))
        return menu

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.menu_at(event.pos())
        if menu is not None:
            menu.exec(event.globalPos())

    def _row(self, target: TargetOffer, *, armed: bool) -> QTreeWidgetItem:
        words = target.reason.removeprefix(f"{target.label} ") or target.detail
        item = QTreeWidgetItem([target.label, words, "" if target.enabled else "Overrule"])
        item.setData(NAME, ID, target.target_id)
        item.setToolTip(NAME, "\n".join(part for part in (target.detail, target.reason) if part))
        item.setToolTip(DETAIL, target.reason or target.detail)
        quiet = QColor(self.theme.muted)
        item.setForeground(DETAIL, quiet)
        if target.enabled:
            return item
        item.setForeground(OVERRULE, QColor(self.theme.foe))
        item.setToolTip(OVERRULE, "Do it all the same; the log will tell")
        item.setData(
            NAME,
            Qt.ItemDataRole.AccessibleDescriptionRole,
            f"Not possible: {target.reason}",
        )
        if not armed:
            item.setForeground(NAME, quiet)
            item.setDisabled(True)
        return item

    def _point_at(self, target_id: str | None) -> None:
        if target_id != self._under:
            self._under = target_id
            self.pointed.emit(target_id)
