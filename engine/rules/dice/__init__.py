"""Dice: one roll expression, evaluated by faces on the table or by exact weights in a forecast."""

from engine.rules.dice.distribution import (
    Bar,
    Contest,
    DiceError,
    Distribution,
    Rounding,
    contest,
    mixture,
    rounded,
    uniform,
)
from engine.rules.dice.roll import (
    Compare,
    FacesNeeded,
    Roll,
    RollResult,
    Typed,
    dice,
    roll_faces,
    successes,
)

__all__ = [
    "Bar",
    "Compare",
    "Contest",
    "DiceError",
    "Distribution",
    "FacesNeeded",
    "Roll",
    "RollResult",
    "Rounding",
    "Typed",
    "contest",
    "dice",
    "mixture",
    "roll_faces",
    "rounded",
    "successes",
    "uniform",
]
