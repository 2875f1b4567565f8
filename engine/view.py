"""What one audience may see of an encounter and its stage: a pure projection.

Secrets are removed here and nowhere else; whoever draws a View may draw all of it. Views are
slotted dataclasses and reuse the unchanged parts of the one before by identity, so a window can
tell by `is` what it need not draw again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.grid.footprint import footprint_named
from engine.grid.grid import Grid, Ring, board_grid
from engine.model.audience import Audience, Ping, Stage, StageMode
from engine.model.board import GridSpec, Picture
from engine.model.encounter import Encounter
from engine.model.evidence import LogEntry
from engine.model.fog import Tiles
from engine.model.light import Ambient, Light
from engine.model.pending import Prompt
from engine.model.region import Area, Note, Region
from engine.model.space import Cell, Facing, Point
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.model.wall import Wall
from engine.rules.ruleset import Card, Ruleset, Step


@dataclass(frozen=True, slots=True)
class TokenView:
    """A token as somebody sees it; `rings` outline its footprint in world points."""

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


@dataclass(frozen=True, slots=True)
class FogView:
    """What is dark: `sight` holds the rings of each eye's vision, None where all is in sight."""

    enabled: bool
    sight: tuple[tuple[Ring, ...], ...] | None
    explored: Tiles
    revealed: Tiles
    veiled: Tiles


@dataclass(frozen=True, slots=True)
class View:
    """Everything that a window may show."""

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


@dataclass(frozen=True, slots=True)
class Projected:
    """A View beside what it was made from, so that the next one can reuse its parts."""

    encounter: Encounter
    stage: Stage
    view: View


def project(
    encounter: Encounter,
    stage: Stage,
    audience: Audience,
    ruleset: Ruleset,
    before: Projected | None = None,
) -> View:
    """Return what the audience may see; parts equal to those of `before` are the same objects."""
    grid = board_grid(encounter.board.grid)
    reuse = before if before is not None and before.view.audience == audience else None
    step = ruleset.step(encounter) if encounter.fighting else None
    board = encounter.board
    fog = encounter.fog
    return View(
        audience=audience,
        mode=stage.mode,
        title=encounter.title,
        ruleset=encounter.ruleset,
        ruleset_name=ruleset.name,
        fighting=encounter.fighting,
        grid=board.grid,
        picture=board.picture,
        background=board.background,
        ambient=board.ambient,
        tokens=_tokens(encounter, grid, ruleset, reuse),
        walls=board.walls,
        regions=board.regions,
        lights=board.lights,
        areas=board.areas,
        notes=board.notes,
        fog=FogView(fog.enabled, None, fog.explored, fog.revealed, fog.veiled),
        step=step,
        prompt=encounter.prompt,
        log=encounter.log,
        pings=stage.pings,
        pointer=stage.pointer,
        handout=stage.picture if stage.mode is StageMode.PICTURE else None,
        active=tuple(each.token_id for each in step.entries if each.may_act) if step else (),
    )


def _tokens(
    encounter: Encounter, grid: Grid, ruleset: Ruleset, before: Projected | None
) -> Mapping[str, TokenView]:
    if before is None or before.encounter.board.grid is not encounter.board.grid:
        return {token.id: token_view(token, grid, ruleset) for token in encounter.tokens.values()}
    if before.encounter.tokens is encounter.tokens:
        return before.view.tokens
    known, old = before.encounter.tokens, before.view.tokens
    return {
        token_id: old[token_id]
        if known.get(token_id) is token
        else token_view(token, grid, ruleset)
        for token_id, token in encounter.tokens.items()
    }


def token_view(token: Token, grid: Grid, ruleset: Ruleset) -> TokenView:
    """Return the whole token as the GM sees it."""
    footprint = footprint_named(grid.kind, token.footprint)
    cells = footprint.cells_at(grid, token.cell, token.facing)
    return TokenView(
        id=token.id,
        name=token.name,
        label=token.label or token.name[:3],
        side=token.side,
        cell=token.cell,
        cells=cells,
        center=footprint.center_at(grid, token.cell, token.facing),
        rings=grid.rings(cells),
        facing=token.facing,
        elevation=token.elevation,
        height=token.height,
        footprint=token.footprint,
        card=ruleset.card(token.sheet) if token.sheet is not None else None,
        hidden=token.hidden,
        portrait=token.portrait,
        group=token.group,
        gm_note=token.gm_note,
    )
