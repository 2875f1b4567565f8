"""How a file becomes a document, step by step: look, lock, connect, check, read the tree.

Everything that a stranger may have put into a file is refused here, before it is used, in one
sentence and without a byte being written. `document` calls the steps in their order.
"""

import contextlib
import os
import re
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from engine.events.event import Record
from engine.model.encounter import Encounter
from engine.model.refusal import FileProblem
from engine.model.value import Kinds
from engine.storage import backups, codec, migrations, schema, snapshots, sniff
from engine.storage.disk import connect, in_memory, journal_of, sentences
from engine.storage.images import put_images, require_genuine
from engine.storage.lock import WriteLock
from engine.storage.snapshots import ROOT

MAX_RECORDS = 1_000_000
"""The most records of a document; a long fight has a thousand."""

_RULESET = re.compile(r"[a-z][a-z0-9_]{0,39}")
_open_here: Counter[tuple[int, int]] = Counter()
"""The files that this process has open: closing a plain handle on one would drop SQLite's locks
(POSIX), so they are not sniffed a second time."""


class RecordSummary(NamedTuple):
    """What the history list shows of a record: all but what was asked and what happened."""

    id: int
    parent: int
    group: int
    label: str
    at: str


def summarise(record: Record) -> RecordSummary:
    """Return what the list of records keeps of one."""
    return RecordSummary(record.id, record.parent, record.group, record.label, record.at)


def write_new(path: Path, encounter: Encounter, kinds: Kinds, images: Mapping[str, bytes]) -> None:
    """Fill an empty file that nobody else knows yet."""
    require_genuine(images)
    if not _RULESET.fullmatch(encounter.ruleset):
        raise ValueError(f"{encounter.ruleset!r} is no id of a ruleset")
    try:
        data = codec.encode(encounter)
        if codec.decode_encounter(data, kinds) != encounter:
            raise ValueError("the encounter changes when it is stored")
    except FileProblem as problem:
        raise FileProblem(f"The encounter cannot be stored: {problem}.") from problem
    with contextlib.closing(connect(path, read_only=False)) as db:
        db.execute("PRAGMA journal_mode = MEMORY")
        schema.lay_out(db)
        db.execute("BEGIN")
        db.execute("INSERT INTO meta VALUES (1, ?, ?)", (encounter.ruleset, ROOT))
        put_images(db, images)
        snapshots.insert(db, ROOT, encounter)
        db.execute("COMMIT")


def prepare(path: Path, resources: contextlib.ExitStack, *, read_only: bool) -> str:
    """Look at a file before SQLite does and take the lock; return why it cannot be written.

    What was cut off by a crash is taken back here, also for somebody who only wants to look.
    """
    header = None if _identity(path) in _open_here else sniff.sniff(path)
    wanted = "was opened to be looked at" if read_only else ""
    if read_only and not sniff.has_unfinished(path):
        return wanted
    lock = WriteLock(path)
    resources.callback(lock.release)
    if not lock.held:
        return wanted or lock.obstacle
    if not os.access(path, os.W_OK):
        return wanted or "is write-protected"
    if sniff.has_unfinished(path):
        _take_back(path)
    elif header is not None:
        sniff.require_whole(path, header)
    if read_only:
        lock.release()
    return wanted


def _take_back(path: Path) -> None:
    """Let SQLite undo the transaction that was cut off, first on a copy.

    A journal that belongs to another file would ruin this one; then both stay as they are.
    """
    sniff.require_own_journal(path)
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / path.name
        shutil.copyfile(path, trial)
        shutil.copyfile(journal_of(path), journal_of(trial))
        try:
            with sentences(path.name), contextlib.closing(connect(trial, read_only=False)) as db:
                _require_sound(db, path.name)
        except FileProblem as problem:
            raise FileProblem(
                f"{path.name} was cut off while it was written, and its journal does not repair "
                "it; both were left as they are."
            ) from problem
    with contextlib.closing(connect(path, read_only=False)) as db:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()


def attach(path: Path, resources: contextlib.ExitStack, *, read_only: bool) -> sqlite3.Connection:
    """Open the database and note it as open in this process."""
    identity = _identity(path)
    db = connect(path, read_only=read_only)
    _open_here[identity] += 1

    def detach() -> None:
        if not read_only:
            # Takes the empty journal away; whether that works is of no importance.
            with contextlib.suppress(sqlite3.DatabaseError):
                db.execute("PRAGMA journal_mode = DELETE")
        db.close()
        _open_here[identity] -= 1
        if not _open_here[identity]:
            del _open_here[identity]

    resources.callback(detach)
    return db


def require_ours(
    db: sqlite3.Connection, path: Path, resources: contextlib.ExitStack, *, read_only: bool
) -> sqlite3.Connection:
    """Refuse what is not ours or damaged; return a database of the present format.

    An older one is migrated, after a backup; one that cannot be written, in memory.
    """
    version = _require_sound(db, path.name)
    if version == schema.FORMAT:
        return db
    if read_only:
        db = in_memory(db)
        resources.callback(db.close)
    else:
        backups.make(path)
    migrations.migrate(db, version, path.name)
    return db


def _require_sound(db: sqlite3.Connection, name: str) -> int:
    """Refuse foreign tables and broken ones; return the format version."""
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    schema.require(db, version, name)
    for table in ("meta", "records", "snapshots"):  # pictures are checked when they are read
        if db.execute(f"PRAGMA quick_check('{table}')").fetchone() != ("ok",):
            raise FileProblem(f"{name} is damaged.")
    return version


def read_ruleset(db: sqlite3.Connection, name: str) -> str:
    """Return the id of the ruleset, which is safe to look for by name."""
    (ruleset,) = db.execute("SELECT ruleset FROM meta").fetchone() or (None,)
    if not isinstance(ruleset, str) or not _RULESET.fullmatch(ruleset):
        raise FileProblem(f"{name} is damaged: it names no ruleset.")
    return ruleset


def read_tree(db: sqlite3.Connection, name: str) -> dict[int, RecordSummary]:
    """Return the records by id, having made sure that each hangs on an earlier one."""
    tree: dict[int, RecordSummary] = {}
    for row in db.execute("SELECT id, parent, gesture, label, at FROM records ORDER BY id"):
        if [type(value) for value in row] != [int, int, int, str, str]:
            raise FileProblem(f"{name} is damaged: a step has no place.")
        summary = RecordSummary(*row)
        hangs = summary.parent == ROOT or summary.parent in tree
        grouped = summary.group == summary.id or summary.group in tree
        if summary.id <= ROOT or not hangs or not grouped:
            raise FileProblem(f"{name} is damaged: step {summary.id} hangs nowhere.")
        if len(tree) == MAX_RECORDS:
            raise FileProblem(f"{name} holds more than {MAX_RECORDS} steps.")
        tree[summary.id] = summary
    return tree


def read_head(db: sqlite3.Connection, tree: Mapping[int, RecordSummary], name: str) -> int:
    """Return the id of the current record."""
    (head,) = db.execute("SELECT head FROM meta").fetchone()
    if not isinstance(head, int) or (head != ROOT and head not in tree):
        raise FileProblem(f"{name} is damaged: the current step is missing.")
    return head


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino
