"""The rail at the left: one button and one key for each tool."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gui.menu import TOOL_ENTRIES, Entry
from gui.menu_actions import Actions, Bindings

WIDTH = 58


class ToolRail(QScrollArea):
    """Made from the table of menu entries; scrolls where the window is low."""

    def __init__(self, actions: Actions, bindings: Bindings) -> None:
        super().__init__()
        self._bindings = bindings
        self._buttons: list[tuple[Entry, QToolButton]] = []
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFixedWidth(WIDTH)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setObjectName("rail")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(inside)
        column.setContentsMargins(6, 8, 6, 8)
        column.setSpacing(7)
        for entry in TOOL_ENTRIES:
            button = QToolButton(inside)
            button.setProperty("rail", True)
            button.setDefaultAction(actions[entry.id])
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setFixedHeight(46)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAccessibleName(f"{entry.plain_text} tool")
            column.addWidget(button)
            self._buttons.append((entry, button))
            actions[entry.id].changed.connect(self.write)
        column.addStretch(1)
        self.setWidget(inside)
        self.write()

    def write(self) -> None:
        """Write words and keys under the buttons."""
        for entry, button in self._buttons:
            text = f"{entry.short}\n{self._bindings.shown(entry)}"
            if button.text() != text:
                button.setText(text)
