"""The ground of a board, cell by cell: what regions and lasting areas make of it.

A cell lies in a region if its centre does, by the even-odd rule, so that holes and self-crossing
outlines have a defined meaning. Where regions overlap, the costlier, higher, thicker one counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.geometry.memo import Kept, Memo
from engine.geometry.stepfield import Bools, Floats, Ints, Layout, layout_of
from engine.grid.grid import board_grid
from engine.model.board import Board, GridSpec
from engine.model.region import Area, Obscuration, Region, Surface
from engine.model.space import Cell, Point


@dataclass(frozen=True, eq=False)
class Terrain:
    """Arrays over the cells in a movement field's layout; read-only.

    `step_cost` is what an orthogonal step into the cell costs, `height` the ground in cells,
    `obscuration` a rank from 0 to 3. `regions` lists the ids of what lies over a cell.
    """

    layout: Layout
    step_cost: Ints
    impassable: Bools
    height: Floats
    obscuration: Ints
    surfaces: dict[Cell, Surface]
    regions: dict[Cell, tuple[str, ...]]
    names: dict[Cell, str]

    def height_at(self, cells: Sequence[Cell]) -> float:
        """Return the highest ground under some cells, 0 outside the board."""
        return max((float(self.height[i]) for i in self._places(cells)), default=0.0)

    def obscuration_at(self, cells: Sequence[Cell]) -> Obscuration:
        """Return the thickest obscuration over some cells."""
        rank = max((int(self.obscuration[i]) for i in self._places(cells)), default=0)
        return tuple(Obscuration)[rank]

    def regions_at(self, cells: Sequence[Cell]) -> tuple[str, ...]:
        """Return the ids of the regions and areas over some cells."""
        return tuple(dict.fromkeys(each for cell in cells for each in self.regions.get(cell, ())))

    def _places(self, cells: Sequence[Cell]) -> list[tuple[int, int]]:
        found = (self.layout.element(cell) for cell in cells)
        return [place for place in found if place is not None]


def terrain_of(board: Board) -> Terrain:
    """Return the terrain of a board, remembered until its regions or areas change."""
    return _TERRAINS(board.grid, board.regions, board.areas)


def inside(rings: Sequence[Sequence[Point]], points: Floats) -> Bools:
    """Tell which points (k, 2) lie inside the rings by the even-odd rule."""
    edges = [
        (ring[i - 1], ring[i]) for ring in rings for i in range(len(ring)) if ring[i - 1] != ring[i]
    ]
    odd = np.zeros(len(points), dtype=np.bool_)
    x, y = points[:, 0], points[:, 1]
    for (ax, ay), (bx, by) in edges:
        if ay == by:
            continue
        spans = (ay > y) != (by > y)
        odd ^= spans & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return odd


def _build(
    _: Kept[Terrain] | None,
    spec: GridSpec,
    regions: Mapping[str, Region],
    areas: Mapping[str, Area],
) -> Terrain:
    grid = board_grid(spec)
    layout = layout_of(grid)
    shape = (layout.height, layout.width)
    made = Terrain(
        layout=layout,
        step_cost=np.ones(shape, dtype=np.int64),
        impassable=np.zeros(shape, dtype=np.bool_),
        height=np.full(shape, -np.inf),
        obscuration=np.zeros(shape, dtype=np.int64),
        surfaces={},
        regions={},
        names={},
    )
    cells = grid.cells_in(grid.bounds)
    centers = grid.centers(cells)
    for region in regions.values():
        covered = cells[inside(region.rings, centers)].tolist()
        _lay_region(made, region, [Cell(x, y) for x, y in covered])
    for area in areas.values():
        _lay_area(made, area)
    made.height[np.isneginf(made.height)] = 0.0
    for array in (made.step_cost, made.impassable, made.height, made.obscuration):
        array.setflags(write=False)
    return made


def _lay_region(made: Terrain, region: Region, cells: Sequence[Cell]) -> None:
    for cell, place in _placed(made, cells):
        _cover(made, cell, region.id, region.name, region.step_cost)
        made.step_cost[place] = max(made.step_cost[place], region.step_cost or 1)
        made.impassable[place] |= region.impassable
        made.obscuration[place] = max(made.obscuration[place], region.obscuration.rank)
        if region.ground is not None:
            made.height[place] = max(made.height[place], region.ground)
        if region.surface is not None:
            made.surfaces[cell] = region.surface


def _lay_area(made: Terrain, area: Area) -> None:
    for cell, place in _placed(made, area.cells):
        _cover(made, cell, area.id, area.name, area.step_cost)
        made.step_cost[place] = max(made.step_cost[place], area.step_cost or 1)
        made.obscuration[place] = max(made.obscuration[place], area.obscuration.rank)


def _placed(made: Terrain, cells: Sequence[Cell]) -> list[tuple[Cell, tuple[int, int]]]:
    found = ((cell, made.layout.element(cell)) for cell in cells)
    return [(cell, place) for cell, place in found if place is not None]


def _cover(made: Terrain, cell: Cell, thing: str, name: str, cost: int | None) -> None:
    made.regions[cell] = (*made.regions.get(cell, ()), thing)
    if cost is not None and cost > 1 and name:
        made.names[cell] = name


_TERRAINS: Memo[Terrain] = Memo(_build)
