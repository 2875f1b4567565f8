"""The forecast dock: what a plan would bring, line by line; and the prompts of the rules.

Shows a plan in preparation, or else the question that the rules wait for. Nothing is computed
here but words.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import (
    QButtonGroup,
    QFormLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engine.model.evidence import Evidence, Modifier
from engine.model.pending import Prompt, PromptKind
from engine.rules.dice import Roll
from engine.rules.ruleset import Forecast, ForecastRow, Plan
from gui.docks.dice_field import DiceField
from gui.docks.editors import Editor
from gui.docks.fields import FieldSpec
from gui.docks.histogram import Histogram, percent
from gui.docks.panel import GAP, LEGEND, MARGIN, Panel, empty, settle
from gui.theme import Theme

MINUS = "\N{MINUS SIGN}"
SMALLEST, LARGEST = 120, 330
"""The heights between which the dock takes what it needs."""
FEW_ROWS = 3
"""So many rows of odds stand below the scrolled part, always in sight."""
NOTHING = 34
"""What it takes while there is nothing but a hint."""


def signed(line: Modifier) -> str:
    """Return what stands at the right edge of a line of a sum."""
    if line.text:
        return line.text.replace("-", MINUS)
    return "" if line.value is None else f"{line.value:+d}".replace("-", MINUS)


def is_fine(row: ForecastRow) -> bool:
    """Tell whether the chances of a row want a decimal, or its bands would not add up."""
    return any(
        (100 * each).denominator > 1 for each in (row.chance, *(b.chance for b in row.bands))
    )


def row_words(row: ForecastRow) -> str:
    """Return the bands and the mean of a row as one line."""
    fine = is_fine(row)
    parts = [f"{band.label} {percent(band.chance, fine=fine)}" for band in row.bands]
    if row.mean is not None:
        parts.append(f"mean {float(row.mean):.1f}")
    # Neither a per cent sign nor a dot begins a line when it is broken.
    return "\N{NO-BREAK SPACE}· ".join(parts).replace(" %", "\N{NO-BREAK SPACE}%")


def _height(widget: QWidget, width: int) -> int:
    """Return how high a widget would be at a width, its words broken into lines."""
    high = widget.sizeHint().height()
    return max(high, widget.heightForWidth(width)) if widget.hasHeightForWidth() else high


def _ruling_hint(prompt: Prompt, *, asks_roll: bool) -> str:
    """Return what may be typed as a ruling."""
    if asks_roll:
        return "the total that shall count, such as 15"
    known = [choice.value for choice in prompt.choices]
    return f"what shall count, such as {known[0]}" if known else "what shall count"


class SumLines(QWidget):
    """The lines of a sum, each with its sign and, where there is evidence, "show"."""

    shown = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(0, 1)
        self._lines: tuple[Modifier, ...] = ()
        self.buttons = QButtonGroup(self)
        self.buttons.setExclusive(False)

    def put(self, lines: Sequence[Modifier]) -> None:
        """Show these lines; a line that stays keeps its "show" pressed."""
        if tuple(lines) == self._lines:
            return
        self._lines = tuple(lines)
        pressed = {each.property("line") for each in self.buttons.buttons() if each.isChecked()}
        empty(self._grid)
        self.buttons = QButtonGroup(self)
        self.buttons.setExclusive(False)
        for number, line in enumerate(lines):
            self._add(number, line, pressed)
        self.setVisible(bool(lines))

    def _add(self, number: int, line: Modifier, pressed: set[str]) -> None:
        label = QLabel(line.label, self)
        label.setProperty("quiet", True)
        label.setWordWrap(True)
        value = QLabel(signed(line), self)
        value.setProperty("look", "value")
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if line.proposal:
            label.setText(f"{line.label} *")
            label.setToolTip("A proposal; no source gives this number.")
        self._grid.addWidget(label, number, 0)
        self._grid.addWidget(value, number, 2)
        if line.evidence is not None and line.evidence != Evidence():
            show = QPushButton("show", self)
            show.setProperty("look", "link")
            show.setCheckable(True)
            show.setProperty("line", line.label)
            show.setAccessibleName(f"Show on the map: {line.label}")
            show.setToolTip("Draw the reason on the map")
            show.setChecked(line.label in pressed)
            show.toggled.connect(lambda on, each=show, seen=line: self._toggle(each, seen, on=on))
            self.buttons.addButton(show)
            self._grid.addWidget(show, number, 1)

    def _toggle(self, button: QPushButton, line: Modifier, *, on: bool) -> None:
        if on:
            for other in self.buttons.buttons():
                if other is not button:
                    other.setChecked(False)
        self.shown.emit(line.evidence if on else None)


class Odds(QWidget):
    """The chances: one big number, or one row per answer of the opponent."""

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._rows: tuple[ForecastRow, ...] = ()
        self.group = QButtonGroup(self)

    def put(self, rows: Sequence[ForecastRow]) -> None:
        """Show these rows; the first is picked."""
        self.setVisible(bool(rows))
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        empty(self._column)
        self.group = QButtonGroup(self)
        for number, row in enumerate(rows):
            self._column.addWidget(self._line(number, row, alone=len(rows) == 1))

    def _line(self, number: int, row: ForecastRow, *, alone: bool) -> QWidget:
        line = QWidget(self)
        across = QHBoxLayout(line)
        across.setContentsMargins(0, 0, 0, 0)
        chance = QLabel(percent(row.chance, fine=is_fine(row)), line)
        chance.setProperty("look", "chance" if alone else "rowChance")
        chance.setToolTip(f"exactly {row.chance}")
        words = QLabel(row_words(row), line)
        words.setProperty("quiet", True)
        words.setWordWrap(True)
        if not alone or (row.answer and row.answer != "none"):
            answer = QPushButton(row.answer.replace("_", " ") or "in any case", line)
            answer.setProperty("look", "answer")
            answer.setCheckable(True)
            answer.setChecked(number == 0)
            answer.setToolTip("Show this answer's histogram")
            answer.clicked.connect(lambda: self.picked.emit(number))
            self.group.addButton(answer)
            across.addWidget(answer)
        across.addWidget(chance)
        across.addWidget(words, 1)
        return line


class ForecastDock(Panel):
    """`evidence` carries what to draw or None; the other signals what somebody decides."""

    evidence = Signal(object)
    roll = Signal()
    roll_typed = Signal()
    overruled = Signal()
    cancelled = Signal()
    answered = Signal(str)
    faces = Signal(tuple, object)
    rolled = Signal()
    ruled = Signal(str)
    given = Signal(str, object)

    def __init__(self, theme: Theme) -> None:
        super().__init__("forecast", "Forecast")
        self._rows: tuple[ForecastRow, ...] = ()
        self._prompt: Prompt | None = None
        self._inside = QWidget()
        self._inside.setObjectName("dockBody")
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, 0, 8, 0)
        self._column.setSpacing(6)
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self._inside)
        self.body.addWidget(scroll, 1)
        self.subject = QLabel(self)
        self.subject.setWordWrap(True)
        self.subject.setTextFormat(Qt.TextFormat.PlainText)
        self.hint = QLabel(self)
        self.hint.setProperty("quiet", True)
        self.hint.setWordWrap(True)
        self.lines = SumLines(self)
        self.lines.shown.connect(self.evidence)
        self.refusal = QLabel(self)
        self.refusal.setProperty("look", "refusal")
        self.refusal.setWordWrap(True)
        self.odds = Odds(self)
        self.odds.picked.connect(self._show_row)
        self.histogram = Histogram(theme, self)
        self.legend = QLabel(LEGEND, self)
        self.legend.setProperty("look", "legend")
        for widget in (self.subject, self.hint, self.lines, self.legend):
            self._column.addWidget(widget)
        self._build_fields()
        self._build_choices()
        self._column.addStretch(1)
        # What decides stands below the scrolled part, always in sight.
        self.body.addWidget(self.refusal)
        self._build_plan_buttons()
        self._build_prompt()
        self.show_nothing("")

    def _build_fields(self) -> None:
        """Make room for what a plan leaves open, shown when asked for."""
        self._specs: tuple[FieldSpec, ...] = ()
        self.editors: dict[str, Editor] = {}
        self.more = QPushButton("More…", self)
        self.more.setProperty("look", "link")
        self.more.setCheckable(True)
        self.more.setToolTip("What else may be said of this plan")
        self.fields = QWidget(self)
        self._form = QFormLayout(self.fields)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setVerticalSpacing(4)
        self.more.toggled.connect(self.fields.setVisible)
        self._column.addWidget(self.fields)

    def show_fields(
        self, specs: tuple[FieldSpec, ...], plan: Plan | None, *, opens: bool = False
    ) -> None:
        """Show what the plan leaves open: at once if it `opens` them or needs a text."""
        if specs != self._specs:
            self._specs = specs
            empty(self._form)
            self.editors = {}
            for spec in specs:
                editor = Editor(spec, partial(self.given.emit, spec.name), self.fields)
                label = QLabel(spec.title, self.fields)
                label.setProperty("quiet", True)
                self._form.addRow(label, editor.widget)
                self.editors[spec.name] = editor
            self.more.setChecked(opens or "note" in self.editors)
        self.more.setVisible(bool(specs))
        self._fit()
        self.fields.setVisible(bool(specs) and self.more.isChecked())
        if plan is not None:
            for name, editor in self.editors.items():
                editor.put(getattr(plan, name))

    def _build_plan_buttons(self) -> None:
        self.do = QPushButton("Roll ⏎", self)
        self.do.setProperty("accent", True)
        self.do.clicked.connect(self._do)
        self.typed = QPushButton("I rolled…", self)
        self.typed.setToolTip("Type in the dice that were rolled on the table")
        self.typed.clicked.connect(self.roll_typed)
        self.buttons = QWidget(self)
        row = QHBoxLayout(self.buttons)
        row.setContentsMargins(0, 2, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.histogram)
        row.addWidget(self.more)
        row.addStretch(1)
        row.addWidget(self.do)
        row.addWidget(self.typed)
        self.body.addWidget(self.buttons)

    def _build_choices(self) -> None:
        self.choices = QWidget(self)
        self._choice_column = QVBoxLayout(self.choices)
        self._choice_column.setContentsMargins(0, 0, 0, 0)
        self._choice_column.setSpacing(6)
        self._column.addWidget(self.choices)

    def _build_prompt(self) -> None:
        self.dice = DiceField(self)
        self.dice.entered.connect(self.faces)
        self.body.addWidget(self.dice)
        self.by_program = QPushButton("Let Battlemat roll", self)
        self.by_program.clicked.connect(self.rolled)
        self.ruling = QPushButton("Rule the result…", self)
        self.ruling.setProperty("look", "link")
        self.ruling.setCheckable(True)
        self.ruling.setToolTip("Replace the result; the log will tell")
        self.result = QLineEdit(self)
        self.result.setAccessibleName("Result by ruling")
        self.result.returnPressed.connect(self._rule)
        self.ruling.toggled.connect(self.result.setVisible)
        self.result.hide()
        row = QHBoxLayout()
        row.addWidget(self.by_program)
        row.addStretch(1)
        row.addWidget(self.ruling)
        self.body.addLayout(row)
        self.body.addWidget(self.result)

    @override
    def set_theme(self, theme: Theme) -> None:
        self.histogram.theme = theme

    def show_nothing(self, hint: str) -> None:
        """Show no plan and no prompt, only a word on what could be done."""
        self._overrule = False
        self._prompt = None
        self._name("Forecast", "Forecast")
        self._fill((), (), (), hint)
        self.show_fields((), None)
        self.buttons.hide()
        self._hide_prompt()
        self._fit()

    def show_plan(
        self,
        title: str,
        forecast: Forecast | None,
        refusals: Sequence[str],
        *,
        ready: bool,
        armed: bool,
        declares: bool,
        hint: str,
    ) -> None:
        """Show a plan; `ready` lets it be carried out, `hint` says what it still wants.

        Where the phase only `declares`, nothing is rolled yet.
        """
        self._prompt = None
        self._name(title, "Forecast")
        rows = forecast.rows if forecast is not None else ()
        lines = forecast.lines if forecast is not None else ()
        self._fill(lines, rows, refusals, hint)
        self._overrule = bool(refusals) and not armed
        rolls = forecast is not None and forecast.roll is not None and not declares
        verb = "Declare ⏎" if declares else "Roll ⏎" if rolls else "Do it ⏎"
        self.do.setText("Overrule" if self._overrule else verb)
        self.do.setEnabled(ready)
        self.do.setToolTip(
            "Do it all the same; the log will tell" if self._overrule else "Carry it out (Return)"
        )
        self.typed.setVisible(rolls)
        self.typed.setEnabled(ready and not self._overrule)
        self.buttons.setVisible(True)
        self._hide_prompt()

    def show_prompt(self, prompt: Prompt, who: str) -> None:
        """Show the question that the rules wait for, who answers it and what may answer it.

        What was typed in answer stays until there is another question.
        """
        if prompt is self._prompt:
            return
        self._prompt = prompt
        asks_roll = prompt.prompt is PromptKind.ROLL and prompt.roll is not None
        self.head(f"{who} {'rolls' if asks_roll else 'decides'}")
        self.subject.setText(prompt.question)
        self.subject.show()
        self.show_fields((), None)
        self._fill(prompt.lines, (), (), "")
        self.buttons.hide()
        self._fill_choices(prompt)
        self.choices.setVisible(not asks_roll)
        self.dice.setVisible(asks_roll)
        self.by_program.setVisible(asks_roll)
        self.ruling.show()
        self.ruling.setChecked(False)
        self.result.clear()
        self.result.setPlaceholderText(_ruling_hint(prompt, asks_roll=asks_roll))
        if asks_roll and prompt.roll is not None:
            self.dice.put(Roll.parse(prompt.roll))
        self._fit()

    def take_focus(self) -> None:
        """Put the cursor where the dice of the open question are typed in."""
        if not self.dice.isHidden():
            self.dice.take_focus()

    def _name(self, subject: str, short: str) -> None:
        """Write what this is about: into the header, or below it where that is too narrow."""
        font = QFont(self.header.title.font())
        font.setBold(True)
        fits = QFontMetrics(font).horizontalAdvance(subject) <= self.width() - 2 * MARGIN - 2 * GAP
        self.head(subject if fits else short)
        self.subject.setText(subject)
        self.subject.setVisible(not fits)

    def _fill(
        self,
        lines: Sequence[Modifier],
        rows: Sequence[ForecastRow],
        refusals: Sequence[str],
        hint: str,
    ) -> None:
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        self.lines.put(lines)
        self.legend.setVisible(any(line.proposal for line in lines))
        self.refusal.setText("\n".join(f"Not allowed: {each}" for each in refusals))
        self.refusal.setVisible(bool(refusals))
        self._rows = tuple(rows)
        self._place_odds()
        self.odds.put(rows)
        self._show_row(0)

    def _place_odds(self) -> None:
        """Keep a few rows of odds in sight below what is scrolled; many are scrolled with it."""
        self._column.removeWidget(self.odds)
        self.body.removeWidget(self.odds)
        if len(self._rows) <= FEW_ROWS:
            self.body.insertWidget(self.body.indexOf(self.refusal), self.odds)
        else:
            self._column.insertWidget(self._column.indexOf(self.lines) + 1, self.odds)

    def _show_row(self, number: int) -> None:
        self.histogram.put(self._rows[number].damage if number < len(self._rows) else ())

    def _fit(self) -> None:
        """Take the room that plan or prompt need, within reason."""
        for each in (self.lines, self.odds, self.choices, self.fields):
            layout = each.layout()
            if layout is not None:
                settle(layout)
        self._column.invalidate()
        below = (self.odds, self.refusal, self.buttons, self.dice, self.by_program, self.result)
        width = max(200, self.width() - 40)
        shown = sum(_height(w, width) + GAP for w in below if not w.isHidden())
        above = self._column.totalHeightForWidth(width) if self._column.hasHeightForWidth() else 0
        above = max(above, self._column.sizeHint().height())
        least = SMALLEST if shown or not self.choices.isHidden() else NOTHING
        self.hug(min(LARGEST, max(least, above + shown + 20)))

    def _fill_choices(self, prompt: Prompt) -> None:
        empty(self._choice_column)
        for number, choice in enumerate(prompt.choices):
            button = QPushButton(choice.label, self.choices)
            button.setProperty("look", "choice")
            button.setEnabled(choice.enabled)
            button.setToolTip(choice.reason or choice.label)
            button.setProperty("value", choice.value)
            if choice.reason:
                button.setText(f"{choice.label}  ·  {choice.reason}")
            button.clicked.connect(lambda _on=False, value=choice.value: self.answered.emit(value))
            self._choice_column.addWidget(button)
            if number == 0:
                self.choices.setFocusProxy(button)

    def choice(self, value: str) -> QPushButton:
        """Return the button of a choice; raise KeyError if it is not offered."""
        for button in self.choices.findChildren(QPushButton):
            if button.property("value") == value:
                return button
        raise KeyError(value)

    def _hide_prompt(self) -> None:
        for widget in (self.choices, self.dice, self.by_program, self.ruling, self.result):
            widget.hide()

    def _do(self) -> None:
        (self.overruled if self._overrule else self.roll).emit()

    def _rule(self) -> None:
        if self.result.text().strip():
            self.ruled.emit(self.result.text().strip())
