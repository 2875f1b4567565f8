"""The players' window as the GM works it: where it stands, what it follows, in which mode.

It opens black after every start. Whatever goes wrong with a screen, the window never comes over
the GM's own.
"""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QRect, QTimer, Signal

from engine.model.audience import HealthShown, StageMode, VisionMode
from engine.view import View
from gui.bridge import Bridge
from gui.canvas.board_view import BoardView
from gui.canvas.overlays.overlay import FramePreview, Preview
from gui.preferences import (
    MIRROR_AREA,
    MIRROR_RULER,
    OVERVIEW_SECONDS,
    PLAYERS_PLACE,
    PLAYERS_SCREEN,
    Preferences,
)
from gui.screens import (
    MM_PER_INCH,
    CalibrationStore,
    KeepAwake,
    SecondScreen,
    find_screen,
    other_screen_keys,
    screen_key,
)
from gui.windows.player_window import PlayerWindow

OPENED_BLACK = "The players' window is open and black: switch Black out off to show them the map."
SHARE = 0.36
"""How much of the width of the only screen the window takes at first."""


class Players(QObject):
    """Owns the players' window; `moved` comes when it is shown, hidden or on another screen."""

    moved = Signal()

    def __init__(
        self,
        bridge: Bridge,
        preferences: Preferences,
        window: PlayerWindow,
        board: BoardView,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.bridge, self.preferences, self.window = bridge, preferences, window
        self._board = board
        self._follows = False
        self._cell_mm: float | None = None
        self._moved_screen = QTimer(self)
        self._moved_screen.setSingleShot(True)
        self._moved_screen.setInterval(0)
        self._moved_screen.timeout.connect(self._measure_anew)
        self.place = SecondScreen(window)
        self.calibrations = CalibrationStore(preferences.settings)
        self._awake = KeepAwake()
        self.place.lost.connect(self._lost)
        self.place.restored.connect(self._restored)
        window.closed.connect(self._closed)
        # Later: a pulled plug moves the window before it is known that the screen is gone.
        window.screen_changed.connect(self._moved_screen.start)
        window.frame_changed.connect(self._show_frame)
        board.camera_changed.connect(self._follow)
        bridge.players_changed.connect(self._show_change)
        bridge.opened.connect(self._show_session)

    @property
    def shown(self) -> bool:
        """Tell whether the window is open, also while its screen is unplugged."""
        return self.window.isVisible() or self.place.is_away

    @property
    def follows(self) -> bool:
        """Tell whether the players' map follows the GM's."""
        return self._follows

    @property
    def where(self) -> str:
        """Return where the window is, in words; nothing when there is none."""
        if self.place.is_away:
            return "a screen that is unplugged"
        if not self.window.isVisible():
            return ""
        screen = find_screen(self.place.wanted) if self.place.wanted else None
        place = "a window" if screen is None else (screen.model() or screen.name())
        if self.window.is_true_size:
            place += " · true size"
        return place

    def toggle(self) -> None:
        """Open the window, or close it."""
        if self.shown:
            self.window.close()
        else:
            self.show(lambda: other_screen_keys(self._board.window()))

    def show(self, candidates: Callable[[], list[str]]) -> None:
        """Open it on the screen it was on, else on another than the GM's, else as a window."""
        wanted = self.preferences.get(PLAYERS_SCREEN)
        others = candidates()
        if wanted in others:
            self.place.show_on(wanted)
        elif others:
            self.place.show_on(others[0])
        else:
            self.place.show_as_window(self._kept_place())
        self._awake.switch(on=True)
        QTimer.singleShot(0, self.window.fit_board)
        self.moved.emit()
        if self.bridge.session is not None and self.bridge.stage.mode is StageMode.BLACKOUT:
            self.bridge.messages.say(OPENED_BLACK, topic="players")

    def raise_window(self) -> None:
        """Bring the window before others on its screen."""
        if self.window.isVisible():
            self.window.raise_()

    def full_screen(self) -> None:
        """Switch between full screen and a window."""
        if self.window.isVisible():
            self.place.toggle_full_screen()
            self.moved.emit()

    def follow(self, *, on: bool) -> None:
        """Let the players' map follow the GM's, or leave it where it is."""
        self._follows = on
        self._board.set_preview("frame", None)
        self._follow()
        self._show_frame()

    def center_on_focus(self, token_id: str | None) -> None:
        """Bring a token into the middle of the players' map, if they see it at all."""
        view = self.window.scene.view
        if view is not None and token_id in view.tokens:
            self.window.follow(view.tokens[str(token_id)].center)
        else:
            self.bridge.messages.say("The players do not see this token.", topic="players")

    def overview(self) -> None:
        """Show the whole map for a while."""
        self.window.overview(float(self.preferences.get(OVERVIEW_SECONDS)))

    def turn(self) -> None:
        """Turn the map by a quarter, for a table top."""
        self.window.set_rotation((self.window.board.rotation_deg + 90) % 360)

    def true_size(self, *, on: bool, cell_mm: float = MM_PER_INCH) -> bool:
        """Make one cell as large as on the table; tell whether the screen has been measured."""
        if not on:
            self._cell_mm = None
            self.window.set_true_size(None)
            self.moved.emit()
            return True
        found = self.calibrations.load(self.screen_key)
        if found is None:
            return False
        self._cell_mm = cell_mm
        self.window.set_true_size(found.device_px(cell_mm))
        self.moved.emit()
        return True

    def _measure_anew(self) -> None:
        """Keep cells as large as they were when the window comes onto another screen."""
        if self._cell_mm is None or self.place.is_away or not self.window.isVisible():
            return
        found = self.calibrations.load(screen_key(self.window.screen()))
        wanted = found.device_px(self._cell_mm) if found is not None else None
        if wanted == self.window.true_device_px:
            return
        self.window.set_true_size(wanted)
        if wanted is None:
            self.bridge.messages.say(
                "This screen has not been measured yet, so the players' map is not at true size."
            )
        self.moved.emit()

    @property
    def screen_key(self) -> str:
        """Return the identity of the screen that the window is on."""
        return self.place.wanted or screen_key(self.window.screen())

    def mirror(self, name: str, preview: Preview | None) -> None:
        """Draw what the GM measures on the players' map too, if that is wished."""
        wish = {"ruler": MIRROR_RULER, "area": MIRROR_AREA}.get(name)
        if wish is None:
            return
        live = self.bridge.stage.mode is StageMode.LIVE and self.preferences.get(wish)
        self.window.board.set_preview(name, preview if live else None)

    def show_picture(self, sha256: str | None) -> None:
        """Show a picture over all, or again what it covered."""
        if sha256 is None:
            self.bridge.lift(StageMode.PICTURE)
        else:
            self.bridge.lay(StageMode.PICTURE, picture=sha256)

    def show_health(self, health: HealthShown) -> None:
        """Change how the players read the others' health."""
        self.bridge.set_players(self.bridge.players.changed(health=health))
        self.moved.emit()

    def look(self, *, vision: VisionMode, chosen: tuple[str, ...] = ()) -> None:
        """Change through whose eyes the players look."""
        self.bridge.set_players(self.bridge.players.changed(vision=vision, chosen=chosen))
        self.moved.emit()

    def remember(self) -> None:
        """Keep where the window stands for the next time."""
        if self.place.wanted is not None:
            self.preferences.set(PLAYERS_SCREEN, self.place.wanted)
        elif self.window.isVisible():
            place = self.window.geometry()
            numbers = (place.x(), place.y(), place.width(), place.height())
            self.preferences.set(PLAYERS_PLACE, tuple(str(each) for each in numbers))

    def close(self) -> None:
        """Close the window for good: the program ends."""
        self.remember()
        self._awake.switch(on=False)
        self.window.close()

    def _kept_place(self) -> QRect:
        try:
            left, top, width, height = (int(x) for x in self.preferences.get(PLAYERS_PLACE))
        except ValueError:
            return place_beside(self._board.screen().availableGeometry())
        return QRect(left, top, width, height)

    def _show_session(self) -> None:
        if self.bridge.session is not None:
            self.window.show_view(self.bridge.players_view)
            self.window.fit_board()
        elif self.window.scene.view is not None:
            # Nothing of the encounter that was closed may stay on the table.
            self.window.show_view(replace(self.window.scene.view, mode=StageMode.BLACKOUT))

    def _show_change(self, before: View | None, after: View) -> None:
        self.window.show_view(after)
        if before is not None and before.grid != after.grid:
            self.window.fit_board()

    def _follow(self) -> None:
        if self._follows and not self.window.board.locked:
            self.window.show_frame(self._board.frame)
        elif self._follows:
            self.window.follow(self._board.frame.center)

    def _show_frame(self) -> None:
        shown = self.window.isVisible() and not self._follows
        frame = FramePreview(self.window.frame) if shown else None
        self._board.set_preview("frame", frame)

    def _closed(self) -> None:
        self.remember()
        self._awake.switch(on=False)
        self._board.set_preview("frame", None)
        # The window still counts as visible while it is being closed.
        QTimer.singleShot(0, self.moved.emit)

    def _lost(self, name: str) -> None:
        self.bridge.messages.say(f"The players' screen {name} is unplugged; their window waits.")
        self.moved.emit()

    def _restored(self, name: str) -> None:
        self.bridge.messages.say(f"The players' window is back on {name}.")
        self.moved.emit()


def place_beside(screen: QRect) -> QRect:
    """Return where the window opens on the only screen: low and left, off the map's middle."""
    width = round(screen.width() * SHARE)
    height = min(width * 9 // 16, screen.height() // 3)
    return QRect(screen.left(), screen.bottom() + 1 - height, width, height)
