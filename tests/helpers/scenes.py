"""Small encounters of the toy ruleset for tests of sight and secrecy, with defaults."""

from typing import Any

from engine.commands.command import Command
from engine.commands.registry import resolve
from engine.commands.tokens import AddTokens
from engine.model.audience import Audience, Stage, StageMode
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.light import Light
from engine.model.space import Cell, Point
from engine.model.token import FOES, PARTY, Token
from engine.model.value import FrozenMap
from engine.model.wall import DoorState, Wall, WallKind
from engine.rules.registry import register
from engine.view import View, project
from tests.helpers.toy import TOY, ToyOptions, ToySheet


def wall(wall_id: str, *points: Point, **changes: Any) -> Wall:
    return Wall(id=wall_id, points=points, **changes)


def door(wall_id: str, *points: Point, **changes: Any) -> Wall:
    made = {"kind": WallKind.DOOR, "door": DoorState.CLOSED, **changes}
    return Wall(id=wall_id, points=points, **made)


def token(token_id: str, x: int, y: int, side: str = FOES, **changes: Any) -> Token:
    made = {"id": token_id, "name": token_id.capitalize(), "sheet": ToySheet(), **changes}
    return Token(side=side, cell=Cell(x, y), **made)


def hero(token_id: str, x: int, y: int, **changes: Any) -> Token:
    return token(token_id, x, y, PARTY, **changes)


def lamp(name: str, x: float, y: float, bright: float = 2, dim: float = 4, **changes: Any) -> Light:
    return Light(id=name, position=(x, y), bright=bright, dim=dim, **changes)


def scene(
    *things: Wall | Token | Light, columns: int = 10, rows: int = 6, **board: Any
) -> Encounter:
    """Return an encounter with these walls, tokens and lights on a board of squares."""
    made = Board(
        grid=GridSpec(columns=columns, rows=rows),
        walls=FrozenMap({each.id: each for each in things if isinstance(each, Wall)}),
        lights=FrozenMap({each.id: each for each in things if isinstance(each, Light)}),
        **board,
    )
    tokens = FrozenMap({each.id: each for each in things if isinstance(each, Token)})
    return Encounter(ruleset="toy", board=made, tokens=tokens, options=ToyOptions())


def two_rooms(*further: Wall | Token | Light, **board: Any) -> Encounter:
    """Return two rooms of 5 x 6 squares, a closed door between them, Ann left and Grub right."""
    return scene(
        wall("north", (5, 0), (5, 2)),
        door("door", (5, 2), (5, 3)),
        wall("south", (5, 3), (5, 6)),
        hero("ann", 2, 2),
        token("grub", 7, 2),
        *further,
        **board,
    )


def toggled(encounter: Encounter, name: str, state: DoorState = DoorState.OPEN) -> Encounter:
    """Return the encounter with a door in another state."""
    walls = encounter.board.walls
    changed = walls.put(name, walls[name].changed(door=state))
    return encounter.changed(board=encounter.board.changed(walls=changed))


def moved(encounter: Encounter, name: str, x: int, y: int) -> Encounter:
    return encounter.with_token(encounter.token(name).changed(cell=Cell(x, y)))


LIVE = Stage(mode=StageMode.LIVE)

register(TOY)


def done(encounter: Encounter, *commands: Command) -> Encounter:
    """Return the encounter after commands, the toy's rolls left open."""
    for command in commands:
        encounter = resolve(command, encounter, TOY)[1]
    return encounter


def begun(encounter: Encounter) -> Encounter:
    """Return the encounter with its tokens set down by a command: what they see is known."""
    tokens = tuple(encounter.tokens.values())
    return done(encounter.changed(tokens=FrozenMap()), AddTokens(tokens=tokens))


def seen(encounter: Encounter, stage: Stage = LIVE, **audience: Any) -> View:
    """Return the players' View."""
    return project(encounter, stage, Audience(**audience), TOY)
