"""Whole pictures, looked at once and kept: both grids, both audiences, themes, turned, zoomed."""

import pytest
from PySide6.QtCore import QSize

from engine.model.space import GridKind
from gui.canvas.board_view import BoardView
from gui.theme import HIGH_CONTRAST, LIGHT, Theme
from tests.gui.canvas.conftest import ShowBoard
from tests.helpers.boards import full_view
from tests.helpers.golden import assert_golden
from tests.helpers.shots import shot_of

SIZE = QSize(640, 420)


def settled(board: BoardView) -> BoardView:
    board.rest_now()
    return board


@pytest.mark.parametrize("gm", [True, False], ids=["gm", "players"])
@pytest.mark.parametrize("kind", list(GridKind))
def test_a_board_with_one_of_everything(show_board: ShowBoard, kind: GridKind, gm: bool):
    board = show_board(full_view(kind, gm=gm), players=not gm, size=SIZE)
    name = f"board/{kind}-{'gm' if gm else 'players'}"
    assert_golden(shot_of(settled(board)), name)


@pytest.mark.parametrize("theme", [LIGHT, HIGH_CONTRAST], ids=lambda theme: theme.name)
def test_the_other_themes(show_board: ShowBoard, theme: Theme):
    board = show_board(full_view(GridKind.SQUARE, gm=True), size=SIZE)
    board.board.set_theme(theme)
    assert_golden(shot_of(settled(board)), f"board/{theme.name}")


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_turned_board_agrees_with_itself(show_board: ShowBoard, rotation: int):
    """C112: picture, fog, tokens, walls and grid turn together; faces stay upright."""
    board = show_board(full_view(GridKind.HEX_POINTY, gm=False), players=True, size=SIZE)
    board.set_rotation(rotation)
    board.fit_board()
    assert_golden(shot_of(settled(board)), f"board/turned-{rotation}")


@pytest.mark.parametrize("px_per_cell", [5.0, 14.0, 170.0])
def test_far_away_and_close_by(show_board: ShowBoard, px_per_cell: float):
    board = show_board(full_view(GridKind.HEX_FLAT, gm=True), size=SIZE)
    board.set_camera((6.5, 4.5), px_per_cell)
    assert_golden(shot_of(settled(board)), f"board/zoom-{px_per_cell:g}")
