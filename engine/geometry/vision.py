"""What a token sees: the line of sight from its eye, joined with the light of the place.

A place is seen if it lies in the line of sight and is lit, be it dimly, or lies within the
token's darkvision. Each token keeps its own polygons; they are never united. Who may know of it
is decided elsewhere (`knowledge`).
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.geometry.arrays import Bools, Box, Floats, Ints
from engine.geometry.boards import wall_set
from engine.geometry.outlook import (
    Lookout,
    Outlook,
    as_ring,
    off_closed_walls,
    outlooks,
    plain_outline,
)
from engine.geometry.terrain import terrain_of
from engine.grid.base import Ring
from engine.grid.footprint import footprint_named
from engine.grid.grid import board_grid
from engine.model.board import Board
from engine.model.encounter import Encounter
from engine.model.light import Ambient, Light
from engine.model.space import Cell, Point
from engine.model.token import Token

EYE = 0.9
"""An eye is so high in its body, as a part of the body's height."""

LAMP_HEIGHT = 1.0
"""Cells. A lamp that nobody carries hangs so high above the board."""

_VISIONS_KEPT = 512


class Look(NamedTuple):
    """An eye: its place, and how far it sees without light."""

    place: Lookout
    darkvision: float = 0


@dataclass(frozen=True, eq=False)
class Glow:
    """A burning lamp: bright out to `bright` cells, dim as far as `reach` goes."""

    light_id: str
    center: Point
    bright: float
    reach: Outlook

    def is_bright(self, points: Floats) -> Bools:
        """Tell which points (k, 2) it lights brightly."""
        near = np.hypot(*(points - np.array(self.center)).T) <= self.bright
        return np.asarray(near & self.reach.contains(points))


@dataclass(frozen=True, eq=False)
class Vision:
    """What one eye sees.

    `glows` are the lamps that matter to it, None where the place is light by itself; `night` is
    what it sees without light.
    """

    sight: Outlook
    night: Outlook | None = None
    glows: tuple[Glow, ...] | None = None

    @cached_property
    def rings(self) -> tuple[Ring, ...]:
        """The outlines of what is seen; they may overlap."""
        return tuple(as_ring(outline) for outline in self.outlines)

    @cached_property
    def outlines(self) -> tuple[Floats, ...]:
        """The outlines as arrays (n, 2)."""
        if self.glows is None:
            found = [self.sight.outline]
        else:
            found = [] if self.night is None else [self.night.outline]
            found += _lit(self.sight, self.glows)
        return tuple(outline for outline in found if len(outline))

    @property
    def box(self) -> Box | None:
        """The box around all that might be seen; None if nothing is."""
        return self.sight.box

    @property
    def warning(self) -> str | None:
        """Why next to nothing is seen, for the GM; None if all is well."""
        return self.sight.seen.warning

    def contains(self, points: Floats) -> Bools:
        """Tell which points (k, 2) are seen; borders count."""
        seen = self.sight.contains(points)
        if self.glows is None or not seen.any():
            return seen
        index = np.flatnonzero(seen)
        near = points[index]
        light = np.zeros(len(near), dtype=np.bool_)
        if self.night is not None:
            light |= self.night.contains(near)
        for glow in self.glows:
            light |= glow.reach.contains(near)
        seen[index] = light
        return seen


def visions(encounter: Encounter, tokens: Sequence[Token]) -> tuple[Vision, ...]:
    """Return what each token sees; an unchanged one is the same object as before."""
    return looks_of(encounter, [look_of(encounter.board, token) for token in tokens])


def visions_on_the_way(
    encounter: Encounter, token: Token, cells: Iterable[Cell]
) -> tuple[Vision, ...]:
    """Return what a token sees at each of several cells on its way."""
    board = encounter.board
    return looks_of(encounter, [look_of(board, token.changed(cell=cell)) for cell in cells])


def looks_of(encounter: Encounter, looks: Sequence[Look]) -> tuple[Vision, ...]:
    """Return what eyes see by the light that the players may know of."""
    sights = outlooks(encounter.board, [look.place for look in looks])
    if encounter.board.ambient is not Ambient.DARK:
        return tuple(_remembered(sight, None, None) for sight in sights)
    glows = glows_of(encounter, but_hidden=True)
    nights = _nights(encounter.board, looks)
    return tuple(
        _remembered(sight, night, tuple(glow for glow in glows if _near(sight, glow.reach)))
        for sight, night in zip(sights, nights, strict=True)
    )


def look_of(board: Board, token: Token) -> Look:
    """Return the eye of a token where it stands, moved off a wall through its middle."""
    grid = board_grid(board.grid)
    footprint = footprint_named(grid.kind, token.footprint)
    middle = footprint.center_at(grid, token.cell, token.facing)
    point = off_closed_walls(wall_set(board), middle)
    height = eye_height(board, token) if wall_set(board).sight_segs.any_bounded else None
    return Look(Lookout(point, height, token.vision.radius), token.vision.darkvision)


def eye_height(board: Board, token: Token) -> float:
    """Return how high above the board a token's eye is, in cells."""
    return _ground(board, token) + token.elevation + EYE * token.height


