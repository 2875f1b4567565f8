"""Random rolls, and the oracle that builds the same odds with icepool."""

from fractions import Fraction

import icepool
from hypothesis import strategies as st

from engine.rules.dice import Compare, Distribution, Roll, Rounding, dice, rounded
from engine.rules.dice.roll import Bounded, Dice, Pool, Scaled, Term

FACTORS = st.fractions(min_value=-3, max_value=3, max_denominator=4)


@st.composite
def handfuls(draw: st.DrawFn, most: int = 4, most_sides: int = 10) -> Roll:
    """Draw dice, all or some kept."""
    count = draw(st.integers(0, most))
    sides = draw(st.integers(1, most_sides))
    keep = draw(st.none() | st.integers(1, most))
    if draw(st.booleans()):
        return dice(count, sides, lowest=keep)
    return dice(count, sides, highest=keep)


@st.composite
def pools(draw: st.DrawFn, most: int = 4, most_sides: int = 10) -> Roll:
    """Draw a pool whose threshold may lie beyond the faces."""
    sides = draw(st.integers(1, most_sides))
    pool = Pool(
        draw(st.integers(1, most)),
        sides,
        draw(st.sampled_from(Compare)),
        draw(st.integers(-2, sides + 2)),
    )
    return Roll((pool,))


def _grown(rolls: st.SearchStrategy[Roll]) -> st.SearchStrategy[Roll]:
    numbers = st.integers(-9, 9)
    ends = st.tuples(numbers, numbers).map(sorted)
    return st.one_of(
        st.tuples(rolls, rolls).map(lambda pair: pair[0] + pair[1]),
        st.tuples(rolls, rolls).map(lambda pair: pair[0] - pair[1]),
        st.tuples(rolls, numbers).map(lambda pair: pair[0] + pair[1]),
        st.tuples(rolls, numbers).map(lambda pair: pair[0].clamp(low=pair[1])),
        st.tuples(rolls, numbers).map(lambda pair: pair[0].clamp(high=pair[1])),
        st.tuples(rolls, ends).map(lambda pair: pair[0].clamp(low=pair[1][0], high=pair[1][1])),
        st.builds(Roll.times, rolls, FACTORS, st.sampled_from(Rounding)),
    )


ROLLS = st.recursive(handfuls() | pools(), _grown, max_leaves=4)
"""Any roll."""

SMALL_ROLLS = st.recursive(handfuls(2, 5) | pools(2, 5), _grown, max_leaves=3)
"""Rolls with so few faces that most can be thrown in every way."""

SUMS = st.builds(dice, st.integers(2, 5), st.integers(1, 10)).flatmap(
    lambda handful: st.sampled_from(
        [
            handful,
            handful + 3,
            handful + dice(1, 4),
            (handful - 2).clamp(low=1) + 1,
            (handful + 1).times(Fraction(3, 2), Rounding.HALF_UP).clamp(high=9),
        ]
    )
)
"""Rolls of which the sum of the dice suffices."""


def icepool_die(roll: Roll) -> icepool.Die:
    """Build the odds of a roll with icepool."""
    die = icepool.Die([roll.constant])
    for term in roll.plus:
        die = die + _term_die(term)
    for term in roll.minus:
        die = die - _term_die(term)
    return die


def same_odds(odds: Distribution, die: icepool.Die) -> bool:
    """Tell whether every outcome has exactly icepool's chance."""
    oracle = {int(outcome): die.probability(outcome) for outcome in die.outcomes()}
    return {outcome: odds.of(outcome) for outcome in odds.outcomes} == {
        outcome: Fraction(chance) for outcome, chance in oracle.items() if chance
    }


def _term_die(term: Term) -> icepool.Die:
    if isinstance(term, Dice):
        one = icepool.d(term.sides)
        keep = term.keep or term.count
        return one.lowest(term.count, keep) if term.keep_lowest else one.highest(term.count, keep)
    if isinstance(term, Pool):
        success = icepool.d(term.sides).map(
            lambda face: int(
                face > term.threshold if term.compare is Compare.ABOVE else face >= term.threshold
            )
        )
        return term.count @ success
    inner = icepool_die(term.roll)
    if isinstance(term, Scaled):
        return inner.map(lambda value: rounded(value * term.factor, term.rounding))
    assert isinstance(term, Bounded)
    if term.low is not None:
        inner = inner.map(lambda value: max(value, term.low))
    if term.high is not None:
        inner = inner.map(lambda value: min(value, term.high))
    return inner
