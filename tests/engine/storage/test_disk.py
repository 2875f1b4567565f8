"""What the disk does to us: nothing is half done, and one sentence says so."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine.model.refusal import FileProblem
from engine.storage import disk
from engine.storage.document import Document
from tests.helpers.documents import NO_KINDS, created, encounter, opened, record, summoned


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keep.battlemat"


class FailingDisk:
    """A connection on which statements fail, once each, as SQLite says that disks fail."""

    def __init__(self, db: sqlite3.Connection, statements: str, errorname: str) -> None:
        self._db = db
        self._statements = statements.split()
        self._errorname = errorname

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    def _fail(self, sql: str) -> None:
        if sql.split(maxsplit=1)[0] in self._statements:
            self._statements.remove(sql.split(maxsplit=1)[0])
            error = sqlite3.OperationalError("injected")
            error.sqlite_errorname = self._errorname
            raise error

    def execute(self, sql: str, *rest: object) -> sqlite3.Cursor:
        self._fail(sql)
        return self._db.execute(sql, *rest)

    def executemany(self, sql: str, rows: object) -> sqlite3.Cursor:
        self._fail(sql)
        return self._db.executemany(sql, rows)


def snapshot_of(document: Document) -> tuple[object, ...]:
    return document.head, document.records(), document.next_id(), document.images()


WRITES: dict[str, Callable[[Document], None]] = {
    "append": lambda document: document.append(record(4)),
    "append_all": lambda document: document.append_all([record(4), record(5)]),
    "move_head": lambda document: document.move_head(1),
}


@pytest.mark.parametrize(
    ("write", "statement"),
    [
        *((write, statement) for write in WRITES for statement in ("BEGIN", "COMMIT")),
        ("append", "INSERT"),
        ("append", "UPDATE"),
        ("append_all", "INSERT"),
        ("append_all", "UPDATE"),
        ("move_head", "UPDATE"),
    ],
)
@pytest.mark.parametrize(
    ("errorname", "sentence"),
    [
        ("SQLITE_FULL", "The disk is full"),
        ("SQLITE_IOERR_FSYNC", "The disk reports an error"),
        ("SQLITE_BUSY", "Another program is using"),
    ],
)
def test_a_failed_write_changes_nothing_and_can_be_tried_again(
    path: Path, write: str, statement: str, errorname: str, sentence: str
):
    with created(path, 3) as document:
        before = snapshot_of(document)
        good = document._db
        failing = FailingDisk(good, statement, errorname)
        document._db = document._snapshots._db = failing
        with pytest.raises(FileProblem, match=sentence):
            WRITES[write](document)
        document._db = document._snapshots._db = good
        assert snapshot_of(document) == before
        WRITES[write](document)
        assert document.check() == ()


def test_a_disk_that_does_not_even_roll_back_can_be_used_again(path: Path):
    with created(path, 3) as document:
        before = snapshot_of(document)
        document._db = FailingDisk(document._db, "COMMIT ROLLBACK", "SQLITE_IOERR")
        with pytest.raises(FileProblem, match="The disk reports an error"):
            document.append(record(4))
        assert document._db.in_transaction
        document.append(record(4))
        assert document.records()[:3] == before[1]
        assert document.check() == ()


@pytest.mark.parametrize("statement", ["BEGIN", "INSERT", "COMMIT"])
def test_a_snapshot_that_cannot_be_stored_is_no_problem(path: Path, statement: str):
    with created(path, 3) as document:
        good, state = document._db, document.encounter_at(3)
        document._db = document._snapshots._db = FailingDisk(good, statement, "SQLITE_FULL")
        assert not document.put_snapshot(3, state)
        document._db = document._snapshots._db = good
        assert document.snapshots() == (0,)
        assert document.put_snapshot(3, state)
        assert document.snapshots() == (0, 3)
        assert document.check() == ()


def test_a_full_disk_keeps_what_was_there(path: Path):
    with created(path, 3) as document:
        content = path.read_bytes()
        before = snapshot_of(document)
        (pages,) = document._db.execute("PRAGMA page_count").fetchone()
        document._db.execute(f"PRAGMA max_page_count = {pages}")
        many = record(4, events=[summoned(1, n).events[0] for n in range(3000)])
        with pytest.raises(FileProblem, match=r"The disk is full; keep\.battlemat was left"):
            document.append(many)
        assert snapshot_of(document) == before
        assert path.read_bytes() == content
        document._db.execute("PRAGMA max_page_count = 100000")
        document.append(many)
    with opened(path) as document:
        assert document.record(4) == many


LIMITED = """
import resource, sys
from pathlib import Path
from engine.model.refusal import FileProblem

