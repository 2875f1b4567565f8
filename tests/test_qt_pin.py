"""Guards of the pin on PySide6: 6.12.0 loses a reference to None with every call and aborts."""

import subprocess
import sys

from PySide6.QtWidgets import QGraphicsRectItem

EMIT = """
from PySide6.QtCore import QObject, Signal

class Bell(QObject):
    rung = Signal(bool)

bell, heard = Bell(), []
bell.rung.connect(heard.append)
for _ in range(20_000):
    bell.rung.emit(True)
print(len(heard))
"""


def test_calls_returning_nothing_lose_no_reference_to_none():
    item = QGraphicsRectItem()
    before = sys.getrefcount(None)
    for _ in range(200):
        item.setPos(1, 1)
    assert before - sys.getrefcount(None) <= 20


def test_twenty_thousand_signals_leave_the_interpreter_alive():
    done = subprocess.run(
        [sys.executable, "-c", EMIT], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "20000\n", "")
