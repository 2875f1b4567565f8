"""A whole fight on the keep map by mouse and keys alone, from the import to the reopened file."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from engine.model.space import Cell
from engine.model.wall import DoorState
from engine.samples import ASSETS
from gui.dialogs.import_map import ImportDialog
from gui.dialogs.new_encounter import NewEncounterDialog
from gui.preferences import LAST_FOLDER
from tests.helpers.gm_hand import Hand, OpenGm
from tests.helpers.mouse import button_in, checking, dialog, part, pressing, typing
from tests.helpers.table import (
    answer_all,
    carry_out,
    choose_menu,
    choose_offer,
    go_on,
    middle,
    naming_a_file,
    pick,
    plans_of,
    press_next,
    put_token,
    take_tool,
    walk,
)

KEEP = ASSETS / "maps" / "keep_20x20.dd2vtt"


def import_keep(gm: Hand, path: Path) -> None:
    """Import the map into a new Drase encounter, through the three dialogs."""
    report, new = dialog(ImportDialog), dialog(NewEncounterDialog)

    def counted(box: object) -> None:
        assert isinstance(box, ImportDialog)
        assert "20 x 20" in box.counts.text()

    choose_menu(
        gm,
        "File",
        "Import a map",
        then=(
            *naming_a_file(KEEP),
            checking("the report", report, counted),
            pressing("Take it in", button_in(report, "Take it in")),
            typing("the file to keep it in", part(new, "path"), str(path)),
            pressing("Create", button_in(new, "Create")),
        ),
    )
    assert gm.encounter.ruleset == "drase"
    assert gm.encounter.title == "keep_20x20"


def door_near(gm: Hand) -> tuple[str, tuple[float, float]]:
    """Return a closed door of the map and its middle."""
    doors = [w for w in gm.encounter.board.walls.values() if w.door is DoorState.CLOSED]
    door = doors[0]
    (ax, ay), (bx, by) = door.points[0], door.points[-1]
    return door.id, ((ax + bx) / 2, (ay + by) / 2)


def walls_block(gm: Hand, hero: str) -> None:
    before = gm.cell_of(hero)
    take_tool(gm, "Move")
    gm.drag(middle(gm, hero), (4.0, 4.0), (1.5, 1.5))
    assert gm.cell_of(hero) == before
    assert "way" in gm.window.status.text()


def open_a_door(gm: Hand) -> None:
    door, place = door_near(gm)
    take_tool(gm, "Door")
    gm.click(*place)
    assert gm.encounter.board.walls[door].door is DoorState.OPEN
    take_tool(gm, "Move")


def declare_an_attack(gm: Hand, hero: str, foe: str) -> None:
    go_on(gm, "Players declare")
    pick(gm, hero)
    choose_offer(gm, "Attack")
    gm.click(*middle(gm, foe))
    assert gm.window.forecast.odds.isVisible()
    assert gm.window.forecast.do.text().startswith("Declare")
    carry_out(gm)
    assert len(plans_of(gm)) == 1


def undo_and_redo_in_the_middle(gm: Hand) -> None:
    before = gm.encounter
    choose_menu(gm, "Edit", "Undo")
    assert plans_of(gm) == ()
    choose_menu(gm, "Edit", "Redo")
    assert gm.encounter == before


def answer_with_a_reaction(gm: Hand, hero: str, foe: str) -> None:
    """Whoever walks away from an enemy may be struck, declared in the next phase."""
    go_on(gm, "GM declares")
    walk(gm, foe, (9, 9), (11, 9))
    go_on(gm, "Players declare")
    assert gm.cell_of(foe) == Cell(11, 9)
    pick(gm, hero)
    choose_offer(gm, "Opportunity Attack")
    carry_out(gm)
    answer_all(gm)
    go_on(gm, "GM declares")
    strikes = [e.text for e in gm.encounter.log if "Brunna attacks Sergeant" in e.text]
    assert len(strikes) == 2
    assert strikes[1].startswith("Reaction:")


def close_and_reopen(gm: Hand, path: Path) -> None:
    """Close by the menu, open by the file dialog; once more through the recent files."""
    state = gm.encounter
    choose_menu(gm, "File", "Close")
    assert gm.window.middle.currentWidget() is gm.window.welcome
    choose_menu(gm, "File", "Open", then=naming_a_file(path))
    assert gm.encounter == state
    choose_menu(gm, "File", "Close")
    choose_menu(gm, "File", "Recent files", path.name)
    assert gm.encounter == state


@pytest.mark.slow
@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_whole_fight_on_the_keep(open_gm: OpenGm, qtbot: QtBot, tmp_path: Path):
    gm = open_gm(None)
    gm.app.preferences.set(LAST_FOLDER, str(tmp_path))
    path = tmp_path / "keep.battlemat"
    choose_menu(gm, "File", "Close")
    import_keep(gm, path)
    take_tool(gm, "Token")
    aldric, brunna, ila = (
        put_token(gm, name, "party", "Swordfighter", cell)
        for name, cell in (("Aldric", (6, 8)), ("Brunna", (7, 9)), ("Ila", (6, 10)))
    )
    sergeant, _archer, _warg = (
        put_token(gm, name, "foes", "Threat 12", cell)
        for name, cell in (("Sergeant", (8, 9)), ("Archer", (12, 9)), ("Warg", (12, 11)))
    )
    walls_block(gm, aldric)
    open_a_door(gm)
    press_next(gm)
    assert gm.encounter.fighting
    declare_an_attack(gm, brunna, sergeant)
    undo_and_redo_in_the_middle(gm)
    answer_with_a_reaction(gm, brunna, sergeant)
    close_and_reopen(gm, path)
    go_on(gm, "Players declare")
    pick(gm, ila)
