"""Pictures as Qt can show them: a pyramid of tiles, decoded off the window's thread.

The document keeps the original. From it a pyramid of 512 px tiles is made once per picture and
machine and kept in a cache file (`gui.tile_cache`) by the picture's sha256, so that a 16k map
opens from coarse to sharp and pans in a hundred megabytes. Decoding is `engine.formats.pixels`'
alone (never Qt's readers, which ignore EXIF and refuse large pictures); only SVG is drawn by Qt.
"""

import sys
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from math import ceil
from queue import Empty, SimpleQueue
from typing import Generic, NamedTuple, TypeVar

from PIL import Image
from PySide6.QtCore import QByteArray, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from engine.formats.pixels import decode, refuse_size
from engine.formats.sniffing import FileKind, sniff
from engine.model.refusal import FileProblem
from gui.tile_cache import TILE_PX, TileCache, TileKey

Source = Callable[[str], bytes]
"""Returns the bytes of a picture by its sha256; raises FileProblem if there is none."""

K = TypeVar("K")

MEMORY_BYTES = 160 * 1024 * 1024
WHOLE_BYTES = 48 * 1024 * 1024


class Size(NamedTuple):
    """The size of a picture in its own pixels."""

    width: int
    height: int


@dataclass(slots=True)
class _State:
    """How far a picture has come; `levels` holds it in memory while the cache is being filled."""

    levels: list[Image.Image] = field(default_factory=list)
    stored: bool = False
    failed: bool = False
    asked: bool = False
    pending: set[TileKey] = field(default_factory=set)


