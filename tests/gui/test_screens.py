"""Two screens: the players' window goes where it belongs, also through a pulled plug; true size.

The offscreen platform has one screen, so plugs are pulled on a real X server only.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPen, QScreen
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.canvas.space import SCENE_PER_CELL
from gui.pictures import Pictures
from gui.screens import (
    CARD_MM,
    Calibration,
    CalibrationStore,
    KeepAwake,
    SecondScreen,
    calibration_from_bar,
    calibration_from_diagonal,
    calibration_from_width,
    find_screen,
    screen_key,
    visible_geometry,
)
from gui.theme import DARK
from gui.windows.player_window import PlayerWindow
from tests.helpers.gm_hand import OpenGm
from tests.helpers.shots import pixels_of
from tests.helpers.views import a_view

LAPTOP, TV = "LAPTOP", "TV"
MONITORS = {LAPTOP: "1280/338x800/211+0+0", TV: "1920/1210x1080/680+1280+0"}


def screen_named(name: str) -> QScreen | None:
    return next((each for each in QGuiApplication.screens() if each.name() == name), None)


def xrandr(*arguments: str) -> None:
    subprocess.run(["xrandr", *arguments], check=True, stdout=subprocess.DEVNULL)


def plug(name: str) -> None:
    xrandr("--setmonitor", name, MONITORS[name], "screen" if name == LAPTOP else "none")


def unplug(name: str) -> None:
    xrandr("--delmonitor", name)


@pytest.fixture
def two_screens(qtbot: QtBot) -> Iterator[None]:
    """Divide the X server's screen into a laptop and a television."""
    for name in MONITORS:
        plug(name)
    qtbot.waitUntil(lambda: all(screen_named(name) for name in MONITORS))
    yield
    for name in MONITORS:
        subprocess.run(["xrandr", "--delmonitor", name], check=False, capture_output=True)
    qtbot.waitUntil(lambda: not any(screen_named(name) for name in MONITORS))


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget(None, Qt.WindowType.Window | Qt.WindowType.WindowDoesNotAcceptFocus)
    made.setStyleSheet("background: #204060")
    qtbot.addWidget(made)
    return made


def key_of(name: str) -> str:
    screen = screen_named(name)
    assert screen is not None
    return screen_key(screen)


def stands_on(window: QWidget, name: str) -> bool:
    screen = screen_named(name)
    return (
        screen is not None
        and window.isVisible()
        and window.isFullScreen()
        and window.geometry() == screen.geometry()
    )


@pytest.mark.xvfb
def test_it_covers_the_screen_it_is_sent_to(qtbot: QtBot, two_screens: None, window: QWidget):
    control = SecondScreen(window)
    assert control.show_on(key_of(TV))
    qtbot.waitUntil(lambda: stands_on(window, TV))

    def colour_on_the_glass() -> str:
        screen = screen_named(TV)
        assert screen is not None
        return screen.grabWindow(window.winId()).toImage().pixelColor(50, 50).name()

    qtbot.waitUntil(lambda: colour_on_the_glass() == "#204060")


@pytest.mark.xvfb
def test_pulled_out_it_hides_and_plugged_in_it_is_back(
    qtbot: QtBot, two_screens: None, window: QWidget
):
    control = SecondScreen(window)
    control.show_on(key_of(TV))
    qtbot.waitUntil(lambda: stands_on(window, TV))
    with qtbot.waitSignal(control.lost, timeout=3000) as lost:
        unplug(TV)
    assert lost.args == [TV]
    assert not window.isVisible()
    assert control.is_away
    with qtbot.waitSignal(control.restored, timeout=3000):
        plug(TV)
    qtbot.waitUntil(lambda: stands_on(window, TV))


@pytest.mark.xvfb
def test_three_dropouts_in_a_row_end_where_it_began(
    qtbot: QtBot, two_screens: None, window: QWidget
):
    control = SecondScreen(window)
    control.show_on(key_of(TV))
    for _ in range(3):
        with qtbot.waitSignal(control.lost, timeout=3000):
            unplug(TV)
        with qtbot.waitSignal(control.restored, timeout=3000):
            plug(TV)
    qtbot.waitUntil(lambda: stands_on(window, TV))
    assert control.wanted == key_of(TV)


