"""What the command line says: what there is, what is open, and where to go on from a refusal."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from engine.commands.board import PutLights
from engine.commands.tokens import AddTokens
from engine.commands.turn import BeginFight, ChangeSettings, EndPhase
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.light import Light
from engine.model.wall import DoorState, Wall
from engine.rules.drase.options import DraseOptions
from engine.session import Session
from tests.helpers.drase import encounter, foe, token
from tests.helpers.maps import picture, saved, uvtt


def said(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> str:
    """Return what a command says, on stdout if it is done, else on stderr."""
    capsys.readouterr()
    assert main([str(each) for each in arguments]) == code
    told = capsys.readouterr()
    return told.out if code == 0 else told.err


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a fight in which Arn declares, with a door and a lamp."""
    door = Wall(id="door-1", points=((4, 0), (4, 1)), door=DoorState.CLOSED)
    wall = Wall(id="w", points=((4, 1), (4, 9)))
    start = encounter(token("Arn", 2, 2), foe("Orc", 3, 2), walls=[door, wall], size=10)
    path = tmp_path / "fight.battlemat"
    lamp = Light(id="lamp", position=(2.5, 2.5), bright=4, dim=8)
    with Session.create(path, start, first=[PutLights(lights=(lamp,))]) as session:
        for command in (BeginFight(), EndPhase(), ChangeSettings(real_dice=("party",))):
            session.execute(command)
    return path


def attack(path: Path) -> dict[str, Any]:
    plan = {"kind": "drase_action", "token_id": "arn", "action": "attack", "target_id": "orc"}
    return {"kind": "act", "plan": {**plan, "attack": "Sword"}}


def test_show_lists_budgets_doors_walls_and_lights(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = said(capsys, "show", file).splitlines()
    assert shown[1:3] == [
        "Round 1: Players declare",
        "  Moves, actions and one reaction each; what is unused is lost.",
    ]
    text = "\n".join(shown)
    for part in (
        "  arn: Arn (party) at C3, Hit points 20/20, 2 half actions, reaction, 6 tiles",
        "1 wall",
        "  door-1: closed door at E1",
        "  lamp: light at C3, bright 4, dim 8",
    ):
        assert part in text


def test_show_tells_what_is_declared_and_which_dice_are_open(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "do", file, json.dumps(attack(file)))
    assert "Declared:\n  Arn: Attack: Orc (Sword)\n" in said(capsys, "show", file)
    next_phase = {"kind": "end_phase"}
    said(capsys, "do", file, json.dumps([next_phase, next_phase]))
    assert "AC 12 [1d20+5]" in said(capsys, "show", file)


@pytest.mark.parametrize("name", ["Swordfighter", "swordfighter", "THREAT 0.5"])
def test_a_preset_is_found_whatever_its_case(name: str, tmp_path: Path) -> None:
    empty = Encounter(
        ruleset="drase", board=Board(grid=GridSpec(columns=5, rows=5)), options=DraseOptions()
    )
    bare = foe("Orc", 1, 1).changed(sheet=None)
    first = [AddTokens(tokens=(bare,), preset=name)]
    with Session.create(tmp_path / "a.battlemat", empty, first=first) as session:
        assert session.encounter.token("orc").sheet is not None


def test_a_plan_that_is_given_as_a_command_is_told_of_act(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = '{"kind": "drase_travel", "token_id": "arn"}'
    assert '{"kind": "act", "plan"' in said(capsys, "do", file, plan, code=1)


def test_the_schema_keeps_commands_and_plans_apart(capsys: pytest.CaptureFixture[str]) -> None:
    shapes = json.loads(said(capsys, "schema", "commands"))
    assert "act" in shapes["commands"]
    assert "drase_action" in shapes["plans"]
    assert not shapes["commands"].keys() & shapes["plans"].keys()


def test_an_unknown_kind_names_those_that_there_are(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    orc = {"id": "", "name": "Orc", "cell": [0, 0], "sheet": {"kind": "drase"}}
    command = json.dumps({"kind": "add_tokens", "tokens": [orc]})
    assert "there are drase_sheet" in said(capsys, "do", file, command, code=1)


def test_a_picture_without_a_grid_is_told_of_its_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, picture(95, 60), "cave.png")
    words = said(capsys, "import", path, tmp_path / "a.battlemat", "--ruleset", "drase", code=1)
    assert "--cell PX or --size 30x20" in words


def test_what_the_report_offers_can_be_typed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dense = [[{"x": n / 20, "y": 1 + (n % 2) / 1000} for n in range(60)]]
    path = saved(tmp_path, uvtt(line_of_sight=dense))
    words = said(capsys, "import", path, tmp_path / "a.battlemat", "--ruleset", "drase")
    assert "--set simplify=0.02" in words


def test_a_size_that_cannot_be_is_told_its_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    size = ("--ruleset", "drase", "--size", "5000x5000")
    assert "1 to 2000 each way" in said(capsys, "new", tmp_path / "a", *size, code=1)


def test_a_command_that_is_no_file_is_told_what_else_may_stand_there(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = said(capsys, "do", file, "hello", code=1)
    assert words.startswith("There is no file hello; write")
