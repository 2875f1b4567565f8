"""The search: a flood over bitboards, one Python integer per cost level and layer.

Bit y * pitch + x of an integer stands for an anchor of the window. A layer is what a figure
carries from step to step beside its place: the parity of its diagonals or its facing. All figures
that stand on a level take a step at once: `(fresh & mask) << shift`.

A parity that is even never makes an odd one at the same cost needless: with difficult ground the
second diagonal may be the cheaper one later, so all layers are kept.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import accumulate
from math import sqrt
from operator import or_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Board = int
"""A set of anchors."""

ROOT = 1 << 32
"""The square root of 2 inside a cost: a + b * ROOT stands for a + b * sqrt(2), exactly. Costs are
whole numbers throughout a search, and `worth` orders them."""


def worth(cost: int) -> int | float:
    """Return the value of a cost: the number itself, or the float where roots are in it."""
    if cost < ROOT:
        return cost
    roots, rest = divmod(cost, ROOT)
    return rest + roots * sqrt(2)


class Link(NamedTuple):
    """Steps from one layer to another: from the anchors in `mask` to those `shift` bits on.

    `cost` may be 0 for steps that change the layer alone. After a step that `halts` there is no
    further one.
    """

    source: int
    target: int
    direction: int
    shift: int
    cost: int
    halts: bool
    mask: Board


@dataclass(frozen=True)
class Level:
    """The anchors that are first reached at one cost, by layer; `ended` may not go on."""

    cost: int
    live: list[Board]
    ended: list[Board]


@dataclass(frozen=True)
class Flood:
    """The levels of a search in the order of their cost."""

    layers: int
    levels: dict[int, Level] = field(default_factory=dict)


class _Group(NamedTuple):
    """Steps from one layer to another: first all the moves, then their anchors sorted by price."""

    target: int
    moves: tuple[tuple[int, Board], ...]
    prices: tuple[tuple[int, bool, Board], ...]


def pitch_of(width: int) -> int:
    """Return how many bits a row takes: whole bytes, so that arrays pack into integers."""
    return (width + 7) // 8 * 8


def boards_of(arrays: NDArray[np.bool_]) -> list[Board]:
    """Pack arrays (n, height, width) into n bitboards."""
    count, height, width = arrays.shape
    pitch = pitch_of(width)
    if pitch != width:
        wide = np.zeros((count, height, pitch), dtype=np.bool_)
        wide[:, :, :width] = arrays
        arrays = wide
    raw = np.packbits(arrays, axis=2, bitorder="little").tobytes()
    size = height * pitch // 8
    return [int.from_bytes(raw[i * size : (i + 1) * size], "little") for i in range(count)]


def array_of(boards: Sequence[Board], height: int, width: int) -> NDArray[np.uint8]:
    """Unpack bitboards into an array (n, height, width) of 0 and 1."""
    pitch = pitch_of(width)
    size = height * pitch // 8
    raw = b"".join(board.to_bytes(size, "little") for board in boards)
    bits = np.unpackbits(np.frombuffer(raw, dtype=np.uint8), bitorder="little")
    return bits.reshape(len(boards), height, pitch)[:, :, :width]


def flood(
    links: Sequence[Link],
    layers: int,
    starts: Sequence[tuple[int, int, Board]],
    budget: float,
    *,
    goal: Board = 0,
    whole_goal: bool = False,
) -> Flood:
    """Search from the starts (cost, layer, anchors) up to a budget.

    Stop early once an anchor of `goal` is settled on any layer, or with `whole_goal` once it is
    settled on all of them.
    """
    search = _Search(links, layers, budget)
    for cost, layer, board in starts:
        search.enter(cost)[0][layer] |= board
    enough = all if whole_goal else any
    while search.settle_next():
        if goal and enough(board & goal for board in search.reached()):
            break
    return Flood(layers, search.levels)


class _Search:
    """The working state of a flood."""

    def __init__(self, links: Sequence[Link], layers: int, budget: float) -> None:
        self._bias = max([0, *(-link.shift for link in links)])
        self._free = _grouped([link for link in links if link.cost == 0], layers, self._bias)
        turns = [link for link in links if link.cost != 0 and link.shift == 0]
        steps = [link for link in links if link.cost != 0 and link.shift != 0]
        self._paid = _grouped(steps, layers, self._bias)
        self._any_free = any(self._free)
        self._stays = [[link for link in turns if link.source == n] for n in range(layers)]
        self._layers = layers
        self._limit = budget + 1e-9 if isinstance(budget, float) else budget
        self._live_seen = [0] * layers
        self._ended_seen = [0] * layers
        self._pending: dict[int, tuple[list[Board], list[Board]]] = {}
        self._costs: list[tuple[float, int]] = []
        self.levels: dict[int, Level] = {}

    def enter(self, cost: int) -> tuple[list[Board], list[Board]]:
        """Return the boards (live, ended) that wait for their level."""
        if cost not in self._pending:
            self._pending[cost] = [0] * self._layers, [0] * self._layers
            heappush(self._costs, (worth(cost), cost))
        return self._pending[cost]

    def reached(self) -> list[Board]:
        """Return the anchors reached so far, by layer."""
        return [one | two for one, two in zip(self._live_seen, self._ended_seen, strict=True)]

    def settle_next(self) -> bool:
        """Fix what is reached at the lowest open cost and step on; False when nothing is open."""
        if not self._costs:
            return False
        _, cost = heappop(self._costs)
        live, ended = self._pending.pop(cost)
        for layer in range(self._layers):
            live[layer] &= ~self._live_seen[layer]
        if self._any_free:
            self._step_for_nothing(live)
        for layer in range(self._layers):
            self._live_seen[layer] |= live[layer]
            if ended[layer]:
                ended[layer] &= ~self._ended_seen[layer]
                self._ended_seen[layer] |= ended[layer]
        self.levels[cost] = Level(cost, live, ended)
        for layer, fresh in enumerate(live):
            if fresh:
                self._spread(cost, layer, fresh)
        return True

    def _spread(self, cost: int, layer: int, fresh: Board) -> None:
        for target, moves, prices in self._paid[layer]:
            moved = 0
            for shift, mask in moves:
                moved |= (fresh & mask) << shift
            if not moved:
                continue
            moved >>= self._bias
            for price, halts, where in prices:
                part = moved & where
                if part and worth(cost + price) <= self._limit:
                    self.enter(cost + price)[halts][target] |= part
        for link in self._stays[layer]:
            part = fresh & link.mask
            if part and worth(cost + link.cost) <= self._limit:
                self.enter(cost + link.cost)[link.halts][link.target] |= part

    def _step_for_nothing(self, live: list[Board]) -> None:
        """Take the free turns of a level until nothing new comes of them."""
        waiting = list(enumerate(live))
        while waiting:
            layer, fresh = waiting.pop()
            for target, moves, _ in self._free[layer] if fresh else ():
                moved = 0
                for shift, mask in moves:
                    moved |= (fresh & mask) << shift
                new = (moved >> self._bias) & ~self._live_seen[target] & ~live[target]
                live[target] |= new
                waiting.append((target, new))


def _grouped(links: Sequence[Link], layers: int, bias: int) -> list[list[_Group]]:
    """Gather links by layers, so that a level handles them together.

    All shifts are biased to the left, which saves a case distinction in the inner loop. Where the
    anchor that is entered determines the price, all prices share one round of shifts.
    """
    groups: list[list[_Group]] = [[] for _ in range(layers)]
    gathered: dict[tuple[int, int], list[Link]] = {}
    for link in links:
        gathered.setdefault((link.source, link.target), []).append(link)
    for (source, target), some in gathered.items():
        prices: dict[tuple[int, bool], Board] = {}
        for link in some:
            moved = link.mask << (link.shift + bias) >> bias
            key = (link.cost, link.halts)
            prices[key] = prices.get(key, 0) | moved
        if _disjoint(prices.values()):
            split = tuple((cost, halts, where) for (cost, halts), where in prices.items())
            groups[source].append(_Group(target, _moves(some, bias), split))
            continue
        for (cost, halts), where in prices.items():
            same = [link for link in some if (link.cost, link.halts) == (cost, halts)]
            groups[source].append(_Group(target, _moves(same, bias), ((cost, halts, where),)))
    return groups


def _moves(links: Sequence[Link], bias: int) -> tuple[tuple[int, Board], ...]:
    moves: dict[int, Board] = {}
    for link in links:
        moves[link.shift + bias] = moves.get(link.shift + bias, 0) | link.mask
    return tuple(moves.items())


def _disjoint(boards: Iterable[Board]) -> bool:
    union = 0
    for board in boards:
        if board & union:
            return False
        union |= board
    return True


def cost_array(
    found: Flood, height: int, width: int, only: Sequence[Board] | None = None
) -> NDArray[Any]:
    """Return the least cost of each anchor over all layers, -1 where none is reached.

    `only` restricts each layer to a board of anchors.
    """
    costs = [worth(cost) for cost in found.levels]
    masks = only or [-1] * found.layers
    boards = [_anywhere(level, masks) for level in found.levels.values()]
    order = np.full((height, width), len(costs), dtype=np.int64)
    covered = list(accumulate(boards, or_))
    for first in range(0, len(covered), 64):
        part = array_of(covered[first : first + 64], height, width)
        order -= part.sum(axis=0, dtype=np.uint8)
    return np.array([*costs, -1])[order]


def _anywhere(level: Level, masks: Sequence[Board]) -> Board:
    board = 0
    for live, ended, mask in zip(level.live, level.ended, masks, strict=True):
        board |= (live | ended) & mask
    return board
