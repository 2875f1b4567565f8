"""What the players remember of the board, as a View shows it."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from engine.geometry.explored import Tiles, beside_marked, mask_of_tiles
from engine.geometry.memo import Kept, Memo, changes
from engine.geometry.parts import lay_parts, lines_of
from engine.model.fog import TileKey
from engine.model.value import FrozenMap
from engine.model.wall import Wall


class _Known(NamedTuple):
    """The pieces of a wall, and what they were cut from."""

    wall: Wall
    bits: int
    pieces: tuple[Wall, ...]


class _Pieces(NamedTuple):
    """The known pieces of each wall, and all of them by their own ids."""

    by_wall: Mapping[str, _Known]
    all: FrozenMap[str, Wall]


def recalled_walls(
    walls: FrozenMap[str, Wall], parts: FrozenMap[str, int], veiled: Tiles
) -> FrozenMap[str, Wall]:
    """Return the known pieces of walls; of what is veiled nothing is shown."""
    return _PIECES(walls, parts, veiled).all


def uncovered(tiles: Tiles, veiled: Tiles) -> FrozenMap[TileKey, bytes]:
    """Return tiles without what is veiled."""
    return _UNCOVERED(tiles, veiled)


def _cut(
    latest: Kept[_Pieces] | None,
    walls: FrozenMap[str, Wall],
    parts: FrozenMap[str, int],
    veiled: Tiles,
) -> _Pieces:
    before = _Pieces({}, FrozenMap()) if latest is None else latest.result
    touched: Iterable[str] = parts.keys() | before.by_wall.keys()
    if latest is not None and latest.sources[2] is veiled:
        touched = changes(latest.sources[0], walls) | changes(latest.sources[1], parts)
    bits = {wall_id: parts[wall_id] for wall_id in touched if wall_id in parts}
    if veiled and bits:
        bits = _unveiled({wall_id: walls[wall_id] for wall_id in bits}, bits, veiled)
    by_wall = dict(before.by_wall)
    gone: list[str] = []
    put: dict[str, Wall] = {}
    for wall_id in touched:
        wall, seen, known = walls.get(wall_id), bits.get(wall_id), by_wall.get(wall_id)
        if known is not None and known.wall is wall and known.bits == seen:
            continue
        gone += [piece.id for piece in by_wall.pop(wall_id).pieces] if known is not None else []
        if wall is not None and seen is not None:
            by_wall[wall_id] = _Known(wall, seen, _pieces(wall, seen))
            put |= {piece.id: piece for piece in by_wall[wall_id].pieces}
    return _Pieces(by_wall, before.all.without(*(i for i in gone if i not in put)).put_all(put))


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
