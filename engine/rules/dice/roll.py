"""The roll expression: one value, evaluated by faces on the table or by weights in a forecast.

A Roll is a sum: terms that are added, terms that are subtracted, one constant. A term is a handful
of dice (all, the highest or the lowest kept), a pool of dice that counts successes, or a whole roll
that is bounded or multiplied. What the total means, a hit or a band, is the ruleset's business.

    attack = dice(1, 20) + to_hit - dice(maluses, 6, highest=1)
    attack.evaluate((14, 2, 5)).total           the faces on the table
    attack.odds().at_least(armour_class)        the same roll in the forecast
    attack.classify(band, special=(20,))        the odds of `band(natural, total)`

Faces are typed and stored in the order in which the dice stand in the notation: added terms, then
subtracted ones. Text becomes a roll in `notation.py`; this module only writes it.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from secrets import SystemRandom
from typing import Any, NamedTuple, TypeVar

from pydantic_core import core_schema

from engine.rules.dice import tables
from engine.rules.dice.distribution import (
    DiceError,
    Distribution,
    Ordered,
    Rounding,
    clamped,
    rounded,
)

MAX_DICE = 300
MAX_SIDES = 1000
MAX_FACES = 4000
"""Limits of one handful: number of dice, faces of a die, and both multiplied."""
MAX_KEPT_FACES = 20_000
"""Limit of dice kept x dice x sides, if dice are dropped: that is what their odds cost."""

L = TypeVar("L", bound=Ordered)
_ENTROPY = SystemRandom()


class Compare(StrEnum):
    """How a die of a pool must stand to its threshold to be a success."""

    ABOVE = ">"
    AT_LEAST = ">="


class FacesNeeded(NamedTuple):
    """What must be typed in for a roll: the sides of each die in order.

    `total` is the range of the sum of all faces where that sum suffices, else None.
    """

    sides: tuple[int, ...]
    total: range | None


class Typed(NamedTuple):
    """What somebody typed in: the faces, or only their sum."""

    faces: tuple[int, ...] = ()
    total: int | None = None


class RollResult(NamedTuple):
    """What a roll came to: its total, the face of its first die if that lies alone, and how."""

    total: int
    natural: int | None
    shown: str


@dataclass(frozen=True, slots=True)
class Dice:
    """A handful of equal dice that are summed, all or the `keep` highest or lowest."""

    count: int
    sides: int
    keep: int | None = None
    keep_lowest: bool = False

    def __post_init__(self) -> None:
        _check_dice(self.count, self.sides)
        if self.keep is not None and not 1 <= self.keep <= self.count:
            raise DiceError(f"Of {self.count} dice {self.keep} cannot be kept.")
        if not self.keeps_all and (self.keep or 0) * self.count * self.sides > MAX_KEPT_FACES:
            raise DiceError(f"Keeping {self.keep} of {self.count}d{self.sides} is too much.")

    @property
    def keeps_all(self) -> bool:
        """Tell whether only the sum of the faces matters."""
        return self.keep in (None, self.count)

    def dice_sides(self) -> tuple[int, ...]:
        """List the sides of each die in the order of its faces."""
        return (self.sides,) * self.count

    def bounds(self) -> tuple[int, int]:
        """Give the lowest and the highest value."""
        kept = self.keep or self.count
        return kept, kept * self.sides

    def value(self, faces: Iterator[int]) -> int:
        """Take this term's faces from the iterator and evaluate them."""
        ordered = sorted(islice(faces, self.count), reverse=not self.keep_lowest)
        return sum(ordered[: self.keep])

    def odds(self) -> Distribution[int]:
        """Give the odds of this term's value."""
        if self.keep is None or self.keeps_all:
            return tables.sum_odds(self.count, self.sides)
        return tables.keep_odds(self.count, self.sides, self.keep, lowest=self.keep_lowest)

    def text(self, faces: Iterator[int] | None = None) -> str:
        """Write the notation, with the faces in brackets if they are given."""
        kept = "" if self.keep is None else f"{'l' if self.keep_lowest else 'k'}{self.keep}"
        return f"{self.count}d{self.sides}{kept}{_bracketed(faces, self.count)}"


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of equal dice, each a success if it passes the threshold; their number counts."""

    count: int
    sides: int
    compare: Compare
    threshold: int

    def __post_init__(self) -> None:
        _check_dice(self.count, self.sides)

    @property
    def lowest_success(self) -> int:
        """The lowest number that is a success; it may lie beyond the faces."""
        return self.threshold + (1 if self.compare is Compare.ABOVE else 0)

    def dice_sides(self) -> tuple[int, ...]:
        """List the sides of each die in the order of its faces."""
        return (self.sides,) * self.count

    def bounds(self) -> tuple[int, int]:
        """Give no success and all dice, whatever the threshold."""
        return 0, self.count

    def value(self, faces: Iterator[int]) -> int:
        """Take this term's faces from the iterator and count the successes."""
        return sum(face >= self.lowest_success for face in islice(faces, self.count))

    def odds(self) -> Distribution[int]:
        """Give the odds of the number of successes."""
        good = clamped(self.sides + 1 - self.lowest_success, 0, self.sides)
        return tables.success_odds(self.count, self.sides, good)

    def text(self, faces: Iterator[int] | None = None) -> str:
        """Write the notation, with the faces in brackets if they are given."""
        dice = f"{self.count}d{self.sides}{self.compare}{self.threshold}"
        return dice + _bracketed(faces, self.count)


