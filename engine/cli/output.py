"""How the command line speaks: plain values, refusals, progress.

Output for people by default, JSON on demand; nothing here decides anything.
"""

import dataclasses
import io
import json
import logging
import sys
from collections.abc import Iterable, Mapping
from enum import Enum
from fractions import Fraction
from typing import Any

from pydantic import BaseModel
from typing_extensions import override

from engine.model.evidence import Modifier
from engine.model.refusal import Rejection

_UNSEEN = (
    *range(0x20),
    *range(0x7F, 0xA0),
    *range(0x2028, 0x202F),  # line ends, and marks that turn the direction of writing
    *range(0x2066, 0x206A),
)
_VISIBLE = {code: f"\\u{code:04x}" for code in _UNSEEN} | {ord(space): " " for space in "\t\n\r"}
"""Names come from strangers' files: nothing in them may steer a terminal or break a line."""


def ready_streams() -> None:
    """Make the output UTF-8 whatever the locale says, and a closed stream a silent one."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.StringIO())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


class _InSentences(logging.Handler):
    """Tells what the engine logs in one line, without its traceback."""

    @override
    def emit(self, record: logging.LogRecord) -> None:
        print(one_line(record.getMessage()), file=sys.stderr)


_IN_SENTENCES = _InSentences(logging.WARNING)


def log_in_sentences() -> None:
    """Keep tracebacks of what the engine could mend by itself from people."""
    logging.getLogger("engine").addHandler(_IN_SENTENCES)


def one_line(text: str) -> str:
    """Return a text as one line without any control characters."""
    return text.translate(_VISIBLE)


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
        print(one_line(line))


def say_table(rows: Iterable[tuple[str, ...]]) -> None:
    """Print rows in aligned columns."""
    table = [tuple(one_line(cell) for cell in row) for row in rows]
    if not table:
        return
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())


def say_refused(rejection: Rejection, *, as_object: bool) -> None:
    """Print a refusal to stderr, as a sentence or as an object."""
    text = as_json(rejection) if as_object else one_line(rejection.sentence)
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
