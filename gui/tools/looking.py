"""How one token looks at another: rays, what stands in their way, and the cover it makes."""

from engine.geometry.cover import covers
from engine.model.evidence import Evidence, Modifier
from gui.canvas.overlays.overlay import EvidencePreview
from gui.tools.tool import Host


def look_preview(host: Host, viewer_id: str, target_id: str) -> EvidencePreview:
    """Return the rays between two tokens, all that covers the target, and the words for it."""
    encounter = host.encounter
    viewer, target = encounter.token(viewer_id), encounter.token(target_id)
    (found,) = covers(encounter, viewer, [target])
    graded = host.ruleset.cover(encounter, viewer_id, target_id)
    return EvidencePreview(
        _joined(found.evidence, graded),
        label=" · ".join(_words(line) for line in graded) or "No cover",
        at=host.view.tokens[target_id].center,
    )


def _joined(rays: Evidence, graded: tuple[Modifier, ...]) -> Evidence:
    parts = [line.evidence for line in graded if line.evidence is not None]
    return Evidence(
        rays=rays.rays,
        walls=_all(rays.walls, *(part.walls for part in parts)),
        regions=_all(*(part.regions for part in parts)),
        tokens=_all(*(part.tokens for part in parts)),
    )


def _all(*names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for some in names for name in some))


def _words(line: Modifier) -> str:
    return f"{line.label} ({line.text})" if line.text else line.label
