"""The document: one encounter and its whole history in one SQLite file.

Every `append` and every move of the head is one durable transaction, so the file is whole at each
moment, also when it is copied while open. There is nothing to save. What the records mean is the
session's affair; here they are kept, in a tree, and never changed.
"""

import contextlib
import os
import re
import sqlite3
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from engine.events.event import Record
from engine.model.encounter import Encounter
from engine.model.refusal import FileProblem
from engine.model.value import FrozenMap, Kinds
from engine.storage import backups, codec, images, migrations, schema, sniff
from engine.storage.disk import connect, journal_of, put_in_place, sentences
from engine.storage.lock import WriteLock

SUFFIX = ".battlemat"
ROOT = 0
"""The id that stands for the encounter as it was created."""

NO_IMAGES: Mapping[str, bytes] = FrozenMap()

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


class Document:
    """One open file. Use it in the thread that opened it, and as a context manager.

    Whoever cannot become the one writer (the file is open elsewhere or write-protected) sees the
    file as it was when it was opened, with `read_only` on.

    Every method raises FileProblem, one sentence, when the disk or the contents fail; then the
    file, the head and the records are as before. ValueError is a wrong call.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, kinds: Kinds, *, obstacle: str) -> None:
        self.path = path
        self.kinds = kinds
        self.obstacle = obstacle
        self._db = db
        self._resources = contextlib.ExitStack()
        self._summaries = _read_tree(db, path.name)
        self._head = _read_head(db, self._summaries, path.name)
        self._snapshots = {int(row[0]) for row in db.execute("SELECT record FROM snapshots")}

    # Construction

    @classmethod
    def create(cls, path: Path, encounter: Encounter, kinds: Kinds) -> "Document":
        """Write a new file that begins with this encounter, and open it.

        `kinds` are the ruleset's own. Raises FileProblem if there is a file of this name.
        """
        kinds = codec.all_kinds(kinds)
        with sentences(path.name), contextlib.ExitStack() as resources:
            path = path.parent.resolve(strict=True) / path.name
            lock = WriteLock(path)
            resources.callback(lock.release)
            if os.path.lexists(path):
                raise FileProblem(f"There is already a file {path.name}.")
            if not lock.held:
                raise FileProblem(f"{path.name} cannot be created: it {lock.obstacle}.")
            with _unfinished_file(path) as temporary:
                _write_new(temporary, encounter, kinds)
                # The journal of a file that was deleted would be played back into the new one.
                journal_of(path).unlink(missing_ok=True)
                put_in_place(temporary, path)
            db = _attach(path, resources, read_only=False)
            document = cls(path, db, kinds, obstacle="")
            document._resources = resources.pop_all()
            return document

    @classmethod
    def open(
        cls, path: Path, load_kinds: Callable[[str], Kinds], *, read_only: bool = False
    ) -> "Document":
        """Open a file; a transaction that was cut off is taken back.

        `load_kinds` gets the id of the file's ruleset and returns the ruleset's own types, or
        raises FileProblem or LookupError for one that is not known. With `read_only` on, the
        right to write is left to others.
        """
        with sentences(path.name), contextlib.ExitStack() as resources:
            path = path.resolve(strict=True)
            obstacle = _prepare(path, resources, read_only=read_only)
            db = _attach(path, resources, read_only=bool(obstacle))
            db = _require_ours(db, path, resources, read_only=bool(obstacle))
            kinds = _load_kinds(db, path.name, load_kinds)
            document = cls(path, db, kinds, obstacle=obstacle)
            document.root()
            document._resources = resources.pop_all()
            return document

    # Properties

    @property
    def read_only(self) -> bool:
        """Tell whether nothing can be written; `obstacle` says why ("is open elsewhere")."""
        return bool(self.obstacle)

    @property
    def head(self) -> int:
        """Return the id of the record that is current; 0 is the encounter as created."""
        return self._head

    # Reading

    def root(self) -> Encounter:
        """Return the encounter as it was created."""
        with self._reading("its first encounter"):
            return codec.decode_encounter(self._snapshot_json(ROOT), self.kinds)

    def records(self) -> list[RecordSummary]:
        """Return all records by id, without their events."""
        return list(self._summaries.values())

    def next_id(self) -> int:
        """Return the id that the next record must have."""
        return next(reversed(self._summaries), ROOT) + 1

    def record(self, record_id: int) -> Record:
        """Return one record whole."""
        summary = self._summary(record_id)
        with self._reading(f"step {record_id}"):
            row = self._db.execute("SELECT body FROM records WHERE id = ?", (record_id,)).fetchone()
            record = codec.decode_record(codec.unpack(row[0] if row else None), self.kinds)
            if _summarise(record) != summary:
                raise FileProblem("it stands in the wrong place")
            return record

    def lineage(self, record_id: int) -> tuple[int, ...]:
        """Return the ids from a record back to the root: itself, its parent, ..., 0."""
        ids = [record_id]
        while ids[-1] != ROOT:
            ids.append(self._summary(ids[-1]).parent)
        return tuple(ids)

    def snapshot(self, record_id: int) -> Encounter | None:
        """Return the encounter stored for the state after a record, if there is one.

        A snapshot is only a short cut: one that cannot be read counts as absent.
        """
        if record_id == ROOT:
            return self.root()
        if record_id not in self._snapshots:
            return None
        with contextlib.suppress(FileProblem), self._reading(f"the snapshot {record_id}"):
            return codec.decode_encounter(self._snapshot_json(record_id), self.kinds)
        return None

    def nearest_snapshot(self, ids: Iterable[int]) -> tuple[int, Encounter]:
        """Return the first of `ids` that has a snapshot, with it; else the root.

        `ids` usually is a `lineage`.
        """
        for record_id in ids:
            found = self.snapshot(record_id)
            if found is not None:
                return record_id, found
        return ROOT, self.root()

    def encounter_at(self, record_id: int) -> Encounter:
        """Return the encounter after a record, folded from the nearest snapshot before it."""
        lineage = self.lineage(record_id)
        start, encounter = self.nearest_snapshot(lineage)
        for each in reversed(lineage[: lineage.index(start)]):
            encounter = self.fold(encounter, self.record(each))
        return encounter

    def fold(self, encounter: Encounter, record: Record) -> Encounter:
        """Apply a record of this file; raise FileProblem if it does not fit (the file lies)."""
        try:
            return record.apply(encounter)
        except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
            raise FileProblem(
                f"{self.path.name} is damaged: step {record.id} does not fit the one before it."
            ) from error

    def image(self, sha256: str) -> bytes:
        """Return the bytes of a stored picture, its digest verified."""
        with self._reading("a picture"):
            return images.get_image(self._db, sha256)

    def images(self) -> list[images.ImageInfo]:
        """Return digest and size of all stored pictures."""
        with sentences(self.path.name):
            return images.list_images(self._db)

    def check(self) -> tuple[str, ...]:
        """Return what is wrong with the file, a sentence each; empty for a sound one.

        Reads everything: the pages, every record on every branch, every picture.
        """
        wrong = list(self._broken_pages())
        for summary in self.records():
            try:
                self.record(summary.id)
            except FileProblem as problem:
                wrong.append(str(problem))
        for info in self.images():
            try:
                self.image(info.sha256)
            except FileProblem as problem:
                wrong.append(str(problem))
        return tuple(wrong)

    # Writing

    def append(self, record: Record, images: Mapping[str, bytes] = NO_IMAGES) -> None:
        """Store a record and make it the head; when this returns, it survives a power cut.

        `images` are pictures by SHA-256 that the record brings. The record's id must be
        `next_id()`.
        """
        self.append_all((record,), images)

    def append_all(
        self, records: Sequence[Record], images: Mapping[str, bytes] = NO_IMAGES
    ) -> None:
        """Store several records, all or none; the last one becomes the head."""
        self._require_writable()
        _require_genuine(images)
        if not records:
            return
        added: dict[int, RecordSummary] = {}
        rows = []
        for record in records:
            summary = _summarise(record)
            self._require_fit(summary, added)
            rows.append((*summary, codec.pack(self._encode(record))))
            added[record.id] = summary
        with self._transaction() as db:
            _put_images(db, images)
            db.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", rows)
            db.execute("UPDATE meta SET head = ?", (records[-1].id,))
        self._summaries.update(added)
        self._head = records[-1].id

    def move_head(self, record_id: int) -> None:
        """Make another record the current one, durably: undo, redo and jump."""
        if record_id != ROOT:
            self._summary(record_id)
        self._require_writable()
        if record_id == self._head:
            return
        with self._transaction() as db:
            db.execute("UPDATE meta SET head = ?", (record_id,))
        self._head = record_id

    def put_snapshot(self, record_id: int, encounter: Encounter) -> None:
        """Store the encounter after a record, so that nobody folds the records before it again."""
        self._require_writable()
        if record_id == ROOT or record_id in self._snapshots:
            return
        self._summary(record_id)
        with self._reading("a snapshot"):
            body = codec.pack(codec.encode(encounter))
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?)", (record_id, body))
        self._snapshots.add(record_id)

    def backup(self, keep: int = backups.KEEP) -> Path:
        """Copy the file into its backup folder and return the copy; the newest `keep` stay.

        If the newest backup already holds the same, nothing is written. May be called in any
        thread.
        """
        with sentences(self.path.name):
            return backups.make(self.path, keep)

    def backups(self) -> list[backups.Backup]:
        """Return the backups of this file, newest first; `backups.restore` puts one back."""
        with sentences(self.path.name):
            return backups.of(self.path)

    # Closing

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Private

    def _broken_pages(self) -> tuple[str, ...]:
        with sentences(self.path.name):
            rows = self._db.execute("PRAGMA integrity_check").fetchall()
        return tuple(str(row[0]) for row in rows if row[0] != "ok")

    def _summary(self, record_id: int) -> RecordSummary:
        found = self._summaries.get(record_id)
        if found is None:
            raise ValueError(f"there is no record {record_id}")
        return found

    def _snapshot_json(self, record_id: int) -> bytes:
        query = "SELECT body FROM snapshots WHERE record = ?"
        row = self._db.execute(query, (record_id,)).fetchone()
        return codec.unpack(row[0] if row else None)

    def _require_writable(self) -> None:
        if self.obstacle:
            raise FileProblem(f"{self.path.name} {self.obstacle}; it can only be looked at.")

    def _require_fit(self, summary: RecordSummary, added: Mapping[int, RecordSummary]) -> None:
        expected = self.next_id() + len(added)
        if summary.id != expected:
            raise ValueError(f"the next record is {expected}, not {summary.id}")
        for other in (summary.parent, summary.group):
            if other not in (ROOT, summary.id) and other not in {*self._summaries, *added}:
                raise ValueError(f"there is no record {other}")
        if summary.parent == summary.id or summary.group == ROOT:
            raise ValueError(f"the record {summary.id} hangs nowhere")

    def _encode(self, record: Record) -> bytes:
        """Return the record's JSON, having read it back: what is acknowledged can be read."""
        try:
            data = codec.encode(record)
            same = codec.decode_record(data, self.kinds) == record
        except FileProblem as problem:
            raise FileProblem(f"This step cannot be stored: {problem}.") from problem
        if not same:
            raise ValueError(f"the record {record.id} changes when it is stored")
        return data

    @contextlib.contextmanager
    def _reading(self, what: str) -> Iterator[None]:
        """Say which part of the file cannot be read."""
        with sentences(self.path.name):
            try:
                yield
            except FileProblem as problem:
                raise FileProblem(
                    f"{self.path.name} is damaged: {what} cannot be read, {problem}."
                ) from problem

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with sentences(self.path.name):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                # If even this fails, SQLite rolls back from its journal before the next read.
                with contextlib.suppress(sqlite3.DatabaseError):
                    self._db.execute("ROLLBACK")
                raise


