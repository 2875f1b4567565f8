"""A look at a file before SQLite touches it.

Only plain bytes are read, nothing is believed. Never look at a file that this process has open in
SQLite: closing any handle on it would drop SQLite's locks (POSIX), see `document`.
"""

import struct
from pathlib import Path
from typing import NamedTuple

from engine.model.refusal import FileProblem
from engine.storage import schema
from engine.storage.disk import journal_of, size_or_zero

HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\x00"
_SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")


class Header(NamedTuple):
    """What the first 100 bytes of a document tell."""

    version: int
    pages: int


def sniff(path: Path) -> Header:
    """Return the header of a document; raise FileProblem for every other file."""
    name = path.name
    if path.is_dir():
        raise FileProblem(f"{name} is a folder, not an encounter.")
    if not path.is_file():
        raise FileProblem(f"{name} is no ordinary file.")  # a pipe would keep us waiting
    with path.open("rb") as file:
        head = file.read(HEADER_BYTES)
    if not head:
        raise FileProblem(f"{name} is empty.")
    if not head.startswith(_MAGIC[: len(head)]):
        raise FileProblem(f"{name} is not a Battlemat encounter.")
    if len(head) < HEADER_BYTES:
        raise FileProblem(f"{name} is cut short.")
    (application,) = struct.unpack_from(">I", head, 68)
    if application != schema.APPLICATION_ID:
        raise FileProblem(f"{name} is a database, but not a Battlemat encounter.")
    (version,) = struct.unpack_from(">I", head, 60)
    if version > schema.FORMAT:
        raise FileProblem(
            f"{name} was written by a newer Battlemat (format {version}; "
            f"this one reads up to {schema.FORMAT})."
        )
    (page_bytes, write_version, read_version, reserved) = struct.unpack_from(">HBBB", head, 16)
    (encoding,) = struct.unpack_from(">I", head, 56)
    form = (page_bytes, write_version, read_version, reserved, encoding)
    ours = form == (schema.PAGE_BYTES, 1, 1, 0, 1)
    if version not in schema.SCHEMAS or not ours:
        raise FileProblem(f"{name} was changed by another program; Battlemat does not open it.")
    (pages,) = struct.unpack_from(">I", head, 28)
    return Header(version, pages)


def require_whole(path: Path, header: Header) -> None:
    """Refuse a file that is shorter than its header says.

    Call it only as the writer and while there is nothing to take back: in the middle of a
    transaction the header may be ahead of the file.
    """
    if size_or_zero(path) < header.pages * schema.PAGE_BYTES:
        raise FileProblem(f"{path.name} is cut short.")


def has_unfinished(path: Path) -> bool:
    """Tell whether a transaction was cut off (or runs now) that SQLite has to take back."""
    return size_or_zero(journal_of(path)) > 0


def require_own_journal(path: Path) -> None:
    """Refuse a journal that names a further file: SQLite would delete what it names."""
    with journal_of(path).open("rb") as file:
        if file.read()[-8:] == _SUPER_JOURNAL:
            raise FileProblem(f"The journal beside {path.name} was not made by Battlemat.")
