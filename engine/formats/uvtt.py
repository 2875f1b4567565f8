"""Universal VTT maps (.dd2vtt, .uvtt, .df2vtt): walls, portals, lights and the picture in one.

Lengths in the file are squares, x right and y down, from an origin that `map_origin` names; the
board's cell (0, 0) begins at that corner. What the fields of Dungeondraft, DungeonFog and
Arkenforge mean, and where they differ, stands beside the code that reads them.
"""

import hashlib
import math
from collections.abc import Mapping
from typing import Any

from engine.formats.imported import (
    ImportCounts,
    ImportedMap,
    ImportOptions,
    ObjectOutlines,
)
from engine.formats.lenient import argb, entries, fields, flag, number, point
from engine.formats.picture import whole_cells
from engine.formats.pixels import PictureHeader, check
from engine.formats.polylines import (
    DENSE,
    Polyline,
    clip,
    joined,
    segment_count,
    simplified,
    without_doubles,
    without_repeats,
)
from engine.formats.portals import Portal, cut, moved_to_edge, segments_of, snapped
from engine.formats.reporting import Notebook, quantity
from engine.formats.safe_json import Json
from engine.model.board import MAX_SIDE, Board, GridSpec, Picture
from engine.model.light import Ambient, Light
from engine.model.refusal import FileProblem
from engine.model.space import GridKind, Point
from engine.model.value import FrozenMap
from engine.model.wall import DoorState, Wall, WallKind

MARGIN = 1.0
"""How far (cells) geometry may reach beyond the map; a crop holds the whole building."""

MAX_SEGMENTS = 200_000
MANY_SEGMENTS = 20_000
MAX_LIGHTS = 20_000
MAX_PORTALS = 5_000

_NARROW = 0.8
"""Doors measure 1 square, windows 0.754 to 0.777, in every file of Dungeondraft seen."""

_FAINT = 0.05
"""Lights of a shorter range (squares) are leftovers."""


def recognises(root: Any) -> bool:
    """Tell whether a JSON value is a Universal VTT map; its `format` number says nothing."""
    return isinstance(root, Mapping) and ("resolution" in root or "line_of_sight" in root)


def read(json: Json, name: str, title: str, options: ImportOptions) -> ImportedMap:
    """Return the map; raise FileProblem if it has no usable size, or a picture beyond use."""
    root = fields(json.root)
    notes = Notebook(name)
    if (options.cell_px, options.offset, options.grid) != (None, (0.0, 0.0), GridKind.SQUARE):
        notes.warn("brings its own grid; the one given was not used.")
    image = b"" if options.without_picture else _image(json, root.get("image"), notes)
    header = check(image, f"{name}: its picture") if image else None
    frame = _frame(fields(root.get("resolution")), header, notes, options)
    _refuse_masses(root, name)

    doors = _portals(root, frame, notes)
    outlines = _outlines(root, frame, notes, options)
    walls, doors = _fitted(_walls(root, frame, notes, options), doors, notes)
    lights = _lights(root, frame, notes)
    _offer_geometry(walls, doors, notes, options)
    if lights and _ambient(root) is not Ambient.BRIGHT and not options.ambient_from_map:
        sentence = f"the map has lights and is {_ambient(root)} around them."
        notes.offer("ambient_from_map", True, sentence)
    pieces = [*_wall_values(walls), *_outline_values(outlines, options)]
    pieces += [_portal_value(door, options) for door in doors]
    board = Board(
        grid=frame.grid,
        picture=_picture(image, header, frame),
        ambient=_ambient(root) if options.ambient_from_map else Ambient.BRIGHT,
        walls=FrozenMap({piece.id: piece for piece in pieces}),
        lights=FrozenMap({light.id: light for light in lights}),
    )
    counts = ImportCounts(
        walls=len(walls),
        segments=segment_count(walls),
        doors=sum(piece.is_door for piece in pieces),
        windows=sum(piece.kind is WallKind.WINDOW for piece in pieces),
        objects=len(outlines),
        lights=len(lights),
        pictures=1 if image else 0,
    )
    images = FrozenMap({board.picture.sha256: image} if board.picture else {})
    return ImportedMap(title=title, board=board, images=images, report=notes.report(counts))


