"""Where the cursor is: the keyboard reaches what the GM works with, and nothing else."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from engine.commands.tokens import AddTokens
from engine.commands.turn import ChangeSettings
from engine.model.pending import PromptKind
from engine.model.space import Cell
from engine.model.token import Token
from gui.docks.dice_field import Die
from gui.menu import TOOL_ENTRIES
from tests.helpers.encounters import HERO
from tests.helpers.gm_hand import Hand
from tests.helpers.mouse import click
from tests.helpers.table import choose_offer, pick

CTRL = Qt.KeyboardModifier.ControlModifier


def focused(gm: Hand) -> QWidget | None:
    return gm.window.focusWidget()


def strike_with_real_dice(gm: Hand) -> None:
    gm.app.bridge.execute(ChangeSettings(real_dice=("party",)))
    gm.window.menu_actions["fight.begin"].trigger()
    pick(gm, HERO)
    choose_offer(gm, "Strike")
    gm.click(8.5, 3.5)
    gm.window.board.setFocus()
    gm.key(Qt.Key.Key_Return, CTRL)
    if gm.encounter.prompt is None:
        click(gm.window.forecast.do)


def test_a_roll_that_is_asked_for_takes_the_cursor(gm: Hand):
    strike_with_real_dice(gm)
    assert gm.encounter.prompt is not None
    assert gm.encounter.prompt.prompt is PromptKind.ROLL
    assert focused(gm) is gm.window.forecast.dice.fields[0]
    QTest.keyClicks(focused(gm), "10")
    QTest.keyClick(focused(gm), Qt.Key.Key_Return)
    assert gm.encounter.log[-1].text == "Hero rolls 15."


def test_the_cursor_goes_back_to_the_map_when_nothing_is_to_be_typed(gm: Hand):
    strike_with_real_dice(gm)
    QTest.keyClicks(focused(gm), "10")
    QTest.keyClick(focused(gm), Qt.Key.Key_Return)
    QApplication.processEvents()
    assert focused(gm) is not None
    assert not isinstance(focused(gm), Die)


def test_undo_is_not_caught_in_an_empty_die(gm: Hand):
    strike_with_real_dice(gm)
    before = gm.session.head
    QTest.keyClick(focused(gm), Qt.Key.Key_Z, CTRL)
    assert gm.session.head < before


def test_looking_elsewhere_keeps_what_was_typed(gm: Hand):
    strike_with_real_dice(gm)
    QTest.keyClicks(focused(gm), "7")
    gm.click(2.5, 4.5)
    QApplication.processEvents()
    assert gm.window.forecast.dice.fields[0].text() == "7"


@pytest.mark.parametrize("tool", ["token", "wall", "light", "fog"])
def test_letters_typed_into_a_tools_settings_are_no_keys(gm: Hand, tool: str):
    gm.window.menu_actions[f"tool.{tool}"].trigger()
    QApplication.processEvents()
    for each in gm.window.strip.findChildren(QWidget):
        if each.focusPolicy() is not Qt.FocusPolicy.NoFocus and each.isVisible():
            each.setFocus()
            QTest.keyClicks(each, "swx")
            assert gm.window.desk.tool_id == tool


def test_keys_work_on_the_map(gm: Hand):
    gm.key(Qt.Key.Key_W)
    assert gm.window.desk.tool_id == "wall"


def test_the_settings_of_a_tool_have_their_room_at_once_whatever_was_before(gm: Hand):
    strip = gm.window.strip
    tools = [each.id for each in TOOL_ENTRIES]
    for each in (*tools, "tool.token", "tool.wall", "tool.token"):
        gm.window.menu_actions[each].trigger()
        if not strip.isHidden():
            assert strip.width() >= strip.sizeHint().width() > 100
            for box in strip.findChildren(QComboBox):
                assert box.isHidden() or strip.rect().contains(box.geometry())
        QApplication.processEvents()


def test_what_is_typed_into_a_tools_setting_stays_with_that_tool(gm: Hand):
    tools = gm.window.desk.tools
    note = tools["note"].settings
    gm.window.menu_actions["tool.light"].trigger()
    dim = gm.window.strip.editors["dim"].widget
    dim.setFocus()
    dim.selectAll()  # type: ignore[attr-defined]  # a field for a number
    QTest.keyClicks(dim, "58")
    gm.window.menu_actions["tool.note"].trigger()
    assert tools["light"].settings.dim == 58  # type: ignore[attr-defined]
    assert tools["note"].settings == note


def test_what_is_typed_for_one_token_is_not_set_on_another(gm: Hand):
    gm.app.bridge.execute(AddTokens(tokens=(Token(id="crate", name="Crate", cell=Cell(1, 6)),)))
    sheet = gm.window.sheet
    gm.window.desk.select((HERO,))
    number = sheet.bars[0].number
    number.setFocus()
    number.selectAll()
    QTest.keyClicks(number, "3")
    told: list[object] = []
    sheet.value_set.connect(lambda *each: told.append(each))
    gm.window.desk.select(("crate",))
    assert told == []
