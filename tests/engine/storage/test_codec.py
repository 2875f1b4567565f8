"""JSON of encounters and records: the same bytes everywhere, nothing wild in or out."""

import contextlib
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Generator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events.fog import PlayersLearned
from engine.events.registry import CORE_EVENTS
from engine.events.tokens import TokensPut
from engine.events.turn import Logged
from engine.model.encounter import BASE_KINDS, Encounter
from engine.model.evidence import LogEntry
from engine.model.light import Light
from engine.model.refusal import FileProblem
from engine.model.sheet import RulesState, Sheet
from engine.model.space import LIMIT
from engine.model.value import FrozenMap, Kinds, Value
from engine.storage import codec
from tests.helpers.documents import encounter, moved, record, token

KINDS = codec.all_kinds(Kinds())

finite = st.floats(-LIMIT, LIMIT)


class ToySheet(Sheet):
    kind: str = "toy_sheet"
    hp: int


class AnyState(RulesState):
    kind: str = "any_state"
    content: object = None


@given(x=finite, y=finite, title=st.text(st.characters(codec="utf-8")))
def test_numbers_and_texts_come_back_exactly(x: float, y: float, title: str):
    lamp = Light(id="l", position=(x, y), bright=abs(x), dim=abs(y))
    board = encounter().board.changed(lights=FrozenMap({"l": lamp}))
    before = encounter().changed(title=title, board=board)
    assert codec.decode_encounter(codec.encode(before), KINDS) == before


@given(
    tokens=st.integers(0, 200),
    walls=st.integers(0, 500),
    title=st.text(st.characters(codec="utf-8")),
)
def test_pieces_are_the_whole_and_none_of_them_is_large(tokens: int, walls: int, title: str):
    whole = encounter(tokens, walls).changed(title=title)
    pieces = list(codec.encode_in_pieces(whole))
    assert b"".join(pieces) == codec.encode(whole)
    assert all(len(each) < 1.5 * codec.PIECE for each in pieces)
    assert all(len(each) >= codec.PIECE for each in pieces[:-1])


def test_pieces_refuse_what_the_whole_refuses():
    crowd = encounter(500)
    last = crowd.tokens["t-499"]
    wild = crowd.with_token(last.changed(name="\ud800"))
    with pytest.raises(FileProblem):
        codec.encode(wild)
    with pytest.raises(FileProblem):
        list(codec.encode_in_pieces(wild))


