"""The details of a wall by mouse: named, covered, made breakable, and then attacked."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from engine.commands.turn import BeginFight, EndPhase
from engine.model.wall import CoverLabel, Durability, Wall
from gui.dialogs.wall import WallDialog
from tests.helpers.drase import encounter, token
from tests.helpers.gm_hand import RIGHT, Hand, OpenGm

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def gm(open_gm: OpenGm) -> Hand:
    fence = Wall(id="fence", points=((5.0, 2.0), (5.0, 6.0)))
    return open_gm(encounter(token("Arn", 4, 4), walls=(fence,), size=12))


def edit(gm: Hand, monkeypatch: pytest.MonkeyPatch) -> WallDialog:
    """Right-click on the wall and take its entry of the menu."""
    menus: list[QMenu] = []
    monkeypatch.setattr(gm.app.menu, "popup", lambda menu, _at: menus.append(menu))
    gm.click(5.0, 2.6, RIGHT)
    (entry,) = (each for each in menus[0].actions() if each.text() == "&Wall or door…")
    entry.trigger()
    (dialog,) = gm.window.findChildren(WallDialog)
    return dialog


def test_a_wall_is_named_and_made_breakable_and_is_then_a_target(
    gm: Hand, monkeypatch: pytest.MonkeyPatch
):
    dialog = edit(gm, monkeypatch)
    dialog.name.setText("Fence")
    dialog.cover.setCurrentIndex(dialog.cover.findData(CoverLabel.HALF))
    assert not dialog.ac.isEnabled()
    dialog.breakable.click()
    dialog.ac.setValue(8)
    dialog.hp.setValue(5)
    dialog.hp_max.setValue(5)
    dialog.try_accept()
    fence = gm.encounter.board.walls["fence"]
    assert fence.durability == Durability(hp=5, hp_max=5, ac=8)
    assert (fence.name, fence.cover) == ("Fence", CoverLabel.HALF)
    for command in (BeginFight(), EndPhase()):
        gm.app.bridge.execute(command)
    gm.click(4.5, 4.5)
    button = gm.window.offers.button("attack:Sword")
    gm.window.offers.scroll_area.ensureWidgetVisible(button)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    assert gm.window.offers.targets.row_of("fence").offer.enabled


def test_more_hit_points_than_the_maximum_are_refused(gm: Hand, monkeypatch: pytest.MonkeyPatch):
    dialog = edit(gm, monkeypatch)
    dialog.breakable.click()
    dialog.hp.setValue(11)
    dialog.try_accept()
    assert "maximum" in dialog.wrong.text()
    assert gm.encounter.board.walls["fence"].durability is None
    dialog.reject()


def test_nothing_changed_is_no_step(gm: Hand, monkeypatch: pytest.MonkeyPatch):
    before = gm.encounter
    edit(gm, monkeypatch).try_accept()
    assert gm.encounter is before


def test_over_a_token_there_is_no_wall_to_edit(gm: Hand, monkeypatch: pytest.MonkeyPatch):
    menus: list[QMenu] = []
    monkeypatch.setattr(gm.app.menu, "popup", lambda menu, _at: menus.append(menu))
    gm.click(4.5, 4.5, RIGHT)
    assert "&Wall or door…" not in [each.text() for each in menus[0].actions()]
