"""One step of exploring: rasterise what is seen and add it to what was explored."""

from functools import cache
from math import cos, sin

import numpy as np

from engine.geometry.arrays import Floats
from engine.geometry.explored import mask_of_outline
from engine.model.fog import TileKey
from engine.model.value import FrozenMap
from tests.bench.rows import BenchRow

RADIUS = 30.0

Tiles = FrozenMap[TileKey, bytes]


@cache
def outline() -> Floats:
    """Return a spiky outline of 900 corners about the origin, as among many short walls."""
    rng = np.random.default_rng(3)
    angles = np.sort(rng.uniform(0, 2 * np.pi, 900))
    reach = np.where(rng.random(900) < 0.5, RADIUS, RADIUS * rng.uniform(0.2, 1, 900))
    return np.stack((reach * np.cos(angles), reach * np.sin(angles)), axis=1)


def seen_at(step: int) -> Floats:
    """Return what one sees after some steps of a long walk in growing loops."""
    turn = step / 9
    return outline() + np.array((200 + 0.12 * step * cos(turn), 200 + 0.12 * step * sin(turn)))


@cache
def explored(steps: int) -> Tiles:
    """Return the tiles after so many steps."""
    tiles: Tiles = FrozenMap()
    for step in range(steps):
        tiles = tiles.put_all(mask_of_outline(seen_at(step)).added_to(tiles))
    return tiles


def explore(step: int) -> Tiles:
    """Take one more step and return the tiles that change."""
    return mask_of_outline(seen_at(step)).added_to(explored(step))


def rows() -> list[BenchRow]:
    """Give the rows of this module."""
    return [
        BenchRow(
            job="fog step at r = 30: 900 corners",
            run=lambda: explore(100),
            baseline=None,
            ratio_target=None,
            target_ms=3,
            note="rasterise, merge, name the changed tiles",
        ),
        BenchRow(
            job="fog step at r = 30: step 1,200 against step 100, 20 each",
            # One step is shorter than a time slice of a busy machine.
            run=lambda: [explore(1200) for _ in range(20)],
            baseline=lambda: [explore(100) for _ in range(20)],
            ratio_target=1 / 1.5,
            target_ms=None,
            note="the 1,200th step takes at most 1.5 times as long",
        ),
    ]
