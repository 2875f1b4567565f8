"""What the players' window is given from one moment to the next."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.commands.board import CloseDoor, OpenDoor, PutWalls
from engine.commands.fog import HideFog, Rectangle, RevealFog
from engine.commands.tokens import AddTokens, EditTokens, MoveToken
from engine.model.audience import GM, PLAYERS, StageMode
from engine.model.space import Cell
from engine.rules.registry import register
from engine.session import Session
from engine.view import View
from tests.helpers.scenes import LIVE, scene, token, two_rooms, wall
from tests.helpers.toy import TOY

LEFT = Rectangle(start=(0, 0), end=(5, 6))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    register(TOY)
    rooms = two_rooms()
    with Session.create(tmp_path / "rooms.battlemat", rooms.changed(tokens=scene().tokens)) as made:
        made.set_stage(LIVE)
        made.execute(AddTokens(tokens=tuple(rooms.tokens.values())))
        yield made


def shown(session: Session) -> list[View]:
    """Return the list to which every View is added that the players get."""
    views: list[View] = []
    session.observe(PLAYERS, lambda _before, after: views.append(after))
    return views


def test_c119_undo_shows_nothing_that_was_not_shown(session: Session) -> None:
    """C119: a move that is taken back takes back what it explored, and shows nothing else."""
    views = shown(session)
    before = session.view(PLAYERS)
    session.execute(OpenDoor(wall_id="door", token_id="ann"))
    session.execute(MoveToken(token_id="ann", path=(Cell(7, 3),)))
    session.undo(2)
    assert session.view(PLAYERS) == before
    assert views[-1] == before
    assert views[-1].fog == before.fog


def test_c55_one_undo_takes_back_the_move_and_its_fog(session: Session) -> None:
    before = session.encounter
    session.execute(MoveToken(token_id="ann", path=(Cell(4, 5),)))
    session.undo()
    assert session.encounter == before


def test_c82_a_held_window_changes_when_it_is_published(session: Session) -> None:
    """C82: while the stage is frozen nothing reaches the players, asked for or not."""
    views = shown(session)
    session.set_stage(LIVE.changed(mode=StageMode.FROZEN))
    before = session.view(PLAYERS)
    session.execute(OpenDoor(wall_id="door"))
    session.execute(RevealFog(area=Rectangle(start=(5, 0), end=(10, 6))))
    assert views == []
    assert session.view(PLAYERS) is before
    assert "grub" in session.view(GM).tokens
    session.publish()
    assert "grub" in views[-1].tokens


def test_c83_the_first_view_of_an_opened_document_has_its_fog(
    session: Session, tmp_path: Path
) -> None:
    """C83, C86: fog and marks come with the first View, as they were saved."""
    session.execute(HideFog(area=LEFT))
    kept = session.view(PLAYERS).fog
    session.close()
    with Session.open(tmp_path / "rooms.battlemat") as again:
        assert again.view(PLAYERS).mode is StageMode.BLACKOUT
        again.set_stage(LIVE)
        assert again.view(PLAYERS).fog == kept
        assert again.view(GM).fog.veiled == again.encounter.fog.veiled


def test_c85_a_hidden_token_is_in_no_view_at_no_time(session: Session) -> None:
    """C85: spawned, moved, renamed and removed, it never flashes up."""
    views = shown(session)
    session.execute(AddTokens(tokens=(token("spy", 3, 3, hidden=True),)))
    session.execute(MoveToken(token_id="spy", path=(Cell(4, 4),)))
    session.execute(EditTokens(token_ids=("spy",), changes={"name": "Grub"}))
    session.undo()
    session.redo()
    assert all("spy" not in view.tokens for view in views)


def test_c79_however_one_arrives_the_view_is_the_same(session: Session, tmp_path: Path) -> None:
    """C79: by live commands, by undo and redo, or from the file."""
    session.observe(PLAYERS, lambda _before, _after: None)
    session.execute(OpenDoor(wall_id="door"))
    session.execute(CloseDoor(wall_id="door"))
    live = session.view(PLAYERS)
    session.undo(2)
    session.redo(2)
    assert session.view(PLAYERS) == live
    session.close()
    with Session.open(tmp_path / "rooms.battlemat") as again:
        again.set_stage(LIVE)
        assert again.view(PLAYERS) == live


def test_nobody_is_told_who_has_stopped_observing(session: Session) -> None:
    views: list[View] = []
    stop = session.observe(PLAYERS, lambda _before, after: views.append(after))
    stop()
    session.execute(OpenDoor(wall_id="door"))
    assert views == []
    assert "grub" in session.view(PLAYERS).tokens


def test_the_gm_is_warned_when_somebody_sees_next_to_nothing(session: Session) -> None:
    """C70: an eye shut in gives a warning, not a dark screen without a word."""
    box = tuple(
        (2.5 + x, 2.5 + y)
        for x, y in ((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1), (-0.1, -0.1))
    )
    session.execute(PutWalls(walls=(wall("box", *box),)))
    assert any("Ann" in warning for warning in session.view(GM).warnings)
    assert session.view(PLAYERS).warnings == ()
