"""Who looks, and what is on show: audiences and the stage.

None of this belongs to the fight; none of it is undone.
"""

from enum import StrEnum

from engine.model.space import Cell, Point
from engine.model.value import Value


class VisionMode(StrEnum):
    """Whose eyes the players look through."""

    PARTY = "party"
    ACTIVE = "active"
    CHOSEN = "chosen"


class HealthShown(StrEnum):
    """How the players read the health of tokens that are not theirs."""

    BARS = "bars"
    WORDS = "words"
    HIDDEN = "hidden"


class Audience(Value):
    """The GM, or the players with a vision mode."""

    gm: bool = False
    vision: VisionMode = VisionMode.PARTY
    chosen: tuple[str, ...] = ()
    health: HealthShown = HealthShown.WORDS


GM = Audience(gm=True)
PLAYERS = Audience()


class StageMode(StrEnum):
    """What the player window shows."""

    LIVE = "live"
    FROZEN = "frozen"
    BLACKOUT = "blackout"
    PICTURE = "picture"


class Ping(Value):
    """A mark that somebody set on the map for a moment."""

    point: Point
    side: str
    at_ms: int


class LiveDrag(Value):
    """A token on its way while the mouse still holds it."""

    token_id: str
    path: tuple[Cell, ...]


class Frame2D(Value):
    """The part of the world that the player window shows: its centre, its scale, its rotation."""

    center: Point
    width: float
    height: float
    rotation_deg: int = 0


class Stage(Value):
    """What is on show but not part of the fight."""

    mode: StageMode = StageMode.BLACKOUT
    picture: str | None = None
    pings: tuple[Ping, ...] = ()
    pointer: Point | None = None
    drag: LiveDrag | None = None
    frame: Frame2D | None = None
    grid_visible: bool = True
