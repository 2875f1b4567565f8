"""What the rules wait for: frames of suspended resolution and the open prompt."""

from enum import StrEnum

from engine.model.evidence import Modifier
from engine.model.value import Value


class Frame(Value):
    """A suspended piece of resolution; each ruleset derives its own."""

    kind: str


class PromptKind(StrEnum):
    """What sort of answer a prompt wants."""

    ROLL = "roll"
    CHOICE = "choice"


class Choice(Value):
    """One possible answer; a disabled one says why.

    `players` is the template of what the players read as its label (`engine.model.told`); without
    it the GM alone is offered it.
    """

    value: str
    label: str
    reason: str = ""
    players: str | None = None

    @property
    def enabled(self) -> bool:
        """Tell whether it may be chosen."""
        return not self.reason


class Prompt(Value):
    """A question that the rules wait for.

    `side` answers it. A roll prompt carries the expression in the notation of
    `engine.rules.dice`. `about` names the tokens concerned, for the map and for secrecy.
    `players` is the template of what the players read as the question (`engine.model.told`);
    without it the GM alone reads the prompt.
    """

    prompt: PromptKind
    side: str
    question: str
    token_id: str | None = None
    roll: str | None = None
    choices: tuple[Choice, ...] = ()
    lines: tuple[Modifier, ...] = ()
    about: tuple[str, ...] = ()
    players: str | None = None


class Answer(Value):
    """What was answered: faces or a total to a roll, a value to a choice.

    `outcome` replaces the result altogether, by the GM's ruling; what it may be is the
    ruleset's: a number for a roll, any text for a choice.
    """

    faces: tuple[int, ...] = ()
    total: int | None = None
    choice: str | None = None
    outcome: int | str | None = None
