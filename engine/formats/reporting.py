"""The notebook in which an importer writes what it skipped; its lines end in the report."""

from collections import Counter

from engine.formats.imported import ImportCounts, ImportReport, Switch

SHOWN = 5
"""How many skipped things of one kind are named before the rest is only counted."""


class Notebook:
    """Collects the report lines of one import."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._lines: list[str] = []
        self._warnings: list[str] = []
        self._switches: list[Switch] = []
        self._seen: Counter[tuple[str, str]] = Counter()

    def skip(self, noun: str, number: int, reason: str) -> None:
        """Note that the `number`-th thing (from 1) was skipped: "portal 3 has no bounds"."""
        self._seen[noun, reason] += 1
        if self._seen[noun, reason] <= SHOWN:
            self._lines.append(f"{self.source}: {noun} {number} {reason}, skipped.")

    def leave_out(self, count: int, noun: str, reason: str) -> None:
        """Note that `count` things were left out: "20 wall segments had no length"."""
        if count:
            self._lines.append(f"{self.source}: {quantity(count, noun)} {reason}, left out.")

    def warn(self, sentence: str) -> None:
        """Note something that came in, but perhaps not as meant."""
        self._warnings.append(f"{self.source}: {sentence}")

    def offer(self, option: str, value: bool | float | str, sentence: str) -> None:
        """Offer another value of an option."""
        self._switches.append(
            Switch(option=option, value=value, sentence=f"{self.source}: {sentence}")
        )

    def report(self, counts: ImportCounts) -> ImportReport:
        """Return what was noted as a value."""
        more = [
            f"{self.source}: {quantity(seen - SHOWN, f'more {noun}')} skipped likewise ({reason})."
            for (noun, reason), seen in self._seen.items()
            if seen > SHOWN
        ]
        return ImportReport(
            source=self.source,
            counts=counts,
            skipped=(*self._lines, *more),
            warnings=tuple(self._warnings),
            switches=tuple(self._switches),
        )


def quantity(count: int, noun: str) -> str:
    """Return "1 wall", "1,234 walls"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
