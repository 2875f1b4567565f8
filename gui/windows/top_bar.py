"""The bar on top: what is open, undo and redo, and what the players see."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from engine.model.audience import Stage, StageMode
from engine.model.space import GridKind
from engine.view import View
from gui.menu_actions import Actions
from gui.theme import Theme, color

_GRIDS = {GridKind.SQUARE: "square", GridKind.HEX_POINTY: "hex", GridKind.HEX_FLAT: "hex"}
_MODES = {
    StageMode.LIVE: ("live", "ok"),
    StageMode.FROZEN: ("frozen", "party"),
    StageMode.BLACKOUT: ("black", "muted"),
    StageMode.PICTURE: ("picture", "amber"),
}
_DOT = 9
MEANS = {
    StageMode.LIVE: "The players see every change at once.",
    StageMode.FROZEN: "The players' picture stands still; Publish shows them what changed.",
    StageMode.BLACKOUT: "The players see black; switch Black out off to show them the map.",
    StageMode.PICTURE: "The players see a picture in place of the map.",
}
"""What a mode means for the players, as a sentence."""
_OPENS = "It opens black, on a second screen if there is one (Players > Players' window)"


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
        self.pill = QToolButton(self)
        self.pill.setObjectName("pill")
        self.pill.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.pill.setIconSize(QSize(_DOT, _DOT))
        self.pill.setFocusPolicy(Qt.FocusPolicy.TabFocus)
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
            # On the outer side and always there: what stands right of it must never slip away
            # from under the mouse between two clicks.
            ("players.publish", "Publish"),
            ("players.freeze", "Freeze"),
            ("players.black", "Black out"),
            ("players.follow", "Follow"),
        ):
            row.addWidget(self._button(actions, entry_id, text))
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

    def show_players(self, stage: Stage, where: str, theme: Theme) -> None:
        """Write what the players see and where; without a window the pill offers to open it."""
        words, code = _MODES[stage.mode]
        held = ", frozen beneath" if stage.frozen and stage.mode is not StageMode.FROZEN else ""
        text = f"Players: {words}{held} on {where}" if where else "Open the players' window"
        means = MEANS[stage.mode] if where else _OPENS
        self.pill.setText(f" {text}")
        self.pill.setIcon(self._dot(getattr(theme, code if where else "muted")))
        self.pill.setToolTip(means)
        self.pill.setAccessibleDescription(text)

    def _dot(self, code: str) -> QIcon:
        """Return the pill's dot, as sharp as the screen."""
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(round(_DOT * ratio), round(_DOT * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(code))
        painter.drawEllipse(QRectF(0, 0, _DOT, _DOT))
        painter.end()
        return QIcon(pixmap)

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
