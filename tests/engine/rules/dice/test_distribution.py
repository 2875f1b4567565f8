"""Odds as values: chances, mixtures, contests, histograms."""

from collections.abc import Callable
from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.dice import (
    Contest,
    DiceError,
    Distribution,
    Rounding,
    contest,
    mixture,
    rounded,
    uniform,
)

NUMBERS = st.dictionaries(st.integers(-60, 60), st.integers(1, 50), min_size=1, max_size=8)
ODDS = NUMBERS.map(Distribution.from_weights)


@given(NUMBERS, NUMBERS)
def test_sum_and_difference_are_icepools(first: dict[int, int], second: dict[int, int]):
    ours, others = Distribution.from_weights(first), Distribution.from_weights(second)
    for mine, oracle in (
        (ours + others, icepool.Die(first) + icepool.Die(second)),
        (ours - others, icepool.Die(first) - icepool.Die(second)),
    ):
        assert dict(mine.reduced().items) == dict(
            Distribution.from_weights(dict(oracle.items())).reduced().items
        )


@given(ODDS, st.integers(0, 5))
def test_repeated_is_added_one_by_one(odds: Distribution[int], count: int):
    summed = Distribution.certain(0)
    for _ in range(count):
        summed = summed + odds
    assert odds.repeated(count) == summed


@given(ODDS, st.integers(-70, 70), st.integers(-70, 70))
def test_chances_agree_with_counting(odds: Distribution[int], low: int, high: int):
    def counted(test: Callable[[int], bool]):
        return Fraction(sum(w for o, w in odds.items if test(o)), odds.total)

    assert odds.at_least(low) == counted(lambda o: o >= low)
    assert odds.at_most(high) == counted(lambda o: o <= high)
    assert odds.of(low) == counted(lambda o: o == low)
    assert odds.between(low, high) == odds.chance(lambda o: low <= o <= high)
    assert odds.mean() == Fraction(sum(o * w for o, w in odds.items), odds.total)


@given(ODDS, ODDS)
def test_contest_is_the_sign_of_the_difference(first: Distribution[int], second: Distribution[int]):
    gap = first - second
    odds = contest(first, second)
    assert odds == (gap.at_least(1), gap.of(0), gap.at_most(-1))
    assert sum(odds) == 1


@given(ODDS, ODDS)
def test_ties_are_rerolled_until_one_side_wins(first: Distribution[int], second: Distribution[int]):
    odds = contest(first, second)
    win, tie, lose = odds.ties_rerolled()
    if odds.win + odds.lose:
        assert (win + lose, tie) == (1, 0)
        assert win == odds.win + odds.tie * win
    else:
        assert tie == 1


def test_two_sides_that_only_tie_stay_tied():
    four = Distribution.certain(4)
    assert contest(four, four).ties_rerolled() == Contest(Fraction(0), Fraction(1), Fraction(0))


@given(ODDS, ODDS, st.integers(1, 9), st.integers(0, 9))
def test_mixture_weighs_its_cases(
    first: Distribution[int], second: Distribution[int], weight: int, other: int
):
    mixed = mixture([(weight, first), (other, second)])
    share = Fraction(weight, weight + other)
    for outcome in mixed.outcomes:
        assert mixed.of(outcome) == share * first.of(outcome) + (1 - share) * second.of(outcome)


def test_damage_follows_the_band_of_a_hit():
    bands = uniform(1, 4).map(lambda face: "hit" if face == 4 else "miss")
    damage = {"hit": uniform(1, 2), "miss": Distribution.certain(0)}
    assert bands.then(damage.__getitem__) == Distribution((0, 1, 2), (6, 1, 1))


@given(ODDS, st.integers(1, 50))
def test_histogram_covers_every_outcome_once(odds: Distribution[int], bars: int):
    drawn = odds.histogram(bars)
    assert len(drawn) <= bars
    assert sum(bar.chance for bar in drawn) == 1
    assert max(bar.height for bar in drawn) == 1
    assert (drawn[0].low, drawn[-1].high) == (odds.outcomes[0], odds.outcomes[-1])
    assert all(left.high + 1 == right.low for left, right in zip(drawn, drawn[1:], strict=False))


@pytest.mark.parametrize(
    ("value", "down", "up", "half_up"),
    [
        ("7/2", 3, 4, 4),
        ("10/3", 3, 4, 3),
        ("-7/2", -4, -3, -3),
        ("-11/3", -4, -3, -4),
        ("5", 5, 5, 5),
    ],
)
def test_rounding(value: str, down: int, up: int, half_up: int):
    exact = Fraction(value)
    assert rounded(exact, Rounding.DOWN) == down
    assert rounded(exact, Rounding.UP) == up
    assert rounded(exact, Rounding.HALF_UP) == half_up
    assert rounded(exact, Rounding("nearest")) == half_up


def test_weights_that_give_no_odds_are_refused():
    for weights in ({}, {1: 0}, {1: 2, 2: -1}):
        with pytest.raises(DiceError):
            Distribution.from_weights(weights)
    with pytest.raises(DiceError):
        uniform(1, 0)


def test_outcomes_may_be_labels():
    bands = Distribution.from_weights({"miss": 3, "hit": 1})
    assert bands.of("hit") == Fraction(1, 4)
    assert bands.of("fumble") == 0
