"""The one gate: records, undo by gesture, prompts, branches, and what survives a restart."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from engine.cli.output import as_json
from engine.commands.board import CloseDoor, OpenDoor, PutWalls
from engine.commands.combat import Act, AnswerPrompt, Overrule, OverruleResult, RollDice
from engine.commands.tokens import AddTokens, EditTokens, MoveToken, SetValue
from engine.commands.turn import BeginFight, ChangeSettings, EndPhase
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.refusal import Rejected
from engine.model.space import Cell
from engine.model.token import FOES, PARTY, Token
from engine.model.wall import DoorState, Wall
from engine.rules.registry import register
from engine.session import SNAPSHOT_EVERY, Session
from tests.helpers.toy import TOY, ReactPlan, StrikePlan, ToySheet


@pytest.fixture(autouse=True)
def _toy() -> None:
    register(TOY)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "toy.battlemat"


def fight(path: Path, **foe: object) -> Session:
    """Return a session with a hero and an orc, in the party's phase of a fight."""
    board = Board(grid=GridSpec(columns=12, rows=8))
    session = Session.create(path, Encounter(ruleset="toy", board=board), entropy=Random(1))
    hero = Token(id="hero", name="Hero", side=PARTY, cell=Cell(1, 1), sheet=ToySheet())
    orc = Token(id="orc", name="Orc", side=FOES, cell=Cell(5, 1), sheet=ToySheet(**foe))
    session.execute(AddTokens(tokens=(hero, orc)))
    session.execute(BeginFight())
    return session


def text(session: Session) -> str:
    return as_json(session.encounter)


def strike() -> Act:
    return Act(plan=StrikePlan(token_id="hero", target_id="orc"))


def test_a_roll_is_answered_by_the_program_within_the_same_gesture(path: Path) -> None:
    session = fight(path)
    records = session.execute(strike())
    assert [record.group for record in records] == [records[0].id] * 2
    assert len(records[1].dice) == 1
    assert session.encounter.prompt is not None
    assert [choice.value for choice in session.encounter.prompt.choices] == ["dodge", "none"]


def test_undo_in_the_middle_of_a_prompt_takes_back_the_whole_gesture(path: Path) -> None:
    session = fight(path)
    before = text(session)
    session.execute(strike())
    assert session.undo() == 1
    assert text(session) == before


def test_undo_to_the_start_and_redo_to_the_end_is_equal_byte_for_byte(path: Path) -> None:
    session = fight(path)
    session.execute(strike())
    session.execute(AnswerPrompt(choice="none"))
    session.execute(EndPhase())
    end = text(session)
    steps = session.undo(100)
    assert session.head == 0
    assert not session.encounter.tokens
    assert session.redo(100) == steps
    assert text(session) == end


def test_redo_follows_the_newest_branch_and_the_old_one_stays(path: Path) -> None:
    session = fight(path)
    session.execute(SetValue(token_id="orc", field="hp", value=3))
    old = session.head
    session.undo()
    session.execute(SetValue(token_id="orc", field="hp", value=7))
    session.undo()
    session.redo()
    assert session.encounter.tokens["orc"].sheet == ToySheet(hp=7)
    session.jump(old)
    assert session.encounter.tokens["orc"].sheet == ToySheet(hp=3)


def test_dice_differ_when_an_undone_attack_is_made_again(path: Path) -> None:
    session = fight(path)
    faces = set()
    for _ in range(8):
        faces.add(session.execute(strike())[1].dice)
        session.undo()
    assert len(faces) > 1


def test_redo_shows_the_same_faces(path: Path) -> None:
    session = fight(path)
    session.execute(strike())
    after = text(session)
    session.undo()
    session.redo()
    assert text(session) == after


def test_a_refused_command_changes_nothing_in_the_file(path: Path) -> None:
    session = fight(path)
    before, stored = text(session), path.read_bytes()
    with pytest.raises(Rejected) as refused:
        session.execute(Act(plan=StrikePlan(token_id="orc", target_id="hero")))
    assert refused.value.rejection.code == "not_your_phase"
    assert (text(session), path.read_bytes()) == (before, stored)


