"""The bar on top: what is open, undo and redo, and what the players see."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from engine.model.audience import StageMode
from engine.model.space import GridKind
from engine.view import View
from gui.menu_actions import Actions

_GRIDS = {GridKind.SQUARE: "square", GridKind.HEX_POINTY: "hex", GridKind.HEX_FLAT: "hex"}
_MODES = {
    StageMode.LIVE: ("live", "ok"),
    StageMode.FROZEN: ("frozen", "party"),
    StageMode.BLACKOUT: ("black", "muted"),
    StageMode.PICTURE: ("picture", "amber"),
}


class TopBar(QWidget):
    """Buttons share the actions of the menus."""

    def __init__(self, actions: Actions, menu: QMenu) -> None:
        super().__init__()
        self.setObjectName("topBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 7, 12, 7)
        row.setSpacing(8)
        self.menu_button = QToolButton(self)
        self.menu_button.setProperty("look", "bar")
        self.menu_button.setText("☰")
        self.menu_button.setToolTip("Menu (F10)")
        self.menu_button.setAccessibleName("Menu")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setMenu(menu)
        self.menu_button.setShortcut("F10")
        self.title = QLabel("Battlemat", self)
        self.title.setObjectName("encounterTitle")
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.subtitle = QLabel(self)
        self.subtitle.setProperty("quiet", True)
        self.pill = QLabel(self)
        self.pill.setObjectName("pill")
        self.pill.setAccessibleName("Players' window")
        row.addWidget(self.menu_button)
        row.addWidget(self.title)
        row.addWidget(self.subtitle)
        row.addSpacing(12)
        row.addWidget(self._button(actions, "edit.undo", "↶"))
        row.addWidget(self._button(actions, "edit.redo", "↷"))
        row.addStretch(1)
        row.addWidget(self.pill)
        row.addStretch(1)
        for entry_id, text in (
            ("players.freeze", "Freeze"),
            ("players.publish", "Publish"),
            ("players.black", "Black out"),
            ("players.follow", "Follow"),
        ):
            button = self._button(actions, entry_id, text)
            row.addWidget(button)
            if entry_id == "players.publish":
                self.publish = button
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_view(self, view: View | None, *, read_only: bool) -> None:
        """Write what is open."""
        if view is None:
            self.title.setText("Battlemat")
            self.subtitle.setText("")
            return
        self.title.setText(view.title or "Untitled")
        cell = "" if view.grid.cell_label == "1 cell" else f" {view.grid.cell_label}"
        parts = [view.ruleset_name, f"{_GRIDS[view.grid.kind]}{cell}"]
        parts += ["read only"] if read_only else []
        self.subtitle.setText(" · ".join(parts))

    def show_players(self, mode: StageMode, where: str, color: str) -> None:
        """Write what the players see and where."""
        words = _MODES[mode][0]
        text = (
            f"Players: {words}{f' on {where}' if where else ''}" if where else "Players: no window"
        )
        self.pill.setText(f'<span style="color:{color}">●</span>&nbsp;&nbsp;{text}')
        self.pill.setAccessibleDescription(text)
        self.publish.setVisible(mode is StageMode.FROZEN)

    def _button(self, actions: Actions, entry_id: str, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("look", "bar")
        action = actions[entry_id]
        button.setDefaultAction(action)
        button.setText(text)
        button.setAccessibleName(action.text().replace("&", ""))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        # The action's own words would come back with every change of it.
        action.changed.connect(lambda: button.setText(text))
        return button


def mode_color(mode: StageMode) -> str:
    """Return the name of the theme's colour for a mode."""
    return _MODES[mode][1]
