"""Vision as it is kept up to date: only what changed is looked at again."""

from functools import cache
from itertools import count

from engine.commands.discovery import discover
from engine.events.tokens import TokenMoved
from engine.geometry.boards import wall_set
from engine.geometry.visibility import visibility_polygons
from engine.geometry.vision import look_of, visions
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.light import Ambient, Light
from engine.model.space import Cell
from engine.model.token import PARTY, Token
from engine.model.value import FrozenMap
from engine.model.wall import DoorState
from tests.bench.orders import HEROES, board
from tests.bench.rows import BenchRow

LAMPS = 150
TURNS = count()


@cache
def party() -> Encounter:
    """Return twelve heroes strewn over the dungeon."""
    spec = board().grid
    heroes = {
        f"h{n}": Token(
            id=f"h{n}",
            name="Hero",
            side=PARTY,
            cell=Cell(3 + n * 5 % spec.columns, 2 + n * 7 % spec.rows),
        )
        for n in range(HEROES)
    }
    return Encounter(ruleset="toy", board=board(), tokens=FrozenMap(heroes))


def one_moves() -> None:
    """See through all twelve after one of them took a step to where nobody stood before."""
    turn = next(TURNS)
    spec = board().grid
    cell = Cell(turn % spec.columns, turn // spec.columns % spec.rows)
    moved = party().with_token(party().token("h0").changed(cell=cell))
    visions(moved, tuple(moved.tokens.values()))


def all_anew() -> None:
    """See through all twelve without remembering anything."""
    eyes = [look_of(board(), token).place.point for token in party().tokens.values()]
    visibility_polygons(wall_set(board()), eyes, bounds=board_grid(board().grid).bounds)


@cache
def lit() -> Encounter:
    """Return the party in the dark with 150 lamps."""
    spec = board().grid
    lamps = {
        f"l{n}": Light(
            id=f"l{n}",
            position=(0.5 + n * 13 % spec.columns, 0.5 + n * 17 % spec.rows),
            bright=3,
            dim=6,
        )
        for n in range(LAMPS)
    }
    torch = Light(id="torch", position=(0, 0), bright=3, dim=6, carrier="h0")
    dark = board().changed(ambient=Ambient.DARK, lights=FrozenMap({**lamps, "torch": torch}))
    return party().changed(board=dark)


def a_torch_moves() -> None:
    """See in the dark, outlines and all, after who carries the torch took a step."""
    turn = next(TURNS)
    cell = Cell(turn % board().grid.columns, 3)
    moved = lit().with_token(lit().token("h0").changed(cell=cell))
    for vision in visions(moved, tuple(moved.tokens.values())):
        assert vision.rings is not None


def a_walk() -> None:
    """Walk twelve cells to where nobody was before; every cell explores."""
    turn = next(TURNS)
    spec = board().grid
    y, x = turn % spec.rows, turn // spec.rows * 3 % (spec.columns - 13)
    path = tuple(Cell(x + n, y) for n in range(13))
    start = party().with_token(party().token("h0").changed(cell=path[0]))
    discover(start, (TokenMoved(token_id="h0", path=path, facing=0, elevation=0),))


def a_door_far_away() -> None:
    """See through all twelve after a door opened or closed."""
    doors = [wall for wall in board().walls.values() if wall.is_door]
    door = doors[next(TURNS) % len(doors)]
    other = DoorState.CLOSED if door.door is DoorState.OPEN else DoorState.OPEN
    walls = board().walls.put(door.id, door.changed(door=other))
    now = party().changed(board=board().changed(walls=walls))
    visions(now, tuple(now.tokens.values()))


def rows() -> list[BenchRow]:
    """Give the rows of this module."""
    return [
        BenchRow(
            job="12 eyes after one of them moved, 1,000 walls",
            run=one_moves,
            baseline=all_anew,
            ratio_target=1.2,
            target_ms=2.5,
            note="baseline: all twelve anew, in one pass",
        ),
        BenchRow(
            job="12 eyes after a door moved somewhere, 1,000 walls",
            run=a_door_far_away,
            baseline=None,
            ratio_target=None,
            target_ms=5,
        ),
        BenchRow(
            job="a walk of 12 cells explores at each, 1,000 walls",
            run=a_walk,
            baseline=None,
            ratio_target=None,
            target_ms=50,
        ),
        BenchRow(
            job="12 eyes in the dark, 151 lamps, a torch moved",
            run=a_torch_moves,
            baseline=None,
            ratio_target=None,
            target_ms=16,
            note="outlines included",
        ),
    ]