def test_the_gm_overrules_a_refusal_and_the_log_tells_it(path: Path) -> None:
    session = fight(path)
    session.execute(Overrule(command=Act(plan=StrikePlan(token_id="orc", target_id="hero"))))
    assert session.encounter.prompt is not None
    told = next(entry for entry in session.encounter.log if "Overruled" in entry.text)
    assert told.secret
    assert "Orc waits" in told.text


def test_an_overruling_is_told_where_the_rules_had_nothing_against_it(path: Path) -> None:
    session = fight(path)
    session.execute(Overrule(command=MoveToken(token_id="hero", path=(Cell(2, 2),))))
    told = next(entry for entry in session.encounter.log if "Overruled" in entry.text)
    assert (told.text, told.secret) == ("Overruled by the GM: Move Hero.", True)


def test_the_gm_replaces_a_result(path: Path) -> None:
    session = fight(path)
    session.execute(strike(), roll=False)
    session.execute(OverruleResult(outcome=20))
    session.execute(AnswerPrompt(choice="dodge"))
    assert session.encounter.tokens["orc"].sheet == ToySheet(hp=6)


def test_real_dice_leave_the_roll_open_until_it_is_typed(path: Path) -> None:
    session = fight(path)
    session.execute(ChangeSettings(real_dice=(PARTY,)))
    assert len(session.execute(strike())) == 1
    with pytest.raises(Rejected, match="d10"):
        session.execute(RollDice(faces=(11,)))
    session.execute(RollDice(faces=(9,)))
    assert session.encounter.pending[-1].total == 14  # type: ignore[attr-defined]  # the toy's


def test_a_roll_belongs_to_the_gesture_that_asked_for_it(path: Path) -> None:
    session = fight(path)
    before = text(session)
    session.execute(strike(), roll=False)
    session.execute(RollDice(faces=(9,)), roll=False)
    after = text(session)
    assert session.undo() == 1
    assert text(session) == before
    assert session.redo() == 1
    assert text(session) == after


def test_a_roll_stands_alone_when_something_came_between(path: Path) -> None:
    session = fight(path)
    session.execute(strike(), roll=False)
    session.execute(EditTokens(token_ids=("orc",), changes={"hidden": True}))
    between = text(session)
    session.execute(RollDice(faces=(9,)), roll=False)
    assert session.undo() == 1
    assert text(session) == between
    assert session.encounter.tokens["orc"].hidden


def test_a_gesture_taken_up_half_way_is_one_on_its_branch(path: Path) -> None:
    session = fight(path)
    before = text(session)
    (asked,) = session.execute(strike(), roll=False)
    session.execute(RollDice(faces=(9,)), roll=False)
    session.jump(asked.id)
    (again,) = session.execute_together([RollDice(faces=(2,))])
    after = text(session)
    assert again.group == asked.id
    assert session.undo() == 1
    assert text(session) == before
    assert session.redo() == 1
    assert text(session) == after


def test_an_answer_is_a_gesture_of_its_own(path: Path) -> None:
    session = fight(path)
    session.execute(strike(), roll=False)
    session.execute(RollDice(faces=(9,)), roll=False)
    asked = text(session)
    session.execute(AnswerPrompt(choice="none"), roll=False)
    assert session.undo() == 1
    assert text(session) == asked


def test_together_is_all_or_nothing(path: Path) -> None:
    session = fight(path)
    before, stored = text(session), path.read_bytes()
    good = SetValue(token_id="orc", field="hp", value=2)
    bad = SetValue(token_id="nobody", field="hp", value=2)
    with pytest.raises(Rejected):
        session.execute_together([good, bad])
    assert (text(session), path.read_bytes()) == (before, stored)
    session.execute_together([good, good])
    assert session.undo() == 1
    assert text(session) == before


def test_replay_finds_no_difference_and_notices_one(path: Path) -> None:
    session = fight(path)
    session.execute(strike())
    session.execute(AnswerPrompt(choice="dodge"))
    assert session.replay() == ()


def test_observers_get_both_views_once(path: Path) -> None:
    from engine.model.audience import GM

    session = fight(path)
    seen = []
    stop = session.observe(GM, lambda before, after: seen.append((before, after)))
    session.execute(SetValue(token_id="orc", field="hp", value=2))
    stop()
    session.undo()
    assert len(seen) == 1
    before, after = seen[0]
    assert before.tokens["orc"] is not after.tokens["orc"]
    assert before.tokens["hero"] is after.tokens["hero"]


