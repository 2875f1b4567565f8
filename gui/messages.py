"""Messages for the status line: what was refused, what went wrong, what was done.

They wait until a window is ready to show them, and a newer one of the same topic takes the place
of an older one. Dialogs are not made here: a refusal never opens one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from engine.model.refusal import FileProblem, Rejection


class Level(StrEnum):
    """How loud a message is."""

    INFO = "info"
    REFUSAL = "refusal"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence; `topic` is what a newer message must share to replace it."""

    text: str
    level: Level = Level.INFO
    topic: str = ""
    rejection: Rejection | None = None


Reader = Callable[[Message], None]


class Messages:
    """The queue between whoever has something to say and the window that shows it."""

    def __init__(self) -> None:
        self._waiting: list[Message] = []
        self._reader: Reader | None = None

    @property
    def waiting(self) -> tuple[Message, ...]:
        """Return what nobody has read yet, oldest first."""
        return tuple(self._waiting)

    def say(self, text: str, topic: str = "") -> None:
        """Tell something that went well."""
        self.post(Message(text, Level.INFO, topic))

    def refuse(self, rejection: Rejection) -> None:
        """Tell why something is refused."""
        self.post(Message(rejection.sentence, Level.REFUSAL, "refusal", rejection))

    def problem(self, error: FileProblem | str) -> None:
        """Tell that a file cannot be read or written."""
        self.post(Message(str(error), Level.PROBLEM, "problem"))

    def post(self, message: Message) -> None:
        """Deliver a message now, or keep it until somebody listens."""
        if self._reader is not None:
            self._reader(message)
            return
        if message.topic:
            self._waiting = [each for each in self._waiting if each.topic != message.topic]
        self._waiting.append(message)

    def listen(self, reader: Reader) -> None:
        """Deliver what has waited, and everything from now on, to `reader`."""
        self._reader = reader
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            reader(message)

    def stop(self) -> None:
        """Keep messages again: the window is closing."""
        self._reader = None
