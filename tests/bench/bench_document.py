"""The document: opening a long history, and making one step durable.

500 tokens, 1,000 walls, 10,000 records, a snapshot every 200; the writer died just before the next
snapshot, so that opening has to fold as many records as it ever must. The baselines are what a
program does that keeps its history in one list, and its state in one file.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from engine.model.encounter import Encounter
from engine.storage import codec
from engine.storage.document import Document
from tests.bench.rows import BenchRow, later
from tests.helpers.documents import NO_KINDS, encounter, opened, record

RECORDS = 9_999
SNAPSHOT_EVERY = 200


def rows() -> list[BenchRow]:
    """Give the rows of this module."""
    return [
        BenchRow(
            job="open an encounter of 10,000 records",
            run=lambda: open_and_fold(long_document()),
            baseline=lambda: read_all(long_document()),
            ratio_target=2,
            target_ms=1_000,
            note="baseline: every record decoded, none folded",
        ),
        BenchRow(
            job="make one record durable",
            run=later(lambda: appender(long_document().with_name("append.battlemat"))),
            baseline=later(lambda: saver(long_document().with_name("state.json"))),
            ratio_target=4,
            target_ms=5,
            note="baseline: the whole state written to a new file, synced and renamed",
        ),
    ]


def open_and_fold(path: Path) -> Encounter:
    """Open the document and return its current state, as a session does."""
    with opened(path) as document:
        document.records()
        return document.encounter_at(document.head)


def read_all(path: Path) -> int:
    """Open the document and decode its whole history."""
    with opened(path) as document:
        return sum(len(document.record(each.id).events) for each in document.records())


def appender(path: Path) -> Callable[[], None]:
    """Return what appends one more record to an open document."""
    document = Document.create(path, encounter(500, walls=1_000), NO_KINDS)
    atexit.register(document.close)
    return lambda: document.append(record(document.next_id()))


def saver(path: Path) -> Callable[[], None]:
    """Return what saves a state as a whole, durably."""
    state = encounter(500, walls=1_000)

    def save() -> None:
        temporary = path.with_suffix(".tmp")
        with temporary.open("wb") as file:
            file.write(codec.encode(state))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)

    return save


@cache
def long_document() -> Path:
    """Return a document with a long history, made once."""
    folder = Path(tempfile.mkdtemp(prefix="battlemat-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / "long.battlemat"
    state = encounter(500, walls=1_000)
    with Document.create(path, state, NO_KINDS) as document:
        for first in range(1, RECORDS + 1, SNAPSHOT_EVERY):
            last = min(first + SNAPSHOT_EVERY - 1, RECORDS)
            steps = [record(number) for number in range(first, last + 1)]
            document.append_all(steps)
            for step in steps:
                state = step.apply(state)
            if last < RECORDS:
                document.put_snapshot(last, state)
    return path
