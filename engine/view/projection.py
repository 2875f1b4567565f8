"""The projection: an encounter and its stage as one audience may see them.

Parts that are equal to those of the View before are the same objects, so a window can tell by
`is` what it need not draw again.
"""

import logging

from engine.model.audience import Audience, Stage, StageMode
from engine.model.encounter import Encounter
from engine.rules.ruleset import Ruleset
from engine.view.gm import gm_view
from engine.view.players import nothing_to_see, players_view
from engine.view.reuse import reusing
from engine.view.values import Projected, View

LOG = logging.getLogger(__name__)


def project(
    encounter: Encounter,
    stage: Stage,
    audience: Audience,
    ruleset: Ruleset,
    before: Projected | None = None,
) -> View:
    """Return what the audience may see, reusing parts of what it saw before.

    Fog fails closed: if what the players see cannot be computed, they see nothing.
    """
    known = before if before is not None and before.view.audience == audience else None
    view = _projected(encounter, stage, audience, ruleset, known)
    return reusing(None if known is None else known.view, view)


def _projected(
    encounter: Encounter,
    stage: Stage,
    audience: Audience,
    ruleset: Ruleset,
    before: Projected | None,
) -> View:
    if audience.gm:
        return gm_view(encounter, stage, audience, ruleset, before)
    if stage.mode in {StageMode.BLACKOUT, StageMode.PICTURE}:
        return nothing_to_see(encounter, stage, audience, ruleset)
    try:
        return players_view(encounter, stage, audience, ruleset, before)
    except Exception:
        LOG.exception("What the players see could not be computed; they see nothing.")
        return nothing_to_see(encounter, stage, audience, ruleset)
