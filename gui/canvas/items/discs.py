"""Where all tokens are, as numbers: a crowd of them is asked for in each exposed part of a frame."""

from collections.abc import Iterable
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from gui.canvas.items.token_item import TokenItem


class Discs(NamedTuple):
    """Tokens, and in the same order the middles of their discs as (n, 2) scene coordinates."""

    items: tuple[TokenItem, ...]
    at: NDArray[np.float64]

    @classmethod
    def of(cls, items: Iterable[TokenItem]) -> Self:
        """Take down where some tokens are now."""
        kept = tuple(items)
        at = np.array([item.disc_at for item in kept], dtype=np.float64)
        return cls(kept, at.reshape(-1, 2))

    def within(self, rect: QRectF) -> list[int]:
        """Return the numbers of the discs whose middles lie in a scene rectangle."""
        low, high = rect.topLeft().toTuple(), rect.bottomRight().toTuple()
        inside = ((self.at > low) & (self.at < high)).all(axis=1)
        found: list[int] = np.flatnonzero(inside).tolist()
        return found
