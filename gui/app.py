"""The program with its windows: one bridge, one session at a time, two windows upon it.

`run` is called by the command line. Everything that is more than wiring stands elsewhere.
"""

import gc
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QStandardPaths, QTimer
from PySide6.QtWidgets import QApplication, QInputDialog

from engine.commands.board import FitGrid, PutWalls
from engine.commands.tokens import EditTokens
from engine.commands.turn import CorrectTable, SetTableRule
from engine.grid.footprint import catalogue
from engine.model.audience import HealthShown, StageMode, VisionMode
from engine.model.refusal import FileProblem
from engine.samples import samples
from engine.view import View
from gui import crash
from gui.bridge import Bridge
from gui.dialogs.calibrate import CalibrateDialog
from gui.dialogs.grid_fit import GridFitDialog
from gui.dialogs.keys import KeysDialog
from gui.dialogs.preferences import PreferencesDialog
from gui.dialogs.table_rules import TableRulesDialog
from gui.dialogs.tables import TablesDialog
from gui.dialogs.token import TokenDialog
from gui.dialogs.wall import WallDialog
from gui.docks.panel import GAP
from gui.files import Files
from gui.messages import Level, Message, Messages
from gui.pictures import Pictures
from gui.players import Players
from gui.preferences import PLAYERS_AT_START, RECENT, THEME, Preferences
from gui.theme import apply_theme, theme_named
from gui.tile_cache import TileCache
from gui.windows.gm_actions import GmActions
from gui.windows.gm_window import GmWindow
from gui.windows.player_window import PlayerWindow
from gui.windows.presenter import Presenter

SAMPLES_SHOWN = 3
_AT_REST_MS = 1_000


