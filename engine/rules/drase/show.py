"""What the windows show of a Drase fight: cards, the turn list, measured lines."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from engine.geometry.measure import ruler
from engine.geometry.memo import Kept, Memo, changes
from engine.geometry.stride import Diagonal
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.pending import Prompt, PromptKind
from engine.model.space import Cell
from engine.model.token import FOES, PARTY, Token
from engine.model.value import FrozenMap
from engine.rules.drase.combat import tiles
from engine.rules.drase.data import DEFAULTS, Book, book_of
from engine.rules.drase.effects import condition
from engine.rules.drase.movement import left
from engine.rules.drase.rounds import (
    Camps,
    Does,
    begun_camps,
    camp_at_hand,
    current,
    regrouped,
    title,
    unresolved,
)
from engine.rules.drase.sheet import ActionCost, DraseSheet, Effect
from engine.rules.drase.state import NO_TURN, Camp, Declared, Turn, camp_of, sheet_of, state_of
from engine.rules.ruleset import (
    Badge,
    Bar,
    Card,
    DeclaredPlan,
    Leg,
    Measured,
    Step,
    TurnEntry,
)

SHIPPED = Book(DEFAULTS, FrozenMap())
"""The tables as they come; a card knows no encounter, and names of statuses are enough for it."""


@lru_cache(maxsize=4096)
def card(sheet: DraseSheet) -> Card:
    """Return what the map shows of a sheet: hit points, statuses, how it was downed."""
    bars = [Bar(label="Hit points", value=sheet.hp, maximum=sheet.hp_max)]
    if sheet.temp_hp:
        bars.append(Bar(label="Temporary hit points", value=sheet.temp_hp, maximum=sheet.temp_hp))
    defence = f" {sheet.round_def:+d}" if sheet.round_def else ""
    return Card(
        bars=tuple(bars),
        badges=tuple(_badges(sheet)),
        down=sheet.hp <= 0,
        detail=f"AC {sheet.ac}{defence}",
    )


def _badges(sheet: DraseSheet) -> Iterator[Badge]:
    if sheet.hp <= 0:
        yield _downed(sheet)
    for status in dict.fromkeys(each.id for each in sheet.effects):
        yield _status(status, [each for each in sheet.effects if each.id == status])
    if sheet.surprised:
        yield _public("!", "Surprised: cannot act in round 1")
    if sheet.concentration:
        yield Badge(text="C", meaning=f"Keeps up {sheet.concentration}", players="Keeps up a spell")
    if sheet.hidden_number is not None:
        yield Badge(text="H", meaning=f"Hides at {sheet.hidden_number}")
    wounds = sum(limb.wounds for limb in sheet.limbs)
    if wounds:
        hurt = ", ".join(f"{limb.name} {limb.wounds}" for limb in sheet.limbs if limb.wounds)
        yield Badge(text=f"W{wounds}", meaning=f"Wounds: {hurt}", players=f"Wounds: {wounds}")


def _status(status: str, effects: list[Effect]) -> Badge:
    """Return the badge of a status; one of the group's own goes by its id."""
    row = SHIPPED.statuses.get(status)
    label = row.label if row is not None else status.replace("_", " ").capitalize()
    count = min(sum(each.stacks for each in effects), row.max_stacks if row is not None else 99)
    times = f" x{count}" if count > 1 else ""
    rounds = (each.duration_rounds for each in effects)
    lasts = ", ".join("until ended" if each is None else f"{each} r" for each in rounds)
    short = row.badge if row is not None else label[:2]
    return _public(f"{short}{times}", f"{label}{times} ({lasts})")


def _public(text: str, meaning: str) -> Badge:
    """Return a badge in the rules' own words, which all may read."""
    return Badge(text=text, meaning=meaning, players=meaning)


def _downed(sheet: DraseSheet) -> Badge:
    if sheet.is_object:
        return _public("X", "Destroyed")
    if sheet.downed is None:
        return _public("X", "Incapacitated")
    word = sheet.downed.lethality
    row = SHIPPED.lethality.get(word)
    meaning = f"{word}: {row.meaning}" if row is not None else word
    spared = "; spared by a non-lethal blow" if sheet.downed.non_lethal else ""
    return _public("X", f"Incapacitated, {meaning}{spared}")


END_LABELS = {
    Does.SETUP: "Begin round 1",
    Does.DECLARE: "End declaring",
    Does.RESOLVE: "Resolve all",
}


SIDES: dict[str, str] = {Camp.PLAYER: PARTY, Camp.GM: FOES}
"""The side whose name stands for a camp; a third party's is its own."""


def step(encounter: Encounter) -> Step:
    """Return where the fight stands; both audiences of one state get the same object."""
    return _STEPS(encounter)


