"""The links between the anchors of a window: step tables turned into bitboards."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.geometry.flood import ROOT, Board, Link, boards_of, pitch_of, worth
from engine.geometry.stepfield import StepField
from engine.geometry.steptable import StepTable, Window, step_table, turn_table
from engine.geometry.stride import Ahead, Diagonal, FacingRules, Stand, Stride
from engine.grid.facing import direction_ahead, front_directions
from engine.grid.footprint import Turning
from engine.grid.grid import Direction, Grid
from engine.model.space import Cell, Facing

TURN = -1
"""The direction of a link that turns a figure where it stands."""


@dataclass(frozen=True, eq=False)
class Network:
    """All steps of a figure within a window.

    `facings[i]` is the facing on layer i; without facing rules the layers are parities instead
    and `facings` holds the one facing that the figure keeps.
    """

    window: Window
    layers: int
    facings: tuple[Facing, ...]
    links: tuple[Link, ...]
    tables: tuple[StepTable, ...]
    turns: bool

    @cached_property
    def pitch(self) -> int:
        """Return how many bits a row takes."""
        return pitch_of(self.window.width)

    @cached_property
    def links_into(self) -> dict[tuple[int, bool], tuple[Link, ...]]:
        """Return the links by target layer and whether they halt."""
        found: dict[tuple[int, bool], list[Link]] = {}
        for link in self.links:
            found.setdefault((link.target, link.halts), []).append(link)
        return {key: tuple(links) for key, links in found.items()}

    def layer_of(self, stand: Stand) -> int:
        """Return the layer on which a figure starts."""
        if not self.turns:
            return stand.parity % self.layers
        return _nearest(self.facings, stand.facing)

    def facing_on(self, layer: int) -> Facing:
        """Return the facing that a layer stands for."""
        return self.facings[layer] if self.turns else self.facings[0]

    def table_on(self, layer: int) -> StepTable:
        """Return the steps that a figure on a layer can take."""
        return self.tables[layer] if self.turns else self.tables[0]

    def bit(self, cell: Cell) -> int:
        """Return the number of an anchor's bit."""
        return (cell.y - self.window.top) * self.pitch + cell.x - self.window.left

    def cell(self, bit: int) -> Cell:
        """Return the anchor of a bit."""
        row, column = divmod(bit, self.pitch)
        return Cell(self.window.left + column, self.window.top + row)


def network(
    field: StepField, stride: Stride, facing: Facing, window: Window, budget: float
) -> Network:
    """Build the links of a figure; those dearer than the budget are left out.

    Raise ValueError for facing rules on squares.
    """
    if stride.facing is None:
        return _with_parity(field, stride, facing, window, budget)
    if not field.grid.kind.is_hex:
        raise ValueError("Turning costs movement on hexes only.")
    return _with_facing(field, stride, stride.facing, window, budget)


def alternates(grid: Grid, stride: Stride) -> bool:
    """Tell whether the parity of diagonals matters."""
    return not grid.kind.is_hex and stride.diagonal is Diagonal.ALTERNATING


def diagonal_base(stride: Stride, parity: int) -> int:
    """Return what a diagonal step costs by itself, as the flood counts."""
    match stride.diagonal:
        case Diagonal.ALTERNATING:
            return 1 + parity
        case Diagonal.ALWAYS_DOUBLE:
            return 2
        case Diagonal.CHEBYSHEV:
            return 1
        case _:
            return ROOT


def parity_after(stride: Stride, direction: Direction, parity: int) -> int:
    """Return the parity of the diagonals after a step."""
    if direction.diagonal:
        return 1 - parity
    return 0 if stride.reset_on_orthogonal else parity


def _with_parity(
    field: StepField, stride: Stride, facing: Facing, window: Window, budget: float
) -> Network:
    grid = field.grid
    table = step_table(field, stride, facing, window)
    pitch = pitch_of(window.width)
    layers = 2 if alternates(grid, stride) else 1
    steps: list[tuple[int, int, Direction, int]] = []
    for parity in range(layers):
        for direction in grid.directions:
            base = diagonal_base(stride, parity) if direction.diagonal else 1
            after = parity_after(stride, direction, parity) if layers == 2 else 0
            steps.append((parity, after, direction, base))
    kinds = list(dict.fromkeys((direction.number, base) for _, _, direction, base in steps))
    priced = _priced(table, kinds, budget)
    links = tuple(
        Link(source, target, d.number, d.dy * pitch + d.dx, cost, halts, mask)
        for source, target, d, base in steps
        for cost, halts, mask in priced[d.number, base]
    )
    return Network(window, layers, (facing,), links, (table,), turns=False)


