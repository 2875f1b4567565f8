"""The search: a flood over bitboards, one Python integer per cost level and layer.

Bit y * pitch + x of an integer stands for an anchor of the window. A layer is what a figure
carries from step to step beside its place: the parity of its diagonals or its facing. All figures
that stand on a level take a step at once: `(fresh & mask) << shift`.

A parity that is even never makes an odd one at the same cost needless: with difficult ground the
second diagonal may be the cheaper one later, so all layers are kept.
"""

from collections.abc import Sequence
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

ROOT = 1 << 24
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
    target: int
    cost: int
    halts: bool
    moves: tuple[tuple[int, Board], ...]


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
        self._groups, self._bias = _grouped(links, layers)
        self._free = [[group for group in each if group.cost == 0] for each in self._groups]
        self._paid = [[group for group in each if group.cost != 0] for each in self._groups]
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
        if any(self._free):
            self._step_for_nothing(live, ended)
        for layer in range(self._layers):
            self._live_seen[layer] |= live[layer]
            ended[layer] &= ~self._ended_seen[layer]
            self._ended_seen[layer] |= ended[layer]
        self.levels[cost] = Level(cost, live, ended)
        for layer, fresh in enumerate(live):
            if fresh:
                self._spread(cost, layer, fresh)
        return True

    def _spread(self, cost: int, layer: int, fresh: Board) -> None:
        for target, price, halts, moves in self._paid[layer]:
            later = cost + price
            if worth(later) > self._limit:
                continue
            moved = 0
            for shift, mask in moves:
                moved |= (fresh & mask) << shift
            if moved:
                self.enter(later)[halts][target] |= moved >> self._bias

    def _step_for_nothing(self, live: list[Board], ended: list[Board]) -> None:
        """Take the free steps of a level until nothing new comes of them."""
        waiting = list(enumerate(live))
        while waiting:
            layer, fresh = waiting.pop()
            for target, _, halts, moves in self._free[layer] if fresh else ():
                moved = 0
                for shift, mask in moves:
                    moved |= (fresh & mask) << shift
                moved >>= self._bias
                if halts:
                    ended[target] |= moved
                    continue
                new = moved & ~self._live_seen[target] & ~live[target]
                live[target] |= new
                waiting.append((target, new))


def _grouped(links: Sequence[Link], layers: int) -> tuple[list[list[_Group]], int]:
    """Gather links that differ in nothing but the way, so that a level handles them together.

    All shifts are biased to the left, which saves a case distinction in the inner loop.
    """
    bias = max([0, *(-link.shift for link in links)])
    gathered: dict[tuple[int, int, int, bool], list[tuple[int, Board]]] = {}
    for link in links:
        if link.mask:
            key = (link.source, link.target, link.cost, link.halts)
            gathered.setdefault(key, []).append((link.shift + bias, link.mask))
    groups: list[list[_Group]] = [[] for _ in range(layers)]
    for (source, target, cost, halts), moves in gathered.items():
        groups[source].append(_Group(target, cost, halts, tuple(moves)))
    return groups, bias


def cost_array(found: Flood, height: int, width: int) -> NDArray[Any]:
    """Return the least cost of each anchor over all layers, -1 where none is reached."""
    costs = [worth(cost) for cost in found.levels]
    boards = [_anywhere(level) for level in found.levels.values()]
    order = np.full((height, width), len(costs), dtype=np.int64)
    covered = list(accumulate(boards, or_))
    for first in range(0, len(covered), 64):
        part = array_of(covered[first : first + 64], height, width)
        order -= part.sum(axis=0, dtype=np.uint8)
    return np.array([*costs, -1])[order]


def _anywhere(level: Level) -> Board:
    board = 0
    for one in (*level.live, *level.ended):
        board |= one
    return board
