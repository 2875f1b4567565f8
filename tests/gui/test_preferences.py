"""The typed table: whatever stands in the file, a valid value comes out."""

import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings

from gui import preferences as table
from gui.preferences import (
    DRAG_PIXELS,
    LOG_SUMS,
    RECENT,
    RECENT_KEPT,
    REMEMBERED,
    SHOWN,
    THEME,
    Preference,
    Preferences,
)

GUI = Path(table.__file__).parent


@pytest.fixture
def settings(qapp: object, tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.mark.parametrize("preference", [*SHOWN, *REMEMBERED], ids=lambda each: each.key)
def test_without_a_file_the_default_is_given(settings: QSettings, preference: Preference[Any]):
    assert Preferences(settings).get(preference) == preference.default


@pytest.mark.parametrize("preference", SHOWN, ids=lambda each: each.key)
def test_what_the_dialog_shows_has_title_help_and_bounds(preference: Preference[Any]):
    assert preference.title
    assert preference.help.endswith(".")
    numeric = isinstance(preference.default, int) and not isinstance(preference.default, bool)
    assert not numeric or preference.minimum <= preference.default <= preference.maximum


def test_values_survive_a_restart_with_their_types(tmp_path: Path, qapp: object):
    path = str(tmp_path / "settings.ini")
    first = Preferences(QSettings(path, QSettings.Format.IniFormat))
    first.set(LOG_SUMS, False)
    first.set(DRAG_PIXELS, 9)
    first.set(RECENT, ("/a", "/b"))
    first.sync()
    again = Preferences(QSettings(path, QSettings.Format.IniFormat))
    assert again.get(LOG_SUMS) is False
    assert again.get(DRAG_PIXELS) == 9
    assert again.get(RECENT) == ("/a", "/b")


@pytest.mark.parametrize("rubbish", ["", "many", "-5", "1e9", "true"])
def test_rubbish_in_the_file_becomes_a_legal_value(settings: QSettings, rubbish: str):
    settings.setValue(DRAG_PIXELS.key, rubbish)
    found = Preferences(settings).get(DRAG_PIXELS)
    assert DRAG_PIXELS.minimum <= found <= DRAG_PIXELS.maximum


def test_a_choice_that_does_not_exist_is_the_default(settings: QSettings):
    settings.setValue(THEME.key, "pink")
    assert Preferences(settings).get(THEME) == THEME.default


def test_a_change_is_told_once_and_an_equal_value_not_at_all(settings: QSettings):
    preferences, heard = Preferences(settings), list[object]()
    preferences.changed.connect(heard.append)
    preferences.set(DRAG_PIXELS, 7)
    preferences.set(DRAG_PIXELS, 7)
    assert heard == [DRAG_PIXELS]


def test_recent_files_are_few_and_the_newest_first(settings: QSettings):
    preferences = Preferences(settings)
    for number in range(RECENT_KEPT + 3):
        preferences.add_recent(f"/{number}")
    preferences.add_recent("/7")
    recent = preferences.get(RECENT)
    assert recent[0] == "/7"
    assert len(recent) == len(set(recent)) == RECENT_KEPT
    preferences.forget_recent("/7")
    assert "/7" not in preferences.get(RECENT)


def test_every_preference_has_an_effect_somewhere():
    sources = {path: path.read_text(encoding="utf-8") for path in GUI.rglob("*.py")}
    names = [name for name, value in vars(table).items() if isinstance(value, Preference)]
    others = [text for path, text in sources.items() if path.name != "preferences.py"]
    unused = [name for name in names if not any(re.search(rf"\b{name}\b", t) for t in others)]
    assert unused == []


def test_nobody_reads_a_setting_past_the_table():
    reads = re.compile(r"QSettings\(|settings\.(value|setValue)\(")
    allowed = {"preferences.py", "screens.py"}
    guilty = [
        path.name
        for path in GUI.rglob("*.py")
        if path.name not in allowed and reads.search(path.read_text(encoding="utf-8"))
    ]
    assert guilty == []
