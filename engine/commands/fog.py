"""Commands on what the players know.

What is revealed by hand is shown as if in sight; what is hidden by hand is covered even if in
sight; what is cleared shows what the tokens see. One stroke, one command, one undo step.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from typing_extensions import override

from engine.commands.command import Case, Command
from engine.events.event import Event
from engine.events.fog import FogChanged, FogReset, FogSwitched
from engine.geometry.explored import (
    Mask,
    mask_of_box,
    mask_of_rings,
    mask_of_stroke,
)
from engine.geometry.rooms import room_around
from engine.grid.grid import board_grid
from engine.model.board import MAX_SIDE, Board
from engine.model.encounter import Encounter
from engine.model.refusal import impossible
from engine.model.space import Point
from engine.model.value import Value


class Stroke(Value):
    """What a brush of this radius (cells) covers on its way over points."""

    shape: Literal["stroke"] = "stroke"
    points: Annotated[tuple[Point, ...], Field(min_length=1)]
    radius: float = Field(default=1, gt=0, le=MAX_SIDE)


class Rectangle(Value):
    """An upright rectangle between two corners."""

    shape: Literal["rectangle"] = "rectangle"
    start: Point
    end: Point


class Outline(Value):
    """What lies inside a closed line, by the even-odd rule."""

    shape: Literal["polygon"] = "polygon"
    points: Annotated[tuple[Point, ...], Field(min_length=3)]


class Room(Value):
    """Everything around a point up to the walls, windows and doors, open or not."""

    shape: Literal["room"] = "room"
    point: Point


FogShape = Annotated[Stroke | Rectangle | Outline | Room, Field(discriminator="shape")]


class _PaintFog(Command):
    """Mark ground by hand."""

    area: FogShape
    verb: ClassVar[str]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        return (self._paint(case.encounter, _mask(case.encounter.board, self.area)),)

    @override
    def label(self, encounter: Encounter) -> str:
        return f"{self.verb} {'a room' if isinstance(self.area, Room) else 'ground'}"

    def _paint(self, encounter: Encounter, mask: Mask) -> Event:
        raise NotImplementedError


class RevealFog(_PaintFog):
    """Show ground as if it were in sight."""

    kind: Literal["reveal_fog"] = "reveal_fog"
    verb = "Reveal"

    @override
    def _paint(self, encounter: Encounter, mask: Mask) -> Event:
        fog = encounter.fog
        return FogChanged(revealed=mask.added_to(fog.revealed), veiled=mask.taken_from(fog.veiled))


class HideFog(_PaintFog):
    """Cover ground even where it is in sight."""

    kind: Literal["hide_fog"] = "hide_fog"
    verb = "Hide"

    @override
    def _paint(self, encounter: Encounter, mask: Mask) -> Event:
        fog = encounter.fog
        return FogChanged(revealed=mask.taken_from(fog.revealed), veiled=mask.added_to(fog.veiled))


class ClearFog(_PaintFog):
    """Take back what was revealed and hidden by hand."""

    kind: Literal["clear_fog"] = "clear_fog"
    verb = "Clear"

    @override
    def _paint(self, encounter: Encounter, mask: Mask) -> Event:
        fog = encounter.fog
        return FogChanged(
            revealed=mask.taken_from(fog.revealed), veiled=mask.taken_from(fog.veiled)
        )


class SwitchFog(Command):
    """Switch the fog on or off; off, the players see the whole board."""

    kind: Literal["switch_fog"] = "switch_fog"
    enabled: bool

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        return (FogSwitched(enabled=self.enabled),)

    @override
    def label(self, encounter: Encounter) -> str:
        return "Fog on" if self.enabled else "Fog off"


class ResetFog(Command):
    """Make the players forget what they explored."""

    kind: Literal["reset_fog"] = "reset_fog"

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        return (FogReset(),)

    @override
    def label(self, encounter: Encounter) -> str:
        return "Forget what was explored"


def _mask(board: Board, area: FogShape) -> Mask:
    """Return the ground of an area, cut at the board's edge."""
    bounds = board_grid(board.grid).bounds
    if isinstance(area, Stroke):
        mask = mask_of_stroke(area.points, area.radius, bounds)
    elif isinstance(area, Rectangle):
        (ax, ay), (bx, by) = area.start, area.end
        mask = mask_of_rings([((ax, ay), (bx, ay), (bx, by), (ax, by))], bounds)
    elif isinstance(area, Outline):
        mask = mask_of_rings([area.points], bounds)
    else:
        rings = room_around(board, area.point)
        if not rings:
            raise impossible("no_room", "There is no room at that point: it is off the board.")
        mask = mask_of_rings(rings, bounds)
    return mask & mask_of_box(bounds)
