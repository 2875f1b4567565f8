"""Pictures inside a document, each stored once under the SHA-256 of its bytes.

A picture that nothing refers to any more is harmless; an undone import may want it back.
"""

import hashlib
import sqlite3
from collections.abc import Mapping
from typing import NamedTuple

from engine.model.refusal import FileProblem

MAX_IMAGE_BYTES = 256 * 2**20


class ImageInfo(NamedTuple):
    """A stored picture: its digest and its size in bytes."""

    sha256: str
    size: int


def require_genuine(images: Mapping[str, bytes]) -> None:
    """Refuse pictures that do not have the digest they come under, or are too large."""
    for sha256, content in images.items():
        if len(content) > MAX_IMAGE_BYTES:
            raise FileProblem(f"A picture is larger than {MAX_IMAGE_BYTES // 2**20} MB.")
        if hashlib.sha256(content).hexdigest() != sha256:
            raise FileProblem("A picture does not have the digest that it came with.")


def put_images(db: sqlite3.Connection, images: Mapping[str, bytes]) -> None:
    """Store the pictures that are not there yet, inside the transaction at hand."""
    for sha256, content in images.items():
        known = db.execute("SELECT 1 FROM images WHERE sha256 = ?", (sha256,)).fetchone()
        if known is None:
            db.execute("INSERT INTO images (sha256, content) VALUES (?, ?)", (sha256, content))


def get_image(db: sqlite3.Connection, sha256: str) -> bytes:
    """Return the bytes of a picture; raise FileProblem if it is missing or damaged."""
    row = db.execute("SELECT content FROM images WHERE sha256 = ?", (sha256,)).fetchone()
    if row is None:
        raise FileProblem(f"The picture {sha256[:12]} is not in the file.")
    content = row[0]
    if not isinstance(content, bytes) or hashlib.sha256(content).hexdigest() != sha256:
        raise FileProblem(f"The picture {sha256[:12]} is damaged.")
    return content


def list_images(db: sqlite3.Connection) -> list[ImageInfo]:
    """Return what is stored, by digest."""
    rows = db.execute("SELECT sha256, length(content) FROM images ORDER BY sha256")
    return [ImageInfo(str(sha256), int(size)) for sha256, size in rows]
