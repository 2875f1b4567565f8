"""The corner of the map with a live miniature of what the players see."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget
from typing_extensions import override

from engine.view import View
from gui.pictures import Pictures
from gui.theme import Theme
from gui.windows.player_window import MiniView, PlayerWindow

SIZE = (204, 150)
GAP = 12


class MiniCorner(QFrame):
    """Keeps to the lower right corner of its parent."""

    def __init__(
        self, board: QWidget, theme: Theme, pictures: Pictures, players: PlayerWindow
    ) -> None:
        super().__init__(board)
        self._board = board
        self.setObjectName("mini")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedSize(*SIZE)
        self.view = MiniView(theme, pictures, players, self)
        words = QLabel("what the players see", self)
        words.setProperty("quiet", True)
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 3)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addWidget(words)
        self._shown = True
        board.installEventFilter(self)
        self._last: View | None = None

    def set_theme(self, theme: Theme) -> None:
        """Take other colours."""
        self.view.set_theme(theme)

    def show_view(self, view: View) -> None:
        """Show the players' View."""
        self._last = view
        if self._shown:
            self.view.show_view(view)

    def set_shown(self, shown: bool) -> None:
        """Show the miniature, or put it away."""
        self._shown = shown
        self.setVisible(shown)
        if shown and self._last is not None:
            self.show_view(self._last)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._settle()
        return False

    def _settle(self) -> None:
        """Go into the corner of the map."""
        left = self._board.width() - self.width() - GAP
        self.move(left, self._board.height() - self.height() - GAP)
        self.raise_()
