"""Movement by name: the examples of the rulebooks and the known traps."""

from itertools import pairwise
from math import hypot
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.measure import ruler
from engine.geometry.movement import (
    Reach,
    alternatives,
    best_path,
    reach,
    step_field,
    straight_path,
    walk,
)
from engine.geometry.stepfield import StepField, layout_of
from engine.geometry.stride import (
    Ahead,
    Charge,
    Combine,
    CornerCut,
    Diagonal,
    FacingRules,
    Share,
    Stand,
    Stride,
)
from engine.grid.footprint import footprint_named
from engine.grid.grid import Grid, grid_of
from engine.model.refusal import Rejected
from engine.model.space import Cell, GridKind

SQUARE = grid_of(GridKind.SQUARE, 21, 21)
HEXES = [grid_of(kind, 21, 21) for kind in (GridKind.HEX_POINTY, GridKind.HEX_FLAT)]
MIDDLE = Cell(10, 10)
OPEN = step_field(SQUARE)


def stride(size: str = "1", kind: GridKind = GridKind.SQUARE, **rules: Any) -> Stride:
    return Stride(footprint_named(kind, size), **rules)


def cost_to(dx: int, dy: int, budget: float, rules: Stride) -> float | None:
    return reach(OPEN, rules, Stand(MIDDLE), budget).cost_to(Cell(10 + dx, 10 + dy))


@pytest.mark.parametrize(
    ("rule", "costs"),
    [
        (Diagonal.ALTERNATING, [1, 3, 4, 6, 7, 9]),
        (Diagonal.ALWAYS_DOUBLE, [2, 4, 6, 8, 10, 12]),
    ],
)
def test_d1_d2_diagonals_one_after_the_other(rule: Diagonal, costs: list[int]):
    path = walk(
        OPEN, stride(diagonal=rule), Stand(MIDDLE), [Cell(10 + n, 10 - n) for n in range(1, 7)]
    )
    running = np.cumsum([step.cost for step in path.steps]).tolist()
    assert running == costs


@pytest.mark.parametrize(
    ("rules", "cost"),
    [
        ({}, 4),
        ({"reset_on_orthogonal": True}, 3),
        ({"diagonal": Diagonal.ALWAYS_DOUBLE}, 5),
    ],
)
def test_d3_diagonal_orthogonal_diagonal(rules: dict, cost: int):
    way = [Cell(11, 11), Cell(12, 11), Cell(13, 12)]
    assert walk(OPEN, stride(**rules), Stand(MIDDLE), way).cost == cost
    assert reach(OPEN, stride(**rules), Stand(MIDDLE), 9).cost_to(Cell(13, 12)) == cost


@pytest.mark.parametrize(
    ("combine", "cost"), [(Combine.ADD, 5), (Combine.MULTIPLY, 6), (Combine.MAX, 4)]
)
def test_d5_two_diagonals_into_difficult_cells(combine: Combine, cost: int):
    field = step_field(SQUARE, rough={Cell(11, 11): 2, Cell(12, 12): 2})
    path = walk(field, stride(combine=combine), Stand(MIDDLE), [Cell(11, 11), Cell(12, 12)])
    assert path.cost == cost


@pytest.mark.parametrize(
    ("speed", "offset", "alternating", "circle"),
    [
        (6, (4, 4), 6, 5.657),
        (6, (5, 3), 6, 5.831),
        (6, (5, 4), None, None),
        (6, (6, 0), 6, 6),
        (7, (5, 5), 7, None),
    ],
)
def test_d6_d7_targets_by_alternation_and_by_circle(
    speed: int, offset: tuple[int, int], alternating: int | None, circle: float | None
):
    assert cost_to(*offset, speed, stride()) == alternating
    found = cost_to(*offset, speed, stride(diagonal=Diagonal.CIRCULAR))
    assert found == (circle if circle is None else pytest.approx(circle, abs=5e-4))


def test_c40_parity_lasts_over_waypoints():
    stops = [Cell(11, 11), Cell(12, 10), Cell(13, 11), Cell(14, 12), Cell(15, 11)]
    path = best_path(OPEN, stride(), Stand(MIDDLE), Cell(16, 10), via=stops)
    assert path is not None
    assert 1.5 * path.cost == 13.5


def test_c40_parity_lasts_from_one_move_of_the_turn_to_the_next():
    first = walk(OPEN, stride(), Stand(MIDDLE), [Cell(11, 11)])
    second = walk(OPEN, stride(), first.end, [Cell(12, 12)])
    assert (first.cost, second.cost) == (1, 2)
    assert reach(OPEN, stride(), first.end, 1).cost_to(Cell(12, 12)) is None


