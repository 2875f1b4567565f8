"""How the command line speaks: plain values, refusals, progress.

Output for people by default, JSON on demand; nothing here decides anything.
"""

import dataclasses
import json
import sys
from collections.abc import Iterable, Mapping
from enum import Enum
from fractions import Fraction
from typing import Any

from pydantic import BaseModel

from engine.model.evidence import Modifier
from engine.model.refusal import Rejection


def jsonable(value: Any) -> Any:
    """Turn any value of the engine into what JSON can hold."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: jsonable(getattr(value, field.name)) for field in fields}
    if isinstance(value, Mapping):
        return {_key(key): jsonable(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [jsonable(each) for each in value]
    return _plain(value)


def as_json(value: Any) -> str:
    """Return one canonical JSON line: the same bytes in every process."""
    return json.dumps(jsonable(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def say_json(value: Any) -> None:
    """Print one JSON document."""
    print(as_json(value))


def say(*lines: str) -> None:
    """Print lines for people."""
    for line in lines:
        print(line)


def say_table(rows: Iterable[tuple[str, ...]]) -> None:
    """Print rows in aligned columns."""
    table = [tuple(row) for row in rows]
    if not table:
        return
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())


def say_refused(rejection: Rejection, *, as_object: bool) -> None:
    """Print a refusal to stderr, as a sentence or as an object."""
    text = as_json(rejection) if as_object else rejection.sentence
    print(text, file=sys.stderr)


def modifier_line(modifier: Modifier) -> tuple[str, str]:
    """Return a modifier as (what, how much)."""
    amount = modifier.text or (f"{modifier.value:+d}" if modifier.value is not None else "")
    return modifier.label + (" [proposal]" if modifier.proposal else ""), amount


def percent(chance: Fraction) -> str:
    """Return a chance for people: per cent with one digit, and the exact fraction."""
    return f"{float(chance * 100):.1f} % ({chance})"


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction):
        return str(value)
    return value.hex() if isinstance(value, bytes) else value


def _key(key: Any) -> str:
    return key if isinstance(key, str) else ",".join(str(part) for part in key)
