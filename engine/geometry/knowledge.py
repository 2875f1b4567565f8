"""What the players see at this moment: through whose eyes, which places, which tokens.

Everything that is kept from the players is decided by these few functions; whoever projects or
records asks them. What the players remember stands in `memory`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.geometry.arrays import Bools, Floats
from engine.geometry.explored import Tiles, beside_marked, marked
from engine.geometry.memo import Kept, Memo
from engine.geometry.samples import not_cut_off, token_samples
from engine.geometry.vision import Vision, visions
from engine.model.board import Board
from engine.model.encounter import Encounter
from engine.model.fog import Fog
from engine.model.token import PARTY, Token


@dataclass(frozen=True, eq=False)
class Gaze:
    """What is in sight: the visions of some eyes, and what the GM shows and covers by hand.

    With `everything` the fog is off and all places are in sight.
    """

    visions: tuple[Vision, ...]
    revealed: Tiles
    veiled: Tiles
    everything: bool = False

    def sees(self, points: Floats) -> Bools:
        """Tell which places (k, 2) are in sight."""
        if self.everything:
            return np.ones(len(points), dtype=np.bool_)
        seen = self._seen(points)
        if self.veiled:
            seen &= ~marked(self.veiled, points)
        if self.revealed:
            seen |= marked(self.revealed, points)
        return seen

    def touches(self, points: Floats) -> Bools:
        """Tell which points (k, 2) of walls are in sight, from whichever side."""
        if self.everything:
            return np.ones(len(points), dtype=np.bool_)
        seen = self._seen(points)
        if self.veiled:
            seen &= ~beside_marked(self.veiled, points, every=True)
        if self.revealed:
            seen |= beside_marked(self.revealed, points)
        return seen

    def _seen(self, points: Floats) -> Bools:
        seen = np.zeros(len(points), dtype=np.bool_)
        for vision in self.visions:
            unseen = np.flatnonzero(~seen)
            seen[unseen] = vision.contains(points[unseen])
        return seen


def gaze_of(encounter: Encounter, eyes: Sequence[Token] | None = None) -> Gaze:
    """Return what some tokens see, by default the whole party."""
    if eyes is None:
        return _PARTY_GAZE(encounter)
    return gaze_by(encounter.fog, visions(encounter, eyes))


def gaze_by(fog: Fog, seen: Iterable[Vision]) -> Gaze:
    """Return what is in sight by these visions and the GM's marks."""
    return Gaze(tuple(seen), fog.revealed, fog.veiled, everything=not fog.enabled)


def party_of(tokens: Mapping[str, Token]) -> tuple[Token, ...]:
    """Return the tokens through whose eyes the players look."""
    return _PARTIES(tokens)


def known_tokens(encounter: Encounter, gaze: Gaze) -> frozenset[str]:
    """Return the tokens that the players see now: their own, and the others in sight.

    A hidden token is never among them.
    """
    if gaze.everything:
        return frozenset(token.id for token in encounter.tokens.values() if not token.hidden)
    return _KNOWN(encounter.tokens, gaze, encounter.board)


def _party(_: Kept[tuple[Token, ...]] | None, tokens: Mapping[str, Token]) -> tuple[Token, ...]:
    return tuple(t for t in tokens.values() if t.side == PARTY and not t.hidden)


def _party_gaze(latest: Kept[Gaze] | None, encounter: Encounter) -> Gaze:
    gaze = gaze_of(encounter, party_of(encounter.tokens))
    before = None if latest is None else latest.result
    if before is not None and _same(gaze, before):
        return before
    return gaze


def _same(a: Gaze, b: Gaze) -> bool:
    return (
        a.revealed is b.revealed
        and a.veiled is b.veiled
        and a.everything is b.everything
        and len(a.visions) == len(b.visions)
        and all(x is y for x, y in zip(a.visions, b.visions, strict=True))
    )


def _known(
    _: Kept[frozenset[str]] | None, tokens: Mapping[str, Token], gaze: Gaze, board: Board
) -> frozenset[str]:
    placed = token_samples(board.grid, tokens)
    rows = np.zeros(len(placed.points), dtype=np.bool_)
    for vision in gaze.visions:
        rows |= placed.samples.seen_by(vision)
    rows = not_cut_off(board, placed.points, rows)
    if gaze.veiled:
        rows = rows & ~marked(gaze.veiled, placed.points)
    if gaze.revealed:
        rows = rows | marked(gaze.revealed, placed.points)
    shown = frozenset(each for each in placed.owners(rows) if not tokens[each].hidden)
    return shown | {token.id for token in party_of(tokens)}


_PARTIES: Memo[tuple[Token, ...]] = Memo(_party)
_PARTY_GAZE: Memo[Gaze] = Memo(_party_gaze)
_KNOWN: Memo[frozenset[str]] = Memo(_known)
