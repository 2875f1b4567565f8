"""Commands that play: do, undo, redo, offers, forecast."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from engine.cli.output import (
    as_json,
    modifier_line,
    percent,
    say,
    say_json,
    say_table,
)
from engine.cli.places import token_of
from engine.commands.combat import Act, answers_roll
from engine.commands.registry import decide
from engine.events.event import Record
from engine.formats.safe_json import MAX_STRUCTURE_BYTES, parse_json
from engine.model.refusal import FileProblem, Rejected, Rejection, complaint, impossible
from engine.rules.registry import kinds_of
from engine.rules.ruleset import Forecast, Offer, Plan, TargetKind, TargetOffer
from engine.session import Session


def do(arguments: argparse.Namespace) -> None:
    """Run one command or a list; print the events as JSON lines."""
    data = _read(arguments.commands)
    listed = data if isinstance(data, list) else [data]
    with Session.open(Path(arguments.file), real_dice=tuple(arguments.real_dice)) as session:
        if arguments.atomic:
            _say_events(session.execute_together([session.decode(each) for each in listed]))
            return
        for each, following in zip(listed, (*listed[1:], None), strict=False):
            command = session.decode(each)
            _say_events(session.execute(command, roll=not _answers_roll(session, following)))


def undo(arguments: argparse.Namespace) -> None:
    """Go back by gestures."""
    _travel(arguments, -1)


def redo(arguments: argparse.Namespace) -> None:
    """Go forward by gestures along the newest branch."""
    _travel(arguments, 1)


def offers(arguments: argparse.Namespace) -> None:
    """List every action of a token and what it could be aimed at, possible or not, with reasons."""
    with Session.open(Path(arguments.file), read_only=True) as session:
        token = token_of(session.encounter, arguments.token)
        found = session.ruleset.offers(session.encounter, token.id)
        if arguments.offer is not None:
            found = _offers_named(found, arguments.offer)
        aimed = {
            offer.id: _targets(session, offer)
            for offer in found
            if arguments.targets or arguments.offer is not None
        }
    if arguments.json:
        say_json([_offer_as_json(offer, aimed.get(offer.id)) for offer in found])
        return
    if not found:
        say(f"{token.name} has nothing to do; a token without a sheet gets one by set_sheet.")
    rows = [(offer, _offer_row(offer)) for offer in found]
    if not aimed:
        say_table(row for _, row in rows)
        return
    for offer, row in rows:
        say_table([row])
        say_table(
            ("   " if each.enabled else "  x", each.target_id, each.label, each.detail, each.reason)
            for each in aimed[offer.id]
        )


def _targets(session: Session, offer: Offer) -> tuple[TargetOffer, ...]:
    """Return what an offer could be aimed at: nothing if it needs no target or has one."""
    if offer.target is TargetKind.NONE or offer.plan.target_id is not None:
        return ()
    return session.ruleset.targets(session.encounter, offer.plan)


def _offers_named(found: tuple[Offer, ...], name: str) -> tuple[Offer, ...]:
    named = tuple(offer for offer in found if name in (offer.id, offer.label))
    if not named:
        known = ", ".join(offer.id for offer in found)
        raise impossible("unknown_offer", f"There is no offer {name!r}: {known}.")
    return named


def _offer_as_json(offer: Offer, aimed: tuple[TargetOffer, ...] | None) -> dict[str, Any]:
    shown = {**offer.model_dump(mode="json"), "enabled": offer.enabled}
    if aimed is not None:
        shown["targets"] = [
            {**each.model_dump(mode="json"), "enabled": each.enabled} for each in aimed
        ]
    return shown


def _offer_row(offer: Offer) -> tuple[str, ...]:
    return (
        " " if offer.enabled else "x",
        offer.id,
        offer.group,
        offer.label + (" [proposal]" if offer.proposal else ""),
        offer.cost,
        offer.target,
        offer.reason,
    )


def forecast(arguments: argparse.Namespace) -> None:
    """Show a plan's modifiers with evidence, its exact odds and its damage.

    A plan that would be refused is shown all the same, as far as it makes sense, and refused.
    """
    with Session.open(Path(arguments.file), read_only=True) as session:
        plan = _plan(_read(arguments.plan), session.encounter.ruleset)
        refusal = _refusal(session, plan)
        if refusal is not None and not refusal.overrulable and session.encounter.prompt is None:
            raise Rejected(refusal)
        found = session.ruleset.forecast(session.encounter, plan)
    if refusal is not None and refusal not in found.refusals:
        found = found.changed(refusals=(refusal, *found.refusals))
    if arguments.json:
        say_json(found)
    else:
        _say_forecast(found)
    if found.refusals:
        raise Rejected(found.refusals[0])


def _refusal(session: Session, plan: Plan) -> Rejection | None:
    """Return why `do` would refuse a plan, None if it would not."""
    try:
        decide(Act(plan=plan), session.encounter, session.ruleset)
    except Rejected as error:
        return error.rejection
    return None


def _travel(arguments: argparse.Namespace, way: int) -> None:
    if arguments.count < 1:
        raise impossible("bad_count", "Go at least one step.")
    with Session.open(Path(arguments.file)) as session:
        go = session.undo if way < 0 else session.redo
        done = go(arguments.count)
        head = session.head
    if arguments.json:
        say_json({"done": done, "head": head})
    else:
        say(f"{done} {'undone' if way < 0 else 'redone'}, now at record {head}.")
    if not done:
        raise impossible("nothing_there", f"There is nothing to {arguments.command}.")


def _say_events(records: tuple[Record, ...]) -> None:
    for record in records:
        for event in record.events:
            print(as_json({"record": record.id, "event": event}))
    sys.stdout.flush()


def _say_forecast(found: Forecast) -> None:
    say(found.title)
    say_table(modifier_line(line) for line in found.lines)
    if found.roll:
        say(f"roll {found.roll}")
    for row in found.rows:
        say(f"{row.answer or 'chance'}: {percent(row.chance)}")
        say_table((f"  {band.label}", percent(band.chance)) for band in row.bands)
        if row.mean is not None:
            say(f"  mean damage {float(row.mean):.2f}")
    say(*(f"refused: {refusal.sentence}" for refusal in found.refusals))


def _answers_roll(session: Session, data: Any) -> bool:
    """Tell whether a command answers a roll; what is none is refused when its turn comes."""
    try:
        return answers_roll(session.decode(data))
    except Rejected:
        return False


def _plan(data: Any, ruleset_id: str) -> Plan:
    context = kinds_of(ruleset_id)
    kind = data.get("kind") if isinstance(data, dict) else None
    found = context.get(kind) if isinstance(kind, str) else None
    if found is None or not issubclass(found, Plan):
        raise impossible("unknown_plan", f"{kind!r} is no plan.")
    try:
        made = found.model_validate(data, context=context.context())
    except ValidationError as error:
        raise impossible("bad_plan", f"{kind}: {complaint(error)}") from error
    except RecursionError as error:
        raise impossible("bad_plan", f"{kind}: it is nested too deeply.") from error
    assert isinstance(made, Plan)
    return made


def _read(source: str) -> Any:
    """Read JSON from a file, from the argument itself, or from standard input."""
    if source.lstrip()[:1] in ("{", "["):
        return parse_json(os.fsencode(source), "the command line")
    if source != "-":
        return _read_file(source)
    if sys.stdin is None:
        raise FileProblem("Standard input is closed.")
    return _parse(sys.stdin.buffer, "standard input")


def _read_file(source: str) -> Any:
    """Read JSON from a file; say what else might be written where there is no such file."""
    try:
        with Path(source).open("rb") as file:
            return _parse(file, source)
    except FileNotFoundError as error:
        raise FileProblem(
            f"There is no file {source}; write a file's name, JSON in quotes, or - for input."
        ) from error


def _parse(stream: BinaryIO, name: str) -> Any:
    """Read JSON from a stream, which may be endless."""
    data = stream.read(MAX_STRUCTURE_BYTES + 1)
    if len(data) > MAX_STRUCTURE_BYTES:
        raise FileProblem(f"{name}: more than {MAX_STRUCTURE_BYTES // 2**20} MB.")
    return parse_json(data, name)
