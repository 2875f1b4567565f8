"""What follows from events for the players' knowledge: explored ground, memories, names, secrets.

`decide` passes every decision through here, so that a move, an opened door or a moved lamp shows
what it shows in the same record, and one undo takes both back.
"""

import re
from collections.abc import Iterable, Mapping

from engine.events.event import Event, folded
from engine.events.fog import FogChanged, PlayersLearned
from engine.events.tokens import TokenMoved
from engine.events.turn import Logged
from engine.geometry.boards import wall_set
from engine.geometry.explored import mask_of_tiles, mask_of_vision, union
from engine.geometry.knowledge import gaze_by, gaze_of, known_tokens, party_of
from engine.geometry.memo import changes
from engine.geometry.memory import Learned, learn
from engine.geometry.vision import Vision, visions_on_the_way
from engine.model.encounter import Encounter
from engine.model.evidence import LogEntry, Modifier
from engine.model.names import fresh_names, name_for_players
from engine.model.told import Naming, read
from engine.model.value import FrozenMap

Told = tuple[tuple[Event, ...], Encounter]


def discover(before: Encounter, events: Iterable[Event]) -> Told:
    """Return events, log entries fit for the players, what they learn, and the encounter after."""
    state = before
    told: list[Event] = []
    passing: list[Vision] = []
    for event in events:
        if isinstance(event, TokenMoved):
            passing += _on_the_way(state, event)
        for each in _retold(before, state, event) if isinstance(event, Logged) else (event,):
            told.append(each)
            state = each.apply(state)
    learned, explored = _learning(before, state, passing), _exploring(before, state, passing)
    for follows in (each for each in (learned, explored) if each is not None):
        told.append(follows)
        state = follows.apply(state)
    return tuple(told), state


def kept_secret(before: Encounter, events: Iterable[Event]) -> Told:
    """Return events with all their log entries secret: what to do if sight cannot be computed."""
    told = tuple(
        Logged(entry=event.entry.changed(secret=True)) if isinstance(event, Logged) else event
        for event in events
    )
    return told, folded(before, told)


def _learning(before: Encounter, state: Encounter, passing: list[Vision]) -> Event | None:
    """Return the event of what the players see anew and how they call whom they see."""
    learned = _learned(before, state, passing)
    names = _fresh_names(before, state)
    if not learned and not names:
        return None
    return PlayersLearned(
        walls=FrozenMap(learned.walls),
        parts=FrozenMap(learned.parts),
        regions=FrozenMap(learned.regions),
        names=names,
        gone_walls=learned.gone_walls,
        gone_regions=learned.gone_regions,
    )


def _on_the_way(state: Encounter, event: TokenMoved) -> tuple[Vision, ...]:
    """Return what the players see through a token that passes over cells, the last one left out."""
    token = state.tokens[event.token_id]
    if not state.fog.enabled or token not in party_of(state.tokens):
        return ()
    walking = token.changed(facing=event.facing, elevation=event.elevation)
    # What it saw where it stood was explored when it came there, if anything was.
    first = 1 if state.fog.explored else 0
    # Where it ends is looked at in the same pass, and remembered until that is asked for.
    return visions_on_the_way(state, walking, event.path[first:])[:-1]


def _fresh(before: Encounter, state: Encounter, passing: Iterable[Vision]) -> tuple[Vision, ...]:
    """Return the visions that may show ground or walls that the players do not know yet."""
    now = gaze_of(state).visions
    if not _cleared(before, state):
        then = {id(vision) for vision in gaze_of(before).visions}
        now = tuple(vision for vision in now if id(vision) not in then)
    return (*now, *passing)


def _cleared(before: Encounter, state: Encounter) -> bool:
    """Tell whether the same eyes may see or remember more: fog lifted, reset, or walls redrawn."""
    return any(
        getattr(before.fog, part) is not getattr(state.fog, part)
        for part in ("enabled", "explored", "veiled")
    ) or (
        before.board.walls is not state.board.walls
        and wall_set(before.board).segs is not wall_set(state.board).segs
    )


