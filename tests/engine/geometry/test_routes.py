"""Routes of tokens over boards: walls, ground, other figures, budgets."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import routes
from engine.geometry.boards import wall_set
from engine.geometry.routes import MovementRules, free_route, free_rules, reach_of, route
from engine.geometry.stride import Diagonal, Stride
from engine.geometry.terrain import terrain_of
from engine.grid.footprint import footprint_named
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.region import Obscuration, Region
from engine.model.space import Cell, GridKind
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.model.wall import DoorState, Durability, Wall
from tests.helpers import scenes


def encounter(*walls: Wall, regions: tuple[Region, ...] = (), size: int = 8) -> Encounter:
    board = Board(
        grid=GridSpec(columns=size, rows=size),
        walls=FrozenMap({wall.id: wall for wall in walls}),
        regions=FrozenMap({region.id: region for region in regions}),
    )
    return Encounter(ruleset="toy", board=board).with_token(token())


def token(cell: Cell = Cell(1, 1), footprint: str = "1") -> Token:  # noqa: B008  immutable
    return Token(id="a", name="Ann", cell=cell, footprint=footprint)


def rules(here: Encounter, **changes: object) -> MovementRules:
    stride = Stride(footprint=footprint_named(GridKind.SQUARE, here.tokens["a"].footprint))
    return replace(MovementRules(stride=stride), **changes)  # type: ignore[arg-type]  # by name


def wall(x: float, **fields: object) -> Wall:
    return Wall(id="w", points=((x, 0), (x, 8)), **fields)  # type: ignore[arg-type]  # by name


def box(x0: float, y0: float, x1: float, y1: float, **fields: object) -> Region:
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Region(id="r", rings=(corners,), **fields)  # type: ignore[arg-type]  # by name


def test_a_walk_goes_straight_where_nothing_stands_in_the_way() -> None:
    found = free_route(encounter(), token(), [Cell(4, 1)])
    assert found.cells == (Cell(1, 1), Cell(2, 1), Cell(3, 1), Cell(4, 1))
    assert found.refusals == ()


def test_a_wall_right_across_the_board_is_refused_with_its_place() -> None:
    found = free_route(encounter(wall(3)), token(), [Cell(4, 1)])
    (refusal,) = found.refusals
    assert (refusal.code, refusal.cell, refusal.wall_id) == ("walled", Cell(3, 1), "w")
    assert found.cells[-1] == Cell(4, 1)


@pytest.mark.parametrize("x", [2.5, 2.505, 2.499])
def test_c61_a_closed_door_through_a_cells_middle_blocks_from_both_sides(x: float) -> None:
    here = encounter(wall(x, door=DoorState.CLOSED))
    assert free_route(here, token(Cell(1, 1)), [Cell(4, 1)]).refusals
    assert free_route(here, token(Cell(4, 1)), [Cell(1, 1)]).refusals


@pytest.mark.parametrize("y", [3, 3.5])
def test_c62_a_wall_on_the_grid_line_blocks_in_both_senses(y: float) -> None:
    across = Wall(id="w", points=((0, y), (8, y)))
    assert free_route(encounter(across), token(Cell(1, 1)), [Cell(1, 6)]).refusals
    assert free_route(encounter(across), token(Cell(1, 6)), [Cell(1, 1)]).refusals


def test_nobody_is_walled_in_by_a_diagonal_wall_through_cell_middles() -> None:
    here = encounter(Wall(id="w", points=((0, 0), (8, 8))))
    found = reach_of(here, token(Cell(2, 2)), rules(here, budget=3))
    assert len(found.cells()) > 1
    assert free_route(here, token(Cell(5, 2)), [Cell(2, 5)]).refusals


@pytest.mark.parametrize(
    "opened",
    [
        {"door": DoorState.OPEN},
        {"durability": Durability(hp=0, hp_max=5)},
        {"blocks_movement": False},
    ],
)
def test_open_and_broken_walls_let_everybody_through(opened: dict[str, object]) -> None:
    assert free_route(encounter(wall(3, **opened)), token(), [Cell(4, 1)]).refusals == ()


def test_a_walk_goes_round_a_wall_that_ends() -> None:
    here = encounter(Wall(id="w", points=((3, 0), (3, 4))))
    found = free_route(here, token(), [Cell(4, 1)])
    assert found.refusals == ()
    assert max(cell.y for cell in found.cells) >= 4


def test_difficult_ground_costs_and_says_why() -> None:
    here = encounter(regions=(box(2, 0, 3, 8, name="mud", step_cost=2),))
    found = route(here, token(), [Cell(3, 1)], rules(here))
    assert found.path is not None
    assert found.path.cost == 3
    assert any("mud" in reason for step in found.path.steps for reason in step.reasons)


def test_difficult_ground_costs_nothing_outside_a_fight() -> None:
    here = encounter(regions=(box(2, 0, 3, 8, step_cost=2),))
    found = free_route(here, token(), [Cell(3, 1)])
    assert found.path is not None
    assert found.path.cost == 2


def test_a_walk_beyond_the_budget_is_refused_with_its_price() -> None:
    here = encounter()
    (refusal,) = route(here, token(), [Cell(6, 1)], rules(here, budget=4)).refusals
    assert refusal.code == "too_far"
    assert "needs 5" in refusal.sentence


def test_closed_cells_are_gone_round_and_held_ones_not_ended_on() -> None:
    here = encounter()
    closed = rules(here, closed=frozenset({Cell(2, 1)}))
    assert Cell(2, 1) not in route(here, token(), [Cell(3, 1)], closed).cells
    held = rules(here, held=frozenset({Cell(2, 1)}))
    assert route(here, token(), [Cell(3, 1)], held).refusals == ()
    assert route(here, token(), [Cell(2, 1)], held).refusals


def test_parity_lasts_from_one_walk_to_the_next() -> None:
    here = encounter()
    diagonal = [Cell(2, 2)]
    even = route(here, token(), diagonal, rules(here))
    odd = route(here, token(), diagonal, rules(here, parity=1))
    assert even.path is not None
    assert odd.path is not None
    assert (even.path.cost, odd.path.cost) == (1, 2)


def test_outside_a_fight_all_diagonals_cost_one() -> None:
    assert free_rules(encounter(), token()).stride.diagonal is Diagonal.CHEBYSHEV


def test_impassable_ground_bars_the_way() -> None:
    here = encounter(regions=(box(2, 0, 3, 8, impassable=True),))
    assert [r.code for r in free_route(here, token(), [Cell(4, 1)]).refusals] == ["closed_ground"]


def test_terrain_counts_a_cell_by_its_centre_and_knows_holes() -> None:
    ring = ((0.0, 0.0), (6.0, 0.0), (6.0, 6.0), (0.0, 6.0))
    hole = ((2.0, 2.0), (4.0, 2.0), (4.0, 4.0), (2.0, 4.0))
    pool = Region(id="r", rings=(ring, hole), obscuration=Obscuration.HEAVY, ground=2.0)
    terrain = terrain_of(encounter(regions=(pool,)).board)
    assert terrain.obscuration_at([Cell(1, 1)]) is Obscuration.HEAVY
    assert terrain.obscuration_at([Cell(2, 2)]) is Obscuration.NONE
    assert terrain.height_at([Cell(5, 5)]) == 2
    assert terrain.height_at([Cell(7, 7)]) == 0
    assert terrain.regions_at([Cell(0, 0), Cell(7, 7)]) == ("r",)


def test_a_door_is_a_flag_and_an_edit_a_rebuild() -> None:
    here = encounter(wall(3, door=DoorState.CLOSED)).board
    shut = wall_set(here)
    opened = wall_set(here.changed(walls=here.walls.put("w", wall(3, door=DoorState.OPEN))))
    assert opened.segs is shut.segs
    assert opened.open.any()
    moved = wall_set(here.changed(walls=here.walls.put("w", wall(4, door=DoorState.OPEN))))
    assert moved.segs is not shut.segs


def half_off(state: DoorState) -> Encounter:
    """Return a wall across the board with a door that is half a cell off the grid."""
    door = Wall(id="d", points=((1.5, 3), (2.5, 3)), door=state)
    left, right = (0, 3), (8, 3)
    return encounter(
        door,
        Wall(id="w1", points=(left, (1.5, 3))),
        Wall(id="w2", points=((2.5, 3), right)),
    )


@pytest.mark.parametrize("x", [1, 2])
def test_an_open_door_half_a_cell_off_the_grid_lets_through_along_its_jambs(x: int) -> None:
    here = half_off(DoorState.OPEN)
    found = free_route(here, token(Cell(x, 1)), [Cell(x, 4)])
    assert found.refusals == ()
    assert len(found.cells) == 4


def test_a_closed_door_half_a_cell_off_the_grid_bars_the_way() -> None:
    here = half_off(DoorState.CLOSED)
    for start, end in (
        (Cell(1, 1), Cell(1, 4)),
        (Cell(2, 4), Cell(2, 1)),
        (Cell(2, 2), Cell(1, 3)),
    ):
        assert free_route(here, token(start), [end]).refusals


def test_the_wall_beside_an_open_door_still_stands() -> None:
    here = half_off(DoorState.OPEN)
    steps = wall_set(here.board)
    assert steps.crosses_movement(np.array([[3.5, 2.5]]), np.array([[3.5, 3.5]])).all()
    assert steps.crosses_movement(np.array([[0.5, 3.0]]), np.array([[1.5, 3.0]])).all()


@given(st.lists(st.integers(0, 5), max_size=6))
def test_after_doors_moved_the_steps_are_those_of_a_new_board(toggles: list[int]) -> None:
    doors = {f"d{n}": scenes.door(f"d{n}", (n + 1, n % 4), (n + 1, n % 4 + 2)) for n in range(6)}
    board = scenes.scene(*doors.values(), scenes.wall("w", (2, 2), (8, 2))).board
    for number in toggles:
        walls = board.walls
        moved = walls[f"d{number}"]
        state = DoorState.CLOSED if moved.is_open else DoorState.OPEN
        board = board.changed(walls=walls.put(moved.id, moved.changed(door=state)))
        routes._BLOCKED(board.grid, wall_set(board))
    fresh = routes._blocked(None, board.grid, wall_set(board))
    assert np.array_equal(routes._BLOCKED(board.grid, wall_set(board)), fresh)
