"""Boards that show everything that can be drawn, without writing, which differs by fonts."""

from math import cos, pi, sin

from engine.grid.grid import Grid
from engine.model.fog import PX_PER_CELL, TILE_PX
from engine.model.light import Light
from engine.model.region import Area, AreaShape, Obscuration, Region, ShapeKind, Surface
from engine.model.space import GridKind
from engine.model.value import FrozenMap
from engine.model.wall import DoorState, OneSided, Wall, WallKind
from engine.view import FogView, TokenView, View
from tests.helpers.views import a_door, a_grid, a_token, a_view, a_wall

TILE_CELLS = TILE_PX // PX_PER_CELL
FULL_TILE = b"\xff" * (TILE_PX * TILE_PX // 8)


def full_view(kind: GridKind, *, gm: bool) -> View:
    """Return a board of 16 x 10 cells with one of everything."""
    grid = a_grid(16, 10, kind)
    return a_view(
        *_tokens(grid, gm=gm),
        grid=grid,
        gm=gm,
        walls=_walls(gm=gm),
        fog=_fog(),
        regions=_by_id(*_regions()),
        lights=_by_id(Light(id="lamp", position=(3.0, 8.0), bright=1.5, dim=3)) if gm else {},
        areas=_by_id(_area(grid)),
        background="#35402f",
        active=("party",),
    )


def _tokens(grid: Grid, *, gm: bool) -> list[TokenView]:
    def token(token_id: str, column: int, row: int, **fields: object) -> TokenView:
        cell = grid.from_offset(column, row)
        return a_token(token_id, cell, grid=grid, label="", badges=(), **fields)  # type: ignore[arg-type]

    found = [
        token("party", 6, 5, facing=1),
        token("foe", 8, 4, side="foes", facing=4, bars=((2, 10),)),
        token("other", 9, 6, side="neutral", facing=6, down=True),
        token("pack", 4, 2, side="wolves"),
        token("big", 11, 3, side="foes", footprint="7L" if grid.kind.is_hex else "3", facing=1),
    ]
    return [*found, token("spy", 7, 7, side="foes", hidden=True)] if gm else found


def _walls(*, gm: bool) -> list[Wall]:
    found = [
        a_wall("house", (2, 2), (2, 6), (6, 6), (6, 5)),
        a_wall("roof", (6, 4), (6, 2), (5, 2)),
        a_door("closed", (4, 2), (5, 2)),
        a_door("open", (6, 4), (6, 5), state=DoorState.OPEN),
        a_door("locked", (3, 2), (4, 2), state=DoorState.LOCKED),
        a_wall("window", (2, 2), (3, 2), kind=WallKind.WINDOW),
        a_wall("low", (9, 8), (13, 8), kind=WallKind.LOW_WALL),
        a_wall("hill", (9, 9), (13, 9), kind=WallKind.TERRAIN),
        a_wall("bank", (14, 6), (14, 9), one_sided=OneSided.LEFT),
    ]
    secret = Wall(
        id="secret",
        points=((2, 4), (2, 5)),
        kind=WallKind.SECRET_DOOR,
        door=DoorState.CLOSED,
    )
    return [*found, secret] if gm else found


def _regions() -> list[Region]:
    def box(
        left: float, top: float, right: float, bottom: float
    ) -> tuple[tuple[float, float], ...]:
        return (left, top), (right, top), (right, bottom), (left, bottom)

    return [
        Region(id="mud", rings=(box(7, 7.5, 9, 9.5),), step_cost=2),
        Region(id="mist", rings=(box(9.5, 0.5, 15.5, 3),), obscuration=Obscuration.HEAVY),
        Region(id="pit", rings=(box(14, 4, 15, 5),), impassable=True),
        Region(id="pond", rings=(box(0.5, 8, 2.5, 9.5),), surface=Surface.WATER),
    ]


def _area(grid: Grid) -> Area:
    middle = grid.from_offset(12, 6)
    cells = (middle, *(near.cell for near in grid.neighbours(middle)))
    shape = AreaShape(shape=ShapeKind.BURST, origin=grid.center(middle), size=1)
    return Area(id="fire", shape=shape, cells=cells, damage="2d6")


def _fog() -> FogView:
    eye = tuple(
        (
            7 + 5.5 * cos(i * pi / 12) * (1.0 if i % 4 else 0.6),
            5 + 4.2 * sin(i * pi / 12) * (1.0 if i % 4 else 0.6),
        )
        for i in range(24)
    )
    return FogView(
        enabled=True,
        sight=((eye,),),
        explored=FrozenMap({(0, 0): FULL_TILE}),
        revealed=FrozenMap(),
        veiled=FrozenMap({(1, 1): FULL_TILE}),
    )


def _by_id(*values: object) -> FrozenMap:
    return FrozenMap({value.id: value for value in values})  # type: ignore[attr-defined]
