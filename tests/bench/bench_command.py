"""A command from the click to both Views: decided, made durable, projected for GM and players.

A dungeon of some 1,000 walls holds 1,000 tokens, twelve of them the party's; the fog is on. A round
is eight commands as they come at the table: steps of the party and of others, damage, doors.
"""

from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from time import perf_counter

import numpy as np

from engine.commands.board import CloseDoor, OpenDoor
from engine.commands.command import Command
from engine.commands.tokens import AddTokens, MoveToken, PlaceToken, SetValue
from engine.geometry.routes import free_route
from engine.grid.grid import board_grid
from engine.model.audience import GM, PLAYERS, Stage, StageMode
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.space import Cell
from engine.model.token import FOES, PARTY, Token
from engine.model.value import FrozenMap
from engine.model.wall import DoorState, Wall, WallKind
from engine.rules.registry import register
from engine.session import Session
from tests.bench.maps import dungeon
from tests.bench.rows import BenchRow
from tests.helpers.toy import TOY, ToyOptions, ToySheet

TOKENS, HEROES, COMMANDS = 1000, 12, 8
SPENT: list[float] = []


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
    made = Session.create(Path(mkdtemp(prefix="battlemat-bench-")) / "bench.battlemat", empty)
    made.set_stage(Stage(mode=StageMode.LIVE))
    for audience in (GM, PLAYERS):
        made.observe(audience, lambda _before, _after: None)
    made.execute(AddTokens(tokens=tokens))
    return made


def step(token_id: str) -> Command:
    """Return a step of a token to a cell beside it, or its being set down where it stands."""
    encounter = session().encounter
    token = encounter.token(token_id)
    for near in board_grid(encounter.board.grid).neighbours(token.cell):
        inside = board_grid(encounter.board.grid).contains(near.cell)
        if inside and not free_route(encounter, token, (near.cell,)).refusals:
            return MoveToken(token_id=token_id, path=(near.cell,))
    return PlaceToken(token_id=token_id, cell=token.cell)


def toggle(wall_id: str) -> Command:
    """Return the opening or closing of a door."""
    is_open = session().encounter.board.walls[wall_id].door is DoorState.OPEN
    return CloseDoor(wall_id=wall_id) if is_open else OpenDoor(wall_id=wall_id)


def orders() -> Iterator[Command]:
    """Yield commands as they come at the table."""
    doors = cycle(wall.id for wall in board().walls.values() if wall.is_door)
    heroes = cycle(f"t{number}" for number in range(HEROES))
    others = cycle(f"t{number}" for number in range(HEROES, TOKENS, 7))
    while True:
        for _ in range(3):
            yield step(next(heroes))
            yield step(next(others))
        yield SetValue(token_id=next(others), field="hp", value=len(SPENT) % 10)
        yield toggle(next(doors))


ORDERS = orders()


def command_round() -> None:
    """Execute the next eight commands."""
    for _ in range(COMMANDS):
        command = next(ORDERS)
        started = perf_counter()
        session().execute(command)
        SPENT.append((perf_counter() - started) * 1e3)


def spread() -> str:
    """Tell how long one command took."""
    middle, late = np.percentile(SPENT, (50, 99))
    return f"one command: median {middle:.1f} ms (<= 5), p99 {late:.1f} ms (<= 30) of {len(SPENT)}"


def rows() -> list[BenchRow]:
    """Give the rows of this module."""
    return [
        BenchRow(
            job="8 commands, durable, both Views, 1,000 tokens, 1,000 walls",
            run=command_round,
            baseline=None,
            ratio_target=None,
            target_ms=5.0 * COMMANDS,
            note=spread,
        )
    ]
