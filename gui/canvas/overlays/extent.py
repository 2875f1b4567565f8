"""How far a preview reaches: what has to be painted anew when it comes, changes or goes."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QRectF

from engine.model.audience import Frame2D
from engine.model.evidence import Evidence
from engine.model.space import Point
from engine.view import View
from gui.canvas.overlays import overlay
from gui.canvas.overlays.overlay import Preview
from gui.canvas.scene import BoardScene
from gui.canvas.space import SCENE_PER_CELL, bounds_of

_TEXT_MARGIN_PX = 140.0
_PING_CELLS = 1.6

Reach = Callable[[BoardScene, Any], Sequence[Point]]


def extent(scene: BoardScene, preview: Preview, px: float) -> QRectF:
    """Return the scene rectangle that a preview may be drawn in; `px` is one pixel in it."""
    if scene.grid is None or scene.view is None:
        return QRectF()
    points = _REACH[type(preview)](scene, preview)
    margin = SCENE_PER_CELL + _TEXT_MARGIN_PX * px
    return bounds_of(points).adjusted(-margin, -margin, margin, margin) if points else QRectF()


def frame_corners(frame: Frame2D) -> tuple[Point, ...]:
    """Return the four world corners of the players' frame."""
    width, height = frame.width, frame.height
    if frame.rotation_deg % 180:
        width, height = height, width
    x, y = frame.center
    left, top, right, bottom = x - width / 2, y - height / 2, x + width / 2, y + height / 2
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _path(_: BoardScene, preview: overlay.PathPreview) -> Sequence[Point]:
    return (preview.start, *(step.point for step in preview.steps))


def _cells(scene: BoardScene, preview: overlay.CellsPreview) -> Sequence[Point]:
    assert scene.grid is not None
    centers = [scene.grid.center(cell) for cell in preview.cells]
    return centers + [point for ring in preview.outline for point in ring]


def _ghosts(_: BoardScene, preview: overlay.GhostsPreview) -> Sequence[Point]:
    points: list[Point] = []
    for ghost in preview.ghosts:
        points += [ghost.label_at, *ghost.way]
        for line in (*ghost.arrows, *ghost.rings, *ghost.area):
            points += line
    return points


def _ruler(_: BoardScene, preview: overlay.RulerPreview) -> Sequence[Point]:
    return preview.points


def _lines(_: BoardScene, preview: overlay.LinesPreview) -> Sequence[Point]:
    return [point for line in preview.lines for point in line]


def _evidence(scene: BoardScene, preview: overlay.EvidencePreview) -> Sequence[Point]:
    assert scene.grid is not None
    assert scene.view is not None
    return evidence_points(scene, scene.view, preview.evidence)


def evidence_points(scene: BoardScene, view: View, evidence: Evidence) -> Sequence[Point]:
    """Return the world points around everything that an evidence names."""
    assert scene.grid is not None
    points = [point for ray in evidence.rays for point in (ray.start, ray.end)]
    points += [scene.grid.center(cell) for cell in evidence.cells]
    walls = [view.walls[each].points for each in evidence.walls if each in view.walls]
    regions = [view.regions[each].rings[0] for each in evidence.regions if each in view.regions]
    lights = [(view.lights[each].position,) for each in evidence.lights if each in view.lights]
    tokens = [view.tokens[each].rings for each in evidence.tokens if each in view.tokens]
    for line in (*walls, *regions, *lights, *(ring for rings in tokens for ring in rings)):
        points += line
    return points


def _box(_: BoardScene, preview: overlay.BoxPreview) -> Sequence[Point]:
    return preview.first, preview.second


def _refused(scene: BoardScene, preview: overlay.RefusedPreview) -> Sequence[Point]:
    assert scene.grid is not None
    assert scene.view is not None
    points: list[Point] = []
    if preview.cell is not None:
        points += scene.grid.polygon(preview.cell)
    walls = () if preview.wall_id is None else (preview.wall_id,)
    tokens = () if preview.token_id is None else (preview.token_id,)
    points += evidence_points(scene, scene.view, Evidence(walls=walls, tokens=tokens))
    return points


def _targets(scene: BoardScene, preview: overlay.TargetsPreview) -> Sequence[Point]:
    assert scene.view is not None
    both = tuple(preview.possible | preview.refused)
    return evidence_points(scene, scene.view, Evidence(walls=both, tokens=both))


def _frame(_: BoardScene, preview: overlay.FramePreview) -> Sequence[Point]:
    return frame_corners(preview.frame)


def _pings(_: BoardScene, preview: overlay.PingsPreview) -> Sequence[Point]:
    return [
        _shifted(ping.point, by) for ping in preview.pings for by in (-_PING_CELLS, _PING_CELLS)
    ]


def _brush(_: BoardScene, preview: overlay.BrushPreview) -> Sequence[Point]:
    return [_shifted(preview.center, by) for by in (-preview.radius, preview.radius)]


def _shifted(point: Point, by: float) -> Point:
    return point[0] + by, point[1] + by


_REACH: dict[type, Reach] = {
    overlay.PathPreview: _path,
    overlay.CellsPreview: _cells,
    overlay.GhostsPreview: _ghosts,
    overlay.RulerPreview: _ruler,
    overlay.LinesPreview: _lines,
    overlay.EvidencePreview: _evidence,
    overlay.BoxPreview: _box,
    overlay.RefusedPreview: _refused,
    overlay.TargetsPreview: _targets,
    overlay.FramePreview: _frame,
    overlay.PingsPreview: _pings,
    overlay.BrushPreview: _brush,
}
