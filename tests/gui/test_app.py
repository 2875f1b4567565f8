"""The program as a whole: it starts, opens what it is given, and leaves in order."""

import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.commands.tokens import MoveToken
from engine.model.space import Cell
from engine.session import Session
from gui import app as program
from gui.windows.gm_window import GmWindow
from tests.helpers.encounters import HERO, a_session


def gm_windows() -> list[GmWindow]:
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, GmWindow) and w.isVisible()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    session = a_session(tmp_path)
    session.execute(MoveToken(token_id=HERO, path=(Cell(5, 2),)))
    session.close()
    return tmp_path / "encounter.battlemat"


def test_the_program_opens_the_file_it_is_given_and_leaves_in_order(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, path: Path
):
    seen: list[str] = []

    def run_for_a_moment() -> int:
        (window,) = gm_windows()
        qtbot.waitUntil(lambda: window.bridge.session is not None, timeout=5000)
        seen.append(window.top.title.text())
        window.close()
        return 0

    hook = sys.excepthook
    monkeypatch.setattr(QApplication, "exec", lambda *_: run_for_a_moment())
    assert program.run(path) == 0
    assert seen == ["The ford"]
    assert sys.excepthook is hook
    with Session.open(path) as again:
        assert not again.document.read_only
        assert again.encounter.tokens[HERO].cell == Cell(5, 2)


def test_without_a_file_it_says_how_to_begin(monkeypatch: pytest.MonkeyPatch, qapp: QApplication):
    shown: list[bool] = []

    def look() -> int:
        (window,) = gm_windows()
        shown.append(window.middle.currentWidget() is window.welcome)
        shown.append(all(button.isEnabled() for button in window.welcome.begin.values()))
        window.close()
        return 0

    monkeypatch.setattr(QApplication, "exec", lambda *_: look())
    assert program.run(None) == 0
    assert shown == [True, True]


def test_a_fault_in_a_click_is_told_and_the_program_goes_on(
    monkeypatch: pytest.MonkeyPatch, qapp: QApplication
):
    told: list[str] = []

    def fail() -> int:
        (window,) = gm_windows()
        error = ZeroDivisionError("a bug")
        sys.excepthook(ZeroDivisionError, error, None)
        told.append(window.status.text())
        window.close()
        return 0

    monkeypatch.setattr(QApplication, "exec", lambda *_: fail())
    assert program.run(None) == 0
    assert "the encounter is as it was" in told[0]