def test_c41_the_fourth_diagonal_is_out_of_reach_everywhere():
    far = Cell(14, 14)
    assert reach(OPEN, stride(), Stand(MIDDLE), 5).cost_to(far) is None
    assert best_path(OPEN, stride(), Stand(MIDDLE), far, budget=5) is None
    via = [Cell(11, 11), Cell(12, 12), Cell(13, 13)]
    assert best_path(OPEN, stride(), Stand(MIDDLE), far, via=via, budget=5) is None
    assert walk(OPEN, stride(), Stand(MIDDLE), [*via, far]).cost == 6


def test_an_odd_parity_may_be_worth_more_than_an_even_one():
    # With multiplied ground the first diagonal should be spent before the mud, not in it.
    field = step_field(
        SQUARE, rough={Cell(12, 12): 3}, passable={Cell(12, 11): False, Cell(11, 12): False}
    )
    rules = stride(combine=Combine.MULTIPLY, corner_cut=CornerCut.FREE)
    odd = walk(field, rules, Stand(Cell(11, 11), parity=1), [Cell(12, 12)])
    even = walk(field, rules, Stand(Cell(11, 11), parity=0), [Cell(12, 12)])
    assert (even.cost, odd.cost) == (3, 6)


@pytest.mark.parametrize("size", ["1", "2", "3", "4"])
def test_c49_c50_a_figure_pays_for_no_cell_that_it_already_covers(size: str):
    own = footprint_named(GridKind.SQUARE, size).cells_at(SQUARE, MIDDLE, 0)
    field = step_field(SQUARE, rough=dict.fromkeys(own, 2))
    for x, y in ((11, 10), (9, 10), (10, 11), (10, 9)):
        assert reach(field, stride(size), Stand(MIDDLE), 9).cost_to(Cell(x, y)) == 1


def mirrored(costs: np.ndarray) -> list[np.ndarray]:
    turned = [np.rot90(costs, times) for times in range(4)]
    return turned + [part.T for part in turned]


@pytest.mark.parametrize("rule", Diagonal)
@pytest.mark.parametrize("combine", Combine)
def test_c52_cost_through_a_region_is_the_same_along_every_axis(rule: Diagonal, combine: Combine):
    rng = np.random.default_rng(5)
    rough = np.where(rng.random((21, 21)) < 0.3, 2, 1)
    rules = stride(diagonal=rule, combine=combine)
    costs = reach(step_field(SQUARE, rough=rough), rules, Stand(MIDDLE), 10).costs
    for turned, expected in zip(mirrored(rough), mirrored(costs), strict=True):
        found = reach(step_field(SQUARE, rough=turned), rules, Stand(MIDDLE), 10).costs
        assert found == pytest.approx(expected)


def test_c53_a_range_ignores_the_mud_that_a_move_pays_for():
    field = step_field(SQUARE, rough={Cell(11, 10): 2}, names={Cell(11, 10): "mud"})
    assert ruler(SQUARE, [MIDDLE, Cell(12, 10)], Diagonal.ALTERNATING).total == 2
    path = walk(field, stride(), Stand(MIDDLE), [Cell(11, 10), Cell(12, 10)])
    assert path.cost == 3
    assert path.steps[0].reasons == ("mud +1",)


@pytest.mark.parametrize(
    ("cut", "one", "two"),
    [(CornerCut.ONE_OPEN, 1, 4), (CornerCut.BOTH_OPEN, 2, 6), (CornerCut.FREE, 1, 1)],
)
def test_corners_beside_one_and_two_closed_cells(cut: CornerCut, one: int, two: int):
    sides = [Cell(11, 10), Cell(10, 11)]
    for closed, cost in ((sides[:1], one), (sides, two)):
        field = step_field(SQUARE, passable=dict.fromkeys(closed, False))
        found = reach(field, stride(corner_cut=cut), Stand(MIDDLE), 9)
        assert found.cost_to(Cell(11, 11)) == cost


def test_a_large_figure_asks_for_the_corner_at_its_leading_cell():
    # The lower right cell of the 2 x 2 figure goes between two closed cells.
    field = step_field(SQUARE, passable={Cell(12, 11): False, Cell(11, 12): False})
    assert straight_cost(field, "2", Cell(11, 11)) is None
    assert straight_cost(field, "1", Cell(11, 11)) == 1


