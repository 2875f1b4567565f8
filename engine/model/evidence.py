"""Numbers that explain themselves: modifiers and the places on the map that they come from."""

from engine.model.space import Cell, Point
from engine.model.value import Value


class Ray(Value):
    """A line of sight that was tried."""

    start: Point
    end: Point
    clear: bool


class Evidence(Value):
    """What to draw on the map when somebody asks for the reason of a number."""

    rays: tuple[Ray, ...] = ()
    walls: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    lights: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()


class Modifier(Value):
    """One line of a sum: what, how much, and why.

    `value` is the flat number where there is one; `text` is what stands at the right edge of the
    line ("-5", "+2d6k1"). `proposal` marks a number that no source gives. `players` is the template
    of what the players read as its label (`engine.model.told`); without it they do not read it.
    """

    label: str
    value: int | None = None
    text: str = ""
    evidence: Evidence | None = None
    proposal: bool = False
    players: str | None = None


class LogEntry(Value):
    """One line of the log, with the lines of the sum behind it.

    `about` names the tokens concerned. What the players read is decided once, when the entry is
    made: nothing if it is `secret`, also if they see the tokens later; `players` instead, where
    they know less, or somebody by another name. It is made of what `players` brings as a template
    (`engine.model.told`), or else of `text`, with the names of those in `about` exchanged.
    """

    text: str
    lines: tuple[Modifier, ...] = ()
    about: tuple[str, ...] = ()
    secret: bool = False
    players: "LogEntry | None" = None
