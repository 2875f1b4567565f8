"""Every invariant of an encounter: what must hold whatever happened.

Commands keep these; a file from elsewhere, a trusted copy or a bug may break them. `check` lists
all that is broken and changes nothing; the session lets no command through that breaks one.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.geometry.boards import wall_set
from engine.geometry.memo import changes
from engine.geometry.segments import CROWDED
from engine.grid.footprint import token_cells
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.fog import TILE_BYTES
from engine.model.pending import PromptKind
from engine.model.refusal import Rejected
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.rules import dice
from engine.rules.ruleset import Issue, Ruleset

_FOUGHT = ("tokens", "options", "corrections", "rules", "pending", "prompt", "fighting")
"""The parts of an encounter that a ruleset's own invariants are about."""


def check(encounter: Encounter, ruleset: Ruleset) -> tuple[Issue, ...]:
    """Return every broken invariant, the ruleset's own included."""
    return (
        *_keys(_tables(encounter)),
        *_board(encounter, ruleset),
        *_walls(encounter),
        *_tokens(encounter, ruleset, encounter.tokens.values()),
        *_pending(encounter),
        *_fog(encounter),
        *ruleset.check(encounter),
    )


def broken_by(before: Encounter, after: Encounter, ruleset: Ruleset) -> tuple[Issue, ...]:
    """Return the invariants that hold before a step and not after it.

    Only what the step has changed is looked at, so this costs little.
    """
    replaced = _replaced(before, after)
    regrounded = before.board.grid != after.board.grid
    altered = (after.tokens if regrounded else replaced["token"]).values()
    found = [
        *_keys(replaced),
        *_board(after, ruleset),
        *_tokens(after, ruleset, altered),
        *_pending(after),
    ]
    if after.board.walls is not before.board.walls:
        found += _walls(after)
    if after.fog is not before.fog:
        found += _fog(after)
    if any(getattr(before, name) is not getattr(after, name) for name in _FOUGHT):
        # What a ruleset keeps may name tokens that have left the map, so these few suffice.
        few = FrozenMap({token.id: token for token in altered})
        found += ruleset.check(after.changed(tokens=few))
    if not found:
        return ()
    faults = frozenset(check(before, ruleset))
    return tuple(issue for issue in found if issue not in faults)


def _replaced(before: Encounter, after: Encounter) -> dict[str, dict[str, Any]]:
    """Return what a step has put into each table, in the order of its keys."""
    known = _tables(before)
    return {
        noun: {key: table[key] for key in sorted(changes(known[noun], table)) if key in table}
        for noun, table in _tables(after).items()
    }


def _tables(encounter: Encounter) -> dict[str, FrozenMap[str, Any]]:
    board = encounter.board
    return {
        "token": encounter.tokens,
        "wall": board.walls,
        "region": board.regions,
        "light": board.lights,
        "area": board.areas,
        "note": board.notes,
    }


def _keys(tables: Mapping[str, Mapping[str, object]]) -> Iterator[Issue]:
    """Everything stands under its own id."""
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
    if board.picture is not None and board.picture.is_flat:
        yield Issue(where="picture", sentence="It has no width or no height.")
    yield from _things(encounter)


def _walls(encounter: Encounter) -> Iterator[Issue]:
    """Look for more crossings than geometry can take in; it would leave walls out."""
    if any(issue.problem == CROWDED for issue in wall_set(encounter.board).issues):
        yield Issue(where="board", sentence="Too many walls lie across or upon one another.")


def _things(encounter: Encounter) -> Iterator[Issue]:
    """Look for things without a shape, and for those that hang on tokens that are gone."""
    board = encounter.board
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
        if area.damage and not _is_roll(area.damage):
            yield Issue(where=f"area {area.id}", sentence=f"{area.damage!r} is no damage.")


def _is_roll(text: str) -> bool:
    try:
        dice.Roll.parse(text)
    except dice.DiceError:
        return False
    return True


def _tokens(encounter: Encounter, ruleset: Ruleset, tokens: Iterable[Token]) -> Iterator[Issue]:
    for token in tokens:
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
    prompt = encounter.prompt
    asked = prompt.token_id if prompt is not None else None
    if asked is not None and asked not in encounter.tokens:
        yield Issue(where="pending", sentence="Somebody is asked who is not on the map.")
    if prompt is not None and prompt.prompt is PromptKind.ROLL and prompt.roll is None:
        yield Issue(where="pending", sentence="A roll is asked for, but not of which dice.")
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
    for wall_id in sorted(fog.walls.keys() ^ fog.parts.keys()):
        sentence = "A wall is remembered without its parts, or parts without their wall."
        yield Issue(where=f"fog wall {wall_id}", sentence=sentence)
