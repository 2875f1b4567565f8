"""Device pixels: a scale that is no whole number; it is read at start, hence the processes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
import json
import numpy as np
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QApplication
app = QApplication([])
from gui.canvas.board_view import BoardView
from gui.canvas.scene import SCENE_PER_CELL, BoardScene
from gui.pictures import Pictures
from gui.theme import DARK
from gui.windows.player_window import PlayerWindow
from tests.helpers.shots import shot_of
from tests.helpers.views import a_token, a_view, box_sight

pictures = Pictures(lambda _: b"", inline=True)
window = PlayerWindow(DARK, pictures)
window.resize(800, 400)
window.show()
window.show_view(a_view(a_token("a", (3, 3)), gm=False, fog=box_sight(0, 0, 6, 8)))
for column in range(7):
    x = column * SCENE_PER_CELL
    window.scene.addLine(x, 0, x, 500, QPen(QColor("white"), 0))
window.set_true_size(80.6)
window.follow((4.0, 4.2))
window.board.rest_now()
shot = shot_of(window)
row = shot[shot.shape[0] // 4, :, 0].astype(int)
lines = [x for x in range(1, len(row)) if row[x] > 200 and row[x - 1] <= 200]
edge = round((window.board.position_of((6.0, 1.0)).x() + 2) * window.devicePixelRatioF())
gm = BoardView(BoardScene(DARK, pictures))
gm.resize(600, 400)
gm.show()
gm.board.sync(a_view(a_token("a", (3, 3)), fog=box_sight(0, 0, 6, 8)))
gm.fit_board()
gm.rest_now()
seen = shot_of(gm)
print(json.dumps({
    "ratio": window.devicePixelRatioF(),
    "width": shot.shape[1],
    "pitch": (lines[-1] - lines[0]) / max(1, len(lines) - 1),
    "lines": len(lines),
    "lit_beyond": int(shot[40:300, edge:].max()),
    "bucket": gm.board.token_items["a"].bucket,
    "cell": gm.px_per_cell * gm.devicePixelRatioF(),
    "gm_width": seen.shape[1],
}))
"""


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 1.75, 2.0])
def test_a_cell_has_the_size_asked_for_in_device_pixels(ratio: float, tmp_path: Path):
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": str(ratio),
        "XDG_RUNTIME_DIR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["ratio"] == ratio
    assert told["width"] == round(800 * ratio)
    assert told["lines"] >= 5
    assert told["pitch"] == pytest.approx(80.6, abs=0.3)
    assert told["lit_beyond"] == 0
    assert told["gm_width"] == round(600 * ratio)
    assert told["bucket"] >= told["cell"] - 0.5
