"""Declared plans as ghosts on the map."""

from collections.abc import Iterable, Sequence
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
    """Return a ghost for each plan of a token that the View shows: where it goes, whom it means."""
    grid = board_grid(view.grid)
    return tuple(
        _ghost(grid, view, view.tokens[plan.token_id], plan)
        for plan in plans
        if plan.token_id in view.tokens
    )


def _ghost(grid: Grid, view: View, token: TokenView, plan: DeclaredPlan) -> Ghost:
    footprint = footprint_named(grid.kind, token.footprint)
    stops = [footprint.center_at(grid, cell, token.facing) for cell in plan.path]
    end = stops[-1] if stops else token.center
    away = end != token.center
    aimed = [view.tokens[each] for each in plan.targets if each in view.tokens]
    cells = footprint.cells_at(grid, plan.path[-1], token.facing) if away else ()
    return Ghost(
        rings=grid.rings(cells) if away else (),
        label_at=_beside(token, aimed),
        side=token.side,
        label=_words(plan, aimed),
        way=_way(token, stops) if away else (),
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


def _beside(token: TokenView, targets: Sequence[TokenView]) -> Point:
    """Return the point over a token's head, or at its feet if what it aims at is above."""
    x, y = token.center
    up = sum(target.center[1] - y for target in targets) < 0
    return (x, y + (1 if up else -1) * (_half(token) + 0.15))


def _way(token: TokenView, stops: Iterable[Point]) -> tuple[Point, ...]:
    """Return the way from beside the token's name over the stops, the first of which may be it."""
    ahead = tuple(dropwhile(lambda stop: stop == token.center, stops))
    return (_toward(token.center, ahead[0], _half(token)), *ahead)


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
