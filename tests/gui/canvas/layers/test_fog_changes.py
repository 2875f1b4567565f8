"""The rectangles between two fogs hold every difference, and hardly more."""

from dataclasses import replace

import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model.value import FrozenMap
from gui.canvas.layers.fog_changes import fog_change
from gui.canvas.space import scene_to_box
from tests.gui.canvas.layers.test_fog_mask import FULL_TILE, SPIKES, a_fog, star
from tests.helpers.views import NO_FOG, box_sight


def test_the_same_fog_has_no_difference():
    fog = box_sight(0, 0, 2, 2)
    assert fog_change(fog, fog).rects == []
    assert fog_change(fog, replace(fog)).rects == []


def test_switched_on_everything_differs():
    assert fog_change(NO_FOG, box_sight(0, 0, 2, 2)).rects is None
    assert fog_change(None, NO_FOG).rects is None


def test_a_changed_tile_is_the_difference():
    old, new = a_fog(), a_fog(explored=FrozenMap({(2, 1): FULL_TILE}))
    (rect,) = fog_change(old, new).rects or []
    box = scene_to_box(rect)
    assert (box.left, box.right) == (16 - 0.6, 24 + 0.6)


@settings(max_examples=40)
@given(SPIKES, SPIKES)
def test_every_difference_of_sight_lies_in_the_rectangle(before: list[float], after: list[float]):
    old, new = a_fog(star(before)), a_fog(star(after))
    rects = fog_change(old, new).rects or []
    a, b = (shapely.make_valid(shapely.Polygon(star(each))) for each in (before, after))
    held = shapely.union_all([shapely.box(*scene_to_box(rect)) for rect in rects])
    assert a.symmetric_difference(b).difference(held).area < 1e-9


@given(st.integers(0, 3))
def test_an_eye_that_comes_differs_where_it_sees(index: int):
    eyes = [star([1, 1, 1, 1, 1], (10.0 * i, 0.0)) for i in range(4)]
    without = a_fog(*(eye for i, eye in enumerate(eyes) if i != index))
    with_it = replace(without, sight=(*(without.sight or ()), (eyes[index],)))
    (rect,) = fog_change(without, with_it).rects or []
    box = scene_to_box(rect)
    assert box.left < 10 * index < box.right
    assert box.right - box.left < 4
