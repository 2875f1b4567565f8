"""What both audiences' Views are made with, and what lets them keep their parts."""

from dataclasses import fields
from typing import Any

from engine.geometry.memo import Kept, Memo
from engine.geometry.vision import lamp_position
from engine.grid.footprint import footprint_named
from engine.grid.grid import board_grid
from engine.model.board import GridSpec
from engine.model.encounter import Encounter
from engine.model.light import Light
from engine.model.names import mark_of
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.rules.ruleset import Ruleset, Step
from engine.view.values import TokenView, View


def reusing(old: View | None, new: View) -> View:
    """Return the new View with the old one's parts wherever they are equal."""
    if old is None:
        return new
    parts = {name: _same_or(getattr(old, name), getattr(new, name)) for name in _PARTS}
    if all(part is getattr(old, name) for name, part in parts.items()):
        return old
    return View(**parts)


def step_of(encounter: Encounter, ruleset: Ruleset) -> Step | None:
    """Return where the fight stands, None outside of one; remembered for the next audience."""
    return _STEPS(encounter, ruleset)


def acting(step: Step | None) -> tuple[str, ...]:
    """Return the tokens that may act."""
    return tuple(each.token_id for each in step.entries if each.may_act) if step else ()


def whole_token(token: Token, spec: GridSpec, ruleset: Ruleset) -> TokenView:
    """Return a token with all that is to know of it; remembered."""
    return _TOKENS(token, spec, ruleset)


def lamps(encounter: Encounter) -> FrozenMap[str, Light]:
    """Return the lights of the board, those that are carried where their carriers are."""
    board = encounter.board
    carried = {
        light.id: light.changed(position=lamp_position(encounter.tokens, board, light))
        for light in board.lights.values()
        if light.carrier in encounter.tokens
    }
    return board.lights.put_all(carried)


def _same_or(old: Any, new: Any) -> Any:
    return old if old is new or old == new else new


def _step(_: Kept[Step | None] | None, encounter: Encounter, ruleset: Ruleset) -> Step | None:
    return ruleset.step(encounter) if encounter.fighting else None


def _token(_: Kept[TokenView] | None, token: Token, spec: GridSpec, ruleset: Ruleset) -> TokenView:
    grid = board_grid(spec)
    footprint = footprint_named(grid.kind, token.footprint)
    cells = footprint.cells_at(grid, token.cell, token.facing)
    return TokenView(
        id=token.id,
        name=token.name,
        label=token.label or mark_of(token.name),
        side=token.side,
        cell=token.cell,
        cells=cells,
        center=footprint.center_at(grid, token.cell, token.facing),
        rings=grid.rings(cells),
        facing=token.facing,
        elevation=token.elevation,
        height=token.height,
        footprint=token.footprint,
        card=ruleset.card(token.sheet) if token.sheet is not None else None,
        hidden=token.hidden,
        portrait=token.portrait,
        group=token.group,
        gm_note=token.gm_note,
    )


_PARTS = tuple(field.name for field in fields(View))
_STEPS: Memo[Step | None] = Memo(_step)
_TOKENS: Memo[TokenView] = Memo(_token, size=4096)
