"""The roll expression: both evaluators against each other, against icepool, and as text."""

import random
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from engine.rules.dice import DiceError, Distribution, Roll, Typed, dice, roll_faces
from engine.rules.dice.roll import Bounded
from tests.helpers.rolls import ROLLS, SMALL_ROLLS, SUMS, icepool_die, same_odds


@settings(max_examples=60, deadline=None)
@given(ROLLS)
def test_odds_are_icepools(roll: Roll):
    assert same_odds(roll.odds(), icepool_die(roll))


@given(ROLLS)
def test_weights_sum_to_the_product_of_the_sides(roll: Roll):
    assert roll.odds().total == prod(roll.dice_sides())


@settings(max_examples=60, deadline=None)
@given(SMALL_ROLLS)
def test_every_throw_evaluated_gives_the_odds(roll: Roll):
    assume(prod(roll.dice_sides()) <= 2000)
    weights = {}
    for faces in product(*(range(1, sides + 1) for sides in roll.dice_sides())):
        total = roll.evaluate(faces).total
        weights[total] = weights.get(total, 0) + 1
    assert roll.odds() == Distribution.from_weights(weights)


@given(ROLLS)
def test_odds_stay_within_the_bounds(roll: Roll):
    low, high = roll.bounds()
    assert low <= roll.odds().outcomes[0]
    assert roll.odds().outcomes[-1] <= high


@given(ROLLS)
def test_notation_round_trip(roll: Roll):
    assert Roll.parse(str(roll)) == roll


@given(ROLLS, st.randoms(use_true_random=False))
def test_thrown_faces_are_always_accepted(roll: Roll, rng: random.Random):
    faces = roll_faces(roll, rng)
    assert roll.odds().of(roll.evaluate(faces).total) > 0
    assert roll.read(" ".join(map(str, faces))).faces == faces


@given(SUMS, st.randoms(use_true_random=False))
def test_a_typed_total_does_what_its_faces_do(roll: Roll, rng: random.Random):
    faces = roll_faces(roll, rng)
    assert roll.evaluate(total=sum(faces)).total == roll.evaluate(faces).total


def test_rolls_are_thrown_with_entropy_that_no_seed_controls():
    random.seed(1)
    first = roll_faces(dice(40, 20))
    random.seed(1)
    assert roll_faces(dice(40, 20)) != first


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1d20+5-2d6k1", "1d20-2d6k1+5"),
        (" D20 - 3 + 5", "1d20+2"),
        ("-(2d6+1)", "-2d6-1"),
        ("max(1d10-4,1)", "max(1d10-4,1)"),
        ("max ( 1d10 \u2212 4 , 1 )", "max(1d10-4,1)"),
        ("nearest(2d6,3/2)", "half_up(2d6,3/2)"),
        ("5d10>6-4d10>=7", "5d10>6-4d10>=7"),
        ("0d6", "0"),
        ("0d6k1+2", "2"),
    ],
)
def test_text_is_written_in_one_form(text: str, written: str):
    assert str(Roll.parse(text)) == written


@pytest.mark.parametrize(
    "text",
    [
        "",
        "d",
        "1 0d6",
        "1d6 1d6",
        "1d6+",
        "1d0",
        "2d6k3",
        "2d6k0",
        "2d6k",
        "5d10>",
        "((1d6)",
        "1d6)",
        "max(1d6)",
        "clamp(1d6,3,2)",
        "down(1d6,1/0)",
        "down(1d6,999)",
        "foo",
        "k1",
        "1/2",
        "9999999",
        "301d6",
        "1d1001",
        "200d4+200d4",
        "300d13k150",
        "up(up(100d18,100),100)",
        "(" * 201,
        "(" * 200,
        "\u0663d6",
    ],
)
def test_text_that_is_no_roll_is_refused_in_one_sentence(text: str):
    with pytest.raises(DiceError) as refused:
        Roll.parse(text)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@given(st.text(alphabet="0123456789dkl+->=(),/ maxuphlf_", max_size=30))
def test_any_text_is_read_or_refused(text: str):
    try:
        roll = Roll.parse(text)
    except DiceError:
        return
    assert Roll.parse(str(roll)) == roll


@pytest.mark.parametrize(
    ("text", "sides", "total"),
    [
        ("1d20+5", (20,), (1, 20)),
        ("3d6+2", (6, 6, 6), (3, 18)),
        ("2d6+1d8", (6, 6, 8), (3, 20)),
        ("max(3d6-4,1)", (6, 6, 6), (3, 18)),
        ("1d20+2d6", (20, 6, 6), None),
        ("2d6k1", (6, 6), None),
        ("5d10>6", (10,) * 5, None),
        ("2d6-1d6", (6, 6, 6), None),
        ("7", (), None),
    ],
)
def test_what_must_be_typed(text: str, sides: tuple[int, ...], total: tuple[int, int] | None):
    needed = Roll.parse(text).faces_needed()
    assert needed.sides == sides
    assert needed.total == (range(total[0], total[1] + 1) if total else None)


