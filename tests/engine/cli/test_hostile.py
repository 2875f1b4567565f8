"""Odd terminals, odd files and odd input: one line on stderr, never a traceback, nothing lost."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from engine.cli.output import one_line
from engine.model.refusal import FileProblem
from engine.rules.registry import register
from tests.helpers.toy import TOY

ROOT = Path(__file__).resolve().parents[3]
KEEP = ROOT / "assets" / "maps" / "keep_20x20.dd2vtt"
RUN = (
    "import sys; from engine.rules.registry import register; "
    "from tests.helpers.toy import TOY; register(TOY); "
    "from engine.cli.main import main; sys.exit(main(sys.argv[1:]))"
)
FOG = '{"kind": "switch_fog", "enabled": false}'
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")


@pytest.fixture(autouse=True)
def _toy() -> None:
    register(TOY)


@pytest.fixture
def file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "fight.battlemat"
    assert main(["new", str(path), "--ruleset", "toy", "--title", "Bärenhöhle ✦"]) == 0
    tokens = [{"id": each, "name": each.capitalize(), "cell": [4, 4]} for each in ("elf", "orc")]
    add = {"kind": "add_tokens", "preset": "fighter", "tokens": tokens}
    assert main(["do", str(path), json.dumps(add)]) == 0
    capsys.readouterr()
    return path


def run(*arguments: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    command = [sys.executable, "-c", RUN, *map(os.fspath, map(str, arguments))]
    return subprocess.run(command, cwd=ROOT, timeout=60, check=False, **options)


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return the one line on stderr of a command that is refused."""
    assert main([str(each) for each in arguments]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    (line,) = told.err.splitlines()
    assert "fault" not in line
    return line


DEEP = '{"kind": "overrule", "command": ' * 400 + FOG + "}" * 400
INPUT = {
    "half a character": ('{"kind": "set_value", "field": "\\ud800"}', "half a character"),
    "overruled 400 times": (DEEP, "nested too deeply"),
    "a value nested 500 deep": (
        '{"kind": "set_value", "token_id": "orc", "field": "hp", "value": %s}'
        % ("[" * 500 + "]" * 500),
        "cannot be written down",
    ),
    "a light-year up": (
        '{"kind": "move_token", "token_id": "orc", "elevation": 1e308}',
        "less than or equal to",
    ),
    "a cell beyond all boards": (
        '{"kind": "place_token", "token_id": "orc", "cell": [99999999999, 0]}',
        "less than or equal to",
    ),
    "a colour that is none": (
        '{"kind": "fit_grid", "grid": {"columns": 9, "rows": 9}, "background": "url(x)"}',
        "background",
    ),
    "the same wall twice": (
        '{"kind": "put_walls", "walls": [{"id": "w", "points": [[0, 0], [1, 1]]},'
        ' {"id": "w", "points": [[0, 0], [2, 1]]}]}',
        "listed twice",
    ),
    "a map with a region of two corners": (
        '{"kind": "import_map", "board": {"grid": {"columns": 9, "rows": 9},'
        ' "regions": {"r": {"id": "r", "rings": [[[0, 0], [1, 1]]]}}}}',
        "less than three corners",
    ),
    "a facing of hexes": ('{"kind": "move_token", "token_id": "orc", "facing": 11}', "only 0 to 7"),
}


@pytest.mark.parametrize("name", INPUT)
def test_odd_input_is_refused_in_one_line(
    file: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text, part = INPUT[name]
    before = file.read_bytes()
    assert part in refused(capsys, "do", file, text)
    assert file.read_bytes() == before


def test_a_command_that_is_none_is_refused_when_its_turn_comes(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["do", str(file), f'[{FOG}, {{"kind": "fly"}}]']) == 1
    assert "'fly' is no command" in capsys.readouterr().err
    main(["history", str(file)])
    assert "Fog off" in capsys.readouterr().out


def test_atomic_takes_the_rolls_of_the_list(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commands = [
        {"kind": "edit_tokens", "token_ids": ["elf"], "changes": {"side": "party"}},
        {"kind": "begin_fight"},
        {"kind": "act", "plan": {"kind": "toy_strike", "token_id": "elf", "target_id": "orc"}},
        {"kind": "roll", "faces": [9]},
    ]
    assert main(["do", str(file), json.dumps(commands), "--atomic"]) == 0
    assert "rolls 14" in capsys.readouterr().out
    main(["undo", str(file)])
    assert "now at record 1." in capsys.readouterr().out


def test_an_endless_list_of_commands_is_not_read_to_its_end(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.cli.play.MAX_STRUCTURE_BYTES", 1000)
    endless = file.parent / "endless.json"
    endless.write_bytes(b" " * 2000)
    assert "more than" in refused(capsys, "do", file, endless)


@posix
def test_links_in_a_circle_folders_and_pipes_are_no_documents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loop, pipe = tmp_path / "loop", tmp_path / "pipe"
    loop.symlink_to(loop)
    os.mkfifo(pipe)
    assert "circle" in refused(capsys, "show", loop)
    assert "no ordinary file" in refused(capsys, "show", pipe)
    assert "is a folder" in refused(capsys, "show", tmp_path)
    for place in ("/", "..", tmp_path):
        assert "is a folder" in refused(capsys, "new", place, "--ruleset", "toy")
    refused(capsys, "new", loop / "x", "--ruleset", "toy")
    refused(capsys, "new", tmp_path / ("x" * 300), "--ruleset", "toy")
    assert "Not a directory" in refused(capsys, "new", f"{KEEP}/x", "--ruleset", "toy")


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems have Unicode names only")
def test_a_file_may_have_a_name_that_is_no_unicode(tmp_path: Path) -> None:
    path = os.fsdecode(bytes(tmp_path / "b") + b"\xff.battlemat")
    assert main(["new", path, "--ruleset", "toy"]) == 0
    assert main(["check", path]) == 0


def test_arguments_that_are_no_unicode_are_refused(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stray = os.fsdecode(b"\xff")
    for arguments in (["area", file, stray], ["offers", file, stray], ["do", file, "{" + stray]):
        refused(capsys, *arguments)


def test_the_output_is_utf8_whatever_the_locale(file: Path) -> None:
    shown = [
        run("show", file, "--audience", "full", env={**os.environ, "PYTHONIOENCODING": encoding})
        for encoding in ("ascii", "latin-1", "utf-8")
    ]
    assert {each.returncode for each in shown} == {0}
    assert len({each.stdout for each in shown}) == 1
    assert "Bärenhöhle ✦" in shown[0].stdout.decode("utf-8")


@posix
def test_a_closed_output_does_not_undo_what_is_done(file: Path) -> None:
    closed = run("do", file, FOG, stdout=None, preexec_fn=lambda: os.close(1))
    assert (closed.returncode, closed.stderr) == (0, b"")
    assert b"Fog off" in run("history", file).stdout


@posix
def test_closed_input_is_told(file: Path) -> None:
    closed = run("do", file, "-", preexec_fn=lambda: os.close(0))
    assert (closed.returncode, closed.stderr) == (1, b"Standard input is closed.\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_finds_no_room_is_told(file: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run("show", file, stdout=full)
    assert done.returncode == 1
    assert done.stderr == b"That did not work: No space left on device.\n"


@posix
def test_a_reader_that_goes_away_hears_nothing_more(file: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run("show", file, stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_an_interruption_is_no_traceback(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("engine.cli.document.show", interrupt)
    assert "Stopped" in refused(capsys, "show", file)


def test_names_do_not_steer_the_terminal(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "\x1b[2J\x9b31m\u202e\nOrc"
    changes = {"kind": "edit_tokens", "token_ids": ["orc"], "changes": {"name": name}}
    main(["do", str(file), json.dumps(changes)])
    capsys.readouterr()
    main(["show", str(file)])
    main(["history", str(file)])
    out = capsys.readouterr().out
    assert not set(name) - set("Orc[2J31m\n") & set(out)
    assert len(out.splitlines()) == 5


def test_one_line_leaves_words_alone() -> None:
    assert one_line("Bärenhöhle ✦ 龍\tund\r\nmehr") == "Bärenhöhle ✦ 龍 und  mehr"


def test_an_import_that_finds_no_room_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise FileProblem("The disk is full.")

    monkeypatch.setattr("engine.storage.opening.put_images", full)
    refused(capsys, "import", KEEP, tmp_path / "keep.battlemat", "--ruleset", "toy")
    assert list(tmp_path.iterdir()) == []


def test_an_import_does_not_change_the_rules(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "is played by toy" in refused(capsys, "import", KEEP, file, "--ruleset", "drase")


def test_what_the_engine_logs_is_told_in_a_line(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def blind(*_: object) -> None:
        raise RuntimeError("nothing to be seen")

    monkeypatch.setattr("engine.commands.registry.discover", blind)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    walk = {"kind": "move_token", "token_id": "orc", "path": [[5, 5]]}
    assert main(["do", str(file), json.dumps(walk)]) == 0
    told = sys.stderr.getvalue()
    assert len(told.splitlines()) == 1
    assert "Traceback" not in told
