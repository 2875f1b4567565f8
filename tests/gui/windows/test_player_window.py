"""What the players see: black until told, live, handout; true size; the same in miniature."""

import io
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.model.audience import Frame2D, StageMode
from engine.model.space import Cell
from engine.rules.ruleset import DeclaredPlan, Step
from engine.view import View
from gui.pictures import Pictures
from gui.theme import DARK, LIGHT
from gui.windows.player_window import MiniView, PlayerWindow, banner_text
from tests.helpers.shots import shot_of
from tests.helpers.views import a_door, a_token, a_view, box_sight


def no_picture(sha256: str) -> bytes:
    raise AssertionError(sha256)


@pytest.fixture
def pictures(qapp: QApplication) -> Iterator[Pictures]:
    made = Pictures(no_picture, inline=True)
    yield made
    made.close()


@pytest.fixture
def window(qtbot: QtBot, pictures: Pictures) -> PlayerWindow:
    made = PlayerWindow(DARK, pictures)
    qtbot.addWidget(made)
    made.resize(800, 500)
    with qtbot.waitExposed(made):
        made.show()
    return made


def players_view(**fields: object) -> View:
    view = a_view(a_token("Ila", (3, 3)), gm=False, fog=box_sight(1, 1, 9, 7))
    return replace(view, **fields)  # type: ignore[arg-type]  # fields of a View by name


def test_black_until_the_first_view_comes(window: PlayerWindow):
    assert not shot_of(window).any()
    window.show_view(players_view())
    assert shot_of(window).any()


def test_black_after_a_restart_whatever_is_on_the_board(window: PlayerWindow):
    window.show_view(players_view(mode=StageMode.BLACKOUT))
    assert not shot_of(window).any()


def test_blackout_and_back(window: PlayerWindow):
    window.show_view(players_view())
    before = shot_of(window)
    window.show_view(players_view(mode=StageMode.BLACKOUT))
    assert not shot_of(window).any()
    window.show_view(players_view())
    window.board.rest_now()
    assert np.array_equal(before.shape, shot_of(window).shape)
    assert shot_of(window).any()


def test_a_handout_that_is_missing_is_black_and_not_the_map(
    window: PlayerWindow, pictures: Pictures
):
    pictures.set_source(_missing)
    window.show_view(players_view(mode=StageMode.PICTURE, handout="0" * 64))
    assert not shot_of(window).any()


def _missing(sha256: str) -> bytes:
    from engine.model.refusal import FileProblem

    raise FileProblem(f"no picture {sha256}")


def test_it_never_takes_the_keyboard_and_escape_does_nothing(window: PlayerWindow):
    assert window.windowFlags() & Qt.WindowType.WindowDoesNotAcceptFocus
    assert window.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    window.setWindowState(Qt.WindowState.WindowFullScreen)
    press = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, press)
    assert window.isFullScreen()


def test_no_widget_of_it_has_a_tooltip_or_a_pointer(window: PlayerWindow):
    window.show_view(players_view())
    for each in (window, *window.findChildren(type(window).__mro__[1])):
        assert each.toolTip() == ""
    assert window.board.viewport().cursor().shape() == Qt.CursorShape.BlankCursor


def test_the_miniature_is_the_same_picture(qtbot: QtBot, window: PlayerWindow, pictures: Pictures):
    mini = MiniView(DARK, pictures, window)
    qtbot.addWidget(mini)
    mini.resize(window.size())
    with qtbot.waitExposed(mini):
        mini.show()
    view = players_view(
        step=Step(title="Pulse 3"),
        active=("Ila",),
        walls=a_view(walls=[a_door("d", (5, 2), (5, 3))]).walls,
    )
    window.show_view(view)
    mini.show_view(view)
    for center in ((4.3, 4.1), (6.0, 2.0)):
        window.follow(center, 61.0)
        window.board.rest_now()
        mini.screen_widget.board.rest_now()
        assert np.array_equal(shot_of(window), shot_of(mini))


def test_a_small_miniature_shows_the_same_part_of_the_world(
    qtbot: QtBot, window: PlayerWindow, pictures: Pictures
):
    mini = MiniView(DARK, pictures, window)
    qtbot.addWidget(mini)
    mini.resize(240, 150)
    with qtbot.waitExposed(mini):
        mini.show()
    window.show_view(players_view())
    mini.show_view(players_view())
    window.follow((5.0, 3.0), 40.0)
    ours, theirs = window.frame, mini.screen_widget.board.frame
    assert theirs.center == ours.center
    assert (theirs.width, theirs.height) == pytest.approx((ours.width, ours.height), rel=0.02)


def test_overview_returns_to_exactly_the_same_transform(qtbot: QtBot, window: PlayerWindow):
    window.show_view(players_view())
    window.set_true_size(80.6)
    window.follow((4.3, 2.7))
    state = window.board.camera_state()
    transform = window.board.viewportTransform()
    window.overview(0.05)
    assert window.board.viewportTransform() != transform
    qtbot.waitUntil(lambda: window.board.camera_state() == state)
    assert window.board.viewportTransform() == transform
    assert window.board.locked


