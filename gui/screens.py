"""The second screen: where the player window stands, how it survives a pulled plug, true size.

A QScreen is looked up anew each time and never kept: Qt deletes and recreates them at any change,
and a wrapper that some widget has asked for dies with that widget. Sizes in millimetres that a
screen tells about itself are never believed (TVs report 160 x 90 mm); a person measures once per
screen, and the measure is kept under the screen's identity, in device pixels.
"""

import ctypes
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import hypot, sqrt

from PySide6.QtCore import QObject, QPoint, QRect, QSettings, Qt, QTimer, Signal
from PySide6.QtDBus import QDBusConnection, QDBusInterface, QDBusMessage
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

MM_PER_INCH = 25.4
CARD_MM = 85.60
"""The longer side of a bank card (ISO/IEC 7810 ID-1)."""
PLAUSIBLE_PPI = (20.0, 600.0)

_VERIFY_MS = 250
_VERIFY_TRIES = 8


def screen_key(screen: QScreen) -> str:
    """Return a screen's identity, the same after a restart where the screen tells what it is."""
    return "|".join((screen.manufacturer(), screen.model(), screen.serialNumber(), screen.name()))


def find_screen(key: str) -> QScreen | None:
    """Return the screen of that identity if it is plugged in."""
    return next((each for each in QGuiApplication.screens() if screen_key(each) == key), None)


def other_screen_keys(widget: QWidget) -> list[str]:
    """Return the screens that a window is not on: candidates for the players."""
    here = QGuiApplication.screenAt(widget.frameGeometry().center())
    own = screen_key(here or QGuiApplication.primaryScreen())
    return [key for key in map(screen_key, QGuiApplication.screens()) if key != own]


def visible_geometry(saved: QRect, screens: Sequence[QRect]) -> QRect:
    """Return where a window may open: as saved if enough of it is on a screen, else moved."""
    title_bar = QRect(saved.left(), saved.top(), saved.width(), min(40, saved.height()))
    for each in screens:
        common = each.intersected(title_bar)
        if common.width() >= min(120, saved.width()) and common.height() >= title_bar.height() // 2:
            return saved
    if not screens:
        return saved
    room = screens[0]
    size = saved.size().boundedTo(room.size())
    gap = (room.size() - size) / 2
    return QRect(room.topLeft() + QPoint(gap.width(), gap.height()), size)


