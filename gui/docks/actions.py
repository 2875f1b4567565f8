"""The actions dock: everything the ruleset offers, possible or not.

What is not possible now stays visible, disabled, with its reason; *Overrule* makes it possible
once.
"""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engine.rules.ruleset import Offer, TargetKind
from gui.docks.panel import GAP, LEGEND, MARGIN, Panel, empty
from gui.docks.targets import TargetList, TargetRow
from gui.theme import Theme

COLUMNS = 2

SIDES = 22
"""What the margins of a button take of its width."""
APART = 8
"""What stands between its label and its cost at the least."""
BAR = 12
"""What the scroll bar takes."""

SAID_ONCE = 4
"""A reason that stands against this many offers is said once, above them all."""


class OfferButton(QPushButton):
    """One offer: its label at the left, its cost or the reason against it at the right.

    Where one line has no room for both, the second one stands below the first, whole.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[Offer, bool, bool, str] | None = None
        self._look = (False, False)
        self.setProperty("look", "offer")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(12, 0, 10, 0)
        self._grid.setHorizontalSpacing(APART)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(1, 1)
        self._below: int | None = None
        self.name, self.detail = QLabel(self), QLabel(self)
        self.name.setProperty("look", "offerName")
        self.detail.setProperty("look", "offerDetail")
        self.set_lines(0)
        for label in (self.name, self.detail):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def put(self, offer: Offer, *, chosen: bool, armed: bool, told: str = "") -> None:
        """Show an offer; `armed` lets an impossible one be pressed.

        `told` is a reason that stands above all buttons and need not be said again here.
        """
        if (offer, chosen, armed, told) == self._shown:
            return
        self._shown = (offer, chosen, armed, told)
        reason = offer.reason
        self.name.setText(_label(offer))
        self.detail.setText(_detail(offer, told))
        self.updateGeometry()
        self.setEnabled(offer.enabled or armed)
        self.setAccessibleName(f"{offer.label} {offer.cost}".strip())
        self.setAccessibleDescription(f"Not possible: {reason}" if reason else offer.hint)
        self.setToolTip("\n".join(_tip(offer)))
        self._dress(chosen=chosen, overruled=armed and not offer.enabled)

    def wants_width(self, offer: Offer, told: str) -> int:
        """Return how wide the button would have to be for an offer in one line."""
        self.ensurePolished()
        label = self.name.fontMetrics().horizontalAdvance(_label(offer))
        detail = self.detail.fontMetrics().horizontalAdvance(_detail(offer, told))
        return label + (detail + APART if detail else 0) + SIDES + 2

    def set_lines(self, below: int) -> None:
        """Put the detail beside the label, or `below` it in a button of that width if not 0."""
        if below == self._below:
            return
        self._below = below
        for label in (self.name, self.detail):
            self._grid.removeWidget(label)
        self.name.setWordWrap(bool(below))
        self.detail.setWordWrap(bool(below))
        if below:
            self._grid.addWidget(self.name, 0, 0, 1, 2)
            self._grid.addWidget(self.detail, 1, 0, 1, 2)
            self.detail.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        else:
            self._grid.addWidget(self.name, 0, 0)
            self._grid.addWidget(self.detail, 0, 1)
            self.detail.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    @override
    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        if not self._below:
            return hint
        lines = [label for label in (self.name, self.detail) if label.text()]
        high = sum(label.heightForWidth(self._below - SIDES) for label in lines)
        return QSize(hint.width(), high + 12)

    def _dress(self, *, chosen: bool, overruled: bool) -> None:
        """Let the style sheet look again, which is dear, only if the look changes."""
        if (chosen, overruled) == self._look:
            return
        self._look = (chosen, overruled)
        self.setProperty("overruled", overruled)
        for widget in (self, self.name, self.detail):
            widget.setProperty("chosen", chosen)
            widget.style().unpolish(widget)
            widget.style().polish(widget)


def _label(offer: Offer) -> str:
    """Return the words on a button; a star marks what is a proposal."""
    return f"{offer.label} *" if offer.proposal else offer.label


def _detail(offer: Offer, told: str) -> str:
    """Return what stands beside the label: the reason against it, unless told already, or cost."""
    return offer.cost if offer.reason == told else offer.reason or offer.cost


def _tip(offer: Offer) -> list[str]:
    source = f"{offer.source} (a proposal)" if offer.proposal and offer.source else offer.source
    if offer.proposal and not source:
        source = "A proposal; no source gives it."
    lines = [offer.label if not offer.cost else f"{offer.label}: {offer.cost}", offer.hint]
    if offer.reason:
        lines.append(f"Not now: {offer.reason} Right-click to overrule.")
    return [line for line in (*lines, source) if line]


class ActionsDock(Panel):
    """`chosen` carries an offer, `overruled` one that is done against the rules.

    `armed` tells that the GM takes up or lays down the right to overrule. While a plan wants a
    target, `targets` stands in the place of the offers; `left` goes back to them.
    """

    chosen = Signal(object)
    overruled = Signal(object)
    armed = Signal(bool)
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__("actions", "Actions")
        self._offers: tuple[Offer, ...] = ()
        self.overrule = QToolButton(self)
        self.overrule.setProperty("look", "switch")
        self.overrule.setText("Overrule")
        self.overrule.setCheckable(True)
        self.overrule.setToolTip("Do the next thing whatever the rules say; the log will tell")
        self.overrule.setAccessibleName("Overrule the rules once")
        self.overrule.toggled.connect(self.armed)
        self.header.add(self.overrule)
        self.common = QLabel(self)
        self.common.setProperty("quiet", True)
        self.common.setWordWrap(True)
        self.common.setTextFormat(Qt.TextFormat.PlainText)
        self.common.hide()
        self.body.addWidget(self.common)
        self.scroll_area = QScrollArea(self)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setWidgetResizable(True)
        self.inside = QWidget()
        self.inside.setObjectName("dockBody")
        self.column = QVBoxLayout(self.inside)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(GAP)
        self.scroll_area.setWidget(self.inside)
        self.scroll_area.verticalScrollBar().rangeChanged.connect(self._scroll_to_chosen)
        self.body.addWidget(self.scroll_area)
        self.legend = QLabel(LEGEND, self)
        self.legend.setProperty("look", "legend")
        self.legend.hide()
        self.body.addWidget(self.legend)
        self.back = QPushButton("‹ Other actions", self)
        self.back.setProperty("look", "link")
        self.back.clicked.connect(self.left)
        self.body.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        self.targets = TargetList(theme)
        self.body.addWidget(self.targets, 1)
        self.back.hide()
        self.targets.hide()
        self.buttons: list[OfferButton] = []
        self._grids: list[QGridLayout] = []
        self._shape: tuple[tuple[str, int], ...] = ()
        self._wants: tuple[int, ...] = ()
        self._placed: tuple[tuple[int, ...], int] | None = None
        self._chosen = ""
        self._first: tuple[str, str] | None = None
        self.column.addStretch(1)

    def show_offers(self, offers: Sequence[Offer], chosen: str, *, armed: bool) -> None:
        """Show what the token could do; `chosen` is the offer in preparation."""
        self._offers = _in_groups(offers)
        self.overrule.setEnabled(bool(offers))
        self.overrule.blockSignals(True)
        self.overrule.setChecked(armed)
        self.overrule.blockSignals(False)
        self.head("Actions", "" if offers else "none")
        told = _said_once(self._offers)
        self.common.setText(told)
        self.common.setVisible(bool(told))
        self._lay_out()
        self.legend.setVisible(any(each.proposal for each in self._offers))
        pairs = zip(self.buttons, self._offers, strict=False)
        self._wants = tuple(button.wants_width(offer, told) for button, offer in pairs)
        for button, offer in zip(self.buttons, self._offers, strict=False):
            button.put(offer, chosen=offer.id == chosen, armed=armed, told=told)
        self._place()
        dropped = bool(self._chosen) and not chosen
        self._chosen = chosen
        first = (self._offers[0].plan.token_id, self._offers[0].id) if self._offers else None
        if dropped or first != self._first:
            self._first = first
            self.scroll_area.verticalScrollBar().setValue(0)

    def show_targets(
        self, label: str, targets: Sequence[TargetRow], chosen: str | None, *, armed: bool
    ) -> None:
        """Show what the offer in preparation could be aimed at; without targets, the offers."""
        aiming = bool(targets)
        self.targets.put(targets, chosen, armed=armed)
        self.targets.setVisible(aiming)
        self.back.setVisible(aiming)
        self.scroll_area.setVisible(not aiming)
        if aiming:
            self.common.hide()
            self.legend.hide()
            possible = sum(each.offer.enabled for each in targets)
            self.head(label, f"{possible} of {len(targets)} possible")

    @override
    def set_theme(self, theme: Theme) -> None:
        self.targets.set_theme(theme)

    def button(self, offer_id: str) -> OfferButton:
        """Return the button of an offer; raise KeyError if it is not offered."""
        for button, offer in zip(self.buttons, self._offers, strict=False):
            if offer.id == offer_id:
                return button
        raise KeyError(offer_id)

    def _lay_out(self) -> None:
        """Make as many buttons as are needed, under their headings; keep those that fit."""
        shape = tuple(
            (group, sum(each.group == group for each in self._offers))
            for group in dict.fromkeys(offer.group for offer in self._offers)
        )
        if shape == self._shape:
            return
        self._shape, self._wants, self._placed = shape, (), None
        empty(self.column, keep=1)
        self.buttons, self._grids = [], []
        for group, count in shape:
            block = QWidget(self.inside)
            # A disabled button takes no events, so its menu belongs to the block around it.
            block.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            block.customContextMenuRequested.connect(
                lambda place, which=block: self._menu(which, place)
            )
            grid = QGridLayout(block)
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setSpacing(GAP)
            if group:
                heading = QLabel(group, block)
                heading.setProperty("quiet", True)
                grid.addWidget(heading, 0, 0, 1, COLUMNS)
            for column in range(COLUMNS):
                grid.setColumnStretch(column, 1)
            self.buttons += [self._make_button(len(self.buttons) + n, block) for n in range(count)]
            self._grids += [grid] * count
            self.column.insertWidget(self.column.count() - 1, block)
            block.show()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Put the buttons side by side; one with much to say gets a whole line, or two."""
        whole = self.width() - 2 * MARGIN - BAR
        if len(self._wants) != len(self.buttons) or (self._wants, whole) == self._placed:
            return
        self._placed = (self._wants, whole)
        half = (whole - GAP) // COLUMNS
        line: list[OfferButton] = []
        row, last = 0, None
        for button, grid, wanted in zip(self.buttons, self._grids, self._wants, strict=True):
            button.set_lines(whole if wanted > whole else 0)
            alone = wanted > half
            if grid is not last:
                row, last, line = 1, grid, []
            elif alone or len(line) == COLUMNS:
                row, line = row + 1, []
            line.append(button)
            # The first one has the whole line until another comes to stand beside it.
            for column, each in enumerate(line):
                grid.addWidget(each, row, column, 1, 1 if len(line) > 1 else COLUMNS)
            if alone:
                line = [button] * COLUMNS
        # Qt would lay them out only after it had painted them once, all in a heap.
        for grid in dict.fromkeys(self._grids):
            grid.activate()
        self.column.activate()

    def _scroll_to_chosen(self) -> None:
        """Keep the offer in preparation in sight while the forecast takes its room."""
        for button, offer in zip(self.buttons, self._offers, strict=False):
            if offer.id == self._chosen:
                self.scroll_area.ensureWidgetVisible(button, 0, GAP)

    def _make_button(self, number: int, parent: QWidget) -> OfferButton:
        button = OfferButton(parent)
        button.clicked.connect(lambda: self.chosen.emit(self._offers[number]))
        return button

    def _menu(self, block: QWidget, place: QPoint) -> None:
        menu = self.menu_at(block, place)
        if menu is not None:
            menu.exec(block.mapToGlobal(place))

    def menu_at(self, block: QWidget, place: QPoint) -> QMenu | None:
        """Return the menu of the offer under a point of its block."""
        for button, offer in zip(self.buttons, self._offers, strict=False):
            if button.parentWidget() is block and button.geometry().contains(place):
                menu = QMenu(block)
                menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
                if not offer.enabled:
                    words = menu.addAction(offer.reason)
                    words.setEnabled(False)
                act = menu.addAction(f"Overrule: {offer.label}")
                act.triggered.connect(lambda _on=False, which=offer: self.overruled.emit(which))
                return menu
        return None


def _said_once(offers: Sequence[Offer]) -> str:
    """Return the reason that stands against so many offers that it is better said once."""
    against = Counter(offer.reason for offer in offers if offer.reason)
    reason, times = against.most_common(1)[0] if against else ("", 0)
    return reason if times >= SAID_ONCE else ""


def _in_groups(offers: Sequence[Offer]) -> tuple[Offer, ...]:
    """Return the offers with those of one heading together, headings as they first come.

    What is possible comes before what is not, headings with nothing possible come after all
    others, and before these the ways, for they are dragged on the map.
    """
    headings = list(dict.fromkeys(offer.group for offer in offers))
    live = {offer.group for offer in offers if offer.enabled}
    aimed = {offer.group for offer in offers if offer.target is not TargetKind.PATH}

    def place(offer: Offer) -> tuple[bool, bool, int, bool]:
        group = offer.group
        return group not in live, group not in aimed, headings.index(group), not offer.enabled

    return tuple(sorted(offers, key=place))