@dataclass(frozen=True, slots=True)
class Bounded:
    """A whole roll that is never below `low` nor above `high`, where they are given."""

    roll: "Roll"
    low: int | None = None
    high: int | None = None

    def __post_init__(self) -> None:
        if self.low is None and self.high is None:
            raise DiceError("Bounds need a lower or an upper end.")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise DiceError(f"No number is at least {self.low} and at most {self.high}.")

    def dice_sides(self) -> tuple[int, ...]:
        """List the sides of each die in the order of its faces."""
        return self.roll.dice_sides()

    def bounds(self) -> tuple[int, int]:
        """Give the lowest and the highest value."""
        low, high = self.roll.bounds()
        return self.applied(low), self.applied(high)

    def applied(self, value: int) -> int:
        """Bound a value of the inner roll."""
        return clamped(value, self.low, self.high)

    def value(self, faces: Iterator[int]) -> int:
        """Take the inner roll's faces from the iterator and bound its total."""
        return self.applied(self.roll.value(faces))

    def odds(self) -> Distribution[int]:
        """Give the odds of the bounded total."""
        return self.roll.odds().clamp(low=self.low, high=self.high)

    def text(self, faces: Iterator[int] | None = None) -> str:
        """Write the notation, with the faces in brackets if they are given."""
        inner = self.roll.text(faces)
        if self.high is None and self.low is not None:
            return f"max({inner},{self.low})"
        if self.low is None and self.high is not None:
            return f"min({inner},{self.high})"
        return f"clamp({inner},{self.low},{self.high})"


@dataclass(frozen=True, slots=True)
class Scaled:
    """A whole roll times a factor, rounded: 1/2 and down for resistance, 3/2 for vulnerability."""

    roll: "Roll"
    factor: Fraction
    rounding: Rounding

    def dice_sides(self) -> tuple[int, ...]:
        """List the sides of each die in the order of its faces."""
        return self.roll.dice_sides()

    def bounds(self) -> tuple[int, int]:
        """Give the lowest and the highest value."""
        low, high = self.roll.bounds()
        ends = self.applied(low), self.applied(high)
        return min(ends), max(ends)

    def applied(self, value: int) -> int:
        """Multiply and round a value of the inner roll."""
        return rounded(value * self.factor, self.rounding)

    def value(self, faces: Iterator[int]) -> int:
        """Take the inner roll's faces from the iterator and multiply its total."""
        return self.applied(self.roll.value(faces))

    def odds(self) -> Distribution[int]:
        """Give the odds of the multiplied total."""
        return self.roll.odds().times(self.factor, self.rounding)

    def text(self, faces: Iterator[int] | None = None) -> str:
        """Write the notation, with the faces in brackets if they are given."""
        return f"{self.rounding}({self.roll.text(faces)},{self.factor})"


Term = Dice | Pool | Bounded | Scaled


