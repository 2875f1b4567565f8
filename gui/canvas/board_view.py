"""The view of a board: paints what lies under and over the tokens, moves, and hears the mouse.

One class for the GM's canvas, the player window and its miniature; what they may show is decided
by the View that their scene was fed. Nothing is edited here: mouse events leave as
`PointerEvent`s, and what tools want to show comes in as previews.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsView, QWidget
from typing_extensions import override

from engine.model.audience import Frame2D
from engine.model.space import Point
from engine.view import FogView
from gui.canvas.camera_state import CameraState
from gui.canvas.layers.exposed_parts import clipped, parts_of
from gui.canvas.layers.exposure import Exposure
from gui.canvas.layers.fog_mask import FogMask
from gui.canvas.layers.fog_raster import Camera
from gui.canvas.layers.ground_cache import GroundCache
from gui.canvas.mouse import Pan, place_at, pointer_event
from gui.canvas.overlays.drawing import BELOW_TOKENS, draw
from gui.canvas.overlays.extent import extent
from gui.canvas.overlays.labels import Labels
from gui.canvas.overlays.live import PingClock, dragged_ghost
from gui.canvas.overlays.marks import paint_pointer, paint_rings
from gui.canvas.overlays.overlay import Preview
from gui.canvas.overlays.strokes import Canvas
from gui.canvas.pointer import PointerKind
from gui.canvas.scene import BoardScene
from gui.canvas.space import SCENE_PER_CELL, scene_to_world, world_to_scene
from gui.theme import color

MIN_PX_PER_CELL, MAX_PX_PER_CELL = 0.4, 400.0
WHEEL_STEP = 1.2
WALL_TOLERANCE_PX = 9.0
_DRAG_FROM_PX = 4
_SETTLE_MS = 90
_NOTCH = 120


class BoardView(QGraphicsView):
    """Shows one `BoardScene`."""

    pointer = Signal(object)
    """A `PointerEvent` for the tool."""
    space_tapped = Signal()
    """Space was pressed and released without dragging the map."""
    camera_changed = Signal()
    """Another part of the world is shown, or at another size."""

    def __init__(
        self, scene: BoardScene, parent: QWidget | None = None, *, players: bool = False
    ) -> None:
        super().__init__(parent)
        # A view does not own its scene: without this reference it silently goes blank.
        self._board = scene
        self.setScene(scene)
        self.wheel_pans = False
        """Let a touchpad's two fingers pan instead of zoom."""
        self.locked = False
        """Keep the size, and let the mouse pan by whole cells only."""
        self._players = players
        self._mask = FogMask(players=players)
        self._ground = GroundCache()
        self._labels = Labels()
        self._parts: list[QRect] = []
        self._awaited: tuple[Camera | None, FogView | None] = (None, None)
        self._previews: dict[str, Preview] = {}
        self._center: Point = (0.0, 0.0)
        self._shows_all = False
        self._rotation_deg = 0
        self._px_per_cell = SCENE_PER_CELL
        self._ranged_for = QRectF()
        self._pan: Pan | None = None
        self._space_held = self._space_panned = False
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._rest)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setMouseTracking(True)
        self.setAccessibleName("Map")
        self.setAccessibleDescription("The turn list, the sheet and the log tell the same in words")
        self._pings = PingClock(lambda preview: self.set_preview("pings", preview), self)
        self._show_cursor()
        scene.synced.connect(self._scene_synced)
        scene.board_changed.connect(self._board_changed)

    @property
    def board(self) -> BoardScene:
        """Return the scene."""
        return self._board

    @property
    def px_per_cell(self) -> float:
        """Return how many logical pixels a cell is wide."""
        return self._px_per_cell

    @property
    def rotation_deg(self) -> int:
        """Return how far the map is turned clockwise: 0, 90, 180 or 270."""
        return self._rotation_deg

    @property
    def frame(self) -> Frame2D:
        """Return the part of the world that is shown; width and height as seen on the screen."""
        size = self.viewport().size()
        return Frame2D(
            center=self._center,
            width=max(size.width(), 1) / self._px_per_cell,
            height=max(size.height(), 1) / self._px_per_cell,
            rotation_deg=self._rotation_deg,
        )

    def set_preview(self, name: str, preview: Preview | None) -> None:
        """Show a preview under a name in place of the one before; None takes it away."""
        before = self._previews.pop(name, None)
        if preview is not None:
            self._previews[name] = preview
        if before == preview:
            return
        px = SCENE_PER_CELL / self._px_per_cell
        for each in (before, preview):
            if each is not None:
                self._board.update(extent(self._board, each, px))

    def show_fog_hints(self, *, on: bool) -> None:
        """Shade for the GM what the players have never seen, or leave the map as it is."""
        self._mask.show_hints(on=on)
        self.viewport().update()

    def clear_previews(self) -> None:
        """Take all previews away."""
        for name in list(self._previews):
            self.set_preview(name, None)

    def world_at(self, position: QPoint | QPointF) -> Point:
        """Return the world point at a point of the viewport."""
        back, _ = self.viewportTransform().inverted()
        return scene_to_world(back.map(QPointF(position)))

    def position_of(self, world: Point) -> QPointF:
        """Return the point of the viewport at a world point."""
        return self.viewportTransform().map(world_to_scene(world))

    def center_on(self, world: Point) -> None:
        """Bring a world point into the middle."""
        self._center, self._shows_all = world, False
        self.centerOn(world_to_scene(world))
        self.camera_changed.emit()

    def fit_board(self) -> None:
        """Show the whole board as large as it fits."""
        rect = self._board.board_rect
        if rect.isEmpty():
            return
        turned = self._rotation_deg % 180 != 0
        width, height = (rect.height(), rect.width()) if turned else (rect.width(), rect.height())
        room = self.viewport().size()
        share = min(room.width() / width, room.height() / height) * 0.98
        self.set_camera(scene_to_world(rect.center()), share * SCENE_PER_CELL)
        self._shows_all = True

    def set_camera(
        self, center: Point, px_per_cell: float, rotation_deg: int | None = None
    ) -> None:
        """Show the world around a point at a size in logical pixels per cell."""
        if rotation_deg is not None:
            self._rotation_deg = rotation_deg % 360 // 90 * 90
        self._px_per_cell = max(MIN_PX_PER_CELL, min(MAX_PX_PER_CELL, px_per_cell))
        self._apply_transform()
        self.center_on(center)

    def show_corner(self, corner: Point, px_per_cell: float) -> None:
        """Show the world from exactly this upper left corner on."""
        size = self.viewport().size()
        half = size.width() / 2 / px_per_cell, size.height() / 2 / px_per_cell
        self.set_camera((corner[0] + half[0], corner[1] + half[1]), px_per_cell, 0)
        self._scroll_by(self.position_of(corner))
        self._camera_moved()

    def camera_state(self) -> CameraState:
        """Return what is shown, to come back to."""
        return CameraState(
            center=self._center,
            px_per_cell=self._px_per_cell,
            rotation_deg=self._rotation_deg,
            across=self.horizontalScrollBar().value(),
            down=self.verticalScrollBar().value(),
            shows_all=self._shows_all,
        )

    def restore_camera(self, state: CameraState) -> None:
        """Show exactly what was shown; the viewport must have the size it had."""
        self._px_per_cell, self._rotation_deg = state.px_per_cell, state.rotation_deg
        self._apply_transform()
        self.horizontalScrollBar().setValue(state.across)
        self.verticalScrollBar().setValue(state.down)
        self._center, self._shows_all = state.center, state.shows_all
        self.camera_changed.emit()

    def set_rotation(self, rotation_deg: int) -> None:
        """Turn the map to 0, 90, 180 or 270 degrees about the middle of the view."""
        self.set_camera(self.frame.center, self._px_per_cell, rotation_deg)

    def zoom_at(self, position: QPointF, factor: float) -> None:
        """Zoom by a factor with the world point under a viewport point held fast."""
        world = world_to_scene(self.world_at(position))
        before = self._px_per_cell
        self._px_per_cell = max(MIN_PX_PER_CELL, min(MAX_PX_PER_CELL, before * factor))
        if self._px_per_cell == before:
            return
        # All is painted anew: without this Qt would first copy the whole window aside, twice.
        self.viewport().setUpdatesEnabled(False)
        self._apply_transform()
        self._scroll_by(self.viewportTransform().map(world) - position)
        self.viewport().setUpdatesEnabled(True)
        self._camera_moved()

    def pan_by(self, dx: float, dy: float) -> None:
        """Move the view over the map by logical pixels."""
        self._scroll_by(QPointF(dx, dy))
        self._camera_moved()

    def pan_cells(self, columns: int, rows: int) -> None:
        """Move the view by whole cells to the right and down as seen; no rounding adds up."""
        dx, dy = {
            0: (columns, rows),
            90: (rows, -columns),
            180: (-columns, -rows),
            270: (-rows, columns),
        }[self._rotation_deg]
        self.center_on((self._center[0] + dx, self._center[1] + dy))

    def rest_now(self) -> None:
        """Finish at once what otherwise waits for a pause: sharp tokens and soft edges."""
        self._tell_detail()
        self._board.sharpen_now()
        self._prepare_mask()
        self._rest()

    def fog_alpha_at(self, position: QPoint) -> int:
        """Return how dark the fog is at a point of the viewport, 0 to 255."""
        self._prepare_mask()
        dpr = self.devicePixelRatioF()
        return self._mask.alpha_at(round(position.x() * dpr), round(position.y() * dpr))

    @override
    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        self._prepare_mask()
        self._paint_parts(painter, QRectF(rect), self._paint_below)

    @override
    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        self._paint_parts(painter, QRectF(rect), self._paint_above)

    def _paint_parts(
        self, painter: QPainter, rect: QRectF, paint: Callable[[QPainter, Exposure], None]
    ) -> None:
        """Paint what is exposed: the two strips of a pan each by itself, not all between them."""
        if len(self._parts) < 2:
            paint(painter, self._exposure(rect))
            return
        for part in self._parts:
            with clipped(painter, part) as exposed:
                paint(painter, self._exposure(exposed))

    def _paint_below(self, painter: QPainter, exposure: Exposure) -> None:
        if self._board.view is None or self._board.layers is None:
            painter.fillRect(exposure.rect, self._surround())
            return
        self._paint_ground(painter, exposure)
        if self._mask.needed:
            self._paint_fog(painter, exposure)
            if self._players and self._mask.resting:
                # While things move darkness has a hard edge, and walls show as far as sight goes.
                self._board.layers.paint_known(painter, exposure)
        self._paint_previews(painter, exposure, below=True)

    def _paint_above(self, painter: QPainter, exposure: Exposure) -> None:
        view = self._board.view
        if view is None:
            return
        if self._mask.failed and self._players:
            painter.fillRect(exposure.rect, color(exposure.theme.fog))
            return
        self._labels.paint(painter, exposure, self._board)
        paint_rings(painter, exposure, self._board)
        self._paint_previews(painter, exposure, below=False)
        if view.pointer is not None:
            paint_pointer(painter, exposure, view.pointer)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_range()
        if self._shows_all:
            self.fit_board()
            return
        self.centerOn(world_to_scene(self._center))
        self.camera_changed.emit()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        self._tell_detail()
        self._parts = parts_of(event.region(), self.devicePixelRatioF())
        super().paintEvent(event)
        self._parts = []

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        pans = event.button() in (Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton)
        if pans or (self._space_held and event.button() is Qt.MouseButton.LeftButton):
            at = event.position().toPoint()
            self._pan = self._pan or Pan(event.button(), at, at)
            return
        self._send(PointerKind.PRESS, event)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and not self._space_held:
            self._send(PointerKind.DOUBLE, event)
        else:
            self.mousePressEvent(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pan is not None:
            self._pan_to(event.position().toPoint())
            return
        held = event.buttons() != Qt.MouseButton.NoButton
        self._send(PointerKind.MOVE if held else PointerKind.HOVER, event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pan = self._pan
        if pan is None or event.button() is not pan.button:
            self._send(PointerKind.RELEASE, event)
            return
        self._pan = None
        self._show_cursor()
        if not pan.moved and pan.button is Qt.MouseButton.RightButton:
            self._send(PointerKind.PRESS, event)
            self._send(PointerKind.RELEASE, event)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        pixels, angle = event.pixelDelta(), event.angleDelta()
        ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if self.wheel_pans and not pixels.isNull() and not ctrl:
            self.pan_by(-pixels.x(), -pixels.y())
            return
        # Alt turns the wheel sideways on some systems.
        steps = (angle.y() or angle.x()) / _NOTCH
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._send(PointerKind.WHEEL, event, wheel_steps=steps)
        elif steps and not self.locked:
            self.zoom_at(event.position(), WHEEL_STEP**steps)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        at = self.viewport().mapFromGlobal(self.cursor().pos())
        place = place_at(self._board, self.world_at(at), 0.0)
        self.pointer.emit(pointer_event(PointerKind.LEAVE, place))
        super().leaveEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.modifiers():
            if not event.isAutoRepeat():
                self._space_held, self._space_panned = True, False
                self._show_cursor()
            return
        # Not the base class: it would scroll on arrow keys, which move tokens here.
        event.ignore()

    @override
    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self._space_held:
            if not event.isAutoRepeat():
                self._space_held = False
                self._show_cursor()
                if not self._space_panned:
                    self.space_tapped.emit()
            return
        event.ignore()

    @override
    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002  Qt's own name
        """Leave Tab its usual meaning."""
        return QWidget.focusNextPrevChild(self, next)

    @override
    def sizeHint(self) -> QSize:
        return QSize(900, 640)

    def _tell_detail(self) -> None:
        """Have tokens baked for what is shown; the pixel ratio may change with the screen."""
        self._board.set_detail(self._px_per_cell * self.devicePixelRatioF(), self._rotation_deg)

    def _exposure(self, rect: QRectF, *, moving: bool = False) -> Exposure:
        return Exposure(
            rect=rect,
            px_per_cell=self._px_per_cell,
            dpr=self.devicePixelRatioF(),
            rotation_deg=self._rotation_deg,
            players=self._players,
            theme=self._board.theme,
            moving=moving,
        )

    def _camera_moved(self) -> None:
        size = self.viewport().size()
        self._center = self.world_at(QPointF(size.width() / 2, size.height() / 2))
        self._shows_all = False
        self.camera_changed.emit()

    def _apply_transform(self) -> None:
        scale = self._px_per_cell / SCENE_PER_CELL
        self._set_range()
        self.setTransform(QTransform().rotate(self._rotation_deg).scale(scale, scale))

    def _set_range(self) -> None:
        """Let every point of the board be brought to every point of the view."""
        board = self._ranged_for = self._board.board_rect
        reach = max(self.width(), self.height(), 1) * SCENE_PER_CELL / self._px_per_cell
        self.setSceneRect(board.adjusted(-reach, -reach, reach, reach))

    def _scroll_by(self, delta: QPointF) -> None:
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setValue(round(across.value() + delta.x()))
        down.setValue(round(down.value() + delta.y()))

    def _scene_synced(self) -> None:
        view = self._board.view
        assert view is not None
        if self._board.board_rect != self._ranged_for:
            self._set_range()
            self.centerOn(world_to_scene(self._center))
        if self.isVisible():
            # Each change by itself: what is patched in need not be made anew as a whole.
            self._prepare_mask()
        self._pings.follow(view.pings)
        if self._players:
            self.set_preview("drag", dragged_ghost(self._board, view.drag))

    def _camera(self) -> Camera:
        dpr = self.devicePixelRatioF()
        transform = self.viewportTransform()
        size = self.viewport().size()
        return Camera(
            scale=self._px_per_cell * dpr,
            quarters=self._rotation_deg // 90,
            dx=transform.dx() * dpr,
            dy=transform.dy() * dpr,
            width=round(size.width() * dpr),
            height=round(size.height() * dpr),
        )

    def _prepare_mask(self) -> None:
        view = self._board.view
        if view is None:
            return
        self._mask.prepare(self._board.fog_change, view.fog, self._camera())
        if not self._mask.resting:
            self._await_rest()

    def _await_rest(self) -> None:
        """Come to rest when nothing has moved for a while; mere pointing about is no motion."""
        view = self._board.view
        camera, fog = self._camera(), view.fog if view is not None else None
        known = self._awaited
        if not self._settle.isActive() or camera != known[0] or fog is not known[1]:
            self._awaited = (camera, fog)
            self._settle.start()

    def _rest(self) -> None:
        """Draw anew, whole and smooth, what was made in haste while things moved."""
        self._settle.stop()
        if self._board.view is None:
            return
        camera, hasty = self._camera(), not self._mask.resting
        if not self._ground.holds(camera):
            dpr = self.devicePixelRatioF()
            self._ground.make(camera, self.viewportTransform(), dpr, self._draw_ground)
            hasty = True
        self._mask.rest()
        if hasty:
            self.viewport().update()

    def _surround(self) -> QColor:
        theme = self._board.theme
        return color(theme.fog if self._players else theme.surround)

    def _paint_ground(self, painter: QPainter, exposure: Exposure) -> None:
        """Draw what lies below the fog, from its picture if the camera rests."""
        camera = self._camera()
        if not self._ground.holds(camera):
            self._draw_ground(painter, exposure.rect, moving=True)
            self._await_rest()
            return
        painter.save()
        painter.resetTransform()
        self._ground.paint(
            painter,
            self._exposed(exposure),
            self.viewportTransform(),
            exposure.dpr,
            self._draw_ground,
        )
        painter.restore()

    def _draw_ground(self, painter: QPainter, rect: QRectF, *, moving: bool = False) -> None:
        painter.fillRect(rect, self._surround())
        if self._board.layers is not None:
            self._board.layers.paint(painter, self._exposure(rect, moving=moving))

    def _board_changed(self, rects: list[QRectF] | None) -> None:
        if rects is None:
            self._ground.forget()
        else:
            self._ground.mark(rects)

    def _exposed(self, exposure: Exposure) -> QRect:
        """Return the exposed part of the viewport in device pixels."""
        camera = self._camera()
        return camera.rect(exposure.rect).intersected(QRect(0, 0, camera.width, camera.height))

    def _paint_fog(self, painter: QPainter, exposure: Exposure) -> None:
        painter.save()
        if not self._players and self._board.layers is not None:
            # For the players all that is not the board is dark; the GM's surround stays calm.
            outline = self._board.layers.outline
            painter.setClipPath(outline, Qt.ClipOperation.IntersectClip)
        painter.resetTransform()
        self._mask.paint(painter, self._exposed(exposure), exposure.dpr)
        painter.restore()

    def _paint_previews(self, painter: QPainter, exposure: Exposure, *, below: bool) -> None:
        canvas = Canvas(painter, exposure, self._board)
        for preview in self._previews.values():
            wanted = isinstance(preview, BELOW_TOKENS) is below
            if wanted and extent(self._board, preview, exposure.px).intersects(exposure.rect):
                draw(canvas, preview)

    def _pan_to(self, at: QPoint) -> None:
        pan = self._pan
        assert pan is not None
        if not pan.moved and (at - pan.start).manhattanLength() < _DRAG_FROM_PX:
            return
        pan.moved = self._space_panned = True
        self._show_cursor()
        step = pan.last - at
        if not self.locked:
            pan.last = at
            self.pan_by(step.x(), step.y())
            return
        cell = self._px_per_cell
        columns, rows = int(step.x() / cell), int(step.y() / cell)
        if columns or rows:
            pan.last -= QPointF(columns * cell, rows * cell).toPoint()
            self.pan_cells(columns, rows)

    def _show_cursor(self) -> None:
        if self._pan is not None and self._pan.moved:
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self._space_held:
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        elif self._players:
            self.viewport().setCursor(Qt.CursorShape.BlankCursor)
        else:
            self.viewport().unsetCursor()

    def _send(
        self, kind: PointerKind, event: QMouseEvent | QWheelEvent, wheel_steps: float = 0.0
    ) -> None:
        """Emit what happened in the engine's words."""
        world = self.world_at(event.position())
        place = place_at(self._board, world, WALL_TOLERANCE_PX / self._px_per_cell)
        self.pointer.emit(pointer_event(kind, place, event, wheel_steps))
