"""One process writes; others look; who is gone does not count."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.model.refusal import FileProblem
from engine.storage import disk, lock, opening
from engine.storage.document import Document
from engine.storage.lock import WriteLock
from tests.helpers.documents import NO_KINDS, created, encounter, opened, record

HOLD = """
import sys
from pathlib import Path
from tests.helpers.documents import opened
document = opened(Path(sys.argv[1]))
print("read-only" if document.read_only else "writer", flush=True)
sys.stdin.read()
"""


@contextmanager
def another_process(path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Open the file in a second process; give it and what it is."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "keep.battlemat"
    created(path, 2).close()
    return path


def test_a_second_process_can_look_but_not_write(path: Path):
    with another_process(path) as (_, role):
        assert role == "writer"
        with opened(path) as document:
            assert document.read_only
            assert document.encounter_at(2).tokens["t-0"].cell.x == 2
            for change in (
                lambda: document.append(record(3)),
                lambda: document.move_head(1),
            ):
                with pytest.raises(FileProblem, match=r"keep\.battlemat is open elsewhere"):
                    change()
            assert not document.put_snapshot(2, encounter())
            assert document.head == 2


def test_a_second_process_looks_while_this_one_writes(path: Path):
    with opened(path) as document, another_process(path) as (_, role):
        assert role == "read-only"
        document.append(record(3))
        assert document.head == 3


def test_a_killed_writer_is_no_obstacle(path: Path):
    with another_process(path) as (process, _):
        process.kill()
        process.wait()
        assert path.with_name(path.name + ".lock").exists()
        with opened(path) as document:
            assert not document.read_only


def test_a_second_document_in_this_process_can_only_look(path: Path):
    with opened(path) as writer:
        with opened(path) as reader:
            assert reader.read_only
        writer.append(record(3))
    with opened(path) as document:
        assert not document.read_only


def test_a_reader_sees_the_file_as_it_was_opened(path: Path):
    with opened(path) as writer, opened(path) as reader:
        writer.append(record(3))
        writer.move_head(1)
        assert (reader.head, reader.next_id()) == (2, 3)


def test_a_reader_sees_one_moment_while_the_writer_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(disk, "BUSY_SECONDS", 0.05)
    read_head = opening.read_head
    with opened(path) as writer:

        def write_first(*arguments: object) -> int:
            with pytest.raises(FileProblem, match="Another program is using"):
                writer.append(record(3))
            return read_head(*arguments)

        monkeypatch.setattr(opening, "read_head", write_first)
        with opened(path) as reader:
            assert (reader.head, len(reader.records())) == (2, 2)
            writer.append(record(3))


def test_opening_twice_here_does_not_drop_the_locks_of_sqlite(path: Path):
    intrude = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], timeout=0);"
        "db.execute('BEGIN IMMEDIATE')"
    )
    with opened(path) as writer, writer._transaction():
        opened(path, read_only=True).close()
        command = [sys.executable, "-c", intrude, str(path)]
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "database is locked" in outcome.stderr


def test_looking_does_not_keep_others_from_writing(path: Path):
    with opened(path, read_only=True) as reader, opened(path) as writer:
        assert (reader.read_only, writer.read_only) == (True, False)
        writer.append(record(3))


def test_a_file_that_is_being_created_cannot_be_created_twice(tmp_path: Path):
    path = tmp_path / "new.battlemat"
    held = WriteLock(path)
    with pytest.raises(FileProblem, match="is open elsewhere"):
        Document.create(path, encounter(), NO_KINDS)
    held.release()
    Document.create(path, encounter(), NO_KINDS).close()


def test_the_writer_is_the_same_by_whatever_name(path: Path, tmp_path: Path):
    link = tmp_path / "link.battlemat"
    link.symlink_to(path)
    with opened(path), opened(link) as document:
        assert document.read_only
        assert document.path == path


def test_a_lock_can_be_taken_again_after_release(path: Path):
    first = WriteLock(path)
    second = WriteLock(path)
    assert (first.held, second.held) == (True, False)
    first.release()
    first.release()
    third = WriteLock(path)
    assert third.held
    third.release()


def test_a_side_file_that_was_swapped_meanwhile_does_not_count(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Between opening and locking, the writer before may take the file away."""
    take, swapped = lock._lock, []

    def swap_first(handle: int) -> None:
        if not swapped:
            swapped.append(handle)
            path.with_name(path.name + ".lock").unlink()
        take(handle)

    monkeypatch.setattr(lock, "_lock", swap_first)
    held = WriteLock(path)
    assert held.held
    assert path.with_name(path.name + ".lock").exists()
    held.release()


def test_a_file_that_only_looks_like_our_lock_stays(tmp_path: Path):
    yarn = tmp_path / "yarn.lock"
    yarn.write_text("precious")
    created(tmp_path / "yarn", 1).close()
    assert yarn.read_text() == "precious"


def fail_with(code: int) -> Callable[..., int]:
    def fail(*_: object) -> int:
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (errno.EACCES, "write-protected folder"),
        (errno.EROFS, "write-protected folder"),
        (errno.ENOLCK, "cannot be locked"),
    ],
)
def test_where_no_lock_can_be_had_the_file_is_only_looked_at(
    path: Path, monkeypatch: pytest.MonkeyPatch, code: int, reason: str
):
    monkeypatch.setattr(lock, "_lock", fail_with(code))
    with opened(path) as document:
        assert document.read_only
        assert reason in document.obstacle


def test_a_write_protected_file_is_only_looked_at(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with opened(path) as document:
        assert document.obstacle == "is write-protected"
