"""Declarations against the rules, by mouse: offered disabled with the reason, and overruled."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.commands.turn import BeginFight, EndPhase
from engine.model.encounter import Encounter
from engine.model.region import Obscuration, Region
from engine.model.wall import Wall
from engine.rules.drase.state import Phase, state_of
from gui.canvas.overlays.overlay import RulerPreview, TargetsPreview, Tone
from tests.helpers.drase import encounter, foe, square, token
from tests.helpers.gm_hand import Hand, OpenGm

LEFT = Qt.MouseButton.LeftButton
ARN, NEAR, SAND, WALLED = (3.5, 3.5), (2.5, 3.5), (9.5, 2.5), (3.5, 8.5)


def scene() -> Encounter:
    sand = Region(
        id="sand", rings=square(8, 1, 3, 3), name="Sandstorm", obscuration=Obscuration.TOTAL
    )
    return encounter(
        token("Arn", 3, 3),
        foe("Near", 2, 3),
        foe("Sandman", 9, 2),
        foe("Walled", 3, 8),
        foe("Hider", 6, 5, hidden_number=17),
        regions=(sand,),
        walls=(Wall(id="wall", name="Keep", points=((0.0, 6.0), (14.0, 6.0))),),
        size=14,
    )


@pytest.fixture
def fight(open_gm: OpenGm) -> Hand:
    """Return a hand at a fight in which Arn, who is selected, declares."""
    gm = open_gm(scene())
    gm.app.bridge.execute(BeginFight())
    gm.app.bridge.execute(EndPhase())
    assert state_of(gm.encounter).phase is Phase.P1
    gm.click(*ARN)
    return gm


def choose(gm: Hand, offer_id: str) -> None:
    """Click an offer with the mouse, scrolled into sight."""
    button = gm.window.offers.button(offer_id)
    gm.window.offers.scroll_area.ensureWidgetVisible(button)
    QTest.mouseClick(button, LEFT)
    QApplication.processEvents()  # the column gives each dock its room


def overrule_offer(gm: Hand, offer_id: str) -> None:
    """Choose what an offer's own menu says: Overrule."""
    button = gm.window.offers.button(offer_id)
    block = button.parentWidget()
    assert block is not None
    menu = gm.window.offers.menu_at(block, button.geometry().center())
    assert menu is not None
    menu.actions()[-1].trigger()
    menu.close()


def declare(gm: Hand) -> None:
    assert gm.window.forecast.do.text().startswith("Declare")
    QTest.mouseClick(gm.window.forecast.do, LEFT)


def labels(gm: Hand, token_id: str = "arn") -> list[str]:
    return [step.label for step in state_of(gm.encounter).turn(token_id).declared]


def logged(gm: Hand) -> str:
    return "\n".join(entry.text for entry in gm.encounter.log)


def place_in_list(gm: Hand, target_id: str, *, overrule: bool = False) -> QPoint:
    QApplication.processEvents()  # the docks share their room first
    listed = gm.window.offers.targets
    row = listed.place_of(target_id)
    return (listed.delegate.overrule_place(row) if overrule else row).center()


def reason(gm: Hand, offer_id: str) -> str:
    QApplication.processEvents()
    button = gm.window.offers.button(offer_id)
    assert button.isVisible()
    assert not button.isEnabled()
    return button.accessibleDescription()


def test_a_third_half_action(fight: Hand):
    for _ in range(2):
        choose(fight, "draw")
    assert "no half action left" in reason(fight, "draw")
    before = labels(fight)
    choose(fight, "draw")
    assert labels(fight) == before
    overrule_offer(fight, "draw")
    assert len(labels(fight)) == 3
    assert "Overruled by the GM: Arn has no half action left." in logged(fight)


def test_a_second_reaction(open_gm: OpenGm):
    gm = open_gm(encounter(token("Arn", 3, 3), foe("Near", 4, 3), foe("Mean", 2, 3), size=14))
    bridge = gm.app.bridge
    bridge.execute(BeginFight())
    while state_of(gm.encounter).phase is not Phase.G3:
        bridge.execute(EndPhase())
    for start, end in (((4.5, 3.5), (9.5, 3.5)), ((2.5, 3.5), (2.5, 9.5))):
        gm.drag(start, (5.5, 5.5), end)
    while state_of(gm.encounter).phase is not Phase.P1:
        bridge.execute(EndPhase())
    gm.click(*ARN)
    first, second = (
        each.plan for each in gm.window.offers._offers if each.id.startswith("opportunity_attack:")
    )
    choose(gm, f"opportunity_attack:{first.happening}")
    declare(gm)
    offer_id = f"opportunity_attack:{second.happening}"
    assert "has used its reaction" in reason(gm, offer_id)
    overrule_offer(gm, offer_id)
    declare(gm)
    assert len(labels(gm)) == 2
    assert "Overruled by the GM: Arn has used its reaction." in logged(gm)


