"""Pictures in tiles: the same pixels, from coarse to sharp, from the cache the second time."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.model.refusal import FileProblem
from gui.pictures import Pictures, Size, level_count
from gui.tile_cache import TILE_PX, TileCache, TileKey
from tests.helpers.shots import pixels_of

SHA = "a" * 64
SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">
<rect width="20" height="20" fill="#ff0000"/></svg>"""


def a_picture(width: int, height: int) -> np.ndarray:
    xs, ys = np.meshgrid(np.arange(width), np.arange(height))
    return np.stack([xs % 251, ys % 241, (xs + ys) % 239], axis=-1).astype(np.uint8)


def as_png(pixels: np.ndarray, **options: object) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG", **options)
    return out.getvalue()


@pytest.fixture
def make(qapp: QApplication) -> Iterator[Callable[..., Pictures]]:
    made: list[Pictures] = []

    def build(data: bytes, cache: TileCache | None = None, *, inline: bool = True) -> Pictures:
        made.append(Pictures(lambda _: data, cache, inline=inline))
        return made[-1]

    yield build
    for each in made:
        each.close()


def test_tiles_hold_the_pixels_of_the_picture(make: Callable[..., Pictures]):
    pixels = a_picture(1300, 700)
    pictures, size = make(as_png(pixels)), Size(1300, 700)
    for column, row in ((0, 0), (1, 1), (2, 1)):
        tile = pictures.tile(SHA, size, 0, column, row)
        assert tile is not None
        left, top = column * TILE_PX, row * TILE_PX
        part = pixels[top : top + TILE_PX, left : left + TILE_PX]
        assert np.array_equal(pixels_of(tile), part)


def test_each_level_is_half_of_the_one_before_and_the_last_is_one_tile(
    make: Callable[..., Pictures],
):
    size = Size(1300, 700)
    pictures = make(as_png(a_picture(*size)))
    assert level_count(size) == 3
    tile = pictures.tile(SHA, size, 2, 0, 0)
    assert tile is not None
    assert (tile.width(), tile.height()) == (325, 175)


@pytest.mark.parametrize(("side", "levels"), [(1, 1), (512, 1), (513, 2), (1024, 2), (16384, 6)])
def test_level_count(side: int, levels: int):
    assert level_count(Size(side, 3)) == levels


def test_a_picture_decodes_off_the_window_and_is_announced(
    qtbot: QtBot, make: Callable[..., Pictures]
):
    pictures, size = make(as_png(a_picture(600, 600)), inline=False), Size(600, 600)
    with qtbot.waitSignal(pictures.changed, timeout=5000) as announced:
        assert pictures.tile(SHA, size, 0, 0, 0) is None
    assert announced.args == [SHA]
    assert pictures.tile(SHA, size, 0, 1, 1) is not None


def test_the_second_time_the_tiles_come_from_the_cache_alone(
    qtbot: QtBot, make: Callable[..., Pictures], tmp_path: Path
):
    pixels, size = a_picture(900, 600), Size(900, 600)
    first = make(as_png(pixels), TileCache(tmp_path / "tiles.sqlite"), inline=False)
    first.tile(SHA, size, 0, 0, 0)
    qtbot.waitUntil(first.is_idle, timeout=5000)
    first.close()

    def gone(sha256: str) -> bytes:
        raise AssertionError(f"{sha256} was read again")

    second = make(b"", TileCache(tmp_path / "tiles.sqlite"), inline=False)
    second.set_source(gone)
    with qtbot.waitSignal(second.changed, timeout=5000):
        second.tile(SHA, size, 0, 1, 0)
    tile = second.tile(SHA, size, 0, 1, 0)
    assert tile is not None
    assert np.array_equal(pixels_of(tile), pixels[:TILE_PX, TILE_PX:])


@pytest.mark.parametrize("rubbish", [b"", b"rubbish" * 1000, b"SQLite format 3\x00" + bytes(200)])
def test_a_damaged_cache_is_thrown_away(tmp_path: Path, rubbish: bytes):
    path = tmp_path / "tiles.sqlite"
    path.write_bytes(rubbish)
    cache = TileCache(path)
    assert cache.put_picture(SHA, [Image.new("RGBA", (3, 3))])
    assert cache.is_complete(SHA)
    cache.close()


def test_a_cache_that_cannot_be_made_is_done_without(
    qtbot: QtBot, make: Callable[..., Pictures], tmp_path: Path
):
    (tmp_path / "file").write_text("in the way")
    pictures = make(as_png(a_picture(50, 50)), TileCache(tmp_path / "file" / "t"), inline=False)
    with qtbot.waitSignal(pictures.changed, timeout=5000):
        pictures.tile(SHA, Size(50, 50), 0, 0, 0)
    qtbot.waitUntil(pictures.is_idle, timeout=5000)
    assert pictures.tile(SHA, Size(50, 50), 0, 0, 0) is not None


def test_a_tile_lost_from_the_cache_is_made_again_from_the_picture(
    qtbot: QtBot, make: Callable[..., Pictures], tmp_path: Path
):
    size = Size(600, 100)
    cache = TileCache(tmp_path / "t")
    cache.put_picture(SHA, [Image.new("RGBA", (100, 100))])
    pictures = make(as_png(a_picture(*size)), cache, inline=False)

    def there() -> bool:
        return pictures.tile(SHA, size, 0, 1, 0) is not None

    qtbot.waitUntil(there, timeout=5000)


