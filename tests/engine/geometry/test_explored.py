from math import cos, pi, sin

import numpy as np
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.explored import (
    NOTHING,
    Mask,
    beside_marked,
    marked,
    mask_of_box,
    mask_of_outline,
    mask_of_stroke,
    mask_of_tiles,
    mask_of_vision,
    union,
)
from engine.geometry.vision import visions
from engine.grid.grid import Box
from engine.model.fog import PX_PER_CELL, Fog
from engine.model.light import Ambient
from tests.helpers.scenes import lamp, two_rooms

coordinates = st.integers(-7000, 15000).map(lambda n: n / 1000)
MIDDLES = (np.stack(np.mgrid[-70:140, -70:140], axis=-1).reshape(-1, 2) + 0.5) / PX_PER_CELL


def bits(mask: Mask) -> frozenset[tuple[float, float]]:
    found = MIDDLES[marked(mask.added_to({}), MIDDLES)]
    return frozenset(map(tuple, found.tolist()))


@given(st.lists(st.tuples(st.floats(0.5, 9), st.floats(0, 1)), min_size=3, max_size=12))
def test_a_pixel_belongs_to_a_polygon_if_its_middle_does(spokes: list[tuple[float, float]]) -> None:
    """The oracle is shapely; only middles within a hair of the border may differ."""
    angles = [2 * pi * (n + turn) / len(spokes) for n, (_, turn) in enumerate(spokes)]
    ring = [(5 + r * cos(a), 3 + r * sin(a)) for (r, _), a in zip(spokes, angles, strict=True)]
    polygon = shapely.Polygon(ring)
    if not polygon.is_valid:
        return
    found = marked(mask_of_outline(np.array(ring)).added_to({}), MIDDLES)
    differs = MIDDLES[found != shapely.contains_xy(polygon, MIDDLES)]
    assert (shapely.distance(polygon.exterior, shapely.points(differs)) < 1e-9).all()


def test_walls_on_grid_lines_lie_between_pixels() -> None:
    assert len(bits(mask_of_box(Box(1, 2, 4, 3)))) == 3 * PX_PER_CELL**2


@given(st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=4), st.floats(0.3, 4))
def test_a_stroke_marks_what_is_near_its_line(
    points: list[tuple[float, float]], radius: float
) -> None:
    line = shapely.LineString(points) if len(points) > 1 else shapely.Point(points[0])
    distance = shapely.distance(line, shapely.points(MIDDLES))
    found = marked(mask_of_stroke(points, radius).added_to({}), MIDDLES)
    assert found[distance < radius - 0.002].all()
    assert not found[distance > radius + 1e-6].any()


boxes = st.builds(
    lambda x, y, w, h: mask_of_box(Box(x, y, x + w, y + h)),
    *[st.integers(-8, 9)] * 2,
    *[st.integers(0, 8)] * 2,
)


@given(boxes, boxes)
def test_masks_obey_the_laws_of_sets(a: Mask, b: Mask) -> None:
    assert bits(a | b) == bits(a) | bits(b)
    assert bits(a & b) == bits(a) & bits(b)
    assert bits(a - b) == bits(a) - bits(b)
    assert bits(union([a, NOTHING, b])) == bits(b | a)


@given(boxes, boxes)
def test_only_changed_tiles_are_named(a: Mask, b: Mask) -> None:
    tiles = a.added_to({})
    assert not a.added_to(tiles)
    grown = tiles.put_all(b.added_to(tiles))
    assert bits(mask_of_tiles(grown)) == bits(a) | bits(b)
    shrunk = grown.put_all(b.taken_from(grown))
    assert bits(mask_of_tiles(shrunk)) == bits(a) - bits(b)


def test_tiles_survive_the_file() -> None:
    fog = Fog(explored=mask_of_stroke([(3, 3), (9, 20)], 2).added_to({}))
    assert Fog.model_validate_json(fog.model_dump_json()) == fog


def test_a_point_on_the_border_of_the_marked_is_beside_it() -> None:
    tiles = mask_of_box(Box(0, 0, 5, 5)).added_to({})
    points = np.array([(5, 2), (5.2, 2), (4, 2)], dtype=float)
    assert beside_marked(tiles, points).tolist() == [True, False, True]
    assert beside_marked(tiles, points, every=True).tolist() == [False, False, True]


def test_in_the_dark_only_lit_ground_is_seen() -> None:
    dark = two_rooms(lamp("lamp", 1, 2, 1, 2), ambient=Ambient.DARK)
    vision = visions(dark, [dark.token("ann")])[0]
    seen = marked(mask_of_vision(vision).added_to({}), np.array([(1, 3), (4, 2.5), (7, 2.5)]))
    assert seen.tolist() == [True, False, False]
