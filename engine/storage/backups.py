"""Rolling dated copies of a document, in a folder beside it.

They guard against a damaged or lost file; what was done in an encounter is undone by its history.
A copy is whole or not there, and nothing but a restore ever writes to the document.
"""

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from engine.model.refusal import FileProblem
from engine.storage.disk import (
    connect,
    copy_in_slices,
    journal_of,
    put_in_place,
    sentences,
    sync,
    sync_folder,
)
from engine.storage.lock import WriteLock
from engine.storage.sniff import sniff
from engine.storage.unfinished import unfinished_file

KEEP = 10
"""How many backups are kept if nobody says otherwise."""

_STAMP = "%Y-%m-%dT%H-%M-%S-%fZ"
_SUFFIX = ".battlemat"


Filler = Callable[[sqlite3.Connection, Callable[[], None]], None]
"""Fills an empty database with all that a document holds, and calls a function between slices."""


class Backup(NamedTuple):
    """A copy of a document: where it lies, when it was made (UTC), its size in bytes."""

    path: Path
    at: datetime
    size: int


def folder_of(path: Path) -> Path:
    """Return the folder that holds the backups of a document."""
    return path.with_name(path.name + ".backups")


def of(path: Path) -> list[Backup]:
    """Return the backups of a document, newest first; the document need not exist any more."""
    found = []
    for each in folder_of(path).glob(f"*{_SUFFIX}"):
        with contextlib.suppress(ValueError):
            at = datetime.strptime(each.stem, _STAMP).replace(tzinfo=UTC)
            found.append(Backup(each, at, each.stat().st_size))
    return sorted(found, key=lambda backup: backup.at, reverse=True)


def make(path: Path, keep: int = KEEP, copy: Filler | None = None) -> Path:
    """Copy a document, open or not, and drop all but the newest `keep` backups.

    `copy` fills an empty database; without it the file is read through a connection of its own.
    Returns the new copy, or the newest one if it already holds the same. Raises OSError and
    sqlite3.DatabaseError, which `disk.sentences` puts into words.
    """
    if keep < 1:
        raise ValueError("at least one backup must be kept")
    before = of(path)
    with contextlib.closing(connect(path, read_only=True)) as source:
        if before and _contents(before[0].path) == _fingerprint(source):
            return before[0].path
    made = _copy(path, copy or partial(_read_from, path))
    for old in before[keep - 1 :]:
        old.path.unlink(missing_ok=True)
    return made


def restore(backup: Path, path: Path) -> None:
    """Put a backup in the place of its document, which must not be open anywhere.

    What was there, however damaged, is kept in the backup folder as `replaced-...`, outside the
    rolling ones. Raises FileProblem.
    """
    with sentences(path.name), contextlib.ExitStack() as resources:
        sniff(backup)
        lock = WriteLock(path)
        resources.callback(lock.release)
        if not lock.held:
            raise FileProblem(f"{path.name} {lock.obstacle}; it cannot be replaced.")
        folder_of(path).mkdir(exist_ok=True)
        fresh = resources.enter_context(unfinished_file(folder_of(path)))
        shutil.copyfile(backup, fresh)
        if path.exists():
            _set_aside(path)
        # Before the new file comes: SQLite would play the old one's journal back into it.
        journal_of(path).unlink(missing_ok=True)
        put_in_place(fresh, path)


def _copy(path: Path, copy: Filler) -> Path:
    folder = folder_of(path)
    folder.mkdir(exist_ok=True)
    made = folder / f"{_now()}{_SUFFIX}"
    with unfinished_file(folder) as unfinished:
        with (
            unfinished.open("rb+") as file,
            contextlib.closing(connect(unfinished, read_only=False)) as target,
        ):
            target.execute("PRAGMA journal_mode = MEMORY")
            # Not SQLite, which would have the disk write it all at once, and commands wait for it.
            target.execute("PRAGMA synchronous = OFF")
            copy(target, partial(sync, file.fileno()))
        put_in_place(unfinished, made)
    return made


def _read_from(path: Path, target: sqlite3.Connection, between: Callable[[], None]) -> None:
    with contextlib.closing(connect(path, read_only=True)) as source:
        copy_in_slices(source, target, between)


def _set_aside(path: Path) -> None:
    kept = folder_of(path) / f"replaced-{_now()}{_SUFFIX}"
    shutil.copyfile(path, kept)
    if journal_of(path).exists():
        shutil.copyfile(journal_of(path), journal_of(kept))
    sync_folder(kept.parent)


def _contents(backup: Path) -> tuple[object, ...] | None:
    """Return the fingerprint of a backup, None if it cannot be read."""
    with contextlib.suppress(FileProblem, OSError, sqlite3.DatabaseError):
        sniff(backup)
        with contextlib.closing(connect(backup, read_only=True)) as db:
            return _fingerprint(db)
    return None


def _fingerprint(db: sqlite3.Connection) -> tuple[object, ...]:
    """Return what changes with every append and every move of the head."""
    version = db.execute("PRAGMA user_version").fetchone()
    head = db.execute("SELECT head FROM meta").fetchone()
    last = db.execute("SELECT id, at, body FROM records ORDER BY id DESC LIMIT 1").fetchone()
    return version, head, last


def _now() -> str:
    return datetime.now(UTC).strftime(_STAMP)
