"""What all dialogs share: a form, a sentence for what is wrong, and the two buttons."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from gui.docks.panel import inset

Button = QDialogButtonBox.StandardButton


def px_field(low: float, high: float, value: float) -> QDoubleSpinBox:
    """Return a field for picture pixels, in hundredths."""
    spin = QDoubleSpinBox()
    spin.setRange(low, high)
    spin.setDecimals(2)
    spin.setSingleStep(0.1)
    spin.setSuffix(" px")
    spin.setValue(value)
    return spin


class FormDialog(QDialog):
    """A titled form; `check` says what is wrong, and nothing is accepted until it says nothing."""

    def __init__(self, title: str, accept: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(18, 16, 18, 14)
        self.column.setSpacing(12)
        self.form = QFormLayout()
        self.form.setHorizontalSpacing(14)
        self.form.setVerticalSpacing(8)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.column.addLayout(self.form)
        self.wrong = QLabel(self)
        self.wrong.setWordWrap(True)
        self.wrong.setProperty("look", "refusal")
        self.wrong.setTextFormat(Qt.TextFormat.PlainText)
        self.wrong.hide()
        self.column.addWidget(self.wrong)
        self.buttons = QDialogButtonBox(Button.Ok | Button.Cancel, self)
        self.ok = self.buttons.button(Button.Ok)
        self.ok.setText(accept)
        self.ok.setProperty("accent", True)
        # The box has measured its buttons already, with the look that they had before.
        self.ok.style().unpolish(self.ok)
        self.ok.style().polish(self.ok)
        self.buttons.accepted.connect(self.try_accept)
        self.buttons.rejected.connect(self.reject)
        self.column.addWidget(self.buttons)
        self.check: Callable[[], str] = lambda: ""

    def row(self, words: str, widget: QWidget, tip: str = "") -> None:
        """Add a field with its label."""
        label = QLabel(words, self)
        label.setProperty("quiet", True)
        label.setBuddy(widget)
        widget.setAccessibleName(words)
        widget.setToolTip(tip)
        self.form.addRow(label, widget)

    def note(self, text: str) -> QLabel:
        """Add a quiet sentence above the buttons."""
        label = QLabel(text, self)
        label.setProperty("quiet", True)
        label.setWordWrap(True)
        self.column.insertWidget(self.column.count() - 2, label)
        return label

    def complain(self, sentence: str) -> None:
        """Say what is wrong, or nothing any more."""
        self.wrong.setText(sentence)
        self.wrong.setVisible(bool(sentence))

    @override
    def showEvent(self, event: QShowEvent) -> None:
        for spin in self.findChildren(QAbstractSpinBox):
            inset(spin)
        super().showEvent(event)

    def try_accept(self) -> None:
        """Accept if nothing is wrong."""
        self.complain(self.check())
        if self.wrong.isHidden():
            self.accept()
