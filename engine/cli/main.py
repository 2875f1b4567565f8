"""The door of the headless command line: arguments, exit codes, and no traceback for a user.

Exit 0 done; 1 refused by the rules or the file; 2 wrong usage. What each command does stands in
`engine.cli.document`, `play` and `query`; they are imported only when asked for, so that every
command starts quickly.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from engine.cli.output import log_in_sentences, ready_streams, say_refused
from engine.model.refusal import FileProblem, Rejected, Rejection
from engine.model.space import GridKind

Handler = Callable[[argparse.Namespace], None]

if TYPE_CHECKING:  # argparse names this type only for type checkers
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def main(
    argv: Sequence[str] | None = None, *, more: "Callable[[Commands], None] | None" = None
) -> int:
    """Run one command; return the exit code.

    `more` adds commands of the program around the engine; they run under the same rules.
    """
    ready_streams()
    if not os.environ.get("BATTLEMAT_DEBUG"):
        log_in_sentences()
    parser = build_parser(more)
    try:
        arguments = parser.parse_args(argv)
    except SystemExit as leaving:
        return int(leaving.code or 0)
    refusal = _run(arguments)
    if refusal is None:
        return 0
    _let_go_of_output()
    if refusal.sentence:
        say_refused(refusal, as_object=arguments.json)
    return 1


def _run(arguments: argparse.Namespace) -> Rejection | None:
    """Run a command; return why it failed, in a sentence for people."""
    try:
        home, name = arguments.handler.split(":")
        handler: Handler = getattr(import_module(home), name)
        handler(arguments)
        sys.stdout.flush()
    except Rejected as error:
        return error.rejection
    except (FileProblem, OSError, MemoryError, KeyboardInterrupt) as error:
        return _problem(*_in_words(error))
    except Exception as error:  # noqa: BLE001  a bug of ours, and no user reads tracebacks
        if os.environ.get("BATTLEMAT_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        return _problem(
            "fault",
            f"This is a fault in Battlemat ({what}); the file is as it was after the last "
            "completed step.",
        )
    return None


def _in_words(error: BaseException) -> tuple[str, str]:
    """Return the code and the sentence of what may go wrong without any fault of ours."""
    if isinstance(error, FileProblem):
        return "file_problem", str(error)
    if isinstance(error, BrokenPipeError):
        return "nobody_listens", ""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted", "Stopped; every completed step is kept."
    return "system_problem", f"That did not work: {_reason(error)}."


def _let_go_of_output() -> None:
    """Drop what nobody takes; else the interpreter complains of it on its way out."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _problem(code: str, sentence: str) -> Rejection:
    return Rejection(code=code, sentence=" ".join(sentence.split()), overrulable=False)


