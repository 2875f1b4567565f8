"""Every invariant of Drase's own, broken on purpose."""

import pytest

from engine.model.encounter import Encounter
from engine.model.sheet import NoRulesState
from engine.model.value import FrozenMap
from engine.rules.drase.plans import ActionPlan
from engine.rules.drase.sheet import DamageType, Downed
from engine.rules.drase.state import Declared, DraseState, Happening, Phase, Turn
from tests.helpers.drase import Fight, creature, encounter, token

DOWNED = Downed(damage_type=DamageType.CUT, lethality="lethal")
STEP = Declared(number=1, plan=ActionPlan(token_id="arn", action="aim"), label="Aim")
HAPPENED = Happening(serial=4, trigger="hit", actor="arn", witness="orc", words="Arn hit")


def with_sheet(**fields: object) -> Encounter:
    return encounter(token("Arn", 5, 5, sheet=creature().changed(**fields)))


def with_state(**fields: object) -> Encounter:
    return encounter(token("Arn", 5, 5)).changed(fighting=True, rules=DraseState(**fields))


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (with_sheet(power=21), "power: Input should be less than or equal to 20."),
        (with_sheet(downed=DOWNED), "It is marked as downed and has hit points."),
        (
            encounter(token("Arn", 5, 5)).changed(fighting=True, rules=NoRulesState()),
            "A fight goes on without a state of Drase.",
        ),
        (with_state(third="cats"), "The phase and the third party do not fit."),
        (
            with_state(phase=Phase.THIRD_DOT),
            "The phase and the third party do not fit.",
        ),
        (
            with_state(turns=FrozenMap({"arn": Turn(declared=(STEP, STEP))})),
            "Two declared steps have one number.",
        ),
        (
            with_state(happenings=(HAPPENED,), serial=3),
            "The happenings are not numbered in order.",
        ),
    ],
)
def test_it_is_told(broken: Encounter, told: str):
    issues = Fight(broken, begin=False).ruleset.check(broken)
    assert [issue.sentence for issue in issues] == [told]


def test_a_sound_fight_has_no_issues():
    fight = Fight(encounter(token("Arn", 5, 5)))
    assert fight.ruleset.check(fight.now) == ()


def test_the_cover_between_two_is_told_by_itself():
    fight = Fight(encounter(token("Arn", 5, 5), token("Bo", 7, 5), token("Cy", 9, 5)))
    (line,) = fight.ruleset.cover(fight.now, "arn", "cy")
    assert (line.label, line.value) == ("Three-quarter cover: Bo", -5)
