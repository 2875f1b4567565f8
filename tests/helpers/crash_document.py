"""Kill a writer at random moments and look at what is left.

By hand, from the root of the repository: `python -m tests.helpers.crash_document 200`. A child
process works on a document and tells each step before it takes it ("?") and once it is
acknowledged ("!"); after kill -9 the file must stand at the last acknowledged step or, if the next
one had begun, at that one. Needs fork, so not Windows.
"""

import hashlib
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.storage.document import Document
from tests.helpers.documents import NO_KINDS, created, encounter, opened, record

LONGEST_SECONDS = 0.06
"""The child lives at most this long after its first step."""

State = tuple[int, int, int]
"""The head, how many records there are, how many pictures."""


def main(rounds: int, seed: int = 1) -> int:
    """Run this many rounds; return how many steps were acknowledged in all."""
    chance = random.Random(seed)
    acknowledged = 0
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "keep.battlemat"
            kill_while_creating(path, chance)
            path.unlink(missing_ok=True)
            created(path).close()
            for _ in range(2):  # the second child goes on from what the first one left
                acknowledged += kill_while_writing(path, chance)
        sys.stdout.write(f"round {number + 1} of {rounds}: {acknowledged} steps, none lost\n")
    return acknowledged


def kill_while_creating(path: Path, chance: random.Random) -> None:
    """See that a file that is being created is there whole, or not at all."""
    lines = _run_and_kill(lambda tell: _create(path, tell), chance.uniform(0, 0.01))
    if path.exists():
        with opened(path) as document:
            assert document.root() == encounter(200, walls=200)
    else:
        assert "!" not in "".join(lines), "a created file is gone"


def kill_while_writing(path: Path, chance: random.Random) -> int:
    """Return the number of steps that were acknowledged, all of which are in the file."""
    with opened(path) as document:
        start = _state(document)
    seed = chance.random()
    lines = _run_and_kill(
        lambda tell: _work(path, random.Random(seed), tell), chance.uniform(0, LONGEST_SECONDS)
    )
    allowed = {start}
    for line in lines:
        state = tuple(int(part) for part in line[1:].split())
        allowed = {state} if line[0] == "!" else {*allowed, state}
    with opened(path) as document:
        assert not document.read_only
        assert _state(document) in allowed, (lines[-3:], _state(document))
        assert document.check() == ()
    return sum(line[0] == "!" for line in lines)


def _run_and_kill(child: Callable[[Callable[[str], None]], None], seconds: float) -> list[str]:
    """Run `child` in its own process, kill it some time after it tells something."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reader)
        try:
            child(lambda line: os.write(writer, f"{line}\n".encode()) and None)
        except Exception:  # noqa: BLE001  the child must end here, whatever it was
            traceback.print_exc()
            os.write(writer, b"failed\n")
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        told = pipe.readline()
        time.sleep(seconds)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        told += pipe.read()
    lines = told.decode().splitlines()
    assert "failed" not in lines, "the child failed by itself"
    return lines


def _create(path: Path, tell: Callable[[str], None]) -> None:
    tell("?")
    Document.create(path, encounter(200, walls=200), NO_KINDS)
    tell("!")
    time.sleep(60)


def _work(path: Path, chance: random.Random, tell: Callable[[str], None]) -> None:
    document = opened(path)
    for goal, step in _steps(document, chance):
        told = " ".join(str(part) for part in goal)
        tell(f"?{told}")
        step()
        assert _state(document) == goal
        tell(f"!{told}")


def _steps(document: Document, chance: random.Random) -> Iterator[tuple[State, Callable[[], None]]]:
    """Yield random steps for ever, each with the state that it leads to."""
    while True:
        head, count, pictures = _state(document)
        first = document.next_id()
        kind = chance.choices(["one", "three", "picture", "head", "snapshot"], [6, 1, 1, 2, 1])[0]
        if kind == "one":
            new = record(first, parent=head)
            yield (first, count + 1, pictures), lambda new=new: document.append(new)
        elif kind == "three":
            news = [record(first, parent=head), record(first + 1), record(first + 2)]
            yield (first + 2, count + 3, pictures), lambda news=news: document.append_all(news)
        elif kind == "picture":
            content = chance.randbytes(chance.randrange(200_000))
            images = {hashlib.sha256(content).hexdigest(): content}
            new = record(first, parent=head)
            yield (
                (first, count + 1, pictures + 1),
                lambda new=new, images=images: document.append(new, images),
            )
        elif kind == "head":
            goal = chance.randrange(count + 1)
            yield (goal, count, pictures), lambda goal=goal: document.move_head(goal)
        else:
            state = document.encounter_at(head)
            yield (
                (head, count, pictures),
                lambda head=head, state=state: document.put_snapshot(head, state),
            )


def _state(document: Document) -> State:
    return document.head, len(document.records()), len(document.images())


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