def _step(_: Kept[Step] | None, encounter: Encounter) -> Step:
    state = state_of(encounter)
    book = book_of(encounter)
    row = current(state)
    camp = camp_at_hand(state)
    waiting = unresolved(encounter, camp) if row.does is Does.RESOLVE else []
    label = END_LABELS.get(row.does, "Go on")
    words = f"Round {state.round}: {title(state)}" if state.round else title(state)
    return Step(
        title=words,
        players=words,
        subtitle=_subtitle(row.does, len(waiting), encounter.prompt),
        round=state.round,
        side=SIDES.get(camp, camp or None),
        entries=_with_acting(_entries(book, encounter), _acting(encounter)),
        plans=_PLANS(state.turns, encounter.tokens),
        end_label=f"{label} ({len(waiting)})" if waiting else label,
        end_reason="" if encounter.prompt is None else "Something waits for an answer.",
        declares=row.does is Does.DECLARE,
    )


def _acting(encounter: Encounter) -> frozenset[str]:
    """Return who is in the midst of something: what they declared is not done yet."""
    names = ("token_id", "attacker", "actor", "by")
    return frozenset(
        token_id
        for frame in encounter.pending
        for name in names
        if (token_id := getattr(frame, name, None)) is not None
    )


def _with_acting(entries: tuple[TurnEntry, ...], acting: frozenset[str]) -> tuple[TurnEntry, ...]:
    """Return the turn list; who is in the midst of something is not done."""
    if not acting:
        return entries
    return tuple(
        each.changed(
            done=False,
            detail=each.detail or "at it now",
            players=each.players or ("at it now",),
        )
        if each.done and each.token_id in acting
        else each
        for each in entries
    )


def _subtitle(does: Does, waiting: int, prompt: Prompt | None) -> str:
    if prompt is not None and does in (Does.RESOLVE, Does.DOT, Does.DEFENCE):
        open_one = "A roll is open" if prompt.prompt is PromptKind.ROLL else "A question is open"
        return f"{open_one}; {waiting} more declared." if waiting else f"{open_one}."
    if does is Does.SETUP:
        return "Who is surprised, who has prepared?"
    if does is Does.DECLARE:
        return "Moves, actions and one reaction each; what is unused is lost."
    if does is Does.RESOLVE:
        return f"{waiting} declared, reactions first." if waiting else "All is resolved."
    return ""


class _Moment(NamedTuple):
    """What the turn list asks of the moment: equal ones are the same object."""

    declaring: str
    begun: frozenset[str]
    first_round: bool


@lru_cache(maxsize=64)
def _moment(declaring: str, begun: frozenset[str], first_round: bool) -> _Moment:
    return _Moment(declaring, begun, first_round)


def _entries(book: Book, encounter: Encounter) -> tuple[TurnEntry, ...]:
    """Return a line for every creature, those whose phase it is first."""
    state = state_of(encounter)
    camp = camp_at_hand(state)
    declaring = camp if current(state).does is Does.DECLARE else ""
    moment = _moment(declaring, begun_camps(encounter), state.round <= 1)
    camps = _ENTRIES(book, moment, encounter.tokens, state.turns)
    first = camps.get(camp, FrozenMap())
    others = [lines for each, lines in camps.items() if each != camp]
    rest = (
        others[0]
        if len(others) == 1
        else FrozenMap(pair for each in others for pair in each.items())
    )
    return (*first.values(), *rest.values())


_Entries = Camps[TurnEntry]


def _listed(
    latest: Kept[_Entries] | None,
    book: Book,
    moment: _Moment,
    tokens: FrozenMap[str, Token],
    turns: FrozenMap[str, Turn],
) -> _Entries:
    """Return the lines of all creatures; those who changed nothing keep theirs."""
    camps: _Entries = {}
    changed: Collection[str] = tokens
    if latest is not None and latest.sources[0] is book:
        then: _Moment = latest.sources[1]
        if then.first_round == moment.first_round:
            camps = latest.result
            changed = changes(latest.sources[2], tokens) | changes(latest.sources[3], turns)
            if then.declaring != moment.declaring:
                turned = [camps.get(each, ()) for each in (then.declaring, moment.declaring)]
                changed = changed.union(*turned)
            for camp in then.begun ^ moment.begun:
                acted = {each for each in camps.get(camp, ()) if turns.get(each, NO_TURN).declared}
                changed = changed.union(acted)
    fresh: dict[str, dict[str, TurnEntry]] = {}
    for token in (tokens[each] for each in changed if each in tokens):
        if isinstance(token.sheet, DraseSheet) and not token.sheet.is_object:
            line = _entry(book, token, turns.get(token.id, NO_TURN), moment)
            fresh.setdefault(camp_of(token.side), {})[token.id] = line
    return regrouped(camps, changed, fresh)