def straight_cost(field: StepField, size: str, target: Cell) -> float | None:
    try:
        return walk(field, stride(size), Stand(MIDDLE), [target]).cost
    except Rejected:
        return None


@pytest.mark.parametrize(("share", "cost"), [(Share.ANY, 2), (Share.MAJORITY, 1), (Share.ALL, 1)])
def test_half_of_the_entered_cells_is_no_majority(share: Share, cost: int):
    field = step_field(SQUARE, rough={Cell(12, 10): 2})
    assert reach(field, stride("2", share=share), Stand(MIDDLE), 9).cost_to(Cell(11, 10)) == cost


def test_ground_paid_on_leaving():
    field = step_field(SQUARE, rough={MIDDLE: 3})
    leaving = stride(charge=Charge.LEAVING)
    assert reach(field, leaving, Stand(MIDDLE), 9).cost_to(Cell(11, 10)) == 3
    assert reach(field, leaving, Stand(Cell(11, 10)), 9).cost_to(MIDDLE) == 1


def test_a_wall_may_not_cut_through_a_large_figure():
    # A wall lies lengthwise between rows 10 and 11 from column 12 on.
    def walled(cell: Cell, number: int) -> bool:
        down = number == 2 and cell.y == 10
        return cell.x >= 12 and (down or (number == 6 and cell.y == 11))

    field = step_field(SQUARE, blocked=walled)
    with pytest.raises(Rejected, match="cut through"):
        walk(field, stride("2"), Stand(MIDDLE), [Cell(11, 10)])
    assert walk(field, stride("1"), Stand(MIDDLE), [Cell(11, 10), Cell(12, 10)]).cost == 2


def test_whoever_enters_a_zone_must_stop_but_may_leave_it_at_first():
    halts = {Cell(12, y): True for y in range(21)}
    field = step_field(SQUARE, halts=halts)
    found = reach(field, stride(), Stand(MIDDLE), 9)
    assert found.cost_to(Cell(12, 10)) == 2
    assert found.cost_to(Cell(13, 10)) is None
    inside = reach(field, stride(), Stand(Cell(12, 10)), 9)
    assert inside.cost_to(Cell(14, 10)) == 2
    assert inside.cost_to(Cell(12, 12)) == 3
    path = best_path(field, stride(), Stand(MIDDLE), Cell(12, 10))
    assert path is not None
    assert path.halted
    with pytest.raises(Rejected, match="stops"):
        walk(field, stride(), Stand(MIDDLE), [Cell(11, 10), Cell(12, 10), Cell(13, 10)])


def test_friends_may_be_passed_but_nobody_ends_on_them():
    field = step_field(SQUARE, may_end={Cell(11, 10): False})
    found = reach(field, stride(), Stand(MIDDLE), 9)
    assert found.cost_to(Cell(11, 10)) is None
    assert found.cost_through(Cell(11, 10)) == 1
    assert found.cost_to(Cell(12, 10)) == 2
    assert best_path(field, stride(), Stand(MIDDLE), Cell(11, 10)) is None
    with pytest.raises(Rejected, match="end there"):
        walk(field, stride(), Stand(MIDDLE), [Cell(11, 10)])


def test_climbs_cost_by_table_and_may_be_too_high():
    def climb(rise: float) -> int | None:
        return None if rise > 2 else 2 * int(max(rise, 0))

    field = step_field(SQUARE, ground={Cell(11, 10): 1.0, Cell(9, 10): 3.0})
    rules = stride(climb=climb)
    up = walk(field, rules, Stand(MIDDLE), [Cell(11, 10)])
    assert (up.cost, up.steps[0].reasons) == (3, ("climb +2",))
    assert walk(field, rules, Stand(Cell(11, 10)), [MIDDLE]).cost == 1
    with pytest.raises(Rejected, match="climb of 3 cells"):
        walk(field, rules, Stand(MIDDLE), [Cell(9, 10)])


def test_reasons_name_what_each_step_costs():
    field = step_field(
        SQUARE,
        rough={Cell(12, 12): 2},
        surcharge={Cell(12, 12): 1},
        names={Cell(12, 12): "mud"},
        zones={Cell(12, 12): "the ogre's reach"},
    )
    path = walk(
        field, stride(combine=Combine.MULTIPLY), Stand(MIDDLE), [Cell(11, 11), Cell(12, 12)]
    )
    assert path.steps[0].reasons == ()
    assert path.steps[1].reasons == ("second diagonal 2", "mud ×2", "the ogre's reach +1")
    assert path.steps[1].cost == 5