def test_true_size_locks_the_zoom_and_pans_by_whole_cells(window: PlayerWindow):
    window.show_view(players_view())
    window.set_true_size(50.3)
    window.follow((6.0, 4.0), 12.0)
    assert window.board.px_per_cell == pytest.approx(50.3)
    for _ in range(7):
        window.pan_cells(1, 0)
    assert window.frame.center == (13.0, 4.0)
    moved = window.board.position_of((13.0, 4.0)).x() - window.board.width() / 2
    assert abs(moved) <= 1


def test_panning_by_cells_follows_the_turned_map(window: PlayerWindow):
    window.show_view(players_view())
    window.set_true_size(50.0)
    window.set_rotation(90)
    before = window.board.position_of((5.0, 5.0))
    window.pan_cells(1, 2)
    after = window.board.position_of((5.0, 5.0))
    assert (before.x() - after.x(), before.y() - after.y()) == pytest.approx((50, 100), abs=1)


@pytest.mark.parametrize(
    ("active", "text"),
    [
        (("Ila",), "Pulse 3 · Ila acts"),
        (("Ila", "Ser"), "Pulse 3 · Ila and Ser act"),
        (("Ila", "hidden"), "Pulse 3 · Ila acts"),
        (("hidden",), "Pulse 3 · engaged figures"),
        ((), "Pulse 3 · engaged figures"),
    ],
)
def test_the_banner_names_only_tokens_that_are_shown(active: tuple[str, ...], text: str):
    view = a_view(a_token("Ila"), a_token("Ser", (1, 1)), gm=False)
    step = Step(title="Pulse 3", subtitle="engaged figures")
    assert banner_text(replace(view, step=step, active=active)) == text


def red_png(_sha256: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 40), (200, 30, 20)).save(out, "PNG")
    return out.getvalue()


def test_a_handout_fills_the_window_on_black(window: PlayerWindow, pictures: Pictures):
    pictures.set_source(red_png)
    window.show_view(players_view(mode=StageMode.PICTURE, handout="0" * 64))
    shot = shot_of(window)
    assert shot[250, 400].tolist() == [200, 30, 20]
    assert not shot[250, 20].any()


def test_a_portrait_stands_in_the_ring(window: PlayerWindow, pictures: Pictures):
    pictures.set_source(red_png)
    token = a_token("Ila", (3, 3), portrait="0" * 64)
    window.show_view(players_view(tokens={"Ila": token}))
    at = window.board.position_of((3.5, 3.5)).toPoint()
    assert shot_of(window)[at.y(), at.x()].tolist() == [200, 30, 20]


def test_a_portrait_that_cannot_be_read_leaves_the_label(window: PlayerWindow, pictures: Pictures):
    pictures.set_source(_missing)
    window.show_view(players_view(tokens={"Ila": a_token("Ila", (3, 3), portrait="0" * 64)}))
    shot_of(window)
    assert "Ila" in window.scene.token_items


def test_following_shows_at_least_what_the_gm_sees(window: PlayerWindow):
    window.show_view(players_view())
    frame = Frame2D(center=(4.0, 3.0), width=10, height=2)
    window.show_frame(frame)
    assert window.frame.center == (4.0, 3.0)
    assert window.frame.width == pytest.approx(10)
    window.set_true_size(70.0)
    window.show_frame(Frame2D(center=(5.0, 2.0), width=30, height=20))
    assert (window.frame.center, window.board.px_per_cell) == ((5.0, 2.0), 70.0)


def test_at_true_size_fitting_brings_the_middle_and_keeps_the_size(window: PlayerWindow):
    window.show_view(players_view())
    window.set_true_size(70.0)
    window.fit_board()
    assert (window.frame.center, window.board.px_per_cell) == ((6.0, 4.0), 70.0)
    window.set_true_size(None)
    window.fit_board()
    assert window.board.px_per_cell != 70.0


def test_another_theme_is_worn_at_once(window: PlayerWindow):
    window.show_view(players_view())
    window.board.rest_now()
    before = shot_of(window)
    window.set_theme(LIGHT)
    window.board.rest_now()
    assert (shot_of(window) != before).any()


def test_closing_is_told(qtbot: QtBot, window: PlayerWindow):
    with qtbot.waitSignal(window.closed, timeout=500):
        window.close()


def test_the_plans_of_their_own_side_stand_on_the_map_until_they_are_resolved(window: PlayerWindow):
    view = players_view(step=Step(title="Players declare"))
    declared = DeclaredPlan(token_id="Ila", label="Move", path=(Cell(4, 3), Cell(6, 3)))
    window.show_view(view)
    bare = shot_of(window)
    window.show_view(replace(view, step=Step(title="Players declare", plans=(declared,))))
    changed = (shot_of(window) != bare).any(axis=-1)
    at = window.board.position_of((6.5, 3.5))
    assert changed[round(at.y()) - 12 : round(at.y()) + 12, round(at.x())].any()
    window.show_view(view)
    assert (shot_of(window) == bare).all()
