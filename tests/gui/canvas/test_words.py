"""Words and marks on the map, by what is painted."""

import numpy as np
from PySide6.QtCore import QSize

from engine.model.region import Region
from engine.model.value import FrozenMap
from gui.canvas.board_view import BoardView
from gui.canvas.overlays.overlay import TargetsPreview
from tests.gui.canvas.conftest import ShowBoard
from tests.helpers.shots import shot_of
from tests.helpers.views import a_token, a_view

BIG = QSize(900, 640)


def a_mire(name: str) -> Region:
    ring = ((2.0, 2.0), (8.0, 2.0), (8.0, 6.0), (2.0, 6.0))
    return Region(id="mire", name=name, rings=(ring,), step_cost=2)


def test_what_the_ground_costs_is_written_for_the_gm_alone(show_board: ShowBoard):
    def painted(name: str, *, players: bool) -> object:
        view = a_view(gm=not players, regions=FrozenMap({"mire": a_mire(name)}))
        return shot_of(show_board(view, players=players, size=BIG).viewport())

    assert np.array_equal(painted("Mud", players=True), painted("Bog", players=True))
    assert not np.array_equal(painted("Mud", players=False), painted("Bog", players=False))


def test_who_cannot_be_aimed_at_is_dimmed_but_can_be_told(show_board: ShowBoard):
    view = a_view(a_token("grub", (3, 3), side="foes"))

    def brightest(board: BoardView) -> int:
        x, y = board.position_of((3.5, 3.5)).toTuple()
        half = int(board.px_per_cell * 0.25)
        disc = shot_of(board.viewport())[
            int(y) - half : int(y) + half, int(x) - half : int(x) + half
        ]
        return int(disc.max())

    board = show_board(view, size=BIG)
    before = brightest(board)
    board.set_preview("targets", TargetsPreview(frozenset(), frozenset({"grub"})))
    assert 0.5 * before < brightest(board) < 0.8 * before