def test_alternatives_go_around_what_makes_the_best_way_dear():
    mud = {Cell(12, y): 2 for y in range(8, 14)}
    field = step_field(SQUARE, rough=mud)
    best, around = alternatives(field, stride(), Stand(MIDDLE), Cell(14, 10))
    assert (best.cost, best.avoids) == (5, "")
    assert around.avoids == "difficult ground"
    assert around.cost > best.cost
    assert not set(around.cells) & set(mud)
    assert len(alternatives(OPEN, stride(), Stand(MIDDLE), Cell(14, 10))) == 1


def test_an_alternative_may_cut_a_corner_of_what_it_avoids():
    mud = {Cell(11, y): 2 for y in range(1, 21)}
    field = step_field(SQUARE, rough={**mud, Cell(11, 0): 1}, passable={Cell(10, 0): False})
    _, around = alternatives(field, stride(), Stand(Cell(10, 1)), Cell(12, 1))
    assert around.cells == (Cell(10, 1), Cell(11, 0), Cell(12, 1))


def test_equal_paths_keep_to_the_straight_line():
    path = best_path(OPEN, stride(), Stand(Cell(2, 10)), Cell(18, 10))
    assert path is not None
    assert {cell.y for cell in path.cells} == {10}


def test_a_path_out_of_the_first_window_is_found_and_is_the_cheapest():
    big = grid_of(GridKind.SQUARE, 80, 80)
    wall = {Cell(40, y): False for y in range(79)}
    field = step_field(big, passable=wall)
    path = best_path(field, stride(diagonal=Diagonal.CHEBYSHEV), Stand(Cell(39, 5)), Cell(41, 5))
    assert path is not None
    assert path.cost == 2 * 73 + 2


@pytest.mark.parametrize("target", [Cell(15, 10), Cell(99, 99), Cell(-1, 0)])
def test_there_is_no_way_into_the_closed_or_off_the_board(target: Cell):
    field = step_field(SQUARE, passable={Cell(15, 10): False})
    assert best_path(field, stride(), Stand(MIDDLE), target) is None


def test_nobody_starts_off_the_board():
    for ask in (
        lambda: reach(OPEN, stride(), Stand(Cell(-1, 0)), 3),
        lambda: best_path(OPEN, stride(), Stand(Cell(0, 21)), MIDDLE),
        lambda: walk(OPEN, stride(), Stand(Cell(-1, 0)), [Cell(0, 0)]),
    ):
        with pytest.raises(Rejected, match="outside the board"):
            ask()


@pytest.mark.parametrize("budget", [0, -3])
def test_without_a_budget_one_stays(budget: int):
    assert reach(OPEN, stride(), Stand(MIDDLE), budget).cells() == {MIDDLE: 0}


def test_a_figure_larger_than_the_board_stays_where_it_is():
    tiny = grid_of(GridKind.SQUARE, 3, 3)
    for rule in Diagonal:
        rules = stride("7", diagonal=rule)
        found = reach(step_field(tiny), rules, Stand(Cell(0, 0)), 1_000_000_000)
        assert found.cells() == {Cell(0, 0): 0}


def test_a_step_to_somewhere_else_than_a_neighbour_is_refused():
    with pytest.raises(Rejected, match="not neighbours"):
        walk(OPEN, stride(), Stand(MIDDLE), [Cell(12, 10)])


@pytest.mark.parametrize("grid", HEXES, ids=lambda grid: grid.kind)
@given(dx=st.integers(-8, 8), dy=st.integers(-8, 8), rule=st.sampled_from(Diagonal))
def test_c46_hexes_cost_their_cube_distance_under_every_rule(
    grid: Grid, dx: int, dy: int, rule: Diagonal
):
    start, target = Cell(6, 9), Cell(6 + dx, 9 + dy)
    if not (grid.contains(start) and grid.contains(target)):
        return
    field, rules = step_field(grid), stride(kind=grid.kind, diagonal=rule)
    path = best_path(field, rules, Stand(start), target)
    assert path is not None
    assert path.cost == grid.distance(start, target) == len(path.steps)
    assert all(grid.step_between(a, b) for a, b in pairwise(path.cells))