# Opening, step by step. `images` names a parameter above, hence these two names.

_require_genuine = images.require_genuine
_put_images = images.put_images


def _summarise(record: Record) -> RecordSummary:
    return RecordSummary(record.id, record.parent, record.group, record.label, record.at)


@contextlib.contextmanager
def _unfinished_file(path: Path) -> Iterator[Path]:
    """Give a new empty file beside `path`; whatever is left of it afterwards goes."""
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    temporary.open("xb").close()
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _write_new(path: Path, encounter: Encounter, kinds: Kinds) -> None:
    """Fill an empty file that nobody else knows yet."""
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
        db.execute("INSERT INTO snapshots VALUES (?, ?)", (ROOT, codec.pack(data)))
        db.execute("COMMIT")


def _prepare(path: Path, resources: contextlib.ExitStack, *, read_only: bool) -> str:
    """Look at a file before SQLite does and take the lock; return why it cannot be written."""
    header = None if _identity(path) in _open_here else sniff.sniff(path)
    if read_only and not sniff.has_unfinished(path):
        return "was opened to be looked at"
    lock = WriteLock(path)
    resources.callback(lock.release)
    if not lock.held:
        return lock.obstacle
    if not os.access(path, os.W_OK):
        return "is write-protected"
    if sniff.has_unfinished(path):
        sniff.require_own_journal(path)
    elif header is not None:
        sniff.require_whole(path, header)
    return ""


