"""A small memory for what was computed from immutable values.

Values are told apart by identity: an unchanged part of an encounter is the same object from one
state to the next, and comparing or hashing a thousand walls would cost more than it saves.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from engine.model.value import FrozenMap, differing

K = TypeVar("K")
R = TypeVar("R")


class Kept(NamedTuple, Generic[R]):
    """A result beside what it was made from; holding the sources keeps their ids their own."""

    sources: tuple[Any, ...]
    result: R


class Memo(Generic[R]):
    """Remembers the results for the last few tuples of sources.

    `make` gets the latest result, to build upon, and the sources.
    """

    def __init__(self, make: Callable[..., R], size: int = 8) -> None:
        self._make = make
        self._size = size
        self._kept: OrderedDict[tuple[int, ...], Kept[R]] = OrderedDict()

    def __call__(self, *sources: Any) -> R:
        """Return the result for these sources."""
        key = tuple(map(id, sources))
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found.result
        latest = next(reversed(self._kept.values()), None)
        result = self._make(latest, *sources)
        self._kept[key] = Kept(sources, result)
        if len(self._kept) > self._size:
            self._kept.popitem(last=False)
        return result


def changes(old: FrozenMap[K, Any], new: FrozenMap[K, Any]) -> frozenset[K]:
    """Return the keys under which two maps do not hold the same object, remembered."""
    found: frozenset[K] = _CHANGES(old, new)
    return found


def _changes(
    _: Kept[frozenset[Any]] | None, old: FrozenMap[Any, Any], new: FrozenMap[Any, Any]
) -> frozenset[Any]:
    return differing(old, new)


_CHANGES: Memo[frozenset[Any]] = Memo(_changes, size=16)