def test_a_door_opens_closes_and_undoes(path: Path) -> None:
    session = fight(path)
    door = Wall(id="d", points=((3, 0), (3, 8)), door=DoorState.CLOSED)
    session.execute(PutWalls(walls=(door,)))
    session.execute(OpenDoor(wall_id="d"))
    with pytest.raises(Rejected, match="already open"):
        session.execute(OpenDoor(wall_id="d"))
    session.execute(CloseDoor(wall_id="d"))
    session.undo(2)
    assert session.encounter.board.walls["d"].door is DoorState.CLOSED


SUSPENSIONS = {
    "defence after the attack roll": ({}, strike(), [RollDice(faces=(9,)), {"choice": "dodge"}]),
    "repulse in mid-path": (
        {"repulses": True},
        MoveToken(token_id="hero", path=tuple(Cell(x, 2) for x in range(2, 10))),
        [RollDice(faces=(10,))],
    ),
    "interrupt before a declared action": (
        {"interrupts": True},
        strike(),
        [{"choice": "interrupt"}, RollDice(faces=(6,)), {"choice": "none"}],
    ),
}

CONTINUE = """
import json, sys
from pathlib import Path
from engine.cli.output import as_json
from engine.rules.registry import register
from engine.session import SNAPSHOT_EVERY, Session
from tests.helpers.toy import TOY
register(TOY)
with Session.open(Path(sys.argv[1]), real_dice=("party", "foes")) as session:
    for data in json.loads(sys.argv[2]):
        session.execute(session.decode(data))
    print(as_json(session.encounter))
"""


def as_command(answer: object) -> RollDice | AnswerPrompt:
    return AnswerPrompt(**answer) if isinstance(answer, dict) else answer  # type: ignore[return-value]  # a command


@pytest.mark.parametrize("name", SUSPENSIONS)
def test_every_suspension_survives_undo_a_restart_and_typed_dice(path: Path, name: str) -> None:
    foe, opening, answers = SUSPENSIONS[name]
    session = fight(path, **foe)
    session.execute(ChangeSettings(real_dice=(PARTY, FOES)))
    start = text(session)
    commands = [as_command(answer) for answer in answers]
    states = [start]
    for command in (opening, *commands):
        session.execute(command)
        states.append(text(session))
    assert session.encounter.prompt is None
    for state in reversed(states[:-1]):
        assert session.undo() == 1
        assert text(session) == state
    session.redo()
    session.close()
    data = json.dumps([json.loads(command.model_dump_json()) for command in commands])
    done = subprocess.run(
        [sys.executable, "-c", CONTINUE, str(path), data],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "77"},
    )
    assert done.stdout.strip() == states[-1]


def test_a_reaction_waits_for_the_next_phase(path: Path) -> None:
    session = fight(path, reacts=True)
    session.execute(strike())
    session.execute(AnswerPrompt(choice="none"))
    react = Act(plan=ReactPlan(token_id="orc"))
    with pytest.raises(Rejected, match="waits"):
        session.execute(react)
    session.execute(EndPhase())
    owed = text(session)
    session.execute(react)
    session.undo()
    assert text(session) == owed
    session.close()
    with Session.open(path, real_dice=(FOES,)) as again:
        again.execute(react)
        again.execute(RollDice(faces=(4,)))
        again.execute(AnswerPrompt(choice="none"))
        assert again.encounter.prompt is None


def test_a_long_fight_is_not_folded_from_its_start_after_a_crash(path: Path) -> None:
    session = fight(path)
    for number in range(SNAPSHOT_EVERY + 10):
        session.execute(SetValue(token_id="orc", field="hp", value=1 + number % 2))
    crashed = path.with_name("copy.battlemat")
    shutil.copy(path, crashed)
    session.close()
    with Session.open(crashed) as again:
        assert again.document.snapshots() == (0, SNAPSHOT_EVERY)
        assert again.document.check() == ()


def test_a_state_never_changes_once_made(path: Path) -> None:
    session = fight(path)
    kept = [(session.encounter, hash(session.encounter), text(session))]
    for command in (strike(), AnswerPrompt(choice="none"), EndPhase()):
        session.execute(command)
        kept.append((session.encounter, hash(session.encounter), text(session)))
    session.undo(3)
    for state, digest, canonical in kept:
        assert hash(state) == digest
        assert as_json(state) == canonical
