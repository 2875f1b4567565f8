"""Points by which things are seen or not, and which lines of sight hold them.

A token is in sight if the middle of any cell that it covers is, or a point beside that middle
which no wall cuts off from it. Answers are kept per line of sight: when a token moves, only its
own points are asked for again.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.geometry.arrays import Bools, Floats, Ints, expand
from engine.geometry.memo import Kept, Memo
from engine.geometry.outlook import Lookout, Outlook, outlooks, standing_point
from engine.geometry.vision import Vision
from engine.grid.footprint import footprint_named
from engine.grid.grid import Grid, board_grid
from engine.model.board import Board, GridSpec
from engine.model.space import Cell, Facing
from engine.model.token import Token

_AROUND = np.array(((0.0, 0.0), (0.35, 0.0), (0.0, 0.35), (-0.35, 0.0), (0.0, -0.35)))
_BESIDE = 0.5
_ANSWERS_KEPT = 512


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
        answer = np.zeros(len(self.points), dtype=np.bool_)
        answer[self._carried[0]] = before[1][self._carried[1]]
        if len(self._fresh):
            answer[self._fresh] = outlook.contains(self.points[self._fresh])
        return answer


class _Place(NamedTuple):
    cell: Cell
    facing: Facing
    footprint: str


@dataclass(frozen=True, eq=False)
class TokenSamples:
    """The points of all tokens, five for each cell: its middle, then those around it.

    `first` is where each token's rows begin, with the end of all as its last entry.
    """

    ids: tuple[str, ...]
    places: tuple[_Place, ...]
    first: Ints
    samples: Samples

    @property
    def points(self) -> Floats:
        """The points (n, 2)."""
        return self.samples.points

    def owners(self, rows: Bools) -> frozenset[str]:
        """Return the tokens to which any of the marked rows belongs."""
        found = np.searchsorted(self.first, np.flatnonzero(rows), side="right") - 1
        return frozenset(self.ids[number] for number in np.unique(found).tolist())


def token_samples(spec: GridSpec, tokens: Mapping[str, Token]) -> TokenSamples:
    """Return the points of tokens, remembered until one of them moves."""
    return _TOKEN_SAMPLES(tokens, spec)


def not_cut_off(board: Board, points: Floats, rows: Bools) -> Bools:
    """Return the marked rows of token points without those that a wall parts from their middle."""
    marked = np.flatnonzero(rows)
    middles = marked - marked % len(_AROUND)
    beside = marked[(marked != middles) & ~rows[middles]]
    if not len(beside):
        return rows
    own = beside - beside % len(_AROUND)
    middles = np.unique(own)
    places = [
        Lookout(standing_point(board, (x, y)), None, _BESIDE) for x, y in points[middles].tolist()
    ]
    kept = rows.copy()
    for middle, near in zip(middles, outlooks(board, places), strict=True):
        mine = beside[own == middle]
        kept[mine] = near.contains(points[mine])
    return kept


def _build(
    latest: Kept[TokenSamples] | None, tokens: Mapping[str, Token], spec: GridSpec
) -> TokenSamples:
    ids = tuple(tokens)
    places = tuple(_Place(t.cell, t.facing, t.footprint) for t in tokens.values())
    before = None
    if latest is not None and latest.sources[1] == spec:
        before = latest.result
        if before.ids == ids and before.places == places:
            return before
    kept = _kept(before, ids, places)
    grid = board_grid(spec)
    blocks = [
        before.points[before.first[old] : before.first[old + 1]]
        if old is not None and before is not None
        else _points(grid, place)
        for old, place in zip(kept, places, strict=True)
    ]
    lengths = np.array([len(block) for block in blocks], dtype=np.int64)
    first = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths)))
    points = np.concatenate(blocks) if blocks else np.zeros((0, 2))
    if before is None:
        return TokenSamples(ids, places, first, Samples(points))
    carried = _carried(before, first, lengths, kept)
    return TokenSamples(ids, places, first, Samples(points, before.samples, carried))


def _kept(
    before: TokenSamples | None, ids: Sequence[str], places: Sequence[_Place]
) -> list[int | None]:
    """Return for each token its number in `before`, if it stands there as it did."""
    if before is None:
        return [None] * len(ids)
    known = {key: number for number, key in enumerate(zip(before.ids, before.places, strict=True))}
    return [known.get(key) for key in zip(ids, places, strict=True)]


def _carried(
    before: TokenSamples, first: Ints, lengths: Ints, kept: Sequence[int | None]
) -> tuple[Ints, Ints]:
    """Return the rows of the tokens that stayed, here and before."""
    here = np.array([n for n, old in enumerate(kept) if old is not None], dtype=np.int64)
    there = np.array([old for old in kept if old is not None], dtype=np.int64)
    run, place = expand(lengths[here])
    return first[here][run] + place, before.first[there][run] + place


def _points(grid: Grid, place: _Place) -> Floats:
    footprint = footprint_named(grid.kind, place.footprint)
    cells = footprint.cells_at(grid, place.cell, place.facing)
    centers = grid.centers(cells)
    return np.asarray((centers[:, None] + _AROUND).reshape(-1, 2))


_TOKEN_SAMPLES: Memo[TokenSamples] = Memo(_build)
