"""Array helpers that noding, movement and sight share."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import arrays
from engine.geometry.arrays import TOUCH, Floats, distinct, near_pairs

coordinate = st.integers(-4, 4).map(float) | st.floats(-4, 4) | st.just(1 + TOUCH / 2)
segment = st.tuples(st.tuples(coordinate, coordinate), st.tuples(coordinate, coordinate))
segments = st.lists(segment, max_size=12)

EVERY_WAY = {"each with each": (1 << 17, 1 << 21), "swept": (0, 1 << 21), "hashed": (0, -1)}


@given(st.lists(st.integers(-5, 5)))
def test_distinct_values_come_sorted_and_once(values: list[int]):
    assert distinct(np.array(values, dtype=np.int64)).tolist() == sorted(set(values))


@pytest.mark.parametrize("way", EVERY_WAY)
@given(a=segments, b=segments)
def test_near_pairs_are_those_whose_boxes_touch(way: str, a: list, b: list):
    one, other = (np.array(each, dtype=np.float64).reshape(-1, 2, 2) for each in (a, b))
    with pytest.MonkeyPatch.context() as patched:
        for name, limit in zip(("_FEW", "_SWEPT"), EVERY_WAY[way], strict=True):
            patched.setattr(arrays, name, limit)
        found = [
            pair
            for i, j in near_pairs(one, other)
            for pair in zip(i.tolist(), j.tolist(), strict=True)
        ]
    near = {(i, j) for i in range(len(a)) for j in range(len(b)) if boxes_touch(one[i], other[j])}
    assert len(found) == len(set(found))
    if way != "hashed":
        assert set(found) == near
    # Long slanting segments are hashed by their parts, which leaves out what is far from them.
    assert {(i, j) for i, j in near if meet(one[i], other[j])} <= set(found) <= near


def meet(a: Floats, b: Floats) -> bool:
    return bool(shapely.LineString(a).distance(shapely.LineString(b)) <= TOUCH / 2)


def boxes_touch(a: Floats, b: Floats) -> bool:
    """Tell whether the boxes around two segments touch, one axis after the other."""
    return all(
        min(a[:, axis]) <= max(b[:, axis]) + TOUCH and min(b[:, axis]) <= max(a[:, axis]) + TOUCH
        for axis in (0, 1)
    )
