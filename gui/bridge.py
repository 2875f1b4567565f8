"""The only adapter between the engine and Qt: observers become signals, refusals messages.

Every change that a window makes goes through `execute`; nothing else in the windows touches a
session. The bridge lives as long as the program, sessions come and go.
"""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QObject, Signal

from engine.commands.combat import Overrule
from engine.commands.command import Command
from engine.events.event import Record
from engine.grid.grid import Grid, board_grid
from engine.model.audience import GM, PLAYERS, Audience, Stage, StageMode
from engine.model.encounter import Encounter
from engine.model.refusal import FileProblem, Rejected, Rejection
from engine.rules.ruleset import Ruleset
from engine.session import Session
from engine.view import View
from gui.messages import Messages


class Bridge(QObject):
    """The open session, as the windows know it.

    `opened` comes when another encounter is open, or none; `changed` and `players_changed` carry
    the Views before and after; `refused` carries the Rejection; `staged` comes when what is on
    show changed.
    """

    opened = Signal()
    changed = Signal(object, object)
    players_changed = Signal(object, object)
    refused = Signal(object)
    staged = Signal()

    def __init__(self, messages: Messages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.messages = messages
        self._session: Session | None = None
        self._players = PLAYERS
        self._stop: list[Callable[[], None]] = []
        self._stop_players: Callable[[], None] | None = None
        self._players_view: View | None = None
        self._refused_command: Command | None = None
        self._real_dice: tuple[str, ...] = ()

    @property
    def session(self) -> Session | None:
        """Return the open session."""
        return self._session

    @property
    def open_session(self) -> Session:
        """Return the open session; to ask without one is a bug."""
        if self._session is None:
            raise LookupError("no encounter is open")
        return self._session

    @property
    def encounter(self) -> Encounter:
        """Return the current encounter."""
        return self.open_session.encounter

    @property
    def ruleset(self) -> Ruleset:
        """Return its ruleset."""
        return self.open_session.ruleset

    @property
    def grid(self) -> Grid:
        """Return the grid of its board."""
        return board_grid(self.encounter.board.grid)

    @property
    def view(self) -> View:
        """Return what the GM sees."""
        return self.open_session.view(GM)

    @property
    def players_view(self) -> View:
        """Return what the players see; held back while they are frozen."""
        if self._players_view is None:
            raise LookupError("no encounter is open")
        return self._players_view

    @property
    def foreseen(self) -> View:
        """Return what the players would see if a blackout were lifted, or a held map published."""
        return self.open_session.foresee(self._players)

    @property
    def players(self) -> Audience:
        """Return how the players look."""
        return self._players

    @property
    def stage(self) -> Stage:
        """Return what is on show."""
        return self._session.stage if self._session is not None else Stage()

    @property
    def read_only(self) -> bool:
        """Tell whether the file can only be read."""
        return self._session is not None and self._session.document.read_only

    @property
    def refused_command(self) -> Command | None:
        """Return the command that the rules refused last, while it can still be overruled."""
        return self._refused_command

    def attach(self, session: Session | None) -> None:
        """Take up a session, closing the one before; None leaves the windows empty."""
        self._let_go()
        self._session = session
        if session is not None:
            session.type_dice_of(self._real_dice)
            self._stop = [session.observe(GM, self.changed.emit)]
            self._stop_players = session.observe(self._players, self._players_moved)
            self._players_view = session.view(self._players)
        self.opened.emit()
        self.staged.emit()

    def execute(
        self,
        command: Command,
        *,
        images: Mapping[str, bytes] | None = None,
        hold_dice: bool = False,
    ) -> tuple[Record, ...]:
        """Execute a command; a refusal becomes a message and an empty answer.

        With `hold_dice` the rolls that follow are left open for dice from the table.
        """
        session = self.open_session
        return self._try(
            lambda: session.execute(command, images=images, roll=not hold_dice), command
        )

    def together(self, commands: Iterable[Command]) -> tuple[Record, ...]:
        """Execute all commands as one gesture, or none of them."""
        return self._try(lambda: self.open_session.execute_together(commands), None)

    def overrule(self) -> tuple[Record, ...]:
        """Do what was refused last."""
        command = self._refused_command
        return self.execute(Overrule(command=command)) if command is not None else ()

    def undo(self) -> None:
        """Take the last gesture back."""
        self._travel(self.open_session.undo)

    def redo(self) -> None:
        """Do the next gesture again."""
        self._travel(self.open_session.redo)

    def jump(self, record_id: int) -> None:
        """Go to the state after a record."""
        self._travel(lambda: self.open_session.jump(record_id))

    def undo_label(self) -> str:
        """Return what an undo would take back, or nothing."""
        return self._gesture_label(back=True)

    def redo_label(self) -> str:
        """Return what a redo would do again, or nothing."""
        return self._gesture_label(back=False)

    def set_stage(self, **changes: object) -> None:
        """Change what is on show."""
        self.put_stage(self.stage.changed(**changes))

    def put_stage(self, stage: Stage) -> None:
        """Put another stage in the place of the one before."""
        if self._session is not None:
            self._session.set_stage(stage)
            self.staged.emit()

    def set_mode(self, mode: StageMode) -> None:
        """Change what the players' window shows, whatever it showed before."""
        self.set_stage(mode=mode, beneath=())

    def lay(self, mode: StageMode, **changes: object) -> None:
        """Lay a mode over what the players' window shows; `lift` brings that back."""
        self.put_stage(self.stage.changed(**changes).laid(mode))

    def lift(self, mode: StageMode) -> None:
        """Take a mode away; what lay beneath it comes back as it was."""
        self.put_stage(self.stage.lifted(mode))

    def type_dice_of(self, sides: tuple[str, ...]) -> None:
        """Ask for these sides' dice instead of rolling them, in this encounter and all others."""
        self._real_dice = sides
        if self._session is not None:
            self._session.type_dice_of(sides)

    def publish(self) -> None:
        """Show the players what was held back."""
        self.open_session.publish()

    def set_players(self, audience: Audience) -> None:
        """Change through whose eyes the players look."""
        if self._session is None or audience == self._players:
            self._players = audience
            return
        self._session.succeed(self._players, audience)
        self._players = audience
        if self._stop_players is not None:
            self._stop_players()
        self._stop_players = self._session.observe(audience, self._players_moved)
        if self.stage.mode is not StageMode.FROZEN:
            self._players_moved(None, self._session.view(audience))

    def _players_moved(self, _before: View | None, after: View) -> None:
        # What the window shows now is the View before, also after a change of audience.
        before, self._players_view = self._players_view, after
        self.players_changed.emit(before, after)

    def _let_go(self) -> None:
        for stop in self._stop:
            stop()
        if self._stop_players is not None:
            self._stop_players()
        self._stop, self._stop_players, self._players_view = [], None, None
        self._refused_command = None
        if self._session is not None:
            session, self._session = self._session, None
            try:
                session.close()
            except FileProblem as error:
                self.messages.problem(error)

    def _try(
        self, work: Callable[[], tuple[Record, ...]], command: Command | None
    ) -> tuple[Record, ...]:
        before, self._refused_command = self._refused_command, None
        try:
            made = work()
        except Rejected as error:
            self._refuse(error.rejection, command)
            return ()
        except FileProblem as error:
            self._refused_command = before
            self.messages.problem(error)
            return ()
        return made

    def _travel(self, work: Callable[[], object]) -> None:
        self._refused_command = None
        try:
            work()
        except Rejected as error:
            self._refuse(error.rejection, None)
        except FileProblem as error:
            self.messages.problem(error)

    def _refuse(self, rejection: Rejection, command: Command | None) -> None:
        self._refused_command = command if rejection.overrulable else None
        self.messages.refuse(rejection)
        self.refused.emit(rejection)

    def _gesture_label(self, *, back: bool) -> str:
        session = self._session
        if session is None:
            return ""
        by_id = {each.id: each for each in session.history()}
        if back:
            head = by_id.get(session.head)
            return by_id[head.group].label if head is not None else ""
        after = [each for each in by_id.values() if each.parent == session.head]
        return max(after, key=lambda each: each.id).label if after else ""