@pytest.mark.xvfb
def test_another_screen_going_does_not_concern_it(qtbot: QtBot, two_screens: None, window: QWidget):
    control = SecondScreen(window)
    control.show_on(key_of(LAPTOP))
    qtbot.waitUntil(lambda: stands_on(window, LAPTOP))
    with qtbot.assertNotEmitted(control.lost, wait=200):
        unplug(TV)
    assert window.isVisible()


@pytest.mark.xvfb
def test_a_cell_is_an_inch_in_real_pixels(qtbot: QtBot, two_screens: None, pictures: Pictures):
    """Count device pixels between lines in the grabbed picture: 80.6 within a tenth."""
    players = PlayerWindow(DARK, pictures)
    qtbot.addWidget(players)
    SecondScreen(players).show_on(key_of(TV))
    qtbot.waitUntil(lambda: stands_on(players, TV))
    players.show_view(a_view(gm=False))
    for column in range(13):
        players.scene.addLine(
            column * SCENE_PER_CELL, 0, column * SCENE_PER_CELL, 500, QPen(QColor("white"), 0)
        )
    measured = calibration_from_width(1920, 1920 / 80.6 * 25.4)
    players.set_true_size(measured.device_px(25.4))
    players.fit_board()
    image = players.grab().toImage()
    row = pixels_of(image)[image.height() // 2, :, 0]
    lines = [x for x in range(1, len(row)) if row[x] > 200 and row[x - 1] <= 200]
    assert (lines[-1] - lines[0]) / (len(lines) - 1) == pytest.approx(80.6, abs=0.1)


MIXED = """
import json, sys
import numpy as np
from PySide6.QtGui import QColor, QPen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
app = QApplication([])
from gui.canvas.space import SCENE_PER_CELL
from gui.pictures import Pictures
from gui.screens import SecondScreen, screen_key
from gui.theme import DARK
from gui.windows.player_window import PlayerWindow
from tests.helpers.shots import shot_of
from tests.helpers.views import a_view

def ratio(name):
    return next(each.devicePixelRatio() for each in app.screens() if each.name() == name)

players = PlayerWindow(DARK, Pictures(lambda _: b"", inline=True))
players.show_view(a_view(gm=False))
players.set_true_size(80.6)
for column in range(13):
    x = column * SCENE_PER_CELL
    players.scene.addLine(x, 0, x, 500, QPen(QColor("white"), 0))
control, told = SecondScreen(players), {}
for name in ("LAPTOP", "TV", "LAPTOP", "TV"):
    key = next(screen_key(each) for each in app.screens() if each.name() == name)
    control.show_on(key)
    QTest.qWait(700)
    players.fit_board()
    shot = shot_of(players)
    row = shot[shot.shape[0] // 2, :, 0].astype(int)
    lines = [x for x in range(1, len(row)) if row[x] > 200 and row[x - 1] <= 200]
    pitch = (lines[-1] - lines[0]) / max(1, len(lines) - 1)
    told[name] = [ratio(name), shot.shape[1], shot.shape[0], round(pitch, 2)]
print(json.dumps(told))
"""


@pytest.mark.xvfb
def test_a_cell_keeps_its_size_on_screens_of_different_pixel_ratios(two_screens: None):
    """C106: a laptop at 125 %, a television at 200 %; Qt reads the ratios at start."""
    environment = {**os.environ, "QT_SCREEN_SCALE_FACTORS": "LAPTOP=1.25;TV=2"}
    done = subprocess.run(
        [sys.executable, "-c", MIXED],
        cwd=Path(__file__).resolve().parents[2],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    for name, (ratio, width, height) in {
        LAPTOP: (1.25, 1280, 800),
        TV: (2.0, 1920, 1080),
    }.items():
        assert told[name][:3] == [ratio, width, height]
        assert told[name][3] == pytest.approx(80.6, abs=0.3)


@pytest.fixture
def pictures(qapp: QApplication) -> Iterator[Pictures]:
    made = Pictures(lambda _: b"", inline=True)
    yield made
    made.close()


def test_a_screen_that_is_not_there_keeps_the_window_hidden(window: QWidget):
    control = SecondScreen(window)
    assert not control.show_on("maker|model|serial|gone")
    assert control.is_away
    assert not window.isVisible()


def test_full_screen_is_toggled_without_asking_for_the_keyboard(qtbot: QtBot, window: QWidget):
    """A request to activate it would be a warning of Qt's, and warnings fail tests."""
    control = SecondScreen(window)
    control.show_as_window(QRect(50, 50, 300, 200))
    control.toggle_full_screen()
    assert window.isFullScreen()
    control.toggle_full_screen()
    assert not window.isFullScreen()
    assert window.isVisible()


def test_screens_are_found_by_identity(qapp: QApplication):
    first = qapp.screens()[0]
    assert find_screen(screen_key(first)).name() == first.name()  # type: ignore[union-attr]
    assert find_screen("unknown") is None


SCREENS = [QRect(0, 0, 1280, 800)]


@pytest.mark.parametrize(
    "saved",
    [
        QRect(2000, 100, 600, 400),
        QRect(-900, 0, 600, 400),
        QRect(100, 5000, 600, 400),
        QRect(3000, 3000, 4000, 4000),
    ],
)
def test_a_window_saved_on_a_missing_screen_opens_on_an_existing_one(saved: QRect):
    shown = visible_geometry(saved, SCREENS)
    assert SCREENS[0].contains(shown.center())
    assert SCREENS[0].contains(shown)


def test_a_window_that_can_be_seen_stays_where_it_was():
    saved = QRect(QPoint(1000, 300), QPoint(1500, 700))
    assert visible_geometry(saved, SCREENS) == saved


def test_a_card_measures_the_screen():
    measured = calibration_from_bar(bar_device_px=271.6, length_mm=CARD_MM)
    assert measured.ppi == pytest.approx(80.59, abs=0.01)
    assert measured.device_px(25.4) == pytest.approx(measured.ppi)


def test_a_cell_on_a_television_is_25_4_mm_within_half_a_percent():
    """C88: 3840 px on 1209.6 mm."""
    measured = calibration_from_width(3840, 1209.6)
    in_mm = measured.device_px(25.4) / 3840 * 1209.6
    assert in_mm == pytest.approx(25.4, rel=0.005)


def test_the_diagonal_measures_it_too():
    assert calibration_from_diagonal(3840, 2160, 55).ppi == pytest.approx(80.1, abs=0.1)


@pytest.mark.parametrize("ppi", [(5, 5), (900, 900), (80, 100), (0, 0)])
def test_impossible_measures_are_not_believed(ppi: tuple[float, float], settings: QSettings):
    store = CalibrationStore(settings)
    store.save("tv", Calibration(*ppi))
    assert store.load("tv") is None


@pytest.fixture
def settings() -> QSettings:
    return QSettings("battlemat", "battlemat")


def test_a_measure_is_kept_per_screen(settings: QSettings):
    store, measure = CalibrationStore(settings), Calibration(80.6, 80.59)
    store.save("Epson|1080p|1|HDMI-1", measure)
    settings.sync()
    again = CalibrationStore(QSettings("battlemat", "battlemat"))
    assert again.load("Epson|1080p|1|HDMI-1") == measure
    assert again.load("Epson|1080p|2|HDMI-1") is None
    again.forget("Epson|1080p|1|HDMI-1")
    assert again.load("Epson|1080p|1|HDMI-1") is None


def test_a_damaged_measure_is_none(settings: QSettings):
    store = CalibrationStore(settings)
    settings.setValue("screens/tv/device_px_per_inch", "wide")
    assert store.load("tv") is None


def test_keeping_awake_is_harmless_where_nobody_can_be_asked(
    monkeypatch: pytest.MonkeyPatch, qapp: QApplication
):
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    awake = KeepAwake()
    awake.switch(on=True)
    awake.switch(on=False)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_true_size_is_that_of_the_screen_it_is_moved_to(open_gm: OpenGm, qtbot: QtBot):
    players = open_gm(None).app.players
    players.show(list)
    key = screen_key(players.window.screen())
    players.calibrations.save(key, Calibration(100.0, 100.0))
    assert players.true_size(on=True)
    players.calibrations.save(key, Calibration(50.0, 50.0))
    players.window.screen_changed.emit()
    qtbot.waitUntil(lambda: players.window.true_device_px == 50.0)
    players.calibrations.forget(key)
    players.window.screen_changed.emit()
    qtbot.waitUntil(lambda: not players.window.is_true_size)
    players.calibrations.save(key, Calibration(80.0, 80.0))
    players.window.screen_changed.emit()
    qtbot.waitUntil(lambda: players.window.true_device_px == 80.0)
    players.true_size(on=False)
    players.window.screen_changed.emit()
    qtbot.wait(20)
    assert not players.window.is_true_size
