"""Darkness over one viewport, as a picture of alpha in device pixels.

While things move the mask is made at half the size or less, in some milliseconds, and with some
ground around what is shown: while the camera then pans and zooms over it, it is only spread over
the screen anew. When things rest the mask is made whole, with edges that fade. A small change at
rest is patched in place. Sight is filled polygon by polygon, each eye once and then only when it
changes; what is explored, revealed or veiled comes from its raster.

It fails closed: as long as there is no mask, or none can be made, the players see black.
"""

import logging
from dataclasses import dataclass, field
from math import ceil, floor, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from engine.grid.grid import Ring
from engine.model.fog import Tiles
from engine.view import FogView
from gui.canvas.layers.fog_changes import FogChange
from gui.canvas.layers.fog_raster import (
    GM_DARK,
    GM_DIM,
    PLAYERS_DIM,
    Bytes,
    Camera,
    Flags,
    Stamp,
    sampled,
    shrunk,
    smoothed,
    soft_step,
    softened,
    stamp,
    stripes,
)

SOFT_CELLS = 0.28
"""How far the players' soft edge reaches inward."""
GM_SMOOTH_CELLS = 0.06
MOVING_PX = 600_000
"""How many pixels a mask has at most while sight changes."""
CAMERA_PX = 260_000
"""The same while the camera moves."""
AROUND = 0.25
"""How much more than the viewport a mask for a moving camera holds, on every side."""
COARSEST = 1.7
"""How much coarser than it was made a mask may become when the camera comes closer."""
PATCH_PX = 500_000
"""Up to how many pixels a change is patched into a mask at rest."""

STRONG, FAINT = (GM_DARK - 20, GM_DARK + 60), (0, 44)
"""How dark the stripes are between each other."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Sheet:
    """A mask at one size: `hard` with true edges, `shown` what is painted.

    Both have `apron` pixels more than the viewport on every side: edges just outside fade into
    it, and the camera has room to move. `camera` is the one it was made for, `factor` times
    reduced.
    """

    fog: FogView
    camera: Camera
    factor: int
    apron: tuple[int, int]
    hard: Bytes
    shown: Bytes
    soft: bool = False

    @property
    def area(self) -> QRect:
        """Return the rectangle that the arrays cover, in this sheet's pixels."""
        height, width = self.hard.shape
        return QRect(-self.apron[0], -self.apron[1], width, height)

    def part(self, rect: QRect) -> tuple[slice, slice]:
        """Return the rows and columns of a rectangle."""
        left, top = rect.left() + self.apron[0], rect.top() + self.apron[1]
        return slice(top, top + rect.height()), slice(left, left + rect.width())

    def serves(self, camera: Camera) -> bool:
        """Tell whether it may be shown, spread anew, to a camera that has moved since.

        Only hard edges may: there a lit pixel is in sight as a whole, wherever it is looked at.
        """
        if self.soft or camera.quarters != self.camera.quarters:
            return False
        if camera.scale > COARSEST * self.factor * self.camera.scale:
            return False
        rows, columns = self.axes(QRect(0, 0, camera.width, camera.height), camera)
        height, width = self.hard.shape
        return bool(columns[0] >= 0 and rows[0] >= 0 and columns[-1] < width and rows[-1] < height)

    def axes(self, rect: QRect, camera: Camera) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows and columns in which the middles of a camera's device pixels lie."""
        ratio = self.camera.scale / camera.scale
        ys = np.arange(rect.top(), rect.top() + rect.height()) + 0.5 - camera.dy
        xs = np.arange(rect.left(), rect.left() + rect.width()) + 0.5 - camera.dx
        rows = np.floor(ys * ratio + self.camera.dy).astype(np.int64) + self.apron[1]
        columns = np.floor(xs * ratio + self.camera.dx).astype(np.int64) + self.apron[0]
        return rows, columns

    def alpha_at(self, x: int, y: int, camera: Camera) -> int:
        """Return what is shown at one of a camera's device pixels."""
        ratio = self.camera.scale / camera.scale
        row = floor((y + 0.5 - camera.dy) * ratio + self.camera.dy) + self.apron[1]
        column = floor((x + 0.5 - camera.dx) * ratio + self.camera.dx) + self.apron[0]
        return int(self.shown[row, column])

    def spread(self, rect: QRect, camera: Camera) -> tuple[Bytes, QPoint]:
        """Return what is shown, in device pixels, and where its first pixel lies.

        At least the rectangle is there. To draw pixel for pixel is several times quicker than to
        let Qt enlarge a coarse picture.
        """
        if self.soft:
            return self.shown, self.area.topLeft()
        rows, columns = self.axes(rect, camera)
        wide = np.take(self.shown[rows[0] : rows[-1] + 1], columns, axis=1)
        return np.take(wide, rows - rows[0], axis=0), rect.topLeft()


