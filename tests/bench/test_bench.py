"""The baselines must give the answers that they are timed for, and the runner must judge right."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
import shapely

from engine.geometry.sight import visible_fraction
from engine.geometry.visibility import visibility_polygon
from tests.bench import baselines
from tests.bench.__main__ import KERNEL_MS, Timing, modules, time_row, verdict
from tests.bench.bench_sight import line_of_sight_scene
from tests.bench.maps import BenchMap, dungeon, field
from tests.bench.rows import BenchRow, Limit


@pytest.mark.parametrize("where", [dungeon(150), field(150)], ids=["dungeon", "field"])
def test_visibility_baselines_see_the_same(where: BenchMap):
    segs = where.walls.segs[~where.walls.open[where.walls.owner]]
    ends = [((a[0], a[1]), (b[0], b[1])) for a, b in segs.tolist()]
    for eye in where.eyes[:5]:
        seen = visibility_polygon(where.walls, eye, bounds=where.bounds)
        shadowed = baselines.shadow_polygon(segs, eye, where.bounds)
        swept = shapely.Polygon(baselines.swept_polygon(ends, eye, where.bounds))
        assert shadowed.area == pytest.approx(seen.area, rel=1e-6)
        assert swept.area == pytest.approx(seen.area, rel=1e-6)
        near = visibility_polygon(where.walls, eye, bounds=where.bounds, radius=6)
        assert baselines.shadow_polygon(segs, eye, where.bounds, 6).area == pytest.approx(
            near.area, rel=1e-6
        )


def test_line_of_sight_baselines_see_the_same():
    where, eye, targets, scene = line_of_sight_scene()
    place = (*eye, 0.9)
    seen = visible_fraction(where.walls, place, targets)
    tree = shapely.STRtree(shapely.linestrings(scene.segs))
    by_tree = np.array(baselines.seen_by_tree(scene, tree, place))
    one_by_one = np.array(baselines.seen_ray_by_ray(scene, place))
    assert (seen > 0.02).sum() >= 5
    assert by_tree == pytest.approx(one_by_one, abs=1e-6)
    assert by_tree == pytest.approx(seen, abs=0.03)


def row(ratio: float | None = None, ms: float | None = None, *, baseline: bool = True) -> BenchRow:
    return BenchRow("job", lambda: None, (lambda: None) if baseline else None, ratio, ms)


def test_ratios_decide_and_milliseconds_only_without_a_baseline():
    timing = Timing([1.0, 2.0, 3.0], [10.0, 10.0, 60.0])
    assert timing.ratio == 10
    assert verdict(row(10, 0.1), timing)
    assert not verdict(row(11, 100), timing)
    assert verdict(row(None, 5), timing) is None
    assert verdict(row(None, 2, baseline=False), timing)
    assert not verdict(row(None, 1, baseline=False), timing)
    assert verdict(row(), timing)


def test_plain_milliseconds_count_beside_the_ratio():
    timing = Timing([1.0, 2.0, 3.0], [10.0, 10.0, 60.0])
    assert verdict(replace(row(10, 2), plain_ms=True), timing)
    assert not verdict(replace(row(10, 1.9), plain_ms=True), timing)
    assert not verdict(replace(row(11, 2), plain_ms=True), timing)


def test_a_broken_row_is_missed_and_says_why():
    def fail() -> None:
        raise AssertionError("it leaks")

    timing = time_row(BenchRow("job", fail, None, None, None), 0.01)
    assert timing.problem == "AssertionError: it leaks"
    assert verdict(row(), timing) is False


def test_bench_modules_are_found():
    assert {"bench_sight", "bench_dice"} <= set(modules())


NAMES = (
    "visibility, ~1,000 walls, no radius",
    "visibility, ~10,000 walls",
    "~900 walls in range, r = 30",
    "door toggle + new polygon",
    "12 tokens, r <= 30",
    "exactness",
    "line of sight + cover, 200 targets x 4 corners, heights, 1,800 segments",
    "reach, budget 30, 200 x 200, parity + difficult",
    "reach, budget 12, 200 x 200, parity + difficult",
    "hex + 6 facings, budget 30",
    "area coverage",
    "fog step at r = 30",
    "dragging one token, its vision live, 12 party tokens, 1,000 walls, 1600 x 1000",
    "command, durable",
    "forecasts of one attack on 200 targets",
    "zoom and pan at 1080p, 1,000 tokens, hex grid with level of detail, fog",
    "door toggle shown on a 3840 x 2160 player window",
    "open an encounter: 500 tokens, 3,000 walls, 100 Mpx picture",
    "start to usable window, empty",
    "hover a target",
)


def test_every_row_of_the_design_is_in_the_table_by_its_name():
    jobs = [row.job for name in modules() for row in import_module(f"tests.bench.{name}").rows()]
    assert [name for name in NAMES if not any(job.startswith(name) for job in jobs)] == []


def slow(limit: int) -> BenchRow:
    return BenchRow("job", lambda: None, None, None, None, limits=(Limit(50, limit), Limit(99, 30)))


def test_percentiles_count_run_by_run_and_a_slower_machine_gets_more():
    usual = [KERNEL_MS] * 20
    good, late = [4.0] * 100, [4.0] * 90 + [31.0] * 10
    assert verdict(slow(5), Timing(good, usual, kernel=usual))
    assert not verdict(slow(3), Timing(good, usual, kernel=usual))
    assert not verdict(slow(5), Timing(late, usual, kernel=usual))
    assert verdict(slow(5), Timing(late, usual, kernel=[2 * KERNEL_MS] * 20))


def test_every_run_is_prepared_and_timed_alone():
    calls: list[str] = []
    row = BenchRow(
        "job",
        lambda: calls.append("run"),
        None,
        None,
        None,
        limits=(Limit(50, 1000),),
        runs=12,
        prepare=lambda: calls.append("prepare"),
    )
    timing = time_row(row, 0.01)
    assert len(timing.run) == len(timing.processor) == 12
    assert calls == ["prepare", "run"] * 13  # the first one is not timed
    assert verdict(row, timing)


def test_what_asks_for_nothing_is_run_once():
    calls: list[int] = []
    row = BenchRow("job", lambda: calls.append(1), None, None, None)
    assert verdict(row, time_row(row, 5))
    assert len(calls) == 1
