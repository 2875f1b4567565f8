"""The rulesets by id, each loaded when a document first asks for it."""

from importlib import import_module

from engine.events.registry import CORE_EVENTS
from engine.model.encounter import BASE_KINDS
from engine.model.refusal import FileProblem
from engine.model.value import Kinds
from engine.rules.ruleset import MovePlan, Ruleset

_HOMES = {"drase": "engine.rules.drase.ruleset"}
_LOADED: dict[str, Ruleset] = {}


def ruleset_ids() -> tuple[str, ...]:
    """Return the ids of the rulesets that come with Battlemat."""
    return tuple(_HOMES)


def register(ruleset: Ruleset) -> None:
    """Add a ruleset that lives elsewhere."""
    _LOADED[ruleset.id] = ruleset


def ruleset_of(ruleset_id: str) -> Ruleset:
    """Return the ruleset of this id; raise FileProblem for an unknown one."""
    if ruleset_id not in _LOADED:
        home = _HOMES.get(ruleset_id)
        if home is None:
            raise FileProblem(
                f"The ruleset {ruleset_id!r} is not known here; known are {', '.join(_HOMES)}."
            )
        _LOADED[ruleset_id] = import_module(home).RULESET
    return _LOADED[ruleset_id]


def kinds_of(ruleset_id: str) -> Kinds:
    """Return every type that a document of this ruleset may hold."""
    return BASE_KINDS | CORE_EVENTS | Kinds(MovePlan) | ruleset_of(ruleset_id).codec
