"""What happens when the program itself is wrong: nothing is lost, and the report can be sent.

Every acknowledged command is already on the disk, so the program goes on after a failed click; it
writes a report and says where it is. Refusals and bad files never come here.
"""

import platform
import sys
import traceback
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QStandardPaths, qVersion

Tell = Callable[[str], None]

REPORTS_KEPT = 20


def report_folder() -> Path:
    """Return the folder of the crash reports; it need not be there yet."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)
    return Path(place or ".") / "crashes"


def report_text(error: BaseException) -> str:
    """Return what a developer must know: versions and the way to the fault."""
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    facts = f"Battlemat, Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}"
    return f"{facts}\n\n{''.join(lines)}"


def write_report(error: BaseException, folder: Path) -> Path | None:
    """Write a report and return its path, or None if the disk refuses even that."""
    name = datetime.now().astimezone().strftime("crash-%Y%m%d-%H%M%S-%f.txt")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in sorted(folder.glob("crash-*.txt"))[: 1 - REPORTS_KEPT]:
            old.unlink(missing_ok=True)
        path = folder / name
        path.write_text(report_text(error), encoding="utf-8")
    except OSError:
        return None
    return path


def install(tell: Tell, folder: Path | None = None) -> Callable[[], None]:
    """Report every exception that nobody caught; return the function that stops it.

    Slots and event handlers of Qt end here too. The interrupt key still ends the program.
    """
    before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not issubclass(kind, Exception):
            before(kind, error, trace)
            return
        path = write_report(error, folder or report_folder())
        where = f" A report lies in {path}." if path is not None else ""
        tell(f"That went wrong inside Battlemat; the encounter is as it was.{where}")

    sys.excepthook = hook

    def stop() -> None:
        sys.excepthook = before

    return stop