class Pictures(QObject):
    """Hands out tiles and whole pictures at once if they are there, and sends for them if not.

    With `inline` everything is decoded on the spot and nothing is cached on disk: for pictures
    rendered to a file, which must be whole.
    """

    changed = Signal(str)
    """More of the picture with this sha256 can be had now."""
    failed = Signal(str, str)
    """The picture with this sha256 cannot be shown, and why."""
    _arrived = Signal()

    def __init__(
        self, source: Source, cache: TileCache | None = None, *, inline: bool = False
    ) -> None:
        super().__init__()
        self._source = source
        self._cache = cache
        self._workers = None if inline else ThreadPoolExecutor(2, thread_name_prefix="pictures")
        self._states: dict[str, _State] = {}
        self._tiles: _Shelf[TileKey] = _Shelf(MEMORY_BYTES)
        self._wholes: _Shelf[tuple[str, int]] = _Shelf(WHOLE_BYTES)
        self._inbox: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._arrived.connect(self._take_in, Qt.ConnectionType.QueuedConnection)

    def set_source(self, source: Source) -> None:
        """Take pictures from another document from now on."""
        self._source = source
        self._states = {key: state for key, state in self._states.items() if not state.failed}

    def tile(self, sha256: str, size: Size, level: int, column: int, row: int) -> QImage | None:
        """Return a tile of a level (0 is full size, each further one half), None if not there yet.

        What is missing is fetched; `changed` tells when it has come.
        """
        key = TileKey(sha256, level, column, row)
        found = self._tiles.get(key)
        if found is not None:
            return found
        state = self._state(sha256, size)
        if state.failed:
            return None
        if level < len(state.levels):
            return self._tiles.put(key, _cut(state.levels[level], column, row))
        if state.stored and key not in state.pending:
            state.pending.add(key)
            self._run(lambda: self._fetch(key))
            return self._tiles.get(key)
        return None

    def whole(self, sha256: str, side_px: int) -> QImage | None:
        """Return a picture whose longer side is at most `side_px`; None if not there yet."""
        key = (sha256, side_px)
        found = self._wholes.get(key)
        state = self._states.setdefault(sha256, _State())
        if found is not None or state.failed:
            return found
        wanted = TileKey(sha256, -side_px, 0, 0)
        if wanted in state.pending:
            return None
        data = self._bytes(sha256, state)
        if data is None:
            return None
        state.pending.add(wanted)
        self._run(lambda: self._shrink(wanted, data, side_px))
        return self._wholes.get(key)

    def is_coming(self, sha256: str) -> bool:
        """Tell whether a picture was asked for and nothing of it can be shown yet."""
        state = self._states.get(sha256)
        if state is None or not state.asked or state.failed or state.levels:
            return False
        return not state.stored or bool(
            state.pending and not any(key.sha256 == sha256 for key in self._tiles.held())
        )

    def is_idle(self) -> bool:
        """Tell whether nothing is being decoded or fetched."""
        return all(
            not state.pending and (state.stored or state.failed or not state.asked)
            for state in self._states.values()
        )

    def close(self, *, wait: bool = True) -> None:
        """Stop the workers; what they have half done is done again another time.

        Without `wait` a picture that is just being decoded is decoded to its end, for nobody.
        """
        if self._cache is not None:
            self._cache.stop()
        if self._workers is not None:
            self._workers.shutdown(wait=wait, cancel_futures=True)
        if self._cache is not None:
            self._cache.close()

    def _state(self, sha256: str, size: Size) -> _State:
        """Return how far a picture is, after setting its pyramid going if nobody has yet."""
        state = self._states.setdefault(sha256, _State())
        if state.asked or state.failed:
            return state
        state.asked = True
        if self._cache is not None and self._cache.is_complete(sha256):
            state.stored = True
            return state
        data = self._bytes(sha256, state)
        if data is not None:
            self._run(lambda: self._build(sha256, data, size))
        return state

    def _bytes(self, sha256: str, state: _State) -> bytes | None:
        try:
            return self._source(sha256)
        except FileProblem as problem:
            self._fail(sha256, state, str(problem))
            return None

    def _fail(self, sha256: str, state: _State, sentence: str) -> None:
        state.failed = True
        state.pending.clear()
        self.failed.emit(sha256, sentence)

    def _run(self, job: Callable[[], None]) -> None:
        if self._workers is None:
            job()
            self._take_in()
            return
        self._workers.submit(job).add_done_callback(_raise_bugs)

    def _post(self, news: Callable[[], None]) -> None:
        """Leave a message for the window's thread; called by workers."""
        self._inbox.put(news)
        if self._workers is not None:
            self._arrived.emit()

    def _take_in(self) -> None:
        while True:
            try:
                news = self._inbox.get_nowait()
            except Empty:
                return
            news()

    def _build(self, sha256: str, data: bytes, size: Size) -> None:
        """Decode a picture, hand out its levels, then fill the cache with its tiles (worker)."""
        state = self._states[sha256]
        try:
            levels = _pyramid(_decoded(data, size))
        except FileProblem as problem:
            sentence = str(problem)
            self._post(lambda: self._fail(sha256, state, sentence))
            return
        self._post(lambda: self._built(sha256, levels))
        if self._cache is not None:
            stored = self._cache.put_picture(sha256, levels)
            self._post(lambda: self._settled(sha256, stored=stored))

    def _built(self, sha256: str, levels: list[Image.Image]) -> None:
        self._states[sha256].levels = levels
        if self._cache is None:
            self._states[sha256].stored = True
        self.changed.emit(sha256)

    def _settled(self, sha256: str, *, stored: bool) -> None:
        """Let go of the levels in memory once the cache has them; keep them if it could not."""
        state = self._states[sha256]
        state.stored = True
        if stored:
            state.levels = []

    def _fetch(self, key: TileKey) -> None:
        """Read a tile from the cache (worker)."""
        data = self._cache.tile(key) if self._cache is not None else None
        image = QImage.fromData(QByteArray(data)) if data is not None else QImage()
        ready = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
        self._post(lambda: self._fetched(key, ready))

    def _fetched(self, key: TileKey, image: QImage) -> None:
        state = self._states[key.sha256]
        state.pending.discard(key)
        if image.isNull():
            # The cache lost it, or was damaged: make the pyramid anew from the original.
            state.asked = state.stored = False
            if self._cache is not None:
                self._cache.forget(key.sha256)
        else:
            self._tiles.put(key, image)
        self.changed.emit(key.sha256)

    def _shrink(self, wanted: TileKey, data: bytes, side_px: int) -> None:
        """Decode a picture and scale it down (worker)."""
        sha256, state = wanted.sha256, self._states[wanted.sha256]
        try:
            image = _decoded(data, None, side_px)
        except FileProblem as problem:
            sentence = str(problem)
            self._post(lambda: self._fail(sha256, state, sentence))
            return
        image.thumbnail((side_px, side_px), Image.Resampling.LANCZOS, reducing_gap=2.0)
        ready = to_qimage(image)
        self._post(lambda: self._shrunk(wanted, side_px, ready))

    def _shrunk(self, wanted: TileKey, side_px: int, image: QImage) -> None:
        self._states[wanted.sha256].pending.discard(wanted)
        self._wholes.put((wanted.sha256, side_px), image)
        self.changed.emit(wanted.sha256)


