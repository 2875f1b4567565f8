"""Check an SVG picture and read its size, without drawing it; drawing needs Qt.

Nothing may point out of the file, run, or grow: no DOCTYPE (so no entities), no script, no
external reference, no tower of `use` elements that multiplies itself, no embedded picture beyond
the caps. Style sheets may name web fonts, as every map of one generator does; nobody fetches them.
"""

import re
from collections import defaultdict
from xml.parsers import expat

from engine.formats.base64_text import Base64Text
from engine.formats.headers import header_size
from engine.formats.pixels import MAX_PX, refuse_size
from engine.formats.sniffing import sniff
from engine.model.refusal import FileProblem

MAX_BYTES = 64 * 1024 * 1024
MAX_ELEMENTS = 500_000
MAX_DEPTH = 256
MAX_DRAWN = 1_000_000

_LENGTH = re.compile(r"\s*(\d{1,9}(?:\.\d{0,9})?)\s*(px|pt|pc|mm|cm|in)?\s*")
_UNIT_PX = {"": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54}
_EMBEDDED = re.compile(r"\s*data:image/(?:png|jpe?g|webp|gif)[;,]", re.IGNORECASE)
_OUTWARD_URL = re.compile(r"url\(\s*['\"]?\s*(?!#|['\")])", re.IGNORECASE)


def read_svg(data: bytes, name: str) -> tuple[int, int]:
    """Return the natural size of an SVG in px (96 to the inch); raise FileProblem if unsafe."""
    if len(data) > MAX_BYTES:
        raise FileProblem(f"{name}: an SVG of more than {MAX_BYTES // 1024**2} MB.")
    check = _Check(name)
    try:
        check.parser.Parse(data, True)
    except expat.ExpatError as problem:
        raise FileProblem(f"{name}: damaged SVG, line {problem.lineno:,}.") from problem
    except (ValueError, LookupError) as problem:
        raise FileProblem(f"{name}: an SVG in an unknown encoding.") from problem
    check.refuse_towers()
    if check.size is None:
        raise FileProblem(f"{name}: the SVG does not tell its size.")
    refuse_size(*check.size, f"{name}: the picture", MAX_PX)
    return check.size


class _Check:
    """Walks an SVG once; holds what `use` refers to, and nothing else of it."""

    def __init__(self, name: str) -> None:
        self.size: tuple[int, int] | None = None
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._doctype
        self._name = name
        self._elements = 0
        # Elements by the nearest id around them ("" at the top): how many, and which other ids
        # are drawn with them because they lie within or are used.
        self._open: list[str] = [""]
        self._own: dict[str, int] = {"": 0}
        self._within: dict[str, list[str]] = defaultdict(list)

    def refuse_towers(self) -> None:
        """Refuse what would be drawn more than MAX_DRAWN times, or inside itself."""
        weights: dict[str, int] = {}

        def weight(target: str, above: tuple[str, ...]) -> int:
            if target in above or len(above) > MAX_DEPTH:
                raise self._refusal("refers to itself")
            if target not in weights:
                here = (*above, target)
                nested = sum(weight(each, here) for each in self._within.get(target, ()))
                weights[target] = min(self._own.get(target, 0) + nested, MAX_DRAWN + 1)
            return weights[target]

        if weight("", ()) > MAX_DRAWN:
            raise self._refusal("multiplies itself beyond measure")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        local = tag.rpartition(":")[2].lower()
        self._elements += 1
        if self._elements == 1:
            if local != "svg":
                raise self._refusal("is no SVG inside")
            self.size = _size(attributes)
        if self._elements > MAX_ELEMENTS or len(self._open) >= MAX_DEPTH:
            raise self._refusal("has too many elements, or nests them too deeply")
        if local == "script":
            raise self._refusal("holds a script")
        self._enter(attributes.get("id", ""))
        for key, value in attributes.items():
            self._attribute(local, key.rpartition(":")[2].lower(), value)

    def _end(self, _tag: str) -> None:
        self._open.pop()

    def _enter(self, own_id: str) -> None:
        around = self._open[-1]
        if own_id and own_id not in self._own:  # a second one of the same id cannot be used
            self._own[own_id] = 0
            self._within[around].append(own_id)
            around = own_id
        self._own[around] += 1
        self._open.append(around)

    def _doctype(self, *_: object) -> None:
        raise self._refusal("has a DOCTYPE, which no map needs")

    def _attribute(self, tag: str, key: str, value: str) -> None:
        if key.startswith("on"):
            raise self._refusal("holds a script")
        if key == "href":
            target = value.strip()
            if target.startswith("#"):
                if tag == "use":
                    self._within[self._open[-1]].append(target[1:])
            elif _EMBEDDED.match(target):
                self._embedded(target)
            elif target:
                raise self._refusal("refers to something outside itself")
        elif _OUTWARD_URL.search(value):
            raise self._refusal("refers to something outside itself")

    def _embedded(self, target: str) -> None:
        text = Base64Text()
        text.feed(target.encode("utf-8"))
        try:
            data = text.bytes()
        except ValueError as problem:
            raise self._refusal("embeds a damaged picture") from problem
        size = header_size(data, sniff(data[:4096]))
        if size is None:
            raise self._refusal("embeds a damaged picture")
        refuse_size(*size, f"{self._name}: a picture in the SVG")

    def _refusal(self, reason: str) -> FileProblem:
        return FileProblem(f"{self._name}: the SVG {reason}.")


def _size(attributes: dict[str, str]) -> tuple[int, int] | None:
    """Return the size from width and height, else from the view box."""
    given = [_length(attributes.get(side, "")) for side in ("width", "height")]
    box = re.split(r"[\s,]+", attributes.get("viewBox", "").strip())
    if len(box) == 4:
        given = [own or _length(other) for own, other in zip(given, box[2:], strict=True)]
    width, height = given
    if width is None or height is None:
        return None
    return max(1, round(width)), max(1, round(height))


def _length(text: str) -> float | None:
    found = _LENGTH.fullmatch(text)
    if not found:
        return None
    unit = found.group(2) or ""
    return float(found.group(1)) * (96.0 if unit == "in" else _UNIT_PX[unit]) or None
