"""Windows: from a selection or a move to docks and a map that follow."""

import os
import tempfile
from collections.abc import Callable
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.rows import BenchRow

if TYPE_CHECKING:
    from gui.app import App

TOKENS = 200


def rows() -> list[BenchRow]:
    """Return the rows; without PySide6 there are no windows to time."""
    try:
        import PySide6  # noqa: F401
    except ImportError:
        return []
    return [
        BenchRow(
            job=f"selection change to updated docks, {TOKENS} tokens",
            run=_select_another(),
            baseline=None,
            ratio_target=None,
            target_ms=50,
            note="Drase, in a fight: sheet, offers, forecast, lists, map painted",
        ),
        BenchRow(
            job=f"a move shown in the window, {TOKENS} tokens",
            run=_move_to_and_fro(),
            baseline=None,
            ratio_target=None,
            target_ms=80,
            note="command stored, both views, docks, map painted",
        ),
    ]


@cache
def _fight() -> "App":
    """Return the window on a Drase fight of many tokens."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from engine.commands.turn import BeginFight, EndPhase
    from engine.rules.registry import ruleset_of
    from engine.session import Session
    from gui.app import App
    from gui.preferences import Preferences
    from gui.theme import DARK, apply_theme
    from tests.helpers.encounters import a_piece, an_encounter

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, DARK)
    folder = Path(tempfile.mkdtemp(prefix="battlemat-bench-"))
    sheets = tuple(ruleset_of("drase").presets().values())
    tokens = [
        a_piece(
            f"t{number}",
            (number % 20, number // 20 * 2),
            "party" if number % 2 else "foes",
            sheet=sheets[number % len(sheets)],
        )
        for number in range(TOKENS)
    ]
    options = ruleset_of("drase").options_type.model_validate({})
    encounter = an_encounter(columns=24, rows=24, tokens=tokens, ruleset="drase", options=options)
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    app = App(Preferences(settings))
    app.window.resize(1440, 900)
    app.window.show()
    app.bridge.attach(Session.create(folder / "bench.battlemat", encounter))
    app.bridge.execute(BeginFight())
    app.bridge.execute(EndPhase())
    application.processEvents()
    return app


def _select_another() -> Callable[[], None]:
    numbers = cycle(range(1, TOKENS, 7))

    def select() -> None:
        app = _fight()
        app.window.desk.select((f"t{next(numbers)}",))
        _settle()

    return select


def _move_to_and_fro() -> Callable[[], None]:
    from engine.commands.tokens import PlaceToken
    from engine.model.space import Cell

    cells = cycle((Cell(22, 22), Cell(22, 23)))

    def move() -> None:
        _fight().bridge.execute(PlaceToken(token_id="t1", cell=next(cells)))
        _settle()

    return move


def _settle() -> None:
    from PySide6.QtWidgets import QApplication

    QApplication.processEvents()
