"""Draws previews: one function per type of preview, found in one table."""

from collections.abc import Callable, Sequence
from math import cos, pi, sin
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath

from engine.grid.grid import Ring
from engine.model.space import Cell, Point
from gui.canvas.layers.exposure import dashed, pen, write_upright
from gui.canvas.layers.region_layer import region_words
from gui.canvas.overlays.extent import frame_corners
from gui.canvas.overlays.overlay import (
    PING_MS,
    BoxPreview,
    BrushPreview,
    CellsPreview,
    EvidencePreview,
    FramePreview,
    GhostsPreview,
    LinesPreview,
    PathPreview,
    PathStep,
    PingsPreview,
    Preview,
    RefusedPreview,
    RulerPreview,
    TargetsPreview,
    Tone,
)
from gui.canvas.overlays.strokes import (
    Canvas,
    arrow_head,
    dot,
    polyline,
    stroke,
    stroke_dashed,
    tone_color,
    words,
    words_width_px,
)
from gui.canvas.space import SCENE_PER_CELL, path_of, world_to_scene
from gui.theme import color, side_style, ui_font

WIDEST_LABEL = 3
"""Words over a ghost that are wider than these cells would hide more than they tell."""
VEIL = 115
"""How strongly a token is dimmed that cannot be aimed at, of 255."""
ROW_PX = 24
"""How far the words over a ghost stand apart where it has several."""
FRAME_ARM_PX, FRAME_INSET_PX = 16, 3
FRAME_WORDS = "players' view"
BELOW_TOKENS = (CellsPreview,)
"""What is painted under the tokens, because it tints."""


def draw(canvas: Canvas, preview: Preview) -> None:
    """Draw one preview."""
    canvas.painter.save()
    canvas.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _DRAWERS[type(preview)](canvas, preview)
    canvas.painter.restore()


def _draw_path(canvas: Canvas, preview: PathPreview) -> None:
    """Draw the way; beyond the first step that is not allowed it is red and dashed."""
    if not preview.steps:
        return
    theme = canvas.theme
    code = tone_color(theme, preview.tone)
    allowed = [preview.start]
    for step in preview.steps:
        if not step.allowed:
            break
        allowed.append(step.point)
    beyond = [step.point for step in preview.steps[len(allowed) - 1 :]]
    if len(allowed) > 1:
        stroke(canvas, polyline(allowed), code, 3)
    if beyond:
        stroke_dashed(canvas, polyline([allowed[-1], *beyond]), theme.foe, 3)
    for step in preview.steps:
        dot(canvas, step.point, code if step.allowed else theme.foe, 5 if step.waypoint else 3)
    points = (preview.start, *(step.point for step in preview.steps))
    last = preview.steps[-1]
    arrow_head(canvas, points[-2], points[-1], code if last.allowed else theme.foe)
    _step_costs(canvas, preview.steps)
    summary = "  ".join(part for part in (last.cost, last.reason, preview.left) if part)
    if summary:
        words(
            canvas, last.point, summary, dy_px=-26, code=theme.text if last.allowed else theme.foe
        )


def _step_costs(canvas: Canvas, steps: Sequence[PathStep]) -> None:
    """Write the cost at each step, and the reason where a step costs more than usual."""
    if canvas.exposure.px_per_cell < 30:
        return
    for step in steps[:-1]:
        text = f"{step.cost} {step.reason}".strip()
        write_upright(
            canvas.painter,
            world_to_scene(step.point),
            text,
            font=ui_font(12, bold=bool(step.reason)),
            ink=color(canvas.theme.text if step.allowed else canvas.theme.foe),
            plate=color(canvas.theme.ground, 190),
            dy_px=14,
        )


