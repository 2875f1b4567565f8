"""The tables of the rules in a dialog: read, corrected, taken back, added to."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from engine.rules.drase.data import book_of
from engine.rules.drase.ruleset import RULESET
from engine.rules.ruleset import Table
from gui.dialogs.tables import TablesDialog, own_rows, read
from tests.helpers.drase import encounter, token
from tests.helpers.gm_hand import Hand, OpenGm

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

Told = list[tuple[str, str, str, int | str | None]]

SIZES = Table(
    id="sizes",
    title="Sizes",
    columns=("id", "label", "cells", "source", "proposal"),
    rows=(("small", "Small", "1", "p. 3", "no"), ("big", "Big", "2", "", "yes")),
    open=True,
)


@pytest.fixture
def told() -> Told:
    return []


@pytest.fixture
def dialog(qtbot: QtBot, told: Told) -> TablesDialog:
    made = TablesDialog([SIZES], {"sizes/small/cells": 4}, lambda *each: told.append(each))
    qtbot.addWidget(made)
    made.show()
    return made


def enter(dialog: TablesDialog, row: str, column: str, text: str) -> None:
    item = dialog.place(row, column)
    dialog.grid.setCurrentItem(item)
    item.setText(text)


@pytest.mark.parametrize(
    ("text", "value"), [("3", 3), (" -2 ", -2), ("1/10", "1/10"), ("two", "two"), ("", "")]
)
def test_whole_numbers_are_read_as_such(text: str, value: int | str):
    assert read(text) == value


def test_a_corrected_place_stands_out_and_says_what_was_printed(dialog: TablesDialog):
    item = dialog.place("small", "cells")
    assert item.text() == "4"
    assert item.font().bold()
    dialog.grid.setCurrentItem(item)
    assert "printed is 1" in dialog.words.text()
    assert dialog.back.isEnabled()


def test_a_proposal_says_so(dialog: TablesDialog):
    item = dialog.place("big", "cells")
    assert "proposal" in item.toolTip()
    dialog.grid.setCurrentItem(item)
    assert "A proposal" in dialog.words.text()


def test_what_is_typed_is_told_and_the_printed_value_takes_it_back(
    dialog: TablesDialog, told: Told
):
    enter(dialog, "big", "cells", "3")
    enter(dialog, "small", "cells", "1")
    dialog.grid.setCurrentItem(dialog.place("small", "cells"))
    dialog.back.click()
    assert told == [
        ("sizes", "big", "cells", 3),
        ("sizes", "small", "cells", None),
        ("sizes", "small", "cells", None),
    ]


def test_ids_and_sources_stay(dialog: TablesDialog):
    for column in ("id", "source", "proposal"):
        assert not dialog.place("big", column).flags() & Qt.ItemFlag.ItemIsEditable
    assert dialog.place("big", "cells").flags() & Qt.ItemFlag.ItemIsEditable


def test_a_row_is_found_by_its_words(dialog: TablesDialog):
    dialog.finder.setText("big")
    assert dialog.grid.isRowHidden(0)
    assert not dialog.grid.isRowHidden(1)


def test_rows_of_the_group_are_listed(dialog: TablesDialog, told: Told):
    dialog.add_row("Huge")
    assert told == [("sizes", "huge", "label", "Huge")]
    corrections = {"sizes/huge/label": "Huge"}
    assert own_rows(SIZES, corrections) == ("huge",)
    dialog.show_corrections(corrections)
    assert dialog.place("huge", "label").text() == "Huge"


def test_a_row_that_is_called_like_a_printed_one_is_another_row(dialog: TablesDialog, told: Told):
    dialog.add_row("BIG")
    assert told == [("sizes", "big_2", "label", "BIG")]


def test_what_changes_nothing_is_not_told(dialog: TablesDialog, told: Told):
    printed = dialog.place("big", "cells").text()
    enter(dialog, "big", "cells", f" {printed} ")
    assert dialog.place("big", "cells").text() == printed
    assert told == []


@pytest.fixture
def gm(open_gm: OpenGm) -> Hand:
    return open_gm(encounter(token("Arn", 5, 5)))


def opened(gm: Hand, title: str) -> TablesDialog:
    gm.app.show_tables()
    (dialog,) = gm.window.findChildren(TablesDialog)
    dialog.list.setCurrentRow([table.title for table in dialog._tables].index(title))
    return dialog


def test_a_number_of_drase_is_corrected_undone_and_refused_where_it_cannot_be(gm: Hand):
    dialog = opened(gm, "Numbers")
    enter(dialog, "light_maluses", "value", "3")
    assert book_of(gm.encounter).number("light_maluses") == 3
    assert dialog.place("light_maluses", "value").font().bold()
    enter(dialog, "light_maluses", "value", "many")
    assert book_of(gm.encounter).number("light_maluses") == 3
    assert dialog.place("light_maluses", "value").text() == "3"
    gm.app.bridge.undo()
    assert dialog.place("light_maluses", "value").text() == "1"
    dialog.accept()


def test_an_action_of_the_groups_own_is_offered(gm: Hand):
    dialog = opened(gm, "Actions")
    dialog.add_row("Taunt")
    assert dialog.place("taunt", "label").text() == "Taunt"
    dialog.accept()
    gm.click(5.5, 5.5)
    assert gm.window.offers.button("taunt").accessibleName() == "Taunt half"


def test_nothing_in_the_dialog_reads_like_code(qtbot: QtBot):
    made = TablesDialog(RULESET.tables(), {}, lambda *_: None)
    qtbot.addWidget(made)
    for number in range(made.list.count()):
        made.list.setCurrentRow(number)
        shown = [made.list.item(number).text()]
        for column in range(made.grid.columnCount()):
            if made.grid.isColumnHidden(column):
                continue
            header = made.grid.horizontalHeaderItem(column)
            shown.append(header.text() if header is not None else "_")
            items = [made.grid.item(row, column) for row in range(made.grid.rowCount())]
            shown += [item.text() for item in items if item is not None]
        assert not [text for text in shown if "_" in text]


def test_words_that_are_typed_become_what_the_rules_call_it(qtbot: QtBot, told: Told):
    made = TablesDialog(RULESET.tables(), {}, lambda *each: told.append(each))
    qtbot.addWidget(made)
    ids = [table.id for table in RULESET.tables()]
    made.list.setCurrentRow(ids.index("actions"))
    assert made.place("hide", "effect").text() == "hide"
    enter(made, "hide", "effect", "total defence")
    made.list.setCurrentRow(ids.index("damage_types"))
    enter(made, "cut", "critical", "bleeding")
    enter(made, "pierce", "critical", "bleeding")
    assert told == [
        ("actions", "hide", "effect", "total_defence"),
        ("damage_types", "pierce", "critical", "bleeding"),
    ]
