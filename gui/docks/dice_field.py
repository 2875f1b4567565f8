"""The field for dice from the table: it asks for exactly what the roll needs."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from engine.rules.dice import DiceError, Roll

SEPARATE = 8
"""Up to so many dice each have a field of their own."""


class Die(QLineEdit):
    """A field for one number; undo belongs to the window as long as nothing is typed here."""

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undoes = event.matches(QKeySequence.StandardKey.Undo) and not self.isUndoAvailable()
            redoes = event.matches(QKeySequence.StandardKey.Redo) and not self.isRedoAvailable()
            if undoes or redoes:
                event.ignore()
                return True
        return super().event(event)


class DiceField(QWidget):
    """`entered` carries the faces and the total (None where faces were asked for)."""

    entered = Signal(tuple, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._roll = Roll()
        self.fields: list[Die] = []
        self.asked = QLabel(self)
        self.asked.setProperty("quiet", True)
        self.asked.setWordWrap(True)
        self.error = QLabel(self)
        self.error.setProperty("look", "refusal")
        self.error.setWordWrap(True)
        self.error.hide()
        self.accept = QPushButton("Enter ⏎", self)
        self.accept.setProperty("accent", True)
        self.accept.clicked.connect(self._enter)
        self._row = QHBoxLayout()
        self._row.setSpacing(6)
        self._row.addStretch(1)
        self._row.addWidget(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.asked)
        column.addLayout(self._row)
        column.addWidget(self.error)

    def put(self, roll: Roll) -> None:
        """Ask for a roll: the sum if that suffices, else each face."""
        self._roll = roll
        self.asked.setToolTip(f"For {roll}")
        self.error.hide()
        needed = roll.faces_needed()
        self._by_sum = needed.total is not None and len(needed.sides) > 1
        names = [f"d{sides}" for sides in needed.sides]
        if self._by_sum and needed.total is not None:
            low, high = needed.total.start, needed.total.stop - 1
            self.asked.setText(f"Type the sum of {_list(names)}, {low} to {high}.")
            self._make_fields([("sum", high)])
        elif len(names) > SEPARATE:
            self.asked.setText(f"Type what {_list(names)} show, with spaces between.")
            self._make_fields([("faces", 0)])
        else:
            ends = names if len(names) == 1 else [", ".join(names[:-1]), names[-1]]
            shows = "shows" if len(names) == 1 else "show, in this order"
            self.asked.setText(f"Type what the {' and '.join(ends)} {shows}.")
            self._make_fields(list(zip(names, needed.sides, strict=True)))

    def take_focus(self) -> None:
        """Put the cursor into the first field."""
        if self.fields:
            self.fields[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_fields(self, wanted: list[tuple[str, int]]) -> None:
        for field in self.fields:
            self._row.removeWidget(field)
            field.deleteLater()
        self.fields = []
        for number, (name, highest) in enumerate(wanted):
            field = Die(self)
            field.setProperty("look", "die")
            field.setPlaceholderText(name)
            field.setAccessibleName(f"{name}, {number + 1} of {len(wanted)}")
            field.returnPressed.connect(self._enter)
            if highest:
                field.setValidator(QIntValidator(0, highest, field))
                field.setFixedWidth(52)
                field.setAlignment(Qt.AlignmentFlag.AlignCenter)
                field.textEdited.connect(
                    lambda text, at=number, most=highest: self._step_on(text, at, most)
                )
            self._row.insertWidget(number, field)
            field.show()  # now, for it may get the focus before the layout would show it
            self.fields.append(field)
        first = self.fields[0] if self.fields else None
        self.setFocusProxy(first if first is not None else self.accept)

    def _step_on(self, text: str, at: int, most: int) -> None:
        """Go to the next die once no further digit can follow."""
        full = text.isdigit() and int(text) * 10 > most
        if full and at + 1 < len(self.fields):
            self.fields[at + 1].setFocus(Qt.FocusReason.OtherFocusReason)
            self.fields[at + 1].selectAll()

    def _enter(self) -> None:
        text = " ".join(field.text() for field in self.fields)
        try:
            typed = self._roll.read(text)
        except DiceError as error:
            self.error.setText(str(error))
            self.error.show()
            return
        self.error.hide()
        self.entered.emit(typed.faces, typed.total)


def _list(names: list[str]) -> str:
    """Return "2 d6" or "d20, d6" for a list of dice."""
    counts = dict.fromkeys(names, 0)
    for name in names:
        counts[name] += 1
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in counts.items())
