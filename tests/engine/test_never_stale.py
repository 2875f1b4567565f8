"""What is remembered from state to state must be what would be found by starting afresh.

Many parts of a View, and of what a command decides, are made from those of the state before. Here
fights are played with that memory, and each step is looked at again with all of it taken away.
"""

import gc
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random

import pytest

from engine.check import check
from engine.commands.registry import decide
from engine.geometry.memo import Memo
from engine.geometry.routes import reach_of
from engine.model.audience import GM, PLAYERS, Stage, StageMode
from engine.model.token import Token
from engine.rules.registry import register, ruleset_of
from engine.session import Session
from engine.view import project
from tests.bench.orders import (
    IN_A_FIGHT,
    ON_THE_MAP,
    OVER_THE_HISTORY,
    Orders,
    carry_out,
    crowd,
    opening,
)
from tests.helpers.toy import TOY

LIVE = Stage(mode=StageMode.LIVE)


@contextmanager
def nothing_remembered() -> Iterator[None]:
    """Take away what all memories hold, and give it back."""
    kept = [(each, each._kept) for each in _memories()]
    for memo, _ in kept:
        memo._kept = OrderedDict()
    try:
        yield
    finally:
        for memo, known in kept:
            memo._kept = known


@cache
def _memories() -> list[Memo[object]]:
    return [each for each in gc.get_objects() if isinstance(each, Memo)]


def played(folder: Path, ruleset: str) -> Session:
    session = Session.create(folder / "fight.battlemat", crowd(ruleset, tokens=40, segments=80))
    session.set_stage(LIVE)
    for audience in (GM, PLAYERS):
        session.observe(audience, lambda _before, _after: None)
    for command in opening(session.encounter):
        session.execute(command)
    return session


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("ruleset", ["toy", "drase"])
def test_a_fight_looks_the_same_with_and_without_memory(ruleset: str, seed: int, tmp_path: Path):
    register(TOY)
    rules = ruleset_of(ruleset)
    mix = (*(IN_A_FIGHT if ruleset == "drase" else ON_THE_MAP), *OVER_THE_HISTORY)
    asked, rng = Orders(mix, seed), Random(seed)
    with played(tmp_path, ruleset) as session:
        for number in range(60):
            before = session.encounter
            kind, order = asked.following(session)
            carry_out(session, order)
            now = session.encounter
            walker = rng.choice(list(now.tokens.values()))
            goes = _reach(session, walker)
            with nothing_remembered():
                for audience in (GM, PLAYERS):
                    fresh = project(now, LIVE, audience, rules)
                    assert session.view(audience) == fresh, f"{number}: {kind}"
                assert goes == _reach(session, walker), f"{number}: {kind}"
                if not isinstance(order, str):
                    made = session.document.record(session.head).events
                    assert made == decide(order, before, rules), f"{number}: {kind}"
                assert not check(now, rules)


def _reach(session: Session, token: Token) -> object:
    rules = session.ruleset.movement(session.encounter, token.id)
    return reach_of(session.encounter, token, rules).cells()
