"""Tables: every row has its source, every correction counts or is told."""

import csv
import re
from pathlib import Path

import pytest

import engine.rules.drase
from engine.commands.turn import CorrectTable, SetTableRule
from engine.model.encounter import Encounter
from engine.model.refusal import Rejected
from engine.model.value import FrozenMap
from engine.rules.drase.combat import mana_cost
from engine.rules.drase.data import Book, Row, book_of, tables
from engine.rules.drase.options import DraseOptions
from engine.rules.drase.perform import ACTIONS
from engine.rules.drase.plans import EffectPlan
from engine.rules.drase.presets import presets
from engine.rules.drase.sheet import (
    AttackProfile,
    Attribute,
    DamageType,
    DraseSheet,
    Size,
    modifier,
)
from engine.rules.ruleset import Table
from tests.helpers.drase import Fight, encounter, foe, plan, token

FOLDER = Path(engine.rules.drase.__file__).parent / "tables"


def test_every_file_is_a_table():
    assert {table.id for table in tables()} == {path.stem for path in FOLDER.glob("*.csv")}


@pytest.mark.parametrize("table", tables(), ids=lambda table: table.id)
def test_every_row_has_its_source_and_an_id_of_its_own(table: Table):
    source, proposal = table.columns.index("source"), table.columns.index("proposal")
    assert all(row[source] and row[proposal] in ("yes", "no") for row in table.rows)
    ids = [row[0] for row in table.rows]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.csv")), ids=lambda path: path.stem)
def test_every_file_is_square(path: Path):
    with path.open(encoding="utf-8", newline="") as file:
        assert len({len(line) for line in csv.reader(file)}) == 1


def every_row(book: Book) -> list[Row]:
    found = [
        *book.actions.values(),
        *book.modes.values(),
        *book.statuses.values(),
        *book.damage_types.values(),
        *book.lethality.values(),
        *book.covers.values(),
        *book.feats.values(),
        *book.sizes.values(),
        *book.chart,
    ]
    return [each for each in found if isinstance(each, Row)]


def test_every_row_can_be_read():
    assert len(every_row(book_of(encounter()))) > 60


def test_what_rows_name_exists():
    book = book_of(encounter())
    assert {row.critical for row in book.damage_types.values()} <= set(book.statuses)
    assert {row.lethality for row in book.damage_types.values()} <= set(book.lethality)
    assert set(book.damage_types) == set(DamageType)
    assert set(book.sizes) == set(Size)
    assert {row.feat for row in book.actions.values()} - {""} <= set(book.feats)


def corrected(**corrections: int | str) -> Encounter:
    made = encounter(token("Arn", 5, 5), foe("Orc", 6, 5))
    keys = {key.replace("__", "/"): value for key, value in corrections.items()}
    return made.changed(corrections=FrozenMap(keys))


def test_a_correction_counts_everywhere():
    fight = Fight(corrected(cover__half__penalty=3, numbers__height_bonus__value=2))
    book = book_of(fight.now)
    assert (book.number("height_bonus"), book.covers["half"].penalty) == (2, 3)


def test_several_corrections_of_a_row_all_count():
    book = book_of(corrected(statuses__burning__damage=5, statuses__burning__label="Ablaze"))
    assert (book.statuses["burning"].damage, book.statuses["burning"].label) == (5, "Ablaze")


def test_a_correction_that_fits_nowhere_is_told_and_left_out():
    made = corrected(actions__aim__cost="gold", cover__a__b="free", x__y__z=1)
    assert book_of(made).actions["aim"].cost == "half"
    told = [issue.where for issue in Fight(made, begin=False).ruleset.check(made)]
    assert told == [
        "correction actions/aim/cost",
        "correction cover/a/b",
        "correction x/y/z",
    ]


def test_corrections_and_table_rules_go_through_the_gate():
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 6, 5)), begin=False)
    fight.do(CorrectTable(table="numbers", row="height_bonus", column="value", value=2))
    assert book_of(fight.now).number("height_bonus") == 2
    fight.do(CorrectTable(table="numbers", row="height_bonus", column="value", value=None))
    assert book_of(fight.now).number("height_bonus") == 1
    fight.do(SetTableRule(rule="diagonal", value="circular"))
    assert fight.now.options == DraseOptions(diagonal="circular")
    with pytest.raises(Rejected, match="diagonal"):
        fight.do(SetTableRule(rule="diagonal", value="zigzag"))


