"""How people name tokens and cells on the command line."""

from engine.grid.grid import Grid, board_grid
from engine.model.encounter import Encounter
from engine.model.refusal import Rejected, impossible
from engine.model.space import Cell
from engine.model.token import Token


def token_of(encounter: Encounter, text: str) -> Token:
    """Return the token of this id, or the only one of this name."""
    if text in encounter.tokens:
        return encounter.tokens[text]
    named = [
        token for token in encounter.tokens.values() if token.name.casefold() == text.casefold()
    ]
    if len(named) > 1:
        ids = ", ".join(token.id for token in named)
        raise impossible("ambiguous_name", f"{len(named)} tokens are called {text!r}: {ids}.")
    return named[0] if named else encounter.token(text)


def figure_of(encounter: Encounter, text: str) -> tuple[Encounter, Token]:
    """Return a token by id or name, or one of common size put into a cell for the question."""
    try:
        return encounter, token_of(encounter, text)
    except Rejected as error:
        if error.rejection.code != "unknown_token":
            raise
    grid = board_grid(encounter.board.grid)
    try:
        cell = cell_of(grid, text)
    except Rejected as error:
        if error.rejection.code == "off_board":
            raise
        sentence = f"There is no token {text!r}, nor is that a cell like C4 or 2,3."
        raise impossible("unknown_place", sentence) from error
    figure = Token(id=f"at {text}", name=grid.label(cell), cell=cell)
    return encounter.with_token(figure), figure


def cell_of(grid: Grid, text: str) -> Cell:
    """Read a cell from its printed label (C4) or its coordinates (2,3)."""
    x, comma, y = text.partition(",")
    try:
        cell = Cell(int(x), int(y)) if comma else grid.parse_label(text)
    except ValueError as error:
        raise impossible("bad_cell", f"{text!r} is no cell; write C4 or 2,3.") from error
    if not grid.contains(cell):
        raise impossible("off_board", f"{text} lies outside the board.", cell=cell)
    return cell
