"""What the players' View does not hold cannot be on their scene, in any order of events."""

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from engine.commands.tokens import PlaceToken
from engine.model.audience import PLAYERS, Stage, StageMode
from engine.model.space import Cell
from engine.samples import create_sample, sample_named
from engine.view import TokenView, View
from tests.gui.canvas.conftest import ShowBoard
from tests.helpers.painted import Painted
from tests.helpers.shots import shot_of
from tests.helpers.views import a_token, a_view, box_sight


def players_see(view: View, *hidden: str) -> View:
    """Take hidden tokens out, as the projection does; what stays is the same objects."""
    tokens = {key: token for key, token in view.tokens.items() if key not in hidden}
    return replace(view, tokens=tokens)


def moved(token: TokenView, cell: tuple[int, int]) -> TokenView:
    return a_token(token.id, cell, hidden=token.hidden, side=token.side)


HERO = a_token("hero", (2, 2))
SPY = a_token("spy", (5, 5), hidden=True, side="foes")


def test_dragging_a_hidden_token_repaints_nothing_for_the_players(show_board: ShowBoard):
    fog = box_sight(0, 0, 12, 8)
    view = a_view(HERO, SPY, gm=False, fog=fog)
    players = show_board(players_see(view, "spy"), players=True)
    gm = show_board(replace(view, audience=a_view().audience))
    players.rest_now()
    gm.rest_now()
    QApplication.processEvents()
    with Painted(players) as for_players, Painted(gm) as for_gm:
        for step in range(10):
            cell = (5 + step % 3, 3 + step % 2)
            tokens = {**view.tokens, "spy": moved(SPY, cell)}
            gm.board.sync(replace(view, tokens=tokens))
            players.board.sync(players_see(replace(view, tokens=tokens), "spy"))
            QApplication.processEvents()
    assert not for_players.rects
    assert for_gm.rects


@pytest.mark.parametrize("order", list(permutations(["hide", "reveal", "move in"])))
def test_a_hidden_token_is_never_drawn_whatever_comes_first(
    show_board: ShowBoard, order: tuple[str, ...]
):
    """C115, C85: frame by frame the players' picture is that of a board without it."""
    dark, light = box_sight(0, 0, 1, 1), box_sight(0, 0, 12, 8)
    board = show_board(a_view(HERO, gm=False, fog=dark), players=True)
    bare = show_board(a_view(HERO, gm=False, fog=dark), players=True)
    fog, hidden, cell = dark, False, (9, 1)
    for step in order:
        fog = light if step == "reveal" else fog
        hidden = hidden or step == "hide"
        cell = (5, 5) if step == "move in" else cell
        spy = a_token("spy", cell, hidden=hidden, side="foes")
        shown = not hidden and fog is light
        tokens = (HERO, spy) if shown else (HERO,)
        board.board.sync(a_view(*tokens, gm=False, fog=fog))
        bare.board.sync(a_view(HERO, gm=False, fog=fog))
        QApplication.processEvents()
        assert ("spy" in board.board.token_items) is shown
        for each in (board, bare):
            each.rest_now()
        if hidden:
            assert (shot_of(board) == shot_of(bare)).all()


def test_nothing_of_a_token_is_left_where_it_was(show_board: ShowBoard):
    fog = box_sight(0, 0, 12, 8)
    board = show_board(a_view(HERO, SPY, gm=False, fog=fog), players=True)
    bare = show_board(a_view(HERO, gm=False, fog=fog), players=True)
    board.board.set_selected(["spy"])
    board.board.sync(a_view(HERO, gm=False, fog=fog))
    for each in (board, bare):
        each.rest_now()
    assert np.argwhere((shot_of(board) != shot_of(bare)).any(axis=2)).tolist() == []
    assert board.board.token_at((5.5, 5.5)) is None


def test_hovering_finds_only_what_is_there(show_board: ShowBoard):
    board = show_board(players_see(a_view(HERO, SPY, gm=False), "spy"), players=True)
    events = []
    board.pointer.connect(events.append)
    at = board.position_of((5.5, 5.5)).toPoint()
    QTest.mouseMove(board.viewport(), at - QPoint(3, 0))
    QTest.mouseClick(board.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert {(event.token_id, event.cell) for event in events[-2:]} == {(None, Cell(5, 5))}


def test_no_part_of_the_players_board_has_a_tooltip(show_board: ShowBoard):
    board = show_board(a_view(HERO, gm=False), players=True)
    assert [each.toolTip() for each in board.findChildren(QWidget) if each.toolTip()] == []
    assert [each.toolTip() for each in board.board.items() if each.toolTip()] == []


def test_the_gms_translucent_fog_never_reaches_the_players(show_board: ShowBoard):
    """C80: the same fog, half transparent for one, opaque for the others."""
    fog = box_sight(0, 0, 2, 2)
    outside = QPoint(450, 300)
    assert 0 < show_board(a_view(fog=fog)).fog_alpha_at(outside) < 255
    players = show_board(a_view(gm=False, fog=fog), players=True)
    assert players.fog_alpha_at(outside) == 255
    assert not shot_of(players)[300, 450].any()


def test_a_real_move_of_a_hidden_token_repaints_nothing_for_the_players(
    show_board: ShowBoard, tmp_path: Path
):
    with create_sample(sample_named("bridge"), tmp_path / "bridge.battlemat") as session:
        session.set_stage(Stage(mode=StageMode.LIVE))
        players = show_board(session.view(PLAYERS), players=True)
        hidden = [token for token in session.encounter.tokens.values() if token.hidden]
        assert hidden
        assert not {token.id for token in hidden} & set(players.board.token_items)
        session.observe(PLAYERS, lambda _, after: players.board.sync(after))
        players.rest_now()
        QApplication.processEvents()
        with Painted(players) as painted:
            for token in hidden:
                for column in (3, 4, 5):
                    session.execute(PlaceToken(token_id=token.id, cell=Cell(column, 3)))
                    QApplication.processEvents()
        assert not painted.rects