def test_a_group_adds_what_the_sources_lack():
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 6, 5)))
    for column, value in (("label", "Kick"), ("effect", "attack"), ("target", "token")):
        fight.do(CorrectTable(table="actions", row="kick", column=column, value=value))
    fight.do(CorrectTable(table="statuses", row="dazed", column="attack_malus", value=2))
    assert fight.offers("arn")["kick:Sword"].label == "Kick: Sword"
    fight.act(EffectPlan(token_id="arn", status="dazed")).action("arn", "kick", "orc").end().end()
    assert fight.prompt is not None
    assert fight.prompt.roll == "1d20-2d6k1+5"


@pytest.mark.parametrize(
    ("table", "row", "column"),
    [("cover", "bush", "penalty"), ("actions", "Bad Id", "cost"), ("actions", "kick", "bogus")],
)
def test_rows_are_added_only_where_a_table_is_open(table: str, row: str, column: str):
    fight = Fight(encounter(token("Arn", 5, 5)), begin=False)
    with pytest.raises(Rejected, match="has no"):
        fight.do(CorrectTable(table=table, row=row, column=column, value=1))


# Presets


@pytest.mark.parametrize("name", presets())
def test_a_preset_fights(name: str):
    sheet = presets()[name]
    assert isinstance(sheet, DraseSheet)
    fight = Fight(encounter(token("Arn", 5, 5, sheet=sheet), foe("Orc", 6, 5)))
    fight.action("arn", "attack", "orc").end().end().lowest()
    assert "attacks Orc" in fight.logged()


@pytest.mark.parametrize(
    ("level", "numbers"),
    [("0.125", (15, 10, 0, 0, 3)), ("5", (76, 17, 7, 1, 13)), ("20", (189, 21, 13, 2, 14))],
)
def test_the_threat_table(level: str, numbers: tuple[int, ...]):
    sheet = presets()[f"Threat {level}"]
    assert isinstance(sheet, DraseSheet)
    strike = sheet.attacks[0]
    found = (sheet.hp_max, sheet.ac, sheet.to_hit, sheet.attack_bonuses, strike.static_damage)
    assert found == numbers


# Sheets


@pytest.mark.parametrize(
    ("value", "expected"), [(0, -5), (8, -1), (9, -1), (10, 0), (11, 0), (20, 5)]
)
def test_modifiers_are_rounded_down(value: int, expected: int):
    assert modifier(value) == expected


def test_a_save_is_given_or_ten_and_the_modifier():
    sheet = DraseSheet(will=15, save_power=14)
    assert [sheet.save(each) for each in (Attribute.WILL, Attribute.POWER)] == [12, 14]


@pytest.mark.parametrize("level", [0, 1, 3])
def test_a_spell_costs_four_mana_a_level_and_one_at_least(level: int):
    spell = AttackProfile(name="x", spell=True, level=level)
    assert mana_cost(book_of(encounter()), spell) == {0: 1, 1: 4, 3: 12}[level]


def test_every_number_is_asked_for_somewhere():
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.parent.glob("*.py"))
    numbers = next(table for table in tables() if table.id == "numbers")
    asked = set(re.findall(r"number\(\s*['\"](\w+)", code)) | set(re.findall(r'"(\w+)"', code))
    assert [row[0] for row in numbers.rows if row[0] not in asked] == []


def test_every_effect_of_the_action_table_does_something():
    declared = {"sprint", "dash", "total_defence", "note"}
    rows = book_of(encounter()).actions.values()
    assert {row.effect for row in rows} - declared == set(ACTIONS)


@pytest.mark.parametrize(
    "fields",
    [{"hp_max": 0}, {"power": 21}, {"attacks": [{"name": "x", "damage": "1dx"}]}, {"bogus": 1}],
)
def test_a_sheet_that_cannot_be_is_refused(fields: dict[str, object]):
    with pytest.raises(ValueError, match="1 validation error"):
        DraseSheet.model_validate(fields)


def test_the_fields_of_a_sheet_have_titles():
    untitled = [name for name, field in DraseSheet.model_fields.items() if not field.title]
    assert untitled == ["kind"]


def test_a_spell_without_mana_is_not_cast_though_it_was_declared():
    spell = {"name": "Bolt", "spell": True, "level": 1, "range_tiles": 9}
    mage = token("Mage", 5, 5, attacks=[spell], mana=4, mana_max=4)
    fight = Fight(encounter(mage, foe("Orc", 6, 5)))
    fight.act(plan("mage", "cast_half", "orc")).act(plan("mage", "cast_half", "orc")).end().end()
    fight.lowest()
    assert fight.sheet("mage").mana == 0
    assert "Mage lacks the mana for Bolt." in fight.logged()
