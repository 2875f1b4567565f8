"""What the tracked files must hold, and what they must not."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
LOCK = (ROOT / "packaging" / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# Spelled in halves, or this file would find itself.
REGISTRIES = ["pypi" + ".org", "python" + "hosted", "npm" + "js", "deb." + "debian"]
OUTSIDE = ["/wo" + "rk/", "../sha" + "red", "/ro" + "ot/", "/opt" + "/py"]


def tracked_files() -> list[Path]:
    """List the files that git tracks, or skip where this is no checkout."""
    command = ["git", "ls-files", "-z"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    files = [ROOT / name for name in listing.decode().split("\0") if name]
    return [file for file in files if file.is_file()]


def blocks() -> dict[str, str]:
    """Map each locked requirement to its whole entry, hashes included."""
    text = re.sub(r"^\s*#.*\n", "", LOCK, flags=re.MULTILINE)
    entries = re.split(r"^(?=\S)", text, flags=re.MULTILINE)
    return {entry.split(" \\")[0].strip(): entry for entry in entries if entry.strip()}


@pytest.mark.parametrize("needle", [*REGISTRIES, *OUTSIDE])
def test_no_tracked_file_names_a_registry_or_a_path_outside(needle: str):
    found = [str(file) for file in tracked_files() if needle.encode() in file.read_bytes()]
    assert found == []


def test_every_requirement_of_the_lock_is_pinned_and_hashed():
    assert len(blocks()) > 30
    for requirement, entry in blocks().items():
        assert re.fullmatch(r"[a-z0-9.-]+==\S+( ; .+)?", requirement)
        hashes = re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry)
        assert hashes, requirement


def test_the_lock_sets_no_option_of_pip_but_hashes():
    assert set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", "".join(blocks().values()))) == {"--hash"}


def wanted() -> list[str]:
    return [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]


@pytest.mark.parametrize("text", wanted())
def test_the_lock_satisfies_every_range_of_the_project(text: str):
    requirement = Requirement(text)
    name = requirement.name.lower()
    pins = [
        entry.split(" ;")[0].split("==")[1] for entry in blocks() if entry.startswith(f"{name}==")
    ]
    assert pins
    assert all(Version(pin) in requirement.specifier for pin in pins)


def test_pyside6_is_held_below_the_release_that_crashes():
    assert "PySide6-Essentials>=6.11.3,<6.12" in PROJECT["dependencies"]


def test_continuous_integration_runs_the_readmes_command():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    command = "python3 packaging/start.py test"
    assert command in script.read_text(encoding="utf-8")
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")


def test_packaging_never_becomes_a_package():
    """It would hide the library of that name, which pytest itself imports."""
    assert not (ROOT / "packaging" / "__init__.py").exists()