@dataclass(frozen=True, slots=True)
class Roll:
    """A sum of terms and one constant; `Roll()` is the certain 0.

    Keeping the constant apart makes rolls that differ only by modifiers share one table of odds.
    As a pydantic field it validates from a Roll or its notation; in JSON it is the notation.
    """

    plus: tuple[Term, ...] = ()
    minus: tuple[Term, ...] = ()
    constant: int = 0

    @classmethod
    def parse(cls, text: str) -> "Roll":
        """Read the notation that `str` writes. Errors: DiceError."""
        from engine.rules.dice.notation import parse  # noqa: PLC0415  it builds on this

        return parse(text)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> core_schema.CoreSchema:
        """Validate from a Roll or its notation, serialise as the notation."""
        return core_schema.union_schema(
            [
                core_schema.is_instance_schema(cls),
                core_schema.no_info_after_validator_function(cls.parse, core_schema.str_schema()),
            ],
            mode="left_to_right",
            serialization=core_schema.to_string_ser_schema(when_used="json"),
        )

    def __add__(self, other: "Roll | int") -> "Roll":
        if isinstance(other, int):
            return Roll(self.plus, self.minus, self.constant + other)
        return Roll(
            self.plus + other.plus, self.minus + other.minus, self.constant + other.constant
        )

    __radd__ = __add__

    def __neg__(self) -> "Roll":
        return Roll(self.minus, self.plus, -self.constant)

    def __sub__(self, other: "Roll | int") -> "Roll":
        return self + -other

    def __rsub__(self, other: int) -> "Roll":
        return -self + other

    def clamp(self, *, low: int | None = None, high: int | None = None) -> "Roll":
        """Bound the total: `low=1` is DragonQuest's "no roll may be modified below 1"."""
        if low is None and high is None:
            return self
        return Roll((Bounded(self, low, high),))

    def times(self, factor: Fraction | int, rounding: Rounding = Rounding.DOWN) -> "Roll":
        """Multiply the total and round it."""
        return Roll((Scaled(self, Fraction(factor), rounding),))

    def __str__(self) -> str:
        return self.text()

    def text(self, faces: Iterator[int] | None = None) -> str:
        """Write the notation, with the faces in brackets if they are given."""
        added = "+".join(term.text(faces) for term in self.plus)
        subtracted = "".join(f"-{term.text(faces)}" for term in self.minus)
        dice = added + subtracted
        if not dice:
            return str(self.constant)
        return f"{dice}{self.constant:+d}" if self.constant else dice

    def bounds(self) -> tuple[int, int]:
        """Give limits that no total passes."""
        added = [term.bounds() for term in self.plus]
        subtracted = [term.bounds() for term in self.minus]
        low = sum(low for low, _ in added) - sum(high for _, high in subtracted)
        high = sum(high for _, high in added) - sum(low for low, _ in subtracted)
        return low + self.constant, high + self.constant

    # Faces

    def dice_sides(self) -> tuple[int, ...]:
        """List the sides of each die in the order of its faces."""
        return tuple(side for term in self.plus + self.minus for side in term.dice_sides())

    def faces_needed(self) -> FacesNeeded:
        """Tell what must be typed in.

        The sum suffices if all dice are plainly added; but if the first die lies alone beside
        others, it is the natural face that critical hits ask for, and each face is needed.
        """
        sides = self.dice_sides()
        total = range(len(sides), sum(sides) + 1) if sides and self._sum_suffices() else None
        return FacesNeeded(sides, total)

    def evaluate(self, faces: Sequence[int] = (), total: int | None = None) -> RollResult:
        """Evaluate faces, or the sum of all faces where it suffices.

        Errors: DiceError if the number of faces, a face or the total cannot be.
        """
        if total is not None:
            return self._evaluate_total(faces, total)
        sides = self.dice_sides()
        if len(faces) != len(sides):
            raise DiceError(f"{self} needs {_counted(len(sides), 'face')}, not {len(faces)}.")
        for face, highest in zip(faces, sides, strict=True):
            if not 1 <= face <= highest:
                raise DiceError(f"A d{highest} cannot show {face}.")
        natural = None if self.natural_sides is None else faces[0]
        result = self.value(iter(faces))
        return RollResult(result, natural, f"{self.text(iter(faces))} = {result}")

    def read(self, text: str) -> Typed:
        """Read typed numbers as faces or, where one number is fewer and suffices, as the sum.

        Errors: DiceError for anything that `evaluate` would refuse.
        """
        words = re.split(r"[\s,;]+", text.strip()) if text.strip() else []
        if not all(re.fullmatch(r"[0-9]{1,6}", word) for word in words):
            raise DiceError(f"Faces are whole numbers, such as 14 2 5; {text!r} is not.")
        numbers = tuple(int(word) for word in words)
        needed = self.faces_needed()
        only_sum = len(numbers) == 1 < len(needed.sides) and needed.total is not None
        typed = Typed(total=numbers[0]) if only_sum else Typed(numbers)
        self.evaluate(*typed)
        return typed

    def value(self, faces: Iterator[int]) -> int:
        """Take this roll's faces, already checked, from the iterator and total them."""
        added = sum(term.value(faces) for term in self.plus)
        return added - sum(term.value(faces) for term in self.minus) + self.constant

    # Odds

    def odds(self) -> Distribution[int]:
        """Give the exact odds of the total."""
        return _odds_of_terms(self.plus, self.minus) + self.constant

    # The natural face

    @property
    def natural_sides(self) -> int | None:
        """The sides of the first die if it lies alone, so that its face is "the natural"."""
        first = self.plus[0] if self.plus else None
        return first.sides if isinstance(first, Dice) and first.count == 1 else None

    def with_natural(self, face: int) -> "Roll":
        """Give the same roll with its first die lying at `face`."""
        if self.natural_sides is None:
            raise DiceError(f"{self} has no single first die.")
        return Roll(self.plus[1:], self.minus, self.constant + face)

    def classify(
        self, band: Callable[[int | None, int], L], special: tuple[int, ...]
    ) -> Distribution[L]:
        """Give the odds of `band(natural, total)`, the function that also judges the faces.

        The natural and the total depend on each other; this keeps them together. `special` names
        the naturals that `band` looks at; in its place it sees None for any other.
        """
        plus, minus, sides = self.plus[1:], self.minus, self.natural_sides
        if sides is None or not all(1 <= face <= sides for face in special):
            raise DiceError(f"{self} has no single first die that shows {special}.")
        rest = _odds_of_terms(plus, minus)
        ordinary = _odds_of_other_naturals(plus, minus, sides, special)
        weights: dict[L, int] = {}
        for natural in (None, *sorted(set(special))):
            odds = ordinary if natural is None else rest
            shift = self.constant + (natural or 0)
            for outcome, weight in odds.items if odds else ():
                label = band(natural, outcome + shift)
                weights[label] = weights.get(label, 0) + weight
        return Distribution.from_weights(weights)

    def _sum_suffices(self) -> bool:
        if self.minus:
            return False
        only = self.plus[0] if len(self.plus) == 1 else None
        if isinstance(only, Bounded | Scaled):
            return only.roll._sum_suffices()
        if only is None and self.natural_sides is not None:
            return False
        return all(isinstance(term, Dice) and term.keeps_all for term in self.plus)

    def _evaluate_total(self, faces: Sequence[int], total: int) -> RollResult:
        allowed = self.faces_needed().total
        if faces or allowed is None:
            raise DiceError(f"{self} needs each face, not a total.")
        if total not in allowed:
            raise DiceError(f"The dice of {self} total {allowed[0]} to {allowed[-1]}, not {total}.")
        result = self._value_of_total(total)
        natural = None if self.natural_sides is None else total
        return RollResult(result, natural, f"{self} [total {total}] = {result}")

    def _value_of_total(self, total: int) -> int:
        only = self.plus[0]
        if isinstance(only, Bounded | Scaled):
            total = only.applied(only.roll._value_of_total(total))
        return total + self.constant


