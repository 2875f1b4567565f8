"""Maps from the command line: a bad one gives one line and leaves the encounter alone."""

import hashlib
import json
from pathlib import Path

import pytest

from engine.cli.main import main
from engine.rules.registry import register
from engine.session import Session
from tests.engine.formats.test_pixels import png
from tests.helpers.maps import KEEP, base64_of, picture, points, portal, saved, uvtt
from tests.helpers.toy import TOY

GIANT = png(20_000, 20_000, depth=1, color=0)
BAD = {
    "truncated": KEEP.read_bytes()[:300_000],
    "empty": b"",
    "web page": b"<!doctype html><title>Not found</title>",
    "LFS pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 29000000\n",
    "NaN": json.dumps(uvtt(lights=[float("nan")])),
    "1e999": json.dumps(uvtt()).replace('"pixels_per_grid": 10', '"pixels_per_grid": 1e999'),
    "giant picture": GIANT,
    "map with a giant picture": json.dumps(uvtt(image=base64_of(GIANT))),
    "size of 0": json.dumps(uvtt(size=(0, 0), image="")),
    "size of 1e9": json.dumps(uvtt(size=(1e9, 1e9), image="")),
    "picture that tells no grid": picture(),
}


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATTLEMAT_DEBUG", "1")
    register(TOY)


@pytest.fixture
def fight(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    made = tmp_path / "fight.battlemat"
    assert main(["import", str(KEEP), str(made), "--ruleset", "toy"]) == 0
    capsys.readouterr()
    return made


@pytest.mark.parametrize("case", BAD)
def test_bad_map_is_one_line_and_leaves_the_encounter_as_it_was(
    fight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str
):
    before = hashlib.sha256(fight.read_bytes()).hexdigest()
    assert main(["import", str(saved(tmp_path, BAD[case], "bad.dd2vtt")), str(fight)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("bad.dd2vtt: ")
    assert hashlib.sha256(fight.read_bytes()).hexdigest() == before


@pytest.mark.parametrize("case", BAD)
def test_bad_map_makes_no_encounter(tmp_path: Path, case: str):
    path = saved(tmp_path, BAD[case], "bad.dd2vtt")
    assert main(["import", str(path), str(tmp_path / "new.battlemat"), "--ruleset", "toy"]) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["bad.dd2vtt"]


def test_odd_map_comes_in_with_report_lines(
    fight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    odd = uvtt(
        portals=[
            portal((1, 1), (1, 2), bounds=None, position=None),
            portal((2, 1), (2, 2), closed=[True]),
        ],
        image="data:image/png;base64," + base64_of(picture()),
    )
    assert main(["import", str(saved(tmp_path, odd)), str(fight)]) == 0
    said = capsys.readouterr().out
    assert "1 door, 1 picture" in said
    assert "made.dd2vtt: portal 1 has no bounds, skipped." in said


def test_any_option_can_be_set(fight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    dense = [points(*((n / 20, 1 + (n % 2) / 1000) for n in range(60)))]
    path = str(saved(tmp_path, uvtt(line_of_sight=dense)))
    main(["import", path, str(fight), "--set", "simplify=0.02", "--set", "without_picture=true"])
    assert "1 wall, 1 segment" in capsys.readouterr().out


def test_picture_of_hexes_needs_its_grid(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = str(saved(tmp_path, picture(950, 600), "hexes.png"))
    fight = str(tmp_path / "fight.battlemat")
    given = ["--size", "9x7", "--grid", "hex-pointy", "--ruleset", "toy"]
    main(["import", path, fight, *given])
    main(["show", fight, "--audience", "full"])
    grid = json.loads(capsys.readouterr().out.splitlines()[-1])["board"]["grid"]
    assert (grid["kind"], grid["columns"], grid["rows"]) == ("hex-pointy", 9, 7)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--cell", "0"], "The option cell_px: Input should be greater than or equal to 4."),
        (["--set", "sillyness=3"], "The option sillyness: Extra inputs are not permitted."),
        (["--size", "0x9"], "The option size.0: Input should be greater than or equal to 1."),
    ],
)
def test_bad_option_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: list[str], sentence: str
):
    fight = str(tmp_path / "fight.battlemat")
    assert main(["import", str(KEEP), fight, "--ruleset", "toy", *given]) == 1
    assert capsys.readouterr().err == sentence + "\n"
    assert main(["import", str(KEEP), fight, "--ruleset", "toy", "--set", "x"]) == 2


def test_a_new_file_begins_with_its_map(tmp_path: Path) -> None:
    file = tmp_path / "keep.battlemat"
    assert main(["import", str(KEEP), str(file), "--ruleset", "drase"]) == 0
    with Session.open(file) as session:
        assert session.history() == ()
        assert session.encounter.board.walls
