"""What of the map the GM hides from the own view for a while; nothing of it is stored or told.

A layer is taken out of the View before the canvas gets it, so the canvas needs to know nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.model.value import FrozenMap
from engine.view import View

NONE: FrozenMap[str, Any] = FrozenMap()

LAYERS: Mapping[str, tuple[str, Callable[[View], Mapping[str, Any]]]] = {
    "picture": ("Picture", lambda _view: {"picture": None}),
    "grid": ("Grid", lambda view: {"grid": view.grid.changed(visible=False)}),
    "walls": ("Walls and doors", lambda _view: {"walls": NONE}),
    "ground": ("Ground", lambda _view: {"regions": NONE}),
    "areas": ("Areas", lambda _view: {"areas": NONE}),
    "lights": ("Lights", lambda _view: {"lights": NONE}),
    "notes": ("Notes", lambda _view: {"notes": NONE}),
    "fog": ("Fog", lambda view: {"fog": replace(view.fog, enabled=False)}),
}
"""Each layer by name: its words, and what of a View changes when it is hidden."""


def without(view: View, hidden: frozenset[str]) -> View:
    """Return the View without some layers; the same object where none is hidden."""
    changes: dict[str, Any] = {}
    for name in sorted(hidden & set(LAYERS)):
        changes |= LAYERS[name][1](view)
    return replace(view, **changes) if changes else view
