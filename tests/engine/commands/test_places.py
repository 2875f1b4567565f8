"""Where tokens may stand: on all their cells, also after a turn, a copy or another board."""

from pathlib import Path
from typing import Any

import pytest

from engine.check import check
from engine.commands.board import FitGrid, ImportMap, PutLights
from engine.commands.combat import Act
from engine.commands.tokens import (
    AddTokens,
    DuplicateTokens,
    EditTokens,
    MoveToken,
    PlaceToken,
    RemoveTokens,
)
from engine.commands.turn import BeginFight, ChangeSettings
from engine.grid.footprint import footprint_named
from engine.grid.grid import board_grid
from engine.model.board import Board, GridSpec
from engine.model.light import Light
from engine.model.refusal import Rejected
from engine.model.space import Cell, GridKind
from engine.model.token import FOES
from engine.model.value import FrozenMap
from engine.session import Session
from tests.helpers.encounters import FRIEND, HERO, ORC, a_piece, a_session, an_encounter
from tests.helpers.toy import TOY, StrikePlan

LANCE = "side/anchor:0,0 -1,0 -2,0"
SMALL = GridSpec(columns=4, rows=3)
TORCH = Light(id="torch", position=(2, 2), bright=2, dim=4, carrier=HERO)


def covered(session: Session) -> list[Cell]:
    grid = board_grid(session.encounter.board.grid)
    return [
        cell
        for token in session.encounter.tokens.values()
        for cell in footprint_named(grid.kind, token.footprint).cells_at(
            grid, token.cell, token.facing
        )
    ]


def lancer(tmp_path: Path, x: int, y: int) -> Session:
    """Return a session with a figure of three cells in a row, which looks East."""
    piece = a_piece("lancer", (x, y), footprint=LANCE)
    return a_session(tmp_path, an_encounter(tokens=[piece]))


@pytest.mark.parametrize(
    "command",
    [
        AddTokens(tokens=(a_piece("new", (1, 1), facing=8),)),
        EditTokens(token_ids=(HERO,), changes={"facing": 11}),
        MoveToken(token_id=HERO, facing=9),
        Act(plan=StrikePlan(token_id=HERO, target_id=ORC, facing=8)),
    ],
    ids=lambda command: command.kind,
)
def test_squares_have_eight_facings(tmp_path: Path, command: Any) -> None:
    with a_session(tmp_path) as session, pytest.raises(Rejected, match="only 0 to 7"):
        session.execute(command)


def test_a_figure_does_not_leave_the_board_by_a_turn(tmp_path: Path) -> None:
    with lancer(tmp_path, 11, 4) as session:
        with pytest.raises(Rejected, match="outside the board"):
            session.execute(MoveToken(token_id="lancer", facing=4))
        with pytest.raises(Rejected, match="outside the board"):
            session.execute(EditTokens(token_ids=("lancer",), changes={"facing": 4}))
        session.execute(MoveToken(token_id="lancer", facing=1))


def test_a_figure_does_not_leave_the_board_by_a_turn_after_its_walk(tmp_path: Path) -> None:
    with (
        lancer(tmp_path, 5, 4) as session,
        pytest.raises(Rejected, match="outside the board"),
    ):
        session.execute(MoveToken(token_id="lancer", path=(Cell(11, 4),), facing=4))


def test_a_plan_leads_over_cells_of_the_board(tmp_path: Path) -> None:
    plan = StrikePlan(token_id=HERO, target_id=ORC, path=(Cell(99, 99),))
    with a_session(tmp_path) as session, pytest.raises(Rejected, match="outside the board"):
        session.execute(Act(plan=plan))


def test_copies_of_a_large_figure_find_room(tmp_path: Path) -> None:
    ogre = a_piece("ogre", (10, 6), footprint="2")
    with a_session(tmp_path, an_encounter(tokens=[ogre])) as session:
        session.execute(DuplicateTokens(token_ids=("ogre",) * 5))
        cells = covered(session)
        assert len(set(cells)) == len(cells) == 24
        assert check(session.encounter, TOY) == ()


def test_copies_lie_on_each_other_where_there_is_no_room(tmp_path: Path) -> None:
    alone = an_encounter(columns=1, rows=1, tokens=[a_piece(HERO, (0, 0))])
    with a_session(tmp_path, alone) as session:
        session.execute(DuplicateTokens(token_ids=(HERO,)))
        assert [token.cell for token in session.encounter.tokens.values()] == [Cell(0, 0)] * 2


@pytest.mark.parametrize(
    "command",
    [ImportMap(board=Board(grid=SMALL)), FitGrid(grid=SMALL)],
    ids=lambda command: command.kind,
)
def test_a_smaller_board_keeps_whom_it_can_and_moves_the_others_onto_it(
    tmp_path: Path, command: Any
) -> None:
    with a_session(tmp_path) as session:
        session.execute(command)
        tokens = session.encounter.tokens
        assert tokens[HERO].cell == Cell(2, 2)
        assert tokens[FRIEND].cell == Cell(3, 2), "(2, 2) is the nearest, but taken"
        assert tokens[ORC].cell not in (tokens[HERO].cell, tokens[FRIEND].cell)
        assert check(session.encounter, TOY) == ()
        told = session.encounter.log[-1]
        assert "Friend to D3" in told.text
        assert told.secret
        session.undo()
        assert session.encounter.tokens[ORC].cell == Cell(8, 3)


