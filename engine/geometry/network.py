"""The links between the anchors of a window: what each step costs on which layer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import chain
from operator import or_
from typing import NamedTuple

from engine.geometry.bitboard import Board, Frame, Window, moved
from engine.geometry.flood import ROOT, Group, Move, Price, worth
from engine.geometry.shape import Shape, shape_of, swing_of
from engine.geometry.stepfield import StepField
from engine.geometry.steps import Part, Steps
from engine.geometry.stride import Ahead, Combine, Diagonal, FacingRules, Stand, Stride
from engine.grid.facing import direction_ahead, front_directions
from engine.grid.grid import Direction, Grid
from engine.model.space import Cell, Facing

TURN = -1
"""The direction of a link that turns a figure where it stands."""


class Link(NamedTuple):
    """Steps of one price from one layer to another: from the anchors in `mask`, `shift` bits on."""

    source: int
    target: int
    direction: int
    shift: int
    cost: int
    halts: bool
    mask: Board


@dataclass(frozen=True, eq=False)
class Network:
    """All steps of a figure within a window.

    `facings[i]` is the facing on layer i; without facing rules the layers are parities instead
    and `facings` holds the one facing that the figure keeps.
    """

    grid: Grid
    frame: Frame
    layers: int
    facings: tuple[Facing, ...]
    groups: tuple[Group, ...]
    turns: bool

    @cached_property
    def links_into(self) -> dict[tuple[int, bool], tuple[Link, ...]]:
        """Return the links by target layer and whether they halt."""
        found: dict[tuple[int, bool], list[Link]] = {}
        for source, target, moves, prices in self.groups:
            for direction, shift, mask in moves:
                for cost, halts, where in prices:
                    from_here = mask & moved(where, -shift)
                    link = Link(source, target, direction, shift, cost, halts, from_here)
                    found.setdefault((target, halts), []).append(link)
        return {key: tuple(links) for key, links in found.items()}

    def layer_of(self, stand: Stand) -> int:
        """Return the layer on which a figure starts."""
        if not self.turns:
            return stand.parity % self.layers
        return _nearest(self.facings, stand.facing)

    def facing_on(self, layer: int) -> Facing:
        """Return the facing that a layer stands for."""
        return self.facings[layer] if self.turns else self.facings[0]


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


def _frame(shapes: Sequence[Shape], window: Window) -> Frame:
    """Return the frame around a window that holds all that a figure asks for."""
    far = max(abs(part) for shape in shapes for cell in shape.cells for part in cell)
    return Frame(window, far + 1)


def _with_parity(
    field: StepField, stride: Stride, facing: Facing, window: Window, budget: float
) -> Network:
    grid = field.grid
    shape = shape_of(grid, stride, facing)
    frame = _frame([shape], window)
    pricing = _Pricing(Steps(field, stride, frame), stride, budget)
    layers = 2 if alternates(grid, stride) else 1
    groups: list[Group] = []
    for diagonal in (False, True):
        ways = [direction for direction in grid.directions if direction.diagonal == diagonal]
        for parity in range(layers if ways else 0):
            base = diagonal_base(stride, parity) if diagonal else 1
            after = parity_after(stride, ways[0], parity) if layers == 2 else 0
            groups += pricing.groups(shape, ways, base, parity, after)
    return Network(grid, frame, layers, (facing,), tuple(groups), turns=False)


def _with_facing(
    field: StepField, stride: Stride, rules: FacingRules, window: Window, budget: float
) -> Network:
    grid = field.grid
    facings = stride.footprint.facings(grid)
    shapes = [shape_of(grid, stride, facing) for facing in facings]
    frame = _frame(shapes, window)
    ground = Steps(field, stride, frame)
    pricing = _Pricing(ground, stride, budget)
    swings = _Swings(grid, ground, shapes)
    groups: list[Group] = []
    for layer, (facing, shape) in enumerate(zip(facings, shapes, strict=True)):
        ways = [grid.directions[number] for number in _ways(grid, rules.ahead, facing)]
        for target, swing in swings.within(layer, rules.free_turns):
            made = pricing.groups(shape, ways, 1, layer, target)
            groups += made if swing is None else [_turned(group, swing) for group in made]
        if rules.turn_cost is not None and rules.turn_cost <= budget:
            price = Price(rules.turn_cost, halts=False, where=frame.inner)
            for target, swing in swings.within(layer, 1)[1:]:
                turn = Move(TURN, 0, frame.inner if swing is None else swing)
                groups.append(Group(layer, target, (turn,), (price,)))
    return Network(grid, frame, len(facings), facings, tuple(groups), turns=True)


def _turned(group: Group, swing: Board) -> Group:
    """Return the steps after which a figure has room to turn."""
    prices = (price._replace(where=price.where & swing) for price in group.prices)
    return group._replace(prices=tuple(prices))


class _Pricing:
    """Gathers the steps of figures in groups of one layer to another, as the flood takes them."""

    def __init__(self, ground: Steps, stride: Stride, budget: float) -> None:
        self._ground = ground
        self._stride = stride
        self._limit = budget + 1e-9
        self._allowed: dict[tuple[tuple[Cell, ...], int], Board] = {}
        self._parts: dict[tuple[tuple[Cell, ...], int], list[Part]] = {}

    @cached_property
    def _targets(self) -> list[Part]:
        return self._ground.targets()

    def groups(
        self, shape: Shape, ways: Sequence[Direction], base: int, source: int, target: int
    ) -> list[Group]:
        """Return the steps in some directions that by themselves cost `base`."""
        if self._ground.priced_by_target(shape):
            moves = [self._move(way, self._entering(shape, way)) for way in ways]
            prices = self._prices(self._targets, base)
            return [Group(source, target, tuple(moves), tuple(prices))] if prices else []
        return [
            Group(source, target, tuple(moves), tuple(prices))
            for moves, prices in self._gathered(shape, ways, base)
        ]

    def _gathered(
        self, shape: Shape, ways: Sequence[Direction], base: int
    ) -> Iterable[tuple[list[Move], list[Price]]]:
        """Yield moves and prices: together if what is entered tells the price, else one by one."""
        found: dict[tuple[int, bool], list[Move]] = {}
        for way in ways:
            for cost, halts, anchors in self._prices(self._steps(shape, way), base):
                found.setdefault((cost, halts), []).append(self._move(way, anchors))
        entered = {
            key: reduce(or_, [moved(move.mask, move.shift) for move in moves])
            for key, moves in found.items()
        }
        prices = [Price(*key, where) for key, where in entered.items()]
        if not _disjoint(entered.values()):
            for price in prices:
                yield found[price.cost, price.halts], [price]
        elif prices:
            masks: dict[tuple[int, int], Board] = {}
            for direction, shift, mask in chain.from_iterable(found.values()):
                masks[direction, shift] = masks.get((direction, shift), 0) | mask
            yield [Move(*key, mask) for key, mask in masks.items()], prices

    def _move(self, way: Direction, anchors: Board) -> Move:
        return Move(way.number, self._ground.frame.shift(way.dx, way.dy), anchors)

    def _entering(self, shape: Shape, way: Direction) -> Board:
        key = shape.cells, way.number
        if key not in self._allowed:
            self._allowed[key] = self._ground.allowed(shape, way)
        return self._allowed[key]

    def _steps(self, shape: Shape, way: Direction) -> list[Part]:
        key = shape.cells, way.number
        if key not in self._parts:
            self._parts[key] = self._ground.parts(shape, way)
        return self._parts[key]

    def _prices(self, parts: Iterable[Part], base: int) -> list[Price]:
        """Return the prices of parts up to the budget."""
        found: dict[tuple[int, bool], Board] = {}
        for part in parts:
            cost = combined(self._stride, base, part.rough) + part.extra
            if worth(cost) <= self._limit:
                key = cost, part.halts
                found[key] = found.get(key, 0) | part.anchors
        return [Price(cost, halts, anchors) for (cost, halts), anchors in found.items()]


def _disjoint(boards: Iterable[Board]) -> bool:
    union = 0
    for board in boards:
        if board & union:
            return False
        union |= board
    return True


class _Swings:
    """Where a figure may turn by hexsides: bitboards, None for everywhere."""

    def __init__(self, grid: Grid, ground: Steps, shapes: Sequence[Shape]) -> None:
        self._count = len(shapes)
        self._single: dict[tuple[int, int], Board | None] = {}
        for layer, shape in enumerate(shapes):
            for sense in (1, -1):
                after = shapes[(layer + sense) % self._count]
                rigid = shape.cells == after.cells
                swing = None if rigid else ground.swings(swing_of(grid, shape.cells, after.cells))
                self._single[layer, sense] = swing

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


def combined(stride: Stride, base: int, rough: int) -> int:
    """Join the price of a step and of the ground (Drase 6.1), both as the flood counts."""
    match stride.joins:
        case Combine.ADD:
            return base + rough - 1
        case Combine.MULTIPLY:
            return base * rough
        case _ if base == ROOT and rough > 1:
            return rough
        case _:
            return max(base, rough)
