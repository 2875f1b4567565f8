"""The console script: what opens the app, what goes to the commands, and what loads Qt."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gui import entry

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("arguments", "opens"),
    [
        ([], True),
        (["keep.battlemat"], True),
        (["KEEP.DD2VTT"], True),
        (["map.webp"], True),
        (["./show"], True),
        (["show"], False),
        (["--help"], False),
        (["show", "keep.battlemat"], False),
        (["nonsense"], False),
    ],
)
def test_none_or_a_single_file_opens_the_app(arguments: list[str], opens: bool):
    assert entry.names_the_app(arguments) is opens


@pytest.mark.parametrize(
    ("platform", "environment", "shown"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"QT_QPA_PLATFORM": "offscreen"}, True),
        ("win32", {}, True),
        ("darwin", {}, True),
    ],
)
def test_a_display_is_known_by_the_environment(
    platform: str, environment: dict[str, str], shown: bool
):
    assert entry.has_display(platform, environment) is shown


def test_without_a_display_the_app_says_so_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(entry, "has_display", lambda *_: False)
    assert entry.main([]) == 1
    assert capsys.readouterr().err.startswith("There is no display here")


def test_a_file_is_handed_to_the_app(monkeypatch: pytest.MonkeyPatch):
    opened = []

    class App:
        @staticmethod
        def run(file: Path | None) -> int:
            opened.append(file)
            return 3

    monkeypatch.setattr(entry, "import_module", lambda _: App)
    assert entry.main(["keep.battlemat"]) == 3
    assert opened == [Path("keep.battlemat")]


def test_help_lists_the_commands_that_need_qt_beside_the_others(
    capsys: pytest.CaptureFixture[str],
):
    assert entry.main(["--help"]) == 0
    told = capsys.readouterr().out
    assert all(f"    {name}" in told for name in ("render", "demo", "show", "import"))


def test_wrong_usage_is_two(capsys: pytest.CaptureFixture[str]):
    assert entry.main(["render"]) == 2
    assert "usage" in capsys.readouterr().err


def test_a_file_that_cannot_be_rendered_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    missing = tmp_path / "none.battlemat"
    assert entry.main(["render", str(missing), "--out", str(tmp_path / "x.png")]) == 1
    told = capsys.readouterr().err.strip()
    assert told.count("\n") == 0
    assert told.endswith(".")


def test_headless_commands_load_no_qt():
    script = (
        "import sys; from gui.entry import main; main(['--help']); main(['rules', 'none']); "
        "print([name for name in sys.modules if name.startswith('PySide6')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip().splitlines()[-1] == "[]"


def test_a_process_is_set_up_before_anything_heavy_is_imported():
    script = (
        "import os, sys; from gui import entry; heavy = {'numpy', 'pydantic', 'PySide6'};"
        "entry.main = lambda: print(os.environ['OPENBLAS_NUM_THREADS'], heavy & {*sys.modules});"
        "entry.run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "3"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["3", "set()"], done.stderr
