"""Import a map of any known format: `import_map` tells what the file is and reads it.

An importer is a module here; one for JSON offers `recognises(root)` and
`read(json, name, title, options)`. It returns a plain value and touches nothing.
"""

import stat
from pathlib import Path

from engine.formats.base64_text import MAX_BYTES
from engine.formats.imported import NO_OPTIONS, ImportedMap, ImportOptions
from engine.formats.sniffing import HEAD_BYTES, FileKind, lfs_size, sniff
from engine.model.refusal import FileProblem

_REFUSALS = {
    FileKind.EMPTY: "the file is empty.",
    FileKind.HTML: "a web page, not a map; the download went wrong.",
    FileKind.XML: "XML of a kind that is no map.",
    FileKind.ZIP: "an archive (zip); unpack it first (Universal VTT 2 is not supported).",
    FileKind.PDF: "a PDF; export its page as a picture first.",
    FileKind.SQLITE: "a database; if it is an encounter, open it instead of importing it.",
    FileKind.UNKNOWN: "no map and no picture of a known kind.",
}


def import_map(path: Path, options: ImportOptions = NO_OPTIONS) -> ImportedMap:
    """Return the map that a file holds, judged by its content and not by its name.

    Raise FileProblem with one sentence if it cannot be used; nothing is half imported.
    """
    head = _head(path)
    kind = sniff(head)
    if kind is FileKind.LFS_POINTER:
        size = lfs_size(head)
        told = f" of {size:,} bytes" if size is not None else ""
        raise FileProblem(f"{path.name}: a Git LFS pointer; the real file{told} is elsewhere.")
    if kind in _REFUSALS:
        raise FileProblem(f"{path.name}: {_REFUSALS[kind]}")
    if kind is FileKind.JSON:
        return _import_json(path, options)
    from engine.formats import picture  # noqa: PLC0415  loads numpy and Pillow

    return picture.read(_bytes(path), kind, path.name, path.stem, options)


def _import_json(path: Path, options: ImportOptions) -> ImportedMap:
    from engine.formats import uvtt  # noqa: PLC0415  loads numpy and Pillow
    from engine.formats.safe_json import read_json  # noqa: PLC0415  only for JSON

    json = read_json(path)
    if uvtt.recognises(json.root):
        return uvtt.read(json, path.name, path.stem, options)
    raise FileProblem(f"{path.name}: JSON, but no map of a known kind.")


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise FileProblem(f"{path.name}: a picture of more than {MAX_BYTES // 1024**2} MB.")
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES)
    except OSError as problem:
        raise FileProblem(f"{path.name}: cannot be read ({problem.strerror}).") from problem


def _head(path: Path) -> bytes:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise FileProblem(f"{path.name}: not a file.")
        with path.open("rb") as stream:
            return stream.read(HEAD_BYTES)
    except OSError as problem:
        raise FileProblem(f"{path.name}: cannot be read ({problem.strerror}).") from problem
