"""Lights and the light of the place."""

from enum import StrEnum

from engine.model.space import Length, Point
from engine.model.value import Color, Value


class Ambient(StrEnum):
    """The light where no lamp reaches."""

    BRIGHT = "bright"
    DIM = "dim"
    DARK = "dark"


class Light(Value):
    """A lamp: bright up to `bright` cells, dim up to `dim`; it moves with its carrier."""

    id: str
    position: Point
    bright: Length
    dim: Length
    color: Color = "#ffffff"
    carrier: str | None = None
    lit: bool = True
    casts_shadows: bool = True