def _learned(before: Encounter, state: Encounter, passing: list[Vision]) -> Learned:
    """Return what the players see anew of walls and regions."""
    fog, board = state.fog, state.board
    if not fog.enabled:
        return Learned()
    fresh = _fresh(before, state, passing)
    same_board = board.walls is before.board.walls and board.regions is before.board.regions
    if not fresh and same_board and fog.revealed is before.fog.revealed:
        return Learned()
    now = gaze_by(fog, (*gaze_of(state).visions, *passing))
    anew = gaze_by(fog, fresh)
    return learn(board, fog, now, anew, new_regions=board.regions is not before.board.regions)


def _exploring(before: Encounter, state: Encounter, passing: list[Vision]) -> Event | None:
    """Return the event of newly explored ground; what the GM shows counts, what is veiled not."""
    fog = state.fog
    if not fog.enabled:
        return None
    mask = union(mask_of_vision(vision) for vision in _fresh(before, state, passing))
    if fog.veiled:
        mask = mask - mask_of_tiles(fog.veiled)
    if fog.revealed is not before.fog.revealed:
        mask = mask | mask_of_tiles(fog.revealed)
    tiles = mask.added_to(fog.explored)
    return FogChanged(explored=tiles) if tiles else None


def _fresh_names(before: Encounter, state: Encounter) -> FrozenMap[str, str]:
    seen = known_tokens(state, gaze_of(state))
    changed = changes(before.tokens, state.tokens)
    return FrozenMap(fresh_names(state.tokens, state.fog.names, seen, changed))


def _retold(before: Encounter, state: Encounter, event: Logged) -> Iterable[Event]:
    """Yield the names that the players give first, then the entry as they may read it."""
    entry = event.entry
    if entry.secret:
        return (event,)
    names = _fresh_names(before, state)
    if names:
        learned = PlayersLearned(names=names)
        state = learned.apply(state)
        return (learned, Logged(entry=_told(entry, before, state)))
    return (Logged(entry=_told(entry, before, state)),)


def _told(entry: LogEntry, before: Encounter, state: Encounter) -> LogEntry:
    """Return an entry that says what the players read of it, if anything."""
    if not all(_in_sight(before, state, token_id) for token_id in entry.about):
        return entry.changed(secret=True)
    told = entry if entry.players is None else entry.players
    name_of = _naming(before, state)
    text = read(told.text, name_of)
    if text is None:
        return entry.changed(secret=True)
    telling = [each for line in told.lines if line.evidence for each in line.evidence.tokens]
    unseen = any(not _in_sight(before, state, token_id) for token_id in telling)
    lines = () if unseen else _told_lines(told.lines, name_of)
    if entry.players is None:
        text = _renamed(text, _names(before, state, entry.about))
    told, alone = told.changed(text=text, lines=lines), entry.changed(players=None)
    return alone if told == alone else entry.changed(players=told)


def _told_lines(lines: tuple[Modifier, ...], name_of: Naming) -> tuple[Modifier, ...]:
    """Return the lines that the players may read; none at all if one names somebody unseen."""
    found = []
    for line in lines:
        label = read(line.players, name_of)
        if label is not None:
            found.append(line if label == line.label else line.changed(label=label))
        elif line.players is not None:
            return ()
    return tuple(found)


def _naming(before: Encounter, state: Encounter) -> Naming:
    """Return how the players call whom they see, or saw before they were taken off the map."""

    def name_of(token_id: str) -> str | None:
        token = state.tokens.get(token_id) or before.tokens.get(token_id)
        if token is None or not _in_sight(before, state, token_id):
            return None
        return name_for_players(token, state.fog.names)

    return name_of


def _in_sight(before: Encounter, state: Encounter, token_id: str) -> bool:
    """Tell whether the players see a token, or saw it before it was taken off the map."""
    moment = state if token_id in state.tokens else before
    return token_id in known_tokens(moment, gaze_of(moment))


def _names(before: Encounter, state: Encounter, about: Iterable[str]) -> dict[str, str]:
    """Return how the players call tokens, by their true names, where that differs."""
    names = {}
    for token_id in about:
        token = state.tokens.get(token_id) or before.tokens.get(token_id)
        if token is not None:
            names[token.name] = name_for_players(token, state.fog.names)
    return {name: players for name, players in names.items() if name and name != players}


def _renamed(text: str, names: Mapping[str, str]) -> str:
    if not names:
        return text
    longest_first = sorted(names, key=len, reverse=True)
    pattern = "|".join(re.escape(name) for name in longest_first)
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda found: names[found[0]], text)
