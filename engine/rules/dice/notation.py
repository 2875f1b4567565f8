"""The text notation of rolls, read with one clear sentence for whatever is wrong.

    sum     1d20+5-2d6k1      k1 keeps the highest, l1 the lowest; d20 is 1d20
    pool    5d10>6  4d10>=7   counts the dice above 6, from 7 upward
    bounds  max(1d10-4,1)  min(1d6+2,6)  clamp(1d6+2,1,6)
    factor  down(2d6,1/2)  up(2d6,1/2)  half_up(2d6,3/2)

Text comes from sheets and files of strangers, so its length, the number of dice and every number
in it are limited; whatever is read costs little to evaluate.
"""

import re
from fractions import Fraction
from functools import lru_cache

from engine.rules.dice.distribution import DiceError, Rounding
from engine.rules.dice.roll import (
    MAX_DICE,
    MAX_FACES,
    Bounded,
    Compare,
    Dice,
    Pool,
    Roll,
    Scaled,
)

MAX_TEXT = 200
MAX_NUMBER = 1_000_000
MAX_SPAN = 20_000
MAX_FACTOR = 100

_TOKEN = re.compile(
    r"\s*([0-9]*d[0-9]+|(?:max|min|clamp|half_up|nearest|down|up)(?=\s*\()|[0-9]+|>=|[-+>(),/kl])"
)


@lru_cache(maxsize=1024)
def parse(text: str) -> Roll:
    """Read a roll. Errors: DiceError that quotes the text and says what is wrong where."""
    if len(text) > MAX_TEXT:
        raise DiceError(f"A roll of more than {MAX_TEXT} characters is too long.")
    reader = _Reader(text)
    roll = reader.sum()
    if reader.token:
        raise reader.error("an operator")
    sides = roll.dice_sides()
    if len(sides) > MAX_DICE or sum(sides) > MAX_FACES:
        raise DiceError(
            f"{text!r} throws too much: at most {MAX_DICE} dice with {MAX_FACES} faces in all."
        )
    return roll


class _Reader:
    """A reader with one token of foresight; each method reads what its name says."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._split(text.lower().replace("\u2212", "-").rstrip())
        self.at = 0

    @property
    def token(self) -> str:
        """The next token, empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def error(self, wanted: str) -> DiceError:
        """Say what was wanted instead of the next token."""
        found = repr(self.token) if self.token else "its end"
        return DiceError(f"In the roll {self.text!r} {wanted} was expected, not {found}.")

    def sum(self) -> Roll:
        """Read signed terms."""
        roll = self.signed_term() if self.token in ("+", "-") else self.term()
        while self.token in ("+", "-"):
            roll = roll + self.signed_term()
        low, high = roll.bounds()
        if high - low > MAX_SPAN:
            raise DiceError(f"The totals of {self.text!r} lie further apart than {MAX_SPAN}.")
        return roll

    def signed_term(self) -> Roll:
        """Read a sign and a term."""
        return -self.term() if self.next() == "-" else self.term()

    def term(self) -> Roll:
        """Read dice, a function, a number or a sum in parentheses."""
        token = self.token
        if re.fullmatch(r"[0-9]*d[0-9]+", token):
            return self.dice()
        if token.isdecimal():
            return Roll(constant=self.number())
        if token == "(":
            self.next()
            inner = self.sum()
            self.expect(")")
            return inner
        if token.isidentifier() and token not in ("k", "l"):
            return self.function()
        raise self.error("dice or a number")

    def dice(self) -> Roll:
        """Read dice and what is kept or counted of them; no dice are the certain 0."""
        count, sides = (int(part or 1) for part in self.next().split("d"))
        term: Dice | Pool
        if self.token in ("k", "l"):
            lowest = self.next() == "l"
            term = Dice(max(1, count), sides, self.number(), keep_lowest=lowest)
        elif self.token in (">", ">="):
            compare = Compare(self.next())
            term = Pool(max(1, count), sides, compare, self.signed_number())
        else:
            term = Dice(max(1, count), sides)
        return Roll((term,)) if count else Roll()

    def function(self) -> Roll:
        """Read bounds or a factor."""
        name = self.next()
        self.expect("(")
        inner = self.sum()
        self.expect(",")
        term: Bounded | Scaled
        if name == "max":
            term = Bounded(inner, low=self.signed_number())
        elif name == "min":
            term = Bounded(inner, high=self.signed_number())
        elif name == "clamp":
            low = self.signed_number()
            self.expect(",")
            term = Bounded(inner, low, self.signed_number())
        else:
            term = Scaled(inner, self.factor(), Rounding(name))
        self.expect(")")
        return Roll((term,))

    def factor(self) -> Fraction:
        """Read a whole number or a fraction, perhaps negative."""
        numerator, denominator = self.signed_number(), 1
        if self.token == "/":
            self.next()
            denominator = self.number()
        if not 1 <= denominator <= MAX_FACTOR or abs(numerator) > MAX_FACTOR:
            raise DiceError(
                f"In the roll {self.text!r} a factor has parts above {MAX_FACTOR} or divides by 0."
            )
        return Fraction(numerator, denominator)

    def signed_number(self) -> int:
        """Read a whole number, perhaps with a minus."""
        if self.token == "-":
            self.next()
            return -self.number()
        return self.number()

    def number(self) -> int:
        """Read a whole number."""
        if not self.token.isdecimal():
            raise self.error("a number")
        value = int(self.next())
        if value > MAX_NUMBER:
            raise DiceError(f"In the roll {self.text!r} a number exceeds {MAX_NUMBER}.")
        return value

    def expect(self, token: str) -> None:
        """Read exactly this token."""
        if self.token != token:
            raise self.error(repr(token))
        self.next()

    def next(self) -> str:
        """Take the next token."""
        self.at += 1
        return self.tokens[self.at - 1]

    def _split(self, text: str) -> list[str]:
        tokens, at = [], 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if not match:
                raise DiceError(
                    f"The roll {self.text!r} cannot be read from {text[at:].lstrip()!r} on."
                )
            tokens.append(match.group(1))
            at = match.end()
        return tokens
