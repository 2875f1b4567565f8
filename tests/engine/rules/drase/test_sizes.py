"""The size on a sheet is the footprint on the map, until the GM says otherwise."""

from pathlib import Path
from typing import Any

import pytest

from engine.commands.board import FitGrid
from engine.commands.tokens import AddTokens, EditTokens, SetSheet, SetValue
from engine.commands.turn import CorrectTable
from engine.model.refusal import Rejected
from engine.model.space import Cell, GridKind
from engine.model.token import Token
from engine.rules.drase.ruleset import RULESET
from engine.rules.drase.sheet import Size
from engine.session import Session
from tests.helpers.drase import creature, encounter


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sizes.battlemat"


def opened(path: Path, **fields: Any) -> Session:
    return Session.create(path, encounter(size=12, **fields))


def put(session: Session, **fields: Any) -> Token:
    """Add one token as somebody would who writes the command by hand; return it as it stands."""
    data = {"id": "x", "name": "X", "cell": [4, 4], **fields}
    preset = data.pop("preset", None)
    session.execute(session.decode({"kind": "add_tokens", "preset": preset, "tokens": [data]}))
    return session.encounter.token("x")


@pytest.mark.parametrize(
    ("kind", "size", "footprint"),
    [
        (GridKind.SQUARE, "diminutive", "1"),
        (GridKind.SQUARE, "medium", "1"),
        (GridKind.SQUARE, "large", "2"),
        (GridKind.SQUARE, "huge", "3"),
        (GridKind.SQUARE, "giant", "4"),
        (GridKind.HEX_POINTY, "medium", "1"),
        (GridKind.HEX_FLAT, "large", "round-2"),
    ],
)
def test_each_size_has_its_footprint_on_each_grid(kind: GridKind, size: str, footprint: str):
    assert RULESET.footprint(encounter(grid=kind), creature(size=size)) == footprint


def test_a_large_creature_stands_on_four_tiles_from_a_preset_and_from_a_sheet(path: Path):
    with opened(path) as session:
        assert put(session, preset="Brute").footprint == "2"
        session.undo()
        assert put(session, sheet=creature(size="huge").model_dump()).footprint == "3"


def test_a_footprint_that_is_given_stands_against_the_sheet(path: Path):
    with opened(path) as session:
        made = put(session, preset="Brute", footprint="1")
        assert (made.footprint, made.fitted) == ("1", False)
        session.execute(SetValue(token_id="x", field="size", value="giant"))
        assert session.encounter.token("x").footprint == "1"


def test_the_token_grows_and_shrinks_with_its_sheet_and_undo_takes_both_back(path: Path):
    with opened(path) as session:
        put(session, preset="Guard")
        session.execute(SetValue(token_id="x", field="size", value="huge"))
        assert session.encounter.token("x").footprint == "3"
        assert session.encounter.token("x").sheet.size is Size.HUGE
        session.undo()
        assert session.encounter.token("x").footprint == "1"
        session.execute(SetSheet(token_id="x", preset="Brute"))
        assert session.encounter.token("x").footprint == "2"


def test_who_grows_at_the_edge_moves_onto_the_board(path: Path):
    with opened(path) as session:
        put(session, preset="Guard", cell=[11, 11])
        session.execute(SetValue(token_id="x", field="size", value="large"))
        grown = session.encounter.token("x")
        assert (grown.footprint, grown.cell) == ("2", Cell(10, 10))


def test_who_does_not_fit_is_not_put_there(path: Path):
    with opened(path) as session, pytest.raises(Rejected, match="outside the board"):
        put(session, preset="Brute", cell=[11, 11])


def test_a_size_given_by_hand_stays_and_may_follow_the_sheet_again(path: Path):
    with opened(path) as session:
        put(session, preset="Brute")
        session.execute(EditTokens(token_ids=("x",), changes={"footprint": "1"}))
        session.execute(SetValue(token_id="x", field="size", value="huge"))
        assert session.encounter.token("x").footprint == "1"
        session.execute(EditTokens(token_ids=("x",), changes={"fitted": True}))
        assert session.encounter.token("x").footprint == "3"


def test_a_corrected_row_of_the_sizes_counts(path: Path):
    with opened(path) as session:
        session.execute(CorrectTable(table="sizes", row="large", column="footprint", value=3))
        assert put(session, preset="Brute").footprint == "3"


def test_what_was_written_before_decides_as_it_did_then(path: Path):
    """Commands are stored with all their fields, so an old one gives the footprint of then."""
    stored = AddTokens(
        tokens=(Token(id="x", name="X", cell=Cell(4, 4), footprint="1"),), preset="Brute"
    ).model_dump(mode="json")
    del stored["tokens"][0]["fitted"]  # there was no such field
    with opened(path) as session:
        session.execute(session.decode(stored))
        session.execute(SetValue(token_id="x", field="size", value="giant"))
        assert session.encounter.token("x").footprint == "1"
        assert session.replay() == ()


def test_what_is_written_now_decides_again_as_it_did(path: Path):
    with opened(path) as session:
        put(session, preset="Brute")
        session.execute(SetValue(token_id="x", field="size", value="giant"))
    with Session.open(path) as session:
        assert session.replay() == ()
        assert session.encounter.token("x").footprint == "4"


@pytest.mark.parametrize("size", ["large", "huge", "giant"])
def test_another_grid_fits_the_token_anew_and_no_wound_does(path: Path, size: str):
    with opened(path) as session:
        put(session, sheet=creature(size=size).model_dump())
        for kind in (GridKind.HEX_POINTY, GridKind.SQUARE, GridKind.HEX_FLAT):
            session.execute(FitGrid(grid=session.encounter.board.grid.changed(kind=kind)))
            stands = session.encounter.token("x")
            assert stands.footprint == RULESET.footprint(session.encounter, stands.sheet)
            session.execute(SetValue(token_id="x", field="hp", value=3))
            after = session.encounter.token("x")
            assert (after.footprint, after.cell) == (stands.footprint, stands.cell)


def test_a_corrected_size_alters_those_who_have_it_at_once(path: Path):
    with opened(path) as session:
        put(session, preset="Brute", cell=[10, 10])
        session.execute(CorrectTable(table="sizes", row="large", column="footprint", value=3))
        grown = session.encounter.token("x")
        assert (grown.footprint, grown.cell) == ("3", Cell(9, 9))
        session.undo()
        assert session.encounter.token("x").footprint == "2"


def test_a_correction_moves_nobody_whom_it_does_not_concern(path: Path):
    with opened(path) as session:
        made = put(session, preset="Brute").changed(footprint="1")
        stale = encounter(made, size=12)
    with Session.create(path.with_name("stale.battlemat"), stale) as session:
        session.execute(CorrectTable(table="sizes", row="huge", column="footprint", value=5))
        session.execute(SetValue(token_id="x", field="hp", value=3))
        assert session.encounter.token("x").footprint == "1"
