"""Files in the making: they have a name of their own until they are whole.

One that a killed process has left is taken away by the next run that makes such a file; one that
somebody is still writing is not, for its side file is locked as long as its maker lives.
"""

import contextlib
import glob
import uuid
from collections.abc import Iterator
from pathlib import Path

from engine.storage.lock import SIDE, WriteLock


@contextlib.contextmanager
def unfinished_file(folder: Path, name: str = "") -> Iterator[Path]:
    """Give a new empty file in a folder; whatever is left of it afterwards goes.

    `name` is what it will be called, where the folder also holds what is not ours.
    """
    _sweep(folder, name)
    place = folder / f"{_start(name)}{uuid.uuid4().hex}.tmp"
    # Before the file is there: nobody finds it without its lock.
    lock = WriteLock(place)
    try:
        place.open("xb").close()
        yield place
    finally:
        place.unlink(missing_ok=True)
        lock.release()


def _sweep(folder: Path, name: str) -> None:
    """Take away what dead runs have left; where nothing can be locked, nothing is."""
    pattern = f"{glob.escape(_start(name))}*.tmp"
    sides = (each.with_name(each.name.removesuffix(SIDE)) for each in folder.glob(pattern + SIDE))
    for left in {*folder.glob(pattern), *sides}:
        lock = WriteLock(left)
        if lock.held:
            with contextlib.suppress(OSError):
                left.unlink(missing_ok=True)
        lock.release()


def _start(name: str) -> str:
    return f".{name}." if name else "."
