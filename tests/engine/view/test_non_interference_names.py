"""No true name and nobody hidden is named anywhere in the players' View, by no ruleset's rules.

The party does whatever its ruleset offers to whoever is there: to figures that the players know by
another name, to those who hide, to those who were never seen. All sides roll on the table, so every
question stays open for a while.
"""

import os
from contextlib import suppress
from random import Random

import pytest

from engine.cli.output import as_json
from engine.commands.board import CloseDoor, OpenDoor, PutRegions
from engine.commands.combat import Act, AnswerPrompt, Overrule, OverruleResult, RollDice
from engine.commands.command import Command
from engine.commands.fog import SwitchFog
from engine.commands.registry import resolve
from engine.commands.tokens import AddTokens, EditTokens, PlaceToken
from engine.commands.turn import BeginFight, EndPhase
from engine.model.audience import Audience, HealthShown, VisionMode
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.pending import Prompt, PromptKind
from engine.model.refusal import Rejected
from engine.model.region import AreaShape, Obscuration, Region, ShapeKind
from engine.model.space import Cell
from engine.model.token import FOES, NEUTRAL, PARTY, Token
from engine.model.value import FrozenMap
from engine.model.wall import CoverLabel, DoorState, Durability, Wall, WallKind
from engine.rules.dice import Roll, roll_faces
from engine.rules.registry import ruleset_ids, ruleset_of
from engine.rules.ruleset import MovePlan, Offer, Plan, Ruleset, TargetKind
from engine.view import project
from tests.helpers.scenes import LIVE
from tests.helpers.toy import TOY

STEPS = int(os.environ.get("BATTLEMAT_SECRET_STEPS", "40"))
"""Of each play; thousands by hand."""

WIDTH, HEIGHT = 12, 8
SECRETS = ("Vampyrus", "Wolfgang", "Xerxes", "Yolanda", "Zoltan", "Crypta", "Miasma", "Portia")
"""True names of figures, of a region and of walls."""

RULESETS = [TOY, *(ruleset_of(each) for each in ruleset_ids())]
AUDIENCES = (
    Audience(),
    Audience(vision=VisionMode.ACTIVE, health=HealthShown.BARS),
    Audience(vision=VisionMode.CHOSEN, chosen=("ann",), health=HealthShown.HIDDEN),
)


def begun(ruleset: Ruleset, rng: Random) -> Encounter:
    """Return a fight with somebody known by another name, somebody hidden, somebody far away."""
    sheet = next(iter(ruleset.presets().values()))

    def token(token_id: str, x: int, side: str, name: str, **fields: object) -> Token:
        cell = Cell(x, rng.randrange(HEIGHT))
        return Token(id=token_id, name=name, side=side, cell=cell, sheet=sheet, **fields)

    tokens = (
        token("ann", 1, PARTY, "Ann"),
        token("bea", 2, PARTY, "Portia", public_name="Bea"),
        token("lord", 4, FOES, "Vampyrus", public_name="Stranger", label="Vampyrus"),
        token("hound", 5, FOES, "Wolfgang", public_name="Hound", group="Wolfgang"),
        token("guide", 3, NEUTRAL, "Xerxes", public_name="Guide", gm_note="Xerxes"),
        token("spy", 6, FOES, "Yolanda", public_name="Shade", hidden=True),
        token("far", 9, FOES, "Zoltan", public_name="Figure"),
    )
    walls = (
        Wall(id="w0", points=((8, 0), (8, 3)), name="Crypta"),
        Wall(
            id="w1",
            points=((8, 3), (8, 4)),
            kind=WallKind.DOOR,
            door=DoorState.CLOSED,
            name="Crypta",
        ),
        Wall(id="w2", points=((8, 4), (8, HEIGHT)), name="Crypta"),
        Wall(
            id="w3",
            points=((3, 2), (3, 5)),
            name="Crypta",
            cover=CoverLabel.HALF,
            durability=Durability(hp=30, hp_max=30),
            blocks_sight=False,
            blocks_movement=False,
        ),
    )
    board = Board(
        grid=GridSpec(columns=WIDTH, rows=HEIGHT),
        walls=FrozenMap({each.id: each for each in walls}),
    )
    start = Encounter(
        ruleset=ruleset.id,
        board=board,
        options=ruleset.options_type(),
        real_dice=(PARTY, FOES, NEUTRAL),
    )
    mist = Region(
        id="mist",
        name="Miasma",
        rings=(((4, 0), (7, 0), (7, 8), (4, 8)),),
        obscuration=Obscuration.LIGHT,
    )
    first = (AddTokens(tokens=tokens), PutRegions(regions=(mist,)))
    for command in (*first, SwitchFog(enabled=rng.random() < 0.7), BeginFight()):
        start = resolve(command, start, ruleset)[1]
    return start


