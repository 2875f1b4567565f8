"""Where a token may stand: on the board with all its cells, and where the nearest such place is.

What a command asks before it puts a token somewhere, and what becomes of the tokens when the board
under them changes. Walls and rules are not looked at here.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from math import isqrt

from engine.grid.footprint import Footprint, block_name, footprint_named
from engine.grid.grid import Grid, board_grid
from engine.model.board import GridSpec
from engine.model.encounter import Encounter
from engine.model.refusal import Rejected, impossible
from engine.model.space import Cell, Facing, GridKind
from engine.model.token import Token
from engine.rules.ruleset import Ruleset


def require_place(encounter: Encounter, token: Token, cell: Cell) -> None:
    """Raise Rejected unless the token can face as it does and its whole footprint has cells."""
    grid = board_grid(encounter.board.grid)
    require_facing(grid, token.facing, token.id)
    if not _fits(grid, footprint_named(grid.kind, token.footprint), token.facing, cell):
        raise impossible(
            "off_board",
            f"{token.name} cannot stand at {grid.label(cell)}: that is outside the board.",
            cell=cell,
            token_id=token.id or None,
        )


def require_facing(grid: Grid, facing: Facing | None, token_id: str) -> None:
    """Raise Rejected for a facing that the grid does not have."""
    if facing is not None and facing >= grid.facings:
        sentence = f"There is no facing {facing} here, only 0 to {grid.facings - 1}."
        raise impossible("bad_facing", sentence, token_id=token_id or None)


def require_cells(grid: Grid, cells: Iterable[Cell], token_id: str) -> None:
    """Raise Rejected unless all cells lie on the board."""
    for cell in cells:
        if not grid.contains(cell):
            sentence = f"{grid.label(cell)} lies outside the board."
            raise impossible("off_board", sentence, cell=cell, token_id=token_id)


def fit(encounter: Encounter, ruleset: Ruleset, token: Token) -> Token:
    """Return a token with the footprint that its sheet gives it, if it is to follow the sheet.

    All commands that put a sheet on a token ask here.
    """
    name = _own_footprint(encounter, ruleset, token)
    return token if name in (None, token.footprint) else token.changed(footprint=name)


def _own_footprint(encounter: Encounter, ruleset: Ruleset, token: Token) -> str | None:
    """Return the footprint that a token's sheet gives it, None where it follows no sheet."""
    if not token.fitted or token.sheet is None:
        return None
    return ruleset.footprint(encounter, token.sheet)


def regrown(before: Encounter, after: Encounter, ruleset: Ruleset) -> tuple[Token, ...]:
    """Return the tokens to which another sheet or other rules give another footprint, with it.

    Whoever stands otherwise for any other reason is left alone: a wound moves nobody.
    """
    made = []
    for token in after.tokens.values():
        was = before.tokens.get(token.id, token)
        if _own_footprint(before, ruleset, was) != _own_footprint(after, ruleset, token):
            made.append(grown(after, ruleset, token))
    return tuple(token for token in made if token is not None)


def grown(encounter: Encounter, ruleset: Ruleset, token: Token) -> Token | None:
    """Return a token on the map as its sheet makes it now; None if that changes nothing.

    Who grows at the edge moves onto the board; who is too large for the board stays as it is.
    """
    after = fit(encounter, ruleset, token)
    if after is token:
        return None
    grid = board_grid(encounter.board.grid)
    return after if _stands(grid, after) else nearest_place(grid, after)


class FreePlaces:
    """The places that are free on a grid; whoever takes one holds it."""

    def __init__(self, grid: Grid, tokens: Iterable[Token]) -> None:
        self._grid = grid
        self._held = {cell for token in tokens for cell in _cells(grid, token)}
        # Free ground only dwindles, so a search goes on where the last one of its kind ended.
        self._searches: dict[tuple[Footprint, Facing, Cell], Iterator[Cell]] = {}

    def take(self, token: Token) -> Token | None:
        """Return the token at the free place nearest to its cell; None if there is none."""
        shape = footprint_named(self._grid.kind, token.footprint)
        key = (shape, token.facing, _onto(self._grid, token.cell))
        search = self._searches.setdefault(key, _around(self._grid, shape, key[1], key[2]))
        for cell in search:
            cells = shape.cells_at(self._grid, cell, token.facing)
            if self._held.isdisjoint(cells):
                self._held.update(cells)
                return token.changed(cell=cell)
        return None


