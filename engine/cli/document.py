"""Commands on documents: make, import, show, check, and the schemas and tables behind them."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from engine.check import check
from engine.cli.output import as_json, jsonable, say, say_json, say_table
from engine.cli.showing import view_lines
from engine.commands.board import ImportMap
from engine.commands.registry import COMMANDS
from engine.formats.imported import ImportedMap, ImportOptions, ImportReport, NoGrid
from engine.formats.importing import import_map
from engine.model.audience import GM, PLAYERS, Stage, StageMode
from engine.model.board import MAX_SIDE, Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.refusal import FileProblem, complaint, impossible
from engine.model.words import counted
from engine.rules.registry import kinds_of, ruleset_ids, ruleset_of
from engine.rules.ruleset import Issue, Plan
from engine.session import Images, Session


def new(arguments: argparse.Namespace) -> None:
    """Make a new encounter with an empty board."""
    columns, rows = arguments.size
    if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE):
        sentence = f"A board of {columns} x {rows} cells cannot be: 1 to {MAX_SIDE} each way."
        raise impossible("bad_size", sentence)
    board = Board(grid=GridSpec(kind=arguments.grid, columns=columns, rows=rows))
    encounter = empty_encounter(arguments.ruleset, board, arguments.title)
    with Session.create(Path(arguments.file), encounter):
        say(f"{arguments.file}: {columns} x {rows} cells, {ruleset_of(encounter.ruleset).name}.")


def empty_encounter(ruleset_id: str, board: Board, title: str = "") -> Encounter:
    """Return an encounter of this ruleset with its default table rules; check the grid."""
    ruleset = ruleset_of(ruleset_id)
    if board.grid.kind not in ruleset.grids:
        played = ", ".join(sorted(ruleset.grids))
        raise impossible(
            "grid_not_played", f"{ruleset.name} is played on {played}, not {board.grid.kind}."
        )
    return Encounter(
        title=title,
        ruleset=ruleset_id,
        board=board,
        options=ruleset.options_type.model_validate({}),
    )


def import_(arguments: argparse.Namespace) -> None:
    """Bring a map into a new or an existing encounter, and report."""
    options = _import_options(arguments)
    fresh = not Path(arguments.file).exists()
    if fresh and not arguments.ruleset:
        raise FileProblem(f"{arguments.file} does not exist yet: name its --ruleset.")
    imported = _imported(Path(arguments.map), options)
    command = ImportMap(title=imported.title, board=imported.board)
    if fresh:
        empty = empty_encounter(arguments.ruleset, Board(grid=imported.board.grid))
        path = Path(arguments.file)
        Session.create(path, empty, first=(command,), images=imported.images).close()
    else:
        _import_into(arguments, command, imported.images)
    if arguments.json:
        say_json(imported.report)
    else:
        say(*_report_lines(imported.report))


def _imported(path: Path, options: ImportOptions) -> ImportedMap:
    """Return a map; a picture without a grid is told how to be given one here."""
    try:
        return import_map(path, options)
    except NoGrid as problem:
        raise FileProblem(f"{problem} Here that is --cell PX or --size 30x20.") from problem


def show(arguments: argparse.Namespace) -> None:
    """Show what an audience sees, or the whole canonical encounter."""
    with Session.open(Path(arguments.file), read_only=True) as session:
        if arguments.audience == "full":
            print(as_json(session.encounter))
            return
        session.set_stage(Stage(mode=StageMode.LIVE))
        view = session.view(GM if arguments.audience == "gm" else PLAYERS)
    if arguments.json:
        say_json(view)
    else:
        say(*view_lines(view))


def history(arguments: argparse.Namespace) -> None:
    """List all records; those on the way to the current state are marked."""
    with Session.open(Path(arguments.file), read_only=True) as session:
        current = set(session.current_line())
        steps = session.history()
        head = session.head
    if arguments.json:
        rows = [{**step._asdict(), "current": step.id in current} for step in steps]
        say_json({"head": head, "records": rows})
        return
    say_table(
        (
            ">" if step.id == head else "*" if step.id in current else " ",
            str(step.id),
            f"after {step.parent}",
            f"gesture {step.group}",
            step.label,
        )
        for step in steps
    )


def replay(arguments: argparse.Namespace) -> None:
    """Fold all records again; with --verify decide every one of them again."""
    with Session.open(Path(arguments.file), read_only=True) as session:
        steps = session.history()
        for step in steps:
            session.state(step.id)
        differences = session.replay() if arguments.verify else ()
    if arguments.json:
        say_json({"records": len(steps), "differences": differences})
    else:
        say(*(f"Record {each.record_id} {each.sentence}" for each in differences))
        say(f"{len(steps)} records, {len(differences)} differences.")
    if differences:
        raise FileProblem(f"{arguments.file}: {len(differences)} records decide otherwise now.")


def check_(arguments: argparse.Namespace) -> None:
    """Check the integrity of the document and every invariant of the fight."""
    with Session.open(Path(arguments.file), read_only=True) as session:
        issues = [
            *(Issue(where="document", sentence=each) for each in session.document.check()),
            *check(session.encounter, session.ruleset),
        ]
    if arguments.json:
        say_json({"issues": issues})
    else:
        say(*(f"{issue.where}: {issue.sentence}" for issue in issues))
        say("Nothing is wrong." if not issues else f"{len(issues)} things are wrong.")
    if issues:
        raise FileProblem(f"{arguments.file} is not in order.")


def schema(arguments: argparse.Namespace) -> None:
    """Print the JSON Schema of commands and of the plans that `act` takes, or of a value."""
    if arguments.what == "encounter":
        print(json.dumps(Encounter.model_json_schema(), indent=2, sort_keys=True))
        return
    if arguments.what == "sheet":
        sheet = ruleset_of(arguments.ruleset).sheet_type
        print(json.dumps(sheet.model_json_schema(), indent=2, sort_keys=True))
        return
    kinds = kinds_of(arguments.ruleset)
    plans = {kind: shape for kind, shape in kinds.items() if issubclass(shape, Plan)}
    shapes = {"commands": COMMANDS, "plans": plans}
    schemas = {
        name: {kind: shape.model_json_schema() for kind, shape in kinds.items()}
        for name, kinds in shapes.items()
    }
    print(json.dumps(schemas, indent=2, sort_keys=True))


def rules(arguments: argparse.Namespace) -> None:
    """List the rulesets, or show one's tables and table rules with their sources."""
    if arguments.ruleset is None:
        say_table((each, ruleset_of(each).name) for each in ruleset_ids())
        return
    ruleset = ruleset_of(arguments.ruleset)
    tables = {table.id: table for table in ruleset.tables()}
    if arguments.table:
        if arguments.table not in tables:
            known = ", ".join(tables)
            raise impossible(
                "unknown_table", f"There is no table {arguments.table!r}; known are {known}."
            )
        chosen = tables[arguments.table]
        if arguments.json:
            say_json(chosen)
        else:
            say_table((chosen.columns, *chosen.rows))
        return
    options = [
        {
            "rule": name,
            "default": jsonable(field.default),
            "help": field.description or "",
            **(field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}),
        }
        for name, field in ruleset.options_type.model_fields.items()
        if name != "kind"
    ]
    if arguments.json:
        say_json({"tables": list(tables.values()), "table_rules": options})
        return
    say_table((table.id, table.title, f"{len(table.rows)} rows") for table in tables.values())
    say("")
    say_table(
        (
            str(option["rule"]),
            str(option["default"]),
            "proposal" if option.get("proposal") else str(option.get("source", "")),
            str(option["help"]),
        )
        for option in options
    )


