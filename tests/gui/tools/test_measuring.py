"""The ruler, single steps by the keyboard, pointing at targets."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.grid.grid import Grid, grid_of
from engine.model.region import AreaShape, ShapeKind
from engine.model.space import Cell, GridKind
from engine.model.wall import DoorState
from engine.rules.ruleset import MovePlan, Offer, Plan, TargetKind
from gui.canvas.overlays.overlay import CellsPreview, PathPreview, RulerPreview
from gui.tools.area import AreaSettings, AreaTool, cover_preview
from gui.tools.ruler import RulerTool
from gui.tools.steps import ARROWS, neighbour_toward, step_commands, turn_commands
from gui.tools.target import TargetTool
from tests.gui.tools.conftest import MakeHost
from tests.gui.tools.host import HostNote, Mouse
from tests.helpers.encounters import FRIEND, HERO, ORC, a_board_wall, an_encounter
from tests.helpers.toy import StrikePlan


def test_the_ruler_counts_cells_over_way_points(host: HostNote):
    tool = RulerTool(host)
    mouse = Mouse(host, tool)
    mouse.press((1.5, 1.5))
    mouse.move((4.5, 1.5))
    tool.key("space")
    mouse.move((4.5, 5.5))
    found = host.preview("ruler", RulerPreview)
    assert found.total == "7 cells"
    assert found.labels == ("3", "4")
    tool.key("backspace")
    assert host.preview("ruler", RulerPreview).total == "4 cells"


def test_the_line_stays_to_be_read_and_goes_with_escape(host: HostNote):
    tool = RulerTool(host)
    Mouse(host, tool).drag((1.5, 1.5), (3.5, 1.5), (4.5, 1.5))
    assert "ruler" in host.previews
    assert tool.cancel()
    assert "ruler" not in host.previews


def test_from_outside_the_board_nobody_walks_and_the_range_is_told(host: HostNote):
    host.selected = (HERO,)
    tool = RulerTool(host)
    tool.walks = True
    mouse = Mouse(host, tool)
    mouse.press((-3.5, 1.5))
    mouse.move((4.5, 1.5))
    assert host.preview("ruler", RulerPreview).total == "8 cells"


def test_a_click_measures_nothing(host: HostNote):
    tool = RulerTool(host)
    Mouse(host, tool).click((1.5, 1.5))
    assert not tool.busy


def test_range_ignores_walls_and_a_walk_goes_around_them(host_on: MakeHost):
    host = host_on(an_encounter(walls=[a_board_wall("w", (4, 0), (4, 6))]))
    tool = RulerTool(host)
    mouse = Mouse(host, tool)
    mouse.press((2.5, 2.5))
    mouse.move((5.5, 2.5))
    assert host.said[-1].endswith("3 cells")
    assert tool.key("m")
    walk = host.preview("ruler", PathPreview)
    assert len(walk.steps) > 6
    assert "Walk of Hero" in host.said[-1]


@pytest.mark.parametrize(("arrow", "offset"), ARROWS.items())
def test_on_squares_arrows_mean_the_eight_neighbours(arrow: str, offset: tuple[int, int]):
    grid = an_encounter().board.grid
    found = neighbour_toward(grid_of_spec(grid.kind), Cell(4, 4), arrow)
    assert found == Cell(4 + offset[0], 4 + offset[1])


def grid_of_spec(kind: GridKind) -> Grid:
    return grid_of(kind, 12, 8)


@pytest.mark.parametrize("kind", [GridKind.HEX_POINTY, GridKind.HEX_FLAT])
@pytest.mark.parametrize("arrow", list(ARROWS))
def test_on_hexes_every_arrow_leads_to_a_neighbour_that_way(kind: GridKind, arrow: str):
    grid = grid_of_spec(kind)
    start = Cell(4, 4)
    (ax, ay), (bx, by) = grid.center(start), grid.center(neighbour_toward(grid, start, arrow))
    x, y = ARROWS[arrow]
    assert (bx - ax) * x + (by - ay) * y > 0


@pytest.mark.parametrize("kind", [GridKind.HEX_POINTY, GridKind.HEX_FLAT])
def test_the_six_directions_of_hexes_can_all_be_reached(kind: GridKind):
    grid = grid_of_spec(kind)
    found = {neighbour_toward(grid, Cell(4, 4), arrow) for arrow in ARROWS}
    assert found == {near.cell for near in grid.neighbours(Cell(4, 4))}


def test_steps_and_turns_are_one_command_for_each_token(host: HostNote):
    steps = step_commands(host.encounter, host.grid, (HERO, FRIEND), "left")
    turns = turn_commands(host.encounter, host.grid, (HERO,), -1)
    assert [command.path for command in steps] == [(Cell(1, 2),), (Cell(1, 4),)]
    assert [command.facing for command in turns] == [7]


class Planned:
    """A plan that notes what it is pointed at."""

    def __init__(self, target: TargetKind, plan: Plan) -> None:
        self.offer: Offer | None = Offer(id="x", label="X", target=target, plan=plan)
        self.tried: list[dict[str, Any]] = []
        self.fixed: list[dict[str, Any]] = []

    def reason_against(self, target_id: str) -> str:
        return f"{target_id} is out of reach." if target_id == FRIEND else ""

    def aim(self, **fields: Any) -> None:
        self.tried.append(fields)

    def fix(self, **fields: Any) -> None:
        self.fixed.append(fields)
        self.offer = None

    def cancel(self) -> bool:
        had, self.offer = self.offer is not None, None
        return had


Aim = Callable[[TargetKind, Plan], tuple[Planned, Mouse]]


@pytest.fixture
def aim(host_on: MakeHost) -> Aim:
    def make(target: TargetKind, plan: Plan) -> tuple[Planned, Mouse]:
        door = a_board_wall("d", (5, 2), (5, 3), door=DoorState.CLOSED)
        host = host_on(an_encounter(walls=[door]))
        planned = Planned(target, plan)
        tool = TargetTool(host, planned, lambda shape: cover_preview(host.grid, shape))
        return planned, Mouse(host, tool)

    return make


def test_pointing_at_a_token_tries_it_and_a_click_settles(aim: Aim):
    planned, mouse = aim(TargetKind.TOKEN, StrikePlan(token_id=HERO))
    mouse.hover((8.5, 3.5))
    mouse.click((8.5, 3.5))
    assert planned.tried[0] == {"target_id": ORC}
    assert planned.fixed == [{"target_id": ORC}]


def test_a_click_at_nothing_settles_nothing(aim: Aim):
    planned, mouse = aim(TargetKind.TOKEN, StrikePlan(token_id=HERO))
    mouse.click((6.5, 6.5))
    assert planned.fixed == []


def test_pointing_at_a_door(aim: Aim):
    planned, mouse = aim(TargetKind.WALL, StrikePlan(token_id=HERO))
    mouse.click((5.05, 2.5))
    assert planned.fixed == [{"target_id": "d"}]


def test_pointing_at_the_end_of_a_way(aim: Aim):
    planned, mouse = aim(TargetKind.PATH, MovePlan(token_id=HERO))
    mouse.click((3.5, 5.5))
    assert planned.fixed == [{"path": (Cell(3, 5),)}]


def test_a_cone_starts_at_the_token_and_looks_where_the_mouse_is(aim: Aim):
    cone = AreaShape(shape=ShapeKind.CONE, origin=(0, 0), size=3)
    planned, mouse = aim(TargetKind.AREA, StrikePlan(token_id=HERO, shape=cone))
    mouse.click((2.5, 6.5))
    shape = planned.fixed[0]["shape"]
    assert (shape.origin, shape.size) == ((2.5, 2.5), 3)
    assert shape.direction_deg == pytest.approx(90)


def test_the_right_button_drops_the_plan(aim: Aim):
    planned, mouse = aim(TargetKind.TOKEN, StrikePlan(token_id=HERO))
    assert mouse.right((6.5, 6.5))
    assert planned.offer is None


def test_a_template_shows_whom_it_takes_in_and_is_left_there(host: HostNote):
    tool = AreaTool(host)
    tool.settings = AreaSettings(size=2, rounds=3)
    mouse = Mouse(host, tool)
    mouse.drag((2.5, 3.5), (3.5, 3.5), (4.5, 3.5))
    assert "Hero" in host.said[-1]
    assert "Orc" not in host.said[-1]
    cells = host.preview("area", CellsPreview).cells
    assert tool.key("return")
    (area,) = host.encounter.board.areas.values()
    assert set(area.cells) == set(cells)
    assert area.rounds_left == 3
    mouse.hover((2.5, 3.5))
    assert tool.delete()
    assert not host.encounter.board.areas


def test_without_a_size_the_drag_gives_it(host: HostNote):
    tool = AreaTool(host)
    mouse = Mouse(host, tool)
    mouse.press((5.5, 4.5))
    mouse.move((8.5, 4.5))
    assert host.said[-1].startswith("3 cells")
    assert tool.cancel()
    assert not host.previews


@pytest.mark.parametrize("shape", list(ShapeKind))
def test_every_shape_can_be_laid_also_without_a_drag(host: HostNote, shape: ShapeKind):
    tool = AreaTool(host)
    tool.settings = AreaSettings(shape=shape, size=2)
    Mouse(host, tool).click((5.5, 4.5))
    assert tool.key("return")
    assert len(host.encounter.board.areas) == 1
