"""Pictures become upright 8-bit sRGB with alpha, or one sentence; sizes are known beforehand."""

import io
import struct
import warnings
import zlib
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from engine.formats import pixels
from engine.formats.headers import header_size, is_whole
from engine.formats.pixels import check, decode, read_header
from engine.formats.sniffing import FileKind, sniff
from engine.model.refusal import FileProblem
from tests.helpers.maps import picture

KINDS = ["PNG", "JPEG", "WEBP", "AVIF", "GIF"]
RED, BLUE = (200, 30, 20), (10, 20, 220)


def png(width: int, height: int, *, data: bytes = b"", depth: int = 8, color: int = 2) -> bytes:
    """Return a PNG that claims any size."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(data))
        + chunk(b"IEND", b"")
    )


def halves(kind: str, **how: Any) -> bytes:
    """Return a picture of 64 x 32 that is red on the left and blue on the right."""
    image = Image.new("RGB", (64, 32), RED)
    image.paste(BLUE, (32, 0, 64, 32))
    out = io.BytesIO()
    mode = how.pop("mode", "RGB")
    image.convert(mode).save(out, kind, **how)
    return out.getvalue()


def exif(orientation: int) -> bytes:
    made = Image.Exif()
    made[0x0112] = orientation
    return made.tobytes()


def near(image: Image.Image, where: tuple[int, int], color: tuple[int, int, int]) -> bool:
    pixel = image.getpixel(where)
    assert isinstance(pixel, tuple)
    return pixel[3] == 255 and all(abs(a - b) < 30 for a, b in zip(pixel, color, strict=False))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(1, 1), (64, 32), (31, 257), (300, 2)])
def test_header_tells_the_size_of_every_kind(kind: str, size: tuple[int, int]):
    header = read_header(picture(*size, kind))
    assert (header.width_px, header.height_px, header.animated) == (*size, False)
    assert header.kind.value.upper() == kind


@pytest.mark.parametrize("how", [{"lossless": True}, {"quality": 50}, {"exif": exif(1)}])
def test_three_forms_of_webp_tell_their_size(how: dict[str, Any]):
    assert header_size(picture(123, 45, "WEBP", **how), FileKind.WEBP) == (123, 45)


def test_progressive_jpeg_and_one_with_a_thumbnail_tell_their_size():
    assert header_size(picture(123, 45, "JPEG", progressive=True), FileKind.JPEG) == (123, 45)
    assert header_size(picture(123, 45, "JPEG", exif=exif(1)), FileKind.JPEG) == (123, 45)


SOF = b"\xff\xc0\x00\x0b\x08\x00\x05\x00\x07\x01\x01\x11\x00"


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (b"\xff\xd8" + SOF, (7, 5)),
        (b"\xff\xd8\xff\xff" + SOF, (7, 5)),
        (b"\xff\xd8\xff\x01\xff\xd0\xff\xe0\x00\x04ab" + SOF, (7, 5)),
        (b"\xff\xd8\xff\xc4\x00\x02" + SOF, (7, 5)),
        (b"\xff\xd8\xff\xda\x00\x02" + SOF, None),
        (b"\xff\xd8\xff\xe0\x00\x02rubbish" + SOF, None),
        (b"\xff\xd8\xff\xe0\xff\xff" + SOF, None),
        (b"\xff\xd8" + SOF[:8], None),
    ],
)
def test_jpeg_markers_are_walked_to_the_size(data: bytes, size: tuple[int, int] | None):
    assert header_size(data, FileKind.JPEG) == size


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("PNG", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIDAT" + bytes(20)),
        ("WEBP", b"RIFF\0\0\0\0WEBPVP8 " + bytes(20)),
        ("WEBP", b"RIFF\0\0\0\0WEBPVP8L" + bytes(20)),
        ("WEBP", b"RIFF\0\0\0\0WEBPVP8L"),
        ("AVIF", b"\0\0\0\x18ftypavif" + bytes(20)),
        ("AVIF", b"\0\0\0\x18ftypavif" + bytes(12) + b"ispe"),
        ("GIF", b"GIF89a\0"),
        ("SVG", b"<svg/>"),
    ],
)
def test_header_without_a_size_tells_none(kind: str, data: bytes):
    assert header_size(data, FileKind[kind]) is None


def test_boxes_of_every_length_are_walked():
    box = b"\0\0\0\x0cftypavif"
    long = b"\0\0\0\x01mdat" + (20).to_bytes(8, "big") + b"data"
    for sound in (box, box + long, box + b"\0\0\0\0mdatrest"):
        assert is_whole(sound, FileKind.AVIF)
    for broken in (box + long[:-1], box + b"\0\0\0\x02mdat", box + b"\0\0\0\x01mdat"):
        assert not is_whole(broken, FileKind.AVIF)


@pytest.mark.parametrize("kind", KINDS)
def test_decoded_picture_has_the_colours_and_is_opaque(kind: str):
    image = decode(halves(kind))
    assert (image.mode, image.size) == ("RGBA", (64, 32))
    assert near(image, (8, 16), RED)
    assert near(image, (56, 16), BLUE)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_picture_is_turned_upright_and_its_header_agrees(orientation: int, kind: str):
    data = halves(kind, exif=exif(orientation))
    image, header = decode(data), read_header(data)
    assert image.size == (header.width_px, header.height_px)
    assert image.size == ((64, 32) if orientation < 5 else (32, 64))
    width, height = image.size
    first_is_red = orientation in (1, 4, 5, 6)
    assert near(image, (4, 4), RED if first_is_red else BLUE)
    assert near(image, (width - 4, height - 4), BLUE if first_is_red else RED)


@pytest.mark.parametrize("mode", ["CMYK", "L", "YCbCr"])
def test_jpeg_of_other_colour_spaces_is_converted(mode: str):
    image = decode(halves("JPEG", mode=mode, quality=95))
    assert image.mode == "RGBA"
    if mode != "L":
        assert near(image, (8, 16), RED)


@pytest.mark.parametrize("mode", ["P", "1", "L", "LA", "RGBA"])
def test_png_of_other_modes_is_converted(mode: str):
    assert decode(halves("PNG", mode=mode)).mode == "RGBA"


def test_grey_of_16_bits_is_scaled_and_not_clipped():
    values = np.array([[0, 256, 32768, 65535]], dtype=np.uint16)
    out = io.BytesIO()
    Image.fromarray(values).save(out, "PNG")
    assert np.asarray(decode(out.getvalue()))[0, :, 0].tolist() == [0, 1, 128, 255]


def test_colours_of_16_bits_are_scaled():
    row = b"\x00" + struct.pack(">HHH", 65535, 32768, 0)
    assert decode(png(1, 1, data=row, depth=16)).getpixel((0, 0)) == (255, 128, 0, 255)


def test_transparency_survives_in_every_way_it_is_written():
    half = picture(4, 4, mode="RGBA", color=(10, 20, 30, 128))
    assert decode(half).getpixel((0, 0)) == (10, 20, 30, 128)
    keyed = picture(4, 4, color=(10, 20, 30), transparency=(10, 20, 30))
    assert decode(keyed).getpixel((0, 0)) == (10, 20, 30, 0)
    out = io.BytesIO()
    Image.new("RGB", (4, 4), (10, 20, 30)).quantize(4).save(out, "PNG", transparency=0)
    assert decode(out.getvalue()).getpixel((0, 0)) == (10, 20, 30, 0)


def test_colour_profile_is_applied_and_alpha_kept():
    swapped = profile_with_red_and_blue_exchanged()
    image = decode(picture(2, 2, mode="RGBA", color=(255, 0, 0, 77), icc_profile=swapped))
    red, green, blue, alpha = np.asarray(image)[0, 0].tolist()
    assert blue > 200
    assert max(red, green) < 60
    assert alpha == 77


def test_srgb_profile_changes_nothing():
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert decode(picture(1, 1, color=(1, 2, 3), icc_profile=srgb)).getpixel((0, 0)) == (
        1, 2, 3, 255,
    )  # fmt: skip


@pytest.mark.parametrize("profile", [b"rubbish", b"\0" * 200])
def test_broken_profile_is_ignored(profile: bytes):
    assert decode(picture(1, 1, color=(1, 2, 3), icc_profile=profile)).getpixel((0, 0)) == (
        1, 2, 3, 255,
    )  # fmt: skip


def test_profile_of_grey_is_applied():
    linear = picture(1, 1, mode="L", color=128, icc_profile=profile_of_linear_grey())
    assert decode(linear).getpixel((0, 0)) == pytest.approx((188, 188, 188, 255), abs=1)


def test_profile_of_16_bits_is_applied():
    out = io.BytesIO()
    grey = Image.fromarray(np.array([[32896]], dtype=np.uint16))
    grey.save(out, "PNG", icc_profile=profile_of_linear_grey())
    assert decode(out.getvalue()).getpixel((0, 0)) == pytest.approx((188, 188, 188, 255), abs=1)


def test_damaged_exif_is_ignored():
    for rubbish in (b"Exif\0\0rubbish", b"Exif\0\0MM\0*\xff\xff\xff\xff"):
        assert decode(halves("JPEG", exif=rubbish)).size == (64, 32)


def test_profile_of_another_space_is_ignored():
    grey = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    assert decode(picture(1, 1, color=(1, 2, 3), icc_profile=grey)).getpixel((0, 0)) == (
        1, 2, 3, 255,
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_moving_picture_shows_its_first_frame(kind: str):
    frames = [Image.new("RGB", (8, 8), color) for color in (RED, BLUE)]
    out = io.BytesIO()
    frames[0].save(out, kind, save_all=True, append_images=frames[1:], duration=100)
    assert read_header(out.getvalue()).animated
    assert near(decode(out.getvalue()), (4, 4), RED)


@pytest.mark.parametrize("size", [(20_000, 20_000), (100_000, 1), (1, 16_385), (16_384, 16_384)])
def test_picture_beyond_the_caps_is_refused_from_its_header(size: tuple[int, int]):
    for look in (read_header, check, decode):
        with pytest.raises(FileProblem, match="can be shown, so scale it down") as refused:
            look(png(*size))
        assert f"{size[0]:,} x {size[1]:,} pixels" in str(refused.value)


@pytest.mark.parametrize("kind", KINDS)
def test_other_kinds_beyond_the_caps_are_refused_too(kind: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pixels, "MAX_SIDE_PX", 99)
    assert read_header(picture(99, 20, kind)).width_px == 99
    with pytest.raises(FileProblem, match="100 x 20 pixels"):
        read_header(picture(100, 20, kind))


@pytest.mark.parametrize("size", [(8192, 8192), (8193, 8192)])
def test_no_limit_of_another_program_stands_in_the_way(size: tuple[int, int]):
    """C121: one more pixel than 2**26 was refused elsewhere; Pillow warns above 89 million."""
    data = png(*size, depth=1, color=0, data=bytes((size[0] + 15) // 8 * size[1]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        header = check(data)
    assert (header.width_px, header.height_px) == size


def test_size_of_nothing_is_refused():
    with pytest.raises(FileProblem, match="does not tell its size"):
        read_header(png(0, 5))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "AVIF"])
def test_file_is_whole_only_to_its_last_byte(kind: str):
    data = halves(kind)
    assert is_whole(data, FileKind[kind])
    for cut in {1, 8, len(data) // 4, len(data) // 2} - {0}:
        assert not is_whole(data[:-cut], FileKind[kind])
        with pytest.raises(FileProblem):
            check(data[:-cut])


def test_png_with_one_wrong_bit_is_refused():
    data = bytearray(halves("PNG"))
    data[len(data) // 2] ^= 1
    with pytest.raises(FileProblem, match="cut off or damaged"):
        check(bytes(data))


def test_sound_shell_around_rubbish_is_refused():
    for look in (check, decode):
        with pytest.raises(FileProblem, match="is damaged"):
            look(png(64, 64, data=b"too little"))


def test_what_is_no_picture_is_refused():
    for data in (b"", b"hello", b"<svg/>", b"%PDF-1.4"):
        with pytest.raises(FileProblem, match="not a PNG, JPEG, WebP, AVIF or GIF"):
            decode(data, "the portrait")


@settings(max_examples=300)
@given(
    st.sampled_from(KINDS),
    st.lists(st.tuples(st.integers(0, 2**20), st.integers(0, 255)), max_size=6),
    st.none() | st.integers(1, 2**20),
)
def test_damage_gives_a_picture_or_one_sentence(
    kind: str, flips: list[tuple[int, int]], cut: int | None
):
    data = bytearray(SOUND[kind])
    for where, value in flips:
        data[where % len(data)] = value
    damaged = bytes(data[: cut % len(data)] if cut else data)
    for look in (check, decode):
        with suppress(FileProblem):
            look(damaged)


def profile_with_red_and_blue_exchanged() -> bytes:
    """Return sRGB with the tags of two primaries exchanged."""
    made = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    red, blue = made.index(b"rXYZ", 128), made.index(b"bXYZ", 128)
    made[red : red + 4], made[blue : blue + 4] = made[blue : blue + 4], made[red : red + 4]
    described = made.index(b"sRGB".decode().encode("utf-16-be"))
    made[described : described + 2] = b"\0x"
    return bytes(made)


def profile_of_linear_grey() -> bytes:
    """Return the smallest profile of grey that is not curved."""
    white = struct.pack(">4s4x3i", b"XYZ ", 63190, 65536, 54061)
    curve = struct.pack(">4s4xI", b"curv", 0)
    tags = struct.pack(">I4sII4sII", 2, b"wtpt", 156, 20, b"kTRC", 176, 12)
    body = tags + white + curve
    header = struct.pack(
        ">I4sI4s4s4s12s4s28x3i48x",
        128 + len(body), b"", 0x02100000, b"mntr", b"GRAY", b"XYZ ", b"", b"acsp",
        63190, 65536, 54061,
    )  # fmt: skip
    return header + body


SOUND = {kind: halves(kind) for kind in KINDS}


def test_sound_pictures_are_told_apart():
    assert [sniff(SOUND[kind]).value.upper() for kind in KINDS] == KINDS
