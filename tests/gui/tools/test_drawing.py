"""Drawing tools, fed by hand: walls, doors, ground, lights, notes, tokens."""

import pytest

from engine.commands.tokens import AddTokens, PlaceToken
from engine.model.region import Obscuration
from engine.model.space import Cell, GridKind
from engine.model.wall import DoorState, WallKind
from gui.canvas.overlays.overlay import GhostsPreview, LinesPreview
from gui.tools.door import DoorSettings, DoorTool
from gui.tools.elevation import ElevationSettings, ElevationTool
from gui.tools.light import LightSettings, LightTool
from gui.tools.note import NoteTool
from gui.tools.obscuration import ObscurationSettings, ObscurationTool
from gui.tools.outline import inside
from gui.tools.pins import PinTool
from gui.tools.snapping import snap, snap_corner
from gui.tools.terrain import TerrainSettings, TerrainTool
from gui.tools.token import TokenSettings, TokenTool
from gui.tools.wall import WallSettings, WallTool
from tests.gui.tools.conftest import MakeHost
from tests.gui.tools.host import HostNote, Mouse
from tests.helpers.encounters import HERO, ORC, a_board_wall, an_encounter


def test_walls_snap_to_corners_unless_alt_is_held(host: HostNote):
    tool = WallTool(host)
    mouse = Mouse(host, tool)
    mouse.drag((3.1, 1.08), (5.0, 1.0), (6.07, 0.96))
    mouse.drag((3.1, 4.08), (5.0, 4.0), (6.07, 3.96), alt=True)
    first, second = host.encounter.board.walls.values()
    assert first.points == ((3, 1), (6, 1))
    assert second.points == ((3.1, 4.08), (6.07, 3.96))


def test_a_wall_is_drawn_corner_by_corner_and_ends_with_return(host: HostNote):
    tool = WallTool(host)
    mouse = Mouse(host, tool)
    for at in ((1, 1), (4, 1), (4, 4)):
        mouse.click(at)
    mouse.hover((4.0, 6.0))
    assert host.preview("lines", LinesPreview).lines[0][-1] == (4, 6)
    assert host.session.head == 0
    assert tool.key("return")
    (wall,) = host.encounter.board.walls.values()
    assert wall.points == ((1, 1), (4, 1), (4, 4))
    assert not host.previews


def test_a_click_on_the_first_corner_closes_the_wall(host: HostNote):
    mouse = Mouse(host, WallTool(host))
    for at in ((1, 1), (4, 1), (4, 4), (1, 1)):
        mouse.click(at)
    (wall,) = host.encounter.board.walls.values()
    assert wall.points == ((1, 1), (4, 1), (4, 4), (1, 1))


def test_backspace_takes_a_corner_back_and_escape_all(host: HostNote):
    tool = WallTool(host)
    mouse = Mouse(host, tool)
    for at in ((1, 1), (4, 1), (4, 4)):
        mouse.click(at)
    tool.key("backspace")
    mouse.double((4, 1))
    assert next(iter(host.encounter.board.walls.values())).points == ((1, 1), (4, 1))
    mouse.click((1, 5))
    assert tool.cancel()
    assert not tool.cancel()
    assert len(host.encounter.board.walls) == 1


def test_a_wall_of_one_point_is_none(host: HostNote):
    tool = WallTool(host)
    Mouse(host, tool).click((1, 1))
    tool.key("return")
    assert host.commands == []


@pytest.mark.parametrize(
    ("kind", "sight", "movement"),
    [
        (WallKind.WALL, True, True),
        (WallKind.WINDOW, False, True),
        (WallKind.LOW_WALL, False, True),
        (WallKind.TERRAIN, True, False),
    ],
)
def test_each_kind_of_wall_blocks_what_it_should(
    host: HostNote, kind: WallKind, sight: bool, movement: bool
):
    tool = WallTool(host)
    tool.settings = WallSettings(wall=kind)
    Mouse(host, tool).drag((1, 1), (2, 1), (4, 1))
    (wall,) = host.encounter.board.walls.values()
    assert (wall.kind, wall.blocks_sight, wall.blocks_movement) == (kind, sight, movement)


def test_delete_takes_the_wall_under_the_mouse(host_on: MakeHost):
    host = host_on(an_encounter(walls=[a_board_wall("w", (4, 0), (4, 8))]))
    tool = WallTool(host)
    mouse = Mouse(host, tool)
    mouse.hover((6.0, 4.0))
    assert not tool.delete()
    mouse.hover((4.1, 4.0))
    assert tool.delete()
    assert not host.encounter.board.walls


