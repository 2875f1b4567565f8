"""Backups are whole, few, and never in the way of the document."""

import hashlib
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine.model.refusal import FileProblem
from engine.storage import backups, disk
from engine.storage.lock import WriteLock
from tests.helpers.documents import created, opened, record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keep.battlemat"


def test_a_backup_holds_what_the_open_document_holds(path: Path):
    with created(path, 3) as document:
        document.move_head(2)
        copy = document.backup()
        assert copy.parent.name == "keep.battlemat.backups"
        document.append(record(4, parent=2))
    with opened(copy) as document:
        assert (document.head, len(document.records())) == (2, 3)
        assert document.check() == ()


def test_only_the_newest_are_kept(path: Path):
    with created(path) as document:
        for number in range(1, 6):
            document.append(record(number))
            document.backup(keep=3)
        listed = document.backups()
    heads = []
    for backup in listed:
        with opened(backup.path, read_only=True) as document:
            heads.append(document.head)
    assert heads == [5, 4, 3]


def test_the_list_tells_when_and_how_much(path: Path):
    with created(path, 1) as document:
        copy = document.backup()
        (backup,) = document.backups()
    assert backup.path == copy
    assert abs(datetime.now(UTC) - backup.at) < timedelta(minutes=1)
    assert backup.size == copy.stat().st_size


def test_what_did_not_change_is_not_copied_again(path: Path):
    with created(path, 2) as document:
        first = document.backup()
        assert document.backup() == first
        document.move_head(1)
        assert document.backup() != first
        assert len(document.backups()) == 2


def test_a_damaged_backup_is_no_reason_not_to_make_another(path: Path):
    with created(path, 2) as document:
        document.backup().write_bytes(b"damaged")
        with opened(document.backup()) as copy:
            assert copy.head == 2


def test_nothing_else_in_the_folder_is_listed_or_removed(path: Path):
    folder = backups.folder_of(path)
    folder.mkdir()
    for name in ("mine.battlemat", "2025-01-31T20-15-07-000001Z.txt"):
        (folder / name).write_text("precious")
    with created(path) as document:
        for number in range(1, 4):
            document.append(record(number))
            document.backup(keep=1)
        assert len(document.backups()) == 1
    assert len(list(folder.iterdir())) == 3


def test_at_least_one_is_kept(path: Path):
    with created(path, 1) as document, pytest.raises(ValueError, match="at least one"):
        document.backup(keep=0)


def test_a_backup_can_be_made_in_another_thread_while_records_come(path: Path):
    with created(path, 1) as document:
        made: list[Path] = []
        thread = threading.Thread(target=lambda: made.append(document.backup()))
        thread.start()
        for number in range(2, 60):
            document.append(record(number))
        thread.join()
    with opened(made[0]) as copy:
        assert copy.check() == ()
        assert copy.head == len(copy.records()) >= 1


def test_what_is_written_between_two_slices_goes_into_the_backup(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    slices: list[int] = []

    def between(_handle: int) -> None:
        slices.append(1)
        if len(slices) == 2:
            document.append(record(4))

    monkeypatch.setattr(disk, "_SLICE_PAGES", 1)
    monkeypatch.setattr(backups, "sync", between)
    with created(path, 3) as document:
        copy = document.backup()
    pages = copy.stat().st_size // 4096
    assert pages <= len(slices) <= pages + 2, "it was begun anew"
    with opened(copy) as made:
        assert (made.check(), made.head) == ((), 4)


def test_to_close_the_document_ends_its_backup(path: Path, monkeypatch: pytest.MonkeyPatch):
    document = created(path, 3)
    closer = threading.Thread(target=document.close)

    def between(_handle: int) -> None:
        closer.start()
        while not document.closed:
            pass

    monkeypatch.setattr(disk, "_SLICE_PAGES", 1)
    monkeypatch.setattr(backups, "sync", between)
    with pytest.raises(FileProblem, match="was closed before its backup was whole"):
        document.backup()
    closer.join()
    assert list(backups.folder_of(path).iterdir()) == []


def test_what_killed_backups_left_goes_and_what_is_being_written_stays(path: Path):
    folder = backups.folder_of(path)
    folder.mkdir()
    for name in (
        ".2026-01-31T20-15-07-000001Z.tmp",
        ".dead.tmp",
        ".dead.tmp.lock",
        ".gone.tmp.lock",
    ):
        (folder / name).touch()
    living = folder / ".living.tmp"
    living.touch()
    lock = WriteLock(living)
    with created(path, 1) as document:
        copy = document.backup()
    lock.release()
    assert set(folder.iterdir()) == {living, copy}


def test_what_was_left_of_a_file_that_was_being_created_goes(path: Path):
    left = path.with_name(f".{path.name}.dead.tmp")
    others = path.with_name(".dead.tmp")
    for each in (left, others):
        each.touch()
    created(path, 1).close()
    assert set(path.parent.iterdir()) == {path, others}


def test_a_failed_backup_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with created(path, 1) as document:
        document.backup()
        document.append(record(2))
        monkeypatch.setattr(backups, "put_in_place", fail)
        with pytest.raises(FileProblem, match="No space left"):
            document.backup(keep=1)
        assert [each.path for each in document.backups()] == list(backups.folder_of(path).iterdir())
        assert len(document.backups()) == 1


def test_a_restored_document_goes_on_from_the_backup(path: Path):
    with created(path, 3) as document:
        copy = document.backup()
        document.append(record(4))
    backups.restore(copy, path)
    with opened(path) as document:
        assert document.head == 3
        document.append(record(4))
        assert document.backup() != copy


def test_what_was_replaced_is_kept_apart(path: Path):
    with created(path, 1) as document:
        copy = document.backup()
        document.append(record(2))
    content = path.read_bytes()
    backups.restore(copy, path)
    (kept,) = backups.folder_of(path).glob("replaced-*")
    assert kept.read_bytes() == content
    assert len(backups.of(path)) == 1


def test_a_damaged_document_is_replaced_with_its_journal(path: Path):
    with created(path, 1) as document:
        copy = document.backup()
    path.write_bytes(b"damaged")
    journal = path.with_name(path.name + "-journal")
    journal.write_bytes(b"left by a crash")
    backups.restore(copy, path)
    with opened(path) as document:
        assert document.head == 1
    contents = {each.read_bytes() for each in backups.folder_of(path).glob("replaced-*")}
    assert contents == {b"damaged", b"left by a crash"}


def test_a_lost_document_comes_back(path: Path):
    with created(path, 2) as document:
        document.backup()
    path.unlink()
    (backup,) = backups.of(path)
    backups.restore(backup.path, path)
    with opened(path) as document:
        assert document.head == 2


def test_an_open_document_is_not_replaced(path: Path):
    with created(path, 1) as document:
        copy = document.backup()
        with pytest.raises(FileProblem, match="is open elsewhere; it cannot be replaced"):
            backups.restore(copy, path)
        document.append(record(2))


def test_a_file_that_is_no_backup_replaces_nothing(path: Path, tmp_path: Path):
    created(path, 1).close()
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (tmp_path / "page.battlemat").write_text("<html>")
    with pytest.raises(FileProblem, match="not a Battlemat encounter"):
        backups.restore(tmp_path / "page.battlemat", path)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest


def test_a_backup_has_no_journal_of_its_own(path: Path):
    with created(path, 1) as document:
        copy = document.backup()
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert [each.name for each in copy.parent.iterdir()] == [copy.name]