@pytest.mark.parametrize("grid", HEXES, ids=lambda grid: grid.kind)
def test_turning_costs_movement(grid: Grid):
    start = Stand(Cell(6, 9), grid.directions[0].facing)
    rules = stride(kind=grid.kind, facing=FacingRules(Ahead.STRAIGHT))
    behind = grid.translate(start.cell, 3)
    path = best_path(step_field(grid), rules, start, behind)
    assert path is not None
    assert path.cost == 4
    assert [step.reasons for step in path.steps] == [("turn",)] * 3 + [()]
    assert path.end.facing == grid.directions[3].facing
    assert path.cells == (start.cell, behind)


@pytest.mark.parametrize("grid", HEXES, ids=lambda grid: grid.kind)
def test_dragonquest_1_4_a_long_figure_needs_room_to_turn(grid: Grid):
    start = Stand(Cell(6, 9), grid.directions[0].facing)
    rules = stride("2", kind=grid.kind, facing=FacingRules(Ahead.STRAIGHT))
    tail = grid.translate(start.cell, 3)
    beside = [grid.translate(start.cell, number) for number in (2, 4)]
    closed = step_field(grid, passable=dict.fromkeys(beside, False))
    ahead = [grid.translate(start.cell, 0, count) for count in range(4)]
    # One step on there is room to turn by a hexside and to step again.
    aside = [grid.translate(ahead[1], number) for number in (1, 5)]
    assert set(reach(closed, rules, start, 3).cells()) == {*ahead, *aside}
    assert tail not in reach(closed, rules, start, 3).cells()


@pytest.mark.parametrize("grid", HEXES, ids=lambda grid: grid.kind)
def test_one_free_turn_per_hex_entered(grid: Grid):
    start = Stand(Cell(6, 9), grid.directions[0].facing)
    rules = stride(kind=grid.kind, facing=FacingRules(Ahead.STRAIGHT, turn_cost=None, free_turns=1))
    found = reach(step_field(grid), rules, start, 2).cells()
    one = grid.translate(start.cell, 0)
    expected = {start.cell, one} | {grid.translate(one, number) for number in (5, 0, 1)}
    assert set(found) == expected


def test_facing_costs_nothing_on_squares():
    with pytest.raises(ValueError, match="hexes only"):
        reach(OPEN, stride(facing=FacingRules()), Stand(MIDDLE), 3)


@pytest.mark.parametrize("grid", HEXES, ids=lambda grid: grid.kind)
def test_a_given_way_turns_as_it_must(grid: Grid):
    start = Stand(Cell(6, 9), grid.directions[0].facing)
    rules = stride(kind=grid.kind, facing=FacingRules(Ahead.FRONT))
    way = [grid.translate(start.cell, 3), grid.translate(start.cell, 3, 2)]
    path = walk(step_field(grid), rules, start, way)
    assert path.cells == (start.cell, *way)
    assert path.cost == 4
    walled = step_field(grid, passable={way[1]: False})
    with pytest.raises(Rejected, match="cannot walk"):
        walk(walled, rules, start, way)


def test_the_circle_goes_around_a_wall_in_straight_lines():
    field = step_field(SQUARE, passable={Cell(12, y): False for y in range(5, 16)})
    rules = stride(diagonal=Diagonal.CIRCULAR, corner_cut=CornerCut.FREE)
    path = best_path(field, rules, Stand(MIDDLE), Cell(14, 10))
    assert path is not None
    assert path.cost == pytest.approx(2 * hypot(1, 5) + 2 * hypot(1, 1))
    assert sum(step.cost for step in path.steps) == pytest.approx(path.cost)
    found = reach(field, rules, Stand(MIDDLE), 13.1)
    assert found.cost_to(Cell(14, 10)) == pytest.approx(path.cost)
    assert reach(field, rules, Stand(MIDDLE), 13).cost_to(Cell(14, 10)) is None


def test_drase_14_2_the_circle_pays_one_per_difficult_tile():
    field = step_field(SQUARE, rough={Cell(x, y): 2 for x in (11, 12) for y in range(21)})
    found = reach(field, stride(diagonal=Diagonal.CIRCULAR), Stand(MIDDLE), 6)
    assert found.cost_to(Cell(13, 10)) == 5
    assert found.cost_to(Cell(12, 10)) == 4


def test_split_moves_of_the_circle_add_up():
    rules = stride(diagonal=Diagonal.CIRCULAR)
    first = best_path(OPEN, rules, Stand(MIDDLE), Cell(13, 14))
    assert first is not None
    assert reach(OPEN, rules, first.end, 6 - first.cost).cells() == {
        Cell(13, 14): 0,
        **{Cell(13 + x, 14 + y): 1 for x, y in ((0, 1), (0, -1), (1, 0), (-1, 0))},
    }


