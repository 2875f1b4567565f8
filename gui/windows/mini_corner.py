"""The corner of the map with a live miniature of what the players see.

While their window is black or frozen it shows what they would see but for that, and says so. It
takes the shape of what it shows, and may be dragged into any corner.
"""

from collections.abc import Sequence
from math import sqrt

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget
from typing_extensions import override

from engine.model.audience import StageMode
from engine.view import View
from gui.docks.panel import Elided
from gui.pictures import Pictures
from gui.theme import Theme
from gui.windows.player_window import MiniView, PlayerWindow

AREA = 27_000
"""How many pixels the picture covers, whatever its shape."""
WIDTHS = range(160, 281)
HEIGHTS = range(96, 201)
GAP = 12
CAPTION = "what the players see"
COVERED = {
    StageMode.BLACKOUT: ("Blacked out", "what they would see"),
    StageMode.FROZEN: ("Frozen", "Publish shows this"),
}


class MiniCorner(QFrame):
    """Keeps to the lower right corner of its parent."""

    def __init__(
        self, board: QWidget, theme: Theme, pictures: Pictures, players: PlayerWindow
    ) -> None:
        super().__init__(board)
        self._board = board
        self.setObjectName("mini")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setToolTip("Drag it into another corner; Ctrl+M hides it")
        self.view = MiniView(theme, pictures, players, self)
        self.view.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.covered = QLabel(self)
        self.covered.setProperty("look", "covered")
        self.covered.hide()
        self.words = Elided(self)
        self.words.setProperty("quiet", True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.words.setContentsMargins(6, 0, 6, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 3)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addWidget(self.words)
        self._caption = CAPTION
        self._warnings: tuple[str, ...] = ()
        self._shown = True
        self._right, self._low = True, True
        self._held: QPoint | None = None
        self._last: tuple[View, StageMode] | None = None
        self.show_warnings(())
        self.view.reshaped.connect(self._settle)
        board.installEventFilter(self)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours."""
        self.view.set_theme(theme)

    def show_view(self, view: View, mode: StageMode) -> None:
        """Show a View of the players, and under which mode it lies."""
        self._last = (view, mode)
        if not self._shown:
            return
        self.view.show_view(view)
        banner, self._caption = COVERED.get(mode, ("", CAPTION))
        self.covered.setText(banner)
        self.covered.setVisible(bool(banner))
        self.show_warnings(self._warnings)
        self._settle()

    def show_warnings(self, warnings: Sequence[str]) -> None:
        """Say what is amiss with the players' view; the whole of it stands in the tooltip."""
        self._warnings = tuple(warnings)
        self.words.setText(warnings[0] if warnings else self._caption)
        self.words.setToolTip("\n".join(warnings))
        self.words.setProperty("look", "warning" if warnings else "")
        self.words.style().unpolish(self.words)
        self.words.style().polish(self.words)

    def set_shown(self, shown: bool) -> None:
        """Show the miniature, or put it away."""
        self._shown = shown
        self.setVisible(shown)
        if shown and self._last is not None:
            self.show_view(*self._last)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._settle()
        return False

    def _settle(self) -> None:
        """Take the shape of the picture and go into the corner of the map."""
        picture = picture_size(self.view.shape)
        self.setFixedSize(
            picture.width() + 2, picture.height() + self.words.sizeHint().height() + 4
        )
        if self._held is None:
            right = self._board.width() - self.width() - GAP
            bottom = self._board.height() - self.height() - GAP
            self.move(right if self._right else GAP, bottom if self._low else GAP)
        self.covered.adjustSize()
        self.covered.move((self.width() - self.covered.width()) // 2, 8)
        self.covered.raise_()
        self.raise_()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._held = event.position().toPoint()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self.move(self.mapToParent(event.position().toPoint()) - self._held)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = None
        middle = self.geometry().center()
        self._right = middle.x() > self._board.width() / 2
        self._low = middle.y() > self._board.height() / 2
        self._settle()


def picture_size(shape: QSize) -> QSize:
    """Return how large the picture is: of equal area for every shape, within bounds."""
    aspect = shape.width() / shape.height() if not shape.isEmpty() else 1.6
    width = min(max(sqrt(AREA * aspect), WIDTHS.start), WIDTHS.stop - 1)
    height = min(max(width / aspect, HEIGHTS.start), HEIGHTS.stop - 1)
    return QSize(round(width), round(height))
