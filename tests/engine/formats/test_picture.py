"""Pictures as maps: the grid lies where the GM or the file's name says."""

import math
from pathlib import Path

import pytest
from PIL import Image

from engine.formats.imported import ImportedMap, ImportOptions
from engine.formats.importing import import_map
from engine.formats.picture import corner, extent
from engine.grid.grid import grid_of
from engine.model.refusal import FileProblem
from engine.model.space import GridKind, Point
from tests.helpers.maps import picture, saved

HEXES = [GridKind.HEX_POINTY, GridKind.HEX_FLAT]


def taken(
    folder: Path, pixels: tuple[int, int], name: str = "cave.png", **options: object
) -> ImportedMap:
    return import_map(saved(folder, picture(*pixels), name), ImportOptions.model_validate(options))


def shape(imported: ImportedMap) -> tuple[int, int]:
    return imported.board.grid.columns, imported.board.grid.rows


def world_of(imported: ImportedMap, pixel: Point) -> Point:
    laid = imported.board.picture
    assert laid is not None
    a, b, c, d, e, f = laid.to_world
    return a * pixel[0] + b * pixel[1] + c, d * pixel[0] + e * pixel[1] + f


def test_cell_size_and_offset_lay_the_grid(tmp_path: Path):
    imported = taken(tmp_path, (700, 350), cell_px=69.7, offset=(12.5, -3.25))
    assert world_of(imported, (12.5, -3.25)) == pytest.approx((0, 0))
    assert world_of(imported, (12.5 + 69.7 * 9, -3.25 + 69.7)) == pytest.approx((9, 1))
    assert shape(imported) == (10, 6)


def test_fractional_cells_do_not_drift(tmp_path: Path):
    imported = taken(tmp_path, (4096, 2048), cell_px=69.7)
    assert world_of(imported, (58 * 69.7, 0)) == pytest.approx((58, 0), abs=1e-9)
    assert shape(imported) == (59, 30)


def test_border_of_both_sides_is_outside_the_board(tmp_path: Path):
    imported = taken(tmp_path, (37 + 10 * 70 + 37, 37 + 5 * 70 + 37), cell_px=70, offset=(37, 37))
    assert shape(imported) == (10, 5)
    assert world_of(imported, (37, 37)) == pytest.approx((0, 0))


@pytest.mark.parametrize(("offset", "same"), [(100, 30), (-100, -30), (700, 0), (-69, -69)])
def test_offset_of_whole_cells_is_taken_off(tmp_path: Path, offset: float, same: float):
    given = taken(tmp_path, (700, 350), cell_px=70, offset=(offset, 0))
    assert given.board == taken(tmp_path, (700, 350), cell_px=70, offset=(same, 0)).board


def test_sliver_of_a_cell_is_no_column(tmp_path: Path):
    assert shape(taken(tmp_path, (701, 350), cell_px=70)) == (10, 5)
    assert shape(taken(tmp_path, (710, 350), cell_px=70)) == (11, 5)


def test_number_of_cells_is_enough(tmp_path: Path):
    imported = taken(tmp_path, (699, 350), size=(10, 5))
    assert world_of(imported, (699, 350)) == pytest.approx((10, 5))
    assert imported.report.warnings == ()


def test_number_of_cells_that_makes_them_oblong_is_told(tmp_path: Path):
    imported = taken(tmp_path, (700, 350), size=(10, 6))
    assert world_of(imported, (700, 350)) == pytest.approx((10, 6))
    assert "not regular" in imported.report.warnings[0]


@pytest.mark.parametrize(
    "name",
    ["cave 30x22.png", "[30x22] cave.png", "cave_30X22_night.png", "30 x 22.png", "30\u00d722.png",
     "2x4 cave 30x22.png"],
)  # fmt: skip
def test_name_gives_the_size(tmp_path: Path, name: str):
    imported = taken(tmp_path, (1201, 880), name)
    assert shape(imported) == (30, 22)
    assert world_of(imported, (1201, 880)) == pytest.approx((30, 22))
    assert "30 x 22 squares" in imported.report.warnings[0]


def test_resolution_in_the_name_gives_the_size(tmp_path: Path):
    assert shape(taken(tmp_path, (1200, 800), "keep 200dpi.png")) == (6, 4)


@pytest.mark.parametrize(
    "name",
    ["cave.png", "cave 30x20.png", "1200x880.png", "v1.30x22.5.png", "0x0.png", "600x440.png",
     "keep 170dpi.png", "keep 0dpi.png"],
)  # fmt: skip
def test_picture_without_a_grid_asks_for_one(tmp_path: Path, name: str):
    with pytest.raises(FileProblem, match="tells no grid; give the size of a cell"):
        taken(tmp_path, (1200, 880), name)


def test_cell_size_wins_over_the_name(tmp_path: Path):
    assert shape(taken(tmp_path, (1200, 880), "30x22.png", cell_px=80)) == (15, 11)


def test_too_many_cells_are_refused(tmp_path: Path):
    with pytest.raises(FileProblem, match="2,500 x 1 cells; a board has at most 2,000"):
        taken(tmp_path, (10_000, 4), cell_px=4)
    with pytest.raises(FileProblem, match="too few pixels"):
        taken(tmp_path, (100, 100), size=(200, 200))


@pytest.mark.parametrize("kind", GridKind)
@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (2, 2), (7, 5), (1, 4), (4, 1)])
def test_extent_is_that_of_the_grid(kind: GridKind, columns: int, rows: int):
    left, top, right, bottom = grid_of(kind, columns, rows).bounds
    assert corner(kind) == pytest.approx((left, top))
    assert extent(kind, columns, rows) == pytest.approx((right - left, bottom - top))


@pytest.mark.parametrize("kind", HEXES)
def test_hexes_are_as_many_as_the_picture_shows(tmp_path: Path, kind: GridKind):
    wide, tall = extent(kind, 9, 7)
    size = math.ceil(wide * 83.3) + 20, math.ceil(tall * 83.3) + 8
    imported = taken(tmp_path, size, cell_px=83.3, offset=(20, 8), grid=kind)
    assert shape(imported) == (9, 7)
    assert world_of(imported, (20, 8)) == pytest.approx(corner(kind))
    assert world_of(imported, (20 + 83.3, 8)) == pytest.approx(
        (corner(kind)[0] + 1, corner(kind)[1])
    )


@pytest.mark.parametrize("kind", HEXES)
def test_number_of_hexes_is_enough(tmp_path: Path, kind: GridKind):
    wide, tall = extent(kind, 9, 7)
    size = round(wide * 80), round(tall * 80)
    imported = taken(tmp_path, size, size=(9, 7), grid=kind)
    left, top = corner(kind)
    assert world_of(imported, size) == pytest.approx((left + wide, top + tall))


def test_moving_picture_is_told(tmp_path: Path):
    frames = [Image.new("RGB", (100, 100), color) for color in ("red", "blue")]
    frames[0].save(tmp_path / "m.gif", save_all=True, append_images=frames[1:])
    imported = import_map(tmp_path / "m.gif", ImportOptions(cell_px=50))
    assert "only its first frame" in imported.report.warnings[0]


def test_svg_is_taken_with_its_size(tmp_path: Path):
    data = b'<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"/>'
    imported = import_map(saved(tmp_path, data, "m.svg"), ImportOptions(cell_px=30))
    assert shape(imported) == (20, 10)
    assert list(imported.images.values()) == [data]
