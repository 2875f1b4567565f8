"""What a newcomer meets: an empty board that says how to go on, plain dialogs, one status line."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QStatusTipEvent
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QStyle
from pytestqt.qtbot import QtBot

from engine.commands.board import FitGrid
from gui.dialogs.form import FormDialog
from gui.dialogs.grid_fit import GridFitDialog
from gui.docks.fields import specs_of
from tests.helpers.encounters import HERO, an_encounter
from tests.helpers.gm_hand import Hand, OpenGm
from tests.helpers.mouse import click


def test_an_empty_board_says_how_to_begin_until_something_lies_there(open_gm: OpenGm):
    gm = open_gm(an_encounter(tokens=()))
    hint = gm.window.blank
    assert hint.isVisible()
    assert "Ctrl+I" in hint.buttons["file.import"].text()
    assert "Begin the fight" not in gm.window.forecast.hint.text()
    click(hint.buttons["tool.token"])
    assert not hint.isVisible()
    gm.click(3.5, 3.5)
    gm.window.menu_actions["tool.select"].trigger()
    assert gm.encounter.tokens
    assert not hint.isVisible()
    gm.window.menu_actions["edit.undo"].trigger()
    assert hint.isVisible()


def test_a_board_with_somebody_on_it_has_no_hint(gm: Hand):
    assert gm.window.blank.isHidden()
    gm.app.files.close()
    assert gm.window.blank.isHidden()


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_buttons_of_dialogs_bear_no_pictures_of_the_system(gm: Hand):
    dialog = FormDialog("x", "Fine", gm.window)
    dialog.show()
    wanted = QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons
    assert dialog.style().styleHint(wanted, None, dialog.buttons) == 0
    assert all(each.icon().isNull() for each in dialog.buttons.buttons())
    assert isinstance(dialog.buttons, QDialogButtonBox)


def test_what_an_entry_does_stands_where_all_else_stands(gm: Hand):
    QApplication.sendEvent(gm.window, QStatusTipEvent("Show the whole map"))
    assert gm.window.status.text() == "Show the whole map"
    assert gm.window.statusBar().currentMessage() == ""
    QApplication.sendEvent(gm.window, QStatusTipEvent(""))
    assert gm.window.status.text() != "Show the whole map"


def test_a_tip_does_not_hide_a_message(gm: Hand):
    gm.app.messages.say("Something happened.")
    QApplication.sendEvent(gm.window, QStatusTipEvent("Show the whole map"))
    assert gm.window.status.text() == "Something happened."


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_the_grid_is_fitted_beside_the_map_and_not_over_its_middle(gm: Hand, qtbot: QtBot):
    gm.app.fit_grid()
    (dialog,) = gm.window.findChildren(GridFitDialog)
    qtbot.waitUntil(dialog.isVisible)
    board = gm.window.board
    middle = board.mapToGlobal(board.rect().center())
    assert not dialog.geometry().contains(middle)
    assert dialog.geometry().right() <= gm.window.mapToGlobal(gm.window.rect().topRight()).x()
    dialog.reject()
    assert isinstance(dialog.command, FitGrid)


def test_what_a_bar_shows_is_not_asked_for_twice(gm: Hand):
    gm.window.desk.select((HERO,))
    gm.window.sheet.more.click()
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    sheet = gm.window.sheet
    bars = set(sheet._bar_fields) - {""}
    assert bars
    for spec in specs_of(type(gm.encounter.tokens[HERO].sheet)):  # type: ignore[arg-type]  # it has one
        assert sheet.editors[spec.name].widget.isHidden() is (spec.name in bars)
