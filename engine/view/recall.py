"""What the players remember of the board, as a View shows it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.geometry.explored import Tiles, beside_marked, mask_of_tiles
from engine.geometry.memo import Kept, Memo, changes
from engine.geometry.parts import lay_parts, lines_of
from engine.model.fog import TileKey
from engine.model.value import FrozenMap
from engine.model.wall import Wall


class _Pieces(NamedTuple):
    """The known pieces of each wall, and all of them by their own ids."""

    by_wall: dict[str, tuple[Wall, ...]]
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
    if latest is None or latest.sources[2] is not veiled:
        return _cut_again(_Pieces({}, FrozenMap()), walls, parts, veiled)
    changed = changes(latest.sources[0], walls) | changes(latest.sources[1], parts)
    touched = FrozenMap((i, walls[i]) for i in changed if i in parts)
    gone = [i for i in changed if i not in parts]
    return _cut_again(latest.result, touched, parts, veiled, gone)


def _cut_again(
    before: _Pieces,
    walls: FrozenMap[str, Wall],
    parts: FrozenMap[str, int],
    veiled: Tiles,
    gone: Sequence[str] = (),
) -> _Pieces:
    """Return the pieces after these walls, or what is known of them, have changed."""
    bits = {wall_id: parts[wall_id] for wall_id in walls if wall_id in parts}
    if veiled and bits:
        bits = _unveiled(walls, bits, veiled)
    fresh = {wall_id: _pieces(walls[wall_id], each) for wall_id, each in bits.items()}
    old = [piece.id for i in (*fresh, *gone) for piece in before.by_wall.get(i, ())]
    put = {piece.id: piece for pieces in fresh.values() for piece in pieces}
    by_wall = {**before.by_wall, **fresh}
    for wall_id in gone:
        by_wall.pop(wall_id, None)
    stale = [piece_id for piece_id in old if piece_id not in put]
    return _Pieces(by_wall, before.all.without(*stale).put_all(put))


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
