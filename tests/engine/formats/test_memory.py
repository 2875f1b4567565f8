"""Hostile files take little memory: measured as the peak of a process that imports them all."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.formats.test_pixels import png
from tests.helpers.maps import ROOT, base64_of, saved, uvtt

MB = 1024**2
LIMIT_MB = 700
MEASURE = """
import sys
from pathlib import Path
from engine.formats.importing import import_map
from engine.model.refusal import FileProblem
for name in sys.argv[1:]:
    try:
        import_map(Path(name))
    except FileProblem as problem:
        print(problem)
# getrusage would count the parent's memory at the fork as well.
status = Path("/proc/self/status").read_text()
print(int(status.split("VmHWM:")[1].split()[0]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_hostile_files_stay_far_below_the_memory_limit(tmp_path: Path):
    # 1.5 GB is the promise; each of these would take several GB if it were read naively.
    giant = png(20_000, 20_000, depth=1, color=0, data=bytes(2501 * 20_000))
    files = {
        "giant.png": giant,
        "giant.dd2vtt": uvtt(image=base64_of(giant)),
        "lists.json": b"[" + b"[]," * (9 * MB) + b"[]]",
        "objects.json": b"[" + b'{"a":0},' * 1_900_000 + b"0]",
        "digits.json": b"[" + b"7" * (30 * MB) + b"]",
        "depth.json": b"[" * (30 * MB),
        "text.json": b'{"image":"' + b"QUJD" * (40 * MB) + b'"}',
        "wide.json": json.dumps({"resolution": {"map_size": {"x": 1e9, "y": 1e9}}}),
    }
    paths = [saved(tmp_path, content, name) for name, content in files.items()]
    measured = subprocess.run(
        [sys.executable, "-c", MEASURE, *paths],
        cwd=ROOT, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    *sentences, peak_mb = measured.stdout.splitlines()
    assert [sentence.split(":")[0] for sentence in sentences] == list(files)
    assert int(peak_mb) < LIMIT_MB
