"""The round of Drase as a table: which phase follows which, whose it is, and what it does.

`enter` and `leave` push frames for the work of a phase; the frames themselves stand beside their
rules. The article's letters name the phases (section 3).
"""

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple, TypeVar

from engine.events.tokens import SheetChanged
from engine.geometry.memo import Kept, Memo, changes
from engine.model.encounter import Encounter
from engine.model.pending import Frame
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.rules.drase.areas import age_areas
from engine.rules.drase.events import HappeningsPast, PhaseEntered
from engine.rules.drase.plans import ThirdPlace
from engine.rules.drase.sheet import ActionCost, DraseSheet
from engine.rules.drase.state import (
    Camp,
    ConcentrationFrame,
    Declared,
    DefenceFrame,
    DotFrame,
    DraseState,
    Phase,
    PhaseFrame,
    PrepareFrame,
    StepFrame,
    TickFrame,
    WoundFrame,
    camp_of,
    sheet_of,
    state_of,
)
from engine.rules.drase.work import Work

R = TypeVar("R")


class Does(StrEnum):
    """What a phase is for."""

    SETUP = "setup"
    DECLARE = "declare"
    DEFENCE = "defence"
    DOT = "dot"
    RESOLVE = "resolve"
    TICK = "tick"
    END = "end"


class Row(NamedTuple):
    """A phase: its name, whose it is, what it does, and what it does besides when it is left."""

    title: str
    camp: str
    does: Does
    leaving: Does | None = None


THIRD = "third"
"""The camp of the third party at hand; `DraseState.third` names it."""

PHASES: dict[Phase, Row] = {
    Phase.SETUP: Row("Setup", "", Does.SETUP),
    Phase.P1: Row("Players declare", Camp.PLAYER, Does.DECLARE),
    Phase.P2: Row("Players roll defence", Camp.PLAYER, Does.DEFENCE),
    Phase.P3: Row("Players take damage over time", Camp.PLAYER, Does.DOT),
    Phase.G1: Row("GM resolves the players' actions", Camp.PLAYER, Does.RESOLVE),
    Phase.G2: Row("Durations on the players' side", Camp.PLAYER, Does.TICK),
    Phase.G3: Row("GM declares", Camp.GM, Does.DECLARE, Does.DEFENCE),
    Phase.G4: Row("GM resolves the GM's actions", Camp.GM, Does.RESOLVE, Does.DOT),
    Phase.G5: Row("Durations on the GM's side", Camp.GM, Does.TICK),
    Phase.THIRD_DECLARE: Row("{} declare", THIRD, Does.DECLARE),
    Phase.THIRD_DEFENCE: Row("{} roll defence", THIRD, Does.DEFENCE),
    Phase.THIRD_DOT: Row("{} take damage over time", THIRD, Does.DOT),
    Phase.THIRD_RESOLVE: Row("GM resolves the actions of {}", THIRD, Does.RESOLVE),
    Phase.THIRD_TICK: Row("Durations on {}", THIRD, Does.TICK),
    Phase.END: Row("End of the round", "", Does.END),
}

_PLAYERS = (Phase.P1, Phase.P2, Phase.P3, Phase.G1, Phase.G2)
_GM = (Phase.G3, Phase.G4, Phase.G5)
_THIRDS = (
    Phase.THIRD_DECLARE,
    Phase.THIRD_DEFENCE,
    Phase.THIRD_DOT,
    Phase.THIRD_RESOLVE,
    Phase.THIRD_TICK,
)

Slot = tuple[Phase, str | None]
"""A phase, and the third party if it is one of theirs."""


def third_parties(encounter: Encounter) -> tuple[str, ...]:
    """Return the sides on the map that are neither the players' nor the GM's, in order."""
    return _THIRD_PARTIES(encounter.tokens)


def _third_parties(
    latest: Kept[tuple[str, ...]] | None, tokens: FrozenMap[str, Token]
) -> tuple[str, ...]:
    if latest is not None:
        before: FrozenMap[str, Token] = latest.sources[0]
        pairs = ((before.get(each), tokens.get(each)) for each in changes(before, tokens))
        if all(old and new and old.side == new.side for old, new in pairs):
            return latest.result
    sides = {token.side for token in tokens.values()}
    return tuple(sorted(side for side in sides if camp_of(side) == side))


_THIRD_PARTIES: Memo[tuple[str, ...]] = Memo(_third_parties)