def test_a_drag_with_the_door_tool_draws_a_door(host: HostNote):
    tool = DoorTool(host)
    tool.settings = DoorSettings(secret=True, state=DoorState.LOCKED)
    Mouse(host, tool).drag((3, 1), (3.4, 1), (4, 1))
    (door,) = host.encounter.board.walls.values()
    assert (door.kind, door.door) == (WallKind.SECRET_DOOR, DoorState.LOCKED)


def test_a_quick_double_click_works_a_door_once(host_on: MakeHost):
    door = a_board_wall("d", (5, 2), (5, 3), door=DoorState.CLOSED)
    host = host_on(an_encounter(walls=[door]))
    mouse = Mouse(host, DoorTool(host))
    mouse.click((5.0, 2.5))
    mouse.double((5.0, 2.5))
    mouse.release((5.0, 2.5))
    assert host.encounter.board.walls["d"].door is DoorState.OPEN


def test_shift_unlocks_a_locked_door(host_on: MakeHost):
    door = a_board_wall("d", (5, 2), (5, 3), door=DoorState.LOCKED)
    host = host_on(an_encounter(walls=[door]))
    Mouse(host, DoorTool(host)).click((5.0, 2.5), shift=True)
    assert host.encounter.board.walls["d"].door is DoorState.CLOSED


def test_a_click_beside_every_door_changes_nothing(host: HostNote):
    Mouse(host, DoorTool(host)).click((5.0, 2.5))
    assert host.commands == []


def test_ground_is_outlined_by_a_drag_or_by_corners(host: HostNote):
    tool = TerrainTool(host)
    tool.settings = TerrainSettings(name="mud", step_cost=3)
    mouse = Mouse(host, tool)
    mouse.drag((1, 1), (2, 2), (3, 4))
    for at in ((5, 1), (7, 1), (7, 3)):
        mouse.click(at)
    tool.key("return")
    box, triangle = host.encounter.board.regions.values()
    assert box.rings == (((1, 1), (3, 1), (3, 4), (1, 4)),)
    assert triangle.rings == (((5, 1), (7, 1), (7, 3)),)
    assert (box.name, box.step_cost) == ("mud", 3)


def test_an_outline_without_an_area_is_none(host: HostNote):
    mouse = Mouse(host, TerrainTool(host))
    mouse.drag((1, 1), (2, 1), (4, 1))
    assert host.commands == []


def test_height_and_mist_are_regions_too(host: HostNote):
    height, mist = ElevationTool(host), ObscurationTool(host)
    height.settings = ElevationSettings(height=-2)
    mist.settings = ObscurationSettings(thickness=Obscuration.HEAVY)
    Mouse(host, height).drag((1, 1), (2, 2), (3, 3))
    Mouse(host, mist).drag((5, 1), (6, 2), (7, 3))
    low, fog = host.encounter.board.regions.values()
    assert low.ground == -2
    assert fog.obscuration is Obscuration.HEAVY


def test_delete_takes_the_topmost_region_under_the_mouse(host: HostNote):
    tool = TerrainTool(host)
    mouse = Mouse(host, tool)
    mouse.drag((1, 1), (2, 2), (5, 5))
    mouse.drag((2, 2), (3, 3), (4, 4))
    mouse.hover((3.0, 3.0))
    assert tool.delete()
    assert len(host.encounter.board.regions) == 1
    mouse.hover((9.0, 7.0))
    assert not tool.delete()


def test_a_hole_is_outside():
    rings = (((0, 0), (4, 0), (4, 4), (0, 4)), ((1, 1), (3, 1), (3, 3), (1, 3)))
    assert inside(rings, (0.5, 0.5))
    assert not inside(rings, (2, 2))
    assert not inside(rings, (5, 2))


def test_dim_light_reaches_twice_as_far_unless_it_is_said(host: HostNote):
    tool = LightTool(host)
    tool.settings = LightSettings(bright=5)
    Mouse(host, tool).click((4.5, 4.5))
    (light,) = host.encounter.board.lights.values()
    assert (light.bright, light.dim) == (5, 10)


def test_a_light_is_set_moved_put_out_and_removed(host: HostNote):
    tool = LightTool(host)
    tool.settings = LightSettings(bright=3, dim=2)
    mouse = Mouse(host, tool)
    mouse.click((4.5, 4.5))
    (light,) = host.encounter.board.lights.values()
    assert (light.bright, light.dim) == (3, 3)
    mouse.drag((4.5, 4.5), (5.5, 4.5), (6.5, 4.5))
    assert host.encounter.board.lights[light.id].position == (6.5, 4.5)
    mouse.click((6.5, 4.5))
    assert not host.encounter.board.lights[light.id].lit
    mouse.hover((6.5, 4.5))
    assert tool.delete()
    assert not host.encounter.board.lights


