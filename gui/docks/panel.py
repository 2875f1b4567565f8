"""What all docks share: a quiet header that is also the handle for moving and floating."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QLayout,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from gui.theme import Theme

MARGIN = 14
GAP = 8


def empty(layout: QLayout, keep: int = 0) -> None:
    """Take the first things out of a layout until `keep` are left, and destroy their widgets."""
    while layout.count() > keep:
        item = layout.takeAt(0)
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()


class Header(QWidget):
    """Title, subtitle and the dock's own buttons; float and close show under the mouse."""

    def __init__(self, dock: "Panel") -> None:
        super().__init__(dock)
        self.setObjectName("dockHeader")
        self.title = QLabel(dock.windowTitle(), self)
        self.title.setProperty("title", True)
        self.subtitle = QLabel("", self)
        self.subtitle.setProperty("quiet", True)
        self.subtitle.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        for label in (self.title, self.subtitle):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hover = [
            self._button("⧉", f"Float or dock {dock.windowTitle()}", dock.swap_floating),
            self._button("×", f"Hide {dock.windowTitle()}", dock.close),
        ]
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(MARGIN, 10, MARGIN, 4)
        self.row.setSpacing(GAP)
        self.row.addWidget(self.title)
        self.row.addWidget(self.subtitle, 1)
        for button in self._hover:
            self.row.addWidget(button)

    def add(self, widget: QWidget) -> None:
        """Put a button of the dock's own at the right end."""
        self.row.addWidget(widget)

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self._show_buttons(True)
        super().enterEvent(event)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._show_buttons(False)
        super().leaveEvent(event)

    def _show_buttons(self, shown: bool) -> None:
        for button in self._hover:
            button.setVisible(shown)

    def _button(self, text: str, words: str, run: object) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setProperty("look", "quiet")
        button.setToolTip(words)
        button.setAccessibleName(words)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(run)
        button.hide()
        return button


class Panel(QDockWidget):
    """A dock: `body` is filled by each dock, `header` says what it is about."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetClosable
            | QDockWidget.DockWidgetFeature.DockWidgetMovable
            | QDockWidget.DockWidgetFeature.DockWidgetFloatable
        )
        self.header = Header(self)
        self.setTitleBarWidget(self.header)
        inside = QWidget(self)
        inside.setObjectName("dockBody")
        self.body = QVBoxLayout(inside)
        self.body.setContentsMargins(MARGIN, 2, MARGIN, 10)
        self.body.setSpacing(GAP)
        self.setWidget(inside)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours, where the dock paints by itself."""

    def head(self, title: str, subtitle: str = "") -> None:
        """Write the header."""
        self.header.title.setText(title)
        self.header.subtitle.setText(subtitle)
        self.header.subtitle.setToolTip(subtitle)

    def swap_floating(self) -> None:
        """Float the dock, or put it back."""
        self.setFloating(not self.isFloating())
