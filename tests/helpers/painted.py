"""Watching what a board's viewport is asked to paint."""

from typing import Self

from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtGui import QPaintEvent
from typing_extensions import override

from gui.canvas.board_view import BoardView


class Painted(QObject):
    """Collects the rectangles while it is entered; a board that goes away is not watched."""

    def __init__(self, board: BoardView) -> None:
        super().__init__()
        self.rects: list[QRect] = []
        self._viewport = board.viewport()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.rects.append(event.rect())
        return super().eventFilter(watched, event)

    def __enter__(self) -> Self:
        self._viewport.installEventFilter(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._viewport.removeEventFilter(self)