def _import_options(arguments: argparse.Namespace) -> ImportOptions:
    """Return the options of an import; the named ones and whatever --set adds."""
    given = {
        "cell_px": arguments.cell,
        "offset": arguments.offset,
        "size": arguments.size,
        "grid": arguments.grid,
        "open_portals_as_doors": arguments.open_portals_as_doors,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    try:
        return ImportOptions.model_validate(chosen | dict(arguments.set))
    except ValidationError as error:
        raise impossible("bad_option", f"The option {complaint(error)}") from error


def _import_into(arguments: argparse.Namespace, command: ImportMap, images: Images) -> None:
    with Session.open(Path(arguments.file)) as session:
        played = session.encounter.ruleset
        if arguments.ruleset not in (None, played):
            sentence = f"{arguments.file} is played by {played}, not by {arguments.ruleset}."
            raise impossible("other_ruleset", sentence)
        session.execute(command, images=images)


def _report_lines(report: ImportReport) -> Iterator[str]:
    found = [(number, noun.removesuffix("s")) for noun, number in report.counts if number]
    counts = ", ".join(counted(number, noun) for number, noun in found)
    yield f"{report.source}: {counts or 'nothing'}."
    yield from report.skipped
    yield from report.warnings
    for each in report.switches:
        value = str(each.value).lower() if isinstance(each.value, bool) else each.value
        yield f"{each.sentence} For that: --set {each.option}={value}"
