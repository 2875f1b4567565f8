"""Which tokens are selected, and which one the docks speak of; neither stored nor undone."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from engine.view import View


class Selection(QObject):
    """The selected tokens in the order in which they were taken; the last one is the focus."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the selected tokens, the focus last."""
        return self._ids

    @property
    def focus(self) -> str | None:
        """Return the token that sheet, actions and measures are about."""
        return self._ids[-1] if self._ids else None

    def set(self, ids: Iterable[str]) -> None:
        """Select exactly these."""
        wanted = tuple(dict.fromkeys(ids))
        if wanted != self._ids:
            self._ids = wanted
            self.changed.emit()

    def toggle(self, token_id: str) -> None:
        """Add a token, or take it out."""
        others = tuple(each for each in self._ids if each != token_id)
        self.set(others if token_id in self._ids else (*others, token_id))

    def add(self, ids: Iterable[str]) -> None:
        """Add tokens to those that are selected."""
        self.set((*self._ids, *ids))

    def keep(self, view: View | None) -> None:
        """Let go of tokens that are not there any more."""
        self.set(each for each in self._ids if view is not None and each in view.tokens)
