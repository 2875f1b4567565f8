"""The players' View: what their tokens see, what they remember, and nothing else."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from engine.geometry.explored import marked
from engine.geometry.knowledge import Gaze, gaze_of, known_tokens, party_of
from engine.geometry.memo import Kept, Memo, changes
from engine.geometry.memory import learn, looks_of_walls
from engine.geometry.outlook import as_ring
from engine.geometry.veil import outlines_outside
from engine.geometry.vision import Vision
from engine.grid.base import Ring
from engine.grid.grid import board_grid
from engine.model.audience import Audience, LiveDrag, Stage, StageMode, VisionMode
from engine.model.encounter import Encounter
from engine.model.fog import Fog, Tiles
from engine.model.light import Light
from engine.model.region import Area, Note, Region
from engine.model.space import Point
from engine.model.token import PARTY, Token
from engine.model.value import FrozenMap
from engine.model.wall import Wall
from engine.rules.ruleset import Ruleset, Step
from engine.view.recall import recalled_walls, uncovered
from engine.view.redaction import (
    Shown,
    log_for_players,
    prompt_for_players,
    step_for_players,
    token_for_players,
)
from engine.view.reuse import acting, lamps, step_of
from engine.view.values import FogView, Projected, TokenView, View

_Regions = FrozenMap[str, Region]

_DARK = FogView(True, (), FrozenMap(), FrozenMap(), FrozenMap())
_LIT = FogView(False, None, FrozenMap(), FrozenMap(), FrozenMap())


def players_view(
    encounter: Encounter,
    stage: Stage,
    audience: Audience,
    ruleset: Ruleset,
    before: Projected | None,
) -> View:
    """Return what the players may see while the stage is live."""
    whole_step = step_of(encounter, ruleset)
    eyes = _eyes(encounter, audience, whole_step)
    gaze = gaze_of(encounter, eyes)
    shown = known_tokens(encounter, gaze)
    step = None if whole_step is None else step_for_players(whole_step, encounter, shown)
    board = encounter.board
    fog = _memory(encounter, eyes, gaze)
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
        tokens=_tokens(encounter, audience, ruleset, before, shown),
        walls=_walls(encounter, fog),
        regions=_regions(encounter, fog),
        lights=_lights(encounter, gaze, shown),
        areas=_areas(encounter, gaze, shown),
        notes=_notes(encounter, gaze),
        fog=_fog(encounter.fog, gaze),
        step=step,
        prompt=prompt_for_players(encounter, shown),
        log=log_for_players(encounter.log),
        pings=tuple(ping for ping in stage.pings if _on_known_ground(encounter, gaze, ping.point)),
        pointer=_pointer(encounter, gaze, stage.pointer),
        active=acting(step),
        drag=_drag(encounter, gaze, stage.drag, shown),
        frame=stage.frame,
        grid_visible=stage.grid_visible,
    )


def nothing_to_see(
    encounter: Encounter, stage: Stage, audience: Audience, ruleset: Ruleset
) -> View:
    """Return the View of a dark window, or of one that shows a picture instead of the map."""
    return View(
        audience=audience,
        mode=stage.mode,
        title=encounter.title,
        ruleset=encounter.ruleset,
        ruleset_name=ruleset.name,
        fighting=False,
        grid=encounter.board.grid,
        picture=None,
        background=encounter.board.background,
        ambient=encounter.board.ambient,
        tokens={},
        walls=FrozenMap(),
        regions=FrozenMap(),
        lights=FrozenMap(),
        areas=FrozenMap(),
        notes=FrozenMap(),
        fog=_DARK,
        step=None,
        prompt=None,
        log=(),
        handout=stage.picture if stage.mode is StageMode.PICTURE else None,
        frame=stage.frame,
        grid_visible=stage.grid_visible,
    )


def _eyes(encounter: Encounter, audience: Audience, step: Step | None) -> Sequence[Token] | None:
    """Return the tokens through whose eyes this audience looks; None for the whole party.

    When none of the party may act, the active token's vision is everybody's.
    """
    if audience.vision is VisionMode.PARTY:
        return None
    if audience.vision is VisionMode.CHOSEN:
        chosen = (encounter.tokens.get(token_id) for token_id in audience.chosen)
        return tuple(token for token in chosen if token is not None and not token.hidden)
    active = set(acting(step))
    return tuple(t for t in party_of(encounter.tokens) if t.id in active) or None


def _memory(encounter: Encounter, eyes: Sequence[Token] | None, gaze: Gaze) -> Fog:
    """Return what is known of the board, by eyes too whose sights are not recorded."""
    fog, board = encounter.fog, encounter.board
    recorded = eyes is None or {token.id for token in eyes} <= {
        token.id for token in party_of(encounter.tokens)
    }
    if not fog.enabled or (recorded and fog.explored):
        return fog
    learned = learn(board, fog, gaze, gaze)
    return fog.changed(
        walls=fog.walls.without(*learned.gone_walls).put_all(learned.walls),
        parts=fog.parts.without(*learned.gone_walls).put_all(learned.parts),
        regions=fog.regions.without(*learned.gone_regions).put_all(learned.regions),
    )


def _tokens(
    encounter: Encounter,
    audience: Audience,
    ruleset: Ruleset,
    before: Projected | None,
    shown: Shown,
) -> Mapping[str, TokenView]:
    """Return the Views of the tokens in sight; those of unchanged tokens are the same objects."""
    old: Mapping[str, TokenView] = {}
    changed: Shown = frozenset()
    if before is not None and before.encounter.board.grid is encounter.board.grid:
        old, known = before.view.tokens, before.encounter
        changed = changes(known.tokens, encounter.tokens)
        changed |= changes(known.fog.names, encounter.fog.names)

    def view_of(token_id: str) -> TokenView:
        return token_for_players(encounter, encounter.tokens[token_id], audience.health, ruleset)

    if old.keys() == shown:
        return {**old, **{i: view_of(i) for i in changed if i in shown}}
    kept = old.keys() - changed
    return {i: old[i] if i in kept else view_of(i) for i in sorted(shown)}


def _walls(encounter: Encounter, fog: Fog) -> FrozenMap[str, Wall]:
    if not fog.enabled:
        return FrozenMap(looks_of_walls(encounter.board, fog))
    return recalled_walls(fog.walls, fog.parts, fog.veiled)


def _regions(encounter: Encounter, fog: Fog) -> FrozenMap[str, Region]:
    real = encounter.board.regions
    known = fog.regions if fog.enabled else real
    secret = [i for i in known if (region := real.get(i)) is not None and region.gm_only]
    return _REGIONS(known.without(*secret) if secret else known)


def _nameless(latest: Kept[_Regions] | None, regions: _Regions) -> _Regions:
    """Return regions without their names, which are the GM's: the players see what is there."""
    old: _Regions = FrozenMap()
    changed: Iterable[str] = regions
    if latest is not None:
        old, changed = latest.result, changes(latest.sources[0], regions)
    gone = [each for each in changed if each not in regions]
    kept = [regions[each] for each in changed if each in regions]
    put = {each.id: each.changed(name="") if each.name else each for each in kept}
    return old.without(*gone).put_all(put) if gone or put else old