def _attach(path: Path, resources: contextlib.ExitStack, *, read_only: bool) -> sqlite3.Connection:
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


def _require_ours(
    db: sqlite3.Connection, path: Path, resources: contextlib.ExitStack, *, read_only: bool
) -> sqlite3.Connection:
    """Refuse what is not ours or damaged; return a database of the present format.

    An older one is migrated, after a backup; one that cannot be written, in memory.
    """
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    schema.require(db, version, path.name)
    for table in ("meta", "records", "snapshots"):  # pictures are checked when they are read
        if db.execute(f"PRAGMA quick_check('{table}')").fetchone() != ("ok",):
            raise FileProblem(f"{path.name} is damaged.")
    if version == schema.FORMAT:
        return db
    if read_only:
        memory = sqlite3.connect(":memory:", isolation_level=None)
        resources.callback(memory.close)
        db.backup(memory)
        db = memory
    else:
        backups.make(path)
    migrations.migrate(db, version)
    schema.require(db, schema.FORMAT, path.name)
    return db


def _load_kinds(db: sqlite3.Connection, name: str, load_kinds: Callable[[str], Kinds]) -> Kinds:
    rows = db.execute("SELECT ruleset FROM meta").fetchall()
    ruleset = rows[0][0] if rows else None
    if not isinstance(ruleset, str) or not _RULESET.fullmatch(ruleset):
        raise FileProblem(f"{name} is damaged: it names no ruleset.")
    try:
        own = load_kinds(ruleset)
    except LookupError as error:
        raise FileProblem(f"{name} needs the ruleset {ruleset}, which is not known.") from error
    return codec.all_kinds(own)


def _read_tree(db: sqlite3.Connection, name: str) -> dict[int, RecordSummary]:
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
        tree[summary.id] = summary
    return tree


def _read_head(db: sqlite3.Connection, tree: Mapping[int, RecordSummary], name: str) -> int:
    head = db.execute("SELECT head FROM meta").fetchone()[0]
    if not isinstance(head, int) or (head != ROOT and head not in tree):
        raise FileProblem(f"{name} is damaged: the current step is missing.")
    return head


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino
