"""The sample encounters: they can be made and played, and nothing about them is broken."""

from pathlib import Path

import pytest

from engine.check import check
from engine.cli.output import as_json
from engine.model.refusal import FileProblem
from engine.samples import create_sample, play, sample_named, samples
from engine.session import Session

NAMES = [sample.name for sample in samples()]


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_plays_to_its_end_and_stays_sound(name: str, tmp_path: Path) -> None:
    sample = sample_named(name)
    path = tmp_path / "sample.battlemat"
    with create_sample(sample, path) as session:
        assert session.history() == ()
        for _ in play(session, sample):
            assert check(session.encounter, session.ruleset) == ()
        assert session.encounter.prompt is None
        assert session.replay() == ()
        end = as_json(session.encounter)
        session.undo(10_000)
        assert session.head == 0
        session.redo(10_000)
        assert as_json(session.encounter) == end
    with Session.open(path) as again:
        assert as_json(again.encounter) == end
        assert again.document.check() == ()


def test_in_the_keep_a_guard_is_downed_and_the_log_says_how(tmp_path: Path) -> None:
    sample = sample_named("keep")
    with create_sample(sample, tmp_path / "keep.battlemat") as session:
        for _ in play(session, sample):
            pass
        told = [entry.text for entry in session.encounter.log]
        guard = session.encounter.tokens["guard1"]
        assert guard.sheet is not None
        assert session.ruleset.card(guard.sheet).down
    assert "Ser Aldric opens door 3." in told
    assert any(text.startswith("Guard is incapacitated.") for text in told)


def test_an_unknown_sample_is_a_sentence() -> None:
    with pytest.raises(FileProblem, match="keep"):
        sample_named("castle")


def test_on_the_bridge_three_rounds_show_every_part_of_the_rules(tmp_path: Path) -> None:
    sample = sample_named("bridge")
    with create_sample(sample, tmp_path / "bridge.battlemat") as session:
        for _ in play(session, sample):
            pass
        told = "\n".join(
            f"{entry.text} {' '.join(line.label for line in entry.lines)}"
            for entry in session.encounter.log
        )
    for part in (
        "Round 4 begins.",
        "falls 3 tiles into water unhurt",
        "Fog bank: light obscuration",
        "Target is lower",
        "Three-quarter cover",
        "critical hit",
        "Orc archer attacks",
        "Wolf 1 attacks",
        "shoves Orc 2",
        "is incapacitated",
    ):
        assert part in told
