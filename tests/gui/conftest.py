"""What holds for the tests of the windows: settings live in a directory of the test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.model.encounter import Encounter
from gui.app import App
from gui.preferences import Preferences
from gui.theme import apply_theme, theme_named
from tests.helpers.encounters import a_session
from tests.helpers.gm_hand import Hand, OpenGm


@pytest.fixture(autouse=True)
def private_settings(tmp_path: Path) -> None:
    """Keep QSettings out of the registry, the person's files and the other tests."""
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    for kind in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
        QSettings.setPath(kind, QSettings.Scope.UserScope, str(tmp_path))


@pytest.fixture
def open_gm(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[OpenGm]:
    """Return a function that opens the window on an encounter."""
    made: list[App] = []

    def open_it(encounter: Encounter | None = None) -> Hand:
        settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        apply_theme(qapp, theme_named("dark"))
        app = App(Preferences(settings))
        made.append(app)
        app.window.resize(1280, 800)
        with qtbot.waitExposed(app.window):
            app.window.show()
        app.window.activateWindow()
        app.bridge.attach(a_session(tmp_path, encounter))
        QApplication.processEvents()
        app.window.board.fit_board()
        app.window.board.setFocus()
        return Hand(app)

    yield open_it
    for app in made:
        app.window.close()
        app.pictures.close()
        app.window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def gm(open_gm: OpenGm) -> Hand:
    """Return a hand at the window with the small encounter open."""
    return open_gm(None)
