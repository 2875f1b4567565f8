"""Play at random: whatever is offered, overruled or answered, nothing breaks and nothing leaks."""

from contextlib import nullcontext, suppress
from random import Random
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.check import check
from engine.commands.combat import Act, AnswerPrompt, Overrule, OverruleResult, RollDice
from engine.commands.command import Command
from engine.commands.registry import command_kinds
from engine.commands.turn import BeginFight, EndPhase
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.pending import Prompt, PromptKind
from engine.model.refusal import Rejected
from engine.model.region import AreaShape, Obscuration, Region, ShapeKind, Surface
from engine.model.space import Cell, GridKind
from engine.model.wall import DoorState, Durability, Wall
from engine.rules.dice import Roll, roll_faces
from engine.rules.drase.options import DraseOptions
from engine.rules.drase.plans import (
    DisplacePlan,
    EffectPlan,
    FallPlan,
    HarmPlan,
    HealPlan,
    LedgerPlan,
)
from engine.rules.drase.sheet import AttackProfile, DamageType
from engine.rules.ruleset import Offer, Plan, TargetKind
from tests.helpers.drase import BOW, CLUB, SWORD, Fight, encounter, foe, square, token

BOLT = AttackProfile(
    name="Bolt",
    spell=True,
    level=1,
    range_tiles=12,
    damage="2d6",
    damage_type=DamageType.FIRE,
    against="finesse",
    area={"shape": "circle", "size": 2},
)
WARD = AttackProfile(
    name="Ward",
    spell=True,
    unavoidable=True,
    damage="0",
    concentration=True,
    effects=[{"status": "illuminated", "rounds": 2}],
)


def scene(grid: GridKind, **options: Any) -> Encounter:
    """Return a crowded board: a hill, a pool, fog, a door, two groups, a third party."""
    made = encounter(
        token("Arn", 2, 2, pc=True, defence_bonuses=1),
        token("Mage", 2, 4, pc=True, attacks=[SWORD, BOLT, WARD], mana=20, mana_max=20, temp_hp=3),
        foe("Orc", 5, 3, group="orcs", prepared=[{"status": "illuminated"}]),
        foe("Ork", 6, 3, group="orcs", hp=5),
        foe("Owl", 6, 5, elevation=3, fly_speed=8, attacks=[BOW, CLUB]),
        foe("Crate", 4, 5, is_object=True, flammable=True, hp=4, hp_max=4),
        token("Cat", 8, 8, side="cats", surprised=True),
        walls=[
            Wall(id="w", points=((4, 0), (4, 2))),
            Wall(id="d", points=((4, 2), (4, 3)), door=DoorState.CLOSED),
            Wall(id="gate", points=((0, 6), (2, 6)), durability=Durability(hp=6, hp_max=6)),
        ],
        regions=[
            Region(id="hill", rings=square(7, 2, 2, 4), ground=3, step_cost=2),
            Region(id="pool", rings=square(3, 7, 3, 2), surface=Surface.WATER),
            Region(id="fog", rings=square(5, 5, 3, 3), obscuration=Obscuration.LIGHT),
        ],
        size=10,
        grid=grid,
        **options,
    )
    board = board_grid(made.board.grid)
    for each in made.tokens.values():
        made = made.with_token(each.changed(cell=board.from_offset(*each.cell)))
    return made


def some_options(rng: Random) -> dict[str, Any]:
    """Return table rules with any values that they may have."""
    chosen: dict[str, Any] = {}
    for name, field in DraseOptions.model_fields.items():
        kind = field.annotation
        if kind is bool:
            chosen[name] = rng.random() < 0.5
        elif name != "kind" and kind is not int:
            chosen[name] = rng.choice(get_args(kind))
    return chosen