def _lights(encounter: Encounter, gaze: Gaze, shown: Shown) -> FrozenMap[str, Light]:
    """Return the burning lamps in sight."""
    tokens = encounter.tokens
    burning = [
        light
        for light in lamps(encounter).values()
        if light.lit and (light.carrier is None or _is_about(tokens.get(light.carrier)))
    ]
    if not burning:
        return FrozenMap()
    seen = gaze.touches(np.array([light.position for light in burning], dtype=np.float64))
    return FrozenMap(
        (light.id, light if light.carrier in shown else _put_down(light))
        for light, is_seen in zip(burning, seen.tolist(), strict=True)
        if is_seen
    )


def _is_about(token: Token | None) -> bool:
    return token is not None and not token.hidden


def _put_down(light: Light) -> Light:
    return light if light.carrier is None else light.changed(carrier=None)


def _areas(encounter: Encounter, gaze: Gaze, shown: Shown) -> FrozenMap[str, Area]:
    """Return the lasting areas in sight, as far as they are."""
    grid = board_grid(encounter.board.grid)
    found = {}
    for area in encounter.board.areas.values():
        if area.gm_only or not area.cells:
            continue
        seen = gaze.sees(grid.centers(area.cells))
        if seen.any():
            found[area.id] = _area(encounter, area, seen.tolist(), shown)
    return FrozenMap(found)


