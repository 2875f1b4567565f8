"""The ruler: range, which knows no ground, or a walk, which pays for it.

Drag measures; Space sets a way-point; M changes between range and walk. Nothing is stored.
"""

from collections.abc import Sequence
from dataclasses import replace

from typing_extensions import override

from engine.model.space import Cell
from engine.model.token import Token
from gui.canvas.overlays.overlay import PathPreview, RulerPreview
from gui.canvas.pointer import PointerEvent
from gui.tools.tool import Host, Tool
from gui.tools.walking import path_preview, plain, rules_of, walk


class RulerTool(Tool):
    """Measuring between cells."""

    id = "ruler"
    hint = "Drag to measure; Space sets a way-point, M changes between range and walk"
    shows = ("ruler",)

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.walks = False
        self._points: list[Cell] = []
        self._end: Cell | None = None

    @property
    @override
    def busy(self) -> bool:
        return bool(self._points)

    @override
    def press(self, event: PointerEvent) -> None:
        self.reset()
        self._points = [event.cell]
        self._measure(event.cell)

    @override
    def move(self, event: PointerEvent) -> None:
        if self._points and event.cell != self._end:
            self._measure(event.cell)

    @override
    def release(self, event: PointerEvent) -> None:
        # The line stays until the next press or Esc, so that it can be read and shown.
        if self._end == (self._points[0] if self._points else None):
            self.reset()

    @override
    def key(self, name: str) -> bool:
        if name == "m":
            self.walks = not self.walks
            self.host.say(self.describe())
        elif name == "space" and self._points and self._end not in {None, self._points[-1]}:
            self._points.append(self._end or self._points[-1])
        elif name == "backspace" and len(self._points) > 1:
            self._points.pop()
        else:
            return False
        if self._end is not None:
            self._measure(self._end)
        return True

    @override
    def reset(self) -> None:
        self._points, self._end = [], None
        super().reset()

    @override
    def describe(self) -> str:
        return f"{'Walk' if self.walks else 'Range'}. {self.hint}"

    def _measure(self, end: Cell) -> None:
        self._end = end
        cells = (*self._points, end)
        walker = self._walker()
        made: RulerPreview | PathPreview
        if self.walks and walker is not None:
            made = self._as_walk(walker, cells)
        else:
            made = self._as_range(cells)
        self.host.show("ruler", made)

    def _walker(self) -> Token | None:
        """Return who would walk: the token on the first cell, else the selected one put there.

        Nobody walks from outside the board.
        """
        encounter = self.host.encounter
        start = self._points[0]
        if not self.host.grid.contains(start):
            return None
        standing = next((t for t in encounter.tokens.values() if t.cell == start), None)
        chosen = self.host.selected
        other = encounter.tokens.get(chosen[-1]) if chosen else None
        if standing is not None or other is None:
            return standing
        return other.changed(cell=start)

    def _as_walk(self, walker: Token, cells: Sequence[Cell]) -> PathPreview:
        # What is measured begins where it is drawn, whatever the token has declared.
        walker = walker.changed(cell=cells[0])
        rules = replace(rules_of(self.host, walker), budget=None)
        made = walk(self.host, walker, cells[1:], rules, asks=False)
        refusal = f": {made.refusal.sentence}" if made.refusal is not None else ""
        self.host.say(f"Walk of {walker.name}, cost {plain(made.cost)}{refusal}")
        return path_preview(self.host, made)

    def _as_range(self, cells: Sequence[Cell]) -> RulerPreview:
        grid = self.host.grid
        found = self.host.ruleset.measure(self.host.encounter, cells)
        self.host.say(f"Range {grid.label(cells[0])} to {grid.label(cells[-1])}: {found.label}")
        several = len(found.legs) > 1
        return RulerPreview(
            points=tuple(grid.center(cell) for cell in cells),
            labels=tuple(f"{leg.length:g}" for leg in found.legs) if several else (),
            total=found.label,
        )
