"""Install Battlemat into this checkout and run it: `packaging/start.py [setup|test|demo|bench]`.

Needs the standard library of Python 3.11 or newer and nothing else, on Linux, macOS and Windows.
Packages come from `requirements.lock` into `.venv`; the index to take them from is pip's setting.
Nothing of the application stands here: this script installs, then hands over.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "packaging" / "requirements.lock"
PROJECT = ROOT / "pyproject.toml"
VENV = ROOT / ".venv"
HEADLESS = ROOT / ".venv-headless"
DEMO = ROOT / "battlemat-demo"

OLDEST_PYTHON = (3, 11)
QT_PACKAGES = frozenset({"pyside6-essentials", "shiboken6", "pytest-qt"})
"""What the engine and its tests must do without."""

QT_LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",  # even the offscreen platform links libGL and libEGL
    "libEGL.so.1": "libegl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libbrotlidec.so.1": "libbrotli1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""Shared libraries that Qt's wheel expects of a Linux system, with Debian's package for each."""

TEST_PROGRAMS = {"Xvfb": "xvfb", "xrandr": "x11-xserver-utils", "strace": "strace"}
"""Programs that the tests run, with Debian's package for each."""

SCREEN = "5120x2160x24"
"""The X server's: a laptop beside a 4K television fit in; fewer bits would round colours."""

APT = "apt-get install -y --no-install-recommends"


class Stop(Exception):
    """End the script with one sentence for the person in front of it."""


def say(text: str) -> None:
    """Print a progress line at once, also into a pipe."""
    print(text, flush=True)


# What the system lacks


def missing_packages(
    wanted: Mapping[str, str], is_there: Callable[[str], bool], is_installed: Callable[[str], bool]
) -> list[str]:
    """List the Debian packages to install, each once.

    `wanted` maps a library or program to its package. A thing that `is_there` needs no package,
    whoever put it there; a package that `is_installed` is not asked for again.
    """
    absent = dict.fromkeys(package for name, package in wanted.items() if not is_there(name))
    return [package for package in absent if not is_installed(package)]


def install_line(packages: Iterable[str]) -> str:
    """Spell the command that a person without root's rights runs once."""
    return f"sudo apt-get update && sudo {APT} {' '.join(packages)}"


def known_libraries() -> frozenset[str]:
    """Ask the dynamic linker for the names of all shared libraries that it would find."""
    ldconfig = shutil.which("ldconfig") or shutil.which("ldconfig", path="/sbin:/usr/sbin")
    if ldconfig is None:
        return frozenset()
    listing = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False).stdout
    return frozenset(line.split()[0] for line in listing.splitlines() if " => " in line)


def is_debian_package_installed(package: str) -> bool:
    """Ask dpkg whether a package is installed; without dpkg it is not."""
    if shutil.which("dpkg-query") is None:
        return False
    query = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package]
    return subprocess.run(query, capture_output=True, text=True, check=False).stdout == "installed"


