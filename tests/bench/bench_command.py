"""A command from the click to both Views: decided, made durable, projected for GM and players.

A dungeon of some 1,000 walls holds 1,000 tokens, twelve of them the party's; the fog is on. A round
is eight commands as they come at the table: steps of the party and of others, damage, doors.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count, cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from engine.commands.board import CloseDoor, OpenDoor
from engine.commands.command import Command
from engine.commands.registry import resolve
from engine.commands.tokens import AddTokens, MoveToken, PlaceToken, SetValue
from engine.geometry.routes import free_route
from engine.grid.grid import board_grid
from engine.model.audience import GM, PLAYERS, Audience, Stage, StageMode
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.space import Cell
from engine.model.token import FOES, PARTY, Token
from engine.model.value import FrozenMap
from engine.model.wall import DoorState, Wall, WallKind
from engine.rules.registry import register
from engine.session import Session
from engine.view import Projected, project
from tests.bench.maps import dungeon
from tests.bench.rows import BenchRow
from tests.helpers.toy import TOY, ToyOptions, ToySheet

TOKENS, HEROES, COMMANDS = 1000, 12, 8
LIVE = Stage(mode=StageMode.LIVE)
SPENT: list[float] = []
FOLDER = TemporaryDirectory(prefix="battlemat-bench-")


@cache
def board() -> Board:
    """Return a dungeon of about 1,000 walls."""
    where = dungeon(1000)
    doors = set(where.doors)
    walls = {}
    for number, (seg, owner) in enumerate(
        zip(where.walls.segs.tolist(), where.walls.owner, strict=True)
    ):
        name = where.walls.ids[int(owner)]
        is_door = name in doors
        walls[f"w{number}"] = Wall(
            id=f"w{number}",
            points=tuple((x, y) for x, y in seg),
            kind=WallKind.DOOR if is_door else WallKind.WALL,
            door=(DoorState.OPEN if name in where.open_doors else DoorState.CLOSED)
            if is_door
            else None,
        )
    spec = GridSpec(columns=int(where.bounds.right), rows=int(where.bounds.bottom))
    return Board(grid=spec, walls=FrozenMap(walls))


@cache
def session() -> Session:
    """Return a session that two windows watch."""
    register(TOY)
    rng, spec = Random(4), board().grid
    tokens = tuple(
        Token(
            id=f"t{number}",
            name=f"Orc {number}",
            side=PARTY if number < HEROES else FOES,
            cell=Cell(rng.randrange(spec.columns), rng.randrange(spec.rows)),
            sheet=ToySheet(),
        )
        for number in range(TOKENS)
    )
    empty = Encounter(ruleset="toy", board=board(), options=ToyOptions())
    made = Session.create(Path(FOLDER.name) / "bench.battlemat", empty)
    made.set_stage(LIVE)
    for audience in (GM, PLAYERS):
        made.observe(audience, lambda _before, _after: None)
    made.execute(AddTokens(tokens=tokens))
    return made


def step(encounter: Encounter, token_id: str) -> Command:
    """Return a step of a token to a cell beside it, or its being set down where it stands."""
    token, grid = encounter.token(token_id), board_grid(encounter.board.grid)
    for near in grid.neighbours(token.cell):
        walled = free_route(encounter, token, (near.cell,)).refusals
        if grid.contains(near.cell) and not walled:
            return MoveToken(token_id=token_id, path=(near.cell,))
    return PlaceToken(token_id=token_id, cell=token.cell)


def toggle(encounter: Encounter, wall_id: str) -> Command:
    """Return the opening or closing of a door."""
    is_open = encounter.board.walls[wall_id].door is DoorState.OPEN
    return CloseDoor(wall_id=wall_id) if is_open else OpenDoor(wall_id=wall_id)


def orders() -> Iterator[Callable[[Encounter], Command]]:
    """Yield commands as they come at the table, to be made for the encounter as it is then."""
    doors = cycle(wall.id for wall in board().walls.values() if wall.is_door)
    heroes = cycle(f"t{number}" for number in range(HEROES))
    others = cycle(f"t{number}" for number in range(HEROES, TOKENS, 7))
    for number in count():
        for _ in range(3):
            yield partial(step, token_id=next(heroes))
            yield partial(step, token_id=next(others))
        wounded = next(others)
        yield lambda _, who=wounded, hp=number % 10: SetValue(token_id=who, field="hp", value=hp)
        yield partial(toggle, wall_id=next(doors))


DURABLE, DECIDED = orders(), orders()


def durable_round() -> None:
    """Execute the next eight commands in a session."""
    for _ in range(COMMANDS):
        command = next(DURABLE)(session().encounter)
        started = perf_counter()
        session().execute(command)
        SPENT.append((perf_counter() - started) * 1e3)


@cache
def windows() -> dict[Audience, Projected]:
    """Return what two windows show before any command."""
    encounter = session().encounter
    return {
        each: Projected(encounter, LIVE, project(encounter, LIVE, each, TOY))
        for each in (GM, PLAYERS)
    }


def decided_round() -> None:
    """Decide the next eight commands and project them for both windows; nothing is stored."""
    for _ in range(COMMANDS):
        before = windows()[GM].encounter
        _, after = resolve(next(DECIDED)(before), before, TOY)
        for audience, known in windows().items():
            view = project(after, LIVE, audience, TOY, known)
            windows()[audience] = Projected(after, LIVE, view)


def spread() -> str:
    """Tell how long one command took."""
    middle, late = np.percentile(SPENT, (50, 99))
    return f"one command: median {middle:.1f} ms (<= 5), p99 {late:.1f} ms (<= 30) of {len(SPENT)}"


def rows() -> list[BenchRow]:
    """Give the rows of this module."""
    return [
        BenchRow(
            job="8 commands, durable, both Views, 1,000 tokens, 1,000 walls",
            run=durable_round,
            baseline=None,
            ratio_target=None,
            target_ms=5.0 * COMMANDS,
            note=spread,
        ),
        BenchRow(
            job="the same 8 commands, nothing stored",
            run=decided_round,
            baseline=None,
            ratio_target=None,
            target_ms=5.0 * COMMANDS,
            note="to tell the engine's time from the disk's; making the commands included",
        ),
    ]
