"""What the players know: explored ground, the GM's masks, and what they remember having seen."""

import base64
import zlib
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, PlainSerializer

from engine.model.region import Region
from engine.model.value import FrozenMap, Value
from engine.model.wall import Wall

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


def _bits(value: Any) -> Any:
    """Read a set of numbers from a file: hexadecimal text."""
    return int(value, 16) if isinstance(value, str) else value


Parts = Annotated[
    int, BeforeValidator(_bits), Field(ge=0), PlainSerializer(lambda bits: f"{bits:x}")
]
"""The parts of a wall that were seen, one bit for each (`engine.geometry.parts`)."""


class Fog(Value):
    """What has been explored, what the GM shows or covers by hand, and what is remembered.

    With `enabled` off the players see the whole board. `revealed` is shown as if in sight,
    `veiled` is covered even if in sight. `walls` and `regions` stand as they were last seen, of
    `walls` only the `parts`. `names` is what the players call tokens that are not their own.
    """

    enabled: bool = True
    explored: Tiles = FrozenMap()
    revealed: Tiles = FrozenMap()
    veiled: Tiles = FrozenMap()
    walls: FrozenMap[str, Wall] = FrozenMap()
    parts: FrozenMap[str, Parts] = FrozenMap()
    regions: FrozenMap[str, Region] = FrozenMap()
    names: FrozenMap[str, str] = FrozenMap()
