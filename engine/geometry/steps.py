"""Every step of one figure over a window of the board, compiled into bitboards.

A figure is moved by its anchor: the footprint is folded in here, so that the search knows single
cells only. A large figure tests every cell that it enters and pays for no cell that it already
covers; a wall may neither stand in the way of any of its cells nor cut through it.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.geometry.bitboard import Board, Frame
from engine.geometry.shape import Edge, Shape, Side, Swing
from engine.geometry.stepfield import Floats, Ints, StepField
from engine.geometry.stride import Charge, CornerCut, Share, Stride
from engine.grid.grid import Direction
from engine.model.space import Cell


class Part(NamedTuple):
    """Anchors from which a step in one direction costs the same.

    `rough` is what the ground counts as, `extra` what comes on top of the step's price.
    """

    anchors: Board
    rough: int = 1
    extra: int = 0
    halts: bool = False


Levels = tuple[tuple[int, Board], ...]
"""For some rising values the cells that have at least that value."""


class Steps:
    """The ground under a frame as boards, and the steps of figures over it."""

    def __init__(self, field: StepField, stride: Stride, frame: Frame) -> None:
        self._field = field
        self._stride = stride
        self.frame = frame

    @cached_property
    def _passable(self) -> Board:
        layout = self._field.layout
        return self.frame.pack([self.frame.cut(self._field.passable, layout, fill=False)])[0]

    @cached_property
    def _blocked(self) -> list[Board]:
        """Return the walled steps by direction, nothing where there are no walls."""
        layout = self._field.layout
        cuts = [self.frame.cut(array, layout, fill=False) for array in self._field.blocked]
        return self.frame.pack(cuts) if any(cut.any() for cut in cuts) else []

    @cached_property
    def _rough(self) -> Levels:
        return self._levels(self._field.rough, fill=1)

    @cached_property
    def _surcharge(self) -> Levels:
        return self._levels(self._field.surcharge, fill=0)

    @cached_property
    def _halts(self) -> Board:
        cut = self.frame.cut(self._field.halts, self._field.layout, fill=False)
        return self.frame.pack([cut])[0] if cut.any() else 0

    def may_end(self, cells: Sequence[Cell]) -> Board:
        """Return the anchors at which a figure with these cells may end its move."""
        cut = self.frame.cut(self._field.may_end, self._field.layout, fill=True)
        board = self.frame.pack([cut])[0]
        return self.frame.every(board, cells) & self.frame.inner

    def swings(self, swing: Swing) -> Board:
        """Return the anchors at which a figure may turn."""
        return self._open(swing.entered, swing.edges)

    def allowed(self, shape: Shape, direction: Direction) -> Board:
        """Return the anchors from which a step in a direction is allowed, climbs aside."""
        frame, number = self.frame, direction.number
        found = self._open(shape.entered[number], (*shape.edges(number), *shape.inner[number]))
        found &= frame.at(frame.inner, Cell(direction.dx, direction.dy))
        if self._stride.corner_cut is not CornerCut.FREE:
            for sides in shape.corners[number]:
                found &= self._around(sides)
        return found

    def priced_by_target(self, shape: Shape) -> bool:
        """Tell whether the cell that is entered alone determines what a step costs."""
        flat = self._field.ground is None or self._stride.climb is None
        return len(shape.cells) == 1 and self._stride.charge is Charge.ENTERING and flat

    def targets(self) -> list[Part]:
        """Return the cells that may be entered by what that costs a figure of one cell."""
        parts = [Part(self._passable & self.frame.inner)]
        parts = _split(parts, self._rough, _with_rough)
        parts = _split(parts, self._surcharge, _with_extra)
        return _halting(parts, self._halts)

    def parts(self, shape: Shape, direction: Direction) -> list[Part]:
        """Return the steps in a direction, sorted by what they cost."""
        number = direction.number
        entered = shape.entered[number]
        paid = entered if self._stride.charge is Charge.ENTERING else shape.left[number]
        parts = [Part(self.allowed(shape, direction))]
        rough = tuple((value, self._shared(board, paid)) for value, board in self._rough)
        parts = _split(parts, rough, _with_rough)
        some = self.frame.some
        surcharge = tuple((value, some(board, entered)) for value, board in self._surcharge)
        parts = _split(parts, surcharge, _with_extra)
        parts = self._with_climbs(parts, shape, direction)
        return _halting(parts, some(self._halts, entered) if self._halts else 0)

    def _open(self, cells: Iterable[Cell], edges: Iterable[Edge]) -> Board:
        """Return the anchors whose cells are passable and whose edges have no wall."""
        found = self.frame.every(self._passable, cells) & self.frame.inner
        if self._blocked:
            for cell, number in edges:
                found &= ~self.frame.at(self._blocked[number], cell)
        return found

    def _around(self, sides: tuple[Side, Side]) -> Board:
        """Return the anchors that the corner rule lets pass between two sides."""
        one, other = (self._open([side.cell], side.edges) for side in sides)
        return one & other if self._stride.corner_cut is CornerCut.BOTH_OPEN else one | other

    def _shared(self, board: Board, cells: Sequence[Cell]) -> Board:
        """Return the anchors enough of whose cells are in a board."""
        match self._stride.share:
            case Share.ANY:
                return self.frame.some(board, cells)
            case Share.ALL:
                return self.frame.every(board, cells)
            case Share.MAJORITY:
                return self.frame.at_least(len(cells) // 2 + 1, board, cells)

    def _with_climbs(self, parts: list[Part], shape: Shape, direction: Direction) -> list[Part]:
        """Split parts by the price of the change of height; drop what nobody can climb."""
        climb = self._stride.climb
        if self._field.ground is None or climb is None:
            return parts
        here = self._heights(shape.cells)
        there = self._heights([Cell(x + direction.dx, y + direction.dy) for x, y in shape.cells])
        rises, where = np.unique(np.round(there - here, 9), return_inverse=True)
        prices = [0 if rise == 0 else climb(float(rise)) for rise in rises]
        found: list[Part] = []
        for price in {price for price in prices if price is not None}:
            chosen = np.array([each == price for each in prices])[where].reshape(here.shape)
            board = self.frame.pack([chosen])[0]
            found += [
                part._replace(anchors=part.anchors & board, extra=part.extra + price)
                for part in parts
            ]
        return found

    def _heights(self, cells: Sequence[Cell]) -> Floats:
        """Return the ground under a figure over the frame: the highest that its cells stand on."""
        assert self._field.ground is not None
        far = max(abs(part) for cell in cells for part in cell)
        wide = Frame(self.frame.window, self.frame.margin + far)
        ground = wide.cut(self._field.ground, self._field.layout, fill=0.0)
        height, width = ground.shape
        views = [ground[far + y : height - far + y, far + x : width - far + x] for x, y in cells]
        highest: Floats = np.maximum.reduce(views)
        return highest

    def _levels(self, array: Ints, fill: int) -> Levels:
        """Return the levels above the filling that occur in the frame."""
        cut = self.frame.cut(array, self._field.layout, fill)
        highest = int(cut.max())
        if highest == fill:
            return ()
        if highest < fill + 8:
            values = list(range(fill + 1, highest + 1))
        else:
            values = [value for value in np.unique(cut).tolist() if value > fill]
        boards = self.frame.pack([cut >= value for value in values])
        return tuple(zip(values, boards, strict=True))


def _split(
    parts: list[Part], levels: Levels, changed: Callable[[Part, int, Board], Part]
) -> list[Part]:
    """Split parts by the highest level that their anchors meet."""
    rest = parts
    found: list[Part] = []
    for value, met in reversed(levels):
        found += [changed(part, value, part.anchors & met) for part in rest]
        rest = [part._replace(anchors=part.anchors & ~met) for part in rest]
    return [part for part in (*found, *rest) if part.anchors]


def _halting(parts: list[Part], stops: Board) -> list[Part]:
    """Split off the anchors of steps after which there is no other."""
    if not stops:
        return parts
    stopped = [part._replace(anchors=part.anchors & stops, halts=True) for part in parts]
    going = [part._replace(anchors=part.anchors & ~stops) for part in parts]
    return [part for part in (*going, *stopped) if part.anchors]


def _with_rough(part: Part, value: int, anchors: Board) -> Part:
    return part._replace(anchors=anchors, rough=value)


def _with_extra(part: Part, value: int, anchors: Board) -> Part:
    return part._replace(anchors=anchors, extra=part.extra + value)
