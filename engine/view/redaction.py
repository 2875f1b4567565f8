"""What the players may read of turn lists, prompts, cards and the log.

`shown` is always the set of tokens that they see now.
"""

from collections.abc import Iterable, Set
from dataclasses import replace
from fractions import Fraction

from engine.geometry.memo import Kept, Memo
from engine.model.audience import HealthShown
from engine.model.encounter import Encounter
from engine.model.evidence import LogEntry, Modifier
from engine.model.names import label_for_players, name_for_players
from engine.model.pending import Choice, Prompt
from engine.model.token import FOES, PARTY, Token
from engine.model.told import Naming, read
from engine.rules.ruleset import Badge, Bar, Card, DeclaredPlan, Ruleset, Step, TurnEntry
from engine.view.reuse import whole_token
from engine.view.values import TokenView

Shown = Set[str]


def naming(encounter: Encounter, shown: Shown) -> Naming:
    """Return how the players call those whom they see."""
    names = encounter.fog.names

    def name_of(token_id: str) -> str | None:
        return name_for_players(encounter.tokens[token_id], names) if token_id in shown else None

    return name_of


def token_for_players(
    encounter: Encounter, token: Token, health: HealthShown, ruleset: Ruleset
) -> TokenView:
    """Return a token as the players know it; of their own they know all but the GM's note."""
    whole = whole_token(token, encounter.board.grid, ruleset)
    names = encounter.fog.names
    own = token.side == PARTY
    return replace(
        whole,
        name=name_for_players(token, names),
        label=label_for_players(token, names),
        card=whole.card if own or whole.card is None else card_for_players(whole.card, health),
        group=whole.group if own else None,
        hidden=False,
        gm_note="",
    )


def card_for_players(card: Card, health: HealthShown) -> Card:
    """Return the card of a token that is not theirs: its health as they are shown it.

    The first bar is the body's health; what else a ruleset counts is nobody else's business.
    """
    first = card.bars[:1]
    bars = first if health is HealthShown.BARS else ()
    words = health_in_words(first[0], down=card.down) if first else ""
    return card.changed(
        bars=bars,
        badges=tuple(_badges(card)),
        detail=words if health is HealthShown.WORDS else "",
    )


def _badges(card: Card) -> Iterable[Badge]:
    """Yield the badges that everybody may read, in the words for all."""
    for badge in card.badges:
        if badge.players is not None:
            yield badge.changed(meaning=badge.players, players=None)


def health_in_words(bar: Bar, *, down: bool = False) -> str:
    """Return how somebody looks who has so much of his health left."""
    if down:
        return "down"
    part = Fraction(bar.value, bar.maximum) if bar.maximum > 0 else Fraction(0)
    steps = ((Fraction(1), "unhurt"), (Fraction(1, 2), "hurt"), (Fraction(1, 4), "badly hurt"))
    return next((word for least, word in steps if part >= least), "near the end")


def step_for_players(step: Step, encounter: Encounter, shown: Shown) -> Step:
    """Return where the fight stands without whom the players do not see.

    The entries close up; a third side is not named before one of it was seen. The subtitle, the
    button and its reason are the GM's: they count and hint at what the rules wait for, whoever
    that is.
    """
    sides = {PARTY, FOES, None, *(encounter.tokens[token_id].side for token_id in shown)}
    telling = step.side in sides and all(token_id in shown for token_id in step.about)
    name_of = naming(encounter, shown)
    title = read(step.players, name_of) if telling else None
    counted = f"Round {step.round}" if step.round else ""
    return step.changed(
        title=counted if title is None else title,
        players=None,
        subtitle="",
        side=step.side if step.side in sides else None,
        entries=tuple(
            _turn_entry(entry, encounter, name_of)
            for entry in step.entries
            if entry.token_id in shown
        ),
        plans=tuple(_plans(step.plans, encounter, shown, name_of)),
        about=step.about if telling else (),
        end_label="",
        end_reason="",
    )


