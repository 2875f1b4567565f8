"""What is on show for a moment: pings that spread and vanish, a token on its way."""

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from engine.model.audience import LiveDrag, Ping
from engine.model.light import Light
from engine.model.space import Cell
from engine.model.value import FrozenMap
from gui.canvas.board_view import BoardView
from gui.canvas.overlays.live import dragged_ghost
from tests.gui.canvas.conftest import ShowBoard
from tests.helpers.shots import shot_of
from tests.helpers.views import a_token, a_view, box_sight

PING = Ping(point=(6.0, 4.0), side="party", at_ms=0)


def differs(board: BoardView, before: object) -> bool:
    return bool((shot_of(board) != before).any())


@pytest.mark.parametrize("players", [True, False])
def test_a_ping_is_seen_by_everybody_and_vanishes_by_itself(
    qtbot: QtBot, show_board: ShowBoard, monkeypatch: pytest.MonkeyPatch, players: bool
):
    monkeypatch.setattr("gui.canvas.overlays.live.PING_MS", 150)
    view = a_view(gm=not players)
    board = show_board(view, players=players)
    board.rest_now()
    before = shot_of(board)
    board.board.sync(replace(view, pings=(PING,)))
    assert differs(board, before)
    qtbot.waitUntil(lambda: not differs(board, before), timeout=3000)


def test_a_ping_that_is_taken_back_is_gone_at_once(show_board: ShowBoard):
    view = a_view()
    board = show_board(view)
    board.rest_now()
    before = shot_of(board)
    board.board.sync(replace(view, pings=(PING,)))
    board.board.sync(view)
    assert not differs(board, before)


def test_a_token_on_its_way_shows_its_ghost_at_the_end_of_the_path(show_board: ShowBoard):
    view = a_view(a_token("a", (1, 1)), gm=False)
    drag = LiveDrag(token_id="a", path=(Cell(1, 1), Cell(2, 2), Cell(4, 2)))
    scene = show_board(replace(view, drag=drag), players=True).board
    found = dragged_ghost(scene, drag)
    assert found is not None
    (ghost,) = found.ghosts
    assert ghost.label_at == (4.5, 2.5)
    assert ghost.way == ((1.5, 1.5), (2.5, 2.5), (4.5, 2.5))
    assert set(ghost.rings[0]) == {(4, 2), (5, 2), (5, 3), (4, 3)}


def test_a_drag_of_a_token_that_is_not_seen_shows_nothing(show_board: ShowBoard):
    view = a_view(a_token("a", (1, 1)), gm=False)
    board = show_board(view, players=True)
    before = shot_of(board)
    drag = LiveDrag(token_id="hidden", path=(Cell(1, 1), Cell(4, 2)))
    board.board.sync(replace(view, drag=drag))
    assert not differs(board, before)


def test_the_grid_can_be_taken_off_the_players_map(show_board: ShowBoard):
    view = a_view(gm=False)
    board = show_board(view, players=True)
    board.rest_now()
    before = shot_of(board)
    board.board.sync(replace(view, grid_visible=False))
    board.rest_now()
    assert differs(board, before)
    inside = shot_of(board)[40:-40, 40:-40]
    assert (inside == inside[0, 0]).all()


def test_the_gm_may_have_shaded_what_the_players_never_saw(show_board: ShowBoard):
    fog = replace(box_sight(0, 0, 1, 1), sight=None)
    board = show_board(a_view(fog=fog))
    middle = board.viewport().rect().center()
    assert board.fog_alpha_at(middle) == 0
    board.show_fog_hints(on=True)
    assert 0 < board.fog_alpha_at(middle) < 255
    board.show_fog_hints(on=False)
    assert board.fog_alpha_at(middle) == 0


@pytest.mark.parametrize("px_per_cell", [12.0, 24.0, 90.0])
def test_a_lamp_is_large_enough_to_be_found(show_board: ShowBoard, px_per_cell: float):
    lamp = Light(id="l", position=(3.5, 3.5), bright=0, dim=0)
    shots = []
    for lights in ({}, {"l": lamp}):
        board = show_board(replace(a_view(), lights=FrozenMap(lights)))
        board.set_camera((3.5, 3.5), px_per_cell)
        board.rest_now()
        shots.append(shot_of(board))
    place = np.argwhere((shots[0] != shots[1]).any(axis=-1))
    assert 12 <= np.ptp(place, axis=0).min() <= np.ptp(place, axis=0).max() <= 40
