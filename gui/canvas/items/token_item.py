"""A token on the scene: a baked pixmap at a place. It holds no truth and hears no mouse."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QGraphicsPixmapItem

from engine.model.space import Point
from gui.canvas.items.token_look import TokenLook
from gui.canvas.items.token_picture import Baked
from gui.canvas.space import SCENE_PER_CELL, world_to_scene

# Set for a thousand items at once: to look them up each time costs as much as to set them.
_ROUGH = Qt.TransformationMode.FastTransformation
_SMOOTH = Qt.TransformationMode.SmoothTransformation


class TokenItem(QGraphicsPixmapItem):
    """Shows one token."""

    def __init__(self, token_id: str) -> None:
        super().__init__()
        self.token_id = token_id
        self.look: TokenLook | None = None
        self.bucket = 0
        self.pictured = False
        """A portrait is shown in place of the name."""
        self.disc_at: Point = (0.0, 0.0)
        """The middle of the disc in the scene."""
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setShapeMode(QGraphicsPixmapItem.ShapeMode.BoundingRectShape)
        self.setTransformationMode(_SMOOTH)

    def place(self, center: Point, z: float) -> None:
        """Stand with the token's middle on a world point."""
        self.setPos(world_to_scene(center))
        self.setZValue(z)
        self._find_disc()

    def show_baked(self, look: TokenLook, bucket: int, baked: Baked, *, pictured: bool) -> None:
        """Show a baked picture; the map's rotation is taken back, since it is baked in."""
        self.look, self.bucket, self.pictured = look, bucket, pictured
        self.setOffset(QPointF(-baked.middle.x(), -baked.middle.y()))
        self.setPixmap(baked.pixmap)
        self.setScale(SCENE_PER_CELL / baked.px_per_cell)
        self.setRotation(-look.rotation_deg)
        self._find_disc()

    def scale_roughly(self, *, on: bool) -> None:
        """Scale by the nearest pixel, in a third of the time, or smoothly."""
        self.setTransformationMode(_ROUGH if on else _SMOOTH)

    def _find_disc(self) -> None:
        if self.look is not None:
            at, (dx, dy) = self.pos(), self.look.disc_at
            self.disc_at = at.x() + dx * SCENE_PER_CELL, at.y() + dy * SCENE_PER_CELL
