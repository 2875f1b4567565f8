"""The scene of one audience: token items and board layers, kept in step with that one's View.

What the audience may not see is not in the View and so never reaches a scene. Nothing is decided
here: `sync` re-reads a View, compares by identity before equality, and touches what changed.
"""

from collections.abc import Iterable, Sequence
from zlib import crc32

from PySide6.QtCore import QElapsedTimer, QRectF, QTimer, Signal
from PySide6.QtWidgets import QGraphicsScene

from engine.grid.grid import Grid, grid_of
from engine.model.space import Point
from engine.view import TokenView, View
from gui.canvas.items.discs import Discs
from gui.canvas.items.token_item import TokenItem
from gui.canvas.items.token_look import look_of, token_ids_by_cell, turned
from gui.canvas.items.token_picture import TokenBaker, bucket_for
from gui.canvas.layers.board_layers import BoardLayers
from gui.canvas.layers.fog_changes import FogChange, fog_change
from gui.canvas.space import SCENE_PER_CELL, scene_to_world, world_to_scene
from gui.pictures import Pictures
from gui.theme import Theme

__all__ = ["SCENE_PER_CELL", "BoardScene", "scene_to_world", "world_to_scene"]

_PORTRAIT_PX = 256
_SLICE_MS = 6
_SHARPEN_AFTER_MS = 120
_MANY = 300
_RING_MARGIN = 14.0


