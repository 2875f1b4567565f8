"""The log dock: what happened, newest last, with the sums behind it."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QWidget
from typing_extensions import override

from engine.model.evidence import LogEntry
from gui.docks.forecast import signed
from gui.docks.panel import Panel
from gui.theme import Theme

SHOWN = 400
"""The newest entries that are kept on show; the whole log is in the battle report."""


FADE_PX = 16


class LogText(QTextBrowser):
    """Text that fades out where more of it lies above, so that no line looks cut in two."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setAccessibleName("Log")
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.document().setDocumentMargin(0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.verticalScrollBar().value():
            return
        solid, clear = QColor(self.theme.panel), QColor(self.theme.panel)
        clear.setAlpha(0)
        fade = QLinearGradient(0, 0, 0, FADE_PX)
        fade.setColorAt(0, solid)
        fade.setColorAt(1, clear)
        painter = QPainter(self.viewport())
        painter.fillRect(QRect(0, 0, self.viewport().width(), FADE_PX), fade)
        painter.end()

    @override
    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Paint the whole: what is moved over the screen would take the fade along."""
        super().scrollContentsBy(dx, dy)
        self.viewport().update()


class LogDock(Panel):
    """The log as text, so that it can be read aloud, selected and copied."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("log", "Log")
        self._theme = theme
        self._entries: tuple[LogEntry, ...] = ()
        self._sums = True
        self.text = LogText(theme, self)
        self.body.addWidget(self.text)

    @override
    def set_theme(self, theme: Theme) -> None:
        self._theme = self.text.theme = theme
        self._rewrite()

    def set_sums(self, shown: bool) -> None:
        """Write the lines of the sums, or leave them out."""
        self._sums = shown
        self._rewrite()

    def show_log(self, entries: Sequence[LogEntry]) -> None:
        """Show a log; entries that are there already stay as they are."""
        wanted = tuple(entries)
        if wanted == self._entries:
            return
        grows = wanted[: len(self._entries)] == self._entries
        added = wanted[len(self._entries) :]
        self._entries = wanted
        if not grows or len(added) > SHOWN:
            self._rewrite()
            return
        for entry in added:
            self.text.append(self._paragraph(entry, newest=True))
        self._go_down()

    def _rewrite(self) -> None:
        self.text.clear()
        for entry in self._entries[-SHOWN:]:
            self.text.append(self._paragraph(entry, newest=False))
        self._go_down()

    def _go_down(self) -> None:
        self.text.moveCursor(QTextCursor.MoveOperation.End)
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _paragraph(self, entry: LogEntry, *, newest: bool) -> str:
        color = self._theme.muted if entry.secret else self._theme.text
        told = f'<span style="color:{color}">{escape(entry.text)}</span>'
        if entry.secret:
            told += f' <span style="color:{self._theme.muted}">(GM)</span>'
        if self._sums and entry.lines:
            sums = " · ".join(f"{line.label} {signed(line)}".strip() for line in entry.lines)
            told += f'<br><span style="color:{self._theme.muted}">{escape(sums)}</span>'
        return f'<p style="margin:0 0 5px 0">{told}</p>'
