"""Older files open in newer programs; what a step cannot take over stays as it is."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine.model.refusal import FileProblem
from engine.model.value import FrozenMap
from engine.storage import backups, migrations, schema
from engine.storage.document import Document
from engine.storage.migrations import Migration
from tests.helpers.make_document import KINDS, PICTURE, SHA256, kept

Register = Callable[[Migration], Migration]


def open_kept(path: Path, *, read_only: bool = False) -> Document:
    return Document.open(path, lambda ruleset: KINDS, read_only=read_only)


@pytest.fixture(params=sorted(schema.SCHEMAS))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Give a copy of the kept file of each format."""
    return Path(shutil.copyfile(kept(request.param), tmp_path / "old.battlemat"))


def test_a_kept_file_opens_with_all_that_is_in_it(old: Path):
    with open_kept(old) as document:
        assert document.check() == ()
        assert (document.head, len(document.records())) == (22, 23)
        assert document.lineage(23) == (23, 3, 2, 1, 0)
        assert document.image(SHA256) == PICTURE
        assert document.snapshots() == (0, 22)


def test_a_kept_file_leads_to_the_state_that_it_led_to(old: Path):
    with open_kept(old) as document:
        state = document.encounter_at(document.head)
    ogre = state.tokens["o-1"]
    assert state.title == "Kept for ever"
    assert (ogre.cell, ogre.sheet.hp, ogre.vision.darkvision) == ((6, 5), 3, 6)
    assert state.board.walls["d-1"].is_open
    assert state.board.notes["n-1"].text == "Füße & “quotes”"
    assert state.fog.explored[0, -1][-1] == 7
    assert state.corrections == FrozenMap({"weapons/axe/damage": 9})
    assert state.prompt.choices[1].reason == "!"
    assert set(state.tokens) == {"o-1", "t-0"}


def test_there_is_a_step_from_every_format_to_the_next():
    steps = {(old, old + 1) for old in range(min(schema.SCHEMAS), schema.FORMAT)}
    assert set(migrations.MIGRATIONS) == steps
    assert max(schema.SCHEMAS) == schema.FORMAT


def test_a_step_is_registered_once_and_goes_one_format_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(migrations, "MIGRATIONS", {})
    migrations.migration(1, 2)(print)
    for old, new in ((1, 2), (2, 4), (3, 2)):
        with pytest.raises(ValueError, match="cannot be registered"):
            migrations.migration(old, new)(print)


# What a step does, shown with an invented format 2 that gives records a colour.

COLOURS = "CREATE TABLE colours (record INTEGER PRIMARY KEY, name TEXT NOT NULL)"


def add_colours(db: sqlite3.Connection) -> None:
    db.execute(COLOURS)
    db.execute("INSERT INTO colours SELECT id, 'red' FROM records")


def refuse(db: sqlite3.Connection) -> None:
    add_colours(db)
    raise FileProblem("old.battlemat holds a colour that no longer exists.")


def add_half(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE colours (record INTEGER PRIMARY KEY)")


@pytest.fixture
def first(tmp_path: Path) -> Path:
    return Path(shutil.copyfile(kept(1), tmp_path / "old.battlemat"))


@pytest.fixture
def future(monkeypatch: pytest.MonkeyPatch):
    """Make this a program of format 2; the test registers the step to it."""
    tables = {1: schema.SCHEMAS[1], 2: (*schema.SCHEMAS[1], COLOURS)}
    monkeypatch.setattr(schema, "SCHEMAS", tables)
    monkeypatch.setattr(schema, "FORMAT", 2)
    monkeypatch.setattr(migrations, "MIGRATIONS", {})
    return migrations.migration(1, 2)


def colours(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT count(*) FROM colours WHERE name = 'red'").fetchone()[0]


def test_an_older_file_is_migrated_where_it_lies(first: Path, future: Register):
    future(add_colours)
    with open_kept(first) as document:
        assert not document.read_only
        assert document.check() == ()
    assert colours(first) == 23
    with open_kept(first) as document:
        assert document.head == 22


def test_an_older_file_is_backed_up_before(first: Path, future: Register):
    content = first.read_bytes()
    future(add_colours)
    open_kept(first).close()
    (backup,) = backups.of(first)
    with closing(sqlite3.connect(backup.path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
    backups.restore(backup.path, first)
    assert sqlite_dump(first) == sqlite_dump(kept(1))
    assert content == kept(1).read_bytes()


def sqlite_dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return list(db.iterdump())


def test_an_older_file_that_is_only_looked_at_is_left_as_it_is(first: Path, future: Register):
    future(add_colours)
    with open_kept(first, read_only=True) as document:
        assert document.head == 22
        assert document.image(SHA256) == PICTURE
    assert first.read_bytes() == kept(1).read_bytes()
    assert [each.name for each in first.parent.iterdir()] == [first.name]


@pytest.mark.parametrize(
    ("step", "reason"), [(refuse, "no longer exists"), (add_half, "another program")]
)
def test_a_step_that_fails_leaves_the_file_as_it_is(
    first: Path, future: Register, step: Migration, reason: str
):
    future(step)
    with pytest.raises(FileProblem, match=reason):
        open_kept(first)
    assert sqlite_dump(first) == sqlite_dump(kept(1))
    assert first.read_bytes() == kept(1).read_bytes()
