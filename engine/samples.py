"""The sample encounters under `assets/encounters`: a map, a set-up and a fight, as data.

A sample is a JSON file: `title`, `ruleset`, `map` (a file beside the samples' folder) or `board`,
`setup` (commands that make the encounter) and `fight` (commands that play it, dice included). The
app offers them, the demo plays them, and the tests run them.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.commands.board import ImportMap
from engine.commands.combat import answers_roll
from engine.commands.registry import decode_command
from engine.events.event import Record
from engine.formats.importing import import_map
from engine.model.board import Board
from engine.model.encounter import Encounter
from engine.model.refusal import FileProblem
from engine.rules.registry import ruleset_of
from engine.session import Session

ASSETS = Path(__file__).resolve().parents[1] / "assets"


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample encounter before it becomes a document."""

    name: str
    title: str
    ruleset: str
    data: dict[str, Any]


def samples() -> tuple[Sample, ...]:
    """Return all samples by name."""
    files = sorted((ASSETS / "encounters").glob("*.json"))
    return tuple(_read(file) for file in files)


def sample_named(name: str) -> Sample:
    """Return one sample; raise FileProblem if there is none of that name."""
    file = ASSETS / "encounters" / f"{name}.json"
    if not file.is_file():
        known = ", ".join(each.name for each in samples())
        raise FileProblem(f"There is no sample {name!r}; there are {known}.")
    return _read(file)


def create_sample(sample: Sample, path: Path) -> Session:
    """Make a sample into a new document, set up and ready to begin; there is nothing to undo."""
    ruleset = ruleset_of(sample.ruleset)
    imported = import_map(ASSETS / sample.data["map"]) if "map" in sample.data else None
    board = imported.board if imported else Board.model_validate(sample.data["board"])
    encounter = Encounter(
        title=sample.title,
        ruleset=sample.ruleset,
        board=Board(grid=board.grid) if imported else board,
        options=ruleset.options_type.model_validate(sample.data.get("options", {})),
    )
    first = [decode_command(data, sample.ruleset) for data in sample.data["setup"]]
    if imported is None:
        return Session.create(path, encounter, first=first)
    command = ImportMap(title=imported.title, board=imported.board)
    return Session.create(path, encounter, first=(command, *first), images=imported.images)


def play(session: Session, sample: Sample) -> Iterator[Record]:
    """Play the sample's fight on its document, and yield the records as they are made.

    A roll that the script does not bring is drawn.
    """
    commands = [session.decode(data) for data in sample.data["fight"]]
    for command, following in zip(commands, (*commands[1:], None), strict=False):
        scripted = following is not None and answers_roll(following)
        yield from session.execute(command, roll=not scripted)


def _read(file: Path) -> Sample:
    data = json.loads(file.read_text(encoding="utf-8"))
    return Sample(file.stem, data["title"], data["ruleset"], data)
