"""Mutated maps give a sound board or one sentence, never anything else."""

import json
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats.imported import ImportOptions, ObjectOutlines
from engine.formats.importing import import_map
from engine.model.board import Board
from engine.model.refusal import FileProblem
from tests.helpers.maps import light, points, portal, uvtt

BASE = uvtt(
    origin=(1, 2),
    line_of_sight=[points((1, 2), (4, 2), (4, 6)), points((2, 3), (2, 5)), points((2, 5), (3, 5))],
    objects_line_of_sight=[points((2, 3), (3, 3), (3, 4))],
    portals=[portal((2, 3), (2, 4)), portal((3, 4), (4, 4), closed=False)],
    lights=[light(2, 3), light(9, 9)],
)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.sampled_from([10**18, -(10**30), 0.5, 1e-9, 1e7, 1e300, -0.0]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "1", "-2.5", "false", "nan", "\0000", "\ud800", "data:,", "AAAA"]),
    st.sampled_from([[], {}, [[]], [None], [True], {"x": 1}, {"x": 1, "y": 2}, [1, 2]]),
)
OPTIONS = st.builds(
    ImportOptions,
    open_portals_as_doors=st.booleans(),
    narrow_portals_as_windows=st.booleans(),
    objects=st.sampled_from(ObjectOutlines),
    simplify=st.sampled_from([0.0, 0.05]),
    ambient_from_map=st.booleans(),
    without_picture=st.booleans(),
    size=st.sampled_from([None, (4, 4)]),
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return every (container, key) of a JSON value."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    found = []
    for key in keys:
        found.append((value, key))
        if isinstance(value[key], dict | list):
            found += places(value[key])
    return found


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    root = deepcopy(BASE)
    for _ in range(draw(st.integers(1, 5))):
        container, key = draw(st.sampled_from(places(root) or [(root, "image")]))
        match draw(st.sampled_from(["replace", "replace", "delete", "repeat", "move"])):
            case "replace":
                container[key] = deepcopy(draw(ODD))
            case "delete":
                del container[key]
            case "repeat" if isinstance(container, list):
                container += deepcopy(container[key : key + 1]) * draw(st.integers(1, 3))
            case _ if isinstance(container[key], int | float):
                container[key] += draw(st.sampled_from([-1, 0.5, 0.02, -0.02, 1e-7, 100]))
    return root


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "fuzz.dd2vtt"


def sound_or_sentence(path: Path, content: bytes, options: ImportOptions) -> None:
    path.write_bytes(content)
    with suppress(FileProblem):
        board = import_map(path, options).board
        assert Board.model_validate_json(board.model_dump_json()) == board


@settings(max_examples=300)
@given(root=mutated(), options=OPTIONS)
def test_mutated_maps(path: Path, root: dict[str, Any], options: ImportOptions):
    sound_or_sentence(path, json.dumps(root).encode(), options)


TEXT = json.dumps(BASE).encode()


@given(
    changes=st.lists(st.tuples(st.integers(0, len(TEXT) - 1), st.binary(max_size=3)), max_size=4),
    length=st.integers(1, len(TEXT)),
)
def test_mutated_bytes(path: Path, changes: list[tuple[int, bytes]], length: int):
    text = bytearray(TEXT)
    for where, piece in changes:
        text[where : where + len(piece)] = piece
    sound_or_sentence(path, bytes(text), ImportOptions())
    sound_or_sentence(path, bytes(text[:length]), ImportOptions())
