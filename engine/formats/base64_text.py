"""Decode base64 that arrives in pieces, so that a picture of any size is held in memory once."""

import binascii
import io
import re

MAX_BYTES = 512 * 1024 * 1024
"""The largest picture that is taken in; real ones end at 40 MB."""

_PREFIX_BYTES = 256
_PREFIX = re.compile(rb"data:[^,]*,")
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|([^u]))")
_CUT_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?$")
_PLAIN = {b"/": b"/", b"n": b"\n", b"r": b"\r", b"t": b"\t"}


class Base64Text:
    """The body of a JSON string in base64: `feed` it piece by piece, then ask for its `bytes`.

    A `data:` prefix, white space, JSON escapes and missing padding are forgiven.
    """

    def __init__(self) -> None:
        self._out = io.BytesIO()
        self._escaped = b""
        self._pending = b""
        self._begun = False
        self._problem = ""

    def feed(self, piece: bytes) -> None:
        """Take the next piece of the string's body, as it stands between the quotes."""
        if self._problem:
            return
        body = self._escaped + piece
        self._escaped = b""
        if b"\\" in body:
            if cut := _CUT_ESCAPE.search(body):
                self._escaped = body[cut.start() :]
                body = body[: cut.start()]
            body = _ESCAPE.sub(_unescape, body)
        self._pending += body.translate(None, b" \t\r\n\f")
        if self._begun or len(self._pending) >= _PREFIX_BYTES:
            self._begin()
            self._decode(keep=4)

    def bytes(self) -> bytes:
        """Return everything decoded; raise ValueError, with the rest of a sentence, if broken."""
        self._begin()
        self._pending = self._pending.rstrip(b"=")
        self._pending += b"=" * (-len(self._pending) % 4)
        self._decode(keep=0)
        if self._problem or self._escaped:
            raise ValueError(self._problem or "is not base64")
        return self._out.getvalue()

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            self._pending = _PREFIX.sub(b"", self._pending, count=1)

    def _decode(self, *, keep: int) -> None:
        """Decode all whole groups of four but the last `keep` characters, which may be padding."""
        usable = max(0, len(self._pending) - keep) // 4 * 4
        group, self._pending = self._pending[:usable], self._pending[usable:]
        try:
            self._out.write(binascii.a2b_base64(group, strict_mode=True))
        except binascii.Error:
            self._problem = "is not base64"
        if self._out.tell() > MAX_BYTES:
            self._problem = f"is larger than {MAX_BYTES // 1024**2} MB"
        if self._problem:
            self._out = io.BytesIO()


def _unescape(found: re.Match[bytes]) -> bytes:
    if code := found.group(1):
        return chr(int(code, 16)).encode("utf-8", errors="replace")
    return _PLAIN.get(found.group(2), found.group(0))
