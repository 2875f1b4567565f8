"""The raw material of darkness: filled polygons and sampled rasters, as arrays of device pixels.

Everything here counts a pixel by its middle, exactly; what is safe to light is decided in
`fog_mask`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageFilter
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPen

from engine.grid.grid import Ring
from engine.model.fog import PX_PER_CELL, TILE_PX, TileKey
from gui.canvas.space import scene_to_box, to_qpolygon

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]

PLAYERS_DIM, GM_DARK, GM_DIM = 138, 122, 58
"""How dark explored ground is for the players; how dark the rest is for the GM."""

_STRIPE_PX = 6
_GROWN, _BLURRED, _GAIN, _TAIL = 0.3, 0.33, 1.3, 8


@dataclass(frozen=True, slots=True)
class Camera:
    """How world points come to device pixels: turned by quarters, scaled, moved.

    `width` and `height` are the viewport's, in device pixels.
    """

    scale: float
    quarters: int
    dx: float
    dy: float
    width: int
    height: int

    def to_device(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n, 2) world points in device pixels."""
        turned = points @ _turn(self.quarters).T
        return np.asarray(turned * self.scale + (self.dx, self.dy), dtype=np.float64)

    def reduced(self, factor: int) -> "Camera":
        """Return the camera of a picture that is `factor` times smaller."""
        return Camera(
            scale=self.scale / factor,
            quarters=self.quarters,
            dx=self.dx / factor,
            dy=self.dy / factor,
            width=ceil(self.width / factor),
            height=ceil(self.height / factor),
        )

    def rect(self, scene: QRectF) -> QRect:
        """Return the device rectangle around a scene rectangle."""
        box = scene_to_box(scene)
        corners = self.to_device(np.array([(box.left, box.top), (box.right, box.bottom)]))
        low, high = corners.min(axis=0), corners.max(axis=0)
        left, top = floor(low[0]), floor(low[1])
        return QRect(left, top, ceil(high[0]) - left, ceil(high[1]) - top)


@dataclass(frozen=True, slots=True)
class Stamp:
    """A filled polygon and the device rectangle it stands in, for the camera it was made with.

    `reach` is the part of the plane for which it was filled; a `whole` one misses nothing.
    """

    pixels: Flags
    place: QRect
    origin: tuple[float, float]
    reach: QRect
    whole: bool

    def shift(self, camera: Camera) -> tuple[float, float]:
        """Return how far the camera has moved since, in device pixels."""
        return camera.dx - self.origin[0], camera.dy - self.origin[1]

    def serves(self, camera: Camera, rect: QRect) -> bool:
        """Tell whether it is right for a camera, moved by whole pixels, in a device rectangle."""
        dx, dy = self.shift(camera)
        if abs(dx - round(dx)) > 1e-6 or abs(dy - round(dy)) > 1e-6:
            return False
        return self.whole or self.reach.translated(round(dx), round(dy)).contains(rect)

    def add_to(self, filled: Flags, rect: QRect, camera: Camera) -> None:
        """Add the polygon to the pixels of a device rectangle."""
        dx, dy = self.shift(camera)
        place = self.place.translated(round(dx), round(dy))
        common = place.intersected(rect)
        if common.isEmpty():
            return
        target = filled[_rows(common, rect), _columns(common, rect)]
        target |= self.pixels[_rows(common, place), _columns(common, place)]


def _rows(part: QRect, whole: QRect) -> slice:
    return slice(part.top() - whole.top(), part.bottom() + 1 - whole.top())


def _columns(part: QRect, whole: QRect) -> slice:
    return slice(part.left() - whole.left(), part.right() + 1 - whole.left())


def stamp(rings: tuple[Ring, ...], camera: Camera, reach: QRect, *, without_border: bool) -> Stamp:
    """Fill what an eye sees, within `reach`; a pixel belongs to it whose middle does.

    It sees what lies in any of the rings, which overlap where several lamps shine. With
    `without_border` only pixels belong to it that lie in one of the rings as a whole: then a crack
    too narrow for the middle of any pixel stays dark, and a pixel may be looked at anywhere. Raise
    ValueError for points that lie nowhere, which Qt would silently leave out.
    """
    origin = (camera.dx, camera.dy)
    outlines = [camera.to_device(np.asarray(ring, dtype=np.float64)) for ring in rings if ring]
    if not all(np.isfinite(outline).all() for outline in outlines):
        raise ValueError("an outline of sight has points that are no numbers")
    if not outlines:
        return Stamp(np.zeros((0, 0), np.bool_), QRect(), origin, reach, whole=True)
    frames = [_frame(outline) for outline in outlines]
    place = reduce(QRect.united, frames)
    seen = place.intersected(reach)
    pixels = np.zeros((seen.height(), seen.width()), np.bool_)
    for outline, frame in zip(outlines, frames, strict=True):
        part = frame.intersected(seen)
        if not part.isEmpty():
            if without_border:
                filled = shrunk(_filled(outline, part.adjusted(-1, -1, 1, 1), without_border=True))
            else:
                filled = _filled(outline, part, without_border=False)
            pixels[_rows(part, seen), _columns(part, seen)] |= filled
    return Stamp(pixels, seen, origin, reach, whole=seen == place)


