"""Every invariant of an encounter: what must hold whatever happened.

Commands keep these; a file from elsewhere, a trusted copy or a bug may break them. `check` lists
all that is broken and changes nothing.
"""

from collections.abc import Iterator, Mapping

from engine.grid.footprint import token_cells
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.fog import TILE_BYTES
from engine.model.refusal import Rejected
from engine.model.token import Token
from engine.rules.ruleset import Issue, Ruleset


def check(encounter: Encounter, ruleset: Ruleset) -> tuple[Issue, ...]:
    """Return every broken invariant, the ruleset's own included."""
    return (
        *_keys(encounter),
        *_board(encounter, ruleset),
        *_tokens(encounter, ruleset),
        *_pending(encounter),
        *_fog(encounter),
        *ruleset.check(encounter),
    )


def _keys(encounter: Encounter) -> Iterator[Issue]:
    """Everything stands under its own id."""
    board = encounter.board
    tables: Mapping[str, Mapping[str, object]] = {
        "token": encounter.tokens,
        "wall": board.walls,
        "region": board.regions,
        "light": board.lights,
        "area": board.areas,
        "note": board.notes,
    }
    for noun, table in tables.items():
        for key, value in table.items():
            if getattr(value, "id", None) != key:
                yield Issue(where=f"{noun} {key}", sentence="It is kept under another id.")


def _board(encounter: Encounter, ruleset: Ruleset) -> Iterator[Issue]:
    board = encounter.board
    if encounter.ruleset != ruleset.id:
        yield Issue(where="encounter", sentence=f"It is not played by {ruleset.name}.")
    if board.grid.kind not in ruleset.grids:
        yield Issue(
            where="board", sentence=f"{ruleset.name} is not played on a {board.grid.kind} grid."
        )
    for light in board.lights.values():
        if light.carrier is not None and light.carrier not in encounter.tokens:
            yield Issue(where=f"light {light.id}", sentence="Its carrier is not on the map.")
        if light.dim < light.bright:
            yield Issue(where=f"light {light.id}", sentence="It is dim nearer than bright.")
    for region in board.regions.values():
        if not region.rings or any(len(ring) < 3 for ring in region.rings):
            yield Issue(where=f"region {region.id}", sentence="It has less than three corners.")
    for area in board.areas.values():
        if area.follows is not None and area.follows not in encounter.tokens:
            yield Issue(where=f"area {area.id}", sentence="It follows nobody on the map.")


def _tokens(encounter: Encounter, ruleset: Ruleset) -> Iterator[Issue]:
    for token in encounter.tokens.values():
        where = f"token {token.id}"
        if token.sheet is not None and not isinstance(token.sheet, ruleset.sheet_type):
            yield Issue(where=where, sentence=f"Its sheet is not one of {ruleset.name}.")
        yield from _place(encounter, token)


def _place(encounter: Encounter, token: Token) -> Iterator[Issue]:
    grid = board_grid(encounter.board.grid)
    where = f"token {token.id}"
    if token.facing >= grid.facings:
        yield Issue(where=where, sentence=f"It faces {token.facing}; there are {grid.facings}.")
        return
    try:
        cells = token_cells(grid, token)
    except Rejected as error:
        yield Issue(where=where, sentence=str(error))
        return
    if not all(grid.contains(cell) for cell in cells):
        yield Issue(where=where, sentence="It stands outside the board.")


def _pending(encounter: Encounter) -> Iterator[Issue]:
    if encounter.pending and encounter.prompt is None:
        yield Issue(where="pending", sentence="Something is suspended, but nothing is asked.")
    if encounter.prompt is not None and not encounter.pending:
        yield Issue(where="pending", sentence="Something is asked, but nothing waits for it.")


def _fog(encounter: Encounter) -> Iterator[Issue]:
    fog = encounter.fog
    for name, tiles in (
        ("explored", fog.explored),
        ("revealed", fog.revealed),
        ("veiled", fog.veiled),
    ):
        for (x, y), bits in tiles.items():
            if len(bits) != TILE_BYTES:
                yield Issue(where=f"fog {name} {x},{y}", sentence="The tile has another size.")
