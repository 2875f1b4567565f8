"""A fault in the program itself: a report, a sentence, and on it goes."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gui import crash


@pytest.fixture
def told(tmp_path: Path) -> Iterator[list[str]]:
    said: list[str] = []
    stop = crash.install(said.append, tmp_path / "crashes")
    yield said
    stop()


def fail() -> BaseException:
    with pytest.raises(ZeroDivisionError) as caught:
        _ = 1 // 0
    return caught.value


def test_a_fault_is_reported_and_told_in_a_sentence(told: list[str], tmp_path: Path):
    error = fail()
    sys.excepthook(type(error), error, error.__traceback__)
    (report,) = (tmp_path / "crashes").glob("crash-*.txt")
    text = report.read_text(encoding="utf-8")
    assert "ZeroDivisionError" in text
    assert "Python 3" in text
    assert str(report) in told[0]
    assert "Traceback" not in told[0]


def test_a_folder_that_cannot_be_written_is_no_second_fault(tmp_path: Path):
    (tmp_path / "crashes").write_text("a file stands in the way", encoding="utf-8")
    assert crash.write_report(fail(), tmp_path / "crashes") is None


def test_old_reports_make_room(tmp_path: Path):
    for _ in range(crash.REPORTS_KEPT + 5):
        crash.write_report(fail(), tmp_path)
    assert len(list(tmp_path.glob("crash-*.txt"))) <= crash.REPORTS_KEPT


def test_the_hook_before_comes_back(tmp_path: Path):
    before = sys.excepthook
    crash.install(lambda _text: None, tmp_path)()
    assert sys.excepthook is before
