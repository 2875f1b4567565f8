"""Universal VTT, fact by fact; each made file has one thing odd."""

import base64
import math
from pathlib import Path
from typing import Any

import pytest

from engine.formats import uvtt as reader
from engine.formats.imported import ImportedMap, ImportOptions, ObjectOutlines
from engine.model.board import GridSpec
from engine.model.light import Ambient
from engine.model.refusal import FileProblem
from engine.model.space import GridKind, Point
from engine.model.value import FrozenMap
from engine.model.wall import DoorState, Wall, WallKind
from tests.helpers.maps import base64_of, imported, light, picture, points, portal, uvtt

TURN = math.pi / 2


def pixel_of(imported_map: ImportedMap, point: Point) -> Point:
    """Return the picture's pixel under a world point."""
    laid = imported_map.board.picture
    assert laid is not None
    a, _, c, _, e, f = laid.to_world
    return (point[0] - c) / a, (point[1] - f) / e


def only_wall(imported_map: ImportedMap) -> Wall:
    (wall,) = imported_map.board.walls.values()
    return wall


def door_from(folder: Path, a: Point, b: Point, *, walls: Any = (), **changes: Any) -> Wall:
    made = uvtt(portals=[portal(a, b, **changes)], line_of_sight=[points(*w) for w in walls])
    return next(
        w for w in imported(folder, made).board.walls.values() if w.kind is not WallKind.WALL
    )


# The origin (C133)


@pytest.mark.parametrize("origin", [(3, 2), (-4.5, -1.25), (0.5, 0), (0, 0)])
def test_origin_shifts_walls_doors_lights_and_picture_alike(tmp_path: Path, origin: Point):
    x, y = origin
    made = uvtt(
        origin=origin,
        line_of_sight=[points((x + 1, y + 1), (x + 1, y + 3))],
        objects_line_of_sight=[points((x + 2, y + 2), (x + 3, y + 2), (x + 3, y + 3))],
        portals=[portal((x + 1, y + 3), (x + 1, y + 4))],
        lights=[light(x + 2, y + 1)],
    )
    result = imported(tmp_path, made)
    walls, lights = result.board.walls, result.board.lights
    assert walls["wall-1"].points == ((1, 1), (1, 3))
    assert walls["door-1"].points == ((1, 3), (1, 4))
    assert walls["object-1"].points == ((2, 2), (3, 2), (3, 3), (2, 2))
    assert lights["light-1"].position == (2, 1)
    assert pixel_of(result, (1, 1)) == pytest.approx((10, 10))


# Cell size and picture (C1, C136, C137)


def test_fractional_cells_fit_at_both_ends_of_a_wide_map(tmp_path: Path):
    made = uvtt(
        size=(58.77, 10),
        ppg=69.7,
        line_of_sight=[points((0, 0), (0, 10)), points((58, 0), (58, 10))],
        image=base64_of(picture(4096, 697)),
    )
    result = imported(tmp_path, made)
    first, last = (result.board.walls[key].points[0] for key in ("wall-1", "wall-2"))
    assert pixel_of(result, first) == pytest.approx((0, 0), abs=0.5)
    assert pixel_of(result, last) == pytest.approx((58 * 69.7, 0), abs=0.5)
    assert result.board.grid == GridSpec(columns=59, rows=10)
    assert result.report.warnings == ()


@pytest.mark.parametrize("ppg", [0, "100", 1.5, None, -3, "x", 12.5])
def test_cell_size_in_the_file_does_not_matter_beside_a_size(tmp_path: Path, ppg: Any):
    result = imported(tmp_path, uvtt(ppg=ppg))
    assert pixel_of(result, (4, 4)) == pytest.approx((40, 40))


def test_picture_scaled_by_another_tool_is_laid_over_the_whole_map(tmp_path: Path):
    result = imported(tmp_path, uvtt(size=(4, 2), image=base64_of(picture(201, 100))))
    assert pixel_of(result, (4, 2)) == pytest.approx((201, 100))
    assert result.report.warnings == ()


def test_picture_of_another_shape_is_stretched_and_told(tmp_path: Path):
    result = imported(tmp_path, uvtt(size=(4, 2), image=base64_of(picture(100, 60))))
    assert pixel_of(result, (4, 2)) == pytest.approx((100, 60))
    assert "another shape" in result.report.warnings[0]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "AVIF"])
