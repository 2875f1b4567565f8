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
    """What is on show but not part of the fight.

    `beneath` is what comes back when the mode on top is lifted, the lowest first: a held picture
    under a blackout is still held.
    """

    mode: StageMode = StageMode.BLACKOUT
    beneath: tuple[StageMode, ...] = ()
    picture: str | None = None
    pings: tuple[Ping, ...] = ()
    pointer: Point | None = None
    drag: LiveDrag | None = None
    frame: Frame2D | None = None
    grid_visible: bool = True

    @property
    def frozen(self) -> bool:
        """Tell whether changes are held back from the players, whatever lies on top."""
        return StageMode.FROZEN in (self.mode, *self.beneath)

    def laid(self, mode: StageMode) -> "Stage":
        """Return the stage with a mode laid on top; freezing goes below what covers the map."""
        others = self._without(mode)
        freezes = mode is StageMode.FROZEN
        return self._of((mode, *others) if freezes else (*others, mode))

    def lifted(self, mode: StageMode) -> "Stage":
        """Return the stage without a mode, and all else as it was."""
        return self._of(self._without(mode))

    def _without(self, mode: StageMode) -> tuple[StageMode, ...]:
        layers = (*self.beneath, self.mode)
        return tuple(each for each in layers if each not in {mode, StageMode.LIVE})

    def _of(self, layers: tuple[StageMode, ...]) -> "Stage":
        picture = self.picture if StageMode.PICTURE in layers else None
        mode = layers[-1] if layers else StageMode.LIVE
        return self.changed(mode=mode, beneath=layers[:-1], picture=picture)