class App(QObject):
    """Owns the windows and what they share."""

    def __init__(self, preferences: Preferences, cache: TileCache | None = None) -> None:
        super().__init__()
        self.preferences = preferences
        self.messages = Messages()
        self.bridge = Bridge(self.messages, self)
        self._handouts: dict[str, bytes] = {}
        self.pictures = Pictures(self._picture, cache)
        self.theme = theme_named(preferences.get(THEME))
        self.player_window = PlayerWindow(self.theme, self.pictures)
        self.window = GmWindow(
            self.bridge, preferences, self.pictures, self.player_window, theme=self.theme
        )
        self.players = Players(
            self.bridge, preferences, self.player_window, self.window.board, self
        )
        self.presenter = Presenter(self.window)
        self.menu = GmActions(self.window)
        self.files = Files(self.bridge, preferences, self.window)
        self.files.theme = lambda: self.theme
        self.presenter.update_actions = self.menu.update
        self.window.menu_actions.connect(self.handlers())
        self.window.strip.choices = self._tool_choices
        self.window.strip.refused.connect(
            lambda words: self.messages.post(Message(words, Level.REFUSAL))
        )
        self.window.desk.asker = self._ask
        self.window.desk.detailed.connect(lambda _token_id: self.edit_tokens())
        self.window.take_drop = self.files.take
        self.window.desk.shown.connect(self.players.mirror)
        self.window.closing.connect(self._close)
        self.window.welcome.sample.connect(self.files.open_sample)
        self.window.welcome.recent.connect(lambda path: self.files.open_path(Path(path)))
        self.window.recent_menu.aboutToShow.connect(self._fill_recent)
        self.bridge.opened.connect(self._opened)
        self.players.moved.connect(self.presenter.show_stage)
        self.presenter.players_where = lambda: self.players.where
        self.menu.wall_details = self.edit_wall
        self.menu.has_players_window = lambda: self.players.shown
        self.menu.raise_players = self.players.raise_window
        self.pictures.failed.connect(lambda _sha256, words: self.messages.problem(words))
        preferences.changed.connect(self._preference_changed)
        self.window.restore()
        self.presenter.show_session()
        self._opened()

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what the entries do that concern files, dialogs and the program."""
        return {
            "file.new": self.files.ask_new,
            "file.open": self.files.ask_open,
            "file.import": self.files.ask_import,
            "file.copy": self.files.ask_copy,
            "file.paste": self.files.paste,
            "file.backups": self.files.ask_backup,
            "file.rename": self.files.ask_title,
            "file.close": self.files.close,
            "file.preferences": self.show_preferences,
            "file.quit": self.window.close,
            "edit.token": self.edit_tokens,
            "map.grid": self.fit_grid,
            "fight.rules": self.show_rules,
            "fight.tables": self.show_tables,
            **self._player_handlers(),
            "help.keys": self.show_keys,
            "help.about": self.show_about,
        }

    def _player_handlers(self) -> dict[str, Callable[[], object]]:
        players, actions = self.players, self.window.menu_actions
        desk = self.window.desk
        return {
            "players.open": players.toggle,
            "players.full": players.full_screen,
            "players.follow": lambda: players.follow(on=actions["players.follow"].isChecked()),
            "players.center": lambda: players.center_on_focus(desk.selection.focus),
            "players.overview": players.overview,
            "players.turn": players.turn,
            "players.size": self.true_size,
            "players.picture": self.show_picture,
            **{
                f"players.{health.value}": partial(players.show_health, health)
                for health in HealthShown
            },
            "players.party": lambda: players.look(vision=VisionMode.PARTY),
            "players.active": lambda: players.look(vision=VisionMode.ACTIVE),
            "players.chosen": lambda: players.look(
                vision=VisionMode.CHOSEN, chosen=desk.selection.ids
            ),
        }

    def show_picture(self) -> None:
        """Show the players a picture in place of the map, or the map again."""
        if self.bridge.stage.mode is StageMode.PICTURE:
            self.players.show_picture(None)
            return
        found = self.files.ask_picture()
        if found is not None:
            self._handouts[found[0]] = found[1]
            self.players.show_picture(found[0])
        self.presenter.show_stage()

    def true_size(self) -> None:
        """Make cells as large as on the table or free them; an unknown screen is measured first."""
        on = not self.player_window.is_true_size
        if not self.players.true_size(on=on):
            CalibrateDialog(self.players, self.window).open()

    def show_preferences(self) -> None:
        """Open the preferences."""
        PreferencesDialog(self.preferences, self.window).open()

    def show_keys(self) -> None:
        """Open the list of keys."""
        KeysDialog(self.window.bindings, self.window.menu_actions, self.window).open()

    def show_rules(self) -> None:
        """Open the table rules; the dialog follows undo and redo."""
        dialog = TableRulesDialog(
            self.bridge.encounter.options,
            self._set_rule,
            self.window,
        )

        def follow(_before: View, _after: View) -> None:
            dialog.show_options(self.bridge.encounter.options)

        self.bridge.changed.connect(follow)
        dialog.finished.connect(lambda _code: self.bridge.changed.disconnect(follow))
        dialog.open()

    def show_tables(self) -> None:
        """Open the tables of the ruleset; the dialog follows undo and redo."""
        dialog = TablesDialog(
            self.bridge.ruleset.tables(),
            self.bridge.encounter.corrections,
            self._correct_table,
            self.window,
        )

        def follow(_before: View, _after: View) -> None:
            dialog.show_corrections(self.bridge.encounter.corrections)

        self.bridge.changed.connect(follow)
        dialog.finished.connect(lambda _code: self.bridge.changed.disconnect(follow))
        dialog.open()

    def _correct_table(self, table: str, row: str, column: str, value: int | str | None) -> None:
        self.bridge.execute(CorrectTable(table=table, row=row, column=column, value=value))

    def _set_rule(self, rule: str, value: object) -> None:
        self.bridge.execute(SetTableRule(rule=rule, value=value))

    def fit_grid(self) -> None:
        """Open the numbers of the grid; what is tried shows at once, what is kept is one step."""
        board = self.bridge.encounter.board
        scene, view = self.window.scene, self.bridge.view

        def preview(command: FitGrid) -> None:
            picture = command.picture or view.picture
            scene.sync(replace(view, grid=command.grid, picture=picture))

        dialog = GridFitDialog(board, self.bridge.ruleset.grids, preview, self.window)
        dialog.accepted.connect(lambda: self.bridge.execute(dialog.command))
        dialog.finished.connect(lambda _code: scene.sync(self.bridge.view))
        dialog.open()
        # Over the docks, off the map that it fits.
        right = self.window.mapToGlobal(QPoint(self.window.width() - GAP, 0)).x()
        top = self.window.middle.mapToGlobal(QPoint(0, GAP)).y()
        dialog.move(right - dialog.width(), top)

    def edit_tokens(self) -> None:
        """Open the details of the selected tokens."""
        encounter, ids = self.bridge.encounter, self.window.desk.selection.ids
        tokens = [encounter.tokens[each] for each in reversed(ids)]
        if not tokens:
            return
        sides = sorted({token.side for token in encounter.tokens.values()})
        dialog = TokenDialog(tokens, encounter.board.grid.kind, sides, self.window)

        dialog.ask_picture = self.files.ask_picture

        def apply() -> None:
            if dialog.changes:
                command = EditTokens(token_ids=ids, changes=dialog.changes)
                self.bridge.execute(command, images=dialog.images)

        dialog.accepted.connect(apply)
        dialog.open()

    def edit_wall(self, wall_id: str) -> None:
        """Open the details of a wall or a door."""
        wall = self.bridge.encounter.board.walls.get(wall_id)
        if wall is None:
            return
        dialog = WallDialog(wall, self.window)

        def apply() -> None:
            if dialog.wall != wall:
                self.bridge.execute(PutWalls(walls=(dialog.wall,)))

        dialog.accepted.connect(apply)
        dialog.open()

    def show_about(self) -> None:
        """Say what this is."""
        self.messages.say("Battlemat 0.1.0, MIT licence. Every step is saved at once.")

    def _opened(self) -> None:
        """Show the lists of an empty window; load pictures from the open document."""
        if self.bridge.session is not None:
            self.pictures.set_source(self._picture)
            return
        offered = [
            (each.name, each.title, each.ruleset.replace("_", " ").title())
            for each in samples()[:SAMPLES_SHOWN]
        ]
        recent = self.preferences.get(RECENT)
        self.window.welcome.show_lists(offered, recent)

    def _picture(self, sha256: str) -> bytes:
        session = self.bridge.session
        if sha256 in self._handouts:
            return self._handouts[sha256]
        if session is None:
            raise FileProblem("The encounter is closed.")
        return session.document.image(sha256)

    def _fill_recent(self) -> None:
        menu = self.window.recent_menu
        menu.clear()
        for path in self.preferences.get(RECENT):
            action = menu.addAction(Path(path).name)
            action.setToolTip(path)
            action.triggered.connect(
                lambda _on=False, which=path: self.files.open_path(Path(which))
            )
        if menu.isEmpty():
            menu.addAction("None yet").setEnabled(False)

    def _tool_choices(self, tool_id: str, field: str) -> tuple[str, ...]:
        """Return what a tool's setting may be, where that depends on the encounter."""
        if self.bridge.session is None or tool_id != "token":
            return ()
        if field == "preset":
            return ("", *self.bridge.ruleset.presets())
        if field == "size":
            return ("", *catalogue(self.bridge.grid.kind))
        if field == "side":
            sides = sorted({token.side for token in self.bridge.encounter.tokens.values()})
            return tuple(dict.fromkeys(("party", "foes", "neutral", *sides)))
        return ()

    def _ask(self, question: str, text: str) -> str | None:
        entered, fine = QInputDialog.getText(self.window, question, question, text=text)
        return entered.strip() if fine else None

    def _preference_changed(self, preference: object) -> None:
        if preference is THEME:
            self.theme = theme_named(self.preferences.get(THEME))
            app = QApplication.instance()
            if isinstance(app, QApplication):
                apply_theme(app, self.theme)
            self.window.set_theme(self.theme)
            self.player_window.set_theme(self.theme)
            self.presenter.show_stage()

    def _close(self) -> None:
        """Leave everything in order; there is nothing to save."""
        self.players.close()
        self.messages.stop()
        self.bridge.attach(None)
        self.pictures.close(wait=False)
        self.preferences.sync()


