"""A group of NPCs by mouse: made, moved together, attacking by the chart."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.commands.tokens import PlaceToken
from engine.commands.turn import BeginFight, EndPhase
from engine.model.space import Cell
from engine.rules.drase.state import Phase, state_of
from tests.helpers.drase import CLUB, encounter, foe, token
from tests.helpers.gm_hand import SHIFT, Hand, OpenGm

LEFT = Qt.MouseButton.LeftButton
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | SHIFT


@pytest.fixture
def gm(open_gm: OpenGm) -> Hand:
    orcs = [foe(f"Orc{n}", 2 + n, 6, attacks=[CLUB]) for n in range(4)]
    return open_gm(encounter(token("Arn", 5, 3, pc=True), *orcs, size=14))


def until(gm: Hand, phase: Phase) -> None:
    if not gm.encounter.fighting:
        gm.app.bridge.execute(BeginFight())
    while state_of(gm.encounter).phase is not phase:
        gm.app.bridge.execute(EndPhase())


def offer(gm: Hand, offer_id: str) -> None:
    QApplication.processEvents()
    button = gm.window.offers.button(offer_id)
    gm.window.offers.scroll_area.ensureWidgetVisible(button)
    QTest.mouseClick(button, LEFT)


def test_selected_tokens_become_a_group_and_are_let_go(gm: Hand):
    gm.drag((1.5, 5.5), (3.0, 7.0), (6.5, 7.5))
    assert len(gm.window.desk.selected) == 4
    gm.key(Qt.Key.Key_G, CTRL_SHIFT)
    groups = {each.group for each in gm.encounter.tokens.values()}
    assert groups == {None, "group-1"}
    gm.key(Qt.Key.Key_G, CTRL_SHIFT)
    assert {each.group for each in gm.encounter.tokens.values()} == {None}


def test_one_token_alone_is_no_group(gm: Hand):
    gm.click(2.5, 6.5)
    before = gm.encounter
    gm.key(Qt.Key.Key_G, CTRL_SHIFT)
    assert gm.encounter is before


def test_a_group_moves_together_and_attacks_by_the_chart(gm: Hand):
    gm.drag((1.5, 5.5), (3.0, 7.0), (6.5, 7.5))
    gm.key(Qt.Key.Key_G, CTRL_SHIFT)
    until(gm, Phase.G3)
    gm.click(4.5, 6.5)
    offer(gm, "group_move")
    gm.hover(4.5, 4.5)
    gm.click(4.5, 4.5)
    QTest.mouseClick(gm.window.forecast.do, LEFT)
    ghosts = gm.app.bridge.view.step.plans
    assert {each.token_id for each in ghosts} == {"orc0", "orc1", "orc2", "orc3"}
    offer(gm, "group_attack:Club")
    listed = gm.window.offers.targets
    assert listed.row_of("arn").offer.enabled
    gm.click(5.5, 3.5)
    lines = [line.label for line in gm.window.desk.planner.forecast.lines]
    assert lines
    assert "by row" in lines[0]
    QTest.mouseClick(gm.window.forecast.do, LEFT)
    until(gm, Phase.P1)
    told = "\n".join(entry.text for entry in gm.encounter.log)
    assert "attack Arn with Club" in told
    assert "by the chart" in told
    assert gm.cell_of("orc0").y == gm.cell_of("orc3").y == 4


def test_whoever_is_selected_attacks_together_without_being_a_group(gm: Hand):
    until(gm, Phase.G3)
    gm.click(3.5, 6.5)
    gm.click(4.5, 6.5, keys=SHIFT)
    gm.app.bridge.execute(
        PlaceToken(token_id="arn", cell=Cell(4, 5)),
    )
    offer(gm, "group_attack:Club")
    gm.click(4.5, 5.5)
    plan = gm.window.desk.planner.plan
    assert set(plan.attackers) == {"orc1", "orc2"}
    assert gm.window.desk.planner.forecast.title == "2 attack Arn"
    QTest.mouseClick(gm.window.forecast.do, LEFT)
    until(gm, Phase.P1)
    assert "2 attack Arn with Club" in "\n".join(entry.text for entry in gm.encounter.log)
