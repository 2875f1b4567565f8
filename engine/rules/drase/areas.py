"""Areas and displacement: who is inside a template, and which push of a round counts (6.6)."""

from math import atan2, cos, hypot, pi, radians, sin

from engine.events.tokens import TokenMoved
from engine.geometry.reasons import why_not
from engine.geometry.routes import field_of
from engine.geometry.terrain import terrain_of
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.region import AreaShape, ShapeKind, Surface
from engine.model.space import Cell, Point
from engine.model.token import Token
from engine.rules.drase.events import DisplacementKept
from engine.rules.drase.harm import quench_in_water
from engine.rules.drase.movement import movement_rules, occupied
from engine.rules.drase.plans import Mode
from engine.rules.drase.situation import HAIR, base_of, cells_of
from engine.rules.drase.state import Displacement, FallFrame, Turn
from engine.rules.drase.work import Work

CONE_DEG = 90
"""The width of a cone on squares; 60 degrees on hexes."""


def tokens_in(encounter: Encounter, shape: AreaShape) -> tuple[Token, ...]:
    """Return the tokens of which a tile's centre lies in a template ([proposal] of 6.6)."""
    grid = board_grid(encounter.board.grid)
    return tuple(
        token
        for token in encounter.tokens.values()
        if any(
            contains(shape, grid.center(cell), hexes=grid.kind.is_hex)
            for cell in cells_of(encounter, token)
        )
    )


def contains(shape: AreaShape, point: Point, *, hexes: bool = False) -> bool:
    """Tell whether a point lies in a template; borders belong to it."""
    dx, dy = point[0] - shape.origin[0], point[1] - shape.origin[1]
    far = hypot(dx, dy)
    if shape.shape in (ShapeKind.CIRCLE, ShapeKind.BURST):
        return far <= shape.size + HAIR
    angle = radians(shape.direction_deg)
    if shape.shape is ShapeKind.CONE:
        half = radians((60 if hexes else CONE_DEG) / 2)
        turn = abs((atan2(dy, dx) - angle + pi) % (2 * pi) - pi)
        return HAIR < far <= shape.size + HAIR and turn <= half + HAIR
    if shape.end is not None:
        angle = atan2(shape.end[1] - shape.origin[1], shape.end[0] - shape.origin[0])
    length = shape.size
    if shape.end is not None:
        length = hypot(shape.end[0] - shape.origin[0], shape.end[1] - shape.origin[1])
    along = dx * cos(angle) + dy * sin(angle)
    across = abs(dy * cos(angle) - dx * sin(angle))
    return -HAIR <= along <= length + HAIR and across <= shape.width / 2 + HAIR


def displace(work: Work, token_id: str, path: tuple[Cell, ...], roll: int, why: str) -> None:
    """Push a creature along a path; of several displacements in a round one counts.

    The strongest degree (tiles moved), then the highest roll, then the last (Displacement
    Stacking). A later one that counts starts where the first began.
    """
    token = work.token(token_id)
    kept = work.state.displaced.get(token_id)
    degree = len(path)
    start = kept.start if kept is not None else token.cell
    if kept is not None:
        if (degree, roll) < (kept.degree, kept.roll):
            work.log(
                f"{token.name} is not displaced further: a displacement by {kept.degree} counts "
                "this round.",
                token_id,
            )
            return
        dx, dy = start.x - token.cell.x, start.y - token.cell.y
        path = tuple(Cell(cell.x + dx, cell.y + dy) for cell in path)
        back = token.changed(cell=start, elevation=kept.elevation)
        work.emit(
            TokenMoved(
                token_id=token_id,
                path=(token.cell, start),
                facing=token.facing,
                elevation=back.elevation,
            )
        )
        token = work.token(token_id)
    work.emit(
        DisplacementKept(
            token_id=token_id,
            displacement=Displacement(
                degree=degree, roll=roll, start=start, elevation=token.elevation
            ),
        )
    )
    _push(work, token, path, why)


def _push(work: Work, token: Token, path: tuple[Cell, ...], why: str) -> None:
    """Move a creature against its will until something stops it, or the ground is gone."""
    before = base_of(work.encounter, token)
    gone = [token.cell]
    drop = 0
    for cell in path:
        if not _free(work, token, gone[-1], cell):
            break
        gone.append(cell)
        drop = before - base_of(work.encounter, token.changed(cell=cell, elevation=0.0))
        if drop >= 1 and token.elevation < 1:
            break
    falls = drop >= 1 and token.elevation < 1
    work.emit(
        TokenMoved(
            token_id=token.id,
            path=tuple(gone),
            facing=token.facing,
            elevation=float(drop) if falls else token.elevation,
        )
    )
    label = board_grid(work.encounter.board.grid).label(gone[-1])
    stopped = "" if len(gone) > len(path) or falls else ", stopped there"
    work.log(f"{token.name} {why} to {label}{stopped}.", token.id)
    if falls:
        work.push(
            FallFrame(
                token_id=token.id,
                tiles=drop,
                surface=surface_at(work.encounter, work.token(token.id)),
                breakable=True,
            )
        )
    else:
        quench_in_water(work, token.id, cells_of(work.encounter, work.token(token.id)))


def surface_at(encounter: Encounter, token: Token) -> Surface:
    """Return what a creature lands on: soft wherever any of its tiles is."""
    surfaces = terrain_of(encounter.board).surfaces
    found = [surfaces.get(cell, Surface.HARD) for cell in cells_of(encounter, token)]
    return next((each for each in found if each is not Surface.HARD), Surface.HARD)


def _free(work: Work, token: Token, here: Cell, there: Cell) -> bool:
    """Tell whether a creature can be pushed over a step: no wall, no other creature."""
    rules = movement_rules(work.book, work.encounter, token, Turn(), Mode.FLY)
    ground = field_of(work.encounter, rules)
    direction = ground.grid.step_between(here, there)
    if direction is None or why_not(ground, rules.stride, token.facing, here, direction):
        return False
    _, held = occupied(work.encounter, token)
    return not held & set(cells_of(work.encounter, token.changed(cell=there)))
