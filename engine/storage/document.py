"""The document: one encounter and its whole history in one SQLite file.

Every `append` and every move of the head is one durable transaction, so the file is whole at each
moment, also when it is copied while open. There is nothing to save. What the records mean is the
session's affair; here they are kept, in a tree, and never changed.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from engine.events.event import Record
from engine.model.encounter import Encounter
from engine.model.refusal import FileProblem
from engine.model.value import FrozenMap, Kinds
from engine.storage import audit, backups, codec, opening
from engine.storage.disk import (
    SHARED,
    copy_in_slices,
    journal_of,
    put_in_place,
    real_path,
    sentences,
)
from engine.storage.images import ImageInfo, get_image, list_images, put_images, require_genuine
from engine.storage.lock import WriteLock
from engine.storage.opening import RecordSummary
from engine.storage.snapshots import ROOT, Snapshots
from engine.storage.unfinished import unfinished_file

__all__ = ["ROOT", "SUFFIX", "Document", "RecordSummary"]

SUFFIX = ".battlemat"
NO_IMAGES: Mapping[str, bytes] = FrozenMap()


class Document:
    """One open file. Use it in the thread that opened it, and as a context manager.

    Whoever cannot become the one writer (the file is open elsewhere or write-protected) sees the
    file as it was when it was opened, with `read_only` on.

    Unless they say otherwise, methods raise FileProblem, one sentence, when the disk or the
    contents fail; then the file, the head and the records are as before. ValueError is a wrong
    call.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, kinds: Kinds, *, obstacle: str) -> None:
        self.path = path
        self.kinds = kinds
        self.obstacle = obstacle
        self._db = db
        self._resources = contextlib.ExitStack()
        self._closed = False
        self._copying = Lock()
        db.execute("BEGIN")  # one moment of the file, also while another process writes
        self._summaries = opening.read_tree(db, path.name)
        self._head = opening.read_head(db, self._summaries, path.name)
        self._snapshots = Snapshots(db, kinds)
        with self._reading("its first encounter"):
            self._root = self._snapshots.load(ROOT)
        db.execute("COMMIT")

    # Construction

    @classmethod
    def create(
        cls,
        path: Path,
        encounter: Encounter,
        kinds: Kinds,
        images: Mapping[str, bytes] = NO_IMAGES,
    ) -> "Document":
        """Write a new file that begins with this encounter, and open it.

        `kinds` are the ruleset's own, `images` the pictures that it shows, by SHA-256. Raises
        FileProblem if there is a file of this name.
        """
        kinds = codec.all_kinds(kinds)
        with sentences(path.name), contextlib.ExitStack() as resources:
            if path.is_dir():
                raise FileProblem(f"{path} is a folder.")
            path = real_path(path.parent) / path.name
            lock = WriteLock(path)
            resources.callback(lock.release)
            if os.path.lexists(path):
                raise FileProblem(f"There is already a file {path.name}.")
            if not lock.held:
                raise FileProblem(f"{path.name} cannot be created: it {lock.obstacle}.")
            with unfinished_file(path.parent, path.name) as temporary:
                opening.write_new(temporary, encounter, kinds, images)
                # The journal of a file that was deleted would be played back into the new one.
                journal_of(path).unlink(missing_ok=True)
                put_in_place(temporary, path)
            db = opening.attach(path, resources, read_only=False)
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
            path = real_path(path)
            obstacle = opening.prepare(path, resources, read_only=read_only)
            db = opening.attach(path, resources, read_only=bool(obstacle))
            db = opening.require_ours(db, path, resources, read_only=bool(obstacle))
            ruleset = opening.read_ruleset(db, path.name)
            try:
                kinds = codec.all_kinds(load_kinds(ruleset))
            except LookupError as error:
                sentence = f"{path.name} needs the ruleset {ruleset}, which is not known."
                raise FileProblem(sentence) from error
            document = cls(path, db, kinds, obstacle=obstacle)
            if document.root().ruleset != ruleset:
                raise FileProblem(f"{path.name} is damaged: it names two rulesets.")
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
        return self._root

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
            if opening.summarise(record) != summary:
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
            return self._root
        if record_id not in self._snapshots:
            return None
        try:
            with sentences(self.path.name):
                return self._snapshots.load(record_id)
        except FileProblem:
            self._snapshots.forget(record_id)
            return None

    def snapshots(self) -> tuple[int, ...]:
        """Return the ids of the records whose encounters are stored, the root's 0 among them."""
        return self._snapshots.ids()

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
            return get_image(self._db, sha256)

    def images(self) -> list[ImageInfo]:
        """Return digest and size of all stored pictures."""
        with sentences(self.path.name):
            return list_images(self._db)

    def check(self) -> tuple[str, ...]:
        """Return what is wrong with the file, a sentence each; empty for a sound one.

        Reads all pages, records, snapshots and pictures, and folds every branch.
        """
        return audit.audit(self)

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
        require_genuine(images)
        if not records:
            return
        added: dict[int, RecordSummary] = {}
        rows = []
        for record in records:
            summary = opening.summarise(record)
            self._require_fit(summary, added)
            rows.append((*summary, codec.pack(self._encode(record))))
            added[record.id] = summary
        with self._transaction() as db:
            put_images(db, images)
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

    def put_snapshot(self, record_id: int, encounter: Encounter) -> bool:
        """Store the encounter after a record, so that nobody folds the records before it again.

        Tells whether it is there now. It is a short cut and nothing else, so where it cannot be
        stored (a full disk, a file to be looked at), nothing happens; the next one is tried again.
        """
        for _ in self.snapshot_in_turns(record_id, encounter):
            pass
        return record_id in self._snapshots or record_id == ROOT

    def snapshot_in_turns(self, record_id: int, encounter: Encounter) -> Iterator[None]:
        """Do what `put_snapshot` does in turns of a few milliseconds, whenever one is asked for.

        Records may be stored in between; a snapshot that is left half made leaves nothing.
        """
        if record_id == ROOT or record_id in self._snapshots:
            return
        self._summary(record_id)
        if self.read_only:
            return
        try:
            with sentences(self.path.name):
                packed = yield from self._snapshots.pack(record_id, encounter)
            with self._transaction():
                self._snapshots.store(packed)
        except FileProblem:
            return
        self._snapshots.stored(record_id, encounter)

    def backup(self, keep: int = backups.KEEP) -> Path:
        """Copy the file into its backup folder and return the copy; the newest `keep` stay.

        If the newest backup already holds the same, nothing is written. May be called in any
        thread: whoever writes meanwhile does not wait for it, and to close the file ends it.
        """
        shared = SHARED and not self.read_only
        with sentences(self.path.name):
            return backups.make(self.path, keep, self._copy_to if shared else None)

    def backups(self) -> list[backups.Backup]:
        """Return the backups of this file, newest first; `backups.restore` puts one back."""
        with sentences(self.path.name):
            return backups.of(self.path)

    # Closing

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        self._closed = True
        with self._copying:
            self._resources.close()

    @property
    def closed(self) -> bool:
        """Tell whether the file was let go of."""
        return self._closed

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

    def _copy_to(self, target: sqlite3.Connection, between: Callable[[], None]) -> None:
        """Copy through our own connection: what is written through another begins it anew."""

        def go_on() -> None:
            self._require_open()
            between()

        with self._copying:
            self._require_open()
            copy_in_slices(self._db, target, go_on)

    def _require_open(self) -> None:
        if self._closed:
            raise FileProblem(f"{self.path.name} was closed before its backup was whole.")

    def _summary(self, record_id: int) -> RecordSummary:
        found = self._summaries.get(record_id)
        if found is None:
            raise ValueError(f"there is no record {record_id}")
        return found

    def _require_writable(self) -> None:
        if self.obstacle:
            raise FileProblem(f"{self.path.name} {self.obstacle}; it can only be looked at.")

    def _require_fit(self, summary: RecordSummary, added: Mapping[int, RecordSummary]) -> None:
        expected = self.next_id() + len(added)
        if expected > opening.MAX_RECORDS:
            raise FileProblem(f"{self.path.name} is full: it holds {expected - 1} steps.")
        if summary.id != expected:
            raise ValueError(f"the next record is {expected}, not {summary.id}")
        for other in (summary.parent, summary.group):
            known = other in (ROOT, summary.id) or other in self._summaries or other in added
            if not known:
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
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")  # the disk did not let it go the last time
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.DatabaseError):
                    self._db.execute("ROLLBACK")
                raise
