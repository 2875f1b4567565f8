"""Areas and displacement: who is inside a template, and which push of a round counts (6.6)."""

from collections.abc import Sequence

from engine.events.board import AreasChanged
from engine.events.tokens import TokenMoved
from engine.geometry.outlook import Lookout, outlooks, standing_point
from engine.geometry.reasons import why_not
from engine.geometry.routes import field_of
from engine.grid.grid import Grid, board_grid
from engine.model.encounter import Encounter
from engine.model.region import Area, AreaShape
from engine.model.space import Cell
from engine.model.token import Token
from engine.rules.drase.events import DisplacementKept
from engine.rules.drase.harm import environment_damage, quench_in_water
from engine.rules.drase.movement import movement_rules, occupied
from engine.rules.drase.plans import Mode
from engine.rules.drase.sheet import AttackProfile, DamageType
from engine.rules.drase.situation import base_of, cells_of, surface_at
from engine.rules.drase.state import Displacement, FallFrame, Turn
from engine.rules.drase.work import Work


def shape_of(profile: AttackProfile, shape: AreaShape) -> AreaShape:
    """Return a template as the attack has it, wherever it was pointed at."""
    if profile.area is None:
        return shape
    return AreaShape.model_validate(
        {**shape.model_dump(), "shape": profile.area.shape, "size": profile.area.size}
    )


def tokens_in(encounter: Encounter, shape: AreaShape) -> tuple[Token, ...]:
    """Return the tokens of which a tile's centre lies in a template ([proposal] of 6.6).

    Nothing is affected that walls hide from where the template begins.
    """
    from engine.geometry.area import Coverage, area_cells  # noqa: PLC0415  shapely is heavy

    grid = board_grid(encounter.board.grid)
    start = Lookout(standing_point(encounter.board, shape.origin))
    (seen,) = outlooks(encounter.board, [start])
    rings = None if seen.box is None else [seen.ring]
    inside = set(area_cells(grid, shape, Coverage.CENTER, seen=rings))
    return tuple(
        token
        for token in encounter.tokens.values()
        if not inside.isdisjoint(cells_of(encounter, token))
    )


def areas_over(encounter: Encounter, token: Token) -> tuple[Area, ...]:
    """Return the lasting areas that a token stands in."""
    areas = encounter.board.areas.values()
    cells = set(cells_of(encounter, token)) if areas else set()
    return tuple(area for area in areas if not cells.isdisjoint(area.cells))


def harm_in_areas(work: Work, token_id: str) -> None:
    """Let the lasting areas that a creature stands in harm it, in its own side's step."""
    for area in areas_over(work.encounter, work.token(token_id)):
        if area.damage:
            kinds = {each.value for each in DamageType}
            kind = DamageType(area.damage_type) if area.damage_type in kinds else DamageType.BLUNT
            source = area.name or "The area"
            environment_damage(work, token_id, area.damage, kind, source, by=area.source_token)


def age_areas(work: Work) -> None:
    """Count a round off the lasting areas at the end of the round; what has run out ends."""
    areas = work.encounter.board.areas.values()
    aged = [area for area in areas if area.rounds_left is not None]
    ended = tuple(area.id for area in aged if (area.rounds_left or 0) <= 1)
    kept = tuple(
        area.changed(rounds_left=area.rounds_left - 1)
        for area in aged
        if area.rounds_left is not None and area.id not in ended
    )
    if aged:
        work.emit(AreasChanged(put=kept, removed=ended))
    for area in aged:
        if area.id in ended:
            source = area.source_token
            about = () if source is None or source not in work.encounter.tokens else (source,)
            work.log(f"{area.name or 'An area'} ends.", *about, secret=area.gm_only or not about)


def carry_areas(work: Work, token_id: str, start: Cell, end: Cell) -> None:
    """Move the areas that follow a creature along with it."""
    dx, dy = end.x - start.x, end.y - start.y
    following = [each for each in work.encounter.board.areas.values() if each.follows == token_id]
    if not following or (dx, dy) == (0, 0):
        return
    grid = board_grid(work.encounter.board.grid)
    (ax, ay), (bx, by) = grid.center(start), grid.center(end)
    moved = []
    for area in following:
        x, y = area.shape.origin
        origin = (x + bx - ax, y + by - ay)
        cells = tuple(Cell(cell.x + dx, cell.y + dy) for cell in area.cells)
        kept = tuple(cell for cell in cells if grid.contains(cell))
        moved.append(area.changed(shape=area.shape.changed(origin=origin), cells=kept))
    work.emit(AreasChanged(put=tuple(moved)))


def straight_way(encounter: Encounter, start: Cell, waypoints: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return every tile of a straight push from way-point to way-point, without the start."""
    grid = board_grid(encounter.board.grid)
    way: list[Cell] = []
    here = start
    for there in waypoints:
        steps = _steps_between(grid, here, there)
        (ax, ay), (bx, by) = grid.center(here), grid.center(there)
        way += [
            grid.cell_at((ax + (bx - ax) * step / steps, ay + (by - ay) * step / steps))
            for step in range(1, steps + 1)
        ]
        here = there
    return tuple(way)


def _steps_between(grid: Grid, a: Cell, b: Cell) -> int:
    """Return the fewest steps from one tile to another, diagonal ones included."""
    if grid.kind.is_hex:
        return int(grid.distance(a, b))
    return max(abs(a.x - b.x), abs(a.y - b.y))


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
        carry_areas(work, token_id, token.cell, start)
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
    carry_areas(work, token.id, gone[0], gone[-1])
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


def _free(work: Work, token: Token, here: Cell, there: Cell) -> bool:
    """Tell whether a creature can be pushed over a step: no wall, no other creature."""
    rules = movement_rules(work.book, work.encounter, token, Turn(), Mode.FLY)
    ground = field_of(work.encounter, rules)
    direction = ground.grid.step_between(here, there)
    if direction is None or why_not(ground, rules.stride, token.facing, here, direction):
        return False
    _, held = occupied(work.encounter, token)
    return not held & set(cells_of(work.encounter, token.changed(cell=there)))
