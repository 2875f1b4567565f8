"""What the session lets through and what it refuses, whatever the commands and rulesets do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.cli.output import as_json
from engine.commands.board import FitGrid, ImportMap, PutNotes
from engine.commands.combat import Act, AnswerPrompt, Overrule, OverruleResult, RollDice
from engine.commands.tokens import AddTokens, EditTokens, PlaceToken, SetValue
from engine.commands.turn import BeginFight, ChangeSettings
from engine.events.event import Record
from engine.events.tokens import TokenMoved
from engine.model.board import Board, GridSpec, Picture
from engine.model.light import Light
from engine.model.refusal import FileProblem, Rejected
from engine.model.region import Note, Region
from engine.model.space import Cell, GridKind
from engine.model.token import FOES, PARTY
from engine.model.value import FrozenMap
from engine.model.wall import Wall
from engine.rules.ruleset import Advance, MovePlan, Plan
from engine.session import Session
from tests.helpers.encounters import HERO, ORC, a_piece, a_session, an_encounter
from tests.helpers.toy import StrikePlan, ToyRuleset, ToySheet

STRIKE = Act(plan=StrikePlan(token_id=HERO, target_id=ORC))
GRID = GridSpec(columns=12, rows=8)
LAMP = Light(id="l", position=(1, 1), bright=2, dim=4)
UNSOUND = {
    "a wall under another id": {"walls": {"v": Wall(id="w", points=((0, 0), (1, 1)))}},
    "a carrier who is not there": {"lights": {"l": LAMP.changed(carrier="nobody")}},
    "a light dim before bright": {"lights": {"l": LAMP.changed(dim=1.0)}},
    "a region of two corners": {"regions": {"r": Region(id="r", rings=(((0, 0), (1, 1)),))}},
}


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with a_session(tmp_path) as session:
        session.execute(BeginFight())
        yield session


def refused(session: Session, command: Any, match: str) -> None:
    before, stored = session.encounter, session.document.path.read_bytes()
    with pytest.raises(Rejected, match=match):
        session.execute(command)
    assert session.encounter is before
    assert session.document.path.read_bytes() == stored


@pytest.mark.parametrize("name", UNSOUND)
def test_no_map_breaks_an_invariant(session: Session, name: str) -> None:
    tables = {key: FrozenMap(table) for key, table in UNSOUND[name].items()}
    refused(session, ImportMap(board=Board(grid=GRID, **tables)), "That cannot be done")


def test_no_ruleset_breaks_an_invariant(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def astray(*_: Any) -> Advance:
        far = TokenMoved(token_id=HERO, path=(Cell(2, 2), Cell(99, 2)), facing=0, elevation=0)
        return Advance(events=(far,))

    monkeypatch.setattr(ToyRuleset, "start", astray)
    walk = Act(plan=MovePlan(token_id=HERO, path=(Cell(3, 3),)))
    refused(session, walk, "token hero: It stands outside the board")
    refused(session, Overrule(command=walk), "token hero: It stands outside the board")


def test_a_value_out_of_bounds_is_a_refusal(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sky(_: ToyRuleset, __: Any, plan: Plan, ___: Any) -> Advance:
        high = TokenMoved(token_id=plan.token_id, path=(Cell(2, 2),), facing=0, elevation=1e300)
        return Advance(events=(high,))

    monkeypatch.setattr(ToyRuleset, "start", sky)
    refused(session, STRIKE, "act: elevation: Input should be less than")


def test_what_was_broken_before_stops_nobody(tmp_path: Path) -> None:
    lost = a_piece("lost", (99, 99))
    with a_session(tmp_path, an_encounter(tokens=[lost, a_piece(HERO, (1, 1))])) as session:
        session.execute(PlaceToken(token_id=HERO, cell=Cell(2, 2)))
        session.execute(PlaceToken(token_id="lost", cell=Cell(3, 3)))


def test_a_picture_that_the_file_lacks_is_not_shown(session: Session) -> None:
    gone = Picture(sha256="a" * 64, width_px=9, height_px=9, to_world=(1, 0, 0, 0, 1, 0))
    refused(session, FitGrid(grid=GRID, picture=gone), "There is no picture aaaaaaaaaaaa")
    refused(session, EditTokens(token_ids=(HERO,), changes={"portrait": "b" * 64}), "no picture")


def test_no_ruling_brings_a_grid_that_the_rules_lack(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ToyRuleset, "grids", frozenset({GridKind.HEX_FLAT}))
    command = FitGrid(grid=GRID.changed(columns=13))
    refused(session, Overrule(command=command), "not played on a square grid")


def test_what_cannot_be_written_down_is_refused(session: Session) -> None:
    deep: list[Any] = []
    for _ in range(300):
        deep = [deep]
    for value in ("\ud800", deep):
        refused(session, SetValue(token_id=HERO, field="hp", value=value), "written down")


def test_an_open_roll_is_not_rolled_by_the_way(session: Session) -> None:
    session.execute(STRIKE, roll=False)
    asked = session.encounter.prompt
    note = PutNotes(notes=(Note(id="n", position=(1, 1), text="later"),))
    assert len(session.execute(note)) == 1
    assert len(session.execute_together([note, note])) == 2
    assert session.encounter.prompt is asked
    session.execute(RollDice())
    assert session.encounter.prompt is not asked


def test_together_the_next_command_may_answer_the_roll(session: Session) -> None:
    answers = [RollDice(faces=(9,)), AnswerPrompt(choice="none")]
    made = session.execute_together([STRIKE, *answers])
    assert [record.dice for record in made] == [(), (9,), ()]
    assert session.undo() == 1
    ruled = session.execute_together([STRIKE, OverruleResult(outcome=20), answers[1]])
    assert len(ruled) == 3
    assert session.encounter.tokens[ORC].sheet == ToySheet(hp=6)


def test_dice_are_drawn_for_an_overruled_roll_too(session: Session) -> None:
    session.execute(ChangeSettings(real_dice=(PARTY, FOES)))
    session.execute(STRIKE)
    (record,) = session.execute(Overrule(command=RollDice()))
    assert len(record.dice) == 1


def test_a_document_whose_first_command_fails_is_not_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "new.battlemat"
    twice = AddTokens(tokens=(a_piece("new", (1, 1)),))
    with pytest.raises(Rejected):
        Session.create(path, an_encounter(), first=(twice, twice))
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_no_half_a_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise FileProblem("The disk is full.")

    monkeypatch.setattr("engine.storage.opening.put_images", full)
    first = AddTokens(tokens=(a_piece("new", (1, 1)),))
    with pytest.raises(FileProblem):
        Session.create(tmp_path / "new.battlemat", an_encounter(), first=(first,))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["", "{", "null", '{"kind": "fly"}', "[" * 5000])
def test_replay_tells_of_a_command_that_nobody_can_read(session: Session, command: str) -> None:
    number = session.document.next_id()
    strange = Record(
        id=number,
        parent=session.head,
        group=number,
        label="?",
        at="2025-01-31T20:15:07Z",
        command=command,
        events=(),
    )
    session.document.append(strange)
    session.close()
    with Session.open(session.document.path) as again:
        (difference,) = again.replay()
        assert difference.record_id == number
        assert "refused" in difference.sentence


def test_thousands_of_steps_are_undone_and_redone_to_the_byte(tmp_path: Path) -> None:
    with a_session(tmp_path) as session:
        start = as_json(session.encounter)
        session.execute_together(
            PlaceToken(token_id=ORC, cell=Cell(n % 12, n // 12 % 8)) for n in range(1500)
        )
        for n in range(300):
            session.execute(PlaceToken(token_id=HERO, cell=Cell(n % 12, 0)))
        end, head = as_json(session.encounter), session.head
        assert session.undo(5000) == 301
        assert as_json(session.encounter) == start
        assert session.redo(5000) == 301
        assert (session.head, as_json(session.encounter)) == (head, end)
        session.jump(700)
        middle = as_json(session.encounter)
        session.jump(head)
    with Session.open(session.document.path) as again:
        assert as_json(again.encounter) == end
        again.jump(700)
        assert as_json(again.encounter) == middle
