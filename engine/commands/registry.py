"""All commands by kind: how they are read, and the one function that decides them."""

import logging
from collections.abc import Callable

from pydantic import ValidationError

from engine.commands import board, combat, fog, tokens, turn
from engine.commands.command import Case, Command
from engine.commands.discovery import discover, kept_secret
from engine.events.event import Event, folded
from engine.model.encounter import Encounter
from engine.model.refusal import complaint, impossible
from engine.model.value import Kinds
from engine.rules.registry import kinds_of
from engine.rules.ruleset import Plan, Ruleset

COMMANDS = Kinds(
    board.ImportMap,
    board.FitGrid,
    board.PutWalls,
    board.RemoveWalls,
    board.WeldWalls,
    board.OpenDoor,
    board.CloseDoor,
    board.LockDoor,
    board.PutRegions,
    board.RemoveRegions,
    board.PutLights,
    board.RemoveLights,
    board.PutAreas,
    board.RemoveAreas,
    board.PutNotes,
    board.RemoveNotes,
    tokens.AddTokens,
    tokens.MoveToken,
    tokens.PlaceToken,
    tokens.EditTokens,
    tokens.DuplicateTokens,
    tokens.RemoveTokens,
    tokens.SetSheet,
    tokens.SetValue,
    fog.SwitchFog,
    fog.ResetFog,
    fog.RevealFog,
    fog.HideFog,
    fog.ClearFog,
    turn.BeginFight,
    turn.EndFight,
    turn.EndPhase,
    turn.SetTableRule,
    turn.CorrectTable,
    turn.ChangeSettings,
    combat.Act,
    combat.AnswerPrompt,
    combat.RollDice,
    combat.OverruleResult,
    combat.Overrule,
)

LOG = logging.getLogger(__name__)


def command_kinds(ruleset_id: str) -> Kinds:
    """Return every type that a command to an encounter of this ruleset may hold."""
    return COMMANDS | kinds_of(ruleset_id)


def decode_command(data: object, ruleset_id: str) -> Command:
    """Turn JSON data into a command; raise Rejected with a sentence if it is none."""
    kinds = command_kinds(ruleset_id)
    kind = data.get("kind") if isinstance(data, dict) else None
    found = kinds.get(kind) if isinstance(kind, str) else None
    if found is None or not issubclass(found, Command):
        known = found is not None and issubclass(found, Plan)
        hint = f' It is a plan: {{"kind": "act", "plan": {{"kind": "{kind}", ...}}}}.'
        raise impossible("unknown_command", f"{kind!r} is no command.{hint if known else ''}")
    try:
        return found.model_validate(data, context=kinds.context())
    except ValidationError as error:
        raise impossible("bad_command", f"{kind}: {complaint(error)}") from error
    except RecursionError as error:
        raise impossible("bad_command", f"{kind}: it is nested too deeply.") from error


def decide(command: Command, encounter: Encounter, ruleset: Ruleset) -> tuple[Event, ...]:
    """Decide a command and what follows from it for the players' knowledge.

    Returns the events in order; raises Rejected and changes nothing. Should sight fail, the fight
    goes on and the players learn nothing.
    """
    return resolve(command, encounter, ruleset)[0]


def resolve(
    command: Command,
    encounter: Encounter,
    ruleset: Ruleset,
    require_sound: Callable[[Encounter], None] | None = None,
) -> tuple[tuple[Event, ...], Encounter]:
    """Decide a command; return the events and the encounter after them.

    `require_sound` may refuse that encounter, before anybody looks at it.
    """
    events = command.decide(Case(encounter=encounter, ruleset=ruleset))
    if require_sound is not None:
        require_sound(folded(encounter, events))
    try:
        return discover(encounter, events)
    except Exception:
        LOG.exception("What the players see could not be computed.")
        return kept_secret(encounter, events)
