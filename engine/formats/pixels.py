"""The one place where pictures become pixels: `decode` gives sRGB with alpha, upright.

The command line and both windows use it, so all of them see the same. A picture's size is read
and capped before a decoder sees the file. SVG is not decoded here: drawing it needs Qt.
"""

import io
import threading
import warnings
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageCms

from engine.formats.headers import header_size, is_whole
from engine.formats.sniffing import PICTURES, FileKind, sniff
from engine.model.refusal import FileProblem

MAX_SIDE_PX = 16_384
MAX_PX = 200_000_000
_MAX_PX_OF = {FileKind.WEBP: 100_000_000, FileKind.AVIF: 160_000_000}
"""Pillow needs 16 bytes a pixel for WebP and 10 for AVIF where PNG takes 4 (measured)."""

_TRIAL_PX = 64_000_000
_ORIENTATION = 0x0112
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_SPACES = {"RGB": "RGB", "RGBA": "RGB", "CMYK": "CMYK", "L": "GRAY"}

# One at a time: Python's warning filters, which keep Pillow's remarks about odd files from the
# user, are global, and two large pictures at once would take the memory of two.
_lock = threading.Lock()


class PictureHeader(NamedTuple):
    """What is known of a picture before it is decoded; the size is that of the upright picture."""

    kind: FileKind
    width_px: int
    height_px: int
    animated: bool


def read_header(data: bytes, name: str = "the picture") -> PictureHeader:
    """Return a picture's kind and size without decoding it.

    Raise FileProblem, in a sentence about `name`, if it is no picture, too large, or cut off.
    """
    kind = _checked(data, name)
    with _lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with _opened(data, kind) as image:
                width, height = image.size
                if _orientation(image) >= 5:
                    width, height = height, width
                return PictureHeader(kind, width, height, bool(getattr(image, "is_animated", 0)))
        except Exception as problem:  # a decoder may raise anything on a damaged file
            raise FileProblem(f"{name} is damaged and cannot be shown.") from problem


def check(data: bytes, name: str = "the picture") -> PictureHeader:
    """Return the header of a picture that can be shown; raise FileProblem otherwise.

    A picture of ordinary size is decoded once to be sure, a huge one is believed to be sound if
    its file is whole.
    """
    header = read_header(data, name)
    if header.width_px * header.height_px <= _TRIAL_PX:
        with _lock, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                _opened(data, header.kind).load()
            except Exception as problem:
                raise FileProblem(f"{name} is damaged and cannot be shown.") from problem
    return header


def decode(data: bytes, name: str = "the picture") -> Image.Image:
    """Return a picture as upright 8-bit sRGB with alpha (mode RGBA); the first frame if it moves.

    Raise FileProblem, in a sentence about `name`, if it cannot be shown.
    """
    kind = _checked(data, name)
    with _lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            image = _opened(data, kind)
            orientation = _orientation(image)
            image.load()
            image = _to_srgb(_to_eight_bits(image))
            if orientation != 1:
                image = image.transpose(_UPRIGHT[orientation])
            return _with_alpha(image)
        except Exception as problem:
            raise FileProblem(f"{name} is damaged and cannot be shown.") from problem


def _checked(data: bytes, name: str) -> FileKind:
    """Return the kind of a picture whose header claims a bearable size and whose file is whole."""
    kind = sniff(data[:4096])
    if kind not in PICTURES:
        raise FileProblem(f"{name} is not a PNG, JPEG, WebP, AVIF or GIF picture.")
    size = header_size(data, kind)
    if size is None or min(size) < 1:
        raise FileProblem(f"{name} is damaged: it does not tell its size.")
    refuse_size(*size, name, _MAX_PX_OF.get(kind, MAX_PX))
    if not is_whole(data, kind):
        raise FileProblem(f"{name} is cut off or damaged; copy or export it again.")
    return kind


def refuse_size(width: int, height: int, name: str, most: int = MAX_PX) -> None:
    """Raise FileProblem if a picture has too long a side or too many pixels."""
    if max(width, height) > MAX_SIDE_PX or width * height > most:
        raise FileProblem(
            f"{name} measures {width:,} x {height:,} pixels; at most {MAX_SIDE_PX:,} a side and "
            f"{most // 1_000_000} million in all can be shown, so scale it down."
        )


def _opened(data: bytes, kind: FileKind) -> Image.Image:
    """Open a picture of a checked size; Pillow's own lower limit would refuse real maps."""
    limit, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
    try:
        image = Image.open(io.BytesIO(data), formats=[kind.value])
    finally:
        Image.MAX_IMAGE_PIXELS = limit
    refuse_size(*image.size, "it")
    return image


def _orientation(image: Image.Image) -> int:
    """Return the EXIF orientation, 1 to 8, as far as the header tells.

    Pillow's own `getexif` decodes the whole of a PNG to look behind its pixels.
    """
    exif = Image.Exif()
    try:
        exif.load(image.info.get("exif", b""))
        value = exif.get(_ORIENTATION, 1)
    except Exception:  # noqa: BLE001  damaged EXIF data raise anything, and matter little
        return 1
    return value if value in _UPRIGHT else 1


def _to_eight_bits(image: Image.Image) -> Image.Image:
    """Return the picture in a mode that colour management knows."""
    if image.mode.startswith("I"):
        grey = np.clip(np.asarray(image), 0, 0xFFFF).astype(np.uint16) >> 8
        return _keeping_profile(image, Image.fromarray(grey.astype(np.uint8)))
    if image.mode in ("RGB", "RGBA", "CMYK", "L") and "transparency" not in image.info:
        return image
    return _keeping_profile(image, image.convert("RGBA"))


def _keeping_profile(image: Image.Image, converted: Image.Image) -> Image.Image:
    if "icc_profile" in image.info:
        converted.info["icc_profile"] = image.info["icc_profile"]
    return converted


def _to_srgb(image: Image.Image) -> Image.Image:
    """Apply the picture's colour profile; one that is broken or of another space is ignored."""
    data = image.info.get("icc_profile")
    if not data:
        return image
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(data))
        if profile.profile.xcolor_space.strip() != _SPACES[image.mode]:
            return image
        if (profile.profile.profile_description or "").startswith("sRGB"):
            return image
        target = ImageCms.createProfile("sRGB")
        if image.mode in ("RGB", "RGBA"):
            ImageCms.profileToProfile(image, profile, target, inPlace=True)
            return image
        return ImageCms.profileToProfile(image, profile, target, outputMode="RGB") or image
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return image


def _with_alpha(image: Image.Image) -> Image.Image:
    if image.mode == "RGBA":
        return image
    if image.mode != "RGB":
        return image.convert("RGBA")
    image.putalpha(255)  # in place, where a conversion would copy
    return image
