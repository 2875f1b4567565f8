"""The Move tool, fed by hand: one command on release, nothing before it."""

from dataclasses import replace

import pytest

from engine.commands.tokens import MoveToken, PlaceToken
from engine.commands.turn import BeginFight
from engine.geometry.routes import free_rules
from engine.model.region import Region
from engine.model.space import Cell, GridKind
from engine.model.value import FrozenMap
from engine.model.wall import DoorState
from gui.canvas.overlays.overlay import (
    BoxPreview,
    EvidencePreview,
    GhostsPreview,
    PathPreview,
    RefusedPreview,
)
from gui.tools.select import SelectTool
from tests.gui.tools.conftest import MakeHost
from tests.gui.tools.host import HostNote, Mouse
from tests.helpers.encounters import FRIEND, HERO, ORC, a_board_wall, a_piece, an_encounter
from tests.helpers.toy import ToyRuleset


@pytest.fixture
def tool(host: HostNote) -> SelectTool:
    return SelectTool(host)


@pytest.fixture
def mouse(host: HostNote, tool: SelectTool) -> Mouse:
    return Mouse(host, tool)


def cell_of(host: HostNote, token_id: str) -> Cell:
    return host.encounter.tokens[token_id].cell


def test_a_click_selects_and_a_click_on_empty_ground_lets_go(host: HostNote, mouse: Mouse):
    mouse.click((2.5, 2.5))
    assert host.selected == (HERO,)
    mouse.click((6.5, 6.5))
    assert host.selected == ()


def test_shift_adds_and_takes_out_again(host: HostNote, mouse: Mouse):
    mouse.click((2.5, 2.5))
    mouse.click((2.5, 4.5), shift=True)
    assert host.selected == (HERO, FRIEND)
    mouse.click((2.5, 2.5), ctrl=True)
    assert host.selected == (FRIEND,)


def test_a_shift_click_on_empty_ground_keeps_the_selection(host: HostNote, mouse: Mouse):
    mouse.click((2.5, 2.5))
    mouse.click((6.5, 6.5), shift=True)
    assert host.selected == (HERO,)


def test_a_click_on_one_of_several_narrows_to_it(host: HostNote, mouse: Mouse):
    host.select((HERO, FRIEND))
    mouse.click((2.5, 2.5))
    assert host.selected == (HERO,)


def test_a_box_selects_what_it_holds(host: HostNote, mouse: Mouse):
    mouse.drag((1.2, 1.2), (2.0, 3.0), (3.5, 5.5))
    assert set(host.selected) == {HERO, FRIEND}
    assert "box" not in host.previews


def test_a_box_pulled_the_other_way_with_shift_adds(host: HostNote, mouse: Mouse):
    host.select((ORC,))
    mouse.drag((3.5, 5.5), (1.2, 1.2), shift=True)
    assert host.selected[0] == ORC
    assert set(host.selected) == {ORC, HERO, FRIEND}


def test_a_box_shows_while_it_is_pulled(host: HostNote, mouse: Mouse):
    mouse.press((1.2, 1.2))
    mouse.move((3.5, 3.5))
    assert host.preview("box", BoxPreview) == BoxPreview((1.2, 1.2), (3.5, 3.5))


def test_a_drag_is_one_command_and_stores_nothing_before_the_release(host: HostNote, mouse: Mouse):
    mouse.press((2.5, 2.5))
    mouse.move((3.5, 2.5))
    mouse.move((5.5, 2.5))
    assert host.session.head == 0
    assert len(host.preview("path", PathPreview).steps) == 3
    mouse.release((5.5, 2.5))
    assert cell_of(host, HERO) == Cell(5, 2)
    assert len(host.session.history()) == 1
    assert not host.previews


def test_the_grabbed_cell_of_a_large_token_lands_under_the_mouse(host_on: MakeHost):
    host = host_on(an_encounter(tokens=[a_piece(HERO, (2, 2), footprint="2")]))
    Mouse(host, SelectTool(host)).drag((3.5, 3.5), (5.5, 5.5), (6.5, 3.5))
    assert cell_of(host, HERO) == Cell(5, 2)


def test_a_trembling_click_moves_nothing(host: HostNote, mouse: Mouse):
    mouse.drag((2.5, 2.5), (2.53, 2.54), (2.5, 2.55))
    assert host.session.head == 0


def test_back_to_the_start_moves_nothing(host: HostNote, mouse: Mouse):
    mouse.drag((2.5, 2.5), (5.5, 2.5), (2.5, 2.5))
    assert host.session.head == 0
    assert host.commands == []


