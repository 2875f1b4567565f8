"""Families of maps on which sweeps and shadow unions go wrong, and eyes in the worst places."""

from collections.abc import Callable

import numpy as np

from tests.helpers.sight_oracle import Floats

BOX = (0, 0, 12, 12)
Family = Callable[[np.random.Generator, int], Floats]


def lattice(rng: np.random.Generator, count: int) -> Floats:
    start = rng.integers(1, 12, (count, 2))
    step = rng.integers(-4, 5, (count, 2))
    return np.stack((start, np.clip(start + step, 1, 11)), axis=1).astype(float)


def crossing(rng: np.random.Generator, count: int) -> Floats:
    return rng.uniform(0.5, 11.5, (count, 2, 2))


def collinear(rng: np.random.Generator, count: int) -> Floats:
    line = rng.integers(1, 4, count) * 3.0
    ends = np.sort(rng.integers(1, 12, (count, 2)), axis=1)
    level = np.stack((ends, np.repeat(line[:, None], 2, axis=1)), axis=2)
    return np.where(rng.random((count, 1, 1)) < 0.5, level, level[:, :, ::-1]).astype(float)


def jointed(rng: np.random.Generator, count: int) -> Floats:
    points = rng.uniform(0.5, 11.5, (max(count // 2, 2), 2))
    return points[rng.integers(0, len(points), (count, 2))]


def tilted(rng: np.random.Generator, count: int) -> Floats:
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    return (lattice(rng, count) - 6) @ turn * 0.7 + 6


def fan(rng: np.random.Generator, count: int) -> Floats:
    hub = rng.integers(3, 9, 2).astype(float)
    angle = rng.integers(0, 24, count) * np.pi / 12
    tip = hub + rng.uniform(0.5, 2.5, (count, 1)) * np.stack((np.cos(angle), np.sin(angle)), axis=1)
    return np.stack((np.broadcast_to(hub, tip.shape), tip), axis=1)


FAMILIES: tuple[Family, ...] = (lattice, crossing, collinear, jointed, tilted, fan)


def eyes_for(rng: np.random.Generator, segs: Floats) -> list[tuple[float, float]]:
    """Return an eye anywhere, on a lattice point, on a wall, on its end and right beside it."""
    a, b = segs[rng.integers(0, len(segs))]
    eyes = (
        rng.uniform(0.2, 11.8, 2),
        rng.integers(1, 12, 2).astype(float),
        a + (b - a) * 0.375,
        a,
        (a + b) / 2 + (b - a)[::-1] * (1e-6, -1e-6),
    )
    return [(float(x), float(y)) for x, y in eyes]
