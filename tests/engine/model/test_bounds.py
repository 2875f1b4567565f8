"""No value holds a number that geometry could not work with, nor a colour that is none."""

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from engine.events.tokens import TokenMoved
from engine.model.board import Picture
from engine.model.light import Light
from engine.model.region import AreaShape, Region, ShapeKind
from engine.model.space import LIMIT, Cell
from engine.model.token import Token, Vision
from engine.model.wall import Wall


def token(**fields: Any) -> Token:
    return Token(**{"id": "t", "name": "T", "cell": Cell(0, 0), **fields})


def picture(scale: float) -> Picture:
    return Picture(sha256="0" * 64, width_px=1, height_px=1, to_world=(scale, 0, 0, 0, 1, 0))


FIELDS: dict[str, Callable[[float], object]] = {
    "a token's elevation": lambda x: token(elevation=x),
    "a token's height": lambda x: token(height=x),
    "a token's column": lambda x: token(cell=(int(x), 0)),
    "a token's sight": lambda x: Vision(radius=x),
    "a move's end": lambda x: TokenMoved(token_id="t", path=(), facing=0, elevation=x),
    "a wall's end": lambda x: Wall(id="w", points=((0, 0), (x, 0))),
    "a wall's top": lambda x: Wall(id="w", points=((0, 0), (1, 0)), top=x),
    "a light's reach": lambda x: Light(id="l", position=(0, 0), bright=0, dim=x),
    "a light's place": lambda x: Light(id="l", position=(0, x), bright=0, dim=0),
    "a region's corner": lambda x: Region(id="r", rings=(((0, 0), (0, 1), (x, 1)),)),
    "a region's ground": lambda x: Region(id="r", rings=(), ground=x),
    "a shape's size": lambda x: AreaShape(shape=ShapeKind.CIRCLE, origin=(0, 0), size=x),
    "a picture's scale": picture,
}


@pytest.mark.parametrize("name", FIELDS)
def test_numbers_end_at_the_limit(name: str) -> None:
    assert FIELDS[name](LIMIT)
    with pytest.raises(ValidationError):
        FIELDS[name](LIMIT * 1.01)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_are_finite(number: float) -> None:
    with pytest.raises(ValidationError):
        token(elevation=number)


@pytest.mark.parametrize("facing", [-1, 12, 2.5])
def test_there_are_twelve_facings_at_most(facing: float) -> None:
    with pytest.raises(ValidationError):
        TokenMoved(token_id="t", path=(), facing=facing, elevation=0)


@pytest.mark.parametrize("color", ["red", "#fff", "#12345g", "#1234567", "url(x)", ""])
def test_a_colour_has_six_digits(color: str) -> None:
    with pytest.raises(ValidationError):
        Light(id="l", position=(0, 0), bright=0, dim=0, color=color)
