"""A hand at the GM window: it posts real events and reads what the engine holds."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from engine.model.encounter import Encounter
from engine.model.space import Cell
from engine.session import Session
from gui.app import App
from gui.windows.gm_window import GmWindow

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier


class Hand:
    """A person at the window: points at cells, presses keys, reads what the engine holds."""

    def __init__(self, app: App) -> None:
        self.app = app

    @property
    def window(self) -> GmWindow:
        return self.app.window

    @property
    def session(self) -> Session:
        return self.app.bridge.open_session

    @property
    def encounter(self) -> Encounter:
        return self.session.encounter

    def cell_of(self, token_id: str) -> Cell:
        return self.encounter.tokens[token_id].cell

    def at(self, x: float, y: float) -> QPoint:
        """Return the point of the map's viewport at a world point."""
        return self.window.board.position_of((x, y)).toPoint()

    def click(
        self,
        x: float,
        y: float,
        button: Qt.MouseButton = LEFT,
        keys: Qt.KeyboardModifier = NONE,
    ) -> None:
        QTest.mouseClick(self.window.board.viewport(), button, keys, self.at(x, y))

    def double_click(self, x: float, y: float) -> None:
        QTest.mouseDClick(self.window.board.viewport(), LEFT, NONE, self.at(x, y))

    def press(self, x: float, y: float, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.mousePress(self.window.board.viewport(), LEFT, keys, self.at(x, y))

    def move(
        self,
        x: float,
        y: float,
        keys: Qt.KeyboardModifier = NONE,
        held: Qt.MouseButton = LEFT,
    ) -> None:
        viewport, at = self.window.board.viewport(), self.at(x, y)
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(at),
            QPointF(viewport.mapToGlobal(at)),
            Qt.MouseButton.NoButton,
            held,
            keys,
        )
        QApplication.sendEvent(viewport, event)

    def hover(self, x: float, y: float) -> None:
        self.move(x, y, held=Qt.MouseButton.NoButton)

    def release(self, x: float, y: float, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.mouseRelease(self.window.board.viewport(), LEFT, keys, self.at(x, y))

    def drag(self, *points: tuple[float, float], keys: Qt.KeyboardModifier = NONE) -> None:
        self.press(*points[0], keys)
        for point in points[1:]:
            self.move(*point, keys)
        self.release(*points[-1], keys)

    def wheel(self, x: float, y: float, notches: int, held: Qt.MouseButton = LEFT) -> None:
        viewport, at = self.window.board.viewport(), self.at(x, y)
        event = QWheelEvent(
            QPointF(at),
            QPointF(viewport.mapToGlobal(at)),
            QPoint(),
            QPoint(0, 120 * notches),
            held,
            NONE,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(viewport, event)

    def key(
        self,
        key: Qt.Key,
        keys: Qt.KeyboardModifier = NONE,
        widget: QWidget | None = None,
    ) -> None:
        target = widget or self.window.board
        target.setFocus()
        QTest.keyClick(target, key, keys)


OpenGm = Callable[[Encounter | None], Hand]