def prompt_for_players(encounter: Encounter, shown: Shown) -> Prompt | None:
    """Return the open question if it is the party's and speaks of nobody unseen."""
    prompt = encounter.prompt
    if prompt is None or prompt.side != PARTY:
        return None
    about = {*prompt.about, *(() if prompt.token_id is None else (prompt.token_id,))}
    about |= {token_id for line in prompt.lines for token_id in _evident(line)}
    if not about <= shown:
        return None
    name_of = naming(encounter, shown)
    question = read(prompt.players, name_of)
    lines = lines_for_players(prompt.lines, name_of)
    if question is None or lines is None:
        return None
    return prompt.changed(
        question=question,
        players=None,
        choices=tuple(_choices(prompt.choices, name_of)),
        lines=lines,
    )


def _choices(choices: Iterable[Choice], name_of: Naming) -> Iterable[Choice]:
    """Yield the answers that the players may know of, without the reasons against them."""
    for choice in choices:
        label = read(choice.players, name_of)
        if label is not None and choice.enabled:
            yield choice.changed(label=label, players=None)


def log_for_players(log: tuple[LogEntry, ...]) -> tuple[LogEntry, ...]:
    """Return what is not secret of the log; each entry is turned once and kept."""
    return _LOGS(log)


def _log(
    latest: Kept[tuple[LogEntry, ...]] | None, log: tuple[LogEntry, ...]
) -> tuple[LogEntry, ...]:
    old: tuple[LogEntry, ...] = ()
    done: tuple[LogEntry, ...] = ()
    if latest is not None and _begins_with(log, latest.sources[0]):
        old, done = latest.sources[0], latest.result
    fresh = tuple(_entry_for_players(each) for each in log[len(old) :] if not each.secret)
    return (*done, *fresh) if fresh else done


def _begins_with(log: tuple[LogEntry, ...], old: tuple[LogEntry, ...]) -> bool:
    """Tell whether a log grew out of another; entries are only ever added."""
    return bool(old) and len(log) >= len(old) and log[len(old) - 1] is old[-1]


def _entry_for_players(entry: LogEntry) -> LogEntry:
    """Return a log entry that is not secret as the players read it."""
    told = entry if entry.players is None else entry.players
    lines = plain_lines(told.lines)
    return told if lines is told.lines else told.changed(lines=lines)


def lines_for_players(lines: tuple[Modifier, ...], name_of: Naming) -> tuple[Modifier, ...] | None:
    """Return the lines that the players may read, None if one of them names somebody unseen."""
    told = []
    for line in lines:
        label = read(line.players, name_of)
        if label is not None:
            told.append(line.changed(label=label, evidence=None, players=None))
        elif line.players is not None:
            return None
    return tuple(told)


def plain_lines(lines: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return lines without their places on the map, which may lie in the dark."""
    if all(line.evidence is None and line.players is None for line in lines):
        return lines
    return tuple(line.changed(evidence=None, players=None) for line in lines)


def _turn_entry(entry: TurnEntry, encounter: Encounter, name_of: Naming) -> TurnEntry:
    """Return a line of the turn list: of those who are not theirs no more than who it is."""
    if not (entry.detail or entry.badge or entry.players):
        return entry
    if encounter.tokens[entry.token_id].side != PARTY:
        return _SILENT(entry)
    told = (read(each, name_of) for each in entry.players)
    return entry.changed(detail=", ".join(filter(None, told)), players=())


def _silent(_: Kept[TurnEntry] | None, entry: TurnEntry) -> TurnEntry:
    return entry.changed(detail="", badge="", players=())


def _plans(
    plans: Iterable[DeclaredPlan], encounter: Encounter, shown: Shown, name_of: Naming
) -> Iterable[DeclaredPlan]:
    """Yield the party's own plans; one at somebody who went out of sight no longer says at whom."""
    for plan in plans:
        if plan.token_id not in shown or encounter.tokens[plan.token_id].side != PARTY:
            continue
        seen = tuple(each for each in plan.targets if each in shown)
        unseen = any(each in encounter.tokens and each not in shown for each in plan.targets)
        label = None if unseen else read(plan.players, name_of)
        yield plan.changed(targets=seen, label=label or "", players=None)


def _evident(line: Modifier) -> tuple[str, ...]:
    return () if line.evidence is None else line.evidence.tokens


_SILENT: Memo[TurnEntry] = Memo(_silent, size=4096)
_LOGS: Memo[tuple[LogEntry, ...]] = Memo(_log)
