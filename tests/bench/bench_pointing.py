"""Pointing and dragging in the GM's window: from the mouse event to the painted overlay.

A dungeon of 1,000 walls, 200 tokens. Each run is one event of the mouse and one frame; nobody is
pointed at twice, so nothing is known from before.
"""

import os
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Protocol

from tests.bench.orders import HEROES, crowd, opening
from tests.bench.rows import BenchRow, Limit

if TYPE_CHECKING:
    from tests.helpers.gm_hand import Hand

TOKENS = 200
RUNS = 150
FRAME_MS = 16
WAY = ((1, 0), (2, 1), (3, 1), (3, 2), (2, 3), (1, 3), (0, 2), (-2, 1))
"""Where a hero is carried, from where it stands."""


def rows() -> list[BenchRow]:
    """Return the rows; without PySide6 there are no windows to time."""
    try:
        import PySide6  # noqa: F401
    except ImportError:
        return []
    told = f"1,000 walls, {TOKENS} tokens"
    return [
        _row(f"hover a target: rays, blockers, cover; {told}", Pointing, fighting=False),
        _row(f"hover a target in a fight of Drase; {told}", Pointing, fighting=True),
        _row(f"drag a token: path and cost; {told}", Dragging, fighting=False),
        _row(f"drag a token in a fight: path, cost, reach; {told}", Dragging, fighting=True),
    ]


class Gesture(Protocol):
    """What a row does again and again."""

    def prepare(self) -> None:
        """Do what comes before, untimed."""

    def run(self) -> None:
        """Move the mouse once and paint."""


def _row(job: str, gesture: Callable[["Hand"], Gesture], *, fighting: bool) -> BenchRow:
    @cache
    def made() -> Gesture:
        return gesture(_table(fighting=fighting))

    return BenchRow(
        job=job,
        run=lambda: made().run(),
        baseline=None,
        ratio_target=None,
        target_ms=None,
        limits=(Limit(95, FRAME_MS),),
        runs=RUNS,
        prepare=lambda: made().prepare(),
    )


@cache
def _table(*, fighting: bool) -> "Hand":
    """Return a hand at the window of a dungeon."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from engine.session import Session
    from gui.app import App
    from gui.preferences import Preferences
    from gui.theme import DARK, apply_theme
    from tests.helpers.gm_hand import Hand

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, DARK)
    folder = Path(mkdtemp(prefix="battlemat-bench-"))
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    app = App(Preferences(settings))
    app.window.resize(1440, 900)
    app.window.show()
    app.bridge.attach(Session.create(folder / "bench.battlemat", crowd("drase", tokens=TOKENS)))
    for command in opening(app.bridge.encounter) if fighting else ():
        app.bridge.execute(command)
    app.window.board.fit_board()
    application.processEvents()
    app.window.board.rest_now()
    return Hand(app)


class Pointing:
    """Points at one token after the other while a hero is selected."""

    def __init__(self, hand: "Hand") -> None:
        self._hand = hand
        tokens = hand.app.bridge.view.tokens
        hero = tokens["t0"]
        hand.window.desk.select((hero.id,))
        others = dict.fromkeys(each.center for each in tokens.values() if each.cell != hero.cell)
        assert len(others) > RUNS, "somebody would be pointed at twice"
        self._centers = iter(others)

    def prepare(self) -> None:
        """Let everything come to rest."""
        _paint()

    def run(self) -> None:
        """Point at the next token and paint how the hero looks at it."""
        self._hand.hover(*next(self._centers))
        _paint()
        assert "look" in self._hand.window.board._previews, "nothing is shown"


class Dragging:
    """Takes up one hero after the other and carries each a few cells."""

    def __init__(self, hand: "Hand") -> None:
        self._hand = hand
        self._numbers = count()
        self._from = self._at = (0.0, 0.0)

    def prepare(self) -> None:
        """Take up the next hero when the one before has gone its way."""
        from PySide6.QtCore import Qt

        number = next(self._numbers)
        step = number % len(WAY)
        if step == 0:
            self._hand.key(Qt.Key.Key_Escape)
            hero = self._hand.app.bridge.view.tokens[f"t{number // len(WAY) % HEROES}"]
            self._hand.window.desk.select((hero.id,))
            self._hand.press(*hero.center)
            self._from = hero.center
        self._at = (self._from[0] + WAY[step][0], self._from[1] + WAY[step][1])
        _paint()

    def run(self) -> None:
        """Move the mouse to the next cell and paint."""
        self._hand.move(*self._at)
        _paint()
        assert "path" in self._hand.window.board._previews, "nothing is shown"


def _paint() -> None:
    from PySide6.QtWidgets import QApplication

    QApplication.processEvents()
