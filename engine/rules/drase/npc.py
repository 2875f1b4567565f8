"""NPC Average Hit: how many of a group's attacks hit, without dice (section 9).

Exact fractions throughout. Criticals are ignored, damage is static.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from engine.rules.drase.data import Book, ChartRow


@dataclass(frozen=True, slots=True)
class Average:
    """What the chart says of some attackers: their differences, the rows used, the hits."""

    hits: int
    total: Fraction
    rows: tuple[tuple[int, int, ChartRow, Fraction], ...]
    """(difference, attackers, row, rate), the largest difference first."""


def worth(book: Book, stacks: int) -> int:
    """Return what net bonuses are worth on average: 3 for the first, 1 for each further one.

    Maluses are negative. (Step 2; clarification 4: bonuses minus maluses first.)
    """
    if stacks == 0:
        return 0
    size = book.number("npc_first") + (abs(stacks) - 1) * book.number("npc_further")
    return size if stacks > 0 else -size


def difference(book: Book, to_hit: int, number: int, attacker: int = 0, defender: int = 0) -> int:
    """Return D: the number to reach minus the attack, with net stacks of both sides."""
    return number - to_hit - worth(book, attacker) + worth(book, defender)


def row_for(book: Book, gap: int) -> tuple[ChartRow, Fraction]:
    """Return the row of the chart for a difference and its hits per attacker.

    The chart names 1 twice; the table rule `npc_D1` says which row it takes.
    """
    chart = book.chart
    if gap == 1 and book.options.npc_D1 == "x2":
        return chart[-1], chart[-1].rate
    for row in chart:
        low = row.lowest is None or gap >= row.lowest
        high = row.highest is None or gap <= row.highest
        if low and high:
            return row, row.rate
    return chart[-1], chart[-1].rate


def average(book: Book, gaps: dict[int, int]) -> Average:
    """Return the hits of attackers by their difference: {D: how many}.

    Like attackers count together; where the ground gives some of them another D, the exact
    shares are added before the one rounding down, so nobody's fraction is lost or doubled.
    """
    rows = []
    total = Fraction(0)
    for gap in sorted(gaps, reverse=True):
        row, rate = row_for(book, gap)
        rows.append((gap, gaps[gap], row, rate))
        total += gaps[gap] * rate
    attackers = sum(gaps.values())
    hits = max(book.number("npc_least"), floor(total)) if attackers else 0
    return Average(hits, total, tuple(rows))
