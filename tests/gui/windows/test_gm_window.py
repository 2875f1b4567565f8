"""The GM window around the map: prompts from the dock, overruling, players, themes, messages."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from engine.commands.board import PutRegions, PutWalls
from engine.commands.fog import SwitchFog
from engine.commands.tokens import EditTokens, MoveToken
from engine.commands.turn import ChangeSettings
from engine.model.audience import HealthShown, StageMode, VisionMode
from engine.model.evidence import Evidence
from engine.model.light import Ambient
from engine.model.pending import PromptKind
from engine.model.region import Region
from engine.model.space import Cell
from engine.model.wall import Wall
from engine.rules.registry import kinds_of
from engine.session import Session
from engine.storage.document import Document
from gui.canvas.overlays.overlay import EvidencePreview
from gui.menu import ENTRIES
from gui.preferences import LOG_SUMS, MESSAGE_SECONDS, MIRROR_RULER, THEME
from tests.helpers.encounters import FRIEND, HERO, ORC
from tests.helpers.gm_hand import Hand

LEFT = Qt.MouseButton.LeftButton


def begin(gm: Hand) -> None:
    QTest.mouseClick(gm.window.turn.next, LEFT)
    assert gm.encounter.fighting


def strike(gm: Hand) -> None:
    """Prepare the hero's strike at the orc by the mouse."""
    gm.click(2.5, 2.5)
    gm.window.offers.button("strike").click()
    gm.hover(8.5, 3.5)
    gm.click(8.5, 3.5)


def test_a_fight_begins_by_the_button_and_ends_by_the_menu(gm: Hand):
    begin(gm)
    assert gm.window.turn.header.title.whole_text == "Round 1"
    gm.window.menu_actions["fight.end"].trigger()
    assert not gm.encounter.fighting
    assert gm.window.turn.header.title.whole_text == "Exploring"


def test_an_attack_is_aimed_rolled_and_answered_from_the_docks(gm: Hand):
    begin(gm)
    strike(gm)
    assert gm.window.forecast.do.text().startswith("Roll")
    QTest.mouseClick(gm.window.forecast.do, LEFT)
    prompt = gm.encounter.prompt
    assert prompt is not None
    assert gm.window.forecast.subject.text() == prompt.question
    gm.window.forecast.choice("dodge").click()
    assert gm.encounter.prompt is None
    assert gm.encounter.log[-1].text in gm.window.log.text.toPlainText()


def test_one_undo_takes_back_roll_and_question_and_the_middle_can_be_reached(gm: Hand):
    begin(gm)
    strike(gm)
    before = gm.encounter
    gm.window.forecast.do.click()
    gm.window.menu_actions["edit.undo"].trigger()
    assert gm.encounter == before
    assert gm.window.forecast.choices.isHidden()
    gm.window.menu_actions["edit.redo"].trigger()
    assert gm.encounter.prompt is not None


def test_i_rolled_asks_for_the_faces_and_takes_them(gm: Hand):
    begin(gm)
    strike(gm)
    gm.window.forecast.typed.click()
    prompt = gm.encounter.prompt
    assert prompt is not None
    assert prompt.prompt is PromptKind.ROLL
    (die,) = gm.window.forecast.dice.fields
    assert gm.window.focusWidget() is die
    QTest.keyClicks(die, "10")
    QTest.keyClick(die, Qt.Key.Key_Return)
    assert gm.encounter.log[-1].text == "Hero rolls 15."


def test_one_undo_takes_the_act_and_its_typed_roll_back(gm: Hand):
    begin(gm)
    strike(gm)
    before = gm.encounter
    gm.window.forecast.typed.click()
    QTest.keyClicks(gm.window.forecast.dice.fields[0], "10")
    QTest.keyClick(gm.window.forecast.dice.fields[0], Qt.Key.Key_Return)
    after = gm.encounter
    gm.window.menu_actions["edit.undo"].trigger()
    assert gm.encounter == before
    gm.window.menu_actions["edit.redo"].trigger()
    assert gm.encounter == after


def test_a_side_with_real_dice_is_always_asked(gm: Hand):
    gm.app.bridge.execute(ChangeSettings(real_dice=("party",)))
    assert gm.window.menu_actions["fight.party_dice"].isChecked()
    begin(gm)
    strike(gm)
    gm.window.forecast.do.click()
    prompt = gm.encounter.prompt
    assert prompt is not None
    assert prompt.prompt is PromptKind.ROLL
    gm.window.forecast.by_program.click()
    assert gm.encounter.prompt is not prompt


