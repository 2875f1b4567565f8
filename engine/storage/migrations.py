"""Steps from one format version to the next.

Each step is a small function, registered once and tested against a file of its old version that is
kept for ever. It changes the tables and their contents inside a transaction of the caller; the
result must have the DDL of the next version in `schema`.
"""

import sqlite3
from collections.abc import Callable, Mapping

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


def migrate(
    db: sqlite3.Connection,
    version: int,
    goal: int = schema.FORMAT,
    steps: Mapping[tuple[int, int], Migration] = MIGRATIONS,
) -> None:
    """Bring a database of `version` to `goal` in one transaction, or leave it as it is."""
    db.execute("BEGIN IMMEDIATE")
    try:
        for old in range(version, goal):
            steps[old, old + 1](db)
        db.execute(f"PRAGMA user_version = {goal}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
