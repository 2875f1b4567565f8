"""Frames of the map: from a change to the painted window, on Qt's offscreen platform.

Single frames count, by the clock on the wall: percentiles. They are compared with a map that is
drawn without care.
"""

import gc
import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256
from itertools import count
from math import cos, sin
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any
from unittest.mock import patch

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_QPA_UPDATE_IDLE_TIME", "0")

from PIL import Image
from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QSettings
from PySide6.QtGui import QPaintEvent, QPolygonF
from PySide6.QtWidgets import QApplication
from typing_extensions import override

from engine.commands.board import ImportMap
from engine.geometry import outlook
from engine.geometry.explored import mask_of_outline
from engine.geometry.knowledge import party_of
from engine.geometry.outlook import Lookout, Outlook, outlooks
from engine.geometry.segments import WallSet
from engine.geometry.visibility import Visibility
from engine.geometry.vision import visions
from engine.grid.grid import Grid
from engine.model.board import Board, GridSpec, Picture
from engine.model.encounter import Encounter
from engine.model.space import Cell, GridKind, Point
from engine.model.token import Token, Vision
from engine.model.value import FrozenMap
from engine.model.wall import DoorState, Wall, WallKind
from engine.rules.drase.options import DraseOptions
from engine.session import Session
from engine.view import FogView, TokenView, View
from gui.app import App
from gui.canvas.board_view import BoardView
from gui.canvas.layers.wall_layer import wall_rect
from gui.canvas.scene import BoardScene
from gui.pictures import Pictures
from gui.preferences import Preferences
from gui.theme import DARK
from gui.tile_cache import TileCache
from tests.bench.baselines_frames import NaiveBoard
from tests.bench.rows import BenchRow, Limit, later
from tests.helpers.views import NO_FOG, a_grid, a_token, a_view

COLUMNS, ROWS = 60, 40
PARTY = 12
DRAGGED_AMONG = 50
"""How many tokens stand on the board while one is dragged; the design counts the party alone."""
RADIUS = 30.0
SOFT_PX = 40
"""So far the soft edge of the fog and the shadow of a door may reach."""


@cache
def app() -> QApplication:
    """Return the program that windows need."""
    running = QApplication.instance()
    return running if isinstance(running, QApplication) else QApplication(["bench"])


class World:
    """A board with walls and tokens, and what the party sees of it."""

    def __init__(self, kind: GridKind, *, tokens: int = 1000, walls: int = 1000) -> None:
        random = Random(5)
        self.grid: Grid = a_grid(COLUMNS, ROWS, kind)
        box = self.grid.bounds
        self.walls = [self._wall(random, i, box.right, box.bottom) for i in range(walls)]
        self.board = Board(
            grid=GridSpec(kind=kind, columns=COLUMNS, rows=ROWS),
            walls=FrozenMap({wall.id: wall for wall in self.walls}),
        )
        self.tokens = [self._token(random, i) for i in range(tokens)]
        self.eyes = [token.center for token in self.tokens[:PARTY]]
        self.party = Encounter(
            ruleset="toy",
            board=self.board,
            tokens=FrozenMap({token.id: _hero(token) for token in self.tokens[:PARTY]}),
        )
        looks = self.look(self.eyes)
        explored = FrozenMap()
        for look in looks:
            explored = explored.put_all(mask_of_outline(look.outline).added_to(explored))
        sight = tuple((look.ring,) for look in looks)
        self.fog = FogView(True, sight, explored, FrozenMap(), FrozenMap())

    def look(self, points: list[Point]) -> tuple[Outlook, ...]:
        """Return what is seen from some points."""
        return outlooks(self.board, [Lookout(point, None, RADIUS) for point in points])

    def view(self, *, gm: bool = False, walls: bool = True, fog: bool = True) -> View:
        """Return the View of an audience."""
        return a_view(
            *self.tokens,
            grid=self.grid,
            gm=gm,
            walls=self.walls if walls else (),
            fog=self.fog if fog else NO_FOG,
        )

    def _wall(self, random: Random, number: int, right: float, bottom: float) -> Wall:
        x, y, turn = random.uniform(0, right), random.uniform(0, bottom), random.uniform(0, 6.28)
        length = random.uniform(0.3, 1.2)
        end = (
            min(max(x + length * cos(turn), 0), right),
            min(max(y + length * sin(turn), 0), bottom),
        )
        return Wall(id=f"wall-{number}", points=((x, y), end))

    def _token(self, random: Random, number: int) -> TokenView:
        cell = self.grid.from_offset(random.randrange(COLUMNS), random.randrange(ROWS))
        side = "party" if number < PARTY else ("foes", "neutral")[number % 2]
        badges = ("S",) if number % 4 == 0 else ()
        return a_token(f"{number}", cell, grid=self.grid, side=side, badges=badges)


