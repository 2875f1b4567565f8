"""Moving over the map and hearing the mouse, by real events."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.model.space import Cell
from gui.canvas.board_view import BoardView
from gui.canvas.pointer import Button, PointerEvent, PointerKind
from tests.gui.canvas.conftest import ShowBoard
from tests.helpers.shots import shot_of
from tests.helpers.views import a_door, a_grid, a_token, a_view, box_sight

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
ROTATIONS = pytest.mark.parametrize("rotation", [0, 90, 180, 270])


def wheel(
    board: BoardView, at: QPoint, notches: float, buttons: Qt.MouseButton = Qt.MouseButton.NoButton
) -> None:
    event = QWheelEvent(
        QPointF(at),
        QPointF(board.viewport().mapToGlobal(at)),
        QPoint(),
        QPoint(0, int(120 * notches)),
        buttons,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(board.viewport(), event)


def two_fingers(board: BoardView, dx: int, dy: int) -> None:
    at = QPointF(300, 200)
    event = QWheelEvent(
        at,
        QPointF(board.viewport().mapToGlobal(at.toPoint())),
        QPoint(dx, dy),
        QPoint(dx, dy),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.ScrollUpdate,
        False,
    )
    QApplication.sendEvent(board.viewport(), event)


def drag(board: BoardView, start: QPoint, end: QPoint, button: Qt.MouseButton) -> None:
    QTest.mousePress(board.viewport(), button, pos=start)
    for share in (0.3, 0.7, 1.0):
        at = start + (end - start) * share
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(at),
            QPointF(board.viewport().mapToGlobal(at)),
            Qt.MouseButton.NoButton,
            button,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(board.viewport(), event)
    QTest.mouseRelease(board.viewport(), button, pos=end)


def heard(board: BoardView) -> list[PointerEvent]:
    events: list[PointerEvent] = []
    board.pointer.connect(events.append)
    return events


@ROTATIONS
def test_the_wheel_zooms_at_the_cursor(show_board: ShowBoard, rotation: int):
    board = show_board(a_view())
    board.set_rotation(rotation)
    at = QPoint(420, 130)
    for notches in (1, 1, 2, -3, 5):
        world, size = board.world_at(at), board.px_per_cell
        wheel(board, at, notches)
        assert board.px_per_cell != size
        moved = board.position_of(world) - QPointF(at)
        assert abs(moved.x()) <= 1
        assert abs(moved.y()) <= 1


@ROTATIONS
def test_world_and_viewport_are_inverse_however_turned(show_board: ShowBoard, rotation: int):
    board = show_board(a_view())
    board.set_rotation(rotation)
    assert board.world_at(board.position_of((3.2, 4.7))) == pytest.approx((3.2, 4.7))


@ROTATIONS
def test_the_whole_board_fits(show_board: ShowBoard, rotation: int):
    board = show_board(a_view(grid=a_grid(30, 10)))
    board.set_rotation(rotation)
    board.fit_board()
    inside = board.viewport().rect()
    for corner in ((0, 0), (30, 0), (0, 10), (30, 10)):
        assert inside.contains(board.position_of(corner).toPoint())


@pytest.mark.parametrize("button", [RIGHT, Qt.MouseButton.MiddleButton])
def test_dragging_with_right_or_middle_pans_and_tells_no_tool(
    show_board: ShowBoard, button: Qt.MouseButton
):
    board = show_board(a_view())
    events, world = heard(board), board.world_at(QPoint(300, 200))
    drag(board, QPoint(300, 200), QPoint(350, 170), button)
    assert board.world_at(QPoint(350, 170)) == pytest.approx(world, abs=0.05)
    assert [e for e in events if e.kind in (PointerKind.PRESS, PointerKind.RELEASE)] == []


def test_a_right_click_reaches_the_tool_for_its_menu(show_board: ShowBoard):
    board = show_board(a_view())
    events = heard(board)
    QTest.mouseClick(board.viewport(), RIGHT, pos=QPoint(300, 200))
    assert [(e.kind, e.button) for e in events] == [
        (PointerKind.PRESS, Button.RIGHT),
        (PointerKind.RELEASE, Button.RIGHT),
    ]


def test_space_tapped_is_told_and_space_drag_pans_instead(qtbot: QtBot, show_board: ShowBoard):
    board = show_board(a_view())
    with qtbot.waitSignal(board.space_tapped, timeout=500):
        QTest.keyClick(board, Qt.Key.Key_Space)
    world = board.world_at(QPoint(300, 200))
    with qtbot.assertNotEmitted(board.space_tapped):
        QTest.keyPress(board, Qt.Key.Key_Space)
        drag(board, QPoint(300, 200), QPoint(340, 240), LEFT)
        QTest.keyRelease(board, Qt.Key.Key_Space)
    assert board.world_at(QPoint(340, 240)) == pytest.approx(world, abs=0.05)


@ROTATIONS
def test_a_click_names_cell_and_token(show_board: ShowBoard, rotation: int):
    board = show_board(a_view(a_token("a", (3, 2))))
    board.set_rotation(rotation)
    events = heard(board)
    QTest.mouseClick(
        board.viewport(),
        LEFT,
        Qt.KeyboardModifier.ShiftModifier,
        board.position_of((3.5, 2.5)).toPoint(),
    )
    press = events[0]
    assert (press.kind, press.cell, press.token_id) == (PointerKind.PRESS, Cell(3, 2), "a")
    assert (press.button, press.shift, press.ctrl) == (Button.LEFT, True, False)


def test_a_click_near_a_door_names_it(show_board: ShowBoard):
    board = show_board(a_view(walls=[a_door("door", (5, 2), (5, 3))]))
    events = heard(board)
    QTest.mouseClick(board.viewport(), LEFT, pos=board.position_of((5.08, 2.5)).toPoint())
    assert events[0].wall_id == "door"


def test_the_wheel_over_a_held_token_goes_to_the_tool(show_board: ShowBoard):
    board = show_board(a_view())
    events, size = heard(board), board.px_per_cell
    wheel(board, QPoint(300, 200), 1, LEFT)
    assert [(e.kind, e.wheel_steps) for e in events] == [(PointerKind.WHEEL, 1.0)]
    assert board.px_per_cell == size


def test_arrow_keys_and_tab_are_left_to_others(show_board: ShowBoard):
    board = show_board(a_view())
    center = board.frame.center
    QTest.keyClick(board, Qt.Key.Key_Right)
    assert board.frame.center == center


def test_a_board_that_never_got_a_view_is_quiet(show_board: ShowBoard):
    board = show_board(None)
    events = heard(board)
    QTest.mouseClick(board.viewport(), LEFT, pos=QPoint(10, 10))
    board.fit_board()
    assert events[0].token_id is None


def test_resizing_keeps_the_middle(show_board: ShowBoard):
    board = show_board(a_view())
    board.center_on((4.0, 4.0))
    board.resize(800, 300)
    QApplication.processEvents()
    assert board.frame.center == pytest.approx((4.0, 4.0), abs=0.1)


def test_two_fingers_pan_where_that_is_wished_and_zoom_otherwise(show_board: ShowBoard):
    board = show_board(a_view())
    size, world = board.px_per_cell, board.world_at(QPoint(300, 200))
    board.wheel_pans = True
    two_fingers(board, 24, -12)
    assert board.px_per_cell == size
    assert board.world_at(QPoint(324, 188)) == pytest.approx(world, abs=0.05)
    board.wheel_pans = False
    two_fingers(board, 0, 60)
    assert board.px_per_cell > size


def test_a_locked_board_keeps_its_size_and_pans_by_whole_cells(show_board: ShowBoard):
    board = show_board(a_view())
    board.locked = True
    size, center = board.px_per_cell, board.frame.center
    wheel(board, QPoint(100, 100), 2)
    drag(board, QPoint(300, 200), QPoint(300 - int(2.6 * size), 200), RIGHT)
    assert board.px_per_cell == size
    assert board.frame.center == pytest.approx((center[0] + 2, center[1]))


def test_who_sees_the_whole_map_sees_it_whole_in_a_larger_window(show_board: ShowBoard):
    board = show_board(a_view(), size=QSize(400, 300))
    before = board.camera_state().px_per_cell
    board.resize(800, 600)
    assert board.camera_state().px_per_cell > 1.8 * before
    board.zoom_at(QPointF(200, 200), 1.5)
    kept = board.camera_state().px_per_cell
    board.resize(500, 400)
    assert board.camera_state().px_per_cell == kept


def test_players_see_a_closed_door_at_the_end_of_their_sight(show_board: ShowBoard):
    door = a_door("d", (4, 3), (4, 5))
    board = show_board(a_view(walls=[door], gm=False, fog=box_sight(0, 0, 4, 8)), players=True)
    board.rest_now()
    at = board.position_of((4.02, 4.0)).toPoint()
    assert shot_of(board)[at.y(), at.x()].max() > 60