def build_parser(more: "Callable[[Commands], None] | None" = None) -> argparse.ArgumentParser:
    """Return the parser of all headless commands, and of those that `more` adds."""
    parser = argparse.ArgumentParser(
        prog="battlemat", description="A tactical battlemap: without a command it opens the app."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _document_commands(commands)
    _play_commands(commands)
    _query_commands(commands)
    if more is not None:
        more(commands)
    return parser


def add_command(
    commands: "Commands", name: str, handler: str, text: str
) -> argparse.ArgumentParser:
    """Add a command that `handler` runs, "module:function", imported when it is called."""
    command = commands.add_parser(name, help=text, description=text)
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(handler=handler)
    return command


def _document_commands(commands: "Commands") -> None:
    home = "engine.cli.document"
    new = add_command(commands, "new", f"{home}:new", "Make a new encounter.")
    new.add_argument("file", help="the .battlemat to make")
    new.add_argument("--ruleset", required=True, help="its id; `rules` alone lists them")
    new.add_argument("--grid", type=GridKind, choices=list(GridKind), default=GridKind.SQUARE)
    new.add_argument("--size", type=_size, default=(30, 20), metavar="30x20")
    new.add_argument("--title", default="", help="what the window is headed with")
    importing = add_command(
        commands, "import", f"{home}:import_", "Put a map in place of an encounter's board."
    )
    importing.add_argument("map", help="a Universal VTT file or a picture")
    importing.add_argument("file", help="the .battlemat; made if it does not exist")
    importing.add_argument("--ruleset", help="for a new encounter")
    importing.add_argument("--cell", type=float, metavar="PX", help="pixels per cell of a picture")
    importing.add_argument("--offset", type=_pair, metavar="X,Y", help="pixels to the first cell")
    importing.add_argument("--size", type=_size, metavar="30x20", help="columns and rows")
    importing.add_argument("--grid", type=GridKind, choices=list(GridKind), help="of a picture")
    importing.add_argument(
        "--open-portals-as-doors", action="store_true", help="instead of as windows"
    )
    importing.add_argument(
        "--set",
        type=_option,
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="any option that the report offers, such as simplify=0.02",
    )
    show = add_command(commands, "show", f"{home}:show", "Show what an audience sees.")
    show.add_argument("file")
    show.add_argument(
        "--audience",
        choices=("gm", "players", "full"),
        default="gm",
        help="full is the whole encounter",
    )
    history = add_command(commands, "history", f"{home}:history", "List all steps of all branches.")
    history.add_argument("file")
    replay = add_command(commands, "replay", f"{home}:replay", "Fold all steps again.")
    replay.add_argument("file")
    replay.add_argument("--verify", action="store_true", help="decide every step again")
    checking = add_command(commands, "check", f"{home}:check_", "Check the file and the fight.")
    checking.add_argument("file")
    schema = add_command(
        commands,
        "schema",
        f"{home}:schema",
        "Print the JSON Schema of commands and plans, encounters or sheets.",
    )
    schema.add_argument("what", choices=("commands", "encounter", "sheet"))
    schema.add_argument("ruleset", nargs="?", default="drase")
    rules = add_command(
        commands, "rules", f"{home}:rules", "Show a ruleset's tables and table rules."
    )
    rules.add_argument("ruleset", nargs="?", help="without it, the rulesets are listed")
    rules.add_argument("table", nargs="?", help="one table, whole")


def _play_commands(commands: "Commands") -> None:
    home = "engine.cli.play"
    do = add_command(commands, "do", f"{home}:do", "Run commands: a JSON file, JSON text, or - .")
    do.add_argument("file")
    do.add_argument("commands", help="`schema commands` tells what they look like")
    do.add_argument("--atomic", action="store_true", help="keep all or nothing")
    do.add_argument(
        "--real-dice", action="append", default=[], metavar="SIDE", help="leave its rolls open"
    )
    for name, text in (("undo", "Go back."), ("redo", "Go forward again.")):
        travel = add_command(commands, name, f"{home}:{name}", text)
        travel.add_argument("file")
        travel.add_argument("count", nargs="?", type=int, default=1, help="how many gestures")
    offers = add_command(commands, "offers", f"{home}:offers", "List what a token could do.")
    offers.add_argument("file")
    offers.add_argument("token", help="its id or its name; --json brings the plans")
    offers.add_argument("offer", nargs="?", help="list everything that this one could be aimed at")
    offers.add_argument(
        "--targets", action="store_true", help="list what every offer could be aimed at"
    )
    forecast = add_command(
        commands,
        "forecast",
        f"{home}:forecast",
        "Show what a plan would bring; one that do would refuse is refused, numbers and all.",
    )
    forecast.add_argument("file")
    forecast.add_argument("plan", help="a JSON file, JSON text, or -")


def _query_commands(commands: "Commands") -> None:
    home = "engine.cli.query"
    reach = add_command(commands, "reach", f"{home}:reach", "List the cells a token can reach.")
    reach.add_argument("file")
    reach.add_argument("token", help="its id or its name")
    reach.add_argument("--budget", type=int, help="instead of what the rules leave it")
    measure = add_command(commands, "measure", f"{home}:measure", "Measure over cells.")
    measure.add_argument("file")
    measure.add_argument("cells", nargs="+", metavar="CELL", help="like C4 or 2,3")
    measure.add_argument("--token", help="measure as this token would walk")
    sight = add_command(commands, "sight", f"{home}:sight", "Show how much of a target is seen.")
    sight.add_argument("file")
    _from_to(sight)
    cover = add_command(commands, "cover", f"{home}:cover", "Show a target's cover from a viewer.")
    cover.add_argument("file")
    _from_to(cover)
    area = add_command(commands, "area", f"{home}:area", "List the cells that a shape covers.")
    area.add_argument("file")
    area.add_argument("shape", help='JSON like {"shape": "circle", "origin": [3, 4], "size": 2}')
    area.add_argument(
        "--coverage",
        choices=("center", "any", "half"),
        default="center",
        help="which cells count: their centre, any part, at least half",
    )
    area.add_argument("--blocked", action="store_true", help="walls block the way")


def _from_to(command: argparse.ArgumentParser) -> None:
    command.add_argument("viewer", metavar="FROM", help="a token, or a cell like C4 or 2,3")
    command.add_argument("target", metavar="TO", help="likewise")


def _size(text: str) -> tuple[int, int]:
    """Read 30x20."""
    columns, _, rows = text.lower().partition("x")
    try:
        return int(columns), int(rows)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not like 30x20") from error


def _pair(text: str) -> tuple[float, float]:
    """Read 12.5,-3."""
    x, _, y = text.partition(",")
    try:
        return float(x), float(y)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not like 12.5,-3") from error


def _option(text: str) -> tuple[str, str]:
    """Read simplify=0.02."""
    name, _, value = text.partition("=")
    if not name or not value:
        raise argparse.ArgumentTypeError(f"{text!r} is not like simplify=0.02")
    return name, value


def _reason(error: BaseException) -> str:
    if isinstance(error, FileNotFoundError) and error.filename:
        return f"there is no file {error.filename}"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror} ({error.filename})" if error.filename else error.strerror
    return str(error) or type(error).__name__


if __name__ == "__main__":
    sys.exit(main())
