"""Draws both windows in a fight, at two sizes: `python -m tests.helpers.make_screenshots`.

The pictures go to `assets/screenshots`. Each size needs a program of its own, for Qt asks for the
screen only once; each plays the sample with the same dice, so that only a change of the windows
changes the pictures.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.session import Session

SIZES = ((1280, 800, 96), (2560, 1440, 144))
"""Width and height in device pixels, and dots per inch: 144 is a scale of 1.5."""
SEED = 11
ROUND, ARCHER, ATTACK, TARGET = "Round 2: Players declare", "ila", "Attack: Bow", "guard1"
"""The scene: by then the target is half behind a wall, and its reason can be drawn."""


def main() -> None:
    """Draw all sizes, or the one that is named."""
    if len(sys.argv) > 1:
        width, height, dpi = (int(each) for each in sys.argv[1].split("x"))
        draw(width, height, dpi)
        return
    for size in SIZES:
        name = "x".join(str(each) for each in size)
        subprocess.run([sys.executable, "-m", "tests.helpers.make_screenshots", name], check=True)


def draw(width: int, height: int, dpi: int) -> None:
    """Play the keep's fight, prepare a shot, and keep both windows as pictures."""
    folder = Path(tempfile.mkdtemp(prefix="battlemat-"))
    screen = {"name": "screen", "x": 0, "y": 0, "width": width, "height": height, "dpr": 1}
    screen |= {"logicalDpi": dpi, "logicalBaseDpi": 96}
    layout = folder / "screen.json"
    layout.write_text(json.dumps({"synchronousWindowSystemEvents": True, "screens": [screen]}))
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={layout}"
    os.environ["XDG_CONFIG_HOME"] = str(folder)

    from PySide6.QtCore import QSettings
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from engine.model.audience import StageMode
    from engine.samples import ASSETS, create_sample, play, sample_named
    from engine.session import Session
    from gui.app import App
    from gui.preferences import Preferences
    from gui.theme import apply_theme, theme_named
    from tests.helpers.gm_hand import Hand
    from tests.helpers.table import choose_offer, middle, pick

    app = QApplication([])
    apply_theme(app, theme_named("dark"))
    made = App(Preferences(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)))
    sample = sample_named("keep")
    path = folder / "keep.battlemat"
    create_sample(sample, path).close()
    session = Session.open(path, entropy=Random(SEED))
    for _ in play(session, sample):
        pass
    session.jump(next(each for each in session.current_line() if is_the_scene(session, each)))
    made.window.setGeometry(app.primaryScreen().geometry())
    made.window.show()
    made.player_window.setGeometry(app.primaryScreen().geometry())
    made.player_window.show()
    made.bridge.attach(session)
    made.bridge.set_mode(StageMode.LIVE)
    QTest.qWait(500)
    made.player_window.fit_board()
    made.window.board.fit_board()
    gm = Hand(made)
    pick(gm, ARCHER)
    choose_offer(gm, ATTACK)
    gm.hover(*middle(gm, TARGET))
    gm.click(*middle(gm, TARGET))
    for show in made.window.forecast.lines.buttons.buttons():
        if "a wall" in show.property("line"):
            show.click()  # by the button itself, for it may be scrolled out of sight
    QTest.qWait(1500)
    for name, window in (("gm", made.window), ("player", made.player_window)):
        # A size that is no whole number of points comes out one pixel too wide.
        picture = window.grab().toImage().copy(0, 0, width, height)
        picture.save(str(ASSETS / "screenshots" / f"{name}-{width}x{height}.png"))
    made.window.close()


def is_the_scene(session: "Session", record: int) -> bool:
    """Tell whether the archer could shoot after this step, and a wall hides part of the target."""
    encounter, ruleset = session.state(record), session.ruleset
    if not encounter.fighting or ruleset.step(encounter).title != ROUND:
        return False
    for offer in ruleset.offers(encounter, ARCHER):
        if offer.label == ATTACK and offer.enabled:
            forecast = ruleset.forecast(encounter, offer.plan.changed(target_id=TARGET))
            return any("a wall" in line.label for line in forecast.lines)
    return False


if __name__ == "__main__":
    main()
