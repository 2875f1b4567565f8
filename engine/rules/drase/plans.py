"""What can be meant in Drase: the plans that offers, tools and scripts hand in."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from engine.model.region import Surface
from engine.rules.drase.sheet import ActionCost, Attribute, DamageType
from engine.rules.ruleset import Plan


class Mode(StrEnum):
    """The ways to move."""

    WALK = "walk"
    CRAWL = "crawl"
    CLIMB = "climb"
    SWIM = "swim"
    JUMP = "jump"
    FLY = "fly"


class TravelPlan(Plan):
    """Move along `path` in a way of one's own; `elevation` is where a flight ends."""

    kind: Literal["drase_travel"] = "drase_travel"
    mode: Mode = Mode.WALK
    elevation: int | None = Field(default=None, title="Height at the end, in tiles")


class GroupMovePlan(Plan):
    """Move the token's whole group, each by the same way."""

    kind: Literal["drase_group_move"] = "drase_group_move"


class ActionPlan(Plan):
    """An action of the table of actions; `target_id` is a token or a wall.

    `cost` is the GM's choice where the table leaves it open. `non_lethal` declares a non-lethal
    attack. `attribute` is what a grappled or shoved target saves with. `number` is what a check
    must reach. `happening` is the serial of what a reaction answers.
    """

    kind: Literal["drase_action"] = "drase_action"
    action: str
    cost: ActionCost | None = Field(default=None, title="What it costs")
    attack: str = ""
    non_lethal: bool = Field(default=False, title="Without killing")
    attribute: Attribute | None = Field(default=None, title="The target saves with")
    number: int | None = Field(default=None, title="Number to reach")
    career: str = Field(default="", title="By the bonus of a career")
    prone: bool = Field(default=False, title="Throw down, do not push")
    happening: int | None = None


class GroupAttackPlan(Plan):
    """Attack one target with many like attackers by the NPC Average Hit chart.

    Without `attackers` the token's whole group attacks.
    """

    kind: Literal["drase_group_attack"] = "drase_group_attack"
    attackers: tuple[str, ...] = ()
    attack: str = ""
    non_lethal: bool = Field(default=False, title="Without killing")


class WithdrawPlan(Plan):
    """Take back a declared step by its number, or all of them."""

    kind: Literal["drase_withdraw"] = "drase_withdraw"
    number: int | None = None


class ResolvePlan(Plan):
    """Resolve what this token has declared, before the others."""

    kind: Literal["drase_resolve"] = "drase_resolve"


class LedgerPlan(Plan):
    """Give or take movement by hand; `note` is the reason."""

    kind: Literal["drase_ledger"] = "drase_ledger"
    tiles: int = Field(default=1, title="Tiles more, or fewer")


class SetupPlan(Plan):
    """Say before the first round who is surprised and who had a minute to prepare.

    With `whole_side` that holds for all on the side of `token_id`.
    """

    kind: Literal["drase_setup"] = "drase_setup"
    surprised: bool | None = None
    had_minute: bool | None = None
    whole_side: bool = False


class ThirdPlace(StrEnum):
    """Where in the round a third party has its phase."""

    FIRST = "first"
    BETWEEN = "between"
    LAST = "last"


class ThirdPartyPlan(Plan):
    """Say where in the round the token's third party acts."""

    kind: Literal["drase_third_party"] = "drase_third_party"
    place: ThirdPlace


class HarmPlan(Plan):
    """The GM deals damage to `token_id`; `unavoidable` skips resistances."""

    kind: Literal["drase_harm"] = "drase_harm"
    damage: str = "1d6"
    damage_type: DamageType = DamageType.BLUNT
    unavoidable: bool = Field(default=False, title="No resistance helps")
    non_lethal: bool = Field(default=False, title="Without killing")


class HealPlan(Plan):
    """The GM heals `token_id`, or gives temporary hit points."""

    kind: Literal["drase_heal"] = "drase_heal"
    points: int = Field(default=1, ge=0)
    temporary: bool = Field(default=False, title="As temporary hit points")


class EffectPlan(Plan):
    """The GM puts a status on `token_id`, or ends it with `ends`."""

    kind: Literal["drase_effect"] = "drase_effect"
    status: str = "prone"
    rounds: int | None = Field(default=1, ge=1)
    stacks: int = Field(default=1, ge=1)
    ends: bool = Field(default=False, title="End it instead")


class DisplacePlan(Plan):
    """Push, pull or throw `token_id` along `path`; several in a round do not add up."""

    kind: Literal["drase_displace"] = "drase_displace"
    roll: int = Field(default=0, title="What the throw came to")


class FallPlan(Plan):
    """Let `token_id` fall; without `tiles` the map says how deep."""

    kind: Literal["drase_fall"] = "drase_fall"
    tiles: int | None = Field(default=None, ge=0, title="Depth in tiles")
    surface: Surface | None = Field(default=None, title="Lands on")
    breakable: bool = Field(default=False, title="May be broken by a save")


class RestPlan(Plan):
    """Rest: short or long; `rested` tells whether a long rest was a good one.

    `others` rest together with `token_id`.
    """

    kind: Literal["drase_rest"] = "drase_rest"
    long: bool = False
    rested: bool = True
    others: tuple[str, ...] = ()


ALL_PLANS = (
    TravelPlan,
    GroupMovePlan,
    ActionPlan,
    GroupAttackPlan,
    WithdrawPlan,
    ResolvePlan,
    LedgerPlan,
    SetupPlan,
    ThirdPartyPlan,
    HarmPlan,
    HealPlan,
    EffectPlan,
    DisplacePlan,
    FallPlan,
    RestPlan,
)
