"""Whatever happens out of the players' sight, their View stays equal.

The board has two halves, parted by a wall with a closed door. The party lives in the left one;
everything in the right one is out of sight, whatever the code says, and so is every hidden token
anywhere. The party may have looked through the door before it was closed, and remembers.
"""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.commands.board import (
    CloseDoor,
    OpenDoor,
    PutAreas,
    PutLights,
    PutNotes,
    PutRegions,
    PutWalls,
    RemoveWalls,
)
from engine.commands.combat import Act, AnswerPrompt, Overrule, RollDice
from engine.commands.command import Command
from engine.commands.fog import HideFog, Rectangle, RevealFog
from engine.commands.tokens import (
    AddTokens,
    EditTokens,
    MoveToken,
    PlaceToken,
    RemoveTokens,
    SetValue,
)
from engine.commands.turn import BeginFight, EndPhase
from engine.model.audience import HealthShown, VisionMode
from engine.model.encounter import Encounter
from engine.model.light import Ambient, Light
from engine.model.refusal import Rejected
from engine.model.region import Area, AreaShape, Note, Region, ShapeKind
from engine.model.space import Cell
from engine.model.token import NEUTRAL, Token
from engine.model.token import Vision as Eyes
from engine.model.wall import DoorState, Wall, WallKind
from tests.helpers.scenes import begun, done, door, hero, lamp, scene, seen, token, wall
from tests.helpers.toy import StrikePlan

WIDTH, HEIGHT, MIDDLE = 14, 6, 7
DOORS = {WallKind.DOOR, WallKind.SECRET_DOOR}
AUDIENCES: tuple[dict[str, Any], ...] = (
    {},
    {"vision": VisionMode.ACTIVE, "health": HealthShown.BARS},
    {"vision": VisionMode.CHOSEN, "chosen": ("ann", "left", "spy"), "health": HealthShown.HIDDEN},
)

names = st.sampled_from(["Orc", "Orc 2", "Orc 7", "Round 1", "Ann", "Left", "A"])
rows = st.integers(0, HEIGHT - 1)
left_cells = st.builds(Cell, st.integers(0, MIDDLE - 1), rows)
right_cells = st.builds(Cell, st.integers(MIDDLE, WIDTH - 1), rows)
cells = left_cells | right_cells


def lattice(left: float, right: float) -> st.SearchStrategy[tuple[float, float]]:
    """Draw places on quarters of cells, so that walls meet, cross and lie on one another."""
    along = st.integers(int(left * 4), int(right * 4))
    return st.tuples(along.map(lambda n: n / 4), st.integers(0, HEIGHT * 4).map(lambda n: n / 4))


@st.composite
def walls(draw: st.DrawFn, name: str, *, right: bool) -> Wall:
    """Draw a wall of any kind; one on the right may join the middle from behind."""
    low, high = (MIDDLE + 0.25, WIDTH) if right else (0, MIDDLE)
    corners = draw(st.lists(lattice(low, high), min_size=2, max_size=4, unique=True))
    if right and draw(st.booleans()):
        corners[0] = (MIDDLE, corners[0][1])
    kind = draw(st.sampled_from(list(WallKind)))
    state = draw(st.sampled_from([DoorState.CLOSED, DoorState.OPEN])) if kind in DOORS else None
    top = draw(st.sampled_from([None, 0.5, 2.0]))
    return Wall(id=name, points=tuple(corners), kind=kind, door=state, top=top)


