"""Where all tokens are, as numbers: a crowd is asked for in each exposed part of a frame."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Self

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from gui.canvas.items.token_item import TokenItem

_serials = count()


@dataclass(frozen=True, slots=True, eq=False)
class Discs:
    """Tokens, and in the same order the middles of their discs as (n, 2) scene coordinates.

    `changed` numbers the tokens that are elsewhere, or look otherwise, than in the one whose
    serial is `before`.
    """

    items: tuple[TokenItem, ...]
    numbers: Mapping[str, int]
    at: NDArray[np.float64]
    before: int | None = None
    changed: tuple[int, ...] = ()
    serial: int = field(default_factory=_serials.__next__)

    @classmethod
    def of(cls, items: Iterable[TokenItem]) -> Self:
        """Take down where some tokens are now."""
        kept = tuple(items)
        numbers = {item.token_id: number for number, item in enumerate(kept)}
        at = np.array([item.disc_at for item in kept], dtype=np.float64)
        return cls(kept, numbers, at.reshape(-1, 2))

    def moved(self, token_ids: Iterable[str]) -> "Discs":
        """Take down anew where these of the tokens are."""
        changed = tuple(self.numbers[each] for each in token_ids)
        at = self.at.copy()
        for number in changed:
            at[number] = self.items[number].disc_at
        return Discs(self.items, self.numbers, at, self.serial, changed)

    def within(self, rect: QRectF) -> list[int]:
        """Return the numbers of the discs whose middles lie in a scene rectangle."""
        low, high = rect.topLeft().toTuple(), rect.bottomRight().toTuple()
        inside = ((self.at > low) & (self.at < high)).all(axis=1)
        found: list[int] = np.flatnonzero(inside).tolist()
        return found
