"""The dialogs: what they ask for, what they refuse, what comes out."""

from pathlib import Path

import pytest
from pydantic import Field
from PySide6.QtCore import QPoint, QRectF, QSettings, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QSpinBox
from pytestqt.qtbot import QtBot

from engine.formats.imported import (
    ImportCounts,
    ImportedMap,
    ImportOptions,
    ImportReport,
    Switch,
)
from engine.model.board import Board, GridSpec, Picture
from engine.model.sheet import TableRules
from engine.model.space import Cell, GridKind
from engine.model.token import Token
from gui.dialogs.grid_fit import Fit, GridFitDialog, fit_of, fitted
from gui.dialogs.import_map import ImportDialog, counts_in_words
from gui.dialogs.keys import KeysDialog
from gui.dialogs.new_encounter import NewEncounterDialog, file_name, free_path
from gui.dialogs.picture_grid import PictureGridDialog, Thumbnail
from gui.dialogs.preferences import PreferencesDialog
from gui.dialogs.table_rules import TableRulesDialog
from gui.dialogs.token import BY_SHEET, TokenDialog
from gui.menu import BY_ID
from gui.preferences import DRAG_PIXELS, LOG_SUMS, SHOWN, Preferences
from gui.theme import DARK
from tests.helpers.encounters import HERO, ORC
from tests.helpers.gm_hand import Hand
from tests.helpers.toy import TOY

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

PICTURE = Picture(
    sha256="0" * 64, width_px=1000, height_px=700, to_world=(1 / 69.7, 0, -0.5, 0, 1 / 69.7, 0.25)
)


def test_a_new_encounter_is_what_was_entered(qtbot: QtBot, tmp_path: Path):
    dialog = NewEncounterDialog([TOY], tmp_path)
    qtbot.addWidget(dialog)
    dialog.title.setText("Mill: the bridge / night")
    dialog.kind.setCurrentIndex(1)
    dialog.columns.setValue(25)
    wanted = dialog.result_value
    assert (wanted.title, wanted.ruleset) == ("Mill: the bridge / night", "toy")
    assert (wanted.grid.kind, wanted.grid.columns) == (GridKind.HEX_POINTY, 25)
    assert wanted.path == tmp_path / "Mill the bridge  night.battlemat"


def test_a_file_that_is_there_already_is_not_written_over(qtbot: QtBot, tmp_path: Path):
    taken = tmp_path / "mine.battlemat"
    taken.write_text("something", encoding="utf-8")
    dialog = NewEncounterDialog([TOY], tmp_path)
    qtbot.addWidget(dialog)
    dialog.path.setText(str(taken))
    dialog.try_accept()
    assert not dialog.result()
    assert "mine.battlemat" in dialog.wrong.text()


@pytest.mark.parametrize("title", ["", "...", "///", "a" * 300, "CON: \x00 bell"])
def test_every_title_makes_a_file_name(title: str):
    name = file_name(title)
    assert name.endswith(".battlemat")
    assert not set(name) & set('/\\:*?"<>|\0')
    assert len(name) < 120


def test_a_free_name_is_found_beside_others(tmp_path: Path):
    free_path(tmp_path, "Keep").touch()
    assert free_path(tmp_path, "Keep").name == "Keep 2.battlemat"


def a_map(**fields: object) -> ImportedMap:
    report = ImportReport(
        source="keep.dd2vtt",
        counts=ImportCounts(walls=12, doors=1),
        skipped=("keep.dd2vtt: portal 3 has no bounds, skipped.",),
        switches=(
            Switch(
                option="open_portals_as_doors",
                value=True,
                sentence="keep.dd2vtt: 2 portals are open.",
            ),
        ),
    )
    board = Board(grid=GridSpec(columns=20, rows=20), **fields)
    return ImportedMap(title="keep", board=board, report=report)


