"""The two errors that a user may meet: a refused command and a file that cannot be used."""

from engine.model.space import Cell
from engine.model.value import Value


class Rejection(Value):
    """Why something is refused: a code for programs, a sentence for people, and the place.

    `overrulable` tells a refusal by the rules, which the GM may overrule, from one by the facts
    (no such token), which nobody can.
    """

    code: str
    sentence: str
    cell: Cell | None = None
    token_id: str | None = None
    wall_id: str | None = None
    overrulable: bool = True


class Rejected(Exception):  # noqa: N818  the vocabulary's word
    """A command is refused; nothing has changed."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection.sentence)
        self.rejection = rejection


class FileProblem(Exception):  # noqa: N818  the vocabulary's word
    """A file cannot be read or written; the message is one sentence for people."""


def impossible(code: str, sentence: str, *, token_id: str | None = None) -> Rejected:
    """Return the refusal of something that no ruling can make possible."""
    return Rejected(Rejection(code=code, sentence=sentence, token_id=token_id, overrulable=False))