@pytest.mark.parametrize(
    ("text", "typed", "read"),
    [
        ("1d20-2d6k1", "14, 2 5", Typed((14, 2, 5))),
        ("3d6", "11", Typed(total=11)),
        ("3d6", "4;4;3", Typed((4, 4, 3))),
        ("1d20", "20", Typed((20,))),
        ("7", "", Typed()),
    ],
)
def test_typed_numbers(text: str, typed: str, read: Typed):
    assert Roll.parse(text).read(typed) == read


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("1d20", "21"),
        ("1d20", "0"),
        ("1d20", "-3"),
        ("1d20", "x"),
        ("1d20", ""),
        ("1d20", "\u0663"),
        ("3d6", "2"),
        ("3d6", "19"),
        ("3d6", "1 2"),
        ("2d6k1", "5"),
        ("1d20-2d6k1", "14 2 7"),
        ("7", "1"),
    ],
)
def test_impossible_faces_are_refused(text: str, typed: str):
    with pytest.raises(DiceError):
        Roll.parse(text).read(typed)


def test_faces_and_a_total_at_once_are_refused():
    with pytest.raises(DiceError):
        dice(3, 6).evaluate((1, 2, 3), total=6)


def test_a_result_shows_how_it_came_about():
    result = Roll.parse("1d20+5-2d6k1").evaluate((20, 2, 5))
    assert (result.total, result.natural) == (20, 20)
    assert result.shown == "1d20[20]-2d6k1[2 5]+5 = 20"
    assert dice(3, 6).evaluate(total=11).shown == "3d6 [total 11] = 11"


def test_a_single_first_die_is_natural_even_if_typed_as_a_total():
    assert (dice(1, 20) + 5).evaluate(total=20).natural == 20
    assert dice(2, 6).evaluate((1, 2)).natural is None


@given(
    SMALL_ROLLS,
    st.integers(2, 12),
    st.integers(-5, 20),
    st.sets(st.integers(1, 12), max_size=3),
)
def test_classified_odds_judge_as_the_faces_do(
    rest: Roll, sides: int, armour: int, special: set[int]
):
    roll = dice(1, sides) + rest
    assume(prod(roll.dice_sides()) <= 1000)
    seen = tuple(face for face in special if face <= sides)

    def band(natural: int | None, total: int):
        return f"{natural in seen and natural} {total >= armour}"

    weights = {}
    for faces in product(*(range(1, die + 1) for die in roll.dice_sides())):
        result = roll.evaluate(faces)
        label = band(result.natural, result.total)
        weights[label] = weights.get(label, 0) + 1
    assert roll.classify(band, special=seen) == Distribution.from_weights(weights)


def test_only_a_single_first_die_has_a_natural():
    with pytest.raises(DiceError):
        dice(2, 6).classify(lambda natural, total: total, special=())
    with pytest.raises(DiceError):
        dice(2, 6).with_natural(3)
    with pytest.raises(DiceError):
        dice(1, 6).classify(lambda natural, total: total, special=(20,))


def test_with_natural_fixes_the_first_die():
    assert (dice(1, 20) + 3 - dice(1, 6)).with_natural(20) == 23 - dice(1, 6)


class Sheet(BaseModel, frozen=True):
    damage: Roll


def test_a_pydantic_field_takes_text_and_writes_text():
    sheet = Sheet.model_validate({"damage": "2d6 + 3"})
    assert sheet == Sheet(damage=dice(2, 6) + 3)
    assert hash(sheet) == hash(Sheet(damage=dice(2, 6) + 3))
    assert sheet.model_dump_json() == '{"damage":"2d6+3"}'
    assert Sheet.model_validate_json(sheet.model_dump_json()) == sheet
    assert Sheet.model_json_schema()["properties"]["damage"]["type"] == "string"


def test_a_pydantic_field_refuses_with_the_sentence():
    with pytest.raises(ValidationError, match="dice or a number was expected"):
        Sheet.model_validate({"damage": "1d6+"})


def test_modifiers_share_one_table():
    plain = (dice(1, 20) - dice(2, 6, highest=1)).odds()
    shifted = (dice(1, 20) - dice(2, 6, highest=1) + 7).odds()
    assert shifted.weights is plain.weights


def test_forty_dice_stay_exact():
    odds = dice(40, 6).odds()
    assert odds.total == 6**40
    assert odds.of(240) == Fraction(1, 6**40)
    assert odds.mean() == 140


def test_every_natural_may_be_special():
    odds = dice(1, 4).classify(lambda natural, total: (natural, total), special=(4, 1, 2, 3, 4))
    assert odds == Distribution(((1, 1), (2, 2), (3, 3), (4, 4)), (1, 1, 1, 1))


def test_a_clamp_without_ends_changes_nothing():
    assert dice(2, 6).clamp() == dice(2, 6)
    with pytest.raises(DiceError):
        Bounded(dice(2, 6))