from tests.helpers.documents import created, record, summoned
path = Path(sys.argv[1])
with created(path, 3) as document:
    limit = path.stat().st_size + 2 * 4096
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    many = record(4, events=[summoned(1, n).events[0] for n in range(3000)])
    try:
        document.append(many)
    except FileProblem as problem:
        print(problem)
    print(document.head, len(document.check()))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    document.append(many)
    print(document.head, len(document.check()))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits on file sizes")
def test_the_operating_system_stops_a_write_in_its_middle(path: Path):
    command = [sys.executable, "-c", LIMITED, str(path)]
    outcome = subprocess.run(command, capture_output=True, text=True, check=True)
    sentence, failed, tried_again = outcome.stdout.splitlines()
    assert "keep.battlemat was left as it was" in sentence
    assert (failed, tried_again) == ("3 0", "4 0")


@pytest.mark.parametrize("step", ["lay_out", "put_in_place"])
def test_a_failed_creation_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch, step: str):
    def fail(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    target = "engine.storage.schema" if step == "lay_out" else "engine.storage.document"
    monkeypatch.setattr(f"{target}.{step}", fail)
    with pytest.raises(FileProblem, match="No space left"):
        Document.create(path, encounter(), NO_KINDS)
    assert list(path.parent.iterdir()) == []


def test_a_file_that_another_program_holds_is_told(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(disk, "BUSY_SECONDS", 0.05)
    with created(path, 1) as document:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(FileProblem, match="Another program is using"):
            document.append(record(2))
        other.execute("ROLLBACK")
        other.close()
        document.append(record(2))
        assert document.head == 2


@pytest.mark.skipif(sys.platform == "win32", reason="nobody moves an open file there")
@pytest.mark.parametrize("fate", [Path.unlink, lambda path: path.rename(path.with_name("away"))])
def test_a_step_is_not_stored_in_a_file_that_was_taken_away(
    path: Path, fate: Callable[[Path], object]
):
    with created(path, 3) as document:
        fate(path)
        for _ in range(2):
            with pytest.raises(FileProblem, match="moved, deleted or replaced"):
                document.append(record(4))
        assert document.head == 3


def test_a_step_that_another_program_has_taken_is_not_overwritten(path: Path):
    with created(path, 3) as document:
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("INSERT INTO records VALUES (4, 3, 4, 'theirs', 'now', x'00')")
        with pytest.raises(FileProblem, match="Another program has written"):
            document.append(record(4))
        assert document.head == 3


def test_a_closed_document_is_a_bug_not_a_file_problem(path: Path):
    document = created(path, 1)
    document.close()
    document.close()
    with pytest.raises(sqlite3.ProgrammingError):
        document.append(record(2))


def test_an_unknown_error_names_the_file():
    with (
        pytest.raises(FileProblem, match=r"x\.battlemat is damaged \(odd\)"),
        disk.sentences("x.battlemat"),
    ):
        raise sqlite3.DatabaseError("odd")


def test_a_name_with_odd_signs_can_be_used(tmp_path: Path):
    path = tmp_path / "100% mine? #1 & ü.battlemat"
    created(path, 1).close()
    with opened(path) as document:
        assert document.head == 1
