"""What is acknowledged is on the disk, and nothing is ever there by half.

strace shows the system calls of a writer, kills it at one of them, or lets one of them fail.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.documents import created, opened

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace")

DISK_CALLS = "pwrite64,fsync,fdatasync,ftruncate,unlink"

ACKNOWLEDGE = """
import os, sys
from pathlib import Path
from tests.helpers.documents import created, record
document = created(Path(sys.argv[1]))
os.write(1, b"acknowledged\\n")
for number in range(1, 6):
    document.append(record(number))
    os.write(1, b"acknowledged\\n")
document.append_all([record(6), record(7)])
os.write(1, b"acknowledged\\n")
document.move_head(3)
os.write(1, b"acknowledged\\n")
"""

WRITE_MUCH = """
import hashlib, random, sys
from pathlib import Path
from engine.model.refusal import FileProblem

from tests.helpers.documents import opened, record
picture = random.Random(1).randbytes(20_000)
document = opened(Path(sys.argv[1]))
before = document.head, document.records(), document.images()
try:
    document.append_all([record(4), record(5)], {hashlib.sha256(picture).hexdigest(): picture})
except FileProblem as problem:
    print(problem)
    assert (document.head, document.records(), document.images()) == before
    assert document.check() == ()
    document.append_all([record(4), record(5)])
print("acknowledged", document.head, flush=True)
"""


def trace(path: Path, script: str, *options: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """Run a script on a document under strace; return its outcome and the calls it made."""
    calls = path.with_suffix(".trace")
    command = ["strace", "-f", "-o", str(calls), *options, sys.executable, "-c", script, str(path)]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    if "ptrace" in outcome.stderr:
        pytest.skip("processes may not be traced here")
    return outcome, calls.read_text()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keep.battlemat"


@needs_strace
def test_every_step_reaches_the_disk_before_it_is_acknowledged(path: Path):
    outcome, calls = trace(path, ACKNOWLEDGE, "-e", "trace=fsync,fdatasync,write,pwrite64")
    assert outcome.returncode == 0, outcome.stderr
    written = synced = False
    acknowledged = 0
    for call in calls.splitlines():
        if "acknowledged" in call:
            assert synced, f"step {acknowledged} was not synced"
            assert not written, f"something was written after the last sync of {acknowledged}"
            acknowledged += 1
            synced = False
        elif re.search(r"\b(fsync|fdatasync)\(", call):
            synced, written = True, False
        elif "pwrite64(" in call:
            written = True
    assert acknowledged == 8


@needs_strace
@pytest.mark.slow
def test_a_writer_killed_at_any_system_call_leaves_all_or_nothing(path: Path):
    created(path, 3).close()
    whole = path.read_bytes()
    heads = []
    for number in range(1, 60):
        path.write_bytes(whole)
        kill = f"inject={DISK_CALLS}:signal=KILL:when={number}"
        outcome, _ = trace(path, WRITE_MUCH, "-e", f"trace={DISK_CALLS}", "-e", kill)
        with opened(path) as document:
            heads.append(document.head)
            assert document.check() == ()
        if outcome.returncode == 0:
            break
        assert document.head == 5 or "acknowledged" not in outcome.stdout
    assert heads == sorted(heads)
    assert set(heads) == {3, 5}
    assert len(heads) > 10


@needs_strace
@pytest.mark.slow
@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
def test_any_system_call_may_fail_once(path: Path, error: str):
    created(path, 3).close()
    whole = path.read_bytes()
    told = set()
    for call, number in [
        ("pwrite64", 1),
        ("pwrite64", 5),
        ("pwrite64", 9),
        ("fdatasync", 1),
        ("fdatasync", 2),
        ("fdatasync", 3),
        ("ftruncate", 1),
    ]:
        path.write_bytes(whole)
        fail = f"inject={call}:error={error}:when={number}"
        outcome, _ = trace(path, WRITE_MUCH, "-e", f"trace={call}", "-e", fail)
        assert outcome.returncode == 0, outcome.stderr
        *sentences, acknowledged = outcome.stdout.splitlines()
        assert acknowledged == "acknowledged 5"
        told.update(sentences)
        with opened(path) as document:
            assert document.head == 5
            assert document.check() == ()
    assert told
    assert all("keep.battlemat was left as it was" in sentence for sentence in told)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_kill_9_loses_no_acknowledged_step():
    command = [sys.executable, "-m", "tests.helpers.crash_document", "8"]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.count("none lost") == 8
    assert int(re.findall(r"(\d+) steps", outcome.stdout)[-1]) > 8


def test_nothing_waits_in_the_journal_between_two_steps(path: Path):
    with created(path, 1):
        journal = path.with_name(path.name + "-journal")
        assert journal.stat().st_size == 0
