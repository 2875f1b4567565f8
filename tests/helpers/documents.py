"""Encounters and records for tests of what is stored, with defaults for everything."""

from collections.abc import Sequence
from pathlib import Path

from engine.events.event import Event, Record
from engine.events.tokens import TokenMoved, TokensPut
from engine.events.turn import Logged
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.evidence import LogEntry
from engine.model.space import Cell
from engine.model.token import Token
from engine.model.value import FrozenMap, Kinds
from engine.model.wall import Wall
from engine.storage.document import Document

NO_KINDS = Kinds()


def encounter(tokens: int = 1, walls: int = 0) -> Encounter:
    """Return an encounter of the ruleset "toy" with tokens t-0, t-1, ... and walls w-0, ..."""
    grid = GridSpec(columns=40, rows=30)
    board = Board(
        grid=grid,
        walls=FrozenMap(
            {
                f"w-{n}": Wall(id=f"w-{n}", points=((n / 7, 0.1), (n / 7, 12 + n / 3)))
                for n in range(walls)
            }
        ),
    )
    pieces = {f"t-{n}": token(n) for n in range(tokens)}
    return Encounter(title="The keep", ruleset="toy", board=board, tokens=FrozenMap(pieces))


def token(number: int = 0) -> Token:
    return Token(id=f"t-{number}", name=f"Wight {number}", cell=Cell(number % 40, number // 40))


def moved(x: int, token_id: str = "t-0") -> TokenMoved:
    path = (Cell(0, 0), Cell(x, 0))
    return TokenMoved(token_id=token_id, path=path, facing=0, elevation=0)


def record(number: int, parent: int | None = None, events: Sequence[Event] = ()) -> Record:
    """Return the record of this id, below `parent` (by default the one before it)."""
    told = LogEntry(text=f"Step {number}: the wight walks.", about=("t-0",))
    return Record(
        id=number,
        parent=number - 1 if parent is None else parent,
        group=number,
        label=f"Move {number}",
        at="2025-01-31T20:15:07Z",
        command=f'{{"kind":"move_token","token_id":"t-0","to":[{number},0]}}',
        events=tuple(events) or (moved(number), Logged(entry=told)),
        dice=(number % 6 + 1,),
    )


def summoned(number: int, token_number: int = 9) -> Record:
    """Return a record that puts a new token on the board."""
    return record(number, events=(TokensPut(tokens=(token(token_number),)),))


def created(path: Path, records: int = 0) -> Document:
    """Return a new open document with this many records."""
    document = Document.create(path, encounter(), NO_KINDS)
    for number in range(1, records + 1):
        document.append(record(number))
    return document


def opened(path: Path, *, read_only: bool = False) -> Document:
    return Document.open(path, lambda ruleset: NO_KINDS, read_only=read_only)
