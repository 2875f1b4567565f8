"""The values that windows are drawn from: one View per audience, and what it consists of.

Slotted dataclasses, because they are made anew with every command. Whoever draws a View may draw
all of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.grid.base import Ring
from engine.model.audience import Audience, Frame2D, LiveDrag, Ping, Stage, StageMode
from engine.model.board import GridSpec, Picture
from engine.model.encounter import Encounter
from engine.model.evidence import LogEntry
from engine.model.fog import Tiles
from engine.model.light import Ambient, Light
from engine.model.pending import Prompt
from engine.model.region import Area, Note, Region
from engine.model.space import Cell, Facing, Point
from engine.model.value import FrozenMap
from engine.model.wall import Wall
from engine.rules.ruleset import Card, Step


@dataclass(frozen=True, slots=True)
class TokenView:
    """A token as somebody sees it; `rings` outline its footprint in world points.

    `known_as` tells the GM what the players call it, where that differs.
    """

    id: str
    name: str
    label: str
    side: str
    cell: Cell
    cells: tuple[Cell, ...]
    center: Point
    rings: tuple[Ring, ...]
    facing: Facing
    elevation: float
    height: float
    footprint: str
    card: Card | None
    hidden: bool
    portrait: str | None
    group: str | None
    gm_note: str
    known_as: str = ""


@dataclass(frozen=True, slots=True)
class FogView:
    """What is dark: `sight` holds the rings of each eye's vision, None where all is in sight.

    In sight is also what is `revealed`; nothing that is `veiled` is, nor may be drawn at all. What
    is only `explored` is shown dim.
    """

    enabled: bool
    sight: tuple[tuple[Ring, ...], ...] | None
    explored: Tiles
    revealed: Tiles
    veiled: Tiles


@dataclass(frozen=True, slots=True)
class View:
    """Everything that a window may show; `warnings` are for the GM alone."""

    audience: Audience
    mode: StageMode
    title: str
    ruleset: str
    ruleset_name: str
    fighting: bool
    grid: GridSpec
    picture: Picture | None
    background: str
    ambient: Ambient
    tokens: Mapping[str, TokenView]
    walls: FrozenMap[str, Wall]
    regions: FrozenMap[str, Region]
    lights: FrozenMap[str, Light]
    areas: FrozenMap[str, Area]
    notes: FrozenMap[str, Note]
    fog: FogView
    step: Step | None
    prompt: Prompt | None
    log: tuple[LogEntry, ...]
    pings: tuple[Ping, ...] = ()
    pointer: Point | None = None
    handout: str | None = None
    active: tuple[str, ...] = field(default=())
    drag: LiveDrag | None = None
    frame: Frame2D | None = None
    grid_visible: bool = True
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Projected:
    """A View beside what it was made from, so that the next one can reuse its parts."""

    encounter: Encounter
    stage: Stage
    view: View
