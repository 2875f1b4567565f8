"""Real Universal VTT files come in as they were drawn."""

import hashlib
import json
from itertools import pairwise

import pytest
from shapely import MultiLineString, unary_union

from engine.formats.imported import ImportedMap
from engine.formats.importing import import_map
from engine.model.board import GridSpec
from engine.model.wall import WallKind
from tests.helpers.maps import KEEP, MAPS


def drawn(imported: ImportedMap, *kinds: WallKind) -> MultiLineString:
    return MultiLineString([w.points for w in imported.board.walls.values() if w.kind in kinds])


def source(name: str, key: str = "line_of_sight") -> MultiLineString:
    root = json.loads(name)
    lines = [[(p["x"], p["y"]) for p in line] for line in root[key]]
    return MultiLineString([pair for line in lines for pair in pairwise(line)])


def test_walls_of_the_keep_are_those_of_the_file():
    imported = import_map(KEEP)
    ours = drawn(imported, WallKind.WALL)
    theirs = source(KEEP.read_text())
    assert ours.difference(unary_union(theirs).buffer(1e-6)).is_empty
    assert theirs.difference(unary_union(ours).buffer(1e-6)).is_empty
    assert ours.length == pytest.approx(theirs.length, abs=1e-9)


def test_keep_has_three_doors_a_light_two_objects_and_its_picture():
    imported = import_map(KEEP)
    counts = imported.report.counts
    assert (counts.doors, counts.windows, counts.lights, counts.objects) == (3, 0, 1, 2)
    assert imported.title == "keep_20x20"
    assert imported.board.grid == GridSpec(columns=20, rows=20)
    assert (imported.report.skipped, imported.report.warnings) == ((), ())


def test_keep_picture_is_kept_byte_for_byte():
    imported = import_map(KEEP)
    picture = imported.board.picture
    assert picture is not None
    data = imported.images[picture.sha256]
    assert hashlib.sha256(data).hexdigest() == picture.sha256
    assert (picture.width_px, picture.height_px) == (1280, 1280)
    assert picture.to_world == (1 / 64, 0, 0, 0, 1 / 64, 0)


def test_crop_shifts_walls_portals_and_lights_alike():
    whole = import_map(MAPS / "sample_0.2_no_image.dd2vtt").board
    cropped = import_map(MAPS / "sample_cropped_0.3_no_image.dd2vtt").board
    for key, wall in whole.walls.items():
        for here, there in zip(wall.points, cropped.walls[key].points, strict=True):
            assert here == pytest.approx(there, abs=1e-9)
    for key, light in cropped.lights.items():
        assert light.position == pytest.approx(whole.lights[key].position, abs=1e-9)


def test_light_outside_the_map_stays_if_it_shines_in():
    whole = import_map(MAPS / "sample_0.2_no_image.dd2vtt")
    assert [light.position for light in whole.board.lights.values()][2] == (-2, -2)


def test_crop_leaves_the_rest_of_the_building_out():
    imported = import_map(MAPS / "blue_tower_cropped_no_image.dd2vtt")
    assert 80 < imported.report.counts.segments < 100
    assert imported.report.counts.doors == 4
    assert any("351 wall segments lay outside" in line for line in imported.report.skipped)
    for wall in imported.board.walls.values():
        assert all(-1 <= x <= 11 and -1 <= y <= 13 for x, y in wall.points)


def test_map_without_a_picture_says_so():
    imported = import_map(MAPS / "blue_tower_cropped_no_image.dd2vtt")
    assert imported.board.picture is None
    assert "no picture" in imported.report.warnings[0]