def test_a_figure_that_is_larger_than_the_board_stops_an_import(tmp_path: Path) -> None:
    giant = a_piece("giant", (1, 1), footprint="5")
    with (
        a_session(tmp_path, an_encounter(tokens=[giant])) as session,
        pytest.raises(Rejected, match="Giant is too large for a board of 4 x 3 cells"),
    ):
        session.execute(ImportMap(board=Board(grid=SMALL)))


@pytest.mark.parametrize(
    ("footprint", "on_hexes"), [("1", "1"), ("3", "3"), ("6", "round-6"), (LANCE, LANCE)]
)
def test_footprints_and_facings_change_with_the_grid(
    tmp_path: Path, footprint: str, on_hexes: str
) -> None:
    piece = a_piece(HERO, (5, 1), footprint=footprint, facing=2)
    hexes = GridSpec(kind=GridKind.HEX_FLAT, columns=12, rows=8)
    with a_session(tmp_path, an_encounter(tokens=[piece])) as session:
        session.execute(FitGrid(grid=hexes))
        hero = session.encounter.tokens[HERO]
        assert (hero.footprint, hero.facing) == (on_hexes, 3)
        assert check(session.encounter, TOY) == ()


@pytest.mark.parametrize(
    ("footprint", "on_squares"), [("7L", "3"), ("round-5", "5"), ("14", "4"), ("3-alt", "2")]
)
def test_figures_of_hexes_become_blocks_of_squares(
    tmp_path: Path, footprint: str, on_squares: str
) -> None:
    piece = a_piece(HERO, (3, 3), footprint=footprint, facing=11)
    hexes = an_encounter(kind=GridKind.HEX_POINTY, columns=20, rows=16, tokens=[piece])
    with a_session(tmp_path, hexes) as session:
        session.execute(FitGrid(grid=GridSpec(columns=20, rows=16)))
        hero = session.encounter.tokens[HERO]
        assert (hero.footprint, hero.facing) == (on_squares, 7)
        assert check(session.encounter, TOY) == ()


def test_a_thousand_tokens_find_their_places_on_a_small_board(tmp_path: Path) -> None:
    crowd = [a_piece(f"p{n}", (100 + n % 50, 100 + n // 50)) for n in range(1000)]
    with a_session(tmp_path, an_encounter(columns=200, rows=200, tokens=crowd)) as session:
        session.execute(ImportMap(board=Board(grid=GridSpec(columns=40, rows=40))))
        assert len({token.cell for token in session.encounter.tokens.values()}) == 1000
        assert len(session.encounter.log[-1].text) < 500


def test_the_board_stays_while_a_question_is_open(tmp_path: Path) -> None:
    with a_session(tmp_path) as session:
        session.execute(BeginFight())
        session.execute(Act(plan=StrikePlan(token_id=HERO, target_id=ORC)), roll=False)
        for command in (ImportMap(board=Board(grid=SMALL)), FitGrid(grid=SMALL)):
            with pytest.raises(Rejected, match="First answer: .* strikes"):
                session.execute(command)
        board = session.encounter.board
        session.execute(FitGrid(grid=board.grid.changed(visible=False)))


def test_tokens_take_their_lights_along_to_a_new_map(tmp_path: Path) -> None:
    lamp = TORCH.changed(carrier=None)
    board = Board(grid=SMALL, lights=FrozenMap({lamp.id: lamp}))
    with a_session(tmp_path) as session:
        session.execute(PutLights(lights=(TORCH,)))
        session.execute(ImportMap(board=board))
        lights = session.encounter.board.lights
        assert lights["torch"] == lamp
        assert {light.carrier for light in lights.values()} == {None, HERO}


def test_nobody_leaves_who_takes_part_in_an_open_question(tmp_path: Path) -> None:
    with a_session(tmp_path) as session:
        session.execute(BeginFight())
        session.execute(ChangeSettings(real_dice=("party", FOES)))
        session.execute(Act(plan=StrikePlan(token_id=HERO, target_id=ORC)))
        for token_id in (HERO, ORC):
            with pytest.raises(Rejected, match="takes part in what is being resolved"):
                session.execute(RemoveTokens(token_ids=(FRIEND, token_id)))
        session.execute(RemoveTokens(token_ids=(FRIEND, FRIEND)))
        assert sorted(session.encounter.tokens) == [HERO, ORC]


def test_a_token_may_be_placed_by_hand_in_the_middle_of_a_question(tmp_path: Path) -> None:
    with a_session(tmp_path) as session:
        session.execute(BeginFight())
        session.execute(Act(plan=StrikePlan(token_id=HERO, target_id=ORC)), roll=False)
        session.execute(PlaceToken(token_id=ORC, cell=Cell(0, 0)))
        assert check(session.encounter, TOY) == ()