def glows_of(encounter: Encounter, *, but_hidden: bool = False) -> tuple[Glow, ...]:
    """Return all burning lamps; with `but_hidden` those that hidden tokens carry do not count."""
    burning = [
        (light, at)
        for light in encounter.board.lights.values()
        if light.lit
        and max(light.bright, light.dim) > 0
        and (at := _lamp(encounter, light, but_hidden=but_hidden)) is not None
    ]
    reach: dict[str, Outlook] = {}
    for shadows in (True, False):
        some = [(light, at) for light, at in burning if light.casts_shadows is shadows]
        found = outlooks(encounter.board, [at for _, at in some], shadows=shadows)
        reach.update((light.id, each) for (light, _), each in zip(some, found, strict=True))
    return tuple(Glow(light.id, at.point, light.bright, reach[light.id]) for light, at in burning)


def lamp_position(tokens: Mapping[str, Token], board: Board, light: Light) -> Point:
    """Return where a light is: with its carrier, if it has one on the map."""
    token = tokens.get(light.carrier) if light.carrier is not None else None
    return light.position if token is None else look_of(board, token).place.point


def light_ranks(encounter: Encounter, points: Floats) -> Ints:
    """Return for points (k, 2): 0 where it is dark, 1 where dim, 2 where bright."""
    ranks = np.full(len(points), _RANKS.index(encounter.board.ambient), dtype=np.int64)
    for glow in glows_of(encounter):
        ranks = np.maximum(ranks, glow.reach.contains(points))
        ranks = np.maximum(ranks, 2 * glow.is_bright(points))
    return ranks


def light_at(encounter: Encounter, point: Point) -> Ambient:
    """Return how light a place is."""
    return _RANKS[int(light_ranks(encounter, np.array([point]))[0])]


_RANKS = (Ambient.DARK, Ambient.DIM, Ambient.BRIGHT)


def _lamp(encounter: Encounter, light: Light, *, but_hidden: bool) -> Lookout | None:
    """Return where a lamp burns, how high and how far; None if it must not be known of."""
    board, radius = encounter.board, max(light.bright, light.dim)
    carrier = encounter.tokens.get(light.carrier) if light.carrier is not None else None
    if carrier is None:
        bounded = light.casts_shadows and wall_set(board).sight_segs.any_bounded
        return Lookout(light.position, LAMP_HEIGHT if bounded else None, radius)
    if carrier.hidden and but_hidden:
        return None
    return look_of(board, carrier).place._replace(radius=radius)


def _nights(board: Board, looks: Sequence[Look]) -> list[Outlook | None]:
    """Return what each eye sees without any light, None for nothing."""
    able = [number for number, look in enumerate(looks) if look.darkvision > 0]
    places = []
    for number in able:
        place = looks[number].place
        radius = looks[number].darkvision
        reach = radius if place.radius is None else min(radius, place.radius)
        places.append(place._replace(radius=reach))
    nights: list[Outlook | None] = [None] * len(looks)
    for number, night in zip(able, outlooks(board, places), strict=True):
        nights[number] = night
    return nights


def _near(sight: Outlook, reach: Outlook) -> bool:
    """Tell whether a lamp may light anything in the line of sight."""
    a, b = sight.box, reach.box
    if a is None or b is None:
        return False
    across = a.left <= b.right and b.left <= a.right
    return across and a.top <= b.bottom and b.top <= a.bottom


def _lit(sight: Outlook, glows: Sequence[Glow]) -> list[Floats]:
    """Return the outlines of what is in the line of sight and lit, lamp by lamp."""
    if not glows:
        return []
    import shapely  # noqa: PLC0415  (costs a headless command a tenth of a second)

    common = shapely.intersection(sight.shape, [glow.reach.shape for glow in glows])
    parts = shapely.get_parts(shapely.normalize(common))
    polygons = [part for part in parts if part.geom_type == "Polygon"]
    polygons += [
        each
        for part in parts
        if part.geom_type in {"MultiPolygon", "GeometryCollection"}
        for each in shapely.get_parts(part)
        if each.geom_type == "Polygon"
    ]
    return [
        plain_outline(shapely.get_coordinates(polygon.exterior)[:-1])
        for polygon in polygons
        if not polygon.is_empty
    ]


def _ground(board: Board, token: Token) -> float:
    if all(region.ground is None for region in board.regions.values()):
        return 0.0
    grid = board_grid(board.grid)
    cells = footprint_named(grid.kind, token.footprint).cells_at(grid, token.cell, token.facing)
    return terrain_of(board).height_at(cells)


def _remembered(
    sight: Outlook, night: Outlook | None, glows: tuple[Glow, ...] | None
) -> Vision:
    """Return the vision made of these parts, the same object as long as the parts are."""
    reaches = None if glows is None else tuple(id(glow.reach) for glow in glows)
    key = (id(sight), id(night), reaches)
    if key in _VISIONS:
        _VISIONS.move_to_end(key)
        return _VISIONS[key]
    vision = _VISIONS[key] = Vision(sight, night, glows)
    if len(_VISIONS) > _VISIONS_KEPT:
        _VISIONS.popitem(last=False)
    return vision


_VISIONS: OrderedDict[tuple[object, ...], Vision] = OrderedDict()
"""A vision holds its parts, so their ids stay their own."""
