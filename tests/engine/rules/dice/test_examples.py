"""Worked examples of the five rulesets, as a ruleset writes them."""

from fractions import Fraction

import pytest

from engine.rules.dice import Compare, Distribution, Roll, Rounding, contest, dice, successes
from tests.bench import bench_dice


def test_drase_o1_two_maluses_subtract_the_highest_of_two_dice():
    heavy_obscuration = -dice(2, 6, highest=1)
    assert heavy_obscuration.evaluate((2, 5)).total == -5


@pytest.mark.parametrize(("stacks", "mean"), [(1, "7/2"), (2, "161/36"), (3, "119/24"), (0, "0")])
def test_drase_mean_of_bonus_stacks(stacks: int, mean: str):
    assert dice(stacks, 6, highest=1).odds().mean() == Fraction(mean)


def test_drase_npc_chart_last_row_is_a_natural_chance():
    assert dice(1, 20).odds().at_least(19) == Fraction(1, 10)


@pytest.mark.parametrize(("cover", "total"), [(0, 19), (-2, 17), (-5, 14)])
def test_drase_c1_cover(cover: int, total: int):
    assert (dice(1, 20) + 5 + cover).evaluate((14,)).total == total


@pytest.mark.parametrize(
    ("damage", "net", "result"),
    [(7, -1, 3), (7, 1, 11), (1, -1, 0), (1, 1, 2), (5, 1, 8)],
)
def test_drase_r1_r2_resistance(damage: int, net: int, result: int):
    raw = Roll(constant=damage)
    if net < 0:
        assert raw.times(Fraction(1, 2), Rounding.DOWN).evaluate().total == result
    else:
        assert raw.times(Fraction(3, 2), Rounding.HALF_UP).evaluate().total == result


def test_drase_critical_hit_is_a_natural_20_that_hits():
    def band(natural: int | None, total: int):
        if total < 26:
            return "miss"
        return "critical" if natural == 20 else "hit"

    attack = dice(1, 20) + 8 - dice(1, 6)
    bands = attack.classify(band, special=(20,))
    assert bands.of("critical") == Fraction(2, 6 * 20)
    assert bands.of("hit") == Fraction(1, 6 * 20)
    assert band(*attack.evaluate((20, 2))[1::-1]) == "critical"


@pytest.mark.parametrize(
    ("faces", "threshold", "count"), [((7, 6, 10, 3, 9), 6, 3), ((7, 6, 10, 3, 9), 7, 2)]
)
def test_gieden_h1_h2_an_attack_die_beats_the_difficulty(
    faces: tuple[int, ...], threshold: int, count: int
):
    assert successes(5, 10, Compare.ABOVE, threshold).evaluate(faces).total == count


def test_gieden_h3_difficulty_10_is_never_hit():
    assert successes(2, 10, Compare.ABOVE, 9).evaluate((9, 10)).total == 1
    assert successes(5, 10, Compare.ABOVE, 10).odds() == Distribution((0,), (10**5,))


def test_gieden_d1_d2_a_dodge_die_meets_the_difficulty():
    assert successes(4, 10, Compare.AT_LEAST, 7).evaluate((7, 8, 2, 6)).total == 2
    assert successes(3, 10, Compare.AT_LEAST, 1).evaluate((1, 1, 2)).total == 3
    assert successes(2, 10, Compare.AT_LEAST, 10).evaluate((9, 10)).total == 1


@pytest.mark.parametrize("difficulty", range(11))
def test_gieden_expected_successes_per_die(difficulty: int):
    attack = successes(1, 10, Compare.ABOVE, difficulty)
    dodge = successes(1, 10, Compare.AT_LEAST, max(1, difficulty))
    assert attack.odds().mean() == Fraction(10 - difficulty, 10)
    assert dodge.odds().mean() == Fraction(11 - max(1, difficulty), 10)


@pytest.mark.parametrize(("dodged", "net"), [(2, 2), (3, 1), (4, 0), (5, 0)])
def test_gieden_d3_net_successes_never_fall_below_none(dodged: int, net: int):
    attack = successes(4, 10, Compare.ABOVE, 6)
    dodge = successes(5, 10, Compare.AT_LEAST, 7)
    faces = (10,) * 4 + (7,) * dodged + (1,) * (5 - dodged)
    assert (attack - dodge).clamp(low=0).evaluate(faces).total == net


def test_gieden_d6_boxes_are_floored_on_the_total():
    net = Distribution.from_weights(dict.fromkeys((1, 2, 3, 4, 6, 7, 8, 9), 1))
    assert net.times(Fraction(1, 3), Rounding.DOWN) == Distribution((0, 1, 2, 3), (2, 2, 3, 1))


@pytest.mark.parametrize(
    ("count", "three", "six", "nine"),
    [
        (1, "4/6", "1/6", "0"),
        (2, "35/36", "26/36", "10/36"),
        (3, "216/216", "206/216", "160/216"),
        (4, "1296/1296", "1291/1296", "1226/1296"),
    ],
)
def test_dungeon_romp_odds_of_section_7(count: int, three: str, six: str, nine: str):
    odds = dice(count, 6).odds()
    assert [odds.at_least(n) for n in (3, 6, 9)] == [Fraction(t) for t in (three, six, nine)]


def test_dungeon_romp_contested_equal_dice_are_even_once_ties_are_rerolled():
    mind = dice(2, 6).odds()
    assert contest(mind, mind).ties_rerolled().win == Fraction(1, 2)


def test_dungeon_romp_arrow_through_leather_never_heals():
    damage = (dice(1, 6) - 2 - dice(1, 6)).clamp(low=0)
    assert damage.evaluate((2, 1)).total == 0
    assert damage.odds().of(0) == Fraction(30, 36)


def test_dragonquest_no_roll_is_modified_below_1():
    damage = (dice(1, 10) - 4).clamp(low=1)
    assert damage.evaluate((3,)).total == 1
    assert damage.odds().of(1) == Fraction(5, 10)


def test_dragonquest_bands_of_a_strike_check():
    strike = dice(1, 100).odds()
    assert strike.at_most(40) == Fraction(40, 100)
    assert strike.between(3, 6) == Fraction(4, 100)
    assert strike.between(99, 100) == Fraction(2, 100)


def test_dg_g2_equal_totals_in_a_grapple_tie():
    grapple, other = dice(1, 20) + 10, dice(1, 20) + 7
    assert grapple.evaluate((12,)).total == other.evaluate((15,)).total == 22
    assert contest(grapple.odds(), other.odds()).tie == Fraction(17, 400)


def test_dg_e1_area_attack_missed_does_a_quarter():
    assert Roll(constant=22).times(Fraction(1, 4)).evaluate().total == 5


def test_the_benchmark_forecasts_the_same_odds_both_ways():
    assert bench_dice.ours() == bench_dice.with_icepool()
