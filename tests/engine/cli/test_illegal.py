"""Declarations against the rules of Drase on the command line: listed, refused, overruled."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from engine.model.region import Obscuration, Region
from engine.session import Session
from tests.helpers.drase import encounter, foe, square, token

STEPS: dict[str, dict[str, Any]] = {
    "begin": {"kind": "begin_fight"},
    "next": {"kind": "end_phase"},
}


@pytest.fixture
def file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the file of a fight in which Arn declares."""
    sand = Region(id="sand", rings=square(8, 1, 3, 3), obscuration=Obscuration.TOTAL)
    start = encounter(
        token("Arn", 3, 3), foe("Orc", 2, 3), foe("Sandman", 9, 2), regions=(sand,), size=14
    )
    path = str(tmp_path / "fight.battlemat")
    Session.create(Path(path), start).close()
    do(path, STEPS["begin"], STEPS["next"])
    capsys.readouterr()
    return path


def do(path: str, *commands: dict[str, Any]) -> int:
    return main(["do", path, json.dumps(list(commands))])


def act(action: str, token_id: str = "arn", **fields: Any) -> dict[str, Any]:
    plan = {"kind": "drase_action", "token_id": token_id, "action": action, **fields}
    return {"kind": "act", "plan": plan}


def overruled(command: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "overrule", "command": command}


def offer(path: str, token_id: str, name: str, capsys: pytest.CaptureFixture[str]) -> Any:
    assert main(["offers", path, token_id, name, "--json"]) == 0
    return json.loads(capsys.readouterr().out)[0]


def refused_then_overruled(
    path: str, command: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Check that a command is refused with a sentence, and that an overruling is recorded."""
    assert do(path, command) == 1
    assert words in capsys.readouterr().err
    assert do(path, overruled(command)) == 0
    capsys.readouterr()
    with Session.open(Path(path)) as session:
        log = [entry.text for entry in session.encounter.log]
        assert any(text.startswith("Overruled by the GM: ") and words in text for text in log)
        assert session.history()[-1].label.startswith("Overrule: ")
        assert session.replay() == ()


def test_a_third_half_action(file: str, capsys: pytest.CaptureFixture[str]):
    do(file, act("draw"), act("draw"))
    capsys.readouterr()
    listed = offer(file, "arn", "draw", capsys)
    assert not listed["enabled"]
    assert "no half action left" in listed["reason"]
    refused_then_overruled(file, act("draw"), "no half action left", capsys)


def test_a_second_reaction(file: str, capsys: pytest.CaptureFixture[str]):
    walk = {"kind": "move_token", "token_id": "orc", "path": [[2, 9]]}
    do(file, STEPS["next"], walk, STEPS["next"], STEPS["next"])
    capsys.readouterr()
    react = act("opportunity_attack", target_id="orc")
    assert do(file, react) == 0
    capsys.readouterr()
    listed = offer(file, "arn", "opportunity_attack", capsys)
    assert "has used its reaction" in listed["reason"]
    refused_then_overruled(file, react, "has used its reaction", capsys)


def test_a_free_action_out_of_turn(file: str, capsys: pytest.CaptureFixture[str]):
    assert "never out of turn" in offer(file, "orc", "drop_prone", capsys)["reason"]
    refused_then_overruled(file, act("drop_prone", "orc"), "never out of turn", capsys)


def test_an_attack_on_somebody_totally_obscured(file: str, capsys: pytest.CaptureFixture[str]):
    targets = {
        each["target_id"]: each for each in offer(file, "arn", "attack:Bow", capsys)["targets"]
    }
    assert targets["orc"]["enabled"]
    sandman = targets["sandman"]
    assert not sandman["enabled"]
    assert sandman["refusal"]["code"] == "totally_obscured"
    assert sandman["refusal"]["token_id"] == "sandman"
    assert main(["offers", file, "arn", "attack:Bow"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[-1].split()[0] == "x"
    assert "totally obscured" in shown[-1]
    shot = act("attack", target_id="sandman", attack="Bow")
    refused_then_overruled(file, shot, "totally obscured", capsys)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"target_id": "nobody"}, "There is no token and no wall 'nobody'."),
        ({}, "Attack: whom?"),
        ({"target_id": "orc", "path": [[99, 0]]}, "lies outside the board."),
        ({"token_id": "nobody", "target_id": "orc"}, "There is no token 'nobody'."),
    ],
)
def test_a_forecast_of_what_cannot_be_is_refused_as_do_refuses_it(
    file: str, fields: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = act("attack", **{"attack": "Sword", **fields})
    assert main(["forecast", file, json.dumps(command["plan"])]) == 1
    told = capsys.readouterr()
    assert (told.out, words in told.err) == ("", True)
    assert do(file, command) == 1
    assert capsys.readouterr().err == told.err


def test_a_forecast_against_the_rules_shows_its_numbers_and_is_refused(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = act("attack", attack="Sword", target_id="sandman")["plan"]
    assert main(["forecast", file, json.dumps(plan)]) == 1
    told = capsys.readouterr()
    assert "chance:" in told.out
    assert told.err.strip() in told.out
    assert main(["forecast", file, json.dumps({**plan, "target_id": "orc"})]) == 0


def test_a_reaction_that_has_its_target_lists_no_others(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["offers", file, "arn", "opportunity_attack", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["enabled"], found["targets"]) == (False, [])
    do(file, {"kind": "act", "plan": {"kind": "move", "token_id": "arn", "path": [[3, 7]]}})
    do(file, STEPS["next"], STEPS["next"])
    capsys.readouterr()
    assert main(["offers", file, "orc", "--targets", "--json"]) == 0
    offers = json.loads(capsys.readouterr().out)
    aimed = [each for each in offers if each["id"].startswith("opportunity_attack:")]
    assert [each["targets"] for each in aimed] == [[]]
