"""Files that are not ours, not whole or not honest: one sentence, and not a byte changes."""

import hashlib
import os
import shutil
import sqlite3
import struct
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from engine.model.refusal import FileProblem
from engine.storage import codec, opening
from engine.storage.document import Document
from tests.helpers.documents import NO_KINDS, created, encounter, opened, record

Damage = Callable[[Path], None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "keep.battlemat"
    with created(path, 40) as document:
        document.put_snapshot(20, document.encounter_at(20))
    return path


def sql(*statements: str) -> Damage:
    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            for statement in statements:
                db.execute(statement)

    return damage


def content(data: bytes) -> Damage:
    return lambda path: path.write_bytes(data) and None


def poke(offset: int, data: bytes) -> Damage:
    def damage(path: Path) -> None:
        whole = bytearray(path.read_bytes())
        whole[offset : offset + len(data)] = data
        path.write_bytes(whole)

    return damage


def cut(size: int) -> Damage:
    return lambda path: path.write_bytes(path.read_bytes()[:size]) and None


def body(table: str, column: str, change: Callable[[bytes], bytes]) -> Damage:
    """Change the JSON of the first row of a table."""

    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            (blob,) = db.execute(f"SELECT {column} FROM {table} ORDER BY 1 LIMIT 1").fetchone()
            changed = codec.pack(change(codec.unpack(blob)))
            db.execute(
                f"UPDATE {table} SET {column} = ? WHERE rowid = (SELECT min(rowid) FROM {table})",
                (changed,),
            )

    return damage


def other_database(path: Path) -> None:
    path.unlink()
    sql("CREATE TABLE moz_places (id INTEGER)")(path)


def scribble(path: Path) -> None:
    """Overwrite the page of records in the middle, as a broken disk does."""
    with closing(sqlite3.connect(path)) as db:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'records'"
        (page,) = db.execute(query).fetchone()
    poke((page - 1) * 4096, b"\xa5" * 4096)(path)


def redefine(table: str, new: str) -> Damage:
    return sql(
        "PRAGMA writable_schema = ON",
        f"UPDATE sqlite_master SET sql = '{new}' WHERE name = '{table}'",
    )


UNUSABLE: dict[str, tuple[Damage, str]] = {
    "empty": (content(b""), "is empty"),
    "a picture": (content(b"\x89PNG\r\n\x1a\n" + bytes(200)), "not a Battlemat encounter"),
    "a web page": (content(b"<!DOCTYPE html><html></html>" * 9), "not a Battlemat encounter"),
    "a Git LFS pointer": (
        content(b"version https://git-lfs.github.com/spec/v1\n"),
        "not a Battlemat encounter",
    ),
    "another database": (other_database, "not a Battlemat encounter"),
    "the magic alone": (cut(16), "cut short"),
    "half the magic": (cut(8), "cut short"),
    "one page": (cut(4096), "cut short|is damaged"),
    "half": (cut(9000), "cut short|is damaged"),
    "newer": (sql("PRAGMA user_version = 2"), "newer Battlemat"),
    "much newer": (sql("PRAGMA user_version = 2000000000"), "newer Battlemat"),
    "of no version": (sql("PRAGMA user_version = 0"), "another program"),
    "in WAL mode": (sql("PRAGMA journal_mode = WAL"), "another program"),
    "half in WAL mode": (poke(18, b"\x02\x01"), "another program"),
    "of another page size": (poke(16, struct.pack(">H", 1024)), "another program"),
    "in UTF-16": (poke(56, struct.pack(">I", 2)), "another program"),
    "with a table more": (sql("CREATE TABLE more (x)"), "another program"),
    "with a table less": (sql("DROP TABLE images"), "another program"),
    "with an index": (sql("CREATE INDEX i ON records (label)"), "another program"),
    "with a view": (sql("CREATE VIEW v AS SELECT 1"), "another program"),
    "with a table turned view": (
        sql("DROP TABLE records", "CREATE VIEW records AS SELECT 1 AS id"),
        "another program",
    ),
    "with a trigger": (
        sql("CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records; END"),
        "another program",
    ),
    "with a virtual table": (sql("CREATE VIRTUAL TABLE f USING fts5(x)"), "another program"),
    "with other columns": (sql("ALTER TABLE records ADD COLUMN x"), "another program"),
    "with a hidden default": (
        redefine("meta", "CREATE TABLE meta (id INTEGER PRIMARY KEY, ruleset, head)"),
        "another program",
    ),
    "with statistics": (sql("ANALYZE"), "another program"),
    "with nonsense for a schema": (redefine("images", "CREATE TABLE nonsense ("), "damaged"),
    "with a broken page": (scribble, "damaged"),
    "without its meta row": (sql("DELETE FROM meta"), "damaged"),
    "with a head that is gone": (sql("UPDATE meta SET head = 99"), "current step"),
    "with a text for a head": (sql("UPDATE meta SET head = 'x'"), "current step"),
    "with a path for a ruleset": (sql("UPDATE meta SET ruleset = '../evil'"), "no ruleset"),
    "with a blob for a ruleset": (sql("UPDATE meta SET ruleset = x'00'"), "no ruleset"),
    "with another ruleset": (sql("UPDATE meta SET ruleset = 'other'"), "two rulesets"),
    "with a missing step": (sql("DELETE FROM records WHERE id = 7"), "step 8 hangs nowhere"),
    "with a circle": (sql("UPDATE records SET parent = 9 WHERE id = 3"), "step 3 hangs"),
    "with a step below the root": (sql("UPDATE records SET id = -1 WHERE id = 40"), "step -1"),
    "with a lost gesture": (sql("UPDATE records SET gesture = 77 WHERE id = 5"), "step 5 hangs"),
    "with a blob for a label": (sql("UPDATE records SET label = x'ff'"), "has no place"),
    "with a broken text": (sql("UPDATE records SET label = CAST(x'ff' AS TEXT)"), "damaged"),
    "without its beginning": (sql("DELETE FROM snapshots WHERE record = 0"), "first encounter"),
    "with a beginning that is none": (
        body("snapshots", "body", lambda data: b"[]"),
        "first encounter",
    ),
    "with an endless number": (
        body("snapshots", "body", lambda data: data.replace(b"0.0", b"1e999")),
        "first encounter",
    ),
    "with a bomb": (
        sql(f"UPDATE snapshots SET body = x'{zlib.compress(bytes(2**26), 9).hex()}'"),
        "too large",
    ),
}


def fingerprint(folder: Path) -> dict[str, str]:
    return {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in folder.iterdir()}


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("case", UNUSABLE)
def test_a_file_is_refused_and_left_as_it_is(path: Path, case: str, read_only: bool):
    damage, reason = UNUSABLE[case]
    damage(path)
    before = fingerprint(path.parent)
    with pytest.raises(FileProblem, match=reason) as refusal:
        opened(path, read_only=read_only)
    sentence = str(refusal.value)
    assert path.name in sentence
    assert "\n" not in sentence
    assert fingerprint(path.parent) == before


def test_what_was_not_damaged_opens(path: Path):
    with opened(path) as document:
        assert document.head == 40


@pytest.mark.parametrize("table", ["meta", "records", "snapshots", "images"])
def test_a_flipped_byte_is_refused_or_does_no_harm(path: Path, table: str):
    """All else than a FileProblem would end this test: those bytes tell SQLite where to read."""
    with closing(sqlite3.connect(path)) as db:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = db.execute(query, (table,)).fetchone()
    whole = path.read_bytes()
    for offset in [*range(0, 100, 3), *range((page - 1) * 4096, (page - 1) * 4096 + 40)]:
        path.write_bytes(whole)
        poke(offset, bytes([whole[offset] ^ 0x55]))(path)
        with suppress(FileProblem), opened(path) as document:
            document.encounter_at(document.head)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(FileProblem, match=r"There is no lost\.battlemat"):
        opened(tmp_path / "lost.battlemat")


def test_a_folder_is_no_encounter(tmp_path: Path):
    with pytest.raises(FileProblem, match="is a folder"):
        opened(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.battlemat")
    with pytest.raises(FileProblem, match="no ordinary file"):
        opened(tmp_path / "pipe.battlemat")


def test_more_steps_than_a_file_may_hold_are_neither_read_nor_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(opening, "MAX_RECORDS", 40)
    with opened(path) as document, pytest.raises(FileProblem, match="is full"):
        document.append(record(41))
    monkeypatch.setattr(opening, "MAX_RECORDS", 39)
    with pytest.raises(FileProblem, match="more than 39 steps"):
        opened(path)


def test_nothing_is_created_in_a_folder_that_is_missing(tmp_path: Path):
    with pytest.raises(FileProblem, match="There is no nowhere"):
        Document.create(tmp_path / "nowhere" / "keep.battlemat", encounter(), NO_KINDS)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data.replace(b'"token_moved"', b'"launch_missiles"'), "launch_missiles"),
        (lambda data: data.replace(b'"id":1', b'"id":2'), "wrong place"),
        (lambda data: data.replace(b'"group":1', b'"group":' + b"9" * 40), "digits"),
        (lambda data: data[:-1], "not valid"),
    ],
)
def test_a_bad_record_is_told_when_it_is_read(
    path: Path, change: Callable[[bytes], bytes], reason: str
):
    body("records", "body", change)(path)
    with opened(path) as document:
        with pytest.raises(FileProblem, match=reason) as refusal:
            document.record(1)
        assert "step 1 cannot be read" in str(refusal.value)
        assert document.record(2) == record(2)


