"""The map dock: a list twin of everything that lies on the map.

Whoever cannot see or point at the canvas finds the same facts here, and can select, reach and
remove the same things.
"""

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
)

from engine.grid.grid import Grid, board_grid
from engine.model.wall import Wall
from engine.view import View
from gui.docks.panel import Panel

KEY = Qt.ItemDataRole.UserRole
Line = tuple[str, str, str]
"""Id, name, detail."""


def token_lines(view: View, grid: Grid) -> Iterable[Line]:
    """Return the tokens by name: side, place, what is hidden."""
    for token in sorted(view.tokens.values(), key=lambda each: each.name.casefold()):
        parts = [token.side, grid.label(token.cell)]
        parts += [token.card.detail] if token.card is not None and token.card.detail else []
        parts += ["hidden"] if token.hidden else []
        yield token.id, token.name, ", ".join(parts)


def door_lines(view: View, grid: Grid) -> Iterable[Line]:
    """Return the doors: kind, state, place."""
    for wall in view.walls.values():
        if wall.door is not None:
            name = wall.name or wall.kind.replace("_", " ").capitalize()
            yield wall.id, name, f"{wall.door.value}, {_place(wall, grid)}"


def region_lines(view: View, grid: Grid) -> Iterable[Line]:
    """Return the regions: what they cost, how high they lie, how thick they are."""
    for region in view.regions.values():
        parts = [f"cost {region.step_cost}"] if region.step_cost is not None else []
        parts += ["impassable"] if region.impassable else []
        parts += [f"height {region.ground:g}"] if region.ground is not None else []
        parts += [f"{region.obscuration.value} obscuration"] if region.obscuration.rank else []
        yield region.id, region.name or region.id, ", ".join(parts)


def light_lines(view: View, grid: Grid) -> Iterable[Line]:
    """Return the lights: radii, place, burning or not."""
    for light in view.lights.values():
        lit = "" if light.lit else ", out"
        where = grid.label(grid.cell_at(light.position))
        yield light.id, light.id, f"{light.bright:g} / {light.dim:g} at {where}{lit}"


def area_lines(view: View, grid: Grid) -> Iterable[Line]:
    """Return the lasting areas."""
    for area in view.areas.values():
        rounds = "" if area.rounds_left is None else f", {area.rounds_left} rounds left"
        yield area.id, area.name or area.shape.shape.value, f"{len(area.cells)} cells{rounds}"


def note_lines(view: View, grid: Grid) -> Iterable[Line]:
    """Return the notes."""
    for note in view.notes.values():
        who = "" if note.gm_only else ", players read it"
        yield note.id, note.text, f"{grid.label(grid.cell_at(note.position))}{who}"


SECTIONS: tuple[tuple[str, str, Callable[[View, Grid], Iterable[Line]]], ...] = (
    ("token", "Tokens", token_lines),
    ("door", "Doors", door_lines),
    ("region", "Ground", region_lines),
    ("light", "Lights", light_lines),
    ("area", "Areas", area_lines),
    ("note", "Notes", note_lines),
)


def _place(wall: Wall, grid: Grid) -> str:
    (ax, ay), (bx, by) = wall.points[0], wall.points[-1]
    return grid.label(grid.cell_at(((ax + bx) / 2, (ay + by) / 2)))


class ThingsDock(Panel):
    """`picked` carries tokens, `activated` and `removed` a section and an id.

    `layer` tells that a layer is shown or hidden.
    """

    picked = Signal(tuple)
    activated = Signal(str, str)
    removed = Signal(str, str)
    layer = Signal(str, bool)

    def __init__(self, layers: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__("things", "On the map")
        self.layers = QMenu("&Layers", self)
        for name, words in layers:
            action = self.layers.addAction(words)
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(lambda on, which=name: self.layer.emit(which, on))
        button = QToolButton(self)
        button.setProperty("look", "switch")
        button.setText("Layers")
        button.setToolTip("Show or hide parts of the map, for the GM alone")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(self.layers)
        self.header.add(button)
        self._shown: dict[str, tuple[Line, ...]] = {}
        self._selecting = False
        self.tree = QTreeWidget(self)
        self.tree.setAccessibleName("Everything on the map")
        self.tree.setHeaderHidden(True)
        self.tree.setColumnCount(2)
        self.tree.setUniformRowHeights(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.itemSelectionChanged.connect(self._tell)
        self.tree.itemActivated.connect(self._activate)
        self.body.addWidget(self.tree)
        self._heads: dict[str, QTreeWidgetItem] = {}
        for section, title, _ in SECTIONS:
            head = QTreeWidgetItem(self.tree, [title, ""])
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            head.setExpanded(section in {"token", "door"})
            self._heads[section] = head

    def show_view(self, view: View | None) -> None:
        """Show what lies on the map; sections that are as before are left alone."""
        grid = board_grid(view.grid) if view is not None else None
        for section, title, lines_of in SECTIONS:
            lines = tuple(lines_of(view, grid)) if view is not None and grid is not None else ()
            if lines == self._shown.get(section):
                continue
            self._shown[section] = lines
            self._fill(section, title, lines)

    def show_selection(self, ids: Iterable[str]) -> None:
        """Mark the tokens that are selected on the map."""
        wanted = set(ids)
        self._selecting = True
        try:
            head = self._heads["token"]
            for number in range(head.childCount()):
                item = head.child(number)
                if item is not None:
                    item.setSelected(item.data(0, KEY)[1] in wanted)
        finally:
            self._selecting = False

    def remove_picked(self) -> bool:
        """Ask to remove what is picked in the list; tell whether something is."""
        keys = [item.data(0, KEY) for item in self.tree.selectedItems()]
        for section, each in keys:
            self.removed.emit(section, each)
        return bool(keys)

    def _fill(self, section: str, title: str, lines: tuple[Line, ...]) -> None:
        head = self._heads[section]
        self._selecting = True
        try:
            selected = {item.data(0, KEY)[1] for item in self.tree.selectedItems()}
            head.takeChildren()
            head.setText(0, f"{title} ({len(lines)})" if lines else title)
            head.setHidden(not lines and section != "token")
            items = []
            for each, name, detail in lines:
                item = QTreeWidgetItem([name, detail])
                item.setData(0, KEY, (section, each))
                item.setToolTip(0, name)
                items.append(item)
            head.addChildren(items)
            for item in items:
                item.setSelected(item.data(0, KEY)[1] in selected)
            self.tree.resizeColumnToContents(0)
        finally:
            self._selecting = False

    def _tell(self) -> None:
        if self._selecting:
            return
        keys: list[Any] = [item.data(0, KEY) for item in self.tree.selectedItems()]
        self.picked.emit(tuple(each for section, each in keys if section == "token"))

    def _activate(self, item: QTreeWidgetItem) -> None:
        key = item.data(0, KEY)
        if key is not None:
            self.activated.emit(*key)
