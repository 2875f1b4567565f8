"""The ground under the window tests: private settings, and pixels that come back as painted."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="native settings are no file there")
def test_native_settings_are_written_into_the_tests_own_directory(tmp_path: Path):
    assert tmp_path in Path(QSettings("battlemat", "battlemat").fileName()).parents


def test_settings_are_written_into_the_tests_own_directory(tmp_path: Path):
    settings = QSettings(
        QSettings.defaultFormat(), QSettings.Scope.UserScope, "battlemat", "battlemat"
    )
    settings.setValue("theme", "dark")
    settings.sync()
    assert tmp_path in Path(settings.fileName()).parents


@pytest.mark.xvfb
def test_a_window_on_the_x_server_shows_the_colour_it_was_painted_with(qtbot: QtBot):
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet("background: #336699")
    with qtbot.waitExposed(window):
        window.show()

    def pixel() -> str:
        shot = window.screen().grabWindow(window.winId())
        return shot.toImage().pixelColor(20, 20).name()

    qtbot.waitUntil(lambda: pixel() == "#336699")
