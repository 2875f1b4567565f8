"""Many lines of sight at once see what each would see by itself."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.geometry.segments import WallInput, build_walls
from engine.geometry.sight import visible_fraction
from engine.geometry.sightlines import Sightline, Sightlines
from engine.geometry.silhouette import Volume, silhouettes
from engine.model.space import Point

BENT = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
SHAPES = (((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (3, 0), (3, 3), (0, 3)), BENT)

whole = st.integers(0, 16)
loose = st.floats(0, 16).map(lambda value: round(value, 3))
points = st.tuples(whole, whole) | st.tuples(loose, loose)
heights = st.sampled_from(
    [{}, {}, {"top": 0.6}, {"top": 2.0}, {"base": 0.4}, {"base": 1, "top": 2}]
)
kinds = st.sampled_from([{}, {}, {"one_sided": "left"}, {"one_sided": "right"}, {"once": True}])


@st.composite
def walls(draw: st.DrawFn) -> list[WallInput]:
    drawn = draw(st.lists(st.tuples(points, points, heights, kinds), max_size=25))
    lines = (
        WallInput(str(number), (start, end), **height, **kind)
        for number, (start, end, height, kind) in enumerate(drawn)
    )
    return [line for line in lines if line.points[0] != line.points[1]]


@st.composite
def figures(draw: st.DrawFn) -> Volume:
    (x, y), shape = draw(points), draw(st.sampled_from(SHAPES))
    base, height = draw(st.sampled_from([0.0, 0.0, 1.5])), draw(st.sampled_from([0.5, 1.0, 2.0]))
    return Volume("", tuple((x + dx, y + dy) for dx, dy in shape), base, base + height)


def line(viewer: Volume, target: Volume, **fields: Any) -> Sightline:
    x, y = np.mean(viewer.outline, axis=0)
    eye = float(x), float(y), viewer.base + 0.9 * (viewer.top - viewer.base)
    return Sightline(eye, viewer, target, **fields)


def crossed(start: Point, end: Point, a: Point, b: Point) -> bool:
    """Tell whether a ray crosses a wall between its ends."""
    (dx, dy), (wx, wy) = np.subtract(end, start), np.subtract(b, a)
    turn = dx * wy - dy * wx
    if turn == 0:
        return False
    gap = np.subtract(a, start)
    along, across = (gap[0] * wy - gap[1] * wx) / turn, (gap[0] * dy - gap[1] * dx) / turn
    return bool(0 < along < 1 and 0 <= across <= 1)


@settings(max_examples=60, deadline=None)
@given(walls(), st.lists(st.tuples(figures(), figures()), min_size=1, max_size=8))
def test_together_they_see_what_each_sees_alone(
    drawn: list[WallInput], pairs: list[tuple[Volume, Volume]]
):
    among = build_walls(drawn)
    lines = [line(viewer, target) for viewer, target in pairs]
    alone = [
        visible_fraction(among, each.eye, silhouettes([each.target]), viewer=each.viewer)[0]
        for each in lines
    ]
    # Terrain edges beside the line are no longer reckoned with; shadows are exact to 1 %.
    slack = 0.01 if any(each.once for each in drawn) else 1e-7
    assert Sightlines(among, lines).seen() == pytest.approx(alone, abs=slack)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(points, points), max_size=20).map(
        lambda found: [ends for ends in found if ends[0] != ends[1]]
    ),
    st.lists(st.tuples(figures(), figures()), min_size=1, max_size=6),
)
def test_rays_tell_every_wall_that_they_cross(
    drawn: list[tuple[Point, Point]], pairs: list[tuple[Volume, Volume]]
):
    among = build_walls([WallInput(str(i), ends) for i, ends in enumerate(drawn)])
    lines = [line(viewer, target) for viewer, target in pairs]
    ends = [
        np.array([(*np.mean(each.target.outline, axis=0) + (0.013, 0.007), each.target.base)])
        for each in lines
    ]
    clear, names = Sightlines(among, lines).rays(ends)
    for each, (end,), (free,), told in zip(lines, ends, clear, names, strict=True):
        stopped = {
            among.ids[o]
            for seg, o in zip(among.segs, among.owner, strict=True)
            if crossed(each.eye[:2], end[:2], *seg)
        }
        assert (set(told), bool(free)) == (stopped, not stopped)


def test_a_stretch_that_touches_a_cell_beside_does_not_count_and_the_rest_of_its_wall_does():
    viewer, target = (
        Volume("", SHAPES[0], 0, 1),
        Volume("", ((9, 0), (10, 0), (10, 1), (9, 1)), 0, 1),
    )
    bent = build_walls([WallInput("w", ((1, -5), (1, 5), (4, 5), (4, 0.5), (4, -9)))])
    cell = (SHAPES[0],)
    assert Sightlines(bent, [line(viewer, target)]).seen() == [0]
    assert Sightlines(bent, [line(viewer, target, beside=cell)]).seen() == [0]
    gone = build_walls([WallInput("w", ((1, -5), (1, 5), (4, 5)))])
    assert Sightlines(gone, [line(viewer, target, beside=cell)]).seen() == [1]
    half = build_walls([WallInput("w", ((4, 0.5), (4, -9), (1, -9), (1, 5)))])
    share = Sightlines(half, [line(viewer, target), line(viewer, target, beside=cell)]).seen()
    assert share == pytest.approx([0, 0.5], abs=0.01)


def test_many_more_lines_than_one_pass_takes_stay_in_order():
    wall = build_walls([WallInput("w", ((4, 0), (4, 8)))])
    viewer = Volume("", SHAPES[0], 0, 1)
    spots = [(8 + number % 2 * -6, number % 9) for number in range(700)]
    lines = [
        line(viewer, Volume("", ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)), 0, 1))
        for x, y in spots
    ]
    seen = Sightlines(wall, lines).seen()
    assert [float(each) for each in seen] == [float(x == 2) for x, _ in spots]
