"""The turn dock: whatever `Ruleset.step` says, and the button that goes on.

Outside a fight it lists the tokens and offers to begin. It knows no ruleset.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from engine.rules.ruleset import Bar
from engine.view import TokenView, View
from gui.docks.panel import GAP, MARGIN, Panel
from gui.docks.turn_row import HEIGHT, TurnDelegate
from gui.theme import Theme

ROW = Qt.ItemDataRole.UserRole
MOST_ROWS = 7
"""How many lines the dock grows for; more are scrolled."""
FEW_ROWS = 4
EXPLORING = 0.42
"""The part of the window's height that the lines may take while there is no fight."""
LOW = 900
"""In a window lower than this the dock grows for few rows only."""

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list, ready to be drawn and read aloud."""

    token_id: str
    name: str
    side: str
    detail: str = ""
    badge: str = ""
    bar: Bar | None = None
    may_act: bool = False
    done: bool = False
    hidden: bool = False

    @property
    def spoken(self) -> str:
        """Return the line as a sentence for those who hear it."""
        parts = [self.name, self.side, self.detail, self.badge]
        if self.bar is not None:
            parts.append(f"{self.bar.label} {self.bar.value} of {self.bar.maximum}")
        marks = ((self.may_act, "may act"), (self.done, "done"), (self.hidden, "hidden"))
        return ", ".join([*(p for p in parts if p), *(word for on, word in marks if on)])


def rows_of(view: View) -> tuple[Row, ...]:
    """Return the turn list of a View: its order in a fight, all tokens outside of one."""
    if view.step is None:
        return tuple(_row(token) for token in view.tokens.values())
    return tuple(
        _row(
            view.tokens[entry.token_id],
            detail=entry.detail,
            badge=entry.badge,
            may_act=entry.may_act,
            done=entry.done,
        )
        for entry in view.step.entries
        if entry.token_id in view.tokens
    )


def _row(token: TokenView, *, detail: str = "", badge: str = "", **marks: bool) -> Row:
    card = token.card
    badges = ", ".join(each.text for each in card.badges[:2]) if card is not None else ""
    return Row(
        token_id=token.id,
        name=token.name,
        side=token.side,
        detail=detail or (card.detail if card is not None else ""),
        badge=badge or badges,
        bar=card.bars[0] if card is not None and card.bars else None,
        hidden=token.hidden,
        **marks,
    )


class TurnModel(QAbstractListModel):
    """The rows; changes of single rows keep the others and the scroll position."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[Row, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return what is shown."""
        return self._rows

    def put(self, rows: tuple[Row, ...]) -> None:
        """Show these rows."""
        same = [row.token_id for row in rows] == [row.token_id for row in self._rows]
        if not same:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
            return
        before, self._rows = self._rows, rows
        for number, (old, new) in enumerate(zip(before, rows, strict=True)):
            if old != new:
                here = self.index(number)
                self.dataChanged.emit(here, here)

    def place(self, token_id: str) -> QModelIndex:
        """Return the index of a token, invalid if it is not in the list."""
        for number, row in enumerate(self._rows):
            if row.token_id == token_id:
                return self.index(number)
        return NOWHERE

    @override
    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role in {Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole}:
            return row.spoken
        return row if role == ROW else None


