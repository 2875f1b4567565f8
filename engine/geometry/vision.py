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

from engine.geometry.arrays import Bools, Floats, Ints
from engine.geometry.boards import wall_set
from engine.geometry.memo import Kept, Memo
from engine.geometry.outlook import (
    Lookout,
    Outlook,
    as_ring,
    outlooks,
    plain_outline,
    polygons_in,
    standing_point,
)
from engine.geometry.terrain import terrain_of
from engine.grid.base import Ring
from engine.grid.footprint import footprint_named
from engine.grid.grid import Box, board_grid
from engine.model.board import Board
from engine.model.encounter import Encounter
from engine.model.light import Ambient, Light
from engine.model.space import Cell, Point
from engine.model.token import Token

EYE = 0.9
"""An eye is so high in its body, as a part of the body's height."""

LAMP_HEIGHT = 1.0
"""Cells. A lamp that nobody carries hangs so high above the board."""

_BEFORE_WALL = 1e-3
_VISIONS_KEPT = 512
_LIT_KEPT = 4096


class Look(NamedTuple):
    """An eye: its place, and how far it sees without light."""

    place: Lookout
    darkvision: float = 0


@dataclass(frozen=True)
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
            found += [each for glow in self.glows for each in _lit(self.sight, glow)]
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
        """Tell which places (k, 2) are seen; borders count."""
        return self._seen(points, 0.0)

    def touches(self, points: Floats) -> Bools:
        """Tell which points (k, 2) of walls are seen: those that are lit on the eye's side."""
        return self._seen(points, _BEFORE_WALL)

    def _seen(self, points: Floats, nearer: float) -> Bools:
        """Tell which points are in the line of sight, and lit so much `nearer` to the eye."""
        seen = self.sight.contains(points)
        if self.glows is None or not seen.any():
            return seen
        index = np.flatnonzero(seen)
        near = points[index]
        if nearer:
            toward = np.array(self.sight.seen.eye) - near
            distance = np.maximum(np.hypot(toward[:, 0], toward[:, 1]), nearer)
            near = near + toward * (nearer / distance)[:, None]
        light = np.zeros(len(near), dtype=np.bool_)
        if self.night is not None:
            light |= self.night.contains(near)
        for glow in self.glows:
            unlit = np.flatnonzero(~light)
            light[unlit] = glow.reach.contains(near[unlit])
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
        return tuple(_VISIONS(sight, None, None) for sight in sights)
    glows = glows_of(encounter, but_hidden=True)
    nights = _nights(encounter.board, looks)
    return tuple(_VISIONS(sight, night, glows) for sight, night in zip(sights, nights, strict=True))


def look_of(board: Board, token: Token) -> Look:
    """Return the eye of a token where it stands, moved off a wall through its middle."""
    return _LOOKS(token, board)


def eye_height(board: Board, token: Token) -> float:
    """Return how high above the board a token's eye is, in cells."""
    return _ground(board, token) + token.elevation + EYE * token.height


def glows_of(encounter: Encounter, *, but_hidden: bool = False) -> tuple[Glow, ...]:
    """Return all burning lamps; with `but_hidden` those that hidden tokens carry do not count.

    A lamp whose carrier is not on the map is not there either.
    """
    board, tokens = encounter.board, encounter.tokens
    carriers = {light.carrier for light in board.lights.values() if light.carrier is not None}
    carrying = (tokens[each] for each in sorted(carriers) if each in tokens)
    return _GLOWS(board, but_hidden, *carrying)


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


def _look(_: Kept[Look] | None, token: Token, board: Board) -> Look:
    grid = board_grid(board.grid)
    footprint = footprint_named(grid.kind, token.footprint)
    middle = footprint.center_at(grid, token.cell, token.facing)
    point = standing_point(board, middle)
    height = eye_height(board, token) if wall_set(board).sight_segs.any_bounded else None
    return Look(Lookout(point, height, token.vision.radius), token.vision.darkvision)


