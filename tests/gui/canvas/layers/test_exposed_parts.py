"""Which rectangles a paint is divided into."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QRegion

from gui.canvas.layers.exposed_parts import parts_of

STRIPS = QRegion(QRect(0, 0, 600, 9)).united(QRegion(QRect(0, 9, 13, 391)))


def test_the_strips_of_a_pan_are_parts_and_cover_what_is_exposed():
    parts = parts_of(STRIPS, 1.0)
    assert len(parts) == 2
    together = QRegion()
    for part in parts:
        assert not together.intersects(part)
        together = together.united(part)
    assert together == STRIPS


def test_what_nearly_fills_its_rectangle_is_one_part():
    region = QRegion(QRect(0, 0, 100, 60)).united(QRegion(QRect(0, 60, 90, 40)))
    assert parts_of(region, 1.0) == [QRect(0, 0, 100, 100)]


def test_where_edges_would_run_through_pixels_there_is_one_part():
    assert parts_of(STRIPS, 1.5) == [STRIPS.boundingRect()]