@st.composite
def encounters(draw: st.DrawFn) -> Encounter:
    """Draw two halves with everything in them; the party may have looked into the right one."""
    made: list[Wall | Token | Light] = [
        wall("north", (MIDDLE, 0), (MIDDLE, 2)),
        door("door", (MIDDLE, 2), (MIDDLE, 3)),
        wall("south", (MIDDLE, 3), (MIDDLE, HEIGHT)),
        hero("ann", *draw(left_cells), vision=draw(st.sampled_from(EYES))),
        hero("bea", *draw(left_cells), vision=draw(st.sampled_from(EYES))),
        token("left", *draw(left_cells), name=draw(names)),
        token("right", *draw(right_cells), name=draw(names)),
        token("other", *draw(right_cells), side=NEUTRAL, name=draw(names)),
        token("spy", *draw(cells), name=draw(names), hidden=True),
        lamp("left-lamp", *draw(lattice(0, MIDDLE - 0.5)), 1, draw(st.integers(1, 5))),
        lamp("right-lamp", *draw(lattice(MIDDLE + 0.5, WIDTH)), 1, draw(st.integers(1, 5))),
        lamp("torch", 0, 0, 1, 3, carrier=draw(st.sampled_from(["ann", "right", "spy"]))),
        *(draw(walls(f"l{n}", right=False)) for n in range(draw(st.integers(0, 3)))),
        *(draw(walls(f"r{n}", right=True)) for n in range(draw(st.integers(0, 3)))),
    ]
    ambient = draw(st.sampled_from(Ambient))
    encounter = begun(scene(*made, columns=WIDTH, rows=HEIGHT, ambient=ambient))
    if draw(st.booleans()):
        encounter = done(encounter, OpenDoor(wall_id="door"), CloseDoor(wall_id="door"))
    if draw(st.booleans()):
        encounter = done(encounter, BeginFight())
    if draw(st.booleans()):
        veil = Rectangle(start=(1, 1), end=(3.2, 2.7))
        encounter = done(encounter, HideFog(area=veil))
    return encounter


EYES = (Eyes(), Eyes(radius=4), Eyes(darkvision=3), Eyes(radius=5, darkvision=2))
who = st.sampled_from(["right", "other", "spy"])


@st.composite
def secrets(draw: st.DrawFn) -> Command:
    """Draw something that happens where the players do not see it."""
    return draw(st.sampled_from(SECRETS))(draw)


def _rename(draw: st.DrawFn) -> Command:
    field = draw(st.sampled_from(["name", "public_name", "label", "gm_note", "group", "portrait"]))
    return EditTokens(token_ids=(draw(who),), changes={field: draw(names)})


def _reshape(draw: st.DrawFn) -> Command:
    changes = draw(st.sampled_from([{"facing": 3}, {"elevation": 5.0}, {"height": 3.0}]))
    return EditTokens(token_ids=(draw(who),), changes=changes)


def _place(draw: st.DrawFn) -> Command:
    return PlaceToken(token_id=draw(who), cell=draw(right_cells))


def _sneak(draw: st.DrawFn) -> Command:
    return PlaceToken(token_id="spy", cell=draw(cells))


def _wound(draw: st.DrawFn) -> Command:
    return SetValue(token_id=draw(who), field="hp", value=draw(st.integers(-5, 10)))


def _remove(draw: st.DrawFn) -> Command:
    return RemoveTokens(token_ids=(draw(who),))


def _hide(draw: st.DrawFn) -> Command:
    return EditTokens(token_ids=("right",), changes={"hidden": draw(st.booleans())})


def _add(draw: st.DrawFn) -> Command:
    hidden = draw(st.booleans())
    cell = draw(cells if hidden else right_cells)
    return AddTokens(tokens=(token("new", *cell, name=draw(names), hidden=hidden),))


def _wall(draw: st.DrawFn) -> Command:
    return PutWalls(walls=(draw(walls(f"r{draw(st.integers(0, 4))}", right=True)),))


def _no_wall(draw: st.DrawFn) -> Command:
    return RemoveWalls(wall_ids=(f"r{draw(st.integers(0, 2))}",))


def _door(draw: st.DrawFn) -> Command:
    command = draw(st.sampled_from([OpenDoor, CloseDoor]))
    opener = draw(st.sampled_from([None, "right", "spy"]))
    return command(wall_id=f"r{draw(st.integers(0, 2))}", token_id=opener)


