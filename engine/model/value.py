"""The base of every value: frozen, closed, comparable.

Only mechanics stand here: immutability, maps that cannot be changed, and values told apart by
`kind`. What a fight consists of stands in the modules beside this one.
"""

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from itertools import compress
from operator import is_not, itemgetter
from typing import Annotated, Any, Generic, Self, TypeVar, get_args, overload

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, core_schema
from typing_extensions import override

_KEY = itemgetter(0)

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

Color = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
"""A colour, #rrggbb."""


class Value(BaseModel):
    """An immutable value; equal when all fields are equal."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    def changed(self, **fields: Any) -> Self:
        """Return a copy with these fields replaced.

        The new field values are trusted, as pydantic's own copy trusts them; an unknown name
        raises AttributeError. `engine.check` finds what was trusted wrongly.
        """
        for name in fields:
            if name not in type(self).model_fields:
                raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        return self.model_copy(update=fields)


class FrozenMap(Mapping[K, V], Generic[K, V]):
    """A map that cannot be changed, always in key order; `put` and `without` return new maps.

    Key order makes iteration the same in every process, so two runs draw, number and serialise
    alike. Serialises as a plain object.
    """

    __slots__ = ("_hash", "_items")

    def __init__(self, items: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        pairs = dict(items)
        self._items: dict[K, V] = dict(sorted(pairs.items(), key=_KEY))
        self._hash: int | None = None

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Validate from any mapping, keep maps that are already valid, serialise as a dict."""
        arguments = get_args(source) or (Any, Any)
        inner = handler.generate_schema(dict[arguments[0], arguments[1]])  # type: ignore[valid-type]  # built at run time
        return core_schema.no_info_wrap_validator_function(
            cls._validate,
            inner,
            serialization=core_schema.wrap_serializer_function_ser_schema(
                lambda value, serialise: serialise(value._items), schema=inner
            ),
        )

    def put(self, key: K, value: V) -> "FrozenMap[K, V]":
        """Return a map that also holds `value` under `key`."""
        if key in self._items:
            return self._of({**self._items, key: value})
        return FrozenMap({**self._items, key: value})

    def put_all(self, items: Mapping[K, V]) -> "FrozenMap[K, V]":
        """Return a map that also holds all `items`."""
        if not items:
            return self
        if items.keys() <= self._items.keys():
            return self._of({**self._items, **items})
        return FrozenMap({**self._items, **items})

    def without(self, *keys: K) -> "FrozenMap[K, V]":
        """Return a map that lacks `keys`; keys that are not there are no fault."""
        gone = set(keys) & self._items.keys()
        if not gone:
            return self
        return self._of({k: v for k, v in self._items.items() if k not in gone})

    @overload
    def get(self, key: K, /) -> V | None: ...
    @overload
    def get(self, key: K, /, default: V | T) -> V | T: ...
    @override
    def get(self, key: K, /, default: V | T | None = None) -> V | T | None:
        return self._items.get(key, default)

    @override
    def keys(self) -> KeysView[K]:
        return self._items.keys()

    @override
    def values(self) -> ValuesView[V]:
        return self._items.values()

    @override
    def items(self) -> ItemsView[K, V]:
        return self._items.items()

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, FrozenMap) and self._items == other._items

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self._items.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"FrozenMap({self._items!r})"

    def __reduce__(self) -> tuple[type, tuple[dict[K, V]]]:
        return (FrozenMap, (self._items,))

    @classmethod
    def _of(cls, items: dict[K, V]) -> "FrozenMap[K, V]":
        """Wrap a dict that is already in key order."""
        made: FrozenMap[K, V] = cls.__new__(cls)
        made._items = items
        made._hash = None
        return made

    @classmethod
    def _validate(cls, value: Any, handler: Any) -> "FrozenMap[K, V]":
        if isinstance(value, FrozenMap):
            return value
        return FrozenMap(handler(value))


def differing(old: "FrozenMap[K, V]", new: "FrozenMap[K, V]") -> frozenset[K]:
    """Return the keys under which two maps do not hold the same object."""
    if old is new:
        return frozenset()
    before, after = old._items, new._items
    if len(before) == len(after) and list(before) == list(after):
        return frozenset(compress(after, map(is_not, before.values(), after.values())))
    found = [key for key, value in after.items() if before.get(key) is not value]
    if len(before) + sum(key not in before for key in found) != len(after):
        found += [key for key in before if key not in after]
    return frozenset(found)


class Kinds(Mapping[str, type[Value]]):
    """Value types by the `kind` that names them in files and commands."""

    def __init__(self, *types: type[Value]) -> None:
        self._types: dict[str, type[Value]] = {}
        for each in types:
            kind = each.model_fields["kind"].default
            if kind in self._types:
                raise ValueError(f"two types are called {kind!r}")
            self._types[kind] = each

    def __or__(self, other: "Kinds") -> "Kinds":
        return Kinds(*self._types.values(), *other._types.values())

    def __getitem__(self, kind: str) -> type[Value]:
        return self._types[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._types)

    def __len__(self) -> int:
        return len(self._types)

    def context(self) -> dict[str, "Kinds"]:
        """Return the validation context that fields made with `by_kind` ask for."""
        return {"kinds": self}


FEW = 40
"""Not more kinds than these are listed in a complaint."""


def by_kind(base: type[V]) -> Any:
    """Return a validator that turns {"kind": ...} into the type of that kind, below `base`.

    The types come from the validation context (`Kinds.context`); only the ruleset of the document
    at hand is in it, so nobody else's types can be named by a file.
    """

    def validate(value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, base) or not isinstance(value, Mapping):
            return value
        kinds: Kinds | dict[str, type[Value]] = (info.context or {}).get("kinds", {})
        kind = value.get("kind")
        found = kinds.get(kind) if isinstance(kind, str) else None
        if found is None or not issubclass(found, base):
            fitting = [name for name, each in kinds.items() if issubclass(each, base)]
            known = f"; there are {', '.join(sorted(fitting))}" if len(fitting) <= FEW else ""
            raise ValueError(f"{kind!r} is no kind of {base.__name__}{known}")
        return found.model_validate(value, context=info.context)

    return validate
