"""What the players read of a Drase fight with somebody whom they know by another name."""

from engine.cli.output import as_json
from engine.commands.tokens import EditTokens, PlaceToken
from engine.model.audience import PLAYERS
from engine.model.pending import Prompt
from engine.model.space import Cell
from engine.model.token import Token
from engine.view import View, project
from tests.helpers.drase import Fight, encounter, foe, token
from tests.helpers.scenes import LIVE


def fight(*others: Token) -> Fight:
    vampire = foe("Vampire", 8, 4, public_name="Stranger")
    return Fight(encounter(token("Ann", 4, 4), vampire, *others).changed(real_dice=("party",)))


def seen(fight: Fight) -> View:
    return project(fight.now, LIVE, PLAYERS, fight.ruleset)


def asked(fight: Fight) -> Prompt:
    prompt = seen(fight).prompt
    assert prompt is not None
    return prompt


def test_a_plan_and_its_turn_line_name_the_target_as_the_players_do():
    shooting = fight().action("ann", "attack", "vampire", attack="Bow").end()
    step = seen(shooting).step
    assert shooting.ruleset.step(shooting.now).plans[0].label == "Attack: Vampire (Bow)"
    assert step.plans[0].label == "Attack: Stranger (Bow)"
    assert step.entries[0].detail == "Attack: Stranger (Bow)"


def test_of_a_plan_at_somebody_out_of_sight_neither_speaks():
    shooting = fight().action("ann", "attack", "vampire", attack="Bow").end()
    shooting.do(EditTokens(token_ids=("vampire",), changes={"hidden": True}))
    step = seen(shooting).step
    assert (step.plans[0].label, step.plans[0].targets) == ("", ())
    assert step.entries[0].detail == ""


def test_a_question_and_its_lines_name_all_as_the_players_do():
    dog = token("Wolf", 6, 4, side="neutral", public_name="Dog")
    shooting = fight(dog).action("ann", "attack", "vampire", attack="Bow").end().end()
    prompt = asked(shooting)
    assert prompt.question == "Ann attacks Stranger with Bow: AC 12"
    labels = [line.label for line in prompt.lines]
    assert "Three-quarter cover: Dog" in labels
    assert labels[-1] == "AC of Stranger"


def test_a_question_left_open_before_there_were_two_readers_is_the_gms():
    shooting = fight().action("ann", "attack", "vampire", attack="Bow").end().end()
    assert shooting.prompt is not None
    stored = shooting.prompt.model_dump(exclude={"players"})
    old = shooting.now.changed(prompt=Prompt.model_validate(stored))
    assert project(old, LIVE, PLAYERS, shooting.ruleset).prompt is None


def test_nor_is_what_was_declared_then():
    shooting = fight().action("ann", "attack", "vampire", attack="Bow").end()
    turns = shooting.state.turns
    steps = tuple(each.changed(players=None) for each in turns["ann"].declared)
    turn = turns["ann"].changed(declared=steps)
    shooting.now = shooting.now.changed(rules=shooting.state.changed(turns=turns.put("ann", turn)))
    assert "Vampire" not in as_json(seen(shooting))
    assert seen(shooting).step.plans[0].label == ""


def test_a_note_of_the_gm_is_not_read():
    ruled = fight().action("ann", "ruling", note="Charm the Vampire", cost="half").end()
    assert "Vampire" in ruled.ruleset.step(ruled.now).plans[0].label
    ruled.end().end()
    assert "Charm the Vampire" in ruled.logged()
    assert "Vampire" not in as_json(seen(ruled))


def test_nor_are_the_reasons_why_something_fails():
    wolf = foe("Wolf", 8, 6, public_name="Dog")
    shooting = fight(wolf).action("ann", "attack", "vampire", attack="Bow").end()
    shooting.do(PlaceToken(token_id="wolf", cell=Cell(6, 4))).end()
    assert "Wolf, an enemy" in shooting.logged()
    assert "Wolf" not in as_json(seen(shooting))