def test_way_points_are_walked_over(host: HostNote, tool: SelectTool, mouse: Mouse):
    mouse.press((2.5, 2.5))
    mouse.move((2.5, 6.5))
    assert tool.key("space")
    mouse.move((4.5, 6.5))
    mouse.release((4.5, 6.5))
    assert host.commands == [MoveToken(token_id=HERO, path=(Cell(2, 6), Cell(4, 6)))]


def test_backspace_takes_a_way_point_back(host: HostNote, tool: SelectTool, mouse: Mouse):
    mouse.press((2.5, 2.5))
    mouse.move((2.5, 6.5))
    tool.key("space")
    tool.key("backspace")
    mouse.release((2.5, 6.5))
    assert host.commands == [MoveToken(token_id=HERO, path=(Cell(2, 6),))]


def test_the_keys_of_a_drag_mean_nothing_without_one(tool: SelectTool):
    assert not tool.key("space")
    assert not tool.key("backspace")


@pytest.mark.parametrize("how", ["escape", "right button"])
def test_a_cancelled_drag_leaves_no_trace(host: HostNote, tool: SelectTool, mouse: Mouse, how: str):
    before = host.encounter
    mouse.press((2.5, 2.5))
    mouse.move((6.5, 2.5))
    tool.key("space")
    assert tool.cancel() if how == "escape" else mouse.right((6.5, 2.5))
    mouse.move((7.5, 2.5))
    mouse.release((7.5, 2.5))
    assert host.encounter is before
    assert not host.previews
    assert host.selected == (HERO,)


def test_the_right_button_without_a_gesture_is_left_to_the_menu(mouse: Mouse):
    assert not mouse.right((5.0, 5.0))


def test_the_wheel_turns_a_held_token(host: HostNote, mouse: Mouse):
    mouse.press((2.5, 2.5))
    mouse.move((3.5, 2.5))
    assert mouse.wheel((3.5, 2.5), -1)
    assert mouse.wheel((3.5, 2.5), -1)
    mouse.release((3.5, 2.5))
    assert host.encounter.tokens[HERO].facing == 2


def test_the_wheel_is_left_to_the_zoom_otherwise(mouse: Mouse):
    assert not mouse.wheel((3.5, 2.5), 1)


def test_alt_sets_down_by_hand_through_walls(host_on: MakeHost):
    wall = a_board_wall("w", (4, 0), (4, 8))
    host = host_on(an_encounter(walls=[wall]))
    Mouse(host, SelectTool(host)).drag((2.5, 2.5), (3.5, 2.5), (6.5, 2.5), alt=True)
    assert host.commands == [PlaceToken(token_id=HERO, cell=Cell(6, 2))]
    assert cell_of(host, HERO) == Cell(6, 2)


def test_a_wall_is_shown_before_the_release_and_refused_at_it(host_on: MakeHost):
    host = host_on(an_encounter(walls=[a_board_wall("w", (4, 0), (4, 8))]))
    mouse = Mouse(host, SelectTool(host))
    mouse.press((2.5, 2.5))
    mouse.move((6.5, 2.5))
    assert host.preview("refused", RefusedPreview).cell == Cell(4, 2)
    assert "wall" in host.said[-1]
    assert not host.preview("path", PathPreview).steps[-1].allowed
    mouse.release((6.5, 2.5))
    assert host.refused == ["walled"]
    assert cell_of(host, HERO) == Cell(2, 2)


def test_several_tokens_keep_their_formation_in_one_step(host: HostNote, mouse: Mouse):
    host.select((HERO, FRIEND))
    mouse.press((2.5, 2.5))
    mouse.move((4.5, 3.5))
    assert len(host.preview("ghosts", GhostsPreview).ghosts) == 2
    mouse.release((4.5, 3.5))
    assert (cell_of(host, HERO), cell_of(host, FRIEND)) == (Cell(4, 3), Cell(4, 5))
    assert host.session.undo() == 1
    assert (cell_of(host, HERO), cell_of(host, FRIEND)) == (Cell(2, 2), Cell(2, 4))


def test_all_of_several_stay_if_one_may_not_go(host: HostNote, mouse: Mouse):
    host.select((HERO, FRIEND))
    mouse.drag((2.5, 2.5), (3.0, 3.0), (2.5, 6.5))
    assert host.refused == ["off_board"]
    assert (cell_of(host, HERO), cell_of(host, FRIEND)) == (Cell(2, 2), Cell(2, 4))


def test_a_drag_of_what_is_not_selected_moves_it_alone(host: HostNote, mouse: Mouse):
    host.select((FRIEND,))
    mouse.drag((2.5, 2.5), (5.5, 2.5))
    assert host.selected == (HERO,)
    assert cell_of(host, FRIEND) == Cell(2, 4)