def nearest_place(grid: Grid, token: Token) -> Token | None:
    """Return the token at the place on the board nearest to its cell, whoever stands there.

    None if the board is too small for it.
    """
    shape = footprint_named(grid.kind, token.footprint)
    around = _around(grid, shape, token.facing, _onto(grid, token.cell))
    cell = next(around, None)
    return None if cell is None else token.changed(cell=cell)


def resettled(encounter: Encounter, ruleset: Ruleset, spec: GridSpec) -> tuple[Token, ...]:
    """Return the tokens that another grid alters, as they stand on it.

    Those whose cells it has keep them; the others go to the nearest free place. Facings turn, and
    footprints follow the sheet or change as far as the grid has others. Raise Rejected for a token
    that does not fit.
    """
    grid, old = board_grid(spec), board_grid(encounter.board.grid)
    there = encounter.changed(board=encounter.board.changed(grid=spec))
    fitted = [
        fit(there, ruleset, _translated(token, old, grid)) for token in encounter.tokens.values()
    ]
    staying = [token for token in fitted if _stands(grid, token)]
    free = FreePlaces(grid, staying)
    settled = {token.id: token for token in staying}
    for token in fitted:
        if token.id not in settled:
            found = free.take(token) or nearest_place(grid, token)
            if found is None:
                size = f"{spec.columns} x {spec.rows}"
                sentence = f"{token.name} is too large for a board of {size} cells."
                raise impossible("does_not_fit", sentence, token_id=token.id)
            settled[token.id] = found
    return tuple(
        settled[token.id] for token in encounter.tokens.values() if settled[token.id] != token
    )


def _translated(token: Token, old: Grid, new: Grid) -> Token:
    """Return a token with a facing and a footprint that the new grid knows."""
    facing = round(token.facing * new.facings / old.facings) % new.facings
    footprint = _footprint_on(new.kind, token.footprint, old.kind)
    if (facing, footprint) == (token.facing, token.footprint):
        return token
    return token.changed(facing=facing, footprint=footprint)


def _footprint_on(kind: GridKind, name: str, old: GridKind) -> str:
    """Return the name itself if the grid knows it, else that of a block of about the same size."""
    try:
        return footprint_named(kind, name).name
    except Rejected:
        return block_name(kind, isqrt(footprint_named(old, name).size - 1) + 1)


def _cells(grid: Grid, token: Token) -> tuple[Cell, ...]:
    return footprint_named(grid.kind, token.footprint).cells_at(grid, token.cell, token.facing)


def _stands(grid: Grid, token: Token) -> bool:
    return all(grid.contains(cell) for cell in _cells(grid, token))


def _fits(grid: Grid, shape: Footprint, facing: Facing, cell: Cell) -> bool:
    return all(grid.contains(each) for each in shape.cells_at(grid, cell, facing))


def _onto(grid: Grid, cell: Cell) -> Cell:
    """Return the cell itself, or the one of the board's edge beside it."""
    column, row = grid.offset(cell)
    column = min(max(column, 0), grid.columns - 1)
    return grid.from_offset(column, min(max(row, 0), grid.rows - 1))


def _around(grid: Grid, shape: Footprint, facing: Facing, start: Cell) -> Iterator[Cell]:
    """Yield the cells on which a figure lies wholly on the board, the nearest to `start` first."""
    seen = {start}
    waiting = deque(seen)
    while waiting:
        cell = waiting.popleft()
        if _fits(grid, shape, facing, cell):
            yield cell
        for near in grid.neighbours(cell):
            if near.cell not in seen and grid.contains(near.cell):
                seen.add(near.cell)
                waiting.append(near.cell)
