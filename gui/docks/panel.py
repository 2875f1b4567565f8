"""What all docks share: a quiet header that is also the handle for moving and floating."""

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QMainWindow,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from gui.theme import Theme

DOTS = "…"
MARGIN = 14
LEGEND = "* a proposal: no source gives it"
GAP = 8
SMALLEST = 80
"""The least height that is left to a dock that does not hug."""
SLACK = 84
"""So much room a dock keeps that would need less now."""
PUSHED = 24
"""By so little Qt pushes docks about when something in them changes; people move them further."""
HIDDEN_ON_PURPOSE = Qt.WidgetAttribute.WA_WState_ExplicitShowHide


def empty(layout: QLayout, keep: int = 0) -> None:
    """Take the first things out of a layout until `keep` are left, and destroy their widgets."""
    while layout.count() > keep:
        item = layout.takeAt(0)
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def settle(layout: QLayout) -> None:
    """Show what was put in just now: Qt would do so later, and count it as nothing until then."""
    for number in range(layout.count()):
        item = layout.itemAt(number)
        widget = item.widget() if item is not None else None
        if widget is not None and not widget.testAttribute(HIDDEN_ON_PURPOSE):
            widget.show()
    layout.activate()


def inset(spin: QAbstractSpinBox) -> None:
    """Move a number off the border of its field: style sheets do not reach inside."""
    line = spin.findChild(QLineEdit)
    if line is not None:
        line.setTextMargins(6, 0, 4, 0)


class Elided(QLabel):
    """A label that ends in dots where there is no room; its tooltip has the whole text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)

    @override
    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(self.fontMetrics().horizontalAdvance(self._whole) + 4, hint.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    @override
    def setText(self, text: str) -> None:
        self._whole = text
        self.updateGeometry()
        self._elide()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    @property
    def whole_text(self) -> str:
        """Return the text without dots."""
        return self._whole

    def _elide(self) -> None:
        room = self.contentsRect().width()
        mode = Qt.TextElideMode.ElideRight
        text = self.fontMetrics().elidedText(self._whole, mode, max(0, room))
        super().setText("" if text == DOTS else text)


class Header(QWidget):
    """Title, subtitle and the dock's own buttons; float and close show under the mouse."""

    def __init__(self, dock: "Panel") -> None:
        super().__init__(dock)
        self.setObjectName("dockHeader")
        self.title = Elided(self)
        self.title.setText(dock.windowTitle())
        self.title.setProperty("title", True)
        self.subtitle = Elided(self)
        self.subtitle.setProperty("quiet", True)
        self.subtitle.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        for label in (self.title, self.subtitle):
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
        self._hugged = 0
        self._share = QTimer(self)
        self._share.setSingleShot(True)
        self._share.setInterval(0)
        self._share.timeout.connect(self._share_column)
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

    def hug(self, height: int, *, exactly: bool = False) -> None:
        """Take this height for the body, once, when another one is wanted; people may change it.

        A little more than is wanted is kept, for a column that jumps at every click is worse,
        unless it is to be `exactly` this.
        The docks that hug are set together, or Qt would take from one what another asks for.
        """
        wanted = height + self.header.sizeHint().height()
        little_less = self._hugged - (0 if exactly else SLACK) <= wanted <= self._hugged
        pushed = 0 < abs(self.height() - self._hugged) <= PUSHED
        if self.isFloating() or (little_less and not pushed):
            return
        if not little_less:
            self._hugged = wanted
        # What was hidden just now still asks for its room until all is laid out anew.
        self._share.start()

    def _share_column(self) -> None:
        window = self.parentWidget()
        if not isinstance(window, QMainWindow):
            return
        area = window.dockWidgetArea(self)
        column = [
            each
            for each in window.findChildren(Panel)
            if each.isVisible() and not each.isFloating() and window.dockWidgetArea(each) == area
        ]
        # Less than the least would be taken from the others' share.
        wanted = [each._hugged and max(each._hugged, _least(each)) for each in column]
        others = max(1, wanted.count(0))
        rest = max(SMALLEST, (sum(each.height() for each in column) - sum(wanted)) // others)
        window.resizeDocks(column, [each or rest for each in wanted], Qt.Orientation.Vertical)

    def swap_floating(self) -> None:
        """Float the dock, or put it back."""
        self.setFloating(not self.isFloating())


def _least(dock: QDockWidget) -> int:
    return dock.minimumSizeHint().height()