def test_who_rolls_the_partys_dice_is_no_step_that_undo_takes_back(gm: Hand):
    begin(gm)
    strike(gm)
    head = gm.session.head
    gm.window.turn.by_hand.click()
    assert gm.session.head == head
    gm.window.forecast.do.click()
    assert gm.encounter.prompt is not None
    gm.window.menu_actions["edit.undo"].trigger()
    assert gm.window.turn.by_hand.isChecked()
    gm.window.turn.by_program.click()
    strike(gm)
    gm.window.forecast.do.click()
    prompt = gm.encounter.prompt
    assert prompt is None or prompt.roll is None


def test_the_switch_for_dice_also_ends_what_the_encounter_says(gm: Hand):
    gm.app.bridge.execute(ChangeSettings(real_dice=("party",)))
    begin(gm)
    gm.window.turn.by_program.click()
    assert gm.session.real_dice == ()


def test_who_is_asked_is_selected_and_has_the_cursor(gm: Hand):
    begin(gm)
    strike(gm)
    chosen = gm.window.desk.selected
    gm.window.forecast.typed.click()
    prompt = gm.encounter.prompt
    assert prompt is not None
    assert gm.window.desk.selected == (prompt.token_id,)
    assert gm.window.focusWidget() is gm.window.forecast.dice.fields[0]
    while gm.encounter.prompt is not None:
        asked = gm.encounter.prompt
        if asked.choices:
            gm.window.forecast.choice(asked.choices[0].value).click()
        else:
            gm.window.forecast.by_program.click()
    assert gm.window.desk.selected == chosen


def test_a_result_can_be_ruled_while_the_question_is_open(gm: Hand):
    begin(gm)
    strike(gm)
    gm.window.forecast.typed.click()
    gm.window.forecast.ruling.click()
    gm.window.forecast.result.setText("20")
    QTest.keyClick(gm.window.forecast.result, Qt.Key.Key_Return)
    assert any("The GM rules" in entry.text for entry in gm.encounter.log)


def test_what_is_not_possible_is_done_by_overruling(gm: Hand):
    begin(gm)
    gm.window.menu_actions["fight.next"].trigger()
    gm.click(2.5, 2.5)
    assert not gm.window.offers.button("strike").isEnabled()
    gm.window.offers.overrule.click()
    gm.window.offers.button("strike").click()
    gm.click(8.5, 3.5)
    gm.window.forecast.do.click()
    assert any("Overruled" in entry.text for entry in gm.encounter.log)
    assert not gm.window.offers.overrule.isChecked()


def test_escape_lets_go_of_a_plan(gm: Hand):
    begin(gm)
    gm.click(2.5, 2.5)
    gm.window.offers.button("strike").click()
    gm.key(Qt.Key.Key_Escape)
    assert gm.window.desk.planner.offer is None
    gm.click(8.5, 3.5)
    assert gm.window.desk.selected == (ORC,)


def test_evidence_is_drawn_and_goes_with_the_plan(gm: Hand):
    begin(gm)
    strike(gm)
    gm.window.forecast.evidence.emit(Evidence(tokens=(FRIEND,)))
    shown = gm.window.board._previews["evidence"]
    assert isinstance(shown, EvidencePreview)
    gm.key(Qt.Key.Key_Escape)
    assert "evidence" not in gm.window.board._previews


def test_a_message_goes_and_the_facts_come_back(gm: Hand, qtbot: QtBot):
    gm.hover(6.5, 6.5)
    fact = gm.window.status.text()
    assert fact.startswith("G7")
    gm.app.messages.say("Something happened.")
    assert gm.window.status.text() == "Something happened."
    gm.hover(7.5, 6.5)
    assert gm.window.status.text() == "Something happened."
    gm.window.end_message()
    assert gm.window.status.text().startswith("H7")


def test_messages_stay_as_long_as_the_preference_says(gm: Hand):
    gm.app.preferences.set(MESSAGE_SECONDS, 3)
    gm.app.messages.say("x")
    assert gm.window._message_over.interval() == 3000


def test_a_theme_changes_every_window(gm: Hand):
    gm.app.preferences.set(THEME, "light")
    assert gm.window.theme.name == "light"
    assert gm.window.scene.theme.name == "light"
    gm.window.grab()
    gm.app.preferences.set(THEME, "dark")


def test_sums_in_the_log_can_be_left_out(gm: Hand):
    gm.app.preferences.set(LOG_SUMS, False)
    assert not gm.window.log._sums


