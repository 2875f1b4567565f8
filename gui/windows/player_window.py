"""What the players see: the screen for the second monitor, and its miniature for the GM.

Both show one `PlayerScreen`, fed with the players' View, so the miniature cannot show anything
else than the window does. Black until the first View comes. No tooltips, no menu, no keyboard
focus; the pointer is hidden.
"""

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from engine.model.audience import Frame2D, StageMode
from engine.model.space import Point
from engine.view import View
from gui.canvas.board_view import BoardView
from gui.canvas.camera_state import CameraState
from gui.canvas.scene import BoardScene
from gui.canvas.space import scene_to_world
from gui.facts import in_words
from gui.pictures import Pictures
from gui.plans import plans_preview
from gui.theme import Theme, color, ui_font

_NAMES_SHOWN = 3
_HANDOUT_PX = 2560


class PlayerScreen(QWidget):
    """The players' picture: board, banner, handout, or black."""

    def __init__(self, theme: Theme, pictures: Pictures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view: View | None = None
        self.scene = BoardScene(theme, pictures)
        self.board = BoardView(self.scene, self, players=True)
        self.board.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._cover = _Cover(pictures, self)
        self._banner = _Banner(theme, self)
        self._banner.hide()

    def show_view(self, view: View) -> None:
        """Show the players' View in its mode; the first one is fitted into the window."""
        first = self.view is None
        self.view = view
        self.scene.sync(view)
        self.board.set_preview("plans", plans_preview(view))
        if first:
            self.board.fit_board()
        on_map = view.mode in (StageMode.LIVE, StageMode.FROZEN)
        self._cover.show_picture(view.handout if view.mode is StageMode.PICTURE else None)
        self._cover.setVisible(not on_map)
        self._banner.show_text(banner_text(view) if on_map else "")
        self._lay_out()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self.scene.set_theme(theme)
        self._banner.theme = theme
        self.update()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        self.board.setGeometry(self.rect())
        self._cover.setGeometry(self.rect())
        self._banner.place_in(self.rect())


class PlayerWindow(QWidget):
    """The players' window; `gui.screens.SecondScreen` decides where it stands."""

    closed = Signal()
    frame_changed = Signal()
    """The part of the world that the players see is another one."""
    screen_changed = Signal()
    """The window is on another screen, by whomever it was moved."""

    def __init__(self, theme: Theme, pictures: Pictures) -> None:
        super().__init__(None, Qt.WindowType.Window | Qt.WindowType.WindowDoesNotAcceptFocus)
        self.setWindowTitle("Battlemat: players")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.screen_widget = PlayerScreen(theme, pictures, self)
        self._true_device_px: float | None = None
        self._watches_screen = False
        self._before_overview: CameraState | None = None
        self._overview = QTimer(self, singleShot=True)
        self._overview.timeout.connect(self.end_overview)
        self.board.camera_changed.connect(self.frame_changed)

    @property
    def board(self) -> BoardView:
        """Return the players' map, for previews that are mirrored there and for its camera."""
        return self.screen_widget.board

    @property
    def scene(self) -> BoardScene:
        """Return the players' scene."""
        return self.screen_widget.scene

    @property
    def frame(self) -> Frame2D:
        """Return the part of the world that the players see."""
        return self.board.frame

    @property
    def true_device_px(self) -> float | None:
        """Return the fixed size of a cell in device pixels, None if it is free."""
        return self._true_device_px

    @property
    def is_true_size(self) -> bool:
        """Tell whether cells have a fixed size on the table."""
        return self._true_device_px is not None

    def show_view(self, view: View) -> None:
        """Show the players' View: map, black or handout, as its mode says."""
        self.screen_widget.show_view(view)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self.screen_widget.set_theme(theme)

    def follow(self, center: Point, scale: float | None = None) -> None:
        """Bring a world point into the middle, at `scale` pixels per cell unless size is locked."""
        if scale is None or self.is_true_size:
            self.board.center_on(center)
        else:
            self.board.set_camera(center, scale)

    def show_frame(self, frame: Frame2D) -> None:
        """Show at least the world that a frame holds; at true size only its middle counts."""
        size = self.board.size()
        scale = min(size.width() / frame.width, size.height() / frame.height)
        self.follow(frame.center, scale)

    def fit_board(self) -> None:
        """Show the whole board, or its middle at true size."""
        if self.is_true_size:
            self.board.center_on(scene_to_world(self.scene.board_rect.center()))
        else:
            self.board.fit_board()

    def set_rotation(self, rotation_deg: int) -> None:
        """Turn the map for a table top; writing stays upright."""
        self.board.set_rotation(rotation_deg)

    def set_true_size(self, device_px_per_cell: float | None) -> None:
        """Fix the size of a cell in device pixels and lock the zoom; None frees it."""
        self.end_overview()
        self._true_device_px = device_px_per_cell
        self.board.locked = device_px_per_cell is not None
        self._apply_true_size()

    def pan_cells(self, columns: int, rows: int) -> None:
        """Move the view over the map by whole cells, as the players see right and down."""
        self.board.pan_cells(columns, rows)

    def overview(self, seconds: float = 10.0) -> None:
        """Show the whole board for some seconds, then exactly what was shown before."""
        if self._before_overview is None:
            self._before_overview = self.board.camera_state()
        self.board.locked = False
        self.board.fit_board()
        self._overview.start(round(seconds * 1000))

    def end_overview(self) -> None:
        """Go back to what was shown before the overview."""
        self._overview.stop()
        if self._before_overview is not None:
            state, self._before_overview = self._before_overview, None
            self.board.restore_camera(state)
            self.board.locked = self.is_true_size

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), Qt.GlobalColor.black)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self.screen_widget.setGeometry(self.rect())
        self.frame_changed.emit()

    @override
    def event(self, event: QEvent) -> bool:
        # Moved to a screen of another pixel ratio, or the person changed it.
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._apply_true_size()
        return super().event(event)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        handle = self.windowHandle()
        if handle is not None and not self._watches_screen:
            self._watches_screen = True
            handle.screenChanged.connect(lambda _screen: self.screen_changed.emit())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Swallow keys: Escape must never drop the window out of full screen."""
        event.accept()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    @override
    def sizeHint(self) -> QSize:
        return QSize(960, 540)

    def _apply_true_size(self) -> None:
        if self._true_device_px is not None:
            scale = self._true_device_px / self.devicePixelRatioF()
            self.board.set_camera(self.board.frame.center, scale)


class MiniView(QWidget):
    """A live miniature of a `PlayerWindow`: a View of the players, drawn by the same screen.

    `reshaped` comes when what is shown has another shape than before.
    """

    reshaped = Signal()

    def __init__(
        self, theme: Theme, pictures: Pictures, window: PlayerWindow, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._shape = QSize()
        self.screen_widget = PlayerScreen(theme, pictures, self)
        # It is looked at only; the GM moves the players' frame on the map.
        self.screen_widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("What the players see")
        window.frame_changed.connect(self.follow_window)
        window.closed.connect(lambda: QTimer.singleShot(0, self, self.follow_window))

    @property
    def shape(self) -> QSize:
        """Return the shape of what is shown: the window's, or the board's while there is none."""
        if self._window.isVisible():
            return self._window.board.size()
        board = self.screen_widget.scene.board_rect.size().toSize()
        return board.transposed() if self._window.board.rotation_deg % 180 else board

    def show_view(self, view: View) -> None:
        """Show what the player window shows."""
        self.screen_widget.show_view(view)
        self.follow_window()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self.screen_widget.set_theme(theme)

    def follow_window(self) -> None:
        """Show the same part of the world, as large as it goes; all while there is no window."""
        if self.shape != self._shape:
            self._shape = self.shape
            self.reshaped.emit()
        size = self._window.board.size()
        if size.isEmpty() or self.rect().isEmpty():
            return
        if not self._window.isVisible():
            self.screen_widget.setGeometry(self.rect())
            self.screen_widget.board.set_rotation(self._window.board.rotation_deg)
            self.screen_widget.board.fit_board()
            return
        room = size.scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRect(
            (self.width() - room.width()) // 2,
            (self.height() - room.height()) // 2,
            room.width(),
            room.height(),
        )
        self.screen_widget.setGeometry(place)
        share = place.width() / size.width()
        board = self._window.board
        if share == 1.0:
            self.screen_widget.board.restore_camera(board.camera_state())
        else:
            self.screen_widget.board.set_camera(
                board.frame.center, board.px_per_cell * share, board.rotation_deg
            )

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self.follow_window()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), Qt.GlobalColor.black)

    @override
    def sizeHint(self) -> QSize:
        return QSize(240, 150)


def banner_text(view: View) -> str:
    """Return the line at the top: where the fight stands and who acts, of those that are shown."""
    if view.step is None:
        return ""
    names = [view.tokens[each].name for each in view.active if each in view.tokens]
    if 1 <= len(names) <= _NAMES_SHOWN:
        verb = "acts" if len(names) == 1 else "act"
        return f"{view.step.title} · {in_words(names)} {verb}"
    return " · ".join(part for part in (view.step.title, view.step.subtitle) if part)


class _Cover(QWidget):
    """Black, or a handout on black."""

    def __init__(self, pictures: Pictures, parent: QWidget) -> None:
        super().__init__(parent)
        self._pictures = pictures
        self._sha256: str | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        pictures.changed.connect(self._picture_changed)

    def show_picture(self, sha256: str | None) -> None:
        """Show a handout; None for black."""
        if sha256 != self._sha256:
            self._sha256 = sha256
            self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.black)
        image = self._pictures.whole(self._sha256, _HANDOUT_PX) if self._sha256 else None
        if image is None or image.isNull():
            return
        room = image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRectF(QPointF(), room.toSizeF())
        place.moveCenter(QRectF(self.rect()).center())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(place, image)

    def _picture_changed(self, sha256: str) -> None:
        if sha256 == self._sha256:
            self.update()


class _Banner(QWidget):
    """The pill at the top that says whose turn it is; it grows with the window."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self._text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_text(self, text: str) -> None:
        """Show a text; an empty one hides the banner."""
        self._text = text
        self.setVisible(bool(text))
        self.update()

    def place_in(self, room: QRect) -> None:
        """Stand in the middle of the upper edge."""
        metrics = QFontMetricsF(self._font(room))
        height = metrics.height() * 1.9
        width = max(metrics.horizontalAdvance(self._text) + height * 1.6, room.width() * 0.22)
        width = min(width, room.width() * 0.96)
        left, top = (room.width() - width) / 2, room.height() * 0.022
        self.setGeometry(QRectF(left, top, width, height).toAlignedRect())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(self.theme.halo, 205))
        painter.drawRoundedRect(QRectF(self.rect()), self.height() / 2, self.height() / 2)
        parent = self.parentWidget()
        font = self._font(parent.rect() if parent is not None else self.rect())
        painter.setFont(font)
        painter.setPen(color(self.theme.mark))
        shown = QFontMetricsF(font).elidedText(
            self._text, Qt.TextElideMode.ElideRight, self.width() - self.height()
        )
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, shown)

    @staticmethod
    def _font(room: QRect) -> QFont:
        size = round(room.height() * 0.022)
        font = ui_font(size)
        # In the miniature it shrinks with everything else; there it need not be read.
        font.setPixelSize(max(4, size))
        return font