def test_the_report_counts_and_names_what_was_skipped(qtbot: QtBot):
    dialog = ImportDialog(a_map(), ImportOptions(), into_open=True)
    qtbot.addWidget(dialog)
    assert "12 walls, 1 door" in dialog.counts.text()
    item = dialog.lines.item(0)
    assert item is not None
    assert item.text() == "keep.dd2vtt: portal 3 has no bounds, skipped."
    assert dialog.into_open_encounter


def test_a_switch_asks_to_read_the_map_again_first(qtbot: QtBot):
    dialog = ImportDialog(a_map(), ImportOptions(), into_open=False)
    qtbot.addWidget(dialog)
    (box,) = (b for b in dialog.findChildren(QCheckBox))
    box.click()
    assert not dialog.ok.isEnabled()
    with qtbot.waitSignal(dialog.again) as again:
        dialog.retry.click()
    assert again.args[0].open_portals_as_doors
    dialog.options = again.args[0]
    dialog.show_map(a_map())
    assert dialog.ok.isEnabled()


def test_nothing_but_a_board_is_said_so():
    assert counts_in_words(ImportCounts()) == "nothing but the board"


@pytest.mark.parametrize("kind", list(GridKind))
def test_a_fit_is_read_as_it_was_written(kind: GridKind):
    spec = GridSpec(kind=kind, columns=10, rows=8)
    fit = Fit(69.7, 68.25, -30.5, 9.25)
    found = fit_of(fitted(PICTURE, spec, fit), spec)
    for name in Fit.__slots__:
        assert getattr(found, name) == pytest.approx(getattr(fit, name), abs=1e-9)


def test_the_fit_dialog_has_the_previous_values_and_two_decimals(qtbot: QtBot):
    tried: list[object] = []
    board = Board(grid=GridSpec(columns=10, rows=8), picture=PICTURE)
    dialog = GridFitDialog(board, TOY.grids, tried.append)
    qtbot.addWidget(dialog)
    assert dialog.width_px.value() == pytest.approx(69.7)
    assert dialog.left_px.value() == pytest.approx(34.85)
    before = dialog.command.picture
    assert before is not None
    assert before.to_world == pytest.approx(PICTURE.to_world, abs=1e-4)
    dialog.left_px.setValue(-3.25)
    assert len(tried) == 1
    assert dialog.height_px.value() == dialog.width_px.value()


def test_without_a_picture_only_the_board_is_fitted(qtbot: QtBot):
    dialog = GridFitDialog(Board(grid=GridSpec(columns=4, rows=3)), TOY.grids, print)
    qtbot.addWidget(dialog)
    dialog.columns.setValue(6)
    assert dialog.command.grid.columns == 6
    assert dialog.command.picture is None


def test_a_fit_is_one_step_and_tokens_keep_their_cells(gm: Hand):
    gm.app.fit_grid()
    (dialog,) = gm.window.findChildren(GridFitDialog)
    dialog.columns.setValue(20)
    assert gm.window.scene.view is not gm.app.bridge.view
    dialog.try_accept()
    assert gm.encounter.board.grid.columns == 20
    assert gm.cell_of(HERO) == Cell(2, 2)
    assert len(gm.session.history()) == 1
    assert gm.window.scene.view is gm.app.bridge.view


def test_a_fit_that_is_cancelled_leaves_the_map_as_it_was(gm: Hand):
    gm.app.fit_grid()
    (dialog,) = gm.window.findChildren(GridFitDialog)
    dialog.columns.setValue(20)
    dialog.reject()
    assert gm.window.scene.view is gm.app.bridge.view
    assert gm.session.head == 0


@pytest.fixture
def preferences(qapp: object, tmp_path: Path) -> Preferences:
    return Preferences(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))


def test_the_dialog_of_the_preferences_is_the_table(qtbot: QtBot, preferences: Preferences):
    dialog = PreferencesDialog(preferences)
    qtbot.addWidget(dialog)
    assert set(dialog.fields) == {each.key for each in SHOWN}
    assert all(field.accessibleName() for field in dialog.fields.values())
    spin = dialog.fields[DRAG_PIXELS.key]
    assert isinstance(spin, QSpinBox)
    assert (spin.minimum(), spin.maximum()) == (DRAG_PIXELS.minimum, DRAG_PIXELS.maximum)
    spin.setValue(9)
    assert preferences.get(DRAG_PIXELS) == 9


