"""A small histogram of what a roll may bring."""

from collections.abc import Sequence
from fractions import Fraction

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gui.theme import Theme

MOST_BARS = 24


def buckets(
    damage: Sequence[tuple[int, Fraction]], most: int = MOST_BARS
) -> tuple[tuple[int, int, Fraction], ...]:
    """Return (first, last, chance) of the bars, neighbours joined until there are at most `most`.

    A miss, which does nothing, is no bar.
    """
    chances = {amount: chance for amount, chance in damage if amount > 0}
    if not chances:
        return ()
    low, high = min(chances), max(chances)
    width = -(-(high - low + 1) // most)
    return tuple(
        (
            start,
            min(start + width - 1, high),
            sum((chances.get(n, Fraction(0)) for n in range(start, start + width)), Fraction(0)),
        )
        for start in range(low, high + 1, width)
    )


class Histogram(QWidget):
    """Bars from the least to the most; the words are in the tooltip and for screen readers."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._bars: tuple[tuple[int, int, Fraction], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def put(self, damage: Sequence[tuple[int, Fraction]]) -> None:
        """Show a distribution of amounts; an empty one hides the histogram."""
        self._bars = buckets(damage)
        words = ", ".join(
            f"{first if first == last else f'{first} to {last}'}: {percent(chance)}"
            for first, last, chance in self._bars
        )
        self.setToolTip(words)
        self.setAccessibleName("Damage")
        self.setAccessibleDescription(words)
        self.setVisible(bool(self._bars))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(min(140, max(1, len(self._bars)) * 14), 34)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._bars:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.party))
        top = max(chance for _, _, chance in self._bars)
        step = min(14.0, self.width() / len(self._bars))
        for number, (_, _, chance) in enumerate(self._bars):
            height = max(2.0, float(chance / top) * (self.height() - 4))
            place = QRectF(number * step, self.height() - height, max(1.0, step - 3), height)
            painter.drawRoundedRect(place, 1.5, 1.5)
        painter.end()


def percent(chance: Fraction, *, fine: bool = False) -> str:
    """Return an exact chance as people read it: "54 %", "< 1 %", never 0 or 100 if it is not.

    A `fine` one has one decimal.
    """
    if chance <= 0:
        return "0 %"
    if chance >= 1:
        return "100 %"
    least = Fraction(1, 1000 if fine else 100)
    if chance < least:
        return f"< {_shown(least, fine=fine)} %"
    if chance > 1 - least:
        return f"> {_shown(1 - least, fine=fine)} %"
    return f"{_shown(chance, fine=fine)} %"


def _shown(chance: Fraction, *, fine: bool) -> str:
    return f"{float(chance * 100):.1f}" if fine else str(round(chance * 100))
