"""The dialog that begins an encounter: title, ruleset, board, and the file it lives in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from engine.model.board import MAX_SIDE, GridSpec
from engine.model.space import GridKind
from engine.rules.ruleset import Ruleset
from engine.storage.document import SUFFIX
from gui.dialogs.form import FormDialog

GRID_WORDS = {
    GridKind.SQUARE: "squares",
    GridKind.HEX_POINTY: "hexes, corner up",
    GridKind.HEX_FLAT: "hexes, side up",
}


@dataclass(frozen=True, slots=True)
class NewEncounter:
    """What was asked for."""

    title: str
    ruleset: str
    grid: GridSpec
    path: Path


def file_name(title: str) -> str:
    """Return a title as a name that every file system takes."""
    name = re.sub(r"[^\w \-().]+", "", title).strip(" .")[:80]
    return f"{name or 'Encounter'}{SUFFIX}"


def free_path(folder: Path, title: str) -> Path:
    """Return a path in a folder that no file has yet."""
    path = folder / file_name(title)
    number = 2
    while path.exists():
        path = folder / file_name(f"{title or 'Encounter'} {number}")
        number += 1
    return path


class NewEncounterDialog(FormDialog):
    """With a `board` from a map only title, ruleset and file are asked for."""

    def __init__(
        self,
        rulesets: Sequence[Ruleset],
        folder: Path,
        *,
        ruleset_id: str = "",
        title: str = "",
        board: GridSpec | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("New encounter", "Create", parent)
        self._folder, self._board = folder, board
        self._path_is_mine = True
        self.rulesets = {ruleset.id: ruleset for ruleset in rulesets}
        self.title = QLineEdit(title, self)
        self.title.setPlaceholderText("The bridge at the mill")
        self.title.textChanged.connect(self._suggest)
        self.row("&Title", self.title)
        self.ruleset = QComboBox(self)
        for ruleset in rulesets:
            self.ruleset.addItem(ruleset.name, ruleset.id)
        self.ruleset.setCurrentIndex(max(0, self.ruleset.findData(ruleset_id)))
        self.ruleset.currentIndexChanged.connect(lambda _index: self._offer_grids())
        self.row("&Ruleset", self.ruleset)
        self.kind = QComboBox(self)
        self.columns = self._side(30)
        self.rows = self._side(20)
        if board is None:
            self.row("&Grid", self.kind)
            self.row("&Columns", self.columns)
            self.row("R&ows", self.rows)
        self.path = QLineEdit(self)
        self.path.setMinimumWidth(380)
        self.path.textEdited.connect(lambda _text: setattr(self, "_path_is_mine", False))
        browse = QPushButton("Choose…", self)
        browse.clicked.connect(self._browse)
        line = QWidget(self)
        across = QHBoxLayout(line)
        across.setContentsMargins(0, 0, 0, 0)
        across.addWidget(self.path, 1)
        across.addWidget(browse)
        self.row("&File", line, "Every step is saved there at once")
        self.path.setAccessibleName("File")
        self.check = self._what_is_wrong
        self._offer_grids()
        self._suggest()

    @property
    def result_value(self) -> NewEncounter:
        """Return what was entered."""
        path = Path(self.path.text()).expanduser()
        if path.suffix != SUFFIX:
            path = path.with_name(path.name + SUFFIX)
        grid = self._board or GridSpec(
            kind=GridKind(self.kind.currentData()),
            columns=self.columns.value(),
            rows=self.rows.value(),
        )
        return NewEncounter(self.title.text().strip(), str(self.ruleset.currentData()), grid, path)

    def _side(self, value: int) -> QSpinBox:
        spin = QSpinBox(self)
        spin.setRange(1, MAX_SIDE)
        spin.setValue(value)
        return spin

    def _offer_grids(self) -> None:
        """Offer the grids that the ruleset is played on."""
        ruleset = self.rulesets.get(str(self.ruleset.currentData()))
        before = self.kind.currentData()
        self.kind.clear()
        for kind in GridKind:
            if ruleset is not None and kind in ruleset.grids:
                self.kind.addItem(GRID_WORDS[kind], kind)
        self.kind.setCurrentIndex(max(0, self.kind.findData(before)))

    def _suggest(self) -> None:
        if self._path_is_mine:
            self.path.setText(str(free_path(self._folder, self.title.text())))

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, "Where to keep the encounter", self.path.text(), f"Encounters (*{SUFFIX})"
        )
        if chosen:
            self._path_is_mine = False
            self.path.setText(chosen)

    def _what_is_wrong(self) -> str:
        path = self.result_value.path
        if path.exists():
            return f"There is already a file {path.name}; choose another name."
        ruleset = self.rulesets.get(self.result_value.ruleset)
        board = self._board
        if board is not None and ruleset is not None and board.kind not in ruleset.grids:
            return f"{ruleset.name} is not played on {GRID_WORDS[board.kind]}."
        return ""
