"""The table rules of Drase: every reading that a group may change.

Names and values are those of the rule file's `TR:` marks. Nothing here computes; whoever applies a
rule asks for its value.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from engine.model.sheet import TableRules


def _rule(
    default: Any,
    source: str,
    text: str,
    *,
    title: str,
    labels: Mapping[str, str] | None = None,
    proposal: bool = True,
) -> Any:
    """Describe one table rule; `source` is the section of the article that it belongs to.

    `labels` are its values as people read them.
    """
    extra: dict[str, Any] = {"source": source, "proposal": proposal}
    if labels is not None:
        extra["labels"] = dict(labels)
    return Field(default=default, title=title, description=text, json_schema_extra=extra)


class DraseOptions(TableRules):
    """The table rules."""

    kind: Literal["drase_options"] = "drase_options"

    tile_label: Literal["2 m", "5 ft"] = _rule(
        "2 m",
        "Battlemaps",
        "What a tile is called on the map; the rules count tiles only.",
        proposal=False,
        title="Name of a tile",
        labels={"2 m": "2 metres", "5 ft": "5 feet"},
    )

    # Rolls
    meet_beats: bool = _rule(
        True,
        "dice mechanics",
        "A total equal to the number hits; off: it must exceed it.",
        title="Equal hits",
    )
    bonus_die: Literal["d6k1", "flat(3,+1)", "flat(1)"] = _rule(
        "d6k1",
        "bestiary",
        "What N bonuses or maluses are worth: the highest of N d6, 3 and 1 for each further one, "
        "or N.",
        proposal=False,
        title="Worth of bonuses and maluses",
        labels={
            "d6k1": "Highest of N d6",
            "flat(3,+1)": "3, and 1 for each further",
            "flat(1)": "1 each",
        },
    )
    bonus_cancel: Literal["cancel", "roll_both"] = _rule(
        "cancel",
        "bestiary",
        "Bonuses and maluses on one roll cancel one by one before the dice, or both are rolled.",
        title="Bonuses against maluses",
        labels={"cancel": "Cancel one by one", "roll_both": "Both are rolled"},
    )
    natural: Literal["crit_if_hit", "auto"] = _rule(
        "crit_if_hit",
        "Damage",
        "A natural 20 is critical if it hits, or it always hits and 1 always misses.",
        title="Natural 20 and 1",
        labels={
            "crit_if_hit": "20 is critical if it hits",
            "auto": "20 always hits, 1 always misses",
        },
    )
    crit: Literal["natural20", "none"] = _rule(
        "natural20",
        "Damage",
        "What makes a hit critical: a natural 20, or nothing.",
        title="Critical hits",
        labels={"natural20": "On a natural 20", "none": "None"},
    )

    # The round
    reactor_must_be_able: bool = _rule(
        True,
        "Reaction",
        "Who is incapacitated when a reaction is resolved loses it.",
        title="The incapacitated lose reactions",
    )
    surprised_can_react: bool = _rule(
        False,
        "Surprise Attack",
        "Surprised creatures may react in round 1.",
        title="The surprised may react",
    )
    dot_on_application_round: Literal["literal", "skip"] = _rule(
        "literal",
        "Status Effects",
        "Whether damage over time fires in the round in which it was applied (wherever its "
        "phase is still to come), or waits for the next round on every side.",
        title="First damage over time",
        labels={"literal": "In the same round", "skip": "In the next round"},
    )
    dot_stack: Literal["worst_overall", "worst_per_type", "all"] = _rule(
        "worst_overall",
        "grimoire",
        "Which of several damage-over-time effects apply.",
        proposal=False,
        title="Several damages over time",
        labels={
            "worst_overall": "The worst alone",
            "worst_per_type": "The worst of each type",
            "all": "All of them",
        },
    )
    wound_check: Literal["note", "ask", "off"] = _rule(
        "note",
        "characteristics",
        "Below half the hit points at the end of a round a wound die is rolled; its table is not "
        "public: note it in the log, ask the GM for the limb, or leave it out.",
        title="Wounds below half",
        labels={"note": "Note in the log", "ask": "Ask for the limb", "off": "Leave out"},
    )
    npc_damage: Literal["rolled", "static"] = _rule(
        "rolled",
        "NPC Average Hit",
        "Whether single attacks of NPCs roll damage or deal the mean.",
        title="Damage of NPCs",
        labels={"rolled": "Rolled", "static": "The mean"},
    )

    # Movement and distance
    diagonal: Literal["alternating", "always_double", "circular", "chebyshev"] = _rule(
        "alternating",
        "Diagonal Movement",
        "What diagonals cost: 1, 2, 1, 2, ...; always 2; straight lengths within a circle; 1.",
        proposal=False,
        title="Diagonals",
        labels={
            "alternating": "1, 2, 1, 2",
            "always_double": "Always 2",
            "circular": "As in a circle",
            "chebyshev": "Always 1",
        },
    )
    diag_counter_reset: Literal["never", "on_orthogonal", "on_segment"] = _rule(
        "never",
        "Diagonal Movement",
        "What starts the alternation anew within a round: nothing, an orthogonal step, or an "
        "action between two moves.",
        title="Diagonals count anew",
        labels={
            "never": "Never in a round",
            "on_orthogonal": "After a straight step",
            "on_segment": "After an action",
        },
    )
    circle_needs_path: bool = _rule(
        True,
        "Diagonal Movement",
        "Circular movement needs a free way of that length.",
        title="A circle needs a free way",
    )
    difficult_combine: Literal["add", "multiply", "max"] = _rule(
        "add",
        "Movement",
        "How difficult ground and a diagonal join in the cost of a step.",
        title="Difficult diagonals",
        labels={"add": "Are added", "multiply": "Are multiplied", "max": "The larger counts"},
    )
    difficult_cost: int = Field(
        title="Cost of difficult ground",
        default=2,
        ge=2,
        le=20,
        description="What an orthogonal step into ordinary difficult ground costs.",
        json_schema_extra={"source": "Movement", "proposal": False},
    )
    corner_cut: Literal["one_open", "both_open", "free"] = _rule(
        "one_open",
        "Movement",
        "Which of the two tiles beside a diagonal step must be open.",
        title="Diagonals past corners",
        labels={"one_open": "One side open", "both_open": "Both sides open", "free": "Always free"},
    )
    height_metric: Literal["axis", "max", "sum"] = _rule(
        "axis",
        "Height",
        "How height counts in a distance: as an axis like the others, by the larger, or added.",
        title="Height in distances",
        labels={"axis": "As an axis", "max": "The larger counts", "sum": "Is added"},
    )
    height_bonus: Literal["1 bonus", "flat +1"] = _rule(
        "1 bonus",
        "Height",
        "What an attack on a lower target gains.",
        proposal=False,
        title="Attack from above",
        labels={"1 bonus": "1 bonus", "flat +1": "+1 flat"},
    )

    # Cover and obscuration
    cover_trace: Literal["silhouette", "center_line", "best_corner"] = _rule(
        "silhouette",
        "Cover",
        "How walls are graded: by the hidden part of the target, by the line between the centres, "
        "or from the attacker's best corner. Obstacles with a label always go by the line.",
        title="Cover by walls",
        labels={
            "silhouette": "Hidden part of the target",
            "center_line": "Line between the centres",
            "best_corner": "The best corner",
        },
    )
    cover_stack: Literal["worst", "sum"] = _rule(
        "worst",
        "Cover",
        "Several covers on the line: the worst alone, or their sum.",
        title="Several covers",
        labels={"worst": "The worst alone", "sum": "Are added"},
    )
    embrasure_side: Literal["either", "inside_only"] = _rule(
        "either",
        "Cover",
        "From which side an adjacent archer may shoot through an embrasure.",
        proposal=False,
        title="Embrasures",
        labels={"either": "From either side", "inside_only": "From inside only"},
    )
    creature_cover_applies: Literal["all_attacks", "ranged_only"] = _rule(
        "all_attacks",
        "Cover",
        "Whether creatures on the line also cover against melee.",
        proposal=False,
        title="Creatures give cover",
        labels={"all_attacks": "Against all attacks", "ranged_only": "Against ranged ones"},
    )
    obscuration_between: Literal["ignore", "include"] = _rule(
        "ignore",
        "Obscuration",
        "Whether what lies between the two counts as well.",
        title="Obscuration in between",
        labels={"ignore": "Does not count", "include": "Counts"},
    )
    obscuration_combine: Literal["worst", "sum"] = _rule(
        "worst",
        "Obscuration",
        "Obscuration at both ends: the worse one, or both added (an area shared counts once).",
        title="Obscuration at both ends",
        labels={"worst": "The worse one", "sum": "Are added"},
    )
    blind_inside_total: Literal["heavy", "no_targeting"] = _rule(
        "heavy",
        "Obscuration",
        "What somebody inside total obscuration has who aims out of it: 2 maluses, or no target.",
        title="Aiming out of total obscuration",
        labels={"heavy": "2 maluses", "no_targeting": "No target"},
    )

    # Damage and falls
    resist_round: Literal["down", "half_up"] = _rule(
        "down",
        "Damage",
        "How halved damage is rounded.",
        title="Halved damage",
        labels={"down": "Rounded down", "half_up": "Rounded up from a half"},
    )
    fall_size: Literal["ignore", "multiply_by_size_rank"] = _rule(
        "ignore",
        "Fall Damage",
        "The unexplained word Size before the dice: ignored, or a factor from 1 (Diminutive) to 7.",
        title="Size in falls",
        labels={"ignore": "Does not count", "multiply_by_size_rank": "Times its rank"},
    )
    fall_round: Literal["down", "up"] = _rule(
        "down",
        "Fall Damage",
        "How half the tiles fallen are rounded.",
        title="Half the tiles fallen",
        labels={"down": "Rounded down", "up": "Rounded up"},
    )
    soft_mode: Literal["threshold", "subtract"] = _rule(
        "threshold",
        "Fall Damage",
        "Water (4) and soft ground (8): no damage up to that height and all of it beyond, or that "
        "height is taken off.",
        title="Soft ground",
        labels={"threshold": "None up to it, all beyond", "subtract": "Is taken off"},
    )
    soft_prone: bool = _rule(
        True,
        "Fall Damage",
        "A soft landing still ends prone.",
        proposal=False,
        title="A soft landing ends prone",
    )

    # Perception and groups
    perception_level_bonus: Literal["in_combat", "never"] = _rule(
        "in_combat",
        "Perception",
        "When the level bonus adds to perception.",
        proposal=False,
        title="Level bonus on perception",
        labels={"in_combat": "In combat", "never": "Never"},
    )
    hide_number: Literal["roll", "gm_sets"] = _rule(
        "roll",
        "Stealth & Perception",
        "What a perceiver must reach: the hider's roll, or a number that the GM sets.",
        title="Number of who hides",
        labels={"roll": "Its roll", "gm_sets": "The GM sets it"},
    )
    npc_D1: Literal["x1.5", "x2"] = _rule(
        "x1.5",
        "NPC Average Hit",
        "The chart names difference 1 twice: 1.5 hits per attacker, or 2.",
        title="Chart at difference 1",
        labels={"x1.5": "1.5 hits each", "x2": "2 hits each"},
    )
