"""Read single values of other tools' files, which are often of the wrong type.

Each function returns None (or the default) for what cannot be understood and never raises. A list
of one element stands for the element: a known converter writes `"closed": [true]`.
"""

import re
from collections.abc import Mapping
from typing import Any

from engine.model.space import Point

LIMIT = 1e7
"""Coordinates and lengths beyond this are no map's."""

_HEX = re.compile(r"(?:#|0x)?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)
_FALSE = frozenset({"false", "0", "no", "off", "none"})
_TRUE = frozenset({"true", "1", "yes", "on"})


def number(value: Any) -> float | None:
    """Return a finite number up to LIMIT, also from "12.5"; None for anything else."""
    value = _sole(value)
    if isinstance(value, str):
        try:
            value = float(value) if len(value) < 64 else None
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if -LIMIT <= value <= LIMIT else None


def flag(value: Any, default: bool) -> bool:
    """Return a truth value, also from "false", 0 or [true]."""
    value = _sole(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value != 0
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _FALSE or word in _TRUE:
            return word in _TRUE
    return default


def point(value: Any) -> Point | None:
    """Return a point from {"x": 1, "y": 2} or [1, 2]."""
    if isinstance(value, Mapping):
        x, y = number(value.get("x")), number(value.get("y"))
    elif isinstance(value, list) and len(value) == 2:
        x, y = number(value[0]), number(value[1])
    else:
        return None
    return None if x is None or y is None else (x, y)


def argb(value: Any, default: str = "#ffffff") -> str:
    """Return "#rrggbb" from a colour with alpha first: "ffeccd8b", "#fff", 4293709195."""
    value = _sole(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 0xFFFFFFFF:
        value = f"{value:08x}"
    found = _HEX.fullmatch(value.strip()) if isinstance(value, str) else None
    if not found:
        return default
    digits = found.group(1).lower()
    if len(digits) < 6:
        digits = "".join(2 * digit for digit in digits)
    return "#" + digits[-6:]


def entries(value: Any) -> list[Any]:
    """Return a list as it is, anything else as an empty one."""
    return value if isinstance(value, list) else []


def fields(value: Any) -> Mapping[str, Any]:
    """Return an object as it is, anything else as an empty one."""
    return value if isinstance(value, Mapping) else {}


def _sole(value: Any) -> Any:
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value
