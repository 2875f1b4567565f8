"""JSON of strangers: strict, bounded, and every fault one sentence."""

import codecs
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.formats import safe_json
from engine.formats.safe_json import parse_json, read_json
from engine.model.refusal import FileProblem
from tests.helpers.maps import base64_of, saved

BAD = {
    "NaN": (b'{"x": NaN}', "holds NaN"),
    "Infinity": (b'{"x": -Infinity}', "holds -Infinity"),
    "1e999": (b'{"x": 1e999}', "too large a number"),
    "-1e999": (b'{"x": -1e999}', "too large a number"),
    "5,000 digits": (b"[" + b"7" * 5000 + b"]", "number of 5,000 digits"),
    "depth 100,000": (b"[" * 100_000, "nested too deeply"),
    "objects 100,000 deep": (b'{"a":' * 100_000, "nested too deeply"),
    "cut in a list": (b'{"x": [1, 2', "cut off"),
    "cut in a string": (b'{"x": "abc', "cut off"),
    "cut in an escape": (b'{"x": "abc\\', "cut off"),
    "half an emoji": (b'{"x": "\\ud83d."}', "holds half a character"),
    "two values": (b"{} {}", "line 1"),
    "stray comma": (b'{"x": 1,\n\n}', "line 3"),
    "no text": (b"{\xff\xfe\x00}", "near byte"),
    "half a character": (b'{"a": 1}\xc3', "not a text"),
    "UTF-16 cut in half": (codecs.BOM_UTF16_LE + b"{\x00}", "not a text"),
}


@pytest.mark.parametrize("case", BAD)
def test_fault_is_one_sentence_with_the_files_name(case: str, tmp_path: Path):
    content, part = BAD[case]
    with pytest.raises(FileProblem, match=part) as refused:
        read_json(saved(tmp_path, content, "x.json"))
    assert str(refused.value).startswith("x.json: ")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_with_a_mark_are_read(encoding: str, tmp_path: Path):
    path = saved(tmp_path, '{"name": "Gruft \u00df \U0001f480"}'.encode(encoding))
    assert read_json(path).root == {"name": "Gruft \u00df \U0001f480"}


def test_last_of_two_keys_wins():
    assert parse_json(b'{"a": 1, "a": 2}', "x") == {"a": 2}


def test_numbers_of_many_digits_are_read_as_floats():
    assert parse_json(b"[123456789012345678901234567890]", "x") == [
        123456789012345678901234567890.0
    ]


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**17), 10**17)
        | st.text()
        | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_whatever_json_writes_is_read_the_same(value: Any):
    assert parse_json(json.dumps(value).encode(), "x") == value
    assert parse_json(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), "x") == (
        json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    )


@pytest.mark.parametrize("chunk", [5, 6, 7, 30, 64, 200])
def test_long_strings_are_lifted_wherever_the_pieces_end(
    chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(safe_json, "KEEP", chunk)
    data = bytes(range(256)) * 2
    text = json.dumps({"a": 'q"\\', "image": base64_of(data), "z": [1, "\\\\"]})
    path = saved(tmp_path, text.replace("/", "\\/"))
    lifted = read_json(path)
    assert lifted.root["a"] == 'q"\\'
    assert lifted.root["z"] == [1, "\\\\"]
    assert len(lifted.root["image"]) < 10
    assert lifted.picture(lifted.root["image"]) == data


def test_structure_of_more_than_the_cap_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(safe_json, "MAX_STRUCTURE_BYTES", 1000)
    with pytest.raises(FileProblem, match="too much for one map"):
        read_json(saved(tmp_path, "[" + "0," * 1000 + "0]"))


def test_more_lists_than_the_cap_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(safe_json, "MAX_CONTAINERS", 100)
    with pytest.raises(FileProblem, match="more lists"):
        read_json(saved(tmp_path, [[]] * 100))


def test_file_above_the_cap_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(safe_json, "MAX_FILE_BYTES", 10)
    with pytest.raises(FileProblem, match="more than a map may have"):
        read_json(saved(tmp_path, b"\xff" * 11))


def test_lack_of_memory_is_a_file_problem(monkeypatch: pytest.MonkeyPatch):
    def lacking(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(json, "loads", lacking)
    with pytest.raises(FileProblem, match="this computer's memory"):
        parse_json(b"{}", "x")


def test_missing_file_is_a_file_problem(tmp_path: Path):
    with pytest.raises(FileProblem, match="cannot be read"):
        read_json(tmp_path / "none.json")


def test_a_character_in_two_halves_is_whole():
    assert parse_json(b'["\\ud83d\\ude00", "\\\\ud83d"]', "x") == ["\U0001f600", "\\ud83d"]
