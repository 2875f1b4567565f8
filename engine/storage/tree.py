"""The tree of records: undo goes towards its root, redo along the newest branch."""

from collections.abc import Iterable

from engine.events.event import Record
from engine.storage.document import RecordSummary


class RecordTree:
    """The tree of records: who follows whom, and where gestures begin and end."""

    def __init__(self, summaries: Iterable[RecordSummary]) -> None:
        self._nodes: dict[int, RecordSummary] = {}
        self._newest: dict[int, int] = {}
        for summary in summaries:
            self._put(summary)

    def __contains__(self, record_id: int) -> bool:
        return record_id in self._nodes

    def __len__(self) -> int:
        return len(self._nodes)

    def add(self, record: Record) -> None:
        """Note a record that was stored."""
        self._put(RecordSummary(record.id, record.parent, record.group, record.label, record.at))

    def summaries(self) -> tuple[RecordSummary, ...]:
        """Return all records of all branches, oldest first."""
        return tuple(self._nodes.values())

    def newest_child(self, record_id: int) -> int | None:
        """Return the newest record that follows, None if none does."""
        return self._newest.get(record_id)

    def before_gesture(self, record_id: int) -> int | None:
        """Return the record before the gesture that `record_id` belongs to."""
        if not record_id:
            return None
        group = self._nodes[record_id].group
        while record_id and self._nodes[record_id].group == group:
            record_id = self._nodes[record_id].parent
        return record_id

    def after_gesture(self, record_id: int) -> int | None:
        """Return the last record of the newest gesture after `record_id`."""
        child = self._newest.get(record_id)
        if child is None:
            return None
        group = self._nodes[child].group
        while (further := self._newest.get(child)) and self._nodes[further].group == group:
            child = further
        return child

    def _put(self, summary: RecordSummary) -> None:
        self._nodes[summary.id] = summary
        self._newest[summary.parent] = max(summary.id, self._newest.get(summary.parent, 0))
