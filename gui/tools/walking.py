"""The walk of a held token: its steps with their costs and reasons, as a preview shows them.

The engine and the ruleset compute; here their answers only become words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.geometry.routes import free_route
from engine.grid.footprint import footprint_named
from engine.model.refusal import Rejected, Rejection
from engine.model.space import Cell, Facing, Point
from engine.model.token import Token
from engine.rules.ruleset import MovePlan
from gui.canvas.overlays.overlay import Ghost, PathPreview, PathStep, Tone
from gui.tools.tool import Host


@dataclass(frozen=True, slots=True)
class Walk:
    """A way for a token: all its cells, what stands against it, and its lines of cost."""

    token: Token
    waypoints: tuple[Cell, ...]
    cells: tuple[Cell, ...]
    facing: Facing
    refusals: tuple[Rejection, ...] = ()
    costs: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    left: str = ""

    @property
    def refusal(self) -> Rejection | None:
        """Return the first thing that stands against it."""
        return self.refusals[0] if self.refusals else None


def walk(host: Host, token: Token, waypoints: Sequence[Cell]) -> Walk:
    """Return the walk over way-points, by the rules in a fight, freely otherwise."""
    encounter = host.encounter
    route = free_route(encounter, token, waypoints)
    refusals = list(route.refusals)
    costs: tuple[str, ...] = tuple(str(number) for number in range(1, len(route.cells)))
    reasons: tuple[str, ...] = ()
    left = ""
    if encounter.fighting and len(route.cells) > 1:
        plan = MovePlan(token_id=token.id, path=tuple(waypoints), facing=None)
        try:
            forecast = host.ruleset.forecast(encounter, plan)
        except Rejected as error:
            refusals = [error.rejection]
        else:
            refusals = [*forecast.refusals] or refusals
            left = " · ".join(
                f"{line.label} {line.text or line.value or ''}".strip() for line in forecast.lines
            )
    return Walk(
        token=token,
        waypoints=tuple(waypoints),
        cells=route.cells,
        facing=route.facing,
        refusals=tuple(refusals),
        costs=costs,
        reasons=reasons,
        left=left,
    )


def middle(host: Host, token: Token, cell: Cell) -> Point:
    """Return the middle of a token that stands on a cell."""
    footprint = footprint_named(host.grid.kind, token.footprint)
    return footprint.center_at(host.grid, cell, token.facing)


def path_preview(host: Host, made: Walk) -> PathPreview:
    """Return a walk as the canvas draws it; steps from the refused one on are not allowed."""
    bad = made.refusal
    stop = made.cells.index(bad.cell) if bad is not None and bad.cell in made.cells else 0
    fine = bad is None
    steps = tuple(
        PathStep(
            point=middle(host, made.token, cell),
            cost=made.costs[number] if number < len(made.costs) else "",
            reason=made.reasons[number] if number < len(made.reasons) else "",
            allowed=fine or (number + 1 < stop),
            waypoint=cell in made.waypoints[:-1],
        )
        for number, cell in enumerate(made.cells[1:])
    )
    return PathPreview(
        start=middle(host, made.token, made.cells[0]),
        steps=steps,
        left=made.left,
        tone=Tone.NOW if fine else Tone.BAD,
    )


def ghost(host: Host, token: Token, cell: Cell) -> Ghost:
    """Return a token's outline at another cell."""
    footprint = footprint_named(host.grid.kind, token.footprint)
    cells = footprint.cells_at(host.grid, cell, token.facing)
    return Ghost(
        rings=host.grid.rings(cells),
        center=footprint.center_at(host.grid, cell, token.facing),
        side=token.side,
        label=token.label or token.name[:3],
    )
