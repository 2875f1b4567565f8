"""The details of tokens: names, side, size, what the players know."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPushButton,
    QWidget,
)

from engine.grid.footprint import catalogue
from engine.model.space import GridKind
from engine.model.token import FOES, NEUTRAL, PARTY, Token
from gui.dialogs.form import FormDialog

BY_SHEET = "as on the sheet"
"""The choice that lets the footprint follow the sheet."""


class TokenDialog(FormDialog):
    """One token, or the common fields of several."""

    def __init__(
        self,
        tokens: Sequence[Token],
        kind: GridKind,
        sides: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        first = tokens[0]
        title = first.name if len(tokens) == 1 else f"{len(tokens)} tokens"
        super().__init__(title, "Apply", parent)
        self._first = first
        self.ask_picture: Callable[[], tuple[str, bytes] | None] = lambda: None
        self._alone = len(tokens) == 1
        self.name = QLineEdit(first.name, self)
        self.label = QLineEdit(first.label, self)
        self.label.setMaxLength(6)
        self.public = QLineEdit(first.public_name or "", self)
        self.public.setPlaceholderText("the same")
        if self._alone:
            self.row("&Name", self.name)
            self.row("&Label", self.label, "The letters on the token; empty takes them of the name")
            self.row("Name for the &players", self.public)
        self.side = QComboBox(self)
        self.side.setEditable(True)
        self.side.addItems(list(dict.fromkeys((PARTY, FOES, NEUTRAL, *sides))))
        self.side.setCurrentText(first.side)
        self.row("&Side", self.side)
        self.group = QLineEdit(first.group or "", self)
        self.group.setPlaceholderText("none")
        self.row("&Group", self.group, "Tokens of one group can move and attack together")
        self.footprint = QComboBox(self)
        self.footprint.addItems(list(dict.fromkeys((BY_SHEET, *catalogue(kind), first.footprint))))
        self.footprint.setCurrentText(BY_SHEET if first.fitted else first.footprint)
        self.row("Si&ze", self.footprint, "The cells that it covers")
        self.elevation = self._number(first.elevation, -1000)
        self.row("&Elevation", self.elevation, "Height above the ground, in cells")
        self.body = self._number(first.height, 0.1)
        self.row("Hei&ght", self.body, "The body's own height, in cells")
        self.darkvision = self._number(first.vision.darkvision, 0)
        self.row("Dark&vision", self.darkvision, "How far it needs no light, in cells")
        self.hidden = QCheckBox("Hidden from the players", self)
        self.hidden.setChecked(first.hidden)
        self.row("", self.hidden)
        self.note_line = QLineEdit(first.gm_note, self)
        if self._alone:
            self.row("GM's n&ote", self.note_line)
        self.portrait = first.portrait
        self.images: dict[str, bytes] = {}
        self.picture = QPushButton(self)
        self.picture.clicked.connect(self._change_picture)
        self.row("Po&rtrait", self.picture, "A picture on the token")
        self._name_picture()
        self.check = lambda: "" if self.name.text().strip() else "A token needs a name."

    @property
    def changes(self) -> dict[str, Any]:
        """Return the fields that were changed."""
        wanted: dict[str, Any] = {
            "side": self.side.currentText().strip() or self._first.side,
            "group": self.group.text().strip() or None,
            **self._size,
            "elevation": self.elevation.value(),
            "height": self.body.value(),
            "hidden": self.hidden.isChecked(),
            "portrait": self.portrait,
            "vision": self._first.vision.changed(darkvision=self.darkvision.value()),
        }
        if self._alone:
            wanted |= {
                "name": self.name.text().strip(),
                "label": self.label.text().strip(),
                "public_name": self.public.text().strip() or None,
                "gm_note": self.note_line.text(),
            }
        return {name: each for name, each in wanted.items() if each != getattr(self._first, name)}

    @property
    def _size(self) -> dict[str, Any]:
        """Return the footprint that is chosen, or that it follows the sheet."""
        size = self.footprint.currentText()
        return {"fitted": True} if size == BY_SHEET else {"fitted": False, "footprint": size}

    def _change_picture(self) -> None:
        """Ask for a picture, or take the one that is there away."""
        if self.portrait is not None:
            self.portrait = None
        else:
            found = self.ask_picture()
            if found is not None:
                self.portrait = found[0]
                self.images[found[0]] = found[1]
        self._name_picture()

    def _name_picture(self) -> None:
        self.picture.setText("Choose…" if self.portrait is None else "Take it away")

    def _number(self, value: float, lowest: float) -> QDoubleSpinBox:
        spin = QDoubleSpinBox(self)
        spin.setRange(lowest, 1000)
        spin.setDecimals(2)
        spin.setSingleStep(0.5)
        spin.setValue(value)
        return spin
