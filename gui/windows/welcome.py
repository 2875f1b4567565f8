"""What an empty window shows: how to begin."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.docks.panel import empty
from gui.menu_actions import Actions

WIDTH = 560


class Welcome(QWidget):
    """`sample` carries the name of a sample encounter, `recent` the path of a file."""

    sample = Signal(str)
    recent = Signal(str)

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setObjectName("welcome")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inside = QWidget()
        inside.setObjectName("welcome")
        middle = QWidget(inside)
        middle.setFixedWidth(WIDTH)
        self._column = QVBoxLayout(middle)
        self._column.setSpacing(10)
        title = QLabel("Battlemat", middle)
        title.setObjectName("big")
        words = QLabel(
            "The fight on your table: your map here, the players' view on the second screen.",
            middle,
        )
        words.setProperty("quiet", True)
        self._column.addWidget(title)
        self._column.addWidget(words)
        self._column.addSpacing(10)
        row = QHBoxLayout()
        row.setSpacing(10)
        self.begin: dict[str, QPushButton] = {}
        for entry_id, text in (
            ("file.new", "New encounter"),
            ("file.open", "Open…"),
            ("file.import", "Import a map…"),
        ):
            button = QPushButton(text, middle)
            button.setProperty("look", "card")
            button.setToolTip(actions[entry_id].toolTip())
            button.clicked.connect(actions[entry_id].trigger)
            row.addWidget(button)
            self.begin[entry_id] = button
        self.begin["file.new"].setProperty("accent", True)
        self._column.addLayout(row)
        self._lists = QWidget(middle)
        self._list_column = QVBoxLayout(self._lists)
        self._list_column.setContentsMargins(0, 0, 0, 0)
        self._list_column.setSpacing(6)
        self._column.addWidget(self._lists)
        hint = QLabel(
            "A map or an encounter can also be dropped here. Press ? for all keys.", middle
        )
        hint.setProperty("quiet", True)
        self._column.addSpacing(6)
        self._column.addWidget(hint)
        around = QVBoxLayout(inside)
        around.addStretch(2)
        around.addWidget(middle, 0, Qt.AlignmentFlag.AlignHCenter)
        around.addStretch(3)
        # Recent files must not make the window taller than a small laptop's screen.
        self._scroll = QScrollArea(self)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._scroll)

    def show_lists(self, samples: Iterable[tuple[str, str, str]], recent: Iterable[str]) -> None:
        """Show the samples (name, title, ruleset) and the recent files."""
        empty(self._list_column)
        self._heading("Sample encounters", samples := tuple(samples))
        for name, title, ruleset in samples:
            self._card(f"{title}   ·   {ruleset}", "Play a copy of it").clicked.connect(
                lambda _on=False, which=name: self.sample.emit(which)
            )
        self._heading("Recent", recent := tuple(recent)[:4])
        for path in recent:
            self._card(Path(path).stem, path).clicked.connect(
                lambda _on=False, which=path: self.recent.emit(which)
            )

    def _heading(self, text: str, things: tuple[object, ...]) -> None:
        if things:
            label = QLabel(text, self._lists)
            label.setProperty("quiet", True)
            self._list_column.addSpacing(8)
            self._list_column.addWidget(label)

    def _card(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text, self._lists)
        button.setProperty("look", "card")
        button.setToolTip(tip)
        self._list_column.addWidget(button)
        return button
