"""The right to write a document: an operating system lock on a side file.

The lock goes with the process, also after kill -9: a side file that was left behind is no
obstacle. It is taken away again on release. SQLite's own locks last for one statement only.
"""

import contextlib
import errno
import os
import sys
from pathlib import Path

SIDE = ".lock"
"""How the name of a side file ends."""


class WriteLock:
    """The attempt to become the one writer of a file; `obstacle` says why it failed, or is ''.

    Where the file system has no locks, nobody writes.
    """

    def __init__(self, path: Path) -> None:
        self._place = path.with_name(path.name + SIDE)
        self._handle: int | None = None
        self.obstacle = ""
        try:
            self._handle = self._take()
        except BlockingIOError:
            self.obstacle = "is open elsewhere"
        except OSError as error:
            protected = error.errno in (errno.EACCES, errno.EPERM, errno.EROFS)
            self.obstacle = (
                "lies in a write-protected folder"
                if protected
                else f"lies where files cannot be locked ({error.strerror})"
            )

    @property
    def held(self) -> bool:
        """Tell whether this is the writer."""
        return self._handle is not None

    def release(self) -> None:
        """Give the right back; a second time does nothing."""
        if self._handle is None:
            return
        handle, self._handle = self._handle, None
        # A file with something in it only has our name by chance.
        litter = os.fstat(handle).st_size == 0
        if sys.platform == "win32":
            os.close(handle)  # nobody can delete an open file there, so first close
            self._remove(litter)
        else:
            self._remove(litter)  # while held: whoever waits for this file looks again
            os.close(handle)

    def _remove(self, litter: bool) -> None:
        if litter:
            with contextlib.suppress(OSError):
                self._place.unlink()

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
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(str(error)) from error
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
