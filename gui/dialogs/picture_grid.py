"""The dialog that asks for the grid of a bare picture: numbers, or a box pulled over some cells.

The picture is shown small with the grid drawn over it, so that every change is seen at once.
"""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSpinBox, QWidget
from typing_extensions import override

from engine.formats.imported import ImportOptions
from engine.formats.picture import Pair, extent, to_world
from engine.grid.grid import Grid, grid_of
from engine.model.board import MAX_SIDE
from engine.model.space import GridKind
from gui.dialogs.form import FormDialog, px_field
from gui.dialogs.import_map import into_box, side_spin
from gui.dialogs.new_encounter import GRID_WORDS
from gui.theme import Theme, color

SHOWN_PX = (720, 460)
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
        self._cell: Pair | None = None
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

    def show_grid(self, options: ImportOptions, cell: Pair | None) -> None:
        """Draw another grid; `cell` is what a unit of the world measures in pixels, if known."""
        self._options, self._cell = options, cell
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(self.rect(), self._thumbnail.image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outlines = self._outlines()
        wide = (self._cell or (0.0, 0.0))[0] * self.scale > WIDE_PX
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
        options, cell_px = self._options, self._cell
        if cell_px is None or min(cell_px) * self.scale < 3:
            return []
        across, _, left, _, down, top = to_world(options.grid, cell_px, options.offset)
        columns, rows = options.size or (
            int(self._thumbnail.width_px / cell_px[0]) + 2,
            int(self._thumbnail.height_px / cell_px[1] * 1.2) + 2,
        )
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
    """Asks once for everything about a bare picture; `options` are what the import needs to know.

    `size` are the columns and rows that the picture's name gives, if it gives any.
    """

    def __init__(
        self,
        name: str,
        thumbnail: Thumbnail,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        size: tuple[int, int] | None = None,
        into_open: bool = False,
    ) -> None:
        super().__init__(f"The grid of {name}", "Take it in", parent)
        self._thumbnail = thumbnail
        self.map = GridOverPicture(thumbnail, theme, self)
        self.map.boxed.connect(self._take_box)
        self.column.insertWidget(0, self.map, 0, Qt.AlignmentFlag.AlignHCenter)
        self.note("Pull a box over some cells to measure them, or type the numbers.")
        self.kind = QComboBox(self)
        for kind in GridKind:
            self.kind.addItem(GRID_WORDS[kind], kind)
        self.row("&Grid", self.kind)
        self.given = QComboBox(self)
        self.given.addItems(["how wide a cell is", "how many columns and rows there are"])
        self.row("&Known is", self.given)
        self.across = QSpinBox(self)
        self.across.setRange(1, 200)
        self.across.setValue(10)
        self.across.setSuffix(" cells across")
        self.row("A &box holds", self.across, "How many cells lie side by side in a pulled box")
        self.cell = px_field(4, 4096, min(FIRST_CELL_PX, max(4.0, thumbnail.width_px / 2)))
        self.row("Cell &width", self.cell, "How many pixels of the picture a cell is wide")
        self.columns, self.rows = side_spin(self, 1), side_spin(self, 1)
        self.columns.setAccessibleName("Columns")
        self.rows.setAccessibleName("Rows")
        self._side = self._pair(self.columns, self.rows)
        self.row("Columns and &rows", self._side, "How many cells the picture shows each way")
        self.left, self.top = px_field(-4096, 4096, 0), px_field(-4096, 4096, 0)
        self.left.setAccessibleName("First cell, left")
        self.top.setAccessibleName("First cell, top")
        place = self._pair(self.left, self.top)
        self.row("&First cell at", place, "Left and top of the first cell; may be negative")
        self.into = into_box(self, into_open=into_open)
        self.row("Take it &into", self.into)
        self.check = self._wrong
        self._begin(size)
        self.given.activated.connect(lambda _index: self._measured_otherwise())
        self.columns.valueChanged.connect(lambda _value: self._keep_square())
        for spin in (self.cell, self.left, self.top):
            spin.valueChanged.connect(lambda _value: self._show())
        self.rows.valueChanged.connect(lambda _value: self._show())
        self.kind.activated.connect(lambda _index: self._show())
        self._measured_otherwise()

    @property
    def by_size(self) -> bool:
        """Tell whether columns and rows are given, and not the width of a cell."""
        return self.given.currentIndex() == 1

    @property
    def into_open_encounter(self) -> bool:
        """Tell whether it goes into the open encounter."""
        return self.into.currentIndex() == 1

    @property
    def options(self) -> ImportOptions:
        """Return the options as they stand."""
        return ImportOptions(
            cell_px=None if self.by_size else self.cell.value(),
            size=(self.columns.value(), self.rows.value()) if self.by_size else None,
            offset=(self.left.value(), self.top.value()),
            grid=GridKind(self.kind.currentData()),
        )

    @property
    def cell_px(self) -> Pair:
        """Return what a unit of the world measures in pixels of the picture."""
        options = self.options
        if options.size is None:
            return self.cell.value(), self.cell.value()
        wide, tall = extent(options.grid, *options.size)
        shown = self._thumbnail.width_px, self._thumbnail.height_px
        return (shown[0] - options.offset[0]) / wide, (shown[1] - options.offset[1]) / tall

    def _begin(self, size: tuple[int, int] | None) -> None:
        """Begin with what the picture's name gives, or with what the first guess comes to."""
        guess = max(1, round(self._thumbnail.width_px / self.cell.value()))
        self.given.setCurrentIndex(int(size is not None))
        self.columns.setValue(size[0] if size is not None else guess)
        self._keep_square()
        if size is not None:
            self.rows.setValue(size[1])

    def _measured_otherwise(self) -> None:
        """Let only that be typed which is given."""
        self.cell.setEnabled(not self.by_size)
        self.across.setEnabled(not self.by_size)
        self._side.setEnabled(self.by_size)
        self._show()

    def _keep_square(self) -> None:
        """Let the rows follow the columns, so that cells stay about square."""
        thumbnail = self._thumbnail
        rows = self.columns.value() * thumbnail.height_px / max(1, thumbnail.width_px)
        self.rows.setValue(max(1, round(rows)))
        self._show()

    def _show(self) -> None:
        self.map.show_grid(self.options, self.cell_px)

    def _wrong(self) -> str:
        if min(self.cell_px) < 1:
            return "So many cells are too many for the pixels of this picture."
        if max(self._thumbnail.width_px, self._thumbnail.height_px) / min(self.cell_px) > MAX_SIDE:
            return f"A board has at most {MAX_SIDE:,} cells a side; cells must be wider."
        return ""

    def _take_box(self, box: QRectF) -> None:
        """Measure the cells by a box: its width gives their size, its corner their place."""
        self.given.setCurrentIndex(0)
        self._measured_otherwise()
        cell = box.width() / self.across.value()
        self.cell.setValue(cell)
        self.left.setValue(box.x() % cell)
        self.top.setValue(box.y() % cell)

    def _pair(self, *fields: QWidget) -> QWidget:
        """Return two fields side by side."""
        line = QWidget(self)
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        for field in fields:
            row.addWidget(field)
        return line
