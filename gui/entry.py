"""The console script: opens the app, or hands a command to those who know it.

Qt is imported only for what needs it, so that headless commands start within half a second.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cli.main import add_command
from engine.cli.main import main as run_command

if TYPE_CHECKING:  # argparse names this type only for type checkers
    from engine.cli.main import Commands

_OPENED_SUFFIXES = frozenset(
    {".battlemat", ".dd2vtt", ".uvtt", ".df2vtt", ".json"}
    | {".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".svg"}
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `battlemat`: without a command, or with a file alone, it opens the app."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if names_the_app(arguments):
        return _open_app(Path(arguments[0]) if arguments else None)
    return run_command(arguments, more=_commands_with_qt)


def names_the_app(arguments: Sequence[str]) -> bool:
    """Tell whether the arguments open the app: none at all, or one file."""
    if len(arguments) != 1:
        return not arguments
    only = arguments[0]
    if only.startswith("-"):
        return False
    return Path(only).suffix.lower() in _OPENED_SUFFIXES or "/" in only or os.sep in only


def has_display(platform: str, environment: Mapping[str, str]) -> bool:
    """Tell whether a window can be shown; Linux names its display in the environment."""
    if not platform.startswith("linux") or environment.get("QT_QPA_PLATFORM"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def _open_app(file: Path | None) -> int:
    if not has_display(sys.platform, os.environ):
        return _complain(
            "There is no display here to open a window on; `battlemat --help` lists what works "
            "without one."
        )
    try:
        app = import_module("gui.app")
    except ImportError as problem:
        return _complain(f"The windows cannot be loaded: {problem}.")
    return int(app.run(file))


def _complain(sentence: str) -> int:
    sys.stderr.write(sentence + "\n")
    return 1


def _commands_with_qt(commands: "Commands") -> None:
    render = add_command(commands, "render", "gui.render:render", "Draw a picture of the board.")
    render.add_argument("file")
    render.add_argument("--audience", choices=("gm", "players"), default="gm")
    render.add_argument("--out", required=True, metavar="PNG")
    render.add_argument("--px-per-cell", type=float, default=70.0, metavar="PX")
    demo = add_command(commands, "demo", "gui.demo:demo", "Play the sample fights into a folder.")
    demo.add_argument("--out", default="battlemat-demo", metavar="DIR")


if __name__ == "__main__":
    sys.exit(main())