def test_in_a_fight_the_ruleset_decides(host: HostNote, mouse: Mouse):
    host.session.execute(BeginFight())
    mouse.drag((8.5, 3.5), (6.5, 3.5))
    assert host.refused == ["not_your_phase"]


def test_a_double_click_opens_the_details(host: HostNote, mouse: Mouse):
    mouse.double((2.5, 2.5))
    assert host.detailed == [HERO]


def test_a_double_click_works_a_door(host_on: MakeHost):
    door = a_board_wall("d", (5, 2), (5, 3), door=DoorState.CLOSED)
    host = host_on(an_encounter(walls=[door]))
    mouse = Mouse(host, SelectTool(host))
    mouse.double((5.1, 2.5))
    assert host.encounter.board.walls["d"].door is DoorState.OPEN
    mouse.double((5.1, 2.5))
    assert host.encounter.board.walls["d"].door is DoorState.CLOSED


def test_holding_on_empty_ground_pings(host: HostNote, mouse: Mouse):
    mouse.press((6.5, 6.5))
    host.later.pop()()
    mouse.release((6.5, 6.5))
    assert host.pings == [(6.5, 6.5)]


@pytest.mark.parametrize("at", [(6.6, 6.5), (7.5, 6.5)])
def test_no_ping_after_a_release_or_a_drag(host: HostNote, mouse: Mouse, at: tuple[float, float]):
    mouse.press((6.5, 6.5))
    mouse.move(at)
    mouse.release(at)
    assert host.later == []


def test_a_token_that_vanishes_in_the_hand_is_dropped(
    host: HostNote, tool: SelectTool, mouse: Mouse
):
    mouse.press((2.5, 2.5))
    mouse.move((4.5, 2.5))
    host.session.execute(PlaceToken(token_id=HERO, cell=Cell(0, 0)))
    tool.refresh()
    assert not tool.busy
    mouse.release((4.5, 2.5))
    assert cell_of(host, HERO) == Cell(0, 0)


@pytest.mark.parametrize("kind", [GridKind.HEX_POINTY, GridKind.HEX_FLAT])
def test_hexes_are_dragged_alike(host_on: MakeHost, kind: GridKind):
    host = host_on(an_encounter(kind=kind, tokens=[a_piece(HERO, (2, 2))]))
    start, end = host.grid.center(Cell(2, 2)), host.grid.center(Cell(4, 3))
    Mouse(host, SelectTool(host)).drag(start, end)
    assert cell_of(host, HERO) == Cell(4, 3)


def test_a_key_tries_another_way_around_hard_ground(
    host_on: MakeHost, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        ToyRuleset,
        "movement",
        lambda _self, encounter, token_id, _plan: replace(
            free_rules(encounter, encounter.token(token_id)), terrain=True
        ),
    )
    corners = ((4.0, 0.0), (5.0, 0.0), (5.0, 6.0), (4.0, 6.0))
    mud = Region(id="mud", name="mud", rings=(corners,), step_cost=2)
    plain = an_encounter(tokens=[a_piece(HERO, (2, 2))])
    board = plain.board.changed(regions=FrozenMap({"mud": mud}))
    host = host_on(plain.changed(board=board))
    host.session.execute(BeginFight())
    tool = SelectTool(host)
    mouse = Mouse(host, tool)
    mouse.press((2.5, 2.5))
    mouse.move((6.5, 2.5))
    best = host.preview("path", PathPreview)
    assert tool.key("a")
    other = host.preview("path", PathPreview)
    mouse.release((6.5, 2.5))
    assert [step.point for step in best.steps] != [step.point for step in other.steps]
    assert cell_of(host, HERO) == Cell(6, 2)


def test_hovering_another_token_shows_how_the_selected_one_looks_at_it(host_on: MakeHost):
    host = host_on(an_encounter(walls=[a_board_wall("w", (5, 0), (5, 8))]))
    mouse = Mouse(host, SelectTool(host))
    mouse.hover((8.5, 3.5))
    assert "look" not in host.previews
    host.select((HERO,))
    mouse.hover((8.4, 3.5))
    look = host.previews["look"]
    assert isinstance(look, EvidencePreview)
    assert look.evidence.walls == ("w",)
    assert look.evidence.rays
    assert not any(ray.clear for ray in look.evidence.rays)
    assert look.label
    mouse.hover((6.5, 6.5))
    assert "look" not in host.previews


def test_a_free_line_says_that_there_is_no_cover(host: HostNote, mouse: Mouse):
    host.select((HERO,))
    mouse.hover((8.5, 3.5))
    look = host.previews["look"]
    assert isinstance(look, EvidencePreview)
    assert look.label == "No cover"
    assert all(ray.clear for ray in look.evidence.rays)
