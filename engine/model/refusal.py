"""The errors that a user may meet: a refused command and a file that cannot be used."""

from pydantic import ValidationError

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


def complaint(error: ValidationError) -> str:
    """Return the first thing that pydantic has against a value, as a sentence with its place."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}." if place else f"{first['msg']}."


def impossible(
    code: str,
    sentence: str,
    *,
    cell: Cell | None = None,
    token_id: str | None = None,
    wall_id: str | None = None,
) -> Rejected:
    """Return the refusal of something that no ruling can make possible."""
    return Rejected(
        Rejection(
            code=code,
            sentence=sentence,
            cell=cell,
            token_id=token_id,
            wall_id=wall_id,
            overrulable=False,
        )
    )


class Ruling:
    """How strictly one decision is taken.

    By default every rule refusal stands. With `overrule` the GM decides: the refusal is kept in
    `waived`, to be told in the log, and the decision goes on.
    """

    def __init__(self, *, overrule: bool = False) -> None:
        self.overrule = overrule
        self.waived: list[Rejection] = []

    def refuse(
        self,
        code: str,
        sentence: str,
        *,
        cell: Cell | None = None,
        token_id: str | None = None,
        wall_id: str | None = None,
    ) -> None:
        """Raise Rejected, or note the refusal if the GM overrules it."""
        self.pass_on(
            Rejection(code=code, sentence=sentence, cell=cell, token_id=token_id, wall_id=wall_id)
        )

    def pass_on(self, rejection: Rejection) -> None:
        """Raise Rejected for a refusal found elsewhere, or note it if it is overruled."""
        if not (self.overrule and rejection.overrulable):
            raise Rejected(rejection)
        if rejection not in self.waived:
            self.waived.append(rejection)
