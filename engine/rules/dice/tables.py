"""The odds of one kind of dice, each built once and shared by every roll that uses it."""

from functools import lru_cache
from math import comb

from engine.rules.dice.distribution import Distribution, uniform

_TABLES = 512


@lru_cache(maxsize=_TABLES)
def sum_odds(count: int, sides: int) -> Distribution[int]:
    """Give the odds of the sum of `count` dice."""
    return uniform(1, sides).repeated(count)


@lru_cache(maxsize=_TABLES)
def keep_odds(count: int, sides: int, keep: int, *, lowest: bool) -> Distribution[int]:
    """Give the odds of the sum of the `keep` highest (or lowest) of `count` dice."""
    if lowest:
        # A die upside down shows sides + 1 - face, so the lowest become the highest.
        return -keep_odds(count, sides, keep, lowest=False) + keep * (sides + 1)
    weights: dict[int, int] = {}
    for face in range(1, sides + 1):
        for above in range(min(keep, count + 1)):
            # The last die kept shows `face`; `above` dice show more, the others do not.
            ways = comb(count, above) * _ways_at_most(count - above, face, keep - above)
            if not ways or (above and face == sides):
                continue
            for excess, weight in sum_odds(above, max(1, sides - face)).items:
                total = excess + face * keep
                weights[total] = weights.get(total, 0) + ways * weight
    return Distribution.from_weights(weights)


@lru_cache(maxsize=_TABLES)
def success_odds(count: int, sides: int, good_faces: int) -> Distribution[int]:
    """Give the odds of the number of dice, of `count`, that show one of the good faces."""
    bad = sides - good_faces
    weights = {n: comb(count, n) * good_faces**n * bad ** (count - n) for n in range(count + 1)}
    return Distribution.from_weights(weights)


def _ways_at_most(count: int, face: int, least: int) -> int:
    """Count the throws of dice that show at most `face`, at least `least` of them exactly it."""
    return sum(
        comb(count, equal) * (face - 1) ** (count - equal) for equal in range(least, count + 1)
    )
