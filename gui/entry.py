"""The console script: opens the app, or hands a command to those who know it.

Nothing is imported here before `run` has set up the process for a quick start, and Qt only for
what needs it, so that headless commands start within half a second.
"""

import gc
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # argparse names this type only for type checkers
    from engine.cli.main import Commands

_OPENED_SUFFIXES = frozenset(
    {".battlemat", ".dd2vtt", ".uvtt", ".df2vtt", ".json"}
    | {".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".svg"}
)


def run() -> int:
    """Run `battlemat` in a process of its own."""
    prepare()
    try:
        return main()
    finally:
        gc.freeze()  # or the interpreter looks through everything again on its way out


def prepare() -> None:
    """Keep the interpreter and the libraries from what a quick start has no use for."""
    # Imports make many objects and little garbage: one need not look for it all the time.
    gc.set_threshold(100_000)
    # Nothing here multiplies large matrices: numpy needs no thread for each processor.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Plug-ins that other packages bring for pydantic have no business in our values.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def main(argv: Sequence[str] | None = None) -> int:
    """Run `battlemat`: without a command, or with a file alone, it opens the app."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if names_the_app(arguments):
        return _open_app(Path(arguments[0]) if arguments else None)
    return int(import_module("engine.cli.main").main(arguments, more=_commands_with_qt))


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
        app = load_app()
    except ImportError as problem:
        return _complain(f"The windows cannot be loaded: {problem}.")
    return int(app.run(file))


def load_app() -> ModuleType:
    """Import the windows; raise ImportError where Qt is not to be had."""
    # Qt for Python slows down every import that comes after its own, so the engine goes first.
    import_module("engine.samples")
    return import_module("gui.app")


def _complain(sentence: str) -> int:
    sys.stderr.write(sentence + "\n")
    return 1


def _commands_with_qt(commands: "Commands") -> None:
    add_command = import_module("engine.cli.main").add_command
    render = add_command(commands, "render", "gui.render:render", "Draw a picture of the board.")
    render.add_argument("file")
    render.add_argument("--audience", choices=("gm", "players"), default="gm")
    render.add_argument("--out", required=True, metavar="PNG")
    render.add_argument("--px-per-cell", type=float, default=70.0, metavar="PX")
    demo = add_command(commands, "demo", "gui.demo:demo", "Play the sample fights into a folder.")
    demo.add_argument("--out", default="battlemat-demo", metavar="DIR")


if __name__ == "__main__":
    sys.exit(run())