def _draw_cells(canvas: Canvas, preview: CellsPreview) -> None:
    code = tone_color(canvas.theme, preview.tone)
    path = path_of(canvas.grid.rings(preview.cells))
    if preview.fill:
        canvas.painter.setPen(Qt.PenStyle.NoPen)
        canvas.painter.setBrush(color(code, 58))
        canvas.painter.drawPath(path)
    (stroke_dashed if preview.dashed else stroke)(canvas, path, code, 2)
    if preview.outline:
        canvas.painter.setBrush(Qt.BrushStyle.NoBrush)
        canvas.painter.setPen(dashed(canvas.theme.mark, 1.5, 4, 4, alpha=220))
        canvas.painter.drawPath(path_of(preview.outline))
    if preview.labels and canvas.exposure.px_per_cell >= 26:
        for cell, text in preview.labels.items():
            _cell_label(canvas, cell, text)


def _cell_label(canvas: Canvas, cell: Cell, text: str) -> None:
    write_upright(
        canvas.painter,
        world_to_scene(canvas.grid.center(cell)),
        text,
        font=ui_font(12),
        ink=color(canvas.theme.mark, 230),
        plate=color(canvas.theme.halo, 110),
    )


def _draw_ghosts(canvas: Canvas, preview: GhostsPreview) -> None:
    for ghost in preview.ghosts:
        code = side_style(canvas.theme, ghost.side).color
        if len(ghost.way) > 1:
            stroke_dashed(canvas, polyline(ghost.way), code, 2)
            arrow_head(canvas, ghost.way[-2], ghost.way[-1], code)
        for arrow in ghost.arrows:
            stroke_dashed(canvas, polyline(arrow), code, 2)
            arrow_head(canvas, *arrow, code)
        if ghost.area:
            canvas.painter.setBrush(color(code, 36))
            canvas.painter.setPen(dashed(code, 2, 3, 5))
            canvas.painter.drawPath(path_of(ghost.area))
        path = path_of(ghost.rings)
        canvas.painter.setBrush(color(code, 60))
        canvas.painter.setPen(dashed(code, 2, 6, 4))
        canvas.painter.drawPath(path)
        room = WIDEST_LABEL * canvas.exposure.px_per_cell
        if ghost.label and words_width_px(canvas, ghost.label) <= room:
            dy_px = ghost.label_row * ROW_PX * (-1 if ghost.label_up else 1)
            words(canvas, ghost.label_at, ghost.label, dy_px=dy_px)


def _draw_ruler(canvas: Canvas, preview: RulerPreview) -> None:
    if len(preview.points) < 2:
        return
    code = tone_color(canvas.theme, preview.tone)
    stroke(canvas, polyline(preview.points), code, 2.5)
    for point in preview.points:
        dot(canvas, point, code, 4)
    for (a, b), text in zip(
        zip(preview.points, preview.points[1:], strict=False), preview.labels, strict=False
    ):
        if text and len(preview.points) > 2:
            words(canvas, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), text)
    if preview.total:
        words(canvas, preview.points[-1], preview.total, dy_px=-24)


def _draw_lines(canvas: Canvas, preview: LinesPreview) -> None:
    code = tone_color(canvas.theme, preview.tone)
    for line in preview.lines:
        if len(line) > 1:
            path = polyline(line, closed=preview.closed)
            if preview.closed:
                canvas.painter.setPen(Qt.PenStyle.NoPen)
                canvas.painter.setBrush(color(code, 50))
                canvas.painter.drawPath(path)
            stroke(canvas, path, code, 2.5)
        if preview.handles:
            for point in line:
                dot(canvas, point, canvas.theme.mark, 4)