def test_a_bad_snapshot_is_only_a_lost_short_cut(path: Path):
    sql("UPDATE snapshots SET body = x'00' WHERE record = 20")(path)
    with opened(path) as document:
        expected = document.encounter_at(40)
        assert document.snapshot(20) is None
        document.put_snapshot(20, document.encounter_at(20))
    with opened(path) as document:
        assert document.snapshot(20) is not None
        assert document.encounter_at(40) == expected


@pytest.mark.parametrize("base", [20, 21, "'x'"])
def test_a_snapshot_whose_log_goes_in_circles_counts_as_absent(path: Path, base: object):
    sql(f"UPDATE snapshots SET base = {base} WHERE record = 20")(path)
    with opened(path) as document:
        assert document.snapshot(20) is None


def hot_journal(path: Path) -> bytes:
    """Return a valid journal of a copy of `path`, as a crash in mid-commit leaves it."""
    copy = path.with_name("other")
    shutil.copyfile(path, copy)
    journal = copy.with_name("other-journal")
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size = 1")  # so that pages reach the file before the commit
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE records SET label = hex(randomblob(500))")
        kept = (journal.read_bytes(), copy.read_bytes())
        db.execute("ROLLBACK")
    copy.unlink()
    journal.unlink(missing_ok=True)
    path.write_bytes(kept[1])
    return kept[0]