class SecondScreen(QObject):
    """Keeps a window full-screen on one screen for as long as that is wished and possible.

    Pulled out, the window hides instead of covering the GM's; plugged in again it comes back as
    it was.
    """

    lost = Signal(str)
    """The screen of this name went; the window is hidden."""
    restored = Signal(str)
    """It is back, and so is the window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._wanted: str | None = None
        self._away = False
        self._tries = 0
        self._verifier = QTimer(self, singleShot=True, interval=_VERIFY_MS)
        self._verifier.timeout.connect(self._verify)
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.screenRemoved.connect(self._removed)
        app.screenAdded.connect(self._added)

    @property
    def wanted(self) -> str | None:
        """Return the identity of the screen that the window belongs on, None for a plain window."""
        return self._wanted

    @property
    def is_away(self) -> bool:
        """Tell whether the window hides because its screen is gone."""
        return self._away

    def show_on(self, key: str) -> bool:
        """Bring the window full-screen onto a screen; tell whether that screen is there."""
        self._wanted = key
        screen = find_screen(key)
        self._away = screen is None
        if screen is None:
            return False
        self._cover(screen)
        self._tries = _VERIFY_TRIES
        self._verifier.start()
        return True

    def show_as_window(self, geometry: QRect | None = None) -> None:
        """Show it as an ordinary window."""
        self._wanted, self._away = None, False
        self._verifier.stop()
        self._window.showNormal()
        if geometry is not None:
            rooms = [each.availableGeometry() for each in QGuiApplication.screens()]
            self._window.setGeometry(visible_geometry(geometry, rooms))

    def toggle_full_screen(self) -> None:
        """Switch between full screen and a window on the screen where it is now."""
        here = QGuiApplication.screenAt(self._window.frameGeometry().center())
        here = here or QGuiApplication.primaryScreen()
        if self._window.isFullScreen():
            room = here.availableGeometry()
            inner = QRect(room.topLeft() + QPoint(60, 60), room.size() * 0.6)
            self.show_as_window(inner)
        else:
            self.show_on(screen_key(here))

    def _cover(self, screen: QScreen) -> None:
        """Put the window over a whole screen.

        The geometry must be set before it goes full screen: naming the screen alone leaves the
        window where it was.
        """
        window, area = self._window, screen.geometry()
        if window.isFullScreen():
            window.showNormal()
        window.setScreen(screen)
        window.setGeometry(area)
        # Not showFullScreen(): that asks for the keyboard, which belongs to the GM's window.
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        window.show()

    def _verify(self) -> None:
        """Look whether the window has arrived; window managers may have moved it again."""
        screen = find_screen(self._wanted) if self._wanted is not None else None
        if screen is None or not self._window.isVisible():
            return
        if self._window.geometry() == screen.geometry():
            return
        if self._tries > 0:
            self._tries -= 1
            self._cover(screen)
            self._verifier.start()

    def _removed(self, screen: QScreen) -> None:
        if self._wanted is None or screen_key(screen) != self._wanted or self._away:
            return
        # Qt hands the window to another screen but leaves it full-screen: over the GM's window.
        name, self._away = screen.name(), True
        self._verifier.stop()
        window = self._window
        window.hide()
        window.showNormal()
        window.hide()
        left = [each for each in QGuiApplication.screens() if screen_key(each) != self._wanted]
        if left:
            room = left[0].availableGeometry()
            window.setScreen(left[0])
            window.setGeometry(QRect(room.topLeft() + QPoint(40, 40), room.size() / 2))
        self.lost.emit(name)

    def _added(self, screen: QScreen) -> None:
        if self._wanted is not None and screen_key(screen) == self._wanted and self._away:
            name = screen.name()
            self.show_on(self._wanted)
            self.restored.emit(name)


@dataclass(frozen=True, slots=True)
class Calibration:
    """How many device pixels of a screen make an inch, across and down."""

    across_ppi: float
    down_ppi: float

    @property
    def is_plausible(self) -> bool:
        """Tell whether any screen could be like that."""
        low, high = PLAUSIBLE_PPI
        sides = (self.across_ppi, self.down_ppi)
        alike = max(sides) <= 1.05 * min(sides)
        return alike and all(low <= side <= high for side in sides)

    @property
    def ppi(self) -> float:
        """Return the pixels per inch for a map of square cells."""
        return sqrt(self.across_ppi * self.down_ppi)

    def device_px(self, length_mm: float) -> float:
        """Return a length in device pixels."""
        return self.ppi * length_mm / MM_PER_INCH


def calibration_from_bar(bar_device_px: float, length_mm: float) -> Calibration:
    """Return the measure of a screen on which a bar of that many pixels is that long."""
    ppi = bar_device_px / length_mm * MM_PER_INCH
    return Calibration(ppi, ppi)


def calibration_from_diagonal(width_px: int, height_px: int, inches: float) -> Calibration:
    """Return the measure of a screen of that resolution and diagonal."""
    ppi = hypot(width_px, height_px) / inches
    return Calibration(ppi, ppi)


def calibration_from_width(width_px: int, width_mm: float) -> Calibration:
    """Return the measure of a screen whose picture is that wide."""
    return calibration_from_bar(width_px, width_mm)


class CalibrationStore:
    """The measures of all screens ever calibrated, by identity, in the person's settings."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def load(self, key: str) -> Calibration | None:
        """Return a screen's measure; None if it was never taken or cannot be right."""
        stored = self._settings.value(_setting(key), "")
        with suppress(ValueError):
            across, down = (float(part) for part in str(stored).split(" "))
            found = Calibration(across, down)
            return found if found.is_plausible else None
        return None

    def save(self, key: str, calibration: Calibration) -> None:
        """Keep a screen's measure."""
        text = f"{calibration.across_ppi!r} {calibration.down_ppi!r}"
        self._settings.setValue(_setting(key), text)

    def forget(self, key: str) -> None:
        """Drop a screen's measure."""
        self._settings.remove(_setting(key))


class KeepAwake:
    """Keeps the machine from sleeping and the screen from going dark, while it is on."""

    def __init__(self) -> None:
        self._helper: subprocess.Popen[bytes] | None = None
        self._cookie: int | None = None

    def switch(self, *, on: bool) -> None:
        """Begin or end; a system that cannot be asked is left as it is."""
        if sys.platform == "win32":
            _windows_execution_state(on=on)
        elif sys.platform == "darwin":
            self._caffeine(on=on)
        else:
            self._screen_saver(on=on)

    def _caffeine(self, *, on: bool) -> None:
        if on and self._helper is None:
            with suppress(OSError):
                self._helper = subprocess.Popen(["/usr/bin/caffeinate", "-d", "-i"])
        elif not on and self._helper is not None:
            self._helper.terminate()
            self._helper.wait(timeout=5)
            self._helper = None

    def _screen_saver(self, *, on: bool) -> None:
        """Ask the desktop over D-Bus, as freedesktop.org has it."""
        if on == (self._cookie is not None):
            return
        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return
        saver = QDBusInterface(
            "org.freedesktop.ScreenSaver",
            "/org/freedesktop/ScreenSaver",
            "org.freedesktop.ScreenSaver",
            bus,
        )
        saver.setTimeout(1000)
        if on:
            answer = saver.call("Inhibit", "Battlemat", "The players watch the map")
            if answer.type() == QDBusMessage.MessageType.ReplyMessage and answer.arguments():
                self._cookie = int(answer.arguments()[0])
        else:
            saver.call("UnInhibit", self._cookie)
            self._cookie = None


def _windows_execution_state(*, on: bool) -> None:
    continuous, system, display = 0x80000000, 0x1, 0x2
    windll = getattr(ctypes, "windll", None)
    if windll is not None:
        wanted = continuous | system | display if on else continuous
        windll.kernel32.SetThreadExecutionState(wanted)


def _setting(key: str) -> str:
    """Return the settings name of a screen; slashes would make groups."""
    return "screens/" + key.replace("/", "_").replace("\\", "_") + "/device_px_per_inch"
