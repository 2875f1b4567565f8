"""What is asked for at a table, one command after the other: a mix in random but seeded order.

The map is a dungeon of some 1,000 walls that holds 1,000 tokens, twelve of them the party's; the
fog is on. Walks lead where there is a way, attacks go at somebody near, fog is lifted and laid.
Half of what is asked in a fight of Drase belongs to the fight, the rest to the map.
"""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from engine.commands.board import (
    CloseDoor,
    LockDoor,
    OpenDoor,
    PutLights,
    PutNotes,
    PutRegions,
    PutWalls,
    RemoveLights,
    RemoveNotes,
    RemoveRegions,
    RemoveWalls,
)
from engine.commands.combat import Act, AnswerPrompt, Overrule, RollDice
from engine.commands.command import Command
from engine.commands.fog import ClearFog, HideFog, Rectangle, RevealFog, Room, Stroke
from engine.commands.tokens import (
    AddTokens,
    DuplicateTokens,
    EditTokens,
    MoveToken,
    PlaceToken,
    RemoveTokens,
    SetValue,
)
from engine.commands.turn import BeginFight, EndPhase
from engine.geometry.routes import free_route
from engine.grid.grid import board_grid
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.light import Light
from engine.model.region import Note, Region
from engine.model.space import Cell, Point
from engine.model.token import FOES, PARTY, Token
from engine.model.value import FrozenMap
from engine.model.wall import DoorState, Wall, WallKind
from engine.rules.dice import Roll, roll_faces
from engine.rules.drase.options import DraseOptions
from engine.rules.drase.plans import ActionPlan, EffectPlan, HarmPlan, WithdrawPlan
from engine.rules.drase.rounds import declares
from engine.rules.drase.state import state_of
from engine.session import Session
from tests.bench.maps import dungeon
from tests.helpers.drase import creature
from tests.helpers.toy import ToyOptions, ToySheet

TOKENS, HEROES = 1000, 12

UNDO, REDO = "undo", "redo"
Order = Command | str
"""A command, or the word for one of the two that go over the history."""

Maker = Callable[[Encounter, Random], Order | None]


class Mixed(NamedTuple):
    """One kind of request: how often it comes, and how it is made for the moment."""

    name: str
    share: int
    make: Maker


@cache
def board(segments: int = 1000) -> Board:
    """Return a dungeon of about so many walls."""
    where = dungeon(segments)
    doors = set(where.doors)
    walls = {}
    for number, (seg, owner) in enumerate(
        zip(where.walls.segs.tolist(), where.walls.owner, strict=True)
    ):
        name = where.walls.ids[int(owner)]
        is_door = name in doors
        walls[f"w{number}"] = Wall(
            id=f"w{number}",
            points=tuple((x, y) for x, y in seg),
            kind=WallKind.DOOR if is_door else WallKind.WALL,
            door=(DoorState.OPEN if name in where.open_doors else DoorState.CLOSED)
            if is_door
            else None,
        )
    spec = GridSpec(columns=int(where.bounds.right), rows=int(where.bounds.bottom))
    return Board(grid=spec, walls=FrozenMap(walls))


def crowd(ruleset: str, tokens: int = TOKENS, segments: int = 1000) -> Encounter:
    """Return the dungeon with its tokens; their sheets are the ruleset's."""
    rng, spec = Random(4), board(segments).grid
    drase = ruleset == "drase"
    made = {
        f"t{number}": Token(
            id=f"t{number}",
            name=f"Orc {number}",
            side=PARTY if number < HEROES else FOES,
            cell=Cell(rng.randrange(spec.columns), rng.randrange(spec.rows)),
            sheet=creature() if drase else ToySheet(),
        )
        for number in range(tokens)
    }
    options = DraseOptions() if drase else ToyOptions()
    return Encounter(
        ruleset=ruleset, board=board(segments), tokens=FrozenMap(made), options=options
    )


class Orders:
    """Gives one request after the other, always the same for a seed."""

    def __init__(self, mix: Sequence[Mixed], seed: int) -> None:
        self._mix = mix
        self._shares = [each.share for each in mix]
        self._rng = Random(seed)

    def following(self, session: Session) -> tuple[str, Order]:
        """Return the kind of the next request and the request itself, made for the moment."""
        while True:
            (kind,) = self._rng.choices(self._mix, self._shares)
            made = kind.make(session.encounter, self._rng)
            if made == REDO and not session.can_redo():
                continue
            if made is not None:
                return kind.name, made


def carry_out(session: Session, order: Order) -> None:
    """Do what is asked for; rolls stay open, each is a command of its own."""
    if order == UNDO:
        session.undo()
    elif order == REDO:
        session.redo()
    else:
        assert isinstance(order, Command)
        session.execute(order, roll=False)


# Tokens


def _hero(encounter: Encounter, rng: Random) -> Token:
    return encounter.token(f"t{rng.randrange(HEROES)}")


