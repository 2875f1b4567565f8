"""The right to write a document: an operating system lock on a side file.

The lock goes with the process, also after kill -9: a side file that was left behind is no
obstacle. It is taken away again on release. SQLite's own locks last for one statement only.
"""

import contextlib
import os
import sys
from pathlib import Path


class WriteLock:
    """The attempt to become the one writer of a file; `obstacle` says why it failed, or is ''.

    Where the file system has no locks, nobody writes.
    """

    def __init__(self, path: Path) -> None:
        self._place = path.with_name(path.name + ".lock")
        self._handle: int | None = None
        self.obstacle = ""
        try:
            self._handle = self._take()
        except (BlockingIOError, PermissionError) as error:
            elsewhere = isinstance(error, BlockingIOError) or self._place.exists()
            self.obstacle = "is open elsewhere" if elsewhere else "lies in a write-protected folder"
        except OSError:
            self.obstacle = "lies where files cannot be locked"

    @property
    def held(self) -> bool:
        """Tell whether this is the writer."""
        return self._handle is not None

    def release(self) -> None:
        """Give the right back; a second time does nothing."""
        if self._handle is None:
            return
        handle, self._handle = self._handle, None
        if sys.platform == "win32":
            os.close(handle)  # nobody can delete an open file there, so first close
            with contextlib.suppress(OSError):
                self._place.unlink()
        else:
            with contextlib.suppress(OSError):
                self._place.unlink()  # while held: whoever locked this file too looks again
            os.close(handle)

    def _take(self) -> int:
        """Lock the side file that has the name now, not one that was just taken away."""
        while True:
            handle = os.open(self._place, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                _lock(handle)
                with contextlib.suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(handle), self._place.stat()):
                        return handle
            except BaseException:
                os.close(handle)
                raise
            os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
