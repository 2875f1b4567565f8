"""Parts of walls, what is remembered of them, and what they look like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.commands.board import PutWalls
from engine.commands.tokens import PlaceToken
from engine.geometry.memory import look_of_wall
from engine.geometry.parts import LONGEST, count_parts, lay_parts, lines_of
from engine.model.encounter import Encounter
from engine.model.space import Cell
from engine.model.wall import CoverLabel, DoorState, Durability, OneSided, Wall, WallKind
from tests.helpers.scenes import begun, done, door, hero, scene, seen, wall

spots = st.tuples(st.integers(0, 40).map(lambda n: n / 8), st.integers(0, 40).map(lambda n: n / 8))
polylines = st.lists(spots, min_size=2, max_size=5).map(lambda ps: wall("w", *ps))


@given(polylines)
def test_parts_are_short_and_follow_one_another(line: Wall) -> None:
    parts = lay_parts({"w": line})
    assert len(parts.number) == count_parts(line)
    assert (abs(parts.end - parts.start) ** 2).sum(axis=1).max() <= LONGEST**2 + 1e-9
    assert abs(parts.end[:-1] - parts.start[1:]).max(initial=0) < 1e-12


@given(polylines)
def test_all_parts_together_are_the_wall(line: Wall) -> None:
    assert lines_of(line, (1 << count_parts(line)) - 1) == (line.points,)
    assert lines_of(line, 0) == ()


@given(polylines, st.integers(0, 2**40))
def test_known_pieces_are_as_long_as_their_parts(line: Wall, drawn: int) -> None:
    bits = drawn % (1 << count_parts(line))
    parts = lay_parts({"w": line})
    lengths = ((parts.end - parts.start) ** 2).sum(axis=1) ** 0.5
    pieces = lay_parts({str(n): wall(str(n), *ps) for n, ps in enumerate(lines_of(line, bits))})
    drawn_length = ((pieces.end - pieces.start) ** 2).sum(axis=1) ** 0.5
    assert drawn_length.sum() == pytest.approx(lengths[parts.flags("w", bits)].sum())


def test_bits_of_a_wall_that_has_become_shorter_are_cut() -> None:
    assert lay_parts({"w": wall("w", (0, 0), (1, 0))}).flags("w", 0b1111).tolist() == [True, True]


@pytest.mark.parametrize(
    "hidden",
    [
        {"name": "Vault"},
        {"cover": CoverLabel.HALF},
        {"one_sided": OneSided.LEFT},
        {"blocks_movement": False},
        {"durability": Durability(hp=3, hp_max=9)},
        {"kind": WallKind.SECRET_DOOR, "door": DoorState.LOCKED},
    ],
)
def test_a_look_tells_no_more_than_eyes_do(hidden: dict[str, object]) -> None:
    plain = wall("w", (0, 0), (1, 0))
    assert look_of_wall(plain) is plain
    assert look_of_wall(wall("w", (0, 0), (1, 0), **hidden)) == plain


def test_a_breach_is_seen() -> None:
    look = look_of_wall(wall("w", (0, 0), (1, 0), durability=Durability(hp=-2, hp_max=30)))
    assert look is not None
    assert look.is_open


def screened(*things: Wall) -> Encounter:
    """Return a board on which Ann has seen everything and went behind a screen at x = 2."""
    field = scene(wall("screen", (2, 0), (2, 6)), *things, hero("ann", 4, 2))
    return done(begun(field), PlaceToken(token_id="ann", cell=Cell(0, 2)))


def back(encounter: Encounter) -> Encounter:
    return done(encounter, PlaceToken(token_id="ann", cell=Cell(4, 2)))


def test_a_wall_that_moved_out_of_sight_is_found_where_it_is_now() -> None:
    away = screened(wall("w", (6, 1), (8, 1)))
    moved = done(away, PutWalls(walls=(wall("w", (6, 3), (8, 3)),)))
    assert seen(moved).walls["w"].points == ((6, 1), (8, 1))
    assert seen(back(moved)).walls["w"].points == ((6, 3), (8, 3))


def test_a_wall_that_moved_away_for_good_is_forgotten_when_its_place_is_seen() -> None:
    box = wall("box", (7, 3), (9, 3), (9, 5), (7, 5), (7, 3))
    moved = done(
        screened(wall("w", (6, 1), (8, 1)), box), PutWalls(walls=(wall("w", (8, 3.5), (8, 4.5)),))
    )
    assert "w" in seen(moved).walls
    assert "w" not in seen(back(moved)).walls


def test_a_wall_that_grew_keeps_what_was_known_of_it() -> None:
    away = screened(wall("w", (6, 1), (8, 1)))
    grown = done(
        away, PutWalls(walls=(wall("w", (6, 1), (9, 1)), wall("veil", (5, 0.2), (9, 0.2))))
    )
    assert seen(back(grown)).walls["w"].points == ((6, 1), (9, 1))


def test_a_wall_that_cannot_be_seen_any_more_is_forgotten_in_sight() -> None:
    field = begun(scene(wall("w", (6, 1), (8, 1)), hero("ann", 4, 2)))
    ghost = done(field, PutWalls(walls=(wall("w", (6, 1), (8, 1), blocks_sight=False),)))
    assert "w" not in seen(ghost).walls


def test_a_door_is_seen_whole_or_not_at_all() -> None:
    slit = scene(
        wall("a", (3, 0), (3, 2)),
        wall("b", (3, 2.2), (3, 6)),
        door("d", (6, 1), (6, 5)),
        hero("ann", 1, 1),
    )
    assert seen(begun(slit)).walls["d"].points == ((6, 1), (6, 5))


def test_a_part_that_goes_through_another_wall_is_not_known() -> None:
    field = scene(
        wall("screen", (5, 0), (5, 6)), wall("w", (4.25, 3), (5.75, 3)), hero("ann", 1, 1)
    )
    assert seen(begun(field)).walls["w"].points == ((4.25, 3), (4.75, 3))


@given(st.lists(st.tuples(st.floats(0, 40), st.floats(0, 40)), min_size=2, max_size=9))
def test_laid_parts_are_as_many_as_are_counted_also_at_the_edge(points: list[tuple[float, float]]):
    x, y = points[0]
    exact = [(x + n * LONGEST, y) for n in range(1, 5)]
    line = wall("w", *points, *exact)
    assert len(lay_parts({"w": line}).owner) == count_parts(line)