def sequence(encounter: Encounter) -> tuple[Slot, ...]:
    """Return the phases of a round; third parties come where the GM put them, else last."""
    places = state_of(encounter).places
    found: dict[ThirdPlace, list[Slot]] = {place: [] for place in ThirdPlace}
    for side in third_parties(encounter):
        place = places.get(side, ThirdPlace.LAST)
        found[place] += [(phase, side) for phase in _THIRDS]
    return (
        *found[ThirdPlace.FIRST],
        *((phase, None) for phase in _PLAYERS),
        *found[ThirdPlace.BETWEEN],
        *((phase, None) for phase in _GM),
        *found[ThirdPlace.LAST],
        (Phase.END, None),
    )


def current(state: DraseState) -> Row:
    """Return the row of the phase at hand."""
    return PHASES[state.phase]


def camp_at_hand(state: DraseState) -> str:
    """Return whose phase it is: a camp, or "" in setup and at the end of the round."""
    camp = current(state).camp
    return state.third or "" if camp == THIRD else camp


def begun_camps(encounter: Encounter) -> frozenset[str]:
    """Return the camps whose turn to declare has come in this round."""
    state, slots = state_of(encounter), sequence(encounter)
    here = (state.phase, state.third)
    past = slots[: slots.index(here) + 1] if here in slots else ()
    declaring = (slot for slot in past if PHASES[slot[0]].does is Does.DECLARE)
    return frozenset(third or PHASES[phase].camp for phase, third in declaring)


def title(state: DraseState) -> str:
    """Return the name of the phase at hand."""
    return current(state).title.format((state.third or "").capitalize())


Camps = Mapping[str, FrozenMap[str, R]]
"""Something of each creature, by its camp and its token."""


def regrouped(
    camps: Camps[R], changed: Collection[str], fresh: Mapping[str, Mapping[str, R]]
) -> dict[str, FrozenMap[str, R]]:
    """Return camps in which the changed tokens have what is fresh of them, or are gone."""
    made: dict[str, FrozenMap[str, R]] = {}
    for camp in dict.fromkeys((*camps, *fresh)):
        kept, new = camps.get(camp, FrozenMap()), fresh.get(camp, {})
        gone = [each for each in changed if each in kept and each not in new]
        made[camp] = kept.without(*gone).put_all(new)
    return made


def members(encounter: Encounter, camp: str, *, objects: bool = False) -> Iterator[Token]:
    """Yield the tokens of a camp that have a sheet of Drase; objects only if asked for."""
    for token in _CAMPS(encounter.tokens).get(camp, FrozenMap()).values():
        if objects or not sheet_of(token).is_object:
            yield token


def _camps(latest: Kept[Camps[Token]] | None, tokens: FrozenMap[str, Token]) -> Camps[Token]:
    """Return the tokens with a sheet of Drase by camp, from those of the moment before."""
    changed = tokens if latest is None else changes(latest.sources[0], tokens)
    fresh: dict[str, dict[str, Token]] = {}
    for token in (tokens[each] for each in changed if each in tokens):
        if isinstance(token.sheet, DraseSheet):
            fresh.setdefault(camp_of(token.side), {})[token.id] = token
    return regrouped({} if latest is None else latest.result, changed, fresh)


_CAMPS: Memo[Camps[Token]] = Memo(_camps)


def declares(encounter: Encounter, token: Token) -> bool:
    """Tell whether it is the token's phase to declare."""
    state = state_of(encounter)
    return (
        encounter.fighting
        and current(state).does is Does.DECLARE
        and camp_at_hand(state) == camp_of(token.side)
    )


def unresolved(encounter: Encounter, camp: str) -> list[tuple[Token, Declared]]:
    """Return what a camp has declared and what is still to be resolved: reactions first."""
    found = [
        (token, step)
        for token_id, turn in state_of(encounter).turns.items()
        if turn.declared and (token := encounter.tokens.get(token_id)) is not None
        if isinstance(token.sheet, DraseSheet) and camp_of(token.side) == camp
        for step in turn.declared
        if not step.resolved
    ]
    return sorted(found, key=lambda pair: pair[1].cost is not ActionCost.REACTION)


def leave(work: Work) -> None:
    """End the phase at hand: what is still to be done in it, then the next one."""
    state = work.state
    row = current(state)
    camp = camp_at_hand(state)
    frames: list[Frame] = []
    if row.does is Does.SETUP:
        frames += [PrepareFrame(token_id=token_id) for token_id in work.encounter.tokens]
    if row.does is Does.RESOLVE:
        pairs = unresolved(work.encounter, camp)
        frames += [StepFrame(token_id=token.id, number=step.number) for token, step in pairs]
    frames += _duties(work, row.leaving, camp)
    phase, third = _next(work.encounter)
    work.push(*frames, PhaseFrame(phase=phase, third=third))


