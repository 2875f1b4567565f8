"""Opening, creating, importing, copying: never a loss, always a sentence."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.commands.tokens import MoveToken
from engine.model.board import GridSpec
from engine.model.refusal import FileProblem
from engine.model.space import Cell
from engine.samples import ASSETS
from engine.session import Session
from gui.dialogs.import_map import ImportDialog
from gui.dialogs.new_encounter import NewEncounter, NewEncounterDialog
from gui.dialogs.picture_grid import PictureGridDialog
from gui.dialogs.token import TokenDialog
from gui.files import copy_document, read_picture
from gui.preferences import RECENT
from gui.work import Work
from tests.helpers.encounters import HERO
from tests.helpers.gm_hand import Hand

KEEP = ASSETS / "maps" / "keep_20x20.dd2vtt"
no_offscreen_warnings = pytest.mark.qt_log_ignore("This plugin does not support")


def test_a_new_encounter_takes_the_place_of_the_open_one(gm: Hand, tmp_path: Path):
    wanted = NewEncounter("Another", "toy", GridSpec(columns=5, rows=4), tmp_path / "b.battlemat")
    assert gm.app.files.create(wanted)
    assert gm.encounter.title == "Another"
    assert gm.app.preferences.get(RECENT)[0] == str(tmp_path / "b.battlemat")


def test_a_new_encounter_never_writes_over_a_file(gm: Hand, tmp_path: Path):
    path = tmp_path / "mine.battlemat"
    path.write_text("precious", encoding="utf-8")
    before = gm.encounter
    assert not gm.app.files.create(NewEncounter("X", "toy", GridSpec(columns=5, rows=4), path))
    assert path.read_text(encoding="utf-8") == "precious"
    assert gm.encounter is before
    assert "mine.battlemat" in gm.window.status.text()


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\0" * 100])
def test_a_bad_file_leaves_what_is_open_open(gm: Hand, tmp_path: Path, content: bytes):
    path = tmp_path / "bad.battlemat"
    path.write_bytes(content)
    before = gm.encounter
    assert not gm.app.files.open_path(path)
    assert gm.encounter is before
    assert "bad.battlemat" in gm.window.status.text()
    assert gm.window.status.property("look") == "problem"


def test_a_recent_file_that_is_gone_is_forgotten(gm: Hand, tmp_path: Path):
    gone = tmp_path / "gone.battlemat"
    gm.app.preferences.add_recent(str(gone))
    gm.app.files.open_path(gone)
    assert str(gone) not in gm.app.preferences.get(RECENT)


def test_a_copy_is_whole_and_the_open_file_goes_on(gm: Hand, tmp_path: Path):
    gm.app.bridge.execute(MoveToken(token_id=HERO, path=(Cell(5, 2),)))
    target = tmp_path / "copy.battlemat"
    copy_document(gm.session.document, target)
    gm.app.bridge.execute(MoveToken(token_id=HERO, path=(Cell(6, 2),)))
    with Session.open(target) as copy:
        assert copy.encounter.tokens[HERO].cell == Cell(5, 2)
    assert gm.cell_of(HERO) == Cell(6, 2)


def test_a_copy_onto_itself_is_refused(gm: Hand):
    with pytest.raises(FileProblem, match="choose another name"):
        copy_document(gm.session.document, gm.session.document.path)
    assert gm.app.bridge.execute(MoveToken(token_id=HERO, path=(Cell(5, 2),)))


def test_a_copy_that_cannot_be_written_is_a_sentence(gm: Hand, tmp_path: Path):
    with pytest.raises(FileProblem, match="cannot be written"):
        copy_document(gm.session.document, tmp_path / "no folder" / "copy.battlemat")


@no_offscreen_warnings
def test_a_map_comes_in_with_its_report_as_one_step(gm: Hand, qtbot: QtBot):
    gm.app.files.import_path(KEEP)
    qtbot.waitUntil(lambda: bool(gm.window.findChildren(ImportDialog)), timeout=10_000)
    (dialog,) = gm.window.findChildren(ImportDialog)
    assert dialog.into_open_encounter
    dialog.try_accept()
    assert gm.encounter.board.grid.columns == 20
    assert gm.encounter.board.walls
    assert len(gm.session.history()) == 1
    gm.app.bridge.undo()
    assert not gm.encounter.board.walls


@no_offscreen_warnings
def test_a_map_that_cannot_be_read_is_a_sentence(gm: Hand, qtbot: QtBot, tmp_path: Path):
    bad = tmp_path / "bad.dd2vtt"
    bad.write_text("{", encoding="utf-8")
    gm.app.files.import_path(bad)
    qtbot.waitUntil(lambda: "bad.dd2vtt" in gm.window.status.text(), timeout=10_000)
    assert not gm.window.findChildren(ImportDialog)


@no_offscreen_warnings
def test_cancelled_work_brings_nothing(qtbot: QtBot):
    came: list[int] = []
    work: Work[int] = Work("Counting", lambda: 7, came.append, lambda _error: None)
    work.cancel()
    qtbot.waitUntil(lambda: work.finished, timeout=5000)
    assert came == []


@no_offscreen_warnings
def test_a_file_problem_in_the_work_is_told(qtbot: QtBot):
    def fail() -> int:
        raise FileProblem("It is damaged.")

    told: list[str] = []
    work: Work[int] = Work("Reading", fail, lambda _n: None, lambda error: told.append(str(error)))
    qtbot.waitUntil(lambda: work.finished, timeout=5000)
    assert told == ["It is damaged."]


def test_closing_the_window_keeps_everything(gm: Hand):
    gm.app.bridge.execute(MoveToken(token_id=HERO, path=(Cell(5, 2),)))
    path = gm.session.document.path
    gm.window.close()
    assert gm.app.bridge.session is None
    with Session.open(path) as again:
        assert again.encounter.tokens[HERO].cell == Cell(5, 2)


def test_going_back_to_a_backup_keeps_what_was_there(gm: Hand, tmp_path: Path):
    document = gm.session.document
    gm.app.bridge.execute(MoveToken(token_id=HERO, path=(Cell(5, 2),)))
    backup = document.backup()
    gm.app.bridge.execute(MoveToken(token_id=HERO, path=(Cell(6, 2),)))
    assert gm.app.files.go_back_to(backup)
    assert gm.cell_of(HERO) == Cell(5, 2)
    assert list(backup.parent.glob("replaced-*"))


def test_a_backup_that_is_damaged_leaves_the_encounter_open(gm: Hand, tmp_path: Path):
    bad = tmp_path / "bad.battlemat"
    bad.write_bytes(b"rubbish")
    before = gm.encounter
    assert not gm.app.files.go_back_to(bad)
    assert gm.encounter == before
    assert gm.window.status.property("look") == "problem"


@no_offscreen_warnings
def test_a_picture_in_the_clipboard_is_imported_like_a_file(gm: Hand, qtbot: QtBot):
    image = QImage(140, 70, QImage.Format.Format_RGB32)
    image.fill(0x336699)
    data = QMimeData()
    data.setImageData(image)
    assert gm.app.files.take(data)
    qtbot.waitUntil(lambda: bool(gm.window.findChildren(PictureGridDialog)), timeout=10_000)
    (grid,) = gm.window.findChildren(PictureGridDialog)
    grid.cell.setValue(35)
    assert grid.into_open_encounter
    grid.try_accept()
    qtbot.waitUntil(lambda: gm.encounter.board.grid.columns == 4, timeout=10_000)
    assert gm.encounter.board.grid.rows == 2
    assert gm.encounter.board.picture is not None
    assert not gm.window.findChildren(ImportDialog)


@no_offscreen_warnings
def test_a_picture_whose_name_tells_its_size_is_asked_of_once_and_made_into_a_new_file(
    gm: Hand, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "cave_4x2.png"
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(0x336699)
    assert image.save(str(path), "PNG")  # type: ignore[call-overload]  # the stubs want bytes
    gm.app.files.import_path(path)
    qtbot.waitUntil(lambda: bool(gm.window.findChildren(PictureGridDialog)), timeout=10_000)
    (grid,) = gm.window.findChildren(PictureGridDialog)
    assert (grid.by_size, grid.columns.value(), grid.rows.value()) == (True, 4, 2)
    monkeypatch.setattr(NewEncounterDialog, "exec", lambda _: 1)
    grid.into.setCurrentIndex(0)
    grid.try_accept()
    qtbot.waitUntil(lambda: gm.encounter.board.grid.columns == 4, timeout=10_000)
    assert gm.session.history() == ()


def test_an_address_in_the_net_is_not_fetched(gm: Hand):
    data = QMimeData()
    data.setUrls([QUrl("https://example.org/map.png")])
    assert gm.app.files.take(data)
    assert "net" in gm.window.status.text()


def test_an_empty_clipboard_is_said_so(gm: Hand):
    QApplication.clipboard().clear()
    gm.app.files.paste()
    assert "clipboard" in gm.window.status.text()


@no_offscreen_warnings
def test_a_portrait_is_kept_in_the_document(gm: Hand, tmp_path: Path):
    path = tmp_path / "face.png"
    image = QImage(64, 64, QImage.Format.Format_RGB32)
    image.fill(0x804020)
    assert image.save(str(path), "PNG")  # type: ignore[call-overload]  # the stubs want bytes
    gm.window.desk.select((HERO,))
    gm.app.edit_tokens()
    (dialog,) = gm.window.findChildren(TokenDialog)
    dialog.ask_picture = lambda: read_picture(path)
    dialog.picture.click()
    dialog.try_accept()
    sha256 = gm.encounter.tokens[HERO].portrait
    assert sha256 is not None
    assert gm.session.document.image(sha256) == path.read_bytes()


def test_what_is_no_picture_is_refused_in_a_sentence(tmp_path: Path):
    path = tmp_path / "face.png"
    path.write_text("no picture", encoding="utf-8")
    with pytest.raises(FileProblem, match="face.png"):
        read_picture(path)


def test_a_backup_is_kept_now_and_then_while_it_is_open(gm: Hand, qtbot: QtBot):
    gm.app.bridge.execute(MoveToken(token_id=HERO, path=(Cell(3, 2),)))
    before = len(gm.session.document.backups())
    gm.app.files.back_up()
    qtbot.waitUntil(lambda: len(gm.session.document.backups()) == before + 1)


def test_a_backup_that_fails_is_told(gm: Hand, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch):
    def full(_document: object) -> None:
        raise FileProblem("The disk is full.")

    monkeypatch.setattr("engine.storage.document.Document.backup", full)
    gm.app.files.back_up()
    qtbot.waitUntil(lambda: gm.window.status.text() == "The disk is full.")