class BoardScene(QGraphicsScene):
    """Holds what one audience sees, for one `BoardView`."""

    synced = Signal()
    """The scene shows another View now."""
    board_changed = Signal(object)
    """The board looks different in a list of scene rectangles; None: anywhere."""

    def __init__(self, theme: Theme, pictures: Pictures) -> None:
        super().__init__()
        self.theme = theme
        self.pictures = pictures
        self.view: View | None = None
        self.grid: Grid | None = None
        self.layers: BoardLayers | None = None
        self.fog_change: FogChange | None = None
        self.token_items: dict[str, TokenItem] = {}
        self.selected: tuple[str, ...] = ()
        self.hovered: str | None = None
        self._baker = TokenBaker(theme)
        self._bucket = 64
        self._device_px = 0.0
        self._rotation_deg = 0
        self._by_cell: dict[Point, list[str]] | None = None
        self._discs: Discs | None = None
        self._sharpen = QTimer(self, singleShot=True)
        self._sharpen.timeout.connect(self._sharpen_slice)
        self._rough = False
        self._calm = QTimer(self, singleShot=True)
        self._calm.timeout.connect(lambda: self._scale_roughly(on=False))
        # Items come and go by the thousand and lie where they like; a tree of them would only
        # be rebuilt at every drag.
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        pictures.changed.connect(self._picture_changed)

    @property
    def board_rect(self) -> QRectF:
        """Return the board in scene units, empty without a View."""
        return self.layers.rect if self.layers is not None else QRectF()

    @property
    def discs(self) -> Discs:
        """Return the tokens and where their discs are; another object when that has changed."""
        if self._discs is None:
            self._discs = Discs.of(self.token_items.values())
        return self._discs

    @property
    def rough(self) -> bool:
        """Tell whether a crowd of tokens zooms, so that speed counts more than looks."""
        return self._rough

    def sync(self, view: View) -> None:
        """Show a View; only what differs from the one before is touched."""
        before, self.view = self.view, view
        if before is view:
            return
        spec = view.grid
        grid = grid_of(spec.kind, spec.columns, spec.rows)
        if self.grid is not grid:
            self._new_board(grid)
            before = None
        assert self.layers is not None
        dirty = self.layers.sync(view)
        self.board_changed.emit(None if before is None else list(dirty))
        self._sync_tokens(before, view)
        self.fog_change = fog_change(before.fog if before is not None else None, view.fog)
        dirty += [self._whole()] if self.fog_change.rects is None else self.fog_change.rects
        if before is None or (before.pings, before.pointer, before.mode) != (
            view.pings,
            view.pointer,
            view.mode,
        ):
            dirty.append(self._whole())
        for rect in dirty:
            self.update(rect)
        self.synced.emit()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme from now on."""
        self.theme = theme
        self._baker = TokenBaker(theme)
        self._rebake_all()
        self.board_changed.emit(None)
        self.update()

    def set_selected(self, ids: Iterable[str]) -> None:
        """Ring these tokens; ids that are not on the scene are no fault."""
        self._mark(self.selected)
        self.selected = tuple(ids)
        self._mark(self.selected)

    def set_hovered(self, token_id: str | None) -> None:
        """Ring this one faintly."""
        if token_id == self.hovered:
            return
        self._mark((self.hovered,))
        self.hovered = token_id
        self._mark((token_id,))

    def token_at(self, world: Point) -> str | None:
        """Return the topmost token whose cells hold a world point."""
        if self.view is None or self.grid is None:
            return None
        if self._by_cell is None:
            self._by_cell = token_ids_by_cell(self.view.tokens)
        ids = self._by_cell.get(self.grid.cell_at(world), ())
        return max(ids, key=lambda each: (self.token_items[each].zValue(), each), default=None)

    def center_of(self, token_id: str) -> Point | None:
        """Return where a token is shown."""
        if self.view is None or token_id not in self.view.tokens:
            return None
        return self.view.tokens[token_id].center

    def set_detail(self, device_px_per_cell: float, rotation_deg: int) -> None:
        """Take over how large and how turned the view shows the map.

        Tokens are baked anew for another rotation at once, for another size a little later and
        in slices, so that zooming never waits for them.
        """
        bucket = bucket_for(device_px_per_cell)
        zooming, self._device_px = device_px_per_cell != self._device_px, device_px_per_cell
        if zooming and len(self.token_items) > _MANY:
            self._scale_roughly(on=True)
            self._calm.start(_SHARPEN_AFTER_MS)
        if rotation_deg != self._rotation_deg:
            self._rotation_deg, self._bucket = rotation_deg, bucket
            self._rebake_all()
        elif bucket != self._bucket or (zooming and self._sharpen.isActive()):
            self._bucket = bucket
            self._sharpen.start(_SHARPEN_AFTER_MS)

    def sharpen_now(self) -> None:
        """Bake every token for the present size at once: for pictures, and for tests."""
        self._sharpen.stop()
        self._scale_roughly(on=False)
        for item in self.token_items.values():
            if item.bucket != self._bucket:
                self._bake(item)

    def _scale_roughly(self, *, on: bool) -> None:
        """Let a crowd of tokens be scaled quickly while it zooms, and well when it rests."""
        if on == self._rough:
            return
        self._rough = on
        for item in self.token_items.values():
            item.scale_roughly(on=on)

    def _new_board(self, grid: Grid) -> None:
        self.grid = grid
        self.layers = BoardLayers(grid, self.pictures)

    def _whole(self) -> QRectF:
        assert self.layers is not None
        return self.layers.everything

    def _sync_tokens(self, before: View | None, view: View) -> None:
        active_before = frozenset(before.active) if before is not None else frozenset()
        active = frozenset(view.active)
        if before is not None and before.tokens is view.tokens and active == active_before:
            return
        self._by_cell = None
        discs, self._discs = self._discs, None
        for token_id in [each for each in self.token_items if each not in view.tokens]:
            self.removeItem(self.token_items.pop(token_id))
        old = before.tokens if before is not None else {}
        changed = []
        for token_id, token in view.tokens.items():
            was = old.get(token_id)
            same = was is token or was == token
            if not same or (token_id in active) != (token_id in active_before):
                changed.append(token_id)
                self._sync_token(token, active=token_id in active)
        if discs is not None and discs.numbers.keys() == self.token_items.keys():
            self._discs = discs.moved(changed)

    def _sync_token(self, token: TokenView, *, active: bool) -> None:
        assert self.grid is not None
        item = self.token_items.get(token.id)
        before = None
        if item is None:
            item = self.token_items[token.id] = TokenItem(token.id)
            self.addItem(item)
        else:
            before = _marked_rect(item)
        # Move first and mark after: the other way round Qt paints what is marked, and then, by
        # itself, the item at its new place once more.
        item.place(token.center, _z_of(token))
        look = look_of(token, self.grid, active=active, rotation_deg=self._rotation_deg)
        baked, item.look = item.look, look
        if look != baked or item.bucket != self._bucket:
            self._bake(item)
        if before is not None:
            self.update(before)
        self._mark((token.id,))

    def _bake(self, item: TokenItem) -> None:
        look = item.look
        assert look is not None
        portrait = self.pictures.whole(look.portrait, _PORTRAIT_PX) if look.portrait else None
        pictured = portrait is not None and not portrait.isNull()
        baked = self._baker.bake(look, self._bucket, portrait)
        item.show_baked(look, self._bucket, baked, pictured=pictured)
        self._discs = None

    def _rebake_all(self) -> None:
        self._sharpen.stop()
        for item in self.token_items.values():
            if item.look is not None:
                item.look = turned(item.look, self._rotation_deg)
                self._bake(item)

    def _sharpen_slice(self) -> None:
        """Bake for some milliseconds, then let the window breathe."""
        clock = QElapsedTimer()
        clock.start()
        for item in self.token_items.values():
            if item.bucket != self._bucket:
                self._bake(item)
                if clock.elapsed() >= _SLICE_MS:
                    self._sharpen.start(0)
                    return

    def _picture_changed(self, sha256: str) -> None:
        """Draw again what shows a picture of which more has come."""
        if self.view is None:
            return
        if self.view.picture is not None and self.view.picture.sha256 == sha256:
            self.board_changed.emit([self._whole()])
            self.update(self._whole())
        for item in self.token_items.values():
            if item.look is not None and item.look.portrait == sha256:
                self._bake(item)

    def _mark(self, ids: Sequence[str | None]) -> None:
        """Have the rings around tokens painted anew; the view paints them, not the items."""
        for token_id in ids:
            item = self.token_items.get(token_id) if token_id is not None else None
            if item is not None:
                self.update(_marked_rect(item))


def _marked_rect(item: TokenItem) -> QRectF:
    """Return where a token and the rings around it are drawn."""
    rect = item.sceneBoundingRect()
    return rect.adjusted(-_RING_MARGIN, -_RING_MARGIN, _RING_MARGIN, _RING_MARGIN)


def _z_of(token: TokenView) -> float:
    """Return the place in the stack: the higher above ground and the smaller, the further up.

    Equals are told apart by their ids, not by who came first, so that all windows agree.
    """
    return token.elevation - min(len(token.cells), 60) + crc32(token.id.encode()) % 1000 * 1e-6
