"""The dialog that lays the grid over the picture by numbers; tokens keep their cells.

The picture's pixels and the board's cells are joined by one affine map (`Picture.to_world`). The
dialog speaks of it as people measure it on the picture: how wide a cell is and where the first
one begins.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLineEdit, QSpinBox, QWidget

from engine.commands.board import FitGrid
from engine.grid.grid import board_grid
from engine.model.board import MAX_SIDE, Board, GridSpec, Picture
from engine.model.space import GridKind
from gui.dialogs.form import FormDialog, px_field
from gui.dialogs.new_encounter import GRID_WORDS


@dataclass(frozen=True, slots=True)
class Fit:
    """How the cells lie on the picture, in its pixels."""

    cell_width: float
    cell_height: float
    left: float
    top: float


def fit_of(picture: Picture, spec: GridSpec) -> Fit:
    """Read how the cells lie from the picture's affine map."""
    a, _, c, _, e, f = picture.to_world
    bounds = board_grid(spec).bounds
    return Fit(1 / a, 1 / e, (bounds.left - c) / a, (bounds.top - f) / e)


def fitted(picture: Picture, spec: GridSpec, fit: Fit) -> Picture:
    """Return the picture laid so that the cells are where the numbers say."""
    bounds = board_grid(spec).bounds
    a, e = 1 / fit.cell_width, 1 / fit.cell_height
    return picture.changed(
        to_world=(a, 0.0, bounds.left - fit.left * a, 0.0, e, bounds.top - fit.top * e)
    )


class GridFitDialog(FormDialog):
    """Previous values are filled in; `preview` shows a fit on the map while it is tried."""

    def __init__(
        self,
        board: Board,
        kinds: frozenset[GridKind],
        preview: Callable[[FitGrid], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Fit the grid", "Lay it so", parent)
        self._board, self._preview = board, preview
        spec = board.grid
        self.kind = QComboBox(self)
        for kind in GridKind:
            if kind in kinds or kind is spec.kind:
                self.kind.addItem(GRID_WORDS[kind], kind)
        self.kind.setCurrentIndex(self.kind.findData(spec.kind))
        self.row("&Grid", self.kind)
        self.columns, self.rows = self._side(spec.columns), self._side(spec.rows)
        self.row("&Columns", self.columns)
        self.row("R&ows", self.rows)
        self.label = QLineEdit(spec.cell_label, self)
        self.row("One cell is", self.label, "What a cell measures in the game: 5 ft, 2 m")
        self.visible = QCheckBox("Draw the grid", self)
        self.visible.setChecked(spec.visible)
        self.row("", self.visible)
        self.square = QCheckBox("Cells are as high as wide", self)
        self._build_numbers()
        self.check = self._what_is_wrong
        for changed in (
            self.kind.activated,
            self.columns.valueChanged,
            self.rows.valueChanged,
            self.visible.toggled,
            *(spin.valueChanged for spin in self.numbers),
        ):
            changed.connect(lambda _value: self._try())

    def _build_numbers(self) -> None:
        picture, spec = self._board.picture, self._board.grid
        self.numbers: tuple[QDoubleSpinBox, ...] = ()
        if picture is None:
            self.square.hide()
            self.note("The map has no picture: only kind and size of the grid can be set.")
            return
        fit = fit_of(picture, spec)
        self.width_px = px_field(1, 10_000, fit.cell_width)
        self.height_px = px_field(1, 10_000, fit.cell_height)
        self.left_px = px_field(-100_000, 100_000, fit.left)
        self.top_px = px_field(-100_000, 100_000, fit.top)
        self.numbers = (self.width_px, self.height_px, self.left_px, self.top_px)
        self.square.setChecked(abs(fit.cell_width - fit.cell_height) < 0.005)
        self.square.toggled.connect(lambda _on: self._square())
        self.width_px.valueChanged.connect(lambda _value: self._square())
        self.row("Cell &width", self.width_px, "How many pixels of the picture a cell is wide")
        self.row("", self.square)
        self.row("Cell hei&ght", self.height_px)
        self.row("First cell, &left", self.left_px, "Where the first cell begins; may be negative")
        self.row("First cell, &top", self.top_px)
        self._square()

    @property
    def command(self) -> FitGrid:
        """Return the command for what is entered."""
        spec = self._board.grid.changed(
            kind=GridKind(self.kind.currentData()),
            columns=self.columns.value(),
            rows=self.rows.value(),
            cell_label=self.label.text().strip() or "1 cell",
            visible=self.visible.isChecked(),
        )
        picture = self._board.picture
        if picture is not None:
            width, height, left, top = (spin.value() for spin in self.numbers)
            picture = fitted(picture, spec, Fit(width, height, left, top))
        return FitGrid(grid=spec, picture=picture)

    def _square(self) -> None:
        same = self.square.isChecked()
        self.height_px.setEnabled(not same)
        if same:
            self.height_px.setValue(self.width_px.value())

    def _try(self) -> None:
        self.complain(self.check())
        if self.wrong.isHidden():
            self._preview(self.command)

    def _what_is_wrong(self) -> str:
        cells = self.columns.value() * self.rows.value()
        return "" if cells <= 1_000_000 else f"{cells:,} cells are more than a board can hold."

    def _side(self, value: int) -> QSpinBox:
        spin = QSpinBox(self)
        spin.setRange(1, MAX_SIDE)
        spin.setValue(value)
        return spin