def _area(encounter: Encounter, area: Area, seen: list[bool], shown: Shown) -> Area:
    caster = encounter.tokens.get(area.source_token or "")
    own = caster is None or caster.side == PARTY
    look = {
        "cells": tuple(cell for cell, is_seen in zip(area.cells, seen, strict=True) if is_seen),
        "follows": area.follows if area.follows in shown else None,
        "source_token": area.source_token if area.source_token in shown else None,
        "damage": area.damage if own else "",
        "damage_type": area.damage_type if own else "",
        "rounds_left": area.rounds_left if own else None,
    }
    changed = {name: value for name, value in look.items() if getattr(area, name) != value}
    return area.changed(**changed) if changed else area


def _notes(encounter: Encounter, gaze: Gaze) -> FrozenMap[str, Note]:
    return FrozenMap(
        (note.id, note)
        for note in encounter.board.notes.values()
        if not note.gm_only and _on_known_ground(encounter, gaze, note.position)
    )


def _fog(fog: Fog, gaze: Gaze) -> FogView:
    if not fog.enabled:
        return _LIT
    sight = tuple(vision.rings for vision in gaze.visions if vision.rings)
    if not fog.veiled:
        return FogView(True, sight, fog.explored, fog.revealed, fog.veiled)
    return FogView(
        True,
        tuple(rings for vision in gaze.visions if (rings := _UNVEILED(vision, fog.veiled))),
        uncovered(fog.explored, fog.veiled),
        uncovered(fog.revealed, fog.veiled),
        fog.veiled,
    )


def _on_known_ground(encounter: Encounter, gaze: Gaze, point: Point) -> bool:
    """Tell whether the players see a place or have explored it."""
    here = np.array([point], dtype=np.float64)
    if gaze.sees(here)[0]:
        return True
    fog = encounter.fog
    return bool(marked(fog.explored, here)[0] and not marked(fog.veiled, here)[0])


def _pointer(encounter: Encounter, gaze: Gaze, pointer: Point | None) -> Point | None:
    known = pointer is not None and _on_known_ground(encounter, gaze, pointer)
    return pointer if known else None


def _drag(encounter: Encounter, gaze: Gaze, drag: LiveDrag | None, shown: Shown) -> LiveDrag | None:
    """Return the drag of a token in sight; one that is not theirs only as far as they see it."""
    if drag is None or drag.token_id not in shown:
        return None
    if encounter.tokens[drag.token_id].side == PARTY or not drag.path:
        return drag
    centers = board_grid(encounter.board.grid).centers(drag.path)
    seen = gaze.sees(centers).tolist()
    visible = seen.index(False) if False in seen else len(seen)
    return drag.changed(path=drag.path[:visible]) if visible else None


def _unveiled(_: Kept[tuple[Ring, ...]] | None, vision: Vision, veiled: Tiles) -> tuple[Ring, ...]:
    """Return the rings of what an eye sees without what is veiled."""
    return tuple(as_ring(outline) for outline in outlines_outside(vision.outlines, veiled))


_REGIONS: Memo[_Regions] = Memo(_nameless)
_UNVEILED: Memo[tuple[Ring, ...]] = Memo(_unveiled, size=256)
