"""The audit finds what opening does not look at."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.storage import codec
from tests.helpers.documents import created, moved, opened, record, summoned

PICTURE = bytes(range(256)) * 40
INDEX_AND_TABLE = ("images", "sqlite_autoindex_images_1")
SHA256 = hashlib.sha256(PICTURE).hexdigest()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make a document with two branches, a picture and two snapshots."""
    path = tmp_path / "keep.battlemat"
    with created(path, 6) as document:
        document.append(summoned(7), {SHA256: PICTURE})
        document.put_snapshot(4, document.encounter_at(4))
        document.move_head(2)
        document.append(record(8, parent=2))
        document.append(record(9, parent=8))
        document.put_snapshot(9, document.encounter_at(9))
    return path


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(statement, values)


def findings(path: Path) -> tuple[str, ...]:
    with opened(path) as document:
        return document.check()


def test_a_good_document_has_no_findings(path: Path):
    assert findings(path) == ()


def test_a_picture_that_changed_is_found(path: Path):
    change(path, "UPDATE images SET content = zeroblob(9)")
    assert [text for text in findings(path) if "picture" in text]


def test_a_record_that_cannot_be_read_is_found_once(path: Path):
    change(path, "UPDATE records SET body = x'00' WHERE id = 2")
    (text,) = findings(path)
    assert "step 2 cannot be read" in text


def test_a_record_that_does_not_fit_is_found_on_its_branch(path: Path):
    lost = record(5, events=(moved(1, "nobody"),))
    change(path, "UPDATE records SET body = ? WHERE id = 5", codec.pack(codec.encode(lost)))
    (text,) = findings(path)
    assert "step 5 does not fit" in text


@pytest.mark.parametrize("column", ["body", "log"])
def test_a_snapshot_of_another_state_is_found(path: Path, column: str):
    change(
        path,
        f"UPDATE snapshots SET {column} = (SELECT {column} FROM snapshots WHERE record = 9) "
        "WHERE record = 4",
    )
    (text,) = findings(path)
    assert "the snapshot of step 4" in text


def test_pages_that_nobody_reads_are_looked_at_too(path: Path):
    change(path, "CREATE TABLE waste AS SELECT zeroblob(9000) AS x")
    change(path, "DROP TABLE waste")
    whole = bytearray(path.read_bytes())
    trunk = int.from_bytes(whole[32:36], "big")
    assert trunk
    whole[(trunk - 1) * 4096 : (trunk - 1) * 4096 + 8] = b"\xff" * 8
    path.write_bytes(whole)
    assert any("is damaged" in text for text in findings(path))


def test_broken_pages_of_pictures_are_found(path: Path):
    with closing(sqlite3.connect(path)) as db:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        pages = [db.execute(query, (name,)).fetchone()[0] for name in INDEX_AND_TABLE]
    whole = bytearray(path.read_bytes())
    for page in pages:
        whole[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
    path.write_bytes(whole)
    assert any("is damaged" in text for text in findings(path))


def test_a_file_that_is_gone_while_it_is_open_is_found(path: Path):
    with opened(path) as document:
        path.write_bytes(b"overwritten by another program" * 1000)
        assert any("not a Battlemat encounter" in text for text in document.check())
