"""Texts for two readers: the GM, and the players, who call others otherwise or do not know them.

What the players read is kept as a template with a slot for each token that it names. The names
are put in when they look, by `read`: the ones that they know at that moment, and no text at all
while they do not see one of those named. A text without such a template is the GM's alone, so
whoever forgets to make one tells nothing.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.model.token import Token
from engine.model.wall import Wall, WallKind

Naming = Callable[[str], str | None]
"""Gives what the players call a token by its id, None if they do not see it."""

_SLOT = re.compile("\x02([^\x03]*)\x03")


@dataclass(frozen=True, slots=True)
class Told:
    """What the GM reads, and the template of what the players read of it."""

    gm: str
    players: str

    def __str__(self) -> str:
        return self.gm


def told(words: str, *things: Token | Told | str | int) -> Told:
    """Return words with things put in for each {}: a token by name, a text for both its readers.

    Strings and numbers are read by both, so a name never comes in as a string, nor in `words`.
    """
    gm, players = [], []
    for thing in things:
        if isinstance(thing, str | int):
            text = str(thing)
            gm.append(text)
            players.append(text)
        elif isinstance(thing, Told):
            gm.append(thing.gm)
            players.append(thing.players)
        else:
            gm.append(thing.name)
            players.append(_slot(thing))
    return Told(words.format(*gm), words.format(*players))


def named(token: Token) -> Told:
    """Return a token's name."""
    return Told(token.name, _slot(token))


def wall_named(wall: Wall, gm: str) -> Told:
    """Return how a wall is called: the GM's words, and for the players what it looks like."""
    kind = WallKind.WALL if wall.kind is WallKind.SECRET_DOOR else wall.kind
    return Told(gm, f"the {kind.replace('_', ' ')}")


def read(players: str | None, name_of: Naming) -> str | None:
    """Return a template with the names in it, None if the players may not read it."""
    if players is None or "\x02" not in players:
        return players
    names = {token_id: name_of(token_id) for token_id in _SLOT.findall(players)}
    if any(name is None for name in names.values()):
        return None
    return _SLOT.sub(lambda found: names[found[1]] or "", players)


def _slot(token: Token) -> str:
    return f"\x02{token.id}\x03"
