"""What the status line tells of a cell."""

from engine.model.region import Obscuration, Region
from engine.model.space import Cell
from engine.model.value import FrozenMap
from gui.facts import facts
from tests.helpers.encounters import HERO, an_encounter
from tests.helpers.toy import TOY

BOX = (((5.0, 1.0), (7.0, 1.0), (7.0, 3.0), (5.0, 3.0)),)


def test_a_plain_cell_is_named_and_measured_from_the_focus():
    assert facts(an_encounter(), TOY, Cell(5, 2), HERO) == "F3 · 3 cells from Hero"


def test_whoever_stands_there_is_named():
    assert facts(an_encounter(), TOY, Cell(8, 3), None) == "I4 · Orc"


def test_ground_height_and_mist_are_told():
    regions = {
        "mud": Region(id="mud", name="mud", rings=BOX, step_cost=2),
        "hill": Region(id="hill", rings=BOX, ground=1.5),
        "fog": Region(id="fog", rings=BOX, obscuration=Obscuration.LIGHT),
    }
    plain = an_encounter()
    encounter = plain.changed(board=plain.board.changed(regions=FrozenMap(regions)))
    text = facts(encounter, TOY, Cell(5, 2), None)
    assert text.startswith("F3 · mud · cost 2 · height 1.5 · light obscuration")


def test_outside_the_board_there_is_nothing_to_tell():
    assert facts(an_encounter(), TOY, Cell(-1, 2), HERO) == ""
