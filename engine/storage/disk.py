"""What the disk may do to us, in one place: connections, error sentences, durable replacing."""

import contextlib
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

from engine.model.refusal import FileProblem

BUSY_SECONDS = 5.0
"""How long a statement waits for another process that reads or writes."""

MAX_BLOB = 512 * 2**20
"""The largest value that SQLite may hand us, in bytes."""

SHARED = sqlite3.threadsafety == 3
"""Whether SQLite was built so that a backup in another thread may read through a connection."""

_SLICE_PAGES = 512
_REST_SECONDS = 0.002
"""A copy is made in slices of so many pages, with so much rest for whoever wants to write."""

_DURABLE = ("synchronous = FULL", "fullfsync = ON")
"""A commit returns when the disk has it; the second one matters on macOS alone."""

_SENTENCES = {
    "SQLITE_FULL": "The disk is full; {name} was left as it was.",
    "SQLITE_IOERR": "The disk reports an error; {name} was left as it was.",
    "SQLITE_READONLY_ROLLBACK": "{name} was not closed properly; it can only be opened where "
    "it may be written.",
    "SQLITE_READONLY_DBMOVED": "{name} was moved, deleted or replaced while it was open; this step "
    "was not stored.",
    "SQLITE_READONLY": "{name} is write-protected.",
    "SQLITE_BUSY": "Another program is using {name}; try again.",
    "SQLITE_LOCKED": "Another program is using {name}; try again.",
    "SQLITE_CONSTRAINT": "Another program has written to {name} meanwhile; open it again.",
    "SQLITE_CANTOPEN": "{name} cannot be opened.",
    "SQLITE_PERM": "{name} may not be opened.",
    "SQLITE_NOTADB": "{name} is not a Battlemat encounter, or it is damaged.",
    "SQLITE_CORRUPT": "{name} is damaged.",
    "SQLITE_TOOBIG": "Something in {name} is too large.",
    "SQLITE_NOMEM": "There is not enough memory for {name}.",
}


def real_path(path: Path) -> Path:
    """Return the path without any links, which must exist; raise FileProblem for a circle."""
    try:
        return path.resolve(strict=True)
    except RuntimeError as error:  # so Python 3.11 calls a circle of links; later ones an OSError
        raise FileProblem(f"{path.name} is a link that leads in a circle.") from error


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open an existing database file, each commit durable, the schema not trusted."""
    place = path.as_posix()
    uri = f"file://{'' if place.startswith('/') else '/'}{quote(os.fsencode(place))}"
    db = sqlite3.connect(
        f"{uri}?mode={'ro' if read_only else 'rw'}",
        uri=True,
        isolation_level=None,
        timeout=BUSY_SECONDS,
        check_same_thread=not SHARED,
    )
    try:
        _distrust(db)
        for pragma in _DURABLE:
            db.execute(f"PRAGMA {pragma}")
        if not read_only:
            db.execute("PRAGMA journal_mode = TRUNCATE")
    except BaseException:
        db.close()
        raise
    return db


def in_memory(db: sqlite3.Connection) -> sqlite3.Connection:
    """Return a copy of a database that may be changed and is forgotten."""
    memory = sqlite3.connect(":memory:", isolation_level=None)
    try:
        _distrust(memory)
        db.backup(memory)
    except BaseException:
        memory.close()
        raise
    return memory


def copy_in_slices(
    source: sqlite3.Connection, target: sqlite3.Connection, between: Callable[[], None]
) -> None:
    """Copy a database while others use it: nobody waits for longer than one slice takes.

    What is written through `source` meanwhile goes into the copy as well; what is written through
    another connection makes it begin anew. `between` is called after each slice and may raise.
    """

    def rest(_status: int, _remaining: int, _total: int) -> None:
        between()
        time.sleep(_REST_SECONDS)

    source.backup(target, pages=_SLICE_PAGES, progress=rest, sleep=_REST_SECONDS)


def _distrust(db: sqlite3.Connection) -> None:
    """Allow a database nothing that a document does not need."""
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_BLOB)
    db.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")


@contextlib.contextmanager
def sentences(name: str) -> Iterator[None]:
    """Turn what SQLite and the operating system report into one sentence about the file.

    A wrong use of SQLite is a bug of ours and passes through.
    """
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.DatabaseError as error:
        code = str(getattr(error, "sqlite_errorname", ""))
        for prefix, sentence in _SENTENCES.items():
            if code.startswith(prefix):
                raise FileProblem(sentence.format(name=name)) from error
        raise FileProblem(f"{name} is damaged ({error}).") from error
    except FileNotFoundError as error:
        raise FileProblem(f"There is no {Path(error.filename or name).name}.") from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FileProblem(f"{name} cannot be used: {reason}.") from error


def journal_of(path: Path) -> Path:
    """Return where SQLite keeps what it needs to take back an unfinished transaction."""
    return path.with_name(path.name + "-journal")


def size_or_zero(path: Path) -> int:
    """Return the size of a file in bytes, 0 where there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def put_in_place(finished: Path, path: Path) -> None:
    """Give a finished file its name, so that a power cut leaves the old state or the new."""
    with finished.open("rb+") as file:
        sync(file.fileno())
    finished.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make names in a folder durable, where the system can (Windows does it by itself)."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        sync(handle)
    finally:
        os.close(handle)


def sync(handle: int) -> None:
    """Return when the disk has all of an open file."""
    if sys.platform == "darwin":
        import fcntl  # noqa: PLC0415  there is none on Windows

        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    else:
        os.fsync(handle)
