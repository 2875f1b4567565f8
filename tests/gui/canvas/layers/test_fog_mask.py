"""Darkness: never light beyond the true edge, black when in doubt, patched as if made anew."""

from collections.abc import Sequence
from dataclasses import replace
from math import cos, pi, sin
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QImage, QPainter

from engine.geometry.knowledge import gaze_of
from engine.grid.grid import Ring
from engine.model.audience import PLAYERS, Stage, StageMode
from engine.model.fog import PX_PER_CELL, TILE_PX
from engine.model.value import FrozenMap
from engine.samples import create_sample, play, sample_named
from engine.view import FogView
from gui.canvas.layers.fog_changes import fog_change
from gui.canvas.layers.fog_mask import FogMask
from gui.canvas.layers.fog_raster import GM_DARK, GM_DIM, PLAYERS_DIM, Camera
from tests.helpers.views import NO_FOG, box_sight

FULL_TILE = b"\xff" * (TILE_PX * TILE_PX // 8)
EMPTY = FrozenMap()
TILE_CELLS = TILE_PX // PX_PER_CELL


def camera(scale: float = 20.0, quarters: int = 0, dx: float = 90.0, dy: float = 70.0) -> Camera:
    return Camera(scale=scale, quarters=quarters, dx=dx, dy=dy, width=240, height=180)


def a_fog(*eyes: Ring, **tiles: FrozenMap) -> FogView:
    given = {"explored": EMPTY, "revealed": EMPTY, "veiled": EMPTY}
    return FogView(enabled=True, sight=tuple((eye,) for eye in eyes), **(given | tiles))


def alphas(mask: FogMask, seen_by: Camera) -> np.ndarray:
    return np.array(
        [[mask.alpha_at(x, y) for x in range(seen_by.width)] for y in range(seen_by.height)]
    )


def mask_of(fog: FogView, seen_by: Camera, *, players: bool = True, rest: bool = True) -> FogMask:
    mask = FogMask(players=players)
    mask.prepare(None, fog, seen_by)
    if rest:
        mask.rest()
    return mask


def world_of_pixels(seen_by: Camera) -> np.ndarray:
    """Return the world points of all pixel centres, (height, width, 2)."""
    xs, ys = np.meshgrid(np.arange(seen_by.width) + 0.5, np.arange(seen_by.height) + 0.5)
    x, y = (xs - seen_by.dx) / seen_by.scale, (ys - seen_by.dy) / seen_by.scale
    turned = {0: (x, y), 1: (y, -x), 2: (-x, -y), 3: (-y, x)}[seen_by.quarters]
    return np.stack(turned, axis=-1)


def star(spikes: Sequence[float], at: tuple[float, float] = (2.0, 2.0)) -> Ring:
    count = len(spikes)
    return tuple(
        (at[0] + r * cos(2 * pi * i / count), at[1] + r * sin(2 * pi * i / count))
        for i, r in enumerate(spikes)
    )


SPIKES = st.lists(st.floats(0.2, 6), min_size=5, max_size=24)


@settings(max_examples=25)
@given(
    st.lists(SPIKES, min_size=1, max_size=3),
    st.floats(4, 60),
    st.integers(0, 3),
    st.floats(-40, 200),
    st.booleans(),
)
def test_no_pixel_beyond_the_true_edge_of_sight_is_lit(
    spikes: list[list[float]], scale: float, quarters: int, dx: float, rest: bool
):
    eyes = [star(each, (i * 2.0, 1.0 + i)) for i, each in enumerate(spikes)]
    seen_by = camera(scale, quarters, dx)
    dark = alphas(mask_of(a_fog(*eyes), seen_by, rest=rest), seen_by)
    true = shapely.union_all([shapely.make_valid(shapely.Polygon(eye)) for eye in eyes])
    points = world_of_pixels(seen_by)
    inside = shapely.contains_xy(true.buffer(1e-9), points[..., 0], points[..., 1])
    assert (dark[~inside] == 255).all()


@settings(max_examples=15)
@given(SPIKES, st.integers(0, 3))
def test_what_lies_well_inside_is_wholly_lit(spikes: list[float], quarters: int):
    seen_by = camera(30.0, quarters)
    dark = alphas(mask_of(a_fog(star(spikes)), seen_by), seen_by)
    deep = shapely.make_valid(shapely.Polygon(star(spikes))).buffer(-0.45)
    points = world_of_pixels(seen_by)
    inside = shapely.contains_xy(deep, points[..., 0], points[..., 1])
    assert (dark[inside] == 0).all()


@settings(max_examples=25)
@given(st.lists(SPIKES, min_size=2, max_size=4), st.integers(0, 3), st.booleans())
def test_what_several_lamps_light_is_the_same_for_one_eye_as_for_several(
    spikes: list[list[float]], quarters: int, rest: bool
):
    lit = [star(each, (1.5 * n, 2.0 + n)) for n, each in enumerate(spikes)]
    together, apart = a_fog(*lit), replace(a_fog(), sight=(tuple(lit),))
    where = camera(30.0, quarters)
    masks = [alphas(mask_of(fog, where, rest=rest), where) for fog in (together, apart)]
    assert (masks[0] == masks[1]).all()


@pytest.mark.parametrize("rest", [True, False])
def test_in_a_crypt_full_of_lamps_light_is_where_the_eyes_see(tmp_path: Path, rest: bool):
    with create_sample(sample_named("crypt"), tmp_path / "crypt.battlemat") as session:
        for _ in play(session, sample_named("crypt")):
            pass
        session.set_stage(Stage(mode=StageMode.LIVE))
        fog, eyes = session.view(PLAYERS).fog, gaze_of(session.encounter).visions
    where = camera(10.0, dx=0.0, dy=0.0)
    lit = alphas(mask_of(fog, where, rest=rest), where) < PLAYERS_DIM / 2
    points = world_of_pixels(where).reshape(-1, 2)
    around = 0.6 * np.array([(0, 0), *star([1.0] * 8, (0.0, 0.0))])
    seen = np.array([[eye.contains(points + step) for eye in eyes] for step in around])
    assert not (lit.ravel() & ~seen[0].any(axis=0)).any()
    deep = seen.all(axis=0).any(axis=0)
    assert lit.ravel()[deep].mean() > 0.97  # a thin shadow may run between the places asked for
    assert deep.sum() / where.scale**2 > 60


@pytest.mark.parametrize("rest", [True, False])
def test_a_crack_of_darkness_narrower_than_a_pixel_is_not_lit_in_the_middle(rest: bool):
    """Two halves of a box, 0.3 of a device pixel apart, the crack over the middles of pixels."""
    crack = 0.3 / 20
    left = ((-4.0, -3.0), (2.025 - crack / 2, -3.0), (2.025 - crack / 2, 5.0), (-4.0, 5.0))
    right = ((2.025 + crack / 2, -3.0), (7.0, -3.0), (7.0, 5.0), (2.025 + crack / 2, 5.0))
    mask = mask_of(a_fog(left, right), camera(), rest=rest)
    assert mask.alpha_at(130, 90) == 255


def test_the_soft_edge_falls_steadily_from_the_dark_inward():
    seen_by = camera(40.0)
    row = alphas(mask_of(box_sight(0, 0, 3, 3), seen_by), seen_by)[130, 88:130].astype(int)
    assert row[0] == 255
    assert row[-1] == 0
    assert (np.diff(row) <= 0).all()
    assert np.count_nonzero((row > 0) & (row < 255)) >= 6


@pytest.mark.parametrize("rest", [True, False])
def test_fog_switched_on_for_the_first_time_covers_everything(rest: bool):
    mask = mask_of(a_fog(), camera(), rest=rest)
    assert (alphas(mask, camera()) == 255).all()


def test_no_sight_is_no_darkness_for_the_gm_and_all_of_it_for_the_players():
    blind = replace(a_fog(), sight=None)
    assert (alphas(mask_of(blind, camera(), players=False), camera()) == 0).all()
    assert (alphas(mask_of(blind, camera()), camera()) == 255).all()


def test_switched_off_nothing_is_dark():
    assert (alphas(mask_of(NO_FOG, camera()), camera()) == 0).all()


@pytest.mark.parametrize("ring", [((0.0, 0.0), (float("nan"), 1.0), (2.0, 2.0)), ((1e400, 0.0),)])
def test_a_mask_that_cannot_be_made_leaves_black(ring: Ring, caplog: pytest.LogCaptureFixture):
    mask = mask_of(a_fog(ring), camera())
    assert mask.failed
    picture = QImage(240, 180, QImage.Format.Format_RGB32)
    picture.fill("#ff0000")
    painter = QPainter(picture)
    mask.paint(painter, picture.rect(), 1.0)
    painter.end()
    assert picture.pixelColor(120, 90).name() == "#000000"
    assert "cannot be drawn" in caplog.text


def test_it_recovers_when_the_next_fog_is_sound():
    mask = mask_of(a_fog(((float("nan"), 0.0), (1.0, 1.0), (0.0, 1.0))), camera())
    mask.prepare(None, box_sight(0, 0, 4, 4), camera())
    assert not mask.failed
    assert mask.alpha_at(120, 100) == 0


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
@pytest.mark.parametrize("scale", [3.0, 8.0, 21.3])
def test_explored_ground_is_dimmed_where_its_raster_is_set(quarters: int, scale: float):
    seen_by = camera(scale, quarters)
    tiles = FrozenMap({(0, 0): FULL_TILE, (-1, 1): FULL_TILE})
    mask = mask_of(a_fog(explored=tiles), seen_by)
    points = world_of_pixels(seen_by)
    columns, rows = (np.floor(points[..., axis] / TILE_CELLS) for axis in (0, 1))
    there = ((columns == 0) & (rows == 0)) | ((columns == -1) & (rows == 1))
    dark = alphas(mask, seen_by)
    assert (dark[~there] == 255).all()
    assert (dark[there] >= PLAYERS_DIM).all()


def test_a_few_pixels_of_the_raster_are_where_they_belong():
    """Bits 0 to 3 in the rows 1 to 4 of tile (1, 0): world 8 to 8.5 across, 0.125 to 0.625 down."""
    bits = bytearray(len(FULL_TILE))
    for row in (1, 2, 3, 4):
        bits[row * TILE_PX // 8] = 0b1111_0000
    seen_by = camera(80.0, dx=-560.0, dy=0.0)
    fog = a_fog(explored=FrozenMap({(1, 0): bytes(bits)}))
    # The fade would drown so small a spot for the players.
    dark = alphas(mask_of(fog, seen_by, players=False), seen_by)
    points = world_of_pixels(seen_by)
    x, y = points[..., 0], points[..., 1]
    inside = (x > 8) & (x < 8.5) & (y > 0.125) & (y < 0.625)
    lit = dark < (GM_DARK + GM_DIM) / 2
    assert np.count_nonzero(lit & ~inside) == 0
    assert np.count_nonzero(lit) > 0.9 * np.count_nonzero(inside)


def test_a_veil_covers_what_is_in_sight_and_revealed():
    tiles = FrozenMap({(0, 0): FULL_TILE})
    fog = replace(box_sight(0, 0, 8, 8), revealed=tiles, veiled=tiles)
    assert (alphas(mask_of(fog, camera()), camera()) == 255).all()


def test_what_is_revealed_is_shown_as_if_in_sight():
    mask = mask_of(a_fog(revealed=FrozenMap({(0, 0): FULL_TILE})), camera())
    assert mask.alpha_at(150, 130) == 0


def test_the_gm_knows_what_is_revealed_by_hand_while_hints_are_shown():
    fog = a_fog(revealed=FrozenMap({(0, 0): FULL_TILE}))
    mask = FogMask(players=False)
    mask.show_hints(on=True)
    mask.prepare(None, fog, camera())
    mask.rest()
    part = alphas(mask, camera())[100:160, 120:200]
    assert len(np.unique(part)) == 2
    assert part.max() < GM_DARK


def test_the_gm_sees_through_and_knows_a_veil_by_its_stripes():
    fog = a_fog(veiled=FrozenMap({(0, 0): FULL_TILE}))
    dark = alphas(mask_of(fog, camera(), players=False), camera())
    assert dark.max() < 255
    assert dark[10, 10] == GM_DARK
    assert len(np.unique(dark[100:160, 120:200])) == 2


@settings(max_examples=15)
@given(SPIKES, SPIKES, SPIKES, st.booleans())
def test_a_patched_mask_equals_one_made_anew(
    still: list[float], before: list[float], after: list[float], rest: bool
):
    old = a_fog(star(still, (-2.0, 1.0)), star(before), explored=FrozenMap({(0, 0): FULL_TILE}))
    assert old.sight is not None
    new = replace(old, sight=(old.sight[0], (star(after),)))
    patched = mask_of(old, camera(), rest=rest)
    patched.prepare(fog_change(old, new), new, camera())
    if rest and not patched.resting:
        patched.rest()
    fresh = mask_of(new, camera(), rest=rest)
    difference = abs(alphas(patched, camera()) - alphas(fresh, camera()))
    assert difference.max() <= 2


def test_moving_the_map_by_whole_pixels_moves_the_mask(monkeypatch: pytest.MonkeyPatch):
    """The polygons are not filled again."""
    fog, mask = box_sight(0, 0, 4, 3), FogMask(players=True)
    mask.prepare(None, fog, camera(dx=90.0))
    filled = []
    monkeypatch.setattr("gui.canvas.layers.fog_mask.stamp", lambda *_, **__: filled.append(1))
    mask.prepare(None, fog, camera(dx=98.0))
    assert filled == []
    assert mask.alpha_at(98 + 40, 100) == 0
    assert mask.alpha_at(98 - 4, 100) == 255


def test_zooming_a_little_fills_no_polygon_again(monkeypatch: pytest.MonkeyPatch):
    fog, mask = box_sight(0, 0, 4, 3), FogMask(players=True)
    mask.prepare(None, fog, camera(20.0))
    filled = []
    monkeypatch.setattr("gui.canvas.layers.fog_mask.stamp", lambda *_, **__: filled.append(1))
    mask.prepare(None, fog, camera(26.0))
    assert filled == []
    assert mask.alpha_at(90 + 3 * 26, 70 + 2 * 26) == 0
    assert mask.alpha_at(90 + 4 * 26 + 2, 70 + 2 * 26) == 255


@settings(max_examples=25)
@given(
    st.lists(SPIKES, min_size=1, max_size=3),
    st.integers(0, 3),
    st.lists(
        st.tuples(st.floats(0.6, 1.6), st.floats(-60, 60), st.floats(-60, 60)),
        min_size=1,
        max_size=4,
    ),
)
def test_wherever_the_camera_moves_no_pixel_beyond_the_true_edge_is_lit(
    spikes: list[list[float]], quarters: int, moves: list[tuple[float, float, float]]
):
    """However coarsely it was made, and with whatever share of a pixel it is moved."""
    eyes = [star(each, (i * 2.0, 1.0 + i)) for i, each in enumerate(spikes)]
    true = shapely.union_all([shapely.make_valid(shapely.Polygon(eye)) for eye in eyes])
    fog, mask = a_fog(*eyes), mask_of(a_fog(), camera(20.0, quarters), rest=False)
    for zoom, dx, dy in moves:
        seen_by = camera(20.0 * zoom, quarters, 90 + dx, 70 + dy)
        mask.prepare(None, fog, seen_by)
        points = world_of_pixels(seen_by)
        inside = shapely.contains_xy(true.buffer(1e-9), points[..., 0], points[..., 1])
        assert (alphas(mask, seen_by)[~inside] == 255).all()


def test_what_went_out_of_sight_meanwhile_stays_dark_when_the_camera_moves_on():
    """The mask of an earlier gesture is of no use any more."""
    wide, narrow, mask = box_sight(0, 0, 6, 4), box_sight(0, 0, 2, 2), FogMask(players=True)
    mask.prepare(None, wide, camera(dx=90.0))
    mask.prepare(None, wide, camera(dx=91.0))
    mask.rest()
    mask.prepare(fog_change(wide, narrow), narrow, camera(dx=91.0))
    mask.rest()
    mask.prepare(None, narrow, camera(dx=92.0))
    assert mask.alpha_at(92 + 80, 70 + 60) == 255
    assert mask.alpha_at(92 + 20, 70 + 20) == 0
    mask.prepare(fog_change(narrow, wide), wide, camera(dx=93.0))
    assert mask.alpha_at(93 + 80, 70 + 60) == 0


def test_an_eye_that_did_not_move_is_not_filled_again(monkeypatch: pytest.MonkeyPatch):
    import gui.canvas.layers.fog_mask as module

    filled = []
    real = module.stamp
    monkeypatch.setattr(module, "stamp", lambda *a, **k: filled.append(a[0]) or real(*a, **k))
    eyes = [star([3, 1, 2, 4, 1.5], (i, i)) for i in range(12)]
    fog = a_fog(*eyes)
    mask = mask_of(fog, camera(), rest=False)
    assert len(filled) == 12
    assert fog.sight is not None
    moved = replace(fog, sight=(*fog.sight[:11], (star([2, 2, 2, 2, 2]),)))
    mask.prepare(fog_change(fog, moved), moved, camera())
    assert len(filled) == 13
