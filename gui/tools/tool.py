"""Mouse modes of the canvas: small objects that are fed pointer events.

A tool turns events into a preview while the gesture lasts and into one command at its end. It
knows no widget: all it may use is its `Host`. Nothing is stored before the release.
"""

from collections.abc import Callable, Iterable
from typing import Protocol

from engine.commands.command import Command
from engine.grid.grid import Grid
from engine.model.encounter import Encounter
from engine.model.space import Cell, Point
from engine.model.value import Value
from engine.rules.ruleset import Ruleset
from engine.view import View
from gui.canvas.overlays.overlay import Preview
from gui.canvas.pointer import Button, PointerEvent, PointerKind


class Host(Protocol):
    """What a tool may read and do."""

    @property
    def encounter(self) -> Encounter:
        """Return the current encounter."""

    @property
    def ruleset(self) -> Ruleset:
        """Return its ruleset."""

    @property
    def grid(self) -> Grid:
        """Return the grid of its board."""

    @property
    def view(self) -> View:
        """Return what the GM sees."""

    @property
    def selected(self) -> tuple[str, ...]:
        """Return the selected tokens, the focus last."""

    @property
    def drag_distance(self) -> float:
        """Return how far the mouse must travel before a click is a drag, in cells."""

    @property
    def shows_reach(self) -> bool:
        """Tell whether the reach of a held token is to be marked."""

    def select(self, ids: Iterable[str]) -> None:
        """Select exactly these tokens."""

    def execute(self, command: Command) -> bool:
        """Carry a command out; a refusal is told and marked."""

    def together(self, commands: Iterable[Command]) -> bool:
        """Carry commands out as one gesture, all or none."""

    def show(self, name: str, preview: Preview | None) -> None:
        """Show a preview under a name, or take it away."""

    def say(self, text: str) -> None:
        """Write what the gesture would do into the status line."""

    def mark(self, cell: Cell | None, sentence: str) -> None:
        """Mark a cell where something is not allowed and say why."""

    def after(self, milliseconds: int, run: Callable[[], None]) -> Callable[[], None]:
        """Run something later; return the function that prevents it."""

    def ping(self, point: Point) -> None:
        """Set a mark that everybody sees for a moment."""

    def ask(self, question: str, text: str = "") -> str | None:
        """Ask for a text; None if nothing was entered."""

    def details(self, token_id: str) -> None:
        """Open the details of a token."""


class NoSettings(Value):
    """A tool without settings."""

    kind: str = "none"


class Tool:
    """The base of all tools.

    `pointer` sorts events into `press`, `move`, `release`, ...; a right press while a gesture is
    under way cancels it and does nothing else.
    """

    id = ""
    hint = ""
    shows: tuple[str, ...] = ()
    """The names of the previews that the tool sets; all go when the gesture ends."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.settings: Value = NoSettings()

    @property
    def busy(self) -> bool:
        """Tell whether a gesture is under way."""
        return False

    def pointer(self, event: PointerEvent) -> bool:
        """Take an event; return whether it was used."""
        if event.kind is PointerKind.PRESS and event.button is not Button.LEFT:
            return event.button is Button.RIGHT and self.cancel()
        if event.kind is PointerKind.RELEASE and event.button is not Button.LEFT:
            return False
        handlers: dict[PointerKind, Callable[[PointerEvent], object]] = {
            PointerKind.PRESS: self.press,
            PointerKind.MOVE: self.move,
            PointerKind.RELEASE: self.release,
            PointerKind.DOUBLE: self.double,
            PointerKind.HOVER: self.hover,
            PointerKind.WHEEL: self.wheel,
            PointerKind.LEAVE: self.leave,
        }
        return handlers[event.kind](event) is not False

    def press(self, event: PointerEvent) -> object:
        """Begin a gesture."""

    def move(self, event: PointerEvent) -> object:
        """Go on with the button held."""

    def release(self, event: PointerEvent) -> object:
        """End a gesture."""

    def double(self, event: PointerEvent) -> object:
        """Answer a double click; by default it is a press like any other."""
        return self.press(event)

    def hover(self, event: PointerEvent) -> object:
        """Go on without a button held."""

    def wheel(self, event: PointerEvent) -> object:
        """Use the wheel; False leaves it to the zoom."""
        return False

    def leave(self, event: PointerEvent) -> object:
        """Answer the mouse leaving the map."""

    def key(self, name: str) -> bool:
        """Use a key while the map has the focus: space, backspace, return; or leave it."""
        return False

    def delete(self) -> bool:
        """Take away the thing under the mouse that this tool draws; tell whether there was one."""
        return False

    def cancel(self) -> bool:
        """Drop the gesture exactly; tell whether there was one."""
        was_busy = self.busy
        self.reset()
        return was_busy

    def reset(self) -> None:
        """Forget the gesture and take its previews away."""
        for name in self.shows:
            self.host.show(name, None)

    def refresh(self) -> None:
        """Look again after the encounter changed: a gesture on what is gone is dropped."""

    def describe(self) -> str:
        """Return what the tool is set to, for the status line."""
        return self.hint
