"""What is veiled, as a shape: sight ends at its border, whatever goes on behind it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.geometry.arrays import Floats
from engine.geometry.explored import Tiles, mask_of_tiles
from engine.geometry.memo import Kept, Memo
from engine.geometry.outlook import plain_outline, polygons_in, valid_shape
from engine.model.fog import PX_PER_CELL, TILE_PX

if TYPE_CHECKING:
    from shapely import Geometry


def outlines_outside(outlines: Sequence[Floats], veiled: Tiles) -> tuple[Floats, ...]:
    """Return outlines without what is veiled; veils wholly inside one are left to the mask."""
    import shapely  # noqa: PLC0415  (costs a headless command a tenth of a second)

    veil = _VEILS(veiled)
    return tuple(
        plain_outline(shapely.get_coordinates(part.exterior)[:-1])
        for outline in outlines
        for part in polygons_in(shapely.normalize(shapely.difference(valid_shape(outline), veil)))
    )


def _veil(_: "Kept[Geometry] | None", veiled: Tiles) -> "Geometry":
    """Return the veiled ground as one shapely geometry, made of its rows of pixels."""
    import shapely  # noqa: PLC0415  (costs a headless command a tenth of a second)

    mask = mask_of_tiles(veiled)
    rows, columns = mask.tiles.shape[:2]
    tiles = mask.tiles.reshape(rows, columns, TILE_PX, TILE_PX // 8).transpose(0, 2, 1, 3)
    bits = np.unpackbits(tiles.reshape(rows * TILE_PX, columns * TILE_PX // 8), axis=1)
    edges = np.diff(np.pad(bits.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    row, start = np.nonzero(edges == 1)
    end = np.nonzero(edges == -1)[1]
    # Rows below each other that reach as far make one box: a tenth as many to unite.
    order = np.lexsort((row, end, start))
    row, start, end = row[order], start[order], end[order]
    first = np.ones(len(row), dtype=np.bool_)
    first[1:] = (np.diff(start) != 0) | (np.diff(end) != 0) | (np.diff(row) != 1)
    last = np.append(first[1:], True)[: len(row)]
    x, y = mask.left * TILE_PX, mask.top * TILE_PX
    boxes = shapely.box(
        (start[first] + x) / PX_PER_CELL,
        (row[first] + y) / PX_PER_CELL,
        (end[first] + x) / PX_PER_CELL,
        (row[last] + y + 1) / PX_PER_CELL,
    )
    return shapely.union_all(boxes)


_VEILS: "Memo[Geometry]" = Memo(_veil)
