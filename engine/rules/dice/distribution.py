"""Exact odds: outcomes with integer weights, and what rulesets ask of them.

Nothing here knows dice or expressions. Probabilities are Fractions and weights are integers of any
size, so odds are exact; sums multiply packed integers (Kronecker substitution), which is exact too.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate
from math import floor, gcd, lcm
from typing import Any, Generic, NamedTuple, Protocol, TypeVar


class DiceError(ValueError):
    """A roll, a face or a question that makes no sense; its text is one sentence for the user."""


class Rounding(StrEnum):
    """How a fraction becomes a whole number. "nearest" is another name for half_up (DG 11)."""

    DOWN = "down"
    UP = "up"
    HALF_UP = "half_up"
    NEAREST = "half_up"

    @classmethod
    def _missing_(cls, value: object) -> "Rounding | None":
        return cls.HALF_UP if value == "nearest" else None


def rounded(value: Fraction, rounding: Rounding) -> int:
    """Round to a whole number: down is toward minus infinity, half_up lifts an exact half."""
    if rounding is Rounding.DOWN:
        return floor(value)
    if rounding is Rounding.UP:
        return -floor(-value)
    return floor(value + Fraction(1, 2))


class Ordered(Protocol):
    """What outcomes must be: sortable (and hashable)."""

    def __lt__(self, other: Any, /) -> bool: ...


T = TypeVar("T", bound=Ordered)
U = TypeVar("U", bound=Ordered)


class Bar(NamedTuple):
    """One bar of a histogram: outcomes low to high, their chance, and it as part of the tallest."""

    low: int
    high: int
    chance: Fraction
    height: Fraction


@dataclass(frozen=True, slots=True)
class Distribution(Generic[T]):
    """Outcomes in ascending order, each with a positive integer weight.

    Built by `from_weights`, `certain`, `uniform` or `mixture`; the constructor trusts its caller.
    Outcomes are numbers, labels of bands or tuples: anything hashable that sorts.
    """

    outcomes: tuple[T, ...]
    weights: tuple[int, ...]
    _below: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_below", (0, *accumulate(self.weights)))

    @classmethod
    def from_weights(cls, weights: Mapping[T, int]) -> "Distribution[T]":
        """Build from outcome to weight, without weights of 0. Errors: DiceError if none is left."""
        outcomes = tuple(sorted(outcome for outcome, weight in weights.items() if weight))
        if not outcomes or min(weights.values()) < 0:
            raise DiceError("Odds need at least one outcome, and no weight may be negative.")
        return cls(outcomes, tuple(weights[outcome] for outcome in outcomes))

    @classmethod
    def certain(cls, outcome: T) -> "Distribution[T]":
        """Give the odds of what is no question."""
        return cls((outcome,), (1,))

    @property
    def total(self) -> int:
        """The sum of all weights: for a roll, the product of its dice's sides."""
        return self._below[-1]

    @property
    def items(self) -> Iterable[tuple[T, int]]:
        """Outcomes with their weights, ascending."""
        return zip(self.outcomes, self.weights, strict=True)

    def reduced(self) -> "Distribution[T]":
        """Divide all weights by their common divisor: equal odds then compare equal."""
        divisor = gcd(*self.weights)
        return Distribution(self.outcomes, tuple(weight // divisor for weight in self.weights))

    # Chances

    def of(self, outcome: T) -> Fraction:
        """P(exactly this outcome)."""
        return self.between(outcome, outcome)

    def at_least(self, threshold: T) -> Fraction:
        """P(outcome >= threshold)."""
        total = self.total
        return Fraction(total - self._below[bisect_left(self.outcomes, threshold)], total)

    def at_most(self, threshold: T) -> Fraction:
        """P(outcome <= threshold)."""
        return Fraction(self._below[bisect_right(self.outcomes, threshold)], self.total)

    def between(self, low: T, high: T) -> Fraction:
        """P(low <= outcome <= high), as for one band of a d100."""
        first, last = bisect_left(self.outcomes, low), bisect_right(self.outcomes, high)
        return Fraction(max(0, self._below[last] - self._below[first]), self.total)

    def chance(self, test: Callable[[T], bool]) -> Fraction:
        """P(the outcome passes the test)."""
        return Fraction(sum(w for outcome, w in self.items if test(outcome)), self.total)

    def mean(self: "Distribution[int] | Distribution[Fraction]") -> Fraction:
        """Give the expected value, exact."""
        return Fraction(sum(outcome * weight for outcome, weight in self.items)) / self.total

    def histogram(self: "Distribution[int]", bars: int = 40) -> tuple[Bar, ...]:
        """Draw at most this many bars of equal width over the whole range, gaps included."""
        low, span = self.outcomes[0], self.outcomes[-1] - self.outcomes[0] + 1
        width = -(-span // max(1, bars))
        starts = range(low, low + span, width)
        chances = [self.between(start, start + width - 1) for start in starts]
        tallest = max(chances)
        return tuple(
            Bar(start, min(start + width, low + span) - 1, chance, chance / tallest)
            for start, chance in zip(starts, chances, strict=True)
        )

    # New odds from old

    def map(self, rule: Callable[[T], U]) -> "Distribution[U]":
        """Give the odds of `rule(outcome)`: the band of a roll, boxes from successes."""
        weights: dict[U, int] = {}
        for outcome, weight in self.items:
            result = rule(outcome)
            weights[result] = weights.get(result, 0) + weight
        return Distribution.from_weights(weights)

    def then(self, follow: Callable[[T], "Distribution[U]"]) -> "Distribution[U]":
        """Give the odds of what follows each outcome, as damage follows the band of a hit."""
        return mixture((weight, follow(outcome)) for outcome, weight in self.items)

    def clamp(
        self: "Distribution[int]", *, low: int | None = None, high: int | None = None
    ) -> "Distribution[int]":
        """Give the odds with outcomes below `low` lifted and outcomes above `high` cut."""
        return self.map(lambda outcome: clamped(outcome, low, high))

    def times(
        self: "Distribution[int]", factor: Fraction, rounding: Rounding
    ) -> "Distribution[int]":
        """Give the odds of the outcome times a factor, rounded."""
        return self.map(lambda outcome: rounded(outcome * factor, rounding))

    def repeated(self: "Distribution[int]", count: int) -> "Distribution[int]":
        """Give the odds of the sum of `count` independent outcomes; 0 of them sum to 0."""
        if count == 0:
            return Distribution.certain(0)
        width = _bytes_for(self.total**count)
        return _unpacked(_packed(self, width) ** count, width, count * self.outcomes[0])

    def __add__(self: "Distribution[int]", other: "Distribution[int] | int") -> "Distribution[int]":
        if isinstance(other, int):
            if other == 0:
                return self
            return Distribution(tuple(o + other for o in self.outcomes), self.weights)
        width = _bytes_for(self.total * other.total)
        product = _packed(self, width) * _packed(other, width)
        return _unpacked(product, width, self.outcomes[0] + other.outcomes[0])

    def __neg__(self: "Distribution[int]") -> "Distribution[int]":
        return Distribution(tuple(-o for o in reversed(self.outcomes)), self.weights[::-1])

    def __sub__(self: "Distribution[int]", other: "Distribution[int] | int") -> "Distribution[int]":
        return self + -other


def uniform(low: int, high: int) -> Distribution[int]:
    """Give the odds of one fair die with the faces low to high."""
    if low > high:
        raise DiceError("A die needs at least one face.")
    return Distribution(tuple(range(low, high + 1)), (1,) * (high - low + 1))


def mixture(parts: Iterable[tuple[int, Distribution[T]]]) -> Distribution[T]:
    """Mix odds, each with the integer weight of its case; the result is reduced."""
    cases = [(weight, odds) for weight, odds in parts if weight]
    common = lcm(*(odds.total for _, odds in cases))
    weights: dict[T, int] = {}
    for case_weight, odds in cases:
        share = case_weight * (common // odds.total)
        for outcome, weight in odds.items:
            weights[outcome] = weights.get(outcome, 0) + share * weight
    return Distribution.from_weights(weights).reduced()


class Contest(NamedTuple):
    """The chances of the first of two rolls that are compared."""

    win: Fraction
    tie: Fraction
    lose: Fraction

    def ties_rerolled(self) -> "Contest":
        """Give the chances when both roll again on a tie; sides that only tie stay tied."""
        decided = self.win + self.lose
        if decided == 0:
            return self
        return Contest(self.win / decided, Fraction(0), self.lose / decided)


def contest(first: Distribution[int], second: Distribution[int]) -> Contest:
    """Compare two independent totals: the higher wins."""
    win = tie = 0
    for outcome, weight in first.items:
        below = bisect_left(second.outcomes, outcome)
        not_above = bisect_right(second.outcomes, outcome)
        win += weight * second._below[below]
        tie += weight * (second._below[not_above] - second._below[below])
    total = first.total * second.total
    return Contest(Fraction(win, total), Fraction(tie, total), Fraction(total - win - tie, total))


def clamped(value: int, low: int | None, high: int | None) -> int:
    """Lift a value to `low` and cut it to `high`, where they are given."""
    if low is not None and value < low:
        return low
    return high if high is not None and value > high else value


def _span(odds: Distribution[int]) -> int:
    return odds.outcomes[-1] - odds.outcomes[0] + 1


def _bytes_for(number: int) -> int:
    return (number.bit_length() + 7) // 8


def _packed(odds: Distribution[int], width: int) -> int:
    """Write the weights as the digits of one integer, `width` bytes each, the lowest first."""
    digits = bytearray(width * _span(odds))
    for outcome, weight in odds.items:
        start = (outcome - odds.outcomes[0]) * width
        digits[start : start + width] = weight.to_bytes(width, "little")
    return int.from_bytes(digits, "little")


def _unpacked(number: int, width: int, low: int) -> Distribution[int]:
    """Read the digits back; no digit overflowed, since all weights together fit one digit."""
    digits = number.to_bytes(_bytes_for(number), "little")
    weights = {
        low + start // width: int.from_bytes(digits[start : start + width], "little")
        for start in range(0, len(digits), width)
    }
    return Distribution.from_weights(weights)