def _with_facing(
    field: StepField, stride: Stride, rules: FacingRules, window: Window, budget: float
) -> Network:
    grid = field.grid
    facings = stride.footprint.facings(grid)
    rigid = stride.footprint.turning is Turning.FIXED
    tables: list[StepTable] = []
    for facing in facings:
        known = tables and rigid
        tables.append(tables[0] if known else step_table(field, stride, facing, window))
    kinds: list[tuple[int, int]] = [(d.number, 1) for d in grid.directions]
    shared = _priced(tables[0], kinds, budget) if rigid else None
    priced = [shared or _priced(table, kinds, budget) for table in tables]
    swings = _Swings(field, stride, window, facings)
    pitch = pitch_of(window.width)
    links: list[Link] = []
    for layer, facing in enumerate(facings):
        for number in _ways(grid, rules.ahead, facing):
            direction = grid.directions[number]
            shift = direction.dy * pitch + direction.dx
            for cost, halts, mask in priced[layer][number, 1]:
                for target, swing in swings.within(layer, rules.free_turns):
                    turned = mask if swing is None else mask & _moved(swing, -shift)
                    links.append(Link(layer, target, number, shift, cost, halts, turned))
        if rules.turn_cost is not None and rules.turn_cost <= budget:
            for target, swing in swings.within(layer, 1)[1:]:
                everywhere = swings.everywhere if swing is None else swing
                links.append(Link(layer, target, TURN, 0, rules.turn_cost, False, everywhere))
    return Network(window, len(facings), facings, tuple(links), tuple(tables), turns=True)


class _Swings:
    """Where a figure may turn by hexsides: bitboards, None for everywhere."""

    def __init__(
        self, field: StepField, stride: Stride, window: Window, facings: Sequence[Facing]
    ) -> None:
        count = len(facings)
        self.everywhere = boards_of(np.ones((1, window.height, window.width), dtype=np.bool_))[0]
        self._single: dict[tuple[int, int], Board | None] = {}
        for layer, facing in enumerate(facings):
            for sense in (1, -1):
                after = facings[(layer + sense) % count]
                where = turn_table(field, stride, window, facing, after)
                board = None if where is None else boards_of(where[np.newaxis])[0]
                self._single[layer, sense] = board
        self._count = count

    def within(self, layer: int, turns: int) -> list[tuple[int, Board | None]]:
        """Return the layers at most some hexsides away, the own one first, and where."""
        found: dict[int, Board | None] = {layer: None}
        for sense in (1, -1):
            here, where = layer, None
            for _ in range(min(turns, self._count // 2)):
                where = _both(where, self._single[here, sense])
                here = (here + sense) % self._count
                found[here] = _either(found[here], where) if here in found else where
        return list(found.items())


def _both(a: Board | None, b: Board | None) -> Board | None:
    if a is None or b is None:
        return b if a is None else a
    return a & b


def _either(a: Board | None, b: Board | None) -> Board | None:
    return None if a is None or b is None else a | b


def _moved(board: Board, shift: int) -> Board:
    return board << shift if shift >= 0 else board >> -shift


def _ways(grid: Grid, ahead: Ahead, facing: Facing) -> tuple[int, ...]:
    """Return the directions in which a figure with a facing may step."""
    if ahead is Ahead.ANY:
        return tuple(direction.number for direction in grid.directions)
    straight = direction_ahead(grid, facing)
    if ahead is Ahead.FRONT or straight is None:
        return front_directions(grid, facing)
    return (straight,)


def _nearest(facings: Sequence[Facing], facing: Facing) -> int:
    """Return the place of a facing, or of the next clockwise one that the figure can take."""
    return min(range(len(facings)), key=lambda i: (facings[i] - facing) % 12)


_Priced = dict[tuple[int, int], list[tuple[int, bool, Board]]]


def _priced(table: StepTable, kinds: Sequence[tuple[int, int]], budget: float) -> _Priced:
    """Return, for each direction and base cost, the boards of the anchors by price and halt."""
    directions = [direction for direction, _ in kinds]
    prices = table.prices(directions, [base for _, base in kinds])
    allowed = table.allowed[directions]
    halting = None if table.halts is None else table.halts[directions]
    found: _Priced = {kind: [] for kind in kinds}
    for price in _values(prices, budget):
        where = allowed & (prices == price)
        parts = [(False, where)]
        if halting is not None:
            parts = [(False, where & ~halting), (True, where & halting)]
        for halts, part in parts:
            for kind, board in zip(kinds, boards_of(part), strict=True):
                if board:
                    found[kind].append((price, halts, board))
    return found


def _values(prices: NDArray[Any], budget: float) -> Iterable[int]:
    """Return the prices that occur, or might, up to the budget."""
    if not prices.size:
        return ()
    low, high = int(prices.min()), int(prices.max())
    few = range(low, high + 1) if high - low < 16 else np.unique(prices).tolist()
    return [price for price in few if worth(price) <= budget + 1e-9]