def _draw_evidence(canvas: Canvas, preview: EvidencePreview) -> None:
    """Draw regions below tokens below rays below walls: the last word is what blocks."""
    evidence, view, theme = preview.evidence, canvas.view, canvas.theme
    if evidence.cells:
        _draw_cells(canvas, CellsPreview(frozenset(evidence.cells), Tone.NOW, dashed=True))
    for region in (view.regions[each] for each in evidence.regions if each in view.regions):
        stroke_dashed(canvas, path_of(region.rings), theme.amber, 2.5)
        words(canvas, region.rings[0][0], region_words(region) or "region")
    for token in (view.tokens[each] for each in evidence.tokens if each in view.tokens):
        stroke(canvas, path_of(token.rings), theme.amber, 2)
    for light in (view.lights[each] for each in evidence.lights if each in view.lights):
        dot(canvas, light.position, theme.light, 8)
    for ray in evidence.rays:
        draw_line = stroke if ray.clear else stroke_dashed
        draw_line(canvas, polyline((ray.start, ray.end)), theme.ok if ray.clear else theme.foe, 2)
    for wall in (view.walls[each] for each in evidence.walls if each in view.walls):
        stroke(canvas, polyline(wall.points), theme.foe, 4)
        a, b = wall.points[0], wall.points[1]
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        # On the near side of what is looked at, so that the words do not cover it.
        up = sum(ray.end[1] - ray.start[1] for ray in evidence.rays) < 0
        name = wall.name or wall.kind.replace("_", " ")
        words(canvas, middle, name, dy_px=22 if up else -18)
    if preview.label and preview.at is not None:
        words(canvas, preview.at, preview.label, dy_px=-30)


def _draw_box(canvas: Canvas, preview: BoxPreview) -> None:
    rect = QRectF(world_to_scene(preview.first), world_to_scene(preview.second)).normalized()
    canvas.painter.setBrush(color(canvas.theme.amber, 34))
    canvas.painter.setPen(pen(canvas.theme.amber, 1.5))
    canvas.painter.drawRect(rect)


def _draw_refused(canvas: Canvas, preview: RefusedPreview) -> None:
    view, theme = canvas.view, canvas.theme
    if preview.wall_id is not None and preview.wall_id in view.walls:
        stroke(canvas, polyline(view.walls[preview.wall_id].points), theme.foe, 4)
    if preview.cell is not None:
        _tint(canvas, (canvas.grid.polygon(preview.cell),))
        _cross_out(canvas, canvas.grid.center(preview.cell))
    elif preview.token_id is not None and preview.token_id in view.tokens:
        _tint(canvas, view.tokens[preview.token_id].rings)


def _draw_targets(canvas: Canvas, preview: TargetsPreview) -> None:
    """Dim what is refused, name and side still to be read, so that the others catch the eye."""
    view, theme = canvas.view, canvas.theme
    canvas.painter.setPen(Qt.PenStyle.NoPen)
    canvas.painter.setBrush(color(theme.ground, VEIL))
    for token in (view.tokens[each] for each in preview.refused if each in view.tokens):
        path = path_of(token.rings)
        if len(token.cells) == 1:
            path = QPainterPath()
            path.addEllipse(world_to_scene(token.center), *[SCENE_PER_CELL * 0.5] * 2)
        canvas.painter.drawPath(path)
    for token in (view.tokens[each] for each in preview.possible if each in view.tokens):
        stroke(canvas, path_of(token.rings), theme.ok, 2)
    for wall in view.walls.values():
        if wall.id in preview.possible:
            stroke(canvas, polyline(wall.points), theme.ok, 4)


def _tint(canvas: Canvas, rings: Sequence[Ring]) -> None:
    path = path_of(rings)
    canvas.painter.setPen(Qt.PenStyle.NoPen)
    canvas.painter.setBrush(color(canvas.theme.foe, 60))
    canvas.painter.drawPath(path)
    stroke(canvas, path, canvas.theme.foe, 2.5)


def _cross_out(canvas: Canvas, at: Point) -> None:
    middle, reach = world_to_scene(at), SCENE_PER_CELL * 0.16
    cross = QPainterPath()
    for dx, dy in ((reach, reach), (reach, -reach)):
        cross.moveTo(middle - QPointF(dx, dy))
        cross.lineTo(middle + QPointF(dx, dy))
    stroke(canvas, cross, canvas.theme.foe, 3)


