"""A second opinion on movement: plain Dijkstra over plain dictionaries, written for the tests.

It shares nothing with the engine but the values that describe a case. Slow and obvious.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from heapq import heappop, heappush

from engine.geometry.stepfield import StepField, step_field
from engine.geometry.stride import Ahead, Charge, Combine, CornerCut, Diagonal, Share, Stride
from engine.grid.facing import direction_ahead, front_directions
from engine.grid.grid import Grid, grid_of
from engine.model.space import Cell, GridKind

SQUARES = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
HEXES = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


@dataclass
class Case:
    """A random board in dictionaries; cells that are missing are plain."""

    grid: Grid
    closed: set[Cell] = field(default_factory=set)
    walls: set[frozenset[Cell]] = field(default_factory=set)
    rough: dict[Cell, int] = field(default_factory=dict)
    surcharge: dict[Cell, int] = field(default_factory=dict)
    halts: set[Cell] = field(default_factory=set)
    ground: dict[Cell, float] = field(default_factory=dict)

    @property
    def steps(self) -> list[tuple[int, int]]:
        return HEXES if self.grid.kind.is_hex else SQUARES

    def field(self) -> StepField:
        def walled(cell: Cell, number: int) -> bool:
            dx, dy = self.steps[number]
            return frozenset({cell, Cell(cell.x + dx, cell.y + dy)}) in self.walls

        return step_field(
            self.grid,
            passable=lambda cell: cell not in self.closed,
            blocked=walled,
            rough=self.rough,
            surcharge=self.surcharge,
            halts=dict.fromkeys(self.halts, True),
            ground=self.ground or None,
        )

    def open(self, cell: Cell) -> bool:
        return self.grid.contains(cell) and cell not in self.closed

    def wall(self, a: Cell, b: Cell) -> bool:
        """Tell whether the step from a to b is walled; the board knows its own cells' steps."""
        return self.grid.contains(a) and frozenset({a, b}) in self.walls


def random_case(rng: random.Random, kind: GridKind, side: int = 7) -> Case:
    """Draw a small board: closed cells, walls between cells, rough ground, zones, heights."""
    grid = grid_of(kind, rng.randint(2, side), rng.randint(2, side))
    case = Case(grid)
    cells = list(grid.cells())
    closed, walled, rough = rng.choice([0, 0.1, 0.3]), rng.choice([0, 0.1]), rng.choice([0, 0.4])
    zones, high = rng.choice([0, 0, 0.2]), rng.choice([0, 0, 0.3])
    for cell in cells:
        if rng.random() < closed:
            case.closed.add(cell)
        if rng.random() < rough:
            case.rough[cell] = rng.choice([2, 2, 3])
        if rng.random() < zones:
            case.surcharge[cell] = rng.randint(1, 2)
        if rng.random() < zones:
            case.halts.add(cell)
        if rng.random() < high:
            case.ground[cell] = rng.choice([0.5, 1.0, 2.0, 3.0])
        for dx, dy in case.steps:
            if rng.random() < walled:
                case.walls.add(frozenset({cell, Cell(cell.x + dx, cell.y + dy)}))
    return case


def climb(rise: float) -> int | None:
    """Price a climb for the tests: half a cell is free, more than 2 up impossible."""
    if rise > 2:
        return None
    return 0 if abs(rise) <= 0.5 else int(abs(rise)) if rise > 0 else 1


