"""A board on the screen for every test of the canvas."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from engine.model.refusal import FileProblem
from engine.view import View
from gui.canvas.board_view import BoardView
from gui.canvas.scene import BoardScene
from gui.pictures import Pictures
from gui.theme import DARK

ShowBoard = Callable[..., BoardView]


def no_picture(sha256: str) -> bytes:
    raise FileProblem(f"There is no picture {sha256}.")


@pytest.fixture
def pictures(qapp: object) -> Iterator[Pictures]:
    made = Pictures(no_picture, inline=True)
    yield made
    made.close()


@pytest.fixture
def show_board(qtbot: QtBot, pictures: Pictures) -> ShowBoard:
    """Return a function that shows a View in a window of a given size, fitted."""

    def show(view: View | None, *, players: bool = False, size: QSize | None = None) -> BoardView:
        board = BoardView(BoardScene(DARK, pictures), players=players)
        qtbot.addWidget(board)
        board.resize(size or QSize(600, 400))
        with qtbot.waitExposed(board):
            board.show()
        if view is not None:
            board.board.sync(view)
            board.fit_board()
        return board

    return show