def _other(encounter: Encounter, rng: Random) -> Token | None:
    token = encounter.tokens[rng.choice(list(encounter.tokens))]
    return None if token.side == PARTY else token


def _walk(encounter: Encounter, token: Token | None, rng: Random) -> Order | None:
    """Return a walk of up to six cells that no wall stops."""
    if token is None:
        return None
    grid = board_grid(encounter.board.grid)
    path = [token.cell]
    for _ in range(rng.randrange(1, 7)):
        ways = [near.cell for near in grid.neighbours(path[-1]) if near.cell not in path]
        rng.shuffle(ways)
        here = token.changed(cell=path[-1])
        ways = [near for near in ways if grid.contains(near)]
        free = (near for near in ways if _is_one_step(encounter, here, near))
        following = next(free, None)
        if following is None:
            break
        path.append(following)
    return MoveToken(token_id=token.id, path=tuple(path[1:])) if path[1:] else None


def _is_one_step(encounter: Encounter, token: Token, cell: Cell) -> bool:
    """Tell whether a neighbouring cell is entered without a way around a wall."""
    found = free_route(encounter, token, (cell,))
    return not found.refusals and len(found.cells) == 2


def _hero_walks(encounter: Encounter, rng: Random) -> Order | None:
    return _walk(encounter, _hero(encounter, rng), rng)


def _other_walks(encounter: Encounter, rng: Random) -> Order | None:
    return _walk(encounter, _other(encounter, rng), rng)


def _set_down(encounter: Encounter, rng: Random) -> Order | None:
    token = _other(encounter, rng)
    return None if token is None else PlaceToken(token_id=token.id, cell=_cell(encounter, rng))


def _hit_points(encounter: Encounter, rng: Random) -> Order | None:
    token = _other(encounter, rng) if rng.random() < 0.7 else _hero(encounter, rng)
    if token is None:
        return None
    return SetValue(token_id=token.id, field="hp", value=rng.randrange(1, 20))


def _edit(encounter: Encounter, rng: Random) -> Order | None:
    token = _other(encounter, rng)
    if token is None:
        return None
    changes = rng.choice(({"hidden": not token.hidden}, {"label": "X"}, {"gm_note": "knows"}))
    return EditTokens(token_ids=(token.id,), changes=changes)


def _add(encounter: Encounter, rng: Random) -> Order | None:
    sheet = encounter.token("t0").sheet
    fresh = Token(id="", name="Wolf", side=FOES, cell=_cell(encounter, rng), sheet=sheet)
    return AddTokens(tokens=(fresh,))


def _duplicate(encounter: Encounter, rng: Random) -> Order | None:
    token = _other(encounter, rng)
    return None if token is None else DuplicateTokens(token_ids=(token.id,))


def _remove(encounter: Encounter, rng: Random) -> Order | None:
    came_later = [each for each in encounter.tokens if each.startswith("token-")]
    return RemoveTokens(token_ids=(rng.choice(came_later),)) if came_later else None


# The board and its fog


def _cell(encounter: Encounter, rng: Random) -> Cell:
    spec = encounter.board.grid
    return Cell(rng.randrange(spec.columns), rng.randrange(spec.rows))


def _point(encounter: Encounter, rng: Random) -> Point:
    cell = _cell(encounter, rng)
    return (cell.x + 0.5, cell.y + 0.5)


def _door(encounter: Encounter, rng: Random) -> Order | None:
    doors = [wall for wall in encounter.board.walls.values() if wall.is_door]
    door = rng.choice(doors)
    if door.door is DoorState.OPEN:
        return CloseDoor(wall_id=door.id)
    if door.door is DoorState.CLOSED:
        return LockDoor(wall_id=door.id) if rng.random() < 0.1 else OpenDoor(wall_id=door.id)
    return CloseDoor(wall_id=door.id)


def _fog(encounter: Encounter, rng: Random) -> Order | None:
    x, y = _point(encounter, rng)
    stroke = Stroke(points=tuple((x + 0.5 * step, y) for step in range(12)), radius=1.5)
    box = Rectangle(start=(x, y), end=(x + rng.randrange(2, 9), y + rng.randrange(2, 9)))
    area = rng.choice((stroke, box, Room(point=(x, y))))
    return rng.choice((RevealFog, HideFog, ClearFog))(area=area)


def _wall(encounter: Encounter, rng: Random) -> Order | None:
    if "drawn" in encounter.board.walls:
        return RemoveWalls(wall_ids=("drawn",))
    x, y = _point(encounter, rng)
    return PutWalls(walls=(Wall(id="drawn", points=((x, y), (x + 3, y), (x + 3, y + 2))),))


def _region(encounter: Encounter, rng: Random) -> Order | None:
    if "mud" in encounter.board.regions:
        return RemoveRegions(region_ids=("mud",))
    x, y = _point(encounter, rng)
    ring = ((x, y), (x + 4, y), (x + 4, y + 3), (x, y + 3))
    return PutRegions(regions=(Region(id="mud", rings=(ring,), step_cost=2),))


