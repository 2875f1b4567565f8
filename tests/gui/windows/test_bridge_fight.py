"""The bridge in the fog by mouse alone: three rounds, three sides, the party's dice typed in."""

from pathlib import Path
from random import Random

import pytest

from engine.model.space import Cell
from engine.rules.drase.state import sheet_of
from gui.preferences import LAST_FOLDER
from tests.helpers.gm_hand import Hand, OpenGm
from tests.helpers.mouse import button_in, play, pressing
from tests.helpers.table import (
    attack,
    carry_out,
    choose_menu,
    choose_offer,
    go_on,
    pick,
    press_next,
    title_of,
    walk,
)

SEED = 4
"""With these dice nobody of importance falls before it has done what the test says."""


@pytest.fixture
def bridge(open_gm: OpenGm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    """Return a hand at the sample, opened from the welcome page, the fight about to begin."""
    monkeypatch.setattr("engine.session.SystemRandom", lambda: Random(SEED))
    gm = open_gm(None)
    gm.app.preferences.set(LAST_FOLDER, str(tmp_path))
    choose_menu(gm, "File", "Close")
    play(pressing("the sample", button_in(lambda: gm.window.welcome, "Bridge in the fog")))
    assert gm.encounter.title == "Bridge in the fog"
    choose_menu(gm, "Fight", "The party rolls real dice")
    return gm


def lines(gm: Hand, *words: str) -> list[str]:
    """Return the log's lines that hold all words."""
    return [e.text for e in gm.encounter.log if all(word in e.text for word in words)]


def first_round(gm: Hand) -> None:
    press_next(gm)
    press_next(gm)
    assert title_of(gm) == "Round 1: Players declare"
    assert gm.window.desk.selected == ("aldric",)
    walk(gm, "aldric", (10, 9), (12, 9))
    walk(gm, "brunna", (10, 10), (11, 10))
    attack(gm, "ila", "orc1")
    asked = go_on(gm, "GM declares", by_hand=True)
    assert asked == ["Ila attacks Orc 1 with Bow: AC 14"]
    assert gm.cell_of("aldric") == Cell(12, 9)
    walk(gm, "orc1", (13, 9))
    attack(gm, "orc1", "aldric")
    walk(gm, "orc2", (13, 10))
    attack(gm, "orc2", "aldric")
    attack(gm, "archer", "brunna")
    walk(gm, "sergeant", (16, 9))
    go_on(gm, "Wolves declare", by_hand=True)
    walk(gm, "wolf1", (6, 12))
    walk(gm, "wolf2", (7, 13))
    go_on(gm, "Round 2: Players", by_hand=True)


def second_round(gm: Hand) -> None:
    """Play a shove off the bridge into the water, an orc that turns its back, a wolf's bite."""
    attack(gm, "aldric", "orc2", "Shove")
    attack(gm, "aldric", "orc1")
    walk(gm, "brunna", (12, 10))
    attack(gm, "brunna", "orc1")
    attack(gm, "ila", "orc1")
    go_on(gm, "GM declares", by_hand=True)
    assert lines(gm, "Orc 2 falls", "into water")
    walk(gm, "orc1", (15, 9))
    attack(gm, "archer", "brunna")
    walk(gm, "sergeant", (15, 10))
    go_on(gm, "Wolves declare", by_hand=True)
    walk(gm, "wolf1", (7, 9))
    attack(gm, "wolf1", "ila")
    walk(gm, "wolf2", (7, 10))
    go_on(gm, "Round 3: Players", by_hand=True)


def third_round(gm: Hand) -> None:
    """Strike the back that was turned as a reaction; let everybody close in."""
    pick(gm, "aldric")
    choose_offer(gm, "Opportunity Attack: Orc 1")
    carry_out(gm)
    walk(gm, "brunna", (13, 10), (14, 10))
    attack(gm, "brunna", "sergeant", "Full Attack")
    attack(gm, "ila", "wolf1", "Attack: Dagger")
    go_on(gm, "GM declares", by_hand=True)
    assert lines(gm, "Reaction: Ser Aldric attacks Orc 1")
    pick(gm, "orc2")
    choose_offer(gm, "Stand Up")
    attack(gm, "sergeant", "brunna")
    attack(gm, "archer", "aldric")
    go_on(gm, "Wolves declare", by_hand=True)
    attack(gm, "wolf1", "ila")
    walk(gm, "wolf2", (7, 8))
    attack(gm, "wolf2", "ila")
    go_on(gm, "Round 4: Players", by_hand=True)


@pytest.mark.slow
@pytest.mark.qt_log_ignore("This plugin does not support")
def test_three_rounds_on_the_bridge(bridge: Hand):
    gm = bridge
    first_round(gm)
    second_round(gm)
    third_round(gm)
    for who in ("Ser Aldric", "Brunna", "Ila", "Orc 1", "Orc sergeant", "Orc archer", "Wolf 1"):
        assert lines(gm, f"{who} attacks")
    hurt = [t.id for t in gm.encounter.tokens.values() if sheet_of(t).hp < sheet_of(t).hp_max]
    assert "orc1" in hurt
    assert not lines(gm, "Overruled")
    assert not gm.app.messages.waiting