def _hero(token: TokenView) -> Token:
    sight = Vision(radius=RADIUS)
    return Token(id=token.id, name=token.name, side="party", cell=token.cell, vision=sight)


def shown(view: View, width: int, height: int, *, players: bool) -> BoardView:
    """Return a board at rest in a window of that size."""
    app()
    pictures = Pictures(lambda _: b"", inline=True)
    board = BoardView(BoardScene(DARK, pictures), players=players)
    board.resize(width, height)
    board.show()
    board.board.sync(view)
    board.fit_board()
    settle(board)
    return board


def settle(board: BoardView) -> None:
    """Let everything be drawn and come to rest."""
    app().processEvents()
    board.rest_now()
    app().processEvents()


@cache
def world(kind: GridKind) -> World:
    """Return the world of a kind of grid, made once."""
    app()
    return World(kind)


def drag_with_vision() -> tuple[Callable[[], object], Callable[[], object]]:
    """Return a frame of a token dragged with its sight live, and one that makes all anew.

    The design's row counts twelve party tokens and no others; here others stand about as well.

    The token is somewhere else in every frame. One that looks again through the eyes of anybody
    who stays where they are fails.
    """
    app()
    here = World(GridKind.SQUARE, tokens=DRAGGED_AMONG)
    board = shown(here.view(), 1600, 1000, players=True)
    start, dragged, steps = here.party, here.party.token("3"), count()
    visions(start, party_of(start.tokens))

    def frame() -> None:
        step = next(steps)
        cell = Cell(4 + step % 50, 4 + step // 50 % 30)
        now = start.with_token(dragged.changed(cell=cell))
        with counted_eyes() as looked:
            seen = visions(now, party_of(now.tokens))
        assert sum(looked) <= 1, f"{sum(looked)} eyes looked anew; one of them moved"
        view = board.board.view
        assert view is not None
        sight = tuple(vision.rings for vision in seen)
        tokens = {**view.tokens, "3": _at(view.tokens["3"], here.grid, cell)}
        board.board.sync(replace(view, tokens=tokens, fog=replace(view.fog, sight=sight)))
        app().processEvents()

    fresh = shown(here.view(), 1600, 1000, players=True)
    # The time that the kernel and the baseline take is no pause: neither comes to rest meanwhile.
    for each in (board, fresh):
        each._settle.setInterval(1_000_000)

    def all_anew() -> None:
        view = here.view()
        looks = here.look([(x + 0.01 * next(steps), y) for x, y in here.eyes])
        sight = tuple((look.ring,) for look in looks)
        fresh.board.sync(replace(view, fog=replace(view.fog, sight=sight)))
        fresh.zoom_at(QPointF(10, 10), 1.0001)
        fresh.viewport().repaint()
        app().processEvents()

    return frame, all_anew


def _at(token: TokenView, grid: Grid, cell: Cell) -> TokenView:
    """Return a token of one cell at another."""
    return replace(
        token,
        cell=cell,
        cells=(cell,),
        center=grid.center(cell),
        rings=grid.rings((cell,)),
    )


@contextmanager
def counted_eyes() -> Iterator[list[int]]:
    """Count the eyes whose polygons are computed."""
    looked: list[int] = []
    computed = outlook.visibility_polygons

    def counting(walls: WallSet, eyes: Sequence[Point], **given: Any) -> list[Visibility]:
        looked.append(len(eyes))
        return computed(walls, eyes, **given)

    with patch.object(outlook, "visibility_polygons", counting):
        yield looked


def zoom(kind: GridKind, px_per_cell: float) -> tuple[Callable[[], object], Callable[[], object]]:
    """Return a frame of zooming, and the same on a map drawn without care."""
    here = world(kind)
    board = shown(here.view(walls=False), 1920, 1080, players=True)
    board.set_camera((COLUMNS / 2, ROWS / 2 * 0.9), px_per_cell)
    settle(board)
    naive = NaiveBoard(here.grid, here.tokens, [rings[0] for rings in here.fog.sight or ()])
    naive.resize(1920, 1080)
    naive.show()
    naive.scale(px_per_cell / 64, px_per_cell / 64)
    app().processEvents()
    steps = count()

    def factor() -> float:
        return 1.03 if next(steps) % 20 < 10 else 1 / 1.03

    def frame() -> None:
        board.zoom_at(QPointF(900, 500), factor())
        app().processEvents()

    def naive_frame() -> None:
        share = factor()
        naive.scale(share, share)
        app().processEvents()

    return frame, naive_frame


def pan() -> Callable[[], object]:
    """Return a frame of panning."""
    board = shown(world(GridKind.HEX_POINTY).view(walls=False), 1920, 1080, players=True)
    board.set_camera((COLUMNS / 2, ROWS / 2 * 0.9), 40)
    settle(board)
    steps = count()

    def frame() -> None:
        way = 1 if next(steps) % 40 < 20 else -1
        board.pan_by(11 * way, 7 * way)
        app().processEvents()

    return frame


def door_on_4k() -> tuple[Callable[[], object], Callable[[], object]]:
    """Return a frame of a door toggled on the players' 4K window, and a whole repaint of it."""
    here = world(GridKind.SQUARE)
    door = Wall(id="door", points=((30, 20), (30, 21)), kind=WallKind.DOOR, door=DoorState.CLOSED)
    view = here.view(walls=False)
    walls = FrozenMap({"door": door})
    view = replace(view, walls=walls)
    assert view.fog.sight is not None
    ring = view.fog.sight[0][0]
    board = shown(view, 3840, 2160, players=True)
    opened = (*ring[:-1], (ring[-1][0] + 2.5, ring[-1][1] + 1.5))
    sights = ((ring,), (opened,))
    steps = count()

    painted = Painted(board)
    # The leaf of the door, and the ground that comes into sight or goes out of it.
    corners = [board.position_of(each) for each in (*ring[-2:], ring[0], opened[-1])]
    ground = QPolygonF(corners).boundingRect()
    leaf = board.viewportTransform().mapRect(wall_rect(door))
    around = (ground.united(leaf)).adjusted(-SOFT_PX, -SOFT_PX, SOFT_PX, SOFT_PX).toAlignedRect()

    def frame() -> None:
        turn = next(steps) % 2
        state = (DoorState.OPEN, DoorState.CLOSED)[turn]
        painted.rects.clear()
        assert view.fog.sight is not None
        fog = replace(view.fog, sight=(sights[1 - turn], *view.fog.sight[1:]))
        board.board.sync(replace(view, fog=fog, walls=walls.put("door", door.changed(door=state))))
        app().processEvents()
        assert painted.rects, "nothing is painted"
        assert all(around.contains(each) for each in painted.rects), f"{painted.rects} in {around}"

    def whole() -> None:
        board.viewport().update()
        app().processEvents()

    return frame, whole


class Painted(QObject):
    """Notes which rectangles of a board are painted."""

    def __init__(self, board: BoardView) -> None:
        super().__init__(board)
        self.rects: list[QRect] = []
        board.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.rects.append(event.region().boundingRect())
        return False


@cache
def large_picture() -> bytes:
    """Return a map of 100 million pixels as a PNG."""
    out = io.BytesIO()
    Image.linear_gradient("L").resize((10_000, 10_000)).save(out, "PNG", compress_level=1)
    return out.getvalue()


class Opening:
    """Opens a document of 500 tokens, 3,000 walls and a picture of 100 million pixels.

    Each time in a window of its own without anything decoded or remembered on disk.
    """

    def __init__(self) -> None:
        self._folder = Path(mkdtemp(prefix="battlemat-bench-"))
        self._path = self._folder / "large.battlemat"
        self._app: App | None = None
        self._numbers = count()
        data = large_picture()
        digest = sha256(data).hexdigest()
        picture = Picture(
            sha256=digest,
            width_px=10_000,
            height_px=10_000,
            to_world=(COLUMNS / 10_000, 0, 0, 0, ROWS / 10_000, 0),
        )
        here = World(GridKind.SQUARE, tokens=500, walls=3000)
        tokens = {
            token.id: Token(id=token.id, name=token.id, side=token.side, cell=token.cell)
            for token in here.tokens
        }
        board = here.board.changed(picture=picture)
        encounter = Encounter(
            ruleset="drase", board=here.board, tokens=FrozenMap(tokens), options=DraseOptions()
        )
        first = [ImportMap(board=board)]
        Session.create(self._path, encounter, first=first, images={digest: data}).close()

    def prepare(self) -> None:
        """Open an empty window, and let the one before finish."""
        if self._app is not None:
            self._app.bridge.attach(None)
            self._app.pictures.close()
            self._app.window.hide()
        number = next(self._numbers)
        settings = QSettings(str(self._folder / "settings.ini"), QSettings.Format.IniFormat)
        cache_file = TileCache(self._folder / f"tiles-{number}.sqlite")
        self._app = App(Preferences(settings), cache_file)
        self._app.window.resize(1600, 1000)
        self._app.window.show()
        app().processEvents()
        gc.collect()

    def run(self) -> None:
        """Open the document until the map is painted and the windows answer."""
        assert self._app is not None
        self._app.bridge.attach(Session.open(self._path))
        app().processEvents()
        assert self._app.window.board.board.view is not None


def idle() -> None:
    """Let other windows paint what they still owe: a baseline's must not fall into our frame."""
    for _ in range(3):
        app().processEvents()


def _both(
    made: Callable[[], tuple[Callable[[], object], Callable[[], object]]],
) -> tuple[Callable[[], object], Callable[[], object]]:
    """Return a job and its baseline that are set up when the first of them is run."""
    pair = cache(made)
    return later(lambda: pair()[0]), later(lambda: pair()[1])


def rows() -> list[BenchRow]:
    """Give the rows of this module; their names are those of the design's table."""
    drag, all_anew = _both(drag_with_vision)
    zoomed, naive = _both(partial(zoom, GridKind.HEX_POINTY, 30))
    door, whole = _both(door_on_4k)
    opening = cache(Opening)
    return [
        BenchRow(
            job="dragging one token, its vision live, 12 party tokens, 1,000 walls, 1600 x 1000",
            run=drag,
            baseline=all_anew,
            ratio_target=2,
            target_ms=None,
            limits=(Limit(95, 12), Limit(99, 16)),
            prepare=idle,
            note="0 recomputations for tokens that did not move, counted in each frame; "
            "baseline: all eyes, all walls and all fog anew",
        ),
        BenchRow(
            job="zoom and pan at 1080p, 1,000 tokens, hex grid with level of detail, fog: zoom",
            run=zoomed,
            baseline=naive,
            ratio_target=2,
            target_ms=None,
            limits=(Limit(95, 20),),
            prepare=idle,
            note="baseline: items that paint themselves, all lines, one path of fog",
        ),
        BenchRow(
            job="zoom and pan at 1080p, 1,000 tokens, hex grid with level of detail, fog: pan",
            run=later(pan),
            baseline=None,
            ratio_target=None,
            target_ms=None,
            limits=(Limit(95, 20),),
            prepare=idle,
        ),
        BenchRow(
            job="door toggle shown on a 3840 x 2160 player window",
            run=door,
            baseline=whole,
            ratio_target=1.3,
            target_ms=None,
            limits=(Limit(95, 33),),
            prepare=idle,
            note="only the changed rectangle repainted, checked in each frame; "
            "baseline: the whole window painted again, nothing computed",
        ),
        BenchRow(
            job="open an encounter: 500 tokens, 3,000 walls, 100 Mpx picture",
            run=lambda: opening().run(),
            baseline=None,
            ratio_target=None,
            target_ms=None,
            limits=(Limit(50, 2000),),
            runs=5,
            prepare=lambda: opening().prepare(),
            note="from the file to the painted window; the picture sharpens after",
        ),
    ]
