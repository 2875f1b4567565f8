"""Masks over the board in bits of 8 px per cell: explored ground, and what the GM marks by hand.

A mask is a window of whole tiles (`engine.model.fog`), so that it meets the stored tiles without
shifting. A pixel belongs to a shape if its middle does; walls on grid lines lie between pixels.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.geometry.arrays import Bools, Floats, Ints, expand, successors
from engine.geometry.memo import Kept, Memo
from engine.geometry.outlook import Outlook
from engine.geometry.vision import Vision
from engine.grid.grid import Box
from engine.model.fog import PX_PER_CELL, TILE_BYTES, TILE_PX, TileKey
from engine.model.space import Point
from engine.model.value import FrozenMap

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]
Tiles = Mapping[TileKey, bytes]

EMPTY = bytes(TILE_BYTES)

_ROW_BYTES = TILE_PX // 8
_MASKS_KEPT = 256
_BAND_WORDS = 1 << 21
_HALVES = tuple(np.uint64(1 << n) for n in range(6))
_BESIDE = np.array(((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5))) / PX_PER_CELL


@dataclass(frozen=True, eq=False)
class Mask:
    """Bits of whole tiles: `tiles` (rows, columns, TILE_BYTES) begins at tile (left, top)."""

    left: int
    top: int
    tiles: Bytes

    def __or__(self, other: "Mask") -> "Mask":
        left, top = min(self.left, other.left), min(self.top, other.top)
        bottom = max(self.top + len(self.tiles), other.top + len(other.tiles))
        right = max(self.left + self.tiles.shape[1], other.left + other.tiles.shape[1])
        window = (left, top, right - left, bottom - top)
        return Mask(left, top, self._cut(*window) | other._cut(*window))

    def __and__(self, other: "Mask") -> "Mask":
        return Mask(self.left, self.top, self.tiles & other._cut(*self._window))

    def __sub__(self, other: "Mask") -> "Mask":
        return Mask(self.left, self.top, self.tiles & ~other._cut(*self._window))

    @property
    def _window(self) -> tuple[int, int, int, int]:
        return self.left, self.top, self.tiles.shape[1], self.tiles.shape[0]

    def _cut(self, left: int, top: int, width: int, height: int) -> Bytes:
        """Return the bits of another window of tiles, those outside of this one empty."""
        if (left, top, width, height) == self._window:
            return self.tiles
        cut = np.zeros((height, width, TILE_BYTES), dtype=np.uint8)
        x0, y0 = max(left, self.left), max(top, self.top)
        x1 = min(left + width, self.left + self.tiles.shape[1])
        y1 = min(top + height, self.top + len(self.tiles))
        if x0 < x1 and y0 < y1:
            own = self.tiles[y0 - self.top : y1 - self.top, x0 - self.left : x1 - self.left]
            cut[y0 - top : y1 - top, x0 - left : x1 - left] = own
        return cut

    def added_to(self, tiles: Tiles) -> FrozenMap[TileKey, bytes]:
        """Return the tiles that change if this mask is added to them."""
        old = self._standing(tiles)
        return self._changed(old, old | self.tiles)

    def taken_from(self, tiles: Tiles) -> FrozenMap[TileKey, bytes]:
        """Return the tiles that change if this mask is taken out of them."""
        old = self._standing(tiles)
        return self._changed(old, old & ~self.tiles)

    def _standing(self, tiles: Tiles) -> Bytes:
        return _gather(tiles, *self._window)

    def _changed(self, old: Bytes, new: Bytes) -> FrozenMap[TileKey, bytes]:
        rows, columns = np.nonzero((old != new).any(axis=2))
        return FrozenMap(
            ((self.left + x, self.top + y), new[y, x].tobytes())
            for y, x in zip(rows.tolist(), columns.tolist(), strict=True)
        )


NOTHING = Mask(0, 0, np.zeros((0, 0, TILE_BYTES), dtype=np.uint8))


def mask_of_tiles(tiles: Tiles) -> Mask:
    """Return stored tiles as a mask, remembered as long as they stay the same."""
    return _TILE_MASKS(tiles)


def mask_of_outline(outline: Floats, within: Box | None = None) -> Mask:
    """Return the mask of a polygon (n, 2) by the even-odd rule, cut at the tiles of a box."""
    ring = np.asarray(outline, dtype=np.float64).reshape(-1, 2) * PX_PER_CELL
    if len(ring) < 3:
        return NOTHING
    low, high = ring.min(axis=0), ring.max(axis=0)
    if within is not None:
        low = np.maximum(low, np.array(within[:2]) * PX_PER_CELL)
        high = np.minimum(high, np.array(within[2:]) * PX_PER_CELL)
        if (low > high).any():
            return NOTHING
    first = np.floor(low / TILE_PX).astype(np.int64)
    after = np.floor(high / TILE_PX).astype(np.int64) + 1
    left, top = first.tolist()
    columns, rows = (after - first).tolist()
    return Mask(left, top, _filled(ring - first * TILE_PX, columns, rows))


def mask_of_rings(rings: Sequence[Sequence[Point]], within: Box | None = None) -> Mask:
    """Return the mask of an outer ring without the holes that follow it."""
    outer, *holes = (mask_of_outline(np.array(ring, dtype=np.float64), within) for ring in rings)
    for hole in holes:
        outer = outer - hole
    return outer


def mask_of_box(box: Box) -> Mask:
    """Return the mask of an upright rectangle."""
    left, top, right, bottom = box
    return mask_of_outline(np.array(((left, top), (right, top), (right, bottom), (left, bottom))))


def mask_of_stroke(points: Sequence[Point], radius: float, within: Box | None = None) -> Mask:
    """Return the mask of a brush with this radius (cells) drawn over points."""
    return union(
        mask_of_outline(_capsule(start, end, radius), within)
        for start, end in zip(points, points[1:] or points[-1:], strict=False)
    )


def mask_of_vision(vision: Vision) -> Mask:
    """Return the mask of what an eye sees; those of lamps are remembered."""
    sight = mask_of_outline(vision.sight.outline)
    if vision.glows is None:
        return sight
    light = NOTHING if vision.night is None else _OUTLOOK_MASKS(vision.night)
    for glow in vision.glows:
        light = light | _OUTLOOK_MASKS(glow.reach)
    return sight & light


def union(masks: Iterable[Mask]) -> Mask:
    """Return everything that is in any of the masks."""
    made = NOTHING
    for mask in masks:
        made = made | mask
    return made


def marked(tiles: Tiles, points: Floats) -> Bools:
    """Tell which points (k, 2) lie on a marked pixel."""
    found = np.zeros(len(points), dtype=np.bool_)
    if not tiles or not len(points):
        return found
    mask = mask_of_tiles(tiles)
    pixel = np.floor(np.asarray(points) * PX_PER_CELL).astype(np.int64)
    x, y = pixel[:, 0] - mask.left * TILE_PX, pixel[:, 1] - mask.top * TILE_PX
    rows, columns = mask.tiles.shape[:2]
    inside = (x >= 0) & (y >= 0) & (x < columns * TILE_PX) & (y < rows * TILE_PX)
    x, y = x[inside], y[inside]
    byte = mask.tiles[y // TILE_PX, x // TILE_PX, y % TILE_PX * _ROW_BYTES + x % TILE_PX // 8]
    found[inside] = (byte >> (7 - x % 8).astype(np.uint8)) & 1
    return found


def beside_marked(tiles: Tiles, points: Floats, *, every: bool = False) -> Bools:
    """Tell which points touch a marked pixel: any of the four around, or with `every` all."""
    corners = (points[None] + _BESIDE[:, None]).reshape(-1, 2)
    around = marked(tiles, corners).reshape(len(_BESIDE), -1)
    return np.asarray(around.all(axis=0) if every else around.any(axis=0))


def _filled(ring: Floats, columns: int, rows: int) -> Bytes:
    """Return the tiles of a polygon in px, band by band so that a huge one needs no huge array."""
    edges = _Edges.of(ring, rows * TILE_PX)
    band = max(_BAND_WORDS // (columns * TILE_PX), 1)
    bands = [
        _tiles(edges.between(start * TILE_PX, min(start + band, rows) * TILE_PX, columns))
        for start in range(0, rows, band)
    ]
    return bands[0] if len(bands) == 1 else np.concatenate(bands)


class _Edges(NamedTuple):
    """The edges of a polygon in px: upper end, slope dx / dy, first row and the one after the last.

    An edge counts for the rows whose middle it passes; the middle of row y is y + 0.5.
    """

    upper: Floats
    slope: Floats
    first: Ints
    last: Ints

    @staticmethod
    def of(ring: Floats, height: int) -> "_Edges":
        """Return the edges of a ring that pass the middle of a row below `height`."""
        end = successors(ring)
        down = (end[:, 1] > ring[:, 1])[:, None]
        upper, lower = np.where(down, ring, end), np.where(down, end, ring)
        first, last = (
            np.ceil(np.clip(ends[:, 1], 0, height) - 0.5).astype(np.int64)
            for ends in (upper, lower)
        )
        slanted = last > first
        upper, lower = upper[slanted], lower[slanted]
        slope = (lower[:, 0] - upper[:, 0]) / (lower[:, 1] - upper[:, 1])
        return _Edges(upper, slope, first[slanted], last[slanted])

    def between(self, top: int, bottom: int, columns: int) -> Words:
        """Return the pixels of the rows from `top` to `bottom` that lie inside.

        Each row is `columns` words, one for each tile that it passes, its first pixel in the
        highest bit. A pixel is inside if an odd number of edges lies at or before it; all those
        of a word are counted at once, by halves.
        """
        first, last = np.maximum(self.first, top), np.minimum(self.last, bottom)
        edge, place = expand(np.maximum(last - first, 0))
        row = first[edge] + place
        x = self.upper[edge, 0] + (row + 0.5 - self.upper[edge, 1]) * self.slope[edge]
        column = np.ceil(np.clip(x, 0, columns * TILE_PX) - 0.5).astype(np.int64)
        met = column < columns * TILE_PX
        row, column = row[met] - top, column[met]
        words = np.zeros((bottom - top, columns), dtype=np.uint64)
        bit = (TILE_PX - 1 - column % TILE_PX).astype(np.uint64)
        np.bitwise_xor.at(words, (row, column // TILE_PX), np.uint64(1) << bit)
        for half in _HALVES:
            words ^= words >> half
        odd = np.bitwise_xor.accumulate(words[:, :-1] & np.uint64(1), axis=1)
        words[:, 1:] ^= np.uint64(0) - odd
        return words


def _capsule(start: Point, end: Point, radius: float) -> Floats:
    """Return the outline of everything within a radius of a segment, true to 1 % of a pixel."""
    sagitta = min(0.01 / (PX_PER_CELL * radius), 0.5)
    chords = int(np.ceil(np.pi / np.arccos(1 - sagitta)))
    along = np.arctan2(end[1] - start[1], end[0] - start[0])
    turn = along + np.pi / 2 + np.pi * np.linspace(0, 1, chords + 1)
    arc = radius * np.stack((np.cos(turn), np.sin(turn)), axis=1)
    return np.concatenate((np.array(start) + arc, np.array(end) - arc))


def _tiles(words: Words) -> Bytes:
    """Cut rows of words into tiles."""
    rows, columns = len(words) // TILE_PX, words.shape[1]
    cut = words.astype(">u8").reshape(rows, TILE_PX, columns).transpose(0, 2, 1)
    return np.ascontiguousarray(cut).view(np.uint8)


def _gather(tiles: Tiles, left: int, top: int, width: int, height: int) -> Bytes:
    stored = b"".join(
        tiles.get((x, y), EMPTY)
        for y in range(top, top + height)
        for x in range(left, left + width)
    )
    return np.frombuffer(stored, dtype=np.uint8).reshape(height, width, TILE_BYTES)


def _mask_of_tiles(_: Kept[Mask] | None, tiles: Tiles) -> Mask:
    if not tiles:
        return NOTHING
    keys: Ints = np.array(list(tiles), dtype=np.int64)
    left, top = keys.min(axis=0).tolist()
    right, bottom = keys.max(axis=0).tolist()
    return Mask(left, top, _gather(tiles, left, top, right - left + 1, bottom - top + 1))


def _mask_of_outlook(_: Kept[Mask] | None, outlook: Outlook) -> Mask:
    return mask_of_outline(outlook.outline)


_TILE_MASKS: Memo[Mask] = Memo(_mask_of_tiles)
_OUTLOOK_MASKS: Memo[Mask] = Memo(_mask_of_outlook, size=_MASKS_KEPT)
