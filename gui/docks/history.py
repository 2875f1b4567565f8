"""The history dock: every record on every branch; a click goes there."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QAbstractItemView, QListView
from typing_extensions import override

from engine.storage.document import RecordSummary
from gui.docks.panel import Panel
from gui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
START = RecordSummary(0, 0, 0, "As it was created", "")


class HistoryModel(QAbstractListModel):
    """The records, oldest first, with where we are and what was taken back."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self._records: tuple[RecordSummary, ...] = ()
        self._line: frozenset[int] = frozenset()
        self._head = 0

    def put(self, records: Sequence[RecordSummary], line: Sequence[int], head: int) -> None:
        """Show these records; `line` are those that led to `head`."""
        wanted = (START, *records)
        grows = len(wanted) > len(self._records) and wanted[: len(self._records)] == self._records
        if wanted == self._records:
            pass
        elif grows and self._records:
            self.beginInsertRows(NOWHERE, len(self._records), len(wanted) - 1)
            self._records = wanted
            self.endInsertRows()
        else:
            self.beginResetModel()
            self._records = wanted
            self.endResetModel()
        self._line, self._head = frozenset((0, *line)), head
        if self._records:
            self.dataChanged.emit(self.index(0), self.index(len(self._records) - 1))

    def record_at(self, index: Index) -> RecordSummary:
        """Return the record of a row."""
        return self._records[index.row()]

    def row_of(self, record_id: int) -> int:
        """Return the row of a record."""
        return next((n for n, each in enumerate(self._records) if each.id == record_id), -1)

    @override
    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._records)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        record = self.record_at(index)
        here, there = record.id == self._head, record.id in self._line
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{'● ' if here else ''}{record.label}{_time(record.at)}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = "here" if here else "done" if there else "taken back"
            return f"{record.label}, {state}"
        if role == Qt.ItemDataRole.ForegroundRole:
            color = self.theme.amber if here else self.theme.text if there else self.theme.muted
            return QColor(color)
        if role == Qt.ItemDataRole.FontRole:
            font = QFont()
            font.setBold(here)
            font.setItalic(not there)
            return font
        return None


class HistoryDock(Panel):
    """`asked` carries the record to go to."""

    asked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__("history", "History")
        self.model = HistoryModel(theme)
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setAccessibleName("History")
        self.list.setUniformItemSizes(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.activated.connect(self._go)
        self.list.clicked.connect(self._go)
        self.body.addWidget(self.list)

    @override
    def set_theme(self, theme: Theme) -> None:
        self.model.theme = theme

    def show_history(
        self, records: Sequence[RecordSummary], line: Sequence[int], head: int
    ) -> None:
        """Show the records and where we are."""
        self.model.put(records, line, head)
        self.head("History", f"{len(records)} steps" if records else "")
        self.list.scrollTo(self.model.index(max(0, self.model.row_of(head))))

    def _go(self, index: QModelIndex) -> None:
        self.asked.emit(self.model.record_at(index).id)


def _time(at: str) -> str:
    try:
        return datetime.fromisoformat(at).astimezone().strftime("   %H:%M")
    except ValueError:
        return ""
