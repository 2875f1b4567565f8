"""The demo: plays the sample fights and writes what came of them, without a display."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from engine.cli.output import say
from engine.model.evidence import LogEntry, Modifier
from engine.model.refusal import FileProblem
from engine.samples import Sample, create_sample, play, samples
from engine.session import Session
from gui.render import render_session, save_image


def demo(arguments: argparse.Namespace) -> None:
    """Play every sample fight into a folder: the command `demo`."""
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    found = samples()
    if not found:
        raise FileProblem("No sample encounters came with this installation.")
    for sample in found:
        _play_into(out, sample)
        say(f"{sample.title}: {out / sample.name}.battlemat, its log and two pictures.")


def _play_into(out: Path, sample: Sample) -> None:
    """Play a sample into files named after it; those of the demo before are replaced."""
    document = out / f"{sample.name}.battlemat"
    document.unlink(missing_ok=True)
    with create_sample(sample, document) as session:
        for _ in play(session, sample):
            pass
        save_image(render_session(session, players=False), out / f"{sample.name}-gm.png")
        save_image(render_session(session, players=True), out / f"{sample.name}-players.png")
        log = "\n".join(log_lines(session.encounter.log)) + "\n"
        (out / f"{sample.name}-log.txt").write_text(_head(session) + log, encoding="utf-8")


def log_lines(log: Iterable[LogEntry]) -> list[str]:
    """Return the log for people, each sum indented below its line."""
    lines = []
    for entry in log:
        lines.append(entry.text)
        lines += [f"    {modifier.label}: {_amount(modifier)}" for modifier in entry.lines]
    return lines


def _amount(modifier: Modifier) -> str:
    if modifier.text:
        return modifier.text
    return f"{modifier.value:+d}" if modifier.value is not None else ""


def _head(session: Session) -> str:
    encounter = session.encounter
    title = f"{encounter.title} ({session.ruleset.name})"
    return f"{title}\n{'=' * len(title)}\n\n"
