"""Fields of a type and their values in words, as its declaration gives them.

The dialogs, the history and the command line speak alike, for every ruleset.
"""

from collections.abc import Mapping
from typing import Any

from engine.model.value import Value


def in_words(name: str) -> str:
    """Return an identifier as words: full_attack is "Full attack"."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def field_words(value_type: type[Value], name: str) -> str:
    """Return the title of a field; one without goes by its name."""
    info = value_type.model_fields.get(name)
    return (info.title if info is not None else None) or in_words(name)


def value_words(value_type: type[Value], name: str, value: Any) -> str:
    """Return a value that may stand in a field, as people read it."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    info = value_type.model_fields.get(name)
    extra = info.json_schema_extra if info is not None else None
    labels = extra.get("labels") if isinstance(extra, dict) else None
    if isinstance(labels, Mapping) and str(value) in labels:
        return str(labels[str(value)])
    return str(value)


def counted(things: int, noun: str) -> str:
    """Return how many there are: "1 wall", "3 walls"; the plural of a noun has an s."""
    return f"{things} {noun}" if things == 1 else f"{things} {noun}s"
