"""A whole fight on the keep map by mouse and keys alone, from the import to the reopened file."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.model.space import Cell
from engine.model.token import FOES, PARTY
from engine.model.wall import DoorState
from engine.rules.ruleset import DeclaredPlan
from engine.samples import ASSETS
from gui.dialogs.import_map import ImportDialog
from gui.dialogs.new_encounter import NewEncounterDialog
from gui.tools.token import TokenSettings
from gui.windows.tool_strip import ToolStrip
from tests.helpers.gm_hand import Hand, OpenGm

KEEP = ASSETS / "maps" / "keep_20x20.dd2vtt"
Key = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier


def import_keep(gm: Hand, qtbot: QtBot, path: Path) -> None:
    """Import the map into a new Drase encounter, through both dialogs."""
    gm.app.files.import_path(KEEP)
    window = gm.window
    qtbot.waitUntil(lambda: bool(window.findChildren(ImportDialog)), timeout=10_000)
    (report,) = window.findChildren(ImportDialog)
    assert "20 x 20" in report.counts.text()
    report.into.setCurrentIndex(0)

    def fill() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, NewEncounterDialog)
        dialog.path.setText(str(path))
        dialog.try_accept()

    gm.app.window.desk.after(0, fill)
    report.try_accept()
    qtbot.waitUntil(lambda: gm.encounter.ruleset == "drase", timeout=10_000)


def put_token(gm: Hand, name: str, side: str, preset: str, cell: tuple[int, int]) -> str:
    gm.key(Key.Key_N)
    strip: ToolStrip = gm.window.strip
    tool = gm.window.desk.tools["token"]
    tool.settings = TokenSettings(name=name, side=side, preset=preset)
    strip.show_tool(tool)
    gm.click(cell[0] + 0.5, cell[1] + 0.5)
    (made,) = gm.window.desk.selected
    return made


def door_near(gm: Hand) -> tuple[str, tuple[float, float]]:
    """Return a closed door of the map and its middle."""
    doors = [w for w in gm.encounter.board.walls.values() if w.door is DoorState.CLOSED]
    door = doors[0]
    (ax, ay), (bx, by) = door.points[0], door.points[-1]
    return door.id, ((ax + bx) / 2, (ay + by) / 2)


def offer(gm: Hand, start: str) -> None:
    """Click the first possible offer whose label begins so."""
    for button in gm.window.offers.buttons:
        if button.name.text().startswith(start) and button.isEnabled():
            button.click()
            return
    labels = [f"{b.name.text()}: {b.detail.whole_text}" for b in gm.window.offers.buttons]
    raise AssertionError(f"no offer {start!r} in {labels}")


def go_on(gm: Hand, until: str) -> None:
    """Press Next, answering nothing, until the phase's title holds a word."""
    for _ in range(12):
        step = gm.app.bridge.view.step
        assert step is not None
        if until in step.title:
            return
        answer_all(gm)
        QTest.mouseClick(gm.window.turn.next, Qt.MouseButton.LeftButton)
        answer_all(gm)
    raise AssertionError(f"no phase {until!r}")


def answer_all(gm: Hand) -> None:
    """Answer every open prompt by its first possible choice, or let the program roll."""
    for _ in range(20):
        prompt = gm.encounter.prompt
        if prompt is None:
            return
        if prompt.choices:
            choice = next(each for each in prompt.choices if each.enabled)
            gm.window.forecast.choice(choice.value).click()
        else:
            gm.window.forecast.by_program.click()


def walls_block(gm: Hand, hero: str) -> None:
    before = gm.cell_of(hero)
    gm.key(Key.Key_V)
    gm.drag((6.5, 8.5), (4.0, 4.0), (1.5, 1.5))
    assert gm.cell_of(hero) == before
    assert "way" in gm.window.status.text()


def open_a_door(gm: Hand) -> None:
    door, middle = door_near(gm)
    gm.key(Key.Key_D)
    gm.click(*middle)
    assert gm.encounter.board.walls[door].door is DoorState.OPEN
    gm.key(Key.Key_V)


def declare_an_attack(gm: Hand) -> None:
    go_on(gm, "Players declare")
    gm.click(7.5, 9.5)
    offer(gm, "Attack")
    gm.click(8.5, 9.5)
    assert gm.window.desk.planner.ready
    assert gm.window.forecast.odds.isVisible()
    assert gm.window.forecast.do.text().startswith("Declare")
    QTest.mouseClick(gm.window.forecast.do, Qt.MouseButton.LeftButton)
    assert len(plans_of(gm)) == 1


def undo_and_redo_in_the_middle(gm: Hand) -> None:
    before = gm.encounter
    gm.key(Key.Key_Z, CTRL)
    assert plans_of(gm) == ()
    gm.key(Key.Key_Y, CTRL)
    assert gm.encounter == before


def answer_with_a_reaction(gm: Hand, foe: str) -> None:
    """Whoever walks away from an enemy may be struck, declared in the next phase."""
    go_on(gm, "GM declares")
    gm.drag((8.5, 9.5), (9.5, 9.5), (11.5, 9.5))
    go_on(gm, "Players declare")
    assert gm.cell_of(foe) == Cell(11, 9)
    gm.click(7.5, 9.5)
    offer(gm, "Opportunity Attack")
    QTest.mouseClick(gm.window.forecast.do, Qt.MouseButton.LeftButton)
    answer_all(gm)
    go_on(gm, "GM declares")
    strikes = [e.text for e in gm.encounter.log if "Brunna attacks Sergeant" in e.text]
    assert len(strikes) == 2
    assert strikes[1].startswith("Reaction:")


def plans_of(gm: Hand) -> tuple[DeclaredPlan, ...]:
    step = gm.app.bridge.view.step
    assert step is not None
    return step.plans


@pytest.mark.slow
@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_whole_fight_on_the_keep(open_gm: OpenGm, qtbot: QtBot, tmp_path: Path):
    gm = open_gm(None)
    path = tmp_path / "keep.battlemat"
    import_keep(gm, qtbot, path)
    gm.window.activateWindow()
    qtbot.waitUntil(gm.window.isActiveWindow)
    gm.window.board.fit_board()
    heroes = [
        put_token(gm, name, PARTY, "Swordfighter", cell)
        for name, cell in (("Aldric", (6, 8)), ("Brunna", (7, 9)), ("Ila", (6, 10)))
    ]
    foes = [
        put_token(gm, name, FOES, "Threat 12", cell)
        for name, cell in (("Sergeant", (8, 9)), ("Archer", (12, 9)), ("Warg", (12, 11)))
    ]
    walls_block(gm, heroes[0])
    open_a_door(gm)
    QTest.mouseClick(gm.window.turn.next, Qt.MouseButton.LeftButton)
    assert gm.encounter.fighting
    declare_an_attack(gm)
    undo_and_redo_in_the_middle(gm)
    answer_with_a_reaction(gm, foes[0])

    state = gm.encounter
    gm.app.files.close()
    assert gm.window.middle.currentWidget() is gm.window.welcome
    assert gm.app.files.open_path(path)
    assert gm.encounter == state
    go_on(gm, "Players declare")
    gm.click(*(part + 0.5 for part in gm.cell_of(heroes[2])))
    assert gm.window.desk.selected == (heroes[2],)
