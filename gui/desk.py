"""The GM's desk: the tool in hand, the selection, the plan; the one `Host` of all tools.

It joins the bridge to the tools and tells the window what to show. It makes no widgets.
"""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QDateTime, QObject, QTimer, Signal

from engine.commands.combat import Overrule
from engine.commands.command import Command
from engine.commands.tokens import MoveToken
from engine.grid.grid import Grid
from engine.model.audience import Ping
from engine.model.encounter import Encounter
from engine.model.refusal import Rejected, Rejection
from engine.model.region import AreaShape
from engine.model.space import Cell, Point
from engine.rules.ruleset import Ruleset
from engine.view import View
from gui.bridge import Bridge
from gui.canvas.overlays.overlay import PING_MS, Preview, RefusedPreview
from gui.canvas.pointer import PointerEvent, PointerKind
from gui.facts import facts
from gui.planning import Planner
from gui.preferences import DRAG_PIXELS, SHOW_REACH, Preferences
from gui.selection import Selection
from gui.tools.area import AreaTool, cover_preview
from gui.tools.door import DoorTool
from gui.tools.elevation import ElevationTool
from gui.tools.fog import FogTool
from gui.tools.light import LightTool
from gui.tools.note import NoteTool
from gui.tools.obscuration import ObscurationTool
from gui.tools.ruler import RulerTool
from gui.tools.select import SelectTool
from gui.tools.target import TargetTool
from gui.tools.terrain import TerrainTool
from gui.tools.token import TokenTool
from gui.tools.tool import Tool
from gui.tools.wall import WallTool

MARK_MS = 2500
"""How long the mark of a refusal stays."""


