"""The fog tool, fed by hand: one stroke, one command."""

from engine.commands.fog import ClearFog, HideFog, Rectangle, RevealFog, Room, Stroke
from gui.canvas.overlays.overlay import BoxPreview, BrushPreview
from gui.tools.fog import LARGEST, FogMode, FogSettings, FogShapeKind, FogTool
from tests.gui.tools.host import HostNote, Mouse


def test_a_stroke_reveals_what_it_goes_over_in_one_step(host: HostNote):
    mouse = Mouse(host, FogTool(host))
    mouse.press((2.0, 2.0))
    mouse.move((4.0, 2.0))
    assert host.session.head == 0
    mouse.move((6.0, 2.0))
    mouse.release((6.0, 2.0))
    (command,) = host.commands
    assert isinstance(command, RevealFog)
    assert isinstance(command.area, Stroke)
    assert (command.area.points[0], command.area.points[-1]) == ((2.0, 2.0), (6.0, 2.0))
    assert host.encounter.fog.revealed
    assert len(host.session.history()) == 1
    host.session.undo()
    assert not host.encounter.fog.revealed


def test_shift_covers_and_ctrl_takes_back(host: HostNote):
    mouse = Mouse(host, FogTool(host))
    mouse.click((3.0, 3.0), shift=True)
    mouse.click((3.0, 3.0), ctrl=True)
    assert [type(each) for each in host.commands] == [HideFog, ClearFog]


def test_a_trembling_hand_makes_few_points(host: HostNote):
    mouse = Mouse(host, FogTool(host))
    mouse.press((3.0, 3.0))
    for step in range(200):
        mouse.move((3.0 + step * 0.001, 3.0))
    mouse.release((3.2, 3.0))
    (command,) = host.commands
    assert isinstance(command, RevealFog)
    assert isinstance(command.area, Stroke)
    assert len(command.area.points) <= 3


def test_a_box_shows_while_it_is_pulled(host: HostNote):
    tool = FogTool(host)
    tool.settings = FogSettings(shape=FogShapeKind.BOX, mode=FogMode.COVER)
    mouse = Mouse(host, tool)
    mouse.press((1.0, 1.0))
    mouse.move((4.0, 5.0))
    assert host.preview("box", BoxPreview) == BoxPreview((1.0, 1.0), (4.0, 5.0))
    mouse.release((4.0, 5.0))
    assert host.commands == [HideFog(area=Rectangle(start=(1, 1), end=(4, 5)))]


def test_a_box_without_size_is_none(host: HostNote):
    tool = FogTool(host)
    tool.settings = FogSettings(shape=FogShapeKind.BOX)
    Mouse(host, tool).click((1.0, 1.0))
    assert host.commands == []


def test_a_whole_room_is_revealed_by_a_click(host: HostNote):
    tool = FogTool(host)
    tool.settings = FogSettings(shape=FogShapeKind.ROOM)
    Mouse(host, tool).click((3.0, 3.0))
    assert host.commands == [RevealFog(area=Room(point=(3, 3)))]


def test_the_wheel_changes_the_brush_within_bounds(host: HostNote):
    tool = FogTool(host)
    mouse = Mouse(host, tool)
    mouse.press((3.0, 3.0))
    assert mouse.wheel((3.0, 3.0), 1)
    assert host.preview("brush", BrushPreview).radius > 1.5
    for _ in range(60):
        mouse.wheel((3.0, 3.0), 1)
    assert host.preview("brush", BrushPreview).radius == LARGEST


def test_escape_leaves_the_fog_as_it_was(host: HostNote):
    tool = FogTool(host)
    mouse = Mouse(host, tool)
    mouse.press((3.0, 3.0))
    mouse.move((5.0, 3.0))
    assert tool.cancel()
    mouse.release((5.0, 3.0))
    assert host.commands == []
    assert not host.previews