@pytest.mark.parametrize("prefix", ["", "data:image/png;base64,"])
def test_picture_comes_in_byte_for_byte_in_whatever_wrapping(
    tmp_path: Path, kind: str, prefix: str
):
    data = picture(kind=kind)
    wrapped = prefix + base64.encodebytes(data).decode().rstrip("=\n")
    result = imported(tmp_path, uvtt(image=wrapped))
    assert list(result.images.values()) == [data]


@pytest.mark.parametrize("image", [None, "", "  ", 5, [], {}])
def test_map_without_a_picture_comes_in_with_a_warning(tmp_path: Path, image: Any):
    result = imported(tmp_path, uvtt(image=image))
    assert (result.board.picture, result.images) == (None, FrozenMap())
    assert "no picture" in result.report.warnings[0]


BROKEN_PICTURES = {
    "no base64": ("!!!", "is not base64"),
    "no picture": (base64_of(b"hello there"), "not a PNG"),
    "cut off": (base64_of(picture(200, 200, "JPEG", quality=90))[:-40], "cut off"),
    "cut off WebP": (base64_of(picture(200, 200, "WEBP"))[:-8], "cut off"),
    "cut base64": (base64_of(picture())[:101], "cut off|not base64"),
}


@pytest.mark.parametrize("case", BROKEN_PICTURES)
def test_broken_picture_stops_the_import_unless_left_out(tmp_path: Path, case: str):
    image, part = BROKEN_PICTURES[case]
    made = uvtt(image=image, lights=[light()])
    with pytest.raises(FileProblem, match=f"^made.dd2vtt: its picture.*({part})"):
        imported(tmp_path, made)
    result = imported(tmp_path, made, ImportOptions(without_picture=True))
    assert (result.report.counts.lights, result.report.counts.pictures) == (1, 0)


# The size of the map


@pytest.mark.parametrize("size", [(0, 0), (0, 4), (-4, -4), (1e9, 1e9), (None, 4), ("x", "y")])
def test_unusable_size_is_taken_from_the_picture_or_refused(tmp_path: Path, size: Any):
    result = imported(tmp_path, uvtt(size=size))
    assert result.board.grid == GridSpec(columns=4, rows=4)
    assert "size is unusable" in result.report.warnings[0]
    with pytest.raises(FileProblem, match="must be typed in"):
        imported(tmp_path, uvtt(size=size, image=None))


def test_size_typed_in_by_the_gm_wins(tmp_path: Path):
    result = imported(tmp_path, uvtt(size=(0, 0), image=None), ImportOptions(size=(7, 3)))
    assert result.board.grid == GridSpec(columns=7, rows=3)


def test_size_in_strings_is_read(tmp_path: Path):
    assert imported(tmp_path, uvtt(size=("4", "6"))).board.grid == GridSpec(columns=4, rows=6)


@pytest.mark.parametrize(("side", "columns"), [(3.5, 4), (4.01, 4), (4.1, 5), (0.01, 1)])
def test_partial_squares_are_cells_but_slivers_are_not(tmp_path: Path, side: float, columns: int):
    result = imported(tmp_path, uvtt(size=(side, side)))
    assert result.board.grid == GridSpec(columns=columns, rows=columns)
    assert pixel_of(result, (side, side)) == pytest.approx((40, 40))


def test_map_without_resolution_is_measured_by_the_gm(tmp_path: Path):
    made = uvtt()
    del made["resolution"]
    with pytest.raises(FileProblem, match="gives no squares"):
        imported(tmp_path, made)
    assert imported(tmp_path, made, ImportOptions(size=(4, 4))).board.picture is not None


@pytest.mark.parametrize("told", [0.2, 0.3, 1.0, "0.2", "1.0", None, [], "x"])
def test_format_number_says_nothing(tmp_path: Path, told: Any):
    assert imported(tmp_path, uvtt(format=told)).report.warnings == ()


# Walls (C139)


def test_walls_keep_their_points_and_closed_ones_their_repetition(tmp_path: Path):
    ring = [(1, 1), (2, 1), (2, 2), (1, 1)]
    result = imported(tmp_path, uvtt(line_of_sight=[points(*ring)]))
    assert only_wall(result).points == tuple(ring)


