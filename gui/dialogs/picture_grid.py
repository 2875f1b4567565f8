"""The dialog that asks for the grid of a bare picture: numbers, or a box pulled over some cells.

The picture is shown small with the grid drawn over it, so that every change is seen at once.
"""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QHBoxLayout, QSpinBox, QWidget
from typing_extensions import override

from engine.formats.imported import ImportOptions
from engine.formats.picture import to_world
from engine.grid.grid import Grid, grid_of
from engine.model.space import GridKind
from gui.dialogs.form import FormDialog
from gui.dialogs.new_encounter import GRID_WORDS
from gui.theme import Theme, color

SHOWN_PX = (720, 520)
MOST_CELLS = 6000
WIDE_PX = 16
"""Narrower cells than this are drawn faintly, or the picture would vanish under its grid."""
FIRST_CELL_PX = 70.0


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A picture small enough to be shown, and the size that it has."""

    image: QImage
    width_px: int
    height_px: int


class GridOverPicture(QWidget):
    """Shows the picture with the grid; `boxed` carries a box that was pulled, in its pixels."""

    boxed = Signal(QRectF)

    def __init__(self, thumbnail: Thumbnail, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._thumbnail, self._theme = thumbnail, theme
        self._options = ImportOptions()
        self._start: QPointF | None = None
        self._end = QPointF()
        room = QSize(thumbnail.width_px, thumbnail.height_px)
        self.setFixedSize(room.scaled(QSize(*SHOWN_PX), Qt.AspectRatioMode.KeepAspectRatio))
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName("The picture with the grid over it")

    @property
    def scale(self) -> float:
        """Return how many shown pixels one pixel of the picture takes."""
        return self.width() / self._thumbnail.width_px

    def show_grid(self, options: ImportOptions) -> None:
        """Draw another grid."""
        self._options = options
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(self.rect(), self._thumbnail.image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outlines = self._outlines()
        wide = (self._options.cell_px or 0) * self.scale > WIDE_PX
        lines = [QPen(color(self._theme.halo, 130), 2)] if wide else []
        for line in (*lines, QPen(color(self._theme.amber, 255 if wide else 130), 1)):
            painter.setPen(line)
            for outline in outlines:
                painter.drawPolygon(outline)
        if self._start is not None:
            painter.setPen(QPen(color(self._theme.mark), 2))
            painter.drawRect(QRectF(self._start, self._end).normalized())
        painter.end()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._start = self._end = event.position()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._end = event.position()
        self.update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._start is None:
            return
        box = QRectF(self._start, event.position()).normalized()
        self._start = None
        self.update()
        if box.width() >= 4 and box.height() >= 4:
            share = 1 / self.scale
            self.boxed.emit(
                QRectF(box.x() * share, box.y() * share, box.width() * share, box.height() * share)
            )

    def _outlines(self) -> list[QPolygonF]:
        """Return the cells of the grid where they lie on the shown picture."""
        options = self._options
        if options.cell_px is None or options.cell_px * self.scale < 3:
            return []
        across, _, left, _, down, top = to_world(
            options.grid, (options.cell_px, options.cell_px), options.offset
        )
        columns = int(self._thumbnail.width_px / options.cell_px) + 2
        rows = int(self._thumbnail.height_px / options.cell_px * 1.2) + 2
        if columns * rows > MOST_CELLS:
            return []
        grid: Grid = grid_of(options.grid, columns, rows)
        return [
            QPolygonF(
                [
                    QPointF((x - left) / across * self.scale, (y - top) / down * self.scale)
                    for x, y in grid.polygon(cell)
                ]
            )
            for cell in grid.cells()
        ]


class PictureGridDialog(FormDialog):
    """`options` are what the import needs to know."""

    def __init__(
        self, name: str, thumbnail: Thumbnail, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(f"The grid of {name}", "Import it so", parent)
        self._width_px = thumbnail.width_px
        self.map = GridOverPicture(thumbnail, theme, self)
        self.map.boxed.connect(self._take_box)
        self.column.insertWidget(0, self.map, 0, Qt.AlignmentFlag.AlignHCenter)
        self.note("Pull a box over some cells to measure them, or type the numbers.")
        self.kind = QComboBox(self)
        for kind in GridKind:
            self.kind.addItem(GRID_WORDS[kind], kind)
        self.row("&Grid", self.kind)
        self.across = QSpinBox(self)
        self.across.setRange(1, 200)
        self.across.setValue(10)
        self.row("A &box holds", self.across, "How many cells lie side by side in a pulled box")
        self.across.setSuffix(" cells across")
        self.cell = self._number(4, 4096, min(FIRST_CELL_PX, max(4.0, thumbnail.width_px / 2)))
        self.row("Cell &width", self.cell, "How many pixels of the picture a cell is wide")
        self.left, self.top = self._number(-4096, 4096, 0), self._number(-4096, 4096, 0)
        line = QWidget(self)
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.left)
        row.addWidget(self.top)
        self.left.setAccessibleName("First cell, left")
        self.top.setAccessibleName("First cell, top")
        self.row("&First cell at", line, "Left and top of the first cell; may be negative")
        for changed in (self.cell.valueChanged, self.left.valueChanged, self.top.valueChanged):
            changed.connect(lambda _value: self.map.show_grid(self.options))
        self.kind.activated.connect(lambda _index: self.map.show_grid(self.options))
        self.map.show_grid(self.options)

    @property
    def options(self) -> ImportOptions:
        """Return the options as they stand."""
        return ImportOptions(
            cell_px=self.cell.value(),
            offset=(self.left.value(), self.top.value()),
            grid=GridKind(self.kind.currentData()),
        )

    def _take_box(self, box: QRectF) -> None:
        """Measure the cells by a box: its width gives their size, its corner their place."""
        cell = box.width() / self.across.value()
        self.cell.setValue(cell)
        self.left.setValue(box.x() % cell)
        self.top.setValue(box.y() % cell)

    def _number(self, low: float, high: float, value: float) -> QDoubleSpinBox:
        spin = QDoubleSpinBox(self)
        spin.setRange(low, high)
        spin.setDecimals(2)
        spin.setSingleStep(0.1)
        spin.setSuffix(" px")
        spin.setValue(value)
        return spin