def shortest_by_lines(
    closed: set[Cell], mud: set[Cell], start: Cell, budget: float
) -> dict[Cell, float]:
    """Any-angle costs by brute force: the lines between any two cells of a small board."""
    best = {start: 0.0}
    done: set[Cell] = set()
    while waiting := [c for c in best if c not in done]:
        here = min(waiting, key=best.__getitem__)
        done.add(here)
        for there in SMALL.cells():
            entries = SMALL.crossed(here, there)
            if any(all(c in closed for c in entry) for entry in entries):
                continue
            crossed = [entry[0] for entry in entries[1:] if len(entry) == 1]
            length = hypot(here.x - there.x, here.y - there.y) + sum(c in mud for c in crossed)
            cost = best[here] + length
            if cost <= budget + 1e-9 and cost < best.get(there, 1e9):
                best[there] = cost
    return best


SMALL = grid_of(GridKind.SQUARE, 7, 6)
some_cells = st.sets(st.sampled_from(list(SMALL.cells())))


@given(some_cells, some_cells, st.sampled_from([2, 4, 5.5, 8, 30]))
def test_the_circle_agrees_with_all_lines_between_all_cells(
    closed: set[Cell], mud: set[Cell], budget: float
):
    start = Cell(3, 2)
    field = step_field(SMALL, passable=dict.fromkeys(closed, False), rough=dict.fromkeys(mud, 2))
    rules = stride(diagonal=Diagonal.CIRCULAR, corner_cut=CornerCut.ONE_OPEN)
    found = reach(field, rules, Stand(start), budget).cells()
    assert found == pytest.approx(shortest_by_lines(closed - {start}, mud, start, budget))


def test_a_straight_run_takes_the_cells_that_its_line_crosses():
    path = straight_path(OPEN, stride(diagonal=Diagonal.EUCLID), Stand(MIDDLE), Cell(13, 11))
    assert path.cost == pytest.approx(hypot(3, 1))
    assert path.cells == (MIDDLE, Cell(11, 10), Cell(12, 11), Cell(13, 11))
    counted = straight_path(OPEN, stride(), Stand(MIDDLE), Cell(14, 12))
    assert counted.cost == 4 + 1


def test_a_straight_run_is_blocked_by_what_stands_on_its_line():
    field = step_field(SQUARE, passable={Cell(12, 11): False})
    with pytest.raises(Rejected) as refusal:
        straight_path(field, stride(diagonal=Diagonal.EUCLID), Stand(MIDDLE), Cell(13, 11))
    assert refusal.value.rejection.cell == Cell(12, 11)


@pytest.mark.parametrize("grid", HEXES, ids=lambda grid: grid.kind)
def test_a_straight_run_between_two_hexes_needs_one_of_them(grid: Grid):
    one, other = Cell(6, 5), Cell(5, 6)
    rules = stride(kind=grid.kind)
    for closed in ([one], [other]):
        field = step_field(grid, passable=dict.fromkeys(closed, False))
        assert straight_path(field, rules, Stand(Cell(5, 5)), Cell(6, 6)).cost == 2
    field = step_field(grid, passable=dict.fromkeys([one, other], False))
    with pytest.raises(Rejected):
        straight_path(field, rules, Stand(Cell(5, 5)), Cell(6, 6))


def test_a_field_of_another_shape_is_an_error():
    with pytest.raises(ValueError, match="shape"):
        step_field(SQUARE, rough=np.ones((3, 3)))
    with pytest.raises(ValueError, match="shape"):
        step_field(SQUARE, blocked=np.zeros((8, 3, 3), dtype=bool))
    with pytest.raises(ValueError, match="at least 1"):
        step_field(SQUARE, rough={MIDDLE: 0})


@pytest.mark.parametrize("kind", GridKind)
def test_the_layout_holds_each_cell_of_the_board_once(kind: GridKind):
    grid = grid_of(kind, 7, 4)
    layout = layout_of(grid)
    elements = [layout.element(cell) for cell in grid.cells()]
    assert len(set(elements)) == 28
    assert layout.on_board.sum() == 28
    assert all(layout.on_board[element] for element in elements)


def test_reach_answers_for_cells_it_never_looked_at():
    found: Reach = reach(OPEN, stride(), Stand(MIDDLE), 2)
    assert found.cost_to(Cell(-5, 300)) is None
