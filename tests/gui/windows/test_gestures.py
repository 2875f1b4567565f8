"""Every gesture on the map by real mouse and key events, judged by what the engine holds."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from engine.model.refusal import Rejected, Rejection
from engine.model.space import Cell
from engine.model.wall import DoorState
from tests.helpers.encounters import FRIEND, HERO, ORC, a_board_wall, an_encounter
from tests.helpers.gm_hand import ALT, RIGHT, SHIFT, Hand, OpenGm

Key = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier


def test_a_click_selects_and_the_docks_follow(gm: Hand):
    gm.click(2.5, 2.5)
    assert gm.window.desk.selected == (HERO,)
    assert gm.window.sheet.header.title.text() == "Hero"
    assert [row.token_id for row in gm.window.turn.model.rows] == [FRIEND, HERO, ORC]
    assert gm.window.turn.list.selectedIndexes()[0].row() == 1


def test_a_drag_moves_and_one_undo_brings_back(gm: Hand):
    gm.drag((2.5, 2.5), (3.5, 2.5), (5.5, 3.5))
    assert gm.cell_of(HERO) == Cell(5, 3)
    gm.key(Key.Key_Z, CTRL)
    assert gm.cell_of(HERO) == Cell(2, 2)
    gm.key(Key.Key_Y, CTRL)
    assert gm.cell_of(HERO) == Cell(5, 3)
    gm.key(Key.Key_Z, CTRL)
    gm.key(Key.Key_Z, CTRL | SHIFT)
    assert gm.cell_of(HERO) == Cell(5, 3)


def test_escape_cancels_a_drag_exactly(gm: Hand):
    gm.press(2.5, 2.5)
    gm.move(6.5, 2.5)
    gm.key(Key.Key_Escape)
    gm.release(6.5, 2.5)
    assert gm.cell_of(HERO) == Cell(2, 2)
    assert gm.session.head == 0


def test_space_sets_a_way_point_while_a_token_is_held(gm: Hand):
    gm.press(2.5, 2.5)
    gm.move(2.5, 6.5)
    gm.key(Key.Key_Space)
    gm.move(4.5, 6.5)
    gm.release(4.5, 6.5)
    assert gm.cell_of(HERO) == Cell(4, 6)
    assert '"path":[[2,6],[4,6]]' in gm.session.document.record(1).command


def test_a_box_selects(gm: Hand):
    gm.drag((1.2, 1.2), (2.0, 2.0), (3.5, 5.5))
    assert set(gm.window.desk.selected) == {HERO, FRIEND}


@pytest.mark.parametrize(
    ("key", "cell"),
    [
        (Key.Key_Right, Cell(3, 2)),
        (Key.Key_Left, Cell(1, 2)),
        (Key.Key_Up, Cell(2, 1)),
        (Key.Key_Down, Cell(2, 3)),
    ],
)
def test_arrows_move_the_selected_token_one_cell(gm: Hand, key: Qt.Key, cell: Cell):
    gm.click(2.5, 2.5)
    gm.key(key)
    assert gm.cell_of(HERO) == cell


def test_the_number_pad_moves_aslant(gm: Hand):
    gm.click(2.5, 2.5)
    gm.key(Key.Key_3, Qt.KeyboardModifier.KeypadModifier)
    assert gm.cell_of(HERO) == Cell(3, 3)


def test_shift_and_arrows_turn(gm: Hand):
    gm.click(2.5, 2.5)
    gm.key(Key.Key_Right, SHIFT)
    gm.key(Key.Key_Right, SHIFT)
    gm.key(Key.Key_Left, SHIFT)
    assert gm.encounter.tokens[HERO].facing == 1
    assert gm.cell_of(HERO) == Cell(2, 2)


def test_arrows_without_a_selection_change_nothing(gm: Hand):
    gm.key(Key.Key_Right)
    assert gm.session.head == 0


def test_the_wheel_over_a_held_token_turns_it(gm: Hand):
    zoom = gm.window.board.px_per_cell
    gm.press(2.5, 2.5)
    gm.move(3.5, 2.5)
    gm.wheel(3.5, 2.5, -1)
    gm.release(3.5, 2.5)
    assert gm.encounter.tokens[HERO].facing == 1
    assert gm.window.board.px_per_cell == zoom


def test_delete_and_undo_without_a_question(gm: Hand):
    gm.click(2.5, 2.5)
    before = gm.encounter.tokens[HERO]
    gm.key(Key.Key_Delete)
    assert HERO not in gm.encounter.tokens
    assert gm.window.desk.selected == ()
    gm.key(Key.Key_Z, CTRL)
    assert gm.encounter.tokens[HERO] == before


def test_ctrl_d_duplicates_and_selects_the_copy(gm: Hand):
    gm.click(2.5, 2.5)
    gm.key(Key.Key_D, CTRL)
    (copy,) = gm.window.desk.selected
    assert copy not in {HERO, FRIEND, ORC}
    assert gm.encounter.tokens[copy].name == "Hero 2"


def test_full_stop_and_comma_step_through_tokens(gm: Hand):
    gm.key(Key.Key_Period)
    first = gm.window.desk.selected
    gm.key(Key.Key_Period)
    assert gm.window.desk.selected != first
    gm.key(Key.Key_Comma)
    assert gm.window.desk.selected == first


def test_a_refused_move_is_told_marked_and_opens_no_dialog(open_gm: OpenGm):
    gm = open_gm(an_encounter(walls=[a_board_wall("w", (4, 0), (4, 8))]))
    gm.drag((2.5, 2.5), (3.5, 2.5), (6.5, 2.5))
    assert gm.cell_of(HERO) == Cell(2, 2)
    assert "wall" in gm.window.status.text()
    assert gm.window.status.property("look") == "refusal"
    assert "mark" in gm.window.board._previews
    assert gm.app.bridge.refused_command is not None


def test_the_last_refusal_can_be_overruled_by_a_key(open_gm: OpenGm):
    gm = open_gm(an_encounter(walls=[a_board_wall("w", (4, 0), (4, 8))]))
    gm.drag((2.5, 2.5), (3.5, 2.5), (6.5, 2.5))
    gm.key(Key.Key_Return, CTRL)
    assert gm.cell_of(HERO) == Cell(6, 2)
    assert "Overruled" in gm.encounter.log[0].text


def test_alt_sets_a_token_down_by_hand(open_gm: OpenGm):
    gm = open_gm(an_encounter(walls=[a_board_wall("w", (4, 0), (4, 8))]))
    gm.drag((2.5, 2.5), (3.5, 2.5), (6.5, 2.5), keys=ALT)
    assert gm.cell_of(HERO) == Cell(6, 2)


def test_the_door_tool_opens_closes_and_locks(open_gm: OpenGm):
    door = a_board_wall("d", (5, 2), (5, 3), door=DoorState.CLOSED)
    gm = open_gm(an_encounter(walls=[door]))
    gm.key(Key.Key_D)
    assert gm.window.desk.tool_id == "door"
    gm.click(5.0, 2.5)
    assert gm.encounter.board.walls["d"].door is DoorState.OPEN
    gm.click(5.0, 2.5)
    assert gm.encounter.board.walls["d"].door is DoorState.CLOSED
    gm.click(5.0, 2.5, keys=SHIFT)
    assert gm.encounter.board.walls["d"].door is DoorState.LOCKED
    gm.click(5.0, 2.5)
    assert gm.encounter.board.walls["d"].door is DoorState.LOCKED
    assert "locked" in gm.window.status.text()


def test_the_wall_tool_draws_from_corner_to_corner(gm: Hand):
    gm.key(Key.Key_W)
    for x, y in ((3, 1), (6, 1), (6, 4)):
        gm.click(x, y)
    gm.key(Key.Key_Return)
    (wall,) = gm.encounter.board.walls.values()
    assert wall.points == ((3, 1), (6, 1), (6, 4))


def test_the_terrain_tool_outlines_a_rectangle_by_a_drag(gm: Hand):
    gm.key(Key.Key_T)
    gm.drag((3.02, 1.02), (4.0, 2.0), (5.98, 3.97))
    (region,) = gm.encounter.board.regions.values()
    assert region.rings == (((3, 1), (6, 1), (6, 4), (3, 4)),)
    assert region.step_cost == 2


def test_the_token_tool_puts_tokens_down(gm: Hand):
    gm.key(Key.Key_N)
    gm.click(9.5, 6.5)
    (made,) = gm.window.desk.selected
    assert gm.cell_of(made) == Cell(9, 6)


def test_the_light_tool_sets_and_puts_out(gm: Hand):
    gm.key(Key.Key_L)
    gm.click(6.5, 6.5)
    (light,) = gm.encounter.board.lights.values()
    assert (light.position, light.lit) == ((6.5, 6.5), True)
    gm.click(6.5, 6.5)
    assert not gm.encounter.board.lights[light.id].lit


def test_the_ruler_measures_and_stores_nothing(gm: Hand):
    gm.key(Key.Key_R)
    gm.drag((2.5, 2.5), (4.0, 2.5), (7.5, 2.5))
    assert "5 cells" in gm.window.status.text()
    assert gm.session.head == 0


def test_space_begins_nothing_but_ends_the_phase_in_a_fight(gm: Hand):
    gm.key(Key.Key_Space)
    assert gm.session.head == 0
    gm.window.menu_actions["fight.begin"].trigger()
    gm.key(Key.Key_Space)
    assert gm.app.bridge.view.step is not None
    assert gm.app.bridge.view.step.side == "foes"


def test_letters_typed_into_a_field_do_not_work_the_map(gm: Hand):
    gm.click(2.5, 2.5)
    gm.window.sheet.more.click()
    field = gm.window.sheet.editors["skill"].widget
    before = gm.session.head
    for key in (Key.Key_W, Key.Key_D, Key.Key_Space, Key.Key_Right, Key.Key_Period, Key.Key_E):
        gm.key(key, widget=field)
    assert gm.window.desk.tool_id == "select"
    assert gm.session.head == before
    assert gm.cell_of(HERO) == Cell(2, 2)


def test_a_right_click_offers_the_entries_of_the_map(gm: Hand, monkeypatch: pytest.MonkeyPatch):
    opened: list[list[str]] = []
    monkeypatch.setattr(
        gm.app.menu, "popup", lambda menu, _at: opened.append([a.text() for a in menu.actions()])
    )
    gm.click(2.5, 2.5, RIGHT)
    assert gm.window.desk.selected == (HERO,)
    assert "&Hide or show" in opened[0]


def test_a_right_click_in_a_drag_cancels_and_opens_no_menu(
    gm: Hand, monkeypatch: pytest.MonkeyPatch
):
    opened: list[object] = []
    monkeypatch.setattr(gm.app.menu, "popup", lambda *_: opened.append(1))
    gm.press(2.5, 2.5)
    gm.move(5.5, 2.5)
    gm.click(5.5, 2.5, RIGHT)
    gm.release(5.5, 2.5)
    assert gm.cell_of(HERO) == Cell(2, 2)
    assert opened == []


def test_holding_on_empty_ground_pings(gm: Hand, qtbot: QtBot):
    gm.press(6.5, 6.5)
    qtbot.waitUntil(lambda: bool(gm.session.stage.pings), timeout=2000)
    gm.release(6.5, 6.5)
    ((x, y),) = (ping.point for ping in gm.session.stage.pings)
    assert (round(x, 1), round(y, 1)) == (6.5, 6.5)


def test_what_a_tool_cannot_measure_is_a_sentence_and_ends_its_gesture(
    gm: Hand, monkeypatch: pytest.MonkeyPatch
):
    def refuse(_event: object) -> bool:
        raise Rejected(Rejection(code="off_board", sentence="Nobody moves from there."))

    monkeypatch.setattr(gm.window.desk.tool, "pointer", refuse)
    gm.press(2.5, 2.5)
    assert "Nobody moves from there." in gm.window.status.text()