def _light(encounter: Encounter, rng: Random) -> Order | None:
    if "lamp" in encounter.board.lights:
        return RemoveLights(light_ids=("lamp",))
    return PutLights(lights=(Light(id="lamp", position=_point(encounter, rng), bright=4, dim=8),))


def _note(encounter: Encounter, rng: Random) -> Order | None:
    if "note" in encounter.board.notes:
        return RemoveNotes(note_ids=("note",))
    return PutNotes(notes=(Note(id="note", position=_point(encounter, rng), text="A trap."),))


ON_THE_MAP = (
    Mixed("a hero walks", 24, _hero_walks),
    Mixed("a foe walks", 20, _other_walks),
    Mixed("set down", 6, _set_down),
    Mixed("hit points", 16, _hit_points),
    Mixed("hide, label, note", 6, _edit),
    Mixed("door", 8, _door),
    Mixed("fog brush", 6, _fog),
    Mixed("add", 2, _add),
    Mixed("duplicate", 2, _duplicate),
    Mixed("remove", 2, _remove),
    Mixed("wall drawn", 1, _wall),
    Mixed("region", 2, _region),
    Mixed("light", 2, _light),
    Mixed("pin", 2, _note),
)

# Only after an undo there is something to redo.
OVER_THE_HISTORY = (
    Mixed("undo", 5, lambda _encounter, _rng: UNDO),
    Mixed("redo", 30, lambda _encounter, _rng: REDO),
)


# The fight


def opening(encounter: Encounter) -> tuple[Command, ...]:
    """Return the commands that begin a fight and bring it to the first declarations."""
    return (BeginFight(), EndPhase()) if encounter.ruleset == "drase" else ()


def _declaring(encounter: Encounter, rng: Random) -> Token | None:
    """Return somebody who may declare something now."""
    if encounter.prompt is not None:
        return None
    token = _hero(encounter, rng) if rng.random() < 0.5 else _other(encounter, rng)
    if token is None or not declares(encounter, token):
        return None
    turn = state_of(encounter).turn(token.id)
    return None if turn.frozen or turn.declared else token


def _declare_move(encounter: Encounter, rng: Random) -> Order | None:
    token = _declaring(encounter, rng)
    order = _walk(encounter, token, rng)
    return Overrule(command=order) if isinstance(order, MoveToken) else None


def _declare_attack(encounter: Encounter, rng: Random) -> Order | None:
    token = _declaring(encounter, rng)
    if token is None:
        return None
    foes = [each for each in encounter.tokens.values() if each.side != token.side]

    def far(other: Token) -> int:
        return max(abs(other.cell.x - token.cell.x), abs(other.cell.y - token.cell.y))

    plan = ActionPlan(
        token_id=token.id, action="attack", target_id=min(foes, key=far).id, attack="Bow"
    )
    return Overrule(command=Act(plan=plan))


def _withdraw(encounter: Encounter, rng: Random) -> Order | None:
    state = state_of(encounter)
    open_ids = [
        token_id
        for token_id, turn in state.turns.items()
        if turn.declared and not turn.frozen and declares(encounter, encounter.token(token_id))
    ]
    if encounter.prompt is not None or not open_ids:
        return None
    return Act(plan=WithdrawPlan(token_id=rng.choice(open_ids)))


def _harm(encounter: Encounter, rng: Random) -> Order | None:
    token = _other(encounter, rng)
    if token is None or encounter.prompt is not None:
        return None
    return Act(plan=HarmPlan(token_id=token.id, damage="3"))


def _condition(encounter: Encounter, rng: Random) -> Order | None:
    token = _other(encounter, rng)
    if token is None or encounter.prompt is not None:
        return None
    return Act(plan=EffectPlan(token_id=token.id, status="prone", rounds=2))


def _end_phase(encounter: Encounter, _: Random) -> Order | None:
    return None if encounter.prompt is not None else EndPhase()


def _answer(encounter: Encounter, rng: Random) -> Order | None:
    prompt = encounter.prompt
    if prompt is None:
        return None
    if prompt.roll is not None:
        return RollDice(faces=roll_faces(Roll.parse(prompt.roll), rng))
    return AnswerPrompt(choice=rng.choice(prompt.choices).value)


IN_A_FIGHT = (
    Mixed("declare a move", 30, _declare_move),
    Mixed("declare an attack", 30, _declare_attack),
    Mixed("withdraw", 3, _withdraw),
    Mixed("harm", 8, _harm),
    Mixed("condition", 8, _condition),
    Mixed("end phase", 8, _end_phase),
    Mixed("roll or answer", 120, _answer),
    Mixed("hit points", 12, _hit_points),
    Mixed("hide, label, note", 4, _edit),
    Mixed("door", 6, _door),
    Mixed("fog brush", 4, _fog),
    Mixed("duplicate", 2, _duplicate),
    Mixed("remove", 2, _remove),
    Mixed("wall drawn", 1, _wall),
)
