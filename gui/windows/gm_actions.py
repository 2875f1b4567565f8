"""What the menu entries of the GM window do, and what must hold for each.

Files, dialogs and the players' window belong to the app; it adds its own handlers.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import dist

from PySide6.QtCore import QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QMenu

from engine.commands.board import FitGrid
from engine.commands.combat import RollDice
from engine.commands.command import Command
from engine.commands.fog import ResetFog, SwitchFog
from engine.commands.tokens import DuplicateTokens, EditTokens, RemoveTokens
from engine.commands.turn import BeginFight, ChangeSettings, EndFight, EndPhase
from engine.model.audience import HealthShown, StageMode, VisionMode
from engine.model.encounter import fresh_id
from engine.model.light import Ambient
from engine.model.token import PARTY
from engine.model.wall import Wall
from gui.canvas.pointer import Button, PointerEvent, PointerKind, distance_to
from gui.menu import ENTRIES, PLAYERS, TOOL_ENTRIES, When
from gui.preferences import PARTY_DICE
from gui.tools.door import toggled
from gui.tools.steps import step_commands, turn_commands
from gui.windows.board_keys import BoardKeys
from gui.windows.gm_window import GmWindow
from gui.windows.top_bar import MEANS

ZOOM = 1.25


class GmActions(QObject):
    """Connects entries with commands on the bridge and with the window itself."""

    def __init__(self, window: GmWindow) -> None:
        super().__init__(window)
        self.window = window
        self.bridge, self.desk = window.bridge, window.desk
        self.has_players_window: Callable[[], bool] = lambda: False
        self.raise_players: Callable[[], None] = lambda: None
        self.wall_details: Callable[[str], None] = lambda _wall_id: None
        window.menu_actions.connect(self.handlers())
        window.board.space_tapped.connect(window.menu_actions["fight.next"].trigger)
        self.keys = BoardKeys(window.board, self.desk, self.step)
        window.board.installEventFilter(self.keys)
        self.desk.tool_changed.connect(self._check_tool)
        self.desk.unused.connect(self._unused)
        window.top.pill.clicked.connect(self.ask_players)
        self._check_tool(self.desk.tool_id)
        window.preferences.watch(PARTY_DICE, self._party_rolls)

    def handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return what each entry does, without those of the app."""
        bridge, desk, board = self.bridge, self.desk, self.window.board
        tools = {
            entry.id: partial(desk.take, entry.id.removeprefix("tool.")) for entry in TOOL_ENTRIES
        }
        return {
            **tools,
            "edit.undo": bridge.undo,
            "edit.redo": bridge.redo,
            "edit.overrule": bridge.overrule,
            "edit.hide": self.hide_or_show,
            "edit.duplicate": self.duplicate,
            "edit.delete": self.delete,
            "edit.group": self.group,
            "edit.all": lambda: desk.select(desk.view.tokens),
            "edit.none": lambda: desk.select(()),
            "view.fit": board.fit_board,
            "view.in": lambda: self.zoom(ZOOM),
            "view.out": lambda: self.zoom(1 / ZOOM),
            "view.center": self.center,
            "view.mini": lambda: self.window.mini.set_shown(
                self.window.menu_actions["view.mini"].isChecked()
            ),
            "map.fog": lambda: bridge.execute(SwitchFog(enabled=not bridge.encounter.fog.enabled)),
            **{f"map.{each.value}": partial(self.lighten, each) for each in Ambient},
            "map.forget": lambda: bridge.execute(ResetFog()),
            "map.door": self.nearest_door,
            "fight.begin": lambda: bridge.execute(BeginFight()),
            "fight.end": lambda: bridge.execute(EndFight()),
            "fight.next": lambda: bridge.execute(EndPhase()),
            "fight.roll": self.roll,
            "fight.after": lambda: desk.step_focus(1),
            "fight.before": lambda: desk.step_focus(-1),
            "fight.party_dice": self.party_dice,
            "players.freeze": self.freeze,
            "players.black": self.black_out,
            "players.publish": bridge.publish,
        }

    def missing(self) -> frozenset[When]:
        """Return what entries need and what does not hold now."""
        session = self.bridge.session
        if session is None:
            lacking = set(When)
        else:
            encounter, step = session.encounter, self.bridge.view.step
            holds = {
                When.OPEN: True,
                When.WRITABLE: not self.bridge.read_only,
                When.UNDO: session.can_undo(),
                When.REDO: session.can_redo(),
                When.SELECTION: bool(self.desk.selection.ids),
                When.FIGHT: encounter.fighting,
                When.PEACE: not encounter.fighting,
                When.NEXT: step is None or not step.end_reason,
                When.REFUSED: self.bridge.refused_command is not None,
                When.PLAN: self.desk.planner.ready or encounter.prompt is not None,
                When.HELD: session.stage.frozen,
            }
            lacking = {need for need, there in holds.items() if not there}
            lacking.add(When.PLAYERS)
        if self.has_players_window():
            lacking.discard(When.PLAYERS)
        return frozenset(lacking)

    def update(self) -> None:
        """Enable what can be done now; undo and redo say what they would do."""
        actions = self.window.menu_actions
        words = {"edit.undo": self.bridge.undo_label(), "edit.redo": self.bridge.redo_label()}
        actions.update(self.missing(), words)
        session = self.bridge.session
        if session is not None:
            actions["map.fog"].setChecked(session.encounter.fog.enabled)
            actions["fight.party_dice"].setChecked(PARTY in session.real_dice)
            for each in Ambient:
                actions[f"map.{each.value}"].setChecked(session.encounter.board.ambient is each)
        vision = self.bridge.players.vision
        for entry_id, mode in (
            ("players.party", VisionMode.PARTY),
            ("players.active", VisionMode.ACTIVE),
            ("players.chosen", VisionMode.CHOSEN),
        ):
            actions[entry_id].setChecked(vision is mode)
        for health in HealthShown:
            actions[f"players.{health.value}"].setChecked(self.bridge.players.health is health)
        stage, there = self.bridge.stage, session is not None
        actions["players.freeze"].setChecked(there and stage.frozen)
        actions["players.black"].setChecked(there and stage.mode is StageMode.BLACKOUT)
        actions["players.picture"].setChecked(there and stage.mode is StageMode.PICTURE)
        actions["players.open"].setChecked(self.has_players_window())

    def context_menu(self) -> QMenu:
        """Return the menu of the map, made from the entries that belong there."""
        menu = QMenu(self.window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.window.menu_actions.fill(menu, (entry for entry in ENTRIES if entry.on_map))
        return menu

    def popup(self, menu: QMenu, at: QPoint) -> None:
        """Open a menu; the map stays alive behind it."""
        menu.popup(at)

    def right_click(self, event: PointerEvent) -> None:
        """Select what was clicked and open the menu of the map."""
        if event.token_id is not None and event.token_id not in self.desk.selected:
            self.desk.select((event.token_id,))
        self.popup(self.menu_for(event), QCursor.pos())

    def menu_for(self, event: PointerEvent) -> QMenu:
        """Return the menu of the map, with the details of the wall that was clicked."""
        menu = self.context_menu()
        wall_id, first = event.wall_id, menu.actions()[0]
        if event.token_id is None and wall_id is not None and not self.bridge.read_only:
            details = QAction("&Wall or door…", menu)
            details.triggered.connect(lambda: self.wall_details(wall_id))
            menu.insertAction(first, details)
            menu.insertSeparator(first)
        return menu

    def step(self, arrow: str, turns: bool) -> bool:
        """Move or turn the selected tokens by one; tell whether there are any."""
        ids = self.desk.selection.ids
        if self.bridge.session is None or not ids:
            return False
        commands: Iterable[Command]
        if turns:
            by = -1 if arrow in {"left", "up", "up-left", "down-left"} else 1
            commands = turn_commands(self.desk.encounter, self.desk.grid, ids, by)
        else:
            commands = step_commands(self.desk.encounter, self.desk.grid, ids, arrow)
        self._carry_out(tuple(commands))
        return True

    def hide_or_show(self) -> None:
        """Hide the selected tokens, or show them if all are hidden."""
        ids = self.desk.selection.ids
        tokens = self.desk.encounter.tokens
        hide = not all(tokens[each].hidden for each in ids)
        self.bridge.execute(EditTokens(token_ids=ids, changes={"hidden": hide}))

    def lighten(self, ambient: Ambient) -> None:
        """Make it day or night on the map."""
        board = self.bridge.encounter.board
        if ambient is not board.ambient:
            self.bridge.execute(FitGrid(grid=board.grid, ambient=ambient))
        self.update()

    def group(self) -> None:
        """Make the selected tokens one group; let them go if they are one already."""
        ids, tokens = self.desk.selection.ids, self.desk.encounter.tokens
        groups = {tokens[each].group for each in ids}
        alone = len(ids) < 2 or (len(groups) == 1 and None not in groups)
        if alone and groups == {None}:
            self.bridge.messages.say("Select several tokens to group them.", topic="group")
            return
        taken = {token.group: token for token in tokens.values() if token.group is not None}
        name = None if alone else fresh_id(taken, "group")
        self.bridge.execute(EditTokens(token_ids=ids, changes={"group": name}))

    def duplicate(self) -> None:
        """Put copies beside the selected tokens and select them."""
        before = set(self.desk.encounter.tokens)
        if self.bridge.execute(DuplicateTokens(token_ids=self.desk.selection.ids)):
            self.desk.select(each for each in self.desk.encounter.tokens if each not in before)

    def delete(self) -> None:
        """Take away what the tool points at, else the selected tokens."""
        if not self.desk.tool.delete() and self.desk.selection.ids:
            self.bridge.execute(RemoveTokens(token_ids=self.desk.selection.ids))

    def zoom(self, factor: float) -> None:
        """Come closer or step back, the middle held fast."""
        board = self.window.board
        board.zoom_at(QPointF(board.viewport().rect().center()), factor)

    def center(self) -> None:
        """Bring the focused token into the middle."""
        focus = self.desk.selection.focus
        if focus is not None:
            self.window.board.center_on(self.desk.view.tokens[focus].center)

    def nearest_door(self) -> None:
        """Open or close the door nearest to the focused token."""
        focus = self.desk.selection.focus
        doors = [wall for wall in self.desk.encounter.board.walls.values() if wall.is_door]
        if focus is None or not doors:
            self.bridge.messages.say("There is no door on this map.", topic="door")
            return
        center = self.desk.view.tokens[focus].center

        def far(wall: Wall) -> tuple[float, float, str]:
            return distance_to(wall.points, center), dist(wall.points[0], center), wall.id

        self.bridge.execute(toggled(min(doors, key=far)))

    def roll(self) -> None:
        """Carry the plan out, or make the roll that is asked for."""
        prompt = self.desk.encounter.prompt
        if prompt is not None and prompt.roll is not None:
            self.bridge.execute(RollDice())
        elif self.desk.planner.ready:
            self.desk.planner.commit()

    def party_dice(self) -> None:
        """Let the party roll real dice, or the program again: the GM's habit, not the fight's."""
        sides = self.bridge.open_session.real_dice
        self.window.preferences.set(PARTY_DICE, PARTY not in sides)
        written = self.desk.encounter.real_dice
        if PARTY in sides and PARTY in written:
            others = tuple(each for each in written if each != PARTY)
            self.bridge.execute(ChangeSettings(real_dice=others))
        self.update()

    def _party_rolls(self, by_hand: bool) -> None:
        self.bridge.type_dice_of((PARTY,) if by_hand else ())
        self.update()

    def freeze(self) -> None:
        """Hold back from the players what changes, or let them see everything again."""
        change = self.bridge.lift if self.bridge.stage.frozen else self.bridge.lay
        change(StageMode.FROZEN)
        self._tell_players()

    def black_out(self) -> None:
        """Make the players' window black, or bring back what it showed before."""
        black = self.bridge.stage.mode is StageMode.BLACKOUT
        (self.bridge.lift if black else self.bridge.lay)(StageMode.BLACKOUT)
        self._tell_players()

    def _tell_players(self) -> None:
        """Say what the players see from now on, if they see anything."""
        if self.has_players_window():
            self.bridge.messages.say(MEANS[self.bridge.stage.mode], topic="players")

    def ask_players(self) -> None:
        """Open the players' window, or raise it and open the menu of what it can do."""
        if not self.has_players_window():
            self.window.menu_actions["players.open"].trigger()
            return
        self.raise_players()
        pill = self.window.top.pill
        below = pill.mapToGlobal(QPoint(0, pill.height() + 2))
        self.popup(self.window.submenus[PLAYERS], below)

    def _carry_out(self, commands: tuple[Command, ...]) -> None:
        if len(commands) == 1:
            self.bridge.execute(commands[0])
        else:
            self.bridge.together(commands)

    def _unused(self, event: PointerEvent) -> None:
        """Open the menu on a right click that cancelled nothing."""
        if event.kind is PointerKind.PRESS and event.button is Button.RIGHT:
            self.right_click(event)

    def _check_tool(self, tool_id: str) -> None:
        for entry in TOOL_ENTRIES:
            self.window.menu_actions[entry.id].setChecked(entry.id == f"tool.{tool_id}")
