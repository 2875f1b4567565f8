import pytest

from engine.model.names import fresh_names, label_for_players, mark_of, name_for_players, stem_of
from tests.helpers.scenes import hero, token

NONE: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Guard 5", "Guard"),
        ("Guard #12", "Guard"),
        ("Guard", "Guard"),
        ("R2D2", "R2D2"),
        ("Old Tom 3 fingers", "Old Tom 3 fingers"),
        ("", ""),
    ],
)
def test_the_number_behind_a_name_is_no_part_of_it(name: str, stem: str) -> None:
    assert stem_of(name) == stem


def test_names_are_counted_from_the_first_that_is_seen() -> None:
    tokens = {i: token(i, 1, 1, name=f"Guard {n}") for i, n in (("a", 4), ("b", 2), ("c", 9))}
    known = fresh_names(tokens, {}, {"b"}, NONE)
    assert known == {"b": "Guard"}
    assert fresh_names(tokens, known, {"a", "b", "c"}, NONE) == {"a": "Guard 2", "c": "Guard 3"}


def test_a_name_once_given_stays_until_the_token_is_called_otherwise() -> None:
    known = {"a": "Guard 2"}
    renamed = token("a", 1, 1, name="Strahd")
    assert fresh_names({"a": token("a", 1, 1, name="Guard 7")}, known, {"a"}, {"a"}) == {}
    assert fresh_names({"a": renamed}, known, {"a"}, {"a"}) == {"a": "Strahd"}
    assert name_for_players(renamed, known) == "Strahd"


def test_the_dead_keep_their_numbers() -> None:
    tokens = {"b": token("b", 1, 1, name="Guard")}
    assert fresh_names(tokens, {"a": "Guard"}, {"b"}, NONE) == {"b": "Guard 2"}


def test_the_party_is_called_by_its_names() -> None:
    bob = hero("bob", 1, 1, name="Bob 2")
    assert name_for_players(bob, {}) == "Bob 2"
    assert fresh_names({"bob": bob}, {}, {"bob"}, {"bob"}) == {}


def test_a_public_name_hides_the_true_one() -> None:
    boss = token("boss", 1, 1, name="Strahd", public_name="Stranger")
    assert name_for_players(boss, {}) == "Stranger"
    assert label_for_players(boss, {}) == "Str"


@pytest.mark.parametrize(("label", "shown"), [("G7", "G2"), ("G", "G"), ("", "Gu2"), ("7", "2")])
def test_the_count_in_a_label_is_the_players_own(label: str, shown: str) -> None:
    assert (
        label_for_players(token("g", 1, 1, name="Guard 7", label=label), {"g": "Guard 2"}) == shown
    )


def test_the_mark_of_a_counted_name_keeps_its_number():
    marks = [mark_of(name) for name in ("Mira", "Mira 2", "Mira #12", "Ser Aldric", "Bo", "7")]
    assert marks == ["Mir", "Mi2", "Mi12", "Ser", "Bo", "7"]


def test_a_mark_that_may_stand_for_the_true_name_is_not_read() -> None:
    boss = token("a", 1, 1, name="Strahd", public_name="Stranger", label="Strd")
    assert label_for_players(boss, {}) == "Str"
    assert label_for_players(boss.changed(public_name="Count"), {}) == "Cou"
    assert label_for_players(boss.changed(public_name=None), {}) == "Strd"
