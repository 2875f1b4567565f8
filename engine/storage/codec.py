"""Encounters and records as canonical JSON, and back.

Canonical: keys sorted, no spaces, UTF-8, so one value has the same bytes in every process. What
comes back is untrusted: its size, its numbers and its kinds are bounded here, once for all files.
Where the bytes are kept is `document`'s affair.
"""

import json
import re
import sys
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from engine.events.event import Record
from engine.events.registry import CORE_EVENTS
from engine.model.encounter import BASE_KINDS, Encounter
from engine.model.evidence import LogEntry
from engine.model.refusal import FileProblem
from engine.model.value import FrozenMap, Kinds, Value

MAX_BYTES = 32 * 2**20
"""The most that one record or one encounter may have as JSON."""

MAX_DIGITS = 18
"""The most digits of a whole number; more of them have no meaning in any rule."""

PIECE = 64 * 2**10
"""About so many bytes are written at a time, which takes some 4 ms."""

_ENTRIES = 16
"""So many entries of a map are looked at together."""

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

_SUSPECT = re.compile(rb"[\[:,\"][ +-]*([0-9_]{%d,})(?=[\]},\". ])" % (MAX_DIGITS + 1))
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
    tree = _plain(value) if isinstance(value, Value) else [_plain(each) for each in value]
    data = _written(tree)
    _check_bounds(data)
    return data


def encode_in_pieces(value: Value) -> Iterator[bytes]:
    """Yield the canonical JSON of a value piece by piece, so that others may work in between.

    Together they are what `encode` returns, and they raise what it raises. Each has about PIECE
    bytes, unless there is a long field that is no map.
    """
    gathered = b""
    for data in _pieces(value):
        gathered += data
        if len(gathered) >= PIECE:
            _check_bounds(gathered)
            yield gathered
            gathered = b""
    _check_bounds(gathered)
    yield gathered


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


def pack_in_pieces(pieces: Iterable[bytes]) -> Generator[None, None, bytes]:
    """Return as `pack` does, each piece taken and packed in a turn of its own.

    Raises FileProblem as soon as they are more than MAX_BYTES together.
    """
    deflater = zlib.compressobj(6)
    packed: list[bytes] = []
    total = 0
    for piece in pieces:
        total += len(piece)
        _require_size(total)
        packed.append(deflater.compress(piece))
        yield
    return b"".join((*packed, deflater.flush()))


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


def _pieces(value: Value) -> Iterator[bytes]:
    before = b"{"
    for name in sorted(type(value).model_fields):
        yield before + _written(name) + b":"
        yield from _pieces_of_field(value, name)
        before = b","
    yield b"}"


def _pieces_of_field(value: Value, name: str) -> Iterator[bytes]:
    held = getattr(value, name)
    if isinstance(held, Value) and any(map(_is_long, held.__dict__.values())):
        yield from _pieces(held)
    elif _is_long(held):
        before, entries = b"{", iter(held.items())
        while some := dict(islice(entries, _ENTRIES)):
            part = value.changed(**{name: FrozenMap(some)})
            yield before + _written(_plain(part, name)[name])[1:-1]
            before = b","
        yield b"}"
    else:
        yield _written(_plain(value, name)[name])


def _is_long(held: object) -> bool:
    return isinstance(held, FrozenMap) and len(held) > _ENTRIES


def _plain(value: Value, *only: str) -> Any:
    """Return a value, or some of its fields, as what JSON knows."""
    try:
        return value.model_dump(mode="json", warnings=False, include=set(only) or None)
    except _UNREADABLE as error:
        raise _unwritable(error) from error


def _written(tree: Any) -> bytes:
    try:
        return json.dumps(
            tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        ).encode("utf-8")
    except _UNREADABLE as error:
        raise _unwritable(error) from error


def _unwritable(error: Exception) -> FileProblem:
    return FileProblem(f"a value cannot be written as JSON ({_clause(error)})")


def _decode(wanted: type[T], data: bytes, kinds: Kinds) -> T:
    _check_bounds(data)
    try:
        value: T = _READERS[wanted].validate_json(data, context=kinds.context())
    except _UNREADABLE as error:
        raise FileProblem(f"it is not valid ({_clause(error)})") from error
    # A number may also come in quotes, where a text of many digits is no fault.
    suspects = _suspects(data)
    if suspects and _holds(value, suspects):
        raise FileProblem(_TOO_LONG)
    return value


def _check_bounds(data: bytes) -> None:
    """Refuse what is too large, and whole numbers that are too long."""
    _require_size(len(data))
    # Digests and names may hold long runs of digits: only then look at each token.
    if _SUSPECT.search(data) and any(_HUGE.fullmatch(token) for token in _TOKEN.findall(data)):
        raise FileProblem(_TOO_LONG)


def _require_size(count: int) -> None:
    if count > MAX_BYTES:
        raise FileProblem(f"a value is larger than {MAX_BYTES // 2**20} MB")


def _suspects(data: bytes) -> frozenset[int]:
    """Return what is written with too many decimal digits, be it a number or a text.

    A validator takes no number of so many digits that `int` refuses them.
    """
    runs = {run.replace(b"_", b"") for run in _SUSPECT.findall(data)}
    numbers = {int(run) for run in runs if 0 < len(run) <= sys.int_info.default_max_str_digits}
    return frozenset(number for number in numbers if number > _LARGEST)


def _holds(value: object, numbers: frozenset[int]) -> bool:
    """Tell whether one of these whole numbers is anywhere in a value.

    Larger ones may be: the seen parts of a long wall are one number, written in another way.
    """
    if isinstance(value, int):
        return abs(value) in numbers
    if isinstance(value, Value):
        value = value.__dict__
    if isinstance(value, Mapping):
        return any(_holds(each, numbers) for pair in value.items() for each in pair)
    return isinstance(value, tuple | list) and any(_holds(each, numbers) for each in value)


def _clause(error: Exception) -> str:
    """Return the first thing that is wrong, on one line."""
    text = str(error)
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        text = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    line = " ".join(text.split())
    return line if len(line) <= 160 else line[:157] + "..."
