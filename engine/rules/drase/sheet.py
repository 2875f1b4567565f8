"""The sheet of a creature or an object in Drase, and the numbers that follow from it alone."""

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from engine.model.sheet import Sheet
from engine.model.value import FrozenMap, Value
from engine.rules import dice


class Attribute(StrEnum):
    """The five attributes; each has a Save of the same name."""

    POWER = "power"
    FINESSE = "finesse"
    ENDURANCE = "endurance"
    INTELLIGENCE = "intelligence"
    WILL = "will"


class Size(StrEnum):
    """The sizes in order."""

    DIMINUTIVE = "diminutive"
    TINY = "tiny"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    HUGE = "huge"
    GIANT = "giant"

    @property
    def rank(self) -> int:
        """Return 1 for Diminutive up to 7 for Giant (clarification 5)."""
        return _RANKS[self]


_RANKS = {size: rank for rank, size in enumerate(Size, start=1)}


class DamageType(StrEnum):
    """The twelve types of damage."""

    CUT = "cut"
    PIERCE = "pierce"
    BLUNT = "blunt"
    FIRE = "fire"
    FORCE = "force"
    COLD = "cold"
    SHOCK = "shock"
    NECROTIC = "necrotic"
    RADIANT = "radiant"
    POISON = "poison"
    ACID = "acid"
    PSYCHIC = "psychic"

    @property
    def physical(self) -> bool:
        """Tell whether it is Cut, Pierce or Blunt."""
        return self in (DamageType.CUT, DamageType.PIERCE, DamageType.BLUNT)


class Effect(Value):
    """A status on a creature: each application is its own entry with its own duration."""

    id: str
    stacks: int = Field(default=1, ge=1)
    duration_rounds: int | None = Field(default=1, ge=1)
    applied_round: int = Field(default=0, ge=0)
    applied_by: str | None = None
    damage_per_tick: int | None = Field(default=None, ge=0)
    damage_type: DamageType | None = None
    spell: str = ""


class GivenEffect(Value):
    """A status that an attack or a spell puts on whom it hits."""

    status: str
    rounds: int = Field(default=1, ge=1)
    stacks: int = Field(default=1, ge=1)


class ActionCost(StrEnum):
    """What an action costs of the budget of a round."""

    FREE = "free"
    HALF = "half"
    FULL = "full"
    REACTION = "reaction"

    @property
    def halves(self) -> int:
        """Return how many half actions it takes."""
        return {ActionCost.HALF: 1, ActionCost.FULL: 2}.get(self, 0)


class AttackArea(Value):
    """The template of an attack that strikes everybody inside it."""

    shape: Literal["circle", "cone", "line"] = "circle"
    size: int = Field(ge=1, le=200, json_schema_extra={"unit": "tiles"})


class AttackProfile(Value):
    """A weapon or an attack spell."""

    name: str
    attribute: Attribute | None = None
    to_hit: int = Field(default=0, ge=-50, le=50, description="On top of the creature's own.")
    reach_tiles: int = Field(default=1, ge=1, le=200, json_schema_extra={"unit": "tiles"})
    range_tiles: int | None = Field(default=None, ge=1, json_schema_extra={"unit": "tiles"})
    beyond_range_penalty: int | None = Field(
        default=None,
        ge=0,
        description="Taken off beyond the range; empty: no attack there. No source gives a value.",
    )
    damage: str = Field(default="1d6", description="Dice and static part, such as 1d8+2.")
    static_damage: int | None = Field(
        default=None, ge=0, description="What an NPC deals without a roll; empty: the mean."
    )
    damage_type: DamageType = DamageType.CUT
    against: Literal["ac", "power", "finesse", "endurance", "intelligence", "will"] = "ac"
    cost: Literal["half", "full"] = "half"
    non_lethal: bool = Field(default=False, description="Needs no declaration, takes no malus.")
    unavoidable: bool = Field(default=False, description="No roll, no reaction, no mitigation.")
    bonuses: int = Field(default=0, ge=0, description="Attack bonuses of its own.")
    thrown: bool = False
    effects: tuple[GivenEffect, ...] = ()
    area: AttackArea | None = None
    spell: bool = False
    level: int = Field(default=0, ge=0, le=20)
    concentration: bool = False

    @field_validator("damage")
    @classmethod
    def _readable(cls, text: str) -> str:
        dice.Roll.parse(text)
        return text

    @property
    def physical(self) -> bool:
        """Tell whether its damage is Cut, Pierce or Blunt."""
        return self.damage_type.physical

    @property
    def ranged(self) -> bool:
        """Tell whether it strikes from afar."""
        return self.range_tiles is not None


class Limb(Value):
    """A limb and its wounds; whatever the creature stands on counts as a leg (clarification 19)."""

    name: str
    kind: Literal["leg", "arm", "wing", "tail", "head", "other"] = "leg"
    wounds: int = Field(default=0, ge=0)


class Downed(Value):
    """How a creature was brought to 0 hit points."""

    damage_type: DamageType
    lethality: str
    non_lethal: bool = False


TWO_LEGS = (
    Limb(name="left leg"),
    Limb(name="right leg"),
    Limb(name="left arm", kind="arm"),
    Limb(name="right arm", kind="arm"),
)


def _attribute(title: str) -> Any:
    return Field(default=10, ge=0, le=20, title=title)


def _save(title: str) -> Any:
    text = "Empty: 10 + the modifier of the attribute."
    return Field(default=None, ge=0, le=60, title=f"{title} Save", description=text)


def _number(title: str, *, low: int = -50, default: int = 0, text: str = "") -> Any:
    return Field(default=default, ge=low, le=99, title=title, description=text or None)


