"""Every broken invariant is found, and a sound encounter has none."""

import pytest

from engine.check import check
from engine.model.board import Board, GridSpec, Picture
from engine.model.encounter import Encounter
from engine.model.fog import Fog
from engine.model.light import Light
from engine.model.pending import Prompt, PromptKind
from engine.model.region import Area, AreaShape, Region, ShapeKind
from engine.model.sheet import Sheet
from engine.model.space import Cell, GridKind
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.model.wall import Wall
from tests.helpers.toy import TOY, StrikeFrame, ToySheet


class StrangeSheet(Sheet):
    kind: str = "strange"


BOARD = Board(grid=GridSpec(columns=10, rows=10))
SOUND = Encounter(ruleset="toy", board=BOARD).with_token(
    Token(id="a", name="A", cell=Cell(1, 1), sheet=ToySheet())
)
WALL = Wall(id="w", points=((0, 0), (1, 1)))
LIGHT = Light(id="l", position=(1, 1), bright=2, dim=4)
AREA = Area(
    id="x", shape=AreaShape(shape=ShapeKind.CIRCLE, origin=(1, 1)), cells=(), follows="nobody"
)
HATCHED = FrozenMap(
    {f"w{i}": Wall(id=f"w{i}", points=((i / 999, 0), (1 - i / 999, 9))) for i in range(999)}
)
PROMPT = Prompt(prompt=PromptKind.ROLL, side="party", question="?", roll="1d10")
ASKED = SOUND.changed(pending=(StrikeFrame(attacker="a", defender="a"),), prompt=PROMPT)


def with_token(**changes: object) -> Encounter:
    return SOUND.with_token(SOUND.tokens["a"].changed(**changes))


def with_board(**changes: object) -> Encounter:
    return SOUND.changed(board=BOARD.changed(**changes))


BROKEN = {
    "another ruleset": SOUND.changed(ruleset="drase"),
    "a wall under another id": with_board(walls=FrozenMap({"v": WALL})),
    "walls all across one another": with_board(walls=HATCHED),
    "a carrier who is not there": with_board(lights=FrozenMap({"l": LIGHT.changed(carrier="b")})),
    "a light dim before bright": with_board(lights=FrozenMap({"l": LIGHT.changed(dim=1.0)})),
    "a region of two corners": with_board(
        regions=FrozenMap({"r": Region(id="r", rings=(((0, 0), (1, 1)),))})
    ),
    "a picture of no width": with_board(
        picture=Picture(sha256="0" * 64, width_px=9, height_px=9, to_world=(0, 1, 0, 0, 1, 0))
    ),
    "an area of damage nobody can roll": with_board(
        areas=FrozenMap({"x": AREA.changed(follows=None, damage="some")})
    ),
    "an area that follows nobody": with_board(areas=FrozenMap({"x": AREA})),
    "a token off the board": with_token(cell=Cell(10, 1)),
    "a large token half off the board": with_token(cell=Cell(9, 9), footprint="2"),
    "a facing that squares lack": with_token(facing=9),
    "a footprint nobody knows": with_token(footprint="egg"),
    "a sheet of another ruleset": with_token(sheet=StrangeSheet()),
    "a frame without a prompt": SOUND.changed(pending=(StrikeFrame(attacker="a", defender="a"),)),
    "a prompt without a frame": SOUND.changed(prompt=PROMPT),
    "a roll of no dice": ASKED.changed(prompt=PROMPT.changed(roll=None)),
    "somebody asked who is not there": ASKED.changed(prompt=PROMPT.changed(token_id="b")),
    "a remembered wall without its parts": SOUND.changed(fog=Fog(walls=FrozenMap({"w": WALL}))),
    "a fog tile of another size": SOUND.changed(fog=Fog(explored=FrozenMap({(0, 0): b"1"}))),
}


def test_a_sound_encounter_has_no_issue() -> None:
    assert check(SOUND, TOY) == ()


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_one_is_found(name: str) -> None:
    assert len(check(BROKEN[name], TOY)) == 1


def test_a_hex_facing_is_sound_on_hexes() -> None:
    hexes = SOUND.changed(board=Board(grid=GridSpec(kind=GridKind.HEX_FLAT, columns=9, rows=9)))
    turned = hexes.with_token(hexes.tokens["a"].changed(facing=11, footprint="1"))
    assert check(turned, TOY) == ()