def _burning(
    latest: Kept[tuple[Glow, ...]] | None, board: Board, but_hidden: bool, *carriers: Token
) -> tuple[Glow, ...]:
    bearers = {token.id: token for token in carriers}
    lamps = [
        (light, lamp)
        for light in board.lights.values()
        if light.lit
        and max(light.bright, light.dim) > 0
        and (lamp := _lamp(board, light, bearers, but_hidden)) is not None
    ]
    known = {} if latest is None else {glow.light_id: glow for glow in latest.result}
    made: dict[str, Glow] = {}
    for shadows in (True, False):
        some = [(light, lamp) for light, lamp in lamps if light.casts_shadows is shadows]
        reaches = outlooks(board, [lamp for _, lamp in some], shadows=shadows)
        for (light, lamp), reach in zip(some, reaches, strict=True):
            glow = Glow(light.id, lamp.point, light.bright, reach)
            before = known.get(light.id)
            same = before is not None and before == glow
            made[light.id] = before if before is not None and same else glow
    glows = tuple(made[light.id] for light, _ in lamps)
    return latest.result if latest is not None and latest.result == glows else glows


def _lamp(
    board: Board, light: Light, bearers: Mapping[str, Token], but_hidden: bool
) -> Lookout | None:
    """Return where a lamp burns, how high and how far; None if it must not be known of."""
    radius = max(light.bright, light.dim)
    if light.carrier is None:
        bounded = light.casts_shadows and wall_set(board).sight_segs.any_bounded
        return Lookout(light.position, LAMP_HEIGHT if bounded else None, radius)
    bearer = bearers.get(light.carrier)
    if bearer is None or (bearer.hidden and but_hidden):
        return None
    return look_of(board, bearer).place._replace(radius=radius)


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


def _lit(sight: Outlook, glow: Glow) -> tuple[Floats, ...]:
    """Return the outlines of what is in the line of sight and lit by a lamp."""
    key = (id(sight), id(glow.reach))
    found = _LIT.get(key)
    if found is None:
        found = _LIT[key] = (sight, glow.reach, _common(sight, glow.reach))
        if len(_LIT) > _LIT_KEPT:
            _LIT.popitem(last=False)
    return found[2]


def _common(a: Outlook, b: Outlook) -> tuple[Floats, ...]:
    import shapely  # noqa: PLC0415  (costs a headless command a tenth of a second)

    common = shapely.normalize(shapely.intersection(a.shape, b.shape))
    return tuple(
        plain_outline(shapely.get_coordinates(part.exterior)[:-1]) for part in polygons_in(common)
    )


def _ground(board: Board, token: Token) -> float:
    if all(region.ground is None for region in board.regions.values()):
        return 0.0
    grid = board_grid(board.grid)
    cells = footprint_named(grid.kind, token.footprint).cells_at(grid, token.cell, token.facing)
    return terrain_of(board).height_at(cells)


def _vision(
    _: Kept[Vision] | None,
    sight: Outlook,
    night: Outlook | None,
    glows: tuple[Glow, ...] | None,
) -> Vision:
    """Return the vision made of these parts, the same object while those that matter stay."""
    if glows is None:
        return Vision(sight)
    near = tuple(glow for glow in glows if _near(sight, glow.reach))
    key = (id(sight), id(night), *(id(glow.reach) for glow in near))
    if key not in _BY_LIGHT:
        _BY_LIGHT[key] = Vision(sight, night, near)
        if len(_BY_LIGHT) > _VISIONS_KEPT:
            _BY_LIGHT.popitem(last=False)
    return _BY_LIGHT[key]


_LOOKS: Memo[Look] = Memo(_look, size=_VISIONS_KEPT)
_GLOWS: Memo[tuple[Glow, ...]] = Memo(_burning)
_VISIONS: Memo[Vision] = Memo(_vision, size=_VISIONS_KEPT)
_BY_LIGHT: OrderedDict[tuple[int, ...], Vision] = OrderedDict()
_LIT: OrderedDict[tuple[int, int], tuple[Outlook, Outlook, tuple[Floats, ...]]] = OrderedDict()
"""What is remembered holds its sources, so their ids stay their own."""
