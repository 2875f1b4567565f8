"""The dialog of the table rules: each with its value, default, help and source.

Every change is a command at once, so it stands in the history and can be undone.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from engine.model.sheet import TableRules
from gui.docks.editors import Editor
from gui.docks.fields import FieldSpec, specs_of

Tell = Callable[[str, Any], None]


def source_words(spec: FieldSpec) -> str:
    """Return where a rule comes from, and whether it is only a proposal."""
    if spec.proposal:
        return f"{spec.source}, a proposal" if spec.source else "a proposal; no source gives it"
    return spec.source


class TableRulesDialog(QDialog):
    """`tell` is called with a rule and its new value."""

    def __init__(self, options: TableRules, tell: Tell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Table rules")
        self.resize(720, 560)
        self.editors: dict[str, Editor] = {}
        self._rows: list[tuple[str, tuple[QWidget, ...]]] = []
        self.finder = QLineEdit(self)
        self.finder.setPlaceholderText("Find a rule")
        self.finder.setAccessibleName("Find a rule")
        self.finder.setClearButtonEnabled(True)
        self.finder.textChanged.connect(self._find)
        inside = QWidget()
        inside.setObjectName("dockBody")
        self._grid = QGridLayout(inside)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        for spec in specs_of(type(options)):
            self._add(spec, tell)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 12)
        column.addWidget(self.finder)
        column.addWidget(scroll, 1)
        if not self.editors:
            column.insertWidget(1, QLabel("This ruleset has no table rules."))
        column.addWidget(buttons)
        self.show_options(options)

    def show_options(self, options: TableRules) -> None:
        """Show the values of the encounter; those that differ from the default stand out."""
        for name, editor in self.editors.items():
            value = getattr(options, name)
            editor.put(value)
            differs = value != editor.spec.default
            self._names[name].setText(f"{editor.spec.title}{' •' if differs else ''}")

    def _add(self, spec: FieldSpec, tell: Tell) -> None:
        row = self._grid.rowCount()
        name = QLabel(spec.title)
        name.setProperty("title", False)
        words = [spec.help, f"Default: {spec.words(spec.default)}.", source_words(spec)]
        told = QLabel(" ".join(each for each in words if each))
        told.setProperty("quiet", True)
        told.setWordWrap(True)
        editor = Editor(spec, lambda value: tell(spec.name, value))
        editor.widget.setMinimumWidth(180)
        self._grid.addWidget(name, row, 0)
        self._grid.addWidget(editor.widget, row, 1, Qt.AlignmentFlag.AlignRight)
        self._grid.addWidget(told, row + 1, 0, 1, 2)
        self._grid.setRowMinimumHeight(row + 2, 8)
        self.editors[spec.name] = editor
        self._names = {**getattr(self, "_names", {}), spec.name: name}
        found = " ".join((spec.title, spec.name, spec.help, *spec.labels.values()))
        self._rows.append((found.casefold(), (name, editor.widget, told)))

    def _find(self, text: str) -> None:
        for words, widgets in self._rows:
            for widget in widgets:
                widget.setVisible(text.casefold() in words)
