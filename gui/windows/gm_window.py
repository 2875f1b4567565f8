"""The GM's window: the board in the middle, tools at the left, docks around, a status line below.

It is built and arranged here; `presenter.py` fills it from the Views, `gm_actions.py` does what
the menu entries say.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QStatusTipEvent
from PySide6.QtWidgets import (
    QLabel,
    QMainWindow,
    QMenu,
    QStackedWidget,
    QToolBar,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from gui.bridge import Bridge
from gui.canvas.board_view import BoardView
from gui.canvas.scene import BoardScene
from gui.canvas.space import SCENE_PER_CELL
from gui.desk import Desk
from gui.docks.actions import ActionsDock
from gui.docks.forecast import ForecastDock
from gui.docks.history import HistoryDock
from gui.docks.log import LogDock
from gui.docks.panel import Panel
from gui.docks.sheet import SheetDock
from gui.docks.things import ThingsDock
from gui.docks.turn import TurnDock
from gui.layers import LAYERS
from gui.menu import ENTRIES, FILE, MENUS, VIEW
from gui.menu_actions import Actions, Bindings
from gui.messages import Level, Message
from gui.pictures import Pictures
from gui.preferences import DOCKS, GEOMETRY, MESSAGE_SECONDS, Preferences
from gui.theme import Theme
from gui.windows.blank_hint import BlankHint
from gui.windows.mini_corner import MiniCorner
from gui.windows.player_window import PlayerWindow
from gui.windows.style import window_sheet
from gui.windows.tool_rail import ToolRail
from gui.windows.tool_strip import ToolStrip
from gui.windows.top_bar import TopBar
from gui.windows.welcome import Welcome

LAYOUT_VERSION = 1
"""Raised when docks come or go, so that an old arrangement is not forced upon new docks."""
RIGHT_WIDTH = 350
RIGHT_HEIGHTS = (300, 110, 220, 220)
LOG_HEIGHT = 118
LISTS_HEIGHT = 190
STATUS_MARGIN = 8
SMALLEST = (900, 560)


class GmWindow(QMainWindow):
    """`closing` comes before the window goes.

    `take_drop`, put in by the app, gets what is dropped and tells whether it could use it.
    """

    closing = Signal()

    def __init__(
        self,
        bridge: Bridge,
        preferences: Preferences,
        pictures: Pictures,
        players: PlayerWindow,
        *,
        theme: Theme,
    ) -> None:
        super().__init__()
        self.bridge, self.preferences, self.theme = bridge, preferences, theme
        self.setWindowTitle("Battlemat")
        self.setDockNestingEnabled(True)
        self.setAcceptDrops(True)
        self.setMinimumSize(*SMALLEST)
        self.take_drop: Callable[[QMimeData], bool] = lambda _data: False
        self.desk = Desk(bridge, preferences, self)
        self.scene = BoardScene(theme, pictures)
        self.board = BoardView(self.scene)
        self.board.setAccessibleName("Map")
        self.board.setAccessibleDescription("The dock On the map lists everything that lies here.")
        self.bindings = Bindings(preferences)
        self.menu_actions = Actions(self, self.board, self.bindings)
        self._build_middle(players)
        self._build_bars()
        self._build_docks()
        self._build_status()
        self.set_theme(theme)

    # Construction

    def _build_middle(self, players: PlayerWindow) -> None:
        self.welcome = Welcome(self.menu_actions)
        self.middle = QStackedWidget(self)
        self.middle.addWidget(self.welcome)
        self.middle.addWidget(self.board)
        self.setCentralWidget(self.middle)
        self.strip = ToolStrip(self.board)
        self.strip.move(12, 12)
        self.mini = MiniCorner(self.board, self.theme, self.scene.pictures, players)
        self.blank = BlankHint(self.board, self.menu_actions)

    def _build_bars(self) -> None:
        self.menu = self._make_menu()
        self.top = TopBar(self.menu_actions, self.menu)
        self.rail = ToolRail(self.menu_actions, self.bindings)
        self._fixed_bar("Top bar", self.top, Qt.ToolBarArea.TopToolBarArea)
        self._fixed_bar("Tools", self.rail, Qt.ToolBarArea.LeftToolBarArea)

    def _fixed_bar(self, title: str, widget: QWidget, area: Qt.ToolBarArea) -> None:
        bar = QToolBar(title, self)
        bar.setObjectName(title)
        bar.setMovable(False)
        bar.setFloatable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.setStyleSheet("QToolBar { padding: 0; spacing: 0; border: none; }")
        bar.addWidget(widget)
        self.addToolBar(area, bar)

    def _make_menu(self) -> QMenu:
        """Make the whole menu from the table of entries."""
        menu = QMenu(self)
        self.submenus: dict[str, QMenu] = {}
        for title in MENUS:
            sub = menu.addMenu(title)
            sub.setToolTipsVisible(True)
            self.submenus[title] = sub
            self.menu_actions.fill(sub, (each for each in ENTRIES if each.menu == title))
        self.recent_menu = QMenu("Recent &files", self)
        files = self.submenus[FILE]
        files.insertMenu(self.menu_actions["file.import"], self.recent_menu)
        return menu

    def _build_docks(self) -> None:
        actions = self.menu_actions
        begin, following, dice = (
            actions[f"fight.{each}"] for each in ("begin", "next", "party_dice")
        )
        self.turn = TurnDock(begin, following, dice, self.theme)
        self.sheet = SheetDock(self.theme)
        self.offers = ActionsDock(self.theme)
        self.forecast = ForecastDock(self.theme)
        self.log = LogDock(self.theme)
        self.history = HistoryDock(self.theme)
        self.things = ThingsDock((name, words) for name, (words, _) in LAYERS.items())
        self.column: tuple[Panel, ...] = (self.turn, self.sheet, self.offers, self.forecast)
        self.below: tuple[Panel, ...] = (self.log, self.things, self.history)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.setCorner(Qt.Corner.TopRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        view_menu = self.submenus[VIEW]
        view_menu.addSeparator()
        view_menu.addMenu(self.things.layers)
        for dock in self.docks:
            view_menu.addAction(dock.toggleViewAction())
        view_menu.addAction("Docks as at &first", self.arrange)
        self.arrange()

    @property
    def docks(self) -> tuple[Panel, ...]:
        """Return all docks."""
        return (*self.column, *self.below)

    def _build_status(self) -> None:
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(8, 1, 10, 1)
        self.status = QLabel(self)
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.status.setAccessibleName("Status")
        self.state = QLabel(self)
        self.state.setAccessibleName("File and zoom")
        self.overrule = QToolButton(self)
        self.overrule.setProperty("look", "overrule")
        self.overrule.setDefaultAction(self.menu_actions["edit.overrule"])
        self.overrule.setText("Overrule")
        self.overrule.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.overrule.hide()
        bar.addWidget(self.status)
        bar.addWidget(self.overrule)
        bar.addWidget(QWidget(self), 1)
        bar.addPermanentWidget(self.state)
        self._log_height: int | None = None
        self._fact = ""
        self._message_over = QTimer(self)
        self._message_over.setSingleShot(True)
        self._message_over.timeout.connect(self.end_message)

    def _fix_status(self) -> None:
        """Give the status line the height that it has with its button, for good."""
        self.overrule.ensurePolished()
        tallest = max(each.sizeHint().height() for each in (self.status, self.overrule, self.state))
        self.statusBar().setFixedHeight(tallest + STATUS_MARGIN)

    # Arrangement

    def arrange(self) -> None:
        """Put all docks where they belong at first."""
        for dock in self.docks:
            self.removeDockWidget(dock)
            dock.setFloating(False)
        for dock in self.column:
            self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        for dock in self.below:
            self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
        for first, second in zip(self.column, self.column[1:], strict=False):
            self.splitDockWidget(first, second, Qt.Orientation.Vertical)
        for first, second in zip(self.below, self.below[1:], strict=False):
            self.splitDockWidget(first, second, Qt.Orientation.Horizontal)
        for dock in self.docks:
            dock.setVisible(dock not in self.below[1:])
        self.resizeDocks(list(self.column), [RIGHT_WIDTH] * 4, Qt.Orientation.Horizontal)
        self.resizeDocks(list(self.column), list(RIGHT_HEIGHTS), Qt.Orientation.Vertical)
        self.resizeDocks([self.log], [LOG_HEIGHT], Qt.Orientation.Vertical)

    def share_bottom(self) -> None:
        """Give the lists below the map room beside the log, and the log its own when they go."""
        shown = [dock for dock in self.below if dock.isVisible() and not dock.isFloating()]
        if shown == [self.log] and self._log_height is not None:
            self.resizeDocks(shown, [self._log_height], Qt.Orientation.Vertical)
            self._log_height = None
        if len(shown) > 1:
            if self._log_height is None:
                low = self.log.height() < LISTS_HEIGHT
                self._log_height = self.log.height() if low else LOG_HEIGHT
            shares = {self.log: 10, self.things: 6, self.history: 5}
            widths = [shares[dock] * 60 for dock in shown]
            self.resizeDocks(shown, widths, Qt.Orientation.Horizontal)
            self.resizeDocks(shown, [LISTS_HEIGHT] * len(shown), Qt.Orientation.Vertical)

    def restore(self) -> None:
        """Come back as left; a place on a screen that is gone is not one."""
        geometry = self.preferences.get(GEOMETRY)
        if geometry.isEmpty() or not self.restoreGeometry(geometry):
            available = self.screen().availableGeometry()
            self.resize(min(1440, available.width()), min(900, available.height()))
        docks = self.preferences.get(DOCKS)
        if not docks.isEmpty():
            self.restoreState(docks, LAYOUT_VERSION)

    def remember(self) -> None:
        """Keep place and docks for the next time."""
        self.preferences.set(GEOMETRY, self.saveGeometry())
        self.preferences.set(DOCKS, self.saveState(LAYOUT_VERSION))

    def set_theme(self, theme: Theme) -> None:
        """Take other colours."""
        self.theme = theme
        self.setStyleSheet(window_sheet(theme))
        self.scene.set_theme(theme)
        self.mini.set_theme(theme)
        for dock in self.docks:
            dock.set_theme(theme)
            dock.update()
        self._fix_status()

    # The status line

    def say(self, fact: str) -> None:
        """Write what is under the mouse or what a gesture would do; messages stay before it."""
        self._fact = fact
        if not self._message_over.isActive():
            self._write(fact, "")

    def show_message(self, message: Message) -> None:
        """Write a message; a newer one takes its place."""
        look = "" if message.level is Level.INFO else message.level.value
        self._write(message.text, look)
        self._message_over.start(self.preferences.get(MESSAGE_SECONDS) * 1000)

    def end_message(self) -> None:
        """Go back to the facts."""
        self._message_over.stop()
        self._write(self._fact, "")

    def offer_overruling(self, *, possible: bool) -> None:
        """Show the button beside the refusal, also when the words have gone; or take both away."""
        if not possible and not self.overrule.isHidden() and self._refused:
            self.end_message()
        self.overrule.setVisible(possible)
        if possible and self._refused:
            self.overrule.setToolTip(f"Do it all the same: {self.status.text()}")

    def show_state(self, *, saved: str) -> None:
        """Write how the file stands and how large the map is shown."""
        share = self.board.px_per_cell / SCENE_PER_CELL
        self.state.setText(f"{saved} · {share:.0%}" if saved else "")

    @property
    def _refused(self) -> bool:
        """Tell whether a refusal stands in the status line."""
        return str(self.status.property("look")) == Level.REFUSAL.value

    def _write(self, text: str, look: str) -> None:
        self.status.setText(text)
        if self.status.property("look") != look:
            self.status.setProperty("look", look)
            self.status.style().unpolish(self.status)
            self.status.style().polish(self.status)

    # Events

    @override
    def event(self, event: QEvent) -> bool:
        # Qt would write what a menu entry does over the line, at a place of its own.
        if isinstance(event, QStatusTipEvent):
            if not self._message_over.isActive():
                self._write(event.tip() or self._fact, "")
            return True
        return super().event(event)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        self.remember()
        self.closing.emit()
        super().closeEvent(event)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() or event.mimeData().hasImage():
            event.acceptProposedAction()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        if self.take_drop(event.mimeData()):
            event.acceptProposedAction()
