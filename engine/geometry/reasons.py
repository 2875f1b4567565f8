"""What a single step costs, and why, in words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engine.geometry.flood import worth
from engine.geometry.network import combined, diagonal_base
from engine.geometry.shape import Edge, Shape, shape_of
from engine.geometry.stepfield import StepField
from engine.geometry.stride import Charge, Combine, CornerCut, Diagonal, Share, Stand, Stride
from engine.grid.footprint import Turning
from engine.grid.grid import Direction, Grid
from engine.model.space import Cell, Facing


class Priced(NamedTuple):
    """A step's cost as the flood counts it, the reasons beyond a plain 1, and if it must stop."""

    cost: int
    reasons: tuple[str, ...]
    halts: bool


def priced(
    field: StepField, stride: Stride, shape: Shape, cell: Cell, direction: Direction, *, parity: int
) -> Priced:
    """Return what a step from an anchor costs; whether it is allowed is not asked."""
    base = diagonal_base(stride, parity) if direction.diagonal else 1
    circular = stride.diagonal is Diagonal.CIRCULAR
    reasons = [] if base == 1 or circular else [_diagonal(stride, base)]
    entered = _at(cell, shape.entered[direction.number])
    entering = stride.charge is Charge.ENTERING
    paid = entered if entering else _at(cell, shape.left[direction.number])
    cost = base
    rough = _shared(stride, [field.at(field.rough, each) or 1 for each in paid])
    if rough > 1:
        cost = combined(stride, base, rough)
        same = [each for each in paid if field.at(field.rough, each) == rough]
        reasons.append(f"{_named(field.names, same, 'difficult ground')} {_factor(stride, rough)}")
    surcharge = max(field.at(field.surcharge, each) or 0 for each in entered)
    if surcharge:
        cost += surcharge
        same = [each for each in entered if field.at(field.surcharge, each) == surcharge]
        reasons.append(f"{_named(field.zones, same, 'zone')} +{surcharge}")
    rise = round(_rise(field, shape, cell, direction), 9)
    climb = stride.climb(rise) if stride.climb and rise else 0
    if climb:
        cost += climb
        reasons.append(f"{'climb' if rise > 0 else 'descent'} +{climb}")
    stops = [each for each in entered if field.at(field.halts, each)]
    if stops:
        reasons.append(f"{_named(field.zones, stops, 'zone')}: must stop")
    return Priced(cost, tuple(reasons), bool(stops))


def _shared(stride: Stride, costs: Sequence[int]) -> int:
    """Return what ground counts as when cells are entered or left together."""
    rank = {Share.ALL: 0, Share.MAJORITY: (len(costs) - 1) // 2, Share.ANY: -1}[stride.share]
    return sorted(costs)[rank]


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
    if _walled(field, cell, shape.edges(number)):
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
            field.is_passable(_at(cell, [side.cell])[0]) and not _walled(field, cell, side.edges)
            for side in sides
        )
        for sides in shape.corners[direction.number]
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
