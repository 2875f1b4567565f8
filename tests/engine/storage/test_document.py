"""What is stored comes back, in a tree, from any process."""

import hashlib
from pathlib import Path

import pytest

from engine.events.event import Record
from engine.model.encounter import Encounter
from engine.model.refusal import FileProblem
from engine.storage.document import Document
from tests.helpers.documents import (
    NO_KINDS,
    created,
    encounter,
    moved,
    opened,
    record,
    summoned,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keep.battlemat"


def test_a_new_document_holds_its_encounter_and_nothing_else(path: Path):
    with Document.create(path, encounter(3, walls=2), NO_KINDS) as document:
        assert document.root() == encounter(3, walls=2)
        assert (document.head, document.records(), document.next_id()) == (0, [], 1)
        assert not document.read_only


def test_records_come_back_whole_after_reopening(path: Path):
    with created(path, 3):
        pass
    with opened(path) as document:
        assert [document.record(n) for n in (1, 2, 3)] == [record(n) for n in (1, 2, 3)]
        assert document.head == 3
        assert document.next_id() == 4


def test_summaries_tell_what_the_history_shows(path: Path):
    with created(path, 2) as document:
        assert document.records()[1] == (2, 1, 2, "Move 2", "2025-01-31T20:15:07Z")


def test_undo_survives_a_restart(path: Path):
    with created(path, 3) as document:
        document.move_head(1)
    with opened(path) as document:
        assert document.head == 1
        assert len(document.records()) == 3


def test_undo_to_the_beginning_survives_a_restart(path: Path):
    with created(path, 2) as document:
        document.move_head(0)
    with opened(path) as document:
        assert document.head == 0
        assert document.encounter_at(0) == document.root()


def test_a_branch_leaves_the_other_one_in_place(path: Path):
    with created(path, 3) as document:
        document.move_head(1)
        document.append(record(4, parent=1))
    with opened(path) as document:
        assert document.lineage(4) == (4, 1, 0)
        assert document.lineage(3) == (3, 2, 1, 0)
        assert document.encounter_at(3).tokens["t-0"].cell.x == 3
        assert document.encounter_at(4).tokens["t-0"].cell.x == 4


def test_a_list_of_records_is_stored_together(path: Path):
    with created(path) as document:
        document.append_all([record(1), record(2)])
    with opened(path) as document:
        assert document.head == 2


def test_an_empty_list_changes_nothing(path: Path):
    with created(path, 1) as document:
        document.append_all([])
        assert document.head == 1


@pytest.mark.parametrize("wrong", [record(1), record(4), record(3, parent=7), record(3, parent=3)])
def test_a_record_that_hangs_nowhere_is_a_bug(path: Path, wrong: Record):
    with created(path, 2) as document:
        with pytest.raises(ValueError, match="record"):
            document.append(wrong)
        assert document.head == 2


def test_the_head_only_moves_to_records_that_exist(path: Path):
    with created(path, 2) as document, pytest.raises(ValueError, match="no record 3"):
        document.move_head(3)


def test_snapshots_give_the_same_encounter_as_the_records(path: Path):
    with created(path, 9) as document:
        folded = document.encounter_at(9)
        document.put_snapshot(5, document.encounter_at(5))
        assert document.nearest_snapshot(document.lineage(9))[0] == 5
        assert document.encounter_at(9) == folded
    with opened(path) as document:
        assert document.snapshot(5) == document.encounter_at(5)
        assert document.encounter_at(9) == folded


def test_a_snapshot_of_another_branch_is_not_used(path: Path):
    with created(path, 3) as document:
        document.put_snapshot(3, document.encounter_at(3))
        document.move_head(1)
        document.append(record(4, parent=1))
        assert document.nearest_snapshot(document.lineage(4)) == (0, document.root())


def test_there_is_no_snapshot_where_none_was_put(path: Path):
    with created(path, 1) as document:
        assert document.snapshot(1) is None
        assert document.snapshot(0) == document.root()


def test_a_picture_is_stored_once(path: Path):
    picture = b"pixels" * 1000
    sha256 = hashlib.sha256(picture).hexdigest()
    with created(path) as document:
        document.append(record(1), {sha256: picture})
        document.append(record(2), {sha256: picture})
    with opened(path) as document:
        assert document.images() == [(sha256, 6000)]
        assert document.image(sha256) == picture


def test_a_picture_with_a_wrong_digest_is_refused_with_its_record(path: Path):
    with created(path) as document:
        with pytest.raises(FileProblem, match="digest"):
            document.append(record(1), {"0" * 64: b"pixels"})
        assert (document.head, document.images()) == (0, [])


def test_a_missing_picture_is_a_file_problem(path: Path):
    with created(path) as document, pytest.raises(FileProblem, match="not in the file"):
        document.image("0" * 64)


def test_an_existing_file_is_not_overwritten(path: Path):
    path.write_bytes(b"precious")
    with pytest.raises(FileProblem, match=r"already a file keep\.battlemat"):
        Document.create(path, encounter(), NO_KINDS)
    assert path.read_bytes() == b"precious"
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_nothing_but_the_file_remains_after_closing(path: Path):
    with created(path, 2):
        pass
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_the_ruleset_is_asked_for_by_name(path: Path):
    asked = []
    with created(path):
        pass
    Document.open(path, lambda ruleset: asked.append(ruleset) or NO_KINDS).close()
    assert asked == ["toy"]


def test_an_unknown_ruleset_is_named_in_the_refusal(path: Path):
    def unknown(ruleset: str):
        raise KeyError(ruleset)

    with created(path):
        pass
    with pytest.raises(FileProblem, match="needs the ruleset toy"):
        Document.open(path, unknown)


def test_a_copy_taken_while_open_holds_every_record(path: Path, tmp_path: Path):
    with created(path, 20) as document:
        document.move_head(18)
        copy = tmp_path / "copy.battlemat"
        copy.write_bytes(path.read_bytes())
    with opened(copy) as document:
        assert len(document.records()) == 20
        assert document.head == 18


def test_two_histories_of_equal_steps_have_equal_bytes_of_state(path: Path, tmp_path: Path):
    with created(path, 2) as one, created(tmp_path / "other.battlemat", 2) as two:
        assert one.encounter_at(2).model_dump_json() == two.encounter_at(2).model_dump_json()


def test_a_record_that_does_not_fit_is_told_in_one_sentence(path: Path):
    lost = record(1, events=(moved(1, "nobody"),))
    with created(path) as document:
        document.append(lost)
        with pytest.raises(FileProblem, match="step 1 does not fit"):
            document.encounter_at(1)


def test_tokens_that_join_later_are_folded_in(path: Path):
    with created(path) as document:
        document.append(summoned(1))
        assert isinstance(document.encounter_at(1), Encounter)
        assert set(document.encounter_at(1).tokens) == {"t-0", "t-9"}


def test_moving_the_head_to_where_it_is_writes_nothing(path: Path):
    with created(path, 2) as document:
        content = path.read_bytes()
        document.move_head(2)
        assert path.read_bytes() == content


def test_without_any_snapshot_the_root_is_the_nearest(path: Path):
    with created(path, 2) as document:
        assert document.nearest_snapshot(()) == (0, document.root())


def test_a_record_that_would_come_back_otherwise_is_a_bug(path: Path):
    bent = moved(1).changed(path=[(0, 0), (1, 0)])
    with created(path) as document:
        with pytest.raises(ValueError, match="changes when it is stored"):
            document.append(record(1, events=(bent,)))
        assert document.head == 0


def test_an_encounter_that_would_come_back_otherwise_is_a_bug(path: Path):
    with pytest.raises(ValueError, match="changes when it is stored"):
        Document.create(path, encounter().changed(real_dice=["party"]), NO_KINDS)
    assert list(path.parent.iterdir()) == []


def test_an_encounter_that_cannot_be_stored_leaves_no_file(path: Path):
    with pytest.raises(FileProblem, match="The encounter cannot be stored"):
        Document.create(path, encounter().changed(title="\ud800"), NO_KINDS)
    assert list(path.parent.iterdir()) == []


def test_an_encounter_without_a_ruleset_is_a_bug(path: Path):
    with pytest.raises(ValueError, match="is no id of a ruleset"):
        Document.create(path, encounter().changed(ruleset="../evil"), NO_KINDS)


def test_a_picture_that_is_too_large_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("engine.storage.images.MAX_IMAGE_BYTES", 2**20)
    picture = bytes(2**20 + 1)
    with created(path) as document, pytest.raises(FileProblem, match="larger than 1 MB"):
        document.append(record(1), {hashlib.sha256(picture).hexdigest(): picture})