def run(path: Path | None) -> int:
    """Open the windows, with an encounter or a map if one is named; return the exit code."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    app.setApplicationName("battlemat")
    app.setApplicationDisplayName("Battlemat")
    app.setOrganizationName("battlemat")
    app.setDesktopFileName("battlemat")
    preferences = Preferences()
    apply_theme(app, theme_named(preferences.get(THEME)))
    made = App(preferences, _tile_cache())
    stop = crash.install(lambda text: made.messages.post(Message(text, Level.PROBLEM)))
    made.window.show()
    if preferences.get(PLAYERS_AT_START) and len(app.screens()) > 1:
        made.players.toggle()
    if path is not None:
        QTimer.singleShot(0, lambda: made.files.open_any(path))
    QTimer.singleShot(0, _settle)
    made.bridge.opened.connect(lambda: QTimer.singleShot(_AT_REST_MS, _settle_anew))
    try:
        return app.exec()
    finally:
        stop()


def _settle() -> None:
    """Collect garbage as usual after the start, but never look again at what came with it."""
    gc.freeze()
    gc.set_threshold(700, 10, 10)


def _settle_anew() -> None:
    """Set aside what an opened encounter brought, and let go of the one before.

    A thousand creatures are 150,000 objects; looked through in the midst of a fight they would
    hold up a click for 100 ms.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _tile_cache() -> TileCache | None:
    """Return the cache of decoded pictures in the person's cache folder."""
    kind = QStandardPaths.StandardLocation.CacheLocation
    folder = QStandardPaths.writableLocation(kind)
    return TileCache(Path(folder) / "tiles.sqlite") if folder else None
