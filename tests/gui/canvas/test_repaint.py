"""Only what changed is painted anew, and what is on the glass is what a fresh paint would show."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtGui import QImage, QRegion
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.model.audience import Frame2D
from engine.model.evidence import Evidence, Ray
from engine.model.space import Cell, GridKind
from engine.model.value import FrozenMap
from engine.model.wall import DoorState
from engine.view import View
from gui.canvas.board_view import BoardView
from gui.canvas.layers.exposed_parts import parts_of
from gui.canvas.overlays.overlay import (
    BoxPreview,
    BrushPreview,
    CellsPreview,
    EvidencePreview,
    FramePreview,
    Ghost,
    GhostsPreview,
    LinesPreview,
    PathPreview,
    PathStep,
    Preview,
    RefusedPreview,
    RulerPreview,
)
from tests.gui.canvas.conftest import ShowBoard
from tests.helpers.boards import full_view
from tests.helpers.painted import Painted
from tests.helpers.shots import pixels_of, shot_of
from tests.helpers.views import NO_FOG, a_door, a_token, a_view, box_sight

PREVIEWS: list[Preview] = [
    PathPreview((1.5, 1.5), (PathStep((2.5, 2.5), "1"), PathStep((3.5, 2.5), "3", "mud"))),
    CellsPreview(frozenset({Cell(3, 3), Cell(4, 3)}), labels={Cell(3, 3): "2"}),
    GhostsPreview(
        (Ghost((((5, 5), (6, 5), (6, 6)),), (5.5, 5.5), "foes", "Or", ((1, 1), (5, 5))),)
    ),
    RulerPreview(((1, 1), (5, 1), (5, 4)), ("4", "3"), "7 cells"),
    LinesPreview((((2, 2), (4, 5), (6, 2)),), closed=True),
    EvidencePreview(
        Evidence(
            rays=(
                Ray(start=(1, 1), end=(6, 4), clear=True),
                Ray(start=(1, 2), end=(6, 5), clear=False),
            ),
            walls=("house",),
            regions=("mud",),
            tokens=("party",),
        )
    ),
    BoxPreview((1, 1), (5, 4)),
    RefusedPreview(cell=Cell(4, 4)),
    BrushPreview((5, 5), 1.5),
    FramePreview(Frame2D(center=(6, 4), width=5, height=3, rotation_deg=90)),
    PathPreview((1.5, 1.5), (PathStep((2.5, 2.5), "4", allowed=False),), left="2 left"),
    CellsPreview(frozenset({Cell(6, 3)}), dashed=True, outline=(((6, 3), (8, 3), (7, 5)),)),
]


def glass(board: BoardView) -> np.ndarray:
    """Return what the window shows now, without painting it again."""
    return pixels_of(board.screen().grabWindow(board.winId()).toImage())


def changed(view: View, random: Random) -> View:
    """Change something of a View, as commands do: new objects only for what changed."""
    kind = random.randrange(6)
    if kind == 0:
        token_id = random.choice(list(view.tokens))
        token = replace(view.tokens[token_id], facing=random.randrange(8))
        return replace(view, tokens={**view.tokens, token_id: token})
    if kind == 1:
        gone = random.choice(list(view.tokens))
        return replace(view, tokens={k: v for k, v in view.tokens.items() if k != gone})
    if kind == 2:
        door = view.walls["closed"].changed(door=random.choice(list(DoorState)))
        return replace(view, walls=view.walls.put("closed", door))
    if kind == 3:
        left = random.uniform(0, 6)
        sight = box_sight(left, 1, left + 6, 8).sight
        return replace(view, fog=replace(view.fog, sight=sight))
    if kind == 4:
        return replace(view, regions=view.regions.without(random.choice(["mud", "mist", "pond"])))
    return replace(view, active=(random.choice(list(view.tokens)),))


@pytest.mark.parametrize("players", [False, True], ids=["gm", "players"])
@pytest.mark.parametrize("seed", range(3))
def test_after_any_change_the_glass_shows_what_a_fresh_paint_would(
    show_board: ShowBoard, seed: int, players: bool
):
    random = Random(seed)
    view = full_view(GridKind.SQUARE, gm=not players)
    board = show_board(view, players=players)
    for step in range(14):
        if random.random() < 0.4:
            board.set_preview("p", random.choice([*PREVIEWS, None]))
        view = changed(view, random) if len(view.tokens) > 1 else view
        board.board.sync(view)
        board.board.set_selected([random.choice(list(view.tokens))])
        if step % 3 == 0:
            board.rest_now()
        QApplication.processEvents()
        on_glass = glass(board)
        off = np.abs(on_glass.astype(int) - shot_of(board).astype(int)).max(axis=2) > 12
        assert off.mean() < 0.0005, f"step {step}: {np.argwhere(off)[:3]}"


def test_a_door_repaints_its_neighbourhood_alone(show_board: ShowBoard):
    door = a_door("door", (6, 2), (6, 3))
    view = a_view(a_token("a", (2, 2)), walls=[door])
    board = show_board(view)
    board.rest_now()
    QApplication.processEvents()
    with Painted(board) as painted:
        walls = view.walls.put("door", door.changed(door=DoorState.OPEN))
        board.board.sync(replace(view, walls=walls))
        QApplication.processEvents()
    assert painted.rects
    corners = [board.position_of(each).toPoint() for each in ((3.5, -0.2), (8.5, 5.5))]
    around = QRect(*corners)
    assert all(around.contains(rect) for rect in painted.rects), (around, painted.rects)


def test_an_equal_view_of_new_objects_repaints_nothing(show_board: ShowBoard):
    board = show_board(full_view(GridKind.SQUARE, gm=True))
    board.rest_now()
    QApplication.processEvents()
    with Painted(board) as painted:
        board.board.sync(full_view(GridKind.SQUARE, gm=True))
        QApplication.processEvents()
    assert painted.rects == []


def test_a_moved_token_repaints_where_it_was_and_where_it_is(show_board: ShowBoard):
    board = show_board(a_view(a_token("a", (1, 1)), a_token("b", (9, 6))))
    board.rest_now()
    QApplication.processEvents()
    with Painted(board) as painted:
        board.board.sync(a_view(a_token("a", (2, 1)), a_token("b", (9, 6))))
        QApplication.processEvents()
        far = board.position_of((5.5, 4.5)).toPoint()
    assert painted.rects
    near = QRect(QPoint(0, 0), far)
    assert all(near.contains(rect) for rect in painted.rects), (near, painted.rects)


def test_a_moved_token_is_painted_in_one_go(show_board: ShowBoard):
    """Where it was, where it is and what it sees now: not one after the other."""
    view = a_view(a_token("a", (1, 1)), a_token("b", (9, 6)), gm=False, fog=box_sight(0, 0, 6, 8))
    board = show_board(view, players=True)
    board.rest_now()
    QApplication.processEvents()
    with Painted(board) as painted:
        tokens = {**view.tokens, "a": a_token("a", (3, 1))}
        board.board.sync(replace(view, tokens=tokens, fog=box_sight(0, 0, 8, 8)))
        QApplication.processEvents()
    assert len(painted.rects) == 1


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("players", [False, True], ids=["gm", "players"])
@pytest.mark.parametrize("kind", [GridKind.SQUARE, GridKind.HEX_FLAT])
def test_the_strips_of_a_pan_are_painted_as_the_whole_would_be(
    show_board: ShowBoard, kind: GridKind, players: bool, rotation: int
):
    """Nothing is painted twice where the strips meet, and nothing reaches beyond them."""
    board = show_board(full_view(kind, gm=not players), players=players)
    board.set_rotation(rotation)
    for number, preview in enumerate(PREVIEWS):
        board.set_preview(str(number), preview)
    board.rest_now()
    board.board.set_selected(["party"])
    strips = QRegion(QRect(0, 0, 600, 61)).united(QRegion(QRect(0, 61, 87, 339)))
    assert len(parts_of(strips, 1.0)) == 2
    shots = []
    for region in (QRegion(board.viewport().rect()), strips):
        shot = QImage(600, 400, QImage.Format.Format_RGB32)
        shot.fill("#123456")
        board.viewport().render(shot, QPoint(), region)
        shots.append(pixels_of(shot))
    whole, parts = shots
    off = np.abs(whole.astype(int) - parts.astype(int)).max(axis=2) > 2
    assert not off[:61].any(), np.argwhere(off[:61])[:3]
    assert not off[:, :87].any(), np.argwhere(off[:, :87])[:3]
    assert (parts[61:, 87:] == (0x12, 0x34, 0x56)).all()


def test_a_preview_that_does_not_change_repaints_nothing(show_board: ShowBoard):
    board = show_board(full_view(GridKind.SQUARE, gm=True))
    for number, preview in enumerate(PREVIEWS):
        board.set_preview(str(number), preview)
    board.rest_now()
    QApplication.processEvents()
    with Painted(board) as painted:
        for number, preview in enumerate(PREVIEWS):
            board.set_preview(str(number), replace(preview))
        QApplication.processEvents()
    assert painted.rects == []


@pytest.mark.parametrize("preview", PREVIEWS, ids=lambda each: type(each).__name__)
def test_each_preview_is_seen_and_leaves_no_trace(show_board: ShowBoard, preview: Preview):
    board = show_board(full_view(GridKind.SQUARE, gm=True))
    board.rest_now()
    before = shot_of(board)
    board.set_preview("p", preview)
    assert (shot_of(board) != before).any()
    board.set_preview("p", None)
    assert (shot_of(board) == before).all()
    QApplication.processEvents()
    assert (np.abs(glass(board).astype(int) - before.astype(int)).max(axis=2) > 12).mean() < 0.0005


def test_evidence_of_things_that_are_gone_is_no_fault(show_board: ShowBoard):
    board = show_board(a_view())
    evidence = Evidence(walls=("x",), regions=("x",), lights=("x",), tokens=("x",))
    board.set_preview("e", EvidencePreview(evidence))
    board.set_preview("r", RefusedPreview(wall_id="x", token_id="x"))
    board.set_preview("w", PathPreview((1, 1), ()))
    shot_of(board)


def test_fog_toggled_by_a_door_repaints_no_more_than_what_it_lets_be_seen(show_board: ShowBoard):
    fog = box_sight(0, 0, 6, 8)
    view = a_view(a_token("a", (2, 2)), gm=False, fog=fog, walls=[a_door("door", (6, 3), (6, 4))])
    board = show_board(view, players=True)
    board.rest_now()
    QApplication.processEvents()
    with Painted(board) as painted:
        ring = (
            (0.0, 0.0),
            (6.0, 0.0),
            (6.0, 3.0),
            (8.0, 3.0),
            (8.0, 4.0),
            (6.0, 4.0),
            (6.0, 8.0),
            (0.0, 8.0),
        )
        board.board.sync(replace(view, fog=replace(fog, sight=((ring,),)), walls=FrozenMap()))
        QApplication.processEvents()
    assert painted.rects
    assert all(rect.left() > board.position_of((3.5, 0)).x() for rect in painted.rects)
    assert board.fog_alpha_at(board.position_of((7.0, 3.5)).toPoint()) == 0


def test_after_zooming_the_picture_comes_to_rest_by_itself(qtbot: QtBot, show_board: ShowBoard):
    """Without fog too: walls and hexes drawn in haste are drawn smooth a moment later."""
    view = replace(full_view(GridKind.HEX_POINTY, gm=True), fog=NO_FOG)
    board = show_board(view)
    for _ in range(5):
        board.zoom_at(QPointF(200, 150), 1.07)
        QApplication.processEvents()

    def still() -> bool:
        off = np.abs(glass(board).astype(int) - shot_of(board).astype(int)).max(axis=2) > 12
        return bool(off.mean() < 0.0005)

    hasty = glass(board)
    qtbot.waitUntil(lambda: bool((glass(board) != hasty).any()), timeout=3000)
    qtbot.waitUntil(still, timeout=3000)


def test_pointing_about_does_not_put_off_the_rest_of_the_map(show_board: ShowBoard, qtbot: QtBot):
    board = show_board(full_view(GridKind.SQUARE, gm=True))
    board.set_camera((5, 4), 37)
    rested: list[bool] = []

    def hovered() -> None:
        board.set_preview("p", PREVIEWS[len(rested) % len(PREVIEWS)])
        board.viewport().repaint()
        rested.append(board._ground.holds(board._camera()))
        assert rested[-1]

    qtbot.waitUntil(hovered, timeout=5000)
    assert not rested[0]
