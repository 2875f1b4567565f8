"""How far a held token can still go, as the canvas marks it."""

from engine.model.token import Token
from gui.canvas.overlays.overlay import CellsPreview
from gui.tools.tool import Host


def reach_preview(host: Host, token: Token) -> CellsPreview | None:
    """Return the cells in reach, or None where the rules set no limit."""
    return None