def next_command(now: Encounter, ruleset: Ruleset, rng: Random) -> Command:
    """Return what happens next: mostly the party acts, or an open question is answered."""
    if now.prompt is not None and rng.random() < 0.7:
        return answer(now.prompt, rng)
    kind = rng.random()
    if kind < 0.6:
        command: Command = Act(plan=some_plan(now, ruleset, rng))
        return Overrule(command=command) if rng.random() < 0.7 else command
    if kind < 0.8:
        return Overrule(command=EndPhase())
    who = rng.choice(list(now.tokens))
    return rng.choice(
        [
            EditTokens(token_ids=(rng.choice(("spy", "lord", "far")),), changes={"hidden": True}),
            EditTokens(token_ids=(rng.choice(("spy", "lord", "far")),), changes={"hidden": False}),
            PlaceToken(token_id=who, cell=some_cell(rng)),
            OpenDoor(wall_id="w1", token_id=who),
            CloseDoor(wall_id="w1", token_id=who),
        ]
    )


def some_cell(rng: Random) -> Cell:
    return Cell(rng.randrange(WIDTH), rng.randrange(HEIGHT))


def some_plan(now: Encounter, ruleset: Ruleset, rng: Random) -> Plan:
    """Return something that a ruleset offers, aimed at anybody or anything."""
    ours = [token.id for token in now.tokens.values() if token.side == PARTY]
    who = rng.choice(ours if ours and rng.random() < 0.7 else list(now.tokens))
    walk = Offer(id="", label="", target=TargetKind.PATH, plan=MovePlan(token_id=who))
    offer = rng.choice([walk, *ruleset.offers(now, who, tuple(ours))])
    shape = AreaShape(shape=ShapeKind.CIRCLE, origin=tuple(some_cell(rng)), size=rng.randint(1, 4))
    aims = {
        TargetKind.TOKEN: {"target_id": rng.choice(list(now.tokens))},
        TargetKind.WALL: {"target_id": rng.choice(list(now.board.walls))},
        TargetKind.AREA: {"shape": shape},
        TargetKind.CELL: {"path": (some_cell(rng),)},
        TargetKind.PATH: {"path": (some_cell(rng),)},
    }
    return offer.plan.changed(**aims.get(offer.target, {}))


def answer(prompt: Prompt, rng: Random) -> Command:
    if prompt.prompt is PromptKind.CHOICE:
        return AnswerPrompt(choice=rng.choice(prompt.choices).value)
    if rng.random() < 0.3:
        return OverruleResult(outcome=rng.choice([1, 12, 30]))
    assert prompt.roll is not None
    return RollDice(faces=roll_faces(Roll.parse(prompt.roll), rng))


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: each.id)
@pytest.mark.parametrize("seed", range(4))
def test_no_true_name_reaches_the_players(ruleset: Ruleset, seed: int) -> None:
    rng = Random(seed)
    now = begun(ruleset, rng)
    for _ in range(STEPS):
        with suppress(Rejected):
            now = resolve(next_command(now, ruleset, rng), now, ruleset)[1]
        for audience in AUDIENCES:
            text = as_json(project(now, LIVE, audience, ruleset))
            found = [name for name in SECRETS if name in text]
            assert not found, around(text, found[0])


def around(text: str, name: str) -> str:
    """Return where in a text a name stands."""
    place = text.index(name)
    return text[max(0, place - 200) : place + 60]
