"""The list of all keys, made from the menu table; a double click gives an entry another key."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.menu import BY_ID, ENTRIES, MENUS, Where
from gui.menu_actions import Actions, Bindings

ID = Qt.ItemDataRole.UserRole
MOUSE = (
    ("Wheel", "zoom at the mouse; over a held token: turn it"),
    ("Right, middle or Space and drag", "move the map"),
    ("Left drag on empty ground", "select with a box; Shift or Ctrl adds"),
    ("Alt", "leave the grid while drawing; set a held token down by hand"),
    ("Space while a token is held", "way-point; Backspace takes it back"),
    ("A while a token is held", "another way, around what makes the best one dear"),
    ("M with the ruler", "range or walk"),
    ("Hold on empty ground", "ping"),
    ("Arrows, number pad", "move the selected tokens one cell; with Shift turn them"),
    ("Esc, right button", "cancel what the mouse is doing"),
)
"""What the mouse does, for the same list; these cannot be changed."""


class KeysDialog(QDialog):
    """Finds, shows and changes keys."""

    def __init__(self, bindings: Bindings, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self.resize(640, 620)
        self._bindings, self._actions = bindings, actions
        self.finder = QLineEdit(self)
        self.finder.setPlaceholderText("Find a key or an action")
        self.finder.setAccessibleName("Find a key or an action")
        self.finder.textChanged.connect(self._filter)
        self.tree = QTreeWidget(self)
        self.tree.setAccessibleName("Keys")
        self.tree.setHeaderLabels(["What", "Key"])
        self.tree.setRootIsDecorated(False)
        self.tree.itemSelectionChanged.connect(self._picked)
        self.edit = QKeySequenceEdit(self)
        self.edit.setAccessibleName("New key")
        self.edit.setMaximumSequenceLength(1)
        self.give = QPushButton("Give it this key", self)
        self.give.clicked.connect(self._give)
        self.back = QPushButton("Its own again", self)
        self.back.clicked.connect(self._give_back)
        self.told = QLabel(self)
        self.told.setProperty("quiet", True)
        row = QHBoxLayout()
        for widget in (self.edit, self.give, self.back):
            row.addWidget(widget)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.accept)
        column = QVBoxLayout(self)
        column.addWidget(self.finder)
        column.addWidget(self.tree, 1)
        column.addLayout(row)
        column.addWidget(self.told)
        column.addWidget(buttons)
        self._fill()
        self._picked()

    def pick(self, entry_id: str) -> None:
        """Select an entry in the list."""
        for head in self._heads():
            for number in range(head.childCount()):
                item = head.child(number)
                if item is not None and item.data(0, ID) == entry_id:
                    self.tree.setCurrentItem(item)

    def _fill(self) -> None:
        current = self._current()
        self.tree.clear()
        for menu in MENUS:
            head = QTreeWidgetItem(self.tree, [menu.replace("&", ""), ""])
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for entry in ENTRIES:
                if entry.menu != menu:
                    continue
                keys = ", ".join(
                    QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
                    for key in self._bindings.keys(entry)
                )
                where = " (on the map)" if entry.where is Where.MAP and keys else ""
                item = QTreeWidgetItem(head, [entry.plain_text, f"{keys}{where}"])
                item.setData(0, ID, entry.id)
                item.setToolTip(0, entry.tip)
            head.setExpanded(True)
        mouse = QTreeWidgetItem(self.tree, ["Mouse and map", ""])
        mouse.setFlags(Qt.ItemFlag.ItemIsEnabled)
        for gesture, words in MOUSE:
            QTreeWidgetItem(mouse, [words.capitalize(), gesture])
        mouse.setExpanded(True)
        self.tree.resizeColumnToContents(0)
        if current:
            self.pick(current)

    def _heads(self) -> list[QTreeWidgetItem]:
        found = (self.tree.topLevelItem(n) for n in range(self.tree.topLevelItemCount()))
        return [head for head in found if head is not None]

    def _current(self) -> str:
        items = self.tree.selectedItems()
        return str(items[0].data(0, ID) or "") if items else ""

    def _picked(self) -> None:
        fits = bool(self._current())
        for widget in (self.edit, self.give, self.back):
            widget.setEnabled(fits)

    def _give(self) -> None:
        key = self.edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        if key:
            self._rebind((key,))

    def _give_back(self) -> None:
        self._rebind(BY_ID[self._current()].keys)

    def _rebind(self, keys: tuple[str, ...]) -> None:
        touched = self._bindings.rebind(BY_ID[self._current()], keys)
        lost = ", ".join(entry.plain_text for entry in touched[1:])
        self.told.setText(f"{lost} has no longer that key." if lost else "")
        self.edit.clear()
        self._actions.apply_keys()
        self._fill()

    def _filter(self, text: str) -> None:
        wanted = text.casefold()
        for head in self._heads():
            shown = 0
            for number in range(head.childCount()):
                item = head.child(number)
                if item is None:
                    continue
                fits = wanted in f"{item.text(0)} {item.text(1)}".casefold()
                item.setHidden(not fits)
                shown += fits
            head.setHidden(not shown)
