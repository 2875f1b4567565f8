"""The demo plays every sample into files that can be opened and looked at; `render` draws them."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from engine.model.evidence import LogEntry, Modifier
from engine.samples import samples
from gui import demo
from gui.entry import main
from tests.helpers.shots import pixels_of


@pytest.fixture(scope="module")
def played(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("demo")
    assert main(["demo", "--out", str(out)]) == 0
    return out


def test_every_sample_brings_its_document_log_and_two_pictures(played: Path):
    for sample in samples():
        for name in (".battlemat", "-log.txt", "-gm.png", "-players.png"):
            assert (played / f"{sample.name}{name}").stat().st_size > 200


def test_the_players_picture_shows_less_than_the_gms(played: Path):
    for sample in samples():
        gm, players = (
            pixels_of(QImage(str(played / f"{sample.name}-{who}.png"))) for who in ("gm", "players")
        )
        assert gm.shape == players.shape
        assert (players.max(axis=2) == 0).mean() > (gm.max(axis=2) == 0).mean()


def test_played_again_it_replaces_its_own_files(played: Path):
    first = {path.name for path in played.iterdir()}
    assert main(["demo", "--out", str(played)]) == 0
    assert {path.name for path in played.iterdir()} == first


@pytest.mark.parametrize("audience", ["gm", "players"])
def test_render_draws_what_the_demo_drew(played: Path, tmp_path: Path, audience: str):
    name, out = samples()[0].name, tmp_path / "picture.png"
    document = str(played / f"{name}.battlemat")
    assert main(["render", document, "--audience", audience, "--out", str(out)]) == 0
    drawn, kept = (
        pixels_of(QImage(str(path))).astype(int)
        for path in (out, played / f"{name}-{audience}.png")
    )
    # Qt draws a large letter a shade differently the first time in a process.
    assert np.abs(drawn - kept).max() <= 10


def test_an_installation_without_samples_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(demo, "samples", lambda: ())
    assert main(["demo", "--out", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "No sample encounters came with this installation.\n"


def test_the_log_indents_the_sum_below_its_line():
    lines = (Modifier(label="To hit", value=5), Modifier(label="Cover", text="-5"))
    entry = LogEntry(text="Ila shoots.", lines=(*lines, Modifier(label="AC")))
    assert demo.log_lines([entry]) == [
        "Ila shoots.",
        "    To hit: +5",
        "    Cover: -5",
        "    AC: ",
    ]


@pytest.mark.parametrize("name", ["a.jpg", "a.foo", "a"])
def test_render_writes_a_png_under_no_other_name(
    played: Path, name: str, capsys: pytest.CaptureFixture[str]
):
    document = str(played / "keep.battlemat")
    assert main(["render", document, "--out", str(played / name)]) == 1
    assert "name a .png file" in capsys.readouterr().err
    assert not (played / name).exists()


@pytest.mark.parametrize(
    "arguments",
    [["--px-per-cell", "0"], ["--px-per-cell", "-5"], ["--px-per-cell", "5000"], []],
)
def test_render_never_writes_over_the_encounter_nor_draws_nothing(
    played: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
):
    document = played / "keep.battlemat"
    before = document.read_bytes()
    out = played / "none.png" if arguments else document
    assert main(["render", str(document), "--out", str(out), *arguments]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert document.read_bytes() == before
    assert not (played / "none.png").exists()
