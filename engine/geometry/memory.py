"""What the players remember of the board: walls, doors and regions as they last saw them.

A change out of sight does not show. What is seen anew is returned for an event to keep; nothing
is changed here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from engine.geometry.arrays import Bools, Floats
from engine.geometry.knowledge import Gaze
from engine.geometry.memo import Kept, Memo
from engine.geometry.parts import WallParts, count_parts, lay_parts, parts_of
from engine.geometry.terrain import inside
from engine.grid.grid import board_grid
from engine.model.board import Board, GridSpec
from engine.model.fog import Fog
from engine.model.region import Region
from engine.model.wall import CoverLabel, DoorState, Durability, Wall, WallKind

BROKEN = Durability(hp=0, hp_max=1)

_ENDS = (0.1, 0.9)
_SAME_PLACE = 1e-6
_PLACES_ASKED = 4096


@dataclass(frozen=True, slots=True)
class Learned:
    """What was seen anew, or seen to be gone."""

    walls: dict[str, Wall] = field(default_factory=dict)
    parts: dict[str, int] = field(default_factory=dict)
    regions: dict[str, Region] = field(default_factory=dict)
    gone_walls: tuple[str, ...] = ()
    gone_regions: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any((self.walls, self.parts, self.regions, self.gone_walls, self.gone_regions))


def learn(board: Board, fog: Fog, now: Gaze, fresh: Gaze, *, new_regions: bool = False) -> Learned:
    """Return what the players learn of a board that they remember as `fog` has it.

    `now` is all that is in sight. Only in what is `fresh` can be walls that they do not know
    yet, and regions unless there are new ones.
    """
    walls, parts, gone = _learn_walls(board, fog, now, fresh)
    regions, gone_regions = _learn_regions(board, fog, now, now if new_regions else fresh)
    return Learned(walls, parts, regions, gone, gone_regions)


def look_of_wall(wall: Wall, known: Wall | None = None) -> Wall | None:
    """Return what a wall looks like to somebody who sees it; None if it cannot be seen.

    A secret door is a plain wall to all who have not seen it open (`known` is how they remember
    it). Names, locks, labels and strength do not show.
    """
    if wall.kind is WallKind.WALL and not wall.blocks_sight:
        return None
    kind, door = wall.kind, wall.door
    if kind is WallKind.SECRET_DOOR:
        found = wall.is_open or (known is not None and known.kind is WallKind.DOOR)
        kind, door = (WallKind.DOOR, door) if found else (WallKind.WALL, None)
    if door is DoorState.LOCKED:
        door = DoorState.CLOSED
    broken = wall.durability is not None and wall.durability.hp <= 0
    look = {
        "kind": kind,
        "door": door,
        "blocks_movement": wall.blocks_movement or kind is WallKind.WALL,
        "one_sided": None,
        "cover": CoverLabel.NONE,
        "durability": BROKEN if broken else None,
        "name": "",
    }
    changed = {name: value for name, value in look.items() if getattr(wall, name) != value}
    return wall.changed(**changed) if changed else wall


def looks_of_walls(board: Board, fog: Fog) -> Mapping[str, Wall]:
    """Return what the walls of a board look like now to players who remember `fog`."""
    looks, secret = _LOOKS(board.walls)
    return _FOUND_LOOKS(board.walls, fog.walls) if secret else looks


def _learn_walls(
    board: Board, fog: Fog, now: Gaze, fresh: Gaze
) -> tuple[dict[str, Wall], dict[str, int], tuple[str, ...]]:
    looks = looks_of_walls(board, fog)
    changed = _CHANGED(looks, fog.walls)
    found = _found(looks, fog, fresh, changed)
    walls = {wall_id: looks[wall_id] for wall_id in found if wall_id not in fog.walls}
    parts = {wall_id: fog.parts.get(wall_id, 0) | bits for wall_id, bits in found.items()}
    gone = []
    for wall_id in _noticed(changed, found, fog, now):
        look, seen = looks.get(wall_id), changed[wall_id]
        if look is None:
            gone.append(wall_id)
            continue
        walls[wall_id] = look
        known = fog.parts.get(wall_id, 0)
        if look.points != seen.points:
            known = _carried(seen, known, look)
        known |= found.get(wall_id, 0)
        if known:
            parts[wall_id] = known if look.door is None else _whole(look)
        else:
            gone.append(wall_id)
            del walls[wall_id]
    parts = {wall_id: bits for wall_id, bits in parts.items() if fog.parts.get(wall_id) != bits}
    return walls, parts, tuple(gone)


def _found(
    looks: Mapping[str, Wall], fog: Fog, gaze: Gaze, changed: Mapping[str, Wall]
) -> dict[str, int]:
    """Return the parts of walls that come into sight, as bits; doors are seen whole."""
    if not looks:
        return {}
    parts = parts_of(looks)
    moved = frozenset(
        i for i, seen in changed.items() if i in looks and looks[i].points != seen.points
    )
    rows = np.flatnonzero(~_known_rows(parts, fog, moved))
    rows = rows[gaze.touches(parts.middle[rows])]
    ends = np.concatenate([parts.point(rows, where) for where in _ENDS])
    rows = rows[gaze.touches(ends).reshape(len(_ENDS), -1).all(axis=0)]
    bits = parts.bits_of(rows)
    for wall_id in bits:
        if looks[wall_id].door is not None:
            bits[wall_id] = _whole(looks[wall_id])
    return bits


def _whole(wall: Wall) -> int:
    return (1 << count_parts(wall)) - 1


def _known_rows(parts: WallParts, fog: Fog, moved: frozenset[str]) -> Bools:
    """Tell which rows are known; walls that moved since are not, wherever they are now."""
    known = _KNOWN_ROWS(parts, fog.parts)
    if moved:
        known = known.copy()
        for wall_id in moved:
            known[parts.rows[wall_id]] = False
    return known


def _noticed(
    changed: Mapping[str, Wall], found: Mapping[str, int], fog: Fog, now: Gaze
) -> list[str]:
    """Return the changed walls of which the players see that they are not as they were."""
    if not changed:
        return []
    remembered = _LAID(changed)
    rows = np.concatenate(
        [remembered.flags(wall_id, fog.parts.get(wall_id, 0)) for wall_id in changed]
    )
    known = np.flatnonzero(rows)
    known = known[now.touches(remembered.middle[known])]
    seen = {remembered.ids[owner] for owner in remembered.owner[known].tolist()}
    return [wall_id for wall_id in changed if wall_id in seen or wall_id in found]


def _carried(seen: Wall, bits: int, look: Wall) -> int:
    """Return the parts of a moved wall that lie where known parts of it lay."""
    before, after = lay_parts({seen.id: seen}), lay_parts({look.id: look})
    rows = np.flatnonzero(before.flags(seen.id, bits))
    gap = np.abs(after.middle[:, None] - before.middle[rows][None]).max(axis=2)
    return after.bits_of(np.flatnonzero((gap < _SAME_PLACE).any(axis=1))).get(look.id, 0)


def _alike(a: Wall, b: Wall) -> bool:
    """Tell whether two looks are equal; faster than comparing every field."""
    return (
        a.points == b.points
        and a.kind is b.kind
        and a.door is b.door
        and a.durability == b.durability
        and (a.base, a.top) == (b.base, b.top)
        and (a.blocks_sight, a.blocks_movement) == (b.blocks_sight, b.blocks_movement)
    )


def _learn_regions(
    board: Board, fog: Fog, now: Gaze, fresh: Gaze
) -> tuple[dict[str, Region], tuple[str, ...]]:
    shown = {region.id: region for region in board.regions.values() if not region.gm_only}
    unknown = {i: region for i, region in shown.items() if i not in fog.regions}
    changed = {i: seen for i, seen in fog.regions.items() if shown.get(i) != seen}
    moved = {i: shown[i] for i in changed if i in shown}
    learned = _in_sight(board.grid, unknown, fresh)
    noticed = {**_in_sight(board.grid, changed, now), **_in_sight(board.grid, moved, now)}
    learned.update((i, shown[i]) for i in noticed if i in shown)
    return learned, tuple(i for i in noticed if i not in shown)


def _in_sight(spec: GridSpec, regions: Mapping[str, Region], gaze: Gaze) -> dict[str, Region]:
    """Return the regions of which any place within is in sight."""
    return {
        region_id: region
        for region_id, region in regions.items()
        if gaze.sees(_PLACES(region, spec)).any()
    }


def _places(_: Kept[Floats] | None, region: Region, spec: GridSpec) -> Floats:
    """Return points well inside a region: the middles of its cells, or one of its own."""
    corners = np.array([point for ring in region.rings for point in ring], dtype=np.float64)
    grid = board_grid(spec)
    near = grid.cells_at(corners)
    low, high = near.min(axis=0) - 1, near.max(axis=0) + 1
    stride = max(int(np.ceil(np.sqrt(np.prod(high - low) / _PLACES_ASKED))), 1)
    x, y = np.meshgrid(
        np.arange(low[0], high[0] + 1, stride), np.arange(low[1], high[1] + 1, stride)
    )
    centers = grid.centers(np.stack((x.ravel(), y.ravel()), axis=1))
    within = centers[inside(region.rings, centers)]
    if len(within):
        return within
    import shapely  # noqa: PLC0415  (costs a headless command a tenth of a second)

    shape = shapely.make_valid(shapely.Polygon(region.rings[0]))
    if shape.area == 0:
        return within
    middle = shapely.get_coordinates(shape.representative_point())
    return np.asarray(middle, dtype=np.float64)


def _looks(
    latest: Kept[tuple[dict[str, Wall], tuple[str, ...]]] | None, walls: Mapping[str, Wall]
) -> tuple[dict[str, Wall], tuple[str, ...]]:
    """Return how walls look to strangers, and which of them are secret doors."""
    before = latest.sources[0] if latest is not None else {}
    known = latest.result[0] if latest is not None else {}
    looks: dict[str, Wall] = {}
    for wall_id, wall in walls.items():
        same = wall_id in known and before.get(wall_id) is wall
        look = known[wall_id] if same else look_of_wall(wall)
        if look is not None:
            looks[wall_id] = look
    return looks, tuple(i for i, wall in walls.items() if wall.kind is WallKind.SECRET_DOOR)


def _found_looks(
    _: Kept[Mapping[str, Wall]] | None, walls: Mapping[str, Wall], known: Mapping[str, Wall]
) -> Mapping[str, Wall]:
    """Return how walls look to players who may have found secret doors."""
    looks, secret = _LOOKS(walls)
    found = {
        wall_id: look
        for wall_id in secret
        if (look := look_of_wall(walls[wall_id], known.get(wall_id))) is not None
        and look != looks[wall_id]
    }
    return {**looks, **found} if found else looks


def _differing(
    latest: Kept[Mapping[str, Wall]] | None, looks: Mapping[str, Wall], known: Mapping[str, Wall]
) -> Mapping[str, Wall]:
    """Return the walls that are remembered otherwise than they look now."""
    found = {
        wall_id: seen
        for wall_id, seen in known.items()
        if (look := looks.get(wall_id)) is not seen and (look is None or not _alike(seen, look))
    }
    return latest.result if latest is not None and latest.result == found else found


def _laid(_: Kept[WallParts] | None, walls: Mapping[str, Wall]) -> WallParts:
    return lay_parts(walls)


def _rows(latest: Kept[Bools] | None, parts: WallParts, known: Mapping[str, int]) -> Bools:
    rows = np.zeros(len(parts.owner), dtype=np.bool_)
    before: Mapping[str, int] = {}
    if latest is not None and latest.sources[0] is parts:
        rows, before = latest.result.copy(), latest.sources[1]
        for wall_id in before.keys() - known.keys():
            if wall_id in parts.rows:
                rows[parts.rows[wall_id]] = False
    for wall_id, bits in known.items():
        if before.get(wall_id) != bits and wall_id in parts.rows:
            rows[parts.rows[wall_id]] = parts.flags(wall_id, bits)
    return rows


_LOOKS: Memo[tuple[dict[str, Wall], tuple[str, ...]]] = Memo(_looks)
_FOUND_LOOKS: Memo[Mapping[str, Wall]] = Memo(_found_looks)
_KNOWN_ROWS: Memo[Bools] = Memo(_rows)
_CHANGED: Memo[Mapping[str, Wall]] = Memo(_differing)
_LAID: Memo[WallParts] = Memo(_laid)
_PLACES: Memo[Floats] = Memo(_places, size=512)