def test_the_oldest_pictures_leave_a_full_cache(tmp_path: Path):
    noise = np.random.default_rng(1).integers(0, 255, (300, 300, 3), np.uint8)
    level = [Image.fromarray(noise).convert("RGBA")]
    cache = TileCache(tmp_path / "t", limit_bytes=600_000)
    for each in "abc":
        cache.put_picture(each * 64, level)
    assert [cache.is_complete(each * 64) for each in "abc"] == [False, True, True]
    assert cache.tile(TileKey("a" * 64, 0, 0, 0)) is None
    cache.close()


def test_transparent_tiles_stay_transparent(tmp_path: Path):
    cache = TileCache(tmp_path / "t")
    cache.put_picture(SHA, [Image.new("RGBA", (4, 4), (200, 0, 0, 100))])
    data = cache.tile(TileKey(SHA, 0, 0, 0))
    assert data is not None
    assert Image.open(io.BytesIO(data)).getpixel((1, 1)) == (200, 0, 0, 100)
    cache.close()


def test_a_picture_that_cannot_be_read_fails_once_with_a_sentence(
    qtbot: QtBot, make: Callable[..., Pictures]
):
    pictures, told = make(b"no picture"), []
    pictures.failed.connect(lambda _, sentence: told.append(sentence))
    for _ in range(3):
        assert pictures.tile(SHA, Size(10, 10), 0, 0, 0) is None
    assert len(told) == 1
    assert told[0].endswith(".")


def test_a_picture_that_is_not_there_fails_too(make: Callable[..., Pictures]):
    def missing(sha256: str) -> bytes:
        raise FileProblem(f"There is no picture {sha256}.")

    pictures, told = make(b""), []
    pictures.set_source(missing)
    pictures.failed.connect(lambda _, sentence: told.append(sentence))
    assert pictures.whole(SHA, 64) is None
    assert told == [f"There is no picture {SHA}."]


def test_a_portrait_is_scaled_to_the_side_asked_for(make: Callable[..., Pictures]):
    image = make(as_png(a_picture(800, 400))).whole(SHA, 100)
    assert image is not None
    assert (image.width(), image.height()) == (100, 50)


def test_an_svg_is_drawn_at_the_size_of_the_map(make: Callable[..., Pictures]):
    tile = make(SVG).tile(SHA, Size(400, 200), 0, 0, 0)
    assert tile is not None
    assert (tile.width(), tile.height()) == (400, 200)
    assert tile.pixelColor(100, 100).name() == "#ff0000"
    assert tile.pixelColor(300, 100).alpha() == 0


def test_an_exif_rotation_is_respected(make: Callable[..., Pictures]):
    exif = Image.Exif()
    exif[0x0112] = 6
    out = io.BytesIO()
    Image.fromarray(a_picture(40, 20)).save(out, "JPEG", exif=exif)
    image = make(out.getvalue()).whole(SHA, 40)
    assert image is not None
    assert (image.width(), image.height()) == (20, 40)


def test_memory_is_bounded(make: Callable[..., Pictures], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("gui.pictures.MEMORY_BYTES", 3 * TILE_PX * 10 * 4)
    size = Size(TILE_PX * 6, 10)
    pictures = make(as_png(a_picture(*size)))
    kept = [pictures.tile(SHA, size, 0, column, 0) for column in range(6)]
    again = [pictures.tile(SHA, size, 0, column, 0) for column in (5, 4, 3, 0)]
    assert [a is b for a, b in zip(again, [kept[5], kept[4], kept[3], kept[0]], strict=True)] == [
        True,
        True,
        True,
        False,
    ]


@pytest.mark.slow
@pytest.mark.parametrize("width", [8192, 8193])
def test_pictures_beyond_qts_own_limit_are_shown(make: Callable[..., Pictures], width: int):
    """C121: Qt's readers take 8192 x 8192 pixels and not one more."""
    out = io.BytesIO()
    Image.new("L", (width, 8192), 77).save(out, "PNG", compress_level=1)
    tile = make(out.getvalue()).tile(SHA, Size(width, 8192), 0, 15, 15)
    assert tile is not None
    assert tile.pixelColor(5, 5).name() == "#4d4d4d"


def test_a_picture_is_coming_until_something_of_it_can_be_shown(
    make: Callable[..., Pictures], qtbot: QtBot
):
    pictures, size = make(as_png(a_picture(600, 300)), inline=False), Size(600, 300)
    assert not pictures.is_coming(SHA)
    pictures.tile(SHA, size, 0, 0, 0)
    assert pictures.is_coming(SHA)
    qtbot.waitUntil(pictures.is_idle)
    assert not pictures.is_coming(SHA)


def test_a_picture_that_cannot_be_shown_is_not_coming(make: Callable[..., Pictures]):
    pictures = make(b"no picture")
    pictures.tile(SHA, Size(4, 4), 0, 0, 0)
    assert not pictures.is_coming(SHA)
