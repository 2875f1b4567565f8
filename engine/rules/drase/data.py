"""The tables of Drase and a group's corrections of them.

Each table is a CSV file beside this module, one source mark per row; a correction of the encounter
("table/row/column") replaces one value. `book_of` gives everything that the rules look up, typed.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, Literal, TypeVar

from pydantic import ValidationError

from engine.geometry.memo import Kept, Memo
from engine.model.encounter import Encounter
from engine.model.region import Obscuration, Surface
from engine.model.value import FrozenMap, Value
from engine.model.wall import CoverLabel
from engine.model.words import in_words
from engine.rules.drase.options import DraseOptions
from engine.rules.drase.sheet import DamageType, Size
from engine.rules.ruleset import Issue, Table

Corrections = FrozenMap[str, int | str]


class Row(Value):
    """A row of a table: its id and where it comes from."""

    id: str
    source: str
    proposal: bool


class NumberRow(Row):
    """A number of the article."""

    value: int
    meaning: str


class DamageRow(Row):
    """A type of damage: what a critical hit does, and how deadly it is."""

    id: DamageType
    label: str
    critical: str = ""
    lethality: str
    object_immune: bool
    ignites: bool
    quenches: bool
    wound: str = ""


class LethalityRow(Row):
    """What a word for lethality means."""

    meaning: str


class StatusRow(Row):
    """A status effect and everything that it changes; stacks count as bonuses and maluses."""

    label: str
    badge: str
    max_stacks: int = 1
    damage: int = 0
    damage_type: DamageType | None = None
    attack_bonus: int = 0
    attack_malus: int = 0
    melee_malus: int = 0
    defence_bonus: int = 0
    defence_malus: int = 0
    save_malus: int = 0
    target_bonus: int = 0
    melee_target_bonus: int = 0
    ranged_target_malus: int = 0
    speed: Fraction = Fraction(1)
    step_cost: int = 1
    halves: int = 2
    healing: Fraction = Fraction(1)
    no_reactions: bool = False
    no_hiding: bool = False
    no_moving: bool = False
    resists: DamageType | None = None
    note: str = ""


class ActionRow(Row):
    """An action: its cost, what it does, and what a reaction answers."""

    label: str
    cost: Literal["free", "half", "full", "reaction", "gm"]
    effect: str
    target: Literal["none", "token", "wall"]
    strikes: int = 1
    trigger: str = ""
    feat: str = ""
    offered: bool
    help: str = ""

    @property
    def triggers(self) -> tuple[str, ...]:
        """Return the kinds of happenings that a reaction answers."""
        return tuple(self.trigger.split())


class FeatRow(Row):
    """A feat: the modifiers it gives; actions name the feat that they need."""

    label: str
    attack_bonus: int = 0
    defence_bonus: int = 0
    perception: int = 0
    stealth: int = 0
    reactions: int = 0
    note: str = ""


class ModeRow(Row):
    """A way to move."""

    label: str
    cost_per_tile: int
    needs: str = ""
    help: str = ""


class CoverRow(Row):
    """A grade of cover."""

    id: CoverLabel
    label: str
    penalty: int
    blocks: bool


class ObscurationRow(Row):
    """A preset of obscuration."""

    label: str
    level: Obscuration


class TerrainRow(Row):
    """A preset of difficult ground."""

    label: str
    step_cost: int
    surface: Surface | None = None


class SizeRow(Row):
    """A size of creatures."""

    id: Size
    label: str
    rank: int
    footprint: int


class ChartRow(Row):
    """A row of the NPC Average Hit chart."""

    lowest: int | None = None
    highest: int | None = None
    printed: str
    rate: Fraction
    meaning: str


class ThreatRow(Row):
    """An NPC of the threat table."""

    label: str
    hp: int
    ac: int
    to_hit: int
    bonuses: int
    damage: int
    damage_high: int
    dice: str


class FighterRow(Row):
    """An ordinary fighter of ours."""

    label: str
    pc: bool
    hp: int
    ac: int
    speed: int
    power: int
    finesse: int
    endurance: int
    intelligence: int
    will: int
    to_hit: int
    size: Size
    weapon: str
    reach: int
    range: int | None = None
    dice: str
    damage_type: DamageType


class ArmourRow(Row):
    """A kind of armour, for whoever fills in a sheet."""

    label: str
    ac: int
    finesse_cap: int | None = None
    note: str = ""


_TITLES: Mapping[str, tuple[str, type[Row]]] = {
    "actions": ("Actions", ActionRow),
    "movement": ("Ways to move", ModeRow),
    "statuses": ("Status effects", StatusRow),
    "damage_types": ("Damage types", DamageRow),
    "lethality": ("Lethality", LethalityRow),
    "cover": ("Cover", CoverRow),
    "obscuration": ("Obscuration presets", ObscurationRow),
    "terrain": ("Difficult ground", TerrainRow),
    "sizes": ("Sizes", SizeRow),
    "npc_chart": ("NPC Average Hit", ChartRow),
    "numbers": ("Numbers", NumberRow),
    "feats": ("Feats", FeatRow),
    "threats": ("Threat table", ThreatRow),
    "fighters": ("Ordinary fighters", FighterRow),
    "armour": ("Armour", ArmourRow),
}

COLUMNS: Mapping[str, str] = {
    "id": "Row",
    "label": "Name",
    "hp": "Hit points",
    "ac": "Armour class",
    "pc": "Player character",
    "badge": "Sign",
    "max_stacks": "Most stacks",
    "damage_high": "Damage, strong",
    "dice": "Damage dice",
    "finesse_cap": "Most finesse",
    "halves": "Half actions",
    "highest": "Highest difference",
    "lowest": "Lowest difference",
    "ignites": "Sets on fire",
    "quenches": "Puts fire out",
    "object_immune": "Objects are immune",
    "offered": "Played at this table",
    "proposal": "Only a proposal",
    "rate": "Hits per attacker",
    "speed": "Speed",
    "step_cost": "Cost of a step",
    "strikes": "Attacks",
    "critical": "Critical effect",
    "blocks": "No attack possible",
}
"""The columns whose names alone do not say what they hold."""

R = TypeVar("R", bound=Row)


@dataclass(frozen=True, eq=False)
class Book:
    """The table rules and the corrected tables of one encounter."""

    options: DraseOptions
    corrections: Corrections

    def number(self, name: str) -> int:
        """Return a number of the article by its name."""
        return self._numbers[name].value

    @cached_property
    def actions(self) -> Mapping[str, ActionRow]:
        """The actions by id."""
        return self._rows("actions", ActionRow)

    @cached_property
    def modes(self) -> Mapping[str, ModeRow]:
        """The ways to move by id."""
        return self._rows("movement", ModeRow)

    @cached_property
    def statuses(self) -> Mapping[str, StatusRow]:
        """The status effects by id."""
        return self._rows("statuses", StatusRow)

    @cached_property
    def damage_types(self) -> Mapping[str, DamageRow]:
        """The damage types by id."""
        return self._rows("damage_types", DamageRow)

    @cached_property
    def lethality(self) -> Mapping[str, LethalityRow]:
        """The words for lethality."""
        return self._rows("lethality", LethalityRow)

    @cached_property
    def covers(self) -> Mapping[str, CoverRow]:
        """The grades of cover."""
        return self._rows("cover", CoverRow)

    @cached_property
    def feats(self) -> Mapping[str, FeatRow]:
        """The feats by id."""
        return self._rows("feats", FeatRow)

    @cached_property
    def sizes(self) -> Mapping[str, SizeRow]:
        """The sizes by id."""
        return self._rows("sizes", SizeRow)

    @cached_property
    def chart(self) -> tuple[ChartRow, ...]:
        """The NPC Average Hit chart, from the top."""
        return tuple(self._rows("npc_chart", ChartRow).values())

    @cached_property
    def _numbers(self) -> Mapping[str, NumberRow]:
        return self._rows("numbers", NumberRow)

    def _rows(self, table: str, row_type: type[R]) -> Mapping[str, R]:
        lines = (*_lines(table), *_own_lines(table, self.corrections))
        return {line["id"]: _typed(table, line, row_type, self.corrections) for line in lines}


def book_of(encounter: Encounter) -> Book:
    """Return the rules as the group of this encounter plays them."""
    options = encounter.options
    if not isinstance(options, DraseOptions):
        options = DEFAULTS
    return _BOOKS(options, encounter.corrections)


def _make(_: Kept[Book] | None, options: DraseOptions, corrections: Corrections) -> Book:
    return Book(options, corrections)


DEFAULTS = DraseOptions()
_BOOKS: Memo[Book] = Memo(_make)


def shipped(table: str, row_type: type[R]) -> tuple[R, ...]:
    """Return the rows of a table as they are shipped."""
    return tuple(_typed(table, line, row_type, FrozenMap()) for line in _lines(table))


@lru_cache(maxsize=1)
def tables() -> tuple[Table, ...]:
    """Return all tables as text, with the source of each row."""
    made = []
    for table, (title, _) in _TITLES.items():
        lines = _lines(table)
        columns = tuple(lines[0])
        rows = tuple(tuple(line.values()) for line in lines)
        titles = tuple(COLUMNS.get(column) or in_words(column) for column in columns)
        made.append(
            Table(
                id=table,
                title=title,
                columns=columns,
                rows=rows,
                open=table in _FRESH,
                titles=titles,
            )
        )
    return tuple(made)


def unreadable_corrections(corrections: Corrections) -> Iterator[Issue]:
    """Yield the corrections that fit no row or that their column cannot hold."""
    for key, value in corrections.items():
        table, row, column = ([*key.split("/"), "", "", ""])[:3]
        known = _TITLES.get(table)
        lines = (*_lines(table), *_own_lines(table, corrections)) if known else ()
        line = next((each for each in lines if each["id"] == row), None)
        if known is None or line is None or column not in line:
            yield Issue(where=f"correction {key}", sentence="No table has such a place.")
            continue
        try:
            known[1].model_validate(_fields({**line, column: value}, known[1]))
        except ValidationError as error:
            yield Issue(where=f"correction {key}", sentence=f"{error.errors()[0]['msg']}.")


_FRESH: Mapping[str, Mapping[str, str]] = {
    "actions": {"cost": "half", "effect": "note", "target": "none", "offered": "yes"},
    "statuses": {},
    "feats": {},
}
"""The open tables, to which a group adds rows of its own, and what stands in a fresh row."""


def _own_lines(table: str, corrections: Corrections) -> list[dict[str, str]]:
    """Return the rows that a group has added, as they are before its values."""
    if table not in _FRESH:
        return []
    shipped_ids = {line["id"] for line in _lines(table)}
    parts = (key.split("/") for key in corrections)
    own = {part[1]: None for part in parts if part[0] == table and len(part) == 3}
    made = []
    for row in own:
        if row not in shipped_ids:
            label = row.replace("_", " ").capitalize()
            plain = {"id": row, "label": label, "source": "this table", "proposal": "no"}
            badge = {"badge": label[:2]} if table == "statuses" else {}
            empty = dict.fromkeys(_lines(table)[0], "")
            made.append({**empty, **plain, **badge, **_FRESH[table]})
    return made


@lru_cache(maxsize=32)
def _lines(table: str) -> tuple[dict[str, str], ...]:
    text = files(__package__).joinpath("tables", f"{table}.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def _typed(table: str, line: Mapping[str, str], row_type: type[R], corrections: Corrections) -> R:
    """Read a row; a correction that its column cannot hold is left out (`check` tells of it)."""
    row = row_type.model_validate(_fields(line, row_type))
    for column in line if corrections else ():
        key = f"{table}/{line['id']}/{column}"
        if key not in corrections or column == "id":
            continue
        try:
            row = row_type.model_validate(
                _fields({**_as_text(row, line), column: corrections[key]}, row_type)
            )
        except ValidationError:
            continue
    return row


def _as_text(row: Row, line: Mapping[str, str]) -> dict[str, Any]:
    held = row.model_dump()
    return {column: held.get(column, line[column]) for column in line}


def _fields(line: Mapping[str, Any], row_type: type[Row]) -> dict[str, Any]:
    """Leave out empty places, which stand for the default, and columns for people alone."""
    known = row_type.model_fields
    return {column: value for column, value in line.items() if column in known and value != ""}