def test_bad_walls_are_skipped_each_by_itself(tmp_path: Path):
    walls = [
        points((1, 1), (1, 2)),
        [],
        points((1, 1)),
        [{"x": 1, "y": None}, {"x": 2, "y": 2}],
        None,
        points((3, 3), (3, 3)),
        points((1, 2), (1, 1)),
        points((2, 3), (2, 3 + 1e-9), (3, 3)),
        [["0", "0"], [0, 1]],
    ]
    result = imported(tmp_path, uvtt(line_of_sight=walls))
    assert [w.points for w in result.board.walls.values()] == [
        ((1, 1), (1, 2)),
        ((2, 3), (3, 3)),
        ((0, 0), (0, 1)),
    ]
    assert result.report.skipped == (
        "made.dd2vtt: wall 2 has fewer than two points, skipped.",
        "made.dd2vtt: wall 3 has fewer than two points, skipped.",
        "made.dd2vtt: wall 4 has a point that is no point, skipped.",
        "made.dd2vtt: wall 5 has fewer than two points, skipped.",
        "made.dd2vtt: 2 wall segments had no length, left out.",
        "made.dd2vtt: 1 wall repeated another, left out.",
    )


@pytest.mark.parametrize("lines", [None, {}, "x", 3, [None], [[None]], [{}], [[[]]]])
def test_lists_of_the_wrong_type_are_empty(tmp_path: Path, lines: Any):
    made = uvtt(line_of_sight=lines, objects_line_of_sight=lines, portals=lines, lights=lines)
    board = imported(tmp_path, {**made, "environment": lines}).board
    assert (board.walls, board.lights) == (FrozenMap(), FrozenMap())


def test_many_faults_of_one_kind_are_counted(tmp_path: Path):
    result = imported(tmp_path, uvtt(portals=[{}] * 100))
    assert len(result.report.skipped) == 6
    assert result.report.skipped[-1].startswith("made.dd2vtt: 95 more portals skipped")


def test_single_segments_are_joined(tmp_path: Path):
    walls = [points((1, 1), (2, 1)), points((2, 1), (3, 1)), points((3, 1), (3, 2))]
    result = imported(tmp_path, uvtt(line_of_sight=walls))
    assert only_wall(result).points == ((1, 1), (2, 1), (3, 1), (3, 2))


def test_dense_walls_are_simplified_only_when_asked(tmp_path: Path):
    made = uvtt(line_of_sight=[points(*((n / 20, 1 + (n % 2) / 1000) for n in range(60)))])
    faithful = imported(tmp_path, made)
    assert len(only_wall(faithful).points) == 60
    assert [switch.option for switch in faithful.report.switches] == ["simplify"]
    asked = imported(tmp_path, made, ImportOptions(simplify=0.02))
    assert len(only_wall(asked).points) == 2


def test_many_segments_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reader, "MANY_SEGMENTS", 2)
    few, many = points((0, 0), (0, 1), (1, 1)), points((0, 0), (0, 1), (1, 1), (1, 0))
    assert imported(tmp_path, uvtt(line_of_sight=[few])).report.warnings == ()
    assert (
        "3 wall segments are many"
        in (imported(tmp_path, uvtt(line_of_sight=[many])).report.warnings[0])
    )


@pytest.mark.parametrize(
    ("key", "content", "noun"),
    [
        ("line_of_sight", [points(*[(0, 0)] * 102)], "wall segments"),
        ("objects_line_of_sight", [points((0, 0), (0, 1))] * 101, "wall segments"),
        ("portals", [{}] * 101, "portals"),
        ("lights", [{}] * 101, "lights"),
    ],
)
def test_masses_are_refused(
    tmp_path: Path, key: str, content: Any, noun: str, monkeypatch: pytest.MonkeyPatch
):
    for limit in ("MAX_SEGMENTS", "MAX_PORTALS", "MAX_LIGHTS"):
        monkeypatch.setattr(reader, limit, 100)
    with pytest.raises(FileProblem, match=f"has 101 {noun}; at most 100"):
        imported(tmp_path, uvtt(**{key: content}))


# Objects


def test_objects_stop_sight_past_them_and_nobodys_step(tmp_path: Path):
    made = uvtt(objects_line_of_sight=[points((1, 1), (2, 1), (2, 2))])
    wall = only_wall(imported(tmp_path, made))
    assert (wall.kind, wall.blocks_sight, wall.blocks_movement) == (WallKind.TERRAIN, True, False)
    assert wall.points == ((1, 1), (2, 1), (2, 2), (1, 1))


