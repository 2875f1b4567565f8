"""The other docks: turn, sheet, actions, log, history, the list of all things."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.model.evidence import LogEntry, Modifier
from engine.model.wall import DoorState
from engine.rules.ruleset import Offer, Step, TargetKind, TurnEntry
from engine.storage.document import RecordSummary
from gui.docks.actions import ActionsDock
from gui.docks.history import HistoryDock
from gui.docks.log import LogDock
from gui.docks.things import ThingsDock
from gui.docks.turn import TurnDock, rows_of
from gui.theme import DARK, theme_named
from tests.gui.docks.conftest import Dock
from tests.helpers.encounters import FRIEND, HERO, ORC
from tests.helpers.gm_hand import Hand
from tests.helpers.toy import StrikePlan
from tests.helpers.views import a_door, a_token, a_view

PLAN = StrikePlan(token_id=HERO)
OFFERS = (
    Offer(id="strike", label="Strike", cost="half", group="Melee", plan=PLAN),
    Offer(id="shoot", label="Shoot", group="Ranged", plan=PLAN, reason="No bow."),
    Offer(id="shove", label="Shove", group="Melee", plan=PLAN),
)
ENTRIES = (TurnEntry(token_id=HERO, may_act=True),)


@pytest.fixture
def actions(docked: Dock[ActionsDock]) -> ActionsDock:
    dock = docked(ActionsDock(theme_named("dark")))
    dock.show_offers(OFFERS, "", armed=False)
    return dock


def test_an_impossible_offer_is_visible_disabled_and_says_why(actions: ActionsDock):
    button = actions.button("shoot")
    assert button.isVisible()
    assert not button.isEnabled()
    assert button.detail.text() == "No bow."
    assert "No bow." in button.accessibleDescription()


def test_offers_stand_together_under_their_headings(actions: ActionsDock):
    assert [each.name.text() for each in actions.buttons] == ["Strike", "Shove", "Shoot"]


def test_a_reason_against_many_offers_is_said_once_above_them(actions: ActionsDock):
    many = [OFFERS[1].changed(id=f"shoot-{number}", cost="half") for number in range(4)]
    actions.show_offers([*many, OFFERS[1].changed(id="hide", reason="No cover.")], "", armed=False)
    assert actions.common.text() == "No bow."
    assert actions.common.isVisible()
    assert actions.button("shoot-0").detail.text() == "half"
    assert actions.button("hide").detail.text() == "No cover."
    actions.show_offers(OFFERS, "", armed=False)
    assert not actions.common.isVisible()


def test_overrule_makes_it_possible_once(qtbot: QtBot, actions: ActionsDock):
    with qtbot.waitSignal(actions.armed) as armed:
        actions.overrule.click()
    assert armed.args == [True]
    actions.show_offers(OFFERS, "", armed=True)
    with qtbot.waitSignal(actions.chosen) as chosen:
        actions.button("shoot").click()
    assert chosen.args[0].id == "shoot"


def test_a_disabled_offer_has_a_menu_to_overrule_it(qtbot: QtBot, actions: ActionsDock):
    button = actions.button("shoot")
    block = button.parentWidget()
    assert block is not None
    menu = actions.menu_at(block, button.geometry().center())
    assert menu is not None
    with qtbot.waitSignal(actions.overruled) as overruled:
        menu.actions()[-1].trigger()
    assert overruled.args[0].id == "shoot"


def test_the_same_buttons_serve_the_next_token(actions: ActionsDock):
    before = list(actions.buttons)
    actions.show_offers(tuple(o.changed(reason="Not now.") for o in OFFERS), "", armed=False)
    assert actions.buttons == before
    assert not actions.button("strike").isEnabled()


def test_the_turn_list_is_what_the_step_says():
    entries = (
        TurnEntry(token_id="b", detail="IV 30", badge="stunned", done=True),
        TurnEntry(token_id="gone"),
        TurnEntry(token_id="a", may_act=True),
    )
    view = a_view(a_token("a"), a_token("b"), step=Step(title="Pulse 3", entries=entries))
    first, second = rows_of(view)
    assert (first.token_id, first.badge, first.done) == ("b", "stunned", True)
    assert second.may_act
    assert "stunned" in first.spoken
    assert "HP 7 of 10" in first.spoken


def test_without_a_fight_the_dock_offers_to_begin(qtbot: QtBot, docked: Dock[TurnDock]):
    begin, following = QAction("b"), QAction("n")
    dock = docked(TurnDock(begin, following, QAction("d"), DARK))
    dock.show_view(a_view(a_token("a")))
    assert dock.next.text() == "Begin the fight"
    with qtbot.waitSignal(begin.triggered):
        dock.next.click()


def test_the_log_grows_and_shrinks_with_undo(docked: Dock[LogDock]):
    dock = docked(LogDock(DARK))
    sums = (Modifier(label="Skill", value=5), Modifier(label="Cover", value=-2))
    entries = (LogEntry(text="A <b>strikes</b>.", lines=sums), LogEntry(text="Hush.", secret=True))
    dock.show_log(entries)
    text = dock.text.toPlainText()
    assert "A <b>strikes</b>." in text
    assert "Skill +5 · Cover \u22122" in text
    assert "(GM)" in text
    dock.show_log(entries[:1])
    assert "Hush" not in dock.text.toPlainText()
    dock.set_sums(False)
    assert "Skill" not in dock.text.toPlainText()


def test_history_shows_where_we_are_and_what_was_taken_back(
    qtbot: QtBot, docked: Dock[HistoryDock]
):
    dock = docked(HistoryDock(DARK))
    records = [
        RecordSummary(1, 0, 1, "Move", "2025-01-01T10:00:00+00:00"),
        RecordSummary(2, 1, 2, "Strike", "bad time"),
    ]
    dock.show_history(records, (1,), 1)
    role = Qt.ItemDataRole.AccessibleTextRole
    texts = [dock.model.data(dock.model.index(row), role) for row in range(3)]
    assert texts == ["As it was created, done", "Move, here", "Strike, taken back"]
    with qtbot.waitSignal(dock.asked) as asked:
        dock.list.clicked.emit(dock.model.index(2))
    assert asked.args == [2]


def test_the_list_of_things_is_a_twin_of_the_map(qtbot: QtBot, docked: Dock[ThingsDock]):
    dock = docked(ThingsDock())
    dock.show_view(a_view(a_token("Ila", (2, 3)), walls=[a_door("d", (1, 1), (1, 2))]))
    tokens, doors = dock.tree.topLevelItem(0), dock.tree.topLevelItem(1)
    assert tokens is not None
    assert doors is not None
    assert (tokens.text(0), doors.text(0)) == ("Tokens (1)", "Doors (1)")
    item = tokens.child(0)
    assert item is not None
    assert (item.text(0), item.text(1)) == ("Ila", "party, C4")
    with qtbot.waitSignal(dock.picked) as picked:
        item.setSelected(True)
    assert picked.args == [("Ila",)]


def test_a_door_is_worked_from_the_list(gm: Hand):
    gm.key(Qt.Key.Key_D)
    gm.drag((5.0, 2.0), (5.0, 2.5), (5.0, 3.0))
    gm.window.things.show()
    (door,) = gm.encounter.board.walls
    gm.window.things.activated.emit("door", door)
    assert gm.encounter.board.walls[door].door is DoorState.OPEN


def test_the_turn_list_selects_on_the_map(gm: Hand):
    model = gm.window.turn.model
    gm.window.turn.list.setCurrentIndex(model.place(ORC))
    assert gm.window.desk.selected == (ORC,)
    gm.click(2.5, 4.5)
    rows = [index.row() for index in gm.window.turn.list.selectedIndexes()]
    assert [model.rows[row].token_id for row in rows] == [FRIEND]


def test_a_value_typed_into_the_sheet_is_one_command(gm: Hand):
    gm.click(2.5, 2.5)
    number = gm.window.sheet.bars[0].number
    number.setFocus()
    number.selectAll()
    QTest.keyClicks(number, "-3")
    QTest.keyClick(number, Qt.Key.Key_Return)
    assert gm.encounter.tokens[HERO].sheet.hp == 7  # type: ignore[union-attr]
    assert gm.app.bridge.undo_label() == "Hero: Hit points"


def test_the_form_shows_every_field_of_the_sheet_and_keeps_its_widgets(gm: Hand):
    gm.click(2.5, 2.5)
    gm.window.sheet.more.click()
    assert set(gm.window.sheet.editors) == {"hp", "skill", "repulses", "interrupts", "reacts"}
    before = gm.window.sheet.editors["skill"].widget
    gm.click(8.5, 3.5)
    assert gm.window.sheet.editors["skill"].widget is before


def test_a_flag_on_the_sheet_is_set_by_a_click(gm: Hand):
    gm.click(2.5, 2.5)
    gm.window.sheet.more.click()
    box = gm.window.sheet.editors["repulses"].widget
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert gm.encounter.tokens[HERO].sheet.repulses  # type: ignore[union-attr]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_docks_hide_float_and_come_back(gm: Hand):
    gm.window.log.close()
    gm.window.turn.setFloating(True)
    gm.window.remember()
    gm.window.arrange()
    assert gm.window.log.isVisible()
    gm.window.restore()
    assert not gm.window.log.isVisible()
    assert gm.window.turn.isFloating()


def test_much_to_say_gets_a_whole_line_after_what_is_possible(actions: ActionsDock):
    long = OFFERS[0].changed(id="long", label="Opportunity Attack: Orc 1 left a tile in reach")
    refused = OFFERS[0].changed(id="no", label="Cast", reason="She has no spell of that cost.")
    actions.show_offers([refused, long, OFFERS[0], OFFERS[2]], "", armed=False)
    order = [each.name.text() for each in actions.buttons]
    assert order == [long.label, "Strike", "Shove", "Cast"]
    widths = {each.name.text(): each.width() for each in actions.buttons}
    assert widths[long.label] == widths["Cast"] > 1.9 * widths["Strike"]
    assert actions.button("strike").y() == actions.button("shove").y()


def test_nothing_on_a_button_is_cut_off(actions: ActionsDock):
    words = "Opportunity Attack: the Orc sergeant of the bridge left a tile in reach"
    long = OFFERS[0].changed(id="long", label=words, cost="reaction")
    why = "Nothing in the previous phase gives anybody a reason to react at all."
    refused = OFFERS[0].changed(id="no", label="Riposte", reason=why)
    middling = OFFERS[0].changed(id="bow", label="Full Attack: Longsword", cost="full")
    actions.setFixedWidth(300)
    actions.show_offers([long, middling, refused], "", armed=False)
    QApplication.processEvents()
    for button in actions.buttons:
        for label in (button.name, button.detail):
            needed = label.fontMetrics().horizontalAdvance(label.text())
            fits = label.width() >= needed or label.height() >= label.heightForWidth(label.width())
            assert fits, label.text()
            assert label.geometry().bottom() <= button.height(), label.text()


def test_no_line_is_left_half_empty_and_no_two_stand_in_one_place(actions: ActionsDock):
    actions.setFixedWidth(320)
    labels = ("Dash", "Opportunity Attack: Orc sergeant", "Aim", "Hide", "Draw")
    offers = [OFFERS[0].changed(id=each, label=each, cost="half") for each in labels]
    actions.show_offers(offers, "", armed=False)
    QApplication.processEvents()
    dash, attack, aim, hide, draw = actions.buttons
    assert dash.width() == attack.width() == draw.width() > 1.9 * aim.width()
    assert aim.y() == hide.y()
    assert dash.y() < attack.y() < aim.y() < draw.y()


def test_headings_with_nothing_possible_come_last(actions: ActionsDock):
    dead = OFFERS[0].changed(id="dead", group="Full", reason="Closed.")
    live = OFFERS[0].changed(id="resolve", label="Resolve now", group="Declared")
    shut = OFFERS[0].changed(id="back", group="Declared", reason="Closed.")
    actions.show_offers([dead, shut, live], "", armed=False)
    assert [actions.button(each) for each in ("resolve", "back", "dead")] == actions.buttons


def test_a_star_is_explained_where_there_is_one(actions: ActionsDock):
    assert not actions.legend.isVisible()
    actions.show_offers([OFFERS[0].changed(proposal=True)], "", armed=False)
    assert actions.legend.isVisible()


def test_ways_come_last_for_they_are_dragged(actions: ActionsDock):
    way = OFFERS[0].changed(id="walk", label="Walk", group="Way", target=TargetKind.PATH)
    actions.show_offers([way, *OFFERS], "", armed=False)
    assert [each.name.text() for each in actions.buttons[2:]] == ["Walk", "Shoot"]


@pytest.mark.parametrize(
    ("phase", "label", "shown", "below"),
    [
        ("Setup", "Begin", "Setup | Begin", "All ready?"),
        ("Round 2: Foes", "All is said by all", "Round 2: Foes | Next", "All ready? Next: All is"),
        (
            "Round 2: The master resolves what all of them do",
            "Resolve (2)",
            "Round 2 | Resolve (2)",
            "The master resolves what all of them do. All ready?",
        ),
    ],
)
def test_the_phase_is_never_cut_off(
    docked: Dock[TurnDock], phase: str, label: str, shown: str, below: str
):
    dock = docked(TurnDock(QAction("Begin"), QAction("Next"), QAction("Dice"), DARK))
    dock.setFixedWidth(300)
    step = Step(title=phase, subtitle="All ready?", end_label=label, entries=ENTRIES)
    dock.show_view(a_view(a_token(HERO), fighting=True, step=step))
    QApplication.processEvents()
    assert f"{dock.header.title.whole_text} | {dock.next.text()}" == shown
    assert dock.header.title.text() == dock.header.title.whole_text
    assert dock.does.text().startswith(below)