def test_defaults_take_everything_back(qtbot: QtBot, preferences: Preferences):
    preferences.set(LOG_SUMS, False)
    dialog = PreferencesDialog(preferences)
    qtbot.addWidget(dialog)
    dialog._reset()
    assert preferences.get(LOG_SUMS)
    box = dialog.fields[LOG_SUMS.key]
    assert isinstance(box, QCheckBox)
    assert box.isChecked()


class Rules(TableRules):
    """Two rules."""

    kind: str = "rules"
    diagonals: bool = Field(
        default=True, title="Diagonals", description="Help.", json_schema_extra={"source": "p. 4"}
    )
    critical: int = Field(default=20, ge=1, le=20, json_schema_extra={"proposal": True})


def test_table_rules_show_default_help_and_source(qtbot: QtBot):
    told: list[tuple[str, object]] = []
    dialog = TableRulesDialog(Rules(), lambda rule, value: told.append((rule, value)))
    qtbot.addWidget(dialog)
    words = [w.text() for _, ws in dialog._rows for w in ws if hasattr(w, "wordWrap")]
    assert "Help. Default: yes. p. 4" in words
    assert any("proposal" in each for each in words)
    spin = dialog.editors["critical"].widget
    assert isinstance(spin, QSpinBox)
    spin.setValue(19)
    assert told == [("critical", 19)]


def test_a_rule_that_differs_stands_out_and_can_be_found(qtbot: QtBot):
    dialog = TableRulesDialog(Rules(diagonals=False), lambda _rule, _value: None)
    qtbot.addWidget(dialog)
    assert dialog._names["diagonals"].text() == "Diagonals •"
    dialog.finder.setText("critical")
    assert dialog._names["diagonals"].isHidden()


def test_the_rules_dialog_follows_undo(gm: Hand):
    gm.app.show_rules()
    (dialog,) = gm.window.findChildren(TableRulesDialog)
    box = dialog.editors["deadly"].widget
    assert isinstance(box, QCheckBox)
    box.click()
    assert gm.encounter.options.deadly  # type: ignore[attr-defined]
    gm.app.bridge.undo()
    assert not box.isChecked()


def test_only_what_was_changed_of_a_token_is_told(qtbot: QtBot):
    token = Token(id="t", name="Orc", cell=Cell(1, 1))
    dialog = TokenDialog([token], GridKind.SQUARE, ["bandits"])
    qtbot.addWidget(dialog)
    assert dialog.changes == {}
    dialog.name.setText("Chief")
    dialog.hidden.setChecked(True)
    assert dialog.changes == {"name": "Chief", "hidden": True}


def test_a_size_by_hand_or_as_on_the_sheet(qtbot: QtBot):
    token = Token(id="t", name="Orc", cell=Cell(1, 1), fitted=True)
    dialog = TokenDialog([token], GridKind.SQUARE, [])
    qtbot.addWidget(dialog)
    assert dialog.footprint.currentText() == BY_SHEET
    dialog.footprint.setCurrentText("2")
    assert dialog.changes == {"fitted": False, "footprint": "2"}
    other = TokenDialog([token.changed(fitted=False)], GridKind.SQUARE, [])
    qtbot.addWidget(other)
    other.footprint.setCurrentText(BY_SHEET)
    assert other.changes == {"fitted": True}


def test_a_token_needs_a_name(qtbot: QtBot):
    dialog = TokenDialog([Token(id="t", name="Orc", cell=Cell(1, 1))], GridKind.SQUARE, [])
    qtbot.addWidget(dialog)
    dialog.name.clear()
    dialog.try_accept()
    assert "name" in dialog.wrong.text()


