"""Array helpers that noding, movement and sight share."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.arrays import distinct


@given(st.lists(st.integers(-5, 5)))
def test_distinct_values_come_sorted_and_once(values: list[int]):
    assert distinct(np.array(values, dtype=np.int64)).tolist() == sorted(set(values))
