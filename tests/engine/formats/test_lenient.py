"""Single values of other tools' files."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.formats.lenient import argb, flag, number, point

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["x", "y", "a"]), inner)
    ),
)


@given(ANYTHING)
def test_nothing_raises_and_results_are_sound(value: Any):
    assert number(value) is None or abs(number(value)) <= 1e7
    assert point(value) is None or len(point(value)) == 2
    assert flag(value, default=True) in (True, False)
    assert len(argb(value)) == 7


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1, 1.0), ("12.5", 12.5), (" 3 ", 3.0), ([7], 7.0), ([[7]], 7.0), (True, None), ("x", None),
     (None, None), ("nan", None), ("inf", None), (10**4000, None), ("1" * 5000, None),
     ([1, 2], None)],
)  # fmt: skip
def test_number(value: Any, expected: Any):
    assert number(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, True), (False, False), ([True], True), ([False], False), ("false", False),
     ("False", False), ("true", True), (0, False), (1, True), (None, True),
     ([], True), ({}, True), ("maybe", True)],
)  # fmt: skip
def test_flag_that_is_true_by_default(value: Any, expected: Any):
    assert flag(value, default=True) is expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("ffeccd8b", "#eccd8b"), ("FFECCD8B", "#eccd8b"), ("#80eccd8b", "#eccd8b"),
     ("eccd8b", "#eccd8b"), ("#abc", "#aabbcc"), ("8abc", "#aabbcc"), (0xFFECCD8B, "#eccd8b"),
     (None, "#ffffff"), ("eccd8b1", "#ffffff"), ("red", "#ffffff"), (-1, "#ffffff"),
     (2**40, "#ffffff"), (True, "#ffffff")],
)  # fmt: skip
def test_colours_have_alpha_first(value: Any, expected: Any):
    assert argb(value) == expected
