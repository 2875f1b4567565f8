"""The size of a picture from its first bytes, and whether the file is whole.

Decoders allocate before anybody can ask them how much; so the size is read here, without one.
"""

import struct
import zlib
from collections.abc import Callable

from engine.formats.sniffing import FileKind

Size = tuple[int, int]
"""(width, height) in px."""


def header_size(data: bytes, kind: FileKind) -> Size | None:
    """Return the size that a picture's header claims, None if there is none to be found."""
    try:
        return _SIZES[kind](data) if kind in _SIZES else None
    except (struct.error, IndexError, ValueError):
        return None


def is_whole(data: bytes, kind: FileKind) -> bool:
    """Tell whether a picture file goes on to its end; GIF does not say."""
    try:
        return _ENDS[kind](data) if kind in _ENDS else True
    except (struct.error, IndexError):
        return False


def _png_size(data: bytes) -> Size | None:
    if data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _gif_size(data: bytes) -> Size:
    width, height = struct.unpack("<HH", data[6:10])
    return width, height


def _jpeg_size(data: bytes) -> Size | None:
    found = _jpeg_marker(data, lambda code: 0xC0 <= code <= 0xCF and code not in (0xC4, 0xC8, 0xCC))
    if found is None:
        return None
    height, width = struct.unpack(">HH", data[found + 5 : found + 9])
    return width, height


def _jpeg_marker(data: bytes, wanted: Callable[[int], bool]) -> int | None:
    """Return where the first wanted marker stands before the picture data end."""
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return None
        code = data[at + 1]
        if code == 0xFF:
            at += 1
        elif wanted(code):
            return at
        elif code == 0xDA:
            return None
        elif code == 0x01 or 0xD0 <= code <= 0xD8:
            at += 2
        else:
            at += 2 + int(struct.unpack(">H", data[at + 2 : at + 4])[0])
    return None


def _webp_size(data: bytes) -> Size | None:
    form = data[12:16]
    if form == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        height = int.from_bytes(data[27:30], "little") + 1
        return width, height
    if form == b"VP8L" and data[20] == 0x2F:
        bits = struct.unpack("<I", data[21:25])[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if form == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None


def _avif_size(data: bytes) -> Size | None:
    """Return the largest extent that any item of the file has."""
    sizes: list[Size] = []
    at = data.find(b"ispe")
    while at >= 0 and len(sizes) < 1000:
        sizes.append(struct.unpack(">II", data[at + 8 : at + 16]))
        at = data.find(b"ispe", at + 16, len(data))
    if not sizes:
        return None
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def _png_is_whole(data: bytes) -> bool:
    at = 8
    view = memoryview(data)
    while at + 12 <= len(data):
        length = int(struct.unpack(">I", view[at : at + 4])[0])
        end = at + 12 + length
        if end > len(data):
            return False
        if zlib.crc32(view[at + 4 : end - 4]) != struct.unpack(">I", view[end - 4 : end])[0]:
            return False
        if data[at + 4 : at + 8] == b"IEND":
            return True
        at = end
    return False


def _jpeg_is_whole(data: bytes) -> bool:
    scan = _jpeg_marker(data, lambda code: code == 0xDA)
    return scan is not None and data.find(b"\xff\xd9", scan) > 0


def _webp_is_whole(data: bytes) -> bool:
    return int(struct.unpack("<I", data[4:8])[0]) + 8 <= len(data)


def _avif_is_whole(data: bytes) -> bool:
    """Walk the boxes of the file; the last may have no size and reach to the end."""
    at = 0
    while at + 8 <= len(data):
        size = int(struct.unpack(">I", data[at : at + 4])[0])
        if size == 0:
            return True
        if size == 1:
            size = int(struct.unpack(">Q", data[at + 8 : at + 16])[0])
        if size < 8:
            return False
        at += size
    return at == len(data)


_SIZES: dict[FileKind, Callable[[bytes], Size | None]] = {
    FileKind.PNG: _png_size,
    FileKind.GIF: _gif_size,
    FileKind.JPEG: _jpeg_size,
    FileKind.WEBP: _webp_size,
    FileKind.AVIF: _avif_size,
}
_ENDS: dict[FileKind, Callable[[bytes], bool]] = {
    FileKind.PNG: _png_is_whole,
    FileKind.JPEG: _jpeg_is_whole,
    FileKind.WEBP: _webp_is_whole,
    FileKind.AVIF: _avif_is_whole,
}
