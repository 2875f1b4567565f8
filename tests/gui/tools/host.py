"""A host for tools that is no window: a real session, and a note of what was shown and said."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from engine.commands.command import Command
from engine.grid.grid import Grid, board_grid
from engine.model.audience import GM
from engine.model.encounter import Encounter
from engine.model.refusal import Rejected
from engine.model.space import Cell, Point
from engine.rules.ruleset import Ruleset
from engine.session import Session
from engine.view import View
from gui.canvas.overlays.overlay import Preview
from gui.canvas.pointer import Button, PointerEvent, PointerKind, nearest_wall
from gui.tools.tool import Tool

P = TypeVar("P")


class HostNote:
    """Fulfils `gui.tools.tool.Host`."""

    drag_distance = 0.1
    shows_reach = True

    def __init__(self, session: Session) -> None:
        self.session = session
        self.selected: tuple[str, ...] = ()
        self.previews: dict[str, Preview] = {}
        self.said: list[str] = []
        self.commands: list[Command] = []
        self.refused: list[str] = []
        self.pings: list[Point] = []
        self.later: list[Callable[[], None]] = []
        self.detailed: list[str] = []
        self.answer: str | None = None

    @property
    def encounter(self) -> Encounter:
        return self.session.encounter

    @property
    def ruleset(self) -> Ruleset:
        return self.session.ruleset

    @property
    def grid(self) -> Grid:
        return board_grid(self.encounter.board.grid)

    @property
    def view(self) -> View:
        return self.session.view(GM)

    def select(self, ids: Iterable[str]) -> None:
        self.selected = tuple(ids)

    def execute(self, command: Command) -> bool:
        return self.together((command,))

    def together(self, commands: Iterable[Command]) -> bool:
        wanted = tuple(commands)
        self.commands.extend(wanted)
        try:
            self.session.execute_together(wanted)
        except Rejected as error:
            self.refused.append(error.rejection.code)
            return False
        return True

    def show(self, name: str, preview: Preview | None) -> None:
        if preview is None:
            self.previews.pop(name, None)
        else:
            self.previews[name] = preview

    def say(self, text: str) -> None:
        self.said.append(text)

    def mark(self, cell: Cell | None, sentence: str) -> None:
        self.said.append(sentence)

    def after(self, milliseconds: int, run: Callable[[], None]) -> Callable[[], None]:
        self.later.append(run)
        return lambda: self.later.remove(run) if run in self.later else None

    def ping(self, point: Point) -> None:
        self.pings.append(point)

    def ask(self, question: str, text: str = "") -> str | None:
        return self.answer

    def details(self, token_id: str) -> None:
        self.detailed.append(token_id)

    def preview(self, name: str, kind: type[P]) -> P:
        """Return what is shown under a name; it must be of this kind."""
        found = self.previews[name]
        assert isinstance(found, kind)
        return found


class Mouse:
    """Feeds a tool with events at world points, as the board would."""

    def __init__(self, host: HostNote, tool: Tool) -> None:
        self._host, self._tool = host, tool

    def event(self, kind: PointerKind, at: Point, **fields: object) -> PointerEvent:
        cell = self._host.grid.cell_at(at)
        over = (t.id for t in self._host.view.tokens.values() if cell in t.cells)
        walls = self._host.encounter.board.walls.values()
        values: dict[str, object] = {
            "kind": kind,
            "world": at,
            "cell": cell,
            "token_id": next(over, None),
            "wall_id": nearest_wall(walls, at, 0.3),
            "button": Button.LEFT,
            **fields,
        }
        return PointerEvent(**values)  # type: ignore[arg-type]  # fields by name

    def press(self, at: Point, **fields: object) -> None:
        self._tool.pointer(self.event(PointerKind.PRESS, at, **fields))

    def move(self, at: Point, **fields: object) -> None:
        self._tool.pointer(self.event(PointerKind.MOVE, at, **fields))

    def release(self, at: Point, **fields: object) -> None:
        self._tool.pointer(self.event(PointerKind.RELEASE, at, **fields))

    def hover(self, at: Point, **fields: object) -> None:
        self._tool.pointer(self.event(PointerKind.HOVER, at, **fields))

    def double(self, at: Point, **fields: object) -> None:
        self._tool.pointer(self.event(PointerKind.DOUBLE, at, **fields))

    def wheel(self, at: Point, steps: float) -> bool:
        return self._tool.pointer(self.event(PointerKind.WHEEL, at, wheel_steps=steps))

    def click(self, at: Point, **fields: object) -> None:
        self.press(at, **fields)
        self.release(at, **fields)

    def drag(self, *points: Point, **fields: object) -> None:
        self.press(points[0], **fields)
        for at in points[1:]:
            self.move(at, **fields)
        self.release(points[-1], **fields)

    def right(self, at: Point) -> bool:
        return self._tool.pointer(self.event(PointerKind.PRESS, at, button=Button.RIGHT))
