"""The GM's View: everything as it is."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.geometry.knowledge import party_of
from engine.geometry.memo import changes
from engine.geometry.vision import visions
from engine.model.audience import Audience, Stage, StageMode
from engine.model.encounter import Encounter
from engine.model.names import name_for_players
from engine.model.token import Token
from engine.rules.ruleset import Ruleset
from engine.view.reuse import acting, lamps, step_of, whole_token
from engine.view.values import FogView, Projected, TokenView, View

LOG = logging.getLogger(__name__)


def gm_view(
    encounter: Encounter,
    stage: Stage,
    audience: Audience,
    ruleset: Ruleset,
    before: Projected | None,
) -> View:
    """Return all that there is."""
    board, fog = encounter.board, encounter.fog
    step = step_of(encounter, ruleset)
    return View(
        audience=audience,
        mode=stage.mode,
        title=encounter.title,
        ruleset=encounter.ruleset,
        ruleset_name=ruleset.name,
        fighting=encounter.fighting,
        grid=board.grid,
        picture=board.picture,
        background=board.background,
        ambient=board.ambient,
        tokens=_tokens(encounter, ruleset, before),
        walls=board.walls,
        regions=board.regions,
        lights=lamps(encounter),
        areas=board.areas,
        notes=board.notes,
        fog=FogView(fog.enabled, None, fog.explored, fog.revealed, fog.veiled),
        step=step,
        prompt=encounter.prompt,
        log=encounter.log,
        pings=stage.pings,
        pointer=stage.pointer,
        handout=stage.picture if stage.mode is StageMode.PICTURE else None,
        active=acting(step),
        drag=stage.drag,
        frame=stage.frame,
        grid_visible=stage.grid_visible,
        warnings=tuple(_warnings(encounter)),
    )


def _tokens(
    encounter: Encounter, ruleset: Ruleset, before: Projected | None
) -> Mapping[str, TokenView]:
    """Return the Views of all tokens; those of unchanged tokens are the same objects."""
    spec, names = encounter.board.grid, encounter.fog.names
    if before is None or before.encounter.board.grid is not spec:
        return {i: _token(encounter, token, ruleset) for i, token in encounter.tokens.items()}
    known, old_names = before.encounter.tokens, before.encounter.fog.names
    old = before.view.tokens
    if known is encounter.tokens and names is old_names:
        return old
    changed = changes(known, encounter.tokens) | changes(old_names, names)
    if known.keys() != encounter.tokens.keys():
        return {
            token_id: old[token_id]
            if token_id in old and token_id not in changed
            else _token(encounter, token, ruleset)
            for token_id, token in encounter.tokens.items()
        }
    here = (token_id for token_id in changed if token_id in encounter.tokens)
    fresh = {i: _token(encounter, encounter.tokens[i], ruleset) for i in here}
    return {**old, **fresh}


def _token(encounter: Encounter, token: Token, ruleset: Ruleset) -> TokenView:
    whole = whole_token(token, encounter.board.grid, ruleset)
    name = name_for_players(token, encounter.fog.names)
    given = token.id in encounter.fog.names or name == token.shown_name
    return replace(whole, known_as=name) if given and name != token.name else whole


def _warnings(encounter: Encounter) -> Iterator[str]:
    """Yield what the GM should know about what the players see."""
    if not encounter.fog.enabled:
        return
    party = party_of(encounter.tokens)
    try:
        seen = visions(encounter, party)
        for token, vision in zip(party, seen, strict=True):
            if vision.warning is not None and token.vision.radius != 0:
                yield f"{token.name}: {vision.warning}"
    except Exception:
        LOG.exception("What the party sees could not be computed.")
        yield "What the players see cannot be computed; they see nothing."
