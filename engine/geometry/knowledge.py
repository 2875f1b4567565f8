"""What the players see at this moment: through whose eyes, which places, which tokens.

Everything that is kept from the players is decided by these few functions; whoever projects or
records asks them. What the players remember stands in `memory`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.geometry.arrays import Bools, Floats
from engine.geometry.boards import wall_set
from engine.geometry.explored import Tiles, beside_marked, marked
from engine.geometry.memo import Kept, Memo, changes
from engine.geometry.samples import TokenSamples, samples_of, token_samples
from engine.geometry.segments import WallSet
from engine.geometry.visibility import Eyes
from engine.geometry.vision import Vision, visions
from engine.model.encounter import Encounter
from engine.model.fog import Fog
from engine.model.token import PARTY, Token
from engine.model.value import FrozenMap

Tokens = FrozenMap[str, Token]


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
        seen = self._seen(points, Vision.contains)
        if self.veiled:
            seen &= ~marked(self.veiled, points)
        if self.revealed:
            seen |= marked(self.revealed, points)
        return seen

    def touches(self, points: Floats) -> Bools:
        """Tell which points (k, 2) of walls are in sight, from whichever side."""
        if self.everything:
            return np.ones(len(points), dtype=np.bool_)
        seen = self._seen(points, Vision.touches)
        if self.veiled:
            seen &= ~beside_marked(self.veiled, points, every=True)
        if self.revealed:
            seen |= beside_marked(self.revealed, points)
        return seen

    def _seen(self, points: Floats, sees: Callable[[Vision, Floats], Bools]) -> Bools:
        if all(vision.glows is None for vision in self.visions):
            return self._eyes.see(points)
        seen = np.zeros(len(points), dtype=np.bool_)
        for vision in self.visions:
            unseen = np.flatnonzero(~seen)
            seen[unseen] = sees(vision, points[unseen])
        return seen

    @cached_property
    def _eyes(self) -> Eyes:
        return Eyes([vision.sight.seen for vision in self.visions])


def gaze_of(encounter: Encounter, eyes: Sequence[Token] | None = None) -> Gaze:
    """Return what some tokens see, by default the whole party."""
    if eyes is None:
        return _PARTY_GAZE(encounter)
    seen = visions(encounter, eyes) if encounter.fog.enabled else ()
    return gaze_by(encounter.fog, seen)


def gaze_by(fog: Fog, seen: Iterable[Vision]) -> Gaze:
    """Return what is in sight by these visions and the GM's marks."""
    return _GAZES(fog.enabled, fog.revealed, fog.veiled, *seen)


def party_of(tokens: Tokens) -> tuple[Token, ...]:
    """Return the tokens through whose eyes the players look."""
    return _SIDES(tokens).party


def known_tokens(encounter: Encounter, gaze: Gaze) -> frozenset[str]:
    """Return the tokens that the players see now: their own, and the others in sight.

    A hidden token is never among them.
    """
    if gaze.everything:
        return frozenset(encounter.tokens) - _SIDES(encounter.tokens).hidden
    sides = _SIDES(encounter.tokens)
    placed = token_samples(encounter.board.grid, encounter.tokens)
    return _KNOWN(placed, gaze, wall_set(encounter.board), sides.party_ids, sides.hidden)


def sees(encounter: Encounter, viewer: Token, target: Token) -> bool:
    """Tell whether one token sees another: in its line of sight, near enough and lit."""
    placed = samples_of(encounter.board.grid, target)
    (vision,) = visions(encounter, [viewer])
    rows = placed.samples.seen_by(vision)
    return bool(placed.not_cut_off(wall_set(encounter.board), rows).any())


class _Sides(NamedTuple):
    """Who looks for the players, and who is hidden from them."""

    party: tuple[Token, ...]
    party_ids: frozenset[str]
    hidden: frozenset[str]


def _sides(latest: Kept[_Sides] | None, tokens: Tokens) -> _Sides:
    if latest is None:
        return _sides_after(_Sides((), frozenset(), frozenset()), tokens, frozenset(tokens))
    old, sides = latest.sources[0], latest.result
    changed = changes(old, tokens)
    if not any(_matters(each, old) or _matters(each, tokens) for each in changed):
        return sides
    return _sides_after(sides, tokens, changed)


def _sides_after(before: _Sides, tokens: Tokens, changed: frozenset[str]) -> _Sides:
    """Return the sides after some tokens changed; sets that stay equal stay the same objects."""
    here = [token for each in changed if (token := tokens.get(each)) is not None]
    hidden = before.hidden - changed | {token.id for token in here if token.hidden}
    ours = {token.id for token in here if token.side == PARTY and not token.hidden}
    party_ids = before.party_ids - changed | ours
    return _Sides(
        tuple(tokens[each] for each in sorted(party_ids)),
        before.party_ids if party_ids == before.party_ids else party_ids,
        before.hidden if hidden == before.hidden else hidden,
    )


def _matters(token_id: str, tokens: Tokens) -> bool:
    token = tokens.get(token_id)
    return token is not None and (token.hidden or token.side == PARTY)


def _party_gaze(_: Kept[Gaze] | None, encounter: Encounter) -> Gaze:
    return gaze_of(encounter, party_of(encounter.tokens))


def _gaze(
    _: Kept[Gaze] | None, enabled: bool, revealed: Tiles, veiled: Tiles, *seen: Vision
) -> Gaze:
    return Gaze(seen, revealed, veiled, everything=not enabled)


def _known(
    _: Kept[frozenset[str]] | None,
    placed: TokenSamples,
    gaze: Gaze,
    walls: WallSet,
    party_ids: frozenset[str],
    hidden: frozenset[str],
) -> frozenset[str]:
    rows = np.zeros(len(placed.points), dtype=np.bool_)
    for vision in gaze.visions:
        rows |= placed.samples.seen_by(vision)
    rows = placed.not_cut_off(walls, rows)
    if gaze.veiled:
        rows = rows & ~marked(gaze.veiled, placed.points)
    if gaze.revealed:
        rows = rows | marked(gaze.revealed, placed.points)
    return (placed.owners(rows) - hidden) | party_ids


_SIDES: Memo[_Sides] = Memo(_sides)
_GAZES: Memo[Gaze] = Memo(_gaze)
_PARTY_GAZE: Memo[Gaze] = Memo(_party_gaze)
_KNOWN: Memo[frozenset[str]] = Memo(_known)