class _Frame:
    """Where the map lies: its corner in the file's coordinates, its size in cells."""

    def __init__(self, corner: Point, width: float, height: float) -> None:
        self.corner = corner
        self.width = width
        self.height = height
        self.diagonal = math.hypot(width, height)
        self.box = (-MARGIN, -MARGIN, width + MARGIN, height + MARGIN)

    @property
    def grid(self) -> GridSpec:
        """Return the cells of the board."""
        columns, rows = whole_cells(self.width), whole_cells(self.height)
        return GridSpec(columns=max(1, columns), rows=max(1, rows))

    def local(self, value: Any) -> Point | None:
        """Return a point of the file as a world point; for walls, portals and lights alike."""
        read = point(value)
        return read and (read[0] - self.corner[0], read[1] - self.corner[1])

    def away(self, where: Point) -> float:
        """Return how far (cells) a world point lies outside the map."""
        x, y = where
        return math.hypot(max(0.0, -x, x - self.width), max(0.0, -y, y - self.height))


def _image(json: Json, text: Any, notes: Notebook) -> bytes:
    """Return the picture's file; b"" if the map has none."""
    if not isinstance(text, str) or not text.strip():
        notes.warn("has no picture; walls, doors and lights came in.")
        return b""
    try:
        return json.picture(text)
    except ValueError as problem:
        raise FileProblem(f"{notes.source}: its picture {problem}.") from problem


def _frame(
    resolution: Mapping[str, Any],
    header: PictureHeader | None,
    notes: Notebook,
    options: ImportOptions,
) -> _Frame:
    size = point(resolution.get("map_size"))
    ppg = number(resolution.get("pixels_per_grid"))
    if options.size is not None:
        width, height = map(float, options.size)
    elif size is not None and min(size) > 0 and max(size) <= MAX_SIDE:
        width, height = size
    elif header and ppg and ppg >= 4 and max(header[1:3]) / ppg <= MAX_SIDE:
        width, height = header.width_px / ppg, header.height_px / ppg
        notes.warn(f"its size is unusable; {width:g} x {height:g} comes from the picture.")
    else:
        told = f"{size[0]:g} x {size[1]:g}" if size else "no"
        raise FileProblem(
            f"{notes.source}: gives {told} squares as its size; "
            f"a map has 1 to {MAX_SIDE:,} a side, so the size must be typed in."
        )
    if header and abs(header.width_px * height / (header.height_px * width) - 1) > 0.01:
        notes.warn(
            f"its picture ({header.width_px} x {header.height_px} pixels) has another shape than "
            f"the map ({width:g} x {height:g} squares) and is stretched over it."
        )
    corner = point(resolution.get("map_origin"))
    if corner is None and resolution.get("map_origin") is not None:
        notes.warn("its origin is unusable; 0, 0 is taken.")
    return _Frame(corner or (0.0, 0.0), width, height)


def _refuse_masses(root: Mapping[str, Any], name: str) -> None:
    segments = sum(
        max(0, len(entries(line)) - 1)
        for key in ("line_of_sight", "objects_line_of_sight")
        for line in entries(root.get(key))
    )
    masses = (
        (segments, MAX_SEGMENTS, "wall segments"),
        (len(entries(root.get("lights"))), MAX_LIGHTS, "lights"),
        (len(entries(root.get("portals"))), MAX_PORTALS, "portals"),
    )
    for count, most, noun in masses:
        if count > most:
            raise FileProblem(f"{name}: has {count:,} {noun}; at most {most:,} can be used.")


def _walls(
    root: Mapping[str, Any], frame: _Frame, notes: Notebook, options: ImportOptions
) -> list[Polyline]:
    lines = _lines(root.get("line_of_sight"), "wall", frame, notes)
    lines = joined(lines)
    if options.simplify:
        lines = [simplified(line, options.simplify) for line in lines]
    return lines


def _outlines(
    root: Mapping[str, Any], frame: _Frame, notes: Notebook, options: ImportOptions
) -> list[Polyline]:
    """Return the outlines of objects, closed: the file does not repeat their first point."""
    if options.objects is ObjectOutlines.IGNORE:
        return []
    return _lines(root.get("objects_line_of_sight"), "object", frame, notes, closed=True)


