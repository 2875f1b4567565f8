"""A full round through the session: records, undo by gesture, a restart, typed dice, replay."""

from pathlib import Path
from random import Random

import pytest

from engine.cli.output import as_json
from engine.commands.combat import Act, OverruleResult, RollDice
from engine.commands.tokens import AddTokens, MoveToken, SetValue
from engine.commands.turn import BeginFight, ChangeSettings, EndPhase
from engine.model.pending import PromptKind
from engine.model.space import Cell
from engine.rules.drase.sheet import DamageType, Downed, DraseSheet
from engine.rules.drase.state import Phase, state_of
from engine.session import Session
from tests.helpers.drase import encounter, foe, plan, token


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fight.battlemat"


def fight(path: Path, **fields: object) -> Session:
    """Return a session in P1 of round 1; Arn rolls a defence each round."""
    session = Session.create(path, encounter(), entropy=Random(7))
    arn = token("Arn", 5, 5, pc=True, defence_bonuses=1, **fields)
    session.execute(AddTokens(tokens=(arn, foe("Orc", 7, 5))))
    session.execute(BeginFight())
    session.execute(EndPhase())
    return session


def phase(session: Session) -> Phase:
    return state_of(session.encounter).phase


def play_round(session: Session) -> None:
    session.execute(MoveToken(token_id="arn", path=(Cell(6, 5),)))
    session.execute(Act(plan=plan("arn", "attack", "orc")))
    session.execute(EndPhase())
    session.execute(EndPhase())
    session.execute(Act(plan=plan("orc", "attack", "arn")))
    session.execute(EndPhase())
    session.execute(EndPhase())


def test_a_round_plays_itself_with_dice_drawn_by_the_session(path: Path):
    with fight(path) as session:
        play_round(session)
        state = state_of(session.encounter)
        assert (state.phase, state.round, session.encounter.prompt) == (Phase.P1, 2, None)
        assert session.replay() == ()


def test_undo_goes_back_by_gesture_and_redo_forth(path: Path):
    with fight(path) as session:
        start = as_json(session.encounter)
        play_round(session)
        end = as_json(session.encounter)
        while as_json(session.encounter) != start:
            assert session.undo()
        while session.redo():
            pass
        assert as_json(session.encounter) == end


def test_one_undo_restores_position_budget_and_what_reactions_could_answer(path: Path):
    with fight(path) as session:
        session.execute(MoveToken(token_id="arn", path=(Cell(5, 9),)))
        session.execute(EndPhase())
        before = as_json(session.encounter)
        session.execute(EndPhase())
        assert session.encounter.token("arn").cell == Cell(5, 9)
        session.undo()
        assert as_json(session.encounter) == before


def test_real_dice_stop_at_every_roll_also_after_a_restart(path: Path):
    with fight(path) as session:
        session.execute(ChangeSettings(real_dice=("party",)))
        session.execute(MoveToken(token_id="arn", path=(Cell(6, 5),)))
        session.execute(Act(plan=plan("arn", "attack", "orc")))
        session.execute(EndPhase())
        assert session.encounter.prompt is not None
        assert session.encounter.prompt.roll == "1d6k1"
    with Session.open(path) as session:
        session.execute(RollDice(faces=(4,)))
        session.execute(EndPhase())
        prompt = session.encounter.prompt
        assert prompt is not None
        assert (prompt.prompt, prompt.roll) == (PromptKind.ROLL, "1d20+5")
        session.execute(RollDice(faces=(20,)))
    with Session.open(path) as session:
        session.execute(OverruleResult(outcome=9))
        orc = session.encounter.token("orc").sheet
        assert isinstance(orc, DraseSheet)
        assert (orc.hp, [each.id for each in orc.effects]) == (11, ["bleeding"])
        assert phase(session) is Phase.G3
        assert session.replay() == ()


def test_undo_in_the_middle_of_a_prompt_asks_again(path: Path):
    with fight(path) as session:
        session.execute(ChangeSettings(real_dice=("party",)))
        session.execute(MoveToken(token_id="arn", path=(Cell(6, 5),)))
        session.execute(Act(plan=plan("arn", "attack", "orc")))
        session.execute(EndPhase())
        session.execute(RollDice(faces=(4,)))
        session.execute(EndPhase())
        asked = session.encounter.prompt
        session.execute(RollDice(faces=(3,)))
        assert "miss" in session.encounter.log[-1].text
        session.undo()
        assert session.encounter.prompt == asked
        session.execute(RollDice(faces=(19,)))
        assert "hit" in session.encounter.log[-1].text


def test_offers_of_every_creature_can_be_told_as_text(path: Path):
    with fight(path) as session:
        for token_id in session.encounter.tokens:
            for offer in session.ruleset.offers(session.encounter, token_id):
                assert session.decode({"kind": "act", "plan": offer.plan.model_dump()})


def test_hit_points_given_by_hand_bring_the_downed_up_again(path: Path):
    session = fight(path)
    down = Downed(damage_type=DamageType.CUT, lethality="highly lethal")
    for field, value in (("hp", 0), ("downed", down.model_dump(mode="json")), ("hp", 4)):
        session.execute(SetValue(token_id="orc", field=field, value=value))
    orc = session.encounter.tokens["orc"].sheet
    assert isinstance(orc, DraseSheet)
    assert (orc.hp, orc.downed) == (4, None)