class TurnDock(Panel):
    """Whose turn it is: `picked` carries the tokens that somebody clicks in the list."""

    picked = Signal(tuple)

    def __init__(self, begin: QAction, following: QAction, dice: QAction, theme: Theme) -> None:
        super().__init__("turn", "Turn order")
        self._begin, self._following, self._dice = begin, following, dice
        self._selecting = self._fighting = self._hugged_fighting = False
        self._title = self._round = self._phase = self._about = ""
        self.next = QPushButton(self)
        self.next.setProperty("accent", True)
        self.next.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.next.clicked.connect(self._go_on)
        self.header.add(self.next)
        self.does = QLabel(self)
        self.does.setProperty("quiet", True)
        self.does.setWordWrap(True)
        self.does.setTextFormat(Qt.TextFormat.PlainText)
        self.body.addWidget(self.does)
        self._build_dice()
        self.model = TurnModel()
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setAccessibleName("Turn order")
        self._delegate = TurnDelegate(theme, self.list)
        self.list.setItemDelegate(self._delegate)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.selectionModel().selectionChanged.connect(lambda _new, _old: self._tell())
        self.body.addWidget(self.list)
        for action in (begin, following, dice):
            action.changed.connect(self._update_button)
        self.show_view(None)

    def _build_dice(self) -> None:
        """Make the switch that says who rolls the party's dice."""
        self.dice = QWidget(self)
        words = QLabel("Party’s dice", self.dice)
        words.setProperty("quiet", True)
        row = QHBoxLayout(self.dice)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(words)
        row.addStretch(1)
        self.by_program, self.by_hand = (
            self._dice_button(text, tip)
            for text, tip in (
                ("by program", "Battlemat rolls for the party"),
                ("by hand", "You are asked for what the party rolled on the table"),
            )
        )
        row.addWidget(self.by_program)
        row.addWidget(self.by_hand)
        self.body.addWidget(self.dice)

    def _dice_button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self.dice)
        button.setText(text)
        button.setProperty("look", "either")
        button.setCheckable(True)
        button.setToolTip(tip)
        button.setAccessibleName(f"Party’s dice {text}")
        button.clicked.connect(lambda: self._choose_dice(by_hand=button is self.by_hand))
        return button

    def _choose_dice(self, *, by_hand: bool) -> None:
        if self._dice.isChecked() is not by_hand:
            self._dice.trigger()
        self._update_button()

    @override
    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme

    def show_view(self, view: View | None) -> None:
        """Show where the fight stands."""
        self.model.put(rows_of(view) if view is not None else ())
        self._fighting = view is not None and view.fighting
        step = view.step if view is not None else None
        title = "Turn order" if view is None else step.title if step is not None else "Exploring"
        before, self._title = self._title, title
        self._round, _, self._phase = title.partition(": ")
        self._about = step.subtitle if step is not None else ""
        self._label = (step.end_label if step is not None else "") or "Next"
        self._reason = step.end_reason if step is not None else ""
        self._update_button()
        self._hug()
        if title != before:
            self._show_who_acts()

    def _hug(self) -> None:
        """Take the room for the words and some lines."""
        row_height = self.list.sizeHintForRow(0) if self.model.rows else HEIGHT
        most = MOST_ROWS if self.window().height() >= LOW else FEW_ROWS
        if not self._fighting:
            # Nobody needs the room for actions yet.
            most = max(most, int(self.window().height() * EXPLORING) // row_height)
        rows = max(2, min(len(self.model.rows), most))
        room = self.width() - 2 * MARGIN
        above = 0 if self.does.isHidden() else self.does.heightForWidth(room) + GAP
        above += 0 if self.dice.isHidden() else self.dice.sizeHint().height() + GAP
        exactly, self._hugged_fighting = self._fighting is not self._hugged_fighting, self._fighting
        self.hug(rows * row_height + above + 14, exactly=exactly)

    def _show_who_acts(self) -> None:
        """Bring the first one who may act into sight: another phase has begun."""
        for row in self.model.rows:
            if row.may_act:
                top = QAbstractItemView.ScrollHint.PositionAtTop
                self.list.scrollTo(self.model.place(row.token_id), top)
                return

    def show_selection(self, ids: Sequence[str]) -> None:
        """Mark the tokens that are selected on the map."""
        self._selecting = True
        try:
            model = self.list.selectionModel()
            model.clearSelection()
            for token_id in ids:
                place = self.model.place(token_id)
                if place.isValid():
                    model.select(place, model.SelectionFlag.Select)
                    self.list.scrollTo(place)
        finally:
            self._selecting = False

    def _tell(self) -> None:
        if not self._selecting:
            chosen = sorted(index.row() for index in self.list.selectedIndexes())
            self.picked.emit(tuple(self.model.rows[each].token_id for each in chosen))

    def _go_on(self) -> None:
        (self._following if self._fighting else self._begin).trigger()

    def _update_button(self) -> None:
        action = self._following if self._fighting else self._begin
        key = action.shortcut().toString() if not action.shortcut().isEmpty() else ""
        mark = {"Space": " ␣"}.get(key, "")
        words = self._label if self._fighting else "Begin the fight"
        self.next.setVisible(bool(self.model.rows))
        self.dice.setVisible(self._fighting)
        self.dice.setEnabled(self._dice.isEnabled())
        self.by_hand.setChecked(self._dice.isChecked())
        self.by_program.setChecked(not self._dice.isChecked())
        shown, whole = self._head(words, mark if self._fighting else "")
        self.next.setAccessibleName(words)
        self.next.setEnabled(action.isEnabled())
        self.next.setToolTip(self._reason or f"{words}\n{action.toolTip()}")
        phase, following = "" if whole else f"{self._phase}.", "" if shown else f"Next: {words}."
        told = (phase, self._about, following, self._reason)
        self.does.setText(" ".join(each for each in told if each))
        self.does.setVisible(bool(self.does.text()))

    def _head(self, words: str, mark: str) -> tuple[bool, bool]:
        """Write title and button; tell whether the words and the whole title had room.

        Where they have not, the button says only "Next", or the title leaves out the phase.
        """
        for title, text in product((self._title, self._round), (words, "Next")):
            self.next.setText(f"{text}{mark}")
            self.head(title)
            button = 0 if self.next.isHidden() else self.next.sizeHint().width() + GAP
            if self.header.title.sizeHint().width() + button + 2 * MARGIN <= self.width():
                break
        return text == words, title == self._title

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._update_button()
