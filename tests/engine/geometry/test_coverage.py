"""Exact areas: signed accumulation over squares, convex shapes over any cells, against shapely."""

from math import cos, pi, sin

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.coverage import Convex, coverage_fractions, covered_fractions
from engine.grid.grid import Box, Grid, grid_of
from engine.model.space import GridKind

GRIDS = [grid_of(kind, 12, 12) for kind in GridKind]
BOX = Box(-2, -1, 9, 8)


def by_shapely(region: shapely.Geometry, box: Box) -> np.ndarray:
    xs, ys = np.meshgrid(np.arange(box.left, box.right), np.arange(box.top, box.bottom))
    return shapely.area(shapely.intersection(shapely.box(xs, ys, xs + 1, ys + 1), region))


def star(center: tuple[float, float], radii: list[float]) -> list[tuple[float, float]]:
    turn = 2 * pi / len(radii)
    x, y = center
    return [(x + r * cos(i * turn), y + r * sin(i * turn)) for i, r in enumerate(radii)]


coordinate = st.floats(-4, 11)
radii = st.lists(st.floats(0.01, 9), min_size=3, max_size=12)


@given(st.tuples(coordinate, coordinate), radii)
def test_fractions_of_a_polygon_are_shapelys_to_3e_14(center: tuple[float, float], reach: list):
    ring = star(center, reach)
    expected = by_shapely(shapely.make_valid(shapely.Polygon(ring)), BOX)
    if not shapely.Polygon(ring).is_valid:
        return
    for turned in (ring, ring[::-1]):
        assert abs(coverage_fractions([turned], BOX) - expected).max() <= 3e-14


def test_fractions_to_3e_14_at_radius_60():
    box = Box(0, 0, 124, 124)
    ring = star((61.3, 62.1), [60.0] * 64)
    error = abs(coverage_fractions([ring], box) - by_shapely(shapely.Polygon(ring), box)).max()
    assert error <= 3e-14


def test_holes_are_left_out_whatever_their_direction():
    outer, hole = [(0, 0), (6, 0), (6, 6), (0, 6)], [(1.5, 2), (3, 2), (3, 4.25)]
    expected = by_shapely(shapely.Polygon(outer, [hole]), BOX)
    for one in (outer, outer[::-1]):
        for two in (hole, hole[::-1]):
            assert coverage_fractions([one, two], BOX) == pytest.approx(expected, abs=1e-14)


def test_what_lies_outside_the_box_does_not_matter():
    huge = [(-1e9, -1e9), (1e9, -1e9), (1e9, 1e9), (-1e9, 1e9)]
    assert coverage_fractions([huge], BOX) == pytest.approx(1, abs=1e-12)
    assert (coverage_fractions([[(20, 20), (21, 20), (21, 21)]], BOX) == 0).all()
    assert (coverage_fractions([[(-9, 0), (-8, 0), (-8, 1)]], BOX) == 0).all()


def wedge(angle: float, opening: float, apex: tuple[float, float]) -> np.ndarray:
    first, second = angle - opening, angle + opening
    normals = np.array([(-sin(first), cos(first)), (sin(second), -cos(second))])
    return np.column_stack((normals, normals @ np.array(apex)))


@given(
    st.sampled_from(GRIDS),
    st.tuples(st.floats(-2, 10), st.floats(-2, 10)),
    st.floats(0.2, 8),
    st.floats(0, 2 * pi),
    st.none() | st.floats(0.1, 1.5),
)
def test_fractions_of_sectors_and_circles(
    grid: Grid, apex: tuple[float, float], radius: float, angle: float, opening: float | None
):
    sides = np.zeros((0, 3)) if opening is None else wedge(angle, opening, apex)
    centers = grid.centers(list(grid.cells()))
    found = Convex(sides, (*apex, radius)).fractions(grid, centers)
    half = pi if opening is None else opening
    turns = np.linspace(angle - half, angle + half, 8001)
    ring = np.column_stack((apex[0] + radius * np.cos(turns), apex[1] + radius * np.sin(turns)))
    region = shapely.Polygon(ring[:-1] if opening is None else np.vstack(([apex], ring)))
    expected = covered_fractions(grid, region, centers)
    assert abs(found - expected).max() < 1e-5


@given(st.floats(-3, 8), st.floats(-3, 8), st.floats(0.1, 6), st.floats(0.1, 6))
def test_rectangles_are_exact(x: float, y: float, width: float, height: float):
    # Rounded, for GEOS goes wrong on denormal coordinates.
    x, y = round(x, 6), round(y, 6)
    sides = [(1, 0, x), (-1, 0, -x - width), (0, 1, y), (0, -1, -y - height)]
    region = shapely.box(x, y, x + width, y + height)
    for grid in GRIDS:
        centers = grid.centers(list(grid.cells()))
        found = Convex(np.array(sides, dtype=float)).fractions(grid, centers)
        assert abs(found - covered_fractions(grid, region, centers)).max() < 1e-12


def test_a_circle_about_a_point_just_beside_a_corner():
    # Rounding between the corner and the middle must not count as an angle.
    grid = GRIDS[0]
    found = Convex(np.zeros((0, 3)), (1e-224, 3e-57, 1.0)).fractions(grid, np.array([[0.5, 0.5]]))
    assert found == pytest.approx([pi / 4])


def test_a_circle_smaller_than_its_cell():
    grid = GRIDS[0]
    found = Convex(np.zeros((0, 3)), (3.5, 3.5, 0.25)).fractions(grid, np.array([[3.5, 3.5]]))
    assert found == pytest.approx([pi / 16], abs=1e-15)