def _draw_frame(canvas: Canvas, preview: FramePreview) -> None:
    """Mark the corners of what the players see, just inside, with a word at the first."""
    corners = [world_to_scene(each) for each in frame_corners(preview.frame)]
    middle = (corners[0] + corners[2]) / 2
    arm, inset = FRAME_ARM_PX * canvas.exposure.px, FRAME_INSET_PX * canvas.exposure.px
    path = QPainterPath()
    for corner in corners:
        dx = inset if corner.x() < middle.x() else -inset
        dy = inset if corner.y() < middle.y() else -inset
        turn = corner + QPointF(dx, dy)
        path.moveTo(turn + QPointF(dx / inset * arm, 0))
        path.lineTo(turn)
        path.lineTo(turn + QPointF(0, dy / inset * arm))
    canvas.painter.setBrush(Qt.BrushStyle.NoBrush)
    for line in (pen(canvas.theme.halo, 3, alpha=120), pen(canvas.theme.amber, 1.25, alpha=200)):
        canvas.painter.setPen(line)
        canvas.painter.drawPath(path)
    font = ui_font(12)
    width = QFontMetricsF(font).horizontalAdvance(FRAME_WORDS)
    beside = QPointF(inset * 2 + (6 + width / 2) * canvas.exposure.px, inset)
    seen = canvas.painter.worldTransform().map(corners[0])
    if seen.x() < 0 or seen.y() < 0:
        return  # the corner is out of sight, and half a word would be a riddle
    write_upright(
        canvas.painter,
        corners[0] + beside,
        FRAME_WORDS,
        font=font,
        ink=color(canvas.theme.amber),
        plate=color(canvas.theme.halo, 150),
        dy_px=10,
    )


def _draw_pings(canvas: Canvas, preview: PingsPreview) -> None:
    for ping, age in zip(preview.pings, preview.age_ms, strict=True):
        share = max(0.0, min(1.0, age / PING_MS))
        code = side_style(canvas.theme, ping.side).color
        at = world_to_scene(ping.point)
        for delay in (0.0, 0.35):
            wave = max(0.0, share - delay) / (1 - delay)
            radius = (0.15 + 1.25 * wave) * SCENE_PER_CELL
            canvas.painter.setBrush(Qt.BrushStyle.NoBrush)
            canvas.painter.setPen(pen(canvas.theme.halo, 5, alpha=int(120 * (1 - wave))))
            canvas.painter.drawEllipse(at, radius, radius)
            canvas.painter.setPen(pen(code, 3, alpha=int(255 * (1 - wave))))
            canvas.painter.drawEllipse(at, radius, radius)
        dot(canvas, ping.point, code, 5)


def _draw_brush(canvas: Canvas, preview: BrushPreview) -> None:
    radius = preview.radius * SCENE_PER_CELL
    code = canvas.theme.ok if preview.adds else canvas.theme.foe
    canvas.painter.setBrush(color(code, 40))
    canvas.painter.setPen(pen(code, 2))
    canvas.painter.drawEllipse(world_to_scene(preview.center), radius, radius)
    reach, sign = radius * 0.25, world_to_scene(preview.center)
    angles = (0.0, pi / 2) if preview.adds else (0.0,)
    for angle in angles:
        way = QPointF(cos(angle), sin(angle)) * reach
        canvas.painter.drawLine(sign - way, sign + way)


_DRAWERS: dict[type, Callable[[Canvas, Any], None]] = {
    PathPreview: _draw_path,
    CellsPreview: _draw_cells,
    GhostsPreview: _draw_ghosts,
    RulerPreview: _draw_ruler,
    LinesPreview: _draw_lines,
    EvidencePreview: _draw_evidence,
    BoxPreview: _draw_box,
    RefusedPreview: _draw_refused,
    TargetsPreview: _draw_targets,
    FramePreview: _draw_frame,
    PingsPreview: _draw_pings,
    BrushPreview: _draw_brush,
}
