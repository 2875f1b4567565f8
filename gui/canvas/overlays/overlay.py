"""Previews: what a tool or a dock asks the canvas to show for a moment.

Frozen values in the engine's words, in world coordinates and cells; no Qt. Tools make them,
`BoardView.set_preview(name, preview)` shows them, `gui.canvas.overlays.drawing` draws them.
Nothing here is stored, and nothing reaches the other window unless it is set there too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.model.audience import Frame2D, Ping
from engine.model.evidence import Evidence
from engine.model.space import Cell, Point


class Tone(StrEnum):
    """What a preview means; the theme gives the colour."""

    NOW = "now"
    GOOD = "good"
    BAD = "bad"
    PARTY = "party"
    FOE = "foe"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of a way: where it ends, the cost so far and why it cost more than usual."""

    point: Point
    cost: str
    reason: str = ""
    allowed: bool = True
    waypoint: bool = False


@dataclass(frozen=True, slots=True)
class PathPreview:
    """A way from `start` over its steps; `left` is what remains of the budget, in words."""

    start: Point
    steps: tuple[PathStep, ...]
    left: str = ""
    tone: Tone = Tone.NOW


@dataclass(frozen=True, slots=True)
class CellsPreview:
    """A set of cells, tinted and outlined: reach, a template, explored ground.

    `labels` writes a short text into single cells. `outline` is the exact border of a template,
    in rings of world points, drawn beside the cells that it takes.
    """

    cells: frozenset[Cell]
    tone: Tone = Tone.PARTY
    fill: bool = True
    dashed: bool = False
    labels: Mapping[Cell, str] | None = None
    outline: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Ghost:
    """A token that is not there yet: its outline, its side, and the way that leads to it.

    `arrows` run from it to those that it means, `area` is the border of a template that it means
    to lay, and the label stands at `label_at`, so many rows away from the token, up or down.
    """

    rings: tuple[tuple[Point, ...], ...]
    label_at: Point
    side: str
    label: str = ""
    way: tuple[Point, ...] = ()
    arrows: tuple[tuple[Point, Point], ...] = ()
    area: tuple[tuple[Point, ...], ...] = ()
    label_row: int = 0
    label_up: bool = True


@dataclass(frozen=True, slots=True)
class GhostsPreview:
    """Declared plans, or tokens being dragged or pasted."""

    ghosts: tuple[Ghost, ...]


@dataclass(frozen=True, slots=True)
class RulerPreview:
    """A measured line: `labels` has one text per segment, `total` stands at its end."""

    points: tuple[Point, ...]
    labels: tuple[str, ...] = ()
    total: str = ""
    tone: Tone = Tone.NOW


@dataclass(frozen=True, slots=True)
class LinesPreview:
    """Lines being drawn, walls or the border of a region; the last point may be the pointer."""

    lines: tuple[tuple[Point, ...], ...]
    closed: bool = False
    handles: bool = True
    tone: Tone = Tone.NOW


@dataclass(frozen=True, slots=True)
class EvidencePreview:
    """The reason of a number: rays green where clear and red dashed where blocked.

    `label` says above the point `at` what it comes to.
    """

    evidence: Evidence
    label: str = ""
    at: Point | None = None


@dataclass(frozen=True, slots=True)
class BoxPreview:
    """A box that is being pulled open, between two opposite world corners."""

    first: Point
    second: Point


@dataclass(frozen=True, slots=True)
class RefusedPreview:
    """The place of a refusal."""

    cell: Cell | None = None
    wall_id: str | None = None
    token_id: str | None = None


@dataclass(frozen=True, slots=True)
class TargetsPreview:
    """What a plan could be aimed at: ids of tokens and walls, possible or refused by the rules."""

    possible: frozenset[str]
    refused: frozenset[str]


@dataclass(frozen=True, slots=True)
class FramePreview:
    """The players' frame on the GM's map."""

    frame: Frame2D


@dataclass(frozen=True, slots=True)
class PingsPreview:
    """Pings; `age_ms` says how far each has spread, 0 to `PING_MS`."""

    pings: tuple[Ping, ...]
    age_ms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BrushPreview:
    """The disc of the fog brush, `radius` in cells."""

    center: Point
    radius: float
    adds: bool = True


PING_MS = 1800
"""How long a ping is seen."""

Preview = (
    PathPreview
    | CellsPreview
    | GhostsPreview
    | RulerPreview
    | LinesPreview
    | EvidencePreview
    | BoxPreview
    | RefusedPreview
    | TargetsPreview
    | FramePreview
    | PingsPreview
    | BrushPreview
)