def provide_packages(packages: Sequence[str]) -> None:
    """Install Debian packages as root; tell anybody else the line to run."""
    if not packages:
        return
    if shutil.which("apt-get") is None:
        say(f"Note: this system may lack what Debian calls {', '.join(packages)}.")
        return
    if os.geteuid() != 0:
        raise Stop(
            "Some system packages are missing. Run this once, then start again:\n  "
            + install_line(packages)
        )
    say(f"Installing Debian packages: {' '.join(packages)}")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in ("apt-get update -qq", f"{APT} -qq {' '.join(packages)}"):
        done = subprocess.run(
            command.split(),
            env=quiet,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            raise Stop(f"'{command}' failed:\n{done.stdout.strip()}")


def provide_system(*, for_tests: bool) -> None:
    """Make sure that Python can make environments and that Qt finds its libraries."""
    if sys.version_info < OLDEST_PYTHON:
        raise Stop(f"Battlemat needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    on_linux = sys.platform.startswith("linux")
    wanted = {}
    if importlib.util.find_spec("ensurepip") is None:  # Debian ships it in a package of its own
        wanted["ensurepip"] = "python{}.{}-venv".format(*sys.version_info)
    if on_linux:
        wanted.update(QT_LIBRARIES)
    if on_linux and for_tests:
        wanted.update(TEST_PROGRAMS)
    libraries = known_libraries() if on_linux else frozenset()
    provide_packages(
        missing_packages(
            wanted,
            lambda name: name in libraries or shutil.which(name) is not None,
            is_debian_package_installed,
        )
    )
    importlib.invalidate_caches()
    if importlib.util.find_spec("ensurepip") is None:
        raise Stop(f"{sys.executable} has no 'ensurepip': install the 'venv' part of this Python.")


# The two environments


def program(environment: Path, name: str) -> str:
    """Give the path of a program inside a virtual environment."""
    if sys.platform == "win32":
        return str(environment / "Scripts" / f"{name}.exe")
    return str(environment / "bin" / name)


def stamp_of(*parts: bytes) -> str:
    """Digest what an environment was made from; another digest means: install again."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


def is_current(environment: Path, stamp: str) -> bool:
    """Tell whether an environment was finished with exactly this stamp."""
    try:
        found = (environment / "battlemat.stamp").read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return False
    return found == stamp and Path(program(environment, "python")).exists()


def requirement_names(lock: str) -> list[str]:
    """Name the package of each entry of a lock; one with two entries is pinned twice."""
    return re.findall(r"^([A-Za-z0-9][\w.-]*)==", lock, re.MULTILINE)


def without(lock: str, names: frozenset[str]) -> str:
    """Leave some packages out of a lock, with the hashes that belong to them."""
    blocks = re.split(r"^(?=[A-Za-z0-9])", lock, flags=re.MULTILINE)
    return "".join(block for block in blocks if block.partition("==")[0] not in names)


def provide_environment(environment: Path, lock: str, *, with_project: bool) -> None:
    """Bring a virtual environment to the state of the lock; do nothing if it is there already."""
    version = sys.version.encode()
    stamp = stamp_of(lock.encode(), version, PROJECT.read_bytes() if with_project else b"")
    if is_current(environment, stamp):
        return
    if not is_usable(environment):
        say(f"Making {environment.name} with Python {sys.version.split()[0]}")
        run_or_stop(
            [sys.executable, "-m", "venv", "--clear", str(environment)], "make the environment"
        )
    names = requirement_names(lock)
    say(f"Installing {len(set(names))} packages into {environment.name}")
    requirements = environment / "requirements.txt"
    requirements.write_text(lock, encoding="utf-8")
    pip = [program(environment, "python"), "-m", "pip", "install", "--disable-pip-version-check"]
    pip += ["--no-input", "--progress-bar", "off", "--no-deps"]
    locked = ["--require-hashes", "--only-binary", ":all:", "-r", str(requirements)]
    run_or_stop([*pip, *locked], "install the packages", Counter(len(names)))
    if with_project:
        # A plain path file: the import hook of other editable installs slows every start.
        plain = ["--config-settings", "editable_mode=compat"]
        run_or_stop(
            [*pip, "--no-build-isolation", *plain, "-e", str(ROOT)], "install Battlemat itself"
        )
    (environment / "battlemat.stamp").write_text(stamp, encoding="ascii")


def compile_project(root: Path = ROOT, python: str = program(VENV, "python")) -> None:
    """Write the bytecode of all modules that have changed since.

    A command that compiles its modules itself takes twice as long, and where Python is told to
    keep no bytecode (PYTHONDONTWRITEBYTECODE) it would do so every time. Where none can be
    written, everything still runs.
    """
    options = ["-q", "--invalidation-mode", "timestamp"]
    subprocess.run(
        [python, "-m", "compileall", *options, "engine", "gui"],
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )


def is_usable(environment: Path) -> bool:
    """Tell whether pip runs in an environment, and on the Python that runs this script."""
    code = "import pip, sys; print(sys.version)"
    try:
        answer = subprocess.run(
            [program(environment, "python"), "-c", code],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return False
    return answer.returncode == 0 and answer.stdout.strip() == sys.version.strip()


class Counter:
    """Turn pip's chatter into a count of packages."""

    LINE = re.compile(
        r"(?P<what>Collecting|Requirement already satisfied:|Ignoring|Processing)"
        r" (?:\S*[/\\])?(?P<name>\w(?:[\w.]|-(?!\d))*)"
    )

    def __init__(self, total: int) -> None:
        self.total = total
        self.count = 0

    def __call__(self, line: str) -> None:
        """Take one line of pip's output."""
        match = self.LINE.match(line)
        if match is None:
            if line.startswith("Installing collected packages"):
                say("  unpacking")
        elif match["what"] == "Ignoring":  # an entry for another system or another Python
            self.total -= 1
        else:
            self.count += 1
            say(f"  [{self.count}/{self.total}] {match['name'].lower().replace('_', '-')}")


def run_or_stop(
    command: Sequence[str], purpose: str, listen: Callable[[str], None] | None = None
) -> None:
    """Run a command quietly; if it fails, stop and show the end of what it said."""
    lines: list[str] = []
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            lines.append(line.rstrip())
            if listen:
                listen(line)
    if process.returncode != 0:
        raise Stop(f"Could not {purpose}. The last lines were:\n  " + "\n  ".join(lines[-15:]))


def setup(*, for_tests: bool = False) -> None:
    """Install whatever is missing for the app, and for the tests if asked."""
    started = time.monotonic()
    provide_system(for_tests=for_tests)
    lock = LOCK.read_text(encoding="utf-8")
    provide_environment(VENV, lock, with_project=True)
    compile_project()
    if for_tests:
        provide_environment(HEADLESS, without(lock, QT_PACKAGES), with_project=False)
    say(f"Everything is installed ({time.monotonic() - started:.1f} s).")


# The tests


@dataclass(frozen=True)
class Step:
    """One check: its title, its command, and what it changes in the environment (None: unset)."""

    title: str
    command: Sequence[str]
    environment: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """How a step went: exit code, seconds, and the last line that it printed."""

    title: str
    code: int
    seconds: float
    last_line: str


OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen", "DISPLAY": None, "WAYLAND_DISPLAY": None}


def steps(python: str, lint_imports: str, headless_python: str) -> list[Step]:
    """List the checks that need no X server, quick ones first."""
    no_qt = "import importlib.util as u; assert not any(map(u.find_spec, ('PySide6', 'shiboken6')))"
    pytest = ["-m", "pytest", "-n", "2", "-m", "not xvfb"]
    coverage = ["--cov=engine", "--cov-report=term:skip-covered"]
    return [
        Step("ruff check", [python, "-m", "ruff", "check"]),
        Step("ruff format", [python, "-m", "ruff", "format", "--check"]),
        Step("mypy", [python, "-m", "mypy"]),
        Step("import contracts", [lint_imports, "--no-logo"]),
        Step("tests", [python, *pytest, "tests"], OFFSCREEN),
        Step("no Qt in .venv-headless", [headless_python, "-c", no_qt]),
        Step(
            "engine tests without Qt",
            [headless_python, *pytest, *coverage, "tests/engine"],
            OFFSCREEN,
        ),
    ]


def run_step(step: Step) -> Outcome:
    """Run a check, pass its output through, and remember its last line."""
    environment = {**os.environ, **{k: v for k, v in step.environment.items() if v is not None}}
    for name in (name for name, value in step.environment.items() if value is None):
        environment.pop(name, None)
    if sys.stdout.isatty():
        environment.setdefault("FORCE_COLOR", "1")
    started = time.monotonic()
    last_line = ""
    with subprocess.Popen(
        step.command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            sys.stdout.write(line)
            sys.stdout.flush()
            last_line = line.strip() or last_line
    return Outcome(step.title, process.returncode, time.monotonic() - started, plain(last_line))


def plain(line: str) -> str:
    """Strip colours and the ruler that pytest draws around its last line."""
    return re.sub(r"\x1b\[[0-9;]*m", "", line).strip("= ")


def summary(outcomes: Sequence[Outcome], titles: Sequence[str]) -> str:
    """Tell of every step how it went; steps after the first failure were not run."""
    lines = [
        f"  {'ok' if outcome.code == 0 else 'FAILED':8}{outcome.seconds:7.1f} s  {outcome.title:25}"
        f"  {outcome.last_line}".rstrip()
        for outcome in outcomes
    ]
    lines += [f"  not run            {title}" for title in titles[len(outcomes) :]]
    seconds = sum(outcome.seconds for outcome in outcomes)
    failed = [outcome.title for outcome in outcomes if outcome.code != 0]
    verdict = f"Failed: {failed[0]}" if failed else "All steps passed"
    return "\n".join(["Summary", *lines, f"{verdict} ({seconds:.0f} s)."])


@contextlib.contextmanager
def x_server() -> Iterator[str]:
    """Run an X server of our own and give its display; it ends with the block."""
    read_end, write_end = os.pipe()
    # Without -noreset the server forgets its monitors whenever its last client leaves.
    command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", SCREEN, "-noreset"]
    server = subprocess.Popen(
        [*command, "-nolisten", "tcp"],
        pass_fds=(write_end,),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write_end)
    try:
        with os.fdopen(read_end) as answer:
            number = answer.readline().strip()
        if not number:
            raise Stop("The X server Xvfb did not start.")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


def run_tests() -> int:
    """Run every check of the project; stop at the first that fails, and tell how each went."""
    setup(for_tests=True)
    python, headless_python = program(VENV, "python"), program(HEADLESS, "python")
    planned = steps(python, program(VENV, "lint-imports"), headless_python)
    with contextlib.ExitStack() as stack:
        if shutil.which("Xvfb") and sys.platform.startswith("linux"):
            on_x = {"QT_QPA_PLATFORM": "xcb", "DISPLAY": stack.enter_context(x_server())}
            x_tests = [python, "-m", "pytest", "-m", "xvfb", "tests"]
            planned.append(Step("tests on an X server", x_tests, {**on_x, "WAYLAND_DISPLAY": None}))
        else:
            say("Note: no Xvfb here, so the tests on an X server are left out.")
        outcomes: list[Outcome] = []
        for number, step in enumerate(planned, start=1):
            say(f"\n[{number}/{len(planned)}] {step.title}")
            outcomes.append(run_step(step))
            if outcomes[-1].code != 0:
                break
    say("\n" + summary(outcomes, [step.title for step in planned]))
    return 1 if outcomes[-1].code != 0 else 0


# The app, the demo, the benchmarks


def has_display(platform: str, environment: Mapping[str, str]) -> bool:
    """Tell whether a window could be shown; Linux names its display in the environment."""
    if not platform.startswith("linux"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def hand_over(announcement: str, module: str, *arguments: str) -> int:
    """Run a module of the project in its environment, and return its exit code."""
    path = ROOT.joinpath(*module.split("."))
    if not (path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()):
        raise Stop(f"This version of Battlemat has no '{module}' yet, so there is nothing to run.")
    say(announcement)
    command = [program(VENV, "python"), "-m", module, *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def play_demo() -> int:
    """Play the sample fights and say where their files lie."""
    if not has_display(sys.platform, os.environ):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    announcement = f"Playing the demo into {DEMO.name}/"
    code = hand_over(announcement, "gui.entry", "demo", "--out", DEMO.name)
    if code == 0:
        written = sorted(path for path in DEMO.rglob("*") if path.is_file())
        say(f"{DEMO.name}/ now holds {len(written)} files:")
        for path in written:
            say(f"  {path.relative_to(ROOT)}  ({path.stat().st_size / 1024:.0f} kB)")
    return code


def run_app() -> int:
    """Open the window; without a display, play the demo."""
    setup()
    if has_display(sys.platform, os.environ):
        return hand_over("Opening Battlemat", "gui.entry")
    say("There is no display here, so no window can open; the demo is played instead.")
    return play_demo()


def run_demo() -> int:
    """Install and play the demo."""
    setup()
    return play_demo()


def run_bench() -> int:
    """Print the table of benchmarks."""
    setup()
    return hand_over("Measuring", "tests.bench")


def run_setup() -> int:
    """Install and do nothing else."""
    setup()
    return 0


COMMANDS = {"setup": run_setup, "test": run_tests, "demo": run_demo, "bench": run_bench}


def main(arguments: Sequence[str]) -> int:
    """Run one command; a foreseen failure is a sentence, never a traceback."""
    parser = argparse.ArgumentParser(
        prog="start.py",
        description="Install what Battlemat needs into .venv, then open it; "
        "where there is no display, play the demo.",
        epilog="setup: only install. test: run every check. demo: play the sample fights. "
        "bench: print the benchmarks.",
    )
    parser.add_argument("command", nargs="?", choices=sorted(COMMANDS))
    chosen = parser.parse_args(arguments).command
    try:
        return COMMANDS[chosen]() if chosen else run_app()
    except Stop as stop:
        print(f"start.py: {stop}", file=sys.stderr, flush=True)
        return 1
    except KeyboardInterrupt:
        print("\nstart.py: stopped.", file=sys.stderr, flush=True)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
