"""Walls as immutable, noded arrays: what sight and movement are computed on.

A `WallSet` is built when walls are edited; opening a door afterwards is a flag. It knows nothing
of kinds of walls, doors or rulesets: whoever builds it says what each polyline blocks.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from engine.geometry.arrays import (
    TOUCH,
    Bools,
    Floats,
    Ints,
    bounding_boxes,
    cross,
    distinct,
    near_pairs,
)
from engine.geometry.index import BoxIndex
from engine.geometry.noding import node
from engine.grid.grid import Box
from engine.model.space import Point

FAR = 1e5
"""Cells. Coordinates beyond this are mistakes; no board is larger than 2,000 cells."""


NUDGE = 1e-6
"""Cells. How far a point on a wall is moved to one side."""

_FIRST_BOX = 250


class WallInput(NamedTuple):
    """A polyline and what it blocks.

    `one_sided` names the side, left or right of somebody who stands at the first point and looks
    to the second (y down), from which it blocks. `once` marks a terrain edge: sight passes the
    first one it crosses. `base` and `top` are heights in cells; a wall is unbounded by default.
    """

    id: str
    points: tuple[Point, ...]
    blocks_sight: bool = True
    blocks_movement: bool = True
    one_sided: Literal["left", "right"] | None = None
    once: bool = False
    base: float = -np.inf
    top: float = np.inf


class WallIssue(NamedTuple):
    """Something wrong with a wall that was left out or repaired."""

    wall: str
    problem: str


CROWDED = "too many walls lie across or upon one another"

_AS_ONE = np.array([1, 1j])
"""Makes one number of two coordinates."""

_TOLD = 9
"""So many numbers tell segments apart."""


@dataclass(frozen=True, eq=False)
class WallSet:
    """Noded wall segments, one row each in all arrays, and the flags of their walls.

    `segs` is (n, 2, 2) in cells, `drawn` the stretch between two points of a wall that each is a
    piece of, `owner` the index into `ids`, `side` -1 left, +1 right or 0 for both, `base` and
    `top` are heights in cells. `open` (one per wall, not per segment) marks the walls that block
    nothing at present. The arrays are read-only and shared between variants.
    """

    ids: tuple[str, ...]
    segs: Floats
    drawn: Floats
    owner: Ints
    sight: Bools
    moves: Bools
    side: Ints
    once: Bools
    base: Floats
    top: Floats
    open: Bools
    issues: tuple[WallIssue, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.segs)

    def with_open(self, ids: Iterable[str]) -> "WallSet":
        """Return the same walls with exactly these open; nothing is rebuilt.

        KeyError names an id that is not in the set.
        """
        flags = np.zeros(len(self.ids), dtype=np.bool_)
        flags[list(map(self._number.__getitem__, ids))] = True
        return self._with_flags(flags)

    def toggled(self, wall: str) -> "WallSet":
        """Return the same walls with one of them opened or closed; KeyError if it is not there."""
        flags = self.open.copy()
        flags[self._number[wall]] ^= True
        return self._with_flags(flags)

    def reopened(self, flags: Mapping[str, bool]) -> "WallSet":
        """Return the same walls, those named open or closed as they say; KeyError as above."""
        changed = self.open.copy()
        changed[list(map(self._number.__getitem__, flags))] = list(flags.values())
        return self._with_flags(changed)

    def changed_since(self, before: "WallSet", stopped: Literal["sight", "moves"]) -> Floats:
        """Return the segments (n, 2, 2) that stop one of both and do not stand alike in both sets.

        What lies nowhere near to them is as it was.
        """
        if before.segs is self.segs:
            moved = (before.open != self.open)[self.owner] & getattr(self, stopped)
            return np.asarray(self.segs[moved])
        rows = np.frombuffer(b"".join(before._told(stopped) ^ self._told(stopped)))
        return np.asarray(rows.reshape(-1, _TOLD)[:, :4].reshape(-1, 2, 2))

    def _told(self, stopped: Literal["sight", "moves"]) -> set[bytes]:
        """Return all that tells segments apart, as bytes: ends, flags, heights."""
        flags = (self.side, self.once, self.base, self.top, self.open[self.owner])
        told = np.column_stack((self.segs.reshape(-1, 4), *flags))[getattr(self, stopped)]
        return set(told.view(f"V{told.itemsize * _TOLD}").ravel().tolist())

    def _with_flags(self, flags: Bools) -> "WallSet":
        changed = replace(self, open=_frozen(flags))
        for name in ("_number", "sight_segs", "_movement", "_boards"):
            changed.__dict__[name] = getattr(self, name)
        return changed

    @cached_property
    def sight_segs(self) -> "SightSegs":
        """The segments that block sight when closed, laid out for culling."""
        return SightSegs.of(self)

    def board_segs(self, bounds: Box) -> "SightSegs | None":
        """Return `sight_segs` and the four sides of the board around them.

        None if a wall reaches beyond the board, since walls must not cross.
        """
        if bounds not in self._boards:
            self._boards[bounds] = self.sight_segs.framed(bounds)
        return self._boards[bounds]

    @cached_property
    def _boards(self) -> "dict[Box, SightSegs | None]":
        return {}

    @cached_property
    def _number(self) -> dict[str, int]:
        return {wall: number for number, wall in enumerate(self.ids)}

    @cached_property
    def _movement(self) -> Ints:
        return np.flatnonzero(self.moves)

    def crosses_movement(self, points_from: Floats, points_to: Floats) -> Bools:
        """Tell for steps between points (k, 2) which ones a wall blocks.

        A step is blocked if it crosses or touches a wall, joints included; a one-sided wall only
        counts for steps that come from its blocking side.
        """
        blocked = np.zeros(len(points_from), dtype=np.bool_)
        for step, _ in self._movement_hits(points_from, points_to):
            blocked[step] = True
        return blocked

    def movement_blockers(self, start: Point, end: Point) -> tuple[str, ...]:
        """Return the ids of the walls that block one step, in the order of their rows."""
        hits = self._movement_hits(np.array([start]), np.array([end]))
        owners = [distinct(self.owner[segment]) for _, segment in hits]
        return tuple(self.ids[int(owner)] for found in owners for owner in found)

    def crosses_sight(self, points_from: Floats, points_to: Floats) -> Bools:
        """Tell for short lines between points (k, 2) which ones cross or touch a wall.

        Heights and terrain edges are not considered: whatever stops sight at all counts.
        """
        blocked = np.zeros(len(points_from), dtype=np.bool_)
        for line, _ in self._hits(np.flatnonzero(self.sight), points_from, points_to):
            blocked[line] = True
        return blocked

    def _movement_hits(self, start: Floats, end: Floats) -> list[tuple[Ints, Ints]]:
        return self._hits(self._movement, start, end)

    def _hits(self, rows: Ints, start: Floats, end: Floats) -> list[tuple[Ints, Ints]]:
        """Return pairs (step, segment) of which the segment, one of `rows`, blocks the step."""
        solid = rows[~self.open[self.owner[rows]]]
        steps = np.stack((np.asarray(start, float), np.asarray(end, float)), axis=1)
        hits = []
        for step, place in near_pairs(steps, self.segs[solid]):
            segment = solid[place]
            hit = _touch(steps[step], self.segs[segment])
            hit &= _faces(steps[step], self.segs[segment], self.side[segment])
            step, segment = step[hit], segment[hit]  # noqa: PLW2901
            stops = ~self._past_jamb(steps[step], segment)
            hits.append((step[stops], segment[stops]))
        return hits

    def _past_jamb(self, steps: Floats, segment: Ints) -> Bools:
        """Tell which steps meet their segment only where it ends at an open door.

        Whoever walks through an open door brushes its jamb; a door half a cell off the grid
        could not be passed otherwise.
        """
        past = np.zeros(len(segment), dtype=np.bool_)
        if not (len(segment) and len(self._jambs)):
            return past
        for end in (0, 1):
            here, there = self.segs[segment, end], self.segs[segment, 1 - end]
            point = here @ _AS_ONE
            place = np.searchsorted(self._jambs, point)
            at_jamb = self._jambs[np.minimum(place, len(self._jambs) - 1)] == point
            on_line = _signs(steps[:, 0], steps[:, 1], here) == 0
            aside = _signs(steps[:, 0], steps[:, 1], there) != 0
            past |= at_jamb & on_line & aside
        return past

    @cached_property
    def _jambs(self) -> npt.NDArray[np.complex128]:
        """The ends of open doors, sorted; joints are bit-identical."""
        ajar = self._movement[self.open[self.owner[self._movement]]]
        return np.sort(self.segs[ajar].reshape(-1, 2) @ _AS_ONE)


@dataclass(frozen=True, eq=False)
class SightSegs:
    """Sight-blocking segments in columns: ends and boxes (4, n), and their flags.

    `owner` is the number of the wall, -1 for the sides of the board, which come last.
    """

    owner: Ints
    ends: Floats
    boxes: Floats
    side: Ints
    once: Bools
    base: Floats
    top: Floats
    any_side: bool
    any_once: bool
    any_bounded: bool

    def __len__(self) -> int:
        return len(self.owner)

    @cached_property
    def index(self) -> BoxIndex:
        """The index of the boxes."""
        return BoxIndex(self.boxes, _FIRST_BOX)

    def framed(self, bounds: Box) -> "SightSegs | None":
        """Return the segments and the sides of the board, or None if one reaches beyond it."""
        left, top, right, bottom = bounds
        low, high = (
            self.boxes[:2].min(axis=1, initial=np.inf),
            self.boxes[2:].max(axis=1, initial=-np.inf),
        )
        if low[0] < left or low[1] < top or high[0] > right or high[1] > bottom:
            return None
        corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        sides = np.stack((corners, corners[[1, 2, 3, 0]]), axis=1)
        return replace(
            self,
            owner=np.append(self.owner, np.full(4, -1)),
            ends=np.concatenate((self.ends, sides.reshape(4, 4).T), axis=1),
            boxes=np.concatenate((self.boxes, bounding_boxes(sides)), axis=1),
            side=np.append(self.side, np.zeros(4, dtype=np.int64)),
            once=np.append(self.once, np.zeros(4, dtype=np.bool_)),
            base=np.append(self.base, np.full(4, -np.inf)),
            top=np.append(self.top, np.full(4, np.inf)),
        )

    def at(self, index: Ints) -> "SightSegs":
        """Return some of the segments, as fresh arrays."""
        return replace(
            self,
            owner=self.owner[index],
            ends=self.ends.take(index, axis=1),
            boxes=self.boxes.take(index, axis=1),
            side=self.side[index],
            once=self.once[index],
            base=self.base[index],
            top=self.top[index],
        )

    @staticmethod
    def of(walls: WallSet) -> "SightSegs":
        """Lay out the segments of a set; `ends` holds x0, y0, x1, y1 as rows (4, n)."""
        row = np.flatnonzero(walls.sight)
        base, top = walls.base[row], walls.top[row]
        return SightSegs(
            owner=walls.owner[row],
            ends=np.ascontiguousarray(walls.segs[row].reshape(-1, 4).T),
            boxes=bounding_boxes(walls.segs[row]),
            side=walls.side[row],
            once=walls.once[row],
            base=base,
            top=top,
            any_side=bool(walls.side[row].any()),
            any_once=bool(walls.once[row].any()),
            any_bounded=bool(np.isfinite(base).any() or np.isfinite(top).any()),
        )


def off_walls(walls: WallSet, point: Point, toward: Point) -> Point:
    """Return the point that stands for one on a closed wall: NUDGE nearer to `toward`.

    A token whose centre lies on a wall sees and steps from the side it came from. Any other
    point is returned as it is.
    """
    here = np.array(point)
    start = walls.segs[:, 0]
    along = walls.segs[:, 1] - start
    offset = here - start
    fraction = np.clip((along * offset).sum(axis=1) / (along**2).sum(axis=1), 0, 1)
    gap = np.hypot(*(offset - fraction[:, None] * along).T)
    stands = (walls.sight | walls.moves) & ~walls.open[walls.owner]
    way = np.array(toward) - here
    length = float(np.hypot(*way))
    if length == 0 or not (gap[stands] <= TOUCH).any():
        return point
    moved = here + way * (min(NUDGE, length) / length)
    return float(moved[0]), float(moved[1])


def build_walls(walls: Sequence[WallInput], open_ids: Iterable[str] = ()) -> WallSet:
    """Node walls into a set, with the named ones open.

    Points that are not finite or beyond FAR, segments without length, parts drawn twice and what
    lies among too many others are left out and reported in `issues`; they never make the rest fail.
    """
    issues: list[WallIssue] = []
    raw, owner = _explode(walls, issues)
    noded = node(raw)
    issues += [WallIssue(walls[int(n)].id, CROWDED) for n in distinct(owner[noded.taken :])]
    owner = owner[noded.source]
    once = np.array([wall.once for wall in walls], dtype=np.bool_)
    side = np.array([_SIDES[wall.one_sided] for wall in walls], dtype=np.int64)
    fresh = _first_drawn(noded.ends, owner, once, side)
    issues += [
        WallIssue(walls[int(number)].id, "a part of it is drawn twice")
        for number in distinct(owner[~fresh])
    ]
    owner = owner[fresh]
    wall_set = WallSet(
        ids=tuple(wall.id for wall in walls),
        segs=_frozen(noded.vertices[noded.ends[fresh]].reshape(-1, 2, 2)),
        drawn=_frozen(raw[noded.source[fresh]]),
        owner=_frozen(owner),
        sight=_frozen(np.array([wall.blocks_sight for wall in walls], dtype=np.bool_)[owner]),
        moves=_frozen(np.array([wall.blocks_movement for wall in walls], dtype=np.bool_)[owner]),
        side=_frozen(side[owner]),
        once=_frozen(once[owner]),
        base=_frozen(np.array([wall.base for wall in walls], dtype=np.float64)[owner]),
        top=_frozen(np.array([wall.top for wall in walls], dtype=np.float64)[owner]),
        open=_frozen(np.zeros(len(walls), dtype=np.bool_)),
        issues=tuple(issues),
    )
    return wall_set.with_open(open_ids)


_SIDES = {None: 0, "left": -1, "right": 1}

_Array = TypeVar("_Array", Floats, Ints, Bools)


def _frozen(array: _Array) -> _Array:
    array.flags.writeable = False
    return array


def _explode(walls: Sequence[WallInput], issues: list[WallIssue]) -> tuple[Floats, Ints]:
    """Return the sound segments (n, 2, 2) of the polylines and the number of each one's wall."""
    lengths = np.array([len(wall.points) for wall in walls], dtype=np.int64)
    points = np.array([p for wall in walls for p in wall.points], dtype=np.float64).reshape(-1, 2)
    number = np.repeat(np.arange(len(walls)), lengths)
    sound = np.asarray((np.abs(points) <= FAR).all(axis=1))  # false for NaN
    points[~sound] = 0.0
    segs = np.stack((points[:-1], points[1:]), axis=1) if len(points) else np.zeros((0, 2, 2))
    joined = number[:-1] == number[1:]
    whole = joined & sound[:-1] & sound[1:]
    long = np.abs(segs[:, 1] - segs[:, 0]).max(axis=1, initial=0) > TOUCH
    heights = np.array([wall.base < wall.top for wall in walls], dtype=np.bool_)[number[:-1]]
    problems = (
        (distinct(number[~sound]), "a point of it is not a finite place"),
        (distinct(number[:-1][whole & ~long]), "a part of it has no length"),
        (np.flatnonzero(lengths < 2), "it has less than two points"),
        (distinct(number[:-1][whole & ~heights]), "its top is not above its base"),
    )
    issues += [WallIssue(walls[int(n)].id, problem) for which, problem in problems for n in which]
    keep = whole & long & heights
    return segs[keep], number[:-1][keep]


