"""Fog by hand: any order of strokes is the algebra of sets, and no walk knows of it."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.commands.fog import (
    ClearFog,
    FogShape,
    HideFog,
    Outline,
    Rectangle,
    RevealFog,
    Stroke,
)
from engine.commands.registry import resolve
from engine.geometry.explored import marked
from engine.geometry.routes import free_rules, reach_of
from engine.model.encounter import Encounter
from engine.model.fog import PX_PER_CELL
from tests.helpers.scenes import two_rooms
from tests.helpers.toy import TOY

BOARD = two_rooms()
MIDDLES = (np.moveaxis(np.mgrid[0:80, 0:48], 0, -1).reshape(-1, 2) + 0.5) / PX_PER_CELL

points = st.tuples(st.floats(-2, 12), st.floats(-2, 8))
shapes = st.one_of(
    st.builds(Stroke, points=st.lists(points, min_size=1, max_size=4), radius=st.floats(0.2, 3)),
    st.builds(Rectangle, start=points, end=points),
    st.builds(Outline, points=st.lists(points, min_size=3, max_size=7)),
)
strokes = st.lists(st.tuples(st.sampled_from((RevealFog, HideFog, ClearFog)), shapes), max_size=6)


Brush = type[RevealFog | HideFog | ClearFog]


def done(encounter: Encounter, stroke: tuple[Brush, FogShape]) -> Encounter:
    kind, area = stroke
    return resolve(kind(area=area), encounter, TOY)[1]


@given(strokes)
def test_c76_any_order_of_strokes_is_the_algebra_of_sets(
    made: list[tuple[Brush, FogShape]],
) -> None:
    """Each pixel stands as the last stroke over it left it; what a stroke covers is its own."""
    mark = np.zeros(len(MIDDLES), dtype=np.int8)
    for kind, area in made:
        covered = marked(done(BOARD, (RevealFog, area)).fog.revealed, MIDDLES)
        mark[covered] = {RevealFog: 1, HideFog: -1, ClearFog: 0}[kind]
    fog = reduce(done, made, BOARD).fog
    assert (marked(fog.revealed, MIDDLES) == (mark == 1)).all()
    assert (marked(fog.veiled, MIDDLES) == (mark == -1)).all()


@pytest.mark.parametrize("kind", [RevealFog, HideFog, ClearFog])
def test_c76_no_walk_reads_the_fog(kind: Brush) -> None:
    """Where a token may go is the walls' affair: ground that players do not know counts too."""
    fogged = done(BOARD, (kind, Rectangle(start=(0, 0), end=(10, 6))))
    free = [
        reach_of(each, each.token("ann"), free_rules(each, each.token("ann")))
        for each in (BOARD, fogged)
    ]
    assert free[0].cells() == free[1].cells()
