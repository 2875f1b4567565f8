"""The search: a flood over bitboards, one Python integer per cost level and layer.

A layer is what a figure
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

from engine.geometry.bitboard import Board, Frame

ROOT = 1 << 32
"""The square root of 2 inside a cost: a + b * ROOT stands for a + b * sqrt(2), exactly. Costs are
whole numbers throughout a search, and `worth` orders them."""


def worth(cost: int) -> int | float:
    """Return the value of a cost: the number itself, or the float where roots are in it."""
    if cost < ROOT:
        return cost
    roots, rest = divmod(cost, ROOT)
    return rest + roots * sqrt(2)


class Move(NamedTuple):
    """A step in one direction: from the anchors in `mask` to those `shift` bits on."""

    direction: int
    shift: int
    mask: Board


class Price(NamedTuple):
    """What it costs to enter the anchors in `where`; after a step that halts there is no other.

    The cost may be 0 for steps that change the layer alone.
    """

    cost: int
    halts: bool
    where: Board


class Group(NamedTuple):
    """Steps from one layer to another whose price only depends on the anchor that is entered.

    A level takes all the moves first and then sorts what it enters by price.
    """

    source: int
    target: int
    moves: tuple[Move, ...]
    prices: tuple[Price, ...]


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


def flood(
    groups: Sequence[Group],
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
    search = _Search(groups, layers, budget)
    for cost, layer, board in starts:
        search.enter(cost)[0][layer] |= board
    enough = all if whole_goal else any
    while search.settle_next():
        if goal and enough(board & goal for board in search.reached()):
            break
    return Flood(layers, search.levels)


_Ready = tuple[int, list[tuple[int, Board]], tuple[Price, ...]]
"""A group's target, its moves with biased shifts, and its prices."""


class _Search:
    """The working state of a flood."""

    def __init__(self, groups: Sequence[Group], layers: int, budget: float) -> None:
        # Shifts are biased to the left, which saves a case distinction in the inner loop.
        self._bias = max([0, *(-move.shift for group in groups for move in group.moves)])
        self._free: list[list[_Ready]] = [[] for _ in range(layers)]
        self._paid: list[list[_Ready]] = [[] for _ in range(layers)]
        self._stays: list[list[tuple[int, int, Board]]] = [[] for _ in range(layers)]
        for source, target, moves, prices in groups:
            if prices[0].cost == 0:
                self._free[source].append(self._ready(target, moves, prices))
            elif moves[0].shift == 0:
                self._stays[source].append((target, prices[0].cost, moves[0].mask))
            else:
                self._paid[source].append(self._ready(target, moves, prices))
        self._any_free = any(self._free)
        self._layers = layers
        self._limit = budget + 1e-9 if isinstance(budget, float) else budget
        self._live_seen = [0] * layers
        self._ended_seen = [0] * layers
        self._pending: dict[int, tuple[list[Board], list[Board]]] = {}
        self._costs: list[tuple[float, int]] = []
        self.levels: dict[int, Level] = {}

    def _ready(self, target: int, moves: Iterable[Move], prices: tuple[Price, ...]) -> _Ready:
        return target, [(move.shift + self._bias, move.mask) for move in moves], prices

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
        limit, pending = self._limit, self._pending
        for target, moves, prices in self._paid[layer]:
            moved = 0
            for shift, mask in moves:
                moved |= (fresh & mask) << shift
            if not moved:
                continue
            moved >>= self._bias
            for price, halts, where in prices:
                part = moved & where
                later = cost + price
                if part and (later <= limit or worth(later) <= limit):
                    (pending.get(later) or self.enter(later))[halts][target] |= part
        for target, price, mask in self._stays[layer]:
            part = fresh & mask
            later = cost + price
            if part and (later <= limit or worth(later) <= limit):
                (pending.get(later) or self.enter(later))[0][target] |= part

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


def cost_array(found: Flood, frame: Frame, only: Sequence[Board] | None = None) -> NDArray[Any]:
    """Return the least cost of each anchor of a window over all layers, -1 where none is reached.

    `only` restricts each layer to a board of anchors.
    """
    costs = [worth(cost) for cost in found.levels]
    masks = only or [-1] * found.layers
    covered = list(accumulate((_anywhere(level, masks) for level in found.levels.values()), or_))
    order = np.full((frame.window.height, frame.window.width), len(costs), dtype=np.int64)
    for first in range(0, len(covered), 64):
        order -= frame.unpack(covered[first : first + 64]).sum(axis=0, dtype=np.uint8)
    return np.array([*costs, -1])[order]


def _anywhere(level: Level, masks: Sequence[Board]) -> Board:
    board = 0
    for live, ended, mask in zip(level.live, level.ended, masks, strict=True):
        board |= (live | ended) & mask
    return board
