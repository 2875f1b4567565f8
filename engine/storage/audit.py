"""Everything that can be wrong with an open document, looked at in full.

Opening looks only at what it needs. This reads every page, record, snapshot and picture, and folds
every branch; whether the states obey the rules is for `engine.check`.
"""

import contextlib
from collections import Counter
from typing import TYPE_CHECKING

from engine.model.encounter import Encounter
from engine.model.refusal import FileProblem
from engine.storage.disk import connect, sentences
from engine.storage.snapshots import ROOT

if TYPE_CHECKING:  # a document offers its own audit
    from engine.storage.document import Document


def audit(document: "Document") -> tuple[str, ...]:
    """Return one sentence for each thing that is wrong; nothing is, if there is none."""
    return (*_pages(document), *_pictures(document), *_states(document))


def _pages(document: "Document") -> list[str]:
    name = document.path.name
    try:
        with sentences(name), contextlib.closing(connect(document.path, read_only=True)) as db:
            rows = db.execute("PRAGMA integrity_check(20)").fetchall()
    except FileProblem as problem:
        return [str(problem)]
    return [f"{name} is damaged ({row[0]})." for row in rows if row != ("ok",)]


def _pictures(document: "Document") -> list[str]:
    found = []
    for sha256 in _digests(document):
        try:
            document.image(sha256)
        except FileProblem as problem:
            found.append(str(problem))
    return found


def _digests(document: "Document") -> list[str]:
    try:
        return [each.sha256 for each in document.images()]
    except FileProblem:
        return []  # the pages are broken, which is told already


def _states(document: "Document") -> list[str]:
    """Fold all branches in the order of their ids, forgetting a state with its last child."""
    found = []
    children = Counter(each.parent for each in document.records())
    stored = set(document.snapshots())
    states: dict[int, Encounter] = {ROOT: document.root()}
    for each in document.records():
        before = states.get(each.parent)
        children[each.parent] -= 1
        if not children[each.parent]:
            states.pop(each.parent, None)
        if before is None:
            continue  # its branch is broken further up, which is told already
        try:
            state = document.fold(before, document.record(each.id))
        except FileProblem as problem:
            found.append(str(problem))
            continue
        if each.id in stored and document.snapshot(each.id) != state:
            found.append(f"{document.path.name}: the snapshot of step {each.id} is damaged.")
        if children[each.id]:
            states[each.id] = state
    return found
