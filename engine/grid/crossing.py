"""The cells that a straight line between two cell centres crosses, in exact integers."""

from collections.abc import Callable
from math import lcm

from engine.model.space import Cell

Span = tuple[int, int]


def crossings(
    a: Cell,
    b: Cell,
    strips: Callable[[Cell], tuple[int, ...]],
    around: tuple[tuple[int, int], ...],
) -> tuple[tuple[Cell, ...], ...]:
    """Return the entries of `Grid.crossed`.

    `strips` gives the integer coordinates in which a closed cell is everything within 1 of its
    centre; `around` are the offsets of the neighbours.
    """
    spans = _spans(a, b, strips, around)
    entries: dict[Span, list[Cell]] = {}
    for cell, span in spans.items():
        entries.setdefault(span, []).append(cell)
    for span, cells in entries.items():
        if span[0] == span[1] and len(cells) == 1:
            # A hex corner that the line touches on its way from one hex into the next: it
            # shares the point with both.
            cells += [
                cell for cell, other in spans.items() if span[0] in other and cell != cells[0]
            ]
    return tuple(tuple(sorted(entries[span])) for span in sorted(entries))


def _spans(
    a: Cell,
    b: Cell,
    strips: Callable[[Cell], tuple[int, ...]],
    around: tuple[tuple[int, int], ...],
) -> dict[Cell, Span]:
    """Return when the line enters and leaves each closed cell it meets, in a common integer unit.

    Cells that meet the line in the same span share a border or a corner with it.
    """
    origin = strips(a)
    slopes = tuple(end - start for start, end in zip(origin, strips(b), strict=True))
    unit = lcm(*(abs(slope) for slope in slopes if slope)) if a != b else 1
    found: dict[Cell, Span] = {}
    waiting, seen = [a], {a}
    while waiting:
        cell = waiting.pop()
        span = _span(origin, slopes, strips(cell), unit)
        if span is None:
            continue
        found[cell] = span
        for dx, dy in around:
            other = Cell(cell.x + dx, cell.y + dy)
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return found


def _span(
    origin: tuple[int, ...], slopes: tuple[int, ...], cell: tuple[int, ...], unit: int
) -> Span | None:
    first, last = 0, unit
    for start, slope, middle in zip(origin, slopes, cell, strict=True):
        if slope == 0:
            if abs(start - middle) > 1:
                return None
            continue
        scale = unit // slope
        near, far = sorted(((middle - 1 - start) * scale, (middle + 1 - start) * scale))
        first, last = max(first, near), min(last, far)
        if first > last:
            return None
    return first, last
