"""The dialog of the preferences, drawn from their table."""

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from gui.docks.panel import inset
from gui.preferences import SHOWN, Preference, Preferences

Put = Callable[[Any], None]


class PreferencesDialog(QDialog):
    """Every change counts at once; *Defaults* takes all back."""

    def __init__(self, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self.setMinimumWidth(480)
        self._preferences = preferences
        self.fields: dict[str, QWidget] = {}
        self._putters: dict[str, Put] = {}
        pages = QTabWidget(self)
        for group in dict.fromkeys(each.group for each in SHOWN):
            page = QWidget(pages)
            form = QFormLayout(page)
            form.setContentsMargins(12, 16, 12, 12)
            form.setVerticalSpacing(6)
            for preference in SHOWN:
                if preference.group == group:
                    self._add(form, preference)
            pages.addTab(page, group)
        buttons = QDialogButtonBox(self)
        defaults = buttons.addButton("Defaults", QDialogButtonBox.ButtonRole.ResetRole)
        defaults.clicked.connect(self._reset)
        close = buttons.addButton(QDialogButtonBox.StandardButton.Close)
        close.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.addWidget(pages)
        column.addWidget(buttons)

    def _add(self, form: QFormLayout, preference: Preference[Any]) -> None:
        widget, put = _editor(preference, lambda value: self._preferences.set(preference, value))
        put(self._preferences.get(preference))
        widget.setAccessibleName(preference.title)
        widget.setAccessibleDescription(preference.help)
        self.fields[preference.key], self._putters[preference.key] = widget, put
        help_text = QLabel(preference.help)
        help_text.setProperty("quiet", True)
        help_text.setWordWrap(True)
        if isinstance(widget, QCheckBox):
            widget.setText(preference.title)
            form.addRow(widget)
        else:
            form.addRow(QLabel(preference.title), widget)
        form.addRow(help_text)

    def _reset(self) -> None:
        for preference in SHOWN:
            self._preferences.set(preference, preference.default)
            self._putters[preference.key](preference.default)


def _editor(preference: Preference[Any], tell: Put) -> tuple[QWidget, Put]:
    """Return a widget for a preference, and what writes a value into it."""
    default = preference.default
    if preference.choices:
        return _choice(preference, tell)
    if isinstance(default, bool):
        box = QCheckBox()
        box.toggled.connect(tell)
        return box, box.setChecked
    spin = QSpinBox()
    inset(spin)
    spin.setRange(preference.minimum, preference.maximum)
    spin.setSuffix(f" {preference.unit}" if preference.unit else "")
    spin.valueChanged.connect(tell)
    return spin, spin.setValue


def _choice(preference: Preference[Any], tell: Put) -> tuple[QWidget, Put]:
    box = QComboBox()
    for value, words in preference.choices:
        box.addItem(words, value)
    box.activated.connect(lambda index: tell(box.itemData(index)))
    return box, lambda value: box.setCurrentIndex(box.findData(value))