@pytest.mark.parametrize("kind", [LightTool, NoteTool])
def test_what_is_undone_in_mid_drag_is_let_go(host: HostNote, kind: type[PinTool]):
    tool = kind(host)
    host.answer = "Here"
    mouse = Mouse(host, tool)
    mouse.click((4.5, 4.5))
    mouse.press((4.5, 4.5))
    mouse.move((5.5, 4.5))
    host.session.undo()
    tool.refresh()
    mouse.release((6.5, 4.5))
    assert len(host.commands) == 1
    assert not tool.busy


def test_a_light_goes_with_the_token_below_if_wished(host: HostNote):
    tool = LightTool(host)
    tool.settings = LightSettings(on_token=True)
    Mouse(host, tool).click((2.5, 2.5))
    assert next(iter(host.encounter.board.lights.values())).carrier == HERO


def test_a_carried_lamp_is_put_out_where_it_burns_and_set_down_by_a_drag(host: HostNote):
    tool = LightTool(host)
    tool.settings = LightSettings(on_token=True)
    mouse = Mouse(host, tool)
    mouse.click((2.5, 2.5))
    host.execute(PlaceToken(token_id=HERO, cell=Cell(6, 4)))
    mouse.click((6.5, 4.5))
    (light,) = host.encounter.board.lights.values()
    assert (light.carrier, light.lit) == (HERO, False)
    mouse.drag((6.5, 4.5), (7.5, 4.5), (8.5, 4.5))
    (light,) = host.encounter.board.lights.values()
    assert (light.carrier, light.position) == (None, (8.5, 4.5))


def test_a_note_is_pinned_rewritten_and_not_made_of_nothing(host: HostNote):
    tool = NoteTool(host)
    mouse = Mouse(host, tool)
    mouse.click((4.5, 4.5))
    assert host.commands == []
    host.answer = "trap"
    mouse.click((4.5, 4.5))
    host.answer = "trap, sprung"
    mouse.click((4.5, 4.5))
    (note,) = host.encounter.board.notes.values()
    assert (note.text, note.gm_only) == ("trap, sprung", True)


def test_each_click_puts_a_token_with_a_name_of_its_own(host: HostNote):
    tool = TokenTool(host)
    tool.settings = TokenSettings(name="Orc", preset="fighter")
    mouse = Mouse(host, tool)
    mouse.hover((5.5, 5.5))
    assert host.preview("ghosts", GhostsPreview).ghosts[0].label_at == (5.5, 5.5)
    mouse.click((5.5, 5.5))
    mouse.click((6.5, 5.5))
    names = [t.name for t in host.encounter.tokens.values() if t.id not in {HERO, ORC, "friend"}]
    assert names == ["Orc 2", "Orc 3"]
    assert host.encounter.tokens[host.selected[0]].cell == Cell(6, 5)
    assert host.encounter.tokens[host.selected[0]].sheet is not None


def test_the_sheet_gives_a_token_its_size_also_to_its_ghost(host: HostNote):
    tool = TokenTool(host)
    tool.settings = TokenSettings(name="Ogre", preset="ogre")
    mouse = Mouse(host, tool)
    mouse.hover((5.5, 5.5))
    assert host.preview("ghosts", GhostsPreview).ghosts[0].label_at == (6.0, 6.0)
    mouse.click((5.5, 5.5))
    assert host.encounter.tokens[host.selected[0]].footprint == "2"


def test_a_token_of_no_known_size_is_not_made(host: HostNote):
    tool = TokenTool(host)
    tool.settings = TokenSettings(size="enormous")
    Mouse(host, tool).click((5.5, 5.5))
    assert not any(isinstance(command, AddTokens) for command in host.commands)
    assert "enormous" in host.said[-1]


def test_a_token_beside_the_board_is_refused(host: HostNote):
    Mouse(host, TokenTool(host)).click((-1.5, 5.5))
    assert host.refused == ["off_board"]


@pytest.mark.parametrize("kind", list(GridKind))
def test_snapping_finds_the_corners_of_every_grid(host_on: MakeHost, kind: GridKind):
    grid = host_on(an_encounter(kind=kind, tokens=[])).grid
    for corner in grid.polygon(Cell(3, 3)):
        near = (corner[0] + 0.03, corner[1] - 0.02)
        assert snap(grid, near) == pytest.approx(corner)
        assert snap_corner(grid, near) == pytest.approx(corner)
