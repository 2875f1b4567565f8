"""The list of targets: foes first, sides to be told, reasons whole, the chance beside."""

from fractions import Fraction

import pytest
from pytestqt.qtbot import QtBot

from engine.model.refusal import Rejection
from engine.rules.ruleset import TargetOffer
from gui.docks.targets import LINE, TargetList, TargetRow
from gui.theme import DARK

WHY = "Orc 1 is 12 tiles away; the range of the Longbow is 9 tiles, and the fog takes two of them."
OPEN = TargetOffer(target_id="near", label="Orc 2", detail="3 tiles")
SHUT = OPEN.changed(
    target_id="far", label="Orc 1", refusal=Rejection(code="out_of_range", sentence=WHY)
)


@pytest.fixture
def listed(qtbot: QtBot) -> TargetList:
    made = TargetList(DARK)
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.put(
        [TargetRow(OPEN, "foes", Fraction(17, 40)), TargetRow(SHUT, "foes")], None, armed=False
    )
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_the_chance_stands_beside_the_distance(listed: TargetList):
    assert listed.row_of("near").facts == "3 tiles · 42.5 %"
    assert listed.row_of("near").spoken == "Orc 2, foes, 3 tiles · 42.5 %"


def test_a_reason_is_written_whole_in_as_many_lines_as_it_needs(listed: TargetList):
    assert listed.row_of("far").reason.startswith("is 12 tiles away")
    wide = listed.place_of("far").height()
    assert listed.place_of("near").height() == LINE < wide
    listed.resize(200, 200)
    assert listed.place_of("far").height() > wide