def _lines(
    value: Any, noun: str, frame: _Frame, notes: Notebook, *, closed: bool = False
) -> list[Polyline]:
    """Return the usable polylines of a list, clipped to the map, without repetitions."""
    lines: list[Polyline] = []
    empty = outside = 0
    for number_, entry in enumerate(entries(value), start=1):
        points = [frame.local(each) for each in entries(entry)]
        known = [each for each in points if each is not None]
        if len(known) < len(points):
            notes.skip(noun, number_, "has a point that is no point")
            continue
        if len(known) < 2:
            notes.skip(noun, number_, "has fewer than two points")
            continue
        if closed and known[0] != known[-1]:
            known.append(known[0])
        clean = without_repeats(known)
        empty += len(known) - len(clean)
        parts = clip(clean, frame.box)
        outside += len(clean) - 1 - segment_count(parts)
        lines += (part for part in map(without_repeats, parts) if len(part) > 1)
    once = without_doubles(lines)
    notes.leave_out(empty, f"{noun} segment", "had no length")
    notes.leave_out(outside, f"{noun} segment", "lay outside the map")
    notes.leave_out(len(lines) - len(once), noun, "repeated another")
    return once


def _portals(root: Mapping[str, Any], frame: _Frame, notes: Notebook) -> list[Portal]:
    portals = []
    outside = 0
    for number_, entry in enumerate(entries(root.get("portals")), start=1):
        ends = _portal_ends(fields(entry), frame)
        if isinstance(ends, str):
            notes.skip("portal", number_, ends)
            continue
        inside = clip([*ends], frame.box)
        if not inside:
            outside += 1
            continue
        closed = flag(fields(entry).get("closed"), default=True)
        portals.append(Portal(number_, inside[0][0], inside[0][-1], closed))
    notes.leave_out(outside, "portal", "lay outside the map")
    return portals


def _portal_ends(entry: Mapping[str, Any], frame: _Frame) -> tuple[Point, Point] | str:
    """Return a portal's ends from its bounds, else from position and rotation, else the fault."""
    bounds = entries(entry.get("bounds"))
    if len(bounds) >= 2:
        a, b = frame.local(bounds[0]), frame.local(bounds[-1])
        if a and b and len(without_repeats([a, b])) == 2:
            return a, b
    middle, turn = frame.local(entry.get("position")), number(entry.get("rotation"))
    if middle is None:
        return "has no bounds"
    if turn is None:
        return "has no bounds and no rotation"
    half_x, half_y = math.cos(turn) / 2, math.sin(turn) / 2
    return (
        (middle[0] - half_x, middle[1] - half_y),
        (middle[0] + half_x, middle[1] + half_y),
    )


def _fitted(
    walls: list[Polyline], portals: list[Portal], notes: Notebook
) -> tuple[list[Polyline], list[Portal]]:
    """Make walls and portals meet: DungeonFog's walls run through, others end a little off."""
    walls, opened = cut(walls, snapped(portals, walls))
    portals = snapped(portals, walls)
    if opened:
        notes.warn(f"{quantity(opened, 'wall')} ran through portals and got gaps there.")
    segments = segments_of(walls)
    edges = [moved_to_edge(portal, segments) if portal.closed else None for portal in portals]
    if moved := sum(edge is not None for edge in edges):
        notes.warn(f"{quantity(moved, 'door')} crossed a cell's middle, moved to the cell's edge.")
    return walls, [edge or portal for edge, portal in zip(edges, portals, strict=True)]


