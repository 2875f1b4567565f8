"""A View in lines for people: the list twin of the map."""

from collections.abc import Iterator, Mapping

from engine.grid.grid import Grid, board_grid
from engine.model.pending import Prompt
from engine.model.space import Point
from engine.model.words import counted
from engine.rules.ruleset import DeclaredPlan, Step
from engine.view import View
from engine.view.values import TokenView

LOGGED = 10
"""So many of the last lines of the log are shown."""


def view_lines(view: View) -> Iterator[str]:
    """Yield everything that a View tells: the moment, the tokens, the board, the end of the log."""
    grid = board_grid(view.grid)
    size = f"{grid.columns} x {grid.rows} {grid.kind}"
    yield f"{view.title or 'Untitled'}: {view.ruleset_name}, {size}, {view.ambient}"
    if view.step is not None:
        yield view.step.title
        if view.step.subtitle:
            yield f"  {view.step.subtitle}"
    if view.prompt is not None:
        yield _prompt(view.prompt)
    budgets = {} if view.step is None else {e.token_id: e.detail for e in view.step.entries}
    for token in view.tokens.values():
        yield _token(grid, token, budgets.get(token.id, ""))
    yield from _declared(view.step, view.tokens, grid)
    yield from _board(view, grid)
    yield from (entry.text for entry in view.log[-LOGGED:])


def _prompt(prompt: Prompt) -> str:
    """Return the open question with its dice, or with what may be answered."""
    answers = ", ".join(each.value for each in prompt.choices)
    asked = prompt.roll if prompt.roll is not None else answers
    return f"Open: {prompt.question}" + (f" [{asked}]" if asked else "")


def _token(grid: Grid, token: TokenView, budget: str) -> str:
    parts = [f"{token.id}: {token.name} ({token.side}) at {grid.label(token.cell)}"]
    if token.elevation:
        parts.append(f"height {token.elevation:g}")
    if token.hidden:
        parts.append("hidden")
    if token.card is not None:
        parts += [f"{bar.label} {bar.value}/{bar.maximum}" for bar in token.card.bars]
        parts += [badge.meaning for badge in token.card.badges]
    parts += [budget] if budget else []
    return f"  {', '.join(parts)}"


def _declared(step: Step | None, tokens: Mapping[str, TokenView], grid: Grid) -> Iterator[str]:
    """Yield what is declared and not resolved yet."""
    plans = () if step is None else step.plans
    if plans:
        yield "Declared:"
    for plan in plans:
        name = tokens[plan.token_id].name if plan.token_id in tokens else plan.token_id
        yield f"  {name}: {plan.label}{_where(plan, grid)}"


def _where(plan: DeclaredPlan, grid: Grid) -> str:
    return f" to {grid.label(plan.path[-1])}" if plan.path else ""


def _board(view: View, grid: Grid) -> Iterator[str]:
    """Yield doors, lights and regions one by one, and how many walls there are."""
    doors = [wall for wall in view.walls.values() if wall.door is not None]
    others = len(view.walls) - len(doors)
    if others:
        yield counted(others, "wall").capitalize()
    for wall in doors:
        name = f" {wall.name}" if wall.name else ""
        (ax, ay), (bx, by) = wall.points[0], wall.points[-1]
        middle = ((ax + bx) / 2, (ay + by) / 2)
        yield f"  {wall.id}:{name} {wall.door} door at {_at(grid, middle)}"
    for light in view.lights.values():
        lit = "" if light.lit else ", out"
        carried = f", carried by {light.carrier}" if light.carrier else ""
        reach = f"bright {light.bright:g}, dim {light.dim:g}"
        yield f"  {light.id}: light at {_at(grid, light.position)}, {reach}{carried}{lit}"
    for region in view.regions.values():
        yield f"  {region.id}: region {region.name}".rstrip()
    for area in view.areas.values():
        yield f"  {area.id}: area {area.name}".rstrip()
    if view.notes:
        yield counted(len(view.notes), "note").capitalize()


def _at(grid: Grid, point: Point) -> str:
    """Return the cell of a point; one on the far edge is told by its coordinates."""
    cell = grid.cell_at(point)
    return grid.label(cell) if grid.contains(cell) else f"{point[0]:g},{point[1]:g}"
