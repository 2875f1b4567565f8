"""Drase: forecasts of one attack on 200 targets, and a group of 100 attackers by the chart.

What geometry costs has rows of its own; here situations are given, but for a group that looks at
its target for the first time.
"""

from functools import cache

import numpy as np

from engine.model.encounter import Encounter
from engine.model.region import Obscuration
from engine.model.space import Cell
from engine.model.token import Token
from engine.model.wall import CoverLabel, Wall
from engine.rules.drase.cover import Cover
from engine.rules.drase.data import Book
from engine.rules.drase.plans import GroupAttackPlan
from engine.rules.drase.ruleset import DraseRuleset
from engine.rules.drase.situation import Haze, Situation
from engine.rules.drase.state import Phase
from tests.bench.bench_dice import with_icepool
from tests.bench.rows import BenchRow, Limit
from tests.helpers.drase import Fight, encounter, foe, plan, token

SITUATIONS = (
    Situation(),
    Situation(drop=1),
    Situation(covers=(Cover(CoverLabel.HALF, "crate"),)),
    Situation(there=Haze(Obscuration.HEAVY, "Rain", frozenset({"rain"}))),
)


def _look(_: Encounter, __: Book, attacker: Token, target: Token, ranged: bool) -> Situation:
    return SITUATIONS[(attacker.cell.x + target.cell.x) % 4]


RULESET = DraseRuleset(look=_look)
TARGETS = [
    foe(f"Orc{n}", n % 40, n // 40, ac=10 + n % 11, resist={"cut": 1} if n % 3 else {})
    for n in range(200)
]
FIGHT = Fight(encounter(token("Arn", 20, 9), *TARGETS, size=60))
PLANS = [plan("arn", "attack", target.id) for target in TARGETS]


def forecasts() -> list[object]:
    """Forecast one attack on each of 200 targets."""
    return [RULESET.forecast(FIGHT.now, each) for each in PLANS]


def listed() -> object:
    """List 200 targets of one attack, each with the reason against it."""
    return RULESET.targets(FIGHT.now, plan("arn", "attack"))


def _horde() -> Fight:
    orcs = [foe(f"Orc{n}", n % 40, 20 + n // 40, group="orcs") for n in range(100)]
    arn = token("Arn", 20, 1, pc=True, hp=5000, hp_max=5000)
    fight = Fight(encounter(arn, *orcs, size=60), situation=SITUATIONS[0]).until(Phase.G3)
    return fight.act(GroupAttackPlan(token_id="orc0", target_id="arn")).end()


HORDE = _horde()


def group() -> Encounter:
    """Resolve the attack of a group of 100 and apply its events."""
    fight = Fight(HORDE.now, situation=SITUATIONS[0], begin=False)
    return fight.end().now


class Volley:
    """A group of 100 archers among walls, all of whom have just moved."""

    def __init__(self) -> None:
        rng = np.random.default_rng(3)
        start, way = rng.uniform(0, 58, (200, 2)), rng.uniform(-1.4, 1.4, (200, 2))
        ends = np.stack((start, np.clip(start + way, 0, 60)), axis=1).tolist()
        walls = [Wall(id=f"w{n}", points=(tuple(a), tuple(b))) for n, (a, b) in enumerate(ends)]
        orcs = [foe(f"Orc{n}", n % 40, 20 + n // 40, group="orcs") for n in range(100)]
        arn = token("Arn", 20, 1, pc=True, hp=5000, hp_max=5000)
        fight = Fight(encounter(arn, *orcs, walls=walls, size=60)).until(Phase.G3)
        aimed = GroupAttackPlan(token_id="orc0", target_id="arn", attack="Bow")
        self._declared = fight.act(aimed).end().now
        self._steps = 0
        self._fight = fight

    def move(self) -> None:
        """Put each archer where it has not stood before: nothing of it is known."""
        self._steps += 1
        x, y = divmod(self._steps, 30)
        tokens = self._declared.tokens
        moved = {
            token.id: token.changed(cell=Cell(token.cell.x + x, token.cell.y + y))
            for token in tokens.values()
            if token.group == "orcs"
        }
        now = self._declared.changed(tokens=tokens.put_all(moved))
        self._fight = Fight(now, begin=False)

    def resolve(self) -> Encounter:
        """Resolve the attack and apply its events."""
        return self._fight.end().now


def rows() -> list[BenchRow]:
    """Give the rows of this module."""
    volley = cache(Volley)
    return [
        BenchRow(
            job="Drase: forecasts of one attack on 200 targets",
            run=forecasts,
            baseline=with_icepool,
            ratio_target=10,
            target_ms=10,
            note="beyond geometry; against the same odds built by a dice library each time",
        ),
        BenchRow(
            job="Drase: 200 targets of an attack listed",
            run=listed,
            baseline=forecasts,
            ratio_target=1.5,
            target_ms=5,
            note="beyond geometry; against a forecast of each",
        ),
        BenchRow(
            job="Drase: a group of 100 attackers",
            run=group,
            baseline=None,
            ratio_target=None,
            target_ms=20,
            note="beyond geometry; events applied and checked",
        ),
        BenchRow(
            job="Drase: a group of 100 attackers, first look, 200 walls",
            run=lambda: volley().resolve(),
            baseline=None,
            ratio_target=None,
            target_ms=None,
            limits=(Limit(50, 20),),
            runs=60,
            prepare=lambda: volley().move(),
            note="with geometry; every attacker has just moved",
        ),
    ]