def test_every_control_has_a_name_for_those_who_hear_it(gm: Hand):
    gm.click(2.5, 2.5)
    gm.window.sheet.more.click()
    wanted = ("QPushButton", "QToolButton", "QLineEdit", "QSpinBox", "QComboBox", "QTreeView")
    nameless = [
        widget
        for widget in gm.window.findChildren(QWidget)
        if widget.metaObject().className() in wanted
        and widget.isVisible()
        and not widget.objectName().startswith("qt_")
        and not (widget.accessibleName() or getattr(widget, "text", str)())
    ]
    assert nameless == []


def test_all_tools_can_be_taken_up_and_show_their_settings(gm: Hand):
    for entry in ENTRIES:
        if entry.is_tool:
            gm.window.menu_actions[entry.id].trigger()
            assert gm.window.desk.tool_id == entry.id.removeprefix("tool.")
            assert gm.window.menu_actions[entry.id].isChecked()
            tools = (each.id for each in ENTRIES if each.is_tool)
            checked = [each for each in tools if gm.window.menu_actions[each].isChecked()]
            assert checked == [entry.id]


def test_a_setting_of_a_tool_is_used(gm: Hand):
    gm.key(Qt.Key.Key_T)
    gm.window.strip.editors["step_cost"].widget.setValue(4)  # type: ignore[attr-defined]
    gm.drag((3, 1), (4, 2), (6, 4))
    (region,) = gm.encounter.board.regions.values()
    assert region.step_cost == 4


def test_a_reader_cannot_write(gm: Hand):
    path = gm.session.document.path
    gm.app.bridge.execute(SwitchFog(enabled=True))
    reader = Session(Document.open(path, kinds_of, read_only=True))
    gm.app.bridge.attach(reader)
    assert "read only" in gm.window.top.subtitle.text()
    assert not gm.window.menu_actions["tool.wall"].isEnabled()
    assert reader.can_undo()
    assert not gm.window.menu_actions["edit.undo"].isEnabled()
    gm.drag((2.5, 2.5), (4.5, 2.5))
    assert gm.cell_of(HERO) == Cell(2, 2)
    assert gm.window.status.property("look") in {"problem", "refusal"}


