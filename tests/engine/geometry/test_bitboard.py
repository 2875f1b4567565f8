"""Boards of bits against sets of cells."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.bitboard import Board, Frame, Window, window_around
from engine.geometry.stepfield import layout_of
from engine.grid.grid import grid_of
from engine.model.space import Cell, GridKind

LAYOUT = layout_of(grid_of(GridKind.SQUARE, 9, 7))

frames = st.builds(
    lambda x, y, width, height: Frame(Window(x, y, width, height), 3),
    st.integers(-4, 8),
    st.integers(-4, 6),
    st.integers(1, 9),
    st.integers(1, 9),
)
some_cells = st.sets(st.builds(Cell, st.integers(0, 8), st.integers(0, 6)))
offsets = st.lists(st.builds(Cell, st.integers(-3, 3), st.integers(-3, 3)), max_size=5)


def board_of(frame: Frame, cells: set[Cell]) -> Board:
    array = np.zeros(LAYOUT.on_board.shape, dtype=np.bool_)
    for cell in cells:
        array[cell.y, cell.x] = True
    return frame.pack([frame.cut(array, LAYOUT, fill=False)])[0]


def cells_of(frame: Frame, board: Board) -> set[Cell]:
    bits = board & frame.inner
    return {frame.cell(bit) for bit in range(bits.bit_length()) if bits >> bit & 1}


def anchors(frame: Frame) -> list[Cell]:
    left, top, width, height = frame.window
    return [Cell(left + x, top + y) for y in range(height) for x in range(width)]


@given(frames, some_cells)
def test_a_board_holds_the_cells_of_its_window(frame: Frame, cells: set[Cell]):
    board = board_of(frame, cells)
    assert cells_of(frame, board) == cells & set(anchors(frame))
    unpacked = frame.unpack([board])[0]
    assert unpacked.shape == (frame.window.height, frame.window.width)
    assert unpacked.sum() == len(cells & set(anchors(frame)))


@given(frames, some_cells, offsets, st.integers(1, 5))
def test_counting_around_each_anchor(frame: Frame, cells: set[Cell], around: list, count: int):
    board = board_of(frame, cells)
    marked = {
        anchor: sum(Cell(anchor.x + x, anchor.y + y) in cells for x, y in around)
        for anchor in anchors(frame)
    }
    every = cells_of(frame, frame.every(board, around))
    assert every == {a for a, number in marked.items() if number == len(around)}
    assert cells_of(frame, frame.some(board, around)) == {a for a, n in marked.items() if n}
    enough = cells_of(frame, frame.at_least(count, board, around))
    assert enough == {a for a, number in marked.items() if number >= count}


@given(frames)
def test_bits_and_cells_are_one_to_one(frame: Frame):
    bits = [frame.bit(cell) for cell in anchors(frame)]
    assert [frame.cell(bit) for bit in bits] == anchors(frame)
    assert sum(1 << bit for bit in bits) == frame.inner


def test_a_window_keeps_to_the_board():
    assert window_around(LAYOUT, [Cell(1, 1)], 2) == Window(0, 0, 4, 4)
    assert window_around(LAYOUT, [Cell(1, 1), Cell(8, 6)], 1e9) == Window(0, 0, 9, 7)
