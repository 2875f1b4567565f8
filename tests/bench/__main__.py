"""Run all benchmarks: `python -m tests.bench [--gate] [--only WORDS] [--seconds N]`.

Job and baseline take turns in rounds, since a machine moves twofold within minutes: ratios count,
milliseconds inform; for starts both count. Best times make the ratio. Rows without a baseline are
timed against a fixed kernel instead.

Rows with percentiles are what somebody waits for: a frame, a command. Each of their runs counts by
the clock on the wall, and the kernel's own percentiles tell how much of it is the machine's. Beside
them stands the processor time of the thread, which no neighbour on the machine disturbs.
"""

import argparse
import gc
import importlib
import pkgutil
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter, thread_time
from typing import NamedTuple

import numpy as np

import tests.bench
from tests.bench.rows import BenchRow, Yardstick

KERNEL_MS = 7.0
"""The kernel's time on the machine that the targets in milliseconds are meant for."""

_BLOCK = 10
"""So many single runs are timed between two of the kernel."""

_LEAST_ROUNDS, _MOST_ROUNDS = 3, 31
_WORTH_TIMING, _MOST_CALLS = 0.012, 8


class Timing(NamedTuple):
    """Times of one row in milliseconds, round by round, and what went wrong, if anything."""

    run: list[float]
    against: list[float]
    problem: str = ""
    kernel: list[float] = []
    processor: list[float] = []

    @property
    def ratio(self) -> float:
        """How many times longer the baseline, or the kernel, takes: best time against best time.

        On a busy machine medians favour the shorter of two jobs, which is interrupted less. Where
        single runs count they are medians all the same: the best frame is not what one sees.
        """
        if self.processor:
            return median(self.against) / median(self.run)
        return min(self.against) / min(self.run)


def kernel() -> float:
    """Do a fixed piece of work, half in numpy and half in Python."""
    values = np.sin(np.arange(100_000.0))
    values.sort()
    total = float(np.maximum.accumulate(values).sum())
    for number in range(40_000):
        total += number % 7
    return total


def time_row(row: BenchRow, seconds: float) -> Timing:
    """Time a row's job and its baseline, or the kernel, in turns."""
    # What the rows before left in memory is none of this one's business.
    gc.collect()
    gc.freeze()
    if row.limits:
        return _time_singles(row)
    if row.target_ms is None and row.ratio_target is None:
        return _run_once(row)
    other = row.baseline or kernel
    try:
        first, second = _once(row.run), _once(other)
    except Exception as error:  # noqa: BLE001  (one broken row must not hide the others)
        return Timing([], [], f"{type(error).__name__}: {error}"[:60])
    timing = Timing([], [])
    started = perf_counter()
    while len(timing.run) < _MOST_ROUNDS:
        timing.run.append(_best(row.run, first) * 1e3)
        timing.against.append(_best(other, second) * 1e3)
        if len(timing.run) >= _LEAST_ROUNDS and perf_counter() - started > seconds:
            break
    return timing


def _run_once(row: BenchRow) -> Timing:
    """Run a row that asks for nothing but to come to its end."""
    try:
        return Timing([_once(row.run) * 1e3], [_once(kernel) * 1e3])
    except Exception as error:  # noqa: BLE001  (one broken row must not hide the others)
        return Timing([], [], f"{type(error).__name__}: {error}"[:60])


def _time_singles(row: BenchRow) -> Timing:
    """Time every single run of a row, and its baseline and the kernel in between."""
    timing = Timing([], [], "", [], [])
    work = (row.yardstick or _KERNEL).work
    try:
        for number in range(-1, row.runs):
            if row.prepare is not None:
                row.prepare()
            processor, spent = thread_time(), _once(row.run)
            if number < 0:
                # The first one builds what the others remember, and no run is charged for it: the
                # program sets aside what an opened encounter brings as well.
                gc.collect()
                gc.freeze()
                continue
            timing.processor.append((thread_time() - processor) * 1e3)
            timing.run.append(spent * 1e3)
            if number % _BLOCK == 0:
                timing.kernel.append(_once(work) * 1e3)
                timing.against.append(_once(row.baseline) * 1e3 if row.baseline else 0.0)
    except Exception as error:  # noqa: BLE001  (one broken row must not hide the others)
        return Timing([], [], f"{type(error).__name__}: {error}"[:60])
    if row.baseline is None:
        timing.against[:] = timing.kernel
    return timing


