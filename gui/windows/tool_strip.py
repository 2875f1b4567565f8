"""The strip over the map with the settings of the tool in hand, drawn from their type."""

from collections.abc import Callable
from functools import partial
from typing import Any

from pydantic import ValidationError
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QLineEdit, QSpinBox, QWidget

from engine.model.refusal import complaint
from gui.docks.editors import Editor
from gui.docks.fields import FieldSpec, choice_words, specs_of
from gui.docks.panel import empty, settle
from gui.tools.tool import NoSettings, Tool

Choices = Callable[[str, str], tuple[str, ...]]
"""Returns what may be chosen for a field of a tool ("token", "preset"); empty for a free text."""
NO_CHOICE = "none"
"""How an empty choice reads."""

LEFT_OPEN = {"size": "as on the sheet"}
"""How an empty choice reads where it is more than none."""


class ToolStrip(QFrame):
    """Shows nothing for a tool without settings; `refused` says what cannot be set so."""

    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("strip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.choices: Choices = lambda _tool, _field: ()
        self._tool: Tool | None = None
        self.editors: dict[str, Editor] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 6, 12, 6)
        self._row.setSpacing(8)
        self.hide()

    def show_tool(self, tool: Tool) -> None:
        """Show a tool's settings."""
        # First, for a field that goes with the cursor in it still says what was typed.
        self._tool, self.editors = tool, {}
        empty(self._row)
        if isinstance(tool.settings, NoSettings):
            self.hide()
            return
        for spec in specs_of(type(tool.settings)):
            self._add(spec, tool)
        settle(self._row)
        self.adjustSize()
        self.show()
        self.raise_()

    def refresh(self) -> None:
        """Write what the settings are now."""
        if self._tool is not None:
            for name, editor in self.editors.items():
                editor.put(getattr(self._tool.settings, name))

    def _add(self, spec: FieldSpec, tool: Tool) -> None:
        settings = tool.settings
        label = QLabel(spec.title, self)
        label.setProperty("quiet", True)
        choices = self.choices(tool.id, spec.name)
        if choices:
            self._row.addWidget(label)
            self._row.addWidget(self._combo(spec, choices, tool))
            return
        editor = Editor(spec, lambda value: self._set(tool, spec.name, value), self)
        editor.put(getattr(settings, spec.name))
        if isinstance(editor.widget, QSpinBox):
            editor.widget.setFixedWidth(64)
        elif isinstance(editor.widget, QLineEdit):
            editor.widget.setFixedWidth(56 if spec.longest is not None else 110)
            if isinstance(spec.default, str):
                # The next click on the map uses what stands here, whoever has the focus.
                editor.widget.textEdited.connect(partial(self._set, tool, spec.name))
        self._row.addWidget(label)
        self._row.addWidget(editor.widget)
        self.editors[spec.name] = editor

    def _combo(self, spec: FieldSpec, choices: tuple[str, ...], tool: Tool) -> QComboBox:
        value = getattr(tool.settings, spec.name)
        box = QComboBox(self)
        box.setAccessibleName(spec.title)
        for each in choices:
            empty_words = LEFT_OPEN.get(spec.name, NO_CHOICE)
            box.addItem(choice_words(each) if each else empty_words, each)
        if value not in choices:
            self._set(tool, spec.name, choices[0])
        box.setCurrentIndex(max(0, box.findData(value)))
        box.activated.connect(lambda number: self._set(tool, spec.name, box.itemData(number)))
        return box

    def _set(self, tool: Tool, name: str, value: Any) -> None:
        """Change a setting; what its type refuses is said, and what was there stays."""
        kind = type(tool.settings)
        fields = {each: getattr(tool.settings, each) for each in kind.model_fields}
        try:
            tool.settings = kind.model_validate({**fields, name: value})
        except ValidationError as error:
            self.refused.emit(complaint(error))
            self.refresh()
