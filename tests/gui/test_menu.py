"""The one table of entries: complete, free of clashes, rebindable."""

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QKeySequence

from gui.menu import BY_ID, ENTRIES, MENUS, Entry, When, Where
from gui.menu_actions import Bindings
from gui.preferences import Preferences
from tests.helpers.gm_hand import Hand


@pytest.fixture
def bindings(qapp: object, tmp_path: Path) -> Bindings:
    settings = QSettings(str(tmp_path / "keys.ini"), QSettings.Format.IniFormat)
    return Bindings(Preferences(settings))


def test_no_two_entries_share_an_id_or_a_key():
    keys = Counter(key for entry in ENTRIES for key in entry.keys)
    assert len(BY_ID) == len(ENTRIES)
    assert [key for key, count in keys.items() if count > 1] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_every_entry_says_what_it_does_and_has_a_key_that_qt_knows(entry: Entry):
    assert entry.menu in MENUS
    assert entry.tip
    assert all(not QKeySequence(key).isEmpty() for key in entry.keys)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_single_keys_work_only_on_the_map(entry: Entry):
    single = [key for key in entry.keys if "+" not in key.rstrip("+")]
    plain = [key for key in single if not key.startswith("F") or len(key) == 1]
    assert entry.where is Where.MAP or [key for key in plain if key != "?"] == []


def test_every_entry_is_connected(gm: Hand):
    handled = {*gm.app.menu.handlers(), *gm.app.handlers()}
    assert handled == set(BY_ID)


def test_another_key_is_taken_from_who_had_it(bindings: Bindings):
    ruler, fog = BY_ID["tool.ruler"], BY_ID["tool.wall"]
    touched = bindings.rebind(ruler, ("W",))
    assert touched == (ruler, fog)
    assert bindings.keys(ruler) == ("W",)
    assert bindings.keys(fog) == ()
    assert bindings.holder("W") is ruler


def test_a_rebound_key_works_and_comes_back(bindings: Bindings):
    undo = BY_ID["edit.undo"]
    bindings.rebind(undo, ("Ctrl+Backspace",))
    assert bindings.shown(undo) == "Ctrl+Backspace"
    bindings.rebind(undo, undo.keys)
    assert bindings.keys(undo) == ("Ctrl+Z",)


@pytest.mark.parametrize("entry", [each for each in ENTRIES if each.when], ids=lambda each: each.id)
def test_without_an_encounter_nothing_else_is_asked_for(entry: Entry):
    assert entry.when[0] is When.OPEN or entry.when == (When.PLAYERS,)


def test_an_entry_that_cannot_be_used_says_why(gm: Hand):
    delete = gm.window.menu_actions["edit.delete"]
    assert not delete.isEnabled()
    assert "Select a token first." in delete.toolTip()
    gm.click(2.5, 2.5)
    assert delete.isEnabled()
    assert "Select a token first." not in delete.toolTip()


def test_undo_says_what_it_takes_back(gm: Hand):
    undo, redo = gm.window.menu_actions["edit.undo"], gm.window.menu_actions["edit.redo"]
    gm.drag((2.5, 2.5), (4.5, 2.5))
    assert undo.text() == "&Undo: Move Hero"
    undo.trigger()
    assert redo.text() == "&Redo: Move Hero"
    assert not undo.isEnabled()
