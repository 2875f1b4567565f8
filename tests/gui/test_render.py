"""Pictures without a window: the whole board from its corner, walls where the map draws them."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtWidgets import QApplication

from engine.formats.imported import ImportedMap
from engine.formats.importing import import_map
from engine.grid.grid import grid_of
from engine.model.refusal import FileProblem
from engine.model.space import GridKind
from engine.view import View
from gui.render import render_view, save_image
from tests.helpers.shots import pixels_of
from tests.helpers.views import a_grid, a_token, a_view, box_sight

KEEP = Path(__file__).resolve().parents[2] / "assets" / "maps" / "keep_20x20.dd2vtt"
FIRST = ((9.0, 5.0), (9.0, 7.0))
LAST = ((19.0, 16.0), (19.0, 18.0))
"""Straight upright walls of the keep, near the first and near the last cells."""


@cache
def keep() -> ImportedMap:
    return import_map(KEEP)


def keep_view(*, walls: bool = True, picture: bool = True) -> View:
    board = keep().board
    return a_view(
        grid=grid_of(board.grid.kind, board.grid.columns, board.grid.rows),
        walls=board.walls.values() if walls else (),
        picture=board.picture if picture else None,
    )


def source(sha256: str) -> bytes:
    return keep().images[sha256]


def across(pixels: NDArray[np.uint8], wall: tuple, scale: float) -> tuple[NDArray, NDArray]:
    """Return brightness across an upright wall, averaged along it, and where each pixel lies."""
    (x, top), (_, bottom) = wall
    middle, reach = round(x * scale), round(scale * 14 / 64)
    rows = slice(round((top + 0.3) * scale), round((bottom - 0.3) * scale))
    part = pixels[rows, middle - reach : middle + reach].astype(float).mean(axis=(0, 2))
    return part, np.arange(middle - reach, middle + reach) + 0.5


def middle_of_stroke(dark: NDArray, where: NDArray) -> float:
    """Return the middle between the two flanks of a dark stroke, half-way up each."""
    center = len(dark) // 2
    deep = dark[center - 3 : center + 3].mean()

    def flank(way: int) -> float:
        level = ((dark[:3] if way < 0 else dark[-3:]).mean() + deep) / 2
        inside = center
        while dark[inside + way] < level:
            inside += way
        share = (level - dark[inside]) / (dark[inside + way] - dark[inside])
        return float(where[inside] + way * share)

    return (flank(-1) + flank(1)) / 2


@pytest.mark.parametrize("wall", [FIRST, LAST], ids=["first cell", "last cell"])
@pytest.mark.parametrize("scale", [64.0, 70.0, 97.3])
def test_walls_of_the_keep_land_on_the_drawn_walls(qapp: QApplication, wall: tuple, scale: float):
    """Within half a pixel of the middle of the dark stroke in the map's own picture."""
    bare = pixels_of(render_view(keep_view(walls=False), source, px_per_cell=scale))
    drawn = pixels_of(render_view(keep_view(), source, px_per_cell=scale))
    dark, where = across(bare, wall, scale)
    ours, _ = across(drawn, wall, scale)
    line = np.clip(ours - dark, 0, None)
    assert line.max() > 30
    middle_of_ours = (line * where).sum() / line.sum()
    assert abs(middle_of_ours - wall[0][0] * scale) <= 0.5
    assert abs(middle_of_ours - middle_of_stroke(dark, where)) <= 0.5


def test_at_its_own_size_the_picture_is_unchanged(qapp: QApplication):
    view = keep_view(walls=False)
    assert view.picture is not None
    hidden_grid = view.grid.changed(visible=False)
    drawn = pixels_of(render_view(_with_grid(view, hidden_grid), source, px_per_cell=64))
    from engine.formats.pixels import decode

    original = np.asarray(decode(source(view.picture.sha256)).convert("RGB"))
    inner = slice(4, -4)
    assert np.array_equal(drawn[inner, inner], original[inner, inner])


def _with_grid(view: View, grid: object) -> View:
    from dataclasses import replace

    return replace(view, grid=grid)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", list(GridKind))
def test_the_picture_holds_the_board_and_nothing_else(qapp: QApplication, kind: GridKind):
    grid = a_grid(9, 7, kind)
    image = render_view(a_view(grid=grid), source, px_per_cell=40)
    box = grid.bounds
    assert (image.width(), image.height()) == (round(box.width * 40), round(box.height * 40))


def test_the_players_picture_is_black_beyond_their_sight_and_shows_no_hidden_token(
    qapp: QApplication,
):
    view = a_view(a_token("Ila", (2, 2)), gm=False, fog=box_sight(0, 0, 5, 5))
    pixels = pixels_of(render_view(view, source, px_per_cell=40))
    assert not pixels[:, 205:].any()
    assert pixels[60:160, 60:160].any()


def test_equal_views_give_equal_bytes_at_any_zoom_of_the_window(qapp: QApplication):
    first, second = (render_view(keep_view(), source, px_per_cell=30) for _ in range(2))
    assert np.array_equal(pixels_of(first), pixels_of(second))


def test_a_picture_of_too_many_pixels_is_refused_in_a_sentence(qapp: QApplication):
    with pytest.raises(FileProblem, match="choose fewer per cell"):
        render_view(a_view(grid=a_grid(500, 500)), source, px_per_cell=100)


def test_a_map_whose_picture_is_missing_is_drawn_without_it(qapp: QApplication):
    def missing(sha256: str) -> bytes:
        raise FileProblem(f"There is no picture {sha256}.")

    assert render_view(keep_view(), missing, px_per_cell=20).width() == 400


def test_a_place_that_cannot_be_written_is_a_sentence(qapp: QApplication, tmp_path: Path):
    image = render_view(a_view(), source, px_per_cell=8)
    with pytest.raises(FileProblem, match="cannot be written"):
        save_image(image, tmp_path / "missing" / "picture.png")