def _frame(outline: NDArray[np.float64]) -> QRect:
    """Return the pixels around an outline."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    left, top = floor(low[0]), floor(low[1])
    return QRect(left, top, ceil(high[0]) + 1 - left, ceil(high[1]) + 1 - top)


def _filled(outline: NDArray[np.float64], part: QRect, *, without_border: bool) -> Flags:
    """Return which pixels of a rectangle have their middle in a polygon.

    Painted opaque into 32 bits: the one way in which Qt fills whole spans at once (1.4 ms for 260
    corners on 1500 x 1100, against 5 ms for any way of clearing; measured).
    """
    path = QPainterPath()
    path.addPolygon(to_qpolygon(outline - (part.left(), part.top())))
    path.closeSubpath()
    image = QImage(part.width(), part.height(), QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.fillPath(path, Qt.GlobalColor.white)
    if without_border:
        painter.setClipRect(image.rect())
        painter.setPen(QPen(Qt.GlobalColor.black, 0))
        painter.drawPath(path)
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(part.height(), part.width())
    return (pixels & 1).astype(np.bool_)


def sampled(tiles: Mapping[TileKey, bytes], camera: Camera, rect: QRect) -> Flags:
    """Return where a raster of the fog is set, pixel by device pixel."""
    if not tiles:
        return np.zeros((rect.height(), rect.width()), np.bool_)
    across, down = _axes(camera, rect)
    # Each raster pixel once, then spread over the device pixels that it covers: whole rows are
    # copied in one go, which is five times faster than picking every pixel.
    columns, column_of = np.unique(across, return_inverse=True)
    rows, row_of = np.unique(down, return_inverse=True)
    small = np.zeros((len(rows), len(columns)), np.bool_)
    row_tiles, column_tiles = rows // TILE_PX, columns // TILE_PX
    for row in np.unique(row_tiles):
        top, bottom = np.searchsorted(row_tiles, (row, row + 1))
        for column in np.unique(column_tiles):
            bits = tiles.get((int(column), int(row)))
            if bits is not None:
                left, right = np.searchsorted(column_tiles, (column, column + 1))
                part = np.ix_(rows[top:bottom] % TILE_PX, columns[left:right] % TILE_PX)
                small[top:bottom, left:right] = _unpacked(bits)[part]
    # A quarter turn exchanges the axes: then columns of the raster follow rows of the device.
    if camera.quarters % 2 == 1:
        return np.take(np.take(small.T, row_of, axis=1), column_of, axis=0)
    return np.take(np.take(small, column_of, axis=1), row_of, axis=0)


def _axes(camera: Camera, rect: QRect) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the raster columns and rows that the steps along the two device axes meet."""
    xs = np.arange(rect.left(), rect.left() + rect.width()) + 0.5 - camera.dx
    ys = np.arange(rect.top(), rect.top() + rect.height()) + 0.5 - camera.dy
    across, down = {
        0: (xs, ys),
        1: (ys, -xs),
        2: (-xs, -ys),
        3: (-ys, xs),
    }[camera.quarters % 4]
    per_px = PX_PER_CELL / camera.scale
    return (
        np.floor(across * per_px).astype(np.int64),
        np.floor(down * per_px).astype(np.int64),
    )


@lru_cache(maxsize=2048)
def _unpacked(bits: bytes) -> Flags:
    flat = np.unpackbits(np.frombuffer(bits, np.uint8))
    return flat.reshape(TILE_PX, TILE_PX).astype(np.bool_)


def shrunk(flags: Flags) -> Flags:
    """Return where a pixel and all eight around it are set; the rim itself is cut off."""
    across = flags[:, :-2] & flags[:, 1:-1] & flags[:, 2:]
    return across[:-2] & across[1:-1] & across[2:]


def stripes(rect: QRect, light: int, dark: int) -> Bytes:
    """Return slanted stripes over a device rectangle, by which the GM knows what is by hand."""
    xs = np.arange(rect.left(), rect.left() + rect.width())
    ys = np.arange(rect.top(), rect.top() + rect.height())
    odd = (xs[None, :] + ys[:, None]) // _STRIPE_PX % 2 == 1
    return np.where(odd, np.uint8(dark), np.uint8(light))


def softened(alpha: Bytes, reach_px: float) -> Bytes:
    """Let the darkness fade inward over `reach_px`; no pixel becomes brighter.

    The darkness is grown a little before it is blurred: so the true edge stays as dark as what
    lies behind it, also around a crack or a corner, and no step of a raster shows.
    """
    hard = Image.fromarray(alpha)
    soft = hard
    step = soft_step(reach_px)
    grown = 2 * max(1, round(_GROWN * reach_px / step)) + 1
    for level in (255, PLAYERS_DIM):
        at_least = Image.fromarray(np.where(alpha >= level, np.uint8(255), np.uint8(0)))
        wide = at_least.reduce(step).filter(ImageFilter.MaxFilter(grown))
        blurred = wide.filter(ImageFilter.GaussianBlur(_BLURRED * reach_px / step))
        faded = blurred.point([_fade(value) * level // 255 for value in range(256)])
        size = faded.width * step, faded.height * step
        spread = faded.resize(size, Image.Resampling.BILINEAR)
        soft = ImageChops.lighter(soft, spread.crop((0, 0, *hard.size)))
    return np.asarray(soft)


def _fade(blurred: int) -> int:
    """Return a blur without its long thin tail, whole from the true edge on."""
    return min(255, int(max(0, blurred - _TAIL) * _GAIN))


def soft_step(reach_px: float) -> int:
    """Return by how much a picture is made smaller before it is blurred."""
    return max(2, int(reach_px // 6))


def smoothed(alpha: Bytes, radius_px: float) -> Bytes:
    """Round off the steps of the raster, for the GM, to whom nothing is secret."""
    return np.asarray(Image.fromarray(alpha).filter(ImageFilter.GaussianBlur(radius_px)))


def _turn(quarters: int) -> NDArray[np.float64]:
    """Return the matrix of a turn by quarters, clockwise on the screen."""
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters % 4]
    return np.array([(cos, -sin), (sin, cos)], dtype=np.float64)
