"""Visibility polygons and lines of sight, against shapely, a sweep and rays through a tree."""

from functools import cache, partial

import numpy as np
import shapely

from engine.geometry.segments import WallInput, build_walls
from engine.geometry.sight import best_corner, visible_fraction
from engine.geometry.silhouette import Silhouettes, Volume, silhouettes
from engine.geometry.visibility import Visibility, visibility_polygon, visibility_polygons
from engine.grid.grid import Box
from engine.model.space import Point
from tests.bench import baselines
from tests.bench.maps import BenchMap, dungeon, field
from tests.bench.rows import BenchRow
from tests.helpers import degenerate, sight_oracle

MAPS = {
    "dungeon, ~1,000": partial(dungeon, 1_060),
    "open field, ~1,000": partial(field, 920),
    "dungeon, ~10,000": partial(dungeon, 10_400),
    "open field, ~10,000": partial(field, 9_100),
    "~900 in range": partial(field, 9_100, density=0.26),
}


@cache
def the_map(name: str) -> BenchMap:
    """Return a map and the same each time."""
    return MAPS[name]()


@cache
def typical_eye(name: str) -> Point:
    """Return the eye whose polygon has the median number of corners."""
    where = the_map(name)
    seen = visibility_polygons(where.walls, where.eyes[:15], bounds=where.bounds)
    return sorted(seen, key=lambda each: len(each.ring))[7].eye


def rows() -> list[BenchRow]:
    """Give the rows of this module."""
    return [
        *_polygon_rows("dungeon, ~1,000", shadows=40, sweep=3, target_ms=1.5),
        *_polygon_rows("open field, ~1,000", shadows=40, sweep=3, target_ms=2.5),
        *_polygon_rows("dungeon, ~10,000", shadows=100, sweep=None, target_ms=2),
        *_polygon_rows("open field, ~10,000", shadows=100, sweep=None, target_ms=9),
        _row_in_range(),
        _row_door("dungeon, ~1,000", 2.5),
        _row_door("open field, ~1,000", 2.5),
        _row_door("dungeon, ~10,000", 9),
        _row_door("open field, ~10,000", 9),
        _row_party("dungeon, ~1,000", 4),
        _row_party("open field, ~1,000", 4),
        _row_party("dungeon, ~10,000", 12),
        _row_party("open field, ~10,000", 12),
        _row_exactness(),
        *_rows_line_of_sight(),
    ]


def _polygon_rows(
    name: str, *, shadows: float, sweep: float | None, target_ms: float
) -> list[BenchRow]:
    where, eye = the_map(name), typical_eye(name)
    segs = where.walls.segs[~where.walls.open[where.walls.owner]]
    run = partial(visibility_polygon, where.walls, eye, bounds=where.bounds)
    job = f"visibility, {name} walls, no radius"
    found = [
        BenchRow(
            job=job,
            run=run,
            baseline=partial(baselines.shadow_polygon, segs, eye, where.bounds),
            ratio_target=shadows,
            target_ms=target_ms,
            note="baseline: the board less the shadows, in shapely",
        )
    ]
    if sweep is not None:
        ends = [((a[0], a[1]), (b[0], b[1])) for a, b in segs.tolist()]
        found.append(
            BenchRow(
                job=job,
                run=run,
                baseline=partial(baselines.swept_polygon, ends, eye, where.bounds),
                ratio_target=sweep,
                target_ms=target_ms,
                note="baseline: an angular sweep in plain Python",
            )
        )
    return found


def _row_in_range() -> BenchRow:
    name = "~900 in range"
    where, eye = the_map(name), typical_eye(name)
    return BenchRow(
        job="visibility, ~900 walls in range, r = 30",
        run=partial(visibility_polygon, where.walls, eye, bounds=where.bounds, radius=30),
        baseline=partial(baselines.shadow_polygon, where.walls.segs, eye, where.bounds, 30),
        ratio_target=25,
        target_ms=2.5,
        note="baseline: the circle less the shadows, in shapely",
    )


def _row_door(name: str, target_ms: float) -> BenchRow:
    where, eye = the_map(name), typical_eye(name)
    middles = {
        door: where.walls.segs[where.walls.owner == number].mean(axis=(0, 1))
        for number, door in enumerate(where.walls.ids)
        if door in set(where.doors)
    }
    nearest = min(middles, key=lambda door: float(np.hypot(*(middles[door] - eye))))
    state = where.walls

    def toggle() -> Visibility:
        nonlocal state
        state = state.toggled(nearest)
        return visibility_polygon(state, eye, bounds=where.bounds)

    return BenchRow(
        job=f"door toggle + new polygon, {name} walls",
        run=toggle,
        baseline=partial(visibility_polygon, where.walls, eye, bounds=where.bounds),
        ratio_target=1 / 1.5,
        target_ms=target_ms,
        note="baseline: the plain query, at most 1.5 times faster",
    )