def _lights(root: Mapping[str, Any], frame: _Frame, notes: Notebook) -> list[Light]:
    """Return the lights whose range, clamped to the map's diagonal, reaches the map.

    The file gives the range at which a light ends; it is bright up to half of that.
    """
    lights: list[Light] = []
    outside = 0
    for number_, raw in enumerate(entries(root.get("lights")), start=1):
        entry = fields(raw)
        where, reach = frame.local(entry.get("position")), number(entry.get("range"))
        if where is None:
            notes.skip("light", number_, "has no position")
        elif reach is None or reach < _FAINT:
            notes.skip("light", number_, "has no range")
        elif frame.away(where) >= min(reach, frame.diagonal):
            outside += 1
        else:
            reach = min(reach, frame.diagonal)
            intensity = number(entry.get("intensity"))
            light = Light(
                id=f"light-{len(lights) + 1}",
                position=where,
                bright=reach / 2,
                dim=reach,
                color=argb(entry.get("color")),
                lit=intensity is None or intensity > 0,
                casts_shadows=flag(entry.get("shadows"), default=True),
            )
            lights.append(light)
    notes.leave_out(outside, "light", "did not reach the map")
    return lights


def _offer_geometry(
    walls: list[Polyline], portals: list[Portal], notes: Notebook, options: ImportOptions
) -> None:
    """Warn of what is hard to bear and offer the options that would change this map."""
    segments = segment_count(walls)
    if segments > MANY_SEGMENTS:
        notes.warn(f"{segments:,} wall segments are many; sight will be slow.")
    dense = sum(len(line) > DENSE for line in walls)
    if dense and not options.simplify:
        sentence = f"{quantity(dense, 'wall')} of more than {DENSE} points may be simplified."
        notes.offer("simplify", 0.02, sentence)
    open_ = sum(not portal.closed for portal in portals)
    if open_ and not options.open_portals_as_doors:
        sentence = f"{quantity(open_, 'open portal')} came in as windows; they may be open doors."
        notes.offer("open_portals_as_doors", True, sentence)
    narrow = sum(portal.closed and portal.width < _NARROW for portal in portals)
    if narrow and not options.narrow_portals_as_windows:
        sentence = f"{quantity(narrow, 'door')} narrower than {_NARROW} squares may be windows."
        notes.offer("narrow_portals_as_windows", True, sentence)


def _wall_values(walls: list[Polyline]) -> list[Wall]:
    return [
        Wall(id=f"wall-{index}", points=tuple(line)) for index, line in enumerate(walls, start=1)
    ]


def _outline_values(outlines: list[Polyline], options: ImportOptions) -> list[Wall]:
    terrain = options.objects is ObjectOutlines.TERRAIN
    return [
        Wall(
            id=f"object-{index}",
            points=tuple(line),
            kind=WallKind.TERRAIN if terrain else WallKind.WALL,
            blocks_movement=False,
        )
        for index, line in enumerate(outlines, start=1)
    ]


def _portal_value(portal: Portal, options: ImportOptions) -> Wall:
    """Return a door or a window.

    `closed` is Dungeondraft's "blocks light": false is a window, a grate or an arch there, an open
    door in Arkenforge's files, and nothing in the file tells which.
    """
    narrow = options.narrow_portals_as_windows and portal.width < _NARROW
    if (portal.closed and not narrow) or (not portal.closed and options.open_portals_as_doors):
        return Wall(
            id=f"door-{portal.number}",
            points=(portal.a, portal.b),
            kind=WallKind.DOOR,
            door=DoorState.CLOSED if portal.closed else DoorState.OPEN,
        )
    return Wall(
        id=f"window-{portal.number}",
        points=(portal.a, portal.b),
        kind=WallKind.WINDOW,
        blocks_sight=False,
    )


def _picture(image: bytes, header: PictureHeader | None, frame: _Frame) -> Picture | None:
    """Return the picture stretched over the map, whatever size its pixels have."""
    if header is None:
        return None
    across, down = frame.width / header.width_px, frame.height / header.height_px
    return Picture(
        sha256=hashlib.sha256(image).hexdigest(),
        width_px=header.width_px,
        height_px=header.height_px,
        to_world=(across, 0.0, 0.0, 0.0, down, 0.0),
    )


def _ambient(root: Mapping[str, Any]) -> Ambient:
    """Return the light around the lamps, from the file's ambient colour; white if it has none."""
    color = argb(fields(root.get("environment")).get("ambient_light"))
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    brightness = 0.299 * red + 0.587 * green + 0.114 * blue
    if brightness > 0.75:
        return Ambient.BRIGHT
    return Ambient.DIM if brightness > 0.2 else Ambient.DARK
