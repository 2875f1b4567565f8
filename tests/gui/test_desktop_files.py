"""What a desktop reads of us: the MIME type, recognised by Qt as by any file manager."""

import os
import shutil
import sqlite3
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

from engine.storage.schema import APPLICATION_ID

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import sys
from PySide6.QtCore import QMimeDatabase

print(QMimeDatabase().mimeTypeForFile(sys.argv[1]).name())
"""
OURS = "application/x-battlemat"


def mime_type(file: Path, data_home: Path) -> str:
    """Ask Qt in a process of its own, where nothing but our description is installed."""
    packages = data_home / "mime" / "packages"
    packages.mkdir(parents=True)
    shutil.copy(ROOT / "packaging" / "battlemat.xml", packages)
    where = {**os.environ, "XDG_DATA_HOME": str(data_home), "XDG_DATA_DIRS": str(data_home)}
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(file)],
        env=where,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def database(file: Path, application_id: int) -> Path:
    connection = sqlite3.connect(file)
    connection.executescript(f"pragma application_id = {application_id}; create table t (x);")
    connection.close()
    return file


pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="XDG is Linux's")


@pytest.mark.parametrize(("application_id", "is_ours"), [(APPLICATION_ID, True), (1, False)])
def test_an_encounter_is_told_from_other_databases_by_its_content(
    tmp_path: Path, application_id: int, is_ours: bool
):
    file = database(tmp_path / "nameless", application_id)
    assert (mime_type(file, tmp_path / "data") == OURS) is is_ours


def test_an_encounter_is_told_by_its_name_before_it_exists(tmp_path: Path):
    assert mime_type(tmp_path / "keep.battlemat", tmp_path / "data") == OURS


def test_the_desktop_entry_opens_exactly_our_type():
    entry = ConfigParser(interpolation=None)
    entry.read(ROOT / "packaging" / "battlemat.desktop", encoding="utf-8")
    assert entry["Desktop Entry"]["MimeType"] == f"{OURS};"
    assert entry["Desktop Entry"]["Exec"].split() == ["battlemat", "%f"]
