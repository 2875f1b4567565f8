"""Starts: headless commands from their first instruction to their end, and a usable window.

A new process each, set up as the console script does it, against one that only loads the same
libraries. Here milliseconds count beside the ratio, since nobody waits in ratios.
"""

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from tests.bench.rows import BenchRow

ROOT = Path(__file__).resolve().parents[2]

LIBRARIES = "import numpy, pydantic, sqlite3; pydantic.BaseModel"
BARE = """
import os
import numpy, PIL.Image, pydantic, shapely
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.show()
app.processEvents()
os._exit(0)
"""
WHOLE = """
import os
from gui import entry
entry.prepare()
app = entry.load_app()
from PySide6.QtWidgets import QApplication

def stop_when_usable(*_):
    QApplication.processEvents()
    shown = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
    for window in shown:
        window.grab()
    QApplication.processEvents()
    os._exit(0 if shown else 1)

QApplication.exec = stop_when_usable
app.run(None)
"""
ATTACK = {
    "kind": "drase_action",
    "action": "attack",
    "token_id": "archer",
    "target_id": "aldric",
}
"""What one of the keep's guards may do where the sample fight is stopped."""
STEPS_BEFORE = 40


def rows() -> list[BenchRow]:
    """Return the rows; without PySide6 there are no windows to time."""
    commands = {
        "show": ["show", "{}"],
        "offers": ["offers", "{}", "archer"],
        "forecast": ["forecast", "{}", json.dumps(ATTACK)],
        "do": ["do", "{}", json.dumps({"kind": "act", "plan": ATTACK})],
        "undo": ["undo", "{}"],
    }
    made = [_command_row(name, arguments) for name, arguments in commands.items()]
    if find_spec("PySide6"):
        made.append(
            BenchRow(
                job="start to usable window, empty",
                run=lambda: _python("-c", WHOLE),
                baseline=lambda: _python("-c", BARE),
                ratio_target=0.3,
                target_ms=1500,
                plain_ms=True,
                note="painted, all docks there; against a bare Qt window with the same libraries",
            )
        )
    return made


def _command_row(name: str, arguments: list[str]) -> BenchRow:
    def run() -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "fight.battlemat"
            file.write_bytes(_fight())
            _python("-m", "gui.entry", *(str(file) if each == "{}" else each for each in arguments))

    return BenchRow(
        job=f"headless `{name}` in a running Drase fight, start to end",
        run=run,
        baseline=lambda: _python("-c", LIBRARIES),
        ratio_target=0.3,
        target_ms=500,
        plain_ms=True,
        note="against a process that only imports numpy, pydantic and sqlite3",
    )


def _python(*arguments: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        environment |= {f"XDG_{name}_HOME": home for name in ("CONFIG", "CACHE", "DATA")}
        subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            check=True,
        )


@cache
def _fight() -> bytes:
    """Return the file of the keep's sample fight, stopped where the guards declare."""
    from engine.samples import create_sample, play, sample_named

    sample = sample_named("keep")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fight.battlemat"
        with create_sample(sample, file) as session:
            for _ in islice(play(session, sample), STEPS_BEFORE):
                pass
        return file.read_bytes()
