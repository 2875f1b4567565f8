"""The cells that a straight line between two cell centres crosses, in exact integers."""

from collections.abc import Callable
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.space import Cell

Span = tuple[int, int]
Ints = NDArray[np.int64]

_ASIDE = np.arange(-1, 3)
"""A cell that the line meets is within 4 / 3 of it along the axis on which it advances less."""


class Crossed(NamedTuple):
    """What many lines cross: the line and the entry of each cell (n, 2), in the order of entries.

    Entries are numbered in the order of lines and along each of them.
    """

    line: Ints
    entry: Ints
    cells: Ints


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


def all_crossings(starts: Ints, ends: Ints, strips: Ints) -> Crossed:
    """Return what `crossings` does for many lines between cells (n, 2) at once.

    The coordinates of a cell's strips are its own times `strips` (k, 2), as they are linear.
    """
    way = ends - starts
    line, cells = _along(way)
    slopes = way @ strips.T
    steps = np.where(slopes == 0, 1, slopes)
    unit = np.lcm.reduce(np.abs(steps), axis=1)
    middle, scale = cells @ strips.T, (unit[:, None] // steps)[line]
    one, other = (middle - 1) * scale, (middle + 1) * scale
    # Along a strip the line is within it all the time or never.
    level = (slopes == 0)[line]
    near = np.where(level, np.where(np.abs(middle) > 1, 1, 0), np.minimum(one, other))
    far = np.where(level, np.where(np.abs(middle) > 1, 0, unit[line, None]), np.maximum(one, other))
    first, last = np.maximum(near.max(axis=1), 0), np.minimum(far.min(axis=1), unit[line])
    met = first <= last
    return _in_entries(line[met], first[met], last[met], cells[met], starts)


def _along(way: Ints) -> tuple[Ints, Ints]:
    """Return lines and, as offsets from their starts, the cells (m, 2) that they may meet."""
    size = np.abs(way)
    upright = size[:, 1] > size[:, 0]
    length = size.max(axis=1)
    line = np.repeat(np.arange(len(way)), length + 1)
    step = np.arange(len(line)) - np.repeat(np.cumsum(length + 1) - length - 1, length + 1)
    long, short = np.where(upright, way.T[::-1], way.T)
    beside = short[line] * step // np.maximum(length, 1)[line]
    ahead = np.repeat(step * np.sign(long)[line], len(_ASIDE))
    aside = (beside[:, None] + _ASIDE).ravel()
    line = np.repeat(line, len(_ASIDE))
    return line, np.where(upright[line], (aside, ahead), (ahead, aside)).T


def _in_entries(line: Ints, first: Ints, last: Ints, cells: Ints, starts: Ints) -> Crossed:
    """Sort cells by when their lines meet them; those met in the same span are one entry."""
    order = np.lexsort((cells[:, 1], cells[:, 0], last, first, line))
    line, first, last, cells = line[order], first[order], last[order], cells[order]
    fresh = np.ones(len(line), dtype=np.bool_)
    fresh[1:] = (np.diff(line) != 0) | (np.diff(first) != 0) | (np.diff(last) != 0)
    entry = np.cumsum(fresh) - 1
    alone = fresh & np.append(fresh[1:], np.True_) & (first == last)
    if alone.any():
        # A hex corner that is only touched: it shares the point with both hexes beside.
        turn = int(last.max()) + 1
        points = (line * turn + first)[alone]
        more = []
        for at in (first, last):
            key = line * turn + at
            place = np.minimum(points.searchsorted(key), len(points) - 1)
            joins = np.flatnonzero((points[place] == key) & ~alone)
            more.append((joins, entry[alone][place[joins]]))
        index = np.concatenate((np.arange(len(line)), *(joins for joins, _ in more)))
        entry = np.concatenate((entry, *(into for _, into in more)))
        order = np.lexsort((cells[index, 1], cells[index, 0], entry))
        entry, index = entry[order], index[order]
        line, cells = line[index], cells[index]
    return Crossed(line, entry, cells + starts[line])
