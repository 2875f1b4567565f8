"""Where tokens are, kept in step one by one."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRectF

from gui.canvas.items.discs import Discs
from tests.gui.canvas.conftest import ShowBoard
from tests.helpers.views import a_token, a_view


def test_the_tokens_in_a_rectangle_are_found(show_board: ShowBoard):
    scene = show_board(a_view(a_token("a", (1, 1)), a_token("b", (4, 2)))).board
    found = scene.discs.within(QRectF(200, 0, 200, 200))
    assert [scene.discs.items[each].token_id for each in found] == ["b"]


def test_without_tokens_none_is_found(show_board: ShowBoard):
    assert show_board(a_view()).board.discs.within(QRectF(0, 0, 999, 999)) == []


def test_a_token_that_moved_is_taken_down_anew_and_it_alone_is_said_to_have_changed(
    show_board: ShowBoard,
):
    view = a_view(a_token("a", (1, 1)), a_token("b", (4, 2)))
    scene = show_board(view).board
    before = scene.discs
    scene.sync(replace(view, tokens={**view.tokens, "b": a_token("b", (5, 5))}))
    assert np.array_equal(scene.discs.at, Discs.of(scene.token_items.values()).at)
    assert scene.discs.before == before.serial
    assert [scene.discs.items[each].token_id for each in scene.discs.changed] == ["b"]


def test_tokens_that_come_and_go_leave_nothing_behind(show_board: ShowBoard):
    scene = show_board(a_view(a_token("a", (1, 1)), a_token("b", (4, 2)))).board
    assert len(scene.discs.items) == 2
    scene.sync(a_view(a_token("b", (4, 2)), a_token("c", (6, 2))))
    assert set(scene.discs.items) == set(scene.token_items.values())
