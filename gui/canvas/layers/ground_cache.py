"""A picture of everything below the fog, kept while the camera rests.

While tokens walk and sight changes the ground is copied instead of drawn: 1 ms instead of 10 for a
full window of walls and hexes. What changes on the board is drawn anew into it, that part alone.
"""

from collections.abc import Callable

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap, QTransform

from gui.canvas.layers.fog_raster import Camera

Paint = Callable[[QPainter, QRectF], None]
"""Paints the ground of a scene rectangle; the painter is in scene coordinates."""


class GroundCache:
    """Holds the ground for one camera."""

    def __init__(self) -> None:
        self._pixmap = QPixmap()
        self._camera: Camera | None = None
        self._stale: list[QRectF] = []

    def holds(self, camera: Camera) -> bool:
        """Tell whether there is a picture for this camera."""
        return self._camera == camera

    def forget(self) -> None:
        """Drop the picture."""
        self._camera = None
        self._stale = []

    def mark(self, rects: list[QRectF]) -> None:
        """Have these scene rectangles drawn anew before they are shown again."""
        if self._camera is not None:
            self._stale += rects

    def make(self, camera: Camera, to_viewport: QTransform, dpr: float, paint: Paint) -> None:
        """Draw the whole picture for a camera."""
        if self._pixmap.size().toTuple() != (camera.width, camera.height):
            self._pixmap = QPixmap(camera.width, camera.height)
        self._camera, self._stale = camera, []
        self._draw(QRect(0, 0, camera.width, camera.height), to_viewport, dpr, paint)

    def paint(
        self, painter: QPainter, exposed: QRect, to_viewport: QTransform, dpr: float, paint: Paint
    ) -> None:
        """Copy the exposed device rectangle; the painter must be in viewport coordinates."""
        assert self._camera is not None
        stale, self._stale = self._stale, []
        for rect in stale:
            part = self._camera.rect(rect).adjusted(-2, -2, 2, 2)
            self._draw(part.intersected(self._pixmap.rect()), to_viewport, dpr, paint)
        target = QRectF(exposed)
        scale = 1 / dpr
        painter.drawPixmap(
            QRectF(target.topLeft() * scale, target.size() * scale), self._pixmap, target
        )

    def _draw(self, part: QRect, to_viewport: QTransform, dpr: float, paint: Paint) -> None:
        if part.isEmpty():
            return
        painter = QPainter(self._pixmap)
        painter.setClipRect(part)
        painter.fillRect(part, Qt.GlobalColor.black)
        painter.setTransform(to_viewport * QTransform.fromScale(dpr, dpr))
        back, _ = painter.transform().inverted()
        paint(painter, back.mapRect(QRectF(part)))
        painter.end()