def test_packed_pieces_may_not_be_larger_than_the_whole():
    half = bytes(codec.MAX_BYTES // 2)
    assert codec.unpack(exhausted(codec.pack_in_pieces([half, half]))) == half + half
    with pytest.raises(FileProblem, match="larger than 32 MB"):
        exhausted(codec.pack_in_pieces([half, half, b"1"]))


def exhausted(turns: Generator[None, None, bytes]) -> bytes:
    """Take all turns and return what they come to."""
    while True:
        try:
            next(turns)
        except StopIteration as end:
            return bytes(end.value)


@given(st.binary(max_size=2000))
def test_packing_gives_back_what_it_was_given(data: bytes):
    assert codec.unpack(codec.pack(data)) == data


@given(st.binary(max_size=200))
def test_random_bytes_are_refused_in_one_line(blob: bytes):
    with pytest.raises(FileProblem) as refusal:
        codec.decode_record(codec.unpack(blob), KINDS)
    assert "\n" not in str(refusal.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


parts = st.sampled_from(["fog", "board", "tokens", "log", "options", "prompt"])


@given(part=parts, wild=json_values)
def test_any_json_in_place_of_a_part_is_read_or_refused(part: str, wild: object):
    tree = json.loads(codec.encode(encounter(2)))
    tree[part] = wild
    with contextlib.suppress(FileProblem):
        assert isinstance(codec.decode_encounter(json.dumps(tree).encode(), KINDS), Encounter)


def test_keys_are_sorted_and_nothing_is_wasted():
    data = codec.encode(record(1))
    tree = json.loads(data)
    again = json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert data == again.encode()


def test_the_bytes_do_not_depend_on_the_process():
    script = (
        "import sys; from engine.storage.codec import encode;"
        "from tests.helpers.documents import encounter;"
        "sys.stdout.buffer.write(encode(encounter(12, walls=5)))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {codec.encode(encounter(12, walls=5))}


def test_a_ruleset_brings_its_own_kinds():
    kinds = codec.all_kinds(Kinds(ToySheet))
    armed = token().changed(sheet=ToySheet(hp=7))
    step = record(1, events=(TokensPut(tokens=(armed,)),))
    assert codec.decode_record(codec.encode(step), kinds) == step


def test_a_kind_of_another_ruleset_is_refused():
    armed = token().changed(sheet=ToySheet(hp=7))
    data = codec.encode(record(1, events=(TokensPut(tokens=(armed,)),)))
    with pytest.raises(FileProblem, match="toy_sheet"):
        codec.decode_record(data, KINDS)


def test_a_kind_in_the_wrong_place_is_refused():
    data = codec.encode(record(1)).replace(b'"token_moved"', b'"no_rules_state"')
    with pytest.raises(FileProblem, match="no kind of Event"):
        codec.decode_record(data, KINDS)


def test_shared_kinds_may_be_given_twice():
    assert dict(codec.all_kinds(BASE_KINDS | CORE_EVENTS)) == dict(KINDS)


def test_a_ruleset_cannot_replace_a_shared_kind():
    class Impostor(Value):
        kind: str = "token_moved"

    with pytest.raises(ValueError, match="token_moved"):
        codec.all_kinds(Kinds(Impostor))


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_none_is_not_written(number: float):
    with pytest.raises(FileProblem, match="cannot be written"):
        codec.encode(record(1, events=(moved(1).changed(elevation=number),)))


def test_text_that_is_no_unicode_is_not_written():
    with pytest.raises(FileProblem, match="cannot be written"):
        codec.encode(record(1).changed(label="\ud800"))


def test_a_number_too_long_is_not_written():
    with pytest.raises(FileProblem, match="digits"):
        codec.encode(record(1).changed(dice=(10**18,)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"elevation":0.0', b'"elevation":NaN'),
        (b'"elevation":0.0', b'"elevation":Infinity'),
        (b'"elevation":0.0', b'"elevation":1e999'),
        (b'"facing":0', b'"facing":' + b"9" * 5000),
        (b'"dice":[2]', b'"dice":[' + b"9" * 30 + b"]"),
        (b'"dice":[2]', b'"dice":["' + b"9" * 30 + b'"]'),
        (b'"dice":[2]', b'"dice":["' + b"9_" * 20 + b'9"]'),
        (b'"dice":[2]', b'"dice":[1,' + b"9" * 30 + b"," + b"8" * 30 + b"]"),
        (b'"dice":[2]', b'"dice":[' + b"9" * 30 + b".0]"),
        (b'"dice":[2]', b'"dice":[" +' + b"9" * 30 + b'.0"]'),
        (b'"dice":[2]', b'"dice":' + b"[" * 100_000 + b"]" * 100_000),
        (b'"dice":[2]', b'"dice":[2],"extra":1'),
        (b'"dice":[2]', b'"dice":[2'),
        (b'"id":1', b'"id":"one"'),
        (b'"label":"Move 1"', b'"label":"\\ud800"'),
        (b'"label":"Move 1"', b'"label":"\xff"'),
    ],
)
def test_wild_json_is_refused_in_one_line(old: bytes, new: bytes):
    data = codec.encode(record(1, events=(moved(1),)))
    assert old in data
    with pytest.raises(FileProblem) as refusal:
        codec.decode_record(data.replace(old, new), KINDS)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 250


def test_deep_nesting_in_a_free_field_is_refused():
    kinds = codec.all_kinds(Kinds(AnyState))
    shallow = codec.encode(encounter().changed(rules=AnyState()))
    deep = shallow.replace(b'"content":null', b'"content":' + b"[" * 5000 + b"]" * 5000)
    with pytest.raises(FileProblem, match="recursion"):
        codec.decode_encounter(deep, kinds)


@pytest.mark.parametrize(
    "text",
    [
        "7" * 64,
        "a:12345678901234567890,",
        '"[12345678901234567890,',
        "x\\",
        "1" * 18,
        "_" * 20,
        "7" * 5000,
    ],
)
def test_digits_in_a_text_are_no_number(text: str):
    step = record(1, events=(Logged(entry=LogEntry(text=text)),))
    assert codec.decode_record(codec.encode(step), KINDS) == step


def test_seen_parts_of_a_long_wall_are_no_number_whatever_their_digits():
    seen = FrozenMap({"a": 1 << 79, "b": (1 << 90) - 1})
    step = record(1, events=(PlayersLearned(parts=seen), Logged(entry=LogEntry(text="7" * 20))))
    data = codec.encode(step)
    assert b'"80000000000000000000"' in data
    assert codec.decode_record(data, KINDS) == step


def test_long_floats_are_no_whole_numbers():
    step = record(
        1, events=(moved(1).changed(elevation=1e8 / 3), moved(1).changed(elevation=1e-22))
    )
    assert codec.decode_record(codec.encode(step), KINDS) == step


def test_a_bomb_is_not_inflated():
    bomb = zlib.compress(b" " * (codec.MAX_BYTES + 1), 9)
    with pytest.raises(FileProblem, match="too large"):
        codec.unpack(bomb)


@pytest.mark.parametrize("blob", [None, 7, "text", b"", b"plain", zlib.compress(b"x")[:-1]])
def test_what_was_not_packed_is_refused(blob: object):
    with pytest.raises(FileProblem, match="packed data"):
        codec.unpack(blob)


def test_damage_inside_packed_data_is_noticed():
    blob = bytearray(codec.pack(codec.encode(record(1))))
    blob[-1] ^= 1
    with pytest.raises(FileProblem, match="damaged"):
        codec.unpack(bytes(blob))


def test_what_would_be_too_large_to_read_is_not_written(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(codec, "MAX_BYTES", 200)
    with pytest.raises(FileProblem, match="larger than"):
        codec.encode(record(1))
