"""The details of a wall or a door: its name, its cover, and what it takes to break it."""

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox, QWidget

from engine.model.wall import CoverLabel, Durability, Wall
from gui.dialogs.form import FormDialog
from gui.docks.fields import choice_words

FRESH = Durability(hp=10, hp_max=10, ac=10)
"""What a wall is made of when it becomes breakable, until the GM says otherwise."""


class WallDialog(FormDialog):
    """One wall; `wall` is as it was edited."""

    def __init__(self, wall: Wall, parent: QWidget | None = None) -> None:
        super().__init__(wall.name or choice_words(wall.kind).capitalize(), "Apply", parent)
        self._wall = wall
        held = wall.durability or FRESH
        self.name = QLineEdit(wall.name, self)
        self.row("&Name", self.name)
        self.cover = QComboBox(self)
        for label in CoverLabel:
            self.cover.addItem(choice_words(label), label)
        self.cover.setCurrentIndex(self.cover.findData(wall.cover))
        self.row("&Cover", self.cover, "A label for the rules; without one, what it hides counts")
        self.sight = QCheckBox("Blocks sight", self)
        self.sight.setChecked(wall.blocks_sight)
        self.row("", self.sight)
        self.movement = QCheckBox("Blocks movement", self)
        self.movement.setChecked(wall.blocks_movement)
        self.row("", self.movement)
        self.breakable = QCheckBox("Can be attacked and broken", self)
        self.breakable.setChecked(wall.durability is not None)
        self.row("", self.breakable)
        self.ac = self._number(held.ac, 0, 60)
        self.row("&Armour class", self.ac)
        self.hp = self._number(held.hp, -100_000, 100_000)
        self.row("&Hit points", self.hp)
        self.hp_max = self._number(held.hp_max, 1, 100_000)
        self.row("Hit points, &maximum", self.hp_max)
        for field in (self.ac, self.hp, self.hp_max):
            field.setEnabled(self.breakable.isChecked())
            self.breakable.toggled.connect(field.setEnabled)
        self.check = self._wrong

    @property
    def wall(self) -> Wall:
        """Return the wall with what was entered."""
        durability = None
        if self.breakable.isChecked():
            durability = Durability(
                hp=self.hp.value(), hp_max=self.hp_max.value(), ac=self.ac.value()
            )
        return self._wall.changed(
            name=self.name.text().strip(),
            cover=CoverLabel(self.cover.currentData()),
            blocks_sight=self.sight.isChecked(),
            blocks_movement=self.movement.isChecked(),
            durability=durability,
        )

    def _wrong(self) -> str:
        if self.breakable.isChecked() and self.hp.value() > self.hp_max.value():
            return "It cannot have more hit points than its maximum."
        return ""

    def _number(self, value: int, lowest: int, highest: int) -> QSpinBox:
        spin = QSpinBox(self)
        spin.setRange(lowest, highest)
        spin.setValue(value)
        return spin
