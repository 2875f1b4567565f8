"""What holds for every test: no display, no settings of the person's own, repeatable examples.

Runs with and without PySide6; without it the tests of the windows are not collected.
"""

import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

HAS_QT = importlib.util.find_spec("PySide6") is not None

if not HAS_QT:
    collect_ignore = ["gui", "test_qt_pin.py"]

# Set here and not in a fixture: Qt reads these when it is loaded, and plugins load it early.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
PRIVATE = Path(tempfile.mkdtemp(prefix="battlemat-tests-"))
for variable in ("CONFIG", "DATA", "CACHE", "STATE"):
    os.environ[f"XDG_{variable}_HOME"] = str(PRIVATE / variable.lower())
os.environ["XDG_RUNTIME_DIR"] = str(PRIVATE)  # mode 0700, or Qt warns and the warning fails a test

settings.register_profile("battlemat", deadline=None, max_examples=50)
settings.register_profile(
    "ci", settings.get_profile("battlemat"), derandomize=True, database=None, print_blob=True
)
settings.load_profile("ci" if os.environ.get("CI") else "battlemat")


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Let pytest-qt's setting stand in pyproject.toml where pytest-qt is not at work."""
    if not pluginmanager.has_plugin("pytest-qt"):
        parser.addini("qt_log_level_fail", "The setting of pytest-qt, which is not at work here.")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the tests that need an X server to runs that have one."""
    if os.environ["QT_QPA_PLATFORM"] == "xcb":
        return
    for item in items:
        if item.get_closest_marker("xvfb"):
            item.add_marker(
                pytest.mark.skip(reason="needs an X server: QT_QPA_PLATFORM is not xcb")
            )


def pytest_unconfigure() -> None:
    """Remove the private settings directory."""
    shutil.rmtree(PRIVATE, ignore_errors=True)
