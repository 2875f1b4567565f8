"""A plan in preparation: chosen, aimed, forecast, carried out or dropped."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.commands.tokens import RemoveTokens, SetValue
from engine.commands.turn import BeginFight, EndPhase
from engine.model.pending import PromptKind
from engine.rules.ruleset import Offer
from gui.bridge import Bridge
from gui.messages import Messages
from gui.planning import Planner
from tests.helpers.encounters import HERO, ORC, a_session


@pytest.fixture
def bridge(qapp: object, tmp_path: Path) -> Iterator[Bridge]:
    made = Bridge(Messages())
    made.attach(a_session(tmp_path))
    made.execute(BeginFight())
    yield made
    made.attach(None)


@pytest.fixture
def planner(bridge: Bridge) -> Planner:
    return Planner(bridge)


def offer(bridge: Bridge, offer_id: str, token_id: str = HERO) -> Offer:
    offers = bridge.ruleset.offers(bridge.encounter, token_id)
    return next(each for each in offers if each.id == offer_id)


def test_an_offer_wants_a_target_and_shows_odds_while_it_is_aimed(bridge: Bridge, planner: Planner):
    planner.choose(offer(bridge, "strike"))
    assert planner.aiming
    assert not planner.ready
    planner.aim(target_id=ORC)
    assert planner.forecast is not None
    assert not planner.ready
    assert bridge.encounter.prompt is None


def test_a_fixed_plan_is_carried_out_and_forgotten(bridge: Bridge, planner: Planner):
    planner.choose(offer(bridge, "strike"))
    planner.fix(target_id=ORC)
    assert planner.ready
    assert planner.commit()
    assert planner.offer is None
    prompt = bridge.encounter.prompt
    assert prompt is not None
    assert prompt.prompt is PromptKind.CHOICE  # the roll was made by the program


def test_dice_from_the_table_leave_the_roll_open(bridge: Bridge, planner: Planner):
    planner.choose(offer(bridge, "strike"))
    planner.fix(target_id=ORC)
    planner.commit(typed=True)
    prompt = bridge.encounter.prompt
    assert prompt is not None
    assert prompt.prompt is PromptKind.ROLL


def test_an_impossible_offer_says_why_and_is_done_when_overruled(bridge: Bridge, planner: Planner):
    bridge.execute(EndPhase())
    planner.choose(offer(bridge, "strike"))
    planner.fix(target_id=ORC)
    assert planner.refusals == ("It is not this side's phase.",)
    assert not planner.commit()
    planner.arm(on=True)
    assert planner.commit()
    assert any("Overruled" in entry.text for entry in bridge.encounter.log)
    assert not planner.armed


def test_a_plan_of_somebody_who_is_gone_is_dropped(bridge: Bridge, planner: Planner):
    planner.choose(offer(bridge, "strike"))
    bridge.execute(RemoveTokens(token_ids=(HERO,)))
    assert planner.offer is None


def test_a_plan_follows_the_fight(bridge: Bridge, planner: Planner):
    planner.choose(offer(bridge, "strike"))
    planner.fix(target_id=ORC)
    seen = planner.forecast
    bridge.execute(SetValue(token_id=ORC, field="hp", value=1))
    assert planner.ready
    assert planner.forecast is not seen


def test_cancel_tells_whether_there_was_a_plan(bridge: Bridge, planner: Planner):
    assert not planner.cancel()
    planner.choose(offer(bridge, "strike"))
    assert planner.cancel()
    assert planner.plan is None


def test_what_was_prepared_goes_with_the_phase(bridge: Bridge, planner: Planner):
    planner.choose(offer(bridge, "strike"))
    planner.arm(on=True)
    bridge.execute(EndPhase())
    assert planner.offer is None
    assert not planner.armed


def test_only_fields_that_mean_something_for_the_offer_are_open(bridge: Bridge, planner: Planner):
    strike = offer(bridge, "strike")
    planner.choose(strike.changed(wants=()))
    assert planner.open_fields == ()


def test_a_field_of_an_earlier_plan_is_not_settled(bridge: Bridge, planner: Planner):
    planner.choose(offer(bridge, "strike"))
    plan = planner.plan
    planner.give("damage", "9")
    assert planner.plan is plan
    assert not bridge.messages.waiting