class _Explored(NamedTuple):
    """Where ground is explored, of all that a sheet covers."""

    tiles: Tiles
    camera: Camera
    resting: bool
    area: QRect
    flags: Flags

    def serves(self, tiles: Tiles, camera: Camera, rect: QRect, *, resting: bool) -> bool:
        """Tell whether it holds what is explored in a rectangle."""
        same = self.tiles is tiles and self.camera == camera and self.resting is resting
        return same and self.area.contains(rect)

    def of(self, rect: QRect) -> Flags:
        """Return what is explored in a rectangle."""
        top, left = rect.top() - self.area.top(), rect.left() - self.area.left()
        return self.flags[top : top + rect.height(), left : left + rect.width()]


@dataclass(slots=True)
class _Stamps:
    """The filled polygons of all eyes for one scale, by the identity of their rings."""

    scale: float = 0.0
    quarters: int = 0
    by_eye: dict[int, tuple[tuple[Ring, ...], Stamp]] = field(default_factory=dict)


class FogMask:
    """Keeps the darkness of one viewport in step with fog and camera."""

    def __init__(self, *, players: bool) -> None:
        self._players = players
        self._fog: FogView | None = None
        self._camera: Camera | None = None
        self._sheet: _Sheet | None = None
        self._passing: _Sheet | None = None
        """What was shown while the camera last moved; it may serve when it moves on."""
        self._stamps = {True: _Stamps(), False: _Stamps()}
        self._explored: _Explored | None = None
        self._hints = False
        self.failed = False

    @property
    def needed(self) -> bool:
        """Tell whether anything is dark at all."""
        fog = self._fog
        if fog is None or not fog.enabled:
            return False
        if self._players or self._hints:
            return True
        return fog.sight is not None or bool(fog.veiled)

    @property
    def resting(self) -> bool:
        """Tell whether the mask is as fine as it gets."""
        return self._sheet is None or self._sheet.soft

    def show_hints(self, *, on: bool) -> None:
        """Shade for the GM what the players have never seen."""
        if on != self._hints:
            self._hints, self._fog = on, None
            self._sheet = self._passing = None

    def prepare(self, change: FogChange | None, fog: FogView, camera: Camera) -> None:
        """Make the mask ready for a fog and a camera, anew only where it has to be."""
        moved = self._camera != camera or self._sheet is None
        if not moved and fog is self._fog:
            return
        known = change is not None and change.before is self._fog and change.after is fog
        rects = change.rects if known and change is not None and not moved else None
        self._fog, self._camera = fog, camera
        if not self.needed:
            self._sheet = self._passing = None
            return
        try:
            self._update(camera, rects, moved=moved)
            self.failed = False
        except Exception:  # noqa: BLE001  whatever it is, the players must see black, not the map
            _log.exception("The fog cannot be drawn")
            self._sheet, self._passing, self.failed = None, None, True

    def rest(self) -> None:
        """Make the mask whole, with edges that fade; done when nothing moves."""
        if self._sheet is None or self._camera is None or self._sheet.soft:
            return
        sheet = self._made(self._camera, resting=True)
        self._finish(sheet, sheet.area)
        sheet.soft = True
        self._sheet = sheet

    def paint(self, painter: QPainter, exposed: QRect, dpr: float) -> None:
        """Darken the exposed device rectangle; the painter must be in viewport coordinates."""
        target = QRectF(
            exposed.x() / dpr, exposed.y() / dpr, exposed.width() / dpr, exposed.height() / dpr
        )
        sheet = self._sheet
        if sheet is None:
            if self._players or self.failed:
                painter.fillRect(target, "#000000")
            return
        assert self._camera is not None
        if exposed.isEmpty():
            return
        alpha, corner = sheet.spread(exposed, self._camera)
        height, width = alpha.shape
        image = QImage(alpha.data, width, height, width, QImage.Format.Format_Alpha8)
        painter.drawImage(target, image, QRectF(exposed.translated(-corner)))

    def alpha_at(self, x: int, y: int) -> int:
        """Return how dark a device pixel is, 0 to 255."""
        sheet = self._sheet
        if sheet is None:
            return 255 if self.needed or self.failed else 0
        assert self._camera is not None
        return sheet.alpha_at(x, y, self._camera)

    def _update(self, camera: Camera, rects: list[QRectF] | None, *, moved: bool) -> None:
        """Bring the sheet up to date: patched where only `rects` changed and that is little."""
        sheet = self._sheet
        if sheet is not None and rects is not None:
            parts = [sheet.camera.rect(rect).intersected(sheet.area) for rect in rects]
            size = sum(part.width() * part.height() for part in parts)
            if not sheet.soft or size <= PATCH_PX:
                self._patch(sheet, [part for part in parts if not part.isEmpty()])
                return
        known = self._passing
        if moved and known is not None and known.fog is self._fog and known.serves(camera):
            self._sheet = known
            return
        self._sheet = self._made(camera, moved=moved)
        self._passing = self._sheet if moved else None

    def _made(self, camera: Camera, *, moved: bool = False, resting: bool = False) -> _Sheet:
        """Return a new sheet with hard edges, whole for a `resting` camera."""
        most = CAMERA_PX if moved else MOVING_PX
        factor = 1 if resting else max(2, ceil(sqrt(camera.width * camera.height / most)))
        small = camera.reduced(factor)
        apron = (1, 1)
        if resting:
            apron = (2 * ceil(self._reach(small)),) * 2
        elif moved:
            apron = ceil(AROUND * small.width), ceil(AROUND * small.height)
        width, height = small.width + 2 * apron[0], small.height + 2 * apron[1]
        area = QRect(-apron[0], -apron[1], width, height)
        self._stamp_eyes(small, area, resting=resting)
        assert self._fog is not None
        tiles = self._fog.explored
        flags = _shown(tiles, small, area, resting=resting)
        self._explored = _Explored(tiles, small, resting, area, flags)
        hard = self._darkness(small, area, resting=resting)
        return _Sheet(self._fog, small, factor, apron, hard, hard)

    def _patch(self, sheet: _Sheet, parts: list[QRect]) -> None:
        """Make some rectangles of a sheet anew."""
        self._stamp_eyes(sheet.camera, sheet.area, resting=sheet.soft)
        assert self._fog is not None
        sheet.fog = self._fog
        for part in parts:
            sheet.hard[sheet.part(part)] = self._darkness(sheet.camera, part, resting=sheet.soft)
        if sheet.soft:
            reach = ceil(self._reach(sheet.camera))
            for part in parts:
                wide = part.adjusted(-reach, -reach, reach, reach)
                self._finish(sheet, wide.intersected(sheet.area))

    def _finish(self, sheet: _Sheet, part: QRect) -> None:
        """Give a part of the sheet its fading edges, from the hard ones around it."""
        reach = self._reach(sheet.camera)
        step = soft_step(reach)
        margin = 2 * ceil(reach) + step
        wide = part.adjusted(-margin, -margin, margin, margin).intersected(sheet.area)
        # Small pictures are made of blocks of `step` pixels: start where the whole one's do.
        wide.setLeft(wide.left() - (wide.left() + sheet.apron[0]) % step)
        wide.setTop(wide.top() - (wide.top() + sheet.apron[1]) % step)
        hard = sheet.hard[sheet.part(wide)]
        if self._players:
            soft = softened(hard, reach)
        else:
            soft = smoothed(hard, max(0.7, GM_SMOOTH_CELLS * sheet.camera.scale))
        inner = soft[
            part.top() - wide.top() : part.top() - wide.top() + part.height(),
            part.left() - wide.left() : part.left() - wide.left() + part.width(),
        ]
        if sheet.shown is sheet.hard:
            sheet.shown = sheet.hard.copy()
        sheet.shown[sheet.part(part)] = self._with_veil(inner, sheet.camera, part)

    def _with_veil(self, alpha: Bytes, camera: Camera, rect: QRect) -> Bytes:
        """Stripe for the GM what is veiled by hand, and faintly what is revealed by hand."""
        fog = self._fog
        if self._players or fog is None:
            return alpha
        if self._hints and fog.revealed:
            alpha = np.where(sampled(fog.revealed, camera, rect), stripes(rect, *FAINT), alpha)
        if fog.veiled:
            alpha = np.where(sampled(fog.veiled, camera, rect), stripes(rect, *STRONG), alpha)
        return alpha

    def _reach(self, camera: Camera) -> float:
        return max(2.0, SOFT_CELLS * camera.scale)

    def _stamp_eyes(self, camera: Camera, area: QRect, *, resting: bool) -> None:
        """Fill the polygons of eyes that are new or whose stamps the camera has left behind."""
        assert self._fog is not None
        stamps = self._stamps[resting]
        if (stamps.scale, stamps.quarters) != (camera.scale, camera.quarters):
            stamps.scale, stamps.quarters = camera.scale, camera.quarters
            stamps.by_eye = {}
        # At rest with some more around: the map is often moved a little and rests again.
        more = (area.width() // 4, area.height() // 4) if resting else (0, 0)
        reach = area.adjusted(-more[0], -more[1], *more)
        kept = {}
        for rings in self._fog.sight or ():
            found = stamps.by_eye.get(id(rings))
            if found is None or not found[1].serves(camera, area):
                found = (rings, stamp(rings, camera, reach, without_border=not resting))
            kept[id(rings)] = found
        stamps.by_eye = kept

    def _darkness(self, camera: Camera, rect: QRect, *, resting: bool) -> Bytes:
        """Return the alpha of a rectangle, with hard edges."""
        fog = self._fog
        assert fog is not None
        lit = self._seen(camera, rect, resting=resting)
        if fog.revealed:
            lit = lit | _shown(fog.revealed, camera, rect, resting=resting)
        explored = self._explored_in(camera, rect, resting=resting)
        dark, dim = (255, PLAYERS_DIM) if self._players else (GM_DARK, GM_DIM)
        if self._hints and fog.sight is None:
            dim = 0
        alpha = np.where(explored, np.uint8(dim), np.uint8(dark))
        alpha[lit] = 0
        if fog.veiled:
            wide = sampled(fog.veiled, camera, rect.adjusted(-1, -1, 1, 1))
            veiled = wide[1:-1, 1:-1] if resting else ~shrunk(~wide)
            alpha[veiled] = dark
        return alpha

    def _explored_in(self, camera: Camera, rect: QRect, *, resting: bool) -> Flags:
        """Return where ground is explored; a token that is dragged about explores nothing new."""
        assert self._fog is not None
        tiles, known = self._fog.explored, self._explored
        if known is not None and known.serves(tiles, camera, rect, resting=resting):
            return known.of(rect)
        return _shown(tiles, camera, rect, resting=resting)

    def _seen(self, camera: Camera, rect: QRect, *, resting: bool) -> Flags:
        """Return where any eye sees, one pixel less than its polygon all around."""
        if self._fog is not None and self._fog.sight is None:
            # For the GM no sight means all is in sight; for the players it means no mask.
            lit = not self._players and not self._hints
            return np.full((rect.height(), rect.width()), lit)
        # At rest a pixel is looked at in its middle alone; one is taken off all around. While
        # things move the stamps themselves are smaller, each by itself: what lies beyond one's
        # side is not in sight just because the pixel next to it is, for another eye.
        wide = rect.adjusted(-1, -1, 1, 1) if resting else rect
        filled = np.zeros((wide.height(), wide.width()), np.bool_)
        for _, made in self._stamps[resting].by_eye.values():
            made.add_to(filled, wide, camera)
        return shrunk(filled) if resting else filled


def _shown(tiles: Tiles, camera: Camera, rect: QRect, *, resting: bool) -> Flags:
    """Return where a raster is set.

    While things move a pixel of the mask covers several on the screen, and only its middle is
    looked at: then one pixel is taken off all around.
    """
    if not tiles or resting:
        return sampled(tiles, camera, rect)
    return shrunk(sampled(tiles, camera, rect.adjusted(-1, -1, 1, 1)))