def test_a_dropped_file_is_opened(gm: Hand, tmp_path: Path):
    bad = tmp_path / "notes.battlemat"
    bad.write_text("no", encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(bad))])
    copy, keys = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(50, 50), copy, data, LEFT, keys)
    QApplication.sendEvent(gm.window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(gm.window, QDropEvent(QPointF(50, 50), copy, data, LEFT, keys))
    assert "notes.battlemat" in gm.window.status.text()


def test_the_players_window_opens_black_and_goes_live(gm: Hand, qtbot: QtBot):
    gm.window.menu_actions["players.open"].trigger()
    qtbot.waitUntil(gm.app.player_window.isVisible)
    assert gm.session.stage.mode is StageMode.BLACKOUT
    assert gm.window.menu_actions["players.open"].isChecked()
    gm.window.menu_actions["players.black"].trigger()
    assert gm.session.stage.mode is StageMode.LIVE
    assert "live" in gm.window.top.pill.accessibleDescription()
    gm.window.menu_actions["players.open"].trigger()
    assert not gm.app.player_window.isVisible()
    QApplication.processEvents()
    assert not gm.window.menu_actions["players.open"].isChecked()


def test_frozen_players_see_the_move_only_when_it_is_published(gm: Hand):
    gm.app.bridge.set_mode(StageMode.LIVE)
    gm.window.menu_actions["players.freeze"].trigger()
    gm.app.bridge.execute(MoveToken(token_id=HERO, path=(Cell(4, 2),)))
    seen = gm.app.player_window.scene.view
    assert seen is not None
    assert seen.tokens[HERO].cell == Cell(2, 2)
    gm.window.menu_actions["players.publish"].trigger()
    seen = gm.app.player_window.scene.view
    assert seen is not None
    assert seen.tokens[HERO].cell == Cell(4, 2)


def test_following_brings_the_players_where_the_gm_looks(gm: Hand, qtbot: QtBot):
    gm.app.bridge.set_mode(StageMode.LIVE)
    gm.window.menu_actions["players.open"].trigger()
    qtbot.waitUntil(gm.app.player_window.isVisible)
    QTest.qWait(20)
    assert "frame" in gm.window.board._previews
    gm.window.menu_actions["players.follow"].trigger()
    gm.window.board.set_camera((3.0, 3.0), 90.0)
    x, y = gm.app.player_window.frame.center
    assert (round(x, 1), round(y, 1)) == (3.0, 3.0)
    assert "frame" not in gm.window.board._previews


def test_the_players_look_through_the_eyes_of_the_selected(gm: Hand):
    gm.click(2.5, 2.5)
    gm.window.menu_actions["players.chosen"].trigger()
    assert gm.app.bridge.players.vision is VisionMode.CHOSEN
    assert gm.app.bridge.players.chosen == (HERO,)
    assert gm.window.menu_actions["players.chosen"].isChecked()


def test_a_closed_encounter_leaves_the_players_in_the_dark(gm: Hand):
    gm.app.bridge.set_mode(StageMode.LIVE)
    gm.app.files.close()
    seen = gm.app.player_window.scene.view
    assert seen is not None
    assert seen.mode is StageMode.BLACKOUT
    assert gm.window.middle.currentWidget() is gm.window.welcome


def test_the_players_do_not_hear_of_what_only_the_gm_changes(gm: Hand):
    views: list[object] = []
    gm.app.bridge.set_mode(StageMode.LIVE)
    gm.app.bridge.execute(MoveToken(token_id=ORC, path=(Cell(8, 4),)))
    hidden = gm.app.bridge.players_view
    region = Region(id="r", rings=(((0, 0), (1, 0), (1, 1)),), gm_only=True)
    gm.app.bridge.players_changed.connect(lambda _b, after: views.append(after))
    gm.app.bridge.execute(PutRegions(regions=(region,)))
    assert gm.app.bridge.players_view.regions == hidden.regions


@pytest.mark.parametrize("size", [(900, 560), (1280, 800), (2200, 1300)])
def test_the_window_is_whole_at_every_size(gm: Hand, size: tuple[int, int]):
    gm.window.resize(*size)
    QApplication.processEvents()
    corner = gm.window.mini
    assert gm.window.board.rect().contains(corner.geometry())
    for dock in gm.window.column:
        assert gm.window.rect().contains(dock.geometry())


def test_a_picture_takes_the_place_of_the_map_and_gives_it_back(
    gm: Hand, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(gm.app.files, "ask_picture", lambda: ("0" * 64, b"a picture"))
    gm.window.menu_actions["players.picture"].trigger()
    assert (gm.session.stage.mode, gm.session.stage.picture) == (StageMode.PICTURE, "0" * 64)
    assert gm.app._picture("0" * 64) == b"a picture"
    gm.window.menu_actions["players.picture"].trigger()
    assert gm.session.stage.mode is StageMode.BLACKOUT  # as it was before


def test_the_players_may_be_shown_no_health(gm: Hand):
    gm.window.menu_actions["players.hidden"].trigger()
    assert gm.app.bridge.players.health is HealthShown.HIDDEN
    checked = [h for h in HealthShown if gm.window.menu_actions[f"players.{h.value}"].isChecked()]
    assert checked == [HealthShown.HIDDEN]


def test_the_ruler_is_shown_to_the_players_only_if_wished_and_live(gm: Hand):
    gm.key(Qt.Key.Key_R)
    previews = gm.app.player_window.board._previews
    gm.drag((1.5, 1.5), (3.5, 1.5), (4.5, 1.5))
    assert "ruler" not in previews
    gm.app.preferences.set(MIRROR_RULER, True)
    gm.drag((1.5, 1.5), (3.5, 1.5), (4.5, 1.5))
    assert "ruler" not in previews  # black
    gm.app.bridge.set_mode(StageMode.LIVE)
    gm.drag((1.5, 1.5), (3.5, 1.5), (4.5, 1.5))
    assert "ruler" in previews
    gm.key(Qt.Key.Key_Escape)
    assert "ruler" not in previews


def test_a_hidden_layer_is_hidden_from_the_gm_alone(gm: Hand):
    gm.key(Qt.Key.Key_W)
    gm.drag((3, 1), (4, 1), (6, 1))
    walls = next(a for a in gm.window.things.layers.actions() if a.text() == "Walls and doors")
    walls.trigger()
    assert gm.window.scene.view is not None
    assert not gm.window.scene.view.walls
    assert gm.encounter.board.walls
    assert gm.session.view(gm.app.bridge.players) == gm.app.bridge.players_view
    walls.trigger()
    assert gm.window.scene.view.walls


def test_the_status_line_offers_to_overrule_by_the_mouse(gm: Hand):
    gm.key(Qt.Key.Key_W)
    gm.drag((4, 0), (4, 4), (4, 8))
    gm.key(Qt.Key.Key_V)
    gm.drag((2.5, 2.5), (3.5, 2.5), (6.5, 2.5))
    assert gm.window.overrule.isVisible()
    QTest.mouseClick(gm.window.overrule, LEFT)
    assert gm.cell_of(HERO) == Cell(6, 2)
    assert not gm.window.overrule.isVisible()


def test_overruling_is_offered_until_something_else_is_done(gm: Hand):
    gm.key(Qt.Key.Key_W)
    gm.drag((4, 0), (4, 4), (4, 8))
    gm.key(Qt.Key.Key_V)
    gm.drag((2.5, 2.5), (3.5, 2.5), (6.5, 2.5))
    refusal = gm.window.status.text()
    gm.window.end_message()  # as after some seconds
    gm.hover(6.5, 6.5)
    gm.click(2.5, 4.5)
    assert gm.window.overrule.isVisible()
    assert refusal in gm.window.overrule.toolTip()
    gm.window.menu_actions["edit.undo"].trigger()
    assert not gm.window.overrule.isVisible()
    assert not gm.window.menu_actions["edit.overrule"].isEnabled()


def test_the_next_phase_selects_who_may_act_and_forgets_what_was_said(gm: Hand, qtbot: QtBot):
    begin(gm)
    gm.click(2.5, 2.5)
    gm.hover(2.5, 2.5)
    gm.app.window.say("Hero to C5, cost 2")
    gm.window.menu_actions["fight.next"].trigger()
    assert gm.window.desk.selection.focus in gm.app.bridge.view.active
    qtbot.waitUntil(lambda: "cost 2" not in gm.window.status.text())


def test_a_drag_with_overrule_taken_up_is_overruled_once(gm: Hand):
    wall = Wall(id="bar", points=((5.0, 0.0), (5.0, 40.0)))
    gm.app.bridge.execute(PutWalls(walls=(wall,)))
    begin(gm)
    gm.click(2.5, 2.5)
    gm.window.offers.overrule.click()
    gm.drag((2.5, 2.5), (4.5, 2.5), (6.5, 2.5))
    assert gm.cell_of(HERO) == Cell(6, 2)
    command = gm.session.document.record(gm.session.head).command
    assert command.startswith('{"kind":"overrule"')
    assert not gm.window.offers.overrule.isChecked()


def test_the_sheet_tells_what_the_players_call_somebody(gm: Hand):
    changes = {"public_name": "a stranger"}
    gm.app.bridge.execute(EditTokens(token_ids=(ORC,), changes=changes))
    gm.window.desk.select((ORC,))
    assert "the players know it as a stranger" in gm.window.sheet.badges.text()


def test_what_is_amiss_with_the_players_view_stands_below_it(gm: Hand):
    gm.app.bridge.set_mode(StageMode.LIVE)
    mini = gm.window.mini
    mini.show_warnings(("Hero: The eye is in a wall.",))
    assert mini.words.whole_text == "Hero: The eye is in a wall."
    mini.show_warnings(())
    assert mini.words.whole_text == "what the players see"


def test_night_falls_by_the_menu_and_the_menu_follows(gm: Hand):
    actions = gm.window.menu_actions
    assert actions["map.bright"].isChecked()
    actions["map.dark"].trigger()
    assert gm.encounter.board.ambient is Ambient.DARK
    assert actions["map.dark"].isChecked()
    assert not actions["map.bright"].isChecked()
    gm.app.bridge.undo()
    assert actions["map.bright"].isChecked()
    before = gm.encounter
    actions["map.bright"].trigger()
    assert gm.encounter is before
    assert actions["map.bright"].isChecked()


def test_a_typed_roll_leaves_alone_what_was_done_while_the_dice_were_out(gm: Hand):
    begin(gm)
    strike(gm)
    gm.window.forecast.typed.click()
    gm.app.bridge.execute(EditTokens(token_ids=(HERO,), changes={"hidden": True}))
    QTest.keyClicks(gm.window.forecast.dice.fields[0], "10")
    QTest.keyClick(gm.window.forecast.dice.fields[0], Qt.Key.Key_Return)
    gm.window.menu_actions["edit.undo"].trigger()
    assert gm.encounter.tokens[HERO].hidden
    assert gm.encounter.prompt is not None
    assert gm.window.menu_actions["edit.undo"].text() == "&Undo: Hide Hero"


def test_dice_typed_after_an_undo_stay_one_gesture_with_the_act(gm: Hand):
    begin(gm)
    strike(gm)
    before = gm.encounter
    gm.window.forecast.typed.click()
    asked = gm.session.head
    gm.window.menu_actions["edit.undo"].trigger()
    gm.app.bridge.jump(asked)
    QTest.keyClicks(gm.window.forecast.dice.fields[0], "10")
    QTest.keyClick(gm.window.forecast.dice.fields[0], Qt.Key.Key_Return)
    gm.window.menu_actions["edit.undo"].trigger()
    assert gm.encounter == before
