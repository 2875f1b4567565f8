"""The pure parts of packaging/start.py."""

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load_start() -> ModuleType:
    """Load the script by its path: `packaging` is a folder of files, not a package."""
    spec = importlib.util.spec_from_file_location("start", ROOT / "packaging" / "start.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["start"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


start = load_start()

LOCK = """\
# a comment
alpha==1.0 \\
    --hash=sha256:aa \\
    --hash=sha256:ab
    # via battlemat
beta==2.0 ; python_full_version < '3.12' \\
    --hash=sha256:ba
beta==3.0 ; python_full_version >= '3.12' \\
    --hash=sha256:bb
    # via
    #   alpha
gamma-delta==4 \\
    --hash=sha256:ca
"""


def environment(folder: Path, stamp: str | None) -> Path:
    """Build what an installed environment looks like from outside."""
    python = Path(start.program(folder, "python"))
    python.parent.mkdir(parents=True)
    python.touch()
    if stamp is not None:
        (folder / "battlemat.stamp").write_text(stamp)
    return folder


def no(_name: str) -> bool:
    return False


def yes(_name: str) -> bool:
    return True


def test_an_environment_with_the_same_stamp_is_current(tmp_path: Path):
    assert start.is_current(environment(tmp_path / "venv", "abc"), "abc")


@pytest.mark.parametrize("stamp", ["abd", "", None])
def test_an_environment_with_another_or_no_stamp_is_not_current(tmp_path: Path, stamp: str | None):
    assert not start.is_current(environment(tmp_path / "venv", stamp), "abc")


def test_an_environment_whose_python_is_gone_is_not_current(tmp_path: Path):
    folder = environment(tmp_path / "venv", "abc")
    Path(start.program(folder, "python")).unlink()
    assert not start.is_current(folder, "abc")


def test_a_damaged_stamp_means_install_again(tmp_path: Path):
    folder = environment(tmp_path / "venv", None)
    (folder / "battlemat.stamp").write_bytes(b"\xff\xfe")
    assert not start.is_current(folder, "abc")


def test_the_stamp_depends_on_each_part_and_on_where_it_ends():
    stamps = {
        start.stamp_of(*parts) for parts in [(b"a", b"b"), (b"b", b"a"), (b"ab", b""), (b"ab",)]
    }
    assert len(stamps) == 4


def test_a_package_pinned_for_two_pythons_has_two_entries():
    assert start.requirement_names(LOCK) == ["alpha", "beta", "beta", "gamma-delta"]


def test_a_package_left_out_takes_its_hashes_with_it():
    rest = start.without(LOCK, frozenset({"beta"}))
    assert start.requirement_names(rest) == ["alpha", "gamma-delta"]
    assert "sha256:b" not in rest
    assert "sha256:ca" in rest


def test_the_real_lock_loses_exactly_qt_for_the_headless_environment():
    lock = (ROOT / "packaging" / "requirements.lock").read_text()
    rest = start.requirement_names(start.without(lock, start.QT_PACKAGES))
    assert set(start.requirement_names(lock)) - set(rest) == start.QT_PACKAGES


def test_a_complete_machine_needs_no_package():
    assert start.missing_packages({"libx.so": "x"}, yes, no) == []


def test_a_package_that_is_installed_is_not_asked_for_again():
    assert start.missing_packages({"libx.so": "x"}, no, yes) == []


def test_a_package_is_missing_once_however_many_things_it_holds():
    wanted = {"liba.so": "x", "libb.so": "x", "c": "y"}
    assert start.missing_packages(wanted, no, no) == ["x", "y"]


def test_somebody_without_rights_is_told_one_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr(start.shutil, "which", lambda _name: "/usr/bin/apt-get")
    with pytest.raises(start.Stop) as stop:
        start.provide_packages(["xvfb", "libgl1"])
    assert str(stop.value).splitlines()[-1].strip() == (
        "sudo apt-get update && sudo apt-get install -y --no-install-recommends xvfb libgl1"
    )


def test_nothing_missing_runs_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(start.subprocess, "run", lambda *_a, **_k: pytest.fail("ran something"))
    start.provide_packages([])


def test_an_old_python_is_told_so_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(start.sys, "version_info", (3, 9, 2))
    assert start.main(["setup"]) == 1
    assert "needs Python 3.11 or newer" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("platform", "variables", "shown"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("win32", {}, True),
        ("darwin", {}, True),
    ],
)
def test_a_display_is_found(platform: str, variables: dict[str, str], shown: bool):
    assert start.has_display(platform, variables) is shown


def test_a_part_that_does_not_exist_is_named_in_a_sentence():
    with pytest.raises(start.Stop, match=r"no 'gui\.nowhere' yet"):
        start.hand_over("Opening nothing", "gui.nowhere")


def test_pytests_last_line_survives_without_ruler_and_colour():
    assert start.plain("\x1b[32m===== 3 passed in 0.1s =====\x1b[0m") == "3 passed in 0.1s"


def test_the_summary_names_the_failure_and_what_was_not_run():
    outcomes = [start.Outcome("a", 0, 1.0, "fine"), start.Outcome("b", 1, 2.0, "2 failed")]
    text = start.summary(outcomes, ["a", "b", "c"])
    assert text.splitlines()[-1] == "Failed: b (3 s)."
    assert [line.split()[0] for line in text.splitlines()[1:-1]] == ["ok", "FAILED", "not"]
    assert "2 failed" in text


def test_a_step_reports_exit_code_and_last_line(capfd: pytest.CaptureFixture[str]):
    step = start.Step("x", [sys.executable, "-c", "print('one\\ntwo\\n'); raise SystemExit(3)"])
    outcome = start.run_step(step)
    assert (outcome.code, outcome.last_line) == (3, "two")
    assert "one" in capfd.readouterr().out


def test_a_step_sets_and_unsets_variables(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DISPLAY", ":7")
    code = "import os; print(os.environ.get('DISPLAY'), os.environ['QT_QPA_PLATFORM'])"
    step = start.Step("x", [sys.executable, "-c", code], start.OFFSCREEN)
    assert start.run_step(step).last_line == "None offscreen"


def test_pip_chatter_becomes_a_count(capsys: pytest.CaptureFixture[str]):
    counter = start.Counter(4)
    for line in (
        "Ignoring colorama: markers 'sys_platform == \"win32\"' don't match",
        "Collecting pytest-cov==7.1.0 (from -r requirements.txt (line 3))",
        "  Downloading numpy.whl",
        "Processing /some/wheels/typing_inspection-0.4.5-py3-none-any.whl (from -r r.txt (line 4))",
        "Requirement already satisfied: pluggy==1.7.0 in lib (from -r requirements.txt (line 5))",
    ):
        counter(line)
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["  [1/3] pytest-cov", "  [2/3] typing-inspection", "  [3/3] pluggy"]


def test_bytecode_is_written_even_where_python_is_told_to_keep_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    for name in ("engine", "gui"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "some.py").write_text("a = 1\n")
    start.compile_project(tmp_path, sys.executable)
    assert len(list(tmp_path.glob("*/__pycache__/some.*.pyc"))) == 2
