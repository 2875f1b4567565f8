"""Strict JSON from files that nobody vouches for.

A file is read once, in pieces of KEEP bytes. Strings much longer than that (pictures) never reach
the JSON parser: they are decoded from base64 as they pass, and stand in the parsed value as short
names.
So the memory that a file of 1 GB takes is bounded by its picture and by MAX_STRUCTURE_BYTES.
Every fault is a FileProblem of one sentence.
"""

import codecs
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from engine.formats.base64_text import Base64Text
from engine.formats.sniffing import encoding_of
from engine.model.refusal import FileProblem

MAX_FILE_BYTES = 1024**3
MAX_STRUCTURE_BYTES = 32 * 1024 * 1024
MAX_CONTAINERS = 2_000_000
KEEP = 65_536

_MAX_INT_DIGITS = 18
_MAX_DIGITS = 400
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_WHOLE_STRINGS = re.compile(rb'(?:[^"]*+"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
_BODY = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)


class Json:
    """A parsed file: its `root`, and its long strings."""

    def __init__(self, root: Any, pictures: list[Base64Text]) -> None:
        self.root = root
        self._pictures = pictures

    def picture(self, value: str) -> bytes:
        """Return the bytes that a string of this file holds as base64; raise ValueError if none."""
        kept = re.fullmatch(r"\0(\d{1,9})", value)
        if kept and int(kept.group(1)) < len(self._pictures):
            return self._pictures[int(kept.group(1))].bytes()
        short = Base64Text()
        short.feed(value.encode("utf-8", errors="replace"))
        return short.bytes()


def read_json(path: Path) -> Json:
    """Read a JSON file; raise FileProblem if it is not one, or too large to be a map."""
    name = path.name
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise FileProblem(f"{name}: {size:,} bytes are more than a map may have (1 GB).")
        with path.open("rb") as stream:
            lifted = _Lifting(name, KEEP)
            for chunk in _utf8_chunks(stream, name):
                lifted.take(chunk)
    except OSError as problem:
        raise FileProblem(f"{name}: cannot be read ({problem.strerror}).") from problem
    return Json(_parse(lifted.structure(), name), lifted.pictures)


def parse_json(data: bytes, name: str) -> Any:
    """Return the value of a JSON text held in memory; raise FileProblem if it is not one."""
    lifted = _Lifting(name, MAX_STRUCTURE_BYTES)
    for chunk in _decoded((data,), data[:4], name):
        lifted.take(chunk)
    return _parse(lifted.structure(), name)


class _Lifting:
    """Tells structure from long strings in a stream of UTF-8."""

    def __init__(self, name: str, keep: int) -> None:
        self.pictures: list[Base64Text] = []
        self._name = name
        self._keep = keep
        self._structure = bytearray()
        self._carry = b""
        self._string: bytearray | None = None
        self._picture: Base64Text | None = None

    def take(self, chunk: bytes) -> None:
        """Take the next piece of the file."""
        chunk = self._carry + chunk
        self._carry = b""
        at = 0
        while at < len(chunk):
            at = self._outside(chunk, at) if self._string is None else self._inside(chunk, at)
        if len(self._structure) > MAX_STRUCTURE_BYTES:
            raise FileProblem(
                f"{self._name}: more than {MAX_STRUCTURE_BYTES // 1024**2} MB beside its picture, "
                "which is too much for one map."
            )

    def structure(self) -> str:
        """Return everything but the long strings."""
        if self._string is not None:
            raise FileProblem(_truncated(self._name))
        return self._structure.decode("utf-8")

    def _outside(self, chunk: bytes, at: int) -> int:
        whole = _WHOLE_STRINGS.match(chunk, at)
        quote = chunk.find(b'"', whole.end() if whole else at)
        if quote < 0:
            self._structure += chunk[at:]
            return len(chunk)
        self._structure += chunk[at : quote + 1]
        self._string = bytearray()
        return quote + 1

    def _inside(self, chunk: bytes, at: int) -> int:
        body = _BODY.match(chunk, at)
        end = body.end() if body else at
        self._add(chunk[at:end])
        if end == len(chunk):
            return end
        if chunk[end] == ord("\\"):  # the escape goes on in the next chunk
            self._carry = chunk[end:]
            return len(chunk)
        self._close()
        return end + 1

    def _add(self, piece: bytes) -> None:
        if self._picture is not None:
            self._picture.feed(piece)
            return
        if self._string is None:
            return
        self._string += piece
        if len(self._string) > self._keep:
            self._picture = Base64Text()
            self._picture.feed(bytes(self._string))

    def _close(self) -> None:
        if self._picture is not None:
            self._structure += b'\\u0000%d"' % len(self.pictures)
            self.pictures.append(self._picture)
        elif self._string is not None:
            self._structure += self._string + b'"'
        self._string = self._picture = None


def _utf8_chunks(stream: BinaryIO, name: str) -> Iterator[bytes]:
    head = stream.read(KEEP)

    def pieces() -> Iterator[bytes]:
        piece, left = head, MAX_FILE_BYTES
        while piece and left > 0:
            left -= len(piece)
            yield piece
            piece = stream.read(KEEP)

    return _decoded(pieces(), head, name)


def _decoded(
    pieces: Iterator[bytes] | tuple[bytes, ...], head: bytes, name: str
) -> Iterator[bytes]:
    """Yield the text as UTF-8 without its byte order mark, and refuse what is no text."""
    encoding, mark = encoding_of(head)
    decoder = codecs.getincrementaldecoder(encoding)()
    done = 0
    try:
        for piece in pieces:
            text = decoder.decode(piece[mark:] if done == 0 else piece)
            done += len(piece)
            yield text.encode("utf-8")
        decoder.decode(b"", final=True)
    except UnicodeError as problem:
        raise FileProblem(f"{name}: not a text, near byte {done:,} ({encoding}).") from problem


def _parse(text: str, name: str) -> Any:
    if text.count("[") + text.count("{") > MAX_CONTAINERS:
        raise FileProblem(f"{name}: holds more lists than a map may have ({MAX_CONTAINERS:,}).")
    try:
        value = json.loads(text, parse_constant=_constant, parse_float=_finite, parse_int=_integer)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as problem:
        if problem.pos >= len(text.rstrip()):
            raise FileProblem(_truncated(name)) from problem
        sentence = f"{name}: not JSON, line {problem.lineno:,}: {problem.msg}."
        raise FileProblem(sentence) from problem
    except UnicodeEncodeError as problem:
        raise FileProblem(f"{name}: holds half a character.") from problem
    except ValueError as problem:
        raise FileProblem(f"{name}: {problem}.") from problem
    except RecursionError as problem:
        raise FileProblem(f"{name}: lists nested too deeply for a map.") from problem
    except MemoryError as problem:
        raise FileProblem(f"{name}: too large for this computer's memory.") from problem
    return value


def _truncated(name: str) -> str:
    return f"{name}: ends in the middle; the file was cut off, copy or export it again."


def _constant(text: str) -> float:
    raise ValueError(f"holds {text}, which is no number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"holds {text[:20]}, which is too large a number")
    return number


def _integer(text: str) -> int | float:
    if len(text) <= _MAX_INT_DIGITS:
        return int(text)
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"holds a number of {len(text):,} digits")
    return _finite(text)
