"""A command from the click to both Views: decided, made durable, projected for GM and players.

Each is timed alone. `python -m tests.bench.bench_command` tells what each kind of them takes.
"""

import atexit
import sqlite3
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from engine.model.audience import GM, PLAYERS, Stage, StageMode
from engine.rules.registry import register
from engine.session import Session
from tests.bench.__main__ import KERNEL_MS, kernel
from tests.bench.orders import (
    IN_A_FIGHT,
    ON_THE_MAP,
    OVER_THE_HISTORY,
    Order,
    Orders,
    carry_out,
    crowd,
    opening,
)
from tests.bench.rows import BenchRow, Limit, Yardstick
from tests.helpers.toy import TOY

COMMANDS = 400
SEED = 7
LIMITS = (Limit(50, 5), Limit(99, 30))
MIXES = {"toy": ON_THE_MAP, "drase": IN_A_FIGHT}

BARE_MS = 1.0
"""What a bare transaction takes on the machine that the targets are meant for."""


@cache
def folder() -> Path:
    """Return a folder for the documents, gone at the end."""
    made = TemporaryDirectory(prefix="battlemat-bench-")
    atexit.register(made.cleanup)
    return Path(made.name)


class Table:
    """A session that two windows watch, and the requests that come one after the other."""

    def __init__(self, name: str, ruleset: str, *, waits: bool = True) -> None:
        register(TOY)
        self.session = Session.create(folder() / f"{name}.battlemat", crowd(ruleset))
        atexit.register(self.session.close)
        if not waits:
            self.session.document._db.execute("PRAGMA synchronous = OFF")
        self.session.set_stage(Stage(mode=StageMode.LIVE))
        for audience in (GM, PLAYERS):
            self.session.observe(audience, lambda _before, _after: None)
        for command in opening(self.session.encounter):
            self.session.execute(command)
        self._asked = Orders((*MIXES[ruleset], *OVER_THE_HISTORY), SEED)
        self.kind = ""
        self._order: Order = ""

    def prepare(self) -> None:
        """Make the next request for the moment."""
        self.kind, self._order = self._asked.following(self.session)

    def run(self) -> None:
        """Carry it out."""
        carry_out(self.session, self._order)


def bare_transaction() -> Callable[[], object]:
    """Return what writes one line of a plain database durably, as the document does."""
    database = sqlite3.connect(folder() / "bare.sqlite", isolation_level=None)
    atexit.register(database.close)
    database.execute("PRAGMA journal_mode = TRUNCATE")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE lines (id INTEGER PRIMARY KEY, body BLOB)")
    numbers = count()

    def write() -> None:
        database.execute("INSERT INTO lines VALUES (?, ?)", (next(numbers), bytes(400)))

    return write


def with_disk() -> Yardstick:
    """Return the kernel with a bare transaction: a slow disk is not the engine's fault either."""
    write = bare_transaction()

    def work() -> None:
        kernel()
        write()

    return Yardstick(work, KERNEL_MS + BARE_MS)


def rows() -> list[BenchRow]:
    """Give the rows of this module."""
    known: dict[str, Table] = {}

    def row(job: str, name: str, ruleset: str, yardstick: Yardstick | None) -> BenchRow:
        def table() -> Table:
            if name not in known:
                known[name] = Table(name, ruleset, waits=yardstick is not None)
            return known[name]

        return BenchRow(
            job=job,
            run=lambda: table().run(),
            baseline=None,
            ratio_target=None,
            target_ms=None,
            limits=LIMITS,
            runs=COMMANDS,
            prepare=lambda: table().prepare(),
            yardstick=yardstick,
        )

    disk = with_disk()
    told = "both Views, 1,000 tokens, 1,000 walls"
    return [
        row(f"command, durable: {told}", "map", "toy", disk),
        row(f"command, durable: Drase, {told}", "fight", "drase", disk),
        row("command, the disk not waited for: on the map", "map-undurable", "toy", None),
        row(
            "command, the disk not waited for: in a fight",
            "fight-undurable",
            "drase",
            None,
        ),
    ]


def main() -> None:
    """Print what each kind of request takes."""
    for ruleset in MIXES:
        table, times = Table(f"kinds-{ruleset}", ruleset, waits=False), defaultdict(list)
        for _ in range(COMMANDS):
            table.prepare()
            started = perf_counter()
            table.run()
            times[table.kind].append((perf_counter() - started) * 1e3)
        print(f"{ruleset}, the disk not waited for")
        for kind, taken in sorted(times.items(), key=lambda each: -sum(each[1])):
            middle, late = np.percentile(taken, (50, 95))
            print(f"  {kind:<20} {len(taken):4} median {middle:6.1f}  p95 {late:6.1f} ms")


if __name__ == "__main__":
    main()
