"""Encounters and records as canonical JSON, and back.

Canonical: keys sorted, no spaces, UTF-8, so one value has the same bytes in every process. What
comes back is untrusted: its size, its numbers and its kinds are bounded here, once for all files.
Where the bytes are kept is `document`'s affair.
"""

import json
import re
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from engine.events.event import Record
from engine.events.registry import CORE_EVENTS
from engine.model.encounter import BASE_KINDS, Encounter
from engine.model.evidence import LogEntry
from engine.model.refusal import FileProblem
from engine.model.value import Kinds, Value

MAX_BYTES = 32 * 2**20
"""The most that one record or one encounter may have as JSON."""

MAX_DIGITS = 18
"""The most digits of a whole number; more of them have no meaning in any rule."""

_LARGEST = int("9" * MAX_DIGITS)
_TOO_LONG = f"a number has more than {MAX_DIGITS} digits"

T = TypeVar("T")

_UNREADABLE = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    zlib.error,
)
"""What a validator may raise on a value that nobody would write."""

_SUSPECT = re.compile(rb"[\[:,\"][ +-]*[0-9_]{%d,}[\]},\". ]" % (MAX_DIGITS + 1))
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?[0-9][^,\]}\s]*')
_HUGE = re.compile(rb"-?[0-9]{%d,}" % (MAX_DIGITS + 1))

_READERS: dict[Any, TypeAdapter[Any]] = {
    each: TypeAdapter(each) for each in (Encounter, Record, tuple[LogEntry, ...])
}


def all_kinds(ruleset: Kinds) -> Kinds:
    """Return the kinds that a document may hold: the shared ones and the ruleset's own.

    Shared kinds may already be among the ruleset's; two different types of one kind raise
    ValueError.
    """
    shared = (*BASE_KINDS.values(), *CORE_EVENTS.values())
    return Kinds(*dict.fromkeys((*shared, *ruleset.values())))


def encode(value: Value | Iterable[Value]) -> bytes:
    """Return the canonical JSON of a value, or of several as an array.

    Raises FileProblem for what could not be read back: numbers that are not finite or too long,
    text that is no Unicode, more than MAX_BYTES. Values of a wrong type are written all the same:
    whoever needs to know reads them back.
    """
    try:
        tree: Any
        if isinstance(value, Value):
            tree = value.model_dump(mode="json", warnings=False)
        else:
            tree = [each.model_dump(mode="json", warnings=False) for each in value]
        text = json.dumps(
            tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        data = text.encode("utf-8")
    except _UNREADABLE as error:
        raise FileProblem(f"a value cannot be written as JSON ({_clause(error)})") from error
    _check_bounds(data)
    return data


def decode_encounter(data: bytes, kinds: Kinds) -> Encounter:
    """Return the encounter of this JSON; raise FileProblem where it is none."""
    return _decode(Encounter, data, kinds)


def decode_record(data: bytes, kinds: Kinds) -> Record:
    """Return the record of this JSON; raise FileProblem where it is none."""
    return _decode(Record, data, kinds)


def decode_log(data: bytes, kinds: Kinds) -> tuple[LogEntry, ...]:
    """Return the log entries of this JSON array; raise FileProblem where it is none."""
    return _decode(tuple[LogEntry, ...], data, kinds)


def pack(data: bytes) -> bytes:
    """Return JSON as it lies in the file: zlib, whose checksum also tells damage."""
    return zlib.compress(data, 6)


def unpack(blob: object) -> bytes:
    """Return what `pack` was given; raise FileProblem for damage and for bombs."""
    if not isinstance(blob, bytes):
        raise FileProblem("packed data is missing")
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(blob, MAX_BYTES + 1)
    except zlib.error as error:
        raise FileProblem("packed data is damaged") from error
    if len(data) > MAX_BYTES:
        raise FileProblem("packed data is too large")
    if not inflater.eof or inflater.unused_data:
        raise FileProblem("packed data is damaged")
    return data


def _decode(wanted: type[T], data: bytes, kinds: Kinds) -> T:
    _check_bounds(data)
    try:
        value: T = _READERS[wanted].validate_json(data, context=kinds.context())
    except _UNREADABLE as error:
        raise FileProblem(f"it is not valid ({_clause(error)})") from error
    # A number may also come in quotes, where a text of many digits is no fault.
    if _SUSPECT.search(data) and _has_huge(value):
        raise FileProblem(_TOO_LONG)
    return value


def _check_bounds(data: bytes) -> None:
    """Refuse what is too large, and whole numbers that are too long."""
    if len(data) > MAX_BYTES:
        raise FileProblem(f"a value is larger than {MAX_BYTES // 2**20} MB")
    # Digests and names may hold long runs of digits: only then look at each token.
    if _SUSPECT.search(data) and any(_HUGE.fullmatch(token) for token in _TOKEN.findall(data)):
        raise FileProblem(_TOO_LONG)


def _has_huge(value: object) -> bool:
    """Tell whether there is a whole number that is too long anywhere in a value."""
    if isinstance(value, int):
        return abs(value) > _LARGEST
    if isinstance(value, Value):
        value = value.__dict__
    if isinstance(value, Mapping):
        return any(_has_huge(each) for pair in value.items() for each in pair)
    return isinstance(value, tuple | list) and any(_has_huge(each) for each in value)


def _clause(error: Exception) -> str:
    """Return the first thing that is wrong, on one line."""
    text = str(error)
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        text = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    line = " ".join(text.split())
    return line if len(line) <= 160 else line[:157] + "..."
