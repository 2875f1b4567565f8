"""Commands at random, as JSON that a script or a stranger might hand in: sound, odd and absurd."""

from typing import Any

from hypothesis import strategies as st

from engine.rules.ruleset import TargetKind

Data = dict[str, Any]

TOKENS = st.sampled_from(["hero", "hero", "orc", "orc", "ogre", "token-4", "nobody"])
CELLS = st.tuples(st.integers(0, 7), st.integers(0, 5)) | st.tuples(
    st.integers(-1, 8), st.integers(-1, 6)
)
POINTS = st.tuples(st.integers(-2, 9) | st.floats(-2, 9), st.integers(-2, 7))
FACINGS = st.integers(0, 12)
NAMES = st.sampled_from(["Orc", "", "Ünï", "x" * 500, "a\nb"])
ALL_SIDES = ["party", "foes", "neutral", "third"]
SIDES = st.sampled_from(ALL_SIDES)
FOOTPRINTS = st.sampled_from(
    ["1", "2", "3", "7", "4", "7L", "round-3", "side/anchor:0,0 -1,0 -2,0"]
)
HEIGHTS = st.sampled_from([0, -3, 1.5, 10, 1e9])
GRIDS = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["square", "square", "hex-pointy", "hex-flat"]),
        "columns": st.integers(1, 9),
        "rows": st.integers(1, 7),
    }
)
LIGHTS = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["l", "m"]),
        "position": POINTS,
        "bright": st.integers(0, 3),
        "dim": st.integers(0, 6),
        "carrier": st.none() | TOKENS,
    }
)
WALLS = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["w", "d"]),
        "points": st.lists(POINTS, min_size=1, max_size=3),
        "door": st.sampled_from([None, "open", "closed", "locked"]),
    }
)
REGIONS = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["r", "s"]),
        "rings": st.lists(st.lists(POINTS, min_size=2, max_size=5), min_size=1, max_size=2),
        "step_cost": st.none() | st.integers(1, 4),
        "impassable": st.booleans(),
        "ground": st.none() | st.integers(-2, 2),
        "obscuration": st.sampled_from(["none", "light", "total"]),
    }
)
SHAPES = st.fixed_dictionaries(
    {
        "shape": st.sampled_from(["circle", "cone", "line", "burst", "wall"]),
        "origin": POINTS,
        "size": st.integers(0, 4),
        "end": st.none() | POINTS,
    }
)
AREAS = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["a", "b"]),
        "shape": SHAPES,
        "cells": st.lists(CELLS, max_size=3),
        "follows": st.none() | TOKENS,
    }
)
FOG_SHAPES = st.one_of(
    st.fixed_dictionaries({"shape": st.just("room"), "point": POINTS}),
    st.fixed_dictionaries({"shape": st.just("rectangle"), "start": POINTS, "end": POINTS}),
    st.fixed_dictionaries({"shape": st.just("stroke"), "points": st.lists(POINTS, max_size=3)}),
)
NEW_TOKENS = st.fixed_dictionaries(
    {
        "id": st.just("") | TOKENS,
        "name": NAMES,
        "side": SIDES,
        "cell": CELLS,
        "facing": FACINGS,
        "footprint": FOOTPRINTS,
    }
)
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "name": NAMES,
        "side": SIDES,
        "facing": FACINGS,
        "footprint": FOOTPRINTS,
        "elevation": HEIGHTS,
        "hidden": st.booleans(),
        "vision": st.just({"radius": 3, "darkvision": 1}),
        "cell": CELLS,
    },
)


def a(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Data]:
    """Return commands of one kind with random fields."""
    return st.fixed_dictionaries({"kind": st.just(kind), **fields})


def several(each: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(each, min_size=1, max_size=2)


TABLE = st.one_of(
    a("import_map", board=st.fixed_dictionaries({"grid": GRIDS})),
    a("fit_grid", grid=GRIDS),
    a("put_walls", walls=several(WALLS)),
    a("remove_walls", wall_ids=st.sampled_from([["w"], ["d"], []])),
    a("open_door", wall_id=st.just("d"), token_id=st.none() | TOKENS),
    a("lock_door", wall_id=st.just("d")),
    a("put_regions", regions=several(REGIONS)),
    a("put_lights", lights=several(LIGHTS)),
    a("put_areas", areas=several(AREAS)),
    a("remove_areas", area_ids=st.just(["a"])),
    a("reveal_fog", area=FOG_SHAPES),
    a("hide_fog", area=FOG_SHAPES),
)
PIECES = st.one_of(
    a("add_tokens", tokens=several(NEW_TOKENS), preset=st.none()),
    a("move_token", token_id=TOKENS, path=st.lists(CELLS, max_size=3), facing=st.none() | FACINGS),
    a("move_token", token_id=TOKENS, elevation=HEIGHTS),
    a("place_token", token_id=TOKENS, cell=CELLS),
    a("edit_tokens", token_ids=several(TOKENS), changes=CHANGES),
    a("duplicate_tokens", token_ids=several(TOKENS)),
    a("remove_tokens", token_ids=several(TOKENS)),
    a("set_sheet", token_id=TOKENS, fields=st.just({})),
    a(
        "set_value",
        token_id=TOKENS,
        field=st.sampled_from(["hp", "kind"]),
        value=st.integers(-5, 9),
    ),
)
COURSE = st.one_of(
    a("begin_fight"),
    a("end_fight"),
    a("end_phase"),
    a("change_settings", real_dice=st.sampled_from([[], ["party"], ALL_SIDES, ALL_SIDES])),
    a("switch_fog", enabled=st.booleans()),
)
ANSWERS = st.one_of(
    a("roll"),
    a("roll", faces=st.lists(st.integers(0, 11), max_size=3)),
    a("roll", total=st.integers(-1, 40)),
    a("answer_prompt", choice=st.sampled_from(["none", "dodge", "let", "interrupt", "fly"])),
    a("overrule_result", outcome=st.integers(-5, 50) | st.just("dodge")),
)


def target(kind: TargetKind) -> st.SearchStrategy[Data]:
    """Return the fields that complete an offered plan: who, where, over which cells."""
    if kind is TargetKind.TOKEN:
        return st.fixed_dictionaries({"target_id": TOKENS})
    if kind is TargetKind.WALL:
        return st.just({"target_id": "d"})
    if kind is TargetKind.AREA:
        return st.fixed_dictionaries({"shape": SHAPES})
    if kind in (TargetKind.CELL, TargetKind.PATH):
        return st.fixed_dictionaries(
            {"path": st.lists(CELLS, min_size=1, max_size=2)}, optional={"facing": FACINGS}
        )
    return st.just({})
