"""Whatever the file is, the import is a map or one sentence."""

import codecs
import os
import zipfile
from pathlib import Path

import pytest

from engine.formats import importing
from engine.formats.importing import import_map
from engine.formats.sniffing import FileKind, sniff
from engine.model.refusal import FileProblem
from tests.helpers.maps import KEEP, base64_of, picture, saved, uvtt

POINTER = (
    b"version https://git-lfs.github.com/spec/v1\n"
    b"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
    b"size 18500012\n"
)
REFUSED = {
    "empty": (b"", "is empty"),
    "only white space": (b" \r\n\t ", "is empty"),
    "LFS pointer": (POINTER, "Git LFS pointer; the real file of 18,500,012 bytes"),
    "LFS pointer without a size": (POINTER[:60], "Git LFS pointer"),
    "web page": (b"\n<!DOCTYPE html><html><body>404</body></html>", "a web page"),
    "web page in capitals": (b"<HTML><HEAD>", "a web page"),
    "web page with a picture": (b"<html><svg></svg></html>", "a web page"),
    "web page as XML": (b'<?xml version="1.0"?><html xmlns="x"/>', "a web page"),
    "zip": (b"PK\x03\x04rest", "Universal VTT 2"),
    "empty zip": (b"PK\x05\x06" + bytes(18), "archive"),
    "PDF": (b"%PDF-1.7\n", "a PDF"),
    "database": (b"SQLite format 3\x00rest", "open it instead"),
    "other XML": (b'<?xml version="1.0"?><map/>', "XML"),
    "zeros": (bytes(1000), "no map"),
    "noise": (b"\x00\xff\x13noise", "no map"),
    "text": (b"Dear GM,", "no map"),
    "list": (b"[1, 2]", "JSON, but no map"),
    "other JSON": (b'{"walls": []}', "JSON, but no map"),
    "truncated": (KEEP.read_bytes()[:100_000], "cut off"),
    "truncated early": (b"{", "cut off"),
    "NaN": (b'{"resolution": {"map_size": {"x": NaN, "y": 4}}}', "holds NaN"),
    "1e999": (b'{"resolution": {"map_size": {"x": 1e999, "y": 4}}}', "too large a number"),
    "no size": (b'{"resolution": null}', "must be typed in"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_file_that_is_no_map_is_refused_in_one_sentence(tmp_path: Path, case: str):
    content, part = REFUSED[case]
    with pytest.raises(FileProblem, match=part) as refused:
        import_map(saved(tmp_path, content))
    assert str(refused.value).startswith("made.dd2vtt: ")
    assert "\n" not in str(refused.value)


def test_extension_does_not_matter(tmp_path: Path):
    path = saved(tmp_path, uvtt(), "map.png")
    assert import_map(path).report.counts.pictures == 1


@pytest.mark.parametrize("bom", [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_text_with_a_byte_order_mark_is_told_by_its_content(bom: bytes):
    encoding = {3: "utf-8"}.get(len(bom)) or ("utf-16-le" if bom[0] == 0xFF else "utf-16-be")
    assert sniff(bom + ' {"a": 1}'.encode(encoding)) is FileKind.JSON
    assert sniff(bom + "<!doctype html>".encode(encoding)) is FileKind.HTML
    assert sniff(bom) is FileKind.EMPTY


def test_real_zip_is_told(tmp_path: Path):
    path = tmp_path / "map.uvtt2"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("map.json", "{}")
    with pytest.raises(FileProblem, match="zip"):
        import_map(path)


def test_folder_and_missing_file_are_refused(tmp_path: Path):
    for name, part in ((".", "not a file"), ("none", "cannot be read")):
        with pytest.raises(FileProblem, match=part):
            import_map(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes among the files here")
def test_pipe_is_refused_and_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileProblem, match="not a file"):
        import_map(tmp_path / "pipe")


def test_picture_file_above_the_cap_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(importing, "MAX_BYTES", 50)
    with pytest.raises(FileProblem, match="a picture of more than"):
        import_map(saved(tmp_path, picture(), "map.png"))


def test_import_leaves_the_file_as_it_is(tmp_path: Path):
    path = saved(tmp_path, uvtt(image=base64_of(picture())[:50]))
    before = path.read_bytes()
    with pytest.raises(FileProblem):
        import_map(path)
    assert path.read_bytes() == before
