"""Doors and windows meet the walls exactly."""

from engine.formats.portals import Portal, cut, moved_to_edge, segments_of, snapped
from engine.model.space import Point


def door(a: Point, b: Point):
    return Portal(1, a, b, closed=True)


CORRIDOR = [[(0.0, 2.0), (9.0, 2.0)], [(0.0, 3.0), (9.0, 3.0)]]


def test_end_near_a_walls_end_meets_it():
    walls = [[(0, 0), (1, 0)], [(2, 0), (3, 0)]]
    moved = snapped([door((1.02, 0.01), (1.98, 0.0))], walls)
    assert (moved[0].a, moved[0].b) == ((1, 0), (2, 0))


def test_end_far_from_a_wall_stays():
    portal = door((1.05, 0.0), (2.0, 0.05))
    assert snapped([portal], [[(0, 0), (1, 0)]]) == [portal]


def test_wall_through_a_door_gets_a_gap_of_the_doors_width():
    walls, touched = cut([[(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)]], [door((3.0, 0.0), (2.0, 0.0))])
    assert walls == [[(0.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (5.0, 0.0), (5.0, 5.0)]]
    assert touched == 1


def test_two_doors_in_one_wall_leave_three_parts():
    doors = [door((1.0, 0.0), (2.0, 0.0)), door((3.0, 0.0), (4.0, 0.0))]
    walls, _ = cut([[(0.0, 0.0), (5.0, 0.0)]], doors)
    assert walls == [[(0, 0), (1, 0)], [(2, 0), (3, 0)], [(4, 0), (5, 0)]]


def test_doors_that_overlap_leave_one_gap():
    doors = [door((1.0, 0.0), (2.0, 0.0)), door((1.5, 0.0), (2.5, 0.0))]
    walls, _ = cut([[(0.0, 0.0), (5.0, 0.0)]], doors)
    assert walls == [[(0, 0), (1, 0)], [(2.5, 0), (5, 0)]]


def test_wall_that_ends_within_the_door_is_shortened():
    walls, _ = cut([[(0.0, 0.0), (2.5, 0.0)]], [door((2.0, 0.0), (3.0, 0.0))])
    assert walls == [[(0.0, 0.0), (2.0, 0.0)]]


def test_wall_inside_the_door_vanishes():
    assert cut([[(0.2, 0.0), (0.8, 0.0)]], [door((0.0, 0.0), (1.0, 0.0))]) == ([], 1)


def test_wall_of_several_segments_through_a_door_loses_them():
    wall = [(0.0, 0.0), (2.2, 0.0), (2.6, 0.0), (5.0, 0.0)]
    walls, _ = cut([wall], [door((2.0, 0.0), (3.0, 0.0))])
    assert walls == [[(0.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (5.0, 0.0)]]


def test_walls_that_cross_touch_or_run_beside_a_door_stay():
    walls = [
        [(2.5, -1.0), (2.5, 1.0)],
        [(0.0, 0.0), (2.0, 0.0)],
        [(3.0, 0.0), (3.0, 4.0)],
        [(0.0, 0.05), (5.0, 0.05)],
    ]
    assert cut(walls, [door((2.0, 0.0), (3.0, 0.0))]) == (walls, 0)


def test_door_across_a_cell_of_a_corridor_moves_to_its_edge():
    moved = moved_to_edge(door((4.5, 2.0), (4.5, 3.0)), segments_of(CORRIDOR))
    assert moved is not None
    assert (moved.a, moved.b) == ((4.0, 2.0), (4.0, 3.0))


def test_door_between_corridor_and_room_moves_into_the_rooms_wall():
    walls = [
        [(0.0, 2.0), (5.0, 2.0), (5.0, 0.0)],
        [(0.0, 3.0), (5.0, 3.0), (5.0, 5.0)],
    ]
    moved = moved_to_edge(door((4.5, 2.0), (4.5, 3.0)), segments_of(walls))
    assert moved is not None
    assert (moved.a, moved.b) == ((5.0, 2.0), (5.0, 3.0))


def test_door_across_a_cell_of_a_vertical_corridor_moves_too():
    walls = [[(y, x) for x, y in line] for line in CORRIDOR]
    moved = moved_to_edge(door((3.0, 4.5), (2.0, 4.5)), segments_of(walls))
    assert moved is not None
    assert (moved.a, moved.b) == ((3.0, 4.0), (2.0, 4.0))


def test_moved_door_meets_walls_that_stand_a_little_off():
    walls = [[(0.0, 2.01), (9.0, 2.01)], [(0.0, 2.99), (9.0, 2.99)]]
    moved = moved_to_edge(door((4.5, 2.0), (4.5, 3.0)), segments_of(walls))
    assert moved is not None
    assert (moved.a, moved.b) == ((4.0, 2.01), (4.0, 2.99))


def test_door_that_would_leave_a_gap_stays():
    in_a_wall = [[(4.5, 0.0), (4.5, 2.0)], [(4.5, 3.0), (4.5, 9.0)]]
    short = [[(4.3, 2.0), (4.7, 2.0)], [(4.3, 3.0), (4.7, 3.0)]]
    broken = [[(3.0, 2.0), (4.1, 2.0)], [(3.0, 3.0), (4.1, 3.0)]]
    for walls in (in_a_wall, short, broken, []):
        assert moved_to_edge(door((4.5, 2.0), (4.5, 3.0)), segments_of(walls)) is None


def test_doors_on_edges_or_askew_or_over_two_cells_stay():
    for a, b in (
        ((4.0, 2.0), (4.0, 3.0)),
        ((4.5, 2.0), (4.8, 3.0)),
        ((4.5, 2.5), (4.5, 3.5)),
        ((4.5, 1.0), (4.5, 3.0)),
    ):
        assert moved_to_edge(door(a, b), segments_of(CORRIDOR)) is None
