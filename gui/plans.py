"""Declared plans as ghosts on the map."""

from collections.abc import Iterable

from engine.geometry.area import Coverage, area_cells
from engine.grid.footprint import footprint_named
from engine.grid.grid import Grid, Ring, board_grid
from engine.model.space import Point
from engine.rules.ruleset import DeclaredPlan
from engine.view import TokenView, View
from gui.canvas.overlays.overlay import Ghost


def declared_ghosts(view: View, plans: Iterable[DeclaredPlan]) -> tuple[Ghost, ...]:
    """Return a ghost for each plan of a token that the View shows: where it goes, whom it means."""
    grid = board_grid(view.grid)
    ghosts = []
    for plan in plans:
        token = view.tokens.get(plan.token_id)
        if token is None:
            continue
        footprint = footprint_named(grid.kind, token.footprint)
        end = plan.path[-1] if plan.path else token.cell
        cells = footprint.cells_at(grid, end, token.facing)
        away = bool(plan.path) and plan.path[-1] != token.cell
        targets = [view.tokens[each] for each in plan.targets if each in view.tokens]
        ghosts.append(
            Ghost(
                # Where the token stays only the words are shown, above it.
                rings=grid.rings(cells) if away else (),
                center=footprint.center_at(grid, end, token.facing) if away else _above(token),
                side=token.side,
                label=_words(plan, targets),
                way=tuple(
                    footprint.center_at(grid, cell, token.facing)
                    for cell in (token.cell, *plan.path)
                )
                if plan.path
                else (),
                targets=tuple(each.center for each in targets),
                area=_border(grid, plan),
            )
        )
    return tuple(ghosts)


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


def _above(token: TokenView) -> Point:
    """Return the point over a token's head."""
    top = min(y for ring in token.rings for _, y in ring)
    return (token.center[0], top - 0.15)
