"""What the players know of the board: explored ground, the GM's masks, and doors as last seen."""

import base64
import zlib
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer

from engine.model.value import FrozenMap, Value
from engine.model.wall import DoorState

TILE_PX = 64
PX_PER_CELL = 8
TILE_BYTES = TILE_PX * TILE_PX // 8

TileKey = tuple[int, int]


def _decode(value: Any) -> Any:
    """Read tiles from a file; a tile that inflates to another size than its own is refused."""
    if isinstance(value, FrozenMap):
        return value
    tiles: dict[TileKey, bytes] = {}
    for key, text in dict(value).items():
        if isinstance(key, tuple):
            tiles[key] = text
            continue
        x, y = (int(part) for part in key.split(","))
        bits = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), TILE_BYTES)
        if len(bits) != TILE_BYTES:
            raise ValueError(f"the fog tile {key} is damaged")
        tiles[x, y] = bits
    return FrozenMap(tiles)


def _encode(tiles: FrozenMap[TileKey, bytes]) -> dict[str, str]:
    return {
        f"{x},{y}": base64.b64encode(zlib.compress(bits, 6)).decode("ascii")
        for (x, y), bits in tiles.items()
    }


Tiles = Annotated[FrozenMap[TileKey, bytes], BeforeValidator(_decode), PlainSerializer(_encode)]
"""A bit raster of 8 px per cell in tiles of 64 x 64 px, row by row, most significant bit first.
A missing tile is empty. In files: base64 of zlib."""


class Fog(Value):
    """What has been explored, and what the GM shows or covers by hand.

    With `enabled` off the players see the whole board. `revealed` is shown as if in sight,
    `veiled` is covered even if in sight. `doors` and `broken` remember what was last seen.
    """

    enabled: bool = True
    explored: Tiles = FrozenMap()
    revealed: Tiles = FrozenMap()
    veiled: Tiles = FrozenMap()
    doors: FrozenMap[str, DoorState] = FrozenMap()
    known_walls: tuple[str, ...] = ()
