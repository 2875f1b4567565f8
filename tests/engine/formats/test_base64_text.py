"""Base64 in pieces: prefix, white space, escapes and padding are forgiven, rubbish is not."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.formats import base64_text
from engine.formats.base64_text import Base64Text


def read(text: str, piece: int = 10_000) -> bytes:
    reader = Base64Text()
    body = text.encode()
    for at in range(0, len(body), piece):
        reader.feed(body[at : at + piece])
    return reader.bytes()


@given(st.binary(max_size=600), st.integers(1, 50))
def test_pieces_of_any_length_give_the_same(data: bytes, piece: int):
    assert read(base64.b64encode(data).decode(), piece) == data


@given(st.binary(max_size=300), st.integers(1, 50))
def test_prefix_white_space_and_escapes_are_dropped(data: bytes, piece: int):
    wrapped = base64.encodebytes(data).decode().replace("/", "\\/").replace("\n", "\\r\\n")
    assert read("data:image/webp;base64," + wrapped, piece) == data
    assert read(" \\n" + wrapped.replace("+", "\\u002b"), piece) == data


@given(st.binary(min_size=1, max_size=300))
def test_missing_padding_is_added(data: bytes):
    assert read(base64.b64encode(data).decode().rstrip("=")) == data


def test_nothing_is_nothing():
    assert read("") == b""


@pytest.mark.parametrize(
    "text", ["not base64!", "QUJD=QUJD", "QUJDR", "QUJD\\", "\u00e4\u00f6\u00fc"]
)
def test_rubbish_is_refused(text: str):
    with pytest.raises(ValueError, match="is not base64"):
        read(text)


def test_more_than_the_cap_is_refused_and_dropped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(base64_text, "MAX_BYTES", 100)
    with pytest.raises(ValueError, match="larger than"):
        read("QUJD" * 100, piece=40)
