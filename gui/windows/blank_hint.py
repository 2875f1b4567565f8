"""What stands on a board on which there is nothing yet: how to begin."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from engine.view import View
from gui.menu_actions import Actions

OFFERED = (
    ("file.import", "Import a map"),
    ("tool.token", "Place tokens"),
    ("tool.wall", "Draw walls"),
)


class BlankHint(QFrame):
    """Keeps to the middle of the map while the board is bare and no tool is at work on it."""

    def __init__(self, board: QWidget, actions: Actions) -> None:
        super().__init__(board)
        self._board = board
        self.setObjectName("strip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 18)
        column.setSpacing(8)
        words = QLabel("This board is empty.", self)
        words.setProperty("title", True)
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(words)
        self.buttons: dict[str, QPushButton] = {}
        for entry_id, text in OFFERED:
            action = actions[entry_id]
            button = QPushButton(f"{text} ({action.shortcut().toString()})", self)
            button.setToolTip(action.toolTip())
            button.clicked.connect(action.trigger)
            column.addWidget(button)
            self.buttons[entry_id] = button
        self.hide()
        board.installEventFilter(self)

    def show_view(self, view: View | None, *, at_work: bool) -> None:
        """Stand there if a View has nothing on its board, unless a tool is about to change that."""
        bare = view is not None and not (view.tokens or view.walls or view.regions or view.picture)
        self.setVisible(bare and not at_work)
        self._settle()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._settle()
        return False

    def _settle(self) -> None:
        self.adjustSize()
        self.move(self._board.rect().center() - self.rect().center())
