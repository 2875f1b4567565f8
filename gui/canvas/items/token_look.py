"""Everything that a token's baked picture depends on, as a value: equal looks share a picture."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import hypot, pi, sqrt

from engine.grid.facing import angle_deg
from engine.grid.grid import Grid, Ring
from engine.model.space import Point
from engine.rules.ruleset import Card
from engine.view import TokenView

DISC_SHARE = 0.84
"""How much of the room inside the outline the disc takes."""
BADGES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class TokenLook:
    """How a token looks; lengths in cells, `rings` and `disc_at` relative to its middle.

    `rotation_deg` is how far the map is turned: outlines and the facing turn with it, writing
    stays upright. The label is no part of the picture: the view writes it.
    """

    label: str = field(compare=False)
    side: str
    rings: tuple[Ring, ...]
    disc_at: Point
    disc_radius: float
    many_cells: bool
    facing_deg: float
    bars: tuple[float, ...] = ()
    badges: tuple[str, ...] = ()
    lift: str = ""
    down: bool = False
    hidden: bool = False
    active: bool = False
    portrait: str | None = None
    rotation_deg: int = 0


def look_of(token: TokenView, grid: Grid, *, active: bool, rotation_deg: int) -> TokenLook:
    """Return how a token looks on the map."""
    cx, cy = token.center
    rings = tuple(tuple(_relative(p, cx, cy) for p in ring) for ring in token.rings)
    at, radius = _disc(token, grid, rings)
    card = token.card or Card()
    return TokenLook(
        label=token.label,
        side=token.side,
        rings=rings,
        disc_at=at,
        disc_radius=radius,
        many_cells=len(token.cells) > 1,
        facing_deg=angle_deg(grid, token.facing),
        bars=tuple(_filled(bar.value, bar.maximum) for bar in card.bars[:2]),
        badges=_badges([badge.text for badge in card.badges]),
        lift=f"{token.elevation:+g}" if token.elevation else "",
        down=card.down,
        hidden=token.hidden,
        active=active,
        portrait=token.portrait,
        rotation_deg=rotation_deg,
    )


def turned(look: TokenLook, rotation_deg: int) -> TokenLook:
    """Return the same look on a map turned by that much."""
    return look if look.rotation_deg == rotation_deg else replace(look, rotation_deg=rotation_deg)


def token_ids_by_cell(tokens: Mapping[str, TokenView]) -> dict[Point, list[str]]:
    """Return which tokens cover each cell."""
    found: dict[Point, list[str]] = {}
    for token in tokens.values():
        for cell in token.cells:
            found.setdefault(cell, []).append(token.id)
    return found


def _relative(point: Point, cx: float, cy: float) -> Point:
    # Rounded, so that equal tokens at different places share one picture.
    return round(point[0] - cx, 6), round(point[1] - cy, 6)


def _disc(token: TokenView, grid: Grid, rings: tuple[Ring, ...]) -> tuple[Point, float]:
    """Return where the disc stands and how large it is.

    A compact figure has one large disc in its middle, a long one a small disc on its first cell.
    """
    cell_room = 0.5
    if len(token.cells) > 1 and rings:
        room = _room_inside(rings[0])
        as_round = sqrt(abs(_area(rings[0])) / pi)
        if room > cell_room and room >= 0.8 * as_round:
            return (0.0, 0.0), room * DISC_SHARE
    anchor = grid.center(token.cell)
    return _relative(anchor, *token.center), cell_room * DISC_SHARE


def _room_inside(ring: Ring) -> float:
    """Return the distance from the middle (0, 0) to the nearest side of a ring."""
    best = float("inf")
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        along = max(0.0, min(1.0, -(ax * dx + ay * dy) / length)) if length else 0.0
        best = min(best, hypot(ax + along * dx, ay + along * dy))
    return best


def _area(ring: Ring) -> float:
    pairs = zip(ring, ring[1:] + ring[:1], strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2


def _filled(value: int, maximum: int) -> float:
    """Return how full a bar is, in hundredths: finer steps would only bake more pictures."""
    return round(max(0.0, min(1.0, value / maximum)), 2) if maximum > 0 else 0.0


def _badges(texts: list[str]) -> tuple[str, ...]:
    if len(texts) <= BADGES_SHOWN:
        return tuple(texts)
    return (*texts[: BADGES_SHOWN - 1], f"+{len(texts) - BADGES_SHOWN + 1}")
