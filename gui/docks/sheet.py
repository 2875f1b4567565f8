"""The sheet dock: the selected token's bars and every field of its sheet.

The form is drawn from the ruleset's sheet type and kept while tokens change, so a selection costs
no more than writing the values.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)
from typing_extensions import override

from engine.model.sheet import Sheet
from engine.rules.ruleset import Bar, Ruleset
from engine.view import TokenView
from gui.docks.editors import Editor
from gui.docks.fields import FieldSpec, specs_of
from gui.docks.panel import Panel
from gui.docks.turn_row import draw_bar
from gui.theme import Theme

FORM_HEIGHT = 320
LABEL_WIDTH, FIELD_WIDTH = 140, 90


class BarWidget(QWidget):
    """A bar that fills its width."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._value, self._maximum = 0, 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def put(self, value: int, maximum: int) -> None:
        """Show how much is left."""
        self._value, self._maximum = value, maximum
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(80, 10)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_bar(painter, QRectF(self.rect()), self._value, self._maximum, self.theme)
        painter.end()


class BarLine:
    """A bar with its label and its number; "-4" typed into the number takes 4 off."""

    def __init__(
        self, grid: QGridLayout, row: int, tell: Callable[[int, int], None], theme: Theme
    ) -> None:
        self._row, self._tell = row, tell
        self._value = 0
        self.label = QLabel()
        self.label.setProperty("quiet", True)
        self.bar = BarWidget(theme)
        self.number = QLineEdit()
        self.number.setProperty("look", "number")
        self.number.setFixedWidth(78)
        self.number.setToolTip("A number, or -4 and +4 to change it by that")
        self.number.editingFinished.connect(self._entered)
        for column, widget in enumerate((self.label, self.bar, self.number)):
            grid.addWidget(widget, row, column)

    def put(self, bar: Bar | None, *, editable: bool) -> None:
        """Show a bar, or nothing."""
        for widget in (self.label, self.bar, self.number):
            widget.setVisible(bar is not None)
        if bar is None:
            return
        self._value = bar.value
        self.label.setText(bar.label)
        self.bar.put(bar.value, bar.maximum)
        self.number.setText(f"{bar.value} / {bar.maximum}")
        self.number.setReadOnly(not editable)
        self.number.setAccessibleName(f"{bar.label} of {bar.maximum}")
        self._text = self.number.text()

    def _entered(self) -> None:
        text = self.number.text().partition("/")[0].strip().replace("−", "-")
        if self.number.text() == self._text:
            return
        try:
            number = int(text)
        except ValueError:
            self.number.setText(self._text)
            return
        self._tell(self._row, self._value + number if text[0] in "+-" else number)


