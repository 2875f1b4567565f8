"""The headless command line as a person at a terminal meets it."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli.main import main
from engine.rules.registry import register
from tests.helpers.toy import TOY

ROOT = Path(__file__).resolve().parents[3]
KEEP = ROOT / "assets" / "maps" / "keep_20x20.dd2vtt"
ADD = {
    "kind": "add_tokens",
    "preset": "fighter",
    "tokens": [
        {"id": "ann", "name": "Ann", "side": "party", "cell": [3, 3]},
        {"id": "orc", "name": "Orc", "side": "foes", "cell": [4, 3]},
    ],
}
STRIKE = {"kind": "act", "plan": {"kind": "toy_strike", "token_id": "ann", "target_id": "orc"}}


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATTLEMAT_DEBUG", "1")
    register(TOY)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "fight.battlemat"


@pytest.fixture
def made(file: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["new", str(file), "--ruleset", "toy", "--size", "12x9"]) == 0
    assert main(["do", str(file), json.dumps([ADD, {"kind": "begin_fight"}])]) == 0
    capsys.readouterr()
    return file


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_an_import_reports_what_came_in(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(KEEP), str(file), "--ruleset", "toy"]) == 0
    assert "3 doors" in lines(capsys)[0]
    assert main(["check", str(file)]) == 0


def test_do_prints_every_event_as_a_json_line(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["do", str(made), json.dumps(STRIKE)]) == 0
    events = [json.loads(line) for line in lines(capsys)]
    assert [each["event"]["kind"] for each in events[:1]] == ["pending_changed"]
    assert len({each["record"] for each in events}) == 2


def test_do_keeps_what_succeeded_before_a_refusal(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = {"kind": "set_value", "token_id": "orc", "field": "hp", "value": 3}
    bad = {"kind": "set_value", "token_id": "nobody", "field": "hp", "value": 3}
    assert main(["do", str(made), json.dumps([value, bad, value])]) == 1
    assert capsys.readouterr().err == "There is no token 'nobody'.\n"
    main(["show", str(made), "--audience", "full"])
    assert json.loads(lines(capsys)[0])["tokens"]["orc"]["sheet"]["hp"] == 3


def test_do_atomic_keeps_nothing(made: Path) -> None:
    value = {"kind": "set_value", "token_id": "orc", "field": "hp", "value": 3}
    bad = {"kind": "set_value", "token_id": "nobody", "field": "hp", "value": 3}
    before = hashlib.sha256(made.read_bytes()).digest()
    assert main(["do", str(made), json.dumps([value, bad]), "--atomic"]) == 1
    assert hashlib.sha256(made.read_bytes()).digest() == before


def test_rolls_in_the_list_answer_the_prompts(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = [STRIKE, {"kind": "roll", "faces": [9]}, {"kind": "answer_prompt", "choice": "none"}]
    assert main(["do", str(made), json.dumps(commands)]) == 0
    assert "rolls 14" in capsys.readouterr().out


def test_real_dice_leave_the_prompt_open(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["do", str(made), json.dumps(STRIKE), "--real-dice", "party"]) == 0
    capsys.readouterr()
    main(["show", str(made), "--json"])
    assert json.loads(lines(capsys)[0])["prompt"]["roll"] == "1d10+5"


def test_undo_redo_history_and_replay(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["show", str(made), "--audience", "full"])
    end = lines(capsys)
    assert main(["undo", str(made), "9"]) == 0
    assert main(["undo", str(made)]) == 1
    assert main(["redo", str(made), "9"]) == 0
    capsys.readouterr()
    main(["show", str(made), "--audience", "full"])
    assert lines(capsys) == end
    main(["history", str(made), "--json"])
    assert [each["label"] for each in json.loads(lines(capsys)[0])["records"]] == [
        "Add Ann, Orc",
        "Begin the fight",
    ]
    assert main(["replay", str(made), "--verify"]) == 0
    assert "0 differences" in capsys.readouterr().out


def test_offers_and_forecast(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["offers", str(made), "orc", "--json"]) == 0
    (strike, _) = json.loads(lines(capsys)[0])
    assert not strike["enabled"]
    assert strike["reason"]
    assert main(["forecast", str(made), json.dumps(STRIKE["plan"]), "--json"]) == 0
    assert json.loads(lines(capsys)[0])["rows"][0]["chance"] == "3/5"


def test_offers_list_what_they_could_be_aimed_at(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["offers", str(made), "ann", "strike", "--json"]) == 0
    (strike,) = json.loads(lines(capsys)[0])
    (orc,) = strike["targets"]
    assert orc["target_id"] == "orc"
    assert orc["enabled"]
    assert main(["offers", str(made), "ann", "--targets"]) == 0
    assert lines(capsys)[1].split() == ["orc", "Orc"]
    assert main(["offers", str(made), "ann", "fly"]) == 1
    assert "no offer 'fly'" in capsys.readouterr().err


def test_reach_and_measure(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reach", str(made), "ann", "--budget", "1", "--json"]) == 0
    assert len(json.loads(lines(capsys)[0])["cells"]) == 9
    assert main(["measure", str(made), "A1", "D1", "3,4"]) == 0
    assert lines(capsys)[-1] == "7 cells"
    assert main(["measure", str(made), "A1", "Z99"]) == 1


@pytest.mark.parametrize("what", ["commands", "encounter", "sheet"])
def test_schemas_are_json(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", what, "toy"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_rules_shows_tables_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "toy"]) == 0
    assert "deadly" in capsys.readouterr().out
    assert main(["rules", "toy", "toys"]) == 0
    assert main(["rules", "toy", "nothing"]) == 1
    assert main(["rules", "chess"]) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "nowhere.battlemat"],
        ["do", "{file}", "{not json"],
        ["do", "{file}", "nowhere.json"],
        ["do", "{file}", '{"kind": "fly"}'],
        ["do", "{file}", "[1, null]"],
        ["do", "{file}", '{"kind": "move_token", "token_id": "ann", "path": [[1e999, 0]]}'],
        ["do", "{file}", '{"kind": "move_token", "token_id": "ann", "path": [[400, 0]]}'],
        ["do", "{file}", '{"kind": "set_value", "token_id": "ann", "field": "hp", "value": "x"}'],
        ["do", "{file}", '{"kind": "set_value", "token_id": "ann", "field": "kind", "value": 1}'],
        ["offers", "{file}", "nobody"],
        ["forecast", "{file}", "{}"],
        ["new", "{file}", "--ruleset", "toy"],
        ["new", "{file}2", "--ruleset", "chess"],
        ["new", "{file}2", "--ruleset", "toy", "--size", "0x0"],
        ["import", "nowhere.uvtt", "{file}2", "--ruleset", "toy"],
        ["import", "{file}", "{file}"],
    ],
)
def test_every_fault_is_one_sentence_and_loses_nothing(
    made: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = hashlib.sha256(made.read_bytes()).digest()
    assert main([each.replace("{file}", str(made)) for each in arguments]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.strip().splitlines()) == 1
    assert "Traceback" not in told.err
    assert hashlib.sha256(made.read_bytes()).digest() == before
    assert sorted(path.name for path in made.parent.iterdir() if path != made) in (
        [],
        [f"{made.name}.lock"],
    )


@pytest.mark.parametrize("arguments", [[], ["fly"], ["new", "x"], ["new", "x", "--size", "wide"]])
def test_wrong_usage_is_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert "usage" in capsys.readouterr().err


def test_a_refusal_is_an_object_with_json(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["offers", str(made), "nobody", "--json"]) == 1
    assert json.loads(capsys.readouterr().err)["code"] == "unknown_token"


def test_the_canonical_encounter_is_the_same_in_every_process(made: Path) -> None:
    script = (
        "import sys; from engine.rules.registry import register; "
        "from tests.helpers.toy import TOY; register(TOY); "
        "from engine.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    shown = {
        subprocess.run(
            [sys.executable, "-c", script, "show", str(made), "--audience", "full"],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(shown) == 1


def test_cover_and_area(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wall = {"kind": "put_walls", "walls": [{"id": "w", "points": [[4, 0], [4, 9]]}]}
    main(["do", str(made), json.dumps(wall)])
    capsys.readouterr()
    assert main(["cover", str(made), "ann", "orc", "--json"]) == 0
    found = json.loads(lines(capsys)[0])
    assert (found["hidden"], found["evidence"]["walls"]) == ("1", ["w"])
    circle = json.dumps({"shape": "circle", "origin": [3.5, 3.5], "size": 1})
    assert main(["area", str(made), circle, "--json"]) == 0
    assert len(json.loads(lines(capsys)[0])["cells"]) == 5
    assert main(["area", str(made), circle, "--json", "--blocked"]) == 0
    assert json.loads(lines(capsys)[0])["tokens"] == ["ann"]
    assert main(["area", str(made), '{"shape": "egg"}']) == 1


def test_sight_tells_how_much_is_seen_past_what(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wall = {"id": "w", "points": [[4, 3.5], [4, 9]]}
    main(["do", str(made), json.dumps({"kind": "put_walls", "walls": [wall]})])
    lines(capsys)
    assert main(["sight", str(made), "ann", "orc", "--json"]) == 0
    found = json.loads(lines(capsys)[0])
    assert (found["visible"], found["light"], found["seen"]) == ("1/2", "bright", True)
    assert found["evidence"]["walls"] == ["w"]
    assert main(["sight", str(made), "D8", "E8"]) == 0
    assert lines(capsys)[:2] == [
        "Walls leave 0.0 % (0) of E8 in the line of sight of D8.",
        "D8 does not see E8: walls hide all of it.",
    ]
    assert main(["sight", str(made), "ann", "nobody"]) == 1
    assert "no token 'nobody'" in capsys.readouterr().err


def test_the_players_are_shown_what_they_know(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wall = {"id": "w", "points": [[4, 0], [4, 9]]}
    main(["do", str(made), json.dumps({"kind": "put_walls", "walls": [wall]})])
    lines(capsys)
    assert main(["show", str(made), "--audience", "players"]) == 0
    shown = capsys.readouterr().out
    assert "Ann" in shown
    assert "Orc" not in shown
    assert main(["show", str(made), "--audience", "players", "--json"]) == 0
    assert "orc" not in capsys.readouterr().out.lower()
