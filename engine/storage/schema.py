"""The tables of a document, by format version.

The DDL of a version that was released never changes: a file is opened only if its `sqlite_master`
equals the DDL of its version to the letter.
"""

import sqlite3

from engine.model.refusal import FileProblem

APPLICATION_ID = 0x42544C4D
"""The letters BTLM in the header of the file."""

FORMAT = 1
"""The format that this program writes, as SQLite's `user_version`."""

PAGE_BYTES = 4096

SCHEMAS: dict[int, tuple[str, ...]] = {
    1: (
        "CREATE TABLE meta (id INTEGER PRIMARY KEY CHECK (id = 1), ruleset TEXT NOT NULL, "
        "head INTEGER NOT NULL)",
        "CREATE TABLE records (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, "
        "gesture INTEGER NOT NULL, label TEXT NOT NULL, at TEXT NOT NULL, body BLOB NOT NULL)",
        "CREATE TABLE snapshots (record INTEGER PRIMARY KEY, base INTEGER, body BLOB NOT NULL, "
        "log BLOB NOT NULL)",
        "CREATE TABLE images (id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, "
        "content BLOB NOT NULL)",
    ),
}
"""Record 0 of `snapshots` is the encounter as it was created."""


def lay_out(db: sqlite3.Connection, version: int = FORMAT) -> None:
    """Create the tables of a version in an empty database."""
    db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute("BEGIN IMMEDIATE")
    for statement in SCHEMAS[version]:
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {version}")
    db.execute("COMMIT")


def require(db: sqlite3.Connection, version: int, name: str) -> None:
    """Refuse a database with anything in it but the tables of `version`."""
    found = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    if version not in SCHEMAS or sorted(found, key=str) != _expected(version):
        raise FileProblem(f"{name} was changed by another program; Battlemat does not open it.")


def _expected(version: int) -> list[tuple[object, ...]]:
    """Return what SQLite itself lists for our DDL, implied indices included."""
    db = sqlite3.connect(":memory:")
    try:
        for statement in SCHEMAS[version]:
            db.execute(statement)
        listed = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    finally:
        db.close()
    return sorted(listed, key=str)
