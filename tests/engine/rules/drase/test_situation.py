"""Looks of many at once: the same as one by one, on maps of every kind."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model.encounter import Encounter
from engine.model.region import Region
from engine.model.space import GridKind
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel, OneSided, Wall, WallKind
from engine.rules.drase.cover import covers_between
from engine.rules.drase.data import book_of
from engine.rules.drase.situation import Situation, look, looks
from tests.helpers.drase import encounter, foe, square, token

ACROSS = 14
whole = st.integers(0, ACROSS).map(float)
loose = st.floats(0, ACROSS).map(lambda value: round(value, 2))
points = st.tuples(whole, whole) | st.tuples(loose, loose)
labels = st.sampled_from([CoverLabel.NONE] * 4 + list(CoverLabel))
KINDS = [WallKind.WALL] * 4 + [WallKind.TERRAIN, WallKind.EMBRASURE]


@st.composite
def drawn_walls(draw: st.DrawFn) -> list[Wall]:
    lines = draw(st.lists(st.lists(points, min_size=2, max_size=4, unique=True), max_size=20))
    return [
        Wall(
            id=f"w{number}",
            name=f"Wall {number}" if number % 2 else "",
            points=tuple(line),
            kind=draw(st.sampled_from(KINDS)),
            cover=draw(labels),
            top=draw(st.sampled_from([None, None, 0.5, 1.5])),
            one_sided=draw(st.sampled_from([None, None, *OneSided])),
        )
        for number, line in enumerate(lines)
    ]


@st.composite
def fields(draw: st.DrawFn) -> Encounter:
    kind = draw(st.sampled_from(GridKind))
    cell = st.tuples(st.integers(4, 9), st.integers(1, 7))
    tokens = [
        (foe if number % 3 else token)(
            f"T{number}",
            *draw(cell),
            footprint=draw(st.sampled_from(["1", "1", "2", "3"])),
            elevation=draw(st.sampled_from([0.0, 0.0, 2.0])),
            height=draw(st.sampled_from([0.5, 1.0, 2.0])),
        )
        for number in range(6)
    ]
    spots = draw(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), labels), max_size=3))
    regions = [
        Region(id=f"r{number}", rings=square(x, y, 2, 1), cover=label, ground=number % 2 or None)
        for number, (x, y, label) in enumerate(spots)
    ]
    mode = draw(st.sampled_from(["silhouette", "silhouette", "center_line", "best_corner"]))
    return encounter(
        *tokens,
        walls=draw(drawn_walls()),
        regions=regions,
        size=ACROSS,
        grid=kind,
        cover_trace=mode,
    )


def told(found: Situation) -> tuple[object, ...]:
    covers = [(each.grade, each.words, each.evidence) for each in found.covers]
    return found.distance, found.drop, covers, found.here, found.there, found.between


@settings(max_examples=40, deadline=None)
@given(fields(), st.booleans())
def test_many_looks_at_once_find_what_each_finds_alone(here: Encounter, ranged: bool):
    book, tokens = book_of(here), tuple(here.tokens.values())
    pairs = [(one, other) for one in tokens for other in tokens if one is not other]
    together = looks(here, book, pairs, ranged)
    # What is remembered is told apart by the map: of another one with the same tokens it is new.
    fresh = here.changed(tokens=FrozenMap(dict(here.tokens)))
    for (one, other), found in zip(pairs, together, strict=True):
        assert told(look(fresh, book, one, other, ranged)) == told(found)


@pytest.mark.parametrize("mode", ["silhouette", "center_line", "best_corner"])
def test_a_look_around_at_a_crowd_grades_each_like_a_look_at_it_alone(mode: str):
    crowd = [foe(f"Orc{n}", 4 + n % 9 * 2, 2 + n // 9 * 5) for n in range(36)]
    walls = [Wall(id=str(n), points=((3.4 + n, n % 7), (4.1 + n, n % 7 + 2.3))) for n in range(20)]
    here = encounter(token("Arn", 1, 9), *crowd, walls=walls, cover_trace=mode)
    book, arn = book_of(here), here.token("arn")
    around = covers_between(here, book, [(arn, each) for each in crowd], True)
    for each, found in zip(crowd, around, strict=True):
        (alone,) = covers_between(here, book, [(arn, each)], True)
        assert [cover.grade for cover in found] == [cover.grade for cover in alone]


def test_a_wall_that_goes_on_beyond_the_archers_border_is_named_as_it_is_called():
    bent = Wall(id="w", name="Keep", points=((6, 5.8), (6, 6), (9, 6), (9, 5.4)))
    here = encounter(token("Arn", 5, 5), foe("Orc", 12, 5), walls=[bent])
    (found,) = look(here, book_of(here), here.token("arn"), here.token("orc"), True).covers
    assert found.words.gm.startswith("Keep, ")
    assert found.evidence is not None
    assert found.evidence.walls == ("w",)
