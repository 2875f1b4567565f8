"""What covers the map lies in layers: whatever is lifted, what was beneath is as it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.commands.tokens import MoveToken
from engine.model.audience import GM, PLAYERS, Audience, Stage, StageMode, VisionMode
from engine.model.space import Cell
from engine.session import Session
from engine.view import View
from tests.helpers.encounters import HERO, a_session

LIVE, FROZEN = StageMode.LIVE, StageMode.FROZEN
BLACK, PICTURE = StageMode.BLACKOUT, StageMode.PICTURE
COVERS = st.sampled_from((FROZEN, BLACK, PICTURE))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with a_session(tmp_path) as made:
        made.set_stage(Stage(mode=LIVE))
        yield made


def walk(session: Session, x: int) -> None:
    session.execute(MoveToken(token_id=HERO, path=(Cell(x, 2),)))


def hero_at(view: View) -> Cell | None:
    return view.tokens[HERO].cell if HERO in view.tokens else None


def stage_of(modes: list[StageMode]) -> Stage:
    stage = Stage(mode=LIVE)
    for mode in modes:
        stage = stage.laid(mode)
    return stage


@given(st.lists(COVERS, max_size=4), st.sampled_from((BLACK, PICTURE)))
def test_what_is_laid_and_lifted_leaves_all_as_it_was(modes: list[StageMode], mode: StageMode):
    before = stage_of([each for each in modes if each is not mode])
    assert before.laid(mode).lifted(mode) == before
    assert before.laid(mode).mode is mode


@given(st.lists(COVERS, max_size=4))
def test_freezing_uncovers_nothing(modes: list[StageMode]):
    covered = stage_of([each for each in modes if each is not FROZEN])
    frozen = covered.laid(FROZEN)
    assert frozen.frozen
    assert frozen.mode is (FROZEN if covered.mode is LIVE else covered.mode)


@pytest.mark.parametrize("cover", [BLACK, PICTURE])
def test_a_held_picture_is_still_held_when_what_covered_it_is_lifted(
    session: Session, cover: StageMode
):
    views: list[View] = []
    session.observe(PLAYERS, lambda _before, after: views.append(after))
    held = session.view(PLAYERS)
    session.set_stage(session.stage.laid(FROZEN))
    walk(session, 3)
    session.set_stage(session.stage.laid(cover))
    walk(session, 4)
    assert hero_at(views[-1]) is None
    session.set_stage(session.stage.lifted(cover))
    assert session.stage.mode is FROZEN
    assert views[-1] is session.view(PLAYERS) is held


def test_what_is_frozen_in_the_dark_is_what_comes_to_light(session: Session):
    session.view(PLAYERS)
    session.set_stage(Stage().laid(FROZEN))
    walk(session, 4)
    session.set_stage(session.stage.lifted(BLACK))
    assert hero_at(session.view(PLAYERS)) == Cell(2, 2)


def test_publishing_in_the_dark_shows_nothing_until_it_is_lifted(session: Session):
    session.view(PLAYERS)
    session.set_stage(session.stage.laid(FROZEN).laid(BLACK))
    walk(session, 4)
    session.publish()
    assert hero_at(session.view(PLAYERS)) is None
    walk(session, 5)
    session.set_stage(session.stage.lifted(BLACK))
    assert hero_at(session.view(PLAYERS)) == Cell(4, 2)


def test_other_eyes_bring_no_news_while_the_picture_is_held(session: Session):
    chosen = Audience(vision=VisionMode.CHOSEN, chosen=(HERO,))
    session.view(PLAYERS)
    session.set_stage(session.stage.laid(FROZEN).laid(BLACK))
    walk(session, 4)
    session.succeed(PLAYERS, chosen)
    session.set_stage(session.stage.lifted(BLACK))
    assert hero_at(session.view(chosen)) == Cell(2, 2)
    session.publish()
    assert hero_at(session.view(chosen)) == Cell(4, 2)


def test_the_gm_foresees_what_lifting_or_publishing_would_show(session: Session):
    held = session.view(PLAYERS)
    session.set_stage(session.stage.laid(FROZEN))
    walk(session, 4)
    assert hero_at(session.foresee(PLAYERS)) == Cell(4, 2)
    session.set_stage(session.stage.laid(BLACK))
    assert session.foresee(PLAYERS) is held
    session.set_stage(session.stage.lifted(FROZEN))
    assert hero_at(session.foresee(PLAYERS)) == Cell(4, 2)
    assert hero_at(session.view(PLAYERS)) is None


def test_what_is_foreseen_is_what_the_players_get_then(session: Session):
    session.set_stage(Stage())
    session.view(PLAYERS)
    walk(session, 4)
    foreseen = session.foresee(PLAYERS)
    assert foreseen is session.foresee(PLAYERS)
    session.set_stage(session.stage.lifted(BLACK))
    assert session.view(PLAYERS) == foreseen
    assert session.foresee(GM) is session.view(GM)
