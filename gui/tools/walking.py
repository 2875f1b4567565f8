"""The walk of a held token: its steps with their costs and reasons, as a preview shows them.

The engine and the ruleset compute; here their answers only become words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.geometry.movement import alternatives
from engine.geometry.path import Path
from engine.geometry.routes import MovementRules, Route, field_of, free_rules, reach_of, route
from engine.geometry.stride import Cost, Stand
from engine.grid.footprint import footprint_named
from engine.model.encounter import Encounter
from engine.model.names import mark_of
from engine.model.refusal import Rejected, Rejection
from engine.model.space import Cell, Point
from engine.model.token import Token
from engine.rules.ruleset import MovePlan, Plan
from gui.canvas.overlays.overlay import CellsPreview, Ghost, PathPreview, PathStep, Tone
from gui.tools.tool import Host


@dataclass(frozen=True, slots=True)
class Walk:
    """A way for a token over way-points: the engine's route, and the ruleset's lines on it."""

    token: Token
    waypoints: tuple[Cell, ...]
    route: Route
    budget: Cost | None
    refusals: tuple[Rejection, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def refusal(self) -> Rejection | None:
        """Return the first thing that stands against it."""
        return self.refusals[0] if self.refusals else None

    @property
    def cost(self) -> Cost:
        """Return the price of the whole way, 0 where there is none."""
        return self.route.path.cost if self.route.path is not None else 0

    @property
    def left(self) -> str:
        """Return what remains of the budget, in words; nothing where there is no budget."""
        if self.budget is None or self.route.path is None:
            return ""
        rest = self.budget - self.cost
        return f"{plain(rest)} left" if rest >= 0 else f"{plain(-rest)} too many"


def rules_of(host: Host, token: Token, plan: Plan | None = None) -> MovementRules:
    """Return how a token moves now: by the ruleset in a fight, freely otherwise."""
    encounter = host.encounter
    if not encounter.fighting:
        return free_rules(encounter, token)
    return host.ruleset.movement(encounter, token.id, plan)


def standing(host: Host, token: Token) -> tuple[Encounter, Token]:
    """Return the map and the token as the next way finds them: after what is declared already.

    A token that is only supposed to stand somewhere stands there.
    """
    encounter = host.encounter
    if encounter.fighting and encounter.tokens.get(token.id) is token:
        encounter = host.ruleset.planned(encounter, token.id)
        token = encounter.token(token.id)
    return encounter, token


def walk(
    host: Host, token: Token, waypoints: Sequence[Cell], rules: MovementRules, *, asks: bool = True
) -> Walk:
    """Return the walk over way-points; with `asks` the ruleset's forecast of it is added."""
    encounter = host.encounter
    planned, start = standing(host, token)
    found = route(planned, start, waypoints, rules)
    refusals = found.refusals
    remarks: tuple[str, ...] = ()
    if asks and encounter.fighting and len(found.cells) > 1:
        plan = MovePlan(token_id=token.id, path=tuple(waypoints))
        try:
            forecast = host.ruleset.forecast(encounter, plan)
        except Rejected as error:
            refusals = (*refusals, error.rejection)
        else:
            refusals = (*refusals, *(r for r in forecast.refusals if r not in refusals))
            remarks = tuple(f"{line.label} {line.text}".strip() for line in forecast.lines)
    return Walk(start, tuple(waypoints), found, rules.budget, refusals, remarks)


def other_ways(
    host: Host, token: Token, target: Cell, rules: MovementRules
) -> tuple[tuple[Cell, ...], ...]:
    """Return the ways to a cell, the best first, each as the cells after the start."""
    planned, stood = standing(host, token)
    ground = field_of(planned, rules)
    start = Stand(stood.cell, stood.facing, rules.parity)
    found = alternatives(ground, rules.stride, start, target)
    return tuple(path.cells[1:] for path in found)


def plain(cost: Cost) -> str:
    """Return a cost without needless decimals."""
    return f"{cost:.2f}".rstrip("0").rstrip(".") if isinstance(cost, float) else str(cost)


def middle(host: Host, token: Token, cell: Cell) -> Point:
    """Return the middle of a token that stands on a cell."""
    footprint = footprint_named(host.grid.kind, token.footprint)
    return footprint.center_at(host.grid, cell, token.facing)


def path_preview(host: Host, made: Walk) -> PathPreview:
    """Return a walk as the canvas draws it: the price so far at each step, and why."""
    path = made.route.path
    steps = _priced(host, made, path) if path is not None else _straight(host, made)
    return PathPreview(
        start=middle(host, made.token, made.route.cells[0]),
        steps=steps,
        left=made.left,
        tone=Tone.NOW if made.refusal is None else Tone.BAD,
    )


def _priced(host: Host, made: Walk, path: Path) -> tuple[PathStep, ...]:
    spent: Cost = 0
    steps = []
    for step in path.steps:
        spent += step.cost
        steps.append(
            PathStep(
                point=middle(host, made.token, step.cell),
                cost=plain(spent),
                reason=", ".join(step.reasons),
                allowed=made.budget is None or spent <= made.budget,
                waypoint=step.cell in made.waypoints[:-1],
            )
        )
    return tuple(steps)


def _straight(host: Host, made: Walk) -> tuple[PathStep, ...]:
    """Return a walk that cannot be made: fine up to the place of the refusal."""
    cells = made.route.cells
    bad = made.refusal.cell if made.refusal is not None else None
    stop = cells.index(bad) if bad in cells else 1
    return tuple(
        PathStep(middle(host, made.token, cell), "", allowed=number < stop)
        for number, cell in enumerate(cells[1:], start=1)
    )


def reach_preview(host: Host, token: Token, rules: MovementRules) -> CellsPreview | None:
    """Return the cells in a token's reach, or None where the rules set no limit."""
    if rules.budget is None:
        return None
    tone = Tone.FOE if token.side == "foes" else Tone.PARTY
    planned, start = standing(host, token)
    return CellsPreview(frozenset(reach_of(planned, start, rules).cells()), tone)


def ghost(host: Host, token: Token, cell: Cell) -> Ghost:
    """Return a token's outline at another cell."""
    footprint = footprint_named(host.grid.kind, token.footprint)
    cells = footprint.cells_at(host.grid, cell, token.facing)
    return Ghost(
        rings=host.grid.rings(cells),
        label_at=footprint.center_at(host.grid, cell, token.facing),
        side=token.side,
        label=token.label or mark_of(token.name),
    )
