"""Tell what a file is by its first bytes; its name is never trusted."""

import re
from enum import Enum

HEAD_BYTES = 65_536

_LFS_SIZE = re.compile(rb"^size (\d{1,18})$", re.MULTILINE)


class FileKind(Enum):
    """What the first bytes of a file look like."""

    EMPTY = "empty"
    JSON = "json"
    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"
    AVIF = "avif"
    GIF = "gif"
    SVG = "svg"
    HTML = "html"
    XML = "xml"
    LFS_POINTER = "lfs"
    ZIP = "zip"
    PDF = "pdf"
    SQLITE = "sqlite"
    UNKNOWN = "unknown"


PICTURES = frozenset({FileKind.PNG, FileKind.JPEG, FileKind.WEBP, FileKind.AVIF, FileKind.GIF})
"""The pictures that `engine.formats.pixels` decodes."""

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", FileKind.PNG),
    (b"\xff\xd8\xff", FileKind.JPEG),
    (b"GIF87a", FileKind.GIF),
    (b"GIF89a", FileKind.GIF),
    (b"PK\x03\x04", FileKind.ZIP),
    (b"PK\x05\x06", FileKind.ZIP),
    (b"%PDF-", FileKind.PDF),
    (b"SQLite format 3\x00", FileKind.SQLITE),
    (b"version https://git-lfs.github.com/spec/", FileKind.LFS_POINTER),
)
_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
    (b"\xef\xbb\xbf", "utf-8"),
)
_HTML = ("<!doctype html", "<html", "<head", "<body")


def sniff(head: bytes) -> FileKind:
    """Return what a file is that begins with `head` (its first HEAD_BYTES, or all of it)."""
    if not head:
        return FileKind.EMPTY
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return FileKind.WEBP
    if head[4:8] == b"ftyp" and (b"avif" in head[8:64] or b"avis" in head[8:64]):
        return FileKind.AVIF
    return _sniff_text(head)


def encoding_of(head: bytes) -> tuple[str, int]:
    """Return the encoding that a byte order mark names, and the mark's length; else UTF-8."""
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding, len(mark)
    return "utf-8", 0


def lfs_size(head: bytes) -> int | None:
    """Return the size in bytes that a Git LFS pointer gives for the file it stands for."""
    found = _LFS_SIZE.search(head)
    return int(found.group(1)) if found else None


def _sniff_text(head: bytes) -> FileKind:
    encoding, mark = encoding_of(head)
    text = head[mark:].decode(encoding, errors="replace").lstrip()
    if not text:
        return FileKind.EMPTY
    if text[0] in "{[":
        return FileKind.JSON
    lowered = text.lower()
    if lowered.startswith(_HTML):
        return FileKind.HTML
    if lowered.startswith("<"):
        if "<svg" in lowered:
            return FileKind.SVG
        return FileKind.HTML if "<html" in lowered else FileKind.XML
    return FileKind.UNKNOWN
