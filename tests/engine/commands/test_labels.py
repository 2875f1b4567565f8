"""The history speaks in words: no kinds, no ids."""

import pytest

from engine.commands import board, combat, tokens, turn
from engine.commands.command import Command
from engine.commands.registry import COMMANDS
from engine.model.board import GridSpec
from engine.model.light import Ambient
from engine.model.region import Note, Region
from engine.model.space import Cell
from engine.model.wall import Wall
from engine.rules.drase.plans import ALL_PLANS, ActionPlan, EffectPlan, Mode, TravelPlan
from engine.rules.ruleset import MovePlan, Plan
from tests.helpers.drase import Fight, encounter, foe, token

SCENE = encounter(
    token("Ila", 2, 2),
    foe("Orc 1", 6, 2),
    walls=[Wall(id="door-2", kind="door", door="closed", points=((4, 2), (4, 3)))],
)


def act(plan: Plan) -> Command:
    return combat.Act(plan=plan)


RING = (((0, 0), (1, 0), (1, 1)),)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (
            act(ActionPlan(token_id="ila", action="attack", attack="Bow", target_id="orc 1")),
            "Ila: Attack Orc 1 (Bow)",
        ),
        (
            combat.Overrule(command=act(MovePlan(token_id="ila", path=(Cell(3, 2),)))),
            "Overrule: Ila: Move to D3",
        ),
        (act(TravelPlan(token_id="ila", mode=Mode.CLIMB, path=(Cell(3, 2),))), "Ila: Climb to D3"),
        (act(EffectPlan(token_id="ila", status="prone", ends=True)), "Ila: End Prone"),
        (
            board.PutRegions(regions=(Region(id="r", name="Mud", rings=RING),)),
            "Draw region Mud",
        ),
        (board.RemoveWalls(wall_ids=("door-2",)), "Remove 1 wall"),
        (board.OpenDoor(wall_id="door-2"), "Open door 2"),
        (
            board.PutNotes(notes=(Note(id="n", position=(0, 0), text="A trap\nof old"),)),
            "Pin note A trap",
        ),
        (tokens.SetValue(token_id="ila", field="hp_max", value=3), "Ila: Hit points, maximum"),
        (turn.SetTableRule(rule="meet_beats", value=False), "Table rule Equal hits: No"),
        (
            turn.CorrectTable(table="actions", row="full_attack", column="strikes", value=3),
            "Actions: Full attack, attacks: 3",
        ),
        (turn.ChangeSettings(real_dice=("party",)), "Real dice: party"),
        (turn.EndPhase(), "End of Setup"),
        (board.FitGrid(grid=SCENE.board.grid), "Lay the grid"),
        (board.FitGrid(grid=SCENE.board.grid, ambient=Ambient.DARK), "Night"),
        (board.FitGrid(grid=SCENE.board.grid, background="#102030"), "Background of the map"),
        (board.FitGrid(grid=GridSpec(columns=3, rows=3), ambient=Ambient.DARK), "Lay the grid"),
    ],
)
def test_a_command_is_named_in_words(command: Command, words: str):
    assert command.label(SCENE) == words


def test_no_command_goes_by_its_kind():
    plain = Command.label
    assert not [kind for kind, each in COMMANDS.items() if each.label is plain]


def test_every_plan_of_drase_is_named():
    fight = Fight(SCENE)
    fields = {"action": "aim", "place": "first"}
    for kind in ALL_PLANS:
        own = {name: value for name, value in fields.items() if name in kind.model_fields}
        words = fight.ruleset.words(fight.now, kind(token_id="ila", **own))
        assert "drase" not in words.lower()
        assert "_" not in words
