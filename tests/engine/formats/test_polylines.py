"""Polylines: clipping, cleaning and joining never move what they keep."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, MultiLineString, box

from engine.formats.polylines import (
    Polyline,
    clip,
    joined,
    segment_count,
    simplified,
    without_doubles,
    without_repeats,
)

BOX = (-1.0, -1.0, 11.0, 11.0)
POINT = st.tuples(st.integers(-5, 15), st.integers(-5, 15)).map(lambda p: (p[0] / 1, p[1] / 1))
LINES = st.lists(POINT, min_size=2, max_size=12).map(without_repeats).filter(lambda r: len(r) > 1)


@given(LINES)
def test_clip_keeps_the_length_inside_and_nothing_else(line: Polyline):
    parts = clip(line, BOX)
    length = sum(LineString(part).length for part in parts)
    inside = sum(
        LineString(pair).intersection(box(*BOX)).length
        for pair in zip(line, line[1:], strict=False)
    )
    assert length == pytest.approx(inside, abs=1e-9)
    assert all(-1 - 1e-9 <= c <= 11 + 1e-9 for part in parts for p in part for c in p)


@given(LINES)
def test_clip_leaves_what_lies_inside_bit_by_bit(line: Polyline):
    large = (-100.0, -100.0, 100.0, 100.0)
    assert clip(line, large) == [line]


def test_clip_splits_a_line_that_leaves_and_comes_back():
    assert clip([(0.0, 0.0), (0.0, 20.0), (5.0, 20.0), (5.0, 0.0)], BOX) == [
        [(0.0, 0.0), (0.0, 11.0)],
        [(5.0, 11.0), (5.0, 0.0)],
    ]


def test_points_of_no_distance_are_one():
    assert without_repeats([(0, 0), (0, 1e-9), (1, 0), (1, 0)]) == [(0, 0), (1, 0)]


def test_line_drawn_twice_or_backwards_is_kept_once():
    line = [(0, 0), (1, 0), (1, 1)]
    assert without_doubles([line, line[::-1], line]) == [line]


def test_single_segments_in_a_row_become_one_line():
    assert joined([[(0, 0), (1, 0)], [(2, 0), (1, 0)], [(2, 0), (2, 1)]]) == [
        [(0, 0), (1, 0), (2, 0), (2, 1)]
    ]


def test_chain_found_in_its_middle_is_followed_both_ways():
    assert joined([[(1, 0), (2, 0)], [(0, 0), (1, 0)], [(2, 0), (3, 0)]]) == [
        [(0, 0), (1, 0), (2, 0), (3, 0)]
    ]


def test_ring_of_single_segments_closes():
    ring = joined([[(0, 0), (1, 0)], [(1, 0), (1, 1)], [(1, 1), (0, 0)]])
    assert ring == [[(0, 0), (1, 0), (1, 1), (0, 0)]]


def test_branches_and_long_lines_are_not_joined():
    star = [[(0, 0), (1, 0)], [(1, 0), (2, 0)], [(1, 0), (1, 1)]]
    assert joined(star) == star
    long = [[(0, 0), (1, 0)], [(1, 0), (2, 0), (3, 0)]]
    assert joined(long) == long


@given(st.lists(st.lists(POINT, min_size=2, max_size=2, unique=True), max_size=12))
def test_joining_keeps_every_segment(lines: list[Polyline]):
    lines = without_doubles(lines)
    together = joined(lines)
    assert segment_count(together) == segment_count(lines)
    before, after = (MultiLineString([[*each] for each in some]) for some in (lines, together))
    assert before.length == pytest.approx(after.length)
    assert before.symmetric_difference(after).length == pytest.approx(0)


def test_only_dense_lines_are_simplified_within_the_tolerance():
    short = [(n / 10, (n % 2) / 1000) for n in range(50)]
    dense = [(n / 10, (n % 2) / 1000) for n in range(51)]
    assert simplified(short, 0.02) is short
    assert simplified(dense, 0) is dense
    assert len(simplified(dense, 0.02)) == 2
    assert LineString(simplified(dense, 0.02)).hausdorff_distance(LineString(dense)) <= 0.02
