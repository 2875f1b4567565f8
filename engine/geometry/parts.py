"""Walls in parts of at most half a cell: what is remembered of a wall that was seen in part.

The parts of a polyline are counted from its first point, segment by segment, and depend on
nothing but the polyline itself; which ones are known is one bit each.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil, dist

import numpy as np

from engine.geometry.arrays import Bools, Floats, Ints
from engine.geometry.memo import Kept, Memo
from engine.model.space import Point
from engine.model.wall import Wall

LONGEST = 0.5
"""Cells. A part is at most so long."""

_NEAR_END = 0.1


@dataclass(frozen=True, eq=False)
class WallParts:
    """The parts of many walls: start and end points (n, 2), their wall in `ids`, their number."""

    ids: tuple[str, ...]
    start: Floats
    end: Floats
    owner: Ints
    number: Ints

    def point(self, rows: Ints, where: float) -> Floats:
        """Return the points (k, 2) of some parts, `where` from 0 (start) to 1 (end)."""
        start = self.start[rows]
        return np.asarray(start + (self.end[rows] - start) * where)

    @cached_property
    def middle(self) -> Floats:
        """The middle (n, 2) of every part."""
        return np.asarray((self.start + self.end) / 2)

    @cached_property
    def rows(self) -> dict[str, slice]:
        """The rows of each wall."""
        cuts = np.searchsorted(self.owner, np.arange(len(self.ids) + 1)).tolist()
        return {
            wall_id: slice(start, stop)
            for wall_id, start, stop in zip(self.ids, cuts[:-1], cuts[1:], strict=True)
        }

    def bits_of(self, rows: Ints) -> dict[str, int]:
        """Return some parts as bits, by wall."""
        bits: dict[str, int] = {}
        owners, numbers = self.owner[rows].tolist(), self.number[rows].tolist()
        for owner, number in zip(owners, numbers, strict=True):
            wall_id = self.ids[owner]
            bits[wall_id] = bits.get(wall_id, 0) | 1 << number
        return bits

    def flags(self, wall_id: str, bits: int) -> Bools:
        """Tell for each row of one wall whether its bit is set."""
        rows = self.rows[wall_id]
        count = rows.stop - rows.start
        packed = np.frombuffer((bits % (1 << count)).to_bytes(count // 8 + 1, "little"), np.uint8)
        return np.unpackbits(packed, bitorder="little")[:count].astype(np.bool_)


def parts_of(walls: Mapping[str, Wall]) -> WallParts:
    """Return the parts of walls, remembered as long as the walls stay where they are."""
    return _PARTS(walls)


def count_parts(wall: Wall) -> int:
    """Return how many parts a wall has."""
    return sum(_pieces(a, b) for a, b in zip(wall.points, wall.points[1:], strict=False))


def lines_of(wall: Wall, bits: int) -> tuple[tuple[Point, ...], ...]:
    """Return the known pieces of a wall as polylines, in their order."""
    lines: list[list[Point]] = []
    number, joined = 0, False
    for a, b in zip(wall.points, wall.points[1:], strict=False):
        pieces = _pieces(a, b)
        for piece in range(pieces):
            known = bool(bits >> number & 1)
            if known and joined:
                if piece:
                    lines[-1].pop()  # straight on
                lines[-1].append(_between(a, b, piece + 1, pieces))
            elif known:
                lines.append([_between(a, b, piece, pieces), _between(a, b, piece + 1, pieces)])
            number, joined = number + 1, known
    return tuple(tuple(line) for line in lines)


def _pieces(a: Point, b: Point) -> int:
    return max(ceil(dist(a, b) / LONGEST - 1e-9), 1)


def _all_pieces(a: Floats, b: Floats) -> Ints:
    """Return `_pieces` of many segments (n, 2), and exactly that where rounding might tell."""
    parts = np.hypot(*(b - a).T) / LONGEST - 1e-9
    pieces: Ints = np.maximum(np.ceil(parts), 1).astype(np.int64)
    for n in np.flatnonzero(np.abs(parts - np.round(parts)) < 1e-10 * (1 + parts)):
        pieces[n] = _pieces(tuple(a[n].tolist()), tuple(b[n].tolist()))
    return pieces


def _between(a: Point, b: Point, piece: int, pieces: int) -> Point:
    if piece == 0:
        return a
    if piece == pieces:
        return b
    part = piece / pieces
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def lay_parts(walls: Mapping[str, Wall]) -> WallParts:
    """Return the parts of walls."""
    lengths = np.array([len(wall.points) for wall in walls.values()], dtype=np.int64)
    points = np.array([p for wall in walls.values() for p in wall.points], dtype=np.float64)
    points = points.reshape(-1, 2)
    wall = np.repeat(np.arange(len(lengths)), lengths)
    joined = np.flatnonzero(wall[:-1] == wall[1:])
    pieces = _all_pieces(points[joined], points[joined + 1])
    segment = np.repeat(np.arange(len(joined)), pieces)
    place = np.arange(len(segment)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    a = points[joined][segment]
    along = points[joined + 1][segment] - a
    count = pieces[segment][:, None]
    owner = wall[joined][segment]
    begins = np.searchsorted(owner, owner)
    return WallParts(
        ids=tuple(walls),
        start=a + along * (place[:, None] / count),
        end=a + along * ((place[:, None] + 1) / count),
        owner=owner,
        number=np.arange(len(owner)) - begins,
    )


def _build(latest: Kept[WallParts] | None, walls: Mapping[str, Wall]) -> WallParts:
    if latest is not None and _same_lines(walls, latest.sources[0]):
        return latest.result
    return lay_parts(walls)


def _same_lines(walls: Mapping[str, Wall], other: Mapping[str, Wall]) -> bool:
    if walls.keys() != other.keys():
        return False
    return all(
        wall is other[wall_id] or wall.points == other[wall_id].points
        for wall_id, wall in walls.items()
    )


_PARTS: Memo[WallParts] = Memo(_build)
