"""Rooms: the ground around a point that walls enclose."""

import numpy as np

from engine.geometry.boards import wall_set
from engine.geometry.outlook import as_ring, polygons_in
from engine.grid.base import Ring
from engine.grid.grid import board_grid
from engine.model.board import Board
from engine.model.space import Point


def room_around(board: Board, point: Point) -> tuple[Ring, ...]:
    """Return the outer ring and the holes of the room at a point, nothing if it is off the board.

    Every wall bounds a room that stops sight or movement, a door also while it is open. Walls that
    leave a gap do not enclose; where nothing does, the board's edge ends the room.
    """
    import shapely  # noqa: PLC0415  (costs a headless command a tenth of a second)

    walls = wall_set(board)
    lines = shapely.linestrings(walls.segs[walls.sight | walls.moves])
    edge = shapely.LinearRing(board_grid(board.grid).outline)
    noded = shapely.union_all([*np.atleast_1d(lines), edge])
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(noded)))
    ground = shapely.Polygon(edge)
    here = shapely.Point(point)
    for face in faces:
        if face.covers(here) and ground.covers(face.representative_point()):
            (room,) = polygons_in(face)
            return tuple(
                as_ring(shapely.get_coordinates(ring)[:-1])
                for ring in (room.exterior, *room.interiors)
            )
    return ()