class _Shelf(Generic[K]):
    """Images in memory up to a number of bytes; those not asked for longest go first."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._held = 0
        self._images: OrderedDict[K, QImage] = OrderedDict()

    def get(self, key: K) -> QImage | None:
        found = self._images.get(key)
        if found is not None:
            self._images.move_to_end(key)
        return found

    def held(self) -> tuple[K, ...]:
        return tuple(self._images)

    def put(self, key: K, image: QImage) -> QImage:
        before = self._images.pop(key, None)
        self._held += image.sizeInBytes() - (before.sizeInBytes() if before else 0)
        self._images[key] = image
        while self._held > self._limit and len(self._images) > 1:
            _, gone = self._images.popitem(last=False)
            self._held -= gone.sizeInBytes()
        return image


def level_count(size: Size) -> int:
    """Return how many levels a picture has: the last one fits into one tile."""
    count, side = 1, max(size)
    while side > TILE_PX:
        side = ceil(side / 2)
        count += 1
    return count


def to_qimage(image: Image.Image) -> QImage:
    """Return a Pillow picture as a premultiplied QImage that owns its pixels."""
    rgba = image if image.mode == "RGBA" else image.convert("RGBA")
    data = rgba.tobytes()
    wrapped = QImage(data, rgba.width, rgba.height, 4 * rgba.width, QImage.Format.Format_RGBA8888)
    return wrapped.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def _decoded(data: bytes, size: Size | None, side_px: int = 0) -> Image.Image:
    """Decode any picture; an SVG is drawn at `size`, or as large as `side_px` allows."""
    if sniff(data[:4096]) is not FileKind.SVG:
        return decode(data)
    renderer = QSvgRenderer(QByteArray(data))
    natural = renderer.defaultSize()
    if not renderer.isValid() or natural.isEmpty():
        raise FileProblem("The SVG picture is damaged and cannot be shown.")
    if size is None:
        scale = side_px / max(natural.width(), natural.height())
        size = Size(max(1, round(natural.width() * scale)), max(1, round(natural.height() * scale)))
    refuse_size(*size, "The SVG picture")
    image = QImage(*size, QImage.Format.Format_RGBA8888)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, *size))
    painter.end()
    return Image.frombytes("RGBA", (size.width, size.height), bytes(image.constBits()))


def _pyramid(image: Image.Image) -> list[Image.Image]:
    """Return the picture and its halves, down to one that fits into a tile."""
    levels = [image]
    while max(levels[-1].size) > TILE_PX:
        levels.append(levels[-1].reduce(2))
    return levels


def _cut(level: Image.Image, column: int, row: int) -> QImage:
    left, top = column * TILE_PX, row * TILE_PX
    right, bottom = min(left + TILE_PX, level.width), min(top + TILE_PX, level.height)
    return to_qimage(level.crop((left, top, max(left, right), max(top, bottom))))


def _raise_bugs(done: "Future[None]") -> None:
    """Let a bug in a worker reach the crash handler instead of vanishing with its future."""
    if not done.cancelled() and (error := done.exception()) is not None:
        sys.excepthook(type(error), error, error.__traceback__)
