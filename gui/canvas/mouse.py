"""Turns Qt's mouse events over a board into `PointerEvent`s."""

from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from engine.model.space import Cell, Point
from gui.canvas.pointer import Button, PointerEvent, PointerKind, nearest_wall
from gui.canvas.scene import BoardScene
from gui.canvas.space import SCENE_PER_CELL, world_to_scene

_BUTTONS = {
    Qt.MouseButton.LeftButton: Button.LEFT,
    Qt.MouseButton.RightButton: Button.RIGHT,
    Qt.MouseButton.MiddleButton: Button.MIDDLE,
}


@dataclass(slots=True)
class Pan:
    """A drag of the map under way; a right button that does not move is a click after all."""

    button: Qt.MouseButton
    start: QPoint
    last: QPoint
    moved: bool = False


class Place(NamedTuple):
    """What lies at a world point."""

    world: Point
    cell: Cell
    token_id: str | None
    wall_id: str | None


def place_at(board: BoardScene, world: Point, tolerance: float) -> Place:
    """Return what lies at a world point; walls are found within `tolerance` cells."""
    cell = board.grid.cell_at(world) if board.grid is not None else Cell(0, 0)
    return Place(world, cell, board.token_at(world), _wall_at(board, world, tolerance))


def pointer_event(
    kind: PointerKind,
    place: Place,
    event: QMouseEvent | QWheelEvent | None = None,
    wheel_steps: float = 0.0,
) -> PointerEvent:
    """Return a Qt event in the engine's words."""
    if event is None:
        return PointerEvent(kind, place.world, place.cell, place.token_id, place.wall_id)
    button = event.button() if isinstance(event, QMouseEvent) else Qt.MouseButton.NoButton
    modifiers = event.modifiers()
    return PointerEvent(
        kind,
        place.world,
        place.cell,
        place.token_id,
        place.wall_id,
        button=_BUTTONS.get(button),
        buttons=frozenset(ours for theirs, ours in _BUTTONS.items() if event.buttons() & theirs),
        shift=bool(modifiers & Qt.KeyboardModifier.ShiftModifier),
        ctrl=bool(modifiers & Qt.KeyboardModifier.ControlModifier),
        alt=bool(modifiers & Qt.KeyboardModifier.AltModifier),
        wheel_steps=wheel_steps,
    )


def _wall_at(board: BoardScene, world: Point, tolerance: float) -> str | None:
    if board.layers is None:
        return None
    side = tolerance * SCENE_PER_CELL
    at = world_to_scene(world)
    near = QRectF(at.x() - side, at.y() - side, 2 * side, 2 * side)
    return nearest_wall(board.layers.walls.near(near), world, tolerance)
