"""The tiles of pictures on disk: one SQLite file that may be deleted at any time.

Not a document: nothing here is worth saving, so durability is off, and a damaged or foreign file
is thrown away. Used by worker threads, one at a time.
"""

import io
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from math import ceil
from pathlib import Path
from time import time
from typing import NamedTuple, TypeVar

from PIL import Image

TILE_PX = 512
LIMIT_BYTES = 2 * 1024 * 1024 * 1024

_VERSION = 1
_LOSSLESS_UP_TO_PX = 24_000_000
_JPEG_QUALITY = 93
_SCHEMA = f"""
CREATE TABLE picture (sha256 TEXT PRIMARY KEY, bytes INTEGER, used_at REAL);
CREATE TABLE tile (
    sha256 TEXT, level INTEGER, tile_column INTEGER, tile_row INTEGER, data BLOB,
    PRIMARY KEY (sha256, level, tile_column, tile_row)
);
PRAGMA user_version = {_VERSION};
"""

T = TypeVar("T")


class TileKey(NamedTuple):
    """Which tile of which picture."""

    sha256: str
    level: int
    column: int
    row: int


class TileCache:
    """A file of tiles; on any trouble with it pictures are simply decoded again."""

    def __init__(self, path: Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self._path = path
        self._limit = limit_bytes
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._db = self._opened()

    def is_complete(self, sha256: str) -> bool:
        """Tell whether all tiles of a picture are there, and note that it is in use."""

        def ask(db: sqlite3.Connection) -> bool:
            used = db.execute(
                "UPDATE picture SET used_at = ? WHERE sha256 = ?", (time(), sha256)
            ).rowcount
            return used > 0

        return self._try(ask, otherwise=False)

    def tile(self, key: TileKey) -> bytes | None:
        """Return a tile as a PNG or JPEG file, None if it is not there."""

        def ask(db: sqlite3.Connection) -> bytes | None:
            row = db.execute(
                "SELECT data FROM tile"
                " WHERE sha256 = ? AND level = ? AND tile_column = ? AND tile_row = ?",
                key,
            ).fetchone()
            return bytes(row[0]) if row else None

        return self._try(ask, otherwise=None)

    def put_picture(self, sha256: str, levels: list[Image.Image]) -> bool:
        """Store all tiles of a picture, the coarse ones first; tell whether that worked."""
        lossless = levels[0].width * levels[0].height <= _LOSSLESS_UP_TO_PX
        total = 0
        for level in range(len(levels) - 1, -1, -1):
            for row in range(ceil(levels[level].height / TILE_PX)):
                if self._stopped.is_set():
                    return False
                tiles = [
                    (sha256, level, column, row, _coded(tile, lossless=lossless))
                    for column, tile in enumerate(_row_of_tiles(levels[level], row))
                ]
                total += sum(len(tile[-1]) for tile in tiles)
                if not self._try(partial(_insert, rows=tiles), otherwise=False):
                    return False
        return self._try(lambda db: self._finish(db, sha256, total), otherwise=False)

    def forget(self, sha256: str) -> None:
        """Drop a picture."""
        self._try(lambda db: _drop(db, sha256), otherwise=None)

    def stop(self) -> None:
        """Let a worker that is storing a picture give up soon."""
        self._stopped.set()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._db is not None:
                self._db.close()
            self._db = None

    def _opened(self) -> sqlite3.Connection | None:
        """Return a connection to a usable file; None if none can be had."""
        for _ in range(2):
            with suppress(sqlite3.Error, OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                return _connect(self._path)
            with suppress(OSError):
                self._path.unlink()
        return None

    def _try(self, job: Callable[[sqlite3.Connection], T], *, otherwise: T) -> T:
        with self._lock:
            if self._db is None:
                return otherwise
            try:
                with self._db:
                    return job(self._db)
            except sqlite3.Error:
                return otherwise

    def _finish(self, db: sqlite3.Connection, sha256: str, total: int) -> bool:
        db.execute("INSERT OR REPLACE INTO picture VALUES (?, ?, ?)", (sha256, total, time()))
        held = 0
        for each, size in db.execute("SELECT sha256, bytes FROM picture ORDER BY used_at DESC"):
            held += size
            if held > self._limit and each != sha256:
                _drop(db, each)
        return True


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=5, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = OFF")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            db.executescript(_SCHEMA)
        elif version != _VERSION:
            raise sqlite3.DatabaseError("a cache of another version")
        db.execute("SELECT count(*) FROM picture").fetchone()
    except sqlite3.Error:
        db.close()
        raise
    return db


def _insert(db: sqlite3.Connection, rows: list[tuple[str, int, int, int, bytes]]) -> bool:
    db.executemany("INSERT OR REPLACE INTO tile VALUES (?, ?, ?, ?, ?)", rows)
    return True


def _drop(db: sqlite3.Connection, sha256: str) -> None:
    db.execute("DELETE FROM picture WHERE sha256 = ?", (sha256,))
    db.execute("DELETE FROM tile WHERE sha256 = ?", (sha256,))


def _row_of_tiles(level: Image.Image, row: int) -> Iterator[Image.Image]:
    top, bottom = row * TILE_PX, min((row + 1) * TILE_PX, level.height)
    for left in range(0, level.width, TILE_PX):
        yield level.crop((left, top, min(left + TILE_PX, level.width), bottom))


def _coded(tile: Image.Image, *, lossless: bool) -> bytes:
    """Return a tile as PNG if it is transparent somewhere or its picture is small, else JPEG."""
    out = io.BytesIO()
    opaque = tile.mode == "RGB" or tile.getextrema()[-1] == (255, 255)
    if opaque:
        tile = tile.convert("RGB")
    if opaque and not lossless:
        tile.save(out, "JPEG", quality=_JPEG_QUALITY, subsampling=0)
    else:
        tile.save(out, "PNG", compress_level=1)
    return out.getvalue()