def _first_drawn(ends: Ints, owner: Ints, once: Bools, side: Ints) -> Bools:
    """Tell which pieces are not repetitions of an earlier one.

    A wall may lie on another one, since either may be opened. Terrain edges may not: two on the
    same line would count as crossed twice.
    """
    upright = (side[owner] != 0) | (ends[:, 0] < ends[:, 1])
    key = np.where(upright[:, None], ends, ends[:, ::-1])
    group = np.where(once[owner], -1 - side[owner], owner)
    _, first = np.unique(np.column_stack((group, key)), axis=0, return_index=True)
    fresh = np.zeros(len(ends), dtype=np.bool_)
    fresh[first] = True
    return fresh


def _signs(origin: Floats, end: Floats, point: Floats) -> Floats:
    """Return -1, 0, 1 for points left of, on, right of the lines (y down), 0 within TOUCH."""
    along = end - origin
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), TOUCH)
    offset = cross(along, point - origin) / length
    return np.where(np.abs(offset) <= TOUCH, 0.0, np.sign(offset))


def _touch(a: Floats, b: Floats) -> Bools:
    """Tell which pairs of segments with touching boxes cross or touch."""
    across_b = _signs(b[:, 0], b[:, 1], a[:, 0]) * _signs(b[:, 0], b[:, 1], a[:, 1])
    across_a = _signs(a[:, 0], a[:, 1], b[:, 0]) * _signs(a[:, 0], a[:, 1], b[:, 1])
    return np.asarray((across_b <= 0) & (across_a <= 0))


def _faces(steps: Floats, segs: Floats, side: Ints) -> Bools:
    """Tell which steps meet their wall from a side on which it blocks.

    A step that starts on the wall comes from the side that it turns its back to.
    """
    start = _signs(segs[:, 0], segs[:, 1], steps[:, 0])
    end = _signs(segs[:, 0], segs[:, 1], steps[:, 1])
    comes_from = np.where(start == 0, -end, start)
    return np.asarray((side == 0) | (comes_from * side > 0))
