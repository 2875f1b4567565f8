"""What a view shows, to come back to; not in the document, and not undone."""

from dataclasses import dataclass

from engine.model.space import Point


@dataclass(frozen=True, slots=True)
class CameraState:
    """Exactly what a view shows, to come back to pixel by pixel."""

    center: Point
    px_per_cell: float
    rotation_deg: int
    across: int
    down: int
    shows_all: bool
