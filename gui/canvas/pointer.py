"""What the mouse did, in the engine's own words: tools are fed these and know no window.

No Qt here; `BoardView` makes the events, tests make them by hand.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import hypot

from engine.model.space import Cell, Point
from engine.model.wall import Wall


class PointerKind(StrEnum):
    """What happened."""

    PRESS = "press"
    MOVE = "move"
    RELEASE = "release"
    DOUBLE = "double"
    HOVER = "hover"
    WHEEL = "wheel"
    LEAVE = "leave"


class Button(StrEnum):
    """A button of the mouse."""

    LEFT = "left"
    RIGHT = "right"
    MIDDLE = "middle"


@dataclass(frozen=True, slots=True)
class PointerEvent:
    """One event of the mouse over the board.

    `world` is where it is, `cell` the cell there, on the board or not. `token_id` is the topmost
    token under it, `wall_id` the nearest door within the tolerance, else the nearest wall.
    `button` is the one that was pressed or released, `buttons` those that are held. `wheel_steps`
    counts notches, away from the person positive; touchpads give fractions.
    """

    kind: PointerKind
    world: Point
    cell: Cell
    token_id: str | None = None
    wall_id: str | None = None
    button: Button | None = None
    buttons: frozenset[Button] = frozenset()
    shift: bool = False
    ctrl: bool = False
    alt: bool = False
    wheel_steps: float = 0.0


def nearest_wall(walls: Iterable[Wall], point: Point, tolerance: float) -> str | None:
    """Return the id of the nearest door within `tolerance` cells, else of the nearest wall."""
    best: tuple[bool, float, str] | None = None
    for wall in walls:
        distance = distance_to(wall.points, point)
        if distance > tolerance:
            continue
        rank = (not wall.is_door, distance, wall.id)
        if best is None or rank < best:
            best = rank
    return best[2] if best else None


def distance_to(points: tuple[Point, ...], point: Point) -> float:
    """Return the distance in cells from a world point to a polyline."""
    return min(_to_segment(a, b, point) for a, b in zip(points, points[1:], strict=False))


def _to_segment(a: Point, b: Point, point: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    px, py = point[0] - a[0], point[1] - a[1]
    length = dx * dx + dy * dy
    along = 0.0 if length == 0 else max(0.0, min(1.0, (px * dx + py * dy) / length))
    return hypot(px - along * dx, py - along * dy)
