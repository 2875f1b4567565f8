"""Keys on the map that are no menu entries: arrows, way-points, Esc.

Space is left to the board, which pans with it and says when it was only tapped. A tool in
mid-gesture comes before the menu's keys: then Space sets a way-point and does not end the phase.
"""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from typing_extensions import override

from gui.desk import Desk

Key = Qt.Key

TOOL_KEYS: Mapping[Qt.Key, str] = {
    Key.Key_Space: "space",
    Key.Key_Backspace: "backspace",
    Key.Key_Return: "return",
    Key.Key_Enter: "return",
    Key.Key_M: "m",
    Key.Key_A: "a",
}
STEPS: Mapping[Qt.Key, str] = {
    Key.Key_Left: "left",
    Key.Key_Right: "right",
    Key.Key_Up: "up",
    Key.Key_Down: "down",
    Key.Key_Home: "up-left",
    Key.Key_PageUp: "up-right",
    Key.Key_End: "down-left",
    Key.Key_PageDown: "down-right",
    Key.Key_7: "up-left",
    Key.Key_8: "up",
    Key.Key_9: "up-right",
    Key.Key_4: "left",
    Key.Key_6: "right",
    Key.Key_1: "down-left",
    Key.Key_2: "down",
    Key.Key_3: "down-right",
}
PAD_ONLY = frozenset(STEPS) - {Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down}
"""Keys that step only on the number pad."""


class BoardKeys(QObject):
    """An event filter for the board: `step` gets an arrow and whether Shift turns instead."""

    def __init__(self, board: QObject, desk: Desk, step: Callable[[str, bool], bool]) -> None:
        super().__init__(board)
        self._desk, self._step = desk, step

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        if event.type() == QEvent.Type.ShortcutOverride and self._ours(event):
            event.accept()
            return True
        return event.type() == QEvent.Type.KeyPress and self._pressed(event)

    def _ours(self, event: QKeyEvent) -> bool:
        """Tell whether a key must not go to the menu."""
        key = Key(event.key())
        if key == Key.Key_Space:
            return True
        if self._desk.bridge.session is not None and self._desk.tool.busy and key in TOOL_KEYS:
            return True
        return self._arrow(event) is not None

    def _pressed(self, event: QKeyEvent) -> bool:
        key = Key(event.key())
        if key == Key.Key_Escape:
            return self._desk.cancel()
        name = TOOL_KEYS.get(key)
        if name is not None and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return self._desk.key(name)
        arrow = self._arrow(event)
        if arrow is None:
            return False
        turns = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        return self._step(arrow, turns)

    def _arrow(self, event: QKeyEvent) -> str | None:
        """Return the arrow that a key means, if somebody is selected to follow it."""
        key = Key(event.key())
        pad = bool(event.modifiers() & Qt.KeyboardModifier.KeypadModifier)
        other = event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        )
        if key not in STEPS or other or (key in PAD_ONLY and not pad):
            return None
        return STEPS[key] if self._desk.selection.ids else None
