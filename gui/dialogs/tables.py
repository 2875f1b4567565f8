"""The dialog of the ruleset's tables: every number of the rules, to be corrected by the group.

Each correction is a command at once, so it stands in the history and can be undone. What no
source gives is marked as a proposal; what the group has changed stands out.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.commands.turn import fresh_row_id
from engine.model.words import in_words
from engine.rules.ruleset import Table

Corrections = Mapping[str, int | str]
_ID = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")

Tell = Callable[[str, str, str, int | str | None], None]

RAW = Qt.ItemDataRole.UserRole
"""Where a place keeps what stands in it as the rules call it."""

FIXED = frozenset({"id", "source", "proposal"})
"""The columns that say what a row is and where it comes from."""


def own_rows(table: Table, corrections: Corrections) -> tuple[str, ...]:
    """Return the ids of the rows that the group has added to a table."""
    shipped = {row[0] for row in table.rows}
    parts = (key.split("/") for key in corrections)
    own = (part[1] for part in parts if part[0] == table.id and len(part) == 3)
    return tuple(dict.fromkeys(row for row in own if row not in shipped))


def cell_words(raw: str) -> str:
    """Return what stands in a table as people read it: left_reach is "left reach"."""
    if raw == "gm":
        return "GM"
    parts = raw.split()
    if "_" not in raw or not all(_ID.fullmatch(part) for part in parts):
        return raw
    return ", ".join(part.replace("_", " ") for part in parts)


def read(text: str) -> int | str:
    """Return what somebody typed: a whole number where it is one."""
    bare = text.strip()
    return int(bare) if bare.removeprefix("-").isdecimal() and len(bare) < 10 else bare


class TablesDialog(QDialog):
    """`tell` is called with a table, a row, a column and the new value; None takes it back."""

    def __init__(
        self,
        tables: Sequence[Table],
        corrections: Corrections,
        tell: Tell,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Tables of the rules")
        self.resize(980, 600)
        self._tables, self._corrections, self._tell = tuple(tables), corrections, tell
        self.list = QListWidget(self)
        self.list.setAccessibleName("Tables")
        self.list.setFixedWidth(180)
        self.list.addItems([table.title for table in self._tables])
        self.finder = QLineEdit(self)
        self.finder.setPlaceholderText("Find a row")
        self.finder.setAccessibleName("Find a row")
        self.finder.setClearButtonEnabled(True)
        self.grid = QTableWidget(self)
        self.grid.setAccessibleName("Rows of the table")
        self.grid.verticalHeader().hide()
        self.grid.setAlternatingRowColors(False)
        self.grid.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.words = QLabel(self)
        self.words.setProperty("quiet", True)
        self.words.setWordWrap(True)
        self.add = QPushButton("Add a row…", self)
        self.back = QPushButton("As it was printed", self)
        self.back.setToolTip("Take the correction of the selected place back")
        self._lay_out()
        self.list.currentRowChanged.connect(lambda _row: self._show())
        self.finder.textChanged.connect(lambda _text: self._find())
        self.grid.itemChanged.connect(self._changed)
        self.grid.currentItemChanged.connect(lambda _now, _before: self._describe())
        self.add.clicked.connect(self._add_row)
        self.back.clicked.connect(self._take_back)
        self.list.setCurrentRow(0)

    @property
    def table(self) -> Table | None:
        """Return the table on show."""
        row = self.list.currentRow()
        return self._tables[row] if 0 <= row < len(self._tables) else None

    def show_corrections(self, corrections: Corrections) -> None:
        """Show what the group plays now."""
        self._corrections = corrections
        self._show()

    def place(self, row_id: str, column: str) -> QTableWidgetItem:
        """Return the item of a place; raise KeyError if the table has none."""
        table = self.table
        columns = table.columns if table is not None else ()
        for row in range(self.grid.rowCount()):
            if self._row_id(row) == row_id and column in columns:
                item = self.grid.item(row, columns.index(column))
                if item is not None:
                    return item
        raise KeyError(f"{row_id}/{column}")

    def add_row(self, label: str) -> None:
        """Add a row of the group's own to an open table."""
        table = self.table
        if table is not None and table.open:
            taken = {row[0] for row in table.rows}.union(own_rows(table, self._corrections))
            self._tell(table.id, fresh_row_id(label, taken), "label", label)

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.accept)
        right = QVBoxLayout()
        right.addWidget(self.finder)
        right.addWidget(self.grid, 1)
        right.addWidget(self.words)
        row = QHBoxLayout()
        row.addWidget(self.add)
        row.addWidget(self.back)
        row.addStretch(1)
        row.addWidget(buttons)
        right.addLayout(row)
        across = QHBoxLayout(self)
        across.setContentsMargins(16, 14, 16, 12)
        across.setSpacing(14)
        across.addWidget(self.list)
        across.addLayout(right, 1)

    def _show(self) -> None:
        """Fill the grid with the table that is picked; the place in hand stays."""
        table = self.table
        if table is None:
            return
        at = (self.grid.currentRow(), self.grid.currentColumn())
        blocker = QSignalBlocker(self.grid)
        own = own_rows(table, self._corrections)
        empty = ("",) * (len(table.columns) - 1)
        rows = (*table.rows, *((row, *empty) for row in own))
        self.grid.setColumnCount(len(table.columns))
        self.grid.setHorizontalHeaderLabels([table.title_of(each) for each in table.columns])
        # A row goes by its name; its id is for those that have none.
        self.grid.setColumnHidden(0, "label" in table.columns)
        self.grid.setRowCount(len(rows))
        for number, row in enumerate(rows):
            for place, column in enumerate(table.columns):
                self.grid.setItem(number, place, self._item(table, row, column, place))
        self.grid.resizeColumnsToContents()
        for place in range(len(table.columns)):
            self.grid.setColumnWidth(place, min(280, self.grid.columnWidth(place) + 8))
        self.grid.setCurrentCell(min(max(0, at[0]), len(rows) - 1), max(0, at[1]))
        blocker.unblock()
        self.add.setVisible(table.open)
        self._find()
        self._describe()

    def _item(self, table: Table, row: Sequence[str], column: str, place: int) -> QTableWidgetItem:
        """Make one place: corrected ones bold, proposals in the label with a star."""
        corrected = self._corrections.get(f"{table.id}/{row[0]}/{column}")
        raw = row[place] if corrected is None else str(corrected)
        item = QTableWidgetItem(in_words(raw) if place == 0 else cell_words(raw))
        item.setData(RAW, raw)
        if column in FIXED or place == 0:
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        if corrected is not None:
            font = item.font()
            font.setBold(True)
            item.setFont(font)
            item.setToolTip(
                f"Corrected by this group; printed: {cell_words(row[place]) or 'nothing'}"
            )
        elif self._is_proposal(table, row):
            item.setToolTip("A proposal; no source gives this row.")
            font = item.font()
            font.setItalic(True)
            item.setFont(font)
        return item

    def _is_proposal(self, table: Table, row: Sequence[str]) -> bool:
        if "proposal" not in table.columns:
            return False
        return row[table.columns.index("proposal")] == "yes"

    def _here(self) -> tuple[Table, Sequence[str], str] | None:
        """Return the table, the row and the column of the place in hand."""
        table, item = self.table, self.grid.currentItem()
        if table is None or item is None:
            return None
        row_id = self._row_id(item.row())
        empty = (row_id, *("",) * (len(table.columns) - 1))
        row = next((each for each in table.rows if each[0] == row_id), empty)
        return table, row, table.columns[item.column()]

    def _row_id(self, row: int) -> str:
        first = self.grid.item(row, 0)
        return "" if first is None else str(first.data(RAW))

    def _raw(self, table: Table, column: str, text: str) -> str:
        """Return what the rules call what somebody typed: a value or a row that there is."""
        place = table.columns.index(column)
        known = [row[place] for row in table.rows]
        known += [row[0] for each in self._tables for row in each.rows]
        return next((raw for raw in known if cell_words(raw) == text), text)

    def _describe(self) -> None:
        """Say where the row in hand comes from, and what was printed."""
        here = self._here()
        if here is None:
            self.words.setText("")
            return
        table, row, column = here
        corrected = f"{table.id}/{row[0]}/{column}" in self._corrections
        self.back.setEnabled(corrected)
        parts = []
        if "source" in table.columns:
            source = row[table.columns.index("source")]
            parts.append(f"Source: {source}." if source else "A row of this group.")
        if self._is_proposal(table, row):
            parts.append("A proposal; no source gives it.")
        if corrected:
            printed = row[table.columns.index(column)]
            parts.append(f"Corrected; printed is {cell_words(printed) or 'nothing'}.")
        self.words.setText(" ".join(parts))

    def _changed(self, item: QTableWidgetItem) -> None:
        here = self._here()
        if here is None or item is not self.grid.currentItem():
            return
        table, row, column = here
        printed = row[table.columns.index(column)]
        value = read(self._raw(table, column, item.text().strip()))
        told = None if str(value) == printed else value
        if told != self._corrections.get(f"{table.id}/{row[0]}/{column}"):
            self._tell(table.id, row[0], column, told)
        self._show()

    def _take_back(self) -> None:
        here = self._here()
        if here is not None:
            table, row, column = here
            self._tell(table.id, row[0], column, None)
            self._show()

    def _add_row(self) -> None:
        label, fine = QInputDialog.getText(self, "Add a row", "What is it called?")
        words = label.strip()
        if fine and words:
            self.add_row(words)

    def _find(self) -> None:
        wanted = self.finder.text().casefold()
        for row in range(self.grid.rowCount()):
            items = (self.grid.item(row, place) for place in range(self.grid.columnCount()))
            words = " ".join(item.text() for item in items if item is not None).casefold()
            self.grid.setRowHidden(row, wanted not in words)
