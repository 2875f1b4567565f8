"""The report of an import: what came in, what did not and why, and switches to try again."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QListWidget,
    QPushButton,
    QSpinBox,
    QWidget,
)

from engine.formats.imported import ImportCounts, ImportedMap, ImportOptions
from engine.model.board import MAX_SIDE
from gui.dialogs.form import FormDialog
from gui.dialogs.new_encounter import GRID_WORDS

_PLURALS = {
    "walls": ("wall", "walls"),
    "segments": ("wall segment", "wall segments"),
    "doors": ("door", "doors"),
    "windows": ("window", "windows"),
    "objects": ("outline", "outlines"),
    "lights": ("light", "lights"),
    "pictures": ("picture", "pictures"),
}


def counts_in_words(counts: ImportCounts) -> str:
    """Return how much of each kind came in, as one line."""
    parts = []
    for name, value in counts:
        if value and name in _PLURALS:
            one, many = _PLURALS[name]
            parts.append(f"{value:,} {one if value == 1 else many}")
    return ", ".join(parts) or "nothing but the board"


class ImportDialog(FormDialog):
    """Shows a map before it is taken in; `again` carries other options to read it anew."""

    again = Signal(object)

    def __init__(
        self,
        imported: ImportedMap,
        options: ImportOptions,
        *,
        into_open: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(f"Import {imported.report.source}", "Take it in", parent)
        self.setMinimumWidth(560)
        self.options = options
        self._switches: list[tuple[QCheckBox, str, Any, Any]] = []
        self.counts = QLabel(self)
        self.counts.setWordWrap(True)
        self.column.insertWidget(0, self.counts)
        self.lines = QListWidget(self)
        self.lines.setAccessibleName("Report")
        self.lines.setWordWrap(True)
        self.lines.setMinimumHeight(120)
        self.column.insertWidget(1, self.lines)
        self._build_switches(imported)
        self.retry = QPushButton("Read it again", self)
        self.retry.clicked.connect(lambda: self.again.emit(self.wanted))
        self.retry.setEnabled(False)
        self.buttons.addButton(self.retry, self.buttons.ButtonRole.ActionRole)
        self.into = into_box(self, into_open=into_open)
        self.row("Take it into", self.into)
        self.show_map(imported)

    @property
    def into_open_encounter(self) -> bool:
        """Tell whether it goes into the open encounter."""
        return self.into.currentIndex() == 1

    @property
    def wanted(self) -> ImportOptions:
        """Return the options as the switches stand."""
        changes: dict[str, Any] = {
            option: on if box.isChecked() else off for box, option, on, off in self._switches
        }
        return ImportOptions.model_validate({**dict(self.options), **changes})

    def show_map(self, imported: ImportedMap) -> None:
        """Show the report of a map, the first or one that was read again."""
        self.imported = imported
        report, grid = imported.report, imported.board.grid
        self.counts.setText(
            f"{imported.title}: {grid.columns} x {grid.rows} {GRID_WORDS[grid.kind]}; "
            f"{counts_in_words(report.counts)}."
        )
        self.lines.clear()
        for line in (*report.warnings, *report.skipped):
            self.lines.addItem(line)
        self.lines.setVisible(self.lines.count() > 0)
        self.retry.setEnabled(False)
        self.ok.setEnabled(True)

    def _build_switches(self, imported: ImportedMap) -> None:
        for switch in imported.report.switches:
            before = getattr(self.options, switch.option)
            box = QCheckBox(switch.sentence.partition(": ")[2] or switch.sentence, self)
            box.setToolTip(switch.option.replace("_", " "))
            box.toggled.connect(lambda _on: self._changed())
            self._switches.append((box, switch.option, switch.value, before))
            self.column.insertWidget(self.column.count() - 2, box)

    def _changed(self) -> None:
        """Other options: the map must be read again before it can be taken in."""
        changed = self.wanted != self.options
        self.retry.setEnabled(changed)
        self.ok.setEnabled(not changed)


def into_box(parent: QWidget, *, into_open: bool) -> QComboBox:
    """Return the choice of where a map goes; the open encounter is the second and comes first."""
    box = QComboBox(parent)
    box.addItems(["a new encounter"] + (["the open encounter"] if into_open else []))
    box.setCurrentIndex(box.count() - 1)
    return box


def side_spin(parent: QWidget, value: int) -> QSpinBox:
    """Return a field for a side of a board."""
    spin = QSpinBox(parent)
    spin.setRange(1, MAX_SIDE)
    spin.setValue(value)
    spin.setAlignment(Qt.AlignmentFlag.AlignRight)
    return spin