def test_a_free_action_out_of_turn(fight: Hand):
    fight.click(*NEAR)
    assert "never out of turn" in reason(fight, "drop_prone")
    overrule_offer(fight, "drop_prone")
    effects = fight.encounter.tokens["near"].sheet.effects
    assert [each.id for each in effects] == ["prone"]
    assert "Overruled by the GM: A free action is possible only" in logged(fight)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("sandman", "totally obscured"),
        ("walled", "full cover"),
        ("hider", "hides"),
    ],
)
def test_a_target_that_is_none_is_listed_disabled_and_overruled_beside_it(
    fight: Hand, target: str, words: str
):
    choose(fight, "attack:Bow")
    listed = fight.window.offers.targets
    row = listed.row_of(target)
    assert not listed.takes(row)
    assert words in row.reason
    assert listed.takes(listed.row_of("near"))
    QTest.mouseClick(listed.viewport(), LEFT, pos=place_in_list(fight, target))
    assert fight.window.desk.planner.aiming
    QTest.mouseClick(listed.viewport(), LEFT, pos=place_in_list(fight, target, overrule=True))
    assert labels(fight) == []
    declare(fight)
    assert labels(fight) == [f"Attack: {target.capitalize()} (Bow)"]
    assert f"Overruled by the GM: {target.capitalize()}" in logged(fight)
    fight.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert labels(fight) == []


def test_the_map_marks_whom_the_rules_refuse_and_says_why_under_the_mouse(fight: Hand):
    choose(fight, "attack:Bow")
    previews = fight.window.board._previews
    marks = previews["targets"]
    assert isinstance(marks, TargetsPreview)
    assert marks.possible == {"near"}
    assert marks.refused == {"sandman", "walled", "hider"}
    fight.hover(*SAND)
    aim = previews["aim"]
    assert isinstance(aim, RulerPreview)
    assert aim.tone is Tone.BAD
    assert "totally obscured" in aim.total
    assert "totally obscured" in fight.window.status.text()
    fight.hover(*NEAR)
    assert "Point at" in fight.window.status.text()
    fight.key(Qt.Key.Key_Escape)
    assert "targets" not in previews


def test_a_refused_target_on_the_map_is_overruled_from_the_forecast(fight: Hand):
    choose(fight, "attack:Bow")
    fight.click(*WALLED)
    dock = fight.window.forecast
    assert "full cover" in dock.refusal.text()
    assert dock.do.text() == "Overrule"
    QTest.mouseClick(dock.do, LEFT)
    assert labels(fight) == ["Attack: Walled (Bow)"]
    assert "Overruled by the GM: Walled is behind full cover: Keep." in logged(fight)


def test_a_possible_target_is_picked_from_the_list_and_declared(fight: Hand):
    choose(fight, "attack:Sword")
    listed = fight.window.offers.targets
    assert fight.window.offers.back.isVisible()
    place = place_in_list(fight, "near")
    QTest.mouseMove(listed.viewport(), place)
    QApplication.processEvents()
    assert listed.verticalScrollBar().value() == 0  # it stays under the mouse that points at it
    QTest.mouseClick(listed.viewport(), LEFT, pos=place)
    assert fight.window.desk.planner.ready
    declare(fight)
    assert labels(fight) == ["Attack: Near (Sword)"]
    assert not listed.isVisible()
    assert fight.window.offers.scroll_area.isVisible()


def test_the_list_tells_the_chance_that_the_forecast_tells(fight: Hand):
    choose(fight, "attack:Bow")
    row = fight.window.offers.targets.row_of("near")
    fight.hover(*NEAR)
    forecast = fight.window.desk.planner.forecast
    assert forecast is not None
    assert row.chance == forecast.rows[0].chance
    assert fight.window.offers.targets.row_of("walled").chance is None


def test_one_goes_back_from_the_targets_to_all_actions(fight: Hand):
    choose(fight, "attack:Sword")
    QTest.mouseClick(fight.window.offers.back, LEFT)
    assert fight.window.desk.planner.offer is None
    assert fight.window.offers.button("attack:Sword").isVisible()


def test_the_overrule_switch_makes_every_target_possible(fight: Hand):
    choose(fight, "attack:Bow")
    QTest.mouseClick(fight.window.offers.overrule, LEFT)
    listed = fight.window.offers.targets
    assert listed.takes(listed.row_of("walled"))
    QTest.mouseClick(listed.viewport(), LEFT, pos=place_in_list(fight, "walled"))
    declare(fight)
    assert labels(fight) == ["Attack: Walled (Bow)"]
