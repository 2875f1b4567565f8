"""The right column and the lists below the map: nothing is hidden that has room, little jumps."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.commands.tokens import AddTokens
from gui.windows.gm_window import LOG_HEIGHT
from tests.helpers.drase import encounter as drase
from tests.helpers.drase import token
from tests.helpers.encounters import HERO, a_piece, an_encounter
from tests.helpers.gm_hand import Hand, OpenGm
from tests.helpers.table import choose_offer, pick


def settle(qtbot: QtBot) -> None:
    qtbot.wait(40)
    QApplication.processEvents()


def test_the_turn_list_is_not_scrolled_while_all_of_it_has_room(open_gm: OpenGm, qtbot: QtBot):
    gm = open_gm(an_encounter(tokens=()))
    gm.window.resize(1440, 900)
    for number in range(4):
        name = f"t{number}"
        gm.app.bridge.execute(AddTokens(tokens=(a_piece(name, (number, 0)),)))
        gm.window.desk.select((name,))
        settle(qtbot)
    rows = gm.window.turn.list
    for number in range(4):
        place = rows.visualRect(rows.model().index(number, 0))
        assert rows.viewport().rect().contains(place)
    assert rows.verticalScrollBar().maximum() == 0


def crowd() -> list[object]:
    return [a_piece(f"t{each}", (each, 0)) for each in range(8)]


def test_while_exploring_the_turn_list_takes_the_room_that_is_free(open_gm: OpenGm, qtbot: QtBot):
    gm = open_gm(an_encounter(tokens=crowd()))  # type: ignore[arg-type]  # tokens, to be sure
    settle(qtbot)
    rows = gm.window.turn.list
    last = rows.visualRect(rows.model().index(7, 0))
    assert rows.viewport().rect().contains(last)


@pytest.mark.parametrize("which", ["history", "things"])
def test_the_log_has_its_height_again_when_the_lists_beside_it_go(
    gm: Hand, qtbot: QtBot, which: str
):
    settle(qtbot)
    before = gm.window.log.height()
    assert abs(before - LOG_HEIGHT) < 30
    dock = getattr(gm.window, which)
    dock.show()
    settle(qtbot)
    assert gm.window.log.height() > before + 20
    dock.close()
    settle(qtbot)
    assert abs(gm.window.log.height() - before) <= 2


def test_a_message_with_its_button_moves_nothing(gm: Hand, qtbot: QtBot):
    gm.key(Qt.Key.Key_W)
    gm.drag((4, 0), (4, 4), (4, 8))
    gm.key(Qt.Key.Key_V)
    settle(qtbot)
    before = gm.window.board.height(), gm.window.statusBar().height()
    gm.drag((2.5, 2.5), (3.5, 2.5), (6.5, 2.5))
    assert gm.window.overrule.isVisible()
    settle(qtbot)
    assert (gm.window.board.height(), gm.window.statusBar().height()) == before


def test_selecting_and_letting_go_leaves_the_column_as_it_is(gm: Hand, qtbot: QtBot):
    def tops() -> list[int]:
        settle(qtbot)
        return [dock.y() for dock in gm.window.column]

    gm.window.desk.select((HERO,))
    chosen = tops()
    for ids in ((), ("orc",), (), (HERO,)):
        gm.window.desk.select(ids)
        assert tops() == chosen


def test_a_form_beside_all_values_leaves_every_dock_its_room(open_gm: OpenGm, qtbot: QtBot):
    """Qt warns of a share that is no room at all, and any warning fails the test."""
    gm = open_gm(drase(token("Arn", 5, 5)))
    gm.window.resize(1280, 800)
    pick(gm, "arn")
    settle(qtbot)
    gm.window.sheet.more.click()
    settle(qtbot)
    choose_offer(gm, "Damage")
    settle(qtbot)
    assert min(dock.height() for dock in gm.window.column) > 80
