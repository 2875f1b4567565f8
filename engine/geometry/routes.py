"""Routes of a token over a board: walls, ground and other figures, made ready for a search.

A ruleset says how a token moves (`MovementRules`); this module lays the board's walls and
terrain under it and asks `movement` for the way. Whose turn it is and what is left of a budget
is the ruleset's business.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from engine.geometry.arrays import Ints, bounding_boxes
from engine.geometry.boards import wall_set
from engine.geometry.memo import Kept, Memo
from engine.geometry.movement import Path, Reach, best_path, reach
from engine.geometry.segments import NUDGE, WallSet
from engine.geometry.stepfield import Bools, Floats, Layout, StepField, layout_of, step_field
from engine.geometry.stride import Cost, Diagonal, Stand, Stride
from engine.geometry.terrain import terrain_of
from engine.grid.footprint import footprint_named, token_cells
from engine.grid.grid import Grid, board_grid
from engine.model.board import GridSpec
from engine.model.encounter import Encounter
from engine.model.refusal import Rejection
from engine.model.space import Cell, Facing
from engine.model.token import Token

_FEW_LINES = 64
"""More changed lines than these, and all steps are asked for again."""

_STEP = 2.0
"""Cells. No step reaches a wall farther away than this."""


@dataclass(frozen=True, slots=True)
class MovementRules:
    """How one token moves now.

    `budget` is what is left of its movement, None without end; `parity` counts its diagonals so
    far this turn. Nobody enters `closed` cells or ends on `held` ones. `rough` overrides what the
    terrain says a step costs, `surcharge` adds to it, whoever enters one of `halts` must stop;
    `zones` names both in reasons.
    """

    stride: Stride
    budget: Cost | None = None
    parity: int = 0
    terrain: bool = True
    closed: frozenset[Cell] = frozenset()
    held: frozenset[Cell] = frozenset()
    rough: Mapping[Cell, int] = field(default_factory=dict)
    surcharge: Mapping[Cell, int] = field(default_factory=dict)
    halts: frozenset[Cell] = frozenset()
    zones: Mapping[Cell, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Route:
    """A walk from the first cell to the last, its price, and what stands in its way.

    `path` is the priced way if there is one; without one `cells` is the straight walk, for the
    GM to overrule.
    """

    cells: tuple[Cell, ...]
    facing: Facing
    path: Path | None
    refusals: tuple[Rejection, ...] = ()


def free_rules(encounter: Encounter, token: Token) -> MovementRules:
    """Return the rules outside a fight: every step costs 1, only walls and closed ground bar it."""
    footprint = footprint_named(encounter.board.grid.kind, token.footprint)
    stride = Stride(footprint=footprint, diagonal=Diagonal.CHEBYSHEV)
    return MovementRules(stride=stride, terrain=False)


def free_route(encounter: Encounter, token: Token, waypoints: Sequence[Cell]) -> Route:
    """Return the shortest walk over way-points outside a fight."""
    return route(encounter, token, waypoints, free_rules(encounter, token))


def route(
    encounter: Encounter, token: Token, waypoints: Sequence[Cell], rules: MovementRules
) -> Route:
    """Return the cheapest walk over way-points and what the rules have against it."""
    here = Stand(token.cell, token.facing, rules.parity)
    if not waypoints:
        return Route((token.cell,), token.facing, None)
    *via, target = waypoints
    ground = field_of(encounter, rules)
    path = best_path(ground, rules.stride, here, target, via=via)
    if path is None:
        cells = _straight(ground.grid, token.cell, waypoints)
        against = _barred(encounter, token, cells, ground, rules.held)
        return Route(cells, token.facing, None, (against,))
    refusals: tuple[Rejection, ...] = ()
    if rules.budget is not None and path.cost > rules.budget:
        label = ground.grid.label(target)
        refusals = (
            Rejection(
                code="too_far",
                sentence=f"{token.name} needs {_plain(path.cost)} to {label} and has "
                f"{_plain(rules.budget)} left.",
                cell=target,
                token_id=token.id,
            ),
        )
    return Route(path.cells, path.end.facing, path, refusals)


def reach_of(encounter: Encounter, token: Token, rules: MovementRules) -> Reach:
    """Return where the token gets to with its budget; without one, as far as the board goes."""
    grid = board_grid(encounter.board.grid)
    budget = 2 * (grid.columns + grid.rows) if rules.budget is None else rules.budget
    stand = Stand(token.cell, token.facing, rules.parity)
    return reach(field_of(encounter, rules), rules.stride, stand, budget)


def field_of(encounter: Encounter, rules: MovementRules) -> StepField:
    """Return the ground of a board as one token meets it."""
    board = encounter.board
    grid = board_grid(board.grid)
    terrain = terrain_of(board)
    passable = ~terrain.impassable
    rough = terrain.step_cost if rules.terrain else np.ones_like(terrain.step_cost)
    may_end = np.ones_like(passable)
    passable = _marked(passable, terrain.layout, rules.closed)
    may_end = _marked(may_end, terrain.layout, rules.held)
    for cell, cost in rules.rough.items():
        place = terrain.layout.element(cell)
        if place is not None:
            rough = rough.copy() if not rough.flags.writeable else rough
            rough[place] = max(cost, rough[place])
    return step_field(
        grid,
        passable=passable,
        blocked=_BLOCKED(board.grid, wall_set(board)),
        rough=rough,
        surcharge=rules.surcharge,
        halts=dict.fromkeys(rules.halts, True),
        ground=terrain.height if rules.terrain and terrain.height.any() else None,
        may_end=may_end,
        names=terrain.names,
        zones=rules.zones,
    )


def _marked(array: Bools, layout: Layout, cells: frozenset[Cell]) -> Bools:
    """Return a copy that is false at these cells."""
    marked = array.copy()
    flat = np.fromiter(chain.from_iterable(cells), np.int64, 2 * len(cells))
    columns, rows = flat[::2] - layout.left, flat[1::2] - layout.top
    height, width = array.shape
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    marked[rows[inside], columns[inside]] = False
    return marked


def _blocked(latest: Kept[Bools] | None, spec: GridSpec, walls: WallSet) -> Bools:
    """Return for every direction and cell whether the step is walled.

    After a door moved or a wall was drawn only the steps around it are asked for again.
    """
    grid = board_grid(spec)
    layout = layout_of(grid)
    cells, centers = _CELLS(spec)
    found = np.zeros((len(grid.directions), layout.height, layout.width), dtype=np.bool_)
    if latest is not None and latest.sources[0] == spec:
        lines = walls.changed_since(latest.sources[1], "moves")
        if len(lines) <= _FEW_LINES:
            near = _around(centers, lines)
            found, cells, centers = latest.result.copy(), cells[near], centers[near]
    if not len(cells):
        return found
    rows, columns = cells[:, 1] - layout.top, cells[:, 0] - layout.left
    found[:, rows, columns] = False
    if not len(walls):
        return found
    points = _points_around(grid, walls, cells)
    starts = points[rows + 1, columns + 1]
    for direction in grid.directions:
        ends = points[rows + 1 + direction.dy, columns + 1 + direction.dx]
        found[direction.number, rows, columns] = walls.crosses_movement(starts, ends)
    return found


def _points_around(grid: Grid, walls: WallSet, cells: Ints) -> Floats:
    """Return where one stands on the given cells and their neighbours, (rows + 2, columns + 2, 2).

    The array begins one row and one column before the layout's; other places hold nothing.
    """
    layout = layout_of(grid)
    rows, columns = cells[:, 1] - layout.top + 1, cells[:, 0] - layout.left + 1
    asked = np.zeros((layout.height + 2, layout.width + 2), dtype=np.bool_)
    asked[rows, columns] = True
    for direction in grid.directions:
        asked[rows + direction.dy, columns + direction.dx] = True
    points = np.zeros((*asked.shape, 2))
    rows, columns = np.nonzero(asked)
    corner = (layout.left - 1, layout.top - 1)
    centers = grid.centers(np.stack((columns, rows), axis=1) + corner)
    points[rows, columns] = _off_walls(walls, centers)
    return points


def _cells(_: Kept[tuple[Ints, Floats]] | None, spec: GridSpec) -> tuple[Ints, Floats]:
    """Return the cells of a board and their centres."""
    grid = board_grid(spec)
    cells = grid.cells_in(grid.bounds)
    return cells, grid.centers(cells)


def _around(points: Floats, segs: Floats) -> Bools:
    """Tell which points lie so near to a segment (n, 2, 2) that it may block a step from there."""
    near = np.zeros(len(points), dtype=np.bool_)
    for left, top, right, bottom in bounding_boxes(segs).T.tolist():
        low, high = (left - _STEP, top - _STEP), (right + _STEP, bottom + _STEP)
        near |= ((points >= low) & (points <= high)).all(axis=1)
    return near


def _off_walls(walls: WallSet, points: Floats) -> Floats:
    """Return cell centres, those that lie on a wall moved a hair's breadth to one side of it.

    A wall through the middle of a cell thus gives the whole cell to one of its sides, always the
    same, as it does when the wall passes beside the middle.
    """
    moved = points.copy()
    for shift in ((-0.6, -0.8), (0.8, -0.6)):
        on_wall = walls.crosses_movement(moved, moved)
        moved[on_wall] = points[on_wall] + np.array(shift) * NUDGE
    return moved


def _straight(grid: Grid, start: Cell, waypoints: Sequence[Cell]) -> tuple[Cell, ...]:
    cells = [start]
    for target in waypoints:
        cells.extend(grid.path(cells[-1], target)[1:])
    return tuple(cells)


def occupied_by(encounter: Encounter, token: Token, cell: Cell, held: frozenset[Cell]) -> Rejection:
    """Say who stands where a token would come to stand; `held` are the cells that are taken."""
    grid = board_grid(encounter.board.grid)
    taken = held.intersection(token_cells(grid, token.changed(cell=cell)))
    other = _standing_on(encounter, token, taken)
    who = "Somebody" if other is None else other.name
    return Rejection(
        code="occupied",
        sentence=f"{who} stands on {grid.label(min(taken) if taken else cell)}.",
        cell=cell,
        token_id=token.id,
    )


def _standing_on(encounter: Encounter, token: Token, cells: frozenset[Cell]) -> Token | None:
    """Return another token that covers one of these cells."""
    grid = board_grid(encounter.board.grid)
    return next(
        (
            each
            for each in encounter.tokens.values()
            if each.id != token.id and not cells.isdisjoint(token_cells(grid, each))
        ),
        None,
    )


def _barred(
    encounter: Encounter,
    token: Token,
    cells: tuple[Cell, ...],
    ground: StepField,
    held: frozenset[Cell],
) -> Rejection:
    """Say why there is no way at all: where it ends, or what stands in the straight way."""
    grid, target = ground.grid, cells[-1]
    if not held.isdisjoint(token_cells(grid, token.changed(cell=target))):
        return occupied_by(encounter, token, target, held)
    if grid.contains(target) and not ground.is_passable(target):
        return _closed(encounter, token, target)
    for here, there in zip(cells, cells[1:], strict=False):
        direction = grid.step_between(here, there)
        if direction is None:
            continue
        if ground.is_blocked(here, direction.number):
            start, end = grid.center(here), grid.center(there)
            hits = wall_set(encounter.board).movement_blockers(start, end)
            return Rejection(
                code="walled",
                sentence=f"There is no way for {token.name}: a wall stands between "
                f"{grid.label(here)} and {grid.label(there)}.",
                cell=there,
                token_id=token.id,
                wall_id=hits[0] if hits else None,
            )
        if not ground.is_passable(there):
            return _closed(encounter, token, there)
    return Rejection(
        code="no_way",
        sentence=f"There is no way for {token.name} to {grid.label(target)}.",
        cell=target,
        token_id=token.id,
    )


def _closed(encounter: Encounter, token: Token, cell: Cell) -> Rejection:
    """Say why nobody enters a cell: who bars it, or what ground it is."""
    label = board_grid(encounter.board.grid).label(cell)
    other = _standing_on(encounter, token, frozenset((cell,)))
    ground = terrain_of(encounter.board).names.get(cell, "")
    if other is not None:
        what = f"{other.name} bars {label}"
    else:
        what = f"nobody enters {label}" + (f" ({ground})" if ground else "")
    return Rejection(
        code="closed_ground",
        sentence=f"There is no way for {token.name}: {what}.",
        cell=cell,
        token_id=token.id,
    )


def _plain(cost: Cost) -> str:
    return f"{cost:.2f}".rstrip("0").rstrip(".") if isinstance(cost, float) else str(cost)


_BLOCKED: Memo[Bools] = Memo(_blocked)
_CELLS: Memo[tuple[Ints, Floats]] = Memo(_cells)
