"""Steps from one format version to the next.

Each step is a small function, registered once and tested against a file of its old version that is
kept for ever. It changes tables and contents inside a transaction of the caller, and raises
FileProblem for contents that it cannot take over; the outcome must have the DDL that `schema` gives
for the next version. Released steps never change.
"""

import sqlite3
from collections.abc import Callable

from engine.storage import schema

Migration = Callable[[sqlite3.Connection], None]

MIGRATIONS: dict[tuple[int, int], Migration] = {}
"""By (from, to), where to = from + 1. Format 1 is the first one."""


def migration(old: int, new: int) -> Callable[[Migration], Migration]:
    """Register the step from one format to the next."""

    def register(step: Migration) -> Migration:
        if new != old + 1 or (old, new) in MIGRATIONS:
            raise ValueError(f"a step from {old} to {new} cannot be registered")
        MIGRATIONS[old, new] = step
        return step

    return register


def migrate(db: sqlite3.Connection, version: int, name: str) -> None:
    """Bring a database of an older version to the present one, or leave it as it is."""
    db.execute("BEGIN IMMEDIATE")
    try:
        for old in range(version, schema.FORMAT):
            MIGRATIONS[old, old + 1](db)
        schema.require(db, schema.FORMAT, name)
        db.execute(f"PRAGMA user_version = {schema.FORMAT}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise
