"""What a widget shows, as an array of pixels."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget


def pixels_of(image: QImage) -> NDArray[np.uint8]:
    """Return (height, width, 3) red, green, blue."""
    rgb = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(rgb.constBits(), np.uint8).reshape(rgb.height(), rgb.bytesPerLine())
    return rows[:, : 3 * rgb.width()].reshape(rgb.height(), rgb.width(), 3).copy()


def shot_of(widget: QWidget) -> NDArray[np.uint8]:
    """Return what a widget paints, in device pixels."""
    return pixels_of(widget.grab().toImage())