def dice(count: int, sides: int, *, highest: int | None = None, lowest: int | None = None) -> Roll:
    """Roll `count` dice and sum them, or only the highest or lowest few.

    No dice, or fewer, are the certain 0; keeping more than there are keeps all.
    """
    if count <= 0:
        return Roll()
    keep = highest if lowest is None else lowest
    if keep is not None:
        keep = min(keep, count)
    return Roll((Dice(count, sides, keep, keep_lowest=lowest is not None),))


def successes(count: int, sides: int, compare: Compare, threshold: int) -> Roll:
    """Count the successes of a pool; no dice, or fewer, have none."""
    return Roll((Pool(count, sides, compare, threshold),)) if count > 0 else Roll()


def roll_faces(roll: Roll, rng: random.Random = _ENTROPY) -> tuple[int, ...]:
    """Throw every die of a roll, by default with fresh entropy that nobody can foresee."""
    return tuple(rng.randint(1, sides) for sides in roll.dice_sides())


@lru_cache(maxsize=1024)
def _odds_of_terms(plus: tuple[Term, ...], minus: tuple[Term, ...]) -> Distribution[int]:
    odds = Distribution.certain(0)
    for term in plus:
        odds = odds + term.odds()
    for term in minus:
        odds = odds - term.odds()
    return odds


@lru_cache(maxsize=1024)
def _odds_of_other_naturals(
    plus: tuple[Term, ...], minus: tuple[Term, ...], sides: int, special: tuple[int, ...]
) -> Distribution[int] | None:
    """Give the odds of the first die plus the rest where it shows no special face, if it can."""
    others = {face: 1 for face in range(1, sides + 1) if face not in special}
    if not others:
        return None
    return Distribution.from_weights(others) + _odds_of_terms(plus, minus)


def _check_dice(count: int, sides: int) -> None:
    if not 1 <= count <= MAX_DICE or not 1 <= sides <= MAX_SIDES or count * sides > MAX_FACES:
        raise DiceError(
            f"{count}d{sides} is no handful of dice: at most {MAX_DICE} dice of at most "
            f"{MAX_SIDES} sides and {MAX_FACES} faces in all."
        )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _bracketed(faces: Iterator[int] | None, count: int) -> str:
    if faces is None:
        return ""
    return f"[{' '.join(str(face) for face in islice(faces, count))}]"