def _row_party(name: str, target_ms: float) -> BenchRow:
    where = the_map(name)
    eyes, radii = where.eyes[:12], [30.0] * 12

    def one_by_one() -> None:
        for eye in eyes:
            visibility_polygon(where.walls, eye, bounds=where.bounds, radius=30)

    return BenchRow(
        job=f"12 tokens, r = 30, {name} walls",
        run=partial(visibility_polygons, where.walls, eyes, bounds=where.bounds, radii=radii),
        baseline=one_by_one,
        ratio_target=1 / 0.45,
        target_ms=target_ms,
        note="baseline: twelve single calls; at most 0.45 of them",
    )


def _row_exactness() -> BenchRow:
    return BenchRow(
        job="exactness: 300 degenerate cases, area within 1e-9, no leak",
        run=check_exactness,
        baseline=None,
        ratio_target=None,
        target_ms=None,
        note="the other 2,700 are in the tests",
    )


def check_exactness() -> None:
    """Raise AssertionError at the first polygon that is wrong, invalid or leaks."""
    rng = np.random.default_rng(99)
    box = Box(*degenerate.BOX)
    for case in range(60):
        segs = degenerate.FAMILIES[case % 6](rng, int(rng.integers(2, 14)))
        walls = build_walls(
            [WallInput(str(i), ((a[0], a[1]), (b[0], b[1]))) for i, (a, b) in enumerate(segs)]
        )
        eyes = degenerate.eyes_for(rng, segs)
        for eye, seen in zip(eyes, visibility_polygons(walls, eyes, bounds=box), strict=True):
            area = sight_oracle.seen_area(segs, eye, box)
            points = rng.uniform(0, 12, (40, 2))
            stops = sight_oracle.opaque(segs, np.array(eye))
            shut, sure = sight_oracle.blocked(stops, eye, points)
            good = abs(seen.area - area) <= 1e-9 * area
            good &= abs(seen.to_shapely().area - area) <= 1e-8 * area
            good &= seen.to_shapely().is_valid
            if not good or (seen.contains(points) == shut)[sure].any():
                raise AssertionError(f"{segs.tolist()} seen from {eye}")


def line_of_sight_scene() -> tuple[BenchMap, Point, Silhouettes, baselines.Sighted]:
    """Return a field of some 1,800 segments, an eye, 200 targets, and the same for baselines.

    Half of the walls are low, and the targets stand within 25 cells: the harder case.
    """
    where = field(1_630, low_share=0.5)
    rng = np.random.default_rng(3)
    eye = where.eyes[3]
    places = np.floor(rng.uniform(-25, 25, (400, 2)) + eye).astype(np.int64)
    places = places[np.abs(places + 0.5 - eye).max(axis=1) > 1][:200]
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    outlines = (places[:, None] + corners).astype(float)
    targets = silhouettes(
        Volume(str(i), tuple((x, y) for x, y in ring), 0.0, 1.0)
        for i, ring in enumerate(outlines.tolist())
    )
    closed = ~where.walls.open[where.walls.owner]
    scene = baselines.Sighted(
        where.walls.segs[closed],
        where.walls.base[closed],
        where.walls.top[closed],
        outlines,
        0.0,
        1.0,
    )
    return where, eye, targets, scene


def _rows_line_of_sight() -> list[BenchRow]:
    where, eye, targets, scene = line_of_sight_scene()
    tree = shapely.STRtree(shapely.linestrings(scene.segs))
    place = (*eye, 0.9)
    x, y = float(int(eye[0])), float(int(eye[1]))
    viewer = Volume("viewer", ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)), 0.0, 1.0)

    def four_by_tree() -> None:
        for px, py in viewer.outline:
            baselines.seen_by_tree(scene, tree, (px + 0.01, py + 0.01, 0.9))

    job = "line of sight + cover, 200 targets, heights, ~1,800 segments"
    one = partial(visible_fraction, where.walls, place, targets)
    return [
        BenchRow(
            job=f"{job}, one eye",
            run=one,
            baseline=partial(baselines.seen_ray_by_ray, scene, place),
            ratio_target=60,
            target_ms=2,
            note="baseline: 48 rays a target, each against all walls",
        ),
        BenchRow(
            job=f"{job}, one eye",
            run=one,
            baseline=partial(baselines.seen_by_tree, scene, tree, place),
            ratio_target=10,
            target_ms=2,
            note="baseline: 48 rays a target, in bulk through an STRtree",
        ),
        BenchRow(
            job=f"{job}, four corners",
            run=partial(best_corner, where.walls, viewer, 0.9, targets),
            baseline=four_by_tree,
            ratio_target=10,
            target_ms=8,
            note="baseline: 48 rays a target and corner, in bulk through an STRtree",
        ),
    ]
