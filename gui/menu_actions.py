"""The table of menu entries as Qt knows it: its keys, rebound or not, and one QAction each."""

from collections.abc import Callable, Iterable, Mapping, Set

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from gui.menu import ENTRIES, Entry, When, Where
from gui.preferences import Preferences

NO_WORDS: Mapping[str, str] = {}


class Bindings:
    """The keys of all entries: their own, or those that somebody gave them."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences

    def keys(self, entry: Entry) -> tuple[str, ...]:
        """Return an entry's keys, the one to show first."""
        given = self._preferences.keys(entry.id)
        return entry.keys if given is None else given

    def shown(self, entry: Entry) -> str:
        """Return the first key as this system writes it, or nothing."""
        keys = self.keys(entry)
        return (
            QKeySequence(keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if keys else ""
        )

    def holder(self, key: str) -> Entry | None:
        """Return the entry that a key belongs to."""
        wanted = QKeySequence(key)
        for entry in ENTRIES:
            if any(QKeySequence(each) == wanted for each in self.keys(entry)):
                return entry
        return None

    def rebind(self, entry: Entry, keys: tuple[str, ...]) -> tuple[Entry, ...]:
        """Give an entry these keys, taking them from others; return the entries that changed."""
        touched = [entry]
        for key in keys:
            holder = self.holder(key)
            if holder is not None and holder is not entry:
                left = tuple(k for k in self.keys(holder) if QKeySequence(k) != QKeySequence(key))
                self._preferences.set_keys(holder.id, left)
                touched.append(holder)
        self._preferences.set_keys(entry.id, None if keys == entry.keys else keys)
        return tuple(touched)


class Actions:
    """The QActions of all entries: one each, whatever shows it."""

    def __init__(self, window: QWidget, board: QWidget, bindings: Bindings) -> None:
        self._bindings = bindings
        self._actions: dict[str, QAction] = {}
        for entry in ENTRIES:
            action = QAction(entry.text, window)
            action.setObjectName(entry.id)
            action.setCheckable(entry.checkable or entry.is_tool)
            action.setShortcutVisibleInContextMenu(True)
            if entry.where is Where.MAP:
                # Not with its children: what is typed into the tool's settings is no key.
                action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
                board.addAction(action)
            else:
                window.addAction(action)
            self._actions[entry.id] = action
        self.apply_keys()

    def __getitem__(self, entry_id: str) -> QAction:
        return self._actions[entry_id]

    def connect(self, handlers: Mapping[str, Callable[[], object]]) -> None:
        """Give each entry its function."""
        for entry_id, handler in handlers.items():
            self._actions[entry_id].triggered.connect(lambda _checked=False, run=handler: run())

    def apply_keys(self) -> None:
        """Set the keys anew and write them into the tooltips."""
        for entry in ENTRIES:
            action = self._actions[entry.id]
            action.setShortcuts([QKeySequence(key) for key in self._bindings.keys(entry)])
            self._explain(entry, "")

    def update(self, missing: Set[When], words: Mapping[str, str] = NO_WORDS) -> None:
        """Enable each entry whose needs are met; the others' tooltips say what is missing.

        `words` say for some entries what exactly they would do now: "Undo: Move Ila".
        """
        for entry in ENTRIES:
            lacking = next((need for need in entry.when if need in missing), None)
            action = self._actions[entry.id]
            action.setEnabled(lacking is None)
            self._explain(entry, "" if lacking is None else lacking.value, words.get(entry.id, ""))

    def fill(self, menu: QMenu, entries: Iterable[Entry]) -> None:
        """Put entries into a menu, with a line above those that ask for one."""
        for entry in entries:
            if entry.rule and not menu.isEmpty():
                menu.addSeparator()
            menu.addAction(self._actions[entry.id])

    def _explain(self, entry: Entry, lacking: str, exactly: str = "") -> None:
        action = self._actions[entry.id]
        key = self._bindings.shown(entry)
        told = f"{entry.plain_text}: {exactly}" if exactly else entry.tip or entry.plain_text
        words = f"{told}{f' ({key})' if key else ''}"
        full = f"{entry.text}: {exactly}" if exactly else entry.text
        if action.text() != full:
            action.setText(full)
        text = f"{words}\n{lacking}" if lacking else words
        if action.toolTip() != text:
            action.setToolTip(text)
            action.setStatusTip(lacking or entry.tip)
