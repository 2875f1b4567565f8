"""SVG: its size without drawing it, and nothing that points out, runs or grows."""

import pytest

from engine.formats import svg
from engine.formats.svg import read_svg
from engine.model.refusal import FileProblem
from tests.helpers.maps import base64_of, picture

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '


def drawn(body: str = "", size: str = 'width="600" height="300"') -> bytes:
    return f"{HEAD}{size}>{body}</svg>".encode()


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ('width="600" height="300"', (600, 300)),
        ('width="600px" height="300.4px"', (600, 300)),
        ('width="210mm" height="29.7cm"', (794, 1123)),
        ('width="2in" height="72pt"', (192, 96)),
        ('width="100%" height="100%" viewBox="0 0 400 200"', (400, 200)),
        ('viewBox="-10,-10,400,200"', (400, 200)),
        ('width="800" viewBox="0 0 400 200"', (800, 200)),
    ],
)
def test_size(size: str, expected: tuple[int, int]):
    assert read_svg(drawn(size=size), "m.svg") == expected


HARMLESS = {
    "web fonts, as one generator writes": "<style>@import url(https://fonts.example/x);</style>",
    "own references": '<g id="a"><path/></g><use href="#a"/><use xlink:href="#a"/>',
    "own fills": '<path fill="url(#paint)" clip-path="url(\'#c\')"/>',
    "embedded picture": f'<image href="data:image/png;base64,{base64_of(picture())}"/>',
    "one id twice": '<g id="a"/><g id="a"/><use href="#a"/>',
    "unknown reference": '<use href="#none"/>',
}


@pytest.mark.parametrize("case", HARMLESS)
def test_harmless_svg_is_taken(case: str):
    assert read_svg(drawn(HARMLESS[case]), "m.svg") == (600, 300)


def tower(levels: int) -> str:
    """Return elements of which each uses the one before ten times."""
    floors = ['<g id="f0"><path/></g>']
    for n in range(1, levels):
        floors.append(f'<g id="f{n}">' + f'<use href="#f{n - 1}"/>' * 10 + "</g>")
    return "".join(floors)


HUGE = base64_of(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x4e\x20\0\0\x4e\x20" + bytes(20))
HOSTILE = {
    "script": ("<script>alert(1)</script>", "a script"),
    "script of another prefix": ('<s:script xmlns:s="http://www.w3.org/2000/svg"/>', "a script"),
    "event": ('<path onclick="alert(1)"/>', "a script"),
    "script as a link": ('<use href="javascript:alert(1)"/>', "outside itself"),
    "picture from the web": ('<image xlink:href="https://example.org/x.png"/>', "outside itself"),
    "picture from the disk": ('<image href="file:///etc/passwd"/>', "outside itself"),
    "relative picture": ('<image href="x.png"/>', "outside itself"),
    "fill from the web": ('<path fill="url(https://example.org/x#y)"/>', "outside itself"),
    "style from the disk": ("<path style=\"fill: url('file:///x')\"/>", "outside itself"),
    "embedded SVG": ('<image href="data:image/svg+xml;base64,AAAA"/>', "outside itself"),
    "embedded rubbish": ('<image href="data:image/png;base64,AAAA"/>', "embeds a damaged picture"),
    "embedded text": ('<image href="data:image/png,hello!"/>', "embeds a damaged picture"),
    "embedded giant": (f'<image href="data:image/png;base64,{HUGE}"/>', "20,000 x 20,000 pixels"),
    "loop": ('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>', "refers to itself"),
    "loop to an element around": ('<g id="a"><g id="b"><use href="#a"/></g></g>', "to itself"),
    "tower": (tower(9), "multiplies itself"),
    "depth": ("<g>" * 300 + "</g>" * 300, "nests them too deeply"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_svg_is_refused(case: str):
    body, part = HOSTILE[case]
    with pytest.raises(FileProblem, match=part) as refused:
        read_svg(drawn(body), "m.svg")
    assert str(refused.value).startswith("m.svg: ")


ENTITY = b'<!DOCTYPE svg [<!ENTITY a "b">]><svg width="1" height="1">&a;</svg>'
BROKEN = {
    "entity": (ENTITY, "a DOCTYPE"),
    "DOCTYPE alone": (b'<!DOCTYPE svg><svg width="1" height="1"/>', "a DOCTYPE"),
    "cut off": (drawn("<g>")[:-6], "damaged SVG"),
    "undefined entity": (drawn("&a;"), "damaged SVG"),
    "unknown encoding": (b'<?xml version="1.0" encoding="klingon"?><svg/>', "SVG"),
    "other XML": (b"<html><svg/></html>", "is no SVG inside"),
    "giant": (drawn(size='width="100000" height="100000"'), "100,000 x 100,000 pixels"),
    "no size": (drawn(size=""), "does not tell its size"),
    "size of nothing": (drawn(size='width="0" height="0"'), "does not tell its size"),
    "size of words": (drawn(size='width="wide" height="1e9"'), "does not tell its size"),
    "half a view box": (drawn(size='viewBox="0 0 4"'), "does not tell its size"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_svg_is_refused(case: str):
    data, part = BROKEN[case]
    with pytest.raises(FileProblem, match=part):
        read_svg(data, "m.svg")


def test_masses_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(svg, "MAX_ELEMENTS", 10)
    with pytest.raises(FileProblem, match="too many elements"):
        read_svg(drawn("<g/>" * 10), "m.svg")
    monkeypatch.setattr(svg, "MAX_BYTES", 10)
    with pytest.raises(FileProblem, match="more than"):
        read_svg(drawn(), "m.svg")
