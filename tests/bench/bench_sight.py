"""Visibility polygons and lines of sight, against shapely, a sweep and rays through a tree."""

from functools import cache, partial
from typing import NamedTuple

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
    "~1,000 walls, dungeon": partial(dungeon, 1_060),
    "~1,000 walls, open field": partial(field, 920),
    "~10,000 walls, dungeon": partial(dungeon, 10_400),
    "~10,000 walls, open field": partial(field, 9_100),
    "~900 in range": partial(field, 9_100, density=0.26),
}


CASES = 3000


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
        *_polygon_rows("~1,000 walls, dungeon", shadows=40, sweep=3, target_ms=1.5),
        *_polygon_rows("~1,000 walls, open field", shadows=40, sweep=3, target_ms=2.5),
        *_polygon_rows("~10,000 walls, dungeon", shadows=100, sweep=None, target_ms=2),
        *_polygon_rows("~10,000 walls, open field", shadows=100, sweep=None, target_ms=9),
        _row_in_range(),
        _row_door("~1,000 walls, dungeon", 2.5),
        _row_door("~1,000 walls, open field", 2.5),
        _row_door("~10,000 walls, dungeon", 9),
        _row_door("~10,000 walls, open field", 9),
        _row_party("~1,000 walls, dungeon", 4),
        _row_party("~1,000 walls, open field", 4),
        _row_party("~10,000 walls, dungeon", 12),
        _row_party("~10,000 walls, open field", 12),
        *_rows_exactness(),
        *_rows_line_of_sight(),
    ]


def _polygon_rows(
    name: str, *, shadows: float, sweep: float | None, target_ms: float
) -> list[BenchRow]:
    where, eye = the_map(name), typical_eye(name)
    segs = where.walls.segs[~where.walls.open[where.walls.owner]]
    run = partial(visibility_polygon, where.walls, eye, bounds=where.bounds)
    amount, kind = name.rsplit(", ", 1)
    job = f"visibility, {amount}, no radius: {kind}"
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
        job="~900 walls in range, r = 30",
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
        job=f"door toggle + new polygon: {name}",
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
        job=f"12 tokens, r <= 30: {name}",
        run=partial(visibility_polygons, where.walls, eyes, bounds=where.bounds, radii=radii),
        baseline=one_by_one,
        ratio_target=1 / 0.45,
        target_ms=target_ms,
        note="baseline: twelve single calls; at most 0.45 of them",
    )


def _rows_exactness() -> list[BenchRow]:
    """Give the rows that only have to run to their end: they time nothing and compare all."""

    def no_error() -> None:
        worst = max(largest_error())
        assert worst <= 1e-9, f"an area is off by {worst:.1e}"

    def no_leak() -> None:
        leaks = [each.told for each in exactness() if each.leaks]
        assert not leaks, f"{len(leaks)} leaks: {leaks[0]}"

    def told_error() -> str:
        maps, cases = largest_error()
        return f"{maps:.1e} on maps; {cases:.1e} in {CASES:,} degenerate cases, by an exact oracle"

    def told_leaks() -> str:
        points = sum(each.points for each in exactness())
        return f"lattice, crossing, collinear, eye on wall; {points:,} points of {CASES:,} cases"

    return [
        BenchRow(job, run, None, None, None, note)
        for job, run, note in (
            ("exactness: relative area error <= 1e-9 against shapely", no_error, told_error),
            ("exactness: 0 leaks over 3,000 degenerate cases", no_leak, told_leaks),
        )
    ]


@cache
def largest_error() -> tuple[float, float]:
    """Return the largest relative error of areas: on maps, by shapely, and in degenerate cases."""
    errors = []
    for name in ("~1,000 walls, dungeon", "~1,000 walls, open field"):
        where = the_map(name)
        segs = where.walls.segs[~where.walls.open[where.walls.owner]]
        for eye in where.eyes[:4]:
            seen = visibility_polygon(where.walls, eye, bounds=where.bounds)
            expected = baselines.shadow_polygon(segs, eye, where.bounds).area
            errors.append(abs(seen.area - expected) / expected)
    return max(errors), max(each.error for each in exactness())


class Exact(NamedTuple):
    """What one degenerate case came to: the error of its area, points asked, whether it leaks."""

    error: float
    points: int
    leaks: bool
    told: str


@cache
def exactness() -> tuple[Exact, ...]:
    """Compare the polygons of 3,000 eyes among degenerate walls with shapely and with rays."""
    rng = np.random.default_rng(99)
    box = Box(*degenerate.BOX)
    found: list[Exact] = []
    while len(found) < CASES:
        family = degenerate.FAMILIES[len(found) % len(degenerate.FAMILIES)]
        segs = family(rng, int(rng.integers(2, 14)))
        walls = build_walls(
            [WallInput(str(i), ((a[0], a[1]), (b[0], b[1]))) for i, (a, b) in enumerate(segs)]
        )
        eyes = degenerate.eyes_for(rng, segs)
        for eye, seen in zip(eyes, visibility_polygons(walls, eyes, bounds=box), strict=True):
            area = sight_oracle.seen_area(segs, eye, box)
            shape = seen.to_shapely()
            points = rng.uniform(0, 12, (40, 2))
            stops = sight_oracle.opaque(segs, np.array(eye))
            shut, sure = sight_oracle.blocked(stops, eye, points)
            leaks = bool((seen.contains(points) == shut)[sure].any()) or not shape.is_valid
            # Rings are rounded for shapely, which then tells areas to 1e-8.
            leaks |= abs(shape.area - area) > 1e-8 * area
            told = f"{segs.tolist()} seen from {eye}"
            found.append(Exact(abs(seen.area - area) / area, int(sure.sum()), leaks, told))
    return tuple(found[:CASES])


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

    def four_ray_by_ray() -> None:
        for px, py in viewer.outline:
            baselines.seen_ray_by_ray(scene, (px + 0.01, py + 0.01, 0.9))

    def four_by_tree() -> None:
        for px, py in viewer.outline:
            baselines.seen_by_tree(scene, tree, (px + 0.01, py + 0.01, 0.9))

    job = "line of sight + cover, 200 targets x 4 corners, heights, 1,800 segments"
    one = partial(visible_fraction, where.walls, place, targets)
    four = partial(best_corner, where.walls, viewer, 0.9, targets)
    return [
        BenchRow(
            job=f"{job}: one eye",
            run=one,
            baseline=partial(baselines.seen_ray_by_ray, scene, place),
            ratio_target=60,
            target_ms=2,
            note="baseline: 48 rays a target, each against all walls",
        ),
        BenchRow(
            job=f"{job}: one eye",
            run=one,
            baseline=partial(baselines.seen_by_tree, scene, tree, place),
            ratio_target=10,
            target_ms=2,
            note="baseline: 48 rays a target, in bulk through an STRtree",
        ),
        BenchRow(
            job=f"{job}: four",
            run=four,
            baseline=four_ray_by_ray,
            ratio_target=60,
            target_ms=8,
            note="baseline: 48 rays a target and corner, each against all walls",
        ),
        BenchRow(
            job=f"{job}: four",
            run=four,
            baseline=four_by_tree,
            ratio_target=10,
            target_ms=8,
            note="baseline: 48 rays a target and corner, in bulk through an STRtree",
        ),
    ]
