"""What the windows show of a Drase fight: cards, the turn list, measured lines."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from engine.geometry.measure import ruler
from engine.geometry.memo import Kept, Memo
from engine.geometry.stride import Diagonal
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.space import Cell
from engine.model.token import FOES, PARTY, Token
from engine.model.value import FrozenMap
from engine.rules.drase.combat import tiles
from engine.rules.drase.data import DEFAULTS, Book, book_of
from engine.rules.drase.effects import condition
from engine.rules.drase.movement import left
from engine.rules.drase.rounds import (
    Does,
    camp_at_hand,
    current,
    title,
    unresolved,
)
from engine.rules.drase.sheet import ActionCost, DraseSheet, Effect
from engine.rules.drase.state import Camp, Turn, camp_of, sheet_of, state_of
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
        yield Badge(text="!", meaning="Surprised: cannot act in round 1")
    if sheet.concentration:
        yield Badge(text="C", meaning=f"Keeps up {sheet.concentration}")
    if sheet.hidden_number is not None:
        yield Badge(text="H", meaning=f"Hides at {sheet.hidden_number}", secret=True)
    wounds = sum(limb.wounds for limb in sheet.limbs)
    if wounds:
        hurt = ", ".join(f"{limb.name} {limb.wounds}" for limb in sheet.limbs if limb.wounds)
        yield Badge(text=f"W{wounds}", meaning=f"Wounds: {hurt}")


def _status(status: str, effects: list[Effect]) -> Badge:
    """Return the badge of a status; one of the group's own goes by its id."""
    row = SHIPPED.statuses.get(status)
    label = row.label if row is not None else status.replace("_", " ").capitalize()
    count = min(sum(each.stacks for each in effects), row.max_stacks if row is not None else 99)
    times = f" x{count}" if count > 1 else ""
    rounds = (each.duration_rounds for each in effects)
    lasts = ", ".join("until ended" if each is None else f"{each} r" for each in rounds)
    short = row.badge if row is not None else label[:2]
    return Badge(text=f"{short}{times}", meaning=f"{label}{times} ({lasts})")


def _downed(sheet: DraseSheet) -> Badge:
    if sheet.is_object:
        return Badge(text="X", meaning="Destroyed")
    if sheet.downed is None:
        return Badge(text="X", meaning="Incapacitated")
    word = sheet.downed.lethality
    row = SHIPPED.lethality.get(word)
    meaning = f"{word}: {row.meaning}" if row is not None else word
    spared = "; spared by a non-lethal blow" if sheet.downed.non_lethal else ""
    return Badge(text="X", meaning=f"Incapacitated, {meaning}{spared}")


END_LABELS = {
    Does.SETUP: "Begin round 1",
    Does.DECLARE: "Declarations are done",
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
    return Step(
        title=f"Round {state.round}: {title(state)}" if state.round else title(state),
        subtitle=_subtitle(row.does, len(waiting)),
        round=state.round,
        side=SIDES.get(camp, camp or None),
        entries=tuple(_entries(book, encounter)),
        plans=tuple(_plans(encounter)),
        end_label=f"{label} ({len(waiting)})" if waiting else label,
        end_reason="" if encounter.prompt is None else "Something waits for an answer.",
        declares=row.does is Does.DECLARE,
    )


def _subtitle(does: Does, waiting: int) -> str:
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
    first_round: bool


@lru_cache(maxsize=64)
def _moment(declaring: str, first_round: bool) -> _Moment:
    return _Moment(declaring, first_round)


def _entries(book: Book, encounter: Encounter) -> Iterator[TurnEntry]:
    """Yield a line for every creature, those whose phase it is first."""
    state = state_of(encounter)
    camp = camp_at_hand(state)
    declaring = camp if current(state).does is Does.DECLARE else ""
    moment = _moment(declaring, state.round <= 1)
    tokens = [each for each in encounter.tokens.values() if isinstance(each.sheet, DraseSheet)]
    tokens = [each for each in tokens if not sheet_of(each).is_object]
    for token in sorted(tokens, key=lambda each: camp_of(each.side) != camp):
        yield _ENTRIES(book, token, state.turn(token.id), moment)


def _entry(
    _: Kept[TurnEntry] | None, book: Book, token: Token, turn: Turn, moment: _Moment
) -> TurnEntry:
    sheet = sheet_of(token)
    surprised = sheet.surprised and moment.first_round
    mine = moment.declaring == camp_of(token.side)
    waiting = [each for each in turn.declared if not each.resolved]
    detail = ""
    if sheet.hp <= 0:
        detail = "incapacitated"
    elif surprised:
        detail = "surprised"
    elif mine:
        detail = budget(book, token, turn)
    elif waiting:
        detail = ", ".join(each.label for each in waiting)
    return TurnEntry(
        token_id=token.id,
        detail=detail,
        badge=f"{sheet.round_def:+d}" if sheet.round_def else "",
        may_act=mine and sheet.hp > 0 and not surprised and not turn.frozen,
        done=bool(turn.declared) and not waiting,
    )


def budget(book: Book, token: Token, turn: Turn) -> str:
    """Return what a creature has left this round, in words."""
    state = condition(book, sheet_of(token))
    used = sum(each.cost.halves for each in turn.declared)
    reacted = sum(each.cost is ActionCost.REACTION for each in turn.declared)
    halves = max(0, state.halves - used)
    words = "1 half" if halves == 1 else f"{halves} halves"
    reaction = "reaction" if reacted < state.reactions else "no reaction"
    return f"{words}, {reaction}, {tiles(left(book, token, turn))}"


_STEPS: Memo[Step] = Memo(_step)
_ENTRIES: Memo[TurnEntry] = Memo(_entry, size=4096)


def _plans(encounter: Encounter) -> Iterator[DeclaredPlan]:
    state = state_of(encounter)
    for token_id, turn in state.turns.items():
        for each in turn.declared:
            if not each.resolved and token_id in encounter.tokens:
                target = each.plan.target_id
                yield DeclaredPlan(
                    token_id=token_id,
                    label=each.label,
                    path=each.route,
                    targets=() if target is None else (target,),
                    shape=each.plan.shape,
                )


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