def _best(job: Callable[[], object], expected: float) -> float:
    """Return the best of a few calls: short jobs must not be judged by who else is running."""
    calls = min(max(round(_WORTH_TIMING / max(expected, 1e-6)), 1), _MOST_CALLS)
    return min(_once(job) for _ in range(calls))


def _once(job: Callable[[], object]) -> float:
    started = perf_counter()
    job()
    return perf_counter() - started


_KERNEL = Yardstick(kernel, KERNEL_MS)


def _keeps_limits(row: BenchRow, timing: Timing) -> bool:
    """Tell whether all percentiles are kept, more of a slower machine's milliseconds allowed.

    How slow it is the kernel's median tells for medians, and for those in the tail its own tail:
    whoever shares the machine interrupts both.
    """
    usual = (row.yardstick or _KERNEL).ms
    for percent, ms in row.limits:
        slower = max(1.0, float(np.percentile(timing.kernel, min(percent, 95))) / usual)
        if np.percentile(timing.run, percent) > ms * slower:
            return False
    return True


def verdict(row: BenchRow, timing: Timing) -> bool | None:
    """Tell whether a row meets its target; None if its milliseconds have nothing to go by.

    A ratio decides where there is one, with plain milliseconds beside it if the row says so.
    Without a baseline milliseconds do, more of them on a slower machine. A row without any target
    only has to run to its end.
    """
    if timing.problem or (row.limits and not _keeps_limits(row, timing)):
        return False
    if row.plain_ms and row.target_ms is not None and median(timing.run) > row.target_ms:
        return False
    if row.ratio_target is not None and row.baseline is not None:
        return timing.ratio >= row.ratio_target
    if row.target_ms is None:
        return True
    if row.baseline is not None:
        return None
    slower = max(1.0, median(timing.against) / KERNEL_MS)
    return median(timing.run) <= row.target_ms * slower


def modules() -> list[str]:
    """Return the names of all bench modules."""
    found = pkgutil.iter_modules(tests.bench.__path__)
    return sorted(each.name for each in found if each.name.startswith("bench_"))


def line(row: BenchRow, timing: Timing, met: bool | None) -> str:
    """Return a row of the table."""
    word = {True: "yes", False: "NO", None: "-"}[met]
    if timing.problem:
        return f"{row.job:<86} {timing.problem:<62} {word:>4}"
    times = "".join(f"{value:>9.2f}" for value in _spread(timing.run))
    ratio = f"{timing.ratio:.2f}x" if row.baseline else f"{1 / timing.ratio:.2f} kernels"
    told = row.note() if callable(row.note) else row.note
    wanted = [f"p{percent} <= {ms:g} ms" for percent, ms in row.limits]
    note = "; ".join(each for each in (_percentiles(row, timing), told) if each)
    if row.ratio_target is not None:
        wanted.append(f">= {row.ratio_target:.3g}x")
    if row.target_ms is not None:
        wanted.append(f"<= {row.target_ms:g} ms")
    return f"{row.job:<86}{times}{ratio:>14}  {', '.join(wanted):<30}{word:>4}  {note}"


def _percentiles(row: BenchRow, timing: Timing) -> str:
    """Tell the percentiles that a row is judged by, by both clocks."""
    if not row.limits:
        return ""
    ranks = sorted({50, 95, *(percent for percent, _ in row.limits)})
    told = [
        ", ".join(f"p{rank} {np.percentile(times, rank):.1f}" for rank in ranks)
        for times in (timing.run, timing.processor)
    ]
    return f"{told[0]} of {len(timing.run)}; processor {told[1]}"


def _spread(values: list[float]) -> tuple[float, float, float]:
    return median(values), min(values), max(values)


def main(arguments: list[str]) -> int:
    """Print the table; return 1 if a gate was asked for and missed."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--gate", action="store_true", help="fail if a target is missed")
    parser.add_argument("--only", default="", help="rows whose job or module holds these words")
    parser.add_argument("--seconds", type=float, default=1.5, help="time for each row")
    options = parser.parse_args(arguments)
    head = f"{'job':<86}{'median':>9}{'min':>9}{'max':>9}{'ratio':>14}  {'target':<30}{'met':>4}"
    print(head, "-" * len(head), sep="\n")
    missed = 0
    for name in modules():
        for row in importlib.import_module(f"tests.bench.{name}").rows():
            if options.only.lower() not in f"{name} {row.job}".lower():
                continue
            timing = time_row(row, options.seconds)
            met = verdict(row, timing)
            missed += met is False
            print(line(row, timing, met), flush=True)
    print(f"\n{missed} missed" if missed else "\nall met")
    return 1 if missed and options.gate else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
