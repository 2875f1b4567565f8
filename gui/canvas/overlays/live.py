"""What is on show for a moment for everybody: pings that spread, a token on its way."""

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

from engine.model.audience import LiveDrag, Ping
from gui.canvas.overlays.overlay import PING_MS, Ghost, GhostsPreview, PingsPreview
from gui.canvas.scene import BoardScene

_FRAME_MS = 33


class PingClock(QObject):
    """Shows each ping from the moment it is first seen until it has spread."""

    def __init__(self, show: Callable[[PingsPreview | None], None], parent: QObject) -> None:
        super().__init__(parent)
        self._show = show
        self._clocks: dict[Ping, QElapsedTimer] = {}
        self._timer = QTimer(self, interval=_FRAME_MS)
        self._timer.timeout.connect(self._tick)

    def follow(self, pings: tuple[Ping, ...]) -> None:
        """Take over the pings of a View; those that are gone vanish at once."""
        if not pings and not self._clocks:
            return
        known = self._clocks
        self._clocks = {ping: known.get(ping) or _started() for ping in pings}
        self._timer.start()
        self._tick()

    def _tick(self) -> None:
        ages = {ping: clock.elapsed() for ping, clock in self._clocks.items()}
        fresh = {ping: age for ping, age in ages.items() if age < PING_MS}
        if fresh:
            self._show(PingsPreview(tuple(fresh), tuple(fresh.values())))
        else:
            self._timer.stop()
            self._show(None)


def dragged_ghost(scene: BoardScene, drag: LiveDrag | None) -> GhostsPreview | None:
    """Return a token on its way, if this audience sees the token at all."""
    view, grid = scene.view, scene.grid
    if drag is None or view is None or grid is None or not drag.path:
        return None
    token = view.tokens.get(drag.token_id)
    if token is None:
        return None
    start, end = grid.center(token.cell), grid.center(drag.path[-1])
    dx, dy = end[0] - start[0], end[1] - start[1]
    rings = tuple(tuple((x + dx, y + dy) for x, y in ring) for ring in token.rings)
    center = token.center[0] + dx, token.center[1] + dy
    way = (start, *(grid.center(cell) for cell in drag.path if cell != token.cell))
    return GhostsPreview((Ghost(rings, center, token.side, "", way),))


def _started() -> QElapsedTimer:
    clock = QElapsedTimer()
    clock.start()
    return clock
