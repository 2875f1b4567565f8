"""Movement in parts, by mouse: what follows a declared way begins at its end."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.commands.turn import BeginFight, EndPhase
from engine.model.region import ShapeKind
from engine.model.space import Cell
from engine.rules.drase.sheet import AttackArea, AttackProfile, DamageType
from engine.rules.drase.state import Phase, state_of
from gui.canvas.overlays.overlay import CellsPreview, PathPreview, RulerPreview
from tests.helpers.drase import BOW, SWORD, encounter, foe, token
from tests.helpers.gm_hand import Hand, OpenGm

LEFT = Qt.MouseButton.LeftButton
CONE = AttackProfile(
    name="Cone",
    range_tiles=4,
    spell=True,
    damage="1d6",
    damage_type=DamageType.FIRE,
    area=AttackArea(shape="cone", size=3),
)


@pytest.fixture
def gm(open_gm: OpenGm) -> Hand:
    """Return a hand at a fight in which Arn has declared to go two tiles to the east."""
    arn = token("Arn", 2, 2, attacks=(SWORD, BOW, CONE), mana=9, fly_speed=8)
    made = open_gm(encounter(arn, foe("Orc", 6, 2), size=14))
    for command in (BeginFight(), EndPhase()):
        made.app.bridge.execute(command)
    assert state_of(made.encounter).phase is Phase.P1
    made.click(2.5, 2.5)
    made.drag((2.5, 2.5), (3.5, 2.5), (4.5, 2.5))
    assert routes(made) == [(Cell(2, 2), Cell(3, 2), Cell(4, 2))]
    return made


def routes(gm: Hand) -> list[tuple[Cell, ...]]:
    return [step.route for step in state_of(gm.encounter).turn("arn").declared if step.route]


def choose(gm: Hand, offer_id: str) -> None:
    QApplication.processEvents()
    button = gm.window.offers.button(offer_id)
    gm.window.offers.scroll_area.ensureWidgetVisible(button)
    QTest.mouseClick(button, LEFT)


def test_the_second_part_of_a_way_is_drawn_and_priced_from_where_the_first_ends(gm: Hand):
    gm.press(2.5, 2.5)
    gm.move(3.5, 3.5)
    gm.move(4.5, 4.5)
    path = gm.window.board._previews["path"]
    assert isinstance(path, PathPreview)
    assert path.start == (4.5, 2.5)
    assert path.steps[-1].cost == "2"
    assert path.left == "2 left"
    reach = gm.window.board._previews["reach"]
    assert isinstance(reach, CellsPreview)
    assert Cell(8, 3) in reach.cells
    assert Cell(1, 6) not in reach.cells
    gm.release(4.5, 4.5)
    assert routes(gm)[1] == (Cell(4, 2), Cell(4, 3), Cell(4, 4))


def test_an_attack_after_the_way_is_aimed_from_its_end(gm: Hand):
    choose(gm, "attack:Bow")
    gm.hover(6.5, 2.5)
    aim = gm.window.board._previews["aim"]
    assert isinstance(aim, RulerPreview)
    assert aim.points[0] == (4.5, 2.5)
    assert gm.window.offers.targets.row_of("orc").offer.detail == "2 tiles"


def test_a_cone_after_the_way_opens_at_its_end(gm: Hand):
    choose(gm, "cast_half:Cone")
    gm.hover(7.5, 2.5)
    shape = gm.window.desk.planner.plan.shape
    assert (shape.shape, shape.origin, shape.size) == (ShapeKind.CONE, (4.5, 2.5), 3)
    assert shape.direction_deg == pytest.approx(0, abs=1)
    gm.click(4.5, 7.5)
    declared = state_of(gm.encounter).turn("arn").declared[-1].plan.shape
    assert declared.direction_deg == pytest.approx(90, abs=1)
    ghosts = gm.window.board._previews["plans"]
    assert any(ghost.area for ghost in ghosts.ghosts)


def test_flying_is_priced_as_flying(gm: Hand):
    choose(gm, "move:fly")
    gm.hover(4.5, 8.5)
    path = gm.window.board._previews["aim"]
    assert isinstance(path, PathPreview)
    assert path.left == "0 left"
