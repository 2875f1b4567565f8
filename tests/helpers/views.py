"""Builders of Views with defaults, for tests of what is drawn."""

from collections.abc import Iterable
from typing import Any

from engine.grid.footprint import footprint_named
from engine.grid.grid import Grid, grid_of
from engine.model.audience import GM, PLAYERS, StageMode
from engine.model.board import GridSpec
from engine.model.light import Ambient
from engine.model.space import Cell, GridKind
from engine.model.value import FrozenMap
from engine.model.wall import DoorState, Wall, WallKind
from engine.rules.ruleset import Badge, Bar, Card
from engine.view import FogView, TokenView, View

NO_FOG = FogView(
    enabled=False, sight=None, explored=FrozenMap(), revealed=FrozenMap(), veiled=FrozenMap()
)


def a_grid(columns: int = 12, rows: int = 8, kind: GridKind = GridKind.SQUARE) -> Grid:
    return grid_of(kind, columns, rows)


def a_token(
    token_id: str,
    cell: tuple[int, int] = (0, 0),
    *,
    grid: Grid | None = None,
    footprint: str = "1",
    facing: int = 0,
    bars: Iterable[tuple[int, int]] = ((7, 10),),
    badges: Iterable[str] = (),
    down: bool = False,
    **fields: Any,
) -> TokenView:
    grid = grid or a_grid()
    figure = footprint_named(grid.kind, footprint)
    cells = figure.cells_at(grid, Cell(*cell), facing)
    card = Card(
        bars=tuple(Bar(label="HP", value=value, maximum=most) for value, most in bars),
        badges=tuple(Badge(text=each, meaning=each) for each in badges),
        down=down,
    )
    given: dict[str, Any] = {
        "name": token_id,
        "label": token_id[:3],
        "side": "party",
        "elevation": 0,
        "height": 1,
        "card": card,
        "hidden": False,
        "portrait": None,
        "group": None,
        "gm_note": "",
    }
    return TokenView(
        id=token_id,
        cell=Cell(*cell),
        cells=cells,
        center=figure.center_at(grid, Cell(*cell), facing),
        rings=grid.rings(cells),
        facing=facing,
        footprint=footprint,
        **(given | fields),
    )


def a_view(
    *tokens: TokenView,
    grid: Grid | None = None,
    gm: bool = True,
    walls: Iterable[Wall] = (),
    fog: FogView = NO_FOG,
    **fields: Any,
) -> View:
    grid = grid or a_grid()
    given: dict[str, Any] = {
        "mode": StageMode.LIVE,
        "title": "",
        "ruleset": "drase",
        "ruleset_name": "Drase",
        "fighting": False,
        "grid": GridSpec(kind=grid.kind, columns=grid.columns, rows=grid.rows),
        "picture": None,
        "background": "#3a4a3a",
        "ambient": Ambient.BRIGHT,
        "regions": FrozenMap(),
        "lights": FrozenMap(),
        "areas": FrozenMap(),
        "notes": FrozenMap(),
        "step": None,
        "prompt": None,
        "log": (),
    }
    return View(
        audience=GM if gm else PLAYERS,
        tokens={token.id: token for token in tokens},
        walls=FrozenMap({wall.id: wall for wall in walls}),
        fog=fog,
        **(given | fields),
    )


def a_wall(wall_id: str, *points: tuple[float, float], **fields: Any) -> Wall:
    return Wall(id=wall_id, points=points, **fields)


def a_door(wall_id: str, *points: tuple[float, float], state: DoorState = DoorState.CLOSED) -> Wall:
    return Wall(id=wall_id, points=points, kind=WallKind.DOOR, door=state)


def box_sight(left: float, top: float, right: float, bottom: float) -> FogView:
    """Return a fog with one eye that sees a rectangle."""
    ring = ((left, top), (right, top), (right, bottom), (left, bottom))
    return FogView(
        enabled=True,
        sight=((ring,),),
        explored=FrozenMap(),
        revealed=FrozenMap(),
        veiled=FrozenMap(),
    )
