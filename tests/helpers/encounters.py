"""Encounters of the toy ruleset, small enough to be read, and sessions upon them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.space import Cell, GridKind, Point
from engine.model.token import FOES, PARTY, Token
from engine.model.value import FrozenMap
from engine.model.wall import DoorState, Wall, WallKind
from engine.rules.registry import register
from engine.session import Session
from tests.helpers.toy import TOY, ToyOptions, ToySheet

HERO, FRIEND, ORC = "hero", "friend", "orc"


def a_piece(token_id: str, cell: tuple[int, int], side: str = PARTY, **fields: Any) -> Token:
    sheet = fields.pop("sheet", ToySheet())
    name = fields.pop("name", token_id.capitalize())
    return Token(id=token_id, name=name, side=side, cell=Cell(*cell), sheet=sheet, **fields)


def a_board_wall(wall_id: str, *points: Point, door: DoorState | None = None) -> Wall:
    kind = WallKind.DOOR if door is not None else WallKind.WALL
    return Wall(id=wall_id, points=points, kind=kind, door=door)


def an_encounter(
    *,
    columns: int = 12,
    rows: int = 8,
    kind: GridKind = GridKind.SQUARE,
    tokens: Iterable[Token] | None = None,
    walls: Iterable[Wall] = (),
    **fields: Any,
) -> Encounter:
    """Return a board with a hero at (2, 2), a friend at (2, 4) and an orc at (8, 3)."""
    pieces = (
        (a_piece(HERO, (2, 2)), a_piece(FRIEND, (2, 4)), a_piece(ORC, (8, 3), FOES))
        if tokens is None
        else tuple(tokens)
    )
    board = Board(
        grid=GridSpec(kind=kind, columns=columns, rows=rows),
        walls=FrozenMap({wall.id: wall for wall in walls}),
    )
    values: Mapping[str, Any] = {
        "title": "The ford",
        "ruleset": "toy",
        "options": ToyOptions(),
        "board": board,
        "tokens": FrozenMap({token.id: token for token in pieces}),
        **fields,
    }
    return Encounter(**values)


def a_session(folder: Path, encounter: Encounter | None = None, *, seed: int = 1) -> Session:
    """Create a document in a folder and open it; the dice are repeatable."""
    register(TOY)
    path = folder / "encounter.battlemat"
    return Session.create(path, encounter or an_encounter(), entropy=Random(seed))
