"""Fights at random: whatever is commanded, it happens whole and soundly, or is clearly refused.

After each step the encounter obeys `check`, no older state has changed, and an open question can
be answered. Undo, redo and any jump bring back each state to the byte, also from the file.
"""

import json
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.check import check
from engine.cli.output import as_json
from engine.commands.combat import AnswerPrompt, OverruleResult, RollDice
from engine.commands.command import Command
from engine.commands.registry import decide
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.pending import PromptKind
from engine.model.refusal import Rejected
from engine.rules import dice
from engine.rules.registry import register, ruleset_of
from engine.rules.ruleset import MovePlan, Offer, TargetKind
from engine.session import Session
from tests.helpers import random_commands
from tests.helpers.toy import TOY

SETUP: list[dict[str, Any]] = [
    {"id": "hero", "name": "Hero", "side": "party", "cell": [1, 1]},
    {"id": "orc", "name": "Orc", "side": "foes", "cell": [2, 1]},
    {"id": "ogre", "name": "Ogre", "side": "foes", "cell": [5, 3], "footprint": "2"},
]
LIGHT = {"id": "l", "position": [1, 1], "bright": 1, "dim": 2, "carrier": "hero"}


class RandomFights(RuleBasedStateMachine):
    """Any commands at all, in any order, by the rules of `ruleset`."""

    ruleset = "toy"
    preset = "fighter"
    sheets: tuple[dict[str, Any], ...] = (
        {},
        {"repulses": True},
        {"interrupts": True, "reacts": True},
    )

    def __init__(self) -> None:
        super().__init__()
        register(TOY)
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "fight.battlemat"
        options = ruleset_of(self.ruleset).options_type.model_validate({})
        board = Board(grid=GridSpec(columns=8, rows=6))
        start = Encounter(ruleset=self.ruleset, board=board, options=options)
        self.session = Session.create(self.path, start, entropy=Random(7))
        self.states = {0: start}
        self.texts = {0: as_json(start)}

    @initialize(data=st.data())
    def set_up(self, data: st.DataObject) -> None:
        self.do({"kind": "add_tokens", "tokens": SETUP, "preset": self.preset})
        self.do({"kind": "put_lights", "lights": [LIGHT]})
        for field, value in data.draw(st.sampled_from(self.sheets)).items():
            self.do({"kind": "set_value", "token_id": "orc", "field": field, "value": value})
        if data.draw(st.booleans()):
            self.do({"kind": "change_settings", "real_dice": random_commands.ALL_SIDES})
        self.do({"kind": "begin_fight"})

    @rule(command=random_commands.TABLE | random_commands.PIECES)
    def change(self, command: dict[str, Any]) -> None:
        self.do(command)

    @rule(command=random_commands.COURSE)
    def go_on(self, command: dict[str, Any]) -> None:
        self.do(command)

    @rule(command=random_commands.ANSWERS)
    def answer_at_random(self, command: dict[str, Any]) -> None:
        self.do(command)

    @precondition(lambda self: self.session.encounter.prompt is not None)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        command = data.draw(st.sampled_from(answers(self.session.encounter)))
        self.do(json.loads(command.model_dump_json()))

    @precondition(lambda self: self.session.encounter.tokens)
    @rule(data=st.data(), overruled=st.booleans())
    def act(self, data: st.DataObject, overruled: bool) -> None:
        encounter = self.session.encounter
        may_act = {
            each.token_id for each in self.session.ruleset.step(encounter).entries if each.may_act
        }
        token_id = data.draw(st.sampled_from(sorted(may_act or encounter.tokens)))
        offers = self.session.ruleset.offers(encounter, token_id)
        walk = Offer(id="", label="", target=TargetKind.PATH, plan=MovePlan(token_id=token_id))
        offer = data.draw(st.sampled_from([walk, *(each for each in offers if each.enabled)]))
        plan = offer.plan.model_dump(mode="json") | data.draw(random_commands.target(offer.target))
        command = {"kind": "act", "plan": plan}
        self.do({"kind": "overrule", "command": command} if overruled else command)

    def do(self, data: dict[str, Any]) -> None:
        before, head, stored = self.session.encounter, self.session.head, self.path.read_bytes()
        try:
            self.session.execute(self.session.decode(data))
        except Rejected:
            assert self.session.encounter is before
            assert self.path.read_bytes() == stored
        assert as_json(before) == self.texts[head]
        for record in self.session.history():
            if record.id not in self.states:
                self.states[record.id] = state = self.session.state(record.id)
                self.texts[record.id] = as_json(state)

    @rule(count=st.integers(1, 4))
    def undo(self, count: int) -> None:
        self.session.undo(count)

    @rule(count=st.integers(1, 4))
    def redo(self, count: int) -> None:
        self.session.redo(count)

    @rule(data=st.data())
    def jump(self, data: st.DataObject) -> None:
        self.session.jump(data.draw(st.sampled_from(sorted(self.texts))))

    @rule()
    def reopen(self) -> None:
        self.session.close()
        self.session = Session.open(self.path, entropy=Random(8))

    @invariant()
    def here_is_what_was_here(self) -> None:
        assert as_json(self.session.encounter) == self.texts[self.session.head]

    @invariant()
    def nothing_is_broken(self) -> None:
        assert check(self.session.encounter, self.session.ruleset) == ()

    @precondition(lambda self: self.session.encounter.prompt is not None)
    @invariant()
    def what_is_asked_can_be_answered(self) -> None:
        encounter = self.session.encounter
        for answer in answers(encounter):
            assert decide(answer, encounter, self.session.ruleset)

    def teardown(self) -> None:
        session = self.session
        while session.undo():
            pass
        assert as_json(session.encounter) == self.texts[0]
        while session.redo():
            self.here_is_what_was_here()
        assert session.replay() == ()
        assert session.document.check() == ()
        for record, state in self.states.items():
            assert as_json(state) == self.texts[record]
        session.close()
        self.folder.cleanup()


def answers(encounter: Encounter) -> list[Command]:
    """Return answers to the open question that must all be taken."""
    prompt = encounter.prompt
    assert prompt is not None
    if prompt.prompt is PromptKind.CHOICE:
        return [AnswerPrompt(choice=each.value) for each in prompt.choices if each.enabled]
    assert prompt.roll is not None
    faces = dice.roll_faces(dice.Roll.parse(prompt.roll), Random(len(encounter.log)))
    return [RollDice(faces=faces), OverruleResult(outcome=10), OverruleResult(outcome=-3)]


class RandomDraseFights(RandomFights):
    """The same by the rules of Drase."""

    ruleset = "drase"
    preset = "Adept"
    sheets = ({}, {"hp": 1}, {"concentration": "Haste"}, {"surprised": True})


MODEST = settings(
    max_examples=12,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestRandomFights = RandomFights.TestCase
TestRandomFights.settings = MODEST
TestRandomDraseFights = RandomDraseFights.TestCase
TestRandomDraseFights.settings = MODEST