def test_objects_may_stop_sight_at_once_or_be_left_out(tmp_path: Path):
    made = uvtt(objects_line_of_sight=[points((1, 1), (2, 1), (2, 2))])
    plain = only_wall(imported(tmp_path, made, ImportOptions(objects=ObjectOutlines.SIGHT)))
    assert (plain.kind, plain.blocks_sight, plain.blocks_movement) == (WallKind.WALL, True, False)
    left_out = imported(tmp_path, made, ImportOptions(objects=ObjectOutlines.IGNORE))
    assert left_out.board.walls == FrozenMap()


# Portals


@pytest.mark.parametrize("closed", [True, [True], "true", None, 1])
def test_closed_portal_is_a_closed_door(tmp_path: Path, closed: Any):
    door = door_from(tmp_path, (1, 1), (1, 2), closed=closed)
    assert (door.kind, door.door) == (WallKind.DOOR, DoorState.CLOSED)
    assert door.points == ((1, 1), (1, 2))


@pytest.mark.parametrize("closed", [False, [False], "false", 0])
def test_open_portal_is_a_window_or_an_open_door_as_the_gm_says(tmp_path: Path, closed: Any):
    made = uvtt(portals=[portal((1, 1), (1, 2), closed=closed)])
    result = imported(tmp_path, made)
    window = only_wall(result)
    assert (window.kind, window.door) == (WallKind.WINDOW, None)
    assert (window.blocks_sight, window.blocks_movement) == (False, True)
    assert [switch.option for switch in result.report.switches] == ["open_portals_as_doors"]
    door = only_wall(imported(tmp_path, made, ImportOptions(open_portals_as_doors=True)))
    assert (door.kind, door.door) == (WallKind.DOOR, DoorState.OPEN)
    assert (door.blocks_sight, door.blocks_movement) == (True, True)


def test_missing_closed_means_a_door(tmp_path: Path):
    made = portal((1, 1), (1, 2))
    del made["closed"]
    assert only_wall(imported(tmp_path, uvtt(portals=[made]))).door is DoorState.CLOSED


def test_narrow_doors_may_be_windows(tmp_path: Path):
    made = uvtt(portals=[portal((1, 1), (1, 1.76)), portal((2, 1), (2, 2))])
    result = imported(tmp_path, made)
    assert (result.report.counts.doors, result.report.counts.windows) == (2, 0)
    assert [switch.option for switch in result.report.switches] == ["narrow_portals_as_windows"]
    asked = imported(tmp_path, made, ImportOptions(narrow_portals_as_windows=True))
    assert (asked.report.counts.doors, asked.report.counts.windows) == (1, 1)


@pytest.mark.parametrize("bounds", [None, [], [None, None], points((1, 1), (1, 1)), "x"])
def test_portal_without_bounds_stands_at_its_position_one_square_wide(tmp_path: Path, bounds: Any):
    door = door_from(
        tmp_path, (0, 0), (0, 0), bounds=bounds, position={"x": 1, "y": 1.5}, rotation=TURN
    )
    for got, wanted in zip(door.points, ((1, 1), (1, 2)), strict=True):
        assert got == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"bounds": None, "position": None}, "portal 1 has no bounds, skipped."),
        ({"bounds": None, "rotation": None}, "portal 1 has no bounds and no rotation, skipped."),
    ],
)
def test_portal_of_no_place_is_skipped(tmp_path: Path, changes: dict[str, Any], fault: str):
    result = imported(tmp_path, uvtt(portals=[portal((1, 1), (1, 2), **changes)]))
    assert result.report.skipped == (f"made.dd2vtt: {fault}",)
    assert result.board.walls == FrozenMap()


def test_portal_outside_the_map_is_left_out(tmp_path: Path):
    result = imported(tmp_path, uvtt(portals=[portal((9, 1), (9, 2))]))
    assert result.report.skipped == ("made.dd2vtt: 1 portal lay outside the map, left out.",)


def test_door_ends_meet_wall_ends_that_are_a_little_off(tmp_path: Path):
    walls = [((1, 0), (1, 0.98)), ((1.01, 2.02), (1, 4))]
    door = door_from(tmp_path, (1, 1), (1, 2), walls=walls)
    assert door.points == ((1, 0.98), (1.01, 2.02))


