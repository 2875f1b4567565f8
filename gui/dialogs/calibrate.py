"""Measuring the players' screen: a bar on it is made as long as a bank card or a ruler.

What a screen tells of its own size is never believed. The measure is kept for that screen.
"""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLabel, QSlider, QWidget
from typing_extensions import override

from gui.dialogs.form import FormDialog
from gui.players import Players
from gui.screens import CARD_MM, Calibration, calibration_from_bar

LENGTHS = (("a bank card, its longer side", CARD_MM), ("10 cm of a ruler", 100.0))
FIRST_PX = 320


class MeasureBar(QWidget):
    """A bar over the players' window, some device pixels long."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.device_px = FIRST_PX
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setGeometry(window.rect())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.black)
        length = self.device_px / self.devicePixelRatioF()
        top = self.height() / 2 - 60
        bar = QRectF((self.width() - length) / 2, top, length, 120)
        painter.fillRect(bar, QColor("#e6e6e6"))
        painter.end()


class CalibrateDialog(FormDialog):
    """Works the bar from the GM's window; *That fits* keeps the measure and turns true size on."""

    def __init__(self, players: Players, parent: QWidget | None = None) -> None:
        super().__init__("Measure the players' screen", "That fits", parent)
        self._players = players
        self.bar = MeasureBar(players.window)
        self.bar.show()
        words = QLabel(
            "Hold one of these against the bar on the players' screen and make it as long.", self
        )
        words.setWordWrap(True)
        words.setProperty("quiet", True)
        self.column.insertWidget(0, words)
        self.length = QComboBox(self)
        for text, millimetres in LENGTHS:
            self.length.addItem(text, millimetres)
        self.row("&What", self.length)
        ratio = players.window.devicePixelRatioF()
        most = int(players.window.width() * ratio)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(20, max(40, most))
        self.exact = QDoubleSpinBox(self)
        self.exact.setRange(20, max(40, most))
        self.exact.setDecimals(0)
        self.exact.setSuffix(" px")
        self.slider.valueChanged.connect(self.exact.setValue)
        self.exact.valueChanged.connect(self._show)
        self.row("&Length", self.slider)
        self.row("&Exactly", self.exact, "In the screen's own pixels")
        known = players.calibrations.load(players.screen_key)
        self.exact.setValue(known.device_px(CARD_MM) if known is not None else FIRST_PX)
        self.check = self._what_is_wrong
        self.accepted.connect(self._keep)
        self.finished.connect(lambda _code: self.bar.deleteLater())

    @property
    def calibration(self) -> Calibration:
        """Return the measure as the bar stands."""
        return calibration_from_bar(self.exact.value(), float(self.length.currentData()))

    def _show(self, device_px: float) -> None:
        self.slider.setValue(round(device_px))
        self.bar.device_px = round(device_px)
        self.bar.update()

    def _what_is_wrong(self) -> str:
        if self.calibration.is_plausible:
            return ""
        return f"{self.calibration.ppi:.0f} pixels an inch cannot be; measure once more."

    def _keep(self) -> None:
        self._players.calibrations.save(self._players.screen_key, self.calibration)
        self._players.true_size(on=True)
