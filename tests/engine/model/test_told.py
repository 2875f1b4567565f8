"""Texts for two readers."""

from engine.model.space import Cell
from engine.model.token import Token
from engine.model.told import Told, named, read, told, wall_named
from engine.model.wall import Wall, WallKind

BOSS = Token(id="boss", name="Strahd {0}", cell=Cell(0, 0))
ANN = Token(id="ann", name="Ann", cell=Cell(1, 0))


def test_the_gm_reads_the_true_names():
    assert told("{} attacks {} with {}: {}", ANN, BOSS, "a {bow}", 14).gm == (
        "Ann attacks Strahd {0} with a {bow}: 14"
    )


def test_the_players_read_the_names_that_they_know_when_they_look():
    text = told("{}: {}", "Attack", BOSS).players
    assert "Strahd" not in text
    assert read(text, {"boss": "Stranger"}.get) == "Attack: Stranger"
    assert read(text, {"boss": "Count"}.get) == "Attack: Count"


def test_a_text_that_names_somebody_unseen_is_not_read():
    assert read(told("{} sees {}", ANN, BOSS).players, {"ann": "Ann"}.get) is None


def test_a_name_that_looks_like_a_place_for_a_name_stays_a_name():
    text = told("{} and {}", ANN, BOSS).players
    names = {"ann": named(BOSS).players, "boss": r"\1"}
    assert read(text, names.get) == rf"{named(BOSS).players} and \1"


def test_what_nobody_wrote_for_the_players_they_do_not_read():
    assert read(None, {}.get) is None
    assert read("Dodge", {}.get) == "Dodge"


def test_texts_are_put_into_texts():
    inner = told("{}, an enemy", BOSS)
    assert told("Cover: {}", inner).gm == "Cover: Strahd {0}, an enemy"
    assert read(told("Cover: {}", inner).players, {"boss": "X"}.get) == "Cover: X, an enemy"


def test_a_wall_goes_by_its_looks_and_a_secret_door_by_those_of_a_wall():
    door = Wall(id="w", points=((0, 0), (1, 0)), kind=WallKind.SECRET_DOOR, name="To the crypt")
    assert wall_named(door, door.name) == Told("To the crypt", "the wall")
