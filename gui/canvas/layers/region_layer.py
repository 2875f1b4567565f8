"""Regions, lasting areas and notes: what the ground does, told by tint, pattern and a few words."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QTransform

from engine.grid.grid import Grid
from engine.model.region import Area, Note, Obscuration, Region, Surface
from gui.canvas.layers.exposure import Exposure, dashed, label_font, pen, write_upright
from gui.canvas.space import SCENE_PER_CELL, path_of, world_to_scene
from gui.theme import Theme, color, ui_font

_MIST_ALPHA = {Obscuration.LIGHT: 46, Obscuration.HEAVY: 88, Obscuration.TOTAL: 132}
_MARGIN = 4.0


@dataclass(frozen=True, slots=True)
class _Patch:
    """A piece of ground ready to be painted."""

    path: QPainterPath
    bounds: QRectF
    middle: QPointF


class RegionLayer:
    """Paints regions, areas and notes; keeps one path for each that has not changed."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._regions: Mapping[str, Region] = {}
        self._areas: Mapping[str, Area] = {}
        self._notes: Mapping[str, Note] = {}
        self._patches: dict[str, tuple[object, _Patch]] = {}

    def sync(
        self, regions: Mapping[str, Region], areas: Mapping[str, Area], notes: Mapping[str, Note]
    ) -> list[QRectF]:
        """Take over what is there now; return the scene rectangles that look different."""
        dirty: list[QRectF] = []
        for old, new in ((self._regions, regions), (self._areas, areas)):
            if old is new:
                continue
            for key in changed_keys(old, new):
                dirty += [self._patch(key, each[key]).bounds for each in (old, new) if key in each]
        if self._notes is not notes:
            for key in changed_keys(self._notes, notes):
                dirty += [_note_rect(each[key]) for each in (self._notes, notes) if key in each]
        self._regions, self._areas, self._notes = regions, areas, notes
        alive = {f"r/{key}" for key in regions} | {f"a/{key}" for key in areas}
        self._patches = {key: each for key, each in self._patches.items() if key in alive}
        return dirty

    def paint(self, painter: QPainter, exposure: Exposure) -> None:
        """Draw the exposed regions and areas."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for key, region in self._regions.items():
            patch = self._patch(key, region)
            if patch.bounds.intersects(exposure.rect):
                _paint_region(painter, exposure, region, patch)
        for key, area in self._areas.items():
            patch = self._patch(key, area)
            if patch.bounds.intersects(exposure.rect):
                _paint_area(painter, exposure, area, patch)
        painter.restore()

    def paint_notes(self, painter: QPainter, exposure: Exposure) -> None:
        """Draw the pins of the notes."""
        for note in self._notes.values():
            if _note_rect(note).intersects(exposure.rect):
                _paint_note(painter, exposure, note)

    def _patch(self, key: str, value: Region | Area) -> _Patch:
        kept = f"{'r' if isinstance(value, Region) else 'a'}/{key}"
        found = self._patches.get(kept)
        if found is not None and found[0] is value:
            return found[1]
        rings = value.rings if isinstance(value, Region) else self._grid.rings(value.cells)
        path = path_of(rings)
        outer = path_of(rings[:1])
        bounds = path.boundingRect().adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
        patch = _Patch(path, bounds, _inside(outer))
        self._patches[kept] = (value, patch)
        return patch


def changed_keys(old: Mapping[str, object], new: Mapping[str, object]) -> list[str]:
    """Return the keys whose values came, went or differ, compared by identity before equality."""
    keys = [key for key in old if key not in new]
    for key, value in new.items():
        before = old.get(key)
        if before is not value and before != value:
            keys.append(key)
    return keys


def _paint_region(painter: QPainter, exposure: Exposure, region: Region, patch: _Patch) -> None:
    theme = exposure.theme
    code, alpha = _tint(theme, region)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color(code, alpha))
    painter.drawPath(patch.path)
    pattern = _pattern(region)
    if pattern is not None:
        brush = QBrush(color(code, 120), pattern)
        # The pattern keeps its size on the screen, whatever the zoom.
        brush.setTransform(QTransform.fromScale(exposure.px, exposure.px))
        painter.setBrush(brush)
        painter.drawPath(patch.path)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    secret = region.gm_only and not exposure.players
    painter.setPen(dashed(code, 1.5, 5, 4, alpha=200) if secret else pen(code, 1, alpha=130))
    painter.drawPath(patch.path)
    # What the ground costs is the rules' affair: players see its tint and pattern.
    words = "" if exposure.players else region_words(region)
    if words and exposure.px_per_cell >= 28:
        write_upright(
            painter,
            patch.middle,
            words,
            font=ui_font(12, bold=True),
            ink=color(theme.mark, 235),
            plate=color(theme.halo, 120),
        )


def _tint(theme: Theme, region: Region) -> tuple[str, int]:
    """Return the colour of a region and its strength: what it does first decides."""
    if region.obscuration is not Obscuration.NONE:
        return theme.mist, _MIST_ALPHA[region.obscuration]
    if region.impassable:
        return theme.foe, 40
    if region.surface is Surface.WATER:
        return theme.water, 60
    if region.step_cost is not None and region.step_cost > 1:
        return theme.rough, 46
    if region.ground is not None:
        return theme.high, 36
    return theme.muted, 24


def _pattern(region: Region) -> Qt.BrushStyle | None:
    """Return the pattern that says without colour what the ground does."""
    if region.impassable:
        return Qt.BrushStyle.DiagCrossPattern
    if region.step_cost is not None and region.step_cost > 1:
        return Qt.BrushStyle.Dense7Pattern
    return None


def region_words(region: Region) -> str:
    """Return what stands on a region: its name, its cost, its height."""
    parts = [region.name] if region.name else []
    if region.step_cost is not None and region.step_cost > 1:
        parts.append(f"×{region.step_cost}")
    if region.ground:
        parts.append(f"{region.ground:+g}".replace("-", "\N{MINUS SIGN}"))
    return "  ".join(parts)


def _paint_area(painter: QPainter, exposure: Exposure, area: Area, patch: _Patch) -> None:
    theme = exposure.theme
    code = theme.foe if area.damage else theme.mist
    painter.setBrush(color(code, 60))
    painter.setPen(dashed(code, 2, 8, 4) if area.gm_only else pen(code, 2))
    painter.drawPath(patch.path)
    told = area.rounds_left is not None and not exposure.players
    rounds = f"{area.rounds_left}" if told else ""
    words = "  ".join(part for part in (area.name, rounds) if part)
    if words and exposure.px_per_cell >= 20:
        write_upright(
            painter,
            patch.middle,
            words,
            font=label_font(exposure),
            ink=color(theme.mark),
            plate=color(theme.halo, 150),
        )


def _note_rect(note: Note) -> QRectF:
    at = world_to_scene(note.position)
    side = SCENE_PER_CELL
    return QRectF(at.x() - 3 * side, at.y() - side, 6 * side, 2 * side)


def _paint_note(painter: QPainter, exposure: Exposure, note: Note) -> None:
    theme = exposure.theme
    first_line = note.text.strip().splitlines()[0] if note.text.strip() else "note"
    short = first_line if len(first_line) <= 24 else first_line[:23] + "…"
    write_upright(
        painter,
        world_to_scene(note.position),
        short if exposure.px_per_cell >= 40 else "•",
        font=ui_font(12),
        ink=color(theme.text),
        plate=color(theme.raised, 225),
    )


def _inside(path: QPainterPath) -> QPointF:
    """Return a point inside the path, near its middle."""
    middle = path.boundingRect().center()
    if path.contains(middle):
        return middle
    box = path.boundingRect()
    best, widest = middle, 0.0
    for part in range(1, 8):
        y = box.top() + box.height() * part / 8
        inside = [
            x
            for x in (box.left() + box.width() * i / 32 for i in range(33))
            if path.contains(QPointF(x, y))
        ]
        if inside and inside[-1] - inside[0] > widest:
            widest = inside[-1] - inside[0]
            best = QPointF(inside[len(inside) // 2], y)
    return best