def test_wall_through_a_door_is_cut_and_meets_it(tmp_path: Path):
    made = uvtt(line_of_sight=[points((1.02, 0), (1.02, 4))], portals=[portal((1, 1), (1, 2))])
    result = imported(tmp_path, made)
    walls = result.board.walls
    assert walls["door-1"].points[0] == walls["wall-1"].points[-1]
    assert walls["door-1"].points[1] == walls["wall-2"].points[0]
    assert walls["wall-1"].points[0] == (1.02, 0)
    assert "1 wall ran through portals" in result.report.warnings[0]


def test_door_across_a_corridors_cell_moves_to_the_edge_and_a_window_stays(tmp_path: Path):
    corridor = [((0, 1), (4, 1)), ((0, 2), (4, 2))]
    door = door_from(tmp_path, (2.5, 1), (2.5, 2), walls=corridor)
    assert door.points == ((2, 1), (2, 2))
    window = door_from(tmp_path, (2.5, 1), (2.5, 2), walls=corridor, closed=False)
    assert window.points == ((2.5, 1), (2.5, 2))


# Lights and ambient light (C134, C136)


def test_light_is_taken_as_it_is(tmp_path: Path):
    (lamp,) = imported(tmp_path, uvtt(lights=[light(color="80aabbcc")])).board.lights.values()
    assert (lamp.position, lamp.dim, lamp.color) == ((2, 2), 3, "#aabbcc")
    assert (lamp.lit, lamp.casts_shadows) == (True, True)


@pytest.mark.parametrize("color", [None, "1234567", "", [], "nope"])
def test_unreadable_colour_is_white(tmp_path: Path, color: Any):
    (lamp,) = imported(tmp_path, uvtt(lights=[light(color=color)])).board.lights.values()
    assert lamp.color == "#ffffff"


def test_lights_keep_count_and_range_up_to_the_maps_diagonal(tmp_path: Path):
    made = uvtt(lights=[light(range=r) for r in (0.05, 3, 3, 1e6)])
    lamps = imported(tmp_path, made).board.lights.values()
    assert [lamp.dim for lamp in lamps] == [0.05, 3, 3, math.hypot(4, 4)]


@pytest.mark.parametrize("reach", [0, 0.000102, -3, None, "x"])
def test_light_without_a_range_is_skipped(tmp_path: Path, reach: Any):
    result = imported(tmp_path, uvtt(lights=[light(range=reach)]))
    assert result.report.skipped == ("made.dd2vtt: light 1 has no range, skipped.",)


def test_light_outside_stays_only_if_it_reaches_the_map(tmp_path: Path):
    result = imported(tmp_path, uvtt(lights=[light(-2, 2), light(-3, 2), light(2, 8)]))
    assert result.report.counts.lights == 1
    assert result.report.skipped == ("made.dd2vtt: 2 lights did not reach the map, left out.",)


@pytest.mark.parametrize(
    ("ambient", "lights", "offered", "light_taken"),
    [
        ("ffffffff", 1, False, Ambient.BRIGHT),
        ("ff6e6e6e", 1, True, Ambient.DIM),
        ("ff6e6e6e", 0, False, Ambient.DIM),
        ("ff101010", 1, True, Ambient.DARK),
        (None, 1, False, Ambient.BRIGHT),
    ],
)
def test_darkness_is_only_offered_and_only_where_there_are_lights(
    tmp_path: Path, ambient: Any, lights: int, offered: bool, light_taken: Ambient
):
    made = uvtt(
        lights=[light()] * lights,
        line_of_sight=[points((1, 1), (2, 2))],
        environment={"ambient_light": ambient, "baked_lighting": False},
    )
    result = imported(tmp_path, made)
    assert result.board.ambient is Ambient.BRIGHT
    assert any(s.option == "ambient_from_map" for s in result.report.switches) is offered
    asked = imported(tmp_path, made, ImportOptions(ambient_from_map=True))
    assert asked.board.ambient is light_taken


# Options for pictures


def test_grid_given_for_a_map_with_its_own_is_told_to_be_unused(tmp_path: Path):
    given = [{"cell_px": 33}, {"offset": (1, 0)}, {"grid": GridKind.HEX_FLAT}]
    for options in map(ImportOptions.model_validate, given):
        result = imported(tmp_path, uvtt(), options)
        assert "brings its own grid" in result.report.warnings[0]
        assert result.board == imported(tmp_path, uvtt()).board
