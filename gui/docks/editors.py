"""Widgets for fields of a pydantic type, and the dialog for a field that holds several values."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pydantic import ValidationError
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.model.value import FrozenMap, Value
from gui.docks.fields import (
    FieldSpec,
    choice_words,
    read_counts,
    read_words,
    specs_of,
    words_of,
)
from gui.docks.panel import inset

Tell = Callable[[Any], None]


class Editor:
    """A widget for one field: `put` shows a value, `tell` is called with what somebody entered."""

    def __init__(self, spec: FieldSpec, tell: Tell, parent: QWidget | None = None) -> None:
        self.spec = spec
        self._tell = tell
        self._shown: Any = None
        self.widget = _MAKERS[spec.kind](self, parent)
        self.widget.setAccessibleName(spec.title)
        self.widget.setAccessibleDescription(spec.help)
        self.widget.setToolTip(spec.help)
        # Wheeling over a form must scroll it, not change what stands in it.
        self.widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.widget.wheelEvent = lambda event: event.ignore()  # type: ignore[method-assign]

    def open_rows(self) -> None:
        """Open the dialog of a field that holds several values."""
        if self.spec.row_type is not None:
            dialog = RowsDialog(self.spec.title, self.spec.row_type, self._shown, self.widget)
            dialog.accepted.connect(lambda: self.told(dialog.rows))
            dialog.open()

    def put(self, value: Any) -> None:
        """Show a value without telling anybody."""
        self._shown = value
        blocker = QSignalBlocker(self.widget)
        _PUTTERS[self.spec.kind](self.widget, value)
        blocker.unblock()

    def told(self, value: Any) -> None:
        """Pass on what somebody entered, if it is something else."""
        if value != self._shown:
            self._tell(value)

    def told_text(self, text: str) -> None:
        """Pass on entered text, read as JSON where the value is not plain text."""
        spec = self.spec
        if spec.kind == "words":
            self.told(read_words(text))
        elif spec.kind == "counts":
            self._told_counts(text)
        elif not text.strip() and spec.optional:
            self.told(None)
        elif isinstance(self._shown, str):
            self.told(text)
        else:
            self.told(_read(text))

    def _told_counts(self, text: str) -> None:
        try:
            self.told(FrozenMap(read_counts(text)))
        except ValueError:
            self.put(self._shown)


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _flag(editor: Editor, parent: QWidget | None) -> QWidget:
    box = QCheckBox(parent)
    box.toggled.connect(editor.told)
    return box


def _whole(editor: Editor, parent: QWidget | None) -> QWidget:
    spin = QSpinBox(parent)
    spin.setRange(editor.spec.minimum, editor.spec.maximum)
    spin.setKeyboardTracking(False)
    inset(spin)
    if editor.spec.unit:
        spin.setSuffix(f" {editor.spec.unit}")
    spin.valueChanged.connect(editor.told)
    return spin


def _choice(editor: Editor, parent: QWidget | None) -> QWidget:
    box = QComboBox(parent)
    for each in editor.spec.choices:
        box.addItem(editor.spec.words(each), each)
    box.activated.connect(lambda number: editor.told(editor.spec.choices[number]))
    return box


def _text(editor: Editor, parent: QWidget | None) -> QWidget:
    line = QLineEdit(parent)
    if editor.spec.longest is not None:
        line.setMaxLength(editor.spec.longest)
    line.editingFinished.connect(lambda: editor.told_text(line.text()))
    return line


def _rows(editor: Editor, parent: QWidget | None) -> QWidget:
    button = QPushButton(parent)
    button.setProperty("look", "rows")
    button.clicked.connect(editor.open_rows)
    return button


def _rows_words(rows: Sequence[Value]) -> str:
    names = [_row_name(row) for row in rows]
    return f"{', '.join(names)}…" if names else "none…"


def _row_name(row: Value) -> str:
    """Return the name by which a row is known: its first field that is a text."""
    texts = (each for _, each in row if isinstance(each, str) and each)
    return choice_words(next(texts, type(row).__name__))


def _put_text(widget: Any, value: Any) -> None:
    widget.setText(words_of(value))
    widget.setCursorPosition(0)


def _put_choice(widget: Any, value: Any) -> None:
    widget.setCurrentIndex(
        next((i for i in range(widget.count()) if widget.itemData(i) == value), -1)
    )


_MAKERS: dict[str, Callable[[Editor, QWidget | None], QWidget]] = {
    "flag": _flag,
    "whole": _whole,
    "choice": _choice,
    "words": _text,
    "counts": _text,
    "rows": _rows,
    "text": _text,
}
_PUTTERS: dict[str, Callable[[Any, Any], None]] = {
    "flag": lambda widget, value: widget.setChecked(bool(value)),
    "whole": lambda widget, value: widget.setValue(int(value)),
    "choice": _put_choice,
    "words": _put_text,
    "counts": _put_text,
    "rows": lambda widget, value: widget.setText(_rows_words(value)),
    "text": _put_text,
}


class RowsDialog(QDialog):
    """Several values of one type: a list, and a form for the one that is picked."""

    def __init__(
        self,
        title: str,
        row_type: type[Value],
        rows: Sequence[Value],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.resize(620, 460)
        self._type = row_type
        self.rows: tuple[Value, ...] = tuple(rows)
        self.editors: dict[str, Editor] = {}
        self.list = QListWidget(self)
        self.list.setAccessibleName(title)
        self.list.setFixedWidth(190)
        self.list.currentRowChanged.connect(self._pick)
        self.wrong = QLabel(self)
        self.wrong.setProperty("look", "refusal")
        self.wrong.setWordWrap(True)
        self.wrong.hide()
        inside = QWidget()
        inside.setObjectName("dockBody")
        self._form = inside
        form = QFormLayout(inside)
        for spec in specs_of(row_type):
            editor = Editor(spec, partial(self._entered, spec.name), inside)
            self.editors[spec.name] = editor
            form.addRow(spec.title, editor.widget)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self.add = self._button("Add", self._add)
        self.remove = self._button("Remove", self._remove)
        left = QVBoxLayout()
        left.addWidget(self.list, 1)
        small = QHBoxLayout()
        small.addWidget(self.add)
        small.addWidget(self.remove)
        left.addLayout(small)
        middle = QHBoxLayout()
        middle.addLayout(left)
        middle.addWidget(scroll, 1)
        standard = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(standard.Ok | standard.Cancel, self)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(middle, 1)
        column.addWidget(self.wrong)
        column.addWidget(buttons)
        self._fill(0)

    def _button(self, text: str, run: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        button.clicked.connect(run)
        return button

    def _fill(self, row: int) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        self.list.addItems([_row_name(each) for each in self.rows])
        self.list.blockSignals(False)
        self.list.setCurrentRow(min(row, len(self.rows) - 1))
        self._pick(self.list.currentRow())

    def _pick(self, row: int) -> None:
        there = 0 <= row < len(self.rows)
        self._form.setEnabled(there)
        self.remove.setEnabled(there)
        if there:
            for name, editor in self.editors.items():
                editor.put(getattr(self.rows[row], name))

    def _entered(self, name: str, value: Any) -> None:
        """Put a value into the picked row; what the type refuses is said and not taken."""
        row = self.list.currentRow()
        fields = {each: getattr(self.rows[row], each) for each in self._type.model_fields}
        try:
            changed = self._type.model_validate({**fields, name: value})
        except ValidationError as error:
            self._complain(error.errors()[0]["msg"])
            self.editors[name].put(fields[name])
            return
        self._complain("")
        self.rows = (*self.rows[:row], changed, *self.rows[row + 1 :])
        self._fill(row)

    def _add(self) -> None:
        """Add a copy of the picked one, or one with nothing but its required texts."""
        row = self.list.currentRow()
        if 0 <= row < len(self.rows):
            made = self.rows[row]
        else:
            required = [
                name for name, info in self._type.model_fields.items() if info.is_required()
            ]
            try:
                made = self._type.model_validate(dict.fromkeys(required, "new"))
            except ValidationError as error:
                self._complain(error.errors()[0]["msg"])
                return
        self.rows = (*self.rows, made)
        self._fill(len(self.rows) - 1)

    def _remove(self) -> None:
        row = self.list.currentRow()
        self.rows = (*self.rows[:row], *self.rows[row + 1 :])
        self._fill(max(0, row - 1))

    def _complain(self, sentence: str) -> None:
        self.wrong.setText(sentence)
        self.wrong.setVisible(bool(sentence))
