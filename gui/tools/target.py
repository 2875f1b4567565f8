"""Pointing at the target of a plan: a token, a cell, a way, a wall or a template.

It takes the place of the tool in hand while a plan wants a target, and gives it back after.
"""

from collections.abc import Callable
from math import atan2, degrees, dist
from typing import Any, Protocol

from typing_extensions import override

from engine.model.region import AreaShape, ShapeKind
from engine.model.space import Cell, Point
from engine.rules.ruleset import Offer, TargetKind
from gui.canvas.overlays.overlay import Preview, RulerPreview, Tone
from gui.canvas.pointer import PointerEvent
from gui.tools.tool import Host, Tool
from gui.tools.walking import middle, path_preview, rules_of, standing, walk

ASKS = {
    TargetKind.TOKEN: "Point at a token",
    TargetKind.CELL: "Point at a cell",
    TargetKind.PATH: "Point at the end of the way; Space sets a way-point",
    TargetKind.AREA: "Point at the place; the wheel turns it",
    TargetKind.WALL: "Point at a wall or a door",
    TargetKind.TEXT: "Type what is meant",
}
"""What a plan still wants, in words."""


class Aimed(Protocol):
    """The plan in preparation, as far as pointing concerns it."""

    @property
    def offer(self) -> Offer | None:
        """Return the chosen offer."""

    def reason_against(self, target_id: str) -> str:
        """Return why something may not be aimed at."""

    def aim(self, **fields: Any) -> None:
        """Try a target."""

    def fix(self, **fields: Any) -> None:
        """Settle on a target."""

    def cancel(self) -> bool:
        """Drop the plan."""


class TargetTool(Tool):
    """Pointing."""

    id = "target"
    shows = ("aim",)

    def __init__(
        self, host: Host, planner: Aimed, cover: Callable[[AreaShape], Preview | None]
    ) -> None:
        super().__init__(host)
        self._planner = planner
        self._cover = cover
        self._waypoints: list[Cell] = []
        self._turned_deg = 0.0
        self._last: PointerEvent | None = None

    @property
    @override
    def busy(self) -> bool:
        return self._planner.offer is not None

    @override
    def press(self, event: PointerEvent) -> None:
        self.hover(event)

    @override
    def move(self, event: PointerEvent) -> None:
        self.hover(event)

    @override
    def hover(self, event: PointerEvent) -> None:
        self._last = event
        fields = self._fields(event)
        self.host.show("aim", self._preview(event, fields))
        self.host.say(self._against(fields) or self.describe())
        if fields:
            self._planner.aim(**fields)

    @override
    def release(self, event: PointerEvent) -> None:
        fields = self._fields(event)
        if fields:
            self._last = None
            super().reset()
            self.host.say("")
            self._planner.fix(**fields)
        else:
            self.host.mark(event.cell, f"{self.describe()}.")

    @override
    def wheel(self, event: PointerEvent) -> bool:
        offer = self._planner.offer
        if offer is None or offer.target is not TargetKind.AREA or self._last is None:
            return False
        self._turned_deg += -15.0 if event.wheel_steps > 0 else 15.0
        self.hover(event)
        return True

    @override
    def key(self, name: str) -> bool:
        offer, last = self._planner.offer, self._last
        if offer is None or last is None or offer.target is not TargetKind.PATH:
            return False
        if name == "space":
            self._waypoints.append(last.cell)
        elif name == "backspace" and self._waypoints:
            self._waypoints.pop()
        else:
            return False
        self.hover(last)
        return True

    @override
    def cancel(self) -> bool:
        self.reset()
        return self._planner.cancel()

    @override
    def reset(self) -> None:
        self._waypoints, self._turned_deg, self._last = [], 0.0, None
        super().reset()

    @override
    def describe(self) -> str:
        offer = self._planner.offer
        return ASKS.get(offer.target, "") if offer is not None else ""

    def _fields(self, event: PointerEvent) -> dict[str, Any]:
        """Return what the mouse points at as fields of the plan; empty if at nothing fitting."""
        offer = self._planner.offer
        if offer is None:
            return {}
        on_board = self.host.grid.contains(event.cell)
        pointed: dict[TargetKind, dict[str, Any]] = {
            TargetKind.TOKEN: {"target_id": event.token_id},
            TargetKind.WALL: {"target_id": event.wall_id},
            TargetKind.CELL: {"path": (event.cell,) if on_board else None},
            TargetKind.PATH: {"path": self._way(event.cell) if on_board else None},
            TargetKind.AREA: {"shape": self._shape(offer, event)},
        }
        fields = pointed.get(offer.target, {})
        return {name: value for name, value in fields.items() if value is not None}

    def _way(self, cell: Cell) -> tuple[Cell, ...]:
        ends_there = bool(self._waypoints) and self._waypoints[-1] == cell
        return tuple(self._waypoints) if ends_there else (*self._waypoints, cell)

    def _shape(self, offer: Offer, event: PointerEvent) -> AreaShape:
        """Lay the offer's template where the mouse points; one that starts at the token turns."""
        shape = offer.plan.shape or AreaShape(shape=ShapeKind.BURST, origin=event.world)
        center = self._center(offer.plan.token_id)
        spot = self.host.grid.center(event.cell)
        if shape.shape in {ShapeKind.CONE, ShapeKind.LINE} and center is not None:
            angle = degrees(atan2(event.world[1] - center[1], event.world[0] - center[0]))
            return shape.changed(
                origin=center,
                # A hand is not steadier than a degree, and a border may lie exactly on a cell.
                direction_deg=float(round(angle) % 360),
                end=_along(center, spot, shape.size) if shape.shape is ShapeKind.LINE else None,
            )
        return shape.changed(
            origin=spot, direction_deg=(shape.direction_deg + self._turned_deg) % 360
        )

    def _center(self, token_id: str) -> Point | None:
        """Return from where the plan starts: the middle of the token after what it declared."""
        token = self.host.encounter.tokens.get(token_id)
        if token is None:
            return None
        _, stood = standing(self.host, token)
        return middle(self.host, stood, stood.cell)

    def _preview(self, event: PointerEvent, fields: dict[str, Any]) -> Preview | None:
        offer = self._planner.offer
        start = self._center(offer.plan.token_id) if offer is not None else None
        if offer is None or start is None:
            return None
        if "shape" in fields:
            return self._cover(fields["shape"])
        token = self.host.encounter.tokens.get(offer.plan.token_id)
        if offer.target is TargetKind.PATH and "path" in fields and token is not None:
            rules = rules_of(self.host, token, offer.plan)
            return path_preview(
                self.host, walk(self.host, token, fields["path"], rules, asks=False)
            )
        target = self.host.view.tokens.get(event.token_id or "")
        end = target.center if target is not None else event.world
        against = self._against(fields)
        return RulerPreview((start, end), total=against, tone=Tone.BAD if against else Tone.NOW)

    def _against(self, fields: dict[str, Any]) -> str:
        """Return why what the mouse points at may not be aimed at."""
        target_id = fields.get("target_id")
        return self._planner.reason_against(target_id) if target_id is not None else ""


def _along(start: Point, toward: Point, length: float) -> Point:
    """Return the point `length` away from the start, toward another point."""
    way = dist(start, toward)
    if way == 0:
        return (start[0] + length, start[1])
    return (
        start[0] + (toward[0] - start[0]) * length / way,
        start[1] + (toward[1] - start[1]) * length / way,
    )
