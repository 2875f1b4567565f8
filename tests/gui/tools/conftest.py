"""A session without a window for each test of a tool."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.model.encounter import Encounter
from tests.gui.tools.host import HostNote
from tests.helpers.encounters import a_session

MakeHost = Callable[[Encounter | None], HostNote]


@pytest.fixture
def host_on(tmp_path: Path) -> Iterator[MakeHost]:
    """Return a function that opens an encounter."""
    made: list[HostNote] = []

    def make(encounter: Encounter | None = None) -> HostNote:
        made.append(HostNote(a_session(tmp_path, encounter)))
        return made[-1]

    yield make
    for each in made:
        each.session.close()


@pytest.fixture
def host(host_on: MakeHost) -> HostNote:
    """Return a host on the small encounter."""
    return host_on(None)
