"""Maps and pictures made by code, each with one thing wrong or odd."""

import base64
import io
import json
from pathlib import Path
from typing import Any

from PIL import Image

from engine.formats.imported import NO_OPTIONS, ImportedMap, ImportOptions
from engine.formats.importing import import_map
from engine.model.space import Point

ROOT = Path(__file__).parents[2]
KEEP = ROOT / "assets/maps/keep_20x20.dd2vtt"
MAPS = ROOT / "tests/files/maps"


def picture(width: int = 40, height: int = 40, kind: str = "PNG", **how: Any) -> bytes:
    """Return a small picture file."""
    out = io.BytesIO()
    Image.new(how.pop("mode", "RGB"), (width, height), how.pop("color", None)).save(
        out, kind, **how
    )
    return out.getvalue()


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def points(*pairs: Point) -> list[dict[str, float]]:
    return [{"x": x, "y": y} for x, y in pairs]


def portal(a: Point, b: Point, **changes: Any) -> dict[str, Any]:
    """Return a closed portal from a to b."""
    made = {
        "position": {"x": (a[0] + b[0]) / 2, "y": (a[1] + b[1]) / 2},
        "bounds": points(a, b),
        "rotation": 0,
        "closed": True,
        "freestanding": False,
    }
    return {**made, **changes}


def light(x: float = 2, y: float = 2, **changes: Any) -> dict[str, Any]:
    made = {
        "position": {"x": x, "y": y},
        "range": 3,
        "intensity": 1,
        "color": "ffeccd8b",
        "shadows": True,
    }
    return {**made, **changes}


def uvtt(size: Any = (4, 4), origin: Any = (0, 0), ppg: Any = 10, **changes: Any) -> dict[str, Any]:
    """Return a Universal VTT map of 4 x 4 squares with a picture and nothing on it."""
    made = {
        "format": 0.3,
        "resolution": {
            "map_origin": {"x": origin[0], "y": origin[1]},
            "map_size": {"x": size[0], "y": size[1]},
            "pixels_per_grid": ppg,
        },
        "line_of_sight": [],
        "portals": [],
        "lights": [],
        "environment": {"baked_lighting": True, "ambient_light": "ffffffff"},
        "image": base64_of(picture()),
    }
    return {**made, **changes}


def saved(folder: Path, content: Any, name: str = "made.dd2vtt") -> Path:
    """Write a file: bytes as they are, text as UTF-8, anything else as JSON."""
    path = folder / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
    return path


def imported(folder: Path, content: Any, options: ImportOptions = NO_OPTIONS) -> ImportedMap:
    return import_map(saved(folder, content), options)