class Desk(QObject):
    """`shown` carries a preview and its name, `said` a line for the status line.

    `tool_changed` comes when another tool is in hand, `detailed` when a tool wants to open a
    token's details, `unused` with a pointer event that no tool wanted. The window puts in what
    only it knows: the zoom, and how to ask for a text.
    """

    shown = Signal(str, object)
    said = Signal(str)
    tool_changed = Signal(str)
    detailed = Signal(str)
    unused = Signal(object)

    def __init__(
        self, bridge: Bridge, preferences: Preferences, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self.preferences = preferences
        self.selection = Selection(self)
        self.planner = Planner(bridge, self)
        self.planner.selected = lambda: self.selection.ids
        self.px_per_cell: Callable[[], float] = lambda: 64.0
        self.asker: Callable[[str, str], str | None] = lambda _question, _text: None
        self._facts_of: tuple[Encounter, Cell, str | None] | None = None
        self._facts = ""
        self._under: Cell | None = None
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._tell_now)
        self.tools: dict[str, Tool] = {}
        self._make_tools()
        self._target = TargetTool(self, self.planner, self._covered)
        self._tool: Tool = self.tools["select"]
        self._unmark = QTimer(self)
        self._unmark.setSingleShot(True)
        self._unmark.setInterval(MARK_MS)
        self._unmark.timeout.connect(lambda: self.show("mark", None))
        bridge.changed.connect(lambda _before, _after: self._follow())
        bridge.opened.connect(self._begin_anew)
        bridge.refused.connect(self._mark_refusal)
        self.planner.changed.connect(self._plan_changed)
        self.selection.changed.connect(self._selection_changed)

    @property
    def tool(self) -> Tool:
        """Return the tool that the pointer works: pointing comes before the one in hand."""
        return self._target if self.planner.aiming else self._tool

    @property
    def tool_id(self) -> str:
        """Return the id of the tool in hand."""
        return self._tool.id

    @property
    def encounter(self) -> Encounter:
        """Return the current encounter."""
        return self.bridge.encounter

    @property
    def ruleset(self) -> Ruleset:
        """Return its ruleset."""
        return self.bridge.ruleset

    @property
    def grid(self) -> Grid:
        """Return the grid of its board."""
        return self.bridge.grid

    @property
    def view(self) -> View:
        """Return what the GM sees."""
        return self.bridge.view

    @property
    def selected(self) -> tuple[str, ...]:
        """Return the selected tokens."""
        return self.selection.ids

    @property
    def drag_distance(self) -> float:
        """Return how far a drag is from a click, in cells."""
        return self.preferences.get(DRAG_PIXELS) / max(1.0, self.px_per_cell())

    @property
    def shows_reach(self) -> bool:
        """Tell whether reach is to be marked."""
        return self.preferences.get(SHOW_REACH)

    def take(self, tool_id: str) -> None:
        """Take a tool up."""
        if tool_id not in self.tools:
            return
        self.planner.cancel()
        self._tool.reset()
        self._tool = self.tools[tool_id]
        self.tool_changed.emit(tool_id)
        self.say(self._tool.describe())

    def pointer(self, event: PointerEvent) -> bool:
        """Give an event to the tool; return whether it was used."""
        if self.bridge.session is None:
            return False
        self._under = None if event.kind is PointerKind.LEAVE else event.cell
        if event.kind in {PointerKind.HOVER, PointerKind.LEAVE}:
            self._tell_now()
        used = self._tried(lambda: self.tool.pointer(event), event.cell)
        if not used:
            self.unused.emit(event)
        return used

    def key(self, name: str) -> bool:
        """Give a key to the tool; return whether it was used."""
        return self.bridge.session is not None and self._tried(lambda: self.tool.key(name))

    def cancel(self) -> bool:
        """Drop the gesture or the plan; tell whether there was one."""
        done = self.tool.cancel() or self.planner.cancel()
        self.show("mark", None)
        self.say(self._tool.describe() if done else "")
        return done

    def select(self, ids: Iterable[str]) -> None:
        """Select exactly these tokens."""
        self.selection.set(ids)

    def execute(self, command: Command) -> bool:
        """Carry a command out, against the rules if the GM has taken up that right."""
        made = bool(self.bridge.execute(self._ruled(command)))
        if made:
            self.planner.arm(on=False)
        return made

    def together(self, commands: Iterable[Command]) -> bool:
        """Carry commands out as one gesture."""
        made = bool(self.bridge.together(tuple(self._ruled(each) for each in commands)))
        if made:
            self.planner.arm(on=False)
        return made

    def _tried(self, use: Callable[[], bool], cell: Cell | None = None) -> bool:
        """Let a tool have its way; what cannot be measured or previewed is no more than said."""
        try:
            return use()
        except Rejected as error:
            self.tool.reset()
            self.mark(cell, error.rejection.sentence)
            return True

    def _ruled(self, command: Command) -> Command:
        moves = isinstance(command, MoveToken)
        return Overrule(command=command) if moves and self.planner.armed else command

    def show(self, name: str, preview: Preview | None) -> None:
        """Show a preview, or take it away."""
        self.shown.emit(name, preview)

    def say(self, text: str) -> None:
        """Write into the status line."""
        self.said.emit(text)

    def mark(self, cell: Cell | None, sentence: str) -> None:
        """Mark a cell and say why."""
        self.bridge.messages.refuse(
            Rejection(code="not_here", sentence=sentence, cell=cell, overrulable=False)
        )
        self._mark(RefusedPreview(cell=cell))

    def after(self, milliseconds: int, run: Callable[[], None]) -> Callable[[], None]:
        """Run something later; return the function that prevents it."""
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(run)
        timer.timeout.connect(timer.deleteLater)
        timer.start(milliseconds)

        def prevent() -> None:
            timer.stop()
            timer.deleteLater()

        return prevent

    def ping(self, point: Point) -> None:
        """Set a mark that everybody sees for a moment."""
        ping = Ping(point=point, side="gm", at_ms=QDateTime.currentMSecsSinceEpoch())
        self.bridge.set_stage(pings=(*self.bridge.stage.pings, ping))
        self.after(PING_MS, lambda: self._forget(ping))

    def ask(self, question: str, text: str = "") -> str | None:
        """Ask for a text."""
        return self.asker(question, text)

    def details(self, token_id: str) -> None:
        """Ask the window to open a token's details."""
        self.detailed.emit(token_id)

    def step_focus(self, by: int) -> None:
        """Select the token after or before the focus, in the turn order where there is one."""
        view = self.view
        order = [e.token_id for e in view.step.entries] if view.step is not None else []
        order = [each for each in order if each in view.tokens] or list(view.tokens)
        if not order:
            return
        focus = self.selection.focus
        at = order.index(focus) + by if focus in order else 0 if by > 0 else -1
        self.select((order[at % len(order)],))

    def _covered(self, shape: AreaShape) -> Preview | None:
        return cover_preview(self.grid, shape)

    def _tell_now(self) -> None:
        """Tell of the cell under the mouse; what a gesture said of the state before is over."""
        if self.bridge.session is None or self._under is None:
            self.say("")
        elif not self.tool.busy:
            self._tell_facts(self._under)

    def _tell_facts(self, cell: Cell) -> None:
        """Tell of the cell under the mouse, once until something is another."""
        asked = (self.encounter, cell, self.selection.focus)
        known = self._facts_of
        if known is None or known[0] is not asked[0] or known[1:] != asked[1:]:
            self._facts_of = asked
            self._facts = facts(self.encounter, self.ruleset, cell, self.selection.focus)
        self.say(self._facts)

    def _make_tools(self) -> None:
        made: tuple[Tool, ...] = (
            SelectTool(self),
            RulerTool(self),
            AreaTool(self),
            FogTool(self),
            WallTool(self),
            DoorTool(self),
            TerrainTool(self),
            ElevationTool(self),
            ObscurationTool(self),
            LightTool(self),
            TokenTool(self),
            NoteTool(self),
        )
        self.tools = {tool.id: tool for tool in made}

    def _forget(self, ping: Ping) -> None:
        pings = self.bridge.stage.pings
        self.bridge.set_stage(pings=tuple(each for each in pings if each != ping))

    def _follow(self) -> None:
        """Let tool and selection see that something changed."""
        self.selection.keep(self.view)
        self.tool.refresh()
        self.show("mark", None)
        self._again.start(0)

    def _begin_anew(self) -> None:
        self._tool.reset()
        self._under = None
        self.selection.set(())
        self.show("mark", None)
        if self._tool.id != "select":
            self.take("select")

    def _plan_changed(self) -> None:
        if not self.planner.aiming:
            self._target.reset()

    def _selection_changed(self) -> None:
        """Drop the plan of a token that is no longer the focus."""
        plan = self.planner.plan
        if plan is not None and plan.token_id != self.selection.focus:
            self.planner.cancel()
        self._again.start(0)

    def _mark_refusal(self, rejection: Rejection) -> None:
        placed = (rejection.cell, rejection.wall_id, rejection.token_id)
        if any(each is not None for each in placed):
            self._mark(RefusedPreview(rejection.cell, rejection.wall_id, rejection.token_id))

    def _mark(self, preview: RefusedPreview) -> None:
        self.show("mark", preview)
        self._unmark.start()
