"""Fields of a pydantic type in words: labels, units, bounds and choices come from the type.

The sheet dock, the dialog of the table rules and the settings of tools are drawn with it, for
every ruleset alike; the widgets stand in `editors.py`.
"""

import json
import types
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MaxLen
from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from engine.model.value import FrozenMap, Value

WIDEST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field: its name in the type, its words, and what it may be.

    `kind` is flag, whole, choice, words, counts, rows or text. `rows` are values of `row_type`;
    `text` reads and writes JSON where the value is not plain text; `longest` is its most letters.
    """

    name: str
    title: str
    help: str
    unit: str
    kind: str
    minimum: int = -WIDEST
    maximum: int = WIDEST
    choices: tuple[Any, ...] = ()
    optional: bool = False
    source: str = ""
    proposal: bool = False
    default: Any = None
    row_type: type[Value] | None = None
    longest: int | None = None
    labels: Mapping[str, str] = FrozenMap()

    def words(self, value: Any) -> str:
        """Return a value as people read it: by its label, where the type gives one."""
        return self.labels.get(str(value)) or choice_words(value)


def specs_of(value_type: type[Value]) -> tuple[FieldSpec, ...]:
    """Return the fields that people may edit, in the order of the type."""
    return tuple(
        _spec(name, info) for name, info in value_type.model_fields.items() if name != "kind"
    )


def _spec(name: str, info: FieldInfo) -> FieldSpec:
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    kind, choices, optional = _kind(info.annotation)
    low, high = _bounds(info)
    return FieldSpec(
        name=name,
        title=info.title or name.replace("_", " ").capitalize(),
        help=info.description or "",
        unit=str(extra.get("unit", "")),
        kind=kind,
        minimum=low,
        maximum=high,
        choices=choices,
        optional=optional,
        source=str(extra.get("source", "")),
        proposal=bool(extra.get("proposal", False)),
        default=None if info.is_required() else info.get_default(call_default_factory=True),
        row_type=_row_type(info.annotation),
        longest=next((rule.max_length for rule in info.metadata if isinstance(rule, MaxLen)), None),
        labels=_labels(extra),
    )


def _labels(extra: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the words of a field's values, as its declaration has them."""
    found = extra.get("labels")
    return FrozenMap(found) if isinstance(found, dict) else FrozenMap()


def _kind(annotation: Any) -> tuple[str, tuple[Any, ...], bool]:
    """Return how a type is edited, its choices, and whether None is allowed."""
    if get_origin(annotation) not in {Union, types.UnionType}:
        return *_plain_kind(annotation), False
    inner = [each for each in get_args(annotation) if each is not type(None)]
    optional = len(inner) < len(get_args(annotation))
    kind, choices = _plain_kind(inner[0]) if len(inner) == 1 else ("text", ())
    if optional and kind == "choice":
        choices = (None, *choices)
    elif optional and kind == "whole":
        kind = "text"  # a spin box cannot be empty
    return kind, choices, optional


def _plain_kind(annotation: Any) -> tuple[str, tuple[Any, ...]]:
    origin = get_origin(annotation)
    if origin is Literal:
        return "choice", get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "choice", tuple(annotation)
    if origin is tuple:
        return _tuple_kind(get_args(annotation)[0]), ()
    if origin is FrozenMap and get_args(annotation)[1] is int:
        return "counts", ()
    return {bool: "flag", int: "whole"}.get(annotation, "text"), ()


def _tuple_kind(inner: Any) -> str:
    if _row_type(tuple[inner, ...]) is not None:
        return "rows"
    is_word = inner is str or (isinstance(inner, type) and issubclass(inner, Enum))
    return "words" if is_word else "text"


def _row_type(annotation: Any) -> type[Value] | None:
    """Return the type of the values in a tuple of values, None for any other field."""
    arguments = get_args(annotation)
    if get_origin(annotation) is not tuple or len(arguments) != 2:
        return None
    inner = arguments[0]
    return inner if isinstance(inner, type) and issubclass(inner, Value) else None


def _bounds(info: FieldInfo) -> tuple[int, int]:
    low, high = -WIDEST, WIDEST
    for rule in info.metadata:
        if isinstance(rule, Ge) and isinstance(rule.ge, int):
            low = rule.ge
        elif isinstance(rule, Gt) and isinstance(rule.gt, int):
            low = rule.gt + 1
        elif isinstance(rule, Le) and isinstance(rule.le, int):
            high = rule.le
        elif isinstance(rule, Lt) and isinstance(rule.lt, int):
            high = rule.lt - 1
    return low, high


def words_of(value: Any) -> str:
    """Return a value as people read and type it."""
    if isinstance(value, str):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, (int, float, Fraction)):
        return str(value)
    if value is None:
        return ""
    if isinstance(value, FrozenMap):
        return ", ".join(f"{choice_words(name)} {count}" for name, count in value.items())
    if isinstance(value, tuple) and all(isinstance(each, str) for each in value):
        return ", ".join(choice_words(each) for each in value)
    plain = TypeAdapter(type(value)).dump_python(value, mode="json")
    return json.dumps(plain, ensure_ascii=False)


def choice_words(value: Any) -> str:
    """Return a choice's value as words."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value.value if isinstance(value, Enum) else value
    return str(text).replace("_", " ")


def read_words(text: str) -> tuple[str, ...]:
    """Read what is written with commas between."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def read_counts(text: str) -> dict[str, int]:
    """Read "fire 1, cold 2"; a name without a number counts once. Raise ValueError otherwise."""
    counts = {}
    for part in read_words(text):
        name, _, number = part.rpartition(" ")
        if not name:
            name, number = number, "1"
        counts[name.strip()] = int(number)
    return counts
