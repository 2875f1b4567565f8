"""Pictures of an encounter without a window, drawn by the same scene as the windows'."""

import argparse
import os
import sys
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtWidgets import QApplication

from engine.cli.output import say
from engine.grid.grid import grid_of
from engine.model.audience import GM, PLAYERS, StageMode
from engine.model.refusal import FileProblem
from engine.session import Session
from engine.view import View
from gui.canvas.board_view import MAX_PX_PER_CELL, MIN_PX_PER_CELL, BoardView
from gui.canvas.scene import BoardScene
from gui.canvas.space import box_to_scene, scene_to_world
from gui.pictures import Pictures, Source
from gui.theme import DARK, Theme

PX_PER_CELL = 70.0
MAX_PX = 200_000_000

_app: QApplication | None = None


def render(arguments: argparse.Namespace) -> None:
    """Write a picture of an encounter as an audience sees it: the command `render`."""
    out = Path(arguments.out)
    if out.exists() and out.samefile(arguments.file):
        raise FileProblem(f"{out} is the encounter itself; name another file for the picture.")
    if out.suffix.lower() != ".png":
        raise FileProblem(f"{out.name}: pictures are written as PNG; name a .png file.")
    if not MIN_PX_PER_CELL <= arguments.px_per_cell <= MAX_PX_PER_CELL:
        raise FileProblem(
            f"{arguments.px_per_cell:g} pixels per cell cannot be drawn; "
            f"{MIN_PX_PER_CELL:g} to {MAX_PX_PER_CELL:g} can."
        )
    with Session.open(Path(arguments.file), read_only=True) as session:
        players = arguments.audience == "players"
        image = render_session(session, players=players, px_per_cell=arguments.px_per_cell)
    save_image(image, out)
    say(f"{arguments.out}: {image.width()} x {image.height()} pixels.")


def render_session(
    session: Session, *, players: bool, px_per_cell: float = PX_PER_CELL, theme: Theme = DARK
) -> QImage:
    """Return the whole board as an audience sees it now, blackout or not."""
    stage = session.stage
    session.set_stage(stage.changed(mode=StageMode.LIVE))
    view = session.view(PLAYERS if players else GM)
    session.set_stage(stage)
    return render_view(view, session.document.image, px_per_cell=px_per_cell, theme=theme)


def render_view(
    view: View, source: Source, *, px_per_cell: float = PX_PER_CELL, theme: Theme = DARK
) -> QImage:
    """Return the whole board of a View, its first cell in the picture's corner.

    Raise FileProblem if that would be more pixels than a picture may have.
    """
    spec = view.grid
    rect = box_to_scene(grid_of(spec.kind, spec.columns, spec.rows).bounds)
    corner, far = scene_to_world(rect.topLeft()), scene_to_world(rect.bottomRight())
    scale = min(MAX_PX_PER_CELL, max(MIN_PX_PER_CELL, px_per_cell))
    width, height = (round((far[axis] - corner[axis]) * scale) for axis in (0, 1))
    if width * height > MAX_PX:
        raise FileProblem(
            f"The picture would have {width:,} x {height:,} pixels; choose fewer per cell."
        )
    _need_app()
    pictures = Pictures(source, inline=True)
    scene = BoardScene(theme, pictures)
    board = BoardView(scene, players=not view.audience.gm)
    # Qt lays a window out when it is shown, and only then has its viewport this size.
    board.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    board.resize(max(1, width), max(1, height))
    board.show()
    scene.sync(view)
    image = QImage(max(1, width), max(1, height), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    board.show_corner(corner, scale)
    board.rest_now()
    board.render(painter, QRectF(image.rect()), board.viewport().rect())
    painter.end()
    board.close()
    pictures.close()
    return image


def save_image(image: QImage, path: Path) -> None:
    """Write a PNG; raise FileProblem if that does not work."""
    if not QImageWriter(str(path), QByteArray(b"PNG")).write(image):
        raise FileProblem(f"{path} cannot be written.")


def _need_app() -> None:
    """Start Qt where nobody has yet, without a display."""
    global _app  # noqa: PLW0603  Qt wants exactly one, alive as long as anything is drawn
    if QApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        _app = QApplication(sys.argv[:1])
