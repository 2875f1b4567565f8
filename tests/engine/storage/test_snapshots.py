"""Snapshots are the states they stand for, and share their logs."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.events.turn import Logged
from engine.model.encounter import Encounter
from engine.model.evidence import LogEntry
from engine.model.refusal import FileProblem
from tests.helpers.documents import created, encounter, opened, record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keep.battlemat"


def log_sizes(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT length(log) FROM snapshots WHERE record > 0 ORDER BY record")
        return [size for (size,) in rows]


def test_each_snapshot_keeps_only_the_new_part_of_the_log(path: Path):
    with created(path) as document:
        for number in range(1, 101):
            document.append(record(number))
            if number % 20 == 0:
                document.put_snapshot(number, document.encounter_at(number))
        states = {number: document.encounter_at(number) for number in (20, 60, 100)}
    sizes = log_sizes(path)
    assert len(sizes) == 5
    assert max(sizes) < 1.5 * min(sizes)
    with opened(path) as document:
        for number, state in states.items():
            assert document.snapshot(number) == state
            assert len(state.log) == number


def test_snapshots_go_on_from_one_another_in_a_new_process(path: Path):
    for first in (1, 21, 41):
        with created(path) if first == 1 else opened(path) as document:
            for number in range(first, first + 20):
                document.append(record(number))
            document.put_snapshot(number, document.encounter_at(number))
    sizes = log_sizes(path)
    assert max(sizes) < 1.5 * min(sizes)


def test_another_branch_does_not_go_on_from_a_log_that_is_not_its_own(path: Path):
    told = LogEntry(text="Another turn of events.")
    with created(path, 5) as document:
        document.put_snapshot(5, document.encounter_at(5))
        document.move_head(2)
        document.append(record(6, parent=2, events=(Logged(entry=told),)))
        state = document.encounter_at(6)
        document.snapshot(5)
        document.put_snapshot(6, state)
    with opened(path) as document:
        assert document.snapshot(6) == state
        assert [entry.text for entry in state.log][-1] == told.text
        assert document.check() == ()


def test_a_snapshot_is_stored_once(path: Path):
    with created(path, 3) as document:
        state = document.encounter_at(3)
        assert document.put_snapshot(3, state)
        content = path.read_bytes()
        assert document.put_snapshot(3, state)
        assert document.put_snapshot(0, state)
        assert path.read_bytes() == content
        assert document.snapshot(0) == document.root()


def test_a_snapshot_of_no_record_is_a_bug(path: Path):
    with created(path, 3) as document, pytest.raises(ValueError, match="no record 4"):
        document.put_snapshot(4, document.root())


def test_what_cannot_be_written_as_json_is_not_stored(path: Path):
    with created(path, 3) as document:
        assert not document.put_snapshot(3, document.root().changed(title="\ud800"))
        assert document.snapshots() == (0,)
        with pytest.raises(FileProblem, match="This step cannot be stored"):
            document.append(record(4).changed(label="\ud800"))


def test_a_snapshot_in_turns_holds_the_moment_at_which_it_was_begun(path: Path):
    with created(path, 3) as document:
        state = crowded(document.encounter_at(3))
        for number, _ in enumerate(document.snapshot_in_turns(3, state), 4):
            document.append(record(number))
            assert document.snapshots() == (0,)
        assert number > 5
        assert document.snapshots() == (0, 3)
    with opened(path) as document:
        assert document.snapshot(3) == state


def crowded(state: Encounter) -> Encounter:
    """Return a state that takes several turns to write."""
    return state.changed(tokens=state.tokens.put_all(encounter(500).tokens))


def test_a_snapshot_left_half_made_leaves_nothing(path: Path):
    with created(path, 3) as document:
        next(document.snapshot_in_turns(3, crowded(document.encounter_at(3))))
        document.append(record(4))
    with opened(path) as document:
        assert document.snapshots() == (0,)
        assert document.check() == ()
