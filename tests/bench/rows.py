"""One row of the benchmark table: what every bench module hands to the runner."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BenchRow:
    """A job, who does it, against whom it is timed in the same run, and what is asked of it.

    `ratio_target` is the least allowed baseline / run; `target_ms` is the aim of one run. With
    `plain_ms` it counts beside the ratio, as it is, however slow the machine. `note` may be told
    after the runs.
    """

    job: str
    run: Callable[[], object]
    baseline: Callable[[], object] | None
    ratio_target: float | None
    target_ms: float | None
    note: str | Callable[[], str] = ""
    plain_ms: bool = False
