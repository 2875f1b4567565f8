"""Encounters stored whole here and there, so that nobody folds a long history from its root.

The log grows with every record, all else stays about as large as the fight. So a snapshot keeps
only the log entries that its base, another snapshot, does not have: the file grows with the
history, not with its square, and storing one takes as long at the end as in the beginning.
"""

import sqlite3
from collections.abc import Generator
from typing import NamedTuple

from engine.model.encounter import Encounter
from engine.model.evidence import LogEntry
from engine.model.refusal import FileProblem
from engine.model.value import Kinds
from engine.storage import codec

ROOT = 0
"""The id that stands for the encounter as it was created; its snapshot is always there."""


class Packed(NamedTuple):
    """A snapshot as it lies in the file: a row of its table."""

    record_id: int
    base: int | None
    body: bytes
    log: bytes


def insert(db: sqlite3.Connection, record_id: int, encounter: Encounter) -> None:
    """Store an encounter with its whole log, inside the transaction at hand."""
    body = codec.pack(codec.encode(encounter.changed(log=())))
    log = codec.pack(codec.encode(encounter.log))
    _insert(db, Packed(record_id, None, body, log))


class Snapshots:
    """The snapshots of one open document."""

    def __init__(self, db: sqlite3.Connection, kinds: Kinds) -> None:
        self._db = db
        self._kinds = kinds
        self._ids = {int(row[0]) for row in db.execute("SELECT record FROM snapshots")}
        # The one that was loaded or stored last; the next one most likely goes on from it.
        self._base: tuple[int, tuple[LogEntry, ...]] | None = None

    def __contains__(self, record_id: int) -> bool:
        return record_id in self._ids

    def ids(self) -> tuple[int, ...]:
        """Return the records that have a snapshot, in their order."""
        return tuple(sorted(self._ids))

    def load(self, record_id: int) -> Encounter:
        """Return the encounter stored for a record; raise FileProblem if it cannot be read."""
        chain = self._chain(record_id)
        body = codec.decode_encounter(codec.unpack(self._cell("body", record_id)), self._kinds)
        entries: list[LogEntry] = []
        for each in reversed(chain):
            entries += codec.decode_log(codec.unpack(self._cell("log", each)), self._kinds)
        encounter = body.changed(log=tuple(entries))
        self._base = (record_id, encounter.log)
        return encounter

    def pack(self, record_id: int, encounter: Encounter) -> Generator[None, None, Packed]:
        """Return what `store` takes, made in turns of a few milliseconds each.

        Raises FileProblem for an encounter that cannot be written down.
        """
        base, known = self._base or (None, ())
        if encounter.log[: len(known)] != known:
            base, known = None, ()
        body = yield from codec.pack_in_pieces(codec.encode_in_pieces(encounter.changed(log=())))
        log = codec.pack(codec.encode(encounter.log[len(known) :]))
        return Packed(record_id, base, body, log)

    def store(self, packed: Packed) -> None:
        """Store a snapshot inside the transaction at hand; `stored` follows its commit."""
        _insert(self._db, packed)

    def stored(self, record_id: int, encounter: Encounter) -> None:
        """Note that what was stored is durable."""
        self._ids.add(record_id)
        self._base = (record_id, encounter.log)

    def forget(self, record_id: int) -> None:
        """Count a snapshot that cannot be read as absent, so that it is stored anew."""
        self._ids.discard(record_id)

    def _chain(self, record_id: int) -> list[int]:
        """Return the snapshot, its base, the base's base, and so on."""
        chain: list[int] = []
        each: object = record_id
        while each is not None:
            if not isinstance(each, int) or each not in self._ids or len(chain) > len(self._ids):
                raise FileProblem("a part of its log is missing")
            chain.append(each)
            each = self._cell("base", each)
        return chain

    def _cell(self, column: str, record_id: int) -> object:
        query = f"SELECT {column} FROM snapshots WHERE record = ?"
        row = self._db.execute(query, (record_id,)).fetchone()
        return row[0] if row else None


def _insert(db: sqlite3.Connection, packed: Packed) -> None:
    db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)", packed)
