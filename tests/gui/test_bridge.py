"""Between engine and windows: signals, refusals in words, frozen players."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.commands.board import OpenDoor
from engine.commands.tokens import MoveToken
from engine.model.audience import StageMode, VisionMode
from engine.model.space import Cell
from engine.model.wall import DoorState
from engine.view import View
from gui.bridge import Bridge
from gui.messages import Messages
from tests.helpers.encounters import HERO, ORC, a_board_wall, a_session, an_encounter

STEP = MoveToken(token_id=HERO, path=(Cell(3, 2),))


@pytest.fixture
def bridge(qapp: object, tmp_path: Path) -> Iterator[Bridge]:
    door = a_board_wall("d", (5, 2), (5, 3), door=DoorState.LOCKED)
    made = Bridge(Messages())
    made.attach(a_session(tmp_path, an_encounter(walls=[door])))
    yield made
    made.attach(None)


def test_a_change_is_told_once_with_both_views(bridge: Bridge):
    heard: list[tuple[View, View]] = []
    bridge.changed.connect(lambda before, after: heard.append((before, after)))
    bridge.execute(STEP)
    ((before, after),) = heard
    assert (before.tokens[HERO].cell, after.tokens[HERO].cell) == (Cell(2, 2), Cell(3, 2))
    assert before.tokens[ORC] is after.tokens[ORC]


def test_a_refusal_becomes_a_message_and_can_be_overruled(bridge: Bridge):
    assert bridge.execute(OpenDoor(wall_id="d")) == ()
    assert "locked" in bridge.messages.waiting[-1].text
    assert bridge.refused_command is not None
    assert bridge.overrule()
    assert bridge.encounter.board.walls["d"].door is DoorState.OPEN
    assert bridge.refused_command is None


def test_what_nobody_can_do_cannot_be_overruled(bridge: Bridge):
    bridge.execute(OpenDoor(wall_id="nothing"))
    assert bridge.refused_command is None
    assert bridge.overrule() == ()


def test_undo_and_redo_say_what_they_would_do(bridge: Bridge):
    assert (bridge.undo_label(), bridge.redo_label()) == ("", "")
    bridge.execute(STEP)
    assert bridge.undo_label() == "Move Hero"
    bridge.undo()
    assert (bridge.undo_label(), bridge.redo_label()) == ("", "Move Hero")


def test_a_jump_to_nowhere_is_a_message(bridge: Bridge):
    bridge.jump(99)
    assert "99" in bridge.messages.waiting[-1].text


def test_frozen_players_see_nothing_new_until_it_is_published(bridge: Bridge):
    bridge.set_mode(StageMode.LIVE)
    bridge.set_mode(StageMode.FROZEN)
    held = bridge.players_view
    bridge.execute(STEP)
    assert bridge.players_view is held
    bridge.set_players(bridge.players.changed(vision=VisionMode.ACTIVE))
    assert bridge.players_view is held
    bridge.publish()
    assert bridge.players_view.tokens[HERO].cell == Cell(3, 2)


def test_another_encounter_takes_the_place_of_the_first(bridge: Bridge, tmp_path: Path):
    opened: list[bool] = []
    bridge.opened.connect(lambda: opened.append(bridge.session is not None))
    (tmp_path / "second").mkdir()
    first = bridge.open_session
    bridge.attach(a_session(tmp_path / "second", an_encounter(title="Another")))
    assert opened == [True]
    assert bridge.encounter.title == "Another"
    assert bridge.open_session is not first


def test_without_an_encounter_there_is_nothing_to_ask(qapp: object):
    empty = Bridge(Messages())
    assert empty.session is None
    assert empty.stage.mode is StageMode.BLACKOUT
    with pytest.raises(LookupError):
        _ = empty.encounter