def test_a_transaction_that_was_cut_off_is_taken_back(path: Path):
    whole = path.read_bytes()
    journal = hot_journal(path)
    assert path.read_bytes() != whole
    path.with_name(path.name + "-journal").write_bytes(journal)
    with opened(path) as document:
        assert document.records()[3].label == "Move 4"
    assert fingerprint(path.parent) == {path.name: hashlib.sha256(whole).hexdigest()}


def test_a_transaction_that_was_cut_off_is_taken_back_for_a_reader_too(path: Path):
    path.with_name(path.name + "-journal").write_bytes(hot_journal(path))
    with opened(path, read_only=True) as document:
        assert document.records()[3].label == "Move 4"
        assert document.read_only


def test_the_journal_of_another_file_is_not_played_back(path: Path):
    journal = bytearray(hot_journal(path))
    whole = path.read_bytes()
    path.with_name(path.name + "-journal").write_bytes(journal)
    cut(4096 * 3)(path)
    before = fingerprint(path.parent)
    with pytest.raises(FileProblem, match="does not repair"):
        opened(path)
    assert fingerprint(path.parent) == before
    path.write_bytes(whole)
    with opened(path) as document:
        assert document.head == 40


def test_a_journal_that_names_a_further_file_is_refused(path: Path, tmp_path: Path):
    victim = tmp_path / "precious.txt"
    victim.write_text("precious")
    name = str(victim).encode()
    checksum = sum(name) & 0xFFFFFFFF
    tail = struct.pack(">I", 1) + name + struct.pack(">II", len(name), checksum)
    tail += bytes.fromhex("d9d505f920a163d7")
    path.with_name(path.name + "-journal").write_bytes(hot_journal(path) + tail)
    with pytest.raises(FileProblem, match="not made by Battlemat"):
        opened(path)
    assert victim.read_text() == "precious"


def test_the_journal_of_a_deleted_file_does_not_spoil_a_new_one(path: Path):
    journal = hot_journal(path)
    path.unlink()
    path.with_name(path.name + "-journal").write_bytes(journal)
    with created(path, 2) as document:
        assert document.encounter_at(0) == encounter()
    with opened(path) as document:
        assert len(document.records()) == 2
