"""The scene follows its View, touches only what changed, and holds nothing that is not in it."""

from dataclasses import replace

import pytest

from engine.model.space import GridKind
from gui.canvas.scene import SCENE_PER_CELL, scene_to_world, world_to_scene
from tests.gui.canvas.conftest import ShowBoard
from tests.helpers.shots import shot_of
from tests.helpers.views import a_grid, a_token, a_view


def test_world_and_scene_are_inverse():
    assert scene_to_world(world_to_scene((3.25, -1.5))) == (3.25, -1.5)
    assert world_to_scene((1, 0)).x() == SCENE_PER_CELL


def test_tokens_come_move_and_go_with_the_view(show_board: ShowBoard):
    board = show_board(a_view(a_token("a", (1, 1)), a_token("b", (2, 2))))
    items = board.board.token_items
    assert set(items) == {"a", "b"}
    board.board.sync(a_view(a_token("a", (5, 1))))
    assert set(items) == {"a"}
    assert scene_to_world(items["a"].pos()) == (5.5, 1.5)


@pytest.mark.parametrize("kind", list(GridKind))
def test_an_item_stands_on_the_middle_of_its_footprint(show_board: ShowBoard, kind: GridKind):
    grid = a_grid(kind=kind)
    token = a_token("big", (4, 3), grid=grid, footprint="4" if not kind.is_hex else "round-4")
    board = show_board(a_view(token, grid=grid))
    assert scene_to_world(board.board.token_items["big"].pos()) == pytest.approx(token.center)


def test_only_the_changed_token_is_baked_anew(show_board: ShowBoard):
    one, two = a_token("one", (1, 1)), a_token("two", (2, 2))
    view = a_view(one, two)
    scene = show_board(view).board
    kept = scene.token_items["one"].pixmap().cacheKey()
    scene.sync(replace(view, tokens={"one": one, "two": a_token("two", (2, 2), bars=((1, 10),))}))
    assert scene.token_items["one"].pixmap().cacheKey() == kept


def test_a_token_that_only_moved_keeps_its_picture(show_board: ShowBoard):
    scene = show_board(a_view(a_token("a", (1, 1)))).board
    kept = scene.token_items["a"].pixmap().cacheKey()
    scene.sync(a_view(a_token("a", (7, 2))))
    assert scene.token_items["a"].pixmap().cacheKey() == kept


def test_the_smaller_of_two_stacked_tokens_is_hit(show_board: ShowBoard):
    ogre, rat = a_token("ogre", (1, 1), footprint="3"), a_token("rat", (2, 2))
    scene = show_board(a_view(ogre, rat)).board
    assert scene.token_at((2.5, 2.5)) == "rat"
    assert scene.token_at((1.5, 1.5)) == "ogre"
    assert scene.token_at((6.5, 6.5)) is None


def test_another_grid_starts_afresh(show_board: ShowBoard):
    board = show_board(a_view(a_token("a", (1, 1))))
    hexes = a_grid(kind=GridKind.HEX_FLAT)
    board.board.sync(a_view(a_token("a", (1, 1), grid=hexes), grid=hexes))
    assert scene_to_world(board.board.token_items["a"].pos()) == pytest.approx(
        hexes.center(hexes.cell_at(a_token("a", (1, 1), grid=hexes).center))
    )


def test_a_selected_token_is_ringed_and_an_unknown_one_is_no_fault(show_board: ShowBoard):
    board = show_board(a_view(a_token("a", (5, 3))))
    before = shot_of(board)
    board.board.set_selected(["a", "nobody"])
    assert (shot_of(board) != before).any()
    board.board.set_selected([])
    assert (shot_of(board) == before).all()


def test_another_name_is_taken_over_though_the_picture_stays(show_board: ShowBoard):
    board = show_board(a_view(a_token("Ila", (3, 3))))
    board.board.sync(a_view(a_token("Ila", (3, 3), label="Bo")))
    look = board.board.token_items["Ila"].look
    assert look is not None
    assert look.label == "Bo"
