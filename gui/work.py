"""Long work off the window's thread: it shows that it runs, can be cancelled, blocks nothing."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal
from PySide6.QtWidgets import QProgressDialog, QWidget

from engine.model.refusal import FileProblem, Rejected

T = TypeVar("T")


class _Ends(QObject):
    done = Signal(object)
    failed = Signal(object)


class _Run(QRunnable):
    def __init__(self, work: Callable[[], object], ends: _Ends) -> None:
        super().__init__()
        self._work, self._ends = work, ends

    def run(self) -> None:
        """Do the work; whatever it raises is raised again where it was asked for."""
        try:
            result = self._work()
        except Exception as error:  # noqa: BLE001  handed on, not swallowed
            self._ends.failed.emit(error)
        else:
            self._ends.done.emit(result)


class Work(Generic[T]):
    """One piece of work: `then` gets its result, `sorry` the sentence of a file problem.

    Cancelled work runs to its end unseen; its result is dropped. Any other exception is raised
    in the window's thread, where the crash handler finds it.
    """

    def __init__(
        self,
        words: str,
        work: Callable[[], T],
        then: Callable[[T], object],
        sorry: Callable[[FileProblem], object],
        window: QWidget | None = None,
    ) -> None:
        self._then, self._sorry = then, sorry
        self.cancelled = False
        self.finished = False
        self._dialog = QProgressDialog(words, "Cancel", 0, 0, window)
        self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
        self._dialog.setMinimumDuration(300)
        self._dialog.setAutoClose(False)
        self._dialog.setAutoReset(False)
        self._dialog.canceled.connect(self.cancel)
        self._ends = _Ends()
        self._ends.done.connect(self._done)
        self._ends.failed.connect(self._failed)
        _running.add(self)
        QThreadPool.globalInstance().start(_Run(work, self._ends))

    def cancel(self) -> None:
        """Drop the work."""
        self.cancelled = True
        self._close()

    def _done(self, result: T) -> None:
        self._end()
        if not self.cancelled:
            self._then(result)

    def _failed(self, error: Exception) -> None:
        self._end()
        if self.cancelled:
            return
        if isinstance(error, Rejected):
            error = FileProblem(error.rejection.sentence)
        if not isinstance(error, FileProblem):
            raise error
        self._sorry(error)

    def _end(self) -> None:
        self.finished = True
        self._close()
        _running.discard(self)

    def _close(self) -> None:
        self._dialog.canceled.disconnect(self.cancel)
        self._dialog.hide()
        self._dialog.deleteLater()
        self._close = _nothing  # type: ignore[method-assign]  # once is enough


def _nothing() -> None:
    """Do nothing."""


_running: set[object] = set()
"""Keeps work alive that nobody holds."""