class Oracle:
    """All the costs from one stand, by plain Dijkstra over (cell, parity, facing)."""

    def __init__(self, case: Case, stride: Stride) -> None:
        self.case = case
        self.stride = stride
        self.grid = case.grid

    def covered(self, cell: Cell, facing: int) -> list[Cell]:
        return list(self.stride.footprint.cells_at(self.grid, cell, facing))

    def costs(self, start: Cell, facing: int = 0, parity: int = 0, budget: float = 1e9):
        """Return {anchor: least cost}, halting stands included."""
        turning = self.stride.facing is not None
        if turning:
            allowed = self.stride.footprint.facings(self.grid)
            while facing % 12 not in allowed:
                facing += 1
            facing %= 12
        best: dict[tuple[Cell, int, int], float] = {}
        found: dict[Cell, float] = {}
        queue = [(0.0, start, parity, facing, False)]
        while queue:
            cost, cell, odd, looks, over = heappop(queue)
            found.setdefault(cell, cost)
            key = (cell, odd, looks)
            if over or key in best:
                continue
            best[key] = cost
            for price, *after in self.moves(cell, odd, looks):
                if cost + price <= budget + 1e-9:
                    heappush(queue, (cost + price, *after))
        return found

    def moves(self, cell: Cell, odd: int, looks: int):
        rules = self.stride.facing
        for number, (dx, dy) in enumerate(self.case.steps):
            if rules is not None and not self.may_go(number, looks):
                continue
            price = self.price(cell, looks, number, odd)
            if price is None:
                continue
            target = Cell(cell.x + dx, cell.y + dy)
            diagonal = len(self.case.steps) == 8 and number % 2 == 1
            after = (1 - odd) if diagonal else 0 if self.stride.reset_on_orthogonal else odd
            fresh = set(self.covered(target, looks)) - set(self.covered(cell, looks))
            over = bool(fresh & self.case.halts)
            yield price, target, after, looks, over
            if rules is not None:
                for new in self.turns(target, looks, rules.free_turns):
                    yield price, target, after, new, over
        if rules is not None and rules.turn_cost is not None:
            for new in self.turns(cell, looks, 1):
                yield rules.turn_cost, cell, odd, new, False

    def may_go(self, number: int, looks: int) -> bool:
        ahead = self.stride.facing.ahead
        front = front_directions(self.grid, looks)
        straight = direction_ahead(self.grid, looks)
        if ahead is Ahead.ANY:
            return True
        return number in (front if ahead is Ahead.FRONT or straight is None else (straight,))

    def turns(self, cell: Cell, looks: int, count: int):
        for sense in (2, -2):
            here = looks
            for _ in range(count):
                new = (here + sense) % 12
                if not self.can_swing(cell, here, new):
                    break
                here = new
                yield new

    def can_swing(self, cell: Cell, before: int, after: int) -> bool:
        old, new = self.covered(cell, before), self.covered(cell, after)
        if set(old) == set(new):
            return True
        for start, end in zip(old, new, strict=True):
            path = self.grid.path(start, end)
            for one, two in zip(path, path[1:], strict=False):
                if self.case.wall(one, two):
                    return False
            if any(c not in old and not self.case.open(c) for c in path):
                return False
        return not self.cut(new, set(new) - set(old))

    def cut(self, cells: list[Cell], fresh: set[Cell]) -> bool:
        straight = self.case.steps[:: 2 if len(self.case.steps) == 8 else 1]
        return any(
            Cell(c.x + dx, c.y + dy) in cells
            and (
                self.case.wall(c, Cell(c.x + dx, c.y + dy))
                or self.case.wall(Cell(c.x + dx, c.y + dy), c)
            )
            for c in fresh
            for dx, dy in straight
        )

    def price(self, cell: Cell, looks: int, number: int, odd: int) -> float | None:
        dx, dy = self.case.steps[number]
        old = self.covered(cell, looks)
        new = [Cell(c.x + dx, c.y + dy) for c in old]
        fresh, gone = set(new) - set(old), set(old) - set(new)
        diagonal = len(self.case.steps) == 8 and number % 2 == 1
        if not all(self.case.open(c) for c in fresh):
            return None
        if any(self.case.wall(a, b) for a, b in zip(old, new, strict=True)) or self.cut(new, fresh):
            return None
        if diagonal and not self.corner(old, dx, dy):
            return None
        base = self.base(odd) if diagonal else 1
        paid = fresh if self.stride.charge is Charge.ENTERING else gone
        rough = self.shared([self.case.rough.get(c, 1) for c in paid])
        cost = {
            Combine.ADD: base + rough - 1,
            Combine.MULTIPLY: base * rough,
            Combine.MAX: max(base, rough),
        }[self.stride.combine]
        cost += max(self.case.surcharge.get(c, 0) for c in fresh)
        if self.case.ground and self.stride.climb is not None:
            rise = self.height(new) - self.height(old)
            if rise:
                up = self.stride.climb(rise)
                if up is None:
                    return None
                cost += up
        return cost

    def height(self, cells: list[Cell]) -> float:
        return max(self.case.ground.get(c, 0.0) for c in cells)

    def base(self, odd: int) -> float:
        return {
            Diagonal.ALTERNATING: 1 + odd,
            Diagonal.ALWAYS_DOUBLE: 2,
            Diagonal.CHEBYSHEV: 1,
            Diagonal.EUCLID: 2**0.5,
        }[self.stride.diagonal]

    def shared(self, costs: list[int]) -> int:
        if self.stride.share is Share.ANY:
            return max(costs)
        if self.stride.share is Share.ALL:
            return min(costs)
        enough = [k for k in set(costs) if 2 * sum(c >= k for c in costs) > len(costs)]
        return max(enough)

    def corner(self, old: list[Cell], dx: int, dy: int) -> bool:
        if self.stride.corner_cut is CornerCut.FREE:
            return True
        far = max(dx * c.x + dy * c.y for c in old)
        for c in old:
            if dx * c.x + dy * c.y < far:
                continue
            goal = Cell(c.x + dx, c.y + dy)
            sides = [
                self.case.open(side)
                and not self.case.wall(c, side)
                and not self.case.wall(side, goal)
                for side in (Cell(c.x + dx, c.y), Cell(c.x, c.y + dy))
            ]
            enough = all if self.stride.corner_cut is CornerCut.BOTH_OPEN else any
            if not enough(sides):
                return False
        return True