def _region(draw: st.DrawFn) -> Command:
    ring = tuple(draw(st.lists(lattice(MIDDLE + 0.25, WIDTH), min_size=3, max_size=5, unique=True)))
    name = draw(st.sampled_from(["mud", "pit"]))
    return PutRegions(regions=(Region(id=name, rings=(ring,), step_cost=2),))


def _light(draw: st.DrawFn) -> Command:
    spot, dim = draw(lattice(MIDDLE + 0.5, WIDTH)), draw(st.integers(1, 5))
    return PutLights(lights=(lamp(draw(st.sampled_from(["right-lamp", "l2"])), *spot, 1, dim),))


def _torch(draw: st.DrawFn) -> Command:
    return PutLights(lights=(lamp("t2", 0, 0, 1, 3, carrier=draw(who)),))


def _area(draw: st.DrawFn) -> Command:
    covered = tuple(draw(st.lists(right_cells, min_size=1, max_size=4, unique=True)))
    shape = AreaShape(shape=ShapeKind.CIRCLE, origin=(10, 3), size=2)
    return PutAreas(areas=(Area(id="cloud", shape=shape, cells=covered, source_token="spy"),))


def _note(draw: st.DrawFn) -> Command:
    return PutNotes(notes=(Note(id="note", position=draw(lattice(0, WIDTH)), text=draw(names)),))


def _strike(draw: st.DrawFn) -> Command:
    return Overrule(command=Act(plan=StrikePlan(token_id="right", target_id=draw(who))))


def _roll(draw: st.DrawFn) -> Command:
    return RollDice(faces=(draw(st.integers(1, 10)),))


def _answer(draw: st.DrawFn) -> Command:
    return AnswerPrompt(choice=draw(st.sampled_from(["dodge", "none"])))


SECRETS = (
    *(_rename, _reshape, _place, _sneak, _wound, _remove, _hide, _add),
    *(_wall, _no_wall, _door, _region, _light, _torch, _area, _note),
    *(_strike, _roll, _answer),
)


def tried(encounter: Encounter, *commands: Command) -> Encounter:
    """Return the encounter after those of the commands that are not refused."""
    for command in commands:
        try:
            encounter = done(encounter, command)
        except Rejected:
            continue
    return encounter


@settings(max_examples=150)
@given(encounters(), st.lists(secrets(), min_size=1, max_size=4))
def test_what_happens_out_of_sight_changes_nothing(
    encounter: Encounter, happening: list[Command]
) -> None:
    after = tried(encounter, *happening)
    for audience in AUDIENCES:
        assert seen(after, **audience) == seen(encounter, **audience)


public_commands = st.one_of(
    st.builds(
        lambda who, to: MoveToken(token_id=who, path=(to,)),
        st.sampled_from(["ann", "bea"]),
        left_cells,
    ),
    st.builds(lambda to: PlaceToken(token_id="left", cell=to), left_cells),
    st.builds(
        lambda to, name: AddTokens(tokens=(token("late", *to, name=name),)), left_cells, names
    ),
    st.builds(lambda hp: SetValue(token_id="ann", field="hp", value=hp), st.integers(0, 10)),
    st.builds(lambda to: RevealFog(area=Rectangle(start=(0, 0), end=to)), lattice(1, MIDDLE - 1)),
    st.just(EndPhase()),
    st.just(OpenDoor(wall_id="l0", token_id="ann")),
)


@settings(max_examples=150)
@given(
    encounters(),
    st.lists(secrets(), min_size=1, max_size=3),
    st.lists(public_commands, min_size=1, max_size=3),
)
def test_nor_does_it_change_what_happens_in_sight_later(
    encounter: Encounter, happening: list[Command], public: list[Command]
) -> None:
    plain, secret = tried(encounter, *public), tried(encounter, *happening, *public)
    if (plain.prompt is None) is not (secret.prompt is None):
        return  # a prompt that waits stops the fight for everybody
    for audience in AUDIENCES:
        assert seen(secret, **audience) == seen(plain, **audience)