def test_several_tokens_are_edited_in_one_step(gm: Hand):
    gm.window.desk.select((HERO, ORC))
    gm.app.edit_tokens()
    (dialog,) = gm.window.findChildren(TokenDialog)
    dialog.side.setCurrentText("bandits")
    dialog.try_accept()
    assert {gm.encounter.tokens[each].side for each in (HERO, ORC)} == {"bandits"}
    assert len(gm.session.history()) == 1


def test_the_list_of_keys_changes_a_key_that_then_works(gm: Hand):
    gm.app.show_keys()
    (dialog,) = gm.window.findChildren(KeysDialog)
    dialog.pick("tool.ruler")
    dialog.edit.setKeySequence("G")
    dialog.give.click()
    dialog.close()
    gm.window.activateWindow()
    QTest.qWait(20)
    gm.key(Qt.Key.Key_G)
    assert gm.window.desk.tool_id == "ruler"
    assert gm.window.bindings.keys(BY_ID["tool.ruler"]) == ("G",)


def test_keys_are_found_by_word(gm: Hand):
    gm.app.show_keys()
    (dialog,) = gm.window.findChildren(KeysDialog)
    dialog.finder.setText("undo")
    shown = [head.text(0) for head in dialog._heads() if not head.isHidden()]
    assert "Edit" in shown
    assert "View" not in shown


def test_a_box_over_ten_cells_measures_them_with_decimals(qtbot: QtBot):
    image = QImage(1440, 920, QImage.Format.Format_RGB32)
    image.fill(0x334455)
    dialog = PictureGridDialog("cave.png", Thumbnail(image, 1440, 920), DARK)
    qtbot.addWidget(dialog)
    assert dialog.map.scale == pytest.approx(0.5)
    dialog.map.boxed.emit(QRectF(30, 100, 699, 400))
    options = dialog.options
    assert options.cell_px == pytest.approx(69.9)
    assert options.offset == pytest.approx((30, 100 % 69.9), abs=0.006)


def test_a_box_is_pulled_with_the_mouse(qtbot: QtBot):
    image = QImage(720, 460, QImage.Format.Format_RGB32)
    image.fill(0x334455)
    dialog = PictureGridDialog("cave.png", Thumbnail(image, 720, 460), DARK)
    qtbot.addWidget(dialog)
    dialog.across.setValue(5)
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(dialog.map, left, pos=QPoint(20, 40))
    QTest.mouseMove(dialog.map, QPoint(120, 140))
    QTest.mouseRelease(dialog.map, left, pos=QPoint(220, 240))
    assert dialog.options.cell_px == pytest.approx(40)
    dialog.grab()


def test_columns_and_rows_may_be_given_with_an_offset_instead_of_the_width_of_a_cell(qtbot: QtBot):
    image = QImage(720, 460, QImage.Format.Format_RGB32)
    dialog = PictureGridDialog("cave.png", Thumbnail(image, 720, 460), DARK)
    qtbot.addWidget(dialog)
    assert dialog.options.size is None
    assert not dialog.columns.parentWidget().isEnabled()
    dialog.given.setCurrentIndex(1)
    dialog.given.activated.emit(1)
    dialog.columns.setValue(36)
    assert dialog.rows.value() == 23
    dialog.left.setValue(36)
    options = dialog.options
    assert (options.cell_px, options.size, options.offset) == (None, (36, 23), (36, 0))
    assert dialog.cell_px == pytest.approx((19, 20))
    dialog.columns.setValue(2000)
    dialog.try_accept()
    assert "too many" in dialog.wrong.text()


@pytest.mark.parametrize("kind", list(GridKind))
def test_every_grid_is_drawn_over_the_picture(qtbot: QtBot, kind: GridKind):
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(0x000000)
    dialog = PictureGridDialog("cave.png", Thumbnail(image, 300, 200), DARK)
    qtbot.addWidget(dialog)
    dialog.kind.setCurrentIndex(dialog.kind.findData(kind))
    dialog.cell.setValue(50)
    dialog.map.show_grid(dialog.options, dialog.cell_px)
    assert len(dialog.map._outlines()) > 10
