"""The corner of the map with a live miniature of what the players see."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget
from typing_extensions import override

from engine.view import View
from gui.docks.panel import Elided
from gui.pictures import Pictures
from gui.theme import Theme
from gui.windows.player_window import MiniView, PlayerWindow

SIZE = (204, 150)
GAP = 12
CAPTION = "what the players see"


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
        self.words = Elided(self)
        self.words.setProperty("quiet", True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.words.setContentsMargins(6, 0, 6, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 3)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addWidget(self.words)
        self.show_warnings(())
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

    def show_warnings(self, warnings: Sequence[str]) -> None:
        """Say what is amiss with the players' view; the whole of it stands in the tooltip."""
        self.words.setText(warnings[0] if warnings else CAPTION)
        self.words.setToolTip("\n".join(warnings))
        self.words.setProperty("look", "warning" if warnings else "")
        self.words.style().unpolish(self.words)
        self.words.style().polish(self.words)

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
