"""The players' table as the GM works it: nothing reaches it by accident, and the GM sees it all."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from engine.commands.fog import Rectangle, RevealFog
from engine.commands.tokens import EditTokens, MoveToken
from engine.model.audience import StageMode
from engine.model.space import Cell
from engine.view import View
from gui.players import place_beside
from gui.windows.mini_corner import picture_size
from tests.helpers.encounters import HERO
from tests.helpers.gm_hand import Hand
from tests.helpers.mouse import click
from tests.helpers.shots import shot_of

LEFT = Qt.MouseButton.LeftButton


def button(gm: Hand, entry_id: str) -> QToolButton:
    """Return the button of the top bar for a menu entry."""
    action = gm.window.menu_actions[entry_id]
    found = gm.window.top.findChildren(QToolButton)
    return next(each for each in found if each.defaultAction() is action)


def on_table(gm: Hand) -> View:
    view = gm.app.player_window.scene.view
    assert view is not None
    return view


def walk(gm: Hand, x: int) -> None:
    gm.app.bridge.execute(MoveToken(token_id=HERO, path=(Cell(x, 2),)))


@pytest.mark.parametrize("cover", ["players.black", "players.picture"])
def test_a_frozen_table_is_still_frozen_after_what_covered_it(
    gm: Hand, cover: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(gm.app.files, "ask_picture", lambda: ("0" * 64, b"a picture"))
    gm.app.bridge.set_mode(StageMode.LIVE)
    click(button(gm, "players.freeze"))
    walk(gm, 3)
    gm.window.menu_actions[cover].trigger()
    assert HERO not in on_table(gm).tokens
    walk(gm, 4)
    gm.window.menu_actions[cover].trigger()
    assert gm.session.stage.mode is StageMode.FROZEN
    assert on_table(gm).tokens[HERO].cell == Cell(2, 2)
    assert gm.window.menu_actions["players.freeze"].isChecked()


def test_no_button_moves_under_the_mouse_when_the_mode_changes(gm: Hand):
    ids = ("players.freeze", "players.publish", "players.black", "players.follow")
    places = set()
    for mode in StageMode:
        gm.app.bridge.set_mode(mode)
        QApplication.processEvents()
        places.add(tuple(button(gm, each).x() for each in ids))
    assert len(places) == 1


def test_a_double_click_on_freeze_publishes_nothing(gm: Hand):
    gm.app.bridge.set_mode(StageMode.LIVE)
    freeze = button(gm, "players.freeze")
    click(freeze)
    walk(gm, 4)
    QApplication.processEvents()
    at = freeze.mapTo(gm.window, freeze.rect().center())
    click(freeze)
    assert gm.window.childAt(at) is freeze


def test_publish_is_there_only_for_what_is_held(gm: Hand):
    gm.app.bridge.set_mode(StageMode.LIVE)
    assert not button(gm, "players.publish").isEnabled()
    gm.app.bridge.lay(StageMode.FROZEN)
    assert button(gm, "players.publish").isEnabled()


def test_without_a_window_the_pill_is_grey_and_opens_it_black_saying_how_to_go_on(
    gm: Hand, qtbot: QtBot
):
    gm.app.bridge.set_mode(StageMode.LIVE)
    live = gm.window.top.pill.icon().pixmap(9, 9).toImage().pixelColor(4, 4).name()
    assert live == gm.window.theme.muted
    gm.app.bridge.set_mode(StageMode.BLACKOUT)
    click(gm.window.top.pill)
    qtbot.waitUntil(gm.app.player_window.isVisible)
    assert "black" in gm.window.status.text()
    assert "Black out" in gm.window.status.text()


@pytest.mark.qt_log_ignore("does not support raise")
def test_with_a_window_the_pill_opens_its_menu(
    gm: Hand, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    opened: list[object] = []
    monkeypatch.setattr(gm.app.menu, "popup", lambda menu, _at: opened.append(menu))
    gm.window.menu_actions["players.open"].trigger()
    qtbot.waitUntil(gm.app.player_window.isVisible)
    click(gm.window.top.pill)
    assert opened == [gm.window.submenus["&Players"]]


@pytest.mark.parametrize("size", [(1280, 800), (1707, 960), (1024, 600)])
def test_on_the_only_screen_it_leaves_the_middle_of_the_map_alone(size: tuple[int, int]):
    screen = QRect(QPoint(), QPoint(size[0] - 1, size[1] - 1))
    place = place_beside(screen)
    map_middle = QRect(0, 0, size[0] - 400, size[1] - 200).center()
    assert screen.contains(place)
    assert not place.contains(map_middle)


def test_the_miniature_shows_what_is_under_the_black_and_the_table_does_not(gm: Hand):
    mini = gm.window.mini
    walk(gm, 4)
    seen = mini.view.screen_widget.scene.view
    assert seen is not None
    assert seen.tokens[HERO].cell == Cell(4, 2)
    assert mini.covered.isVisible()
    assert "Blacked out" in mini.covered.text()
    assert on_table(gm).tokens == {}
    assert not shot_of(gm.app.player_window).any()


def test_the_miniature_of_a_frozen_table_shows_what_publish_would(gm: Hand):
    gm.app.bridge.set_mode(StageMode.LIVE)
    assert gm.window.mini.covered.isHidden()
    gm.app.bridge.lay(StageMode.FROZEN)
    walk(gm, 4)
    seen = gm.window.mini.view.screen_widget.scene.view
    assert seen is not None
    assert seen.tokens[HERO].cell == Cell(4, 2)
    assert on_table(gm).tokens[HERO].cell == Cell(2, 2)
    assert gm.window.mini.covered.text() == "Frozen"


def test_the_miniature_shows_only_what_the_players_may_see(gm: Hand):
    gm.app.bridge.execute(EditTokens(token_ids=(HERO,), changes={"hidden": True}))
    seen = gm.window.mini.view.screen_widget.scene.view
    assert seen is not None
    assert HERO not in seen.tokens
    assert not seen.audience.gm


def test_the_miniature_has_the_shape_of_the_board_and_goes_into_any_corner(gm: Hand):
    mini, board = gm.window.mini, gm.window.board
    assert mini.view.width() / mini.view.height() == pytest.approx(12 / 8, rel=0.05)
    QTest.mousePress(mini, LEFT, pos=QPoint(20, 20))
    QTest.mouseMove(mini, mini.mapFrom(board, QPoint(40, 60)))
    QTest.mouseRelease(mini, LEFT, pos=QPoint(20, 20))
    assert board.rect().contains(mini.geometry())
    assert mini.x() < board.width() / 2 > mini.geometry().right()


def test_every_shape_of_miniature_is_large_enough_to_be_read():
    for across, down in ((30, 30), (16, 9), (5, 40), (40, 5)):
        size = picture_size(QRect(0, 0, across, down).size())
        assert size.width() >= 160
        assert size.height() >= 96


def test_nothing_is_marked_as_on_while_nothing_is_open(gm: Hand):
    gm.app.files.close()
    for each in ("players.black", "players.freeze"):
        assert not button(gm, each).isChecked()
        assert not button(gm, each).isEnabled()


def test_with_the_fog_tool_in_hand_the_gm_sees_what_the_players_know(gm: Hand):
    gm.app.bridge.execute(RevealFog(area=Rectangle(start=(8, 4), end=(12, 8))))
    known, unknown = gm.at(10.5, 6.5), gm.at(11.5, 0.5)
    board = gm.window.board
    assert board.fog_alpha_at(unknown) == 0
    gm.key(Qt.Key.Key_F)
    assert board.fog_alpha_at(unknown) > board.fog_alpha_at(known)
    gm.key(Qt.Key.Key_V)
    assert board.fog_alpha_at(unknown) == 0
