"""From a board's walls to the arrays that geometry works on.

Built once per edit and remembered; an opened door or a broken wall is only a flag.
"""

from typing import Literal

from engine.geometry.memo import Kept, Memo, changes
from engine.geometry.segments import WallInput, WallSet, build_walls
from engine.model.board import Board
from engine.model.value import FrozenMap
from engine.model.wall import OneSided, Wall, WallKind

Walls = FrozenMap[str, Wall]


def wall_set(board: Board) -> WallSet:
    """Return the noded walls of a board, open doors and broken walls marked open."""
    return _WALL_SETS(board.walls)


def _build(latest: Kept[WallSet] | None, walls: Walls) -> WallSet:
    if latest is not None and _same_lines(walls, latest.sources[0]):
        moved = changes(latest.sources[0], walls)
        return latest.result.reopened({wall_id: walls[wall_id].is_open for wall_id in moved})
    opened = [wall.id for wall in walls.values() if wall.is_open]
    return build_walls([_input(wall) for wall in walls.values()], opened)


def _same_lines(walls: Walls, source: Walls) -> bool:
    """Tell whether two boards differ in what is open and in nothing else that geometry reads."""
    return all(
        wall_id in walls and wall_id in source and _input(walls[wall_id]) == _input(source[wall_id])
        for wall_id in changes(source, walls)
    )


def _input(wall: Wall) -> WallInput:
    return WallInput(
        id=wall.id,
        points=wall.points,
        blocks_sight=wall.blocks_sight,
        blocks_movement=wall.blocks_movement,
        one_sided=None if wall.one_sided is None else _SIDES[wall.one_sided],
        once=wall.kind is WallKind.TERRAIN,
        base=float("-inf") if wall.base is None else wall.base,
        top=float("inf") if wall.top is None else wall.top,
    )


_SIDES: dict[OneSided, Literal["left", "right"]] = {OneSided.LEFT: "left", OneSided.RIGHT: "right"}
_WALL_SETS: Memo[WallSet] = Memo(_build)