class SheetDock(Panel):
    """Who is selected.

    `preset_chosen` carries the name of a ready-made sheet, `value_set` a token, a field of its
    sheet and the new value.
    """

    preset_chosen = Signal(str)
    value_set = Signal(str, str, object)

    def __init__(self, theme: Theme) -> None:
        super().__init__("sheet", "Sheet")
        self._token_id = ""
        self._specs: tuple[FieldSpec, ...] = ()
        self.editors: dict[str, Editor] = {}
        self._sheet_type: type[Sheet] | None = None
        self._bar_fields: list[str] = []
        self._sheet: Sheet | None = None
        self.badges = QLabel(self)
        self.badges.setProperty("quiet", True)
        self.badges.setWordWrap(True)
        self.body.addWidget(self.badges)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        self.bars = [BarLine(grid, row, self._set_bar, theme) for row in range(4)]
        self.body.addLayout(grid)
        self._build_none()
        self.more = QPushButton("All values", self)
        self.more.setProperty("look", "link")
        self.more.setCheckable(True)
        self.more.toggled.connect(self._show_form)
        self.header.add(self.more)
        self.scroll_area = QScrollArea(self)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setVisible(False)
        self.body.addWidget(self.scroll_area, 1)
        self.body.addStretch(0)
        self.show_token(None, None, None)

    def _build_none(self) -> None:
        self.none = QWidget(self)
        row = QHBoxLayout(self.none)
        row.setContentsMargins(0, 0, 0, 0)
        self.words = QLabel(self.none)
        self.words.setProperty("quiet", True)
        self.words.setWordWrap(True)
        self.presets = QComboBox(self.none)
        self.presets.setAccessibleName("Ready-made sheets")
        self.presets.activated.connect(self._preset_picked)
        row.addWidget(self.words, 1)
        row.addWidget(self.presets)
        self.body.addWidget(self.none)

    @override
    def set_theme(self, theme: Theme) -> None:
        for line in self.bars:
            line.bar.theme = theme

    def show_token(
        self, token: TokenView | None, sheet: Sheet | None, ruleset: Ruleset | None
    ) -> None:
        """Show a token and its sheet; without a token say what to do."""
        # A field that goes with the cursor in it says what was typed for somebody else.
        self._token_id = ""
        self._head(token)
        has_sheet = token is not None and sheet is not None and ruleset is not None
        self.none.setVisible(not has_sheet)
        self.more.setVisible(has_sheet)
        self.scroll_area.setVisible(has_sheet and self.more.isChecked())
        if ruleset is not None and sheet is not None and token is not None:
            self._build_form(ruleset)
            self._put_values(token, sheet)
        else:
            for line in self.bars:
                line.put(None, editable=False)
            self._offer_presets(token, ruleset)
        self._fit()
        self._token_id = token.id if token is not None else ""

    def _fit(self) -> None:
        """Take no more room than the bars need, unless the form is open."""
        opened = self.scroll_area.isVisibleTo(self)
        self.body.activate()
        self.hug(FORM_HEIGHT if opened else self.body.sizeHint().height())

    def _head(self, token: TokenView | None) -> None:
        if token is None:
            self.head("No token selected")
            self.badges.hide()
            return
        card = token.card
        self.head(token.name, card.detail if card is not None else token.side)
        marks = [f"{each.text} {each.meaning}" for each in card.badges] if card is not None else []
        if token.hidden:
            marks.append("hidden from the players")
        if token.known_as:
            marks.append(f"the players know it as {token.known_as}")
        if token.gm_note:
            marks.append(token.gm_note)
        self.badges.setText(" · ".join(marks))
        self.badges.setVisible(bool(marks))

    def _offer_presets(self, token: TokenView | None, ruleset: Ruleset | None) -> None:
        names = tuple(ruleset.presets()) if ruleset is not None and token is not None else ()
        self.presets.setVisible(bool(names))
        self.words.setText(
            "It has no sheet yet." if token is not None else "Click a token on the map."
        )
        self.presets.clear()
        self.presets.addItems(["Choose one…", *names])

    def _build_form(self, ruleset: Ruleset) -> None:
        """Draw the form of a sheet type, once."""
        if ruleset.sheet_type is self._sheet_type:
            return
        self._sheet_type = ruleset.sheet_type
        self._specs = specs_of(ruleset.sheet_type)
        inside = QWidget()
        inside.setObjectName("dockBody")
        form = QFormLayout(inside)
        form.setContentsMargins(0, 4, 6, 4)
        form.setVerticalSpacing(4)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.editors = {}
        for spec in self._specs:
            editor = Editor(spec, partial(self._edited, spec.name), inside)
            self.editors[spec.name] = editor
            label = QLabel(spec.title)
            label.setProperty("quiet", True)
            label.setWordWrap(True)
            label.setFixedWidth(LABEL_WIDTH)
            if spec.kind != "flag":
                policy = QSizePolicy.Policy
                editor.widget.setSizePolicy(policy.Expanding, policy.Fixed)
                editor.widget.setMinimumWidth(FIELD_WIDTH)
            form.addRow(label, editor.widget)
        self.scroll_area.setWidget(inside)

    def _put_values(self, token: TokenView, sheet: Sheet) -> None:
        if self.more.isChecked():
            self._put_form(sheet)
        self._sheet = sheet
        bars = token.card.bars if token.card is not None else ()
        self._bar_fields = [self._field_of(bar, sheet) for bar in bars]
        self._hide_twins()
        for number, line in enumerate(self.bars):
            bar = bars[number] if number < len(bars) else None
            line.put(bar, editable=bar is not None and bool(self._bar_fields[number]))

    def _hide_twins(self) -> None:
        """Leave out of the form what a bar above shows and lets be changed."""
        inside = self.scroll_area.widget()
        form = inside.layout() if inside is not None else None
        if isinstance(form, QFormLayout):
            for name, editor in self.editors.items():
                form.setRowVisible(editor.widget, name not in self._bar_fields)

    def _put_form(self, sheet: Sheet) -> None:
        for name, editor in self.editors.items():
            editor.put(getattr(sheet, name))

    def _field_of(self, bar: Bar, sheet: Sheet) -> str:
        """Return the field that a bar shows, by its title or name; none if the value differs."""
        wanted = bar.label.casefold()
        for spec in self._specs:
            named = wanted in {spec.title.casefold(), spec.name.casefold()}
            if named and getattr(sheet, spec.name) == bar.value:
                return spec.name
        return ""

    def _preset_picked(self, number: int) -> None:
        if number > 0:
            self.preset_chosen.emit(self.presets.itemText(number))

    def _show_form(self, shown: bool) -> None:
        self.scroll_area.setVisible(shown)
        if shown and self._sheet is not None:
            self._put_form(self._sheet)
        self._fit()

    def _set_bar(self, row: int, value: int) -> None:
        if row < len(self._bar_fields) and self._bar_fields[row]:
            self._edited(self._bar_fields[row], value)

    def _edited(self, name: str, value: Any) -> None:
        if self._token_id:
            self.value_set.emit(self._token_id, name, value)