def filled(offer: Offer, now: Encounter, rng: Random) -> Plan:
    """Return the plan of an offer with whatever it still lacks, chosen at random."""
    grid = board_grid(now.board.grid)
    cell = grid.from_offset(rng.randrange(10), rng.randrange(10))
    match offer.target:
        case TargetKind.TOKEN:
            return offer.plan.changed(target_id=rng.choice([*now.tokens, "gate"]))
        case TargetKind.WALL:
            return offer.plan.changed(target_id=rng.choice(list(now.board.walls)))
        case TargetKind.PATH:
            return offer.plan.changed(path=(cell,))
        case TargetKind.AREA:
            shape = AreaShape(shape=ShapeKind.CIRCLE, origin=grid.center(cell), size=2)
            return offer.plan.changed(shape=shape)
        case _:
            return offer.plan


def by_hand(now: Encounter, rng: Random) -> Plan:
    """Return something that the GM does."""
    who = rng.choice(list(now.tokens))
    x, y = now.token(who).cell
    step = Cell(x + rng.choice([-1, 0, 1]), y + rng.choice([-1, 1]))
    return rng.choice(
        [
            HarmPlan(token_id=who, damage="2d6", damage_type=rng.choice(list(DamageType))),
            HealPlan(token_id=who, points=rng.randrange(20)),
            EffectPlan(token_id=who, status=rng.choice(["burning", "prone", "immersed", "rot"])),
            EffectPlan(token_id=who, status="prone", ends=True),
            DisplacePlan(token_id=who, path=(step,), roll=rng.randrange(20)),
            FallPlan(token_id=who, tiles=rng.randrange(1, 30), breakable=True),
            LedgerPlan(token_id=who, tiles=rng.randrange(-3, 4), note="mud"),
        ]
    )


def next_command(fight: Fight, rng: Random) -> Command:
    """Return an answer if something is asked, else a plan or the end of the phase."""
    prompt = fight.prompt
    if prompt is not None:
        return answer(prompt, rng)
    luck = rng.random()
    if luck < 0.15:
        return EndPhase()
    if luck < 0.25:
        return Act(plan=by_hand(fight.now, rng))
    who = rng.choice(list(fight.now.tokens))
    offer = rng.choice(list(fight.offers(who).values()))
    command = Act(plan=filled(offer, fight.now, rng))
    return Overrule(command=command) if rng.random() < 0.3 else command


def answer(prompt: Prompt, rng: Random) -> Command:
    """Return an answer to what is asked, now and then a ruling, which may be nonsense."""
    if rng.random() < 0.1:
        return OverruleResult(outcome=rng.choice([1, 25, "hit", "none", "power"]))
    if prompt.prompt is PromptKind.CHOICE:
        return AnswerPrompt(choice=rng.choice(prompt.choices).value)
    return RollDice(faces=roll_faces(Roll.parse(prompt.roll or ""), rng))


def play(seed: int, steps: int) -> Fight:
    """Play at random from a seed; every state is checked, and none is ever changed.

    Dice, offered choices and the end of a phase are never refused, so no fight gets stuck.
    """
    rng = Random(seed)
    grid = rng.choice([GridKind.SQUARE, GridKind.SQUARE, GridKind.HEX_POINTY, GridKind.HEX_FLAT])
    fight = Fight(scene(grid, **some_options(rng)), begin=False)
    fight.do(BeginFight())
    for _ in range(steps):
        command = next_command(fight, rng)
        before, digest = fight.now, hash(fight.now)
        always = isinstance(command, RollDice | AnswerPrompt | EndPhase)
        with nullcontext() if always else suppress(Rejected):
            fight.do(command)
        assert hash(before) == digest
        issues = check(fight.now, fight.ruleset)
        assert not issues, (command, issues)
        if fight.prompt is None and isinstance(command, Act):
            fight.ruleset.forecast(fight.now, command.plan)
        fight.ruleset.step(fight.now)
    return fight


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_nothing_breaks(seed: int):
    fight = play(seed, 25)
    assert check(fight.now, fight.ruleset) == ()


@settings(max_examples=10)
@given(st.integers(0, 2**32))
def test_a_state_survives_its_own_text(seed: int):
    now = play(seed, 15).now
    text = now.model_dump_json()
    read = Encounter.model_validate_json(text, context=command_kinds("drase").context())
    assert read == now
    assert read.model_dump_json() == text
