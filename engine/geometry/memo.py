"""A small memory for what was computed from an immutable value.

Values are told apart by identity: an unchanged part of an encounter is the same object from one
state to the next, and comparing or hashing a thousand walls would cost more than it saves.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

S = TypeVar("S")
R = TypeVar("R")


class Memo(Generic[S, R]):
    """Remembers the results for the last few sources; holding a source keeps its id its own."""

    def __init__(self, make: Callable[[S, R | None, S | None], R], size: int = 8) -> None:
        """`make` gets the source, and the latest result with its source, to build upon."""
        self._make = make
        self._size = size
        self._kept: OrderedDict[int, tuple[S, R]] = OrderedDict()

    def __call__(self, source: S) -> R:
        """Return the result for a source."""
        key = id(source)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][1]
        latest = next(reversed(self._kept.values()), None)
        result = self._make(
            source, latest[1] if latest is not None else None, latest[0] if latest else None
        )
        self._kept[key] = (source, result)
        if len(self._kept) > self._size:
            self._kept.popitem(last=False)
        return result
