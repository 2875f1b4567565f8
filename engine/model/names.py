"""What the players call tokens: public names, counted in the order in which they saw them.

"Guard 5" would tell of four more. So the first guard that the players see is "Guard" to them, the
next one "Guard 2", and so on; once given, a name stays with its token.
"""

import re
from collections.abc import Mapping, Set
from functools import lru_cache

from engine.model.token import PARTY, Token

_COUNTED = re.compile(r"(?P<stem>.*\S)\s+#?\d+")
_DIGITS = re.compile(r"\s*#?\d+$")


def name_for_players(token: Token, known: Mapping[str, str]) -> str:
    """Return what the players call a token; `known` holds the names that they gave by its id."""
    if token.side == PARTY:
        return token.shown_name
    stem = stem_of(token.shown_name)
    name = known.get(token.id)
    return name if name is not None and stem_of(name) == stem else stem


def label_for_players(token: Token, known: Mapping[str, str]) -> str:
    """Return the short mark on a token; the count in it is the players' own.

    Where they know it by another name, the GM's mark may stand for the true one.
    """
    name = name_for_players(token, known)
    if token.shown_name != token.name:
        return mark_of(name)
    if token.side == PARTY or not token.label:
        return token.label or mark_of(name)
    if not _DIGITS.search(token.label):
        return token.label
    return _DIGITS.sub("", token.label) + name.removeprefix(stem_of(name)).strip()


def mark_of(name: str) -> str:
    """Return the letters that stand for a name on a token: "Mira" is Mir, "Mira 2" is Mi2."""
    stem = stem_of(name)
    if stem == name:
        return name[:3]
    return stem[:2] + name.removeprefix(stem).strip(" #")


def fresh_names(
    tokens: Mapping[str, Token], known: Mapping[str, str], seen: Set[str], changed: Set[str]
) -> dict[str, str]:
    """Return the names that the players give now to tokens in sight which have none yet.

    `changed` are the tokens that may have another name than before.
    """
    nameless = [
        token
        for token_id in sorted((seen - known.keys()) | (seen & changed))
        if (token := tokens[token_id]).side != PARTY
        and ((name := known.get(token_id)) is None or stem_of(name) != stem_of(token.shown_name))
    ]
    if not nameless:
        return {}
    counts: dict[str, int] = {}
    for name in known.values():
        counts[stem_of(name)] = max(counts.get(stem_of(name), 0), _count_of(name))
    fresh = {}
    for token in nameless:
        stem = stem_of(token.shown_name)
        counts[stem] = counts.get(stem, 0) + 1
        fresh[token.id] = stem if counts[stem] == 1 or not stem else f"{stem} {counts[stem]}"
    return fresh


@lru_cache(maxsize=4096)
def stem_of(name: str) -> str:
    """Return a name without the number behind it."""
    match = _COUNTED.fullmatch(name)
    return match["stem"] if match else name


def _count_of(name: str) -> int:
    return 1 if stem_of(name) == name else int(name.rsplit(maxsplit=1)[-1].lstrip("#"))
