"""Names on tokens: large enough to be read or not there at all, at every zoom."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from engine.view import TokenView, View
from gui.canvas.overlays.labels import ACROSS, SMALLEST_PX, fit
from gui.canvas.overlays.overlay import FramePreview
from gui.canvas.scene import _MANY
from gui.canvas.space import SCENE_PER_CELL
from gui.theme import ui_font
from tests.gui.canvas.conftest import ShowBoard
from tests.helpers.shots import shot_of
from tests.helpers.views import a_grid, a_token, a_view

SIZE = QSize(640, 420)


def named(label: str) -> TokenView:
    return replace(a_token("Ila", (3, 3)), label=label)


@given(st.text("AbgWi1", min_size=1, max_size=5), st.integers(1, 200))
def test_letters_are_never_too_small_and_never_wider_than_the_cell(
    qapp: QApplication, text: str, radius: int
):
    found = fit(text, radius)
    if found is not None:
        assert found.px >= SMALLEST_PX
        width = QFontMetricsF(ui_font(found.px, bold=True)).horizontalAdvance(text)
        assert width <= radius * ACROSS + 1


def test_a_short_name_is_read_on_a_small_map_and_left_out_where_cells_are_tiny(qapp: QApplication):
    assert fit("Or1", round(0.42 * 30)) is not None
    assert fit("Or1", round(0.42 * 12)) is None


@pytest.mark.parametrize("px_per_cell", [30.0, 47.0, 64.0, 120.0])
def test_a_name_is_written_at_every_usual_zoom(show_board: ShowBoard, px_per_cell: float):
    shots = []
    for label in ("Ila", ""):
        board = show_board(a_view(named(label)), size=SIZE)
        board.set_camera((3.5, 3.5), px_per_cell)
        board.rest_now()
        shots.append(shot_of(board))
    written = np.argwhere((shots[0] != shots[1]).any(axis=-1))
    assert len(written)
    assert np.abs(written - (210, 320)).max() <= 0.5 * px_per_cell


def test_a_turned_map_keeps_names_upright_and_in_their_place(show_board: ShowBoard):
    def written(rotation: int) -> set[tuple[int, int]]:
        shots = []
        for label in ("Ila", ""):
            board = show_board(a_view(named(label)), size=SIZE)
            board.set_camera((3.5, 3.5), 64.0, rotation)
            board.rest_now()
            shots.append(shot_of(board))
        return {tuple(each) for each in np.argwhere((shots[0] != shots[1]).any(axis=-1))}

    assert written(0) == written(180)


def test_the_players_frame_is_marked_at_its_corners_alone(show_board: ShowBoard):
    board = show_board(a_view(), size=SIZE)
    board.rest_now()
    before = shot_of(board)
    frame = board.frame
    board.set_preview("frame", FramePreview(frame.changed(width=8, height=5)))
    marked = (shot_of(board) != before).any(axis=-1)
    rows, columns = np.flatnonzero(marked.any(axis=1)), np.flatnonzero(marked.any(axis=0))
    middle = marked[rows[0] : rows[0] + 40, (columns[0] + columns[-1]) // 2 + 20 : columns[-1] - 40]
    assert marked[rows[0], :].any()
    assert not middle.any()


def a_crowd(label: str) -> View:
    grid = a_grid(20, 20)
    tokens = [
        replace(a_token(f"t{n}", (n % 20, n // 20), grid=grid), label=label)
        for n in range(_MANY + 1)
    ]
    return a_view(*tokens, grid=grid)


def test_a_crowd_keeps_its_names_while_it_zooms_and_has_them_sharp_when_it_rests(
    show_board: ShowBoard,
):
    board, bare = show_board(a_crowd("Ila"), size=SIZE), show_board(a_crowd(""), size=SIZE)
    for each in (board, bare):
        each.set_camera((10, 8), 40)
        each.rest_now()
    rested = shot_of(board)
    for each in (board, bare):
        each.zoom_at(QPointF(320, 210), 1.25)
    zoomed, nameless = shot_of(board), shot_of(bare)
    assert board.board.rough
    item = board.board.token_items["t110"]
    at = board.position_of((item.disc_at[0] / SCENE_PER_CELL, item.disc_at[1] / SCENE_PER_CELL))
    x, y = round(at.x()), round(at.y())
    written = np.argwhere((zoomed != nameless)[y - 25 : y + 25, x - 25 : x + 25].any(axis=2))
    assert len(written)
    assert written.mean(axis=0) == pytest.approx((25, 25), abs=3)
    board.zoom_at(QPointF(320, 210), 1 / 1.25)
    board.rest_now()
    assert not board.board.rough
    assert (shot_of(board) == rested).all()


def test_a_name_that_is_not_known_any_more_goes_at_once_from_a_zooming_crowd(
    show_board: ShowBoard,
):
    board, bare = show_board(a_crowd("Ila"), size=SIZE), show_board(a_crowd(""), size=SIZE)
    for each in (board, bare):
        each.set_camera((10, 8), 40)
        each.rest_now()
        each.zoom_at(QPointF(320, 210), 1.25)
    assert (shot_of(board) != shot_of(bare)).any()
    board.board.sync(a_crowd(""))
    assert (shot_of(board) == shot_of(bare)).all()


def test_a_name_goes_with_its_token(show_board: ShowBoard):
    board = show_board(a_view(named("Ila")), size=SIZE)
    item = board.board.token_items["Ila"]
    before = item.disc_at
    board.board.sync(a_view(replace(a_token("Ila", (5, 3)), label="Ila")))
    assert item.disc_at == (before[0] + 2 * SCENE_PER_CELL, before[1])
