"""Every command there is: done, undone and redone, it leaves what it found (C149, C151, C152)."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from engine.cli.output import as_json
from engine.commands import board, combat, fog, tokens, turn
from engine.commands.command import Command
from engine.commands.registry import COMMANDS
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.light import Light
from engine.model.region import Area, AreaShape, Note, Region, ShapeKind
from engine.model.space import Cell
from engine.model.token import FOES, PARTY, Token
from engine.model.wall import DoorState, Wall
from engine.rules.registry import register
from engine.session import Session
from tests.helpers.toy import TOY, StrikePlan, ToyOptions, ToySheet

WALL = Wall(id="w", points=((3, 0), (3, 2)))
DOOR = Wall(id="d", points=((3, 2), (3, 3)), door=DoorState.CLOSED)
LOOSE = Wall(id="e", points=((3.3, 0), (6, 0)))
OPEN = Wall(id="o", points=((3, 3), (3, 4)), door=DoorState.OPEN)
REGION = Region(id="r", rings=(((0, 0), (2, 0), (2, 2)),), step_cost=2)
LIGHT = Light(id="l", position=(1, 1), bright=2, dim=4)
AREA = Area(id="a", shape=AreaShape(shape=ShapeKind.CIRCLE, origin=(1, 1)), cells=(Cell(0, 0),))
NOTE = Note(id="n", position=(1, 1), text="trap")
TOKENS = (
    Token(id="hero", name="Hero", side=PARTY, cell=Cell(1, 1), sheet=ToySheet()),
    Token(id="orc", name="Orc", side=FOES, cell=Cell(5, 1), sheet=ToySheet(hp=3)),
)
STRIKE = combat.Act(plan=StrikePlan(token_id="hero", target_id="orc"))

PEACE: dict[str, Command] = {
    "import_map": board.ImportMap(title="New", board=Board(grid=GridSpec(columns=20, rows=20))),
    "fit_grid": board.FitGrid(grid=GridSpec(columns=14, rows=9)),
    "put_walls": board.PutWalls(walls=(WALL.changed(id="w2"),)),
    "remove_walls": board.RemoveWalls(wall_ids=("w",)),
    "weld_walls": board.WeldWalls(below=0.5),
    "open_door": board.OpenDoor(wall_id="d", token_id="hero"),
    "close_door": board.CloseDoor(wall_id="o"),
    "lock_door": board.LockDoor(wall_id="d"),
    "put_regions": board.PutRegions(regions=(REGION.changed(id="r2"),)),
    "remove_regions": board.RemoveRegions(region_ids=("r",)),
    "put_lights": board.PutLights(lights=(LIGHT.changed(carrier="hero"),)),
    "remove_lights": board.RemoveLights(light_ids=("l",)),
    "put_areas": board.PutAreas(areas=(AREA.changed(id="a2"),)),
    "remove_areas": board.RemoveAreas(area_ids=("a",)),
    "put_notes": board.PutNotes(notes=(NOTE.changed(text="pit"),)),
    "remove_notes": board.RemoveNotes(note_ids=("n",)),
    "add_tokens": tokens.AddTokens(tokens=(Token(id="", name="Wolf", cell=Cell(8, 5)),)),
    "move_token": tokens.MoveToken(token_id="hero", path=(Cell(2, 6),), elevation=1),
    "place_token": tokens.PlaceToken(token_id="hero", cell=Cell(9, 1)),
    "edit_tokens": tokens.EditTokens(token_ids=("orc",), changes={"hidden": True}),
    "duplicate_tokens": tokens.DuplicateTokens(token_ids=("orc",)),
    "remove_tokens": tokens.RemoveTokens(token_ids=("orc",)),
    "set_sheet": tokens.SetSheet(token_id="orc", preset="fighter"),
    "set_value": tokens.SetValue(token_id="orc", field="hp", value=1),
    "switch_fog": fog.SwitchFog(enabled=False),
    "begin_fight": turn.BeginFight(),
    "set_table_rule": turn.SetTableRule(rule="deadly", value=True),
    "correct_table": turn.CorrectTable(table="toys", row="ball", column="size", value="2"),
    "change_settings": turn.ChangeSettings(title="Renamed", real_dice=(PARTY,)),
}
FIGHT: dict[str, Command] = {
    "end_fight": turn.EndFight(),
    "end_phase": turn.EndPhase(),
    "act": STRIKE,
    "overrule": combat.Overrule(
        command=combat.Act(plan=StrikePlan(token_id="orc", target_id="hero"))
    ),
}
ROLLING: dict[str, Command] = {
    "roll": combat.RollDice(faces=(7,)),
    "overrule_result": combat.OverruleResult(outcome=15),
}
ANSWERING: dict[str, Command] = {"answer_prompt": combat.AnswerPrompt(choice="none")}
ROOM = fog.Rectangle(start=(6, 4), end=(9, 7))
FOGGED: dict[str, Command] = {
    "reset_fog": fog.ResetFog(),
    "reveal_fog": fog.RevealFog(area=fog.Room(point=(1, 1))),
    "hide_fog": fog.HideFog(area=fog.Stroke(points=((5, 5), (7, 5)), radius=0.8)),
    "clear_fog": fog.ClearFog(area=ROOM),
}


def peace(session: Session) -> None:
    session.execute(board.PutWalls(walls=(WALL, DOOR, OPEN, LOOSE)))
    session.execute(board.PutRegions(regions=(REGION,)))
    session.execute(board.PutLights(lights=(LIGHT,)))
    session.execute(board.PutAreas(areas=(AREA,)))
    session.execute(board.PutNotes(notes=(NOTE,)))
    session.execute(tokens.AddTokens(tokens=TOKENS))


def fogged(session: Session) -> None:
    peace(session)
    session.execute(fog.HideFog(area=ROOM))


def fighting(session: Session) -> None:
    peace(session)
    session.execute(turn.BeginFight())


def rolling(session: Session) -> None:
    fighting(session)
    session.execute(turn.ChangeSettings(real_dice=(PARTY,)))
    session.execute(STRIKE)


def answering(session: Session) -> None:
    fighting(session)
    session.execute(STRIKE)


CASES: list[tuple[Callable[[Session], None], str, Command]] = [
    (prepare, kind, command)
    for prepare, table in (
        (peace, PEACE),
        (fighting, FIGHT),
        (rolling, ROLLING),
        (answering, ANSWERING),
        (fogged, FOGGED),
    )
    for kind, command in table.items()
]


def test_no_command_is_forgotten_here() -> None:
    assert sorted(kind for _, kind, _ in CASES) == sorted(COMMANDS)


@pytest.mark.parametrize(("prepare", "kind", "command"), CASES, ids=[kind for _, kind, _ in CASES])
def test_do_undo_redo(
    tmp_path: Path, prepare: Callable[[Session], None], kind: str, command: Command
) -> None:
    register(TOY)
    path = tmp_path / "every.battlemat"
    spec = GridSpec(columns=12, rows=8)
    empty = Encounter(ruleset="toy", board=Board(grid=spec), options=ToyOptions())
    with Session.create(path, empty, entropy=Random(3)) as session:
        prepare(session)
        assert command.kind == kind
        before = session.encounter
        session.execute(command)
        after = as_json(session.encounter)
        session.undo()
        assert session.encounter == before
        assert as_json(session.encounter) == as_json(before)
        session.redo()
        assert as_json(session.encounter) == after
        assert session.replay() == ()
    with Session.open(path) as again:
        assert as_json(again.encounter) == after
        assert command.label(before)
