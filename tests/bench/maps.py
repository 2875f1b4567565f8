"""Maps to measure on: dungeons of rooms and doors, open fields of short walls, always the same."""

from typing import NamedTuple

import numpy as np

from engine.geometry.segments import WallInput, WallSet, build_walls
from engine.grid.grid import Box
from engine.model.space import Point


class BenchMap(NamedTuple):
    """Walls with their doors, where to stand, and how large the board is."""

    walls: WallSet
    doors: tuple[str, ...]
    open_doors: tuple[str, ...]
    eyes: tuple[Point, ...]
    bounds: Box


def dungeon(segments: int, *, seed: int = 1) -> BenchMap:
    """Return rooms in rows, each wall with a door, two in five open, and a pillar in some rooms."""
    rng = np.random.default_rng(seed)
    side = max(int((segments / 7.4) ** 0.5), 2)
    x = np.concatenate(([0], np.cumsum(rng.integers(4, 10, side)))).astype(float)
    y = np.concatenate(([0], np.cumsum(rng.integers(4, 10, side)))).astype(float)
    walls: list[WallInput] = []
    for row in range(side):
        for column in range(side):
            left, right, top, bottom = x[column], x[column + 1], y[row], y[row + 1]
            sides = [((left, top), (right, top)), ((left, top), (left, bottom))]
            for number, (start, end) in enumerate(sides):
                name = f"{row}.{column}.{number}"
                if (row, column)[number] > 0:
                    walls += _side(rng, name, start, end)
                else:
                    walls.append(WallInput(name, (start, end)))
            if rng.random() < 0.35:
                centre = (left + right) / 2, (top + bottom) / 2
                walls.append(_pillar(f"{row}.{column}.p", centre))
    walls.append(WallInput("rim", ((0, y[-1]), (x[-1], y[-1]), (x[-1], 0))))
    doors = tuple(wall.id for wall in walls if wall.id.endswith("d"))
    opened = tuple(door for door in doors if rng.random() < 0.4)
    rooms = [(int(r), int(c)) for r, c in rng.integers(side // 4, 3 * side // 4 + 1, (40, 2))]
    eyes = tuple((float(x[c]) + 1.37, float(y[r]) + 1.59) for r, c in rooms)
    bounds = Box(0, 0, float(x[-1]), float(y[-1]))
    return BenchMap(build_walls(walls, opened), doors, opened, eyes, bounds)


def field(
    segments: int, *, density: float = 0.1, low_share: float = 0.0, seed: int = 2
) -> BenchMap:
    """Return walls half a cell to two cells long, strewn at random, `density` per square cell.

    Every tenth wall stands for a door; `low_share` of them are between 0.4 and 1.6 cells high.
    """
    rng = np.random.default_rng(seed)
    side = (segments / density) ** 0.5
    start = rng.uniform(0, side, (segments, 2))
    angle, length = rng.uniform(0, 2 * np.pi, segments), rng.uniform(0.5, 2, segments)
    end = start + length[:, None] * np.stack((np.cos(angle), np.sin(angle)), axis=1)
    tops = np.where(rng.random(segments) < low_share, rng.uniform(0.4, 1.6, segments), np.inf)
    ends = zip(start.tolist(), np.clip(end, 0, side).tolist(), tops.tolist(), strict=True)
    walls = [
        WallInput(str(i), ((a[0], a[1]), (b[0], b[1])), top=top)
        for i, (a, b, top) in enumerate(ends)
    ]
    places = rng.uniform(0.3 * side, 0.7 * side, (40, 2))
    doors = tuple(str(i) for i in range(0, segments, 10))
    eyes = tuple((float(px), float(py)) for px, py in places)
    return BenchMap(build_walls(walls), doors, (), eyes, Box(0, 0, side, side))


def _side(rng: np.random.Generator, name: str, start: Point, end: Point) -> list[WallInput]:
    """Return one side of a room, with a door of one cell in it."""
    a, b = np.array(start), np.array(end)
    length = float(np.abs(b - a).sum())
    at = float(rng.integers(1, int(length) - 1))
    first, second = a + (b - a) * (at / length), a + (b - a) * ((at + 1) / length)
    hinge, latch = (float(first[0]), float(first[1])), (float(second[0]), float(second[1]))
    return [
        WallInput(f"{name}a", (start, hinge)),
        WallInput(f"{name}d", (hinge, latch)),
        WallInput(f"{name}b", (latch, end)),
    ]


def _pillar(name: str, centre: Point) -> WallInput:
    x, y, r = *centre, 0.4
    ring = ((x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r), (x - r, y - r))
    return WallInput(name, ring)
