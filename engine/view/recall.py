"""What the players remember of the board, as a View shows it."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from engine.geometry.explored import Tiles, beside_marked, mask_of_tiles
from engine.geometry.memo import Kept, Memo
from engine.geometry.parts import lay_parts, lines_of
from engine.model.fog import TileKey
from engine.model.value import FrozenMap
from engine.model.wall import Wall


class _Pieces(NamedTuple):
    """The pieces of each wall, beside the wall and the parts that they were cut from."""

    by_wall: dict[str, tuple[Wall, int, tuple[Wall, ...]]]
    all: FrozenMap[str, Wall]


def recalled_walls(
    walls: Mapping[str, Wall], parts: Mapping[str, int], veiled: Tiles
) -> FrozenMap[str, Wall]:
    """Return the known pieces of walls; of what is veiled nothing is shown."""
    return _PIECES(walls, parts, veiled).all


def uncovered(tiles: Tiles, veiled: Tiles) -> FrozenMap[TileKey, bytes]:
    """Return tiles without what is veiled."""
    return _UNCOVERED(tiles, veiled)


def _cut(
    latest: Kept[_Pieces] | None, walls: Mapping[str, Wall], parts: Mapping[str, int], veiled: Tiles
) -> _Pieces:
    shown = _unveiled(walls, parts, veiled) if veiled else parts
    before = {} if latest is None else latest.result.by_wall
    by_wall = {}
    for wall_id, bits in shown.items():
        wall, known = walls[wall_id], before.get(wall_id)
        same = known is not None and known[0] is wall and known[1] == bits
        by_wall[wall_id] = (
            known if known is not None and same else (wall, bits, _pieces(wall, bits))
        )
    return _Pieces(
        by_wall, FrozenMap((piece.id, piece) for _, _, found in by_wall.values() for piece in found)
    )


def _pieces(wall: Wall, bits: int) -> tuple[Wall, ...]:
    lines = lines_of(wall, bits)
    if lines == (wall.points,):
        return (wall,)
    return tuple(
        wall.changed(id=wall.id if number == 0 else f"{wall.id}#{number + 1}", points=line)
        for number, line in enumerate(lines)
    )


def _unveiled(walls: Mapping[str, Wall], parts: Mapping[str, int], veiled: Tiles) -> dict[str, int]:
    laid = lay_parts(walls)
    covered = laid.bits_of(np.flatnonzero(beside_marked(veiled, laid.middle, every=True)))
    return {wall_id: bits & ~covered.get(wall_id, 0) for wall_id, bits in parts.items()}


def _taken(
    _: Kept[FrozenMap[TileKey, bytes]] | None, tiles: FrozenMap[TileKey, bytes], veiled: Tiles
) -> FrozenMap[TileKey, bytes]:
    return tiles.put_all(mask_of_tiles(veiled).taken_from(tiles))


_PIECES: Memo[_Pieces] = Memo(_cut)
_UNCOVERED: Memo[FrozenMap[TileKey, bytes]] = Memo(_taken)
