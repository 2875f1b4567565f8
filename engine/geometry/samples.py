"""Points by which things are seen or not, and which lines of sight hold them.

A token is in sight if the middle of any cell that it covers is, or a point beside that middle
which no wall cuts off from it. Answers are kept per line of sight: when a token moves, only its
own points are asked for again.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import NamedTuple

import numpy as np

from engine.geometry.arrays import TOUCH, Bools, Floats, Ints, expand
from engine.geometry.memo import Kept, Memo, changes
from engine.geometry.outlook import Outlook
from engine.geometry.segments import WallSet
from engine.geometry.vision import Vision
from engine.grid.footprint import footprint_named
from engine.grid.grid import Box, Grid, board_grid
from engine.model.board import GridSpec
from engine.model.space import Cell, Facing
from engine.model.token import Token
from engine.model.value import FrozenMap

_AROUND = np.array(((0.0, 0.0), (0.35, 0.0), (0.0, 0.35), (-0.35, 0.0), (0.0, -0.35)))
_ANSWERS_KEPT = 512

Tokens = FrozenMap[str, Token]


class Samples:
    """Points (n, 2) and, for every line of sight that asked, which of them lie in it.

    `carried` holds rows that stand among those of `before` too: here and there.
    """

    def __init__(
        self,
        points: Floats,
        before: "Samples | None" = None,
        carried: tuple[Ints, Ints] | None = None,
    ) -> None:
        self.points = points
        self._inside: OrderedDict[int, tuple[Outlook, Bools]] = OrderedDict()
        self._before = {} if before is None else before._inside
        self._carried = carried
        fresh = np.ones(len(points), dtype=np.bool_)
        if carried is not None:
            fresh[carried[0]] = False
        self._fresh = np.flatnonzero(fresh)

    def seen_by(self, vision: Vision) -> Bools:
        """Tell which points a vision sees; not to be changed."""
        seen = self.inside(vision.sight)
        if vision.glows is None or not seen.any():
            return seen
        light = np.zeros(len(self.points), dtype=np.bool_)
        for glow in vision.glows:
            light |= self.inside(glow.reach)
        if vision.night is not None:
            light |= self.inside(vision.night)
        return np.asarray(seen & light)

    def inside(self, outlook: Outlook) -> Bools:
        """Tell which points lie in a line of sight; not to be changed."""
        key = id(outlook)
        known = self._inside.get(key)
        if known is not None:
            self._inside.move_to_end(key)
            return known[1]
        answer = self._ask(outlook)
        self._inside[key] = (outlook, answer)
        if len(self._inside) > _ANSWERS_KEPT:
            self._inside.popitem(last=False)
        return answer

    def _ask(self, outlook: Outlook) -> Bools:
        before = self._before.get(id(outlook))
        if before is None or self._carried is None:
            return outlook.contains(self.points)
        here, there = self._carried
        if here is there:
            answer = before[1].copy()
        else:
            answer = np.zeros(len(self.points), dtype=np.bool_)
            answer[here] = before[1][there]
        if len(self._fresh) and _meet(outlook.box, self._fresh_box):
            answer[self._fresh] = outlook.contains(self.points[self._fresh])
        else:
            answer[self._fresh] = False
        return answer

    @cached_property
    def _fresh_box(self) -> Box:
        fresh = self.points[self._fresh]
        return Box(*fresh.min(axis=0).tolist(), *fresh.max(axis=0).tolist())

    def carry(self, before: Bools) -> Bools:
        """Return flags of the rows before as flags of these rows, false for fresh ones."""
        flags = np.zeros(len(self.points), dtype=np.bool_)
        if self._carried is not None:
            flags[self._carried[0]] = before[self._carried[1]]
        return flags


@dataclass(eq=False)
class _Parted:
    """Which points beside a middle are known to be parted from it by walls, and which not."""

    walls: WallSet
    asked: Bools
    parted: Bools


def _meet(a: Box | None, b: Box) -> bool:
    """Tell whether a line of sight may hold a point of a box; nearly is yes."""
    if a is None:
        return False
    across = a.left <= b.right + TOUCH and b.left <= a.right + TOUCH
    return across and a.top <= b.bottom + TOUCH and b.top <= a.bottom + TOUCH


class _Place(NamedTuple):
    cell: Cell
    facing: Facing
    footprint: str


@dataclass(frozen=True, eq=False)
class TokenSamples:
    """The points of all tokens, five for each cell: its middle, then those around it.

    `first` is where each token's rows begin, with the end of all as its last entry; `numbers`
    tells which of them is a token's.
    """

    ids: tuple[str, ...]
    places: tuple[_Place, ...]
    first: Ints
    samples: Samples
    numbers: Mapping[str, int]
    _parted: list[_Parted] = field(default_factory=list)

    @property
    def points(self) -> Floats:
        """The points (n, 2)."""
        return self.samples.points

    def owners(self, rows: Bools) -> frozenset[str]:
        """Return the tokens to which any of the marked rows belongs."""
        marked = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(rows, dtype=np.int64)))
        found = marked[self.first[1:]] > marked[self.first[:-1]]
        return frozenset(compress(self.ids, found.tolist()))

    def not_cut_off(self, walls: WallSet, rows: Bools) -> Bools:
        """Return the marked rows without those that a wall parts from the middle beside them."""
        marked = np.flatnonzero(rows)
        middles = marked - marked % len(_AROUND)
        beside = marked[~rows[middles]]
        if not len(beside) or not len(walls):
            return rows
        known = self._known_parted(walls)
        fresh = beside[~known.asked[beside]]
        if len(fresh):
            middles = fresh - fresh % len(_AROUND)
            known.parted[fresh] = walls.crosses_sight(self.points[middles], self.points[fresh])
            known.asked[fresh] = True
        kept = rows.copy()
        kept[beside] = ~known.parted[beside]
        return kept

    def _known_parted(self, walls: WallSet) -> _Parted:
        if not self._parted or self._parted[0].walls is not walls:
            none = np.zeros(len(self.points), dtype=np.bool_)
            self._parted[:] = [_Parted(walls, none, none.copy())]
        return self._parted[0]

    def inherit(self, before: "TokenSamples") -> "TokenSamples":
        """Take over what the samples before knew of walls."""
        for known in before._parted:
            asked, parted = self.samples.carry(known.asked), self.samples.carry(known.parted)
            self._parted[:] = [_Parted(known.walls, asked, parted)]
        return self


def token_samples(spec: GridSpec, tokens: Tokens) -> TokenSamples:
    """Return the points of tokens, remembered until one of them moves."""
    return _TOKEN_SAMPLES(tokens, spec)


def samples_of(spec: GridSpec, token: Token) -> TokenSamples:
    """Return the points of one token, on the map or not."""
    return _laid_out(None, (token.id,), (_place(token, None),), board_grid(spec))


def _build(latest: Kept[TokenSamples] | None, tokens: Tokens, spec: GridSpec) -> TokenSamples:
    before: TokenSamples | None = None
    if latest is not None and latest.sources[1] == spec:
        before, old = latest.result, latest.sources[0]
        numbers = before.numbers
        touched = changes(old, tokens)
        if len(old) == len(tokens) and all(i in tokens and i in numbers for i in touched):
            return _touched(before, [(numbers[i], tokens[i]) for i in touched], spec)
        known = dict(zip(before.ids, before.places, strict=True))
        fresh = {i: _place(tokens[i], known.get(i)) for i in touched if i in tokens}
        if len(old) == len(known):
            places = tuple(fresh.get(token_id) or known[token_id] for token_id in tokens)
            return _laid_out(before, tuple(tokens), places, board_grid(spec))
    places = tuple(_place(token, None) for token in tokens.values())
    return _laid_out(before, tuple(tokens), places, board_grid(spec))


def _touched(
    before: TokenSamples, touched: Sequence[tuple[int, Token]], spec: GridSpec
) -> TokenSamples:
    """Return the samples of the same tokens, some of which may stand elsewhere."""
    moved = {
        number: place
        for number, token in touched
        if (place := _place(token, before.places[number])) is not before.places[number]
    }
    if not moved:
        return before
    places = list(before.places)
    for number, place in moved.items():
        places[number] = place
    stood = _moved(before, tuple(places), list(moved), board_grid(spec))
    return stood or _laid_out(before, before.ids, tuple(places), board_grid(spec))


def _place(token: Token, before: _Place | None) -> _Place:
    fresh = _Place(token.cell, token.facing, token.footprint)
    return before if before is not None and before == fresh else fresh


def _moved(
    before: TokenSamples, places: tuple[_Place, ...], moved: Sequence[int], grid: Grid
) -> TokenSamples | None:
    """Return the samples after some tokens moved; None if one now has another size."""
    blocks = [_points(grid, places[number]) for number in moved]
    first = before.first
    if any(len(b) != first[n + 1] - first[n] for n, b in zip(moved, blocks, strict=True)):
        return None
    points = before.points.copy()
    stays = np.ones(len(points), dtype=np.bool_)
    for number, block in zip(moved, blocks, strict=True):
        points[first[number] : first[number + 1]] = block
        stays[first[number] : first[number + 1]] = False
    rows = np.flatnonzero(stays)
    samples = Samples(points, before.samples, (rows, rows))
    made = TokenSamples(before.ids, places, first, samples, before.numbers)
    return made.inherit(before)


def _laid_out(
    before: TokenSamples | None,
    ids: tuple[str, ...],
    places: tuple[_Place, ...],
    grid: Grid,
) -> TokenSamples:
    """Return the samples of tokens some of which are new or gone."""
    numbers = {token_id: number for number, token_id in enumerate(ids)}
    old = _kept(before, ids, places)
    blocks = {int(n): _points(grid, places[n]) for n in np.flatnonzero(old < 0)}
    lengths = np.zeros(len(ids), dtype=np.int64)
    stays = old >= 0
    if before is not None:
        lengths[stays] = np.diff(before.first)[old[stays]]
    for number, block in blocks.items():
        lengths[number] = len(block)
    first = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths)))
    points = np.empty((int(first[-1]), 2))
    for number, block in blocks.items():
        points[first[number] : first[number + 1]] = block
    if before is None:
        return TokenSamples(ids, places, first, Samples(points), numbers)
    run, place = expand(lengths[stays])
    here, there = first[:-1][stays][run] + place, before.first[:-1][old[stays]][run] + place
    points[here] = before.points[there]
    samples = Samples(points, before.samples, (here, there))
    return TokenSamples(ids, places, first, samples, numbers).inherit(before)


def _kept(before: TokenSamples | None, ids: Sequence[str], places: Sequence[_Place]) -> Ints:
    """Return for each token its number in `before` if it stands there as it did, else -1."""
    if before is None:
        return np.full(len(ids), -1, dtype=np.int64)
    number, stood = before.numbers, before.places
    known = [number.get(token_id, -1) for token_id in ids]
    return np.array(
        [
            old if old >= 0 and (stood[old] is place or stood[old] == place) else -1
            for old, place in zip(known, places, strict=True)
        ],
        dtype=np.int64,
    )


def _points(grid: Grid, place: _Place) -> Floats:
    footprint = footprint_named(grid.kind, place.footprint)
    cells = footprint.cells_at(grid, place.cell, place.facing)
    centers = grid.centers(cells)
    return np.asarray((centers[:, None] + _AROUND).reshape(-1, 2))


_TOKEN_SAMPLES: Memo[TokenSamples] = Memo(_build)
