"""What a paint event exposes, in few rectangles.

A pan exposes two thin strips along the edges. Whoever looked for what lies in the rectangle around
both would look at the whole view.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import cast

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter, QRegion

_MOST = 4
_WORTH = 3
"""How many times larger than the parts the rectangle around them must be to be left alone."""


def parts_of(region: QRegion, dpr: float) -> list[QRect]:
    """Return the rectangles to paint each by itself; the one around all where that is no gain.

    On a screen whose pixels are a fraction of a logical one their edges would run through pixels.
    """
    around = region.boundingRect()
    # Qt's type hints do not know that a region can be walked through.
    parts = list(cast("Iterable[QRect]", region))
    area = sum(part.width() * part.height() for part in parts)
    small = area * _WORTH <= around.width() * around.height()
    return parts if small and len(parts) <= _MOST and dpr.is_integer() else [around]


@contextmanager
def clipped(painter: QPainter, part: QRect) -> Iterator[QRectF]:
    """Let nothing be painted outside a rectangle of the viewport; yield it in the scene."""
    painter.save()
    to_viewport = painter.worldTransform()
    painter.resetTransform()
    painter.setClipRect(part)
    painter.setWorldTransform(to_viewport)
    back, _ = to_viewport.inverted()
    try:
        yield back.mapRect(QRectF(part))
    finally:
        painter.restore()
