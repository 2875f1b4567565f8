"""Docks stand in a window, as they do in the program."""

from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from gui.docks.panel import Panel
from gui.theme import DARK, apply_theme

D = TypeVar("D", bound=Panel)
Dock = Callable[[D], D]


@pytest.fixture
def docked(qtbot: QtBot, qapp: QApplication) -> Iterator[Dock[Panel]]:
    """Return a function that puts a dock into a window of its own and shows it."""
    apply_theme(qapp, DARK)
    kept: list[QMainWindow] = []

    def put(dock: Panel) -> Panel:
        window = QMainWindow()
        kept.append(window)
        qtbot.addWidget(window)
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        # Without a size of its own the window would pass on the dock's, which offscreen Qt cannot.
        window.setMinimumSize(500, 700)
        window.show()
        return dock

    yield put
    kept.clear()
