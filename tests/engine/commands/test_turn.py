"""Commands on the course of the fight and on its rules."""

from pathlib import Path

import pytest

from engine.commands.turn import CorrectTable, fresh_row_id
from engine.model.refusal import Rejected
from engine.session import Session
from tests.helpers.drase import encounter


@pytest.mark.parametrize(
    ("words", "row_id"),
    [
        ("Taunt", "taunt"),
        ("PRONE", "prone_2"),
        ("Ölig", "olig"),
        ("3 legs", "row_3_legs"),
        ("雷", "row"),
        ("a/b", "a_b"),
        ("x" * 300, "x" * 40),
    ],
)
def test_whatever_a_row_is_called_its_id_fits_the_rule(words: str, row_id: str) -> None:
    assert fresh_row_id(words, {"prone"}) == row_id


def test_an_id_leaves_room_for_its_number() -> None:
    assert fresh_row_id("x" * 300, {"x" * 40, "x" * 38 + "_2"}) == "x" * 38 + "_3"


def test_a_correction_that_changes_nothing_is_no_step(tmp_path: Path) -> None:
    place = {"table": "sizes", "row": "large", "column": "footprint"}
    with Session.create(tmp_path / "x.battlemat", encounter()) as session:
        with pytest.raises(Rejected, match="as printed: it is so already"):
            session.execute(CorrectTable(**place, value=None))
        session.execute(CorrectTable(**place, value=3))
        with pytest.raises(Rejected, match="it is so already"):
            session.execute(CorrectTable(**place, value=3))