def _entry(book: Book, token: Token, turn: Turn, moment: _Moment) -> TurnEntry:
    sheet = sheet_of(token)
    surprised = sheet.surprised and moment.first_round
    mine = moment.declaring == camp_of(token.side)
    waiting = [each for each in turn.declared if not each.resolved]
    words = ""
    if sheet.hp <= 0:
        words = "incapacitated"
    elif surprised:
        words = "surprised"
    elif mine:
        words = _BUDGETS(book, token, turn)
    detail = _Detail(words, (words,) if words else ())
    if waiting and not words:
        detail = _Detail(
            ", ".join(each.label for each in waiting),
            tuple(each.players for each in waiting if each.players is not None),
        )
    return _line(
        token.id,
        detail,
        f"{sheet.round_def:+d}" if sheet.round_def else "",
        mine and sheet.hp > 0 and not surprised and not turn.frozen,
        bool(turn.declared) and not waiting and camp_of(token.side) in moment.begun,
    )


class _Detail(NamedTuple):
    """What a line says of its creature: to the GM, and in templates for the players."""

    gm: str
    players: tuple[str, ...]


@lru_cache(maxsize=8192)
def _line(token_id: str, detail: _Detail, badge: str, may_act: bool, done: bool) -> TurnEntry:
    """Return a line of the turn list: a phase that begins writes one for everybody."""
    return TurnEntry(
        token_id=token_id,
        detail=detail.gm,
        players=detail.players,
        badge=badge,
        may_act=may_act,
        done=done,
    )


def budget(book: Book, token: Token, turn: Turn) -> str:
    """Return what a creature has left this round, in words."""
    state = condition(book, sheet_of(token))
    used = sum(each.cost.halves for each in turn.declared)
    reacted = sum(each.cost is ActionCost.REACTION for each in turn.declared)
    halves = max(0, state.halves - used)
    words = "1 half action" if halves == 1 else f"{halves} half actions"
    reaction = "reaction" if reacted < state.reactions else "no reaction"
    return f"{words}, {reaction}, {tiles(left(book, token, turn))}"


def _budget(_: Kept[str] | None, book: Book, token: Token, turn: Turn) -> str:
    return budget(book, token, turn)


_BUDGETS: Memo[str] = Memo(_budget, size=4096)
_STEPS: Memo[Step] = Memo(_step)
_ENTRIES: Memo[_Entries] = Memo(_listed)


def _plans(
    _: Kept[tuple[DeclaredPlan, ...]] | None,
    turns: FrozenMap[str, Turn],
    tokens: FrozenMap[str, Token],
) -> tuple[DeclaredPlan, ...]:
    return tuple(
        _plan(token_id, each)
        for token_id, turn in turns.items()
        if turn.declared and token_id in tokens
        for each in turn.declared
        if not each.resolved
    )


@lru_cache(maxsize=4096)
def _plan(token_id: str, step: Declared) -> DeclaredPlan:
    target = step.plan.target_id
    return DeclaredPlan(
        token_id=token_id,
        label=step.label,
        players=step.players,
        path=step.route,
        targets=() if target is None else (target,),
        shape=step.plan.shape,
    )


_PLANS: Memo[tuple[DeclaredPlan, ...]] = Memo(_plans)


def measured(encounter: Encounter, cells: Sequence[Cell]) -> Measured:
    """Return the length of a line as Drase counts ranges: the diagonal rule, no terrain."""
    book = book_of(encounter)
    rule = Diagonal(book.options.diagonal)
    found = ruler(board_grid(encounter.board.grid), cells, rule)
    legs = tuple(
        Leg(start=a, end=b, length=float(length), reasons=_reasons(a, b, rule))
        for (a, b), length in zip(pairwise(cells), found.legs, strict=True)
    )
    amount, unit = book.options.tile_label.split(" ")
    whole = found.total * int(amount)
    size = f"{whole:.1f}" if isinstance(whole, float) else str(whole)
    label = f"{tiles(found.total)} ({size} {unit})"
    return Measured(legs=legs, total=float(found.total), label=label)


def _reasons(a: Cell, b: Cell, rule: Diagonal) -> tuple[str, ...]:
    diagonals = min(abs(b.x - a.x), abs(b.y - a.y))
    if not diagonals or rule in (Diagonal.CHEBYSHEV, Diagonal.CIRCULAR):
        return ()
    each = "every one counts 2" if rule is Diagonal.ALWAYS_DOUBLE else "every second counts 2"
    noun = "diagonal" if diagonals == 1 else "diagonals"
    return (f"{diagonals} {noun}: {each}",)
