"""What differs between two fogs: the rectangles that have to be made and painted anew."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from engine.grid.grid import Ring
from engine.model.fog import PX_PER_CELL, TILE_PX, TileKey
from engine.model.space import Point
from engine.view import FogView
from gui.canvas.space import SCENE_PER_CELL, bounds_of

Sight = tuple[tuple[Ring, ...], ...]

_TILE = TILE_PX / PX_PER_CELL * SCENE_PER_CELL
_MARGIN_CELLS = 0.6
"""Soft edges reach this far from a change."""


@dataclass(frozen=True, slots=True)
class FogChange:
    """The scene rectangles in which two fogs differ; None where everything may differ."""

    before: FogView | None
    after: FogView
    rects: list[QRectF] | None


def fog_change(before: FogView | None, after: FogView) -> FogChange:
    """Compare two fogs, by identity as far as that goes."""
    if before is after:
        return FogChange(before, after, [])
    if before is None or before.enabled != after.enabled:
        return FogChange(before, after, None)
    if (before.sight is None) != (after.sight is None):
        return FogChange(before, after, None)
    rects = []
    for old, new in (
        (before.explored, after.explored),
        (before.revealed, after.revealed),
        (before.veiled, after.veiled),
    ):
        rects += _tile_rects(old, new)
    rects += _sight_rects(before.sight or (), after.sight or ())
    return FogChange(before, after, rects)


def _tile_rects(old: Mapping[TileKey, bytes], new: Mapping[TileKey, bytes]) -> list[QRectF]:
    """Return one rectangle around the tiles that differ."""
    if old is new:
        return []
    keys = {key for key, bits in new.items() if old.get(key) != bits}
    keys |= {key for key in old if key not in new}
    if not keys:
        return []
    columns, rows = [x for x, _ in keys], [y for _, y in keys]
    margin = _MARGIN_CELLS * SCENE_PER_CELL
    area = QRectF(
        min(columns) * _TILE,
        min(rows) * _TILE,
        (max(columns) - min(columns) + 1) * _TILE,
        (max(rows) - min(rows) + 1) * _TILE,
    )
    return [area.adjusted(-margin, -margin, margin, margin)]


def _sight_rects(old: Sight, new: Sight) -> list[QRectF]:
    """Return a rectangle for each eye whose sight differs."""
    if old is new:
        return []
    if len(old) == len(new):
        pairs = [(a, b) for a, b in zip(old, new, strict=True) if a is not b and a != b]
        found = [_difference(a, b) for a, b in pairs]
    else:
        ids_before, ids_after = {id(each) for each in old}, {id(each) for each in new}
        lone = [each for each in old if id(each) not in ids_after]
        lone += [each for each in new if id(each) not in ids_before]
        found = [_difference((), each) for each in lone]
    return [rect for rect in found if not rect.isNull()]


def _difference(old: tuple[Ring, ...], new: tuple[Ring, ...]) -> QRectF:
    """Return the rectangle around what only one of two polygons covers.

    Two polygons differ only where their sides do, so the corners of the sides that only one of
    them has enclose the difference.
    """
    corners = [point for side in _sides(old) ^ _sides(new) for point in side]
    return bounds_of(corners, _MARGIN_CELLS)


def _sides(rings: tuple[Ring, ...]) -> set[tuple[Point, Point]]:
    return {side for ring in rings for side in zip(ring, (*ring[1:], *ring[:1]), strict=True)}