def _points(title: str, default: int, *, low: int | None = 0, text: str = "") -> Any:
    return Field(
        default=default,
        ge=low,
        le=100_000,
        title=title,
        description=text or None,
        json_schema_extra={"unit": "points"},
    )


class DraseSheet(Sheet):
    """A creature, or an object that can be attacked."""

    kind: Literal["drase_sheet"] = "drase_sheet"

    hp: int = _points("Hit points", 20, low=-100_000)
    hp_max: int = _points("Hit points, maximum", 20, low=1)
    temp_hp: int = _points("Temporary hit points", 0, text="Used first; they do not stack.")
    ac: int = Field(default=12, ge=0, le=60, title="Armour class")
    speed: int = Field(
        default=6, ge=0, le=99, title="Speed", json_schema_extra={"unit": "tiles per round"}
    )
    size: Size = Field(default=Size.MEDIUM, title="Size")
    pc: bool = Field(
        default=False,
        title="Player character",
        description="Downed, but never killed without consent.",
    )
    is_object: bool = Field(
        default=False,
        title="Object",
        description="Never acts; always immune to Psychic and Poison.",
    )
    flammable: bool = Field(
        default=False,
        title="Flammable",
        description="An object nobody wears or wields that Fire sets alight.",
    )

    power: int = _attribute("Power")
    finesse: int = _attribute("Finesse")
    endurance: int = _attribute("Endurance")
    intelligence: int = _attribute("Intelligence")
    will: int = _attribute("Will")
    save_power: int | None = _save("Power")
    save_finesse: int | None = _save("Finesse")
    save_endurance: int | None = _save("Endurance")
    save_intelligence: int | None = _save("Intelligence")
    save_will: int | None = _save("Will")

    to_hit: int = _number("To hit")
    attack_bonuses: int = _number("Attack bonuses", low=0, text="Stacks, not a flat number.")
    attack_maluses: int = _number("Attack maluses", low=0, text="Stacks, not a flat number.")
    defence_bonuses: int = _number("Defence bonuses", low=0, text="Rolled once a round.")
    defence_maluses: int = _number("Defence maluses", low=0, text="Rolled once a round.")
    round_def: int = _number(
        "Defence this round", text="Added to AC and Saves until it is rolled again."
    )
    level_bonus: int = _number("Level bonus")
    career_bonus: FrozenMap[str, int] = Field(default=FrozenMap(), title="Career bonuses")
    perception_bonus: int = _number("Perception bonus")
    stealth_bonus: int = _number("Stealth bonus")

    attacks: tuple[AttackProfile, ...] = Field(default=(), title="Weapons and spells")
    feats: tuple[str, ...] = Field(
        default=(), title="Feats", description="Rows of the feats table that the creature owns."
    )
    resist: FrozenMap[DamageType, int] = Field(default=FrozenMap(), title="Resistances")
    vuln: FrozenMap[DamageType, int] = Field(default=FrozenMap(), title="Vulnerabilities")
    immune: tuple[DamageType, ...] = Field(default=(), title="Immunities")
    effects: tuple[Effect, ...] = Field(default=(), title="Status effects")
    limbs: tuple[Limb, ...] = Field(default=TWO_LEGS, title="Limbs and wounds")
    downed: Downed | None = Field(default=None, title="How it was downed")

    focus: int = _points("Focus", 0)
    focus_max: int = _points("Focus, maximum", 0)
    mana: int = _points("Mana", 0)
    mana_max: int = _points("Mana, maximum", 0)
    mana_regen_used: int = _points("Mana regained since the last long rest", 0)
    concentration: str = Field(default="", title="Keeps up", description="The spell kept up.")
    free_hand: bool = Field(default=True, title="Has a free hand")
    can_speak: bool = Field(default=True, title="Can speak")

    fly_speed: int | None = Field(
        default=None, ge=0, le=99, title="Fly", json_schema_extra={"unit": "tiles per round"}
    )
    swims: bool = Field(default=False, title="Swims as it walks")
    breathes_water: bool = Field(default=False, title="Breathes under water")
    impeded: bool = Field(
        default=False,
        title="Impeding armour",
        description="1 malus to stealth and to attacks by magic.",
    )
    climbs: bool = Field(default=False, title="Climbs as it walks")

    surprised: bool = Field(
        default=False, title="Surprised", description="Cannot act in the first round."
    )
    had_minute: bool = Field(
        default=True,
        title="Had a minute to prepare",
        description="Prepared spells and potions work only with at least one minute.",
    )
    prepared: tuple[GivenEffect, ...] = Field(
        default=(), title="Prepared spells and potions", description="Active when combat starts."
    )
    controlled_by: str = Field(default="", title="Controlled by")
    hidden_number: int | None = Field(
        default=None, title="Hides at", description="What a perceiver must reach; empty: in sight."
    )

    @model_validator(mode="before")
    @classmethod
    def _up_again(cls, data: Any) -> Any:
        """Forget how it was downed once it has hit points, also by the GM's own hand."""
        if not isinstance(data, dict) or data.get("downed") is None:
            return data
        hp = data.get("hp")
        return {**data, "downed": None} if isinstance(hp, int) and hp > 0 else data

    @property
    def able(self) -> bool:
        """Tell whether it has hit points left and is no object."""
        return self.hp > 0 and not self.is_object

    def modifier(self, attribute: Attribute) -> int:
        """Return floor((value - 10) / 2) (attributes; the rounding is a proposal)."""
        return modifier(int(getattr(self, attribute.value)))

    def save(self, attribute: Attribute) -> int:
        """Return the Save without this round's defence: 10 + modifier unless given."""
        given: int | None = getattr(self, f"save_{attribute.value}")
        return 10 + self.modifier(attribute) if given is None else given


def modifier(value: int) -> int:
    """Return the modifier of an attribute."""
    return (value - 10) // 2
