"""Whatever hidden figures do by Drase's rules, the players' View stays equal.

The party is in the left half; in the right half, behind a wall, and under a cloak in the left one
the GM's figures fight one another, are wounded, renamed, moved, and take part in the rounds.
"""

from contextlib import suppress
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.commands.combat import Act, AnswerPrompt, Overrule, RollDice
from engine.commands.command import Command
from engine.commands.registry import resolve
from engine.commands.tokens import AddTokens, EditTokens, PlaceToken, RemoveTokens, SetValue
from engine.commands.turn import BeginFight, EndPhase
from engine.model.audience import PLAYERS
from engine.model.encounter import Encounter
from engine.model.pending import PromptKind
from engine.model.refusal import Rejected
from engine.model.space import Cell
from engine.model.value import FrozenMap
from engine.model.wall import Wall
from engine.rules.dice import Roll, roll_faces
from engine.rules.drase.plans import EffectPlan, HarmPlan, HealPlan, SetupPlan
from engine.rules.drase.ruleset import RULESET
from engine.rules.drase.sheet import DamageType
from engine.rules.ruleset import MovePlan, Offer, TargetKind
from engine.view import View, project
from tests.helpers.drase import encounter, foe, token
from tests.helpers.scenes import LIVE

MIDDLE, SIZE = 6, 12
UNSEEN = ("orc", "ork", "cat", "spy")


def done(now: Encounter, *commands: Command) -> Encounter:
    for command in commands:
        now = resolve(command, now, RULESET)[1]
    return now


def seen(now: Encounter) -> View:
    return project(now, LIVE, PLAYERS, RULESET)


def begun(rng: Random) -> Encounter:
    """Return a fight in some phase of its first rounds, with nobody hidden having acted yet."""
    start = encounter(
        token("Ann", 2, 2),
        token("Bea", 4, 8),
        foe("Left", 3, 5),
        foe("Orc", 9, 3, group="orcs"),
        foe("Ork", 10, 3, group="orcs"),
        token("Cat", 8, 8, side="cats"),
        foe("Spy", 4, 4, hidden=True),
        walls=[Wall(id="middle", points=((MIDDLE, 0), (MIDDLE, SIZE)))],
        size=SIZE,
    )
    tokens = tuple(start.tokens.values())
    now = done(start.changed(tokens=FrozenMap()), AddTokens(tokens=tokens), BeginFight())
    for _ in range(rng.randrange(8)):
        if now.prompt is not None:
            now = answered(now, rng)
        else:
            now = done(now, Overrule(command=EndPhase()))
    return now


def answered(now: Encounter, rng: Random) -> Encounter:
    """Return the fight after the open prompt was answered somehow."""
    prompt = now.prompt
    assert prompt is not None
    if prompt.prompt is PromptKind.ROLL and prompt.roll is not None:
        return done(now, RollDice(faces=roll_faces(Roll.parse(prompt.roll), rng)))
    return done(now, AnswerPrompt(choice=rng.choice(prompt.choices).value))


def concerns_the_unseen_alone(offer: Offer) -> bool:
    """Tell whether it cannot touch those in sight, as a template or a word for a side may."""
    whole_side = isinstance(offer.plan, SetupPlan) and offer.plan.whole_side
    return offer.target is not TargetKind.AREA and not whole_side


def happening(now: Encounter, rng: Random) -> Command:
    """Return something that one of the unseen does or suffers."""
    who = rng.choice([each for each in UNSEEN if each in now.tokens])
    cell = Cell(rng.randrange(MIDDLE, SIZE), rng.randrange(SIZE))
    offers = [each for each in RULESET.offers(now, who) if concerns_the_unseen_alone(each)]
    commands: list[Command] = [
        Act(plan=HarmPlan(token_id=who, damage="2d6", damage_type=DamageType.CUT)),
        Act(plan=HealPlan(token_id=who, points=rng.randrange(9))),
        Act(plan=EffectPlan(token_id=who, status=rng.choice(["burning", "prone"]))),
        SetValue(token_id=who, field="hp", value=rng.randrange(-3, 20)),
        EditTokens(token_ids=(who,), changes={"name": rng.choice(["Ann", "Left", "Zed"])}),
        PlaceToken(token_id=who, cell=cell),
        Act(plan=MovePlan(token_id=who, path=(cell,))),
        RemoveTokens(token_ids=(who,)),
        AddTokens(tokens=(foe("New", *cell),)),
        AddTokens(tokens=(token("Dog", 1, 1, side="dogs", hidden=True),)),
    ]
    if offers:
        plan = rng.choice(offers).plan
        target = rng.choice([each for each in UNSEEN if each in now.tokens])
        commands += [Act(plan=plan.changed(target_id=target, path=(cell,)))] * 6
    command = rng.choice(commands)
    return Overrule(command=command) if rng.random() < 0.5 else command


def gone_on(now: Encounter, rng: Random) -> Encounter:
    """Return the fight after something happened out of sight, or after nothing."""
    after = now
    with suppress(Rejected):
        if now.prompt is None or rng.random() < 0.3:
            after = done(now, happening(now, rng))
        else:
            after = answered(now, rng)
    came_over = any(
        token.cell.x < MIDDLE and not token.hidden
        for token in after.tokens.values()
        if token.id not in {"ann", "bea", "left"}
    )
    return now if came_over else after


@settings(max_examples=120)
@given(st.integers(0, 2**32), st.integers(1, 12))
def test_what_the_unseen_do_by_the_rules_changes_nothing(seed: int, steps: int) -> None:
    rng = Random(seed)
    now = begun(rng)
    before = seen(now)
    for _ in range(0 if before.prompt else steps):
        if any(each in now.tokens for each in UNSEEN):
            now = gone_on(now, rng)
        assert seen(now) == before