def enter(work: Work, frame: PhaseFrame) -> None:
    """Begin a phase; those in which nobody decides run on into the next."""
    before = work.state
    first = sequence(work.encounter)[0] == (frame.phase, frame.third)
    new_round = first and before.phase in (Phase.SETUP, Phase.END)
    number = before.round + 1 if new_round else before.round
    row = PHASES[frame.phase]
    camp = (frame.third or "") if row.camp == THIRD else row.camp
    fresh = [token.id for token in members(work.encounter, camp)]
    declared = current(before).does is Does.DECLARE
    mark = (camp_at_hand(before), before.serial) if declared else None
    shaken = [token_id for token_id in before.hit if token_id in work.encounter.tokens]
    work.emit(
        PhaseEntered(
            phase=frame.phase,
            round=number,
            third=frame.third,
            fresh=tuple(fresh) if row.does is Does.DECLARE else (),
            mark=mark,
        )
    )
    if new_round:
        if number > 1:
            seconds = (number - 1) * work.book.number("round_seconds")
            work.log(f"Round {number} begins. So far {seconds} s.")
        work.push(*(ConcentrationFrame(token_id=token_id) for token_id in shaken))
    if row.does is Does.DECLARE:
        return
    if row.does is Does.RESOLVE and unresolved(work.encounter, camp):
        return
    phase, third = _next(work.encounter)
    duties = _duties(work, row.does, camp)
    if row.does is Does.RESOLVE:
        duties = _duties(work, row.leaving, camp)
    work.push(*duties, PhaseFrame(phase=phase, third=third))


def _duties(work: Work, does: Does | None, camp: str) -> list[Frame]:
    """Return the frames of the work that a phase brings by itself."""
    if does is Does.DEFENCE:
        defending = members(work.encounter, camp)
        return [DefenceFrame(token_id=each.id) for each in defending if _may_defend(work, each)]
    if does is Does.DOT:
        areas = bool(work.encounter.board.areas)
        burning = members(work.encounter, camp, objects=True)
        return [DotFrame(token_id=each.id) for each in burning if areas or sheet_of(each).effects]
    if does is Does.TICK:
        return [TickFrame(camp=camp)]
    if does is Does.END:
        _forget(work)
        age_areas(work)
        return [WoundFrame(token_id=token_id) for token_id in _below_half(work)]
    return []


def _may_defend(work: Work, token: Token) -> bool:
    """Tell whether anything can make a creature's defence of the round other than it is."""
    sheet = sheet_of(token)
    stacks = sheet.defence_bonuses or sheet.defence_maluses or sheet.effects or sheet.feats
    return bool(stacks or sheet.round_def or work.state.turn(token.id).declared)


def _next(encounter: Encounter) -> Slot:
    """Return the phase after the one at hand."""
    state = state_of(encounter)
    slots = sequence(encounter)
    here = (state.phase, state.third)
    if here not in slots:
        # setup; or the last creature of a third party is gone in the midst of its phase
        return slots[0] if state.phase is Phase.SETUP else _after_gone(slots, state)
    return slots[(slots.index(here) + 1) % len(slots)]


def _after_gone(slots: tuple[Slot, ...], state: DraseState) -> Slot:
    """Return what follows the phase of a third party that has left the map."""
    place = state.places.get(state.third or "", ThirdPlace.LAST)
    follows = {ThirdPlace.FIRST: Phase.P1, ThirdPlace.BETWEEN: Phase.G3}.get(place, Phase.END)
    return next(slot for slot in slots if slot[0] is follows)


def _below_half(work: Work) -> list[str]:
    percent = work.book.number("wound_percent")
    return [
        token.id
        for token in work.encounter.tokens.values()
        if isinstance(token.sheet, DraseSheet)
        and token.sheet.able
        and 100 * token.sheet.hp < percent * token.sheet.hp_max
    ]


def _forget(work: Work) -> None:
    """Close the round: happenings whose witnesses had their chance, and surprise, are past."""
    state, tokens = work.state, work.encounter.tokens
    past = tuple(
        each.serial
        for each in state.happenings
        if each.witness not in tokens
        or each.serial <= state.marks.get(camp_of(tokens[each.witness].side), 0)
    )
    if past:
        work.emit(HappeningsPast(serials=past))
    for token in tuple(work.encounter.tokens.values()):
        sheet = sheet_of(token)
        if sheet.surprised and token.sheet is sheet:
            work.emit(SheetChanged(token_id=token.id, sheet=sheet.changed(surprised=False)))
