"""One row of the benchmark table: what every bench module hands to the runner."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple


class Limit(NamedTuple):
    """So many percent of all single runs must take no longer than this."""

    percent: int
    ms: float


class Yardstick(NamedTuple):
    """A fixed piece of work that tells how slow this machine is, and what it takes on ours."""

    work: Callable[[], object]
    ms: float


@dataclass(frozen=True, slots=True)
class BenchRow:
    """A job, who does it, against whom it is timed in the same run, and what is asked of it.

    `ratio_target` is the least allowed baseline / run; `target_ms` is the aim of one run. With
    `plain_ms` it counts beside the ratio, as it is, however slow the machine. With `limits` every
    single run counts, as somebody waits for it who sits at the table: they are percentiles of
    `runs` runs, by the clock on the wall. `prepare` is done before each of these and not timed;
    `yardstick` takes the place of the kernel. `note` may be told after the runs.
    """

    job: str
    run: Callable[[], object]
    baseline: Callable[[], object] | None
    ratio_target: float | None
    target_ms: float | None
    note: str | Callable[[], str] = ""
    plain_ms: bool = False
    limits: tuple[Limit, ...] = ()
    runs: int = 200
    prepare: Callable[[], object] | None = None
    yardstick: Yardstick | None = None


def later(made: Callable[[], Callable[[], object]]) -> Callable[[], object]:
    """Return a job that is set up when it is run for the first time."""
    built = cache(made)

    def run() -> object:
        return built()()

    return run
