"""What a single step costs, and why, in words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engine.geometry.flood import worth
from engine.geometry.network import diagonal_base
from engine.geometry.stepfield import StepField
from engine.geometry.steptable import (
    Edge,
    Shape,
    StepTable,
    combined,
    corner_sides,
    shape_of,
)
from engine.geometry.stride import Charge, Combine, CornerCut, Diagonal, Stand, Stride
from engine.grid.footprint import Turning
from engine.grid.grid import Direction, Grid
from engine.model.space import Cell, Facing


class Priced(NamedTuple):
    """A step's cost as the flood counts it, the reasons beyond a plain 1, and if it must stop."""

    cost: int
    reasons: tuple[str, ...]
    halts: bool


def priced(
    field: StepField, table: StepTable, cell: Cell, direction: Direction, parity: int
) -> Priced:
    """Return what a step from an anchor costs; whether it is allowed is not asked."""
    stride, shape = table.stride, table.shape
    at = (direction.number, cell.y - table.window.top, cell.x - table.window.left)
    base = diagonal_base(stride, parity) if direction.diagonal else 1
    entered = _at(cell, shape.entered[direction.number])
    circular = stride.diagonal is Diagonal.CIRCULAR
    reasons = [] if base == 1 or circular else [_diagonal(stride, base)]
    cost = base
    rough = 1 if table.rough is None else int(table.rough[at])
    if rough > 1:
        cost = int(combined(stride, base, rough))
        entering = stride.charge is Charge.ENTERING
        paid = entered if entering else _at(cell, shape.left[direction.number])
        same = [c for c in paid if field.at(field.rough, c) == rough]
        name = _named(field.names, same, "difficult ground")
        reasons.append(f"{name} {_factor(stride, rough)}")
    if table.surcharge is not None and table.surcharge[at]:
        cost += int(table.surcharge[at])
        same = [c for c in entered if field.at(field.surcharge, c) == table.surcharge[at]]
        reasons.append(f"{_named(field.zones, same, 'zone')} +{table.surcharge[at]}")
    if table.climb is not None and table.climb[at]:
        cost += int(table.climb[at])
        rise = _rise(field, shape, cell, direction)
        reasons.append(f"{'climb' if rise > 0 else 'descent'} {abs(rise):g} +{table.climb[at]}")
    halts = table.halts is not None and bool(table.halts[at])
    if halts:
        same = [c for c in entered if field.at(field.halts, c)]
        reasons.append(f"{_named(field.zones, same, 'zone')}: must stop")
    return Priced(cost, tuple(reasons), halts)


def facing_after(grid: Grid, stride: Stride, start: Stand, direction: Direction) -> Facing:
    """Return where a figure looks that turns freely: the way it goes, if its cells allow that."""
    if stride.footprint.turning is Turning.FIXED:
        return stride.footprint.aligned(grid, direction.facing)
    return start.facing


def why_not(
    field: StepField, stride: Stride, facing: Facing, cell: Cell, direction: Direction
) -> str | None:
    """Return in a sentence why a step is forbidden, None if it is not."""
    shape = shape_of(field.grid, stride, facing)
    number = direction.number
    closed = (c for c in _at(cell, shape.entered[number]) if not field.is_passable(c))
    entered = next(closed, None)
    if entered is not None:
        on_board = field.grid.contains(entered)
        label = field.grid.label(entered)
        return f"{label} cannot be entered." if on_board else "The board ends there."
    if _walled(field, cell, [(c, number) for c in shape.cells]):
        return "A wall stands in the way."
    if _walled(field, cell, shape.inner[number]):
        return "A wall would cut through the figure."
    if direction.diagonal and not _rounds_corner(field, stride, shape, cell, direction):
        return "The corner is blocked."
    rise = round(_rise(field, shape, cell, direction), 9)
    if field.ground is not None and stride.climb and rise and stride.climb(rise) is None:
        return f"A {'climb' if rise > 0 else 'drop'} of {abs(rise):g} cells is too much."
    return None


def _rounds_corner(
    field: StepField, stride: Stride, shape: Shape, cell: Cell, direction: Direction
) -> bool:
    if stride.corner_cut is CornerCut.FREE:
        return True
    enough = all if stride.corner_cut is CornerCut.BOTH_OPEN else any
    return all(
        enough(
            field.is_passable(side) and not _walled(field, Cell(0, 0), edges)
            for side, edges in corner_sides(field.grid, leading, direction)
        )
        for leading in _at(cell, shape.leading[direction.number])
    )


def _walled(field: StepField, cell: Cell, edges: Iterable[Edge]) -> bool:
    return any(
        field.is_blocked(Cell(cell.x + c.x, cell.y + c.y), direction) for c, direction in edges
    )


def _at(cell: Cell, offsets: Sequence[Cell]) -> list[Cell]:
    return [Cell(cell.x + x, cell.y + y) for x, y in offsets]


def _diagonal(stride: Stride, base: int) -> str:
    if stride.diagonal is Diagonal.ALTERNATING:
        return "second diagonal 2"
    return f"diagonal {worth(base):.3g}"


def _factor(stride: Stride, rough: int) -> str:
    match stride.joins:
        case Combine.ADD:
            return f"+{rough - 1}"
        case Combine.MULTIPLY:
            return f"×{rough}"
        case _:
            return str(rough)


def _named(names: Mapping[Cell, str], cells: Sequence[Cell], otherwise: str) -> str:
    return next((names[cell] for cell in cells if cell in names), otherwise)


def _rise(field: StepField, shape: Shape, cell: Cell, direction: Direction) -> float:
    """Return how much higher the figure stands after the step, 0 on a flat board."""
    before = _at(cell, shape.cells)
    after = [Cell(c.x + direction.dx, c.y + direction.dy) for c in before]
    return _height(field, after) - _height(field, before)


def _height(field: StepField, cells: Sequence[Cell]) -> float:
    return max(field.at(field.ground, cell) or 0.0 for cell in cells)
