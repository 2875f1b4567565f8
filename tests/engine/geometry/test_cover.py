"""Cover: the hidden fraction, what is labelled on the line, and who stands there."""

from fractions import Fraction

import pytest

from engine.geometry.cover import Cover, CoverMode, covers
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.region import Region
from engine.model.space import Cell
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel, DoorState, OneSided, Wall


def cover(
    *walls: Wall,
    regions: tuple[Region, ...] = (),
    others: tuple[Cell, ...] = (),
    viewer: Cell = Cell(1, 5),  # noqa: B008  immutable
    target: Cell = Cell(8, 5),  # noqa: B008  immutable
    mode: CoverMode = CoverMode.SILHOUETTE,
) -> Cover:
    board = Board(
        grid=GridSpec(columns=12, rows=12),
        walls=FrozenMap({wall.id: wall for wall in walls}),
        regions=FrozenMap({region.id: region for region in regions}),
    )
    here = Encounter(ruleset="toy", board=board)
    tokens = [("v", viewer), ("t", target), *((f"o{i}", cell) for i, cell in enumerate(others))]
    for name, cell in tokens:
        here = here.with_token(Token(id=name, name=name, cell=cell))
    (found,) = covers(here, here.tokens["v"], [here.tokens["t"]], mode)
    return found


def wall(*points: tuple[float, float], **fields: object) -> Wall:
    return Wall(id="w", points=points, **fields)  # type: ignore[arg-type]  # by name


def obstacles(found: Cover) -> list[tuple[str | None, bool]]:
    (line,) = found.lines
    return [
        (each.wall_id or each.region_id or each.token_id, each.beside_viewer)
        for crossing in line.crossings
        for cell in crossing
        for each in cell
    ]


def test_an_open_field_hides_nothing() -> None:
    found = cover()
    assert found.hidden == 0
    assert obstacles(found) == []
    assert all(ray.clear for ray in found.evidence.rays)


def test_a_long_wall_hides_all_and_is_named() -> None:
    found = cover(wall((5, 0), (5, 12)))
    assert found.hidden == 1
    assert found.evidence.walls == ("w",)
    assert not any(ray.clear for ray in found.evidence.rays)


@pytest.mark.parametrize("mode", CoverMode)
def test_a_wall_up_to_the_middle_of_the_line_hides_half(mode: CoverMode) -> None:
    found = cover(wall((5, 0), (5, 5.5001)), mode=mode)
    expected = {"silhouette": 0.5, "center_line": 1, "best_corner": 0.1}[mode]
    assert float(found.hidden) == pytest.approx(expected, abs=0.12)


def test_a_wall_behind_the_target_or_open_never_counts() -> None:
    assert cover(wall((9.01, 0), (9.01, 12))).hidden == 0
    assert cover(wall((5, 0), (5, 12), door=DoorState.OPEN)).hidden == 0


def test_c173_a_low_wall_hides_the_lower_part() -> None:
    low = cover(wall((7.9, 0), (7.9, 12), top=0.5))
    assert float(low.hidden) == pytest.approx(0.5, abs=0.05)
    assert cover(wall((5, 0), (5, 12), top=0.2)).hidden < Fraction(1, 2)


@pytest.mark.parametrize(("side", "hidden"), [(OneSided.LEFT, 0), (OneSided.RIGHT, 1)])
def test_a_one_sided_wall_blocks_from_its_side_only(side: OneSided, hidden: int) -> None:
    # From (5, 0) down to (5, 12), y down: the viewer in the West stands on the right.
    found = cover(wall((5, 0), (5, 12), one_sided=side))
    assert found.hidden == hidden
    assert all(ray.clear == (hidden == 0) for ray in found.evidence.rays)


def test_a_terrain_wall_lets_sight_pass_once() -> None:
    once = {"kind": "terrain", "blocks_movement": False}
    first = wall((4, 0), (4, 12), **once)
    second = wall((6, 0), (6, 12), **once).changed(id="w2")
    assert cover(first).hidden == 0
    assert cover(first, second).hidden == 1


def test_a_labelled_wall_is_listed_and_known_to_be_beside_the_viewer() -> None:
    fence = {"blocks_sight": False, "cover": CoverLabel.HALF}
    assert obstacles(cover(wall((5, 0), (5, 12), **fence))) == [("w", False)]
    assert obstacles(cover(wall((2, 0), (2, 12), **fence))) == [("w", True)]


def test_regions_and_figures_on_the_line_are_listed_in_order() -> None:
    ring = ((3.0, 5.0), (4.0, 5.0), (4.0, 6.0), (3.0, 6.0))
    hedge = Region(id="hedge", rings=(ring,), cover=CoverLabel.THREE_QUARTER)
    found = cover(regions=(hedge,), others=(Cell(2, 5), Cell(6, 5), Cell(6, 6)))
    assert obstacles(found) == [("o0", True), ("hedge", False), ("o1", False)]


def test_a_line_through_a_corner_lists_both_cells() -> None:
    found = cover(viewer=Cell(1, 1), target=Cell(4, 4), others=(Cell(2, 1), Cell(3, 3)))
    (line,) = found.lines
    shapes = [tuple(len(cell) for cell in crossing) for crossing in line.crossings]
    assert (1,) in shapes
    assert any(sorted(shape) == [0, 1] for shape in shapes) or len(shapes) == 1
