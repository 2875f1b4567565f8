"""Declared plans as ghosts on the map."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import dropwhile
from math import hypot

from engine.geometry.area import Coverage, area_cells
from engine.grid.footprint import footprint_named
from engine.grid.grid import Grid, Ring, board_grid
from engine.model.space import Point
from engine.rules.ruleset import DeclaredPlan
from engine.view import TokenView, View
from gui.canvas.overlays.overlay import Ghost, GhostsPreview

NAME = 0.65
"""The part of a token's half, from its middle, that its name may take."""


def plans_preview(view: View | None) -> GhostsPreview | None:
    """Return the declared plans that a View knows of as ghosts, None where there are none."""
    if view is None or view.step is None or not view.step.plans:
        return None
    ghosts = declared_ghosts(view, view.step.plans)
    return GhostsPreview(ghosts) if ghosts else None


def declared_ghosts(view: View, plans: Iterable[DeclaredPlan]) -> tuple[Ghost, ...]:
    """Return a ghost for each plan of a token that the View shows: where it goes, whom it means.

    What a token declared after a way begins where the way ends.
    """
    grid = board_grid(view.grid)
    ends: dict[str, Point] = {}
    rows: Counter[tuple[Point, bool]] = Counter()
    found = []
    for plan in plans:
        token = view.tokens.get(plan.token_id)
        if token is None:
            continue
        start = ends.get(token.id, token.center)
        ends[token.id] = _end(grid, token, plan, start)
        ghost = _ghost(grid, view, token, plan, start)
        place = (ghost.label_at, ghost.label_up)
        found.append(replace(ghost, label_row=rows[place]))
        rows[place] += bool(ghost.label)
    return tuple(found)


def _end(grid: Grid, token: TokenView, plan: DeclaredPlan, start: Point) -> Point:
    """Return the middle of a token after a plan that it begins at `start`."""
    footprint = footprint_named(grid.kind, token.footprint)
    return footprint.center_at(grid, plan.path[-1], token.facing) if plan.path else start


def _ghost(grid: Grid, view: View, token: TokenView, plan: DeclaredPlan, start: Point) -> Ghost:
    footprint = footprint_named(grid.kind, token.footprint)
    stops = [footprint.center_at(grid, cell, token.facing) for cell in plan.path]
    end = _end(grid, token, plan, start)
    away = end != start
    aimed = [view.tokens[each] for each in plan.targets if each in view.tokens]
    cells = footprint.cells_at(grid, plan.path[-1], token.facing) if away else ()
    up = sum(target.center[1] - end[1] for target in aimed) < 0
    return Ghost(
        rings=grid.rings(cells) if away else (),
        label_at=(end[0], end[1] + (1 if up else -1) * (_half(token) + 0.15)),
        label_up=not up,
        side=token.side,
        label=_words(plan, aimed),
        way=_way(token, start, stops) if away else (),
        arrows=tuple(_arrow(end, _half(token), target) for target in aimed),
        area=_border(grid, plan),
    )


def _border(grid: Grid, plan: DeclaredPlan) -> tuple[Ring, ...]:
    """Return the border of the cells that a declared template covers."""
    if plan.shape is None:
        return ()
    return grid.rings(area_cells(grid, plan.shape, Coverage.CENTER))


def _words(plan: DeclaredPlan, targets: Iterable[TokenView]) -> str:
    """Return what the map does not show by itself: no way that is drawn, nobody who is aimed at."""
    if plan.path:
        return ""
    words = plan.label
    for target in targets:
        words = words.replace(f": {target.name}", "")
    return words


def _way(token: TokenView, start: Point, stops: Iterable[Point]) -> tuple[Point, ...]:
    """Return the way from beside the token's name over the stops, the first of which may be it."""
    ahead = tuple(dropwhile(lambda stop: stop == start, stops))
    return (_toward(start, ahead[0], _half(token)), *ahead)


def _arrow(start: Point, half: float, target: TokenView) -> tuple[Point, Point]:
    """Return an arrow between two tokens that leaves the names within them free."""
    return (
        _toward(start, target.center, half),
        _toward(target.center, start, _half(target)),
    )


def _toward(start: Point, end: Point, half: float) -> Point:
    """Return the point out of the middle of a token, this large, on the way to another."""
    share = min(NAME * half / (hypot(end[0] - start[0], end[1] - start[1]) or 1), 0.4)
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def _half(token: TokenView) -> float:
    """Return half the height of a token."""
    rows = [y for ring in token.rings for _, y in ring]
    return (max(rows) - min(rows)) / 2
