"""The light tool: click sets a light, drag moves one, a click on one puts it out or lights it."""

from collections.abc import Mapping

from pydantic import Field
from typing_extensions import override

from engine.commands.board import PutLights, RemoveLights
from engine.model.encounter import fresh_id
from engine.model.light import Light
from engine.model.space import Point
from engine.model.value import Value
from engine.view.reuse import lamps
from gui.canvas.pointer import PointerEvent
from gui.tools.pins import PinTool
from gui.tools.tool import Host


class LightSettings(Value):
    """What a new light gives, radii in cells; without a `dim` one it is twice the bright one."""

    kind: str = "light"
    bright: int = Field(default=4, ge=0, le=200)
    dim: int | None = Field(default=None, ge=0, le=200, description="Empty: twice as far.")
    on_token: bool = False


class LightTool(PinTool):
    """Setting lights."""

    id = "light"
    hint = "Click sets a light, drag moves one, a click on one puts it out; Delete removes it"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.settings: Value = LightSettings()

    @override
    def pins(self) -> Mapping[str, Light]:
        return lamps(self.host.encounter)

    @override
    def put(self, point: Point, event: PointerEvent) -> None:
        settings = self.settings
        assert isinstance(settings, LightSettings)
        dim = 2 * settings.bright if settings.dim is None else settings.dim
        light = Light(
            id=fresh_id(self.pins(), "light"),
            position=point,
            bright=settings.bright,
            dim=max(settings.bright, dim),
            carrier=event.token_id if settings.on_token else None,
        )
        self.host.execute(PutLights(lights=(light,)))

    @override
    def shift(self, pin_id: str, point: Point) -> None:
        # A lamp that is dragged off whoever carries it is set down there.
        set_down = self.pins()[pin_id].changed(position=point, carrier=None)
        self.host.execute(PutLights(lights=(set_down,)))

    @override
    def edit(self, pin_id: str) -> None:
        light = self.host.encounter.board.lights[pin_id]
        self.host.execute(PutLights(lights=(light.changed(lit=not light.lit),)))

    @override
    def remove(self, pin_id: str) -> bool:
        return self.host.execute(RemoveLights(light_ids=(pin_id,)))
