"""Forecasts of one attack on 200 targets: shared tables against a dice library each time.

The attack is Drase's: d20 + to hit - the highest of some malus dice against an armour class; a
natural 20 that hits is critical, and damage is halved or raised by the target's resistance. Targets
differ in armour class, cover, malus dice and resistance, as 200 tokens on a map do.
"""

from fractions import Fraction
from typing import NamedTuple

import icepool

from engine.rules.dice import Roll, Rounding, dice
from tests.bench.rows import BenchRow


class Target(NamedTuple):
    """What differs from target to target."""

    armour_class: int
    modifier: int
    maluses: int
    resistance: Fraction


class Odds(NamedTuple):
    """What the forecast shows."""

    hit: Fraction
    critical: Fraction
    mean_damage: Fraction


TARGETS = tuple(
    Target(
        armour_class=10 + number % 11,
        modifier=(5, 3, 0, 6)[number % 4],
        maluses=number % 3,
        resistance=(Fraction(1), Fraction(1, 2), Fraction(3, 2))[number % 3],
    )
    for number in range(200)
)


def ours(targets: tuple[Target, ...] = TARGETS) -> list[Odds]:
    """Forecast with the product's expression, as a ruleset writes it."""
    return [_our_odds(target) for target in targets]


def with_icepool(targets: tuple[Target, ...] = TARGETS) -> list[Odds]:
    """Forecast with dice built anew for every target."""
    return [_icepool_odds(target) for target in targets]


def rows() -> list[BenchRow]:
    """Give the rows of this module."""
    return [
        BenchRow(
            job="forecasts of one attack on 200 targets",
            run=ours,
            baseline=with_icepool,
            ratio_target=10,
            target_ms=10,
            note="baseline: the same odds built by icepool each time",
        )
    ]


def _our_odds(target: Target) -> Odds:
    attack = dice(1, 20) + target.modifier - dice(target.maluses, 6, highest=1)

    def band(natural: int | None, total: int) -> str:
        if total < target.armour_class:
            return "miss"
        return "critical" if natural == 20 else "hit"

    bands = attack.classify(band, special=(20,))
    damage = _DAMAGE.times(target.resistance, Rounding.DOWN).odds()
    hit = 1 - bands.of("miss")
    return Odds(hit, bands.of("critical"), hit * damage.mean())


def _icepool_odds(target: Target) -> Odds:
    rest = icepool.Die([target.modifier])
    if target.maluses:
        rest = rest - icepool.d6.highest(target.maluses, 1)
    hit = (icepool.d20 + rest >= target.armour_class).probability(True)
    critical = (rest + 20 >= target.armour_class).probability(True) / 20
    damage = (2 @ icepool.d6 + 3).map(lambda total: total * target.resistance // 1)
    return Odds(hit, critical, hit * damage.mean())


_DAMAGE = Roll.parse("2d6+3")
